//! News of the time of those at work: by each way in which an end can move, on both roads.

use reqwest::Method;
use serde_json::{Value, json};

use super::{School, candidate_path, path, send};
use crate::hall::{Candidate, time_of};

/// How much later the second deadline is than the first, in whole minutes: the test itself takes seconds.
fn minutes_later(before: &Value, after: &Value) -> i64 {
    let seconds = (time_of(&after["deadline"]) - time_of(&before["deadline"])).num_seconds();
    (seconds + 30).div_euclid(60)
}

/// Ada at work, and the sitting.
async fn at_work(changes: Value) -> (School, Value, Candidate) {
    let school = School::open().await;
    let sitting = school.sitting(5, changes).await;
    school.enrol(&sitting, json!([{ "email": "ada@exam.test", "name": "Ada" }])).await;
    let mut ada = school.enter_all(&sitting).await.remove(0);
    school.advance(6);
    ada.begin().await;
    (school, sitting, ada)
}

/// The next change of the time that the socket is told of, after this version.
async fn news(ada: &mut Candidate, after: &Value) -> Value {
    loop {
        let frame = ada.socket().until("time").await;
        if frame["timeVersion"].as_i64() > after.as_i64() {
            return frame;
        }
    }
}

#[tokio::test]
async fn each_way_in_which_an_end_moves_is_told_with_its_version_and_what_has_moved() {
    let (school, sitting, mut ada) = at_work(json!({})).await;
    let candidate = school.candidate(&sitting, "Ada").await;
    let (own, whole) = (candidate_path(&sitting, &candidate), path(&sitting));
    let register = "/api/admin/accommodations/ada%40exam.test?apply=all".to_owned();
    let mut before = ada.socket().sync().await;
    for (method, path, body, reason, minutes) in [
        (Method::PATCH, &own, json!({ "extraMinutes": 10 }), "minutes", 10),
        (Method::PATCH, &own, json!({ "factor": 200 }), "minutes", 45),
        (Method::PATCH, &own, json!({ "factor": null, "extraMinutes": null }), "minutes", -55),
        (Method::PATCH, &own, json!({ "endsAt": school.at(20) }), "end", -24),
        (Method::PATCH, &own, json!({ "endsAt": null }), "end", 24),
        (Method::PATCH, &whole, json!({ "endsAt": school.at(34) }), "minutes", -10),
        (Method::PUT, &register, json!({ "factor": 200 }), "minutes", 45),
    ] {
        let answer = send(&school.admin, method, path, &body).await;
        assert_eq!(answer.status, 200, "{body}: {}", answer.text());
        let told = news(&mut ada, &before["timeVersion"]).await;
        assert_eq!((&told["reason"], &told["state"], &told["pausedMs"]), (&json!(reason), &json!("active"), &json!(0)));
        assert_eq!(minutes_later(&before, &told), minutes, "{body}: {told}");
        let asked = ada.socket().sync().await;
        assert_eq!((&asked["timeVersion"], &asked["deadline"]), (&told["timeVersion"], &told["deadline"]));
        let state = ada.state().await;
        assert_eq!((&state["timeVersion"], &state["deadline"]), (&told["timeVersion"], &told["deadline"]));
        before = told;
    }
}

#[tokio::test]
async fn a_request_waits_for_the_next_change_of_the_time() {
    let (school, sitting, ada) = at_work(json!({})).await;
    let own = candidate_path(&sitting, &school.candidate(&sitting, "Ada").await);
    let at = format!("/api/live/{}?wait=time", ada.session_id);
    ada.caller().get(&at).await.assert_some_error(400);
    let known = ada.state().await;
    let (caller, at) = (ada.caller(), format!("{at}&timeVersion={}", known["timeVersion"]));
    let waiting = tokio::spawn(async move { caller.get(&at).await.json() });
    let answer = send(&school.admin, Method::PATCH, &own, &json!({ "extraMinutes": 10 })).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let told = waiting.await.unwrap();
    assert!(told["timeVersion"].as_i64() > known["timeVersion"].as_i64(), "{told}");
    assert_eq!(minutes_later(&known, &told), 10);
    let old = format!("/api/live/{}?wait=time&timeVersion={}", ada.session_id, known["timeVersion"]);
    assert_eq!(ada.caller().get(&old).await.json()["timeVersion"], told["timeVersion"], "what is news does not wait");
}
