//! What people do with a service whose data is elsewhere, from the first sign-in to the report.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{ADMIN, DataServer};
use crate::hall::{Answer, Caller, Hall, PROVIDER_KEY, Receiver, answer, assert_result, eventually};

/// Someone who has signed in through the development sign-in.
async fn signed_in(hall: &Hall, email: &str) -> impl AsyncFn(reqwest::Method, &str, Option<Value>) -> Answer {
    let (cookie, caller) = (hall.cookie(email).await, hall.anonymous());
    async move |method, path: &str, body: Option<Value>| {
        let request = caller.request(method, path).header("cookie", &cookie).header("sec-fetch-site", "same-origin");
        Answer::to(if let Some(body) = body { request.json(&body) } else { request }).await
    }
}

#[tokio::test]
async fn users_are_made_and_kept_at_the_data_service() {
    let data = DataServer::open().await;
    let front = data.front().await;
    let admin = signed_in(&front, ADMIN).await;
    let stored = data.get(&format!("/users/{ADMIN}")).await.json();
    assert_eq!((&stored["email"], &stored["role"]), (&json!(ADMIN), &json!("admin")));
    let student = signed_in(&front, "ada@exam.test").await;
    let me = student(reqwest::Method::GET, "/api/me", None).await.json();
    assert_eq!((&me["email"], &me["role"]), (&json!("ada@exam.test"), &json!("student")));
    // A second sign-in creates no second user, and takes no role away.
    let changed =
        admin(reqwest::Method::PATCH, "/api/admin/users/ada@exam.test", Some(json!({ "role": "reviewer" }))).await;
    assert_eq!((changed.status, &changed.json()["role"]), (200, &json!("reviewer")), "{}", changed.text());
    let again = signed_in(&front, "ada@exam.test").await;
    assert_eq!(again(reqwest::Method::GET, "/api/me", None).await.json()["role"], "reviewer");
    let ada = data.get("/users/ada@exam.test").await.json();
    assert!(ada["role"] == "reviewer" && ada["lastLogin"].is_string(), "{ada}");
    for path in ["/api/admin/users", "/api/sessions"] {
        admin(reqwest::Method::GET, path, None)
            .await
            .assert_error(501, "Not available from the external data provider");
    }
    admin(reqwest::Method::DELETE, "/api/admin/users/ada@exam.test", None)
        .await
        .assert_error(501, "Not available from the external data provider");
    admin(reqwest::Method::GET, "/api/admin/items?grade=5", None)
        .await
        .assert_error(501, "Not available from the external data provider");
    admin(reqwest::Method::GET, "/api/admin/test-templates", None)
        .await
        .assert_error(501, "Test templates need the local data provider");
    admin(reqwest::Method::PATCH, "/api/admin/users/nobody@exam.test", Some(json!({ "role": "admin" })))
        .await
        .assert_error(404, "User not found");
}

#[tokio::test]
async fn questions_are_reviewed_edited_and_signed_off_through_the_pair() {
    let data = DataServer::open().await;
    let front = data.front().await;
    let admin = front.signed_in("admin").await;
    let bank = front.bank(5).await;
    let mut kept = data.get("/questions?grade=5").await.json()["questions"].as_array().unwrap().clone();
    for entry in &mut kept {
        entry.as_object_mut().unwrap().remove("practice");
    }
    let (numbers, others): (Vec<Value>, Vec<Value>) =
        kept.into_iter().partition(|question| question["type"] == "number");
    assert_eq!((others, numbers.len()), (bank.questions.clone(), 20));
    let id = bank.ids()[3].clone();
    edit(&admin, &id, json!({ "explanation": "Look at it closely." })).await;
    let kept = eventually("the edit is at the data service", async || {
        Some(question(&data, &id).await).filter(|kept| kept["explanation"] == "Look at it closely.")
    })
    .await;
    assert_eq!(kept["question"], bank.question(&id)["question"]);
    eventually("students are given it", async || {
        Some(front.bank(5).await).filter(|bank| bank.question(&id)["explanation"] == "Look at it closely.")
    })
    .await;
    let log = admin.get("/api/review/edit?grade=5").await.json();
    assert_eq!(log["editLog"][0]["questionId"], id.as_str(), "the log has it at once: {log}");
    eventually("the log is at the data service", async || {
        Some(data.get("/edit-log?grade=5").await.json()).filter(|log| *log != json!([]))
    })
    .await;
    assert_eq!(
        admin.get("/api/review/edit?grade=5").await.json()["editLog"].as_array().unwrap().len(),
        1,
        "and has it once"
    );
    let review = json!({ "questionId": id, "grade": 5, "status": "flagged", "note": "Too hard" });
    assert_eq!(admin.post_json("/api/review/submit", &review).await.status, 200);
    assert_eq!(data.get("/reviews").await.json()[&id]["status"], "flagged");
    assert_eq!(admin.get("/api/review/questions?grade=5").await.json()["reviews"][&id]["note"], "Too hard");
    let stats = admin.get("/api/admin/review/stats").await.json();
    assert_eq!((&stats["totalQuestions"], &stats["totalFlagged"]), (&json!(1_400), &json!(1)));
    assert_eq!(
        admin.post_json("/api/manager/approvals", &json!({ "grade": 5, "status": "approved" })).await.status,
        200
    );
    assert_eq!(data.get("/grade-approvals").await.json()[0]["status"], "approved");
}

#[tokio::test]
async fn an_exam_arrives_at_the_data_service_with_its_webhook() {
    let (data, receiver) = (DataServer::open().await, Receiver::open().await);
    let front = data.front().await;
    let bank = front.bank(5).await;
    let mut candidate = front.sit(json!({ "grade": 5, "mode": "adaptive", "webhookUrl": receiver.url(), "annotations": { "studentId": "s-17" } })).await;
    let mut choices = BTreeMap::new();
    let first = candidate.paper.clone();
    for id in &first {
        choose(&mut candidate, id, bank.key(id), &mut choices).await;
    }
    candidate.next().await;
    for id in candidate.paper.clone() {
        choose(&mut candidate, &id, bank.wrong(&id), &mut choices).await;
    }
    candidate.settle().await;
    let submitted = candidate.submit().await;
    assert_result(&submitted["result"], &bank, &[first, candidate.paper].concat(), &choices);
    receiver.wait_for(1).await;
    let there = eventually("it is there, and says that its webhook was sent", async || {
        Some(data.session(&candidate.session_id).await).filter(|session| session["webhookSent"] == true)
    })
    .await;
    let here = front.stored_session(&candidate.session_id).await;
    assert_eq!(there, here);
    assert_eq!(
        (&there["result"], &there["verified"], &there["annotations"]["studentId"]),
        (&submitted["result"], &json!(true), &json!("s-17"))
    );
    // A second server of the pair has never seen this test.
    let other = data.front().await;
    assert_eq!(other.stored_session(&candidate.session_id).await, here);
    other
        .anonymous()
        .get("/api/sessions/5b0b5ed6-63b1-4ee6-8c3f-6c4fd1c43d7c")
        .await
        .assert_error(404, "Session not found");
}

async fn choose(
    candidate: &mut crate::hall::Candidate,
    id: &str,
    choice: &str,
    choices: &mut BTreeMap<String, String>,
) {
    let seq = candidate.act(answer(id, choice));
    candidate.carry(seq).await;
    choices.insert(id.to_owned(), choice.to_owned());
}

async fn edit(admin: &Caller, id: &str, updates: Value) {
    let edited = admin
        .post_json("/api/review/edit", &json!({ "questionId": id, "grade": 5, "comment": "", "updates": updates }))
        .await;
    assert_eq!(edited.status, 200, "{}", edited.text());
}

async fn question(data: &DataServer, id: &str) -> Value {
    let questions = data.get("/questions?grade=5").await.json();
    questions["questions"].as_array().unwrap().iter().find(|question| question["id"] == id).unwrap().clone()
}

#[tokio::test]
async fn marks_of_keys_hold_on_both_servers() {
    let data = DataServer::open().await;
    let front = data.front().await;
    let admin = front.signed_in("admin").await;
    let id = front.bank(5).await.ids()[3].clone();
    let mark = async |practice: Value| {
        admin.post_json("/api/admin/questions/marks", &json!({ "ids": [id], "practice": practice })).await
    };
    let has_key = async || {
        let bank = front.anonymous().get("/api/questions?grade=5").await.json();
        let question = bank.as_array().unwrap().iter().find(|question| question["id"] == id.as_str()).cloned();
        question.unwrap()["answer"].is_string()
    };
    assert!(has_key().await);
    assert_eq!(mark(json!(false)).await.status, 200);
    assert_eq!(question(&data, &id).await["practice"], false, "the data service has it");
    assert!(!has_key().await);
    // The next copy of the bank, after another question was edited, says so too.
    let other = front.bank(5).await.ids()[4].clone();
    edit(&admin, &other, json!({ "explanation": "Look again." })).await;
    front.clock.advance(std::time::Duration::from_secs(20));
    eventually("the edit is in the bank", async || {
        Some(front.bank(5).await).filter(|bank| bank.question(&other)["explanation"] == "Look again.")
    })
    .await;
    assert!(!has_key().await);
    // What is said there is heard here.
    let rows = json!({ "rows": [{ "id": id, "practice": true }] });
    let caller = Caller::new(&data.base(), None);
    let request = caller.request(reqwest::Method::POST, "/questions/import").header("x-api-key", PROVIDER_KEY);
    assert_eq!(Answer::to(request.json(&rows)).await.status, 200);
    eventually("the copy says it", async || {
        front.clock.advance(std::time::Duration::from_secs(20));
        Some(has_key().await).filter(|has_key| *has_key)
    })
    .await;
    mark(Value::Null).await.assert_error(501, "Not available from the external data provider");
}
