//! Replaces typed marks by typographic ones, as the original does: quotes, dashes, ellipses, and `&` by `&#038;`.

use super::markup::{Piece, Tag, pieces};

/// Elements whose text stays as it was typed.
const AS_TYPED: [&str; 4] = ["code", "kbd", "pre", "tt"];

/// Clean HTML with typographic marks.
pub(super) fn marked(html: &str) -> String {
    let mut page = Page { written: String::with_capacity(html.len()), previous: ' ', as_typed: 0 };
    for piece in pieces(html) {
        match piece {
            Piece::Text(text) if page.as_typed > 0 => page.copy(text),
            Piece::Text(text) => page.text(text),
            Piece::Tag(tag) => page.tag(tag),
        }
    }
    page.written
}

struct Page {
    written: String,
    /// The character before, even if tags stand between.
    previous: char,
    /// Open elements whose text stays as it was typed.
    as_typed: usize,
}

impl Page {
    fn tag(&mut self, tag: Tag<'_>) {
        self.written.push_str(tag.text);
        if tag.is_block() || tag.name == "br" {
            self.previous = ' ';
        }
        if AS_TYPED.contains(&tag.name) {
            self.as_typed = if tag.is_end { self.as_typed.saturating_sub(1) } else { self.as_typed + 1 };
        }
    }

    fn copy(&mut self, text: &str) {
        self.written.push_str(text);
        self.previous = text.chars().last().unwrap_or(self.previous);
    }

    fn text(&mut self, text: &str) {
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let (typed, mark) = self.mark(first, rest);
            self.written.push_str(mark.unwrap_or(typed));
            self.previous = match typed {
                "&nbsp;" => ' ',
                _ => typed.chars().last().unwrap_or(first),
            };
            rest = rest.get(typed.len()..).unwrap_or_default();
        }
    }

    /// The characters that were typed next, and the mark that replaces them.
    fn mark<'a>(&self, first: char, rest: &'a str) -> (&'a str, Option<&'static str>) {
        let head = |length: usize| rest.get(..length).unwrap_or(rest);
        match first {
            '&' if rest.starts_with("&amp;") => (head(5), Some("&#038;")),
            '&' if rest.starts_with("&nbsp;") => (head(6), None),
            '.' if rest.starts_with("...") => (head(3), Some("&#8230;")),
            '-' => self.dashes(rest),
            '"' => (head(1), Some(if self.is_opening() { "&#8220;" } else { "&#8221;" })),
            '\'' if self.is_opening() && !is_year(rest) => (head(1), Some("&#8216;")),
            '\'' => (head(1), Some("&#8217;")),
            other => (head(other.len_utf8()), None),
        }
    }

    /// Two or three hyphens become a dash. A longer row, which is a rule, and the `xn--` of domain names stay.
    fn dashes<'a>(&self, rest: &'a str) -> (&'a str, Option<&'static str>) {
        let count = rest.bytes().take_while(|byte| *byte == b'-').count();
        let is_dash = matches!(count, 2 | 3) && !self.written.ends_with("xn");
        (rest.get(..count).unwrap_or(rest), is_dash.then_some("&#8212;"))
    }

    /// Returns whether a quote at this place is an opening one.
    fn is_opening(&self) -> bool {
        let is_quote = matches!(
            self.previous,
            '"' | '\'' | '\u{201C}' | '\u{2018}' | super::safety::OPENING | super::safety::OPENING_SINGLE
        );
        self.previous.is_whitespace()
            || is_quote && self.ends_with_opening()
            || matches!(self.previous, '(' | '[' | '{' | '-' | '/' | '–' | '—' | '=')
    }

    /// Returns whether the quote before this one was an opening one.
    fn ends_with_opening(&self) -> bool {
        ["&#8220;", "&#8216;", "\u{201C}", "\u{2018}"].iter().any(|mark| self.written.ends_with(mark))
            || self.written.ends_with([super::safety::OPENING, super::safety::OPENING_SINGLE])
    }
}

/// Returns whether a year without its century follows, as in '99: its apostrophe is not an opening quote.
fn is_year(rest: &str) -> bool {
    let mut characters = rest.chars().skip(1);
    let are_digits = characters.by_ref().take(2).filter(char::is_ascii_digit).count() == 2;
    are_digits && !characters.next().is_some_and(char::is_alphanumeric)
}
