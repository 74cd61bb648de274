//! Tables that are downloaded for spreadsheets: the same cells as CSV and as a workbook.

use csv::Writer;
use domain::text::direction::unturned;
use domain::time::moment::Moment;
use rust_xlsxwriter::{ExcelDateTime, Format, Workbook, Worksheet, XlsxError};

use crate::error::Error;

pub const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
pub const CSV: &str = "text/csv; charset=utf-8";
/// Marks a file as UTF-8. Without it, spreadsheet programs assume the encoding of their country.
const BYTE_ORDER_MARK: &str = "\u{feff}";
/// A text that begins with one of these is a formula for a spreadsheet; some take the wide signs of East Asian
/// keyboards for the others.
const FORMULA_BEGINS: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];
/// Where some spreadsheets begin another cell or row, whatever the file separates cells with: in countries with a
/// decimal comma, at a semicolon, and then without regard to quotation marks inside a line.
const CELL_ENDS: [char; 4] = [';', '\t', '\n', '\r'];

/// A cell of a table.
pub enum TableCell {
    Text(String),
    Number(f64),
    /// In milliseconds since 1970.
    Time(i64),
    Empty,
}

/// The beginning of a table as CSV, with its headings.
pub fn table_head(headings: &[impl AsRef<str>]) -> Result<Vec<u8>, Error> {
    Ok([BYTE_ORDER_MARK.as_bytes(), &lines([headings.iter().map(|heading| guarded(heading.as_ref()))])?].concat())
}

/// Takes the column of this name off a table in which no row has anything in it.
pub fn without_unused_column<Heading: AsRef<str>>(
    name: &str,
    mut headings: Vec<Heading>,
    mut rows: Vec<Vec<TableCell>>,
) -> (Vec<Heading>, Vec<Vec<TableCell>>) {
    let is_unused = |place: &usize| rows.iter().all(|row| matches!(row.get(*place), None | Some(TableCell::Empty)));
    let place = headings.iter().position(|heading| heading.as_ref() == name).filter(is_unused);
    if let Some(place) = place {
        headings.remove(place);
        rows.iter_mut().filter(|row| place < row.len()).for_each(|row| drop(row.remove(place)));
    }
    (headings, rows)
}

/// Rows of a table as CSV.
pub fn table_lines(rows: &[impl AsRef<[TableCell]>]) -> Result<Vec<u8>, Error> {
    lines(rows.iter().map(|row| row.as_ref().iter().map(csv_cell)))
}

fn lines<Cell: AsRef<[u8]>>(rows: impl IntoIterator<Item = impl Iterator<Item = Cell>>) -> Result<Vec<u8>, Error> {
    let mut writer = Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).map_err(Error::internal)?;
    }
    writer.into_inner().map_err(|error| Error::internal(error.to_string()))
}

/// The text of a cell. A name that looks like a formula gets an apostrophe, by which spreadsheets know a text. One with
/// marks that turn what follows would turn the rest of its line in a program that shows the file as it is.
fn csv_cell(cell: &TableCell) -> String {
    match cell {
        TableCell::Text(text) => guarded(&unturned(text)),
        TableCell::Number(number) => number.to_string(),
        TableCell::Time(milliseconds) => Moment::from_milliseconds(*milliseconds).iso(),
        TableCell::Empty => String::new(),
    }
}

/// The text with apostrophes at each place where a spreadsheet may begin a cell and find a formula: one, or two where
/// another follows. So [`unguarded`] can leave the quotation marks of other people's texts, such as `'+'`.
fn guarded(text: &str) -> String {
    let parts = text.split_inclusive(CELL_ENDS);
    parts.map(|part| format!("{}{part}", if is_formula(bare(part)) { marks_before(part) } else { "" })).collect()
}

/// The text as it was before [`guarded`].
#[must_use]
pub fn unguarded(text: &str) -> String {
    text.split_inclusive(CELL_ENDS).map(original).collect()
}

fn original(part: &str) -> &str {
    part.strip_prefix(marks_before(part)).filter(|rest| is_formula(bare(rest))).unwrap_or(part)
}

fn marks_before(part: &str) -> &'static str {
    if bare(part).contains('\'') { "''" } else { "'" }
}

fn bare(part: &str) -> &str {
    part.trim_start_matches('\'')
}

/// Returns whether the text is a formula where a cell begins with it. Blanks and quotation marks do not count: programs
/// may drop them.
fn is_formula(text: &str) -> bool {
    let is_dropped = |letter: char| letter == '"' || (letter.is_whitespace() && !FORMULA_BEGINS.contains(&letter));
    text.trim_start_matches(is_dropped).starts_with(FORMULA_BEGINS)
}

/// A table as a workbook with one sheet.
pub fn table_workbook(
    name: &str,
    headings: &[impl AsRef<str>],
    rows: &[impl AsRef<[TableCell]>],
) -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    let bold = Format::new().set_bold();
    let time = Format::new().set_num_format("yyyy-mm-dd hh:mm:ss");
    // With the mark that says that the content is no formula, also when someone edits it.
    let quoted = Format::new().set_quote_prefix();
    sheet.set_name(name)?.set_freeze_panes(1, 0)?;
    for (column, heading) in (0..).zip(headings) {
        sheet.write_string_with_format(0, column, heading.as_ref(), &bold)?;
    }
    for (line, row) in (1..).zip(rows) {
        for (column, cell) in (0..).zip(row.as_ref()) {
            put(sheet, line, column, cell, &time, &quoted)?;
        }
    }
    let last_row = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    let last_column = u16::try_from(headings.len()).unwrap_or(1) - 1;
    sheet.autofilter(0, 0, last_row, last_column)?;
    sheet.set_column_range_width(0, last_column, 16)?;
    workbook.save_to_buffer()
}

fn put(
    sheet: &mut Worksheet,
    line: u32,
    column: u16,
    cell: &TableCell,
    time: &Format,
    quoted: &Format,
) -> Result<(), XlsxError> {
    match cell {
        TableCell::Text(text) => {
            let text = unturned(text);
            if is_formula(&text) {
                sheet.write_string_with_format(line, column, &*text, quoted)?
            } else {
                sheet.write_string(line, column, &*text)?
            }
        }
        TableCell::Number(number) => sheet.write_number(line, column, *number)?,
        TableCell::Time(milliseconds) => match ExcelDateTime::from_timestamp(milliseconds.div_euclid(1_000)) {
            Ok(moment) => sheet.write_datetime_with_format(line, column, &moment, time)?,
            // A year before 1900, which a client may have sent, is no date to a spreadsheet.
            Err(_) => sheet.write_string(line, column, Moment::from_milliseconds(*milliseconds).iso())?,
        },
        TableCell::Empty => return Ok(()),
    };
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_that_nobody_needs_is_left_out() {
        let shape = |form: Option<&str>| {
            let text = |text: &str| TableCell::Text(text.to_owned());
            let rows = vec![
                vec![text("Ada"), form.map_or(TableCell::Empty, text), text("640")],
                vec![text("Bo"), TableCell::Empty, TableCell::Empty],
            ];
            let (headings, rows) = without_unused_column("form", vec!["name", "form", "score"], rows);
            (headings, rows.iter().map(Vec::len).collect::<Vec<_>>())
        };
        assert_eq!(shape(None), (vec!["name", "score"], vec![2, 2]));
        assert_eq!(shape(Some("B")), (vec!["name", "form", "score"], vec![3, 3]));
        let (headings, _) = without_unused_column("room", vec!["name", "form"], Vec::new());
        assert_eq!(headings, ["name", "form"]);
    }

    #[test]
    fn no_name_turns_what_stands_beside_it() {
        let rows = [vec![TableCell::Text("\u{202E}=adA\u{5D0}".to_owned()), TableCell::Number(640.0)]];
        let lines = String::from_utf8(table_lines(&rows).unwrap()).unwrap();
        assert_eq!(lines, "'=adA\u{5D0},640\n", "and a formula is none behind such a mark");
        assert!(table_workbook("Results", &["name", "score"], &rows).is_ok());
    }

    #[test]
    fn no_text_is_a_formula_wherever_a_program_separates_it() {
        for (text, expected) in [
            ("Ada", "Ada"),
            ("Ada; =1 of them", "Ada;' =1 of them"),
            ("=1+1", "'=1+1"),
            ("\u{a0} +1", "'\u{a0} +1"),
            ("x;=1+1", "x;'=1+1"),
            ("x;\"=1+1\"", "x;'\"=1+1\""),
            ("x\t@SUM(A1)", "x\t'@SUM(A1)"),
            ("x\n-1", "x\n'-1"),
            ("＝1；", "'＝1；"),
            ("a-b; c", "a-b; c"),
            ("'=1", "''=1"),
            ("'t Hooft", "'t Hooft"),
            ("x;'+1", "x;''+1"),
            ("'+'", "'''+'"),
            ("=A1'b", "''=A1'b"),
        ] {
            assert_eq!(guarded(text), expected);
            assert_eq!(unguarded(expected), text);
        }
        for of_others in ["'+'", "'=' means that both are the same", "x; '-'"] {
            assert_eq!(unguarded(of_others), of_others);
        }
    }
}
