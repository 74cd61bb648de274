//! What the crates and the packages of npm may be: their sources, licences, duplicates and known faults. Each test says
//! what to do when it fails, and `allowed.toml` has the exceptions.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod advisories;
mod advisory_database;
mod crates;
mod licences;
mod packages;
mod rules;

use std::fs;
use std::path::Path;

use rustsec::Lockfile;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path} cannot be read: {error}"))
}

fn lockfile() -> Lockfile {
    read("Cargo.lock").parse().expect("Cargo.lock is a lock file")
}

fn assert_none(found: &[String], advice: &str) {
    assert!(found.is_empty(), "{advice}\n  {}", found.join("\n  "));
}
