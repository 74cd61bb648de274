//! Where in a file a question stands, as messages say it: a row of a sheet, or an item of a format that others use.

use std::fmt::{Display, Formatter};

/// How many characters of a name that a file gives messages repeat.
const NAME_CHARACTERS_MAX: usize = 60;

/// Where in a file a question stands. Its `Display` begins a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuestionPlace {
    /// A row of a sheet, by its number as the spreadsheet shows it.
    Row(u32),
    /// A question of another format.
    Item(ItemPlace),
}

/// Where in a file that is no sheet a question stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ItemPlace {
    /// Which question of the file it is, counted from 1. It orders messages.
    pub number: u32,
    /// The file within a package.
    pub file: Option<String>,
    /// The line where it begins, counted from 1.
    pub line: Option<u32>,
    /// What its author calls it; may be empty.
    pub name: String,
}

impl QuestionPlace {
    /// The number by which messages are ordered and changes are listed.
    #[must_use]
    pub const fn number(&self) -> u32 {
        match self {
            Self::Row(number) => *number,
            Self::Item(place) => place.number,
        }
    }

    /// The same within a sentence: `row 7`.
    #[must_use]
    pub fn within(&self) -> String {
        match self {
            Self::Row(number) => format!("row {number}"),
            Self::Item(place) => place.said(["line", "question"]),
        }
    }
}

impl ItemPlace {
    fn said(&self, [line, question]: [&str; 2]) -> String {
        let place = match (self.file.as_deref().map(shown), self.line) {
            (Some(file), Some(number)) => format!("{file}, line {number}"),
            (Some(file), None) => file,
            (None, Some(number)) => format!("{line} {number}"),
            (None, None) => format!("{question} {}", self.number),
        };
        let name = shown(&self.name);
        if name.is_empty() { place } else { format!("{place} ({name})") }
    }
}

impl Display for QuestionPlace {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Row(number) => write!(formatter, "Row {number}"),
            Self::Item(place) => formatter.write_str(&place.said(["Line", "Question"])),
        }
    }
}

/// A name of any length and with any characters, as a message repeats it.
fn shown(name: &str) -> String {
    let words = name.split(|character: char| character.is_whitespace() || character.is_control());
    let plain = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    if plain.chars().count() <= NAME_CHARACTERS_MAX {
        return plain;
    }
    plain.chars().take(NAME_CHARACTERS_MAX).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_said_in_the_words_of_its_file() {
        let item = |file: Option<&str>, line, name: &str| {
            QuestionPlace::Item(ItemPlace { number: 4, file: file.map(str::to_owned), line, name: name.to_owned() })
        };
        for (place, begins, within) in [
            (QuestionPlace::Row(7), "Row 7", "row 7"),
            (item(None, Some(12), ""), "Line 12", "line 12"),
            (item(None, None, " a\n\u{7}b "), "Question 4 (a b)", "question 4 (a b)"),
            (item(Some("i/q.xml"), Some(3), "N"), "i/q.xml, line 3 (N)", "i/q.xml, line 3 (N)"),
            (item(Some("q.xml"), None, ""), "q.xml", "q.xml"),
        ] {
            assert_eq!((place.to_string().as_str(), place.within().as_str()), (begins, within));
        }
        assert_eq!(item(None, None, &"x".repeat(5_000)).to_string().chars().count(), 74);
    }
}
