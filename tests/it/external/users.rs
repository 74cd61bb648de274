//! Sign-in and roles, when users are in the external service.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use super::{admin, person};
use crate::hall::{Browser, External, Told, external_user_path, run, time_of};

/// Time after which a change of rights counts everywhere.
const TIME_TO_OBEY: Duration = Duration::from_secs(5);

fn user(email: &str, role: &str) -> Value {
    json!({ "email": email, "name": "Ada", "image": "", "role": role, "createdAt": "2026-01-05T09:00:00.000Z", "lastLogin": "2026-01-05T09:00:00.000Z" })
}

#[tokio::test]
async fn a_sign_in_is_told_and_an_unknown_user_made() {
    let external = External::open().await;
    let hall = external.hall().await;
    let path = external_user_path("ada+x@exam.test");
    for status in [201, 200] {
        external.forget();
        external.on("POST /v1/users", Told::Json(status, user("Ada+X@Exam.test", "student")));
        let mut ada = Browser::of(&hall);
        assert_eq!(ada.sign_in_locally("Ada+x@exam.test", "Ada").await.status, 303);
        let calls = external.calls("");
        let about_users: Vec<_> = calls.iter().filter(|call| call.line.contains("/v1/users")).collect();
        assert_eq!(
            about_users.iter().map(|call| call.line.clone()).collect::<Vec<_>>(),
            [format!("PATCH {path}"), "POST /v1/users".to_owned()]
        );
        let told = about_users[0].json();
        assert_eq!(told.as_object().unwrap().keys().collect::<Vec<_>>(), ["lastLoginAt"]);
        time_of(&told["lastLoginAt"]);
        assert_eq!(
            about_users[1].json(),
            json!({ "email": "ada+x@exam.test", "name": "Ada", "image": "", "role": "student" })
        );
        assert_eq!(ada.me().await.unwrap()["email"], "ada+x@exam.test");
    }
    external.forget();
    external.on(&format!("PATCH {path}"), Told::Json(200, user("ada+x@exam.test", "student")));
    Browser::of(&hall).sign_in_locally_well("ada+x@exam.test").await;
    assert_eq!((external.calls("PATCH").len(), external.calls("POST").len()), (1, 0));
}

#[tokio::test]
async fn a_server_that_only_reads_believes_what_it_hears() {
    let external = External::open().await;
    let hall = external.hall().await;
    let mut cookies = Vec::new();
    for email in ["gone@exam.test", "head@exam.test"] {
        let mut admin = person(&hall, &external, email, "admin").await;
        assert_eq!(admin.me().await.unwrap()["role"], "admin");
        cookies.push(admin.cookie_header_for("/"));
    }
    let reader = external.reading_beside(&hall).await;
    external.on(&format!("GET {}", external_user_path("gone@exam.test")), Told::error(404, "User not found"));
    external.user("head@exam.test", "student");
    let me = async |cookie: &str| reader.anonymous().get_with("/api/me", "cookie", cookie).await;
    assert_eq!(me(&cookies[0]).await.status, 401, "nobody is let in by an old copy");
    assert_eq!(me(&cookies[1]).await.json()["role"], "student", "nor keeps the rights of one");
    assert_eq!(me(&cookies[0]).await.status, 401);
}

#[tokio::test]
async fn two_first_sign_ins_at_once_are_both_good() {
    let external = External::open().await;
    let hall = external.hall().await;
    let line = format!("PATCH {}", external_user_path("ada@exam.test"));
    external.then(&line, [Told::error(404, "User not found")]);
    external.on(&line, Told::Json(200, user("ada@exam.test", "student")));
    external.on("POST /v1/users", Told::error(409, "There is such a user"));
    Browser::of(&hall).sign_in_locally_well("ada@exam.test").await;
    assert_eq!((external.calls("PATCH").len(), external.calls("POST").len()), (2, 1));
}

#[tokio::test]
async fn only_the_named_admin_is_made_one() {
    let external = External::open().await;
    let hall = external.hall_with(&[("ADMIN_EMAIL", "head@exam.test")]).await;
    external.user("first@exam.test", "student");
    let mut first = Browser::of(&hall);
    first.sign_in_locally_well("first@exam.test").await;
    assert_eq!(first.me().await.unwrap()["role"], "student");
    let line = format!("PATCH {}", external_user_path("head@exam.test"));
    external.then(
        &line,
        [Told::Json(200, user("head@exam.test", "student")), Told::Json(200, user("head@exam.test", "admin"))],
    );
    external
        .on(&format!("GET {}", external_user_path("head@exam.test")), Told::Json(200, user("head@exam.test", "admin")));
    external.forget();
    let mut head = Browser::of(&hall);
    head.sign_in_locally_well("head@exam.test").await;
    assert_eq!(external.calls(&line)[1].json(), json!({ "role": "admin" }));
    assert_eq!(head.me().await.unwrap()["role"], "admin");
}

#[tokio::test]
async fn the_first_to_sign_in_becomes_admin_once() {
    let external = External::open().await;
    let hall = external.hall_with(&[("ADMIN_EMAIL", "")]).await;
    let line = format!("PATCH {}", external_user_path("first@exam.test"));
    external.user("first@exam.test", "student");
    // A service that does not give the role: nobody becomes admin, the sign-in succeeds, and the next one tries again.
    for refusal in [Told::error(500, "No"), Told::Json(200, user("first@exam.test", "student"))] {
        external.forget();
        external.on(&line, refusal);
        external.then(&line, [Told::Json(200, user("first@exam.test", "student"))]);
        let mut first = Browser::of(&hall);
        first.sign_in_locally_well("first@exam.test").await;
        assert_eq!(external.calls(&line)[1].json(), json!({ "role": "admin" }));
        assert_eq!(first.me().await.unwrap()["role"], "student");
    }
    external.forget();
    external.user("first@exam.test", "admin");
    external.then(&line, [Told::Json(200, user("first@exam.test", "student"))]);
    let mut first = Browser::of(&hall);
    first.sign_in_locally_well("first@exam.test").await;
    assert_eq!(external.calls(&line)[1].json(), json!({ "role": "admin" }));
    assert_eq!(first.me().await.unwrap()["role"], "admin");
    // Never again, also when the service has demoted them since.
    external.user("first@exam.test", "student");
    external.user("second@exam.test", "student");
    for email in ["second@exam.test", "first@exam.test"] {
        external.forget();
        Browser::of(&hall).sign_in_locally_well(email).await;
        assert_eq!(external.calls("PATCH").len(), 1, "{email}");
    }
}

#[tokio::test]
async fn of_many_who_sign_in_first_at_once_one_becomes_admin() {
    let external = External::open().await;
    let hall = external.hall_with(&[("ADMIN_EMAIL", "")]).await;
    let emails: Vec<String> = (0..8).map(|number| format!("p{number}@exam.test")).collect();
    for email in &emails {
        external.user(email, "student");
        let line = format!("PATCH {}", external_user_path(email));
        external.then(&line, [Told::Json(200, user(email, "student"))]);
        external.on(&line, Told::Json(200, user(email, "admin")));
    }
    futures_util::future::join_all(emails.iter().map(async |email| {
        Browser::of(&hall).sign_in_locally_well(email).await;
    }))
    .await;
    let given = external.calls("PATCH").into_iter().filter(|call| call.json() == json!({ "role": "admin" })).count();
    assert_eq!(given, 1);
}

#[tokio::test]
async fn nobody_becomes_admin_where_the_service_knows_one() {
    let external = External::open().await;
    let hall = external.hall_with(&[("ADMIN_EMAIL", "")]).await;
    // The service keeps the role, and has made them admin only later, so that this server knows them as a student.
    external.user("head@exam.test", "student");
    Browser::of(&hall).sign_in_locally_well("head@exam.test").await;
    external.user("head@exam.test", "admin");
    external.user("student@exam.test", "student");
    external.forget();
    Browser::of(&hall).sign_in_locally_well("student@exam.test").await;
    assert!(!external.calls("GET /v1/users/head").is_empty());
    assert_eq!(external.calls("PATCH").len(), 1, "nobody was made admin");
}

#[tokio::test]
async fn a_role_is_given_at_the_service() {
    let external = External::open().await;
    let hall = external.hall().await;
    let mut admin = admin(&hall, &external).await;
    let line = format!("PATCH {}", external_user_path("ada@exam.test"));
    external.on(&line, Told::Json(200, user("ada@exam.test", "reviewer")));
    let path = "/api/admin/users/ada%40exam.test";
    let body = json!({ "role": "reviewer" });
    let answer = admin.fetch(Method::PATCH, path, Some(&body)).await;
    assert_eq!((answer.status, answer.json()), (200, user("ada@exam.test", "reviewer")));
    assert_eq!(external.calls(&line)[0].json(), body);
    external.on(&line, Told::error(404, "No such user"));
    admin.fetch(Method::PATCH, path, Some(&body)).await.assert_error(404, "User not found");
    external.on(&line, Told::error(409, "The last one"));
    admin.fetch(Method::PATCH, path, Some(&body)).await.assert_error(409, "At least one admin is required");
}

#[tokio::test]
async fn a_demotion_at_the_service_holds_within_five_seconds() {
    let external = External::open().await;
    let hall = external.hall().await;
    let mut root = person(&hall, &external, "root@exam.test", "admin").await;
    let mut gone = person(&hall, &external, "gone@exam.test", "admin").await;
    assert_eq!(
        (root.me().await.unwrap()["role"].clone(), gone.me().await.unwrap()["role"].clone()),
        (json!("admin"), json!("admin"))
    );
    external.user("root@exam.test", "student");
    external.on(&format!("GET {}", external_user_path("gone@exam.test")), Told::error(404, "User not found"));
    let changed = Instant::now();
    while root.me().await.is_some_and(|me| me["role"] == "admin") || gone.me().await.is_some() {
        assert!(changed.elapsed() < TIME_TO_OBEY, "not obeyed");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn a_service_that_tells_of_no_user_is_believed_as_of_the_sign_in() {
    let external = External::open().await;
    let hall = external.hall().await;
    external.on(
        "GET /v1/manager-assignments",
        Told::Json(200, json!([{ "email": "m@exam.test", "name": "M", "grades": [2, 3] }])),
    );
    let mut manager = person(&hall, &external, "m@exam.test", "manager").await;
    for told in [Told::error(404, "Not found"), Told::page(404), Told::error(405, "No"), Told::error(501, "No")] {
        external.on(&format!("GET {}", external_user_path("m@exam.test")), told);
        manager.fetch(Method::POST, "/auth/sign-out", None).await;
        manager.sign_in_locally_well("m@exam.test").await;
        let me = manager.me().await.unwrap();
        assert_eq!((&me["role"], &me["grades"]), (&json!("manager"), &json!([2, 3])));
    }
}

#[tokio::test]
async fn assignments_count_as_they_are_now() {
    let external = External::open().await;
    let hall = external.hall().await;
    let line = "GET /v1/assignments/r%40exam.test";
    external.on(line, Told::Json(200, json!({ "email": "r@exam.test", "name": "R", "grades": [4] })));
    let mut reviewer = person(&hall, &external, "r@exam.test", "reviewer").await;
    assert_eq!(reviewer.me().await.unwrap()["grades"], json!([4]));
    external.on(line, Told::error(404, "Not found"));
    let changed = Instant::now();
    while reviewer.me().await.unwrap()["grades"] != json!([]) {
        assert!(changed.elapsed() < TIME_TO_OBEY, "not obeyed");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    reviewer.get("/api/review/questions?grade=4").await.assert_error(403, "Not assigned to this grade");
}

#[tokio::test]
async fn a_token_is_made_for_a_user_of_the_service() {
    let external = External::open().await;
    let hall = external.hall().await;
    let ahead = hall.clock.now().plus(30_000).iso();
    let mut made = user("lms@exam.test", "admin");
    made["createdAt"] = json!(ahead);
    external.on(&format!("GET {}", external_user_path("lms@exam.test")), Told::error(404, "User not found"));
    external.on("POST /v1/users", Told::Json(201, made.clone()));
    let output =
        run(hall.settings(), &["token", "create", "lms@exam.test", "--role", "admin", "--name", "tests"]).await;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(external.calls("POST /v1/users")[0].json()["role"], "admin");
    external.on(&format!("GET {}", external_user_path("lms@exam.test")), Told::Json(200, made));
    let caller = hall.bearer(String::from_utf8(output.stdout).unwrap().trim());
    assert_eq!(caller.get("/api/me").await.json()["role"], "admin");
}
