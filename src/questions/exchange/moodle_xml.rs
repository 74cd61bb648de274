//! Questions of Moodle in its XML: those of the kind `multichoice` with one right answer, and those that ask for a
//! number.

mod number;
mod writer;

use std::borrow::Cow;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use domain::exchange::foreign::{ForeignOption, ForeignPicture, ForeignQuestion, PictureSource, Refusal, Rich};
use domain::exchange::place::ItemPlace;
use percent_encoding::percent_decode_str;

use super::foreign_file::EachQuestion;
use super::format_fault::FormatFault;
use super::html::{html_to_rich, lines_to_rich, plain_to_rich};
use super::picture_files::media_type;
use super::xml::{Node, XmlFile};
pub use writer::write;

/// The name of the element around all questions.
pub const ROOT: &str = "quiz";
/// Stands for the folder of a text's files in its HTML.
const FILES: &str = "@@PLUGINFILE@@";
/// Files beside one text. A text may have one picture, so more of them are of no use.
const FILES_MAX: usize = 32;
/// Characters of the name of a category: as many as Moodle allows.
const CATEGORY_CHARACTERS_MAX: usize = 255;
/// Kinds of questions that choose one of several texts.
const KIND: &str = "multichoice";
/// Questions of Moodle that are none.
const CATEGORY: &str = "category";

/// Reads the questions of a file, one after the other.
pub fn read(text: &str, each: EachQuestion<'_>) -> Result<(), FormatFault> {
    let mut file = XmlFile::open(text)?;
    let (mut category, mut number) = (None, 0);
    while let Some(node) = file.next_child()? {
        if node.name != "question" {
            continue;
        }
        let kind = node.attribute("type").unwrap_or_default().trim().to_owned();
        if kind == CATEGORY {
            category = node.child(CATEGORY).map(text_of).as_deref().and_then(innermost);
            continue;
        }
        number += 1;
        let name = node.child("name").map(text_of).unwrap_or_default();
        let place = ItemPlace { number, file: None, line: Some(node.line), name };
        let read = question(&node, &kind, place.clone(), category.clone());
        each(place, read)?;
    }
    Ok(())
}

fn question(node: &Node, kind: &str, place: ItemPlace, category: Option<String>) -> Result<ForeignQuestion, Refusal> {
    if ![KIND, number::NUMERICAL, number::SHORT_ANSWER].contains(&kind) {
        return Err(Refusal::Kind(kind.chars().take(40).collect()));
    }
    if let Some(entity) = &node.entity {
        return Err(Refusal::XmlEntity(entity.clone()));
    }
    let said = |name: &str| node.child(name).map(|child| child.text().trim().to_owned());
    // What is not said is true, and what is said with nothing is false: Moodle reads it so.
    if said("single").is_some_and(|single| !matches!(single.as_str(), "true" | "1")) {
        return Err(Refusal::SeveralChosen);
    }
    let mut text = match node.child("questiontext") {
        Some(text) => rich(text)?,
        None => Rich::default(),
    };
    if text.picture.is_none() {
        text.picture = old_picture(node)?;
    }
    let mut notes = Vec::new();
    let number = if kind == KIND { None } else { Some(number::number(node, kind, &mut notes)?) };
    let answers = node.children_named("answer").filter(|_| number.is_none());
    if node.children_named("hint").any(|hint| !text_of(hint).trim().is_empty()) {
        notes.push("hints are left out".to_owned());
    }
    let is_markdown = |node: &Node| matches!(node.attribute("format"), Some("markdown" | "wiki_like"));
    if node.nodes().any(is_markdown) {
        notes.push("its Markdown is read as plain text".to_owned());
    }
    Ok(ForeignQuestion {
        id: said("idnumber").filter(|id| !id.is_empty()),
        text,
        options: answers.map(option).collect::<Result<_, _>>()?,
        number,
        general_feedback: node.child("generalfeedback").map_or(Ok(Rich::default()), rich)?,
        tags: node.child("tags").into_iter().flat_map(|tags| tags.children_named("tag")).map(text_of).collect(),
        category,
        keeps_order: said("shuffleanswers").is_some_and(|shuffles| matches!(shuffles.as_str(), "false" | "0")),
        notes,
        place,
    })
}

fn option(node: &Node) -> Result<ForeignOption, Refusal> {
    Ok(ForeignOption {
        text: rich(node)?,
        fraction: fraction(node)?,
        feedback: node.child("feedback").map_or(Ok(Rich::default()), rich)?,
    })
}

/// How many per cent of the points an answer gives.
fn fraction(answer: &Node) -> Result<f64, Refusal> {
    let fraction = answer.attribute("fraction").unwrap_or("0").trim();
    let fraction = fraction.replace(',', ".").parse().ok().filter(|fraction: &f64| fraction.is_finite());
    fraction.ok_or_else(|| Refusal::Other("an answer has a fraction that is no number".to_owned()))
}

/// A text with its format and its files.
fn rich(node: &Node) -> Result<Rich, Refusal> {
    let text = text_of(node);
    let pictures = |source: &str| {
        let name = source.strip_prefix(FILES).or_else(|| source.strip_prefix("%40%40PLUGINFILE%40%40"))?;
        let name = decoded(name.split(['?', '#']).next()?);
        let file = node.children_named("file").take(FILES_MAX).find(|file| path(file) == name)?;
        picture(&file.text())
    };
    match node.attribute("format").unwrap_or_default() {
        "plain_text" => plain_to_rich(&text),
        "moodle_auto_format" | "markdown" | "wiki_like" => lines_to_rich(&text, &pictures),
        _ => html_to_rich(&text, &pictures),
    }
}

/// The path of a file in the folder of its text.
fn path(file: &Node) -> String {
    let folder = file.attribute("path").unwrap_or("/");
    format!("{folder}{}{}", if folder.ends_with('/') { "" } else { "/" }, file.attribute("name").unwrap_or_default())
}

/// A picture in base64, which may be broken into lines.
fn picture(encoded: &str) -> Option<PictureSource> {
    let encoded: String = encoded.split_ascii_whitespace().collect();
    let bytes = BASE64_STANDARD.decode(encoded).ok()?;
    Some(PictureSource::Bytes { media_type: media_type(&bytes), bytes })
}

/// The picture of a question in files of Moodle before 2.0.
fn old_picture(node: &Node) -> Result<Option<ForeignPicture>, Refusal> {
    let Some(encoded) = node.child("image_base64").map(Node::text).filter(|text| !text.trim().is_empty()) else {
        return Ok(None);
    };
    let name = node.child("image").map(Node::text).unwrap_or_default();
    let source = picture(&encoded).ok_or_else(|| Refusal::MissingPicture(name.trim().chars().take(80).collect()))?;
    Ok(Some(ForeignPicture { source, description: String::new() }))
}

/// What an element says in its `text`. Some programs write HTML there as elements.
fn text_of(node: &Node) -> String {
    let Some(text) = node.child("text") else { return String::new() };
    if text.nodes().next().is_some() { text.inner_html() } else { text.text() }
}

fn decoded(name: &str) -> Cow<'_, str> {
    percent_decode_str(name).decode_utf8().unwrap_or(Cow::Borrowed(name))
}

/// The last name in the path of a category, in which `//` stands for one stroke. Each question in it has a copy.
pub fn innermost(path: &str) -> Option<String> {
    const STROKE: &str = "\u{0}";
    let path = path.trim().replace("//", STROKE);
    let name = path.rsplit('/').next()?.replace(STROKE, "/");
    let name: String = name.trim().chars().take(CATEGORY_CHARACTERS_MAX).collect();
    (!name.is_empty() && name != "top" && !name.starts_with('$')).then_some(name)
}

#[cfg(test)]
mod tests;
