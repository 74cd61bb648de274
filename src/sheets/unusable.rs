//! Why a file with sheets is not read at all.

use calamine::XlsxError;
use domain::text::heading::UnclearHeading;
use thiserror::Error as ThisError;

use crate::error::Error;

/// Why a file is not read at all.
#[derive(Debug, PartialEq, Eq, ThisError)]
pub enum Unusable {
    /// Another kind of file, or a damaged one.
    #[error("Not a spreadsheet workbook")]
    NotAWorkbook,
    /// A spreadsheet in a format that is not read; this is what people call it.
    #[error("{0} is not read: save it as .xlsx")]
    OtherFormat(&'static str),
    #[error("The workbook is protected by a password: save it without one")]
    Protected,
    /// A text that is UTF-8 but for a byte in this row.
    #[error("Row {0}: a letter is not in UTF-8: save the file as UTF-8 or as .xlsx")]
    BrokenUtf8(u32),
    #[error("The encoding of the text is not known: save it as UTF-8 or as .xlsx")]
    UnknownEncoding,
    /// The file contains far more than its size suggests.
    #[error("The workbook is too large when unpacked")]
    TooLargeUnpacked,
    #[error("The sheet has more than 50,000 rows")]
    TooManyRows,
    #[error("The sheet has more than 100 columns")]
    TooManyColumns,
    /// None has the name of the one that would be read alone.
    #[error("The workbook has more than 32 sheets and none is called {0}")]
    TooManySheets(&'static str),
    /// No sheet has the header row.
    #[error("Missing columns: {}", .0.join(", "))]
    MissingColumns(Vec<&'static str>),
    /// A column was probably meant to have another name: to pass over it could cost more than to ask.
    #[error("Column {0} is not known: did you mean {1}?")]
    UnclearColumn(String, &'static str),
    /// In this row of a text a quotation mark begins a cell, and none ends it, or something stands behind that one.
    #[error("Row {0}: a quotation mark is opened and not closed")]
    OpenQuote(u32),
    /// It is unclear which of two columns is meant.
    #[error("Column {0} stands twice")]
    RepeatedColumn(&'static str),
}

impl From<XlsxError> for Unusable {
    fn from(_: XlsxError) -> Self {
        Self::NotAWorkbook
    }
}

impl From<UnclearHeading> for Unusable {
    fn from(unclear: UnclearHeading) -> Self {
        Self::UnclearColumn(unclear.heading, unclear.meant)
    }
}

impl From<Unusable> for Error {
    fn from(unusable: Unusable) -> Self {
        Self::Invalid(unusable.to_string())
    }
}
