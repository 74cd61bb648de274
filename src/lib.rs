//! Exam Hall: an exam server that loses no answer. The modules, in the direction in which they depend on each other.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::float_cmp))]

/// Options, and where they come from.
pub mod config;

/// The only reader of the time.
pub mod clock;

/// Logs and figures.
pub mod telemetry;

/// What goes wrong, and how a caller is told.
pub mod error;

/// Opens the store.
pub mod database;

/// Where assessment data lives.
pub mod provider;

/// What servers share besides the database.
pub mod redis;

/// SQL of the assessment tables.
pub mod store;

/// What every route shares.
pub mod http;

/// Who calls.
pub mod auth;

/// The question bank.
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

/// Review of questions.
pub mod review;

/// Progress of the review, and sign-off of grades.
pub mod manager;

/// Administration.
pub mod admin;

/// The calendar of events.
pub mod calendar;

/// The data service of others.
pub mod provider_api;

/// Puts all of it together.
pub mod app;

/// The command line.
pub mod cli;
