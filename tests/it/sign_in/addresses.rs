//! E-mail addresses that could be taken for others: nobody signs in with letters that are not seen, and nobody is given
//! a role by an address that looks like another one.

use reqwest::Method;
use serde_json::json;

use super::{assert_page, first_admin, user_path};
use crate::hall::{Browser, Hall, run};

/// With a Cyrillic letter, all Cyrillic, and with a Latin letter that looks like another.
const LOOK_ALIKE: [&str; 3] = ["\u{430}da@exam.test", "\u{441}\u{43e}\u{440}@exam.test", "ad\u{251}@exam.test"];
/// With a zero-width space, a soft hyphen, a word joiner and a filler.
const INVISIBLE: [&str; 4] =
    ["a\u{200B}da@exam.test", "ad\u{AD}a@exam.test", "ada\u{2060}@exam.test", "\u{3164}@exam.test"];

#[tokio::test]
async fn nobody_signs_in_with_letters_that_are_not_seen() {
    let hall = Hall::open().await;
    for email in INVISIBLE {
        let mut browser = Browser::of(&hall);
        assert_page(&browser.sign_in_locally(email, "Ada").await, 400, "has characters that cannot be seen");
        assert!(browser.session_cookie().is_none());
    }
}

#[tokio::test]
async fn a_look_alike_is_given_no_role() {
    let hall = Hall::open().await;
    let mut admin = first_admin(&hall).await;
    for email in LOOK_ALIKE {
        Browser::of(&hall).sign_in_locally_well(email).await;
        for role in ["reviewer", "manager", "admin"] {
            let changed = admin.fetch(Method::PATCH, &user_path(email), Some(&json!({ "role": role }))).await;
            changed.assert_error(400, "Invalid email");
        }
        let lowered = admin.fetch(Method::PATCH, &user_path(email), Some(&json!({ "role": "student" }))).await;
        assert_eq!(lowered.status, 200, "what takes rights away is always possible");
        assert_eq!(admin.fetch(Method::DELETE, &user_path(email), None).await.status, 200);
    }
    for email in LOOK_ALIKE.iter().chain(&INVISIBLE) {
        for kind in ["assignments", "managers"] {
            let body = json!({ "email": email, "name": "Ada", "grades": [5] });
            let path = format!("/api/admin/review/{kind}");
            admin.fetch(Method::POST, &path, Some(&body)).await.assert_error(400, "Invalid email");
        }
    }
    for email in ["nguyễn@trường.vn", "josé@exam.test", "王小明@exam.test", "иван@пример.рф"] {
        let body = json!({ "email": email, "name": "Someone", "grades": [5] });
        let given = admin.fetch(Method::POST, "/api/admin/review/assignments", Some(&body)).await;
        assert_eq!(given.status, 200, "{email}: {}", given.text());
    }
}

#[tokio::test]
async fn the_command_line_gives_a_look_alike_nothing() {
    let hall = Hall::open().await;
    first_admin(&hall).await;
    Browser::of(&hall).sign_in_locally_well(LOOK_ALIKE[0]).await;
    for arguments in [
        &["token", "create", LOOK_ALIKE[0]][..],
        &["token", "create", INVISIBLE[0], "--role", "admin"],
        &["user", "set-role", LOOK_ALIKE[0], "admin"],
    ] {
        let output = run(hall.settings(), arguments).await;
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("look like"), "{arguments:?}: {output:?}");
    }
    assert!(run(hall.settings(), &["user", "set-role", LOOK_ALIKE[0], "student"]).await.status.success());
}
