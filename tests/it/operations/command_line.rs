//! The program's commands and their exit codes.

use std::process::Output;

use crate::hall::{Hall, Process, Settings, run};

/// A store whose own server is stopped.
async fn stopped() -> Hall {
    let mut hall = Hall::open().await;
    hall.stop().await;
    hall
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

async fn assert_stops(settings: &Settings, name: &str, value: &str) {
    let output = run(settings, &["serve"]).await;
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{name}={value}: {message}");
    assert!(message.contains(name), "{name}={value}: {message}");
    assert_eq!(message.trim().lines().count(), 1, "{name}={value}: {message}");
    assert!(
        !name.contains("SECRET") || value.is_empty() || !message.contains(value),
        "a secret is not shown: {message}"
    );
    assert!(!message.contains("panicked"), "{message}");
}

#[tokio::test]
async fn a_role_is_set_while_the_server_runs() {
    let hall = Hall::open().await;
    let made = run(hall.settings(), &["token", "create", "someone@exam.test"]).await;
    let someone = hall.bearer(String::from_utf8(made.stdout).unwrap().trim());
    someone.get("/api/admin/users").await.assert_error(403, "Forbidden");
    let refused = run(hall.settings(), &["user", "set-role", "nobody@exam.test", "admin"]).await;
    assert!(refused.status.code() == Some(1) && stderr(&refused).contains("no user"), "{}", stderr(&refused));
    for (role, code) in [("admin", 0), ("student", 1), ("admin", 0)] {
        let output = run(hall.settings(), &["user", "set-role", "Someone@Exam.test", role]).await;
        assert_eq!(output.status.code(), Some(code), "{role}: {}", stderr(&output));
    }
    assert_eq!(someone.get("/api/me").await.json()["role"], "student", "the token stays one of a student");
    let users = hall.signed_in("admin").await.get("/api/admin/users").await.json();
    let found = users.as_array().unwrap().iter().find(|user| user["email"] == "someone@exam.test").unwrap();
    assert_eq!(found["role"], "admin");
}

#[tokio::test]
async fn migrations_may_run_twice() {
    let hall = stopped().await;
    for _ in 0..2 {
        let output = run(hall.settings(), &["migrate"]).await;
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
}

#[tokio::test]
async fn an_older_release_refuses_the_database_of_a_newer_one() {
    let hall = stopped().await;
    let connection = sea_orm::Database::connect(hall.database_url()).await.unwrap();
    let step = "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m99_of_another_day', 1)";
    sea_orm::ConnectionTrait::execute_unprepared(&connection, step).await.unwrap();
    connection.close().await.unwrap();
    for arguments in [&["serve"] as &[&str], &["migrate"], &["check"]] {
        let output = run(hall.settings(), arguments).await;
        let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), stderr(&output));
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {text}");
        assert!(text.contains("a newer release (m99_of_another_day is not known here)"), "{arguments:?}: {text}");
    }
}

#[tokio::test]
async fn check_says_a_line_for_each_thing() {
    let hall = Hall::open().await;
    let output = run(hall.settings(), &["check"]).await;
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), stderr(&output)).to_lowercase();
    assert_eq!(output.status.code(), Some(0), "{text}");
    for thing in ["configuration", "database", "redis", "identity"] {
        assert!(text.lines().any(|line| line.contains(thing)), "{thing}: {text}");
    }
}

#[tokio::test]
async fn check_fails_when_one_fails() {
    let hall = stopped().await;
    for (name, value) in [
        ("DATABASE_URL", "postgres://nobody@127.0.0.1:1/nothing"),
        ("REDIS_URL", "redis://127.0.0.1:1/0"),
        ("BIND", "nonsense"),
    ] {
        let mut settings = hall.settings().clone();
        settings.insert(name.to_owned(), value.to_owned());
        let output = run(&settings, &["check"]).await;
        assert_eq!(
            output.status.code(),
            Some(1),
            "{name}: {}{}",
            String::from_utf8_lossy(&output.stdout),
            stderr(&output)
        );
    }
}

#[tokio::test]
async fn a_terminated_server_ends_as_planned() {
    let hall = stopped().await;
    let process = Process::serve(hall.settings()).await;
    let mut candidate = crate::hall::Candidate::start(process.base(), serde_json::json!({ "grade": 5 })).await;
    let question = candidate.paper[0].clone();
    candidate.answer(&question, "A").await;
    let ended = process.terminate().await;
    assert_eq!(ended.code(), Some(0));
    candidate.socket().expect("restarting").await;
    candidate.socket().expect_close(1012).await;
}

#[tokio::test]
async fn a_migration_says_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = Settings::new();
    settings.insert("DATABASE_URL".to_owned(), format!("sqlite://{}/new.db", folder.path().display()));
    settings.insert("LOG".to_owned(), "info".to_owned());
    let output = run(&settings, &["migrate"]).await;
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 1);
    assert_eq!(stderr(&output), "");
}

mod edge {
    use super::*;

    #[tokio::test]
    async fn wrong_usage_is_exit_2() {
        let hall = stopped().await;
        let wrong: [&[&str]; 11] = [
            &["--no-such-option"],
            &["no-such-command"],
            &["serve", "--no-such-option"],
            &["serve", "extra"],
            &["token"],
            &["token", "create"],
            &["token", "create", "someone@exam.test", "--role", "wizard"],
            &["user"],
            &["user", "set-role", "someone@exam.test"],
            &["user", "set-role", "someone@exam.test", "wizard"],
            &["check", "extra"],
        ];
        for arguments in wrong {
            let output = run(hall.settings(), arguments).await;
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
            assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{arguments:?}");
        }
    }

    #[tokio::test]
    async fn every_command_has_help() {
        for arguments in [
            &["--help"] as &[&str],
            &["serve", "--help"],
            &["migrate", "--help"],
            &["token", "--help"],
            &["token", "create", "--help"],
            &["user", "set-role", "--help"],
            &["platform-key", "take-back", "--help"],
            &["check", "--help"],
            &["questions", "--help"],
        ] {
            let output = run(&Settings::new(), arguments).await;
            assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
            assert!(output.stdout.len() > 50, "{arguments:?}");
        }
    }

    #[tokio::test]
    async fn a_bad_value_stops_the_start_with_one_sentence_that_names_it() {
        let hall = stopped().await;
        let bad = [
            ("BIND", "nonsense"),
            ("BIND", "127.0.0.1:99999"),
            ("DATABASE_URL", "mysql://localhost/exam"),
            ("DATABASE_URL", "nonsense"),
            ("REDIS_URL", "http://localhost"),
            ("AUTH_SECRET", "c2hvcnQ="),
            ("AUTH_SECRET", "not base64 !"),
            ("AUTH_URL", "exam.test"),
            ("AUTH_URL", "ftp://exam.localhost"),
            ("TEST_GATE", "maybe"),
            ("PUBLIC_ANSWERS", "perhaps"),
            ("ALLOWED_ORIGINS", "exam.test"),
            ("WEBHOOK_ALLOW", "10.0.0.0/99"),
            ("WEBHOOK_SIGNING_KEY", "not-a-key"),
            ("WEBHOOK_RATE_PER_HOST", "many"),
            ("SAMPLE_BANK", "maybe"),
            ("WORKERS", "-1"),
            ("DATA_PROVIDER", "elsewhere"),
            ("LOG_FORMAT", "xml"),
            ("METRICS_NETWORKS", "everywhere"),
        ];
        for (name, value) in bad {
            let mut settings = hall.settings().clone();
            settings.insert(name.to_owned(), value.to_owned());
            assert_stops(&settings, name, value).await;
        }
    }

    #[tokio::test]
    async fn a_missing_secret_stops_a_server_that_others_can_reach() {
        let hall = stopped().await;
        let mut settings = hall.settings().clone();
        settings.remove("AUTH_SECRET");
        settings.insert("BIND".to_owned(), "0.0.0.0:0".to_owned());
        assert_stops(&settings, "AUTH_SECRET", "").await;
    }

    #[tokio::test]
    async fn a_taken_port_stops_the_start_with_a_sentence() {
        let hall = stopped().await;
        let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let mut settings = hall.settings().clone();
        settings.insert("BIND".to_owned(), taken.local_addr().unwrap().to_string());
        let output = run(&settings, &["serve"]).await;
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert!(stderr(&output).contains(&taken.local_addr().unwrap().to_string()), "{}", stderr(&output));
    }

    #[tokio::test]
    async fn a_token_stands_alone_on_standard_output() {
        let hall = Hall::open().await;
        let mut tokens = std::collections::BTreeSet::new();
        for _ in 0..2 {
            let output =
                run(hall.settings(), &["token", "create", "someone@exam.test", "--role", "admin", "--name", "second"])
                    .await;
            assert!(output.status.success(), "{}", stderr(&output));
            let text = String::from_utf8(output.stdout.clone()).unwrap();
            assert_eq!(text.lines().count(), 1, "{text:?}");
            assert!(text.trim().len() >= 32 && !text.trim().contains(char::is_whitespace), "{text:?}");
            assert!(!stderr(&output).contains(text.trim()));
            assert_eq!(hall.bearer(text.trim()).get("/api/sessions").await.status, 200);
            tokens.insert(text);
        }
        assert_eq!(tokens.len(), 2);
    }

    #[tokio::test]
    async fn a_token_needs_an_address() {
        let hall = stopped().await;
        for email in ["", "nonsense", "a@", "@b", "a b@exam.test"] {
            let output = run(hall.settings(), &["token", "create", email, "--role", "admin"]).await;
            assert!(matches!(output.status.code(), Some(1 | 2)), "{email:?}: {:?}", output.status);
            assert!(output.stdout.is_empty());
        }
    }

    #[tokio::test]
    async fn a_terminal_that_is_closed_is_a_planned_stop() {
        let hall = stopped().await;
        let process = Process::serve(hall.settings()).await;
        let mut candidate = crate::hall::Candidate::start(process.base(), serde_json::json!({ "grade": 5 })).await;
        assert_eq!(process.end_by("-HUP").await.code(), Some(0));
        candidate.socket().expect("restarting").await;
        candidate.socket().expect_close(1012).await;
    }

    #[tokio::test]
    async fn a_server_that_was_started_with_nohup_goes_on() {
        let hall = stopped().await;
        let mut command = tokio::process::Command::new("/usr/bin/env");
        command.arg("sh").args(["-c", "trap '' HUP; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_examhall")]);
        command.env_clear().envs(hall.settings()).kill_on_drop(true);
        let process = Process::serve_by(command, &crate::hall::free_address()).await;
        process.signal("-HUP").await;
        assert_eq!(process.anonymous().get("/readyz").await.status, 200);
        assert_eq!(process.terminate().await.code(), Some(0));
    }

    #[tokio::test]
    async fn a_token_that_nobody_could_read_is_not_valid() {
        let hall = Hall::open().await;
        let admin = hall.signed_in("admin").await;
        let tokens = async || admin.get("/api/admin/tokens").await.text().matches("createdAt").count();
        let before = tokens().await;
        assert!(before > 0);
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        for (what, output) in
            [("closed", None), ("a full disk", Some(full.into())), ("a pipe that nobody reads", Some(writer.into()))]
        {
            let output: Option<std::process::Stdio> = output;
            let script = if output.is_none() { "exec \"$0\" \"$@\" >&-" } else { "exec \"$0\" \"$@\"" };
            let mut command = tokio::process::Command::new("/bin/sh");
            command.args(["-c", script, env!("CARGO_BIN_EXE_examhall"), "token", "create", "someone@exam.test"]);
            command.env_clear().envs(hall.settings()).stdout(output.unwrap_or_else(std::process::Stdio::null));
            let output =
                command.stderr(std::process::Stdio::piped()).spawn().unwrap().wait_with_output().await.unwrap();
            assert_eq!(output.status.code(), Some(1), "{what}: {}", stderr(&output));
            assert_eq!(stderr(&output).trim().lines().count(), 1, "{what}: {}", stderr(&output));
            assert_eq!(tokens().await, before, "{what}");
        }
        let output = run(hall.settings(), &["token", "create", "someone@exam.test"]).await;
        assert!(output.status.success(), "{}", stderr(&output));
        assert_ne!(tokens().await, before);
    }

    #[tokio::test]
    async fn questions_travel_through_a_pipe() {
        let hall = stopped().await;
        let output = run(hall.settings(), &["questions", "export", "--grade", "5", "-"]).await;
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(output.stdout.starts_with(b"PK"), "a workbook is a zip file");
        assert!(stderr(&output).contains("140 questions"), "{}", stderr(&output));
        assert!(!std::fs::exists(std::env::temp_dir().join("-")).unwrap());
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("questions.xlsx");
        std::fs::write(&file, &output.stdout).unwrap();
        let read = run(hall.settings(), &["questions", "import", "--dry-run", file.to_str().unwrap()]).await;
        assert!(String::from_utf8_lossy(&read.stdout).contains("0 added, 140 updated"), "{}", stderr(&read));
    }

    #[tokio::test]
    async fn logs_hold_no_secrets() {
        let hall = stopped().await;
        let mut settings = hall.settings().clone();
        settings.insert("LOG".to_owned(), "trace".to_owned());
        settings.insert("WEBHOOK_SECRET".to_owned(), "shared-webhook-secret".to_owned());
        let process = Process::serve(&settings).await;
        let body =
            serde_json::json!({ "grade": 5, "questionCount": 10, "annotations": { "name": "Ada Lovelace-Byron" } });
        let mut candidate = crate::hall::Candidate::start(process.base(), body).await;
        let token = run(&settings, &["token", "create", "someone@exam.test", "--role", "admin"]).await.stdout;
        let token = String::from_utf8(token).unwrap();
        crate::hall::Caller::new(process.base(), Some(token.trim())).get("/api/sessions").await;
        candidate.state().await;
        candidate.submit().await;
        let log = process.log();
        assert!(!log.is_empty());
        for secret in
            [candidate.token.as_str(), token.trim(), &settings["AUTH_SECRET"], "shared-webhook-secret", "Lovelace"]
        {
            assert!(!log.contains(secret), "{secret} is in the log");
        }
    }
}
