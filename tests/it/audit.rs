//! What admins and managers have done is on record, whichever route they use, and is found again.

mod hung_up;
mod killed;

use reqwest::Method;
use serde_json::{Value, json};

use crate::hall::{Answer, Caller, Hall};

async fn entries(admin: &Caller, query: &str) -> Vec<Value> {
    let found = admin.get(&format!("/api/admin/audit{query}")).await;
    assert_eq!(found.status, 200, "{}", found.text());
    found.json()["entries"].as_array().unwrap().clone()
}

/// Actor, action, subject and detail of each entry, the newest first.
async fn told(admin: &Caller, query: &str) -> Vec<[String; 4]> {
    let text = |entry: &Value, field: &str| entry[field].as_str().unwrap().to_owned();
    let parts = |entry: &Value| ["actor", "action", "subject", "detail"].map(|field| text(entry, field));
    entries(admin, query).await.iter().map(parts).collect()
}

#[tokio::test]
async fn what_was_done_is_on_record_with_who_and_to_whom() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let before = told(&admin, "").await.len();
    let email = "nora+x@exam.test";
    let invited =
        admin.request(Method::PUT, "/api/admin/users/NORA%2Bx@exam.test").json(&json!({ "role": "reviewer" }));
    assert_eq!(Answer::to(invited).await.status, 200);
    let assignment = json!({ "email": email, "name": "Nora", "grades": [3, 5] });
    assert_eq!(admin.post_json("/api/admin/review/assignments", &assignment).await.status, 200);
    let role = admin.request(Method::PATCH, &format!("/api/admin/users/{email}")).json(&json!({ "role": "manager" }));
    assert_eq!(Answer::to(role).await.status, 200);
    let removed = admin.request(Method::DELETE, &format!("/api/admin/users/{email}"));
    assert_eq!(Answer::to(removed).await.status, 200);
    let found = told(&admin, "").await;
    let me = &found[0][0];
    let expected = [
        ["user.removed", email, ""],
        ["user.role", email, "manager"],
        ["user.reviews", email, "3, 5"],
        ["user.invited", email, "reviewer"],
    ];
    let new: Vec<_> = found[..found.len() - before].iter().map(|[_, rest @ ..]| rest.clone()).collect();
    assert_eq!(new, expected);
    assert!(me.ends_with("@exam.test"), "{me}");
    assert_eq!(told(&admin, "?action=user.role").await.iter().filter(|entry| entry[2] == email).count(), 1);
    assert_eq!(told(&admin, "?actor=nora%2Bx%40exam.test").await.len(), 0);
    assert_eq!(told(&admin, "?to=2020-01-01T00:00:00Z").await.len(), 0);
    assert_eq!(told(&admin, "?from=2020-01-01T00:00:00Z").await.len(), found.len());
}

#[tokio::test]
async fn a_path_is_on_record_however_it_is_spelt() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let invited =
        admin.request(Method::PUT, "/%61pi/%61dmin/users/nora@exam.test").json(&json!({ "role": "reviewer" }));
    assert_eq!(Answer::to(invited).await.status, 200);
    let found = told(&admin, "").await;
    let found: Vec<&str> = found.iter().map(|[_, action, ..]| &**action).collect();
    assert_eq!(found, ["user.invited"]);
}

#[tokio::test]
async fn what_was_refused_tried_or_only_read_is_not() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let before = told(&admin, "").await.len();
    assert_eq!(admin.get("/api/admin/users").await.status, 200);
    let unknown = admin.request(Method::PATCH, "/api/admin/users/nobody@exam.test").json(&json!({ "role": "admin" }));
    assert_eq!(Answer::to(unknown).await.status, 404);
    let student = hall.signed_in("student").await;
    assert_eq!(student.post_json("/api/admin/tokens", &json!({ "name": "x", "role": "student" })).await.status, 403);
    let after = told(&admin, "").await;
    let made_by_the_test = after.iter().filter(|entry| entry[1] == "token.created").count();
    assert!(after.len() - before <= made_by_the_test, "{after:?}");
    assert!(after.iter().all(|entry| entry[2] != "nobody@exam.test"));
}

#[tokio::test]
async fn a_secret_that_was_read_is_on_record() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    assert_eq!(admin.get("/api/admin/webhooks/key").await.status, 200);
    let found = told(&admin, "?action=webhook.key_read").await;
    assert_eq!(found.len(), 1);
}

#[tokio::test]
async fn the_record_is_read_page_by_page_and_exported() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    for number in 0..55 {
        let change = admin.request(Method::PATCH, "/api/admin/school").json(&json!({ "name": format!("=S{number}") }));
        assert_eq!(Answer::to(change).await.status, 200);
    }
    let query = "?action=school.changed";
    let first = admin.get(&format!("/api/admin/audit{query}")).await.json();
    assert_eq!((&first["total"], &first["page"], &first["perPage"]), (&json!(55), &json!(1), &json!(50)));
    assert_eq!(first["entries"][0]["detail"], "name: =S53 → =S54");
    assert_eq!(entries(&admin, &format!("{query}&page=2")).await.len(), 5);
    let table = admin.get(&format!("/api/admin/audit/export{query}&format=csv")).await;
    assert_eq!((table.status, table.header("content-type")), (200, "text/csv; charset=utf-8"));
    assert_eq!(table.text().lines().count(), 56);
    let workbook = admin.get(&format!("/api/admin/audit/export{query}&format=xlsx")).await;
    assert_eq!(workbook.status, 200);
    assert_eq!(told(&admin, "?action=audit.exported").await.len(), 2);
    for (query, field) in [
        ("action=user.flown", "action"),
        ("actor=nobody", "actor"),
        ("from=yesterday", "from"),
        ("to=2020", "to"),
        ("page=0", "page"),
    ] {
        admin.get(&format!("/api/admin/audit?{query}")).await.assert_error(400, &format!("Invalid {field}"));
    }
    admin.get("/api/admin/audit/export?format=pdf").await.assert_error(400, "Invalid format");
}

#[tokio::test]
async fn what_cannot_be_recorded_is_not_done() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let rename = async || {
        let renamed = admin.request(Method::PATCH, "/api/admin/school");
        Answer::to(renamed.json(&json!({ "name": "Oak School" }))).await
    };
    let before = admin.get("/api/admin/school").await.json();
    hall.alter("ALTER TABLE audit_entries RENAME TO hidden_entries").await;
    rename().await.assert_error(503, "The service is unavailable at the moment");
    assert_eq!(admin.get("/api/admin/users").await.status, 200, "what is not audited goes on");
    assert_eq!(admin.get("/api/admin/school").await.json(), before);
    hall.alter("ALTER TABLE hidden_entries RENAME TO audit_entries").await;
    assert_eq!(rename().await.status, 200);
    assert_eq!(told(&admin, "?action=school.changed").await.len(), 1);
}

#[tokio::test]
async fn what_was_done_before_an_answer_failed_is_on_record() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let path = "/api/admin/accommodations/ada@exam.test";
    // The change is stored; then those who sit an exam now are looked for.
    hall.alter("ALTER TABLE candidates RENAME TO hidden_candidates").await;
    let failed = Answer::to(admin.request(Method::PUT, path).json(&json!({ "factor": 125 }))).await;
    hall.alter("ALTER TABLE hidden_candidates RENAME TO candidates").await;
    failed.assert_error(500, "Internal server error");
    assert_eq!(admin.get(path).await.json()["accommodation"]["factor"], 125);
    let found = told(&admin, "?action=accommodation.changed").await;
    let [_, _, subject, detail] = &found[0];
    assert_eq!((found.len(), &**subject, &**detail), (1, "ada@exam.test", "answered 500"));
}

#[tokio::test]
async fn what_is_known_before_a_change_is_told_with_it() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let made = admin.post_json("/api/admin/tokens", &json!({ "name": "Timetable", "role": "student" })).await.json();
    let found = told(&admin, "?action=token.created").await;
    let [_, _, subject, detail] = &found[0];
    assert_eq!((&json!(subject), &**detail), (&made["id"], "Timetable, student"));
    // Asking again changes nothing, and is refused.
    let invite = admin.request(Method::PUT, "/api/admin/users/nora@exam.test").json(&json!({ "role": "reviewer" }));
    assert_eq!(Answer::to(invite.try_clone().unwrap()).await.status, 200);
    assert_eq!(Answer::to(invite).await.status, 409);
    assert_eq!(told(&admin, "?action=user.invited").await.len(), 1);
}
