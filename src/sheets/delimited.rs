//! Rows of a text file with commas, semicolons or tabs between the cells, as spreadsheet programs save them.

use std::cmp::Reverse;
use std::io::Cursor;
use std::iter::Peekable;
use std::str::Chars;

use csv::{Reader, ReaderBuilder, StringRecord};
use domain::workbook::SheetCell;

use super::book::{Book, CELL_BYTES_MAX, COLUMNS_MAX, HEADER_WITHIN, SheetRows};
use super::text_encoding::{EncodingFault, decode, decode_lossily};
use super::unusable::Unusable;
use super::write::unguarded;

/// Characters that may separate cells. Spreadsheet programs choose one by the country that they are set to.
const DELIMITERS: [u8; 3] = [b',', b';', b'\t'];

/// A file with one sheet, which has no name.
pub struct DelimitedText {
    text: String,
    delimiter: u8,
    /// The encoding, if it was recognised by the letters alone.
    pub guessed: Option<&'static str>,
}

impl DelimitedText {
    /// Finds the encoding and the delimiter, which the file itself does not name. `known_columns` counts the columns of
    /// a header that its list knows.
    pub fn open(file: &[u8], known_columns: fn(&[SheetCell<'_>]) -> usize) -> Result<Self, Unusable> {
        match decode(file) {
            Ok(decoded) => Self::of(&decoded.text, decoded.guessed, known_columns),
            Err(EncodingFault::NotText) => Err(Unusable::NotAWorkbook),
            Err(fault) => Err(Self::unreadable(file, fault, known_columns)),
        }
    }

    fn of(
        text: &str,
        guessed: Option<&'static str>,
        known_columns: fn(&[SheetCell<'_>]) -> usize,
    ) -> Result<Self, Unusable> {
        // The last row counts as a line if that line ends.
        let text = with_plain_line_ends(text) + "\n";
        let known = |delimiter: &u8| known(&text, *delimiter, known_columns);
        let delimiter = DELIMITERS.into_iter().min_by_key(|delimiter| Reverse(known(delimiter)));
        // A text in which no column has a known name is no such list that lacks columns.
        let delimiter = delimiter.filter(|delimiter| known(delimiter) > 0).ok_or(Unusable::NotAWorkbook)?;
        match open_quote(&text, delimiter) {
            Some(row) => Err(Unusable::OpenQuote(row)),
            None => Ok(Self { text, delimiter, guessed }),
        }
    }

    /// What to say of a sheet whose letters are not known. Any other file is simply none.
    fn unreadable(file: &[u8], fault: EncodingFault, known_columns: fn(&[SheetCell<'_>]) -> usize) -> Unusable {
        let Ok(sheet) = Self::of(&decode_lossily(file), None, known_columns) else { return Unusable::NotAWorkbook };
        let EncodingFault::BrokenUtf8(place) = fault else { return Unusable::UnknownEncoding };
        let before = decode_lossily(file.get(..place).unwrap_or_default());
        Unusable::BrokenUtf8(sheet.row_at(with_plain_line_ends(&before).len() as u64))
    }

    /// The number of the row that this byte of the text is in.
    fn row_at(&self, place: u64) -> u32 {
        let mut rows = DelimitedRows { records: records(&self.text, self.delimiter), lines_within: 0 };
        let (mut cells, mut row) = (Vec::new(), 1);
        while let Ok(Some(number)) = rows.next_row(&mut cells) {
            row = number;
            if rows.records.position().byte() > place {
                break;
            }
        }
        row
    }
}

/// Old programs end a line with a carriage return alone.
fn with_plain_line_ends(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

impl Book for DelimitedText {
    fn visible_sheets(&self) -> Vec<String> {
        vec![String::new()]
    }

    fn open(&mut self, _: &str) -> Result<Box<dyn SheetRows<'_> + '_>, Unusable> {
        Ok(Box::new(DelimitedRows { records: records(&self.text, self.delimiter), lines_within: 0 }))
    }
}

/// The row of the first cell whose quotation mark nothing ends, or behind whose end something stands: then the mark
/// that ends it belongs to a later cell, and the rows between them would be one cell.
fn open_quote(text: &str, delimiter: u8) -> Option<u32> {
    let delimiter = char::from(delimiter);
    let (mut letters, mut row, mut is_at_begin) = (text.chars().peekable(), 1, true);
    while let Some(letter) = letters.next() {
        if letter == '"' && is_at_begin {
            if !quote_ends(&mut letters, delimiter) {
                return Some(row);
            }
            is_at_begin = false;
            continue;
        }
        is_at_begin = letter == delimiter || letter == '\n';
        row += u32::from(letter == '\n');
    }
    None
}

/// Reads a cell to the quotation mark that ends it; false if there is none, or text behind it.
fn quote_ends(letters: &mut Peekable<Chars<'_>>, delimiter: char) -> bool {
    while let Some(letter) = letters.next() {
        if letter == '"' && letters.next_if_eq(&'"').is_none() {
            let is_end = |letter: &char| *letter == delimiter || *letter == '\n';
            while letters.next_if(|letter| !is_end(letter) && letter.is_whitespace()).is_some() {}
            return letters.peek().is_none_or(is_end);
        }
    }
    false
}

/// How many known columns the best header among the first rows has.
fn known(text: &str, delimiter: u8, known_columns: fn(&[SheetCell<'_>]) -> usize) -> usize {
    let mut rows = DelimitedRows { records: records(text, delimiter), lines_within: 0 };
    let (mut cells, mut most) = (Vec::new(), 0);
    for _ in 0..HEADER_WITHIN {
        let Ok(Some(_)) = rows.next_row(&mut cells) else { break };
        most = most.max(known_columns(&cells));
    }
    most
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

    fn hidden_rows(&self) -> u32 {
        0
    }

    fn claimed_rows(&self) -> u32 {
        0
    }
}

fn cell<'a>(text: &str) -> SheetCell<'a> {
    match text {
        "" => SheetCell::Empty,
        text if text.len() > CELL_BYTES_MAX => SheetCell::TooLong,
        text => SheetCell::Text(meant(text).into()),
    }
}

/// The text that a cell shows in a spreadsheet: `="00042"`, by which programs keep the zeros of an id, is the text
/// between the quotation marks, and the apostrophe that keeps a text from being a formula is no part of it.
fn meant(text: &str) -> String {
    let quoted = text.trim().strip_prefix("=\"").and_then(|rest| rest.strip_suffix('"'));
    match quoted.filter(|inside| !inside.contains('"')) {
        Some(inside) => inside.to_owned(),
        None => unguarded(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheets::write::{TableCell, table_head, table_lines};

    fn known_columns(header: &[SheetCell<'_>]) -> usize {
        let is_known =
            |cell: &&SheetCell<'_>| matches!(cell, SheetCell::Text(text) if ["grade", "question"].contains(&&**text));
        header.iter().filter(is_known).count()
    }

    fn numbered(text: &str) -> Vec<(u32, Vec<String>)> {
        let mut book = DelimitedText::open(text.as_bytes(), known_columns).unwrap();
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
    fn a_bad_byte_is_named_by_its_row() {
        let text = "grade,question\n5,\"Nguyễn\nThị\"\n\n6,Trần\n7,Ánh\n";
        for (wanted, row) in [("Nguyễn", 2), ("Thị", 2), ("Trần", 4), ("Ánh", 5)] {
            let mut bytes = text.as_bytes().to_vec();
            let place = text.find(wanted).unwrap() + wanted.find(|letter: char| !letter.is_ascii()).unwrap();
            bytes[place] = 0xff;
            assert_eq!(DelimitedText::open(&bytes, known_columns).err(), Some(Unusable::BrokenUtf8(row)), "{wanted}");
        }
    }

    #[test]
    fn a_quotation_mark_that_is_not_closed_is_an_error_where_it_opens() {
        for (rows, row) in
            [("5,\"a\n6,b\n", 2), ("5,a\n6,\"b\n7,c\n8,\"d\"\n", 3), ("5,\"a\nb\"\n\n7,\"c\n", 4), ("5,\"a\"b\n", 2)]
        {
            let text = format!("grade,question\n{rows}");
            assert_eq!(
                DelimitedText::open(text.as_bytes(), known_columns).err(),
                Some(Unusable::OpenQuote(row)),
                "{text}"
            );
        }
        for rows in ["5,\"a \"\"b\"\" c\"\n", "5,5\" wide\n", "5,\"a\" \n6,\"b\"", "5,\"\"", "5,=\"7\"\n"] {
            assert!(DelimitedText::open(format!("grade,question\n{rows}").as_bytes(), known_columns).is_ok(), "{rows}");
        }
    }

    #[test]
    fn what_keeps_a_text_from_being_a_number_or_a_formula_is_no_part_of_it() {
        let text = "grade,question\n=\"00042\",\"=\"\"00043\"\"\"\n'=1+1,'t Hooft\n'-5,=1+1\n";
        let all: Vec<Vec<String>> = numbered(text).into_iter().skip(1).map(|(_, cells)| cells).collect();
        assert_eq!(all, [["00042", "00043"], ["=1+1", "'t Hooft"], ["-5", "=1+1"]]);
    }

    #[test]
    fn our_own_tables_come_back_as_they_were() {
        let texts =
            ["Ada", "=1+1", "'=1", "''-x", "a;=b", "x\ty", "1\n-2", "00042", "-5", "say \"a\", b", "=\"7\"", "'t"];
        let rows: Vec<[TableCell; 1]> = texts.map(|text| [TableCell::Text(text.to_owned())]).into();
        let file = [table_head(&["question"]).unwrap(), table_lines(&rows).unwrap()].concat();
        let mut book = DelimitedText::open(&file, known_columns).unwrap();
        let mut sheet = book.open("").unwrap();
        let (mut cells, mut read) = (Vec::new(), Vec::new());
        while sheet.next_row(&mut cells).unwrap().is_some() {
            read.push(cells[0].shown().unwrap().into_owned());
        }
        assert_eq!(read[1..], texts);
    }

    #[test]
    fn a_text_about_something_else_is_no_sheet() {
        for text in
            ["", "\n\n", "Dear all, the exam is on Monday.", "{\"error\": \"x\", \"code\": 1}", "name,room\nAda,4"]
        {
            assert!(
                matches!(DelimitedText::open(text.as_bytes(), known_columns), Err(Unusable::NotAWorkbook)),
                "{text}"
            );
        }
    }
}
