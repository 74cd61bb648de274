//! What is raised, lowered, or has a line above or below it. A text here has no such marks, so it becomes a formula:
//! its text is held in a line of its own until its end has been read.

use domain::exchange::foreign::Refusal;
use domain::pieces::{TextPiece, pieces};

use super::{Part, State, open_bracket};
use crate::questions::exchange::html::marks::{draws, in_formula};
use crate::questions::exchange::latex::to_ours;

/// Characters with a line above or below them. A formula is not broken at its blanks, so that longer ones would be
/// wider than a phone.
const LINED_CHARACTERS_MAX: usize = 40;
/// Letters with a line above them that are names, as those of a segment are.
const NAME_CHARACTERS_MAX: usize = 4;
/// Signs that mean something else in a formula and have no simple form in a text within it.
const UNWRITABLE: [char; 3] = ['\\', '^', '~'];
/// What blanks with a line below them are for.
const PLACE_TO_WRITE: &str = "_____";

/// What a mark makes of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    Raised,
    Lowered,
    Underlined,
    Overlined,
}

impl Held {
    /// Of a mark with this name and this style, which has no white space.
    pub(super) fn of(name: &str, style: &str) -> Option<Self> {
        match name {
            "sup" => Some(Self::Raised),
            "sub" => Some(Self::Lowered),
            _ if draws(style, "overline") => Some(Self::Overlined),
            "u" | "ins" => Some(Self::Underlined),
            _ => draws(style, "underline").then_some(Self::Underlined),
        }
    }

    const fn is_lined(self) -> bool {
        matches!(self, Self::Underlined | Self::Overlined)
    }
}

impl State {
    /// Whether what is read has a line above or below it.
    pub(super) fn is_lined(&self) -> bool {
        self.open.iter().rev().find_map(|open| open.held).is_some_and(Held::is_lined)
    }

    /// Ends what the mark in this place holds, once its end was read.
    pub(super) fn end_held_from(&mut self, place: usize) -> Result<(), Refusal> {
        // What is held within it and has no end of its own would end where its author has not said.
        if self.open.iter().skip(place + 1).any(|open| open.held.is_some()) {
            return Err(open_bracket());
        }
        let Some(held) = self.open.get_mut(place).and_then(|open| open.held.take()) else { return Ok(()) };
        let Some(before) = self.held.pop() else { return Ok(()) };
        let within = std::mem::replace(&mut self.line, before);
        match held {
            Held::Raised => self.end_script('^', within),
            Held::Lowered => self.end_script('_', within),
            Held::Underlined | Held::Overlined => return self.end_lined(held, within),
        }
        Ok(())
    }

    /// As in `x$^{2}$`.
    fn end_script(&mut self, sign: char, within: Vec<Part>) {
        let mut latex = String::new();
        for part in within {
            match part {
                Part::Text(text) => latex.push_str(&in_formula(&text)),
                Part::Formula(inner) => latex.push_str(&inner),
                Part::Mark => {}
            }
        }
        if !latex.is_empty() {
            self.line.push(Part::Formula(format!("{sign}{{{latex}}}")));
        }
    }

    /// As in `4$\underline{7}$3`. White space at the edges stands beside it.
    fn end_lined(&mut self, held: Held, mut within: Vec<Part>) -> Result<(), Refusal> {
        within.retain(|part| !matches!(part, Part::Mark));
        let text = |part: &Part| if let Part::Text(text) = part { text.clone() } else { "x".to_owned() };
        let all: String = within.iter().map(text).collect();
        if all.trim().is_empty() {
            match all.chars().count() {
                0 => {}
                1 => self.space(),
                _ if held == Held::Underlined => self.add(PLACE_TO_WRITE),
                _ => self.space(),
            }
            return Ok(());
        }
        let Some(latex) = lined(held, &within) else {
            return self.without_line(held, within);
        };
        let (leads, trails) = (all.starts_with(char::is_whitespace), all.ends_with(char::is_whitespace));
        if leads {
            self.space();
        }
        self.line.push(Part::Formula(latex));
        if trails {
            self.space();
        }
        Ok(())
    }

    fn space(&mut self) {
        if !self.ends_with_space() {
            self.add(" ");
        }
    }

    /// What is too long for a formula is only emphasised by a line below it; a line above it means something.
    fn without_line(&mut self, held: Held, mut within: Vec<Part>) -> Result<(), Refusal> {
        if held == Held::Overlined {
            return Err(Refusal::Unshowable("a line above a long text".to_owned()));
        }
        self.lines_lost += 1;
        self.line.append(&mut within);
        Ok(())
    }

    /// What is in several lines is shown without the line above or below it.
    pub(super) fn release_lined(&mut self) {
        while self.is_lined() {
            let innermost = self.open.iter_mut().rev().find(|open| open.held.is_some());
            let Some(held) = innermost.and_then(|open| open.held.take()) else { return };
            let within = std::mem::replace(&mut self.line, self.held.pop().unwrap_or_default());
            if let Err(refusal) = self.without_line(held, within) {
                self.refusal.get_or_insert(refusal);
            }
        }
    }
}

/// The formula of a text with a line above or below it; `None` if it can't be one.
fn lined(held: Held, within: &[Part]) -> Option<String> {
    let last = within.len().checked_sub(1)?;
    let (mut latex, mut characters) = (String::new(), 0);
    for (place, part) in within.iter().enumerate() {
        let text = match part {
            Part::Formula(inner) => {
                latex.push_str(inner);
                continue;
            }
            Part::Mark => continue,
            Part::Text(text) => text,
        };
        let text = if place == 0 { text.trim_start() } else { text };
        let text = if place == last { text.trim_end() } else { text };
        characters += text.chars().count();
        for piece in pieces(&to_ours(text)) {
            match piece {
                TextPiece::Plain(plain) if !plain.contains(UNWRITABLE) => latex.push_str(&written(held, &plain)),
                TextPiece::Inline(inner) => latex.push_str(inner),
                TextPiece::Plain(_) | TextPiece::Display(_) => return None,
            }
        }
    }
    let command = if held == Held::Overlined { "\\overline" } else { "\\underline" };
    (characters <= LINED_CHARACTERS_MAX).then(|| format!("{command}{{{latex}}}"))
}

/// A text within a formula: digits as such, and under a line above also letters that are names.
fn written(held: Held, text: &str) -> String {
    let is_name = held == Held::Overlined && text.len() <= NAME_CHARACTERS_MAX;
    let is_bare = |character: char| character.is_ascii_digit() || is_name && character.is_ascii_alphabetic();
    if text.chars().all(is_bare) {
        return text.to_owned();
    }
    let mut latex = "\\text{".to_owned();
    for character in text.chars() {
        if matches!(character, '{' | '}' | '$' | '&' | '#' | '%' | '_') {
            latex.push('\\');
        }
        latex.push(character);
    }
    latex + "}"
}
