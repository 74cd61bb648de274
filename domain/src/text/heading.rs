//! Headings of columns as people write them, and which of them was probably meant to be another one.

use super::same::seen;
use crate::session::searchable;

/// Letters from which a heading counts as mistyped if it differs in one place.
const ONE_SLIP_FROM: usize = 4;
/// Letters from which a heading counts as mistyped if it differs in two places.
const TWO_SLIPS_FROM: usize = 8;
/// How many characters of a heading messages repeat.
const SHOWN_CHARACTERS_MAX: usize = 60;
/// Headings of real lists that resemble others and are meant literally.
const OF_THEIR_OWN: [&str; 6] = ["phone", "username", "class", "course", "state", "date"];

/// A heading that nobody knows, and the column that was probably meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnclearHeading {
    /// As it stands.
    pub heading: String,
    /// The name of the column.
    pub meant: &'static str,
}

/// The form in which headings are compared: small letters without accents, and digits.
#[must_use]
pub fn plain(heading: &str) -> String {
    searchable(&seen(heading)).chars().filter(|letter| letter.is_alphanumeric()).collect()
}

/// A heading as messages repeat it.
#[must_use]
pub fn shown(heading: &str) -> String {
    seen(heading).chars().take(SHOWN_CHARACTERS_MAX).collect()
}

/// Whether a heading was probably meant to be another one. Both are plain.
#[must_use]
pub fn resembles(written: &str, meant: &str) -> bool {
    let slips = match meant.chars().count() {
        0..ONE_SLIP_FROM => return false,
        ONE_SLIP_FROM..TWO_SLIPS_FROM => 1,
        _ => 2,
    };
    written != meant && !OF_THEIR_OWN.contains(&written) && slips_between(written, meant, slips)
}

/// Whether so many slips of the hand make one word of the other: a letter too many, too few or wrong, or two that have
/// changed places.
fn slips_between(one: &str, other: &str, most: usize) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if one.len().abs_diff(other.len()) > most {
        return false;
    }
    let (mut before_last, mut last): (Vec<usize>, Vec<usize>) = (Vec::new(), (0..=other.len()).collect());
    for (row, letter) in one.iter().enumerate() {
        let mut this = vec![row + 1];
        for (column, meant) in other.iter().enumerate() {
            let at = |line: &[usize], place: usize| line.get(place).copied().unwrap_or(usize::MAX - 1);
            let wrong = at(&last, column) + usize::from(letter != meant);
            let mut slips = wrong.min(at(&last, column + 1) + 1).min(at(&this, column) + 1);
            let have_changed_places = column > 0
                && row.checked_sub(1).and_then(|before| one.get(before)) == Some(meant)
                && other.get(column - 1) == Some(letter);
            if have_changed_places {
                slips = slips.min(at(&before_last, column - 1) + 1);
            }
            this.push(slips);
        }
        (before_last, last) = (last, this);
    }
    last.last().is_some_and(|slips| *slips <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_is_compared_by_its_letters() {
        for heading in ["Option A", "option_a", "OPTION-A:", "Ｏｐｔｉｏｎ　Ａ", "option\u{200B}A"] {
            assert_eq!(plain(heading), "optiona", "{heading:?}");
        }
        assert_eq!(plain("Họ và tên"), "hovaten");
    }

    #[test]
    fn a_slip_of_the_hand_is_told_from_another_word() {
        for (written, meant) in [
            ("emial", "email"),
            ("anwser", "answer"),
            ("answers", "answer"),
            ("extraminuts", "extraminutes"),
            ("explenaton", "explanation"),
            ("optione", "optiond"),
            ("rooms", "room"),
            ("secured", "secure"),
        ] {
            assert!(resembles(written, meant), "{written} {meant}");
        }
        for (written, meant) in [
            ("answer", "answer"),
            ("username", "surname"),
            ("phone", "phong"),
            ("grades", "place"),
            ("course", "source"),
            ("ids", "id"),
            ("remarks", "room"),
            ("firstname", "lastname"),
            ("dates", "seat"),
        ] {
            assert!(!resembles(written, meant), "{written} {meant}");
        }
    }
}
