//! The completions and manual pages that packages install, and the command by which a container asks its server.

use std::collections::BTreeSet;
use std::fs;

use crate::hall::{Hall, Process, Settings, free_address, run};

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Nobody who packages the program has a configuration: one that cannot be read does no harm.
fn broken() -> Settings {
    let mut settings = Settings::new();
    settings.insert("BIND".to_owned(), "nonsense".to_owned());
    settings
}

#[tokio::test]
async fn every_shell_completes_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = run(&broken(), &["completions", shell]).await;
        assert!(output.status.success(), "{shell}: {}", text(&output.stderr));
        let script = text(&output.stdout);
        for word in ["serve", "backup", "restore", "sample-bank", "set-role", "dry-run", "completions"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    assert_eq!(run(&broken(), &["completions", "tcsh"]).await.status.code(), Some(2));
    assert_eq!(run(&broken(), &["completions"]).await.status.code(), Some(2));
}

#[tokio::test]
async fn the_manual_page_has_every_option_of_the_server() {
    let output = run(&broken(), &["man"]).await;
    assert!(output.status.success(), "{}", text(&output.stderr));
    let page = text(&output.stdout);
    assert!(page.contains(".TH examhall 1") && page.contains("live exams over WebSockets"), "{page}");
    for section in ["SYNOPSIS", "SUBCOMMANDS", "ENVIRONMENT", "EXIT STATUS"] {
        assert!(
            page.contains(&format!(".SH {section}\n")) || page.contains(&format!(".SH \"{section}\"\n")),
            "{section}"
        );
    }
    let options: toml::Table = toml::from_str(examhall::config::DEFAULTS).unwrap();
    for name in options.keys() {
        assert!(page.contains(&format!("\\fB{}\\fR (", name.to_uppercase())), "{name} is not in the manual page");
    }
}

#[tokio::test]
async fn every_command_has_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(&broken(), &["man", folder.path().to_str().unwrap()]).await;
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(output.stdout.is_empty());
    let names: BTreeSet<String> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    for name in ["examhall.1", "examhall-serve.1", "examhall-restore.1", "examhall-questions-import.1"] {
        assert!(names.contains(name), "{name} is not in {names:?}");
    }
    let first = fs::read_to_string(folder.path().join("examhall.1")).unwrap();
    assert!(first.contains("DATABASE_URL"), "{first}");
    let import = fs::read_to_string(folder.path().join("examhall-questions-import.1")).unwrap();
    assert!(import.contains("dry") && !import.contains("DATABASE_URL"), "{import}");
    let output = run(&broken(), &["man", "/nowhere/at/all"]).await;
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("cannot be written"));
}

#[tokio::test]
async fn a_container_asks_its_own_server() {
    let mut hall = Hall::open().await;
    hall.stop().await;
    let address = free_address();
    let port = address.rsplit_once(':').unwrap().1.to_owned();
    let mut settings = hall.settings().clone();
    // As in a container, where the server listens on all addresses.
    settings.insert("BIND".to_owned(), format!("0.0.0.0:{port}"));
    for arguments in [&["health"] as &[&str], &["health", "--ready"]] {
        let output = run(&settings, arguments).await;
        assert_eq!(output.status.code(), Some(1), "nobody listens: {}", text(&output.stdout));
        assert!(text(&output.stderr).contains("does not answer"), "{}", text(&output.stderr));
    }
    let process = Process::serve_at(hall.settings(), &address).await;
    for (arguments, answer) in
        [(&["health"] as &[&str], "\"status\":\"ok\""), (&["health", "--ready"] as &[&str], "\"database\":\"ok\"")]
    {
        let output = run(&settings, arguments).await;
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(text(&output.stdout).contains(answer), "{}", text(&output.stdout));
    }
    process.terminate().await;
}

#[tokio::test]
async fn who_is_not_ready_lives_all_the_same() {
    let hall = Hall::open().await;
    let mut settings = hall.settings().clone();
    settings.insert("BIND".to_owned(), hall.base().trim_start_matches("http://").to_owned());
    let connection = sea_orm::Database::connect(hall.database_url()).await.unwrap();
    let takes_away = "ALTER TABLE seaql_migrations RENAME TO migrations_elsewhere";
    sea_orm::ConnectionTrait::execute_unprepared(&connection, takes_away).await.unwrap();
    let output = run(&settings, &["health", "--ready"]).await;
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("/readyz answers 503"), "{}", text(&output.stderr));
    assert!(run(&settings, &["health"]).await.status.success());
    connection.close().await.unwrap();
}
