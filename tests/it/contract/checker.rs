//! `examhall check --provider URL`, on this service and on some that are not as they should be.

use serde_json::Value;

use super::{KEY, Service};
use crate::hall::{Call, Front, Hall, Passed, Settings, run};

/// Exit code and lines of a check.
async fn check(hall: &Hall, base: &str) -> (i32, Vec<String>) {
    let mut settings: Settings = hall.settings().clone();
    settings.insert("EXTERNAL_API_KEY".to_owned(), KEY.to_owned());
    let output = run(&settings, &["check", "--provider", &format!("{base}/v1")]).await;
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains(KEY));
    (output.status.code().unwrap(), text.lines().map(str::to_owned).collect())
}

#[track_caller]
fn line<'a>(lines: &'a [String], route: &str) -> &'a str {
    let found: Vec<&String> = lines.iter().filter(|line| line.starts_with(&format!("{route}: "))).collect();
    assert_eq!(found.len(), 1, "{route} in {lines:#?}");
    found[0]
}

#[tokio::test]
async fn this_service_conforms() {
    let service = Service::open().await;
    let before = (service.bank(1).await, service.read("/reviews").await);
    let (code, lines) = check(&service.hall, &service.hall.base()).await;
    assert_eq!(code, 0, "{lines:#?}");
    assert_eq!(lines.len(), 24);
    assert!(lines[..23].iter().all(|line| line.ends_with(": conforms")), "{lines:#?}");
    assert_eq!(lines[23], "23 conform, 0 failed, 0 optional and not there, 0 not checked");
    assert_eq!(service.bank(1).await, before.0, "questions are as they were");
    for kind in ["assignments", "manager-assignments"] {
        assert_eq!(service.read(&format!("/{kind}")).await, serde_json::json!([]), "assignments are removed again");
    }
    assert!(service.read("/reviews").await.as_object().unwrap().values().all(|review| review["status"] == "pending"));
    assert_eq!(check(&service.hall, &service.hall.base()).await.0, 0, "a second time too");
}

#[tokio::test]
async fn reviews_stay_as_they_are() {
    let service = Service::open().await;
    let id = service.bank(1).await[0]["id"].as_str().unwrap().to_owned();
    let review = serde_json::json!({ "status": "flagged", "reviewedBy": "ada@exam.test", "reviewedByName": "Ada", "reviewedAt": "2026-03-02T10:00:00.000Z", "note": "why" });
    service.put(&format!("/reviews/{id}"), &review).await.assert_done();
    assert_eq!(check(&service.hall, &service.hall.base()).await.0, 0);
    assert_eq!(service.read("/reviews").await, serde_json::json!({ (id): review }));
}

#[tokio::test]
async fn a_service_without_questions_is_checked_as_far_as_it_goes() {
    let hall = Hall::with(&[("PROVIDER_API_KEY", KEY), ("SAMPLE_BANK", "off")]).await;
    let (code, lines) = check(&hall, &hall.base()).await;
    assert_eq!(
        (code, lines.last().unwrap().as_str()),
        (0, "19 conform, 0 failed, 0 optional and not there, 4 not checked"),
        "{lines:#?}"
    );
    assert_eq!(line(&lines, "PUT /questions/override"), "PUT /questions/override: not checked: there are no questions");
}

/// Changes answers, and the lines that then name faults.
type Case = (fn(&Call, Passed) -> Passed, &'static [&'static str]);

fn is(call: &Call, line: &str) -> bool {
    call.line.starts_with(line)
}

/// A session's JSON without a field.
fn losing(told: &Passed, field: &str) -> Passed {
    let mut session: Value = serde_json::from_slice(&told.body).unwrap();
    session.as_object_mut().unwrap().remove(field);
    Passed::json(told.status, &session.to_string())
}

const CASES: [Case; 16] = [
    (
        |call, told| {
            if is(call, "PUT /v1/sessions") && told.status == 200 {
                Passed::json(500, r#"{"error":"no"}"#)
            } else {
                told
            }
        },
        // It stores all the same, but not what is sent second.
        &[
            "PUT /sessions/{id}: failed: answered 500 instead of 200",
            "GET /sessions/{id}: failed: gives back another webhookSent",
        ],
    ),
    (
        |call, told| {
            if is(call, "GET /v1/reviews") && told.status == 200 {
                Passed { status: 200, kind: "text/html".to_owned(), body: b"<html></html>".to_vec() }
            } else {
                told
            }
        },
        &[
            "GET /reviews: failed: answered 200 without Content-Type: application/json",
            "PUT /reviews/{questionId}: failed: answered 200 without Content-Type: application/json",
        ],
    ),
    (
        |call, told| {
            if is(call, "GET /v1/grade-approvals") && told.status == 200 {
                Passed::json(200, r#"{"approvals":[]}"#)
            } else {
                told
            }
        },
        &[
            "GET /grade-approvals: failed: answered another shape: ",
            "PUT /grade-approvals/{grade}/{managerEmail}: failed: a decision that was sent twice is there 0 times",
        ],
    ),
    (
        |call, told| {
            if call.line.contains("/v1/manager-assignments") && told.status == 200 {
                Passed::json(404, r#"{"error":"Not found"}"#)
            } else {
                told
            }
        },
        &[
            "GET /manager-assignments: failed: answered 404 instead of 200",
            "PUT /manager-assignments/{email}: failed: answered 404 instead of 200",
            "DELETE /manager-assignments/{email}: failed: answered 404 instead of 200",
        ],
    ),
    (
        |_, told| if told.status == 401 { Passed::json(200, r#"{"questions":[],"ok":true}"#) } else { told },
        &["X-API-Key: failed: answered 200 instead of 401 without a key on GET /questions"],
    ),
    (
        |call, told| if is(call, "GET /v1/sessions") && told.status == 200 { losing(&told, "drawings") } else { told },
        &["GET /sessions/{id}: failed: gives back another drawings"],
    ),
    (
        |call, told| if is(call, "GET /v1/sessions") && told.status == 200 { losing(&told, "verified") } else { told },
        &["GET /sessions/{id}: failed: gives back another verified"],
    ),
    (
        |_, told| {
            if told.status == 404 {
                Passed { kind: "text/plain".to_owned(), body: b"not here".to_vec(), ..told }
            } else {
                told
            }
        },
        &[
            "PATCH /users/{email}: failed: answered 404 without Content-Type: application/json for an unknown user",
            "GET /users/{email}: failed: answered 404 without Content-Type: application/json for an unknown user",
            "GET /sessions/{id}: failed: answered 404 without Content-Type: application/json for an unknown session",
            "GET /assignments/{email}: failed: answered 404 without Content-Type: application/json for an address without one",
            "DELETE /assignments/{email}: failed: answered 404 without Content-Type: application/json after it was removed",
        ],
    ),
    (
        |call, told| {
            if is(call, "GET /v1/users/") && told.status == 200 {
                Passed::json(404, r#"{"error":"User not found"}"#)
            } else {
                told
            }
        },
        &["GET /users/{email}: failed: answered 404 instead of 200"],
    ),
    (
        |_, told| if told.status == 404 { Passed::json(404, r#"{"error":"Nothing here"}"#) } else { told },
        &[
            "PATCH /users/{email}: failed: answered 404 without the sentence \"User not found\" for an unknown user",
            "GET /users/{email}: failed: answered 404 without the sentence \"User not found\" for an unknown user",
            "GET /sessions/{id}: failed: answered 404 without the sentence \"Session not found\" for an unknown session",
        ],
    ),
    (
        |_, told| if told.status == 400 { Passed::json(200, r#"{"questions":[]}"#) } else { told },
        &["GET /questions?grade=11: failed: answered 200 instead of 400 for grade=11"],
    ),
    (
        |call, told| {
            if is(call, "POST /v1/users") && told.status == 201 { Passed { status: 200, ..told } } else { told }
        },
        &["POST /users: failed: answered 200 instead of 201"],
    ),
    (
        |call, mut told| {
            if is(call, "GET /v1/assignments/") && told.status == 200 {
                told.body.truncate(told.body.len() / 2);
            }
            told
        },
        &["GET /assignments/{email}: failed: answered 200 with a body that is not JSON"],
    ),
    (
        |call, told| {
            if is(call, "POST /v1/questions/import") {
                Passed::json(200, r#"{"added":1,"updated":0,"errors":[]}"#)
            } else {
                told
            }
        },
        &["POST /questions/import: failed: of one row of an existing id it has added 1, updated 0, and refused 0"],
    ),
    (
        |call, told| if is(call, "POST /v1/edit-log") { Passed::json(302, r#"{"ok":true}"#) } else { told },
        &["POST /edit-log: failed: answered 302 instead of 200"],
    ),
    (
        |call, told| if is(call, "PATCH ") { Passed { status: 0, ..told } } else { told },
        &[
            "PATCH /users/{email}: failed: no answer within 5000 ms",
            "GET /users/{email}: failed: gives back another role",
        ],
    ),
];

#[tokio::test]
async fn each_fault_is_named() {
    let service = Service::open().await;
    for (change, expected) in CASES {
        let front = Front::before(&service.hall.base(), change).await;
        let (code, lines) = check(&service.hall, &front.base).await;
        assert_eq!(code, 1, "{expected:?}: {lines:#?}");
        let failed: Vec<&String> = lines.iter().filter(|line| line.contains(": failed: ")).collect();
        assert_eq!(failed.len(), expected.len(), "{failed:#?}");
        for (line, expected) in failed.iter().zip(expected) {
            assert!(line.starts_with(expected), "{line} instead of {expected}");
        }
        let count = format!(", {} failed, ", expected.len());
        assert!(lines.last().unwrap().contains(&count), "{lines:#?}");
    }
}

#[tokio::test]
async fn what_is_optional_may_be_missing() {
    let service = Service::open().await;
    let front = Front::before(&service.hall.base(), |call, told| {
        if is(call, "GET /v1/users/") { Passed::json(404, r#"{"error":"Not found"}"#) } else { told }
    })
    .await;
    let (code, lines) = check(&service.hall, &front.base).await;
    assert_eq!(
        (code, line(&lines, "GET /users/{email}")),
        (0, "GET /users/{email}: optional, not there"),
        "{lines:#?}"
    );
    assert_eq!(lines.last().unwrap(), "22 conform, 0 failed, 1 optional and not there, 0 not checked");
}

#[tokio::test]
async fn a_service_that_is_away_is_asked_once() {
    let hall = Hall::open().await;
    let (code, lines) = check(&hall, "http://127.0.0.1:1").await;
    assert_eq!(
        (code, lines.last().unwrap().as_str()),
        (1, "0 conform, 1 failed, 0 optional and not there, 22 not checked"),
        "{lines:#?}"
    );
    assert!(line(&lines, "GET /questions").starts_with("GET /questions: failed: cannot be reached: "), "{lines:#?}");
}

#[tokio::test]
async fn it_needs_a_key_and_an_address() {
    let hall = Hall::open().await;
    let output = run(hall.settings(), &["check", "--provider", "http://127.0.0.1:1/v1"]).await;
    assert_eq!(
        (output.status.code(), String::from_utf8(output.stderr).unwrap().contains("EXTERNAL_API_KEY")),
        (Some(1), true)
    );
    let output = run(hall.settings(), &["check", "--provider", "nonsense"]).await;
    assert_eq!(output.status.code(), Some(2));
    let help = String::from_utf8(run(hall.settings(), &["check", "--help"]).await.stdout).unwrap();
    assert!(help.contains("It leaves behind") && help.contains("--provider"), "{help}");
}

#[tokio::test]
async fn the_check_of_the_configuration_has_a_line_for_the_data_provider() {
    let service = Service::open().await;
    let output = run(service.hall.settings(), &["check"]).await;
    assert!(String::from_utf8(output.stdout).unwrap().lines().any(|line| line == "data provider: local"));
    let settings = |key: &str, base: String| {
        let mut settings = service.hall.settings().clone();
        settings.remove("PROVIDER_API_KEY");
        settings.extend(
            [("DATA_PROVIDER", "api"), ("EXTERNAL_API_KEY", key)]
                .map(|(name, value)| (name.to_owned(), value.to_owned())),
        );
        settings.insert("EXTERNAL_API_BASE_URL".to_owned(), format!("{base}/v1"));
        settings
    };
    let answers = [
        (KEY, service.hall.base(), 0, "data provider: ok"),
        ("wrong", service.hall.base(), 1, "data provider: failed: answered 401 instead of 200"),
        (KEY, "http://127.0.0.1:1".to_owned(), 1, "data provider: failed: cannot be reached: "),
    ];
    for (key, base, code, expected) in answers {
        let output = run(&settings(key, base), &["check"]).await;
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(code), "{text}");
        assert!(text.lines().any(|line| line.starts_with(expected)), "{expected}: {text}");
    }
}
