//! The results as a workbook, which is made in memory.

use domain::time::moment::Moment;
use futures_util::stream::{BoxStream, TryStreamExt};
use rust_xlsxwriter::{ExcelDateTime, Format, Workbook, Worksheet, XlsxError};

use super::{HEADINGS, ResultCell, ResultRow, is_formula};
use crate::error::Error;

/// Rows of a workbook. A longer table is read as CSV, which is streamed.
const WORKBOOK_RESULTS_MAX: usize = 50_000;
const TOO_MANY: &str = "Too many results for a workbook: ask for fewer, or for format=csv";

/// All rows, if they are few enough for a workbook.
pub(super) async fn rows_of(
    mut pages: BoxStream<'static, Result<Vec<ResultRow>, Error>>,
) -> Result<Vec<ResultRow>, Error> {
    let mut rows = Vec::new();
    while let Some(page) = pages.try_next().await? {
        rows.extend(page);
        if rows.len() > WORKBOOK_RESULTS_MAX {
            return Err(Error::Invalid(TOO_MANY.to_owned()));
        }
    }
    Ok(rows)
}

pub(super) fn file_of(rows: &[ResultRow]) -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    let bold = Format::new().set_bold();
    let time = Format::new().set_num_format("yyyy-mm-dd hh:mm:ss");
    // With the mark that says that the content is no formula, also when someone edits it.
    let quoted = Format::new().set_quote_prefix();
    sheet.set_name("Results")?.set_freeze_panes(1, 0)?;
    for (column, heading) in (0..).zip(HEADINGS) {
        sheet.write_string_with_format(0, column, heading, &bold)?;
    }
    for (line, row) in (1..).zip(rows) {
        for (column, cell) in (0..).zip(row) {
            put(sheet, line, column, cell, &time, &quoted)?;
        }
    }
    let last_row = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    sheet.autofilter(0, 0, last_row, HEADINGS.len() as u16 - 1)?;
    sheet.set_column_range_width(0, HEADINGS.len() as u16 - 1, 16)?;
    workbook.save_to_buffer()
}

fn put(
    sheet: &mut Worksheet,
    line: u32,
    column: u16,
    cell: &ResultCell,
    time: &Format,
    quoted: &Format,
) -> Result<(), XlsxError> {
    match cell {
        ResultCell::Text(text) if is_formula(text) => sheet.write_string_with_format(line, column, text, quoted)?,
        ResultCell::Text(text) => sheet.write_string(line, column, text)?,
        ResultCell::Number(number) => sheet.write_number(line, column, *number)?,
        ResultCell::Time(milliseconds) => match ExcelDateTime::from_timestamp(milliseconds.div_euclid(1_000)) {
            Ok(moment) => sheet.write_datetime_with_format(line, column, &moment, time)?,
            // A year before 1900, which a client may have sent, is no date to a spreadsheet.
            Err(_) => sheet.write_string(line, column, Moment::from_milliseconds(*milliseconds).iso())?,
        },
        ResultCell::Empty => return Ok(()),
    };
    Ok(())
}
