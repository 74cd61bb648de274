//! A sitting that begins while one of three servers is killed and another one hangs: nobody begins later than they can
//! connect again, and nobody's deadline moves.

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::join_all;
use reqwest::Method;

use super::*;
use crate::hall::{Answer, Caller, Heard, LiveSocket, time_of, token};

const CANDIDATES: usize = 24;
/// From the plan to the beginning: all must have entered by then, on a slow machine too.
const UNTIL_BEGIN: TimeDelta = TimeDelta::seconds(20);
/// How long before the beginning the servers fail.
const BEFORE: TimeDelta = TimeDelta::milliseconds(50);
/// How long a client waits for the beginning before it connects again. One that is cut off notices at once.
const PATIENCE: TimeDelta = TimeDelta::milliseconds(700);
/// Connecting again, with one server dead and one that hangs, until HAProxy has noticed.
const BEGUN_WITHIN: TimeDelta = TimeDelta::seconds(15);

#[tokio::test]
async fn a_beginning_outlives_a_server_that_dies_and_one_that_hangs() {
    let mut cluster = Cluster::open(Setup::default()).await;
    let starts_at = Utc::now() + UNTIL_BEGIN;
    let (sitting, tokens) = planned(&cluster, starts_at).await;
    let (base, id) = (cluster.base().to_owned(), sitting["id"].as_str().unwrap().to_owned());
    let entering = tokens.iter().map(|token| Waiter::enter(&base, &id, token));
    let waiters = join_all(entering).await;
    assert!(Utc::now() < starts_at - BEFORE, "they have entered too late for this test");

    let beginning = join_all(waiters.into_iter().map(|waiter| waiter.begin(&base, starts_at)));
    let failing = async {
        sleep((starts_at - BEFORE - Utc::now()).to_std().unwrap()).await;
        cluster.server(1).freeze().await;
        cluster.kill(0).await;
    };
    let (begun, ()) = tokio::join!(beginning, failing);
    for (resumed, at) in begun {
        assert_eq!(time_of(&resumed["startedAt"]).timestamp_millis(), starts_at.timestamp_millis());
        assert_eq!(time_of(&resumed["deadline"]).timestamp_millis(), starts_at.timestamp_millis() + 45 * 60_000);
        assert!(at - starts_at < BEGUN_WITHIN, "begun {} ms late", (at - starts_at).num_milliseconds());
    }
    // The rows say the same, whoever writes them down.
    let written = format!(
        "SELECT COUNT(*) FROM attempts WHERE started_at_ms = {} AND deadline_ms - started_at_ms = 2700000",
        starts_at.timestamp_millis()
    );
    crate::hall::eventually("the rows of all", async || {
        (cluster.number(&written).await == i64::try_from(CANDIDATES).unwrap()).then_some(())
    })
    .await;
    cluster.server(1).thaw().await;
}

/// A sitting of a template of 45 minutes, with a token of each candidate.
async fn planned(cluster: &Cluster, starts_at: DateTime<Utc>) -> (Value, Vec<String>) {
    let admin = Caller::new(cluster.base(), Some(&cluster.admin));
    let targets = json!({ "1": 1, "2": 2, "3": 2, "4": 2, "5": 3 });
    let config = json!({ "name": "Paper", "grades": [5], "mode": "standard", "durationMinutes": 45, "standardTargets": targets });
    let template = admin.post_json("/api/admin/test-templates", &config).await.json()["template"]["id"].clone();
    let plan = json!({ "name": "Finals", "templateId": template, "startsAt": starts_at });
    let sitting = admin.post_json("/api/admin/sittings", &plan).await.json()["sitting"].clone();
    let emails: Vec<String> = (0..CANDIDATES).map(|number| format!("c{number}@exam.test")).collect();
    let roster: Vec<Value> = emails.iter().map(|email| json!({ "email": email, "name": email })).collect();
    let path = format!("/api/admin/sittings/{}/candidates", sitting["id"].as_str().unwrap());
    let answer = Answer::to(admin.request(Method::PUT, &path).json(&json!({ "candidates": roster }))).await;
    assert_eq!(answer.json()["added"], CANDIDATES, "{}", answer.text());
    let mut tokens = Vec::new();
    for email in &emails {
        tokens.push(token::create(cluster.settings(), email, "student").await);
    }
    (sitting, tokens)
}

/// Someone who has entered.
struct Waiter {
    socket: LiveSocket,
    resume: Value,
}

impl Waiter {
    async fn enter(base: &str, sitting_id: &str, token: &str) -> Self {
        let bearer = format!("Bearer {token}");
        let mut socket = LiveSocket::connect(base, &[("authorization", &bearer)]).await.unwrap();
        socket.send(&json!({ "type": "enter", "sittingId": sitting_id })).await;
        let waiting = socket.expect("waiting").await;
        let resume = json!({ "type": "resume", "sessionId": waiting["sessionId"], "token": waiting["token"] });
        Self { socket, resume }
    }

    /// Waits for the beginning; whoever does not hear of it connects again. Returns where it stands then, and when that
    /// was known.
    async fn begin(mut self, base: &str, starts_at: DateTime<Utc>) -> (Value, DateTime<Utc>) {
        let mut begun_at = None;
        loop {
            let left = (starts_at + PATIENCE - Utc::now()).to_std().unwrap_or(Duration::from_millis(300));
            match self.socket.hear_within(left).await {
                Some(Heard::Frame(frame)) if frame["type"] == "begin" => begun_at = begun_at.or(Some(Utc::now())),
                Some(Heard::Frame(frame)) if frame["type"] == "resumed" => {
                    return (frame, begun_at.unwrap_or_else(Utc::now));
                }
                Some(Heard::Frame(_)) => continue,
                Some(Heard::Closed(_)) | None => {}
            }
            // Also after `begin`, for the deadline that the server keeps.
            if let Some(socket) = LiveSocket::reach(base, "/api/live", &[]).await {
                self.socket = socket;
                self.socket.send(&self.resume).await;
            } else {
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
}
