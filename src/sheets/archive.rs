//! Unpacks a workbook file within limits before anything else reads it. It does not trust what the file says about
//! itself, and keeps only the parts that matter for cells.
//!
//! Why the server does this itself is in `docs/decisions/0014-what-an-import-may-do.md`.

use std::borrow::Cow;
use std::io::{Cursor, Read, Write};

use domain::workbook::CellMark;
use quick_xml::events::Event;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::cells::{attribute, reader, write_sheet};
use super::marks::plain_shared_texts;
use super::styles::formats_alone;
use super::unusable::Unusable;

/// Bytes of all parts that are read, unpacked. They are counted while unpacking, so a small file can't fill the memory.
const UNPACKED_BYTES_MAX: u64 = 100 * 1_024 * 1_024;
/// Parts of a file. A workbook has a few for each sheet.
const PARTS_MAX: usize = 2_000;
/// Shared texts that a file may announce: calamine reserves memory for as many before it reads the first.
const SHARED_TEXTS_MAX: u64 = 1_000_000;
/// Tags in the table of shared texts, several for each text.
const SHARED_TAGS_MAX: usize = 8_000_000;
/// Folders whose parts have no cells.
const SKIPPED: [&str; 8] =
    ["theme/", "docprops/", "drawings/", "charts/", "media/", "pivotcache/", "externallinks/", "customxml/"];

/// The first bytes of a zip file. Formats are recognised by the content, since names of files prove nothing.
const ZIP: [u8; 4] = *b"PK\x03\x04";
const COMPOUND: [u8; 8] = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
/// The name of the part that an encrypted workbook consists of, as compound files store names.
const ENCRYPTED: &str = "EncryptedPackage";
/// The prefix of the kind that an OpenDocument file declares in its first part.
const OPEN_DOCUMENT: &str = "application/vnd.oasis.opendocument.";
/// The kinds of OpenDocument files with sheets: a spreadsheet, and a template of one.
const OPEN_DOCUMENT_SHEETS: [&str; 2] = ["spreadsheet", "spreadsheet-template"];
/// Bytes of the part in which an OpenDocument file says its kind.
const KIND_BYTES_MAX: u64 = 200;
/// The element of an OpenDocument file's manifest that describes how a part is encrypted.
const ENCRYPTION_DATA: &[u8] = b"encryption-data";
/// Bytes of the manifest that are searched for it. A file with thousands of pictures has a long one.
const MANIFEST_BYTES_MAX: u64 = 1_024 * 1_024;

/// The formats that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    Xlsx,
    Ods,
    /// Text with commas, semicolons or tabs.
    Text,
}

impl FileFormat {
    /// Recognises the format of a file by its content.
    pub fn of(file: &[u8]) -> Result<Self, Unusable> {
        if file.starts_with(&COMPOUND) {
            let name: Vec<u8> = ENCRYPTED.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let is_encrypted = file.windows(name.len()).any(|window| window == name);
            return Err(if is_encrypted { Unusable::Protected } else { Unusable::OtherFormat("An .xls workbook") });
        }
        if !file.starts_with(&ZIP) {
            return Ok(Self::Text);
        }
        let mut archive = ZipArchive::new(Cursor::new(file)).map_err(|_| Unusable::NotAWorkbook)?;
        if let Some(kind) = open_document_kind(&mut archive) {
            return match kind.as_str() {
                _ if is_encrypted(&mut archive) => Err(Unusable::Protected),
                kind if OPEN_DOCUMENT_SHEETS.contains(&kind) => Ok(Self::Ods),
                _ => Err(Unusable::NotAWorkbook),
            };
        }
        match archive.file_names().find_map(|name| other_format(&name.ok()?)) {
            Some(format) => Err(Unusable::OtherFormat(format)),
            None => Ok(Self::Xlsx),
        }
    }
}

fn open_document_kind(archive: &mut ZipArchive<Cursor<&[u8]>>) -> Option<String> {
    let mut kind = String::new();
    archive.by_name("mimetype").ok()?.take(KIND_BYTES_MAX).read_to_string(&mut kind).ok()?;
    kind.trim().strip_prefix(OPEN_DOCUMENT).map(str::to_owned)
}

/// Whether an OpenDocument file has a password: its manifest says so of each part, or of the one that holds all others.
fn is_encrypted(archive: &mut ZipArchive<Cursor<&[u8]>>) -> bool {
    let mut manifest = Vec::new();
    let read = archive
        .by_name("META-INF/manifest.xml")
        .is_ok_and(|part| part.take(MANIFEST_BYTES_MAX).read_to_end(&mut manifest).is_ok());
    read && manifest.windows(ENCRYPTION_DATA.len()).any(|window| window == ENCRYPTION_DATA)
}

/// The format that has a part of this name, if it is one of those that are not read.
fn other_format(part: &str) -> Option<&'static str> {
    match part {
        "xl/workbook.bin" => Some("An .xlsb workbook"),
        "Index/Document.iwa" | "Index.zip" => Some("A Numbers document"),
        _ => None,
    }
}

/// Unpacks one part of an archive, within the same limits.
pub fn unpack_part(packed: Vec<u8>, name: &str) -> Result<Vec<u8>, Unusable> {
    let mut archive = ZipArchive::new(Cursor::new(packed)).map_err(|_| Unusable::NotAWorkbook)?;
    let index = archive.index_for_name(name).ok_or(Unusable::NotAWorkbook)?;
    let part = read_part(&mut archive, index, UNPACKED_BYTES_MAX)?;
    part.map(|(_, bytes)| bytes).ok_or(Unusable::NotAWorkbook)
}

/// Unpacks the workbook into an uncompressed archive, in which nothing costs calamine more than its size.
pub fn unpack(packed: Vec<u8>) -> Result<Vec<u8>, Unusable> {
    let mut archive = ZipArchive::new(Cursor::new(packed)).map_err(|_| Unusable::NotAWorkbook)?;
    if archive.len() > PARTS_MAX {
        return Err(Unusable::TooLargeUnpacked);
    }
    let mut plain = ZipWriter::new(Cursor::new(Vec::with_capacity(announced(&mut archive)?)));
    let (mut left, mut known) = (UNPACKED_BYTES_MAX, KnownParts::default());
    for index in what_cells_refer_to_first(&mut archive) {
        let Some((name, part)) = read_part(&mut archive, index, left)? else { continue };
        left = left.saturating_sub(part.len() as u64);
        // Some programs write the names of parts as absolute paths.
        let name = name.trim_start_matches('/');
        plain
            .start_file(name, SimpleFileOptions::default().compression_method(CompressionMethod::Stored))
            .map_err(|_| Unusable::NotAWorkbook)?;
        write_part(&mut plain, &name.to_ascii_lowercase(), &part, &mut known)?;
    }
    plain.finish().map(Cursor::into_inner).map_err(|_| Unusable::NotAWorkbook)
}

/// What cells refer to.
#[derive(Default)]
struct KnownParts {
    /// How many shared texts there are.
    shared_texts: usize,
    /// The mark of each cell format.
    marks: Vec<Option<CellMark>>,
}

/// The indexes of the parts, with the shared texts and the styles first: cells refer to them.
fn what_cells_refer_to_first(archive: &mut ZipArchive<Cursor<Vec<u8>>>) -> Vec<usize> {
    let count = archive.len();
    let mut is_first = |index: &usize| {
        archive
            .by_index_raw(*index)
            .is_ok_and(|part| part.name().is_ok_and(|name| is_referred_to(&name.to_ascii_lowercase())))
    };
    let (mut places, others): (Vec<_>, Vec<_>) = (0..count).partition(&mut is_first);
    places.extend(others);
    places
}

fn is_referred_to(name: &str) -> bool {
    is_shared_texts(name) || is_styles(name)
}

fn is_styles(name: &str) -> bool {
    name.ends_with("styles.xml")
}

fn is_shared_texts(name: &str) -> bool {
    name.ends_with("sharedstrings.xml")
}

/// The sum of the sizes that the parts claim, to reserve memory; an error if even that is too large.
fn announced(archive: &mut ZipArchive<Cursor<Vec<u8>>>) -> Result<usize, Unusable> {
    let mut sum = 0_u64;
    for index in 0..archive.len() {
        let part = archive.by_index_raw(index).map_err(|_| Unusable::NotAWorkbook)?;
        let is_kept = part.name().is_ok_and(|name| is_kept(&name));
        sum = sum.saturating_add(if is_kept { part.size() } else { 0 });
    }
    let sum = usize::try_from(sum).ok().filter(|_| sum <= UNPACKED_BYTES_MAX);
    sum.ok_or(Unusable::TooLargeUnpacked)
}

fn is_kept(name: &str) -> bool {
    let name = name.replace('\\', "/").to_ascii_lowercase();
    (name.ends_with(".xml") || name.ends_with(".rels")) && !SKIPPED.iter().any(|folder| name.contains(folder))
}

/// Unpacks a part, up to the limit, whatever size it claims.
fn read_part(
    archive: &mut ZipArchive<Cursor<Vec<u8>>>,
    index: usize,
    bytes_max: u64,
) -> Result<Option<(String, Vec<u8>)>, Unusable> {
    let part = archive.by_index(index).map_err(|_| Unusable::NotAWorkbook)?;
    let name = part.name().map(Cow::into_owned).unwrap_or_default();
    if !is_kept(&name) {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    part.take(bytes_max + 1).read_to_end(&mut bytes).map_err(|_| Unusable::NotAWorkbook)?;
    if bytes.len() as u64 > bytes_max { Err(Unusable::TooLargeUnpacked) } else { Ok(Some((name, bytes))) }
}

fn write_part(plain: &mut impl Write, name: &str, part: &[u8], known: &mut KnownParts) -> Result<(), Unusable> {
    let written = if is_styles(name) {
        let (formats, marks) = formats_alone(part)?;
        known.marks = marks;
        plain.write_all(formats.as_bytes())
    } else if is_shared_texts(name) {
        known.shared_texts = count_shared_texts(part)?.max(known.shared_texts);
        let without_marks = plain_shared_texts(part)?;
        plain.write_all(without_marks.as_ref().map_or(part, String::as_bytes))
    } else if is_sheet(part) {
        return write_sheet(plain, part, known.shared_texts, &known.marks);
    } else {
        plain.write_all(part)
    };
    written.map_err(|_| Unusable::NotAWorkbook)
}

/// Whether a part has cells. Its name says nothing, since files may call their parts anything.
fn is_sheet(part: &[u8]) -> bool {
    let mut is_found = false;
    let seen = events(part, |event| {
        is_found = matches!(event, Event::Start(tag) if tag.local_name().as_ref() == "sheetData");
        Ok(!is_found)
    });
    seen.is_ok() && is_found
}

/// Calls `see` with each event of a part, parsed as calamine will parse it, until `see` returns false.
pub(super) fn events(part: &[u8], mut see: impl FnMut(&Event<'_>) -> Result<bool, Unusable>) -> Result<(), Unusable> {
    let mut reader = reader(part);
    reader.config_mut().expand_empty_elements = true;
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let event = reader.read_event_into(&mut buffer).map_err(|_| Unusable::NotAWorkbook)?;
        if matches!(event, Event::Eof) || !see(&event)? {
            return Ok(());
        }
    }
}

/// Counts the shared texts, and refuses a table that announces too many.
fn count_shared_texts(part: &[u8]) -> Result<usize, Unusable> {
    if part.iter().filter(|byte| **byte == b'<').count() > SHARED_TAGS_MAX {
        return Err(Unusable::TooLargeUnpacked);
    }
    let mut texts = 0;
    events(part, |event| {
        match event {
            Event::Start(tag) if tag.local_name().as_ref() == "sst" => {
                let announced = attribute(tag, "uniqueCount")?.and_then(|count| count.parse::<u64>().ok());
                if announced.is_some_and(|count| count > SHARED_TEXTS_MAX) {
                    return Err(Unusable::TooLargeUnpacked);
                }
            }
            Event::Start(tag) if tag.local_name().as_ref() == "si" => texts += 1,
            _ => {}
        }
        Ok(true)
    })?;
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(parts: &[(&str, &[u8])]) -> Vec<u8> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in parts {
            archive.start_file(*name, SimpleFileOptions::default()).unwrap();
            archive.write_all(bytes).unwrap();
        }
        archive.finish().unwrap().into_inner()
    }

    fn part(plain: Vec<u8>, name: &str) -> String {
        let mut archive = ZipArchive::new(Cursor::new(plain)).unwrap();
        let mut text = String::new();
        archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn parts_without_cells_are_left_packed() {
        let bomb = vec![b' '; usize::try_from(UNPACKED_BYTES_MAX).unwrap() + 1];
        let plain = unpack(packed(&[
            ("xl/workbook.xml", b"<workbook/>"),
            ("xl/media/image.png", &bomb),
            ("xl/theme/theme1.xml", &bomb),
        ]))
        .unwrap();
        assert!(plain.len() < 1_000);
        assert_eq!(part(plain, "xl/workbook.xml"), "<workbook/>");
        assert!(matches!(unpack(packed(&[("xl/worksheets/sheet1.xml", &bomb)])), Err(Unusable::TooLargeUnpacked)));
    }

    #[test]
    fn a_part_that_lies_about_its_size_is_cut_off() {
        let bomb = vec![b' '; usize::try_from(UNPACKED_BYTES_MAX).unwrap() + 1];
        let mut bytes = packed(&[("xl/worksheets/sheet1.xml", &bomb)]);
        let size = u32::try_from(bomb.len()).unwrap().to_le_bytes();
        let places: Vec<usize> = (0..bytes.len() - 4).filter(|place| bytes[*place..place + 4] == size).collect();
        assert!(!places.is_empty());
        for place in places {
            bytes[place..place + 4].copy_from_slice(&100_u32.to_le_bytes());
        }
        assert!(unpack(bytes).is_err());
    }

    #[test]
    fn what_is_announced_is_bounded() {
        for (count, is_refused) in [("3", false), ("1000000", false), ("1000001", true), ("18446744073709551615", true)]
        {
            let table = format!(
                "<?xml version=\"1.0\"?><!-- <sst> --><x:sst a=\">\" uniqueCount=\"{count}\"><si><t>uniqueCount=\"9999999\"</t></si></x:sst>"
            );
            assert_eq!(unpack(packed(&[("xl/SharedStrings.xml", table.as_bytes())])).is_err(), is_refused, "{count}");
        }
    }

    #[test]
    fn cells_refer_to_shared_texts_that_come_later() {
        let sheet =
            b"<worksheet><sheetData><row><c t=\"s\"><v>1</v></c><c t=\"s\"><v>2</v></c></row></sheetData></worksheet>";
        let table = b"<sst><si><t>a</t></si><si><t>b</t></si></sst>";
        let plain = unpack(packed(&[("/xl/worksheets/sheet1.xml", sheet), ("xl/sharedStrings.xml", table)])).unwrap();
        let expected =
            "<worksheet><sheetData><row><c t=\"s\"><v>1</v></c><c t=\"e\"><v>#VALUE!</v></c></row></sheetData>";
        assert_eq!(part(plain, "xl/worksheets/sheet1.xml"), expected);
    }

    #[test]
    fn what_is_no_archive_is_no_workbook() {
        for bytes in [&b""[..], b"PK", b"grade,question\n5,What?", &[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]] {
            assert!(matches!(unpack(bytes.to_vec()), Err(Unusable::NotAWorkbook)));
        }
    }
}
