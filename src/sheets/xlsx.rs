//! The sheets of an xlsx workbook, read cell by cell with calamine.

use std::borrow::Cow;
use std::io::Cursor;

use calamine::{DataRef, ExcelDateTime, Reader, SheetType, SheetVisible, Style, Xlsx, XlsxCellReader};
use domain::workbook::SheetCell;

use super::archive::unpack;
use super::book::{Book, CELL_BYTES_MAX, COLUMNS_MAX, ROWS_MAX, SheetRows};
use super::marks::{HIDDEN_ROW, mark_of};
use super::number_format::NumberFormat;
use super::unusable::Unusable;

/// The day after 9999-12-31, the last day that spreadsheets know, in their count of days.
const DAYS_END: f64 = 2_958_466.0;
const DAY_MILLISECONDS: f64 = 86_400_000.0;

/// A workbook.
pub struct XlsxBook(Xlsx<Cursor<Vec<u8>>>);

impl XlsxBook {
    pub fn open(file: Vec<u8>) -> Result<Self, Unusable> {
        Ok(Self(Xlsx::new(Cursor::new(unpack(file)?))?))
    }
}

impl Book for XlsxBook {
    fn visible_sheets(&self) -> Vec<String> {
        let visible = self
            .0
            .sheets_metadata()
            .iter()
            .filter(|sheet| sheet.typ == SheetType::WorkSheet && sheet.visible == SheetVisible::Visible);
        visible.map(|sheet| sheet.name.clone()).collect()
    }

    fn open(&mut self, name: &str) -> Result<Box<dyn SheetRows<'_> + '_>, Unusable> {
        let mut sheet = XlsxSheet { cells: self.0.worksheet_cells_reader(name)?, ahead: None, hidden_rows: 0 };
        sheet.ahead = sheet.next_cell()?;
        Ok(Box::new(sheet))
    }
}

struct XlsxSheet<'a> {
    cells: XlsxCellReader<'a, Cursor<Vec<u8>>>,
    /// The first cell of the next row.
    ahead: Option<(u32, usize, SheetCell<'a>)>,
    hidden_rows: u32,
}

impl<'a> SheetRows<'a> for XlsxSheet<'a> {
    fn next_row(&mut self, row: &mut Vec<SheetCell<'a>>) -> Result<Option<u32>, Unusable> {
        row.clear();
        let Some((number, mut column, mut cell)) = self.ahead.take() else { return Ok(None) };
        loop {
            if row.len() <= column {
                row.resize(column + 1, SheetCell::Empty);
            }
            if let Some(place) = row.get_mut(column) {
                *place = cell;
            }
            match self.next_cell()? {
                // A column that does not come after the last one begins another row, even if both rows have the same
                // number.
                Some((same, next_column, next_cell)) if same == number && next_column > column => {
                    (column, cell) = (next_column, next_cell);
                }
                next => {
                    self.ahead = next;
                    return Ok(Some(number + 1));
                }
            }
        }
    }

    fn hidden_rows(&self) -> u32 {
        self.hidden_rows
    }

    fn claimed_rows(&self) -> u32 {
        self.cells.dimensions().end.0.saturating_add(1).min(ROWS_MAX)
    }
}

impl<'a> XlsxSheet<'a> {
    /// The next cell that is not empty, with row and column from 0.
    fn next_cell(&mut self) -> Result<Option<(u32, usize, SheetCell<'a>)>, Unusable> {
        while let Some((cell, style)) = self.cells.next_cell_with_style_id()? {
            let (row, column) = cell.get_position();
            let format = self.cells.styles().get(style).map_or(NumberFormat::Plain, number_format);
            let cell = converted(cell.get_value(), &format);
            if matches!(&cell, SheetCell::Text(text) if text == HIDDEN_ROW) {
                self.hidden_rows += 1;
                continue;
            }
            if cell.is_empty() {
                continue;
            }
            let column =
                usize::try_from(column).ok().filter(|column| *column < COLUMNS_MAX).ok_or(Unusable::TooManyColumns)?;
            if row >= ROWS_MAX {
                return Err(Unusable::TooManyRows);
            }
            return Ok(Some((row, column, cell)));
        }
        Ok(None)
    }
}

fn number_format(style: &Style) -> NumberFormat {
    style.number_format.as_ref().map_or(NumberFormat::Plain, |format| NumberFormat::of(&format.format_code))
}

fn converted<'a>(value: &DataRef<'a>, format: &NumberFormat) -> SheetCell<'a> {
    match value {
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text)
            if text.len() > CELL_BYTES_MAX =>
        {
            SheetCell::TooLong
        }
        DataRef::SharedString(text) if text.len() > CELL_BYTES_MAX => SheetCell::TooLong,
        DataRef::Empty => SheetCell::Empty,
        DataRef::String(text) => {
            mark_of(text).map_or_else(|| SheetCell::Text(Cow::Owned(text.clone())), SheetCell::Marked)
        }
        DataRef::SharedString(text) => mark_of(text).map_or(SheetCell::Text(Cow::Borrowed(text)), SheetCell::Marked),
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => SheetCell::Date(Cow::Owned(text.clone())),
        DataRef::Int(number) => number_cell(*number as f64, format),
        DataRef::Float(number) => number_cell(*number, format),
        DataRef::Bool(value) => SheetCell::Boolean(*value),
        DataRef::DateTime(moment) => date_cell(moment),
        DataRef::Error(error) => SheetCell::Error(error.to_string()),
    }
}

fn number_cell(number: f64, format: &NumberFormat) -> SheetCell<'static> {
    match format {
        _ if !number.is_finite() => SheetCell::Error("#NUM!".to_owned()),
        NumberFormat::Plain => SheetCell::Number(number),
        NumberFormat::Percent => SheetCell::Percent(number),
        NumberFormat::Pattern(pattern) if pattern.has_currency => SheetCell::Text(pattern.shown(number).into()),
        NumberFormat::Pattern(pattern) => SheetCell::number_shown_as(number, pattern.shown(number)),
        NumberFormat::Fraction(fraction) => SheetCell::number_shown_as(number, fraction.shown(number)),
    }
}

/// Writes a day, a time of day, or both in ISO 8601.
fn date_cell(moment: &ExcelDateTime) -> SheetCell<'static> {
    let days = moment.as_f64();
    if !(0.0..DAYS_END).contains(&days) {
        return number_cell(days, &NumberFormat::Plain);
    }
    let (year, month, day, hour, minute, second, millisecond) = moment.to_ymd_hms_milli();
    let time = time_text(hour.into(), minute, second, millisecond);
    let text = if moment.is_duration() {
        duration_text(days)
    } else if days < 1.0 {
        time
    } else if days.fract() == 0.0 {
        format!("{year:04}-{month:02}-{day:02}")
    } else {
        format!("{year:04}-{month:02}-{day:02}T{time}")
    };
    SheetCell::Date(text.into())
}

/// Writes a duration in hours, which may be more than 24.
fn duration_text(days: f64) -> String {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is not negative, and below the last day that spreadsheets know"
    )]
    let milliseconds = (days * DAY_MILLISECONDS).round() as u64;
    let part = |length: u64, count: u64| u8::try_from(milliseconds / length % count).unwrap_or_default();
    time_text(
        milliseconds / 3_600_000,
        part(60_000, 60),
        part(1_000, 60),
        u16::try_from(milliseconds % 1_000).unwrap_or_default(),
    )
}

fn time_text(hour: u64, minute: u8, second: u8, millisecond: u16) -> String {
    let fraction = if millisecond == 0 { String::new() } else { format!(".{millisecond:03}") };
    format!("{hour:02}:{minute:02}:{second:02}{fraction}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_keep_their_days() {
        for (days, text) in [
            (0.0, "00:00:00"),
            (0.5, "12:00:00"),
            (1.0, "24:00:00"),
            (1.25, "30:00:00"),
            (100.0, "2400:00:00"),
            (1.0 / 86_400.0, "00:00:01"),
        ] {
            assert_eq!(duration_text(days), text);
        }
        assert_eq!(duration_text(2.0 + 1.5 / 86_400.0), "48:00:01.500");
    }
}
