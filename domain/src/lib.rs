//! The rules of Exam Hall, apart from storage and transport: no I/O, no clock and no randomness of its own.
//!
//! Time and randomness come in as arguments, so every rule here is tested without a runtime. It is a crate so that its
//! `Cargo.toml` keeps it pure (`docs/decisions/0025-domain-and-sample-bank-are-crates.md`).

#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::float_cmp)
)]

pub mod access;
pub mod attempt;
pub mod band;
pub mod browser_name;
pub mod calculator;
pub mod calendar;
pub mod correction;
pub mod delivery;
pub mod exchange;
pub mod file_name;
pub mod fixed_options;
pub mod form;
pub mod grade;
pub mod item_statistics;
pub mod json_limits;
pub mod lti;
pub mod mark;
pub mod measured_difficulty;
pub mod merkle;
pub mod move_code;
pub mod number;
pub mod option_counts;
pub mod option_order;
pub mod order;
pub mod picture;
pub mod pieces;
pub mod progress;
pub mod question;
pub mod question_types;
pub mod receipt;
pub mod resources;
pub mod retry;
pub mod review;
pub mod room;
pub mod school;
pub mod scoring;
pub mod selection;
pub mod session;
pub mod sheet_cell;
pub mod sight;
pub mod sitting;
pub mod status_message;
pub mod template;
pub mod text;
pub mod time;
pub mod topic;
pub mod transfer;
pub mod view;
pub mod webhook_target;
pub mod workbook;
