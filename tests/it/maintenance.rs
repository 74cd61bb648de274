//! What all pages say for a while, and a server that only reads: nothing that it says is saved, and nothing is.

use std::time::{Duration, Instant};

use reqwest::Method;
use sea_orm::{ConnectionTrait, Database};
use serde_json::{Value, json};

use crate::hall::{Answer, Caller, Hall, LiveSocket, Process, eventually, run};

/// Why nothing is saved.
const READ_ONLY: &str = "Nothing can be saved at the moment: the service is under maintenance and only reads";
/// Rows that are counted before and after: what a server that writes would change by itself, too.
const TABLES: [&str; 9] = [
    "sessions",
    "attempts",
    "journal_entries",
    "seats",
    "servers",
    "sign_ins",
    "audit_entries",
    "deliveries",
    "receipt_keys",
];

async fn say(admin: &Caller, en: &str, vi: &str) -> Answer {
    Answer::to(admin.request(Method::PUT, "/api/admin/status").json(&json!({ "en": en, "vi": vi }))).await
}

async fn status(hall: &Hall) -> Value {
    let answer = hall.anonymous().get("/api/status").await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

fn said(en: &str, vi: &str, read_only: bool) -> Value {
    json!({ "message": { "en": en, "vi": vi }, "readOnly": read_only })
}

async fn counts(hall: &Hall) -> Vec<(&'static str, i64)> {
    let store = Database::connect(hall.database_url()).await.unwrap();
    let mut counts = Vec::new();
    for table in TABLES {
        let counting = sea_orm::Statement::from_string(
            store.get_database_backend(),
            format!("SELECT count(*) AS number FROM {table}"),
        );
        let row = store.query_one_raw(counting).await.unwrap().unwrap();
        counts.push((table, row.try_get("", "number").unwrap()));
    }
    store.close().await.unwrap();
    counts
}

/// Asserts that a change is refused by its name, with the time after which to try again.
#[track_caller]
fn assert_read_only(answer: &Answer) {
    assert_eq!(answer.status, 503, "{}", answer.text());
    assert_eq!(answer.json(), json!({ "error": READ_ONLY, "code": "read_only" }));
    assert_eq!(answer.header("retry-after"), "30");
}

#[tokio::test]
async fn what_an_admin_says_is_on_all_pages_at_once() {
    let hall = Hall::open().await;
    let other = hall.beside().await;
    let admin = hall.signed_in("admin").await;
    assert_eq!(status(&hall).await, said("", "", false));
    assert_eq!(status(&other).await, said("", "", false));
    let answer = say(&admin, "  Results come <tomorrow>. ", "Mai có kết quả.").await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let stored = json!({ "en": "Results come <tomorrow>.", "vi": "Mai có kết quả." });
    assert_eq!((&answer.json()["message"], &answer.json()["setting"]), (&stored, &Value::Null));
    assert_eq!(status(&hall).await, said("Results come <tomorrow>.", "Mai có kết quả.", false));
    let shown = said("Results come <tomorrow>.", "Mai có kết quả.", false);
    eventually("it is shown by the other server", async || (status(&other).await == shown).then_some(())).await;
    // Pages that the server renders itself say it too, as plain text and in the reader's language.
    let page = hall.anonymous().get_with("/auth/sign-in", "accept", "text/html").await.text();
    assert!(page.contains("role=\"status\" lang=\"en\">Results come &lt;tomorrow&gt;.</p>"), "{page}");
    assert_eq!(say(&admin, "", "").await.status, 200);
    assert_eq!(status(&hall).await, said("", "", false));
    let entries = admin.get("/api/admin/audit?action=status.changed").await.json()["entries"].clone();
    assert_eq!(entries.as_array().unwrap().len(), 2, "{entries}");
}

#[tokio::test]
async fn a_message_is_one_line_of_limited_length() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let longest = "ở".repeat(300);
    assert_eq!(say(&admin, &longest, "").await.status, 200);
    for (en, vi, field) in [("a\nb", "", "en"), ("", "a\u{202e}b", "vi"), (&*"x".repeat(301), "", "en")] {
        say(&admin, en, vi).await.assert_error(400, &format!("Invalid {field}"));
    }
    let lacking = Answer::to(admin.request(Method::PUT, "/api/admin/status").json(&json!({ "en": "x" }))).await;
    lacking.assert_error(400, "Invalid vi");
    assert_eq!(status(&hall).await["message"]["en"], longest, "what was refused has changed nothing");
}

#[tokio::test]
async fn the_setting_takes_the_place_of_what_is_stored() {
    let hall = Hall::open().await;
    assert_eq!(say(&hall.signed_in("admin").await, "Stored", "").await.status, 200);
    let set =
        Hall::with_store_of(&hall, &[("STATUS_MESSAGE", "Back at 14:00"), ("STATUS_MESSAGE_VI", "14:00 trở lại")])
            .await;
    assert_eq!(status(&set).await, said("Back at 14:00", "14:00 trở lại", false));
    let settings = set.signed_in("admin").await.get("/api/admin/status").await.json();
    assert_eq!(settings["setting"], json!({ "en": "Back at 14:00", "vi": "14:00 trở lại" }));
    assert_eq!(settings["message"]["en"], "Stored");
    assert_eq!(status(&hall).await["message"]["en"], "Stored");
}

/// It takes longer than others: what is remembered must be forgotten first, by the machine's own clock.
#[tokio::test]
async fn what_pages_say_is_known_without_the_database() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    assert_eq!(say(&admin, "The power is out", "").await.status, 200);
    assert_eq!(status(&hall).await["message"]["en"], "The power is out");
    hall.alter("ALTER TABLE status_messages RENAME TO hidden_messages").await;
    let until = Instant::now() + Duration::from_millis(3_200);
    while Instant::now() < until {
        assert_eq!(status(&hall).await["message"]["en"], "The power is out");
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
}

#[tokio::test]
async fn a_server_that_only_reads_saves_nothing_and_says_so() {
    let hall = Hall::open().await;
    let cookie = hall.cookie("ada@exam.test").await;
    let token = hall.token("admin").await;
    let mut candidate = hall.sit(json!({ "grade": 5 })).await;
    candidate.submit().await;
    let reader = Hall::with_store_of(&hall, &[("READ_ONLY", "true"), ("STATUS_MESSAGE", "Back at 14:00")]).await;
    let before = counts(&hall).await;
    let (nobody, admin) = (reader.anonymous(), reader.bearer(&token));

    // It says so where operators and pages look.
    let ready = nobody.get("/readyz").await;
    assert_eq!((ready.status, &ready.json()["readOnly"]), (200, &json!(true)), "{}", ready.text());
    assert_eq!(hall.anonymous().get("/readyz").await.json()["readOnly"], false);
    assert_eq!(status(&reader).await, said("Back at 14:00", "", true));
    assert_eq!(admin.get("/api/admin/health").await.json()["readOnly"], true);

    // Reading goes on, also for whoever is signed in.
    assert_eq!(nobody.get("/api/questions?grade=5").await.status, 200);
    assert_eq!(nobody.get_with("/api/me", "cookie", &cookie).await.json()["email"], "ada@exam.test");
    assert_eq!(admin.get("/api/admin/users").await.status, 200);
    assert_eq!(nobody.get(&format!("/api/sessions/{}", candidate.session_id)).await.status, 200);
    assert_eq!(nobody.get("/wp-json/tribe/events/v1/events").await.status, 200);

    // Nothing that changes something is even begun.
    for (caller, method, path, body) in [
        (&nobody, Method::POST, "/api/sessions", json!({})),
        (&nobody, Method::POST, "/api/live", json!({ "grade": 5 })),
        (&nobody, Method::POST, "/api/live/move", json!({ "code": "123456" })),
        (&admin, Method::PUT, "/api/admin/status", json!({ "en": "x", "vi": "" })),
        (&admin, Method::PATCH, "/api/admin/school", json!({ "name": "x" })),
        (&admin, Method::DELETE, "/api/me/sign-ins", json!({})),
    ] {
        assert_read_only(&Answer::to(caller.request(method, path).json(&body)).await);
    }
    // Nor is what takes a seat, or must be on record before it is told.
    for (caller, path) in [
        (&nobody, "/api/live".to_owned()),
        (&admin, "/api/live/proctor".to_owned()),
        (&nobody, format!("/api/live/{}", candidate.session_id)),
        (&admin, "/api/admin/results".to_owned()),
        (&admin, "/api/admin/questions?grade=5".to_owned()),
    ] {
        assert_read_only(&caller.get(&path).await);
    }
    assert!(LiveSocket::reach(&reader.base(), "/api/live", &[]).await.is_none(), "no socket is opened");
    let event = Answer::to(admin.request(Method::POST, "/wp-json/tribe/events/v1/events").json(&json!({}))).await;
    assert_eq!((event.status, &event.json()["code"]), (503, &json!("rest_read_only")));

    // Nobody signs in, and a sign-out clears the cookie at least.
    let page = nobody.get_with("/auth/sign-in", "accept", "text/html").await;
    assert_eq!(page.status, 503);
    assert!(page.text().contains(READ_ONLY) && page.text().contains("Back at 14:00"), "{}", page.text());
    let out = nobody.request(Method::POST, "/auth/sign-out").header("cookie", &cookie);
    let out = Answer::to(out.header("origin", "http://exam.localhost")).await;
    assert_eq!(out.status, 503, "a copy of the cookie lives on");
    assert!(out.header("set-cookie").contains("Max-Age=0"), "{}", out.header("set-cookie"));

    // Whoever comes from a learning platform is told on a page, which the platform may have in a frame.
    for (method, path) in [
        (Method::GET, "/lti/login?iss=https://lms.example"),
        (Method::POST, "/lti/login"),
        (Method::POST, "/lti/launch"),
        (Method::POST, "/lti/choice"),
        (Method::GET, "/lti/register"),
        (Method::POST, "/lti/register"),
        (Method::POST, "/lti/enter"),
    ] {
        let page = Answer::to(nobody.request(method, path)).await;
        assert_eq!(page.status, 503, "{path}: {}", page.text());
        assert!(page.header("content-type").starts_with("text/html"), "{path}: {}", page.text());
        assert!(page.text().contains("Exam Hall is under maintenance"), "{path}: {}", page.text());
        let may_be_framed = page.header("x-frame-options").is_empty();
        assert_eq!(may_be_framed, path != "/lti/enter", "{path}: that one is in a window of its own");
    }

    // Its timers write nothing either.
    reader.clock.advance(Duration::from_secs(120));
    let lasting = counts(&hall).await;
    assert_eq!(before, lasting);
    drop(reader);
    assert_eq!(counts(&hall).await, before, "nor does its stop");
    assert_eq!(hall.anonymous().get_with("/api/me", "cookie", &cookie).await.status, 200);
}

#[tokio::test]
async fn a_running_test_goes_on_where_it_was_after_a_maintenance() {
    let mut hall = Hall::open().await;
    let mut candidate = hall.sit(json!({ "grade": 5 })).await;
    let question = candidate.paper[0].clone();
    candidate.answer(&question, "B").await;
    candidate.settle().await;
    hall.stop().await;
    let reader = Hall::with_store_of(&hall, &[("READ_ONLY", "true")]).await;
    candidate.move_to(&reader.base());
    assert_read_only(&candidate.try_post(&json!({ "commands": [] })).await);
    drop(reader);
    hall.begin().await;
    candidate.move_to(&hall.base());
    let resumed = candidate.resume().await;
    let kept = &resumed["answers"][0];
    assert_eq!((&kept["questionId"], &kept["selected"]), (&json!(question), &json!("B")), "{resumed}");
}

mod edge {
    use super::*;
    use crate::hall::Settings;

    fn reading(mut settings: Settings) -> Settings {
        settings.insert("READ_ONLY".to_owned(), "true".to_owned());
        settings
    }

    #[tokio::test]
    async fn nothing_is_made_or_brought_up_to_date_for_reading() {
        let hall = Hall::open().await;
        let mut settings = reading(hall.settings().clone());
        hall.alter("DELETE FROM seaql_migrations WHERE version = (SELECT max(version) FROM seaql_migrations)").await;
        let output = run(&settings, &["serve"]).await;
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && told.contains("READ_ONLY: the schema is 1 steps behind"), "{told}");
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("missing.db");
        settings.insert("DATABASE_URL".to_owned(), format!("sqlite://{}", missing.display()));
        let output = run(&settings, &["serve"]).await;
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && told.contains("READ_ONLY: there is no database"), "{told}");
        assert!(!missing.exists(), "none is made");
    }

    #[tokio::test]
    async fn the_binary_only_reads_too() {
        let hall = Hall::open().await;
        let process = Process::serve(&reading(hall.settings().clone())).await;
        assert_read_only(&process.anonymous().post_json("/api/sessions", &json!({})).await);
        assert_eq!(process.anonymous().get("/api/questions?grade=5").await.status, 200);
    }
}
