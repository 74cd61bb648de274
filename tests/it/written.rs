//! Questions that are written here: who may, what is refused, their review and history, and how they are retired and
//! brought back.

mod fixed_options;
mod numbers;

use std::collections::BTreeSet;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::hall::{Answer, Caller, Hall};

const OF_STAFF: &str = "/api/review/questions";
const OF_ADMINS: &str = "/api/admin/questions";

fn question(changes: &Value) -> Value {
    let mut question = json!({
        "grade": 5, "topic": "Clocks", "subtopic": "Hours", "difficulty": 2, "question": "What time is it at noon?",
        "options": ["twelve", "six", "nine"], "answer": "A", "explanation": "Noon is twelve o'clock."
    });
    question.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    question
}

async fn write(caller: &Caller, changes: Value) -> Value {
    let answer = caller.post_json(OF_STAFF, &question(&changes)).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    let written = answer.json();
    assert_eq!(answer.header("location"), format!("/api/admin/questions/{}", written["id"].as_str().unwrap()));
    written
}

async fn bank(admin: &Caller) -> Vec<Value> {
    admin.get("/api/admin/questions?grade=5").await.json().as_array().unwrap().clone()
}

async fn find(admin: &Caller, id: &Value) -> Option<Value> {
    bank(admin).await.into_iter().find(|question| question["id"] == *id)
}

async fn send(caller: &Caller, method: Method, id: &Value, end: &str) -> Answer {
    let path = format!("{OF_ADMINS}/{}{end}", id.as_str().unwrap());
    Answer::to(caller.request(method, &path)).await
}

async fn retired(admin: &Caller) -> Vec<Value> {
    admin.get("/api/admin/questions?grade=5&retired=true").await.json().as_array().unwrap().clone()
}

async fn review(caller: &Caller, id: &Value, status: &str) -> Answer {
    let body = json!({ "questionId": id, "grade": 5, "status": status, "note": "Looks good" });
    caller.post_json("/api/review/submit", &body).await
}

/// The entries of a question's history, newest first.
async fn history(caller: &Caller, id: &Value) -> Vec<Value> {
    let log = caller.get("/api/review/edit?grade=5").await.json();
    log["editLog"].as_array().unwrap().iter().filter(|edit| edit["questionId"] == *id).cloned().collect()
}

/// What a change says of a field, before and after.
fn change_of(edit: &Value, field: &str) -> Option<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let change = edit["changes"].as_array().unwrap().iter().find(|change| change["field"] == field)?;
    Some((text(&change["before"]), text(&change["after"])))
}

#[tokio::test]
async fn a_written_question_is_in_the_bank_and_pending() {
    let hall = Hall::open().await;
    let (admin, manager) = (hall.signed_in("admin").await, hall.staff_of("manager", 5).await);
    let before = hall.bank(5).await;
    let written = write(&manager, json!({})).await;
    let expected = question(&json!({
        "id": written["id"], "source": "written", "type": "multiple-choice", "image": "", "imageDescription": "",
    }));
    assert_eq!(written, expected);
    assert_eq!(find(&admin, &written["id"]).await.as_ref(), Some(&written));
    assert_eq!(hall.bank(5).await.question(written["id"].as_str().unwrap()), &expected);
    assert_eq!(hall.bank(5).await.ids().len(), before.ids().len() + 1);
    let listed = manager.get("/api/review/questions?grade=5").await.json();
    assert_eq!(listed["reviews"][written["id"].as_str().unwrap()]["status"], "pending");
    let [first] = &history(&manager, &written["id"]).await[..] else { panic!("one entry") };
    assert_eq!((&first["editedBy"], &first["comment"]), (&json!("manager-of-5@exam.test"), &json!("Written")));
    assert_eq!(change_of(first, "Option B"), Some((String::new(), "six".to_owned())));
    assert_eq!(change_of(first, "Grade"), Some((String::new(), "5".to_owned())));
    assert_eq!(change_of(first, "Image"), None, "it has none");
}

#[tokio::test]
async fn an_author_does_not_approve_their_own_question() {
    let hall = Hall::open().await;
    let (admin, manager) = (hall.signed_in("admin").await, hall.staff_of("manager", 5).await);
    let reviewer = hall.staff_of("reviewer", 5).await;
    let (by_manager, by_admin) =
        (write(&manager, json!({})).await, admin.post_json(OF_ADMINS, &question(&json!({}))).await);
    assert_eq!(by_admin.status, 201, "{}", by_admin.text());
    let by_admin = by_admin.json();
    let own = "Your own question needs another person's approval";
    review(&manager, &by_manager["id"], "approved").await.assert_error(409, own);
    review(&admin, &by_admin["id"], "approved").await.assert_error(409, own);
    // They may say that something is wrong with it.
    assert_eq!(review(&manager, &by_manager["id"], "flagged").await.status, 200);
    assert_eq!(review(&manager, &by_manager["id"], "pending").await.status, 200);
    assert_eq!(review(&reviewer, &by_manager["id"], "approved").await.status, 200);
    assert_eq!(review(&manager, &by_admin["id"], "approved").await.status, 200);
    // An edit makes nobody the author, nor an import.
    let edit = json!({ "questionId": by_manager["id"], "grade": 5, "updates": { "explanation": "Look up." } });
    assert_eq!(reviewer.post_json("/api/review/edit", &edit).await.status, 200);
    assert_eq!(review(&reviewer, &by_manager["id"], "approved").await.status, 200);
    review(&manager, &by_manager["id"], "approved").await.assert_error(409, own);
    assert_eq!(review(&manager, &json!("g5-001"), "approved").await.status, 200, "one that nobody has written here");
}

#[tokio::test]
async fn pressing_save_twice_makes_one_question() {
    let hall = Hall::open().await;
    let (admin, manager) = (hall.signed_in("admin").await, hall.staff_of("manager", 5).await);
    let draft = json!({ "draftId": Uuid::from_u128(7) });
    let at_once = join_all((0..4).map(|_| write(&manager, draft.clone()))).await;
    let ids: BTreeSet<&str> = at_once.iter().map(|written| written["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 1);
    let written = &at_once[0];
    let edit = json!({ "questionId": written["id"], "grade": 5, "updates": { "explanation": "Look up." } });
    assert_eq!(manager.post_json("/api/review/edit", &edit).await.status, 200);
    let again = write(&manager, json!({ "draftId": Uuid::from_u128(7), "question": "Another?" })).await;
    assert_eq!((&again["id"], &again["explanation"]), (&written["id"], &json!("Look up.")));
    assert_eq!(again["question"], written["question"]);
    assert_eq!(history(&manager, &written["id"]).await.len(), 2);
    // The draft of somebody else is another one, and so is one without a name.
    assert_ne!(write(&admin, draft.clone()).await["id"], written["id"]);
    assert_ne!(write(&manager, json!({})).await["id"], write(&manager, json!({})).await["id"]);
    manager.post_json(OF_STAFF, &question(&json!({ "draftId": "mine" }))).await.assert_error(400, "Invalid draftId");
    assert_eq!(send(&admin, Method::DELETE, &written["id"], "").await.status, 200);
    manager.post_json(OF_STAFF, &question(&draft)).await.assert_error(409, "Question is retired");
}

#[tokio::test]
async fn a_wrong_question_is_refused_field_by_field() {
    let hall = Hall::open().await;
    let (admin, manager) = (hall.signed_in("admin").await, hall.staff_of("manager", 5).await);
    let count = bank(&admin).await.len();
    for (changes, field, message) in [
        (json!({ "options": ["six", " six "] }), "options", "optionA and optionB are equal"),
        (json!({ "options": ["six"] }), "options", "options must be two to four texts"),
        (json!({ "answer": "D" }), "answer", "answer D has no option"),
        (json!({ "question": " " }), "question", "question required"),
        (json!({ "difficulty": 6 }), "difficulty", "difficulty must be 1 to 5"),
        (json!({ "type": "essay" }), "type", "type must be multiple-choice or number"),
        (json!({ "image": "https://exam.example/a.png" }), "imageDescription", "imageDescription required"),
        (json!({ "fixedOptions": "yes" }), "fixedOptions", "fixedOptions must be yes or no"),
        (
            json!({ "image": format!("/media/{}", "0".repeat(64)), "imageDescription": "A clock" }),
            "image",
            "image is not stored here",
        ),
    ] {
        for (caller, road) in [(&manager, OF_STAFF), (&admin, OF_ADMINS)] {
            let refused = caller.post_json(road, &question(&changes)).await;
            let expected = json!({ "error": message, "faults": [{ "field": field, "message": message }] });
            assert_eq!((refused.status, refused.json()), (400, expected), "{changes}");
        }
    }
    let refused = manager.post_json(OF_STAFF, &question(&json!({ "difficulty": 0, "topic": "a\u{7}" }))).await.json();
    assert_eq!(refused["faults"].as_array().unwrap().len(), 2, "{refused}");
    assert_eq!(refused["error"], "topic has control characters; difficulty must be 1 to 5");
    assert_eq!(bank(&admin).await.len(), count);
}

#[tokio::test]
async fn who_may_write_for_a_grade_and_for_exams_alone() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let (reviewer, manager) = (hall.staff_of("reviewer", 5).await, hall.staff_of("manager", 5).await);
    let elsewhere = hall.staff_of("manager", 6).await;
    // A stranger to the grade is told nothing of the question.
    elsewhere.post_json(OF_STAFF, &json!({ "grade": 5 })).await.assert_error(403, "Not assigned to this grade");
    for caller in [&reviewer, &manager] {
        caller.post_json(OF_ADMINS, &question(&json!({}))).await.assert_error(403, "Forbidden");
    }
    for marks in [json!({ "secure": true }), json!({ "practice": true }), json!({ "secure": false, "practice": true })]
    {
        reviewer.post_json(OF_STAFF, &question(&marks)).await.assert_error(403, "Forbidden");
    }
    let secret = write(&manager, json!({ "secure": true })).await;
    let secure = admin.get("/api/admin/questions/secure?grade=5").await.json();
    assert_eq!(secure["secure"], json!([secret["id"]]));
    let is_public = |bank: Vec<String>| bank.contains(&secret["id"].as_str().unwrap().to_owned());
    assert!(!is_public(hall.bank(5).await.ids()), "not even for a moment");
    let open = write(&reviewer, json!({ "secure": false })).await;
    assert!(hall.bank(5).await.ids().contains(&open["id"].as_str().unwrap().to_owned()));
    let kept = write(&reviewer, json!({ "practice": false })).await;
    let published = write(&manager, json!({ "practice": true })).await;
    let marked = admin.get("/api/admin/questions/secure?grade=5").await.json();
    assert_eq!((&marked["practice"], &marked["noPractice"]), (&json!([published["id"]]), &json!([kept["id"]])));
}

#[tokio::test]
async fn authors_are_told_what_is_theirs_and_who_else_approves_it() {
    let hall = Hall::open().await;
    let (manager, reviewer) = (hall.staff_of("manager", 5).await, hall.staff_of("reviewer", 5).await);
    hall.staff_of("reviewer", 6).await;
    let listed = async |caller: &Caller| caller.get("/api/review/questions?grade=5").await.json();
    assert_eq!(listed(&manager).await["own"], Value::Null);
    let written = write(&manager, json!({})).await;
    let of_author = listed(&manager).await;
    assert_eq!(of_author["own"], json!([written["id"]]));
    assert_eq!(of_author["approvers"], json!(["Somebody"]), "neither the author, nor who reviews another grade");
    let of_reviewer = listed(&reviewer).await;
    assert_eq!((&of_reviewer["own"], &of_reviewer["approvers"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn a_topic_in_other_letters_or_the_other_language_is_no_second_one() {
    let hall = Hall::open().await;
    let manager = hall.staff_of("manager", 5).await;
    let written = write(&manager, json!({ "topic": "Clocks" })).await;
    for (typed, stored) in [("clocks", "Clocks"), (" CLOCKS", "Clocks"), ("phân số", "Fractions"), ("Bells", "Bells")]
    {
        assert_eq!(write(&manager, json!({ "topic": typed })).await["topic"], stored, "{typed}");
    }
    let edit = |topic: &str| json!({ "questionId": written["id"], "grade": 5, "updates": { "topic": topic } });
    // The spelling of the question's own topic can be mended, and the mend taken back.
    for (typed, stored) in [("cLOCKS", "cLOCKS"), ("Clocks", "Clocks"), ("cLOCKS", "cLOCKS"), ("BELLS", "Bells")] {
        let edited = manager.post_json("/api/review/edit", &edit(typed)).await;
        assert_eq!(edited.status, 200, "{typed}: {}", edited.text());
        let listed = manager.get("/api/review/questions?grade=5").await.json();
        let edited = listed["questions"].as_array().unwrap().iter().find(|question| question["id"] == written["id"]);
        assert_eq!(edited.unwrap()["topic"], stored);
    }
    manager.post_json("/api/review/edit", &edit("Bells")).await.assert_error(400, "No changes");
}

#[tokio::test]
async fn every_field_is_edited_logged_and_restored() {
    let hall = Hall::open().await;
    let manager = hall.staff_of("manager", 5).await;
    let written = write(&manager, json!({})).await;
    let updates = json!({
        "question": "Which?", "options": ["a", "b"], "answer": "B", "explanation": "", "topic": "Time",
        "subtopic": "", "difficulty": 4, "source": "A book", "fixedOptions": true,
        "image": "https://exam.example/a.png", "imageDescription": "A clock",
    });
    let mut before: Value = ["topic", "subtopic", "difficulty", "source"]
        .map(|name| (name.to_owned(), written[name].clone()))
        .into_iter()
        .collect();
    before["fixedOptions"] = json!(false);
    let edit = |updates: &Value, before: &Value| json!({ "questionId": written["id"], "grade": 5, "updates": updates, "before": before, "comment": "" });
    let edited = manager.post_json("/api/review/edit", &edit(&updates, &before)).await;
    assert_eq!(edited.status, 200, "{}", edited.text());
    manager
        .post_json("/api/review/edit", &edit(&json!({ "topic": "Another" }), &before))
        .await
        .assert_error(409, "Question has changed");
    let entries = history(&manager, &written["id"]).await;
    let pair = |before: &str, after: &str| Some((before.to_owned(), after.to_owned()));
    for (field, expected) in [
        ("Topic", pair("Clocks", "Time")),
        ("Subtopic", pair("Hours", "")),
        ("Difficulty", pair("2", "4")),
        ("Source", pair("written", "A book")),
        ("Fixed options", pair("no", "yes")),
        ("Option C", pair("nine", "")),
        ("Grade", None),
    ] {
        assert_eq!(change_of(&entries[0], field), expected, "{field}");
    }
    // The former version, of what the log says.
    let back = json!({
        "question": written["question"], "options": written["options"], "answer": written["answer"],
        "explanation": written["explanation"], "topic": "Clocks", "subtopic": "Hours", "difficulty": 2,
        "source": "written", "fixedOptions": false, "image": "", "imageDescription": "",
    });
    let restored = manager.post_json("/api/review/edit", &edit(&back, &json!({}))).await;
    assert_eq!(restored.status, 200, "{}", restored.text());
    let listed = manager.get("/api/review/questions?grade=5").await.json();
    let now = listed["questions"].as_array().unwrap().iter().find(|question| question["id"] == written["id"]);
    assert_eq!(now, Some(&written));
}

#[tokio::test]
async fn a_retired_question_is_nowhere_and_comes_back_as_it_was() {
    let hall = Hall::open().await;
    let (admin, manager) = (hall.signed_in("admin").await, hall.staff_of("manager", 5).await);
    let written = write(&manager, json!({ "secure": true })).await;
    let id = &written["id"];
    let own = "Your own question needs another person's approval";
    assert_eq!(review(&admin, id, "approved").await.status, 200);
    assert_eq!(send(&admin, Method::DELETE, id, "").await.json(), json!({ "ok": true }));
    assert_eq!(find(&admin, id).await, None);
    let listed = manager.get("/api/review/questions?grade=5").await.text();
    let export = admin.get("/api/admin/export?grade=5").await;
    assert_eq!(export.status, 200);
    assert!(!listed.contains(id.as_str().unwrap()));
    review(&admin, id, "flagged").await.assert_error(404, "Question not found");
    send(&admin, Method::DELETE, id, "").await.assert_error(404, "Question not found");
    let [gone] = &retired(&admin).await[..] else { panic!("one is retired") };
    assert_eq!(
        (&gone["id"], &gone["question"], &gone["retiredBy"]),
        (id, &written["question"], &json!("admin@exam.test"))
    );
    assert!(gone["retiredAt"].as_str().unwrap().ends_with('Z'));
    assert_eq!(send(&admin, Method::POST, id, "/restore").await.json(), json!({ "ok": true }));
    send(&admin, Method::POST, id, "/restore").await.assert_error(404, "Question not found");
    assert_eq!(find(&admin, id).await, Some(written.clone()));
    let secure = admin.get("/api/admin/questions/secure?grade=5").await.json();
    assert_eq!((secure["secure"].clone(), retired(&admin).await.len()), (json!([id]), 0));
    let listed = manager.get("/api/review/questions?grade=5").await.json();
    assert_eq!(listed["reviews"][id.as_str().unwrap()]["status"], "approved", "its review is there again");
    review(&manager, id, "approved").await.assert_error(409, own);
    let record = admin.get("/api/admin/audit").await.text();
    assert!(record.contains("question.retired") && record.contains("question.restored"), "{record}");
}

#[tokio::test]
async fn a_question_in_a_template_stays() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let targets = json!({ "1": 1, "2": 0, "3": 0, "4": 0, "5": 0 });
    let config = json!({ "name": "Spring", "grades": [5], "mode": "standard", "durationMinutes": 30, "standardTargets": targets });
    let template = admin.post_json("/api/admin/test-templates", &config).await.json()["template"].clone();
    let locked = template["standardQuestions"][0]["id"].clone();
    let refused = send(&admin, Method::DELETE, &locked, "").await;
    let expected = json!({ "error": "Question is in templates", "templates": ["Spring"] });
    assert_eq!((refused.status, refused.json()), (409, expected));
    assert!(find(&admin, &locked).await.is_some());
    let path = format!("/api/admin/test-templates/{}", template["id"].as_str().unwrap());
    assert_eq!(Answer::to(admin.request(Method::DELETE, &path)).await.status, 200);
    assert_eq!(send(&admin, Method::DELETE, &locked, "").await.status, 200);
    // Nothing draws it any more.
    let all = json!({ "1": 40, "2": 0, "3": 0, "4": 0, "5": 0 });
    let config =
        json!({ "name": "All", "grades": [5], "mode": "standard", "durationMinutes": 30, "standardTargets": all });
    let drawn = admin.post_json("/api/admin/test-templates", &config).await.text();
    assert!(drawn.contains("standardQuestions") && !drawn.contains(locked.as_str().unwrap()));
}

#[tokio::test]
async fn an_import_does_not_bring_a_retired_question_back() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    assert_eq!(send(&admin, Method::DELETE, &json!("g5-001"), "").await.status, 200);
    let csv = "id,grade,difficulty,question,optionA,optionB,answer\n\
        g5-001,5,1,Back?,one,two,A\ng5-002,5,1,Changed?,one,two,A\n";
    let form = |csv: &str| {
        format!(
            "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"q.csv\"\r\n\
             Content-Type: text/csv\r\n\r\n{csv}\r\n--edge--\r\n"
        )
    };
    for (query, is_dry) in [("?dryRun=true", true), ("", false)] {
        let request = admin.request(Method::POST, &format!("/api/admin/import{query}"));
        let request = request.header("content-type", "multipart/form-data; boundary=edge").body(form(csv));
        let report = Answer::to(request).await.json();
        assert_eq!((&report["added"], &report["updated"]), (&json!(0), &json!(1)), "{is_dry} {report}");
        assert_eq!(report["errors"], json!(["Row 2: Question is retired"]));
    }
    assert_eq!(find(&admin, &json!("g5-001")).await, None);
    assert_eq!(find(&admin, &json!("g5-002")).await.unwrap()["question"], "Changed?");
}

#[tokio::test]
async fn a_test_goes_on_showing_what_it_has_asked() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let bank = hall.bank(5).await;
    let ids: Vec<String> = bank.ids()[..10].to_vec();
    let start = json!({ "grade": 5, "mode": "standard", "durationMinutes": 30, "questionIds": ids });
    let mut student = hall.sit(start).await;
    assert_eq!(send(&admin, Method::DELETE, &json!(ids[0]), "").await.status, 200);
    student.answer(&ids[0], bank.key(&ids[0])).await;
    student.submit().await;
    let stored = hall.stored_session(&student.session_id).await;
    let answer = stored["result"]["answers"].as_array().unwrap().iter().find(|answer| answer["questionId"] == ids[0]);
    assert_eq!(answer.unwrap()["isCorrect"], true, "{stored}");
    let report = admin.get(&format!("/api/report/{}/questions", student.session_id)).await.text();
    assert!(report.contains(bank.question(&ids[0])["question"].as_str().unwrap()), "{report}");
}

mod edge {
    use super::*;

    #[tokio::test]
    async fn an_external_service_keeps_what_is_written_and_retires_nothing() {
        let service = Hall::with(&[("PROVIDER_API_KEY", "a key that nobody guesses")]).await;
        let address = format!("{}/v1", service.base());
        let settings = [
            ("DATA_PROVIDER", "api"),
            ("EXTERNAL_API_BASE_URL", address.as_str()),
            ("EXTERNAL_API_KEY", "a key that nobody guesses"),
        ];
        let hall = Hall::with(&settings).await;
        let admin = hall.signed_in("admin").await;
        let draft = json!({ "draftId": Uuid::from_u128(9) });
        let written = write(&admin, draft.clone()).await;
        assert_eq!(write(&admin, draft).await["id"], written["id"]);
        assert!(service.bank(5).await.ids().contains(&written["id"].as_str().unwrap().to_owned()));
        let none = "Not available from the external data provider";
        send(&admin, Method::DELETE, &written["id"], "").await.assert_error(501, none);
        send(&admin, Method::POST, &written["id"], "/restore").await.assert_error(501, none);
        admin.get("/api/admin/questions?grade=5&retired=true").await.assert_error(501, none);
        Answer::to(admin.request(Method::POST, "/api/review/pictures").body("x")).await.assert_error(501, none);
    }
}
