//! Everything that is printed: the table at the end of a run with its verdict, and how far the run is. No other file writes to the terminal.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a table on standard output is what the program is for")]

use crate::table::{Row, row, table};

/// Prints the table of a run, with its verdict as the last row.
pub fn print_rows(rows: &[Row], passed: bool) {
    let verdict = row("verdict", if passed { "passed" } else { "FAILED" }.to_owned());
    println!("{}", table(&[rows, &[verdict]].concat()));
}

/// Prints a sentence below the table.
pub fn remark(sentence: &str) {
    println!("{sentence}");
}

/// Says on standard error how far the run is.
pub fn progress(sentence: &str) {
    eprintln!("{sentence}");
}

/// Says on standard error why there is no result.
pub fn failure(failure: &(dyn std::error::Error + Send + Sync)) {
    eprintln!("error: {failure}");
}
