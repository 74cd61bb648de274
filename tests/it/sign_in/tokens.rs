//! API tokens, as admins make, list and revoke them.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};

use super::{first_admin, soon, user_path, with_role};
use crate::hall::{Answer, Browser, Hall, eventually, time_of};

const TOKENS: &str = "/api/admin/tokens";

async fn make(admin: &mut Browser, name: &str, role: &str) -> (String, String) {
    let answer = admin.fetch(Method::POST, TOKENS, Some(&json!({ "name": name, "role": role }))).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let made = answer.json();
    let names: BTreeSet<&str> = made.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, BTreeSet::from(["id", "token"]));
    let text = |name: &str| made[name].as_str().unwrap().to_owned();
    (text("id"), text("token"))
}

async fn list(admin: &mut Browser) -> Vec<Value> {
    let answer = admin.get(TOKENS).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["tokens"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_token_acts_with_its_role() {
    let hall = Hall::open().await;
    let mut admin = first_admin(&hall).await;
    for (role, status) in [("student", 403), ("reviewer", 403), ("manager", 403), ("admin", 200)] {
        let (_, token) = make(&mut admin, "LMS", role).await;
        let client = hall.bearer(&token);
        assert_eq!(client.get("/api/me").await.json()["role"], role);
        assert_eq!(client.get("/api/admin/users").await.status, status, "{role}");
        let basic =
            Answer::to(hall.anonymous().request(Method::GET, "/api/me").basic_auth("anyone", Some(&token))).await;
        assert_eq!(basic.json()["role"], role);
    }
}

#[tokio::test]
async fn a_list_has_everything_but_the_secret() {
    let hall = Hall::open().await;
    let mut admin = first_admin(&hall).await;
    assert_eq!(list(&mut admin).await, Vec::<Value>::new());
    let (id, token) = make(&mut admin, "LMS of the north", "manager").await;
    assert!(!token.contains(&id) && token.len() >= 43, "256 bits");
    let tokens = list(&mut admin).await;
    assert_eq!(tokens.len(), 1);
    let names: BTreeSet<&str> = tokens[0].as_object().unwrap().keys().map(String::as_str).collect();
    assert!(names.is_subset(&BTreeSet::from(["id", "name", "email", "role", "createdAt", "lastUsedAt"])), "{names:?}");
    for (name, value) in
        [("id", id.as_str()), ("name", "LMS of the north"), ("email", "first@exam.test"), ("role", "manager")]
    {
        assert_eq!(tokens[0][name], value, "{name}");
    }
    time_of(&tokens[0]["createdAt"]);
    assert!(tokens[0]["lastUsedAt"].is_null(), "{}", tokens[0]);
    assert_eq!(hall.bearer(&token).get("/api/me").await.status, 200);
    // It is noted beside the request, which does not wait for it.
    let used = eventually("the use is noted", async || {
        Some(list(&mut admin).await).filter(|tokens| !tokens[0]["lastUsedAt"].is_null())
    })
    .await;
    assert!(time_of(&used[0]["lastUsedAt"]) >= time_of(&used[0]["createdAt"]));
    let shown = admin.get(TOKENS).await.text();
    assert!(!shown.contains(&token) && !shown.contains(&token[3..23]), "{shown}");
}

#[tokio::test]
async fn tokens_of_the_command_line_are_listed_too() {
    let hall = Hall::open().await;
    let token = hall.token("admin").await;
    let answer = hall.bearer(&token).get(TOKENS).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let tokens = answer.json()["tokens"].as_array().unwrap().clone();
    assert_eq!(tokens.len(), 1);
    assert_eq!((&tokens[0]["name"], &tokens[0]["email"]), (&json!("tests"), &json!("admin@exam.test")));
}

#[tokio::test]
async fn a_revoked_token_is_worth_nothing_at_once() {
    let hall = Hall::open().await;
    let other = hall.beside().await;
    let mut admin = first_admin(&hall).await;
    let (id, token) = make(&mut admin, "LMS", "admin").await;
    let (_, kept) = make(&mut admin, "other", "admin").await;
    for server in [&hall, &other] {
        assert_eq!(server.bearer(&token).get("/api/me").await.status, 200);
    }
    let answer = admin.fetch(Method::DELETE, &format!("{TOKENS}/{id}"), None).await;
    assert_eq!((answer.status, answer.json()), (200, json!({ "ok": true })));
    hall.bearer(&token).get("/api/me").await.assert_error(401, "Unauthorized");
    soon("the other server knows it", async || other.bearer(&token).get("/api/me").await.status == 401).await;
    assert_eq!(hall.bearer(&kept).get("/api/me").await.status, 200);
    assert_eq!(list(&mut admin).await.len(), 1);
    for unknown in [id.as_str(), "5e0c39a5-31c1-4a60-a9a0-5d0c55a0a6f5", "nothing", "%00"] {
        admin.fetch(Method::DELETE, &format!("{TOKENS}/{unknown}"), None).await.assert_error(404, "Not found");
    }
}

#[tokio::test]
async fn a_name_and_a_role_are_needed() {
    let hall = Hall::open().await;
    let mut admin = first_admin(&hall).await;
    let long = "x".repeat(5_000);
    let names = [json!(""), json!("  "), json!("a\nb"), json!(long), json!(7), json!(null)];
    for name in names {
        let answer = admin.fetch(Method::POST, TOKENS, Some(&json!({ "name": name, "role": "student" }))).await;
        answer.assert_error(400, "Invalid name");
    }
    admin.fetch(Method::POST, TOKENS, Some(&json!({ "name": "a\0b", "role": "student" }))).await.assert_some_error(400);
    for role in [json!("wizard"), json!("Admin"), json!(""), json!(7), json!(null)] {
        let answer = admin.fetch(Method::POST, TOKENS, Some(&json!({ "name": "LMS", "role": role }))).await;
        answer.assert_error(400, "Invalid role");
    }
    admin.fetch(Method::POST, TOKENS, Some(&json!({ "role": "student" }))).await.assert_error(400, "Invalid name");
    admin.fetch(Method::POST, TOKENS, Some(&json!({ "name": "LMS" }))).await.assert_error(400, "Invalid role");
    assert_eq!(list(&mut admin).await, Vec::<Value>::new());
}

#[tokio::test]
async fn only_admins_have_to_do_with_tokens() {
    let hall = Hall::open().await;
    let mut admin = first_admin(&hall).await;
    let (id, _) = make(&mut admin, "LMS", "admin").await;
    let path = format!("{TOKENS}/{id}");
    let body = json!({ "name": "mine", "role": "admin" });
    let requests =
        [(Method::GET, TOKENS, None), (Method::POST, TOKENS, Some(&body)), (Method::DELETE, path.as_str(), None)];
    for (method, path, body) in &requests {
        Browser::of(&hall).fetch(method.clone(), path, *body).await.assert_error(401, "Unauthorized");
    }
    for role in ["student", "reviewer", "manager"] {
        let mut someone = with_role(&hall, &mut admin, &format!("{role}@exam.test"), role).await;
        for (method, path, body) in &requests {
            someone.fetch(method.clone(), path, *body).await.assert_error(403, "Forbidden");
        }
    }
    assert_eq!(list(&mut admin).await.len(), 1);
}

#[tokio::test]
async fn a_token_can_do_no_more_than_who_made_it() {
    let hall = Hall::open().await;
    let mut first = first_admin(&hall).await;
    let mut second = with_role(&hall, &mut first, "second@exam.test", "admin").await;
    let (_, token) = make(&mut second, "LMS", "admin").await;
    let client = hall.bearer(&token);
    assert_eq!(client.get("/api/admin/users").await.status, 200);
    super::set_role(&mut first, "second@exam.test", "student").await;
    client.get("/api/admin/users").await.assert_error(403, "Forbidden");
    assert_eq!(first.fetch(Method::DELETE, &user_path("second@exam.test"), None).await.status, 200);
    client.get("/api/me").await.assert_error(401, "Unauthorized");
    // Neither does it come back to life with a new user of that address.
    Browser::of(&hall).sign_in_locally_well("second@exam.test").await;
    client.get("/api/me").await.assert_error(401, "Unauthorized");
}
