//! The service's tests: the real app and the real binary, asked over HTTP and WebSocket as an outsider asks them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::large_futures,
    clippy::disallowed_methods,
    reason = "a test stops at the first thing that is not as it should be, and what helps it does too"
)]

mod calendar;
mod calendar_texts;
mod contract;
mod external;
mod hall;
mod kill;
mod operations;
mod orders;
mod pages;
mod pair;
mod proctor;
mod rights;
mod servers;
mod sign_in;
mod templates;

/// What a caller cannot tell from outside: whether the server keeps the questions, reviews, users and sessions itself
/// or asks another server for them. `scripts/test` runs these tests twice, the second time with
/// `TEST_DATA_PROVIDER=api cargo test --test it -- either_provider:: --skip own_tables::`. Any module named
/// `either_provider` takes part, at whatever depth. A module named `own_tables` inside one stays out: its tests read or
/// change the server's own tables, or need what the contract between the two servers has no call for.
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
