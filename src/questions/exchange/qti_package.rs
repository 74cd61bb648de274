//! Zip packages of questions in QTI: Canvas' quizzes, Common Cartridges, exports of D2L and packages of QTI 2 and 3. A
//! manifest says which files are questions; without one, what is in the files does.

mod manifest;
mod packed_files;
mod paths;

use domain::exchange::foreign::PictureSource;

use super::foreign_file::EachQuestion;
use super::format_fault::FormatFault;
use super::picture_files::media_type;
use super::qti::{FilesBeside, ItemSource, Items, StimulusTexts, check_to_end, is_qti, read_file, xml_text};
use super::xml::{self, Node, XmlFile};
use manifest::{ItemFile, item_files};
use packed_files::PackedFiles;
pub use packed_files::is_package;

/// Bytes at the start of a file that are searched for QTI, when no manifest names it.
const SEARCHED_BYTES: usize = 4_096;
/// Parts of the names of roots.
const ROOTS: [&str; 3] = ["questestinterop", "assessmentitem", "assessment-item"];

/// Reads a package.
pub fn read(file: &[u8], each: EachQuestion<'_>) -> Result<(), FormatFault> {
    let files = PackedFiles::open(file)?;
    let (mut items, stimuli) = (Items::new(each), StimulusTexts::default());
    let package = (&files, &stimuli);
    let named = item_files(&files)?;
    if named.is_empty() {
        for name in files.names().filter(|name| paths::is_xml(name)) {
            let is_theirs = files.get(name).is_some_and(seems_qti);
            if is_theirs {
                read_item_file(package, &ItemFile { path: name.to_owned(), tags: Vec::new() }, &mut items)?;
            }
        }
    }
    named.iter().try_for_each(|item| read_item_file(package, item, &mut items))?;
    match (items.number(), files.nested()) {
        (0, Some(nested)) => Err(FormatFault::Other(format!(
            "The zip has no questions, but holds another one: import {nested} by itself"
        ))),
        (0, None) => Err(FormatFault::NoQuestions),
        _ => Ok(()),
    }
}

/// Returns whether a file that no manifest names may have questions, or was meant to.
fn seems_qti(bytes: &[u8]) -> bool {
    let start: Vec<u8> = bytes.iter().take(SEARCHED_BYTES).filter(|byte| **byte != 0).copied().collect();
    let start = String::from_utf8_lossy(&start).to_ascii_lowercase();
    ROOTS.iter().any(|root| start.contains(root))
}

/// Reads a file of the package. What is wrong with it costs its own questions alone, and all of them.
fn read_item_file(
    (files, stimuli): (&PackedFiles, &StimulusTexts),
    item: &ItemFile,
    items: &mut Items<'_>,
) -> Result<(), FormatFault> {
    let Some(bytes) = files.get(&item.path) else {
        return items.refuse(&item.path, "the manifest names it, but it is not in the package".to_owned());
    };
    let before = items.number();
    let source = ItemSource { file: Some(&item.path), tags: &item.tags, files, stimuli };
    let read = xml_text(bytes).and_then(|text| {
        check_to_end(&text)?;
        read_file(&text, &source, items)?;
        Ok(XmlFile::open(&text)?.root)
    });
    match read {
        Err(fault @ FormatFault::TooManyQuestions(_)) => Err(fault),
        Err(fault) => items.refuse(&item.path, fault.to_string()),
        Ok(root) if items.number() == before && !is_qti(&root) => {
            items.refuse(&item.path, "the manifest says that it has questions, but it is not QTI".to_owned())
        }
        Ok(_) => Ok(()),
    }
}

impl FilesBeside for PackedFiles {
    fn picture(&self, from: Option<&str>, address: &str) -> Option<PictureSource> {
        let bytes = paths::candidates(from, address).iter().find_map(|path| self.get(path))?;
        Some(PictureSource::Bytes { media_type: media_type(bytes), bytes: bytes.to_vec() })
    }

    fn name(&self, from: Option<&str>, address: &str) -> Option<String> {
        paths::candidates(from, address).into_iter().find(|path| self.get(path).is_some())
    }

    fn document(&self, name: &str) -> Option<Result<Node, FormatFault>> {
        let bytes = self.get(name)?;
        Some(xml_text(bytes).and_then(|text| xml::parse(&text).map_err(FormatFault::from)))
    }
}

#[cfg(test)]
mod tests;
