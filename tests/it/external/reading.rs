//! Finished tests as the service tells them: what it does not know, or leaves out, is known here.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use super::person;
use crate::hall::{External, Hall, Told, eventually};

/// Longer than the sender ever waits between two tries.
const LATER: Duration = Duration::from_secs(31);

/// Sits a live exam as someone who is signed in; returns its id.
async fn sit(hall: &Hall, external: &External) -> String {
    let mut student = person(hall, external, "ada@exam.test", "student").await;
    let started = student.fetch(Method::POST, "/api/live", Some(&json!({ "grade": 5, "questionCount": 10 }))).await;
    assert_eq!(started.status, 200, "{}", started.text());
    let started = started.json();
    let id = started["sessionId"].as_str().unwrap().to_owned();
    let commands = json!({ "commands": [
        { "type": "answer", "seq": 1, "questionId": started["questionIds"][0], "selected": "A", "timeTaken": 7 },
        { "type": "submit", "seq": 2 },
    ] });
    let seat = hall.bearer(started["token"].as_str().unwrap());
    let ended = seat.post_json(&format!("/api/live/{id}/commands"), &commands).await;
    assert_eq!((ended.status, &ended.json()["state"]), (200, &json!("submitted")), "{}", ended.text());
    id
}

/// What the server sends of this session, which the service then has.
async fn sent(hall: &Hall, external: &External, id: &str) -> Value {
    let line = format!("PUT /v1/sessions/{id}");
    external.on(&line, Told::done());
    let call = eventually("the session is sent", async || {
        hall.clock.advance(LATER);
        external.calls(&line).pop()
    });
    call.await.json()
}

/// What the contract does not require of a session.
fn without_optional_fields(mut session: Value) -> Value {
    let fields = session.as_object_mut().unwrap();
    for name in ["origin", "account", "verified", "drawings"] {
        fields.remove(name);
    }
    for line in fields["result"]["answers"].as_array_mut().unwrap() {
        line.as_object_mut().unwrap().remove("timeTaken");
    }
    session
}

#[tokio::test]
async fn a_live_exam_stays_one_when_the_service_leaves_out_what_is_optional() {
    let external = External::open().await;
    let hall = external.hall_with(&[("PUBLIC_ANSWERS", "false")]).await;
    hall.bank(5).await;
    let id = sit(&hall, &external).await;
    let kept = hall.stored_session(&id).await;
    let told = without_optional_fields(sent(&hall, &external, &id).await);
    let mut changed = told.clone();
    changed["result"]["answers"][1]["selected"] = json!("D");
    let mut staff = person(&hall, &external, "root@exam.test", "admin").await;
    let read = format!("GET /v1/sessions/{id}");
    for (told, is_same) in [(told, true), (changed, false)] {
        external.on(&read, Told::Json(200, told));
        external.forget();
        let found = eventually("the session is read in the service", async || {
            let found = hall.stored_session(&id).await;
            (!external.calls(&read).is_empty()).then_some(found)
        });
        let found = found.await;
        assert_eq!((&found["origin"], &found["verified"]), (&json!("live"), &json!(is_same)), "{found}");
        let line = &found["result"]["answers"][0];
        assert_eq!(line["correct"], kept["result"]["answers"][0]["correct"], "whoever sat it sees what was right");
        let for_staff = staff.get(&format!("/api/sessions/{id}")).await.json();
        assert_eq!(for_staff["account"], "ada@exam.test");
        // The points of the questions are known from the keys that it was graded by.
        let paper = hall.anonymous().get(&format!("/api/report/{id}/questions")).await.json();
        assert!(paper["questions"][0]["explanation"].is_string(), "{paper}");
    }
}
