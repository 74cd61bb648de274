//! What a proctor is told first: all rows, in parts, and from a number on only what is new.

use serde_json::{Value, json};

use super::{grade, next, socket, test_of, watching};
use crate::hall::{Candidate, Hall, LiveSocket, Proctor, time_of};

#[tokio::test]
async fn an_empty_room_has_a_complete_roster() {
    let hall = Hall::open().await;
    let mut socket = socket(&hall, &hall.token("admin").await).await;
    socket.send(&json!({ "type": "watch", "grade": 5 })).await;
    let roster = next(&mut socket, "roster").await;
    assert_eq!(
        (&roster["room"], &roster["sessions"], &roster["complete"]),
        (&grade(), &json!([]), &json!(true)),
        "{roster}"
    );
    time_of(&roster["serverTime"]);
    assert!(roster["seq"].as_u64().is_some_and(|seq| seq > 0 && seq < 1 << 53), "{roster}");
}

#[tokio::test]
async fn a_row_tells_all_of_a_session() {
    let hall = Hall::open().await;
    let candidate = hall.sit(test_of("Ada")).await;
    let proctor = watching(&hall).await;
    let mut row = proctor.row(&candidate.session_id).clone();
    for name in ["startedAt", "deadline", "lastSeenAt"] {
        time_of(&row[name].take());
    }
    let expected = json!({
        "sessionId": candidate.session_id, "student": "Ada", "account": null, "grade": 5, "templateId": null, "mode": "standard", "state": "active", "connected": true,
        "stage": 1, "answered": 0, "marked": 0, "total": 10, "currentQuestionId": null, "startedAt": null, "deadline": null, "away": false,
        "awayCount": 0, "lastSeenAt": null, "takenOverAt": null, "standing": "running", "score": null, "progress": "----------", "at": null, "trouble": [], "refused": 0,
    });
    assert_eq!(row, expected);
    assert_eq!(proctor.row(&candidate.session_id)["deadline"], candidate.started["deadline"]);
}

#[tokio::test]
async fn a_row_tells_who_was_signed_in() {
    let mut hall = Hall::open().await;
    let authorization = format!("Bearer {}", hall.token("student").await);
    let mut socket = LiveSocket::connect(&hall.base(), &[("authorization", &authorization)]).await.unwrap();
    let mut start = test_of("The headmaster");
    start["type"] = json!("start");
    socket.send(&start).await;
    let session_id = socket.expect("started").await["sessionId"].as_str().unwrap().to_owned();
    let anonymous = hall.sit(json!({ "grade": 5 })).await;
    let admin = hall.token("admin").await;
    let expected = [&json!("The headmaster"), &json!("student@exam.test")];
    // From the seats, from the list, and after a restart from the store.
    let proctor = Proctor::watching(&hall.base(), &admin, &grade()).await;
    assert_eq!(["student", "account"].map(|name| &proctor.row(&session_id)[name]), expected);
    assert_eq!(proctor.row(&anonymous.session_id)["account"], Value::Null);
    let list = hall.bearer(&admin).get("/api/live/sessions?grade=5").await.json();
    let row = list["sessions"].as_array().unwrap().iter().find(|row| row["sessionId"] == session_id).unwrap();
    assert_eq!(["student", "account"].map(|name| &row[name]), expected);
    hall.restart().await;
    let proctor = Proctor::watching(&hall.base(), &admin, &grade()).await;
    assert_eq!(["student", "account"].map(|name| &proctor.row(&session_id)[name]), expected);
}

#[tokio::test]
async fn those_who_are_not_connected_are_there_too() {
    let mut hall = Hall::open().await;
    let bank = hall.bank(5).await;
    let mut gone = hall.sit(json!({ "grade": 5, "annotations": { "studentId": "s-17" } })).await;
    let question = gone.paper[3].clone();
    gone.answer(&question, bank.key(&question)).await;
    gone.socket().send(&json!({ "type": "focus", "away": true })).await;
    gone.socket().sync().await;
    let mut over = hall.sit(test_of("Bob")).await;
    let result = over.submit().await["result"].clone();
    let by_https = Candidate::start_by_https(&hall.base(), &json!({ "grade": 5, "mode": "adaptive" })).await;
    // After the restart no seat is in memory: all of it comes from the store.
    hall.restart().await;
    let proctor = watching(&hall).await;
    assert_eq!(proctor.rows.len(), 3, "{:?}", proctor.rows);
    let row = proctor.row(&gone.session_id);
    let expected = json!(["s-17", "active", false, 1, 0, 20, question, true, 1, null]);
    assert_eq!(facts(row), expected);
    let row = proctor.row(&over.session_id);
    assert_eq!((&row["state"], &row["score"], &row["student"]), (&json!("submitted"), &result["score"], &json!("Bob")));
    assert_eq!(facts(proctor.row(&by_https.session_id)), json!(["", "active", false, 0, 0, 20, null, false, 0, null]));
}

fn facts(row: &Value) -> Value {
    let names = [
        "student",
        "state",
        "connected",
        "answered",
        "marked",
        "total",
        "currentQuestionId",
        "away",
        "awayCount",
        "score",
    ];
    names.into_iter().map(|name| row[name].clone()).collect()
}

#[tokio::test]
async fn a_large_room_comes_in_parts() {
    let hall = Hall::open().await;
    let start = json!({ "grade": 5, "questionCount": 10 });
    for _ in 0..11 {
        let base = hall.base();
        let starts = (0..50).map(|_| Candidate::start_by_https(&base, &start));
        futures_util::future::join_all(starts).await;
    }
    let mut socket = socket(&hall, &hall.token("admin").await).await;
    socket.send(&json!({ "type": "watch", "grade": 5 })).await;
    let parts = [next(&mut socket, "roster").await, next(&mut socket, "roster").await];
    let sizes = parts.each_ref().map(|part| part["sessions"].as_array().unwrap().len());
    assert_eq!((sizes, &parts[0]["complete"], &parts[1]["complete"]), ([500, 50], &json!(false), &json!(true)));
    let ids: std::collections::BTreeSet<&str> = parts
        .iter()
        .flat_map(|part| part["sessions"].as_array().unwrap())
        .map(|row| row["sessionId"].as_str().unwrap())
        .collect();
    assert_eq!(ids.len(), 550);
    assert_eq!(parts[0]["seq"], 0, "from half a roster nobody can go on");
}

#[tokio::test]
async fn who_comes_back_is_told_what_is_new() {
    let hall = Hall::open().await;
    let mut first = hall.sit(test_of("Ada")).await;
    let second = hall.sit(test_of("Bob")).await;
    let proctor = watching(&hall).await;
    let question = first.paper[0].clone();
    first.answer(&question, "A").await;
    let token = hall.token("admin").await;
    let mut socket = socket(&hall, &token).await;
    socket.send(&json!({ "type": "watch", "grade": 5, "since": proctor.seq })).await;
    let mut changes = next(&mut socket, "changes").await;
    while changes["sessions"].as_array().unwrap().is_empty() {
        changes = next(&mut socket, "changes").await;
    }
    let rows = changes["sessions"].as_array().unwrap();
    assert_eq!(
        (rows.len(), &rows[0]["sessionId"], &rows[0]["answered"]),
        (1, &json!(first.session_id), &json!(1)),
        "{rows:?}"
    );
    drop(second);
}

#[tokio::test]
async fn a_number_that_is_too_old_gives_a_roster() {
    let mut hall = Hall::open().await;
    let candidate = hall.sit(test_of("Ada")).await;
    let token = hall.token("admin").await;
    let seq = Proctor::watching(&hall.base(), &token, &grade()).await.seq;
    hall.restart().await;
    for since in [0, 1, seq, (1_u64 << 53) - 1] {
        let mut socket = socket(&hall, &token).await;
        socket.send(&json!({ "type": "watch", "grade": 5, "since": since })).await;
        let roster = next(&mut socket, "roster").await;
        assert_eq!(roster["sessions"][0]["sessionId"], candidate.session_id, "{since}");
    }
}

#[tokio::test]
async fn the_last_watch_counts() {
    let hall = Hall::open().await;
    let fifth = hall.sit(test_of("Ada")).await;
    let sixth = hall.sit(json!({ "grade": 6 })).await;
    let mut proctor = watching(&hall).await;
    assert!(proctor.rows.contains_key(&fifth.session_id) && !proctor.rows.contains_key(&sixth.session_id));
    proctor.watch(&json!({ "grade": 6 })).await;
    assert_eq!(proctor.rows.keys().collect::<Vec<_>>(), [&sixth.session_id]);
}

#[tokio::test]
async fn a_templates_room_has_its_sessions_alone() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let config = json!({ "name": "Finals", "grades": [5], "mode": "standard", "durationMinutes": 30, "standardTargets": { "1": 2, "2": 2, "3": 2, "4": 2, "5": 2 } });
    let made = admin.post_json("/api/admin/test-templates", &config).await;
    assert_eq!(made.status, 200, "{}", made.text());
    let id = made.json()["template"]["id"].as_str().unwrap().to_owned();
    hall.sit(test_of("Ada")).await;
    let theirs = hall.sit(json!({ "templateId": id })).await;
    let room = json!({ "templateId": id });
    let token = hall.token("admin").await;
    let proctor = Proctor::watching(&hall.base(), &token, &room).await;
    assert_eq!(proctor.rows.keys().collect::<Vec<_>>(), [&theirs.session_id]);
    assert_eq!(proctor.row(&theirs.session_id)["templateId"], id);
    assert_eq!(Proctor::roster(&hall.base(), &token, &grade()).await.len(), 2, "the grade has them all");
}
