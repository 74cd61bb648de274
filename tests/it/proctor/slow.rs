//! A proctor who does not read: costs a bounded amount, and neither students nor other proctors notice.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{grade, next, socket, test_of, watching};
use crate::hall::{Hall, Heard, Proctor, answer};

#[tokio::test]
async fn who_does_not_read_holds_up_nobody() {
    let hall = Hall::open().await;
    let token = hall.token("admin").await;
    let mut idle = socket(&hall, &token).await;
    idle.send(&json!({ "type": "watch", "grade": 5 })).await;
    next(&mut idle, "roster").await;
    let mut proctor = watching(&hall).await;
    let mut ada = hall.sit(test_of("Ada")).await;
    let (id, paper) = (ada.session_id.clone(), ada.paper.clone());
    // From here on the idle one reads nothing, for more frames than a watcher is ever sent unread.
    let begun = Instant::now();
    for round in 0..24 {
        let question = &paper[round % 10];
        let sent = Instant::now();
        ada.send(json!({ "type": "visit", "questionId": question })).await;
        ada.send(answer(question, ["A", "B", "C"][round / 10])).await;
        ada.settle().await;
        assert!(sent.elapsed() < Duration::from_secs(5), "the student waits for nobody");
        proctor
            .until("the question", |proctor| {
                proctor.rows.get(&id).is_some_and(|row| row["currentQuestionId"] == **question)
            })
            .await;
    }
    assert!(begun.elapsed() > Duration::from_secs(4), "a frame for each");
    // What it then reads leads to the same picture.
    let fresh = Proctor::roster(&hall.base(), &token, &grade()).await;
    let mut row = serde_json::Value::Null;
    while row["currentQuestionId"] != fresh[&id]["currentQuestionId"] || row["answered"] != fresh[&id]["answered"] {
        let Heard::Frame(frame) = idle.hear().await else { panic!("closed") };
        if let Some(found) = frame["sessions"].as_array().into_iter().flatten().find(|row| row["sessionId"] == *id) {
            row = found.clone();
        }
    }
}
