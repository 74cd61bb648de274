//! Templates while sittings use them.

use reqwest::Method;
use serde_json::{Value, json};

use super::{School, delete, send};
use crate::hall::Answer;

/// Every change of a template.
async fn changes(school: &School, query: &str) -> Vec<Answer> {
    let at = format!("/api/admin/test-templates/{}", school.template);
    let list = school.admin.get(&at).await.json()["template"]["standardQuestions"].clone();
    let swap = json!({ "bucket": { "kind": "standard" }, "questionId": list[0]["id"] });
    let turned: Vec<&Value> = list.as_array().unwrap().iter().rev().map(|question| &question["id"]).collect();
    let turned = json!({ "bucket": { "kind": "standard" }, "questionIds": turned });
    vec![
        send(&school.admin, Method::PUT, &format!("{at}{query}"), &json!({ "name": "Another name" })).await,
        school.admin.post_json(&format!("{at}/swap{query}"), &swap).await,
        send(&school.admin, Method::PUT, &format!("{at}/questions{query}"), &turned).await,
        Answer::to(school.admin.request(Method::POST, &format!("{at}/generate{query}"))).await,
    ]
}

async fn sealed(school: &School, sitting: &Value) -> Vec<u8> {
    let path = format!("/api/sittings/{}/paper/1", sitting["id"].as_str().unwrap());
    school.hall.anonymous().get(&path).await.body
}

#[tokio::test]
async fn open_doors_keep_the_paper_unless_it_is_forced() {
    let school = School::open().await;
    let at = format!("/api/admin/test-templates/{}", school.template);
    let sitting = school.sitting(60, json!({})).await;
    for answer in changes(&school, "").await {
        assert_eq!(answer.status, 200, "the doors are closed: {}", answer.text());
    }
    delete(&school.admin, &at).await.assert_error(409, "Template has sittings");
    school.advance(31);
    for answer in changes(&school, "").await {
        answer.assert_error(409, "Sitting is open");
    }
    // Opened by the first who changes the roster.
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    let (first, version) = (sealed(&school, &sitting).await, school.read(&sitting).await["version"].as_i64().unwrap());
    for answer in changes(&school, "?force=false").await {
        answer.assert_error(409, "Sitting is open");
    }
    assert!(sealed(&school, &sitting).await == first);
    for answer in changes(&school, "?force=true").await {
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    assert!(sealed(&school, &sitting).await != first, "a new paper");
    assert_eq!(school.read(&sitting).await["version"], version + 4);
    let at_once = school.admin.get(&at).await.json()["template"]["standardQuestions"][0]["id"].to_string();
    assert!(!school.hall.anonymous().get("/api/questions?grade=5").await.text().contains(&at_once), "also withheld");
    for answer in changes(&school, "?force=maybe").await {
        answer.assert_error(400, "Invalid force");
    }
    school.advance(30);
    for query in ["", "?force=true"] {
        for answer in changes(&school, query).await {
            answer.assert_error(409, "Sitting has begun");
        }
    }
    assert_eq!(school.release_before_all_have_come(&sitting).await.status, 200);
    for answer in changes(&school, "").await {
        assert_eq!(answer.status, 200, "the sitting is over: {}", answer.text());
    }
    delete(&school.admin, &at).await.assert_error(409, "Template has sittings");
    let draft = school.sitting(600, json!({ "templateId": super::template(&school.admin, 5).await })).await;
    let other = format!("/api/admin/test-templates/{}", draft["templateId"].as_str().unwrap());
    assert_eq!(delete(&school.admin, &super::path(&draft)).await.status, 200);
    assert_eq!(delete(&school.admin, &other).await.status, 200, "no sitting names it any more");
    delete(&school.admin, &other).await.assert_error(404, "Not found");
}

#[tokio::test]
async fn doors_and_changes_agree_on_the_paper() {
    let school = School::open().await;
    for round in 0..6 {
        let sitting = school.sitting(60, json!({ "name": format!("Round {round}") })).await;
        school.advance(31);
        let at = format!("/api/admin/test-templates/{}/generate?force=true", school.template);
        let generate = Answer::to(school.admin.request(Method::POST, &at));
        let roster = format!("{}/candidates", super::path(&sitting));
        let people = json!([{ "email": "ada@exam.test" }]);
        let open = send(&school.admin, Method::PUT, &roster, &people);
        let (generated, opened) = futures_util::future::join(generate, open).await;
        assert_eq!((generated.status, opened.status), (200, 200), "{} {}", generated.text(), opened.text());
        let list = generated.json()["template"]["standardQuestions"].clone();
        let mut ids: Vec<&str> = list.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
        let stored = school.sealed_questions(&sitting).await;
        let mut sealed: Vec<&str> = stored.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
        ids.sort_unstable();
        sealed.sort_unstable();
        assert_eq!(sealed, ids, "the sealed paper is the template's");
        school.advance(40);
        assert_eq!(school.release_before_all_have_come(&sitting).await.status, 200);
    }
}

#[tokio::test]
async fn other_minutes_and_another_calculator_hold_for_those_who_wait() {
    let school = School::open().await;
    let sitting = school.sitting(20, json!({})).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    let ada = school.candidate(&sitting, "Ada").await;
    let mut student = school.enter(&sitting, &ada).await;
    let at = format!("/api/admin/test-templates/{}?force=true", school.template);
    let other = json!({ "mode": "adaptive", "adaptiveTargets": { "session1": { "1": 1 } } });
    for other in [json!({ "grades": [6] }), other] {
        let refused = send(&school.admin, Method::PUT, &at, &other).await;
        assert!(refused.status >= 400, "it would become another kind of test: {}", refused.text());
    }
    send(&school.admin, Method::PUT, &at, &json!({ "grades": [6] })).await.assert_error(409, "Sitting is open");
    assert_eq!(student.started.get("calculator"), None);
    let other = json!({ "durationMinutes": 75, "calculator": "basic" });
    let longer = send(&school.admin, Method::PUT, &at, &other).await;
    assert_eq!(longer.status, 200, "{}", longer.text());
    let waiting = student.socket().until("waiting").await;
    assert_eq!((&waiting["minutes"], &waiting["calculator"]), (&json!(75.0), &json!("basic")));
    school.advance(21);
    student.begin().await;
    assert_eq!(student.resume().await["calculator"], "basic");
    let orders = format!("/api/live/sessions/{}/orders", student.session_id);
    let minutes = async || {
        let resumed = student.state().await;
        let deadline = crate::hall::time_of(&resumed["deadline"]);
        (deadline - crate::hall::time_of(&sitting["startsAt"])).num_minutes()
    };
    assert_eq!(minutes().await, 75);
    school.admin.post_json(&orders, &json!({ "id": "e", "type": "extend", "minutes": 5 })).await;
    crate::hall::eventually("the extension", async || (minutes().await == 80).then_some(())).await;
    let explained = school.explain(&sitting, &ada).await;
    let deadline = crate::hall::time_of(&explained["deadline"]["value"]);
    assert_eq!((deadline - crate::hall::time_of(&sitting["startsAt"])).num_minutes(), 80);
}

#[tokio::test]
async fn candidates_are_told_that_questions_come_in_order() {
    let school = School::open().await;
    let sitting = school.sitting(20, json!({})).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    let ada = school.candidate(&sitting, "Ada").await;
    let mut student = school.enter(&sitting, &ada).await;
    let in_order = |frame: &Value| frame["sealed"][0].get("inOrder").cloned();
    assert_eq!(in_order(&student.started), None, "{}", student.started);
    let at = format!("/api/admin/test-templates/{}?force=true", school.template);
    let changed = send(&school.admin, Method::PUT, &at, &json!({ "inOrder": true })).await;
    assert_eq!(changed.status, 200, "{}", changed.text());
    assert_eq!(in_order(&student.socket().until("waiting").await), Some(json!(true)));
    school.advance(21);
    student.begin().await;
    assert_eq!(in_order(&student.resume().await), Some(json!(true)), "a device that comes later is told too");
}
