//! Who may act on one session, on both roads: a sitting has people of its own, and only where there is none the grade
//! decides.

use reqwest::Method;
use serde_json::{Value, json};

use super::School;
use crate::hall::{Answer, Caller, Proctor};

/// What may be done with one session.
const ACTIONS: [&str; 7] = ["extend", "pause", "unpause", "notice", "code", "history", "only_this_device"];
/// Who asks, in which room of the socket, and on which sessions they may act: one outside of sittings, one in room B12
/// and one in room B13.
const TABLE: [(&str, Room, [bool; 3]); 4] = [
    ("admin", Room::Grade, [true, true, true]),
    ("manager", Room::Grade, [true, true, true]),
    ("reviewer", Room::Grade, [true, false, false]),
    // Someone without a role, who is named for B12.
    ("student", Room::Hall, [false, true, false]),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Room {
    Grade,
    Hall,
}

fn action(kind: &str, id: &str) -> Value {
    json!({ "type": kind, "id": id, "minutes": 1, "text": "Sit down" })
}

async fn by_https(caller: &Caller, kind: &str, id: &str, session_id: &str) -> Answer {
    let path = format!("/api/live/sessions/{session_id}");
    match kind {
        "code" => Answer::to(caller.request(Method::POST, &format!("{path}/code"))).await,
        "history" => caller.get(&format!("{path}/events")).await,
        _ => caller.post_json(&format!("{path}/orders"), &action(kind, id)).await,
    }
}

#[tokio::test]
async fn the_sitting_is_asked_before_the_grade() {
    let school = School::open().await;
    for (kind, email) in [("managers", "manager@exam.test"), ("assignments", "reviewer@exam.test")] {
        let body = json!({ "email": email, "name": "Somebody", "grades": [5] });
        let answer = school.admin.post_json(&format!("/api/admin/review/{kind}"), &body).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    let rooms = json!([{ "name": "B12", "proctors": ["student@exam.test"] }, { "name": "B13" }]);
    let sitting = school.sitting(20, json!({ "rooms": rooms })).await;
    let roster = json!([
        { "email": "ada@exam.test", "name": "Ada", "room": "B12" },
        { "email": "bo@exam.test", "name": "Bo", "room": "B13" },
    ]);
    school.enrol(&sitting, roster).await;
    let [practice, ada, bo] = [
        school.hall.sit(json!({ "grade": 5, "questionCount": 10 })).await,
        school.enter(&sitting, &school.candidate(&sitting, "Ada").await).await,
        school.enter(&sitting, &school.candidate(&sitting, "Bo").await).await,
    ];
    practice.state().await;
    school.advance(21);
    let sessions = [&practice.session_id, &ada.session_id, &bo.session_id];
    for (who, room, may) in TABLE {
        let caller = school.hall.signed_in(who).await;
        let watched = match room {
            Room::Grade => json!({ "grade": 5 }),
            Room::Hall => json!({ "sittingId": sitting["id"], "room": "B12" }),
        };
        let mut proctor = Proctor::watching(&school.hall.base(), &school.hall.token(who).await, &watched).await;
        for (place, (session_id, may)) in sessions.into_iter().zip(may).enumerate() {
            for kind in ACTIONS {
                let cell = format!("{who}, {kind}, session {place}");
                let answer = by_https(&caller, kind, &format!("https {kind} {place}"), session_id).await;
                assert_eq!(answer.status, if may { 200 } else { 403 }, "{cell}: {}", answer.text());
                let mut command = action(kind, &format!("socket {kind} {place}"));
                command["sessionId"] = json!(session_id);
                let answer = proctor.command(command).await;
                let expected = match (may, room) {
                    (true, _) => Value::Null,
                    (false, Room::Grade) => json!("forbidden"),
                    (false, Room::Hall) => json!("unknown_session"),
                };
                // Answers that are no errors may have a code that is for the student.
                let refusal = if answer["type"] == "error" { &answer["code"] } else { &Value::Null };
                assert_eq!(refusal, &expected, "{cell}: {answer}");
            }
        }
    }
    // Nobody who may not has left anything on the record.
    let record = school.admin.get(&format!("/api/live/sessions/{}/events", ada.session_id)).await.text();
    assert!(!record.contains("reviewer@exam.test") && record.contains("manager@exam.test"), "{record}");
}
