//! Questions in QTI, the format of 1EdTech that Canvas, D2L and most others write: what its versions share, and single
//! files. Packages of files are in `qti_package.rs`.

mod choice_item;
mod encoding;
mod item_scores;
mod names;
mod scored_item;

use domain::exchange::foreign::{ForeignQuestion, PictureSource, Refusal, Rich};
use domain::exchange::place::ItemPlace;
use domain::picture::is_picture_address;

use super::format_fault::FormatFault;
use super::html::html_to_rich;
use super::xml::{self, Node};
pub use encoding::xml_text;
pub use names::{attribute, below, is, kind};

/// Questions of a file: as many as an import takes rows.
const QUESTIONS_MAX: u32 = 50_000;
/// The element around a file of version 1.2.
const INTEROPERABLE: &str = "questestinterop";
/// The elements around a file of a later version, besides an item.
const NO_ITEMS: [&str; 3] = ["assessmenttest", "assessmentsection", "assessmentstimulus"];

/// Called with each question, or with the reason for which it is refused.
pub type EachQuestion<'a> = &'a mut dyn FnMut(ItemPlace, Result<ForeignQuestion, Refusal>);

/// Reads a single file.
pub fn read(file: &[u8], each: EachQuestion<'_>) -> Result<(), FormatFault> {
    let root = xml::parse(&xml_text(file)?).map_err(FormatFault::Xml)?;
    let mut items = Items::new(each);
    read_root(&root, &ItemSource { file: None, tags: &[], files: &NoFiles }, &mut items)?;
    match items.number {
        0 if NO_ITEMS.iter().any(|name| is(&root, name)) => Err(FormatFault::Other(
            "The file has no questions in itself, but names those of other files: import the package that has them all"
                .to_owned(),
        )),
        0 => Err(FormatFault::Other("The file has no questions".to_owned())),
        _ => Ok(()),
    }
}

/// Returns whether a file with this root is QTI of any version.
pub fn is_qti(root: &Node) -> bool {
    is(root, INTEROPERABLE) || is(root, "assessmentitem") || NO_ITEMS.iter().any(|name| is(root, name))
}

/// What surrounds an item: the file it is in, and the files that it may name.
pub struct ItemSource<'a> {
    /// The file within a package.
    pub file: Option<&'a str>,
    /// What the package says about the item.
    pub tags: &'a [String],
    /// The other files.
    pub files: &'a dyn FilesBeside,
}

/// The files that an item may name.
pub trait FilesBeside {
    /// The picture that the file `from` names in this way.
    fn picture(&self, from: Option<&str>, address: &str) -> Option<PictureSource>;

    /// The XML file that the file `from` names in this way, and its own name.
    fn document(&self, from: Option<&str>, address: &str) -> Option<(String, Result<Node, FormatFault>)>;
}

/// Nothing stands beside a single file.
struct NoFiles;

impl FilesBeside for NoFiles {
    fn picture(&self, _: Option<&str>, address: &str) -> Option<PictureSource> {
        elsewhere(address)
    }

    fn document(&self, _: Option<&str>, _: &str) -> Option<(String, Result<Node, FormatFault>)> {
        None
    }
}

/// A picture whose address says all by itself.
pub fn elsewhere(address: &str) -> Option<PictureSource> {
    is_picture_address(address).then(|| PictureSource::Address(address.to_owned()))
}

impl ItemSource<'_> {
    /// HTML of the item as a text of ours.
    fn rich(&self, html: &str) -> Result<Rich, Refusal> {
        self.rich_from(self.file, html)
    }

    fn rich_from(&self, file: Option<&str>, html: &str) -> Result<Rich, Refusal> {
        html_to_rich(html, &|address| self.files.picture(file, address))
    }

    /// What explains an answer. It is worth less than its question, so one that can't be kept costs a note alone.
    fn explanation(&self, html: &str, notes: &mut Vec<String>) -> Rich {
        if html.is_empty() {
            return Rich::default();
        }
        self.rich(html).unwrap_or_else(|refusal| {
            notes.push(format!("feedback is left out: {refusal}"));
            Rich::default()
        })
    }
}

/// The questions read so far.
pub struct Items<'a> {
    each: EachQuestion<'a>,
    number: u32,
}

impl<'a> Items<'a> {
    pub fn new(each: EachQuestion<'a>) -> Self {
        Self { each, number: 0 }
    }

    /// How many questions were read or refused.
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// Refuses whatever is in a file.
    pub fn refuse(&mut self, file: &str, reason: String) -> Result<(), FormatFault> {
        let place = ItemPlace { file: Some(file.to_owned()), ..ItemPlace::default() };
        self.take(place, Err(Refusal::Other(reason)))
    }

    fn take(&mut self, place: ItemPlace, question: Result<ForeignQuestion, Refusal>) -> Result<(), FormatFault> {
        if self.number >= QUESTIONS_MAX {
            return Err(FormatFault::TooManyQuestions);
        }
        self.number += 1;
        let place = ItemPlace { number: self.number, ..place };
        let question = question.map(|question| ForeignQuestion { place: place.clone(), ..question });
        (self.each)(place, question);
        Ok(())
    }
}

/// Reads all questions of a parsed file, of whatever version.
pub fn read_root(root: &Node, source: &ItemSource<'_>, items: &mut Items<'_>) -> Result<(), FormatFault> {
    if is(root, INTEROPERABLE) { read_scored(root, None, source, items) } else { read_choices(root, source, items) }
}

/// Version 1.2: items stand within assessments, sections and banks, of which the innermost with a title counts.
fn read_scored(
    node: &Node,
    category: Option<&str>,
    source: &ItemSource<'_>,
    items: &mut Items<'_>,
) -> Result<(), FormatFault> {
    let title = scored_item::title_of_group(node);
    let category = title.as_deref().or(category);
    for child in below(node) {
        if is(child, "item") {
            let question = scored_item::question(child, source)
                .map(|question| ForeignQuestion { category: category.map(str::to_owned), ..question });
            items.take(place(child, source), question)?;
        } else if ["assessment", "section", "objectbank"].iter().any(|group| is(child, group)) {
            read_scored(child, category, source, items)?;
        }
    }
    Ok(())
}

/// Version 2 or 3: a file is an item, or has some.
fn read_choices(node: &Node, source: &ItemSource<'_>, items: &mut Items<'_>) -> Result<(), FormatFault> {
    if is(node, "assessmentitem") {
        return items.take(place(node, source), choice_item::question(node, source));
    }
    below(node).try_for_each(|child| read_choices(child, source, items))
}

fn place(item: &Node, source: &ItemSource<'_>) -> ItemPlace {
    let name = attribute(item, "title").or_else(|| attribute(item, "label")).unwrap_or_default();
    ItemPlace {
        number: 0,
        file: source.file.map(str::to_owned),
        line: Some(item.line),
        name: name.to_owned(),
    }
}

#[cfg(test)]
mod tests;
