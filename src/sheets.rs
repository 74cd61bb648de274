//! Spreadsheets, whatever is in them: files that people send are read within limits, and tables are written for them.
//! It knows no questions and no rosters: what a row means is for the feature that reads it.

mod archive;
pub mod book;
mod cells;
pub mod delimited;
pub mod mark_cells;
mod marks;
mod number_format;
mod ods;
mod styles;
pub mod table;
pub mod text_encoding;
pub mod turns;
pub mod unusable;
pub mod write;
mod xlsx;
