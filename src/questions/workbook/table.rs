//! Reads lists that are no questions, such as rosters, from the same files and within the same limits.

use std::panic::{AssertUnwindSafe, catch_unwind};

use domain::text::heading::UnclearHeading;
use domain::workbook::SheetCell;

use super::archive::FileFormat;
use super::delimited::DelimitedText;
use super::ods::OdsBook;
use super::read::{Book, HEADER_WITHIN, ROWS_MAX, Sheet, Unusable};
use super::xlsx::XlsxBook;

/// What makes something of the rows of a list.
pub trait TableReader {
    /// Counts the columns of a header that the list knows; 0 for a row that can't be its header.
    fn known_columns(header: &[SheetCell<'_>]) -> usize;

    /// What a file without such a header lacks.
    fn missing() -> &'static str;

    /// Begins a file with this header. Fails for a heading that is probably mistyped.
    fn begin(&mut self, header: &[SheetCell<'_>]) -> Result<(), UnclearHeading>;

    /// Takes a row below it, with the number that a spreadsheet shows.
    fn take(&mut self, number: u32, cells: &[SheetCell<'_>]);
}

/// What people are told of a file beside its rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableFacts {
    /// The encoding of a text, if it was recognised by the letters alone.
    pub read_as: Option<&'static str>,
    /// How many rows the sheet hides, which are read like others.
    pub hidden_rows: u32,
}

impl TableFacts {
    /// What is told of two files.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self { read_as: self.read_as.or(other.read_as), hidden_rows: self.hidden_rows + other.hidden_rows }
    }
}

/// Reads the first visible sheet with the header of the list.
pub fn read_table<Reader: TableReader>(file: Vec<u8>, reader: &mut Reader) -> Result<TableFacts, Unusable> {
    // As with questions, a file may have been made to break calamine.
    catch_unwind(AssertUnwindSafe(|| match FileFormat::of(&file)? {
        FileFormat::Xlsx => read_book(&mut XlsxBook::open(file)?, reader),
        FileFormat::Ods => read_book(&mut OdsBook::open(file)?, reader),
        FileFormat::Text => match DelimitedText::open_by(&file, Reader::known_columns) {
            // A text without the header is a list that lacks its columns, or no list at all.
            Err(Unusable::NotAWorkbook) if str::from_utf8(&file).is_ok() => lacks::<Reader>(),
            text => {
                let mut text = text?;
                read_book(&mut text, reader).map(|facts| TableFacts { read_as: text.guessed, ..facts })
            }
        },
    }))
    .unwrap_or(Err(Unusable::NotAWorkbook))
}

fn read_book<Reader: TableReader>(book: &mut dyn Book, reader: &mut Reader) -> Result<TableFacts, Unusable> {
    for name in book.visible_sheets() {
        let mut sheet = Sheet::new(book.open(&name)?);
        let mut cells = Vec::new();
        for _ in 0..HEADER_WITHIN {
            if sheet.next_row(&mut cells)?.is_none() {
                break;
            }
            if Reader::known_columns(&cells) > 0 {
                reader.begin(&cells)?;
                while let Some(number) = sheet.next_row(&mut cells)? {
                    if number > ROWS_MAX {
                        return Err(Unusable::TooManyRows);
                    }
                    reader.take(number, &cells);
                }
                return Ok(TableFacts { read_as: None, hidden_rows: sheet.hidden_rows() });
            }
        }
    }
    lacks::<Reader>()
}

fn lacks<Reader: TableReader>() -> Result<TableFacts, Unusable> {
    Err(Unusable::MissingColumns(vec![Reader::missing()]))
}
