//! The results as CSV, which is streamed page by page.

use actix_web::web::Bytes;
use csv::Writer;
use domain::time::moment::Moment;
use futures_util::stream::{self, BoxStream, StreamExt, TryStreamExt};

use super::{HEADINGS, ResultCell, ResultRow, is_formula};
use crate::error::Error;

/// Spreadsheets take a file without it for text in the encoding of their country.
const BYTE_ORDER_MARK: &str = "\u{feff}";
/// Where some spreadsheets begin another cell or row, whatever the file separates cells with: in countries with a
/// decimal comma, at a semicolon, and then without regard to quotation marks inside a line.
const CELL_ENDS: [char; 4] = [';', '\t', '\n', '\r'];

/// The table as CSV, page by page. An error on the first page is answered as one.
pub(super) async fn stream(
    mut pages: BoxStream<'static, Result<Vec<ResultRow>, Error>>,
) -> Result<BoxStream<'static, Result<Bytes, Error>>, Error> {
    let first = pages.try_next().await?.unwrap_or_default();
    let head = [BYTE_ORDER_MARK.as_bytes(), &lines([HEADINGS.map(str::to_owned)])?, &csv_page(&first)?].concat();
    let more = pages.map(|page| csv_page(&page?).map(Bytes::from));
    Ok(stream::iter([Ok(Bytes::from(head))]).chain(more).boxed())
}

fn csv_page(rows: &[ResultRow]) -> Result<Vec<u8>, Error> {
    lines(rows.iter().map(|row| row.each_ref().map(csv_cell)))
}

fn lines(rows: impl IntoIterator<Item = [String; HEADINGS.len()]>) -> Result<Vec<u8>, Error> {
    let mut writer = Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(&row).map_err(Error::internal)?;
    }
    writer.into_inner().map_err(|error| Error::internal(error.to_string()))
}

/// The text of a cell. A name that looks like a formula gets an apostrophe, by which spreadsheets know a text.
fn csv_cell(cell: &ResultCell) -> String {
    match cell {
        ResultCell::Text(text) => guarded(text),
        ResultCell::Number(number) => number.to_string(),
        ResultCell::Time(milliseconds) => Moment::from_milliseconds(*milliseconds).iso(),
        ResultCell::Empty => String::new(),
    }
}

/// The text with an apostrophe at each place where a spreadsheet may begin a cell and find a formula.
fn guarded(text: &str) -> String {
    let parts = text.split_inclusive(CELL_ENDS);
    parts.map(|part| format!("{}{part}", if is_formula(part) { "'" } else { "" })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
        ] {
            assert_eq!(guarded(text), expected);
        }
    }
}
