//! Users, as admins list, promote, demote and delete them.

use std::collections::BTreeSet;

use futures_util::future::join;
use reqwest::Method;
use serde_json::json;

use super::{empty, first_admin, listed, set_role, soon, user_path, with_role};
use crate::hall::{Browser, Hall, time_of};

/// For the demotion or deletion that would leave none.
const LAST: &str = "At least one admin is required";

#[tokio::test]
async fn users_are_listed_with_everything() {
    let hall = Hall::open().await;
    let mut admin = first_admin(&hall).await;
    let mut ada = Browser::of(&hall);
    assert_eq!(ada.sign_in_locally("Ada@Exam.test", "Ada L.").await.status, 303);
    let user = listed(&mut admin, "ada@exam.test").await.unwrap();
    let names: BTreeSet<&str> = user.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, BTreeSet::from(["email", "name", "image", "role", "createdAt", "lastLogin"]));
    assert_eq!((&user["name"], &user["image"], &user["role"]), (&json!("Ada L."), &json!(""), &json!("student")));
    assert_eq!(time_of(&user["createdAt"]), time_of(&user["lastLogin"]));
    assert_eq!(admin.get("/api/admin/users").await.json().as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_role_is_given_and_counts_at_once() {
    let hall = Hall::open().await;
    let mut admin = first_admin(&hall).await;
    let mut ada = Browser::of(&hall);
    ada.sign_in_locally_well("ada+x@exam.test").await;
    for role in ["reviewer", "manager", "admin", "student"] {
        let answer = admin.fetch(Method::PATCH, &user_path("ada+x@exam.test"), Some(&json!({ "role": role }))).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.json(), listed(&mut admin, "ada+x@exam.test").await.unwrap());
        assert_eq!(answer.json()["role"], role);
        assert_eq!(ada.me().await.unwrap()["role"], role);
    }
    let answer =
        admin.fetch(Method::PATCH, "/api/admin/users/ADA%2BX%40Exam.TEST", Some(&json!({ "role": "reviewer" }))).await;
    assert_eq!((answer.status, &answer.json()["email"]), (200, &json!("ada+x@exam.test")));
}

#[tokio::test]
async fn a_role_outside_the_four_is_refused() {
    let hall = Hall::open().await;
    let mut admin = first_admin(&hall).await;
    for body in [
        json!({ "role": "wizard" }),
        json!({ "role": "Admin" }),
        json!({ "role": null }),
        json!({ "role": 1 }),
        json!({}),
    ] {
        for email in ["first@exam.test", "nobody@exam.test"] {
            admin.fetch(Method::PATCH, &user_path(email), Some(&body)).await.assert_error(400, "Invalid role");
        }
    }
    admin.fetch(Method::PATCH, &user_path("first@exam.test"), Some(&json!([]))).await.assert_some_error(400);
    assert_eq!(listed(&mut admin, "first@exam.test").await.unwrap()["role"], "admin");
}

#[tokio::test]
async fn an_unknown_user_is_not_found() {
    let hall = Hall::open().await;
    let mut admin = first_admin(&hall).await;
    for path in
        [user_path("nobody@exam.test"), "/api/admin/users/nothing".to_owned(), "/api/admin/users/%00".to_owned()]
    {
        admin.fetch(Method::PATCH, &path, Some(&json!({ "role": "admin" }))).await.assert_error(404, "User not found");
        admin.fetch(Method::DELETE, &path, None).await.assert_error(404, "User not found");
    }
}

#[tokio::test]
async fn a_deleted_user_is_gone() {
    let hall = Hall::open().await;
    let mut admin = first_admin(&hall).await;
    Browser::of(&hall).sign_in_locally_well("ada@exam.test").await;
    let answer = admin.fetch(Method::DELETE, "/api/admin/users/ADA%40exam.test", None).await;
    assert_eq!((answer.status, answer.json()), (200, json!({ "ok": true })));
    assert_eq!(listed(&mut admin, "ada@exam.test").await, None);
    admin.fetch(Method::DELETE, &user_path("ada@exam.test"), None).await.assert_error(404, "User not found");
}

#[tokio::test]
async fn an_admin_always_remains() {
    let hall = Hall::open().await;
    let mut admin = first_admin(&hall).await;
    with_role(&hall, &mut admin, "manager@exam.test", "manager").await;
    for role in ["student", "reviewer", "manager"] {
        admin
            .fetch(Method::PATCH, &user_path("first@exam.test"), Some(&json!({ "role": role })))
            .await
            .assert_error(409, LAST);
    }
    admin.fetch(Method::DELETE, &user_path("first@exam.test"), None).await.assert_error(409, LAST);
    set_role(&mut admin, "first@exam.test", "admin").await;
    let mut second = with_role(&hall, &mut admin, "second@exam.test", "admin").await;
    set_role(&mut admin, "first@exam.test", "student").await;
    admin.get("/api/admin/users").await.assert_error(403, "Forbidden");
    second.fetch(Method::DELETE, &user_path("second@exam.test"), None).await.assert_error(409, LAST);
}

#[tokio::test]
async fn two_admins_who_remove_each_other_leave_one() {
    let hall = Hall::with(&[("SAMPLE_BANK", "off")]).await;
    let other = hall.beside_with(&[("SAMPLE_BANK", "off")]).await;
    for round in 0..20 {
        let emails = [format!("one{round}@exam.test"), format!("two{round}@exam.test")];
        let mut one = Browser::of(&hall);
        one.sign_in_locally_well(&emails[0]).await;
        let mut two = Browser::of(&other);
        two.sign_in_locally_well(&emails[1]).await;
        set_role(&mut one, &emails[1], "admin").await;
        soon("both are admins", async || two.get("/api/admin/users").await.status == 200).await;
        let (method, body) =
            if round % 2 == 0 { (Method::PATCH, json!({ "role": "student" })) } else { (Method::DELETE, json!({})) };
        let (paths, body) =
            (emails.each_ref().map(|email| user_path(email)), Some(&body).filter(|_| method == Method::PATCH));
        let answers =
            join(one.fetch(method.clone(), &paths[1], body), two.fetch(method.clone(), &paths[0], body)).await;
        let statuses = [answers.0.status, answers.1.status];
        assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{method}: {statuses:?}");
        assert!(statuses.iter().all(|status| [200, 401, 403, 404, 409].contains(status)), "{method}: {statuses:?}");
        let winner = if answers.0.status == 200 { &mut one } else { &mut two };
        let users = winner.get("/api/admin/users").await.json();
        assert_eq!(users.as_array().unwrap().iter().filter(|user| user["role"] == "admin").count(), 1, "{users}");
        empty(&hall, &["users", "first_admin WHERE id = 1"]).await;
    }
}

#[tokio::test]
async fn only_admins_have_to_do_with_users() {
    let hall = Hall::open().await;
    let mut admin = first_admin(&hall).await;
    let path = user_path("first@exam.test");
    let body = json!({ "role": "student" });
    let requests = [
        (Method::GET, "/api/admin/users", None),
        (Method::PATCH, path.as_str(), Some(&body)),
        (Method::DELETE, path.as_str(), None),
    ];
    for (method, path, body) in &requests {
        Browser::of(&hall).fetch(method.clone(), path, *body).await.assert_error(401, "Unauthorized");
    }
    for role in ["student", "reviewer", "manager"] {
        let mut someone = with_role(&hall, &mut admin, &format!("{role}@exam.test"), role).await;
        for (method, path, body) in &requests {
            someone.fetch(method.clone(), path, *body).await.assert_error(403, "Forbidden");
        }
    }
    assert_eq!(admin.me().await.unwrap()["role"], "admin");
}
