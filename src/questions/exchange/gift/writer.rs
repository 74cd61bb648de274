//! Writes questions as GIFT. What it has no place for goes into the comment above each question, as Moodle does it.

use std::fmt::Write as _;

use domain::exchange::foreign::id_tag;
use domain::picture::{data_address, stored_digest};
use domain::question::{Key, Question, TEXT_UNITS_MAX};

use super::signs::escaped;
use crate::questions::exchange::exported_bank::ExportedBank;
use crate::questions::exchange::html::{image, rich_to_html};

/// The comment above a question whose picture is left out: the format has no files beside it.
const NO_PICTURE: &str = "// Its picture is not in this file. Moodle XML and QTI have it.";

/// The bank as a file that Moodle imports.
pub fn write(bank: &ExportedBank) -> String {
    let mut gift = String::new();
    for question in &bank.questions {
        write_question(&mut gift, question, bank);
    }
    gift
}

fn write_question(gift: &mut String, question: &Question, bank: &ExportedBank) {
    let mut tags = bank.tags_of(question);
    let picture = picture(question, bank);
    if picture.is_none() && stored_digest(&question.image).is_some() {
        let _ = writeln!(gift, "{NO_PICTURE}");
    }
    // The bracket of an id has no sign for these.
    let id = &question.id;
    let is_plain = !id.contains(['[', ']', '\\', '<', '>']);
    gift.push_str("//");
    if is_plain {
        let _ = write!(gift, " [id:{id}]");
    } else {
        tags.push(id_tag(id));
    }
    for tag in tags {
        let _ = write!(gift, " [tag:{tag}]");
    }
    let mut html = rich_to_html(&question.question);
    if let Some(address) = picture {
        html.push_str(&image(&address, &question.image_description));
    }
    // The space keeps a sign such as ^ at the end of the text from the brace.
    let _ = write!(gift, "\n::{}::[html]{} {{", escaped(id), escaped(&html));
    match &question.answer {
        Key::Choice(right) => {
            gift.push('\n');
            for (place, option) in question.options.iter().enumerate() {
                let sign = if place == *right as usize { '=' } else { '~' };
                let _ = writeln!(gift, "\t{sign}[html]{}", escaped(&rich_to_html(option)));
            }
        }
        Key::Number(number) => {
            let _ = writeln!(gift, "#\n\t={}:{}", number.answer, number.tolerance);
        }
    }
    if !question.explanation.is_empty() {
        let _ = writeln!(gift, "\t####[html]{}", escaped(&rich_to_html(&question.explanation)));
    }
    gift.push_str("}\n\n");
}

/// The address of the picture in the text: a small one that is stored here is in its address. Any other path of this
/// site means nothing in Moodle and is a tag alone.
fn picture(question: &Question, bank: &ExportedBank) -> Option<String> {
    if !question.image.starts_with('/') {
        return Some(question.image.clone()).filter(|address| !address.is_empty());
    }
    let file = bank.picture_file(question)?;
    Some(data_address(file.media_type, &file.bytes)).filter(|address| address.len() <= TEXT_UNITS_MAX)
}
