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
mod live;
mod operations;
mod orders;
mod pages;
mod pair;
mod proctor;
mod questions;
mod reports;
mod review;
mod rights;
mod servers;
mod sessions;
mod sign_in;
mod templates;
mod webhooks;
mod workbooks;
