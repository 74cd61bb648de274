//! What a missing or misspelt variable of the services does to a test that opens a store: it would otherwise run on
//! SQLite and pass without what it is about. The test binary is asked itself.

use std::process::{Command, Output};

use crate::hall::Hall;

/// The variables of `scripts/services`, and the one by which a run demands them.
const NAMES: [&str; 4] = ["TEST_DATABASE_URL", "TEST_REDIS_URL", "TEST_SERVICES", "TEST_REQUIRE_SERVICES"];

#[tokio::test]
async fn a_store_opens() {
    assert_eq!(Hall::open().await.anonymous().get("/readyz").await.status, 200);
}

/// Runs the test before with these variables and no others.
fn run(variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    for name in NAMES {
        command.env_remove(name);
    }
    command.args(["--exact", "edge::services::a_store_opens"]).envs(variables.iter().copied()).output().unwrap()
}

#[test]
fn a_misspelt_variable_fails_the_step() {
    let (database, redis) = ("postgres://localhost:9/none", "redis://localhost:9/0");
    for (variables, missing) in [
        (&[("TEST_REQUIRE_SERVICES", "1")][..], "TEST_DATABASE_URL and TEST_REDIS_URL and TEST_SERVICES not set"),
        (
            &[("TEST_REQUIRE_SERVICES", "1"), ("TEST_DATABASE_ULR", database), ("TEST_REDIS_URL", redis)],
            "TEST_DATABASE_URL and TEST_SERVICES not set",
        ),
        // Whoever sets some of them wants them all.
        (&[("TEST_DATABASE_URL", database), ("TEST_REDIS_URL", redis)], "TEST_SERVICES not set"),
        (&[("TEST_DATABASE_URL", ""), ("TEST_REDIS_URL", redis), ("TEST_SERVICES", "/x")], "TEST_DATABASE_URL not set"),
    ] {
        let output = run(variables);
        let told = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && told.contains(missing), "{variables:?}: {told}");
    }
    let output = run(&[]);
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && told.contains("1 passed"), "{told}");
}
