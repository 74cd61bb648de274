//! The crates of this workspace against the advisory database: apart, because the database is not in this repository
//! and `scripts/test` leaves this module out where there is no copy.

use std::env;
use std::path::PathBuf;

use rustsec::Database;

use crate::advisories::faults;
use crate::rules::rules;
use crate::{assert_none, lockfile};

/// An empty or cut copy must not pass for a world without faults.
const ADVISORIES_MIN: usize = 1_000;

#[test]
fn no_crate_has_a_known_fault() {
    let folder = env::var_os("ADVISORY_DB").map(PathBuf::from).expect(
        "ADVISORY_DB is the folder of a copy of RustSec's advisory database: CONTRIBUTING.md says where it is from",
    );
    let database = Database::open(&folder).expect("ADVISORY_DB is a copy of RustSec's advisory database");
    let count = database.iter().count();
    assert!(count >= ADVISORIES_MIN, "ADVISORY_DB has {count} advisories: it is not whole.");
    assert_none(
        &faults(&rules(), &database, &lockfile()),
        "Update the crate (`cargo update -p NAME`) or do without it; if it cannot hurt here, say why in advisories of \
         tests/dependencies/allowed.toml.",
    );
}
