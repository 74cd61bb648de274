//! Exam Hall: an exam server that loses no answer. The modules stand in the order of their
//! dependencies, the most basic first.

#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::float_cmp)
)]

/// Options, and where they come from.
pub mod config;

/// The only reader of the system's time.
pub mod clock;

/// Logs and metrics.
pub mod telemetry;

/// TLS to other servers.
pub mod tls;

/// Errors, and how callers are answered.
pub mod error;

/// The database, its connections and its transactions.
pub mod database;

/// Batches that are stored by one transaction each.
pub mod batch;

/// What waits to be counted in the database, apart from the answers.
pub mod tally;

/// Copies and messages that servers share beside the database.
pub mod redis;

/// SQL of the assessment tables.
pub mod store;

/// What every feature stands on.
pub mod base;

/// What leaves this server by itself.
pub mod outgoing;

/// Where assessment data is stored: here, or in an external service.
pub mod provider;

/// Everything that all routes share.
pub mod http;

/// Files with sheets, read and written.
pub mod sheets;

/// Callers and their rights.
pub mod auth;

/// Pictures of questions that were uploaded here.
pub mod pictures;

/// The question bank, and the files in which questions come and go.
pub mod questions;

/// Webhooks and their outbox.
pub mod webhooks;

/// Finished tests.
pub mod sessions;

/// Test templates with share links.
pub mod templates;

/// Exams for cohorts, at set times.
pub mod sittings;

/// Lists of people that the school keeps, from which rosters are filled.
pub mod classes;

/// Results of finished tests with every answer, for teachers.
pub mod results;

/// Corrected keys, and the results that follow them.
pub mod corrections;

/// Receipts of finished tests, and the logs of sittings.
pub mod receipts;

/// Live exams.
pub mod live;

/// Learning platforms, of which this server is a tool (LTI).
pub mod lti;

/// PDF reports.
pub mod reports;

/// Review of questions and the sign-off of grades.
pub mod review;

/// Users and API tokens.
pub mod users;

/// The school's settings.
pub mod school;

/// What admins and managers have done.
pub mod audit;

/// The state of the running service, for admins.
pub mod operations;

/// The calendar of events.
pub mod calendar;

/// The contract of data providers, served to other servers.
pub mod provider_api;

/// Opens, mounts, starts and stops all of the above.
pub mod app;

/// The command line.
pub mod cli;
