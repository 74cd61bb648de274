//! `examhall check`: it makes nothing, and says what is wrong as it is.

use sea_orm::{ConnectionTrait, Database};

use crate::hall::{Hall, OwnSigned, Settings, run};

fn settings(database_url: &str) -> Settings {
    let secret = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
    [("DATABASE_URL", database_url), ("AUTH_SECRET", secret), ("BIND", "127.0.0.1:0")]
        .map(|(name, text)| (name.to_owned(), text.to_owned()))
        .into()
}

#[tokio::test]
async fn a_check_makes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}/not/yet/examhall.db", folder.path().display());
    let output = run(&settings(&url), &["check"]).await;
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("database: ok, the next start makes its file"), "{text}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn a_check_of_an_empty_database_leaves_it_empty() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("examhall.db");
    std::fs::write(&file, "").unwrap();
    let output = run(&settings(&format!("sqlite://{}", file.display())), &["check"]).await;
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("migrations to run at the next start"), "{text}");
    assert_eq!(std::fs::metadata(&file).unwrap().len(), 0);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[tokio::test]
async fn a_check_changes_no_database_in_use() {
    let hall = Hall::open().await;
    let connection = Database::connect(hall.database_url()).await.unwrap();
    connection.execute_unprepared("DELETE FROM seaql_migrations WHERE version = 'm12_session_events'").await.unwrap();
    for _ in 0..2 {
        let output = run(hall.settings(), &["check"]).await;
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("database: ok, 1 migrations to run"), "{text}");
    }
    connection.close().await.unwrap();
}

#[tokio::test]
async fn a_refused_connection_is_called_one() {
    let mut settings = settings("postgres://nobody@127.0.0.1:1/nothing");
    settings.insert("REDIS_URL".to_owned(), "redis://127.0.0.1:1/0".to_owned());
    let output = run(&settings, &["check"]).await;
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    for thing in ["database", "redis"] {
        let line = text.lines().find(|line| line.starts_with(thing)).unwrap();
        assert!(line.to_lowercase().contains("refused") && !line.contains("timed out"), "{line}");
    }
    let serving = run(&settings, &["serve"]).await;
    let error = String::from_utf8(serving.stderr).unwrap();
    assert!(error.contains("127.0.0.1:1 refused"), "{error}");
}

#[tokio::test]
async fn a_misspelt_parameter_of_the_address_is_named() {
    let settings = settings("postgres://nobody@127.0.0.1:1/nothing?sslmoed=require");
    for command in ["check", "serve"] {
        let output = run(&settings, &[command]).await;
        assert_eq!(output.status.code(), Some(1));
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(text.contains("DATABASE_URL has a parameter that is not known: sslmoed"), "{command}: {text}");
    }
}

#[tokio::test]
async fn a_certificate_is_held_against_the_time_and_the_address() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = settings(&format!("sqlite://{}/examhall.db", folder.path().display()));
    for (own, code, told) in [
        (OwnSigned::for_days(90), 0, "certificate: ok, until 20"),
        (OwnSigned::between(-1, 90, "elsewhere.example"), 0, "Z, but it does not name the host of AUTH_URL"),
        (OwnSigned::between(2, 90, "localhost"), 1, "certificate: failed: is not valid before 20"),
        (OwnSigned::for_days(-1), 1, "certificate: failed: has ended: 20"),
    ] {
        settings.extend(own.put_into(folder.path()).map(|(name, text)| (name.to_owned(), text)));
        let output = run(&settings, &["check"]).await;
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.code() == Some(code) && text.contains(told), "{told}: {text}");
        assert_eq!(text.contains(", but "), told.contains(", but "), "{text}");
    }
}
