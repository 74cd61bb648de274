//! What people have set the pages to: kept with the account as it is, on every device, until the user is removed.

use reqwest::Method;
use serde_json::{Value, json};

use super::{first_admin, user_path};
use crate::hall::{Answer, Browser, Hall, token};

const VIEW: &str = "/api/me/view";

async fn view(browser: &mut Browser) -> Value {
    let answer = browser.get(VIEW).await;
    assert_eq!((answer.status, answer.header("cache-control")), (200, "no-store"), "{}", answer.text());
    answer.json()
}

async fn save(browser: &mut Browser, view: &Value) {
    let answer = browser.fetch(Method::PUT, VIEW, Some(&json!({ "view": view }))).await;
    assert_eq!((answer.status, answer.json()), (200, json!({ "view": view })));
}

#[tokio::test]
async fn a_view_is_there_on_every_device_of_its_person() {
    let mut hall = Hall::open().await;
    let mut admin = first_admin(&hall).await;
    let mut ada = Browser::of(&hall);
    ada.sign_in_locally_well("ada@exam.test").await;
    assert_eq!(view(&mut ada).await, json!({ "view": null }));
    save(&mut ada, &json!({ "theme": "dark" })).await;
    // The whole view is replaced: the last write holds.
    save(&mut ada, &json!({ "size": 1.25, "tools": ["line", "clock"], "words": "Ünï 王" })).await;
    let kept = json!({ "view": { "size": 1.25, "tools": ["line", "clock"], "words": "Ünï 王" } });
    let mut tablet = Browser::of(&hall);
    tablet.sign_in_locally_well("Ada@Exam.test").await;
    assert_eq!((view(&mut ada).await, view(&mut tablet).await), (kept.clone(), kept.clone()));
    assert_eq!(view(&mut admin).await, json!({ "view": null }), "of somebody else");
    hall.restart().await;
    let token = token::create(hall.settings(), "ada@exam.test", "student").await;
    assert_eq!(hall.bearer(&token).get(VIEW).await.json(), kept, "with an API token, after a restart");
    let request = hall.bearer(&token).request(Method::PUT, VIEW);
    assert_eq!(Answer::to(request.json(&json!({ "view": {} }))).await.json(), json!({ "view": {} }));
}

#[tokio::test]
async fn a_view_comes_back_as_it_was_written() {
    let hall = Hall::open().await;
    let token = token::create(hall.settings(), "ada@exam.test", "student").await;
    let ada = hall.bearer(&token);
    let written = r#"{ "z":1.50, "a":1e2, "z2":"\u00e9" }"#;
    let request = ada.request(Method::PUT, VIEW).body(format!("{{\"more\":1,\"view\":{written}}}"));
    assert_eq!(Answer::to(request).await.status, 200);
    assert_eq!(ada.get(VIEW).await.text(), format!("{{\"view\":{written}}}"));
}

#[tokio::test]
async fn what_is_no_view_is_refused_and_changes_nothing() {
    let hall = Hall::open().await;
    let mut ada = Browser::of(&hall);
    ada.sign_in_locally_well("ada@exam.test").await;
    save(&mut ada, &json!({ "theme": "dark" })).await;
    let long = |bytes: usize| json!({ "a": "x".repeat(bytes - r#"{"a":""}"#.len()) });
    let mut deep = json!({});
    for _ in 0..40 {
        deep = json!({ "a": deep });
    }
    for view in [json!(null), json!([]), json!("dark"), json!(7), json!({ "a": "nul\0" }), deep, long(4 * 1_024 + 1)] {
        let answer = ada.fetch(Method::PUT, VIEW, Some(&json!({ "view": view }))).await;
        answer.assert_error(400, "Invalid view");
    }
    ada.fetch(Method::PUT, VIEW, Some(&json!({}))).await.assert_error(400, "Invalid view");
    ada.fetch(Method::PUT, VIEW, Some(&json!([{}]))).await.assert_error(400, "Invalid body");
    ada.fetch(Method::PUT, VIEW, Some(&json!({ "view": long(9 * 1_024) }))).await.assert_some_error(413);
    assert_eq!(view(&mut ada).await, json!({ "view": { "theme": "dark" } }));
    save(&mut ada, &long(4 * 1_024)).await;
}

#[tokio::test]
async fn whoever_is_signed_out_has_no_view() {
    let hall = Hall::open().await;
    let anonymous = hall.anonymous();
    anonymous.get(VIEW).await.assert_error(401, "Unauthorized");
    let request = anonymous.request(Method::PUT, VIEW).json(&json!({ "view": {} }));
    Answer::to(request).await.assert_error(401, "Unauthorized");
}

#[tokio::test]
async fn a_removed_user_leaves_no_view() {
    let hall = Hall::open().await;
    let mut admin = first_admin(&hall).await;
    let mut ada = Browser::of(&hall);
    ada.sign_in_locally_well("ada@exam.test").await;
    save(&mut ada, &json!({ "theme": "dark" })).await;
    save(&mut admin, &json!({ "theme": "light" })).await;
    assert_eq!(admin.fetch(Method::DELETE, &user_path("ada@exam.test"), None).await.status, 200);
    let mut again = Browser::of(&hall);
    again.sign_in_locally_well("ada@exam.test").await;
    assert_eq!(view(&mut again).await, json!({ "view": null }));
    assert_eq!(view(&mut admin).await, json!({ "view": { "theme": "light" } }));
}
