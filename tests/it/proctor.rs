//! Proctors: what they see of a room, who may see it, and that a slow proctor delays nobody else.

mod changes;
mod connection;
mod list;
mod orders;
mod requests;
mod rights;
mod roster;
mod servers;
mod trouble;

#[path = "proctor"]
mod edge {
    use super::*;

    mod differences;
    mod slow;
}

use std::time::Duration;

use serde_json::{Value, json};

use crate::hall::{Caller, Hall, Heard, LiveSocket, PROCTOR_PATH, Proctor};

/// The grade of most tests here.
fn grade() -> Value {
    json!({ "grade": 5 })
}

/// A test of ten questions of grade 5 by someone of this name.
fn test_of(name: &str) -> Value {
    json!({ "grade": 5, "questionCount": 10, "annotations": { "name": name } })
}

/// An admin who watches grade 5, up to the end of the roster.
async fn watching(hall: &Hall) -> Proctor {
    Proctor::watching(&hall.base(), &hall.token("admin").await, &grade()).await
}

/// A proctor's socket on which nothing has been sent yet.
async fn socket(hall: &Hall, token: &str) -> LiveSocket {
    let authorization = format!("Bearer {token}");
    LiveSocket::reach(&hall.base(), PROCTOR_PATH, &[("authorization", &authorization)])
        .await
        .expect("the proctor's socket was refused")
}

/// The next frame of this type; skips `changes` frames.
async fn next(socket: &mut LiveSocket, kind: &str) -> Value {
    loop {
        match socket.hear().await {
            Heard::Frame(frame) if frame["type"] == kind => return frame,
            Heard::Frame(frame) if frame["type"] == "changes" => {}
            other => panic!("{kind} expected: {other:?}"),
        }
    }
}

/// The code that the server closes the socket with; skips the frames before.
async fn closed(socket: &mut LiveSocket) -> Option<u16> {
    loop {
        if let Heard::Closed(code) = socket.hear().await {
            return code;
        }
    }
}

/// Assigns someone to grades as a reviewer (`assignments`) or as a manager (`managers`).
async fn assign(hall: &Hall, admin: &Caller, kind: &str, email: &str, grades: &[u8]) {
    let body = json!({ "email": email, "name": "Somebody", "grades": grades });
    let answer = admin.post_json(&format!("/api/admin/review/{kind}"), &body).await;
    assert_eq!(answer.status, 200, "{}: {}", hall.base(), answer.text());
}

/// Longer than a room takes to send a change, and much shorter than `PATIENCE`.
const A_WHILE: Duration = Duration::from_millis(600);
