//! The files of a zip, unpacked within limits. What a zip says about itself is not trusted, and one that could do harm
//! to a program that unpacks it is refused.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use zip::ZipArchive;

use super::paths;
use crate::questions::exchange::format_fault::FormatFault;

/// Files of a package. One file for each question and one for each picture are usual.
const FILES_MAX: usize = 20_000;
/// Bytes of all files that are read, unpacked. They are counted while unpacking, as those of a workbook.
const UNPACKED_BYTES_MAX: u64 = 100 * 1_024 * 1_024;
/// How many times larger than packed a file may be. Questions in XML reach thirty, and packed zeros a thousand.
const RATIO_MAX: u64 = 200;
/// Bytes below which that does not count.
const RATIO_FROM_BYTES: u64 = 1_024 * 1_024;
/// Characters of a file's name that messages repeat.
const NAME_CHARACTERS_MAX: usize = 60;

/// The first bytes of a zip.
const ZIP: [u8; 4] = *b"PK\x03\x04";
/// The name of the manifest of a package, in small letters.
pub const MANIFEST: &str = "imsmanifest.xml";
/// Files that only other kinds of zips have: those of Microsoft's office and OpenDocument.
const OTHERS: [&str; 2] = ["[content_types].xml", "mimetype"];

/// Returns whether a file is a zip with questions, and no workbook.
pub fn is_package(file: &[u8]) -> bool {
    if !file.starts_with(&ZIP) {
        return false;
    }
    let Ok(archive) = ZipArchive::new(Cursor::new(file)) else { return false };
    let names: Vec<String> =
        archive.file_names().filter_map(|name| Some(paths::plain(&name.ok()?).to_ascii_lowercase())).collect();
    let has = |wanted: &str| names.iter().any(|name| paths::file_name(name) == wanted);
    let may_be = |name: &String| paths::is_xml(name) || paths::is_zip(name);
    has(MANIFEST) || (!OTHERS.into_iter().any(has) && names.iter().any(may_be))
}

/// The files of a package that may matter for questions.
#[derive(Debug)]
pub struct PackedFiles {
    files: BTreeMap<String, Vec<u8>>,
    nested: Option<String>,
}

impl PackedFiles {
    /// Unpacks a zip.
    pub fn open(file: &[u8]) -> Result<Self, FormatFault> {
        let mut archive = ZipArchive::new(Cursor::new(file)).map_err(|_| damaged())?;
        if archive.len() > FILES_MAX {
            return Err(FormatFault::Other(format!("The zip has more than {FILES_MAX} files")));
        }
        let mut files = Self { files: BTreeMap::new(), nested: None };
        let mut left = UNPACKED_BYTES_MAX;
        for index in 0..archive.len() {
            let Some(name) = checked_name(&mut archive, index)? else { continue };
            if paths::is_zip(&name) {
                files.nested.get_or_insert_with(|| shown(&name));
                continue;
            }
            if !paths::is_xml(&name) && !paths::is_picture(&name) {
                continue;
            }
            let bytes = unpacked(&mut archive, index, left, &name)?;
            left = left.saturating_sub(bytes.len() as u64);
            if files.files.insert(name.clone(), bytes).is_some() {
                return Err(FormatFault::Other(format!("The zip has the file {} twice", shown(&name))));
            }
        }
        Ok(files)
    }

    /// The content of a file.
    pub fn get(&self, path: &str) -> Option<&[u8]> {
        self.files.get(path).map(Vec::as_slice)
    }

    /// The names of all files, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// The first zip within the zip. It is not opened.
    pub fn nested(&self) -> Option<&str> {
        self.nested.as_deref()
    }
}

/// The name of an entry; `None` for a folder.
fn checked_name(archive: &mut ZipArchive<Cursor<&[u8]>>, index: usize) -> Result<Option<String>, FormatFault> {
    let entry = archive.by_index_raw(index).map_err(|_| damaged())?;
    let written = entry.name().map_err(|_| damaged())?;
    let name = paths::plain(&written);
    if entry.encrypted() {
        return Err(FormatFault::Other("The zip is protected by a password: pack it without one".to_owned()));
    }
    if entry.is_symlink() {
        return Err(FormatFault::Other(format!("The zip holds a link: {}", shown(&name))));
    }
    if !paths::is_within(&name) {
        return Err(FormatFault::Other(format!("The zip has a file outside of its folder: {}", shown(&name))));
    }
    Ok((!entry.is_dir() && !name.ends_with('/')).then_some(name))
}

fn unpacked(
    archive: &mut ZipArchive<Cursor<&[u8]>>,
    index: usize,
    bytes_max: u64,
    name: &str,
) -> Result<Vec<u8>, FormatFault> {
    let entry = archive.by_index(index).map_err(|_| damaged())?;
    let packed = entry.compressed_size().max(1);
    let expanded_max = packed.saturating_mul(RATIO_MAX).max(RATIO_FROM_BYTES);
    let mut bytes = Vec::new();
    let read = entry.take(bytes_max.min(expanded_max) + 1).read_to_end(&mut bytes);
    // A file that is larger than it says ends in an error, and is no less too large.
    if bytes.len() as u64 > bytes_max.min(expanded_max) {
        return Err(FormatFault::TooLargeUnpacked);
    }
    read.map_err(|_| FormatFault::Other(format!("The zip is damaged at {}: download it once more", shown(name))))?;
    Ok(bytes)
}

fn damaged() -> FormatFault {
    FormatFault::Other("The zip is damaged: download it once more".to_owned())
}

/// A name as messages repeat it.
fn shown(name: &str) -> String {
    name.chars().filter(|letter| !letter.is_control()).take(NAME_CHARACTERS_MAX).collect()
}
