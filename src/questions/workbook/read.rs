//! Reads the questions of a file, whatever its format, within limits. It never holds a whole sheet in memory.

use calamine::XlsxError;
use domain::text::heading::UnclearHeading;
use domain::workbook::{HeaderError, Heading, SheetCell, SheetColumns, WorkbookRows};
use thiserror::Error as ThisError;
use uuid::Uuid;

use super::archive::FileFormat;
use super::delimited::DelimitedText;
use super::ods::OdsBook;
use super::xlsx::XlsxBook;
use crate::telemetry;

/// Rows of a sheet, including the header. An import of so many holds SQLite's one writer for up to a second
/// (`docs/decisions/0014-what-an-import-may-do.md`).
pub const ROWS_MAX: u32 = 50_000;
/// Columns of a sheet, several times as many as there are headings.
pub const COLUMNS_MAX: usize = 100;
/// Bytes of a text that is still read. A cell has at most 32,767 characters of up to four bytes, so a longer text can't
/// be valid.
pub const CELL_BYTES_MAX: usize = 4 * 32_767;
/// Bytes of the texts of all cells. A text that many cells share counts for each, because each gets a copy in its
/// question.
const TEXTS_BYTES_MAX: usize = 64 * 1_024 * 1_024;
/// If a sheet has this name, in any case, only that one is read. An export names its sheet so.
pub const QUESTIONS: &str = "Questions";
/// The header must be among the first filled rows; there may be a title above it.
pub const HEADER_WITHIN: usize = 10;
/// Progress is reported every so many rows.
const TOLD_EVERY: u32 = 100;
/// Visible sheets that are searched when none is called `Questions`.
const SHEETS_MAX: usize = 32;

/// Why a file is not read at all.
#[derive(Debug, PartialEq, Eq, ThisError)]
pub enum Unusable {
    /// Another kind of file, or a damaged one.
    #[error("Not a spreadsheet workbook")]
    NotAWorkbook,
    /// A spreadsheet in a format that is not read; this is what people call it.
    #[error("{0} is not read: save it as .xlsx")]
    OtherFormat(&'static str),
    #[error("The workbook is protected by a password: save it without one")]
    Protected,
    /// A text that is UTF-8 but for a byte in this row.
    #[error("Row {0}: a letter is not in UTF-8: save the file as UTF-8 or as .xlsx")]
    BrokenUtf8(u32),
    #[error("The encoding of the text is not known: save it as UTF-8 or as .xlsx")]
    UnknownEncoding,
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
    /// A column was probably meant to have another name: to pass over it could cost more than to ask.
    #[error("Column {0} is not known: did you mean {1}?")]
    UnclearColumn(String, &'static str),
    /// In this row of a text a quotation mark begins a cell, and none ends it, or something stands behind that one.
    #[error("Row {0}: a quotation mark is opened and not closed")]
    OpenQuote(u32),
    /// It is unclear which of two columns is meant.
    #[error("Column {0} stands twice")]
    RepeatedColumn(&'static str),
}

impl From<XlsxError> for Unusable {
    fn from(_: XlsxError) -> Self {
        Self::NotAWorkbook
    }
}

impl From<UnclearHeading> for Unusable {
    fn from(unclear: UnclearHeading) -> Self {
        Self::UnclearColumn(unclear.heading, unclear.meant)
    }
}

/// What a file says.
#[derive(Default)]
pub struct ReadFile {
    pub rows: WorkbookRows,
    /// The encoding of a text, if it was recognised by the letters alone.
    pub guessed_encoding: Option<&'static str>,
}

impl From<WorkbookRows> for ReadFile {
    fn from(rows: WorkbookRows) -> Self {
        Self { rows, guessed_encoding: None }
    }
}

/// Called now and then with the row being read and the number of rows that the sheet claims.
pub type ReadProgress<'a> = &'a mut dyn FnMut(u32, u32);

/// A file with sheets.
pub trait Book {
    /// The names of the sheets that its reader sees; hidden ones are not among them.
    fn visible_sheets(&self) -> Vec<String>;

    /// Opens the sheet of that name.
    fn open(&mut self, name: &str) -> Result<Box<dyn SheetRows<'_> + '_>, Unusable>;
}

/// A sheet whose rows are read one after the other.
pub trait SheetRows<'a> {
    /// Reads the next row that is not empty; returns its number as the spreadsheet shows it.
    fn next_row(&mut self, row: &mut Vec<SheetCell<'a>>) -> Result<Option<u32>, Unusable>;

    /// How many rows so far the sheet hides.
    fn hidden_rows(&self) -> u32;

    /// How many rows the sheet claims to have; 0 if it does not say.
    fn claimed_rows(&self) -> u32;
}

/// Reads the rows of the sheet `Questions`, or else of each visible sheet with the header row.
pub fn read(file: Vec<u8>, progress: ReadProgress<'_>) -> Result<ReadFile, Unusable> {
    // The file may have been made to break calamine. A panic there ends the reading of this workbook and nothing else.
    let read = telemetry::expecting_panics(|| match FileFormat::of(&file)? {
        FileFormat::Xlsx => read_book(&mut XlsxBook::open(file)?, progress).map(ReadFile::from),
        FileFormat::Ods => read_book(&mut OdsBook::open(file)?, progress).map(ReadFile::from),
        FileFormat::Text => {
            let mut text = DelimitedText::open(&file)?;
            Ok(ReadFile { rows: read_book(&mut text, progress)?, guessed_encoding: text.guessed })
        }
    });
    read.unwrap_or(Err(Unusable::NotAWorkbook))
}

fn read_book(book: &mut dyn Book, progress: ReadProgress<'_>) -> Result<WorkbookRows, Unusable> {
    let (mut rows, mut texts_bytes) = (WorkbookRows::default(), 0);
    let (mut missing, mut fault, mut unread) = (Heading::REQUIRED.map(Heading::name).to_vec(), None, Vec::new());
    for name in candidates(&*book)? {
        let opened = book.open(&name).and_then(|sheet| Sheet { rows: sheet, texts_bytes }.begin());
        match opened {
            Ok((columns, sheet)) => {
                rows.begin(columns, &name);
                texts_bytes = sheet.read(&mut rows, progress)?;
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
}

/// The sheets to read.
fn candidates(book: &dyn Book) -> Result<Vec<String>, Unusable> {
    let names = book.visible_sheets();
    match names.iter().find(|name| name.trim().eq_ignore_ascii_case(QUESTIONS)) {
        Some(name) => Ok(vec![name.clone()]),
        None if names.len() > SHEETS_MAX => Err(Unusable::TooManySheets),
        None => Ok(names),
    }
}

/// A sheet that is being read, within the limits of all formats.
pub(super) struct Sheet<'a> {
    rows: Box<dyn SheetRows<'a> + 'a>,
    /// Bytes of texts in this sheet and those before it.
    texts_bytes: usize,
}

impl<'a> Sheet<'a> {
    pub(super) fn new(rows: Box<dyn SheetRows<'a> + 'a>) -> Self {
        Self { rows, texts_bytes: 0 }
    }

    /// Reads everything down to the header.
    fn begin(mut self) -> Result<(SheetColumns, Self), Unusable> {
        let (mut cells, mut missing) = (Vec::new(), Heading::REQUIRED.map(Heading::name).to_vec());
        for _ in 0..HEADER_WITHIN {
            if self.next_row(&mut cells)?.is_none() {
                break;
            }
            match SheetColumns::find(&cells) {
                Ok(columns) => return Ok((columns, self)),
                Err(HeaderError::Repeated(column)) => return Err(Unusable::RepeatedColumn(column)),
                Err(HeaderError::Unclear(unclear)) => return Err(unclear.into()),
                Err(HeaderError::Missing(found)) if found.len() < missing.len() => missing = found,
                Err(HeaderError::Missing(_)) => {}
            }
        }
        Err(Unusable::MissingColumns(missing))
    }

    /// Reads the rows below the header; returns the bytes of texts so far.
    fn read(mut self, rows: &mut WorkbookRows, progress: ReadProgress<'_>) -> Result<usize, Unusable> {
        let (mut cells, mut told) = (Vec::new(), 0);
        while let Some(number) = self.next_row(&mut cells)? {
            rows.take(number, &cells, &mut || Uuid::new_v4().to_string());
            if rows.len() > ROWS_MAX as usize {
                return Err(Unusable::TooManyRows);
            }
            if number >= told {
                progress(number, self.rows.claimed_rows().max(number));
                told = number + TOLD_EVERY;
            }
        }
        rows.hidden += self.rows.hidden_rows();
        Ok(self.texts_bytes)
    }

    /// How many rows so far the sheet hides.
    pub(super) fn hidden_rows(&self) -> u32 {
        self.rows.hidden_rows()
    }

    pub(super) fn next_row(&mut self, cells: &mut Vec<SheetCell<'a>>) -> Result<Option<u32>, Unusable> {
        let number = self.rows.next_row(cells)?;
        let text_bytes = |cell: &SheetCell<'_>| if let SheetCell::Text(text) = cell { text.len() } else { 0 };
        self.texts_bytes += cells.iter().map(text_bytes).sum::<usize>();
        match number {
            _ if self.texts_bytes > TEXTS_BYTES_MAX => Err(Unusable::TooLargeUnpacked),
            Some(number) if number > ROWS_MAX => Err(Unusable::TooManyRows),
            number => Ok(number),
        }
    }
}
