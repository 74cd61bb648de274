//! Users whom an admin knows before they sign in.

use reqwest::Method;
use serde_json::{Value, json};

use crate::hall::{Answer, Caller, Hall};

async fn invite(admin: &Caller, email: &str, body: Value) -> Answer {
    Answer::to(admin.request(Method::PUT, &format!("/api/admin/users/{email}")).json(&body)).await
}

#[tokio::test]
async fn someone_has_their_role_from_the_first_sign_in() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let invited = invite(&admin, "Nora@Exam.test", json!({ "role": "manager", "name": "Nora" })).await;
    assert_eq!(invited.status, 200, "{}", invited.text());
    let user = invited.json();
    assert_eq!(
        (&user["email"], &user["name"], &user["role"], &user["lastLogin"]),
        (&json!("nora@exam.test"), &json!("Nora"), &json!("manager"), &Value::Null)
    );
    let cookie = hall.cookie("nora@exam.test").await;
    let me = Answer::to(hall.anonymous().request(Method::GET, "/api/me").header("cookie", cookie)).await;
    assert_eq!(me.json()["role"], "manager");
    let users = admin.get("/api/admin/users").await.json();
    let nora = users.as_array().unwrap().iter().find(|user| user["email"] == "nora@exam.test").unwrap();
    assert!(nora["lastLogin"].is_string());
}

#[tokio::test]
async fn nobody_who_is_known_is_invited_again() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    assert_eq!(invite(&admin, "nora@exam.test", json!({ "role": "student" })).await.status, 200);
    invite(&admin, "nora@exam.test", json!({ "role": "admin" })).await.assert_error(409, "User exists");
    let users = admin.get("/api/admin/users").await.json();
    let nora = users.as_array().unwrap().iter().find(|user| user["email"] == "nora@exam.test").unwrap();
    assert_eq!(nora["role"], "student");
}

#[tokio::test]
async fn an_invitation_names_what_is_wrong() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    for (email, body, field) in [
        ("nora", json!({ "role": "student" }), "email"),
        ("n%D0%BEra@exam.test", json!({ "role": "reviewer" }), "email"),
        ("nora@exam.test", json!({}), "role"),
        ("nora@exam.test", json!({ "role": "king" }), "role"),
        ("nora@exam.test", json!({ "role": "student", "name": "x".repeat(201) }), "name"),
    ] {
        invite(&admin, email, body).await.assert_error(400, &format!("Invalid {field}"));
    }
}
