//! A network to PostgreSQL that loses connections without a word, and one behind which there is no database.

use std::time::Instant;

use futures_util::future::join_all;
use regex::Regex;
use url::Url;

use super::*;
use crate::hall::{Candidate, Hall, Link, Process, Settings, TestStore, answer, eventually, need_services, run};

/// A server whose way to PostgreSQL can be disturbed.
struct Linked {
    process: Process,
    link: Link,
    store: TestStore,
}

impl Linked {
    async fn open() -> Self {
        need_services();
        let store = TestStore::with_sample_bank().await;
        let mut settings: Settings = store.settings(&[]);
        let mut url: Url = settings["DATABASE_URL"].parse().unwrap();
        let link = Link::to(&format!("{}:{}", url.host_str().unwrap(), url.port().unwrap_or(5_432))).await;
        let (host, port) = link.address.split_once(':').unwrap();
        url.set_host(Some(host)).unwrap();
        url.set_port(Some(port.parse().unwrap())).unwrap();
        settings.insert("DATABASE_URL".to_owned(), url.into());
        Self { process: Process::serve(&settings).await, link, store }
    }

    async fn sit(&self) -> Candidate {
        Candidate::start(self.process.base(), json!({ "grade": 5, "questionCount": 10 })).await
    }

    /// Connections of a pool that something uses.
    async fn in_use(&self, pool: &str) -> u32 {
        let text = self.process.anonymous().get("/metrics").await.text();
        let line = Regex::new(&format!(
            r#"(?m)^examhall_pool_connections\{{[^}}]*pool="{pool}"[^}}]*state="in_use"[^}}]*\}} (\d+)"#
        ));
        line.unwrap().captures(&text).unwrap_or_else(|| panic!("{text}"))[1].parse().unwrap()
    }
}

#[tokio::test]
async fn a_connection_that_is_dead_without_a_word_is_replaced() {
    let linked = Linked::open().await;
    let mut candidate = linked.sit().await;
    for letter in ["A", "B"] {
        let question = candidate.paper[0].clone();
        candidate.answer(&question, letter).await;
        linked.link.lose();
        let begun = Instant::now();
        candidate.answer(&question, letter).await;
        let reading = linked.process.anonymous().get("/api/questions?grade=6").await;
        assert_eq!(reading.status, 200, "{}", reading.text());
        // Far below the fifteen seconds of one long attempt, and the minutes of the kernel.
        assert!(begun.elapsed() < Duration::from_secs(10), "it took {:?}", begun.elapsed());
    }
    eventually("what was lost is given up", async || (linked.in_use("journal").await <= 2).then_some(())).await;
}

#[tokio::test]
async fn nobody_loses_their_seat_while_there_is_no_database() {
    let linked = Linked::open().await;
    let mut candidates = join_all((0..4).map(|_| linked.sit())).await;
    // A proxy without a database accepts connections and closes them.
    linked.link.cut();
    let caller = linked.process.anonymous();
    let session = format!("/api/sessions/{}", candidates[0].session_id);
    let refused = async {
        let begun = Instant::now();
        // Longer than it takes to try a commit that fails alone for the last time.
        while begun.elapsed() < Duration::from_secs(12) {
            for answer in [caller.get(&session).await, caller.post_json("/api/live", &json!({ "grade": 5 })).await] {
                assert_eq!(answer.status, 503, "{}", answer.text());
                assert!(!answer.header("retry-after").is_empty());
            }
        }
        linked.link.mend();
    };
    let answered = join_all(candidates.iter_mut().map(async |candidate| {
        let question = candidate.paper[0].clone();
        candidate.send(answer(&question, "C")).await;
        candidate.settle().await;
    }));
    tokio::join!(refused, answered);
}

/// A connection that was opened while the database could only be read would be so for half an hour.
#[tokio::test]
async fn connections_that_can_only_read_end_when_writing_is_allowed_again() {
    let linked = Linked::open().await;
    let mut candidate = linked.sit().await;
    let url: Url = linked.store.settings(&[])["DATABASE_URL"].parse().unwrap();
    let name = url.path().trim_start_matches('/');
    let always_writes = format!("{url}?options[default_transaction_read_only]=off");
    let connection = sea_orm::Database::connect(always_writes).await.unwrap();
    let ended = format!(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}' AND application_name = 'examhall'"
    );
    for statement in [format!("ALTER DATABASE {name} SET default_transaction_read_only = on"), ended] {
        sea_orm::ConnectionTrait::execute_unprepared(&connection, &statement).await.unwrap();
    }
    let caller = linked.process.anonymous();
    eventually("nothing can be written", async || {
        let answer = caller.get("/readyz").await;
        (answer.status == 503 && answer.json()["database"] == "unwritable").then_some(())
    })
    .await;
    let allowed = format!("ALTER DATABASE {name} RESET default_transaction_read_only");
    sea_orm::ConnectionTrait::execute_unprepared(&connection, &allowed).await.unwrap();
    connection.close().await.unwrap();
    let question = candidate.paper[0].clone();
    candidate.answer(&question, "A").await;
    eventually("everything can be written", async || (caller.get("/readyz").await.status == 200).then_some(())).await;
}

#[tokio::test]
async fn a_check_finds_what_a_start_would_refuse() {
    need_services();
    for (setting, sentence) in [
        ("synchronous_commit = off", "Postgres has synchronous_commit off"),
        ("default_transaction_read_only = on", "the database is read only"),
    ] {
        let hall = Hall::open().await;
        let url: Url = hall.database_url().parse().unwrap();
        hall.alter(&format!("ALTER DATABASE {} SET {setting}", url.path().trim_start_matches('/'))).await;
        for command in ["check", "serve"] {
            let output = run(hall.settings(), &[command]).await;
            assert_eq!(output.status.code(), Some(1), "{command}: {output:?}");
            let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
            assert!(text.contains(sentence), "{command}: {text}");
        }
    }
}
