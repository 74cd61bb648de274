//! Exam Hall: an exam server that loses no answer. The modules, in the direction in which they depend on each other.

#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::float_cmp)
)]

/// Options, and where they come from.
pub mod config;

/// The only reader of the time.
pub mod clock;

/// Logs and metrics.
pub mod telemetry;

/// What goes wrong, and how callers are answered.
pub mod error;

/// Opens the database.
pub mod database;

/// Copies and messages that servers share beside the database.
pub mod redis;

/// SQL of the assessment tables.
pub mod store;

/// Where assessment data lives: here, or in an external service.
pub mod provider;

/// What every route shares.
pub mod http;

/// Who calls, and what they may do.
pub mod auth;

/// The question bank and its workbooks.
pub mod questions;

/// Webhooks and their outbox.
pub mod webhooks;

/// Finished tests.
pub mod sessions;

/// Test templates with a share link.
pub mod templates;

/// Live exams.
pub mod live;

/// Reports on paper.
pub mod reports;

/// Review of questions and the sign-off of grades.
pub mod review;

/// Users and API tokens.
pub mod users;

/// The calendar of events.
pub mod calendar;

/// The provider contract, served to other servers.
pub mod provider_api;

/// Opens, mounts, starts and stops everything.
pub mod app;

/// The command line.
pub mod cli;
