//! Writes questions as GIFT. What it has no place for goes into the comment above each question, as Moodle does it.

use std::fmt::Write as _;

use domain::exchange::foreign::{id_tag, tags_of};
use domain::question::{Key, Question};

use super::signs::escaped;
use crate::questions::exchange::ExportedBank;
use crate::questions::exchange::html::{image, rich_to_html};

/// The bank as a file that Moodle imports.
pub fn write(bank: &ExportedBank) -> String {
    let mut gift = String::new();
    for question in &bank.questions {
        write_question(&mut gift, question, bank.secure.contains(&question.id));
    }
    gift
}

fn write_question(gift: &mut String, question: &Question, is_secure: bool) {
    let mut tags = tags_of(question, is_secure);
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
    // A path of this site means nothing in Moodle and is a tag instead.
    if !question.image.is_empty() && !question.image.starts_with('/') {
        html.push_str(&image(&question.image, &question.image_description));
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
