//! Questions of a workbook: of the sheet `Questions`, or else of each visible sheet with the header row.

use domain::exchange::{Heading, QuestionRows};
use domain::sheet_cell::SheetCell;
use domain::workbook::{HeaderError, SheetColumns};
use uuid::Uuid;

use super::{QuestionDrafts, QuestionSource, ReadProgress};
use crate::sheets::book::{Book, HEADER_WITHIN, LimitedSheet, ROWS_MAX, ReadBook, read_book};
use crate::sheets::delimited::DelimitedText;
use crate::sheets::unusable::Unusable;

/// If a sheet has this name, in any case, only that one is read. An export names its sheet so.
pub const QUESTIONS: &str = "Questions";
/// Rows between two reports of the progress.
const TOLD_EVERY: u32 = 100;
/// Visible sheets that are searched when none is called `Questions`.
const SHEETS_MAX: usize = 32;

/// Spreadsheets with a question in each row: xlsx, ods, or a text with commas, semicolons or tabs.
pub struct QuestionWorkbook;

impl QuestionSource for QuestionWorkbook {
    type Unusable = Unusable;

    fn drafts(&self, file: Vec<u8>, progress: ReadProgress<'_>) -> Result<QuestionDrafts, Unusable> {
        let ReadBook { made: rows, guessed_encoding } =
            read_book(file, |text| DelimitedText::open(text, known_columns), |book| read_questions(book, progress))?;
        Ok(QuestionDrafts { rows, guessed_encoding, ..QuestionDrafts::default() })
    }
}

/// How many required columns a header of questions has.
fn known_columns(header: &[SheetCell<'_>]) -> usize {
    match SheetColumns::find(header) {
        Err(HeaderError::Missing(columns)) => Heading::REQUIRED.len() - columns.len(),
        Ok(_) | Err(HeaderError::Repeated(_) | HeaderError::Unclear(_)) => Heading::REQUIRED.len(),
    }
}

fn read_questions(book: &mut dyn Book, progress: ReadProgress<'_>) -> Result<QuestionRows, Unusable> {
    let (mut rows, mut texts_bytes) = (QuestionRows::default(), 0);
    let (mut missing, mut fault, mut unread) = (Heading::REQUIRED.map(Heading::name).to_vec(), None, Vec::new());
    for name in candidates(&*book)? {
        let opened = book.open(&name).and_then(|rows| begin(LimitedSheet::new(rows, texts_bytes)));
        match opened {
            Ok((columns, sheet)) => {
                rows.begin(columns.given(), columns.ignored(), &name);
                texts_bytes = read_rows(sheet, &columns, &mut rows, progress)?;
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
    if !rows.have_no_part() {
        unread.iter().for_each(|(name, reason)| rows.refuse_sheet(name, reason));
        return Ok(rows);
    }
    let is_nearly_one = missing.len() < Heading::REQUIRED.len();
    Err(fault.filter(|_| !is_nearly_one).unwrap_or(Unusable::MissingColumns(missing)))
}

/// The sheets to read.
fn candidates(book: &dyn Book) -> Result<Vec<String>, Unusable> {
    let names = book.visible_sheets();
    match names.iter().find(|name| name.trim().eq_ignore_ascii_case(QUESTIONS)) {
        Some(name) => Ok(vec![name.clone()]),
        None if names.len() > SHEETS_MAX => Err(Unusable::TooManySheets(QUESTIONS)),
        None => Ok(names),
    }
}

/// Reads everything down to the header.
fn begin(mut sheet: LimitedSheet<'_>) -> Result<(SheetColumns, LimitedSheet<'_>), Unusable> {
    let (mut cells, mut missing) = (Vec::new(), Heading::REQUIRED.map(Heading::name).to_vec());
    for _ in 0..HEADER_WITHIN {
        if sheet.next_row(&mut cells)?.is_none() {
            break;
        }
        match SheetColumns::find(&cells) {
            Ok(columns) => return Ok((columns, sheet)),
            Err(HeaderError::Repeated(column)) => return Err(Unusable::RepeatedColumn(column)),
            Err(HeaderError::Unclear(unclear)) => return Err(unclear.into()),
            Err(HeaderError::Missing(found)) if found.len() < missing.len() => missing = found,
            Err(HeaderError::Missing(_)) => {}
        }
    }
    Err(Unusable::MissingColumns(missing))
}

/// Reads the rows below the header; returns the bytes of texts so far.
fn read_rows(
    mut sheet: LimitedSheet<'_>,
    columns: &SheetColumns,
    rows: &mut QuestionRows,
    progress: ReadProgress<'_>,
) -> Result<usize, Unusable> {
    let (mut cells, mut told) = (Vec::new(), 0);
    while let Some(number) = sheet.next_row(&mut cells)? {
        if !columns.are_empty(&cells) {
            rows.take(number, columns.draft(&cells), &mut || Uuid::new_v4().to_string());
        }
        if rows.len() > ROWS_MAX as usize {
            return Err(Unusable::TooManyRows);
        }
        if number >= told {
            progress(number, sheet.claimed_rows().max(number));
            told = number + TOLD_EVERY;
        }
    }
    rows.hidden += sheet.hidden_rows();
    Ok(sheet.texts_bytes())
}
