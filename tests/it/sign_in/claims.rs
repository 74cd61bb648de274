//! What the provider says about someone, and what Exam Hall makes of it.

use std::time::Duration;

use serde_json::{Value, json};

use super::{assert_page, assert_signed_out, listed};
use crate::hall::{Browser, Hall, time_of};

/// For addresses that the provider does not vouch for.
const UNVERIFIED: &str = "Your e-mail address is not verified by the identity provider";

/// For addresses that are verified and still cannot be used.
const BAD_ADDRESS: &str = "Your e-mail address is not valid here: it may have characters that cannot be seen";

async fn signed_in_as(hall: &Hall, login: &str) -> Value {
    let mut browser = Browser::of(hall);
    browser.sign_in_well(login).await;
    browser.me().await.unwrap()
}

#[tokio::test]
async fn the_first_is_admin_of_all_grades_and_others_are_students_of_none() {
    let (hall, _provider) = Hall::with_provider(&[]).await;
    let first = signed_in_as(&hall, "ada@exam.test").await;
    let grades: Vec<u64> = (1..=10).collect();
    let picture = "https://pictures.test/ada%40exam.test.png";
    assert_eq!(
        first,
        json!({ "email": "ada@exam.test", "name": "ada of the tests", "image": picture, "role": "admin", "grades": grades })
    );
    let second = signed_in_as(&hall, "bob@exam.test").await;
    assert_eq!((&second["role"], &second["grades"]), (&json!("student"), &json!([])));
}

#[tokio::test]
async fn an_address_is_one_however_it_is_written() {
    let (hall, _provider) = Hall::with_provider(&[]).await;
    let mut admin = Browser::of(&hall);
    admin.sign_in_well("ada@exam.test").await;
    assert_eq!(signed_in_as(&hall, "upper:ada@exam.test").await["email"], "ada@exam.test");
    assert_eq!(signed_in_as(&hall, "upper:ada@exam.test").await["role"], "admin");
    assert_eq!(admin.get("/api/admin/users").await.json().as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn an_address_must_be_verified() {
    let (hall, _provider) = Hall::with_provider(&[]).await;
    let mut admin = Browser::of(&hall);
    admin.sign_in_well("ada@exam.test").await;
    for login in ["unverified:ada@exam.test", "unverified:bob@exam.test", "unstated:bob@exam.test"] {
        let mut browser = Browser::of(&hall);
        assert_page(&browser.sign_in(login).await, 403, UNVERIFIED);
        assert_signed_out(&browser);
        let callback = browser.authorise("/", login).await;
        let path = &callback[url::Position::BeforePath..];
        crate::hall::Answer::to(browser.with_cookies(reqwest::Method::GET, path)).await.assert_error(403, UNVERIFIED);
    }
    assert_eq!(listed(&mut admin, "bob@exam.test").await, None);
}

#[tokio::test]
async fn who_has_no_address_cannot_sign_in() {
    let (hall, _provider) = Hall::with_provider(&[]).await;
    for (login, sentence) in [
        ("mailless:ada@exam.test", UNVERIFIED),
        ("malformed:ada@exam.test", BAD_ADDRESS),
        ("invisible:ada@exam.test", BAD_ADDRESS),
    ] {
        let mut browser = Browser::of(&hall);
        assert_page(&browser.sign_in(login).await, 403, sentence);
        assert_signed_out(&browser);
    }
    assert_eq!(signed_in_as(&hall, "bob@exam.test").await["role"], "admin", "nobody was the first before");
}

#[tokio::test]
async fn odd_names_and_pictures_cost_no_sign_in() {
    let (hall, _provider) = Hall::with_provider(&[]).await;
    assert_eq!(
        signed_in_as(&hall, "odd:ada@exam.test").await["name"],
        "Ada <b onclick=\"x()\">\"O'Neill\"</b> & Łukasz 李小龍 עדה"
    );
    let controlled = signed_in_as(&hall, "control:bob@exam.test").await;
    let name = controlled["name"].as_str().unwrap();
    assert!(!name.chars().any(char::is_control) && name.len() < 5_000, "{name:?}");
    assert!(signed_in_as(&hall, "nameless:eve@exam.test").await["name"].is_string());
    assert_eq!(signed_in_as(&hall, "script:joe@exam.test").await["image"], "", "a picture is a link to a picture");
}

#[tokio::test]
async fn each_sign_in_is_noted() {
    let (hall, _provider) = Hall::with_provider(&[]).await;
    let mut admin = Browser::of(&hall);
    admin.sign_in_well("ada@exam.test").await;
    signed_in_as(&hall, "bob@exam.test").await;
    let before = listed(&mut admin, "bob@exam.test").await.unwrap();
    hall.clock.advance(Duration::from_secs(1_800));
    assert_eq!(listed(&mut admin, "bob@exam.test").await.unwrap(), before, "only a sign-in moves it");
    signed_in_as(&hall, "bob@exam.test").await;
    let after = listed(&mut admin, "bob@exam.test").await.unwrap();
    assert_eq!(after["createdAt"], before["createdAt"]);
    let between = time_of(&after["lastLogin"]) - time_of(&before["lastLogin"]);
    assert!((1_800..1_860).contains(&between.num_seconds()), "{before} {after}");
}
