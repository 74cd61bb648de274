//! Reads lists with a header, such as rosters, from the first sheet that has it.

use domain::text::heading::UnclearHeading;
use domain::workbook::SheetCell;

use super::book::{Book, HEADER_WITHIN, LimitedSheet, ROWS_MAX, ReadBook, read_book};
use super::delimited::DelimitedText;
use super::unusable::Unusable;

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

/// Whether a count of hidden rows need not be told.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub const fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// Reads the first visible sheet with the header of the list.
pub fn read_table<Reader: TableReader>(file: Vec<u8>, reader: &mut Reader) -> Result<TableFacts, Unusable> {
    let ReadBook { made: hidden_rows, guessed_encoding: read_as } =
        read_book(file, open_text::<Reader>, |book| read_list(book, reader))?;
    Ok(TableFacts { read_as, hidden_rows })
}

fn open_text<Reader: TableReader>(file: &[u8]) -> Result<DelimitedText, Unusable> {
    match DelimitedText::open(file, Reader::known_columns) {
        // A text without the header is a list that lacks its columns, or no list at all.
        Err(Unusable::NotAWorkbook) if str::from_utf8(file).is_ok() => Err(lacking::<Reader>()),
        text => text,
    }
}

/// Reads the list; returns how many of its rows are hidden.
fn read_list<Reader: TableReader>(book: &mut dyn Book, reader: &mut Reader) -> Result<u32, Unusable> {
    for name in book.visible_sheets() {
        let mut sheet = LimitedSheet::new(book.open(&name)?, 0);
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
                return Ok(sheet.hidden_rows());
            }
        }
    }
    Err(lacking::<Reader>())
}

fn lacking<Reader: TableReader>() -> Unusable {
    Unusable::MissingColumns(vec![Reader::missing()])
}
