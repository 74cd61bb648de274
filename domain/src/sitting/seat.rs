//! Seats as schools write them, such as `B4`, `2/5` or `Row 2 Seat 5`: what is read of them, their order, and the rows
//! in which they stand.

use std::collections::{BTreeMap, BTreeSet};

use crate::text::same::seen;

/// Places of a plan for each seat that is taken. Where fewer are, a list shows more on less paper.
const PLACES_FOR_EACH_SEAT_MAX: usize = 4;

/// The row Đ, between D and E. It counts as F, two rows behind it, which with three and with more than four forms
/// differs from both. D and E differ with two forms, so that Đ is as one of them: as D.
pub(crate) const D_WITH_STROKE: [char; 2] = ['Đ', 'đ'];
const D_WITH_STROKE_ROW: usize = 5;

/// A run of digits, or of letters, in a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SeatRun<'a> {
    /// `0` to `9` alone.
    Digits(&'a str),
    /// Of any script.
    Letters(&'a str),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Digit,
    Letter,
    Other,
}

impl Kind {
    fn of(character: char) -> Self {
        match character {
            '0'..='9' => Self::Digit,
            letter if letter.is_alphabetic() => Self::Letter,
            _ => Self::Other,
        }
    }
}

/// The runs of a seat in their order, without what stands between them.
pub(crate) fn runs(seat: &str) -> impl Iterator<Item = SeatRun<'_>> {
    let mut rest = seat;
    let of_all = std::iter::from_fn(move || {
        let kind = Kind::of(rest.chars().next()?);
        let end = rest.find(|character: char| Kind::of(character) != kind).unwrap_or(rest.len());
        let (run, behind) = rest.split_at(end);
        rest = behind;
        Some((kind, run))
    });
    of_all.filter_map(|(kind, run)| match kind {
        Kind::Digit => Some(SeatRun::Digits(run)),
        Kind::Letter => Some(SeatRun::Letters(run)),
        Kind::Other => None,
    })
}

/// The place of a row that is called by a letter, or by two behind Z, as in sheets; `None` for a word.
pub(crate) fn row_letters(run: &str) -> Option<usize> {
    let place =
        |letter: char| letter.is_ascii_alphabetic().then(|| usize::from(letter.to_ascii_uppercase() as u8 - b'A'));
    let mut letters = run.chars();
    match (letters.next(), letters.next(), letters.next()) {
        (Some(letter), None, None) if D_WITH_STROKE.contains(&letter) => Some(D_WITH_STROKE_ROW),
        (Some(letter), None, None) => Some(place(letter).unwrap_or(letter as usize)),
        (Some(first @ 'A'..='Z'), Some(second @ 'A'..='Z'), None) => Some(26 * (place(first)? + 1) + place(second)?),
        _ => None,
    }
}

/// What a run says of a place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SeatPart {
    Number(u64),
    /// By its place in the alphabet.
    Letter(usize),
    /// In lower case.
    Word(String),
}

impl SeatPart {
    const fn is_mark(&self) -> bool {
        matches!(self, Self::Number(_) | Self::Letter(_))
    }
}

fn parts(seat: &str) -> Vec<SeatPart> {
    let number = |digits: &str| {
        let add = |number: u64, digit: u32| number.saturating_mul(10).saturating_add(digit.into());
        digits.chars().filter_map(|digit| digit.to_digit(10)).fold(0, add)
    };
    let part = |run: SeatRun<'_>| match run {
        SeatRun::Digits(digits) => SeatPart::Number(number(digits)),
        SeatRun::Letters(letters) => {
            row_letters(letters).map_or_else(|| SeatPart::Word(letters.to_lowercase()), SeatPart::Letter)
        }
    };
    let seat = seen(seat);
    runs(&seat).map(part).collect()
}

/// What seats are sorted by: their numbers and letters in turn, so that `B10` stands behind `B9`. Who has no seat
/// stands behind all others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SeatOrder {
    is_without: bool,
    parts: Vec<SeatPart>,
}

impl SeatOrder {
    /// Of a seat, or of none.
    #[must_use]
    pub fn of(seat: Option<&str>) -> Self {
        Self { is_without: seat.is_none(), parts: seat.map(parts).unwrap_or_default() }
    }
}

/// The seats of a hall in rows and columns.
#[derive(Debug, PartialEq, Eq)]
pub struct SeatRows {
    /// The rows in their order, all with the same columns: the place in the list of who sits there, or `None` where
    /// nobody does. A row or a column in which nobody sits is left out.
    pub rows: Vec<Vec<Option<usize>>>,
}

impl SeatRows {
    /// Of a list of seats, in which those without one are passed over. `None` if a seat names no row and column, if two
    /// sit in the same place, if all sit in one line, or if they sit so far apart that a plan would be mostly empty.
    #[must_use]
    pub fn of<'a>(seats: impl IntoIterator<Item = Option<&'a str>>) -> Option<Self> {
        let mut places: BTreeMap<Vec<SeatPart>, BTreeMap<SeatPart, usize>> = BTreeMap::new();
        let mut taken = 0;
        for (index, seat) in seats.into_iter().enumerate() {
            let Some(seat) = seat else { continue };
            let (row, column) = row_and_column(parts(seat))?;
            let before = places.entry(row).or_default().insert(column, index);
            if before.is_some() {
                return None;
            }
            taken += 1;
        }
        let columns: BTreeSet<SeatPart> = places.values().flat_map(|row| row.keys().cloned()).collect();
        let is_plan = places.len() > 1 && columns.len() > 1;
        if !is_plan || places.len() * columns.len() > PLACES_FOR_EACH_SEAT_MAX * taken {
            return None;
        }
        let in_row = |row: &BTreeMap<SeatPart, usize>| columns.iter().map(|column| row.get(column).copied()).collect();
        Some(Self { rows: places.values().map(in_row).collect() })
    }
}

/// The last mark of a seat is the column, and all before it are the row, as in [`crate::form::of_seat`].
fn row_and_column(mut parts: Vec<SeatPart>) -> Option<(Vec<SeatPart>, SeatPart)> {
    let last = parts.iter().rposition(SeatPart::is_mark)?;
    let column = parts.drain(last..).next()?;
    parts.iter().any(SeatPart::is_mark).then_some((parts, column))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rows(seats: &[&str]) -> Option<Vec<Vec<Option<usize>>>> {
        SeatRows::of(seats.iter().map(|seat| Some(*seat).filter(|seat| !seat.is_empty()))).map(|plan| plan.rows)
    }

    #[test]
    fn seats_stand_in_the_order_in_which_people_walk() {
        let sorted = [
            "1",
            "2",
            "10",
            "A1",
            "A2",
            "a 10",
            "B1",
            "Đ2",
            "Z9",
            "AA1",
            "Hàng 1 ghế 2",
            "Hàng 1 ghế 11",
            "hàng 2 ghế 1",
            "window",
        ];
        let mut seats: Vec<Option<&str>> = std::iter::once(None).chain(sorted.into_iter().rev().map(Some)).collect();
        seats.sort_by_key(|seat| SeatOrder::of(*seat));
        let expected: Vec<Option<&str>> = sorted.into_iter().map(Some).chain([None]).collect();
        assert_eq!(seats, expected);
        assert_eq!(SeatOrder::of(Some("b 4")), SeatOrder::of(Some("B4")));
    }

    #[test]
    fn seats_with_row_and_column_make_a_plan() {
        let expected = Some(vec![vec![Some(3), Some(0)], vec![Some(2), None], vec![None, Some(1)]]);
        for seats in [
            ["A2", "C2", "B1", "A1"],
            ["1/2", "3/2", "2/1", "1/1"],
            ["R1S2", "R3S2", "R2S1", "R1S1"],
            ["Row 1 Seat 2", "Row 3 Seat 2", "Row 2 Seat 1", "Row 1 Seat 1"],
            ["1B", "3B", "2A", "1A"],
            ["P12-A10", "P12-C10", "P12-B9", "P12-A9"],
            ["Dãy A số 2", "dãy C số 2", "Dãy B số 1", "Dãy A số 1"],
        ] {
            assert_eq!(rows(&seats), expected, "{seats:?}");
        }
        // Who has no seat is in no row, and columns that nobody has are no columns.
        assert_eq!(rows(&["A1", "", "B5"]), Some(vec![vec![Some(0), None], vec![None, Some(2)]]));
    }

    #[test]
    fn what_is_no_plan_is_a_list() {
        for seats in [
            &["1", "2", "3"][..],
            &["Seat 1", "Seat 2"],
            &["A1", "A2", "7"],
            &["A1", "A2", "window"],
            &["A1", "B2", "a 1"],
            &["Left A1", "Left A1"],
            &["A1", "A2", "A3"],
            &["A1", "B1", "C1"],
            &["A1", "B2", "C3", "D4", "E5"],
            &[""],
            &[],
        ] {
            assert_eq!(rows(seats), None, "{seats:?}");
        }
        assert!(rows(&["Left A1", "Right A1", "Left A2", "Right A2"]).is_some(), "words tell places apart");
        assert!(rows(&["A1", "B2", "C3", "D4"]).is_some());
    }

    proptest! {
        #[test]
        fn a_plan_has_everyone_once(seats in prop::collection::vec("[A-D] ?[1-5]|[1-4]/[1-4]|", 0..20)) {
            let of = |seat: &String| (!seat.is_empty()).then(|| seat.clone());
            let seats: Vec<Option<String>> = seats.iter().map(of).collect();
            if let Some(plan) = SeatRows::of(seats.iter().map(Option::as_deref)) {
                let mut found: Vec<usize> = plan.rows.iter().flatten().flatten().copied().collect();
                found.sort_unstable();
                let seated = seats.iter().enumerate().filter(|(_, seat)| seat.is_some());
                prop_assert_eq!(found, seated.map(|(index, _)| index).collect::<Vec<_>>());
                prop_assert!(plan.rows.iter().all(|row| row.iter().any(Option::is_some)));
            }
        }

        #[test]
        fn any_seat_is_sorted(one in "\\PC{0,30}", other in "\\PC{0,30}") {
            let (one, other) = (SeatOrder::of(Some(&one)), SeatOrder::of(Some(&other)));
            prop_assert_eq!(one.cmp(&other), other.cmp(&one).reverse());
            prop_assert!(one < SeatOrder::of(None));
        }
    }
}
