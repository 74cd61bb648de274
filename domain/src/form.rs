//! The forms of a test, A to H: the same test in another order, for who sits beside somebody. Which one a candidate
//! gets follows from the seat alone, or from the candidate where there is none, so that slip, screen and every server
//! agree before anything is stored.

use std::fmt::{self, Display, Formatter, Write};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::sitting::seat::{D_WITH_STROKE, SeatRun, row_letters, runs};

/// How many forms a test may have.
pub const FORMS_MAX: usize = 8;

/// From so many forms on, those who sit diagonally differ too.
const DIAGONAL_MIN: usize = 4;
/// Short for *row* and *seat*, when both are there.
const LABELS: [u8; 2] = [b'R', b'S'];
/// The number of forms with which rows two apart are the same, so that Đ is one on from F.
const FORMS_OF_TWO_ROWS: usize = 4;
/// The least common multiple of 1 to 8: long numbers may be counted modulo it, whatever the number of forms.
const CYCLE: usize = 840;

/// One of the forms of a test. In JSON its letter, `A` to `H`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FormLetter(u8);

impl FormLetter {
    /// The form that every test has.
    pub const A: Self = Self(0);

    /// The first forms, so many of them.
    pub fn all(count: usize) -> impl Iterator<Item = Self> {
        (0..FORMS_MAX).filter_map(Self::at).take(count)
    }

    /// The form at this place, from 0 on; `None` beyond H.
    #[must_use]
    pub fn at(place: usize) -> Option<Self> {
        u8::try_from(place).ok().filter(|_| place < FORMS_MAX).map(Self)
    }

    /// Its place, 0 to 7.
    #[must_use]
    pub fn number(self) -> usize {
        self.0.into()
    }

    /// Parses `A` to `H`; `None` for any other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text.as_bytes() {
            [letter @ b'A'..=b'H'] => Some(Self(letter - b'A')),
            _ => None,
        }
    }

    fn of_remainder(number: usize, count: usize) -> Self {
        Self::at(number % count.clamp(1, FORMS_MAX)).unwrap_or(Self::A)
    }
}

impl Display for FormLetter {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_char((b'A' + self.0).into())
    }
}

impl TryFrom<String> for FormLetter {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("a form is A to H")
    }
}

impl From<FormLetter> for String {
    fn from(form: FormLetter) -> Self {
        form.to_string()
    }
}

/// The form of a seat, such as `B4`, `R2S5`, `2-5` or `Row 2 Seat 5`, so that neighbours differ: who sits left or
/// right, in front or behind, and from four forms on also diagonally. A seat with a single number differs from those
/// before and after it. Of three or more marks the last is the seat, so that a hall is to be named before it. `None`
/// when it names neither a number nor a single letter.
#[must_use]
pub fn of_seat(seat: &str, count: usize) -> Option<FormLetter> {
    // The last mark is the column, and all before it are the row: whatever they say of the hall is the same for all
    // who sit there.
    let marks = marks(seat);
    let (column, before) = marks.split_last()?;
    let row: usize = before.iter().sum();
    let rows = if count >= DIAGONAL_MIN { 2 * row } else { row };
    let is_behind_d = !before.is_empty() && count == FORMS_OF_TWO_ROWS && has_letter(seat, D_WITH_STROKE);
    Some(FormLetter::of_remainder(column + rows + usize::from(is_behind_d), count))
}

/// The form of a candidate: that of the seat, or one that follows from the id alone.
#[must_use]
pub fn of_candidate(candidate_id: Uuid, seat: Option<&str>, count: usize) -> FormLetter {
    seat.and_then(|seat| of_seat(seat, count)).unwrap_or_else(|| of_id(candidate_id, count))
}

/// By FNV-1a, which spreads ids that were made one after another too.
fn of_id(id: Uuid, count: usize) -> FormLetter {
    let hash =
        id.as_bytes().iter().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    FormLetter::of_remainder(usize::from((hash ^ (hash >> 16)) as u16), count)
}

/// The numbers in a seat, and the single letters by their places in the alphabet. Words, such as *row*, say nothing,
/// nor do R and S where they stand for *row* and *seat*.
fn marks(seat: &str) -> Vec<usize> {
    let has_labels = LABELS.iter().all(|label| is_before_number(seat, *label));
    let is_label = |run: &str| has_labels && LABELS.iter().any(|label| run.as_bytes().eq_ignore_ascii_case(&[*label]));
    let mark = |run: SeatRun<'_>| match run {
        SeatRun::Digits(digits) => Some(number(digits)),
        SeatRun::Letters(letters) if is_label(letters) => None,
        SeatRun::Letters(letters) => row_letters(letters),
    };
    runs(seat).filter_map(mark).collect()
}

/// Whether a letter, large or small, stands alone in a seat.
fn has_letter(seat: &str, letter: [char; 2]) -> bool {
    let mut runs = seat.split(|character: char| !character.is_alphabetic());
    runs.any(|run| letter.iter().any(|letter| run == letter.encode_utf8(&mut [0; 4])))
}

/// Whether a letter, large or small, stands right before a digit.
fn is_before_number(seat: &str, label: u8) -> bool {
    let is_here = |pair: &[u8]| matches!(pair, [letter, b'0'..=b'9'] if letter.eq_ignore_ascii_case(&label));
    seat.as_bytes().windows(2).any(is_here)
}

fn number(digits: &str) -> usize {
    digits
        .chars()
        .filter_map(|digit| digit.to_digit(10))
        .fold(0, |number, digit| (number * 10 + digit as usize) % CYCLE)
}

#[cfg(test)]
mod tests;
