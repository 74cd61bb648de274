//! More time as people write it into a list: `+25 %`, `1/3`, `+10 min`. A cell that says what it is means the same in
//! whichever column it stands; a bare number means what its column is about.

use super::values::{Factor, extra_minutes};
use crate::sheet_cell::SheetCell;
use crate::text::same::seen_in_any_case;

/// Digits of a percentage or of minutes; neither can have more.
const DIGITS: usize = 3;
/// A fraction of the usual time has no larger part below its line.
const LARGEST_DENOMINATOR: i64 = 20;
/// What stands behind minutes, in small letters.
const MINUTES: [&str; 9] = ["min", "mins", "minute", "minutes", "phút", "phut", "'", "’", "′"];
/// Fractions that are one sign.
const SIGNS: [(&str, (i64, i64)); 7] =
    [("½", (1, 2)), ("⅓", (1, 3)), ("⅔", (2, 3)), ("¼", (1, 4)), ("¾", (3, 4)), ("⅕", (1, 5)), ("⅒", (1, 10))];

/// What a cell gives somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoreTime {
    /// So much of the usual time.
    Factor(Factor),
    /// So many minutes on top of it.
    Minutes(u32),
}

/// What the numbers of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoreTimeColumn {
    /// Percentages: from 100 on of the usual time, below on top of it.
    Percent,
    /// Minutes on top.
    Minutes,
    /// Its heading says "more time" alone, so each cell has to say what it is.
    Either,
}

impl MoreTime {
    /// Reads a cell of such a column; `None` for what could mean another thing, and for what is out of limits.
    #[must_use]
    pub fn of_cell(cell: &SheetCell<'_>, column: MoreTimeColumn) -> Option<Self> {
        match cell {
            SheetCell::Percent(share) => {
                let percent = SheetCell::Number((share * 1e6).round() / 1e4).whole_number()?;
                of_percent(percent, false, column)
            }
            SheetCell::Text(text) | SheetCell::Shown(_, text) => {
                parse(text, column).or_else(|| of_number(cell, column))
            }
            cell => of_number(cell, column),
        }
    }
}

fn of_number(cell: &SheetCell<'_>, column: MoreTimeColumn) -> Option<MoreTime> {
    bare(cell.whole_number()?, false, column)
}

fn parse(text: &str, column: MoreTimeColumn) -> Option<MoreTime> {
    let text = seen_in_any_case(text);
    let more = text.strip_prefix('+');
    let said = more.map_or(&*text, str::trim_start);
    if let Some(share) = fraction(said) {
        return Factor::new(100 + share).map(MoreTime::Factor);
    }
    let end = said.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(said.len());
    let (digits, unit) = said.split_at(end);
    if digits.is_empty() || digits.len() > DIGITS {
        return None;
    }
    let number: i64 = digits.parse().ok()?;
    match unit.trim_start().trim_end_matches('.') {
        "" => bare(number, more.is_some(), column),
        "%" => of_percent(number, more.is_some(), column),
        unit if MINUTES.contains(&unit) => extra_minutes(number).map(MoreTime::Minutes),
        _ => None,
    }
}

/// A number without a unit.
fn bare(number: i64, is_more: bool, column: MoreTimeColumn) -> Option<MoreTime> {
    match column {
        MoreTimeColumn::Percent => of_percent(number, is_more, column),
        MoreTimeColumn::Minutes => extra_minutes(number).map(MoreTime::Minutes),
        MoreTimeColumn::Either => None,
    }
}

/// Nobody gets less than the usual time, so that 25 % can only be on top of it. All of it may be meant by 100 %, or
/// twice as much: where the heading does not tell, somebody is asked.
fn of_percent(number: i64, is_more: bool, column: MoreTimeColumn) -> Option<MoreTime> {
    if number == 100 && !is_more && column == MoreTimeColumn::Either {
        return None;
    }
    let is_on_top = is_more || (0..100).contains(&number);
    Factor::new(if is_on_top { 100 + number } else { number }).map(MoreTime::Factor)
}

/// A part of the usual time, such as `1/3`, in whole percent; `None` for another text, and for what is no part.
fn fraction(text: &str) -> Option<i64> {
    let found = SIGNS.iter().find(|(sign, _)| *sign == text).map(|(_, parts)| *parts);
    let (part, whole) = found.or_else(|| {
        let (part, whole) = text.split_once(['/', '\u{2044}'])?;
        let number = |digits: &str| -> Option<i64> {
            let digits = digits.trim();
            let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
            if is_number && digits.len() <= DIGITS { digits.parse().ok() } else { None }
        };
        Some((number(part)?, number(whole)?))
    })?;
    let is_part = part > 0 && part < whole && whole <= LARGEST_DENOMINATOR;
    is_part.then(|| (100 * part + whole / 2) / whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pages read the same by `web/src/staff/more_time.ts`.
    #[derive(serde::Deserialize)]
    struct Golden {
        said: Vec<(String, String, u32)>,
        unsaid: Vec<String>,
        bare: Vec<(String, Option<u32>, Option<u32>)>,
    }

    fn golden() -> Golden {
        serde_json::from_str(include_str!("../../../tests/golden/more_time.json")).unwrap()
    }

    fn read(text: &str, column: MoreTimeColumn) -> Option<(&'static str, u32)> {
        MoreTime::of_cell(&SheetCell::text(text), column).map(|more| match more {
            MoreTime::Factor(factor) => ("factor", factor.percent()),
            MoreTime::Minutes(minutes) => ("minutes", minutes),
        })
    }

    #[test]
    fn a_cell_that_says_what_it_is_means_the_same_in_every_column() {
        let Golden { said, unsaid, .. } = golden();
        assert!(said.len() > 10 && unsaid.len() > 10);
        for column in [MoreTimeColumn::Percent, MoreTimeColumn::Minutes, MoreTimeColumn::Either] {
            for (text, kind, value) in &said {
                assert_eq!(read(text, column), Some((&**kind, *value)), "{text} in {column:?}");
            }
            for text in &unsaid {
                assert_eq!(read(text, column), None, "{text} in {column:?}");
            }
        }
    }

    #[test]
    fn a_bare_number_means_what_its_column_is_about_or_nothing() {
        for (text, percent, minutes) in golden().bare {
            let of = |kind, value: Option<u32>| value.map(|value| (kind, value));
            assert_eq!(read(&text, MoreTimeColumn::Percent), of("factor", percent), "{text}");
            assert_eq!(read(&text, MoreTimeColumn::Minutes), of("minutes", minutes), "{text}");
            assert_eq!(read(&text, MoreTimeColumn::Either), None, "{text}");
        }
        assert_eq!(read("100 %", MoreTimeColumn::Percent), Some(("factor", 100)));
        assert_eq!(read("100 %", MoreTimeColumn::Either), None, "the usual time, or twice as much");
    }

    #[test]
    fn numbers_of_spreadsheets_are_read_like_texts() {
        let factor = |percent| Factor::new(percent).map(MoreTime::Factor);
        let read = |cell: &SheetCell<'_>| MoreTime::of_cell(cell, MoreTimeColumn::Percent);
        assert_eq!(read(&SheetCell::Percent(0.25)), factor(125));
        assert_eq!(read(&SheetCell::Percent(1.25)), factor(125));
        assert_eq!(read(&SheetCell::Number(25.0)), factor(125));
        assert_eq!(read(&SheetCell::Shown(1.0 / 3.0, "1/3".into())), factor(133));
        assert_eq!(read(&SheetCell::Shown(25.0, "25.00".into())), factor(125));
        for refused in [SheetCell::Number(1.25), SheetCell::Number(-5.0), SheetCell::Date("2027-03-01".into())] {
            assert_eq!(read(&refused), None, "{refused:?}");
        }
        let minutes = MoreTime::of_cell(&SheetCell::Number(10.0), MoreTimeColumn::Minutes);
        assert_eq!(minutes, Some(MoreTime::Minutes(10)));
    }
}
