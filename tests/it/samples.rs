//! The language of the sample bank: chosen at the first start, and changed later without touching what a school has
//! changed itself.

use reqwest::Method;
use serde_json::{Value, json};

use crate::hall::{Answer, Caller, Hall, run};

const PATH: &str = "/api/admin/questions/sample-bank";
/// All questions of the sample bank.
const ALL: u64 = 1_400;

async fn counts(admin: &Caller) -> [u64; 2] {
    let counts = admin.get(PATH).await;
    assert_eq!(counts.status, 200, "{}", counts.text());
    let counts = counts.json();
    ["en", "vi"].map(|language| counts[language].as_u64().unwrap())
}

/// What a change to a language has changed, and what it has left.
async fn change(admin: &Caller, language: &str) -> [u64; 2] {
    let done = admin.post_json(PATH, &json!({ "language": language })).await;
    assert_eq!(done.status, 200, "{}", done.text());
    let done = done.json();
    ["changed", "left"].map(|field| done[field].as_u64().unwrap())
}

async fn all(admin: &Caller, grade: u8) -> Vec<Value> {
    admin.get(&format!("/api/admin/questions?grade={grade}")).await.json().as_array().unwrap().clone()
}

fn find<'a>(questions: &'a [Value], id: &str) -> &'a Value {
    questions.iter().find(|question| question["id"] == id).unwrap_or_else(|| panic!("no {id}"))
}

/// Whether a text has a letter that English has not.
fn is_vietnamese(text: &Value) -> bool {
    text.as_str().unwrap().chars().any(|letter| letter.is_alphabetic() && !letter.is_ascii())
}

async fn edit(admin: &Caller, id: &str, text: &str) {
    let edit = json!({ "questionId": id, "grade": 5, "comment": "", "updates": { "question": text } });
    let edited = admin.post_json("/api/review/edit", &edit).await;
    assert_eq!(edited.status, 200, "{}", edited.text());
}

async fn send(admin: &Caller, method: Method, path: &str) {
    let sent = Answer::to(admin.request(method, path)).await;
    assert_eq!(sent.status, 200, "{path}: {}", sent.text());
}

#[tokio::test]
async fn what_stands_as_it_was_shipped_changes_its_language() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    edit(&admin, "g5-001", "What is one half of seven?").await;
    send(&admin, Method::DELETE, "/api/admin/questions/g5-002").await;
    let before = all(&admin, 5).await;
    assert_eq!(counts(&admin).await, [ALL - 2, 0]);

    assert_eq!(change(&admin, "vi").await, [ALL - 2, 2]);
    assert_eq!(counts(&admin).await, [0, ALL - 2]);
    let after = all(&admin, 5).await;
    assert_eq!(before.len(), after.len());
    for question in &before {
        let id = question["id"].as_str().unwrap();
        let there = find(&after, id);
        if id == "g5-001" {
            assert_eq!(there, question);
            continue;
        }
        for field in ["grade", "difficulty", "type", "source", "forms"] {
            assert_eq!(there[field], question[field], "{id}");
        }
        assert!(is_vietnamese(&there["question"]) && is_vietnamese(&there["topic"]), "{there}");
        if question["type"] == "number" {
            assert_eq!((&question["language"], &there["language"]), (&json!("en"), &json!("vi")), "{id}");
        } else {
            assert_eq!(there["answer"], question["answer"], "{id}");
        }
    }
    let [money, amount] = [&before, &after].map(|bank| find(bank, "g5-139"));
    assert_eq!((&money["answer"], &money["unit"]), (&json!("90"), &json!("dollars")));
    assert_eq!(amount["answer"], "900000");
    // The public bank shows it at once.
    assert_eq!(hall.bank(5).await.question("g5-003")["question"], find(&after, "g5-003")["question"]);

    assert_eq!(change(&admin, "vi").await, [0, 2], "asked again, it changes nothing");
    send(&admin, Method::POST, "/api/admin/questions/g5-002/restore").await;
    assert_eq!(change(&admin, "vi").await, [1, 1], "what is brought back is as it was shipped");
    assert_eq!(change(&admin, "en").await, [ALL - 1, 1]);
    let back = all(&admin, 5).await;
    assert!(before.iter().all(|question| find(&back, question["id"].as_str().unwrap()) == question));
    let record = admin.get("/api/admin/audit?action=questions.translated").await.json();
    let details: Vec<&Value> = record["entries"].as_array().unwrap().iter().map(|entry| &entry["detail"]).collect();
    let told =
        ["en: 1399 changed, 1 left", "vi: 1 changed, 1 left", "vi: 0 changed, 2 left", "vi: 1398 changed, 2 left"];
    assert_eq!(details, told);
}

#[tokio::test]
async fn tests_and_histories_keep_what_was_asked() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let bank = hall.bank(5).await;
    let mut student = hall.sit(json!({ "grade": 5, "questionCount": 10 })).await;
    let ids = student.paper.clone();
    student.answer(&ids[0], bank.key(&ids[0])).await;
    assert_eq!(change(&admin, "vi").await, [ALL, 0]);
    student.submit().await;
    let stored = hall.stored_session(&student.session_id).await;
    let lines = stored["result"]["answers"].as_array().unwrap();
    assert_eq!(lines.iter().find(|line| line["questionId"] == ids[0]).unwrap()["isCorrect"], true, "{stored}");
    let report = admin.get(&format!("/api/report/{}/questions", student.session_id)).await.json().to_string();
    let asked = serde_json::to_string(&bank.question(&ids[0])["question"]).unwrap();
    assert!(report.contains(&asked), "{report}");

    let log = admin.get("/api/review/edit?grade=5").await.json();
    let edits: Vec<&Value> =
        log["editLog"].as_array().unwrap().iter().filter(|edit| edit["questionId"] == ids[0]).collect();
    assert_eq!(edits.len(), 1, "{edits:?}");
    assert!(edits[0]["changes"].as_array().unwrap().iter().any(|change| change["field"] == "Topic"), "{edits:?}");
    assert!(edits[0]["editedBy"].as_str().unwrap().ends_with("@exam.test"), "{edits:?}");
}

#[tokio::test]
async fn a_new_school_begins_in_its_language() {
    let hall = Hall::with(&[("SAMPLE_BANK", "vi")]).await;
    let admin = hall.signed_in("admin").await;
    assert_eq!(counts(&admin).await, [0, ALL]);
    assert!(hall.bank(1).await.questions.iter().all(|question| is_vietnamese(&question["question"])));
    assert_eq!(change(&admin, "vi").await, [0, 0]);
    assert_eq!(change(&admin, "en").await, [ALL, 0]);
}

mod edge {
    use super::*;

    #[tokio::test]
    async fn a_language_that_the_bank_does_not_have_is_refused() {
        let hall = Hall::open().await;
        let admin = hall.signed_in("admin").await;
        for body in [json!({}), json!({ "language": "fr" }), json!({ "language": null }), json!({ "language": ["vi"] })]
        {
            admin.post_json(PATH, &body).await.assert_error(400, "Invalid language");
        }
        assert_eq!(counts(&admin).await, [ALL, 0]);
    }

    #[tokio::test]
    async fn the_command_changes_it_too() {
        let hall = Hall::open().await;
        for (language, told) in [("vi", "1400 changed"), ("vi", "0 changed"), ("en", "1400 changed")] {
            let done = run(hall.settings(), &["questions", "sample-bank", "--language", language]).await;
            let (said, failed) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
            assert_eq!((done.status.code(), &*failed), (Some(0), ""), "{said}");
            assert_eq!(said.trim(), format!("{told}, 0 left as the school has them"));
        }
        for arguments in [&["--language", "fr"] as &[&str], &["--language"], &[]] {
            let refused = run(hall.settings(), &[&["questions", "sample-bank"], arguments].concat()).await;
            assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        }
    }

    #[tokio::test]
    async fn an_external_service_has_its_own_questions() {
        let service = Hall::with(&[("PROVIDER_API_KEY", "a key that nobody guesses")]).await;
        let address = format!("{}/v1", service.base());
        let hall = Hall::with(&[
            ("DATA_PROVIDER", "api"),
            ("EXTERNAL_API_BASE_URL", address.as_str()),
            ("EXTERNAL_API_KEY", "a key that nobody guesses"),
        ])
        .await;
        let admin = hall.signed_in("admin").await;
        let none = "Not available from the external data provider";
        admin.get(PATH).await.assert_error(501, none);
        admin.post_json(PATH, &json!({ "language": "vi" })).await.assert_error(501, none);
    }
}
