//! Where assessment data lives: questions, sessions and users.

pub mod local;
