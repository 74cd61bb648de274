//! The manifest of a package: which of its files are questions, and what it says about them.

use std::collections::HashSet;

use super::packed_files::{MANIFEST, PackedFiles};
use super::paths;
use crate::questions::exchange::format_fault::FormatFault;
use crate::questions::exchange::qti::{all, attribute, below, is, xml_text};
use crate::questions::exchange::xml::{Node, XmlFile, XmlStep};

/// Files that a manifest may name: one for each of a package.
const RESOURCES_MAX: usize = 20_000;
/// Keywords of one file. What a question here says in tags is far less.
const KEYWORDS_MAX: usize = 64;
/// A part of the type of every file in QTI.
const QTI: &str = "imsqti";
/// Parts of the types of those that have no questions.
const NO_ITEMS: [&str; 7] = [
    "imsqti_test",
    "imsqti_section",
    "imsqti_stimulus",
    "imsqti_outcomes",
    "imsqti_rp",
    "imsqti_resp",
    "imsqti_fragment",
];
/// Parts of D2L's own types of files with questions.
const D2L: [&str; 2] = ["d2lquiz", "d2lquestionlibrary"];

/// A file with questions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemFile {
    pub path: String,
    /// The keywords that the manifest gives it.
    pub tags: Vec<String>,
}

/// The files with questions that the manifest nearest to the top names, in its order and each once; none without a
/// manifest.
pub fn item_files(files: &PackedFiles) -> Result<Vec<ItemFile>, FormatFault> {
    let named = files.names().filter(|name| paths::file_name(name).eq_ignore_ascii_case(MANIFEST));
    let Some(path) = named.min_by_key(|name| name.matches('/').count()) else { return Ok(Vec::new()) };
    let bytes = files.get(path).unwrap_or_default();
    let mut manifest = Manifest { files, items: Vec::new(), paths: HashSet::new() };
    let read = xml_text(bytes).and_then(|text| manifest.read(&text, paths::folder(path)));
    read.map_err(|fault| FormatFault::Other(format!("{MANIFEST} can't be read: {fault}")))?;
    Ok(manifest.items)
}

/// A manifest that is being read.
struct Manifest<'a> {
    files: &'a PackedFiles,
    items: Vec<ItemFile>,
    paths: HashSet<String>,
}

impl Manifest<'_> {
    fn read(&mut self, text: &str, folder: &str) -> Result<(), FormatFault> {
        let mut file = XmlFile::open(text)?;
        if !is(&file.root, "manifest") {
            return Err(FormatFault::Other("it is no manifest".to_owned()));
        }
        let outer = joined_base(folder, &file.root);
        let (mut bases, mut count) = (vec![outer], 0_usize);
        loop {
            match file.step(&|name| name == "resources")? {
                XmlStep::Open(resources) => {
                    let base = bases.last().map(|base| joined_base(base, &resources)).unwrap_or_default();
                    bases.push(base);
                }
                XmlStep::Node(resource) if is(&resource, "resource") => {
                    count += 1;
                    if count > RESOURCES_MAX {
                        return Err(FormatFault::Other(format!("it names more than {RESOURCES_MAX} files")));
                    }
                    let base = bases.last().map(|base| joined_base(base, &resource)).unwrap_or_default();
                    self.take(&resource, &base);
                }
                XmlStep::Node(_) => {}
                XmlStep::Close => {
                    bases.pop();
                    if bases.is_empty() {
                        return Ok(());
                    }
                }
            }
        }
    }

    fn take(&mut self, resource: &Node, base: &str) {
        let kind = attribute(resource, "type").unwrap_or_default().to_ascii_lowercase();
        let of_d2l = attribute(resource, "materialtype").unwrap_or_default().to_ascii_lowercase();
        let is_qti = kind.contains(QTI) && !NO_ITEMS.iter().any(|other| kind.contains(other));
        if !is_qti && !D2L.contains(&of_d2l.as_str()) {
            return;
        }
        let files = below(resource).filter(|child| is(child, "file"));
        let mut named = attribute(resource, "href").into_iter().chain(files.filter_map(|file| attribute(file, "href")));
        let Some(address) = named.find(|address| paths::is_xml(address.split('?').next().unwrap_or_default())) else {
            return;
        };
        let from = format!("{base}{MANIFEST}");
        let candidates = paths::candidates(Some(&from), address);
        let found = candidates.iter().find(|path| self.files.get(path).is_some()).or(candidates.first());
        if let Some(path) = found.filter(|path| self.paths.insert((*path).clone())) {
            self.items.push(ItemFile { path: path.clone(), tags: keywords(resource) });
        }
    }
}

/// A folder with what an element adds to it.
fn joined_base(folder: &str, node: &Node) -> String {
    let added = attribute(node, "base").and_then(|base| paths::joined(folder, base));
    added.map_or_else(|| folder.to_owned(), |folder| format!("{folder}/"))
}

/// The keywords of a file's metadata, which all versions write within `keyword`.
fn keywords(resource: &Node) -> Vec<String> {
    let metadata = below(resource).filter(|child| is(child, "metadata"));
    let found = metadata.flat_map(|metadata| all(metadata, &|name| name == "keyword"));
    let texts = found.flat_map(|keyword| match below(keyword).next() {
        Some(_) => below(keyword).map(Node::text).collect(),
        None => vec![keyword.text()],
    });
    texts.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).take(KEYWORDS_MAX).collect()
}
