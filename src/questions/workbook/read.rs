//! Reads the questions of an xlsx workbook cell by cell, within limits. It never holds a whole sheet in memory.

use std::borrow::Cow;
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};

use calamine::{DataRef, ExcelDateTime, Reader, SheetType, SheetVisible, Style, Xlsx, XlsxCellReader, XlsxError};
use domain::workbook::{HeaderError, Heading, SheetCell, SheetColumns, WorkbookRows};
use thiserror::Error as ThisError;
use uuid::Uuid;

use super::archive::unpack;

/// Rows of a sheet, including the header. An import of so many holds SQLite's one writer for up to a second
/// (`docs/decisions/0014-what-an-import-may-do.md`).
pub const ROWS_MAX: u32 = 50_000;
/// Columns of a sheet, several times as many as there are headings.
const COLUMNS_MAX: usize = 100;
/// Bytes of a text that is still read. A cell has at most 32,767 characters of up to four bytes, so a longer text can't
/// be valid.
const CELL_BYTES_MAX: usize = 4 * 32_767;
/// Bytes of the texts of all cells. A text that many cells share counts for each, because each gets a copy in its
/// question.
const TEXTS_BYTES_MAX: usize = 64 * 1_024 * 1_024;
/// If a sheet has this name, in any case, only that one is read. An export names its sheet so.
pub const QUESTIONS: &str = "Questions";
/// The header must be among the first filled rows; there may be a title above it.
const HEADER_WITHIN: usize = 10;
/// Progress is reported every so many rows.
const TOLD_EVERY: u32 = 100;
/// The day after 9999-12-31, the last day that spreadsheets know, in their count of days.
const DAYS_END: f64 = 2_958_466.0;
const DAY_MILLISECONDS: f64 = 86_400_000.0;

/// Why a workbook is not read at all.
#[derive(Debug, PartialEq, Eq, ThisError)]
pub enum Unusable {
    /// Another kind of file, or a damaged one.
    #[error("Not a spreadsheet workbook")]
    NotAWorkbook,
    /// The file contains far more than its size suggests.
    #[error("The workbook is too large when unpacked")]
    TooLargeUnpacked,
    #[error("The sheet has more than 50,000 rows")]
    TooManyRows,
    #[error("The sheet has more than 100 columns")]
    TooManyColumns,
    #[error("The workbook has more than 32 sheets and none is called Questions")]
    TooManySheets,
    /// No sheet has the header row.
    #[error("Missing columns: {}", .0.join(", "))]
    MissingColumns(Vec<&'static str>),
    /// It is unclear which of two columns is meant.
    #[error("Column {0} stands twice")]
    RepeatedColumn(&'static str),
}

impl From<XlsxError> for Unusable {
    fn from(_: XlsxError) -> Self {
        Self::NotAWorkbook
    }
}

/// Visible sheets that are searched when none is called `Questions`.
const SHEETS_MAX: usize = 32;

/// Called now and then with the row being read and the number of rows that the sheet claims.
pub type ReadProgress<'a> = &'a mut dyn FnMut(u32, u32);

/// Reads the rows of the sheet `Questions`, or else of each visible sheet with the header row.
pub fn read(file: Vec<u8>, progress: ReadProgress<'_>) -> Result<WorkbookRows, Unusable> {
    // The file may have been made to break calamine. A panic there ends the reading of this workbook and nothing else.
    catch_unwind(AssertUnwindSafe(|| {
        let mut book = Xlsx::new(Cursor::new(unpack(file)?))?;
        let (mut rows, mut texts_bytes) = (WorkbookRows::default(), 0);
        let (mut missing, mut fault, mut unread) = (Heading::REQUIRED.map(Heading::name).to_vec(), None, Vec::new());
        for name in candidates(&book)? {
            match begin_sheet(&mut book, &name, texts_bytes) {
                Ok((columns, sheet)) => {
                    rows.begin(columns, &name);
                    texts_bytes = read_sheet(sheet, &mut rows, progress)?;
                }
                Err(Unusable::MissingColumns(found)) => {
                    // A sheet with most of the columns was meant to be read; any other sheet is about something else.
                    if found.len() * 2 < Heading::REQUIRED.len() {
                        unread.push((name, Unusable::MissingColumns(found.clone()).to_string()));
                    }
                    if found.len() < missing.len() {
                        missing = found;
                    }
                }
                Err(repeated @ Unusable::RepeatedColumn(_)) => return Err(repeated),
                Err(other) => {
                    unread.push((name, other.to_string()));
                    fault = fault.or(Some(other));
                }
            }
        }
        if !rows.have_no_sheet() {
            unread.iter().for_each(|(name, reason)| rows.refuse_sheet(name, reason));
            return Ok(rows);
        }
        let is_nearly_one = missing.len() < Heading::REQUIRED.len();
        Err(fault.filter(|_| !is_nearly_one).unwrap_or(Unusable::MissingColumns(missing)))
    }))
    .unwrap_or(Err(Unusable::NotAWorkbook))
}

type Book = Xlsx<Cursor<Vec<u8>>>;

/// The sheets to read. Hidden sheets are not among them.
fn candidates(book: &Book) -> Result<Vec<String>, Unusable> {
    let visible = book
        .sheets_metadata()
        .iter()
        .filter(|sheet| sheet.typ == SheetType::WorkSheet && sheet.visible == SheetVisible::Visible);
    let names: Vec<String> = visible.map(|sheet| sheet.name.clone()).collect();
    match names.iter().find(|name| name.trim().eq_ignore_ascii_case(QUESTIONS)) {
        Some(name) => Ok(vec![name.clone()]),
        None if names.len() > SHEETS_MAX => Err(Unusable::TooManySheets),
        None => Ok(names),
    }
}

/// Opens a sheet and reads everything down to its header.
fn begin_sheet<'a>(book: &'a mut Book, name: &str, texts_bytes: usize) -> Result<(SheetColumns, Sheet<'a>), Unusable> {
    let mut sheet = Sheet::open(book, name, texts_bytes)?;
    let (mut cells, mut missing) = (Vec::new(), Heading::REQUIRED.map(Heading::name).to_vec());
    for _ in 0..HEADER_WITHIN {
        if sheet.next_row(&mut cells)?.is_none() {
            break;
        }
        match SheetColumns::find(&cells) {
            Ok(columns) => return Ok((columns, sheet)),
            Err(HeaderError::Repeated(column)) => return Err(Unusable::RepeatedColumn(column)),
            Err(HeaderError::Missing(found)) if found.len() < missing.len() => missing = found,
            Err(HeaderError::Missing(_)) => {}
        }
    }
    Err(Unusable::MissingColumns(missing))
}

/// Reads the rows below the header; returns the bytes of texts so far.
fn read_sheet(mut sheet: Sheet<'_>, rows: &mut WorkbookRows, progress: ReadProgress<'_>) -> Result<usize, Unusable> {
    let (mut cells, mut told) = (Vec::new(), 0);
    while let Some(number) = sheet.next_row(&mut cells)? {
        rows.take(number, &cells, &mut || Uuid::new_v4().to_string());
        if rows.len() > ROWS_MAX as usize {
            return Err(Unusable::TooManyRows);
        }
        if number >= told {
            progress(number, sheet.rows.max(number));
            told = number + TOLD_EVERY;
        }
    }
    Ok(sheet.texts_bytes)
}

/// A sheet whose rows are read one after the other.
struct Sheet<'a> {
    cells: XlsxCellReader<'a, Cursor<Vec<u8>>>,
    /// The first cell of the next row.
    ahead: Option<(u32, usize, SheetCell<'a>)>,
    /// Bytes of texts in this sheet and those before it.
    texts_bytes: usize,
    /// Number of rows that the sheet claims to have.
    rows: u32,
}

impl<'a> Sheet<'a> {
    fn open(book: &'a mut Book, name: &str, texts_bytes: usize) -> Result<Self, Unusable> {
        let cells = book.worksheet_cells_reader(name)?;
        let rows = cells.dimensions().end.0.saturating_add(1).min(ROWS_MAX);
        let mut sheet = Self { cells, ahead: None, texts_bytes, rows };
        sheet.ahead = sheet.next_cell()?;
        Ok(sheet)
    }

    /// The next row that is not empty; returns its number as the spreadsheet shows it.
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

    /// The next cell that is not empty, with row and column from 0.
    fn next_cell(&mut self) -> Result<Option<(u32, usize, SheetCell<'a>)>, Unusable> {
        while let Some((cell, style)) = self.cells.next_cell_with_style_id()? {
            let (row, column) = cell.get_position();
            let is_percent = self.cells.styles().get(style).is_some_and(shows_percent);
            let cell = converted(cell.get_value(), is_percent);
            if cell.is_empty() {
                continue;
            }
            let column =
                usize::try_from(column).ok().filter(|column| *column < COLUMNS_MAX).ok_or(Unusable::TooManyColumns)?;
            if row >= ROWS_MAX {
                return Err(Unusable::TooManyRows);
            }
            if let SheetCell::Text(text) = &cell {
                self.texts_bytes += text.len();
            }
            if self.texts_bytes > TEXTS_BYTES_MAX {
                return Err(Unusable::TooLargeUnpacked);
            }
            return Ok(Some((row, column, cell)));
        }
        Ok(None)
    }
}

fn shows_percent(style: &Style) -> bool {
    style.number_format.as_ref().is_some_and(|format| has_percent(&format.format_code))
}

/// Whether a format code shows a percent sign. Only its first section counts, which is that of positive numbers.
fn has_percent(code: &str) -> bool {
    let (mut is_quoted, mut characters) = (false, code.chars());
    while let Some(character) = characters.next() {
        match character {
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            // The next character is shown literally, or only determines a width or a fill.
            '\\' | '_' | '*' => drop(characters.next()),
            ';' => return false,
            '%' => return true,
            _ => {}
        }
    }
    false
}

fn converted<'a>(value: &DataRef<'a>, is_percent: bool) -> SheetCell<'a> {
    match value {
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text)
            if text.len() > CELL_BYTES_MAX =>
        {
            SheetCell::TooLong
        }
        DataRef::SharedString(text) if text.len() > CELL_BYTES_MAX => SheetCell::TooLong,
        DataRef::Empty => SheetCell::Empty,
        DataRef::String(text) => SheetCell::Text(Cow::Owned(text.clone())),
        DataRef::SharedString(text) => SheetCell::Text(Cow::Borrowed(text)),
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => SheetCell::Date(Cow::Owned(text.clone())),
        DataRef::Int(number) => SheetCell::Number(*number as f64),
        DataRef::Float(number) => number_cell(*number, is_percent),
        DataRef::Bool(value) => SheetCell::Boolean(*value),
        DataRef::DateTime(moment) => date_cell(moment),
        DataRef::Error(error) => SheetCell::Error(error.to_string()),
    }
}

fn number_cell(number: f64, is_percent: bool) -> SheetCell<'static> {
    match number {
        number if !number.is_finite() => SheetCell::Error("#NUM!".to_owned()),
        number if is_percent => SheetCell::Percent(number),
        number => SheetCell::Number(number),
    }
}

/// Writes a day, a time of day, or both in ISO 8601.
fn date_cell(moment: &ExcelDateTime) -> SheetCell<'static> {
    let days = moment.as_f64();
    if !(0.0..DAYS_END).contains(&days) {
        return number_cell(days, false);
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
    fn a_percent_sign_counts_in_the_first_section_alone() {
        for code in ["0%", "0.00%;[Red]-0.00%", "#,##0 %", "\"p\"0%", "_(0%_)"] {
            assert!(has_percent(code), "{code}");
        }
        for code in ["General", "0\"%\"", "0\\%", "0;0%", "\"a;\"0;%", "0_%"] {
            assert!(!has_percent(code), "{code}");
        }
    }

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
