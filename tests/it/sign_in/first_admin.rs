//! Who becomes the first admin, and how soon a lost role takes effect.

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::json;

use super::{empty, first_admin, listed, set_role, soon, user_path, with_role};
use crate::hall::{Browser, Hall};

async fn role_of(browser: &mut Browser) -> String {
    browser.me().await.unwrap()["role"].as_str().unwrap().to_owned()
}

async fn role_after_sign_in(hall: &Hall, email: &str) -> String {
    let mut browser = Browser::of(hall);
    browser.sign_in_locally_well(email).await;
    role_of(&mut browser).await
}

#[tokio::test]
async fn only_the_first_becomes_admin() {
    let hall = Hall::open().await;
    for (email, role) in [
        ("ada@exam.test", "admin"),
        ("bob@exam.test", "student"),
        ("eve@exam.test", "student"),
        ("ADA@exam.test", "admin"),
    ] {
        assert_eq!(role_after_sign_in(&hall, email).await, role, "{email}");
    }
}

#[tokio::test]
async fn a_user_who_never_signed_in_takes_nothing_from_the_first() {
    let hall = Hall::open().await;
    hall.token("student").await;
    assert_eq!(role_after_sign_in(&hall, "ada@exam.test").await, "admin");
}

#[tokio::test]
async fn an_admin_of_the_command_line_was_the_first() {
    let hall = Hall::open().await;
    hall.token("admin").await;
    assert_eq!(role_after_sign_in(&hall, "ada@exam.test").await, "student");
}

#[tokio::test]
async fn with_an_address_set_only_that_one_becomes_admin() {
    let hall = Hall::with(&[("ADMIN_EMAIL", "Head@Exam.test")]).await;
    for (email, role) in [
        ("ada@exam.test", "student"),
        ("head@exam.test.evil.test", "student"),
        ("HEAD@exam.TEST", "admin"),
        ("bob@exam.test", "student"),
    ] {
        assert_eq!(role_after_sign_in(&hall, email).await, role, "{email}");
    }
}

#[tokio::test]
async fn an_address_that_is_set_later_becomes_admin_too() {
    let hall = Hall::open().await;
    first_admin(&hall).await;
    assert_eq!(role_after_sign_in(&hall, "head@exam.test").await, "student");
    let later = hall.beside_with(&[("ADMIN_EMAIL", "head@exam.test")]).await;
    assert_eq!(role_after_sign_in(&later, "head@exam.test").await, "admin");
    assert_eq!(role_after_sign_in(&later, "bob@exam.test").await, "student");
}

#[tokio::test]
async fn of_many_first_users_at_once_one_becomes_admin() {
    let hall = Hall::with(&[("SAMPLE_BANK", "off")]).await;
    let other = hall.beside_with(&[("SAMPLE_BANK", "off")]).await;
    for round in 0..20 {
        let sign_in = |index: usize| {
            let mut browser = Browser::of(if index.is_multiple_of(2) { &hall } else { &other });
            async move {
                browser.sign_in_locally_well(&format!("first{index}-{round}@exam.test")).await;
                role_of(&mut browser).await
            }
        };
        let roles = join_all((0..6).map(sign_in)).await;
        assert_eq!(roles.iter().filter(|role| *role == "admin").count(), 1, "{roles:?}");
        assert_eq!(roles.iter().filter(|role| *role == "student").count(), 5, "{roles:?}");
        empty(&hall, &["users", "first_admin WHERE id = 1"]).await;
    }
}

#[tokio::test]
async fn one_person_in_two_windows_is_one_user() {
    let hall = Hall::with(&[("SAMPLE_BANK", "off")]).await;
    let other = hall.beside_with(&[("SAMPLE_BANK", "off")]).await;
    for round in 0..10 {
        let sign_in = |index: usize| {
            let mut browser = Browser::of(if index.is_multiple_of(2) { &hall } else { &other });
            async move {
                browser.sign_in_locally_well(&format!("ada{round}@exam.test")).await;
                role_of(&mut browser).await
            }
        };
        assert_eq!(join_all((0..4).map(sign_in)).await, ["admin"; 4]);
        empty(&hall, &["users", "first_admin WHERE id = 1"]).await;
    }
}

#[tokio::test]
async fn once_an_admin_has_existed_nobody_becomes_one_by_coming_first() {
    let hall = Hall::open().await;
    let mut first = first_admin(&hall).await;
    let mut second = with_role(&hall, &mut first, "second@exam.test", "admin").await;
    assert_eq!(second.fetch(Method::DELETE, &user_path("first@exam.test"), None).await.json(), json!({ "ok": true }));
    assert_eq!(role_after_sign_in(&hall, "third@exam.test").await, "student");
    assert_eq!(role_after_sign_in(&hall, "first@exam.test").await, "student", "who was the first is so no longer");
    // Even in a store from which every user has been taken by hand.
    empty(&hall, &["users"]).await;
    assert_eq!(role_after_sign_in(&hall, "fourth@exam.test").await, "student");
}

#[tokio::test]
async fn a_lost_role_counts_within_five_seconds_everywhere() {
    let hall = Hall::open().await;
    let other = hall.beside().await;
    let mut first = first_admin(&hall).await;
    let mut second = with_role(&hall, &mut first, "second@exam.test", "admin").await;
    let mut elsewhere = second.moved_to(&other);
    for browser in [&mut second, &mut elsewhere] {
        assert_eq!(browser.get("/api/admin/users").await.status, 200);
    }
    set_role(&mut first, "second@exam.test", "student").await;
    second.get("/api/admin/users").await.assert_error(403, "Forbidden");
    soon("the other server knows it", async || elsewhere.get("/api/admin/users").await.status == 403).await;
    assert_eq!(role_of(&mut elsewhere).await, "student");
}

#[tokio::test]
async fn someone_deleted_is_signed_out_within_five_seconds_everywhere() {
    let hall = Hall::open().await;
    let other = hall.beside().await;
    let mut admin = first_admin(&hall).await;
    let mut ada = with_role(&hall, &mut admin, "ada@exam.test", "manager").await;
    let mut elsewhere = ada.moved_to(&other);
    assert!(elsewhere.me().await.is_some());
    assert_eq!(admin.fetch(Method::DELETE, &user_path("ada@exam.test"), None).await.status, 200);
    assert_eq!(ada.me().await, None);
    soon("the other server knows it", async || elsewhere.me().await.is_none()).await;
    assert_eq!(listed(&mut admin, "ada@exam.test").await, None);
    // Someone who signs in again after being deleted starts as a new user.
    assert_eq!(role_after_sign_in(&hall, "ada@exam.test").await, "student");
}
