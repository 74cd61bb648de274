//! A callback that must not sign anyone in: states that are not this browser's, and tokens that prove nothing.

use std::time::Duration;

use reqwest::Method;
use url::Url;

use super::{assert_page, assert_signed_out};
use crate::hall::{Answer, Browser, Hall};

/// For a state that is missing, old, or another's.
const EXPIRED: &str = "The sign-in has expired or was started in another browser";
/// For a provider that can't be believed.
const FAILED: &str = "The identity provider failed";

/// The callback with another value of a parameter; `None` leaves it out.
fn with(callback: &Url, name: &str, value: Option<&str>) -> Url {
    let others: Vec<(String, String)> =
        callback.query_pairs().into_owned().filter(|(found, _)| found != name).collect();
    let mut changed = callback.clone();
    changed.query_pairs_mut().clear().extend_pairs(others).extend_pairs(value.map(|value| (name, value)));
    changed
}

/// Asserts that a callback is refused with this, to a person and to a program alike.
async fn refuse(browser: &mut Browser, callback: &Url, status: u16, sentence: &str) {
    let path = &callback[url::Position::BeforePath..];
    let answer = Answer::to(browser.with_cookies(Method::GET, path)).await;
    answer.assert_error(status, sentence);
    assert!(
        !answer.headers.get_all("set-cookie").iter().any(|cookie| is_session(cookie.to_str().unwrap())),
        "{:?}",
        answer.headers
    );
    assert_page(&browser.open(callback.as_str()).await, status, sentence);
    assert_signed_out(browser);
}

fn is_session(cookie: &str) -> bool {
    let (name, rest) = cookie.split_once('=').unwrap();
    name.ends_with("examhall") && !rest.starts_with(';')
}

#[tokio::test]
async fn a_state_must_be_the_one_of_this_sign_in() {
    let (hall, _provider) = Hall::with_provider(&[]).await;
    let mut browser = Browser::of(&hall);
    let callback = browser.authorise("/", "ada@exam.test").await;
    let state = callback.query_pairs().find(|(name, _)| name == "state").unwrap().1.into_owned();
    let turned: String = state.chars().rev().collect();
    for wrong in [None, Some(""), Some("other"), Some(turned.as_str()), Some(&state[1..])] {
        let mut fresh = browser.clone();
        refuse(&mut fresh, &with(&callback, "state", wrong), 400, EXPIRED).await;
    }
    assert_eq!(browser.open(callback.as_str()).await.status, 303, "the right one still counts");
}

#[tokio::test]
async fn a_state_of_another_browser_signs_nobody_in() {
    let (hall, _provider) = Hall::with_provider(&[]).await;
    let mut mallory = Browser::of(&hall);
    let callback = mallory.authorise("/", "mallory@exam.test").await;
    // Someone who has begun nothing, and someone who has.
    let mut ada = Browser::of(&hall);
    refuse(&mut ada, &callback, 400, EXPIRED).await;
    ada.authorise("/", "ada@exam.test").await;
    refuse(&mut ada, &callback, 400, EXPIRED).await;
}

#[tokio::test]
async fn a_sign_in_must_end_within_ten_minutes() {
    let (hall, _provider) = Hall::with_provider(&[]).await;
    let mut browser = Browser::of(&hall);
    let callback = browser.authorise("/", "ada@exam.test").await;
    hall.clock.advance(Duration::from_secs(601));
    refuse(&mut browser, &callback, 400, EXPIRED).await;
    let callback = browser.authorise("/", "ada@exam.test").await;
    hall.clock.advance(Duration::from_secs(570));
    assert_eq!(browser.open(callback.as_str()).await.status, 303);
}

#[tokio::test]
async fn a_callback_counts_once() {
    let (hall, _provider) = Hall::with_provider(&[]).await;
    let mut browser = Browser::of(&hall);
    let callback = browser.authorise("/", "ada@exam.test").await;
    let mut twin = browser.clone();
    assert_eq!(browser.open(callback.as_str()).await.status, 303);
    for browser in [&mut browser, &mut twin] {
        let answer = browser.open(callback.as_str()).await;
        assert_eq!(answer.status, 400, "{}", answer.text());
        assert!(browser.steps.last().unwrap().cookies.is_empty(), "{:?}", browser.steps.last());
    }
    assert_eq!(browser.me().await.unwrap()["email"], "ada@exam.test", "and takes nothing away");
    assert_signed_out(&twin);
}

#[tokio::test]
async fn a_callback_without_a_good_code_signs_nobody_in() {
    let (hall, _provider) = Hall::with_provider(&[]).await;
    for code in [None, Some(""), Some("wrong")] {
        let mut browser = Browser::of(&hall);
        let callback = browser.authorise("/", "ada@exam.test").await;
        let answer = browser.open(with(&callback, "code", code).as_str()).await;
        assert!([400, 502].contains(&answer.status), "{code:?}: {} {}", answer.status, answer.text());
        assert!(answer.header("content-type").starts_with("text/html"));
        assert_signed_out(&browser);
    }
}

#[tokio::test]
async fn someone_who_changes_their_mind_is_told_so() {
    let (hall, _provider) = Hall::with_provider(&[]).await;
    let mut browser = Browser::of(&hall);
    let callback = browser.authorise("/", "ada@exam.test").await;
    for error in ["access_denied", "<script>alert(1)</script>"] {
        let refused = with(&with(&callback, "code", None), "error", Some(error));
        let answer = browser.clone().open(refused.as_str()).await;
        assert!([400, 403, 502].contains(&answer.status), "{}", answer.text());
        assert!(
            answer.header("content-type").starts_with("text/html") && !answer.text().contains("<script>alert"),
            "{}",
            answer.text()
        );
    }
    assert_signed_out(&browser);
}

#[tokio::test]
async fn a_token_with_any_fault_proves_nothing() {
    let (hall, provider) = Hall::with_provider(&[]).await;
    let faults = [
        "nonce",
        "no_nonce",
        "expired",
        "audience",
        "issuer",
        "foreign_key",
        "unknown_key",
        "none",
        "public_key_as_secret",
        "garbage",
    ];
    for fault in faults {
        provider.spoil(Some(fault)).await;
        let mut browser = Browser::of(&hall);
        assert_page(&browser.sign_in("ada@exam.test").await, 502, FAILED);
        assert_signed_out(&browser);
        let callback = browser.authorise("/", "ada@exam.test").await;
        let path = &callback[url::Position::BeforePath..];
        Answer::to(browser.with_cookies(Method::GET, path)).await.assert_error(502, FAILED);
        assert_eq!(browser.me().await, None, "{fault}");
    }
    provider.spoil(None).await;
    let mut browser = Browser::of(&hall);
    browser.sign_in_well("bob@exam.test").await;
    let users = browser.get("/api/admin/users").await.json();
    assert_eq!(users.as_array().unwrap().len(), 1, "nobody came of it: {users}");
}
