//! Lets candidates into a sitting, and gives them its paper: their own list, the doors, codes, and the sealed parts.
//! Their attempts are in `live`.

pub mod calendar_file;
pub mod current;
pub mod doors;
pub mod own;
pub mod paper;
pub mod sealed_paper;
pub mod sealing;
pub mod wrong_codes;
