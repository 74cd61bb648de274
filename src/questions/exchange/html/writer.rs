//! Writes our texts as the HTML of other systems, in a way that [`super::html_to_rich`] reads back.

use crate::questions::exchange::latex::{Marks, write_theirs};

/// What stands between two signs that would be a bracket of a formula together.
const BETWEEN: &str = "<span></span>";
/// The first signs of such brackets, with those that may follow.
const BRACKETS: [(char, &[char]); 3] = [('\\', &['(', ')', '[', ']']), ('$', &['$']), ('[', &['t', '/'])];

/// One of our texts as HTML.
pub fn rich_to_html(text: &str) -> String {
    let mut html = Html::default();
    write_theirs(text, &mut html);
    // A browser shows white space once, unless it is told otherwise.
    if keeps_space(text) { format!("<span style=\"white-space:pre-wrap\">{}</span>", html.text) } else { html.text }
}

/// A text as the value of an attribute in quotes.
pub fn attribute(text: &str) -> String {
    quick_xml::escape::escape(text).replace('\n', "&#10;")
}

/// The picture of a question as an element behind its text.
pub fn image(source: &str, description: &str) -> String {
    format!("<br><img src=\"{}\" alt=\"{}\">", attribute(source), attribute(description))
}

#[derive(Default)]
struct Html {
    text: String,
    last: Option<char>,
}

impl Marks for Html {
    fn plain(&mut self, text: &str) {
        for character in text.chars() {
            let opens = |(first, next): &(char, &[char])| self.last == Some(*first) && next.contains(&character);
            if BRACKETS.iter().any(opens) {
                self.text.push_str(BETWEEN);
            }
            self.push(character);
            self.last = Some(character);
        }
    }

    fn formula(&mut self, formula: &str) {
        if matches!(self.last, Some('\\' | '$')) {
            self.text.push_str(BETWEEN);
        }
        // A line break would be a mark within the formula, where white space means nothing.
        formula.chars().for_each(|character| self.push(if character == '\n' { ' ' } else { character }));
        // A dollar or a bracket behind a formula would be read with its end.
        self.last = Some('$');
    }
}

impl Html {
    fn push(&mut self, character: char) {
        match character {
            '&' => self.text.push_str("&amp;"),
            '<' => self.text.push_str("&lt;"),
            '>' => self.text.push_str("&gt;"),
            '"' => self.text.push_str("&quot;"),
            '\n' => self.text.push_str("<br>"),
            '\u{a0}' => self.text.push_str("&nbsp;"),
            character => self.text.push(character),
        }
    }
}

/// Returns whether the text has white space that a browser would not show.
fn keeps_space(text: &str) -> bool {
    let is_edge = |line: &str| line.starts_with(' ') || line.ends_with(' ');
    text.contains(['\t', '\r']) || text.contains("  ") || text.split('\n').any(is_edge)
}
