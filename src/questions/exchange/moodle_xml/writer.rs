//! Writes questions as Moodle's XML. What Moodle has no field for goes into tags.

use std::fmt::Write as _;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use domain::number::NumberKey;
use domain::question::{Choice, Key, Question};
use quick_xml::escape::escape;

use super::number::NUMERICAL;
use super::{FILES, KIND};
use crate::questions::exchange::exported_bank::ExportedBank;
use crate::questions::exchange::html::{image, rich_to_html};
use crate::questions::exchange::picture_files::PictureFile;

/// The bank as a file that Moodle imports.
pub fn write(bank: &ExportedBank) -> String {
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<quiz>\n".to_owned();
    for question in &bank.questions {
        write_question(&mut xml, question, bank);
    }
    xml.push_str("</quiz>\n");
    xml
}

fn write_question(xml: &mut String, question: &Question, bank: &ExportedBank) {
    let id = escape(question.id.as_str());
    let kind = if question.is_number() { NUMERICAL } else { KIND };
    let _ = writeln!(xml, "  <question type=\"{kind}\">\n    <name><text>{id}</text></name>");
    write_asked(xml, question, bank.picture_file(question));
    let explanation = rich_to_html(&question.explanation);
    let _ = writeln!(
        xml,
        "    <generalfeedback format=\"html\"><text>{}</text></generalfeedback>\n    <defaultgrade>{}</defaultgrade>\n    \
         <penalty>0</penalty>\n    <hidden>0</hidden>\n    <idnumber>{id}</idnumber>",
        escape(explanation.as_str()),
        question.difficulty.points(),
    );
    match &question.answer {
        Key::Choice(right) => write_options(xml, question, *right),
        Key::Number(number) => write_number(xml, number),
    }
    xml.push_str("    <tags>\n");
    for tag in bank.tags_of(question) {
        let _ = writeln!(xml, "      <tag><text>{}</text></tag>", escape(tag.as_str()));
    }
    xml.push_str("    </tags>\n  </question>\n");
}

fn write_options(xml: &mut String, question: &Question, right: Choice) {
    let _ = writeln!(
        xml,
        "    <single>true</single>\n    <shuffleanswers>{}</shuffleanswers>\n    <answernumbering>ABCD</answernumbering>",
        !question.fixed_options,
    );
    for (place, option) in question.options.iter().enumerate() {
        let fraction = if place == right as usize { 100 } else { 0 };
        let option = rich_to_html(option);
        let _ = writeln!(
            xml,
            "    <answer fraction=\"{fraction}\" format=\"html\"><text>{}</text><feedback format=\"html\"><text></text></feedback></answer>",
            escape(option.as_str())
        );
    }
}

/// The number and its tolerance. Moodle would take points off for a unit that is not typed, so only a tag has it.
fn write_number(xml: &mut String, NumberKey { answer, tolerance, .. }: &NumberKey) {
    let _ = writeln!(
        xml,
        "    <answer fraction=\"100\" format=\"moodle_auto_format\"><text>{answer}</text><feedback format=\"html\"><text></text></feedback>\
         <tolerance>{tolerance}</tolerance></answer>\n    <unitgradingtype>0</unitgradingtype>\n    \
         <unitpenalty>0</unitpenalty>\n    <showunits>3</showunits>\n    <unitsleft>0</unitsleft>"
    );
}

/// What is asked, with the picture as a file beside it.
fn write_asked(xml: &mut String, question: &Question, file: Option<PictureFile<'_>>) {
    let mut html = rich_to_html(&question.question);
    if let Some(source) = source(question, file.as_ref()) {
        html.push_str(&image(&source, &question.image_description));
    }
    let _ = write!(xml, "    <questiontext format=\"html\"><text>{}</text>", escape(html.as_str()));
    if let Some(PictureFile { name, bytes, .. }) = file {
        let _ = write!(
            xml,
            "<file name=\"{name}\" path=\"/\" encoding=\"base64\">{}</file>",
            BASE64_STANDARD.encode(bytes)
        );
    }
    xml.push_str("</questiontext>\n");
}

/// The address of the picture in the text. A path of this site means nothing in Moodle and is a tag alone.
fn source(question: &Question, file: Option<&PictureFile<'_>>) -> Option<String> {
    match file {
        Some(file) => Some(format!("{FILES}/{}", file.name)),
        None if question.image.is_empty() || question.image.starts_with('/') => None,
        None => Some(question.image.clone()),
    }
}
