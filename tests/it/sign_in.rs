//! Sign-in and the rights that follow from it, through a real OpenID provider and through the development sign-in.

mod ended;
mod first_admin;
mod listed;
mod store;
mod tokens;
mod users;
mod view;

#[path = "sign_in"]
mod edge {
    use super::*;

    mod addresses;
    mod claims;
    mod cookie;
    mod cross_site;
    mod flow;
    mod local;
    mod refusals;
    mod secrets;
    mod unavailable;
}

/// See `tests/it/main.rs`: these tests run with the data in another server too.
#[path = "sign_in"]
mod either_provider {
    mod live;
}

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use crate::hall::{Answer, Browser, Hall};

/// Time after which a change of rights counts everywhere.
const TIME_TO_OBEY: Duration = Duration::from_secs(5);

/// Polls until the condition holds; fails when it takes longer than a change of rights may take.
async fn soon(what: &str, mut probe: impl AsyncFnMut() -> bool) {
    let began = Instant::now();
    while !probe().await {
        assert!(began.elapsed() < TIME_TO_OBEY, "not within {TIME_TO_OBEY:?}: {what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Asserts that the answer is an HTML page with this sentence.
#[track_caller]
fn assert_page(answer: &Answer, status: u16, sentence: &str) {
    assert_eq!(answer.status, status, "{}", answer.text());
    assert!(answer.header("content-type").starts_with("text/html"), "{}", answer.header("content-type"));
    assert!(answer.text().contains(sentence), "{}", answer.text());
}

/// Asserts that a sign-in was refused: nothing that was set says who someone is.
#[track_caller]
fn assert_signed_out(browser: &Browser) {
    assert!(browser.session_cookie().is_none(), "{:?}", browser.steps.last());
}

/// An admin in a browser of their own: the first who signs in on a development server.
async fn first_admin(hall: &Hall) -> Browser {
    let mut admin = Browser::of(hall);
    admin.sign_in_locally_well("first@exam.test").await;
    assert_eq!(admin.me().await.unwrap()["role"], "admin");
    admin
}

/// Someone else on a development server, with a role that this admin gives them.
async fn with_role(hall: &Hall, admin: &mut Browser, email: &str, role: &str) -> Browser {
    let mut browser = Browser::of(hall);
    browser.sign_in_locally_well(email).await;
    set_role(admin, email, role).await;
    soon("the role counts", async || browser.me().await.unwrap()["role"] == role).await;
    browser
}

async fn set_role(admin: &mut Browser, email: &str, role: &str) {
    let answer = admin.fetch(Method::PATCH, &user_path(email), Some(&json!({ "role": role }))).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

/// The path of a user, with the address URL-encoded as the specification has it.
fn user_path(email: &str) -> String {
    let encoded: String = url::form_urlencoded::byte_serialize(email.as_bytes()).collect();
    format!("/api/admin/users/{encoded}")
}

/// The user of this address in the admin's list.
async fn listed(admin: &mut Browser, email: &str) -> Option<Value> {
    let answer = admin.get("/api/admin/users").await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json().as_array().unwrap().iter().find(|user| user["email"] == email).cloned()
}

/// Deletes all rows of these tables, or those that match a condition: the API has no way back to an empty store.
async fn empty(hall: &Hall, tables: &[&str]) {
    use sea_orm::ConnectionTrait;
    let connection = sea_orm::Database::connect(hall.database_url()).await.unwrap();
    for table in tables {
        connection.execute_unprepared(&format!("DELETE FROM {table}")).await.unwrap();
    }
    connection.close().await.unwrap();
}
