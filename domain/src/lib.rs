//! What Exam Hall decides, apart from how it remembers and carries: no I/O, no clock, no randomness of its own.
//!
//! Time and randomness come in as arguments, so every rule here is tested without a runtime.

#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::float_cmp)
)]

pub mod access;
pub mod attempt;
pub mod band;
pub mod calendar;
pub mod delivery;
pub mod grade;
pub mod item_statistics;
pub mod json_limits;
pub mod order;
pub mod progress;
pub mod question;
pub mod resources;
pub mod retry;
pub mod review;
pub mod room;
pub mod scoring;
pub mod selection;
pub mod session;
pub mod template;
pub mod text;
pub mod time;
pub mod transfer;
pub mod webhook_target;
pub mod workbook;
