//! Every call of the contract as it is written: method, path, headers, body.

use reqwest::Method;
use serde_json::{Value, json};

use super::{NOT_HERE, admin, lines, review};
use crate::hall::{Call, External, KEY, Told, eventually, external_bank, plain};

/// The call that brings the bank of grade 5.
const BANK: &str = "GET /v1/questions?grade=5";

/// Asserts what every call carries.
#[track_caller]
fn assert_headers(calls: &[Call]) {
    assert!(!calls.is_empty());
    for call in calls {
        assert_eq!((call.header("x-api-key"), call.header("content-type")), (KEY, "application/json"), "{}", call.line);
        assert!(call.header("user-agent").starts_with("ExamHall/"), "{}", call.line);
        assert!(!call.headers.contains_key("cookie") && !call.headers.contains_key("authorization"), "{}", call.line);
    }
}

#[track_caller]
fn body(call: &Call) -> Value {
    assert!(!call.body.is_empty(), "{}", call.line);
    call.json()
}

#[tokio::test]
async fn the_bank_is_that_of_the_service() {
    let external = External::open().await;
    let hall = external.hall().await;
    let answer = hall.anonymous().get("/api/questions?grade=7").await;
    assert_eq!((answer.status, answer.json()), (200, json!(external_bank(7))));
    let mut admin = admin(&hall, &external).await;
    let listed = admin.get("/api/admin/questions?grade=7").await.json();
    assert_eq!(plain(listed.as_array().unwrap().clone()), external_bank(7));
    assert_headers(&external.calls("GET /v1/questions?grade=7"));
    assert!(external.calls("GET /v1/questions?grade=7").iter().all(|call| call.body.is_empty()));
    assert_headers(&external.calls(""));
}

#[tokio::test]
async fn reviews_are_read_and_put() {
    let external = External::open().await;
    let hall = external.hall().await;
    let mut admin = admin(&hall, &external).await;
    let stored = json!({ "status": "flagged", "reviewedBy": "r@exam.test", "reviewedByName": "R", "reviewedAt": "2026-01-05T09:00:00.000Z", "note": "No." });
    for shape in [
        json!({ "x5-001": stored, "x6-001": stored, "x5-002": { "status": "pending" } }),
        json!({ "reviews": { "x5-001": stored } }),
    ] {
        external.on("GET /v1/reviews", Told::Json(200, shape));
        let listed = admin.get("/api/review/questions?grade=5").await.json();
        assert_eq!(
            (listed["questions"].as_array().unwrap().len(), &listed["reviews"]["x5-001"]),
            (60, &stored),
            "{listed}"
        );
        assert!(listed["reviews"].get("x6-001").is_none(), "{listed}");
    }
    let stats = admin.get("/api/admin/review/stats").await.json();
    assert_eq!((&stats["totalQuestions"], &stats["totalFlagged"]), (&json!(600), &json!(1)), "{stats}");
    external.forget();
    external.on("PUT /v1/reviews/x5-003", Told::done());
    assert_eq!(admin.fetch(Method::POST, "/api/review/submit", Some(&review("x5-003"))).await.status, 200);
    let call = external.calls("PUT").remove(0);
    let sent = body(&call);
    assert_eq!((call.line.as_str(), lines(&external).len()), ("PUT /v1/reviews/x5-003", 1));
    assert_eq!(
        (&sent["status"], &sent["reviewedBy"], &sent["note"]),
        (&json!("approved"), &json!("admin@exam.test"), &json!("Good."))
    );
    assert_headers(&[call]);
    external.forget();
    let unknown = admin.fetch(Method::POST, "/api/review/submit", Some(&review("x6-003"))).await;
    unknown.assert_error(404, "Question not found");
    assert_eq!(lines(&external), [""; 0]);
}

#[tokio::test]
async fn an_edit_overrides_the_question_and_is_logged() {
    let external = External::open().await;
    let hall = external.hall().await;
    let mut admin = admin(&hall, &external).await;
    assert_eq!(hall.bank(5).await.questions.len(), 60);
    // Whoever asks for news after the edit must not bring back what this service, which keeps no edit, would tell.
    let away = Told::error(503, "Later");
    external.on("PUT /v1/questions/override", Told::Turning(BANK, Box::new(away.clone()), Box::new(Told::done())));
    external.on("POST /v1/edit-log", away);
    external.forget();
    let edit =
        json!({ "questionId": "x5-001", "grade": 5, "comment": "Clearer.", "updates": { "question": "1 + 1 = ?" } });
    let edited = admin.fetch(Method::POST, "/api/review/edit", Some(&edit)).await;
    assert_eq!(edited.status, 200, "{}", edited.text());
    let call = external.calls("PUT").remove(0);
    let mut expected = external_bank(5)[1].clone();
    expected["question"] = json!("1 + 1 = ?");
    let sent = plain(vec![body(&call)]).remove(0);
    assert_eq!((call.line.as_str(), &sent), ("PUT /v1/questions/override", &expected));
    assert_headers(&[call]);
    // Exams have it at once, without asking the service.
    assert!(hall.bank(5).await.questions.contains(&expected));
    let log = admin.get("/api/review/edit?grade=5").await.json();
    let entry = &log["editLog"][0];
    assert_eq!((&entry["id"], &entry["comment"]), (&edited.json()["editId"], &json!("Clearer.")), "{log}");
    assert_eq!(entry["changes"], json!([{ "field": "Question", "before": "1 + 1?", "after": "1 + 1 = ?" }]));
    assert_eq!(external.calls("GET /v1/edit-log?grade=5").len(), 1);
    external.on(BANK, Told::Json(200, json!({ "questions": external_bank(5) })));
    let mut unknown = edit.clone();
    unknown["questionId"] = json!("x6-001");
    admin.fetch(Method::POST, "/api/review/edit", Some(&unknown)).await.assert_error(404, "Question not found");
    assert_eq!(external.calls("PUT").len(), 1);
}

#[tokio::test]
async fn the_log_of_the_service_is_shown_the_newest_first() {
    let external = External::open().await;
    let hall = external.hall().await;
    let mut admin = admin(&hall, &external).await;
    let entry = |id: &str, at: &str| json!({ "id": id, "questionId": "x5-001", "grade": 5, "editedBy": "a@exam.test", "editedByName": "A", "editedAt": at, "changes": [], "comment": "" });
    let [one, two] = [
        ("00000000-0000-4000-8000-000000000001", "2026-01-05T09:00:00.000Z"),
        ("00000000-0000-4000-8000-000000000002", "2026-01-06T09:00:00.000Z"),
    ]
    .map(|(id, at)| entry(id, at));
    for shape in [json!([one, two, "?"]), json!({ "editLog": [two, one] })] {
        external.on("GET /v1/edit-log?grade=5", Told::Json(200, shape.clone()));
        external.on("GET /v1/edit-log", Told::Json(200, shape));
        for path in ["/api/review/edit?grade=5", "/api/admin/review/log?grade=5", "/api/admin/review/log"] {
            let answer = admin.get(path).await;
            assert_eq!((answer.status, answer.json()), (200, json!({ "editLog": [two, one] })), "{path}");
        }
    }
}

#[tokio::test]
async fn assignments_are_read_put_and_removed() {
    let external = External::open().await;
    let hall = external.hall().await;
    let mut admin = admin(&hall, &external).await;
    for (kind, path) in [("assignments", "assignments"), ("managers", "manager-assignments")] {
        let stored = json!({ "email": "r@exam.test", "name": "R", "grades": [3, 5], "assignedBy": "a@exam.test", "assignedAt": "2026-01-05T09:00:00.000Z" });
        for shape in [json!([stored]), json!({ "assignments": [stored, { "email": "no address", "grades": [1] }] })] {
            external.on(&format!("GET /v1/{path}"), Told::Json(200, shape));
            let listed = admin.get(&format!("/api/admin/review/{kind}")).await.json();
            assert_eq!(listed["assignments"], json!([stored]));
            assert_eq!(listed["users"][0]["email"], "admin@exam.test", "{listed}");
        }
        external.forget();
        let line = format!("/v1/{path}/r%2Bx%40exam.test");
        external.on(&format!("PUT {line}"), Told::done());
        let body = json!({ "email": "R+x@Exam.test", "name": "R", "grades": [5, 3] });
        assert_eq!(admin.fetch(Method::POST, &format!("/api/admin/review/{kind}"), Some(&body)).await.status, 200);
        let call = external.calls("PUT").remove(0);
        let sent = call.json();
        assert_eq!(
            (call.line, &sent["email"], &sent["grades"], &sent["assignedBy"]),
            (format!("PUT {line}"), &json!("r+x@exam.test"), &json!([3, 5]), &json!("admin@exam.test"))
        );
        external.on(&format!("DELETE {line}"), Told::done());
        for told in [Told::done(), Told::error(404, "Not found"), Told::page(404)] {
            external.then(&format!("DELETE {line}"), [told]);
            assert_eq!(
                admin.fetch(Method::DELETE, &format!("/api/admin/review/{kind}/r%2Bx%40exam.test"), None).await.status,
                200
            );
        }
        let removals = external.calls("DELETE");
        assert!(removals.len() == 3 && removals.iter().all(|call| call.line == format!("DELETE {line}")));
        assert_headers(&removals);
    }
}

#[tokio::test]
async fn decisions_on_grades_are_read_and_put() {
    let external = External::open().await;
    let hall = external.hall().await;
    let mut admin = admin(&hall, &external).await;
    let decision = |grade: u8, email: &str, at: &str| json!({ "grade": grade, "managerEmail": email, "managerName": "M", "status": "approved", "decidedAt": at });
    let (old, b, a) = (
        decision(1, "m@exam.test", "2026-01-05T09:00:00.000Z"),
        decision(2, "b@exam.test", "2026-01-06T09:00:00.000Z"),
        decision(2, "a@exam.test", "2026-01-06T09:00:00.000Z"),
    );
    for shape in [json!([old, b, a]), json!({ "approvals": [b, a, old, {}] })] {
        external.on("GET /v1/grade-approvals", Told::Json(200, shape));
        assert_eq!(admin.get("/api/manager/approvals").await.json(), json!({ "approvals": [a, b, old] }));
    }
    external.forget();
    external.on("PUT /v1/grade-approvals/4/admin%40exam.test", Told::done());
    let body = json!({ "grade": 4, "status": "revision_requested", "comment": "Again." });
    assert_eq!(admin.fetch(Method::POST, "/api/manager/approvals", Some(&body)).await.status, 200);
    let call = external.calls("PUT").remove(0);
    let sent = call.json();
    assert_eq!(call.line, "PUT /v1/grade-approvals/4/admin%40exam.test");
    assert_eq!(
        (&sent["grade"], &sent["status"], &sent["comment"]),
        (&json!(4), &json!("revision_requested"), &json!("Again."))
    );
}

#[tokio::test]
async fn what_the_contract_has_no_call_for_is_not_available() {
    let external = External::open().await;
    let hall = external.hall().await;
    let mut admin = admin(&hall, &external).await;
    for path in [
        "/api/sessions",
        "/api/admin/users",
        "/api/admin/items?grade=5",
        "/api/manager/results",
        "/api/manager/results/figures",
        "/api/manager/sources",
    ] {
        admin.get(path).await.assert_error(501, NOT_HERE);
    }
    admin.fetch(Method::DELETE, "/api/admin/users/a%40exam.test", None).await.assert_error(501, NOT_HERE);
    for path in ["/api/admin/test-templates", "/api/manager/test-templates"] {
        admin.get(path).await.assert_error(501, "Test templates need the local data provider");
    }
    for path in [
        "/api/admin/sittings",
        "/api/admin/sittings/x/results",
        "/api/admin/accommodations",
        "/api/admin/classes",
        "/api/admin/classes/x",
        "/api/admin/lti/links",
        "/api/admin/sittings/x/lti/people",
        "/api/sittings",
    ] {
        admin.get(path).await.assert_error(501, "Sittings need the local data provider");
    }
    assert_eq!(lines(&external), [""; 0]);
}

#[tokio::test]
async fn an_unchanged_bank_is_not_sent_again() {
    let external = External::open().await;
    let list = json!({ "questions": external_bank(5) }).to_string();
    external.on("GET /v1/questions?grade=5", Told::Text(200, "etag: \"one\"\r\n", list));
    let hall = external.hall().await;
    assert_eq!(hall.bank(5).await.questions.len(), 60);
    external.on("GET /v1/questions?grade=5", Told::Text(304, "", String::new()));
    let asked = eventually("news are asked for", async || {
        hall.clock.advance(std::time::Duration::from_secs(6));
        assert_eq!(hall.bank(5).await.questions.len(), 60);
        external.calls("GET /v1/questions?grade=5").into_iter().find(|call| call.headers.contains_key("if-none-match"))
    });
    assert_eq!(asked.await.header("if-none-match"), "\"one\"");
    external.on("GET /v1/questions?grade=5", Told::Json(200, json!({ "questions": external_bank(5)[..20] })));
    eventually("the bank follows", async || {
        hall.clock.advance(std::time::Duration::from_secs(6));
        (hall.bank(5).await.questions.len() == 20).then_some(())
    })
    .await;
}
