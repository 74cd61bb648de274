//! Prints tables, verdicts and progress. It is the only file that writes to the terminal, so that clippy can forbid it
//! elsewhere.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a table on standard output is what the program is for")]

use crate::failure::Failure;
use crate::own::ROWS_FILE;
use crate::table::{Row, row, table};

/// Prints the table of a run, with its verdict as the last row. `--own` reads the rows from a file.
pub fn print_rows(rows: &[Row], passed: bool) {
    if let Some(file) = std::env::var_os(ROWS_FILE)
        && let Err(error) =
            serde_json::to_vec(rows).map_err(Failure::from).and_then(|text| Ok(std::fs::write(file, text)?))
    {
        eprintln!("The rows cannot be kept: {error}");
    }
    let verdict = row("verdict", if passed { "passed" } else { "FAILED" }.to_owned());
    println!("{}", table(&[rows, &[verdict]].concat()));
}

/// Prints rows that were found out after the run.
pub fn print_more(rows: &[Row]) {
    println!("{}", table(rows));
}

pub fn remark(sentence: &str) {
    println!("{sentence}");
}

/// Reports progress on standard error, which keeps standard output for the table.
pub fn progress(sentence: &str) {
    eprintln!("{sentence}");
}

/// Reports on standard error why there is no result.
pub fn failure(failure: &(dyn std::error::Error + Send + Sync)) {
    eprintln!("error: {failure}");
}
