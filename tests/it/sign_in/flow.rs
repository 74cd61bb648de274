//! The code flow through a real provider, from the link to the cookie.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use serde_json::json;

use crate::hall::{Browser, Hall};

#[tokio::test]
async fn the_provider_is_asked_with_state_nonce_and_challenge() {
    let (hall, provider) = Hall::with_provider(&[]).await;
    let mut secrets = Vec::new();
    for _ in 0..2 {
        let mut browser = Browser::of(&hall);
        let answer = browser.open("/auth/sign-in?return_to=/test/5").await;
        assert_eq!(answer.status, 303, "{}", answer.text());
        let target = browser.target(&answer).unwrap();
        assert!(target.as_str().starts_with(&format!("{}/auth?", provider.issuer)), "{target}");
        let query: BTreeMap<String, String> = target.query_pairs().into_owned().collect();
        for (name, value) in [
            ("response_type", "code"),
            ("client_id", "examhall"),
            ("redirect_uri", "http://exam.localhost/auth/callback"),
            ("code_challenge_method", "S256"),
        ] {
            assert_eq!(query[name], value, "{name}");
        }
        let mut scopes: Vec<&str> = query["scope"].split(' ').collect();
        scopes.sort_unstable();
        assert_eq!(scopes, ["email", "openid", "profile"]);
        assert_eq!(query["code_challenge"].len(), 43);
        assert!(query["state"].len() >= 22 && query["nonce"].len() >= 22, "128 bits: {target}");
        assert!(!query.contains_key("client_secret"));
        secrets.extend(["state", "nonce", "code_challenge"].map(|name| query[name].clone()));
        assert_is_short_lived(&browser);
    }
    let count = secrets.len();
    secrets.sort();
    secrets.dedup();
    assert_eq!(secrets.len(), count, "nothing is used twice");
}

fn assert_is_short_lived(browser: &Browser) {
    assert!(!browser.cookies().is_empty(), "nothing binds the sign-in to this browser");
    for cookie in browser.cookies() {
        assert!(cookie.has("httponly") && cookie.attribute("samesite") == "Lax", "{cookie:?}");
        let seconds: i64 = cookie.attribute("max-age").parse().unwrap();
        assert!((60..=900).contains(&seconds), "{cookie:?}");
    }
    assert!(browser.session_cookie().is_none());
}

#[tokio::test]
async fn a_sign_in_ends_with_the_cookie_where_it_began() {
    let (hall, _provider) = Hall::with_provider(&[]).await;
    let mut browser = Browser::of(&hall);
    assert_eq!(browser.me().await, None);
    let answer = browser.sign_in_towards("/test/5?mode=adaptive", "ada@exam.test").await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    assert_eq!(browser.target(&answer).unwrap().as_str(), "http://exam.localhost/test/5?mode=adaptive");
    assert!(browser.steps.iter().all(|step| step.status < 400 || step.url.path() == "/api/me"), "{:?}", browser.steps);
    let cookie = browser.session_cookie().unwrap();
    assert_eq!(cookie.name, "examhall");
    assert!(cookie.has("httponly") && !cookie.has("secure"), "{cookie:?}");
    assert_eq!(["samesite", "path", "max-age"].map(|name| cookie.attribute(name)), ["Lax", "/", "43200"]);
    let me = browser.me().await.unwrap();
    assert_eq!(
        (&me["email"], &me["name"], &me["role"]),
        (&json!("ada@exam.test"), &json!("ada of the tests"), &json!("admin"))
    );
}

#[tokio::test]
async fn on_https_the_cookies_are_bound_to_the_host() {
    let (hall, _provider) = Hall::with_provider(&[("AUTH_URL", "https://exam.localhost")]).await;
    let mut browser = Browser::of(&hall);
    browser.open("/auth/sign-in").await;
    assert!(browser.cookies().iter().all(|cookie| cookie.has("secure")), "{:?}", browser.cookies());
    browser.forget_cookies();
    browser.sign_in_well("ada@exam.test").await;
    let cookie = browser.session_cookie().unwrap().clone();
    assert_eq!(cookie.name, "__Host-examhall");
    assert!(cookie.has("httponly") && cookie.has("secure"), "{cookie:?}");
    assert_eq!(["samesite", "path", "max-age"].map(|name| cookie.attribute(name)), ["Lax", "/", "43200"]);
    assert_eq!(browser.me().await.unwrap()["email"], "ada@exam.test");
    // Another site of the same domain can set a cookie of the plain name, but none with the prefix.
    browser.rename("examhall");
    assert_eq!(browser.me().await, None);
}

#[tokio::test]
async fn a_sign_in_may_end_on_another_server() {
    let (hall, provider) = Hall::with_provider(&[]).await;
    let other = hall.beside_with(&provider.settings()).await;
    let mut browser = Browser::of(&hall);
    let callback = browser.authorise("/", "ada@exam.test").await;
    let mut browser = browser.moved_to(&other);
    let answer = browser.open(callback.as_str()).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    for server in [&hall, &other] {
        assert_eq!(browser.moved_to(server).me().await.unwrap()["email"], "ada@exam.test");
    }
}

#[tokio::test]
async fn no_return_leads_to_another_site() {
    let (hall, _provider) = Hall::with_provider(&[]).await;
    for (return_to, is_kept) in returns() {
        let mut browser = Browser::of(&hall);
        let answer = browser.sign_in_towards(&return_to, "ada@exam.test").await;
        assert_eq!(answer.status, 303, "{return_to:?}: {}", answer.text());
        assert_return(&browser, &answer, &return_to, is_kept);
    }
    for query in ["", "?return_to", "?return_to=%ff", "?return_to=//evil.test&return_to=//evil.test"] {
        let mut browser = Browser::of(&hall);
        let answer = browser.open(&format!("/auth/sign-in{query}")).await;
        assert!([303, 400].contains(&answer.status), "{query}: {}", answer.text());
    }
}

/// Asserts that the last answer leads to where it was asked to, or to the first page.
#[track_caller]
pub fn assert_return(browser: &Browser, answer: &crate::hall::Answer, return_to: &str, is_kept: bool) {
    let target = browser.target(answer).unwrap();
    assert_eq!(target.origin().ascii_serialization(), browser.origin(), "{return_to:?}");
    let expected = if is_kept { return_to } else { "/" };
    assert_eq!(&target[url::Position::BeforePath..], expected, "{return_to:?}");
}

/// Where a sign-in may be asked to end, and whether it does.
pub fn returns() -> Vec<(String, bool)> {
    let evil = [
        "//evil.test",
        "///evil.test",
        "https://evil.test/",
        "https:evil.test",
        "http:/evil.test",
        "/\\evil.test",
        "\\\\evil.test",
        "/\t/evil.test",
        "/\n/evil.test",
        "\t//evil.test",
        " //evil.test",
        "/\r\nlocation: https://evil.test",
        "/\0",
        "javascript:alert(1)",
        "data:text/html,x",
        "evil.test",
        "@evil.test",
        "",
    ];
    let good = [
        "/",
        "/test/5?mode=adaptive",
        "/t/5e0c39a5-31c1-4a60-a9a0-5d0c55a0a6f5",
        "/report/1?next=https://evil.test/",
        "/a%20b",
    ];
    let of = |list: &[&str], is_kept: bool| {
        list.iter().map(|return_to| ((*return_to).to_owned(), is_kept)).collect::<Vec<_>>()
    };
    [of(&evil, false), of(&good, true)].concat()
}

#[tokio::test]
async fn a_very_long_return_costs_no_sign_in() {
    let (hall, _provider) = Hall::with_provider(&[]).await;
    let mut browser = Browser::of(&hall);
    let answer = browser.sign_in_towards(&format!("/{}", "x".repeat(6_000)), "ada@exam.test").await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    assert_eq!(browser.target(&answer).unwrap().origin().ascii_serialization(), browser.origin());
    assert!(browser.me().await.is_some());
}

#[tokio::test]
async fn sign_in_goes_on_when_the_provider_turns_its_keys() {
    let (hall, provider) = Hall::with_provider(&[]).await;
    Browser::of(&hall).sign_in_well("ada@exam.test").await;
    for login in ["bob@exam.test", "eve@exam.test"] {
        provider.turn_keys().await;
        Browser::of(&hall).sign_in_well(login).await;
    }
    // What was signed with a key that is gone proves nothing any more.
    provider.spoil(Some("unknown_key")).await;
    assert_eq!(Browser::of(&hall).sign_in("mallory@exam.test").await.status, 502);
}

#[tokio::test]
async fn forged_keys_do_not_make_the_server_ask_without_end() {
    let (hall, provider) = Hall::with_provider(&[]).await;
    Browser::of(&hall).sign_in_well("ada@exam.test").await;
    let before = provider.counts().await;
    provider.spoil(Some("unknown_key")).await;
    for index in 0..10 {
        assert_eq!(Browser::of(&hall).sign_in(&format!("m{index}@exam.test")).await.status, 502);
    }
    let after = provider.counts().await;
    assert!(after.jwks + after.discovery <= before.jwks + before.discovery + 20, "{before:?} {after:?}");
    provider.spoil(None).await;
    Browser::of(&hall).sign_in_well("bob@exam.test").await;
}

#[tokio::test]
async fn a_hundred_students_sign_in_at_once() {
    let (hall, provider) = Hall::with_provider(&[("ADMIN_EMAIL", "head@exam.test")]).await;
    let sign_in = |index: usize| {
        let mut browser = Browser::of(&hall);
        async move {
            let email = format!("student{index}@exam.test");
            browser.sign_in_well(&email).await;
            let me = browser.me().await.unwrap();
            assert_eq!((&me["email"], &me["role"], &me["grades"]), (&json!(email), &json!("student"), &json!([])));
            browser.session_cookie().unwrap().value.clone()
        }
    };
    let mut cookies = join_all((0..100).map(sign_in)).await;
    cookies.sort();
    cookies.dedup();
    assert_eq!(cookies.len(), 100);
    let counts = provider.counts().await;
    assert!(counts.discovery <= 3 && counts.jwks <= 3, "asked again and again: {counts:?}");
    assert_eq!(counts.token, 100);
    let mut head = Browser::of(&hall);
    head.sign_in_well("head@exam.test").await;
    assert_eq!(head.get("/api/admin/users").await.json().as_array().unwrap().len(), 101);
}
