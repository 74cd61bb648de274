//! Rows of a text file with commas, semicolons or tabs between the cells, as spreadsheet programs save them.

use std::io::Cursor;

use csv::{Reader, ReaderBuilder, StringRecord};
use domain::workbook::{HeaderError, Heading, SheetCell, SheetColumns};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use super::read::{Book, CELL_BYTES_MAX, COLUMNS_MAX, HEADER_WITHIN, SheetRows, Unusable};

/// What may stand between cells. Which one it is depends on the country that a spreadsheet program is set to.
const DELIMITERS: [u8; 3] = [b',', b';', b'\t'];

/// A file with one sheet, which has no name.
pub struct DelimitedText {
    text: String,
    delimiter: u8,
}

impl DelimitedText {
    /// Finds the encoding and the delimiter, which the file itself does not name.
    pub fn open(file: &[u8]) -> Result<Self, Unusable> {
        // Old programs end a line with a carriage return alone. The last row counts as a line if that line ends.
        let text = decoded(file).ok_or(Unusable::NotAWorkbook)?.replace("\r\n", "\n").replace('\r', "\n") + "\n";
        let delimiter = DELIMITERS.into_iter().min_by_key(|delimiter| missing(&text, *delimiter));
        // A text in which no column has a known name is no sheet of questions that lacks columns.
        delimiter
            .filter(|delimiter| missing(&text, *delimiter) < Heading::REQUIRED.len())
            .map(|delimiter| Self { text, delimiter })
            .ok_or(Unusable::NotAWorkbook)
    }
}

impl Book for DelimitedText {
    fn visible_sheets(&self) -> Vec<String> {
        vec![String::new()]
    }

    fn open(&mut self, _: &str) -> Result<Box<dyn SheetRows<'_> + '_>, Unusable> {
        Ok(Box::new(DelimitedRows { records: records(&self.text, self.delimiter), lines_within: 0 }))
    }
}

/// The text of a file: UTF-8 with or without a mark at its beginning, UTF-16 with one, or else Windows-1252.
fn decoded(file: &[u8]) -> Option<String> {
    let encoding = match Encoding::for_bom(file) {
        Some((encoding, _)) => encoding,
        // Texts have no zeros, and most other files do.
        None if file.contains(&0) => return None,
        None if str::from_utf8(file).is_ok() => UTF_8,
        None => WINDOWS_1252,
    };
    let (text, _, is_broken) = encoding.decode(file);
    (!is_broken && !text.contains('\0')).then(|| text.into_owned())
}

/// How many required columns the best header among the first rows lacks.
fn missing(text: &str, delimiter: u8) -> usize {
    let mut rows = DelimitedRows { records: records(text, delimiter), lines_within: 0 };
    let (mut cells, mut least) = (Vec::new(), Heading::REQUIRED.len());
    for _ in 0..HEADER_WITHIN {
        let Ok(Some(_)) = rows.next_row(&mut cells) else { break };
        least = match SheetColumns::find(&cells) {
            Err(HeaderError::Missing(columns)) => least.min(columns.len()),
            Ok(_) | Err(HeaderError::Repeated(_)) => 0,
        };
    }
    least
}

fn records(text: &str, delimiter: u8) -> Reader<Cursor<&str>> {
    ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(Cursor::new(text))
}

struct DelimitedRows<'a> {
    records: Reader<Cursor<&'a str>>,
    /// Line ends within the cells so far: a spreadsheet counts a row with such a cell as one.
    lines_within: u64,
}

impl<'a> SheetRows<'a> for DelimitedRows<'_> {
    fn next_row(&mut self, row: &mut Vec<SheetCell<'a>>) -> Result<Option<u32>, Unusable> {
        let mut record = StringRecord::new();
        while self.records.read_record(&mut record).map_err(|_| Unusable::NotAWorkbook)? {
            row.clear();
            row.extend(record.iter().take(COLUMNS_MAX).map(cell));
            if record.iter().skip(COLUMNS_MAX).any(|cell| !cell.trim().is_empty()) {
                return Err(Unusable::TooManyColumns);
            }
            self.lines_within += record.iter().map(|cell| cell.matches('\n').count() as u64).sum::<u64>();
            // The reader stands in the line after the record. The record itself names the line after the one before it,
            // from which empty lines may still separate it.
            let line = self.records.position().line().saturating_sub(1);
            let number = u32::try_from(line.saturating_sub(self.lines_within)).unwrap_or(u32::MAX);
            if !row.iter().all(SheetCell::is_empty) {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    fn claimed_rows(&self) -> u32 {
        0
    }
}

fn cell<'a>(text: &str) -> SheetCell<'a> {
    match text {
        "" => SheetCell::Empty,
        text if text.len() > CELL_BYTES_MAX => SheetCell::TooLong,
        text => SheetCell::Text(text.to_owned().into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(text: &str) -> Vec<(u32, Vec<String>)> {
        let mut book = DelimitedText::open(text.as_bytes()).unwrap();
        let mut rows = book.open("").unwrap();
        let (mut cells, mut all) = (Vec::new(), Vec::new());
        while let Some(number) = rows.next_row(&mut cells).unwrap() {
            all.push((number, cells.iter().map(|cell| cell.shown().unwrap().into_owned()).collect()));
        }
        all
    }

    #[test]
    fn rows_have_the_numbers_that_a_spreadsheet_shows() {
        for line_end in ["\n", "\r\n", "\r"] {
            let text = "grade,question|5,\"a|b\"|||6,c".replace('|', line_end);
            let numbers: Vec<u32> = numbered(&text).into_iter().map(|(number, _)| number).collect();
            assert_eq!(numbers, [1, 2, 5], "{line_end:?}");
        }
    }

    #[test]
    fn the_delimiter_is_the_one_that_gives_a_header() {
        for (text, cells) in [
            ("grade;question\n5;\"1,5; 2\"", ["5", "1,5; 2"]),
            ("grade\tquestion\n5\ta,b;c", ["5", "a,b;c"]),
            ("Export, of 2026\ngrade;question\n5;a,b", ["5", "a,b"]),
            ("grade,question\n5,a;b;c;d", ["5", "a;b;c;d"]),
        ] {
            assert_eq!(numbered(text).pop().unwrap().1, cells, "{text}");
        }
    }

    #[test]
    fn the_encoding_is_recognised() {
        let text = "grade,question\n5,Zürich – 5 €";
        let wide = |order: fn(u16) -> [u8; 2]| -> Vec<u8> {
            std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(order).collect()
        };
        let forms = [
            text.as_bytes().to_vec(),
            [b"\xef\xbb\xbf", text.as_bytes()].concat(),
            WINDOWS_1252.encode(text).0.into_owned(),
            wide(u16::to_le_bytes),
            wide(u16::to_be_bytes),
        ];
        for form in forms {
            assert_eq!(decoded(&form).unwrap(), text);
        }
        assert_eq!(decoded(b"\x89PNG\r\n\x1a\n\0\0"), None);
        assert_eq!(decoded(b"\xef\xbb\xbf\xff"), None);
    }

    #[test]
    fn a_text_about_something_else_is_no_sheet() {
        for text in
            ["", "\n\n", "Dear all, the exam is on Monday.", "{\"error\": \"x\", \"code\": 1}", "name,room\nAda,4"]
        {
            assert!(matches!(DelimitedText::open(text.as_bytes()), Err(Unusable::NotAWorkbook)), "{text}");
        }
    }
}
