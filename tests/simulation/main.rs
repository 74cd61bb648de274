//! Days of an exam, simulated by the thousand: one process, no real time, no network, and nothing that a seed does not
//! decide. What is driven is the product's own code, as far as it can be called without actix and a database; where the
//! cut is, and what tests the rest, is in `docs/decisions/0095-a-day-from-a-seed.md`.
//!
//! Ten thousand days are simulated. `SEED=17` replays one, and prints all that happens in it; `SEEDS=1000000` simulates
//! so many.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::large_futures,
    clippy::print_stderr,
    reason = "a test stops at the first thing that is not as it should be, and what helps it does too"
)]

mod breaking;
mod bug;
mod chance;
mod day;
mod due;
mod ends;
mod exam;
mod frames;
mod ghost;
mod orders;
mod outbox;
mod people;
mod room;
mod seat;
mod serve;
mod server;
mod sql;
mod store;
mod student;
mod watch;
mod whole_days;
mod world;
