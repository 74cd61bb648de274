//! Lists that are put together by hand.

use reqwest::Method;
use serde_json::{Value, json};

use super::{adaptive, create, lists, path_of, read, standard, swap, update, with};
use crate::hall::{Answer, Caller, Hall, time_of};

const WRONG: &str = "Invalid questionIds";

async fn put(admin: &Caller, template: &Value, body: Value) -> Answer {
    Answer::to(admin.request(Method::PUT, &format!("{}/questions", path_of(template))).json(&body)).await
}

fn list_of(bucket: &Value, ids: impl Into<Value>) -> Value {
    json!({ "bucket": bucket, "questionIds": ids.into() })
}

#[tokio::test]
async fn a_list_is_what_was_chosen_in_that_order() {
    let hall = Hall::open().await;
    let (admin, bank) = (hall.signed_in("admin").await, hall.bank(5).await);
    let template = create(&admin, standard()).await;
    let chosen: Vec<String> = bank.ids().into_iter().rev().step_by(5).collect();
    assert_eq!(chosen.len(), 24);
    let answer = put(&admin, &template, list_of(&json!({ "kind": "standard" }), chosen.clone())).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let changed = answer.json()["template"].clone();
    assert_eq!(lists(&changed)["standard"], chosen);
    assert_eq!(answer.json().as_object().unwrap().len(), 1);
    assert!(time_of(&changed["updatedAt"]) > time_of(&template["updatedAt"]));
    assert_eq!(read(&admin, &template).await, changed);
    // What is pinned and no longer there is not pinned any more, and what is locked is not retired.
    update(&admin, &template, json!({ "pinned": [chosen[3], chosen[7]] })).await;
    let fewer = list_of(&json!({ "kind": "standard" }), vec![chosen[7].clone(), chosen[0].clone()]);
    let changed = put(&admin, &template, fewer).await.json()["template"].clone();
    assert_eq!(changed["pinned"], json!([chosen[7]]));
    let retire =
        async |id: &str| Answer::to(admin.request(Method::DELETE, &format!("/api/admin/questions/{id}"))).await.status;
    assert_eq!((retire(chosen[0].as_str()).await, retire(chosen[3].as_str()).await), (409, 200));
    // It is on record.
    let record = admin.get("/api/admin/audit?action=template.arranged").await.json();
    assert_eq!(record["entries"].as_array().unwrap().len(), 2, "{record}");
}

#[tokio::test]
async fn a_list_is_refused_for_what_it_may_not_have() {
    let hall = Hall::open().await;
    let (admin, bank) = (hall.signed_in("admin").await, hall.bank(5).await);
    let (one, two) = (create(&admin, standard()).await, create(&admin, adaptive()).await);
    let ids = bank.ids();
    let (first, best) = (lists(&two)["session1"].clone(), lists(&two)["90-100"].clone());
    let standard = json!({ "kind": "standard" });
    let locked = lists(&one)["standard"].clone();
    let retired = ids[2..].iter().find(|id| !locked.contains(id)).unwrap();
    let gone = Answer::to(admin.request(Method::DELETE, &format!("/api/admin/questions/{retired}"))).await;
    assert_eq!(gone.status, 200, "{}", gone.text());
    for wrong in [
        json!([]),
        json!([ids[0], ids[1], ids[0]]),
        json!([ids[0], "nothing"]),
        json!([ids[0], retired]),
        json!([ids[0], "g6-001"]),
        json!([ids[0], 7]),
        json!(ids[0]),
        json!(null),
        json!(vec![ids[0].clone(); 201]),
    ] {
        put(&admin, &one, list_of(&standard, wrong)).await.assert_error(400, WRONG);
    }
    put(&admin, &one, json!({ "bucket": standard })).await.assert_error(400, WRONG);
    put(&admin, &one, json!({ "questionIds": [ids[0]] })).await.assert_error(400, "Invalid bucket");
    for (template, bucket, list, message) in [
        (&one, json!({ "kind": "session1" }), json!([ids[0]]), "Invalid bucket"),
        (&two, standard.clone(), json!(first), "Invalid bucket"),
        (&two, json!({ "kind": "session2" }), json!(best), "Invalid band"),
        // No student gets a question of both stages.
        (&two, json!({ "kind": "session2", "band": "90-100" }), json!([first[0]]), WRONG),
        (&two, json!({ "kind": "session1" }), json!([best[0]]), WRONG),
    ] {
        put(&admin, template, list_of(&bucket, list)).await.assert_error(400, message);
    }
    assert_eq!((read(&admin, &one).await, read(&admin, &two).await), (one, two.clone()), "nothing of it is stored");
    // Two bands may have the same.
    let shared = list_of(&json!({ "kind": "session2", "band": "80-90" }), best.clone());
    let changed = put(&admin, &two, shared).await.json()["template"].clone();
    assert_eq!((&lists(&changed)["80-90"], &lists(&changed)["90-100"]), (&best, &best));
}

#[tokio::test]
async fn what_was_put_together_by_hand_is_sat_and_swapped_as_any_other_list() {
    let hall = Hall::open().await;
    let (admin, bank) = (hall.signed_in("admin").await, hall.bank(5).await);
    // The template itself would draw other questions.
    let config = with(standard(), json!({ "standardTargets": null, "topicTargets": { "Decimals": 10 } }));
    let template = create(&admin, config).await;
    let of_fractions = bank.ids().into_iter().filter(|id| bank.question(id)["topic"] == "Fractions");
    let chosen: Vec<String> = of_fractions.step_by(2).collect();
    let answer = put(&admin, &template, list_of(&json!({ "kind": "standard" }), chosen.clone())).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let candidate = hall.sit(json!({ "templateId": template["id"], "annotations": {} })).await;
    assert_eq!(candidate.paper, chosen);
    let body = json!({ "bucket": { "kind": "standard" }, "questionId": chosen[0] });
    let replacement = swap(&admin, &template, body).await.json()["replacement"].clone();
    assert_eq!(replacement["topic"], "Fractions", "the topic of the one that goes");
    assert_eq!(replacement["difficulty"], bank.difficulty(&chosen[0]));
}
