//! What a test has when it begins it keeps: neither its template nor its questions nor its server can change that.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{
    adaptive, create, delete, edit, generate, lists, public_path, standard, started_ids, turn_key, update, with,
};
use crate::hall::{Bank, Candidate, Hall, answer, assert_result, eventually};

fn start(template: &Value) -> Value {
    json!({ "templateId": template["id"], "annotations": {} })
}

async fn answer_rightly(candidate: &mut Candidate, bank: &Bank) -> BTreeMap<String, String> {
    let mut choices = BTreeMap::new();
    for id in candidate.paper.clone() {
        candidate.send(answer(&id, bank.key(&id))).await;
        choices.insert(id.clone(), bank.key(&id).to_owned());
    }
    candidate.settle().await;
    choices
}

#[tokio::test]
async fn the_second_list_is_that_of_the_start() {
    let mut hall = Hall::open().await;
    let (token, bank) = (hall.token("admin").await, hall.bank(8).await);
    let template = create(&hall.bearer(&token), adaptive()).await;
    let before = lists(&template);
    let mut candidates =
        vec![hall.sit(start(&template)).await, hall.sit(start(&template)).await, hall.sit(start(&template)).await];
    let mut choices = answer_rightly(&mut candidates[0], &bank).await;
    hall.restart().await;
    let admin = hall.bearer(&token);
    let after = generate(&admin, &template).await["template"].clone();
    assert_ne!(lists(&after)["90-100"], before["90-100"]);
    for candidate in &mut candidates {
        candidate.move_to(&hall.base());
        assert_eq!(started_ids(&candidate.resume().await), before["session1"]);
    }
    let stage = candidates[0].next().await;
    assert_eq!((&stage["band"], started_ids(&stage)), (&json!("90-100"), before["90-100"].clone()));
    choices.extend(answer_rightly(&mut candidates[0], &bank).await);
    let submitted = candidates[0].submit().await;
    assert_result(
        &submitted["result"],
        &bank,
        &[before["session1"].clone(), before["90-100"].clone()].concat(),
        &choices,
    );
    assert_eq!(submitted["result"]["score"], 800);
    // Without its template it goes on as well, by either road.
    assert_eq!(delete(&admin, &template).await.status, 200);
    let next = candidates[1].act(json!({ "type": "next" }));
    assert_eq!(started_ids(&candidates[1].post(&[next]).await["replies"][0]), before["below-60"]);
    let early = candidates[2].submit().await;
    assert_result(
        &early["result"],
        &bank,
        &[before["session1"].clone(), before["below-60"].clone()].concat(),
        &BTreeMap::new(),
    );
}

#[tokio::test]
async fn a_stage_that_has_begun_survives_a_restart() {
    let mut hall = Hall::open().await;
    let bank = hall.bank(8).await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, adaptive()).await;
    let mut candidate = hall.sit(start(&template)).await;
    answer_rightly(&mut candidate, &bank).await;
    candidate.next().await;
    delete(&admin, &template).await;
    hall.restart().await;
    candidate.move_to(&hall.base());
    let resumed = candidate.resume().await;
    assert_eq!((&resumed["stage"], &resumed["band"]), (&json!(2), &json!("90-100")));
    assert_eq!(started_ids(&resumed), lists(&template)["90-100"]);
    let again = candidate.act(json!({ "type": "next" }));
    assert_eq!(started_ids(&candidate.post(&[again]).await["replies"][0]), lists(&template)["90-100"]);
    candidate.submit().await;
}

#[tokio::test]
async fn a_key_that_changes_meanwhile_grades_only_later_tests() {
    let hall = Hall::open().await;
    let bank = hall.bank(8).await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, adaptive()).await;
    let (first, second) = (lists(&template)["session1"].clone(), lists(&template)["90-100"].clone());
    let mut candidate = hall.sit(start(&template)).await;
    let shown = hall.anonymous().get(&public_path(&template)).await;
    for id in [&first[0], &second[0]] {
        edit(&hall, id, turn_key).await;
    }
    let changed = eventually("the changed keys are known", async || {
        let answer = hall.anonymous().get(&public_path(&template)).await;
        let is_new = |list: &Value, old: &Value| list[0]["answer"] != old[0]["answer"];
        let (new, old) = (answer.json(), shown.json());
        let both = is_new(&new["session1Questions"], &old["session1Questions"])
            && is_new(&new["session2QuestionsByBand"]["90-100"], &old["session2QuestionsByBand"]["90-100"]);
        both.then_some(answer)
    })
    .await;
    let mut choices = answer_rightly(&mut candidate, &bank).await;
    candidate.next().await;
    assert_eq!(candidate.paper, second);
    choices.extend(answer_rightly(&mut candidate, &bank).await);
    let submitted = candidate.submit().await;
    assert_result(&submitted["result"], &bank, &[first.clone(), second.clone()].concat(), &choices);
    assert_eq!(submitted["result"]["score"], 800, "graded by the keys of its start");
    // Whoever starts now is graded by the new key.
    let new_bank = Bank::new(changed.json()["session1Questions"].as_array().unwrap().clone());
    let mut later = hall.sit(start(&template)).await;
    let id = &first[0];
    assert_ne!(new_bank.key(id), bank.key(id));
    later.answer(id, new_bank.key(id)).await;
    let result = later.submit().await["result"].clone();
    assert_eq!((&result["answers"][0]["questionId"], &result["answers"][0]["isCorrect"]), (&json!(id), &json!(true)));
}

#[tokio::test]
async fn a_config_that_changes_meanwhile_is_for_later_tests() {
    let mut hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, with(standard(), json!({ "calculator": "basic" }))).await;
    let mut candidate = hall.sit(start(&template)).await;
    assert_eq!(candidate.started["calculator"], "basic");
    update(&admin, &template, json!({ "durationMinutes": 20, "grades": [6, 5], "calculator": "scientific" })).await;
    let state = candidate.state().await;
    assert_eq!(
        (&state["deadline"], &state["durationMinutes"], &state["grade"]),
        (&candidate.started["deadline"], &json!(45), &json!(5))
    );
    assert_eq!(state["calculator"], "basic");
    let later = hall.sit(start(&template)).await;
    assert_eq!(later.started["calculator"], "scientific");
    assert_eq!((&later.started["durationMinutes"], &later.started["grade"]), (&json!(20), &json!(6)));
    assert_eq!(later.paper, candidate.paper, "the list stays");
    update(&admin, &template, json!({ "calculator": "none" })).await;
    assert_eq!(hall.sit(start(&template)).await.started.get("calculator"), None);
    // A server that knows nothing of the test reads it from the database.
    candidate.cut();
    hall.restart().await;
    candidate.move_to(&hall.base());
    assert_eq!(candidate.resume().await["calculator"], "basic");
}
