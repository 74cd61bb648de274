//! Opens a file with sheets, whatever its format, and reads its rows within limits. It never holds a whole sheet in
//! memory.

use domain::workbook::SheetCell;

use super::archive::FileFormat;
use super::delimited::DelimitedText;
use super::ods::OdsBook;
use super::unusable::Unusable;
use super::xlsx::XlsxBook;
use crate::telemetry;

/// Bytes of a workbook file.
pub const FILE_BYTES_MAX: usize = 20 * 1_024 * 1_024;
/// Rows of a sheet, including the header. An import of so many holds SQLite's one writer for up to a second
/// (`docs/decisions/0014-what-an-import-may-do.md`).
pub const ROWS_MAX: u32 = 50_000;
/// Columns of a sheet, several times as many as any list has headings.
pub const COLUMNS_MAX: usize = 100;
/// Bytes of a text that is still read. A cell has at most 32,767 characters of up to four bytes, so a longer text can't
/// be valid.
pub const CELL_BYTES_MAX: usize = 4 * 32_767;
/// Bytes of the texts of all cells. A text that many cells share counts for each, because each gets a copy in what is
/// made of its row.
const TEXTS_BYTES_MAX: usize = 64 * 1_024 * 1_024;
/// The header must be among the first filled rows; there may be a title above it.
pub const HEADER_WITHIN: usize = 10;

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

/// What was made of a file with sheets.
pub struct ReadBook<Made> {
    pub made: Made,
    /// The encoding of a text, if it was recognised by the letters alone.
    pub guessed_encoding: Option<&'static str>,
}

/// Opens a file by its content and has its sheets read. `open_text` opens a text, for which the reader must say what
/// headers it knows.
pub fn read_book<Made>(
    file: Vec<u8>,
    open_text: impl FnOnce(&[u8]) -> Result<DelimitedText, Unusable>,
    read: impl FnOnce(&mut dyn Book) -> Result<Made, Unusable>,
) -> Result<ReadBook<Made>, Unusable> {
    let plain = |made| ReadBook { made, guessed_encoding: None };
    // The file may have been made to break calamine. A panic there ends the reading of this workbook and nothing else.
    let read = telemetry::expecting_panics(|| match FileFormat::of(&file)? {
        FileFormat::Xlsx => read(&mut XlsxBook::open(file)?).map(plain),
        FileFormat::Ods => read(&mut OdsBook::open(file)?).map(plain),
        FileFormat::Text => {
            let mut text = open_text(&file)?;
            Ok(ReadBook { made: read(&mut text)?, guessed_encoding: text.guessed })
        }
    });
    read.unwrap_or(Err(Unusable::NotAWorkbook))
}

/// A sheet that is being read, within the limits of all formats.
pub struct LimitedSheet<'a> {
    rows: Box<dyn SheetRows<'a> + 'a>,
    texts_bytes: usize,
}

impl<'a> LimitedSheet<'a> {
    /// `texts_bytes` is how many bytes of texts were read in the sheets before it.
    #[must_use]
    pub fn new(rows: Box<dyn SheetRows<'a> + 'a>, texts_bytes: usize) -> Self {
        Self { rows, texts_bytes }
    }

    /// Bytes of texts in this sheet so far and in those before it.
    #[must_use]
    pub const fn texts_bytes(&self) -> usize {
        self.texts_bytes
    }

    /// How many rows so far the sheet hides.
    #[must_use]
    pub fn hidden_rows(&self) -> u32 {
        self.rows.hidden_rows()
    }

    /// How many rows the sheet claims to have; 0 if it does not say.
    #[must_use]
    pub fn claimed_rows(&self) -> u32 {
        self.rows.claimed_rows()
    }

    /// Reads the next row that is not empty; returns its number as the spreadsheet shows it.
    pub fn next_row(&mut self, cells: &mut Vec<SheetCell<'a>>) -> Result<Option<u32>, Unusable> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_panics_finds_no_workbook() {
        let open_text = |text: &[u8]| DelimitedText::open(text, |header| header.len());
        let text = || b"grade,question\n5,What?\n".to_vec();
        let read = read_book::<()>(text(), open_text, |_| panic!("as intended"));
        assert_eq!(read.err(), Some(Unusable::NotAWorkbook));
        let read = read_book(text(), open_text, |book| Ok(book.visible_sheets().len()));
        assert_eq!(read.map(|book| book.made), Ok(1));
    }
}
