//! Users: made once, read and changed.

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use super::{Service, with, without};
use crate::hall::{Answer, time_of};

fn ada() -> Value {
    json!({ "email": "Ada@Exam.Test", "name": "Ada", "image": "https://exam.example/ada.png", "role": "student" })
}

#[tokio::test]
async fn a_user_is_made_read_and_changed() {
    let service = Service::open().await;
    let made = service.post("/users", &ada()).await;
    assert_eq!(made.status, 201);
    let user = made.json();
    time_of(&user["createdAt"]);
    let expected = json!({ "email": "ada@exam.test", "name": "Ada", "image": "https://exam.example/ada.png", "role": "student", "createdAt": user["createdAt"], "lastLogin": null });
    assert_eq!(user, expected);
    assert_eq!(service.read("/users/ADA%40exam.test").await, user);
    let reviewer = service.patch("/users/ada%40exam.test", &json!({ "role": "reviewer" })).await;
    assert_eq!((reviewer.status, reviewer.json()), (200, with(&user, "role", json!("reviewer"))));
    let at = service.patch("/users/ada@exam.test", &json!({ "lastLoginAt": "2026-03-02T11:00:00+01:00" })).await.json();
    assert_eq!(at["lastLogin"], "2026-03-02T10:00:00.000Z");
    assert_eq!(service.read("/users/ada@exam.test").await, at);
    service.post("/users", &with(&ada(), "role", json!("admin"))).await.assert_error(409, "User already exists");
    assert_eq!(service.read("/users/ada@exam.test").await, at, "who is there stays as they are");
}

#[tokio::test]
async fn of_ten_at_once_one_is_made() {
    let service = Service::open().await;
    let answers = join_all((0..10).map(|_| async { service.post("/users", &ada()).await.status })).await;
    assert_eq!(
        (
            answers.iter().filter(|status| **status == 201).count(),
            answers.iter().filter(|status| **status == 409).count()
        ),
        (1, 9),
        "{answers:?}"
    );
}

#[tokio::test]
async fn what_cannot_be_is_refused_by_its_field() {
    let service = Service::open().await;
    let wrong = [
        ("email", json!("ada")),
        ("email", json!("a\u{0}@exam.test")),
        ("email", json!(7)),
        ("name", json!("x".repeat(201))),
        ("name", json!("a\nb")),
        ("image", json!("javascript:alert(1)")),
        ("image", json!("/api/admin/export")),
        ("image", json!("data:text/html,<script>alert(1)</script>")),
        ("email", json!("a\u{200B}da@exam.test")),
        ("image", json!(format!("https://exam.example/{}", "x".repeat(2_048)))),
        ("role", json!("wizard")),
        ("role", Value::Null),
    ];
    for (field, value) in wrong {
        let expected = if value == json!("a\u{0}@exam.test") { "body" } else { field };
        service.post("/users", &with(&ada(), field, value)).await.assert_error(400, &format!("Invalid {expected}"));
    }
    service.post("/users", &without(&ada(), "role")).await.assert_error(400, "Invalid role");
    assert_eq!(service.post("/users", &json!({ "email": "bare@exam.test", "role": "student" })).await.status, 201);
    let path = "/users/bare@exam.test";
    service.patch(path, &json!({})).await.assert_error(400, "Invalid body");
    service.patch(path, &json!({ "role": "wizard" })).await.assert_error(400, "Invalid role");
    service.patch(path, &json!({ "lastLoginAt": "yesterday" })).await.assert_error(400, "Invalid lastLoginAt");
    for unknown in ["nobody@exam.test", "nobody", "%00@exam.test"] {
        service.get(&format!("/users/{unknown}")).await.assert_error(404, "User not found");
        service
            .patch(&format!("/users/{unknown}"), &json!({ "role": "admin" }))
            .await
            .assert_error(404, "User not found");
        service
            .patch(&format!("/users/{unknown}"), &json!({ "lastLoginAt": "2026-03-02T10:00:00Z" }))
            .await
            .assert_error(404, "User not found");
    }
}

#[tokio::test]
async fn there_is_always_an_admin_once_there_was_one() {
    let service = Service::open().await;
    for name in ["first", "second"] {
        assert_eq!(
            service.post("/users", &json!({ "email": format!("{name}@exam.test"), "role": "admin" })).await.status,
            201
        );
    }
    assert_eq!(service.patch("/users/first@exam.test", &json!({ "role": "student" })).await.status, 200);
    service
        .patch("/users/second@exam.test", &json!({ "role": "student" }))
        .await
        .assert_error(409, "At least one admin is required");
    // The first to sign in becomes admin only where there has never been one.
    let cookie = service.hall.cookie("third@exam.test").await;
    assert_eq!(service.read("/users/third@exam.test").await["role"], "student");
    let me = async || {
        Answer::to(service.hall.anonymous().request(Method::GET, "/api/me").header("cookie", &cookie)).await.json()["role"].clone()
    };
    assert_eq!(me().await, "student");
    assert_eq!(service.patch("/users/third@exam.test", &json!({ "role": "manager" })).await.status, 200);
    assert_eq!(me().await, "manager", "a change of role holds at once");
}
