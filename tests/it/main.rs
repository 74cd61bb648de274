//! The service's tests: they call the real app and the real binary over HTTP and WebSocket, as any client does.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::large_futures,
    clippy::disallowed_methods,
    reason = "a test stops at the first thing that is not as it should be, and what helps it does too"
)]

mod audit;
mod calendar;
mod calendar_texts;
mod contract;
mod control_characters;
mod external;
mod hall;
mod http;
mod kill;
mod operations;
mod orders;
mod pages;
mod pair;
mod proctor;
mod redis_trust;
mod rights;
mod school;
mod servers;
mod sign_in;
mod sittings;
mod templates;
mod users;

/// Tests that must pass with either data provider: with questions, reviews, users and sessions in this server's own
/// tables, and with all of them in a second server. `scripts/test` runs them a second time with
/// `TEST_DATA_PROVIDER=api cargo test --test it -- either_provider:: --skip own_tables::`, so these two names are
/// markers wherever they stand. A module named `own_tables` holds tests that read or change the server's own tables, or
/// that need something for which the contract between the two servers has no call.
#[path = "."]
mod either_provider {
    mod live;
    mod questions;
    mod reports;
    mod review;
    mod sessions;
    mod webhooks;
    mod workbooks;
}
