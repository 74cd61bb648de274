//! What the house rules say and a machine can check (`docs/architecture.md`): each test says what to do when it fails.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use regex::Regex;

/// Folders that hold this project's Rust.
const RUST_FOLDERS: [&str; 9] = [
    "src",
    "domain/src",
    "sample-bank/src",
    "sample-bank/tests",
    "entities/src",
    "migration/src",
    "loadtests/src",
    "web/src",
    "tests",
];
/// What a path in the documents can begin with.
const ROOTS: [&str; 14] = [
    "src/",
    "domain/",
    "sample-bank/",
    "entities/",
    "migration/",
    "loadtests/",
    "web/",
    "config/",
    "deploy/",
    "docs/",
    "scripts/",
    "tests/",
    ".ci/",
    ".github/",
];
/// The only files that know the WebSocket crate.
const SOCKETS: [&str; 4] = [
    "src/live/socket/student.rs",
    "src/live/socket/proctor.rs",
    "src/live/socket/connection.rs",
    "src/live/socket/pieces.rs",
];
/// Lines of one file.
const LINES_MAX: usize = 400;
/// Columns of a line.
const COLUMNS_MAX: usize = 120;
/// The only files that lock sittings. All others change them through the first.
const LOCK_SITTINGS: [&str; 5] = [
    "src/sittings/change.rs",
    // Opens them in the version that they have.
    "src/sittings/entry/doors.rs",
    // Locks all those of a template.
    "src/sittings/entry/paper.rs",
    // Proctors' commands keep their answers in the same transaction.
    "src/sittings/supervision.rs",
    "src/live/store/orders/halls.rs",
];
/// Files outside the store that may name types of the database, and the only such names they may use.
const DATABASE_TYPES: [(&str, &[&str]); 22] = [
    // An error of the store becomes the 500 that tells nothing.
    ("src/error.rs", &["sea_orm::DbErr"]),
    // Reads the codes of both databases.
    (
        "src/database/failure.rs",
        &["sea_orm::sqlx::{self, error::ErrorKind}", "sqlx::Error", "sea_orm::{DbErr, RuntimeErr}"],
    ),
    // Options and pools of the driver, for both databases.
    ("src/database/address.rs", &["sea_orm::sqlx", "sqlx::Error"]),
    ("src/database/pool.rs", &["sea_orm::sqlx", "sqlx::Error", "sqlx::Pool"]),
    // A launch that the database fails is refused with a sentence, as every other.
    ("src/lti/refusal.rs", &["sea_orm::DbErr"]),
    // What a batch failed with tells a refused value from a store that is away.
    ("src/live/journal.rs", &["sea_orm::DbErr"]),
    // The hashing of drawings fails as their reading does.
    ("src/live/seat/receipts.rs", &["sea_orm::DbErr"]),
    // All who ask for the leaves of a log at once share what their reading fails with.
    ("src/receipts.rs", &["sea_orm::DbErr"]),
    // A log that cannot be written is put off, and a database that is away is waited for.
    ("src/receipts/log.rs", &["sea_orm::DbErr"]),
    ("src/receipts/preparing.rs", &["sea_orm::DbErr"]),
    ("src/receipts/worker.rs", &["sea_orm::DbErr"]),
    // What is compared is read from one snapshot.
    ("src/receipts/check.rs", &["sea_orm::{DatabaseTransaction, DbErr}"]),
    ("src/sessions/recorder.rs", &["sea_orm::DbErr"]),
    // The same function stores a session within the transaction of a request and of the journal.
    ("src/sessions/finished.rs", &["sea_orm::{ConnectionTrait, DbErr}"]),
    // The same function appends a version within the transaction of a request and of the journal.
    ("src/sessions/versions.rs", &["sea_orm::DatabaseTransaction"]),
    // Rows become what staff are shown.
    ("src/live/late/view.rs", &["entities::attempt_event"]),
    // Rows become what admins are shown.
    ("src/live/proctor/history.rs", &["entities::attempt_event::Model"]),
    // What is noted fails with the transaction that records how deliveries ended.
    ("src/outgoing/attempt.rs", &["sea_orm::DbErr"]),
    ("src/outgoing/kind.rs", &["sea_orm::DbErr"]),
    ("src/webhooks/sitting_events.rs", &["sea_orm::DbErr"]),
    ("src/webhooks/events.rs", &["sea_orm::DbErr"]),
    ("src/lti/scores.rs", &["sea_orm::DbErr"]),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path} cannot be read: {error}"))
}

/// What npm has installed, what Playwright has left and what generators have made are not ours.
const NOT_OURS: [&str; 3] = ["node_modules", "test-results", "generated"];

/// Documents outside `docs/`.
const OTHER_DOCUMENTS: [&str; 9] = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "NOTICES.md",
    "loadtests/README.md",
    "tests/browser/README.md",
    "tests/clients/README.md",
    "tests/lti/README.md",
    "tests/strangers/README.md",
];
/// Which features may use which: what is not here must not know of each other.
const FEATURES: [(&str, &[&str]); 20] = [
    ("audit", &[]),
    ("calendar", &[]),
    // The people of a class join a sitting, and are read as a roster is.
    ("classes", &["sittings"]),
    // A question is mended with its key, the tests of a sitting or a grade follow, and their rooms are told.
    ("corrections", &["questions", "sessions", "sittings"]),
    // A seat signs what it gives to its student.
    ("live", &["questions", "receipts", "sessions", "sittings", "templates"]),
    // A launch leads to a sitting or begins a test, and its keys are sealed as files with late work are.
    ("lti", &["live", "sittings", "templates"]),
    // How long ago a server was seen follows from its lease.
    ("operations", &["live"]),
    ("pictures", &[]),
    ("provider_api", &["questions", "sessions", "users"]),
    // Pictures of imported questions are stored as uploaded ones are.
    ("questions", &["pictures"]),
    // A log begins when its sitting has ended, and that is told by an event.
    ("receipts", &["sessions", "sittings", "webhooks"]),
    ("reports", &["live", "questions", "school", "sessions", "sittings"]),
    // Everyone on the roster of a sitting has a row.
    ("results", &["sittings"]),
    ("review", &["questions"]),
    // A crest is decoded as other pictures are.
    ("school", &["pictures"]),
    ("sessions", &["questions", "webhooks"]),
    // A release queues a webhook for each finished test, and a sitting has an event.
    ("sittings", &["calendar", "webhooks"]),
    // A template that is changed while doors are open has its papers sealed again. A test that begins has the scale of
    // the school, if the template has no other.
    ("templates", &["questions", "school", "sittings"]),
    // A removed user's events keep a number without a name.
    ("users", &["calendar"]),
    ("webhooks", &[]),
];
/// The same of the folders of `web/src/staff`. What they share stands in that folder itself.
const STAFF_FEATURES: [(&str, &[&str]); 16] = [
    // An event names the sitting that it is about; links are shared as those of templates.
    ("calendar", &["sittings", "templates"]),
    // What people of a class need shows as it does of candidates.
    ("classes", &["roster", "sittings"]),
    ("desk", &[]),
    // A scale of marks is chosen in one way, wherever it is chosen.
    ("marks", &[]),
    // People are lists pasted as rosters are; what they need is kept in the register of sittings.
    ("people", &["roster", "sittings"]),
    // They are a part of the school's page; grades are chosen and written as those of people. Small tables look as in
    // sittings, also on the page of a template.
    ("platforms", &["people", "school", "sittings"]),
    ("questions", &[]),
    // The picture of marks says by which scale they are.
    ("results", &["marks"]),
    // Lists of people, whatever they are imported into.
    ("roster", &[]),
    // The language of the sample questions is offered where a school begins, and where it chooses its languages.
    ("samples", &[]),
    // Faults and small tables look as in sittings.
    ("school", &["marks", "samples", "sittings"]),
    // The projector's page shows the rows of a desk.
    ("screen", &["desk"]),
    ("signoff", &[]),
    // A release warns of questions that look wrong. Courses of learning platforms lead to a sitting. A later one gets a
    // new paper by the settings of the template.
    ("sittings", &["marks", "platforms", "results", "roster", "templates"]),
    // Classes are chosen for a template as for a roster. A question that is approved in a paper is compared as in the
    // bank. Courses of learning platforms lead to a template, too.
    ("templates", &["marks", "platforms", "questions", "roster"]),
    // What is to be done first is what the other pages say is missing.
    ("today", &["people", "samples", "signoff", "sittings"]),
];
/// The files that the features of `web/src/staff` share and that name a feature all the same.
const STAFF_ABOVE: [&str; 2] = [
    // The table of pages loads each.
    "web/src/staff/pages.ts",
    // Drafts of questions outlive a sign-out.
    "web/src/staff/App.svelte",
];
/// Files of the pages that are longer than others, with the lines that they have: they may get shorter.
const LONG_PAGES: [(&str, usize); 1] = [("web/src/staff/sittings/SittingsPage.svelte", 426)];
/// The types that `tests/clients` writes from the documents of the server.
const GENERATED_PAGE: &str = "web/src/api/schema.ts";
/// What lies below the features, lowest first; each may use those before it.
const FLOORS: [&str; 17] = [
    "config",
    "clock",
    "telemetry",
    "tls",
    "redis",
    "database",
    "error",
    "strain",
    "batch",
    "tally",
    "store",
    "base",
    "outgoing",
    "provider",
    "http",
    "sheets",
    "auth",
];

/// Every file of text below a folder that is ours, as a path from the root.
fn files(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in
            fs::read_dir(&folder).unwrap_or_else(|error| panic!("{} cannot be read: {error}", folder.display()))
        {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                folders.extend(NOT_OURS.iter().all(|name| !path.ends_with(name)).then_some(path));
            } else if path.extension().is_none_or(|extension| extension != "png" && extension != "webp") {
                found.push(path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "{folder} is empty");
    found
}

fn rust_files(folder: &str) -> Vec<String> {
    files(folder).into_iter().filter(|path| path.ends_with(".rs")).collect()
}

/// The scripts and components of the pages, without their tests and what is written by a machine.
fn page_files() -> Vec<String> {
    let is_page = |path: &String| {
        (path.ends_with(".ts") || path.ends_with(".svelte")) && !path.ends_with(".test.ts") && path != GENERATED_PAGE
    };
    files("web/src").into_iter().filter(is_page).collect()
}

fn documents() -> Vec<String> {
    let mut found: Vec<String> = files("docs").into_iter().filter(|path| path.ends_with(".md")).collect();
    found.extend(OTHER_DOCUMENTS.map(str::to_owned));
    found
}

/// Lines that match, as `path:line: text`.
fn hits(paths: &[String], pattern: &str) -> Vec<String> {
    let pattern = Regex::new(pattern).unwrap();
    let of = |path: &String| {
        let text = read(path);
        let lines = text.lines().enumerate().filter(|(_, line)| pattern.is_match(line));
        lines.map(|(index, line)| format!("{path}:{}: {}", index + 1, line.trim())).collect::<Vec<_>>()
    };
    paths.iter().flat_map(of).collect()
}

fn assert_none(found: &[String], advice: &str) {
    assert!(found.is_empty(), "{advice}\n  {}", found.join("\n  "));
}

fn is_store(path: &str) -> bool {
    let folders = ["src/store/", "src/live/store/", "src/calendar/store/"];
    folders.iter().any(|folder| path.starts_with(folder))
        || path.ends_with("/store.rs")
        || [
            "src/database.rs",
            "src/database/durability.rs",
            "src/database/look.rs",
            "src/database/primary.rs",
            "src/database/read_only.rs",
            "src/database/transaction.rs",
            "src/store.rs",
        ]
        .contains(&path)
}

/// Text between backticks, within a line and in fenced blocks.
fn quoted(text: &str) -> Vec<String> {
    let (mut found, mut is_fenced) = (Vec::new(), false);
    let inline = Regex::new("`([^`]+)`").unwrap();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_fenced = !is_fenced;
        } else if is_fenced {
            found.push(line.to_owned());
        } else {
            found.extend(inline.captures_iter(line).map(|captures| captures[1].to_owned()));
        }
    }
    found
}

#[test]
fn the_domain_is_pure() {
    let manifest = read("domain/Cargo.toml");
    let forbidden =
        Regex::new(r"(?m)^(actix[\w-]*|sea-orm|entities|redis|deadpool-redis|reqwest|tokio|tracing)\b").unwrap();
    let found: Vec<String> = forbidden.find_iter(&manifest).map(|found| found.as_str().to_owned()).collect();
    assert_none(
        &found,
        "The domain crate does no I/O and knows no runtime: let the caller do it and hand in the value.",
    );
    let paths = rust_files("domain/src");
    let impure = hits(&paths, r"Utc::now|SystemTime|Instant::now|rand::rng\(|\basync\b|std::(fs|net::Tcp|env|thread)");
    assert_none(
        &impure,
        "The domain crate has no clock, no randomness of its own and nothing async: take the time or the generator as an argument.",
    );
}

#[test]
fn queries_are_in_the_store_alone() {
    let paths: Vec<String> = rust_files("src").into_iter().filter(|path| !is_store(path)).collect();
    let queries = r#"\bEntity(Trait)?\b|\bActiveModel|\bQuery(Filter|Select|Order)\b|\bColumn(Trait|::)|sqlx::query|execute_unprepared|"(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER) [^/]"#;
    assert_none(
        &hits(&paths, queries),
        "Queries are in src/store/, in files named store.rs, and in src/database.rs: move this one there.",
    );
}

#[test]
fn few_files_name_the_types_of_the_database() {
    for (path, _) in DATABASE_TYPES {
        assert!(root().join(path).is_file(), "{path} is gone: take it from DATABASE_TYPES in tests/tidy.rs.");
    }
    for path in rust_files("src").into_iter().filter(|path| !is_store(path)) {
        let allowed =
            DATABASE_TYPES.into_iter().find(|(listed, _)| *listed == path).map_or(&[] as &[&str], |(_, names)| names);
        let found = hits(std::slice::from_ref(&path), r"\b(sea_orm|sqlx|entities)::");
        let others = found.into_iter().filter(|hit| !allowed.iter().any(|name| hit.contains(name))).collect::<Vec<_>>();
        assert_none(
            &others,
            "Only the store knows the database: hand out a type of the domain, or list the name with its reason in DATABASE_TYPES of tests/tidy.rs.",
        );
    }
}

#[test]
fn sittings_are_changed_in_one_place() {
    let paths: Vec<String> =
        rust_files("src").into_iter().filter(|path| !LOCK_SITTINGS.contains(&path.as_str())).collect();
    let found: Vec<String> = paths
        .iter()
        .flat_map(|path| locks_of_sittings(&read(path)).into_iter().map(move |hit| format!("{path}:{hit}")))
        .collect();
    assert_none(
        &found,
        "Change a sitting through Sittings::change in src/sittings/change.rs, which checks, notes and tells; and call \
         the module of the store by its own name.",
    );
    for path in LOCK_SITTINGS {
        let found = hits(&[path.to_owned()], r"\bsittings::lock\(");
        assert!(!found.is_empty(), "{path} locks no sitting: take it from LOCK_SITTINGS in tests/tidy.rs.");
    }
}

/// Where a text names what locks or stores a sitting, or hides it behind another name, as `line: text`.
fn locks_of_sittings(text: &str) -> Vec<String> {
    let code = Regex::new("//[^\n]*").unwrap().replace_all(text, "").into_owned();
    let named = r"(lock|save|save_opened)\b|\*";
    let pattern = format!(r"\bsittings(\s+as\b|\s*::\s*({named}|\{{[^;}}]*\b(self\s+as\b|{named})))");
    let line = |at: usize| code[..at].matches('\n').count() + 1;
    let pattern = Regex::new(&pattern).unwrap();
    pattern.find_iter(&code).map(|hit| format!("{}: {}", line(hit.start()), hit.as_str())).collect()
}

#[test]
fn a_lock_of_a_sitting_is_seen_under_any_name() {
    for text in [
        "sittings::lock(&transaction, id)",
        "use crate::store::sittings::lock as take;",
        "use crate::store::sittings::{find, lock};",
        "use crate::store::{candidates, sittings::{\n    find,\n    save_opened as keep,\n}};",
        "use crate::store::sittings as rows;",
        "use crate::store::{candidates, sittings as rows, templates};",
        "use crate::store::sittings::{self as rows, LockedSitting};",
        "use super::sittings::*;",
    ] {
        assert_eq!(locks_of_sittings(text).len(), 1, "{text}");
    }
    for text in [
        "sittings::find(database, id)",
        "use crate::store::sittings::{self, LockedSitting};\nlet held = lock(&other);",
        "use super::sittings::{LockedSitting, moment};",
        "use crate::sittings::{Sittings, may_manage};\nself.sittings.lock_open_of(id)",
        "// The sittings as they are, and sittings::lock.",
    ] {
        assert_none(&locks_of_sittings(text), text);
    }
}

#[test]
fn redis_is_in_one_file() {
    let paths: Vec<String> = rust_files("src").into_iter().filter(|path| path != "src/redis.rs").collect();
    let found = hits(&paths, r"\b(deadpool_)?redis::");
    let others =
        found.into_iter().filter(|hit| hit.replace("crate::redis::", "").contains("redis::")).collect::<Vec<_>>();
    assert_none(&others, "The redis crates are for src/redis.rs alone: give it a method and call that.");
}

#[test]
fn the_websocket_crate_is_in_few_files() {
    let paths: Vec<String> = rust_files("src").into_iter().filter(|path| !SOCKETS.contains(&path.as_str())).collect();
    assert_none(
        &hits(&paths, r"actix_web_actors|actix_http::ws"),
        "The WebSocket crate is for the two sockets and what they share, so that replacing it touches few files.",
    );
}

#[test]
fn keys_cannot_be_serialised() {
    let advice = "A question with its key must not be serialised: it is sent as WholeQuestion or as DeliveredQuestion.";
    let text = read("domain/src/question.rs");
    for name in ["pub struct KeyedQuestion {", "pub struct Question {"] {
        let (before, _) = text.split_once(name).expect("domain/src/question.rs has both");
        let attributes: Vec<&str> = before
            .lines()
            .rev()
            .take_while(|line| line.starts_with("#[") || line.starts_with("///") || line.is_empty())
            .collect();
        let is_serialised = attributes.iter().any(|line| line.starts_with("#[") && line.contains("Serialize"));
        assert!(!is_serialised, "{advice}");
    }
    let everywhere: Vec<String> = ["src", "domain/src"].into_iter().flat_map(rust_files).collect();
    let by_hand = hits(&everywhere, r"Serialize\s+for\s+([\w:]+::)?(Keyed)?Question\b");
    assert_none(&by_hand, advice);
    let stored = hits(&rust_files("src"), r"pub.*struct StoredKey");
    assert_none(&stored, "StoredKey, which writes keys to the database, stays private to src/store/sessions.rs.");
}

/// What lets a result, a score or a key out, and the only files of the server that may write it. The domain, which
/// defines all of it, answers no request.
const SIGHTS: [(&str, &[&str]); 9] = [
    // Rows of the database, and how large they are; and the result that takes the place of another.
    (
        r"\binside_the_server\b",
        &["src/store/session_rows.rs", "src/live/store/writes.rs", "src/live/store/next_ends.rs"],
    ),
    (r"\b(Sight|StaffSight|SchoolSight)::(of|of_seat|of_keeper)\b", &["src/store/embargo.rs"]),
    (r"\bEmbargo::sight_of_keeper\b", &["src/provider/api/transfers.rs"]),
    // Whether a test has a sitting, and the columns of that sitting.
    (
        r"\bOpenResults::(of|WITHOUT_SITTING)\b",
        &["src/store/releases.rs", "src/live/store/rooms.rs", "src/live/seat/ending.rs"],
    ),
    // Who reads is said where the request comes in.
    (r"\bReader::Caller\b", &["src/sessions/read.rs"]),
    (r"\bReader::Receiver\b", &["src/webhooks/events.rs", "src/lti/scores.rs", "src/store/embargo.rs"]),
    (r"\bReader::OtherServer\b", &["src/provider_api/sessions.rs"]),
    (
        r"\bWholeQuestion::(of|for_staff)\b",
        &[
            // Those that everyone may have.
            "src/store/embargo/withheld.rs",
            // Answers that are ready before somebody asks: `Delivered` gives each caller theirs.
            "src/questions/bank.rs",
            "src/templates/ready.rs",
            // The external service keeps the questions, or the database does.
            "src/provider/api/questions.rs",
            "src/cli/check/questions.rs",
            "src/store/former_questions.rs",
        ],
    ),
    (
        r"\bdelivered\(\)|\bQuestion::delivered\b",
        &[
            "src/questions/bank.rs",
            "src/templates/ready.rs",
            // Its reader has lost what is withheld from them.
            "src/reports/questions.rs",
            // It is sealed at once.
            "src/sittings/entry/paper.rs",
        ],
    ),
];

#[test]
fn the_embargo_alone_makes_sights() {
    for (pattern, allowed) in SIGHTS {
        let others = |path: &String| !allowed.contains(&path.as_str()) && !path.ends_with("/tests.rs");
        let paths: Vec<String> = rust_files("src").into_iter().filter(others).collect();
        assert_none(
            &hits(&paths, pattern),
            "Ask the embargo for a sight (docs/decisions/0068-what-may-be-seen-is-a-type.md), and show what it shows.",
        );
        for path in allowed {
            let used = hits(&[(*path).to_owned()], pattern);
            assert!(!used.is_empty(), "{path} no longer needs {pattern}: take it off the list.");
        }
    }
    let kept = hits(&rust_files("domain/src"), r"Serialize\s+for\s+Untold|Deref(Mut)?\s+for\s+Untold");
    assert_none(&kept, "What is untold is neither serialised nor read by accident.");
    let sight = read("domain/src/sight.rs");
    assert!(
        sight.contains("#[derive(Clone)]\npub struct Untold<T>(T);"),
        "Untold has no other trait, and no open field."
    );
}

#[test]
fn every_file_is_named_for_what_it_holds() {
    let is_nameless = |path: &String| {
        path.split(['/', '.'])
            .any(|part| matches!(part, "utils" | "util" | "helpers" | "helper" | "common" | "core" | "misc"))
    };
    let found: Vec<String> = RUST_FOLDERS.into_iter().flat_map(files).filter(is_nameless).collect();
    assert_none(&found, "A thing without a name is not understood yet: name the file for what it holds.");
}

#[test]
fn every_file_begins_with_a_sentence() {
    let begins_well =
        |path: &String| read(path).lines().next().is_some_and(|line| line.starts_with("//! ") && line.len() > 12);
    let found: Vec<String> = RUST_FOLDERS.into_iter().flat_map(rust_files).filter(|path| !begins_well(path)).collect();
    assert_none(&found, "A file begins with `//!` and one sentence: what it is, and why it is apart.");
}

#[test]
fn files_are_short() {
    let found: Vec<String> = ["src", "domain/src"]
        .into_iter()
        .flat_map(rust_files)
        .filter_map(|path| Some((read(&path).lines().count(), path)).filter(|(lines, _)| *lines > LINES_MAX))
        .map(|(lines, path)| format!("{path} has {lines}"))
        .collect();
    assert_none(&found, "A file has 400 lines at most: part it by what its parts do.");
}

#[test]
fn files_of_the_pages_are_short() {
    // A catalogue is one list of texts, and is measured by that of another language.
    let is_catalogue = Regex::new(r"/texts/(\w+/)?[a-z]{2}\.ts$").unwrap();
    let mut found = Vec::new();
    for path in page_files().into_iter().filter(|path| !is_catalogue.is_match(path)) {
        let lines = read(&path).lines().count();
        let listed = LONG_PAGES.iter().find(|(long, _)| *long == path).map(|(_, lines)| *lines);
        if lines > listed.unwrap_or(LINES_MAX) {
            found.push(format!("{path} has {lines}"));
        }
        assert!(listed.is_none() || lines > LINES_MAX, "{path} is short by now: take it from LONG_PAGES.");
    }
    assert_none(&found, "A file of the pages has 400 lines at most: part it by what its parts do.");
    for (path, _) in LONG_PAGES {
        assert!(root().join(path).is_file(), "{path} is gone: take it from LONG_PAGES.");
    }
}

#[test]
fn comments_are_as_narrow_as_code() {
    let is_wide = |line: &str| line.trim_start().starts_with("//") && line.chars().count() > COLUMNS_MAX;
    let of = |path: String| {
        let text = read(&path);
        let wide = text.lines().enumerate().filter(|(_, line)| is_wide(line));
        wide.map(|(index, _)| format!("{path}:{}", index + 1)).collect::<Vec<_>>()
    };
    let found: Vec<String> = RUST_FOLDERS.into_iter().flat_map(rust_files).flat_map(of).collect();
    assert_none(&found, "A comment has 120 columns at most; rustfmt does not break its lines.");
}

#[test]
fn nothing_is_left_for_later() {
    let paths: Vec<String> = RUST_FOLDERS.into_iter().flat_map(rust_files).collect();
    // Written so that this line does not find itself.
    let found = hits(&paths, r"\bTOD[O]\b|\bFIXM[E]\b|\bXX[X]\b|\btod[o]!|\bunimplemente[d]!|#\[ignor[e]");
    assert_none(&found, "Do it now, or write it down in docs/decisions; no test is ignored.");
}

#[test]
fn mailboxes_keep_their_bounds() {
    let paths: Vec<String> = RUST_FOLDERS.into_iter().flat_map(rust_files).collect();
    assert_none(
        &hits(&paths, r"\bdo_sen[d]\("),
        "do_send ignores a mailbox's bound: use try_send, and let a full mailbox mean something.",
    );
    let actors = rust_files("src").into_iter().filter(|path| read(path).contains("type Context = Context<Self>"));
    let written_to: Vec<String> = actors.filter(|path| read(path).contains("impl Handler<")).collect();
    let unbounded: Vec<String> = written_to
        .into_iter()
        .filter(|path| !read(path).contains("set_mailbox_capacity(") && !keeps_sixteen(path))
        .collect();
    assert_none(&unbounded, "An actor that others write to bounds its mailbox by a named constant, in `started`.");
}

/// The delivery actor is written to by `Wake` alone, which may be lost: the bound of 16 that actix sets is enough.
fn keeps_sixteen(path: &str) -> bool {
    path == "src/outgoing/deliverer.rs"
}

#[test]
fn every_option_is_explained_and_read() {
    let defaults = read("config/default.toml");
    let options: toml::Table = toml::from_str(&defaults).expect("config/default.toml is TOML");
    let reader: String = rust_files("src/config").iter().map(|path| read(path)).collect();
    let lines: Vec<&str> = defaults.lines().collect();
    for name in options.keys() {
        let index = lines
            .iter()
            .position(|line| line.starts_with(&format!("{name} =")))
            .unwrap_or_else(|| panic!("{name} stands at the beginning of a line"));
        let above = lines[..index].iter().rev().find(|line| line.starts_with('#') || line.is_empty());
        assert!(above.is_some_and(|line| line.starts_with('#')), "config/default.toml: write a sentence above {name}.");
        assert!(
            reader.contains(&format!("\"{name}\"")),
            "{name}: src/config/options.rs or a file beside it reads it, or it goes from config/default.toml."
        );
    }
}

#[test]
fn every_path_in_the_documents_exists() {
    let link = Regex::new(r"\]\(([^)\s]+)\)").unwrap();
    let mut broken = Vec::new();
    for document in documents() {
        let text = read(&document);
        let folder = root().join(&document).parent().unwrap().to_owned();
        for token in
            quoted(&text).iter().flat_map(|quoted| quoted.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        {
            let token = token.trim_end_matches([',', ':', ';', '.']);
            let is_path = ROOTS.iter().any(|root| token.starts_with(root))
                || [".rs", ".md"].iter().any(|end| token.ends_with(end));
            let is_pattern = token.contains(['*', '<', '…', '$', '"', '(']);
            if is_path && !is_pattern && !root().join(token).exists() && !folder.join(token).exists() {
                broken.push(format!("{document}: {token}"));
            }
        }
        for target in link.captures_iter(&text).map(|captures| captures[1].to_owned()) {
            let path = target.split('#').next().unwrap_or_default();
            if !path.contains("://") && !path.is_empty() && !folder.join(path).exists() {
                broken.push(format!("{document}: {target}"));
            }
        }
    }
    assert_none(
        &broken,
        "A document names a path that does not exist: write the path as it is from the root, or as a link from the document.",
    );
}

/// Where `calculator` means the calculator itself, or a word for it, and not the field of a template.
const CALCULATOR_ITSELF: [&str; 6] = [
    "domain/src/calculator.rs",
    "domain/src/lib.rs",
    "web/src/calculator/",
    "web/src/student/runner/",
    "web/src/ui/Icon.svelte",
    "/texts/",
];

#[test]
fn the_way_of_a_templates_field_is_written_down() {
    let document = read("docs/architecture.md");
    let section = document.split_once("### Add a field to a template").unwrap().1.split("\n#").next().unwrap();
    let folders = ["src", "domain/src", "entities/src", "migration/src", "web/src"];
    let is_product = |path: &String| {
        let of_tests = ["tests.rs", "/tests/", "golden_frames.rs", ".test.ts", "/testing/"];
        let is_code = [".rs", ".ts", ".svelte"].iter().any(|end| path.ends_with(end));
        is_code && !of_tests.iter().chain(&CALCULATOR_ITSELF).any(|part| path.contains(part))
    };
    let field = Regex::new(r"\bcalculator\b").unwrap();
    let comment = Regex::new(r"^\s*(//|/\*|\*|<!--)").unwrap();
    let has_field = |path: &String| read(path).lines().any(|line| field.is_match(line) && !comment.is_match(line));
    let found: BTreeSet<String> =
        folders.iter().flat_map(|folder| files(folder)).filter(is_product).filter(has_field).collect();
    assert!(found.contains("domain/src/template.rs"), "the field of the example is gone: choose another one");
    let is_listed = |path: &String| {
        let is_of_product = folders.iter().any(|folder| path.starts_with(&format!("{folder}/")));
        is_of_product && path.contains('.') && !path.ends_with("migration/src/lib.rs")
    };
    let listed: BTreeSet<String> = quoted(section).into_iter().filter(is_listed).collect();
    let differences: Vec<String> = found.symmetric_difference(&listed).cloned().collect();
    assert_none(
        &differences,
        "`Add a field to a template` in docs/architecture.md lists every file of the product with `calculator`: add or remove these.",
    );
}

#[test]
fn every_command_in_the_documents_exists() {
    let subcommands = read("src/cli.rs");
    let scenarios = read("loadtests/src/main.rs");
    let call = Regex::new(
        r"(?:cargo run(?: -q)?(?: --release| --profile dist)? --|\bexamhall) ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?",
    )
    .unwrap();
    let load = Regex::new(r"-p loadtests -- ([a-z]+)").unwrap();
    let camel = |word: &str| {
        word.split('-').map(|part| format!("{}{}", part[..1].to_uppercase(), &part[1..])).collect::<String>()
    };
    let variant = |word: &str| Regex::new(&format!(r"(?m)^    {}\b", camel(word))).unwrap();
    for document in documents() {
        for text in quoted(&read(&document)) {
            for words in call.captures_iter(&text) {
                assert!(
                    variant(&words[1]).is_match(&subcommands),
                    "{document}: `examhall {}` is not a command of src/cli.rs.",
                    &words[1]
                );
                let nested = words.get(2).filter(|_| ["token", "user", "questions"].contains(&&words[1]));
                let is_known = nested.is_none_or(|word| variant(word.as_str()).is_match(&subcommands));
                assert!(is_known, "{document}: `{}` is not a command of src/cli.rs.", &words[0]);
            }
            for words in load.captures_iter(&text) {
                assert!(
                    variant(&words[1]).is_match(&scenarios),
                    "{document}: `{}` is not a scenario of loadtests/src/main.rs.",
                    &words[1]
                );
            }
        }
    }
}

#[test]
fn every_script_in_the_readme_can_be_run() {
    let script = Regex::new(r"\bscripts/[a-z-]+").unwrap();
    let readme = read("README.md");
    let named: BTreeSet<&str> = script.find_iter(&readme).map(|found| found.as_str()).collect();
    assert!(named.contains("scripts/test"), "README.md names the one command that runs every test, scripts/test.");
    for path in named.into_iter().chain([".ci/run"]) {
        let mode =
            fs::metadata(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}")).permissions().mode();
        assert!(mode & 0o111 == 0o111, "{path} is not executable: chmod +x {path}");
    }
    assert!(read(".ci/run").contains("scripts/test"), ".ci/run runs scripts/test, so that both are one.");
}

#[test]
fn every_test_of_the_server_is_in_a_ring() {
    let main = read("tests/it/main.rs");
    let outside: Vec<String> =
        main.lines().filter(|line| Regex::new(r"^mod \w+;$").unwrap().is_match(line)).map(str::to_owned).collect();
    assert_eq!(outside, ["mod hall;"], "tests/it/main.rs: a module of tests is inside the module of its ring.");
    let (contributing, script) = (read("CONTRIBUTING.md"), read("scripts/test"));
    for ring in Regex::new(r"(?m)^mod (\w+) \{$").unwrap().captures_iter(&main).map(|found| found[1].to_owned()) {
        assert!(contributing.contains(&format!("| `{ring}` |")), "CONTRIBUTING.md says what belongs to {ring}.");
        assert!(script.contains(&format!("{ring}::")), "scripts/test says where {ring} runs.");
    }
}

#[test]
fn no_test_asks_whether_it_has_services() {
    // What happens without them is asked by one test of them.
    let may_ask = |path: &String| path.starts_with("tests/it/hall") || path == "tests/it/services.rs";
    let tests: Vec<String> = rust_files("tests/it").into_iter().filter(|path| !may_ask(path)).collect();
    assert_none(
        &hits(&tests, r"TEST_(DATABASE_URL|REDIS_URL|SERVICES|DATA_PROVIDER)"),
        "A test that needs services is in a module named several_servers and calls need_services; one for SQLite is in edge.",
    );
}

#[test]
fn every_limit_in_the_table_exists() {
    let row = Regex::new(r"^\| `([A-Z][A-Z0-9_]+)` \|.*\| `((?:src|domain)/[^`]+)` \|$").unwrap();
    let table = read("docs/security.md");
    let rows: Vec<(String, String)> =
        table.lines().filter_map(|line| row.captures(line)).map(|row| (row[1].to_owned(), row[2].to_owned())).collect();
    assert!(rows.len() >= 40, "docs/security.md has the table of limits: constant, value, meaning, file.");
    let is_gone = |(name, path): &&(String, String)| !read(path).contains(&format!("const {name}:"));
    let gone: Vec<String> = rows.iter().filter(is_gone).map(|(name, path)| format!("{name} in {path}")).collect();
    assert_none(&gone, "The table of limits in docs/security.md names a constant that is not there: correct its row.");
}

#[test]
fn every_large_limit_is_in_the_table() {
    let limit = Regex::new(r"^(?:pub )?const ([A-Z0-9_]+_MAX|[A-Z0-9_]+_AT_ONCE|MAILBOX_CAPACITY):").unwrap();
    let table = read("docs/security.md");
    // The scale of scores and the years that a time can be written in limit nothing that is held.
    let scales = ["SCORE_MAX", "MILLISECONDS_MAX"];
    let mut missing = Vec::new();
    for path in ["src", "domain/src"].into_iter().flat_map(rust_files) {
        for name in read(&path).lines().filter_map(|line| limit.captures(line)).map(|found| found[1].to_owned()) {
            let is_listed =
                table.lines().any(|line| line.contains(&format!("`{name}`")) && line.contains(&format!("`{path}`")));
            if !is_listed && !scales.contains(&name.as_str()) {
                missing.push(format!("{name} in {path}"));
            }
        }
    }
    assert_none(&missing, "A limit is missing in the table of docs/security.md: give it a row.");
}

#[test]
fn nothing_names_a_machine_or_a_registry() {
    let mut paths: Vec<String> = [
        "src",
        "domain",
        "sample-bank",
        "entities",
        "migration",
        "loadtests",
        "web",
        "config",
        "deploy",
        "docs",
        "scripts",
        "tests",
        ".ci",
        ".github",
    ]
    .into_iter()
    .flat_map(files)
    .collect();
    paths.extend(
        [
            "README.md",
            "CONTRIBUTING.md",
            "CHANGELOG.md",
            "NOTICES.md",
            "Cargo.toml",
            "clippy.toml",
            "rustfmt.toml",
            ".gitignore",
            ".dockerignore",
            "Dockerfile",
        ]
        .map(str::to_owned),
    );
    paths.retain(|path| ![".png", ".webp", ".woff2", ".br", ".ttf"].iter().any(|kind| path.ends_with(kind)));
    let found = hits(
        &paths,
        r"/wor[k]/|/roo[t]/|/hom[e]/|crates[.]io|docs[.]rs|lib[.]rs/|npmjs[.]|pypi[.]org|registry[.]npm|rubygems[.]",
    );
    assert_none(
        &found,
        "Paths of one machine and links to package registries are of no use to a reader: name the thing instead.",
    );
}

/// The folders of `src` that a file names, apart from its own.
fn rooms_used_by(path: &str) -> BTreeSet<String> {
    let text = read(path);
    let direct = Regex::new(r"\bcrate::([a-z_]+)\b").unwrap();
    let grouped = Regex::new(r"use crate::\{([^}]*)\}").unwrap();
    let mut found: BTreeSet<String> = direct.captures_iter(&text).map(|captures| captures[1].to_owned()).collect();
    for group in grouped.captures_iter(&text) {
        found.extend(group[1].split(',').map(|name| name.trim().split("::").next().unwrap_or_default().to_owned()));
    }
    found.remove(&room_of(path));
    found
}

fn room_of(path: &str) -> String {
    path.trim_start_matches("src/").split(['/', '.']).next().unwrap_or_default().to_owned()
}

#[test]
fn features_know_only_those_that_they_may() {
    let mut found = Vec::new();
    for path in rust_files("src") {
        let room = room_of(&path);
        let Some((_, allowed)) = FEATURES.iter().find(|(name, _)| *name == room) else { continue };
        let used = rooms_used_by(&path).into_iter();
        let others = used.filter(|name| FEATURES.iter().any(|(feature, _)| feature == name));
        found.extend(others.filter(|name| !allowed.contains(&name.as_str())).map(|name| format!("{path} uses {name}")));
    }
    assert_none(&found, "A feature uses another one that it may not know: hand the value in, or say why in FEATURES.");
}

#[test]
fn what_lies_below_knows_nothing_above() {
    let mut found = Vec::new();
    for path in rust_files("src") {
        let Some(floor) = FLOORS.iter().position(|name| *name == room_of(&path)) else { continue };
        for name in rooms_used_by(&path) {
            let is_below = FLOORS.iter().position(|other| *other == name).is_some_and(|other| other < floor);
            if !is_below && name != "_" {
                found.push(format!("{path} uses {name}"));
            }
        }
    }
    assert_none(&found, "Dependencies point one way: main, app, features, then FLOORS from the last to the first.");
}

#[test]
fn a_public_type_name_occurs_once() {
    let definition = Regex::new(r"(?m)^pub(?:\([^)]*\))? (?:struct|enum|trait|type|union) ([A-Z]\w*)").unwrap();
    let mut homes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in ["src", "domain/src", "sample-bank/src", "loadtests/src"].into_iter().flat_map(rust_files) {
        for captures in definition.captures_iter(&read(&path)) {
            homes.entry(captures[1].to_owned()).or_default().push(path.clone());
        }
    }
    let server = |paths: &[String]| paths.iter().filter(|path| !path.starts_with("loadtests/")).count();
    let twice: Vec<String> = homes
        .iter()
        .filter(|(_, paths)| server(paths) > 1 || paths.len() - server(paths) > 1)
        .map(|(name, paths)| format!("{name}: {}", paths.join(", ")))
        .collect();
    assert_none(&twice, "A public type name occurs once, so that a search finds it: name the thing more exactly.");
}

/// The folder of `web/src/staff` that a path is in; empty for what all of them share.
fn staff_room_of(path: &str) -> &str {
    let inside = path.trim_start_matches("web/src/staff/");
    inside.split_once('/').map_or("", |(room, _)| room)
}

/// What a file of the pages imports by a path from its own folder, as paths from the root without an end.
fn page_imports(path: &str) -> Vec<String> {
    let import = Regex::new(r#"(?:\bfrom\s+|\bimport\s*\(?\s*)"(\.[^"]+)""#).unwrap();
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let resolve = |relative: &str| {
        let mut parts: Vec<&str> = folder.split('/').collect();
        for part in relative.split('/') {
            match part {
                "." => {}
                ".." => drop(parts.pop()),
                name => parts.push(name),
            }
        }
        parts.join("/")
    };
    import.captures_iter(&read(path)).map(|captures| resolve(&captures[1])).collect()
}

#[test]
fn features_of_the_staff_pages_know_only_those_that_they_may() {
    // Texts belong to what all share.
    let shared = ["", "texts", "testing"];
    let (mut found, mut used) = (Vec::new(), BTreeSet::new());
    for path in page_files().into_iter().filter(|path| path.starts_with("web/src/staff/")) {
        let room = staff_room_of(&path).to_owned();
        if STAFF_ABOVE.contains(&path.as_str()) {
            continue;
        }
        let feature = STAFF_FEATURES.iter().find(|(name, _)| *name == room);
        assert!(feature.is_some() || shared.contains(&room.as_str()), "{path}: give {room} a row in STAFF_FEATURES.");
        let allowed = feature.map_or(&[] as &[&str], |(_, allowed)| allowed);
        for target in page_imports(&path).into_iter().filter(|target| target.starts_with("web/src/staff/")) {
            let other = staff_room_of(&target).to_owned();
            if other == room || shared.contains(&other.as_str()) {
                continue;
            }
            if !allowed.contains(&other.as_str()) {
                found.push(format!("{path} uses {target}"));
            }
            used.insert((room.clone(), other));
        }
    }
    assert_none(
        &found,
        "A feature of the staff pages uses another one that it may not know: move what both need to web/src/staff, or say why in STAFF_FEATURES.",
    );
    for (room, others) in STAFF_FEATURES {
        for other in others {
            let is_used = used.contains(&(room.to_owned(), (*other).to_owned()));
            assert!(is_used, "{room} does not use {other} any more: take it from STAFF_FEATURES.");
        }
    }
}

#[test]
fn an_exported_name_of_the_pages_occurs_once() {
    let definition = Regex::new(
        r"(?m)^\s*export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) ([A-Za-z_]\w*)",
    )
    .unwrap();
    let mut homes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in page_files() {
        for captures in definition.captures_iter(&read(&path)) {
            homes.entry(captures[1].to_owned()).or_default().push(path.clone());
        }
    }
    assert!(homes.len() > 1_000, "exported names are looked for as they are written");
    let twice: Vec<String> = homes
        .iter()
        .filter(|(_, paths)| paths.len() > 1)
        .map(|(name, paths)| format!("{name}: {}", paths.join(", ")))
        .collect();
    assert_none(&twice, "An exported name of the pages means one thing: name the thing more exactly.");
}

#[test]
fn every_form_of_a_record_is_known_to_the_pages() {
    let golden: serde_json::Value = serde_json::from_str(&read("tests/golden/record_details.json")).unwrap();
    let text = |one: &serde_json::Value, field: &str| one[field].as_str().unwrap().to_owned();
    let forms = golden["details"].as_array().unwrap().iter().map(|one| (text(one, "source"), text(one, "form")));
    let mut found: Vec<String> = forms
        .filter(|(source, form)| !read(source).contains(&format!("\"{form}")))
        .map(|(source, form)| format!("{source} does not write {form:?}"))
        .collect();
    let write = r"ManagedChange(::of_\w+\(| \{)|storing\.note\(|insert_event\(|attempt_event::ActiveModel \{|late_decisions::note\(";
    let write = Regex::new(write).unwrap();
    for path in rust_files("src") {
        let count = read(&path).lines().filter(|line| write.is_match(line)).count();
        let known = golden["writers"].get(&path).and_then(serde_json::Value::as_u64).unwrap_or_default();
        if u64::try_from(count).unwrap() != known {
            found.push(format!("{path} writes at {count} places, of which {known} are known"));
        }
    }
    assert_none(
        &found,
        "Put what the record says now into tests/golden/record_details.json, and the words into record_words.ts.",
    );
}

#[test]
fn comments_point_only_into_the_repository() {
    let mut paths: Vec<String> = RUST_FOLDERS.into_iter().flat_map(rust_files).collect();
    paths.extend(
        files("web/src").into_iter().filter(|path| [".ts", ".svelte", ".css"].iter().any(|end| path.ends_with(end))),
    );
    paths.extend(files("scripts").into_iter().chain(["config/default.toml".to_owned(), "Cargo.toml".to_owned()]));
    let comment = Regex::new(r"(?:^|\s)(?://[/!]?|#|<!--|/?\*)\s(.*)$").unwrap();
    let documents = documents();
    let document = Regex::new(r"[\w./-]+[.]md\b").unwrap();
    let named = Regex::new(
        r"(?:^|[\s`(])((?:src|domain|sample-bank|entities|migration|loadtests|web|config|docs|scripts|tests)/[\w./-]*\w)",
    )
    .unwrap();
    let mut found = Vec::new();
    for path in paths {
        for (index, line) in read(&path).lines().enumerate() {
            let Some(text) = comment.captures(line).map(|captures| captures[1].to_owned()) else { continue };
            for name in document.find_iter(&text).map(|found| found.as_str()) {
                if !documents.iter().any(|known| known == name) {
                    found.push(format!("{path}:{}: {name} is no document by its path from the root", index + 1));
                }
            }
            for captures in named.captures_iter(&text) {
                let target = captures[1].split('#').next().unwrap_or_default();
                if !root().join(target).exists() && !target.contains("target/") {
                    found.push(format!("{path}:{}: {target} does not exist", index + 1));
                }
            }
        }
    }
    assert_none(&found, "A comment points to a document or a path that is not in the repository.");
}
