//! Formulas within texts: `\(…\)`, `\[…\]`, `$$…$$` and `[tex]…[/tex]` of other systems are `$…$` and `$$…$$` here. A
//! single dollar is money there, and so becomes `\$`.

use domain::pieces::{TextPiece, spans};

/// Bytes of a formula. A bracket that is not closed within so many is none.
const FORMULA_BYTES_MAX: usize = 8_192;
/// The brackets of formulas in other systems, and whether they put them in a line of their own.
const BRACKETS: [(&str, &str, Bracket); 4] = [
    ("\\(", "\\)", Bracket::Inline),
    ("\\[", "\\]", Bracket::Display),
    ("[tex]", "[/tex]", Bracket::Inline),
    ("$$", "$$", Bracket::Dollars),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bracket {
    Inline,
    Display,
    /// In a line of its own if nothing else is in its line.
    Dollars,
}

/// Where a text stands in its line.
#[derive(Clone, Copy, Debug)]
pub struct Stands {
    /// Nothing is before it.
    pub at_start: bool,
    /// Nothing is behind it.
    pub at_end: bool,
}

impl Stands {
    /// It is all there is.
    pub const ALONE: Self = Self { at_start: true, at_end: true };
}

/// A text of another system in our notation.
pub fn to_ours(text: &str) -> String {
    let mut written = Notation::default();
    written.theirs(text, Stands::ALONE);
    written.text
}

/// The formula in brackets at the beginning of a text, and how many bytes it takes.
fn formula(text: &str) -> Option<(Bracket, &str, usize)> {
    BRACKETS.into_iter().find_map(|(open, close, bracket)| {
        let body = text.strip_prefix(open)?;
        let end = closing(body, close)?;
        let latex = body.get(..end)?;
        // Two dollars of money and two more are no formula.
        let is_formula = !latex.trim().is_empty() && (bracket != Bracket::Dollars || !latex.contains('$'));
        is_formula.then_some((bracket, latex, open.len() + end + close.len()))
    })
}

/// Where a formula is closed: a backslash before the closing bracket's own is a line break of LaTeX.
fn closing(body: &str, close: &str) -> Option<usize> {
    let mut at = 0;
    while at < FORMULA_BYTES_MAX {
        let rest = body.get(at..).filter(|rest| !rest.is_empty())?;
        if rest.starts_with(close) {
            return Some(at);
        }
        let mut characters = rest.chars();
        at += match characters.next()? {
            '\\' => 1 + characters.next().map_or(0, char::len_utf8),
            character => character.len_utf8(),
        };
    }
    None
}

fn is_line_start(before: &str, at_start: bool) -> bool {
    let rest = before.trim_end_matches(is_blank);
    rest.ends_with('\n') || (rest.is_empty() && at_start)
}

fn is_line_end(after: &str, at_end: bool) -> bool {
    let rest = after.trim_start_matches(is_blank);
    rest.starts_with('\n') || (rest.is_empty() && at_end)
}

fn is_blank(character: char) -> bool {
    character.is_whitespace() && character != '\n'
}

/// A text in our notation as it is written.
#[derive(Default)]
pub struct Notation {
    pub text: String,
    end: End,
}

/// With what a text ends.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum End {
    #[default]
    Plain,
    Inline,
    Display,
}

impl Notation {
    /// Adds a text of another system.
    pub fn theirs(&mut self, text: &str, stands: Stands) {
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            if let Some((bracket, latex, length)) = formula(rest) {
                let (before, after) = (text.get(..at).unwrap_or_default(), rest.get(length..).unwrap_or_default());
                let is_alone = is_line_start(before, stands.at_start) && is_line_end(after, stands.at_end);
                self.formula(latex, bracket == Bracket::Display || (bracket == Bracket::Dollars && is_alone));
                at += length;
                continue;
            }
            let mut characters = rest.chars();
            match (characters.next(), characters.next()) {
                (Some('\\'), Some(escaped @ ('$' | '\\'))) => {
                    self.plain(if escaped == '$' { "\\$" } else { "\\\\" });
                    at += 2;
                }
                (Some('$'), _) => {
                    self.plain("\\$");
                    at += 1;
                }
                (Some(character), _) => {
                    self.character(character);
                    at += character.len_utf8();
                }
                (None, _) => break,
            }
        }
    }

    /// Adds a line break.
    pub fn line_break(&mut self) {
        self.plain("\n");
    }

    fn plain(&mut self, text: &str) {
        self.text.push_str(text);
        self.end = End::Plain;
    }

    fn character(&mut self, character: char) {
        if self.end == End::Inline && character.is_ascii_digit() {
            // A dollar before a digit closes nothing, so the digit goes into the formula, where it looks the same.
            self.text.pop();
            self.text.push_str(if self.text.ends_with(|last: char| last.is_ascii_alphabetic()) { " " } else { "" });
            self.text.extend([character, '$']);
            return;
        }
        self.text.push(character);
        self.end = End::Plain;
    }

    /// Adds a formula.
    pub fn formula(&mut self, latex: &str, is_display: bool) {
        let latex = escaped(latex.trim());
        if latex.is_empty() {
            return;
        }
        if self.end == End::Display || (self.end == End::Inline && is_display) {
            self.text.push('\n');
        } else if ends_with_open_escape(&self.text) {
            self.text.push(' ');
        }
        let (dollars, end) = if is_display { ("$$", End::Display) } else { ("$", End::Inline) };
        self.text.extend([dollars, &latex, dollars]);
        self.end = end;
    }
}

/// A formula without dollars that would end it, and without a backslash that would escape the dollar behind it.
fn escaped(latex: &str) -> String {
    let mut text = String::with_capacity(latex.len());
    let mut characters = latex.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => {
                if let Some(next) = characters.next() {
                    text.extend(['\\', next]);
                }
            }
            '$' => text.push_str("\\$"),
            character => text.push(character),
        }
    }
    text
}

/// Returns whether the text ends with a backslash that would escape what follows.
fn ends_with_open_escape(text: &str) -> bool {
    (text.len() - text.trim_end_matches('\\').len()) % 2 == 1
}

/// How another system marks the parts of one of our texts.
pub trait Marks {
    /// Writes plain text. Nothing in it may be taken for a formula.
    fn plain(&mut self, text: &str);

    /// Writes what is a formula there, with its brackets.
    fn formula(&mut self, formula: &str);
}

/// Writes one of our texts with the formulas of other systems: `\(…\)`, and for those in a line of their own `$$…$$`,
/// or `\[…\]` where more is in the line, or a dollar in the formula.
pub fn write_theirs(text: &str, marks: &mut dyn Marks) {
    for (range, piece) in spans(text) {
        let raw = text.get(range.start..range.end).unwrap_or_default();
        let before = text.get(..range.start).unwrap_or_default();
        match piece {
            TextPiece::Plain(plain) => marks.plain(&plain),
            TextPiece::Inline(latex) => marks.formula(&format!("\\({latex}\\)")),
            TextPiece::Display(latex) => {
                let (breaks_before, breaks_after) = (raw.starts_with('\n'), raw.ends_with('\n'));
                let is_first = breaks_before || before.is_empty() || before.ends_with('\n');
                let is_alone = is_first && (breaks_after || range.end == text.len());
                // With a dollar between them, two dollars and two more are read as money.
                let takes_dollars = is_alone && !latex.contains('$');
                if breaks_before {
                    marks.plain("\n");
                }
                marks.formula(&if takes_dollars { format!("$${latex}$$") } else { format!("\\[{latex}\\]") });
                if breaks_after {
                    marks.plain("\n");
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
