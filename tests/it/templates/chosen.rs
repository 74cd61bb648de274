//! What templates choose by topics, reviews, sources and pins, as it is stored and drawn.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::Method;
use serde_json::{Value, json};

use super::{PATH, adaptive, create, edit, generate, lists, path_of, read, standard, swap, update, with};
use crate::hall::{Answer, Bank, Caller, Hall};

const DECIMALS: &str = "Decimals";
const FRACTIONS: &str = "Fractions";

/// How many of these questions each topic has.
fn topics(bank: &Bank, ids: &[String]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for id in ids {
        *counts.entry(bank.question(id)["topic"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    counts
}

async fn review(admin: &Caller, id: &str, status: &str) {
    let body = json!({ "questionId": id, "grade": 5, "status": status, "note": "" });
    assert_eq!(admin.post_json("/api/review/submit", &body).await.status, 200);
}

async fn retire(admin: &Caller, id: &str) -> Answer {
    Answer::to(admin.request(Method::DELETE, &format!("/api/admin/questions/{id}"))).await
}

fn of_difficulty(bank: &Bank, difficulty: u64) -> Vec<String> {
    bank.ids().into_iter().filter(|id| bank.difficulty(id) == difficulty).collect()
}

fn set(ids: &[String]) -> BTreeSet<String> {
    ids.iter().cloned().collect()
}

#[tokio::test]
async fn topics_get_their_counts() {
    let hall = Hall::open().await;
    let (admin, bank) = (hall.signed_in("admin").await, hall.bank(5).await);
    let wanted = json!({ DECIMALS: 4, FRACTIONS: 6 });
    let template = create(&admin, with(standard(), json!({ "standardTargets": null, "topicTargets": wanted }))).await;
    assert_eq!(read(&admin, &template).await, template, "as it is stored");
    for template in [template.clone(), generate(&admin, &template).await["template"].clone()] {
        let list = lists(&template)["standard"].clone();
        assert_eq!(json!(topics(&bank, &list)), wanted);
        // Decimals have none of 2 and 5, and fractions none of 1: of each there are two all the same.
        assert_eq!(bank.mix(&list), [2; 5]);
    }
    let has = topics(&bank, &bank.ids())[DECIMALS];
    let too_many =
        json!({ "standardTargets": null, "topicTargets": { DECIMALS: has + 2, "Nothing": 3, FRACTIONS: 1 } });
    let body = admin.post_json(PATH, &with(standard(), too_many)).await.json();
    assert_eq!(body["shortfalls"], json!({ "topics": { DECIMALS: 2, "Nothing": 3 } }));
    assert_eq!(lists(&body["template"])["standard"].len(), has + 1);
}

#[tokio::test]
async fn topics_and_difficulties_hold_together() {
    let hall = Hall::open().await;
    let (admin, bank) = (hall.signed_in("admin").await, hall.bank(5).await);
    // There is one way alone: all easy ones are decimals, and all of 2 and 5 fractions.
    let wanted = json!({ DECIMALS: 5, FRACTIONS: 5 });
    let template = create(&admin, with(standard(), json!({ "topicTargets": wanted }))).await;
    let list = lists(&template)["standard"].clone();
    assert_eq!((json!(topics(&bank, &list)), bank.mix(&list)), (wanted, [1, 2, 2, 2, 3]));
    // A swap keeps both.
    let question_id = list.iter().find(|id| bank.difficulty(id) == 3).unwrap();
    let bucket = json!({ "kind": "standard" });
    let at = format!("{}/swap?bucket=standard&questionId={question_id}", path_of(&template));
    let candidates = admin.get(&at).await.json()["candidates"].as_array().unwrap().clone();
    assert!(!candidates.is_empty());
    assert!(candidates.iter().all(|question| question["topic"] == DECIMALS && question["difficulty"] == 3));
    let other = bank.ids().into_iter().find(|id| bank.question(id)["topic"] == FRACTIONS && bank.difficulty(id) == 3);
    let named = json!({ "bucket": bucket, "questionId": question_id, "replacementId": other });
    let refused = swap(&admin, &template, named).await;
    refused.assert_error(400, "Replacement must match the same difficulty");
    // What can't hold together is told from both sides.
    let wanted = json!({ "standardTargets": { "5": 10 }, "topicTargets": { DECIMALS: 4, FRACTIONS: 6 } });
    let body = admin.post_json(PATH, &with(standard(), wanted)).await.json();
    assert_eq!(body["shortfalls"], json!({ "standard": { "5": 4 }, "topics": { DECIMALS: 4 } }));
}

#[tokio::test]
async fn only_approved_questions_are_drawn() {
    let hall = Hall::open().await;
    let (admin, bank) = (hall.signed_in("admin").await, hall.bank(5).await);
    let hard = of_difficulty(&bank, 5);
    for id in &hard[..3] {
        review(&admin, id, "approved").await;
    }
    review(&admin, &hard[3], "flagged").await;
    review(&admin, &hard[4], "pending").await;
    let config = with(standard(), json!({ "standardTargets": { "5": 4 }, "approvedOnly": true }));
    let body = admin.post_json(PATH, &config).await.json();
    let template = body["template"].clone();
    assert_eq!(body["shortfalls"], json!({ "standard": { "5": 1 } }));
    assert_eq!(set(&lists(&template)["standard"]), set(&hard[..3]));
    let swapped = json!({ "bucket": { "kind": "standard" }, "questionId": hard[0] });
    let refused = swap(&admin, &template, swapped.clone()).await;
    refused.assert_error(409, "No eligible replacement available at this difficulty");
    // As it is when somebody draws or swaps.
    review(&admin, &hard[5], "approved").await;
    assert_eq!(swap(&admin, &template, swapped).await.json()["replacement"]["id"], json!(hard[5]));
    review(&admin, &hard[1], "flagged").await;
    let body = generate(&admin, &template).await;
    let left = [hard[0].clone(), hard[2].clone(), hard[5].clone()];
    assert_eq!(set(&lists(&body["template"])["standard"]), set(&left));
    update(&admin, &template, json!({ "approvedOnly": false })).await;
    assert_eq!(generate(&admin, &template).await["shortfalls"], json!({}));
}

#[tokio::test]
async fn only_the_sources_that_are_chosen_are_drawn() {
    let hall = Hall::open().await;
    let (admin, bank) = (hall.signed_in("admin").await, hall.bank(5).await);
    let hard = of_difficulty(&bank, 5);
    for (id, source) in hard.iter().zip(["Olympiad", "Olympiad, 2026", "Đề thi"]) {
        edit(&hall, id, |question| question.source = source.to_owned()).await;
    }
    let chosen = json!({ "standardTargets": { "5": 3 }, "sources": ["Olympiad", "Đề thi"] });
    let body = admin.post_json(PATH, &with(standard(), chosen)).await.json();
    assert_eq!(body["shortfalls"], json!({ "standard": { "5": 1 } }));
    let template = body["template"].clone();
    assert_eq!(set(&lists(&template)["standard"]), set(&[hard[0].clone(), hard[2].clone()]));
    // Both at once: of that source, and approved.
    review(&admin, &hard[2], "approved").await;
    update(&admin, &template, json!({ "approvedOnly": true })).await;
    let drawn = generate(&admin, &template).await;
    assert_eq!(lists(&drawn["template"])["standard"], [hard[2].clone()]);
    update(&admin, &template, json!({ "approvedOnly": null, "sources": [] })).await;
    assert_eq!(generate(&admin, &template).await["shortfalls"], json!({}));
}

#[tokio::test]
async fn pins_stay_whatever_is_drawn() {
    let hall = Hall::open().await;
    let (admin, bank) = (hall.signed_in("admin").await, hall.bank(5).await);
    let (hard, easy) = (of_difficulty(&bank, 5), of_difficulty(&bank, 1));
    let pinned = json!([hard[0], hard[1], easy[0]]);
    let config = with(standard(), json!({ "pinned": pinned, "order": "easy-first" }));
    let mut template = create(&admin, config).await;
    for _ in 0..4 {
        let list = lists(&template)["standard"].clone();
        assert_eq!(bank.mix(&list), [1, 2, 2, 2, 3], "they count");
        assert!([&hard[0], &hard[1], &easy[0]].into_iter().all(|id| list.contains(id)), "{list:?}");
        assert!(list.iter().map(|id| bank.difficulty(id)).is_sorted(), "{list:?}");
        assert_eq!(template["pinned"], pinned);
        template = generate(&admin, &template).await["template"].clone();
    }
    // Other pins are of questions that are in the list, and nothing is drawn.
    let list = lists(&template)["standard"].clone();
    let changed = update(&admin, &template, json!({ "pinned": [list[4], list[4], list[9]] })).await.json();
    assert_eq!(changed["template"]["pinned"], json!([list[4], list[9]]));
    assert_eq!(lists(&changed["template"])["standard"], list);
    let absent = bank.ids().into_iter().find(|id| !list.contains(id)).unwrap();
    update(&admin, &template, json!({ "pinned": [absent] })).await.assert_error(400, "Invalid pinned");
    // A swap takes its pin along.
    let swapped = swap(&admin, &template, json!({ "bucket": { "kind": "standard" }, "questionId": list[4] })).await;
    assert_eq!(swapped.json()["template"]["pinned"], json!([list[9]]));
    let foreign = with(standard(), json!({ "pinned": ["g6-001"] }));
    admin.post_json(PATH, &foreign).await.assert_error(400, "Invalid pinned");
}

#[tokio::test]
async fn a_pinned_question_is_not_retired() {
    let hall = Hall::open().await;
    let (admin, bank) = (hall.signed_in("admin").await, hall.bank(5).await);
    let id = of_difficulty(&bank, 5)[0].clone();
    let template = create(&admin, with(standard(), json!({ "pinned": [id] }))).await;
    let refused = retire(&admin, &id).await;
    assert_eq!((refused.status, &refused.json()["templates"]), (409, &json!(["Midterm"])));
    // Of another kind the template has other lists, and keeps the pin until they are drawn.
    let changed = update(&admin, &template, with(adaptive(), json!({ "grades": [5] }))).await;
    assert_eq!((changed.status, &changed.json()["template"]["pinned"]), (200, &json!([id])), "{}", changed.text());
    assert!(lists(&changed.json()["template"]).values().all(Vec::is_empty));
    let refused = retire(&admin, &id).await;
    assert_eq!((refused.status, &refused.json()["templates"]), (409, &json!(["Placement"])));
    let drawn = generate(&admin, &template).await["template"].clone();
    assert!(lists(&drawn)["session1"].contains(&id) && drawn["pinned"] == json!([id]));
    let back = update(&admin, &template, json!({ "mode": "standard", "pinned": null })).await;
    assert_eq!(back.status, 200, "{}", back.text());
    assert_eq!(retire(&admin, &id).await.status, 200);
    let gone = with(standard(), json!({ "pinned": [id] }));
    admin.post_json(PATH, &gone).await.assert_error(400, "Invalid pinned");
}

#[tokio::test]
async fn a_pin_that_its_grades_no_longer_have_is_forgotten_by_the_next_draw() {
    let hall = Hall::open().await;
    let (admin, bank) = (hall.signed_in("admin").await, hall.bank(5).await);
    let id = of_difficulty(&bank, 5)[0].clone();
    let template = create(&admin, with(standard(), json!({ "pinned": [id] }))).await;
    let moved = update(&admin, &template, json!({ "grades": [6] })).await.json()["template"].clone();
    assert_eq!(moved["pinned"], json!([id]), "nothing is drawn");
    let body = generate(&admin, &template).await;
    assert_eq!((&body["template"]["pinned"], &body["shortfalls"]), (&Value::Null, &json!({})));
    assert!(lists(&body["template"])["standard"].iter().all(|id| id.starts_with("g6-")));
}
