//! Corrected keys before anybody may know of results: nothing tells students that theirs has changed.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{School, id, path};
use crate::hall::{Candidate, Receiver, eventually};

const CORRECTIONS: &str = "/api/manager/corrections";

/// Corrects the first question of the paper so that everyone is credited, and waits until all tests have followed.
async fn correct(school: &School, sitting: &Value, question: &str) -> Value {
    let body = json!({ "questionId": question, "kind": "all", "scope": { "sittingId": sitting["id"] } });
    let made = school.admin.post_json(CORRECTIONS, &body).await;
    assert_eq!(made.status, 200, "{}", made.text());
    eventually("all tests have followed", async || {
        let list = school.admin.get(CORRECTIONS).await.json();
        let newest = list["corrections"][0].clone();
        (newest["progress"]["finished"] == true).then_some(newest)
    })
    .await
}

async fn versions(school: &School, session_id: &str) -> usize {
    let versions = school.admin.get(&format!("/api/sessions/{session_id}/versions")).await.json();
    versions["versions"].as_array().map_or(0, Vec::len)
}

/// A student who is alone, at work in a sitting.
async fn at_work(school: &School, sitting: &Value) -> Candidate {
    school.enrol(sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    let mut student = school.enter_all(sitting).await.remove(0);
    school.advance(6);
    student.begin().await;
    student.paper = crate::hall::ids(&student.resume().await["questionIds"]);
    student
}

#[tokio::test]
async fn receipts_tell_nobody_of_a_correction_before_the_release() {
    let school = School::open().await;
    let sitting = school.sitting(5, json!({})).await;
    let mut student = at_work(&school, &sitting).await;
    let question = student.paper[0].clone();
    student.submit().await;
    let session = student.session_id.clone();
    let size = async || {
        school.hall.clock.advance(std::time::Duration::from_secs(16));
        let noted = school.admin.get(&format!("/api/sittings/{}/checkpoint", id(&sitting))).await;
        (noted.status == 200).then(|| noted.text().lines().nth(1).unwrap().parse::<u64>().unwrap())
    };
    // One correction before the log has begun, and one after.
    correct(&school, &sitting, &question).await;
    assert_eq!(versions(&school, &session).await, 2);
    school.advance(60);
    eventually("the log has begun", async || size().await).await;
    correct(&school, &sitting, &student.paper[1]).await;
    assert_eq!(versions(&school, &session).await, 3);
    let path = |query: &str| format!("/api/sessions/{session}/receipt{query}");
    let caller = student.caller();
    let own = caller.get(&path("")).await;
    assert_eq!((own.status, own.header("etag")), (200, "\"1\""), "{}", own.text());
    for query in ["?version=2", "?version=3", ".tlog-proof?version=2", ".tlog-proof?version=3", "?version=4"] {
        caller.get(&path(query)).await.assert_error(404, "Version not found");
    }
    // Staff see the results, and so the versions. That they look changes nothing for others.
    assert_eq!(school.admin.get(&path("")).await.header("etag"), "\"3\"");
    assert_eq!(caller.get(&path("")).await.header("etag"), "\"1\"");
    for _ in 0..3 {
        assert_eq!(size().await, Some(1), "a log that grows would tell it too");
    }
    assert_eq!(school.hall.check_receipts().await.1, Vec::<String>::new());
    assert_eq!(school.release(&sitting).await.status, 200);
    eventually("the log has all versions", async || (size().await == Some(3)).then_some(())).await;
    assert_eq!(caller.get(&path("")).await.header("etag"), "\"3\"");
    assert_eq!(caller.get(&path(".tlog-proof?version=2")).await.status, 200);
    assert_eq!(school.hall.check_receipts().await.1, Vec::<String>::new());
}

#[tokio::test]
async fn while_a_reopened_test_goes_on_nobody_is_told_of_its_correction() {
    let receiver = Receiver::open().await;
    let school = School::with(&[("WEBHOOK_ALLOW", "127.0.0.1")]).await;
    let sitting = school.sitting(5, json!({ "webhookUrl": receiver.url(), "results": "now" })).await;
    let mut student = at_work(&school, &sitting).await;
    let question = student.paper[0].clone();
    student.submit().await;
    let session = student.session_id.clone();
    receiver.wait_for(1).await;
    let order = json!({ "id": Uuid::new_v4().to_string(), "type": "reopen", "force": true });
    let reopened = school.admin.post_json(&format!("/api/live/sessions/{session}/orders"), &order).await;
    assert_eq!(reopened.status, 200, "{}", reopened.text());
    correct(&school, &sitting, &question).await;
    assert_eq!(versions(&school, &session).await, 2);
    receiver.expect_only(&school.hall, 1).await;
    student.resume().await;
    student.submit().await;
    eventually("it has ended again", async || (versions(&school, &session).await == 3).then_some(())).await;
    let told = receiver.wait_for(2).await[1].json();
    assert_eq!(
        (&told["event"], &told["version"], &told["reason"]),
        (&json!("result.changed"), &json!(3), &json!("reopened"))
    );
    let line = |told: &Value| {
        told["result"]["answers"]
            .as_array()
            .unwrap()
            .iter()
            .find(|line| line["questionId"] == question.as_str())
            .cloned()
    };
    assert_eq!(line(&told).unwrap()["correction"], "all", "{told}");
    assert_eq!(school.admin.get(&path(&sitting)).await.status, 200);
}
