//! Questions in QTI, the format of 1EdTech that Canvas, D2L and most others write: what its versions share, and single
//! files. Packages of files are in `qti_package.rs`.

mod choice_item;
mod encoding;
mod item_scores;
mod names;
mod scored_item;
mod stimulus_texts;

use domain::exchange::foreign::{ForeignQuestion, PictureSource, Refusal, Rich};
use domain::exchange::place::ItemPlace;

use super::foreign_file::EachQuestion;
use super::format_fault::FormatFault;
use super::html::html_to_rich;
use super::xml::{self, Node, XmlFault, XmlFile, XmlStep};
pub use choice_item::number_entry::UNIT_CLASS;
pub use encoding::xml_text;
pub use names::{all, attribute, below, is};
pub use stimulus_texts::StimulusTexts;

/// Options of an item that are compared and read. Messages still count those beyond.
const OPTIONS_READ_MAX: usize = 64;
/// How many options a question has, as messages say it.
const OPTIONS_WANTED: usize = 4;
/// The element around a file of version 1.2.
const INTEROPERABLE: &str = "questestinterop";
/// What stands around items in it.
const GROUPS: [&str; 3] = ["assessment", "section", "objectbank"];
/// An item of a later version.
const ITEM: &str = "assessmentitem";
/// The elements around a file of a later version, besides an item.
const NO_ITEMS: [&str; 3] = ["assessmenttest", "assessmentsection", "assessmentstimulus"];
const NAMES_OTHERS: &str =
    "The file has no questions in itself, but names those of other files: import the package that has them all";

/// Reads a single file.
pub fn read(file: &[u8], each: EachQuestion<'_>) -> Result<(), FormatFault> {
    let text = xml_text(file)?;
    let mut items = Items::new(each);
    let stimuli = StimulusTexts::default();
    read_file(&text, &ItemSource { file: None, tags: &[], files: &NoFiles, stimuli: &stimuli }, &mut items)?;
    if items.number > 0 {
        return Ok(());
    }
    let root = XmlFile::open(&text)?.root;
    Err(if NO_ITEMS.iter().any(|name| is(&root, name)) {
        FormatFault::Other(NAMES_OTHERS.to_owned())
    } else {
        FormatFault::NoQuestions
    })
}

/// Returns whether a file with this root is QTI of any version.
pub fn is_qti(root: &Node) -> bool {
    is(root, INTEROPERABLE) || is(root, ITEM) || NO_ITEMS.iter().any(|name| is(root, name))
}

/// What surrounds an item: the file it is in, and the files that it may name.
pub struct ItemSource<'a> {
    /// The file within a package.
    pub file: Option<&'a str>,
    /// What the package says about the item.
    pub tags: &'a [String],
    /// The other files.
    pub files: &'a dyn FilesBeside,
    /// The texts of those that stand before items.
    pub stimuli: &'a StimulusTexts,
}

/// The files that an item may name.
pub trait FilesBeside {
    /// The picture that the file `from` names in this way.
    fn picture(&self, from: Option<&str>, address: &str) -> Option<PictureSource>;

    /// The name of the file that the file `from` names in this way.
    fn name(&self, from: Option<&str>, address: &str) -> Option<String>;

    /// The XML file of this name; `None` if there is none.
    fn document(&self, name: &str) -> Option<Result<Node, FormatFault>>;
}

/// Nothing stands beside a single file.
struct NoFiles;

impl FilesBeside for NoFiles {
    fn picture(&self, _: Option<&str>, _: &str) -> Option<PictureSource> {
        None
    }

    fn name(&self, _: Option<&str>, _: &str) -> Option<String> {
        None
    }

    fn document(&self, _: &str) -> Option<Result<Node, FormatFault>> {
        None
    }
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
        self.number += 1;
        let place = ItemPlace { number: self.number, ..place };
        let question = question.map(|question| ForeignQuestion { place: place.clone(), ..question });
        (self.each)(place, question)
    }
}

/// Looks for damage down to the end of a file with several items, so that one that is damaged gives no question. It is
/// read twice for this: its questions would need far more memory, since each has its own copy of a picture.
pub fn check_to_end(text: &str) -> Result<(), XmlFault> {
    let mut file = XmlFile::open(text)?;
    if is(&file.root, ITEM) {
        // An item by itself is read to its end before it is taken.
        return Ok(());
    }
    if !is(&file.root, INTEROPERABLE) {
        while file.next_child()?.is_some() {}
        return Ok(());
    }
    let mut open = 1_usize;
    while open > 0 {
        match file.step(&|name| GROUPS.contains(&name))? {
            XmlStep::Open(_) => open += 1,
            XmlStep::Node(_) => {}
            XmlStep::Close => open -= 1,
        }
    }
    Ok(())
}

/// Reads all questions of a file, of whatever version.
pub fn read_file(text: &str, source: &ItemSource<'_>, items: &mut Items<'_>) -> Result<(), FormatFault> {
    let mut file = XmlFile::open(text)?;
    if is(&file.root, INTEROPERABLE) {
        return read_scored(&mut file, source, items);
    }
    if is(&file.root, ITEM) {
        return take_choice(&xml::parse(text)?, source, items);
    }
    while let Some(child) = file.next_child()? {
        if is(&child, ITEM) {
            take_choice(&child, source, items)?;
        }
    }
    Ok(())
}

/// Version 1.2: items stand within assessments, sections and banks, of which the innermost with a title counts.
fn read_scored(file: &mut XmlFile<'_>, source: &ItemSource<'_>, items: &mut Items<'_>) -> Result<(), FormatFault> {
    let mut titles: Vec<Option<String>> = vec![None];
    loop {
        match file.step(&|name| GROUPS.contains(&name))? {
            XmlStep::Open(group) => {
                let title = scored_item::title_of_group(&group);
                titles.push(title.or_else(|| titles.last().cloned().flatten()));
            }
            XmlStep::Node(item) if is(&item, "item") => {
                let category = titles.last().cloned().flatten();
                let question = whole(&item).and_then(|()| scored_item::question(&item, source));
                let question = question.map(|question| ForeignQuestion { category, ..question });
                items.take(place(&item, source), question)?;
            }
            XmlStep::Node(node) => {
                let title = scored_item::title_in_metadata(&node);
                if let Some(last) = titles.last_mut().filter(|_| title.is_some()) {
                    *last = title;
                }
            }
            XmlStep::Close => {
                titles.pop();
                if titles.is_empty() {
                    return Ok(());
                }
            }
        }
    }
}

fn take_choice(item: &Node, source: &ItemSource<'_>, items: &mut Items<'_>) -> Result<(), FormatFault> {
    items.take(place(item, source), whole(item).and_then(|()| choice_item::question(item, source)))
}

/// Refuses an item of which a part is named and not there.
fn whole(item: &Node) -> Result<(), Refusal> {
    item.entity.as_ref().map_or(Ok(()), |entity| Err(Refusal::XmlEntity(entity.clone())))
}

/// Refuses an item with so many options that to compare them would take long.
fn check_option_count(found: usize) -> Result<(), Refusal> {
    if found > OPTIONS_READ_MAX {
        return Err(Refusal::Options { found, wanted: OPTIONS_WANTED });
    }
    Ok(())
}

fn place(item: &Node, source: &ItemSource<'_>) -> ItemPlace {
    let name = attribute(item, "title").or_else(|| attribute(item, "label")).unwrap_or_default();
    ItemPlace { number: 0, file: source.file.map(str::to_owned), line: Some(item.line), name: name.to_owned() }
}

#[cfg(test)]
pub(super) mod tests;
