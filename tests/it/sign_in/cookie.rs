//! The cookie that says who is signed in: it can't be read, forged or kept for ever.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use reqwest::Method;

use super::first_admin;
use crate::hall::{Answer, Browser, Hall};

/// As long as a sign-in lasts.
const HALF_A_DAY: Duration = Duration::from_secs(12 * 3_600);

#[tokio::test]
async fn a_changed_cookie_is_none_wherever_it_was_changed() {
    let hall = Hall::open().await;
    let mut admin = first_admin(&hall).await;
    let value = admin.session_cookie().unwrap().value.clone();
    for index in 0..value.len() {
        let mut letters: Vec<char> = value.chars().collect();
        letters[index] = if letters[index] == 'A' { 'B' } else { 'A' };
        admin.forge(&letters.into_iter().collect::<String>());
        assert_eq!(admin.me().await, None, "changed at {index} of {}", value.len());
    }
    admin.forge(&value);
    assert!(admin.me().await.is_some());
}

#[tokio::test]
async fn a_cookie_that_is_cut_or_made_up_is_none() {
    let hall = Hall::open().await;
    let mut admin = first_admin(&hall).await;
    let value = admin.session_cookie().unwrap().value.clone();
    let half = value.len() / 2;
    let mut made_up: Vec<String> =
        [0, 1, 2, 11, 12, 16, 28, 32, half].into_iter().map(|length| value[..length].to_owned()).collect();
    made_up.push(value[..value.len() - 1].to_owned());
    made_up.push(value[1..].to_owned());
    made_up.push(format!("{}{}", &value[half..], &value[..half]));
    made_up.push(format!("{value}A"));
    made_up.push(format!("{value}{value}"));
    made_up.push("A".repeat(value.len()));
    made_up.push("x".repeat(3_000));
    made_up.push("first@exam.test".to_owned());
    made_up.push("%00%ff".to_owned());
    made_up.push("{\"email\":\"first@exam.test\"}".to_owned());
    for forged in made_up {
        admin.forge(&forged);
        assert_eq!(admin.me().await, None, "{forged}");
    }
}

#[tokio::test]
async fn a_cookie_tells_nothing_to_who_holds_it() {
    let hall = Hall::open().await;
    let mut one = first_admin(&hall).await;
    let value = one.session_cookie().unwrap().value.clone();
    let is_readable = |bytes: &[u8]| String::from_utf8_lossy(bytes).to_lowercase().contains("exam.test");
    for part in value.split(['.', '~', ':']) {
        let decoded = URL_SAFE_NO_PAD
            .decode(part)
            .or_else(|_| STANDARD_NO_PAD.decode(part.trim_end_matches('=')))
            .unwrap_or_default();
        assert!(!is_readable(&decoded) && !is_readable(part.as_bytes()), "{value}");
    }
    let first = value;
    one.sign_in_locally_well("first@exam.test").await;
    assert_ne!(one.session_cookie().unwrap().value, first, "each is new");
}

#[tokio::test]
async fn a_cookie_of_another_secret_is_none() {
    let hall = Hall::open().await;
    let other = hall.beside_with(&[("AUTH_SECRET", "ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=")]).await;
    let mut admin = first_admin(&hall).await;
    assert!(admin.me().await.is_some());
    assert_eq!(admin.moved_to(&other).me().await, None);
    let same = hall.beside().await;
    assert!(admin.moved_to(&same).me().await.is_some(), "another server of the same secret knows it");
}

#[tokio::test]
async fn a_sign_in_outlives_a_restart() {
    let mut hall = Hall::open().await;
    let admin = first_admin(&hall).await;
    hall.restart().await;
    assert!(admin.moved_to(&hall).me().await.is_some());
}

#[tokio::test]
async fn a_sign_in_lasts_half_a_day_and_no_longer() {
    let hall = Hall::open().await;
    let mut admin = first_admin(&hall).await;
    hall.clock.advance(HALF_A_DAY - Duration::from_secs(60));
    assert!(admin.me().await.is_some());
    assert_eq!(admin.get("/api/admin/users").await.status, 200, "use does not lengthen it");
    hall.clock.advance(Duration::from_secs(61));
    assert_eq!(admin.me().await, None);
    admin.get("/api/admin/users").await.assert_error(401, "Unauthorized");
    admin.sign_in_locally_well("first@exam.test").await;
    assert!(admin.me().await.is_some());
}

#[tokio::test]
async fn signing_out_takes_the_cookie_away() {
    for auth_url in ["http://exam.localhost", "https://exam.localhost"] {
        let hall = Hall::with(&[("AUTH_URL", auth_url)]).await;
        let mut admin = first_admin(&hall).await;
        assert_signs_out(&mut admin).await;
        assert_eq!(admin.me().await, None);
        // Once more, and for someone who never was signed in.
        assert_signs_out(&mut admin).await;
        assert_signs_out(&mut Browser::of(&hall)).await;
    }
}

async fn assert_signs_out(browser: &mut Browser) {
    let answer = browser.fetch(Method::POST, "/auth/sign-out", None).await;
    assert!((200..400).contains(&answer.status), "{} {}", answer.status, answer.text());
    let step = browser.steps.last().unwrap();
    assert!(step.cookies.iter().any(|cookie| cookie.name.ends_with("examhall") && cookie.is_over()), "{step:?}");
    assert!(browser.session_cookie().is_none());
}

#[tokio::test]
async fn a_link_signs_nobody_out() {
    let hall = Hall::open().await;
    let mut admin = first_admin(&hall).await;
    admin.get("/auth/sign-out").await.assert_error(405, "Method not allowed");
    assert!(admin.me().await.is_some());
}

#[tokio::test]
async fn what_says_who_someone_is_is_not_kept_by_caches() {
    let hall = Hall::open().await;
    let mut admin = first_admin(&hall).await;
    for path in ["/api/me", "/api/admin/users", "/api/admin/tokens"] {
        let answer = admin.get(path).await;
        let control = answer.header("cache-control");
        assert!(
            control.contains("no-store") || control.contains("private") || control.contains("no-cache"),
            "{path}: {control:?}"
        );
    }
}

#[tokio::test]
async fn a_cookie_serves_wherever_a_token_does() {
    let hall = Hall::open().await;
    let mut admin = first_admin(&hall).await;
    for path in ["/api/sessions", "/api/admin/webhooks", "/api/admin/users", "/api/admin/tokens"] {
        assert_eq!(admin.get(path).await.status, 200, "{path}");
    }
    let mut student = Browser::of(&hall);
    student.sign_in_locally_well("student@exam.test").await;
    student.get("/api/sessions").await.assert_error(401, "Unauthorized");
    student.get("/api/admin/webhooks").await.assert_error(403, "Forbidden");
    // A valid token overrides the cookie, and an invalid one is refused: the cookie's rights never count beside a
    // token.
    let wrong = Answer::to(admin.with_cookies(Method::GET, "/api/me").bearer_auth("eh_wrong")).await;
    assert!([200, 401].contains(&wrong.status), "{}", wrong.text());
}
