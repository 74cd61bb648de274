//! Writes questions as a package of QTI 3.0: an item for each question, their pictures, and the manifest, which has as
//! keywords what an item has no place for. The same questions always give the same bytes.

mod item;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{Cursor, Write};

use quick_xml::escape::escape;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::exported_bank::ExportedBank;
use crate::error::Error;
use item::{ItemPicture, item};

/// The beginning of the manifest, with what says that the package is QTI 3.0.
const MANIFEST_START: &str = concat!(
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
    "<manifest xmlns=\"http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1\"",
    " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"",
    " xsi:schemaLocation=\"http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1",
    " https://purl.imsglobal.org/spec/qti/v3p0/schema/xsd/imsqtiv3p0_imscpv1p2_v1p0.xsd\"",
    " identifier=\"questions\">\n",
    "  <metadata>\n    <schema>QTI Package</schema>\n    <schemaversion>3.0.0</schemaversion>\n  </metadata>\n",
    "  <organizations/>\n  <resources>\n"
);
const MANIFEST_END: &str = "  </resources>\n</manifest>\n";
/// The namespace of the keywords.
const METADATA: &str = "http://ltsc.ieee.org/xsd/LOM";

/// Writes the package.
pub fn write(bank: &ExportedBank) -> Result<Vec<u8>, Error> {
    let mut package = Package { zip: ZipWriter::new(Cursor::new(Vec::new())), manifest: MANIFEST_START.to_owned() };
    let mut pictures: BTreeMap<String, Cow<'_, [u8]>> = BTreeMap::new();
    for (index, question) in bank.questions.iter().enumerate() {
        let name = format!("item-{:05}", index + 1);
        let path = format!("items/{name}.xml");
        let picture = ItemPicture::of(question, bank);
        package.add(&path, item(question, &picture.address("../")).as_bytes())?;
        let tags = bank.tags_of(question);
        package.describe(&name, &path, &tags, picture.path());
        if let Some((path, bytes)) = picture.into_file() {
            pictures.insert(path, bytes);
        }
    }
    for (path, bytes) in &pictures {
        package.add(path, bytes)?;
    }
    package.finish()
}

struct Package {
    zip: ZipWriter<Cursor<Vec<u8>>>,
    manifest: String,
}

impl Package {
    fn add(&mut self, path: &str, bytes: &[u8]) -> Result<(), Error> {
        // The time of writing would make each export another file.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::DEFAULT);
        self.zip.start_file(path, options).map_err(Error::internal)?;
        self.zip.write_all(bytes).map_err(Error::internal)
    }

    fn describe(&mut self, name: &str, path: &str, tags: &[String], picture: Option<&str>) {
        let keywords: String =
            tags.iter().map(|tag| format!("<keyword><string>{}</string></keyword>", item::text(tag))).collect();
        let files: String = [Some(path), picture]
            .into_iter()
            .flatten()
            .map(|path| format!("      <file href=\"{}\"/>\n", escape(path)))
            .collect();
        self.manifest.push_str(&format!(
            "    <resource identifier=\"{name}\" type=\"imsqti_item_xmlv3p0\" href=\"{path}\">\n      \
             <metadata><lom xmlns=\"{METADATA}\"><general>{keywords}</general></lom></metadata>\n{files}    </resource>\n"
        ));
    }

    fn finish(mut self) -> Result<Vec<u8>, Error> {
        self.manifest.push_str(MANIFEST_END);
        let manifest = std::mem::take(&mut self.manifest);
        self.add("imsmanifest.xml", manifest.as_bytes())?;
        self.zip.finish().map(Cursor::into_inner).map_err(Error::internal)
    }
}

#[cfg(test)]
mod tests;
