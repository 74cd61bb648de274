//! Prints tables, verdicts and progress. It is the only file that writes to the terminal, so that clippy can forbid it
//! elsewhere.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a table on standard output is what the program is for")]

use crate::table::{Row, row, table};

/// Prints the table of a run, with its verdict as the last row.
pub fn print_rows(rows: &[Row], passed: bool) {
    let verdict = row("verdict", if passed { "passed" } else { "FAILED" }.to_owned());
    println!("{}", table(&[rows, &[verdict]].concat()));
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
