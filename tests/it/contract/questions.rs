//! Banks and single questions.

use reqwest::Method;
use serde_json::{Value, json};

use super::{KEY, Service, with, without};
use crate::hall::Answer;

#[tokio::test]
async fn a_bank_is_given_with_its_edits() {
    let service = Service::open().await;
    let bank = service.bank(5).await;
    let all = service.hall.anonymous().get("/api/questions?grade=5&types=all").await;
    assert_eq!(json!(bank), all.json(), "numbers too");
    let edited = with(&bank[0], "explanation", json!("Another one."));
    service.put("/questions/override", &edited).await.assert_done();
    assert_eq!(service.bank(5).await[0], edited);
    assert_eq!(service.hall.bank(5).await.questions[0], edited, "students are given it at once");
    for grade in ["", "?grade=", "?grade=0", "?grade=11", "?grade=five", "?grade=5.0"] {
        service.get(&format!("/questions{grade}")).await.assert_error(400, "Invalid grade");
    }
    service.get("/questions?grade=5&grade=6").await.assert_some_error(400);
}

#[tokio::test]
async fn a_bank_that_is_known_is_not_sent_again() {
    let service = Service::open().await;
    let first = service.get("/questions?grade=5").await;
    let tag = first.header("etag").to_owned();
    assert!(first.header("cache-control").contains("no-cache") && tag.len() > 20, "{:?}", first.headers);
    let again = async |tag: &str| {
        let request = service.hall.anonymous().request(Method::GET, "/v1/questions?grade=5").header("x-api-key", KEY);
        Answer::to(request.header("if-none-match", tag)).await
    };
    let known = again(&tag).await;
    assert_eq!((known.status, known.body.len(), known.header("etag")), (304, 0, tag.as_str()));
    assert_eq!(again(&format!("\"other\", W/{tag}")).await.status, 304);
    assert_eq!(again("\"other\"").await.status, 200);
    service.put("/questions/override", &with(&service.bank(5).await[0], "topic", json!("Changed"))).await.assert_done();
    let changed = again(&tag).await;
    assert!(changed.status == 200 && changed.header("etag") != tag);
}

#[tokio::test]
async fn an_override_adds_replaces_and_moves() {
    let service = Service::open().await;
    let new = with(&service.bank(5).await[0], "id", json!("made elsewhere/1"));
    service.put("/questions/override", &new).await.assert_done();
    service.put("/questions/override", &new).await.assert_done();
    assert_eq!(service.bank(5).await.len(), 141);
    let moved = with(&new, "grade", json!(6));
    service.put("/questions/override", &moved).await.assert_done();
    assert_eq!((service.bank(5).await.len(), service.bank(6).await.len()), (140, 141));
    assert_eq!((service.hall.bank(5).await.questions.len(), service.hall.bank(6).await.questions.len()), (120, 121));
    assert!(service.bank(6).await.contains(&moved));
}

#[tokio::test]
async fn a_question_that_cannot_be_is_refused_by_its_field() {
    let service = Service::open().await;
    let good = service.bank(5).await[0].clone();
    let long = "x".repeat(32_768);
    let wrong: Vec<(&str, Value)> = vec![
        ("id", json!("")),
        ("id", json!(7)),
        ("id", json!("a\u{7}")),
        ("id", json!("x".repeat(101))),
        ("grade", json!(0)),
        ("grade", json!("5")),
        ("grade", json!(5.5)),
        ("difficulty", json!(6)),
        ("difficulty", Value::Null),
        ("options", json!(["1"])),
        ("options", json!(["1", "2", "3", "4", "5"])),
        ("options", json!(["1", ""])),
        ("options", json!("12")),
        ("answer", json!("E")),
        ("question", json!(" ")),
        ("question", json!("a\u{0}b")),
        ("question", json!(long)),
        ("explanation", json!(long)),
        ("topic", json!(["T"])),
        ("image", json!("a\u{1b}")),
        ("image", json!("http://exam.example/a.png")),
        ("imageDescription", json!("a\u{1b}")),
    ];
    for (field, value) in wrong {
        service
            .put("/questions/override", &with(&good, field, value.clone()))
            .await
            .assert_error(400, &format!("Invalid {field}"));
    }
    for field in ["id", "grade", "difficulty", "question", "options", "answer"] {
        service.put("/questions/override", &without(&good, field)).await.assert_error(400, &format!("Invalid {field}"));
    }
    service
        .put("/questions/override", &with(&with(&good, "options", json!(["1", "2"])), "answer", json!("C")))
        .await
        .assert_error(400, "Invalid answer");
    assert_eq!(service.bank(5).await[0], good);
}

#[tokio::test]
async fn a_bank_says_which_keys_are_kept() {
    let service = Service::open().await;
    let admin = service.hall.signed_in("admin").await;
    let ids: Vec<Value> = service.bank(5).await[..2].iter().map(|question| question["id"].clone()).collect();
    for (place, practice) in [(0, json!(false)), (1, json!(true))] {
        let body = json!({ "ids": [ids[place]], "practice": practice });
        assert_eq!(admin.post_json("/api/admin/questions/marks", &body).await.status, 200);
    }
    let said = service.entries(5).await[..3].iter().map(|entry| entry["practice"].clone()).collect::<Vec<_>>();
    assert_eq!(json!(said), json!([false, true, null]));
    // A row with its id alone marks it, and changes nothing else.
    let before = service.bank(5).await;
    let rows = json!({ "rows": [{ "id": ids[0], "practice": true }] });
    let imported = service.post("/questions/import", &rows).await;
    assert_eq!((imported.status, &imported.json()["errors"]), (200, &json!([])), "{}", imported.text());
    assert_eq!(service.bank(5).await, before);
    assert_eq!(service.entries(5).await[0]["practice"], true);
}
