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

mod hall;

// Every test stands under the name of its ring, which says what is repeated for it; `CONTRIBUTING.md` tells how to run
// each. These names are markers wherever they stand in the path of a test: a part of a feature, or some tests of a
// file, may be in another ring than the rest.

/// What neither the database nor the data provider can make different: it runs once, on SQLite. This name wins over all
/// others in a path.
#[path = "."]
mod edge {
    mod calendar_texts;
    mod control_characters;
    mod foreign_tool;
    mod full_disk;
    mod http;
    mod pages;
    mod rights;
    mod services;
}

/// Statements, transactions, locks and races, and what servers tell each other over Redis: it runs on SQLite without
/// Redis, and again on PostgreSQL and Redis.
#[path = "."]
mod either_database {
    mod audit;
    mod calendar;
    mod contract;
    mod external;
    mod kill;
    mod live;
    mod lti;
    mod maintenance;
    mod numbers;
    mod operations;
    mod orders;
    mod pair;
    pub mod pictures;
    pub mod platforms;
    mod proctor;
    mod reports;
    mod samples;
    mod school;
    pub mod sessions;
    mod sign_in;
    mod sittings;
    mod templates;
    mod users;
    mod webhooks;
    mod workbooks;
    mod written;
}

/// What is read and written through `src/provider.rs`: it runs on both databases, and on SQLite once more with
/// questions, reviews, users and sessions in a second server. A module named `own_tables` in it is left out there: its
/// tests read or change the server's own tables, or need something for which the contract between the two servers has
/// no call.
#[path = "."]
mod either_provider {
    mod questions;
    mod review;
}

/// What needs several servers, or PostgreSQL, Redis or a load balancer: it runs where these are, and nowhere else.
#[path = "."]
mod several_servers {
    mod redis_trust;
    mod servers;
}
