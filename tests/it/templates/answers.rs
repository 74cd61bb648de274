//! Who is told the keys of a template's questions: before it is sat, in the reports of its tests, and in those of
//! others.

use std::time::Duration;

use reqwest::Method;
use sea_orm::{ConnectionTrait, Database};
use serde_json::{Value, json};

use super::access::{at, begun, hand_in, student};
use super::{create, delete, lists, public_path, standard, update, with};
use crate::hall::{Answer, Bank, Caller, Hall, eventually};

const MINUTE: Duration = Duration::from_secs(60);
const MARKS: &str = "/api/admin/questions/marks";

/// How many questions in this document have an answer or an explanation.
fn keys(questions: &Value) -> usize {
    let list = questions.as_array().unwrap_or_else(|| panic!("{questions}"));
    assert!(!list.is_empty(), "a list that is empty shows nothing");
    list.iter().filter(|question| question["answer"].is_string() || question["explanation"].is_string()).count()
}

/// What the roads of a finished test tell of its keys: how many lines of the session, of its payload and of the
/// questions have any.
async fn told(caller: &Caller, session: &str) -> [usize; 3] {
    let mut told = [0; 3];
    for (place, payload) in ["", "?payload=1"].into_iter().enumerate() {
        let stored = caller.get(&format!("/api/sessions/{session}{payload}")).await.json();
        assert!(stored["result"]["score"].is_number(), "the score is told: {stored}");
        let lines = stored["result"]["answers"].as_array().unwrap();
        assert!(!lines.is_empty());
        let tells = |line: &&Value| line["correct"].is_string() || line["isCorrect"].is_boolean();
        told[place] = lines.iter().filter(tells).count();
        let has_sums = !stored["result"]["topicBreakdown"].as_array().unwrap().is_empty();
        assert_eq!(has_sums, told[place] > 0, "{stored}");
    }
    let report = caller.get(&format!("/api/report/{session}/questions")).await.json();
    told[2] = keys(&report["questions"]);
    let paper = caller.get(&format!("/api/report/{session}/pdf")).await;
    assert_eq!((paper.status, paper.header("content-type")), (200, "application/pdf"));
    told
}

async fn mark(admin: &Caller, ids: &[String], change: Value) {
    let body = with(json!({ "ids": ids }), change);
    let answer = admin.post_json(MARKS, &body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

/// The public bank of grade 5.
async fn bank(caller: &Caller) -> Value {
    caller.get("/api/questions?grade=5").await.json()
}

fn key_of(bank: &Value, id: &str) -> bool {
    let question = bank.as_array().unwrap().iter().find(|question| question["id"] == id);
    question.unwrap_or_else(|| panic!("{id}"))["answer"].is_string()
}

#[tokio::test]
async fn reports_follow_the_rule_of_their_template() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    for (rule, before, after) in [("always", 10, 10), ("after-closing", 0, 10), ("never", 0, 0)] {
        let access = json!({ "who": "anyone", "closesAt": at(&hall, 60) });
        let template = create(&admin, with(standard(), json!({ "access": access, "showAnswers": rule }))).await;
        let started = begun(&hall.anonymous(), &template).await;
        hand_in(&hall, &started).await;
        let session = started["sessionId"].as_str().unwrap();
        let (ada, _) = student(&hall, "ada@exam.test").await;
        for caller in [&hall.anonymous(), &ada] {
            assert_eq!(told(caller, session).await, [before; 3], "{rule}");
        }
        for staff in [&admin, &hall.staff_of("reviewer", 5).await] {
            assert_eq!(told(staff, session).await, [10; 3], "{rule}: staff see all");
        }
        assert_eq!(told(&hall.staff_of("reviewer", 6).await, session).await, [before; 3], "{rule}");
        let note =
            hall.anonymous().get(&format!("/api/report/{session}/questions")).await.json()["keptAnswers"].clone();
        let expected = match rule {
            "always" => Value::Null,
            "never" => json!({ "until": null }),
            _ => json!({ "until": access["closesAt"] }),
        };
        assert_eq!(note, expected, "{rule}");
        hall.clock.advance(61 * MINUTE);
        assert_eq!(told(&hall.anonymous(), session).await, [after; 3], "{rule}");
    }
}

#[tokio::test]
async fn a_seat_tells_no_keys_that_its_template_keeps() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    for (rule, is_told) in [("always", true), ("never", false)] {
        let template = create(&admin, with(standard(), json!({ "showAnswers": rule }))).await;
        let mut candidate = hall.sit(json!({ "templateId": template["id"] })).await;
        let submitted = candidate.submit().await;
        assert_eq!(submitted["result"].is_object(), is_told, "{rule}: {submitted}");
        let text = submitted.to_string();
        assert_eq!(text.contains("\"correct\""), is_told, "{rule}: {text}");
        // It may be changed at any time, and holds for tests that there are.
        let other = if is_told { "never" } else { "always" };
        assert_eq!(update(&admin, &template, json!({ "showAnswers": other })).await.status, 200);
        let stored = hall.stored_session(&candidate.session_id).await;
        assert_eq!(stored["result"]["answers"][0]["correct"].is_string(), !is_told, "{other}");
    }
}

#[tokio::test]
async fn questions_of_a_class_test_show_no_keys_while_it_stands() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, standard()).await;
    let open = create(&admin, standard()).await;
    let ids = lists(&template)["standard"].clone();
    // The other template has one question of it, which is practice, and one that is not.
    let mut list: Vec<String> = lists(&open)["standard"].iter().filter(|id| !ids.contains(id)).cloned().collect();
    list.extend(ids[..2].to_vec());
    let arranged = json!({ "bucket": { "kind": "standard" }, "questionIds": list });
    let path = format!("{}/{}/questions", super::PATH, open["id"].as_str().unwrap());
    assert_eq!(Answer::to(admin.request(Method::PUT, &path).json(&arranged)).await.status, 200);
    let everyone = hall.anonymous();
    assert_eq!(keys(&bank(&everyone).await), bank(&everyone).await.as_array().unwrap().len());
    mark(&admin, &ids[..1], json!({ "practice": true })).await;
    assert_eq!(update(&admin, &template, json!({ "practice": false })).await.status, 200);
    let shown = bank(&everyone).await;
    assert_eq!(ids.iter().map(|id| key_of(&shown, id)).filter(|has_key| *has_key).count(), 1, "practice alone");
    assert!(key_of(&shown, &ids[0]));
    assert_eq!(keys(&shown), shown.as_array().unwrap().len() - (ids.len() - 1), "all others");
    // On the template itself, and on another with the same question.
    assert_eq!(keys(&everyone.get(&public_path(&template)).await.json()["standardQuestions"]), 0);
    let beside = everyone.get(&public_path(&open)).await.json()["standardQuestions"].clone();
    assert_eq!(keys(&beside), beside.as_array().unwrap().len() - 1);
    // Staff of the grade see all of it.
    assert_eq!(keys(&bank(&admin).await), bank(&admin).await.as_array().unwrap().len());
    // A test that a client hands in tells nothing of its keys.
    let all = Bank::new(bank(&admin).await.as_array().unwrap().clone());
    let line = |id: &String| json!({ "questionId": id, "selected": "A", "correct": all.key(id), "isCorrect": true });
    let guess = |id: &String| {
        json!({ "grade": 5, "startedAt": "2026-01-05T09:00:00.000Z", "baseUrl": "https://exam.example", "result": {
            "score": 200, "correctAnswers": 0, "totalQuestions": 1, "timeTaken": 9,
            "topicBreakdown": [], "difficultyBreakdown": [], "answers": [line(id)],
        } })
    };
    for (id, is_told) in [(&ids[0], true), (&ids[1], false)] {
        let handed_in = everyone.post_json("/api/sessions", &guess(id)).await;
        assert_eq!(handed_in.status, 200, "{}", handed_in.text());
        let session = handed_in.json()["sessionId"].as_str().unwrap().to_owned();
        let stored = everyone.get(&format!("/api/sessions/{session}")).await.json();
        assert_eq!(stored["result"]["answers"][0]["correct"].is_string(), is_told, "{stored}");
        let report = everyone.get(&format!("/api/report/{session}/questions")).await.json();
        assert_eq!(keys(&report["questions"]) > 0, is_told, "{report}");
    }
    assert_eq!(super::read(&admin, &template).await["practiceQuestions"], 1, "its managers are told");
    assert_eq!(delete(&admin, &template).await.status, 200);
    let shown = bank(&everyone).await;
    assert_eq!(keys(&shown), shown.as_array().unwrap().len(), "the template is gone");
}

#[tokio::test]
async fn practice_with_the_same_questions_tells_no_keys_of_a_class_test() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let access = json!({ "who": "signed-in", "closesAt": at(&hall, 120) });
    let template = create(&admin, standard()).await;
    let ids = lists(&template)["standard"].clone();
    let practice = json!({ "grade": 5, "questionIds": ids });
    let (bo, _) = student(&hall, "bo@exam.test").await;
    let begin = async |test: &Value| {
        let answer = bo.post_json("/api/live", test).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    };
    let started = begin(&practice).await;
    let rules = json!({ "access": access, "practice": false });
    assert_eq!(update(&admin, &template, rules).await.status, 200);
    // Scores of chosen questions would tell its keys one after another.
    let refused = bo.post_json("/api/live", &practice).await;
    assert!(refused.status == 400 && refused.text().contains("questionIds must be of the grade"), "{}", refused.text());
    assert_eq!(admin.post_json("/api/live", &practice).await.status, 200, "staff know the keys");
    hand_in(&hall, &started).await;
    let session = started["sessionId"].as_str().unwrap();
    assert_eq!(told(&bo, session).await, [0; 3], "still to be sat by others");
    let theirs = begun(&bo, &template).await;
    hand_in(&hall, &theirs).await;
    assert_eq!(told(&bo, theirs["sessionId"].as_str().unwrap()).await, [10; 3], "its own tests follow its own rule");
    hall.clock.advance(121 * MINUTE);
    assert_eq!(told(&bo, session).await, [10; 3], "it has closed");
    assert_eq!(bo.post_json("/api/live", &practice).await.status, 200, "they may be chosen again");
}

#[tokio::test]
async fn practice_tells_no_key_of_a_question_that_is_no_practice() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, standard()).await;
    let ids = lists(&template)["standard"].clone();
    mark(&admin, &ids[..1], json!({ "practice": false })).await;
    let everyone = hall.anonymous();
    let mut sessions = Vec::new();
    for test in [json!({ "grade": 5, "questionIds": ids }), json!({ "templateId": template["id"] })] {
        let started = everyone.post_json("/api/live", &test).await.json();
        hand_in(&hall, &started).await;
        sessions.push(started["sessionId"].as_str().unwrap().to_owned());
    }
    assert_eq!(told(&everyone, &sessions[0]).await, [0; 3], "practice");
    assert_eq!(told(&everyone, &sessions[1]).await, [10; 3], "a template says for itself whether answers are shown");
    assert_eq!(told(&admin, &sessions[0]).await, [10; 3], "staff");
    let mut candidate = hall.sit(json!({ "grade": 5, "questionIds": ids })).await;
    let submitted = candidate.submit().await;
    assert!(!submitted.to_string().contains("\"correct\""), "{submitted}");
    mark(&admin, &ids[..1], json!({ "practice": null })).await;
    assert_eq!(told(&everyone, &sessions[0]).await, [10; 3], "the mark is gone");
}

#[tokio::test]
async fn answers_wait_for_tests_that_go_on_after_the_end() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, standard()).await;
    let [first, second] = [begun(&hall.anonymous(), &template).await, begun(&hall.anonymous(), &template).await];
    // The end comes after both have begun, so that it is none of theirs.
    let access = json!({ "who": "anyone", "closesAt": at(&hall, 5) });
    let rules = json!({ "access": access, "showAnswers": "after-closing" });
    assert_eq!(update(&admin, &template, rules).await.status, 200);
    hand_in(&hall, &first).await;
    let session = first["sessionId"].as_str().unwrap();
    hall.clock.advance(6 * MINUTE);
    let everyone = hall.anonymous();
    assert_eq!(told(&everyone, session).await, [0; 3], "the other one is still at work");
    let note = everyone.get(&format!("/api/report/{session}/questions")).await.json()["keptAnswers"].clone();
    assert_eq!(note, json!({ "until": access["closesAt"] }));
    hand_in(&hall, &second).await;
    eventually("nobody is at work any more", async || {
        Some(told(&everyone, session).await).filter(|told| *told == [10; 3])
    })
    .await;
}

#[tokio::test]
async fn a_template_that_cannot_be_read_keeps_its_keys_and_stops_nothing_else() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, standard()).await;
    let ids = lists(&template)["standard"].clone();
    let started = begun(&hall.anonymous(), &template).await;
    hand_in(&hall, &started).await;
    let session = started["sessionId"].as_str().unwrap();
    // As a newer server may write it.
    let database = Database::connect(hall.database_url()).await.unwrap();
    let version = hall.clock.now().milliseconds() + 1;
    let newer = format!(
        r#"UPDATE templates SET rules = '{{"showAnswers":"later"}}', guards_keys = TRUE, updated_at_ms = {version}"#
    );
    database.execute_unprepared(&newer).await.unwrap();
    hall.clock.advance(MINUTE);
    let everyone = hall.anonymous();
    eventually("its keys are kept", async || {
        let shown = bank(&everyone).await;
        Some(()).filter(|()| ids.iter().all(|id| !key_of(&shown, id)))
    })
    .await;
    assert_eq!(told(&everyone, session).await, [0; 3]);
    // Other changes are still noticed.
    let other =
        bank(&everyone).await.as_array().unwrap().iter().find(|question| question["answer"].is_string()).cloned();
    let other = other.unwrap()["id"].as_str().unwrap().to_owned();
    mark(&admin, std::slice::from_ref(&other), json!({ "practice": false })).await;
    assert!(!key_of(&bank(&everyone).await, &other));
}

#[tokio::test]
async fn marks_of_questions_are_set_many_at_once() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let everyone = hall.anonymous();
    let ids: Vec<String> = Bank::new(bank(&admin).await.as_array().unwrap().clone()).ids()[..3].to_vec();
    let refused = async |caller: &Caller, body: Value, status: u16, error: &str| {
        caller.post_json(MARKS, &body).await.assert_error(status, error);
    };
    let many: Vec<String> = (0..501).map(|number| format!("none-{number}")).collect();
    refused(&admin, json!({ "ids": [], "secure": true }), 400, "Invalid ids").await;
    refused(&admin, json!({ "ids": [ids[0], ids[0]], "secure": true }), 400, "Invalid ids").await;
    refused(&admin, json!({ "ids": many, "secure": true }), 400, "Invalid ids").await;
    refused(&admin, json!({ "ids": ids, "secure": "yes" }), 400, "Invalid secure").await;
    refused(&admin, json!({ "ids": ids, "practice": "yes" }), 400, "Invalid practice").await;
    refused(&admin, json!({ "ids": ids }), 400, "Invalid body").await;
    refused(&admin, json!({ "ids": [ids[0], "none"], "practice": false }), 404, "Question not found").await;
    let manager = hall.staff_of("manager", 6).await;
    refused(&manager, json!({ "ids": ids, "practice": false }), 403, "Not assigned to this grade").await;
    assert_eq!(keys(&bank(&everyone).await), bank(&everyone).await.as_array().unwrap().len(), "nothing has changed");
    let manager = hall.staff_of("manager", 5).await;
    mark(&manager, &ids, json!({ "practice": false })).await;
    let shown = bank(&everyone).await;
    assert!(ids.iter().all(|id| !key_of(&shown, id)));
    let listed = admin.get("/api/admin/questions/secure?grade=5").await.json();
    assert_eq!(listed, json!({ "secure": [], "practice": [], "noPractice": ids }));
    mark(&manager, &ids[..1], json!({ "practice": null })).await;
    assert!(key_of(&bank(&everyone).await, &ids[0]), "PUBLIC_ANSWERS decides");
    mark(&manager, &ids, json!({ "secure": true, "practice": true })).await;
    let shown = bank(&everyone).await;
    let is_there = |id: &String| shown.as_array().unwrap().iter().any(|question| question["id"] == *id);
    assert!(!ids.iter().any(is_there), "secure is stronger than all");
    let entries = admin.get("/api/admin/audit?action=questions.marked").await.json();
    let details: Vec<&str> =
        entries["entries"].as_array().unwrap().iter().map(|entry| entry["detail"].as_str().unwrap()).collect();
    assert!(details.iter().any(|detail| detail.starts_with("for exams alone, practice: ")), "{details:?}");
}

#[tokio::test]
async fn without_public_answers_practice_questions_show_no_keys_either() {
    let hall = Hall::with(&[("PUBLIC_ANSWERS", "false")]).await;
    let admin = hall.signed_in("admin").await;
    let everyone = hall.anonymous();
    let ids: Vec<String> = Bank::new(bank(&admin).await.as_array().unwrap().clone()).ids()[..2].to_vec();
    mark(&admin, &ids, json!({ "practice": true })).await;
    assert_eq!(keys(&bank(&everyone).await), 0);
}
