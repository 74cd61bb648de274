//! One question in the place of another: the candidates, the named one, any of them, and what is refused.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{
    BANDS, adaptive, assert_no_repeats, banks, create, lists, names, path_of, read, standard, swap, update, with,
};
use crate::hall::{Answer, Bank, Caller, Hall, time_of};

const NO_REPLACEMENT: &str = "No eligible replacement available at this difficulty";
const WRONG_REPLACEMENT: &str = "Replacement must match the same difficulty";

async fn candidates(admin: &Caller, template: &Value, query: &str) -> Answer {
    admin.get(&format!("{}/swap?{query}", path_of(template))).await
}

async fn candidate_ids(admin: &Caller, template: &Value, query: &str) -> Vec<String> {
    let answer = candidates(admin, template, query).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(names(&answer.json()), ["candidates"].into());
    answer.json()["candidates"]
        .as_array()
        .unwrap()
        .iter()
        .map(|question| question["id"].as_str().unwrap().to_owned())
        .collect()
}

/// The first question of a list that has this difficulty.
fn of_difficulty(bank: &Bank, list: &[String], difficulty: u64) -> String {
    list.iter().find(|id| bank.difficulty(id) == difficulty).unwrap().clone()
}

fn query(list: &str, question_id: &str) -> String {
    let bucket = if BANDS.contains(&list) { format!("session2&band={list}") } else { list.to_owned() };
    format!("bucket={bucket}&questionId={question_id}")
}

fn bucket(list: &str) -> Value {
    if BANDS.contains(&list) { json!({ "kind": "session2", "band": list }) } else { json!({ "kind": list }) }
}

#[tokio::test]
async fn candidates_are_twenty_five_of_the_same_difficulty() {
    let hall = Hall::open().await;
    let (admin, bank) = (hall.signed_in("admin").await, hall.bank(5).await);
    let template = create(&admin, standard()).await;
    let list = lists(&template)["standard"].clone();
    let hard = of_difficulty(&bank, &list, 5);
    let answer = candidates(&admin, &template, &query("standard", &hard)).await.json();
    for question in answer["candidates"].as_array().unwrap() {
        assert_eq!(question, bank.question(question["id"].as_str().unwrap()), "whole questions");
    }
    let (mut found, mut at_most) = (BTreeSet::new(), 0);
    for _ in 0..40 {
        let some = candidate_ids(&admin, &template, &query("standard", &hard)).await;
        assert!(some.iter().all(|id| bank.difficulty(id) == 5 && !list.contains(id)), "{some:?}");
        assert_eq!(some.iter().collect::<BTreeSet<_>>().len(), some.len());
        at_most = at_most.max(some.len());
        found.extend(some);
    }
    assert_eq!(at_most, 25);
    let eligible = bank.mix(&bank.ids())[4] - 3;
    assert!(eligible > 25);
    assert_eq!(found.len(), eligible, "each has its turn");
}

#[tokio::test]
async fn no_candidate_is_on_a_paper_of_the_same_student() {
    let hall = Hall::open().await;
    let (admin, bank) = (hall.signed_in("admin").await, hall.bank(8).await);
    // Lists that together leave few questions of each difficulty.
    let each = json!({ "1": 5, "2": 5, "3": 5, "4": 5, "5": 5 });
    let bands = Value::Object(BANDS.iter().map(|band| ((*band).to_owned(), each.clone())).collect());
    let template =
        create(&admin, with(adaptive(), json!({ "session1Targets": each, "session2TargetsByBand": bands }))).await;
    let lists = lists(&template);
    for (name, list) in &lists {
        let question_id = of_difficulty(&bank, list, 2);
        let found: BTreeSet<String> =
            candidate_ids(&admin, &template, &query(name, &question_id)).await.into_iter().collect();
        let seen: BTreeSet<&String> = match name.as_str() {
            "session1" => lists.values().flatten().collect(),
            band => lists["session1"].iter().chain(&lists[band]).collect(),
        };
        let expected: BTreeSet<String> =
            bank.ids().into_iter().filter(|id| bank.difficulty(id) == 2 && !seen.contains(id)).collect();
        assert!(expected.len() <= 25, "so that all are told");
        assert_eq!(found, expected, "{name}");
    }
}

#[tokio::test]
async fn a_swap_changes_one_place() {
    let hall = Hall::open().await;
    let (admin, bank) = (hall.signed_in("admin").await, hall.bank(8).await);
    let template = create(&admin, adaptive()).await;
    let mut before = template.clone();
    for (name, list) in lists(&template) {
        let (place, question_id) = (list.len() - 1, list[list.len() - 1].clone());
        let answer = swap(&admin, &template, json!({ "bucket": bucket(&name), "questionId": question_id })).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let body = answer.json();
        assert_eq!(names(&body), ["replacement", "template"].into());
        let came = body["replacement"]["id"].as_str().unwrap();
        assert_eq!(&body["replacement"], bank.question(came));
        assert_eq!(bank.difficulty(came), bank.difficulty(&question_id));
        let mut expected = lists(&before);
        expected.get_mut(&name).unwrap()[place] = came.to_owned();
        assert_eq!(lists(&body["template"]), expected);
        assert!(time_of(&body["template"]["updatedAt"]) > time_of(&before["updatedAt"]));
        assert_no_repeats(&body["template"]);
        before = body["template"].clone();
    }
    assert_eq!(read(&admin, &template).await, before);
}

#[tokio::test]
async fn a_named_replacement_comes_when_it_may() {
    let hall = Hall::open().await;
    let (admin, bank) = (hall.signed_in("admin").await, banks(&hall, &[7, 8]).await);
    let template = create(&admin, adaptive()).await;
    let before = lists(&template);
    let free = |difficulty: u64| {
        let is_free = |id: &&String| {
            id.starts_with("g8-")
                && bank.difficulty(id) == difficulty
                && !before.values().flatten().any(|used| used == *id)
        };
        bank.ids().iter().find(is_free).unwrap().clone()
    };
    let first = of_difficulty(&bank, &before["session1"], 5);
    let (in_first, in_best) = (first.clone(), before["90-100"][0].clone());
    let foreign = bank.ids().into_iter().find(|id| id.starts_with("g7-") && bank.difficulty(id) == 5).unwrap();
    // Whom it may not be for which list: another difficulty, on a paper of the same student, not of the grades,
    // unknown, itself.
    let hard_of_80 = of_difficulty(&bank, &before["80-90"], 5);
    let wrong = [
        ("session1", &first, free(4)),
        ("session1", &first, in_best.clone()),
        ("session1", &first, hard_of_80.clone()),
        ("session1", &first, foreign.clone()),
        ("session1", &first, "nothing".to_owned()),
        ("session1", &first, String::new()),
        ("session1", &first, first.clone()),
        ("90-100", &in_best, in_first.clone()),
        ("90-100", &in_best, before["90-100"][1].clone()),
        ("90-100", &in_best, free(4)),
        ("90-100", &in_best, foreign),
    ];
    for (list, question_id, replacement_id) in wrong {
        let body = json!({ "bucket": bucket(list), "questionId": question_id, "replacementId": replacement_id });
        swap(&admin, &template, body).await.assert_error(400, WRONG_REPLACEMENT);
    }
    assert_eq!(read(&admin, &template).await, template, "nothing was changed");
    let named = free(5);
    let body = json!({ "bucket": bucket("session1"), "questionId": first, "replacementId": named });
    let swapped = swap(&admin, &template, body).await.json();
    assert_eq!(swapped["replacement"]["id"], json!(named));
    assert!(lists(&swapped["template"])["session1"].contains(&named));
    // Two bands may share a question: no student sees both.
    let shared = before["90-100"].iter().find(|id| !before["80-90"].contains(id)).unwrap();
    let body = json!({ "bucket": bucket("80-90"), "questionId": hard_of_80, "replacementId": shared });
    assert_eq!(swap(&admin, &template, body).await.json()["replacement"]["id"], json!(shared));
}

#[tokio::test]
async fn nothing_comes_when_all_are_used() {
    let hall = Hall::open().await;
    let (admin, bank) = (hall.signed_in("admin").await, hall.bank(5).await);
    let all = bank.mix(&bank.ids())[4];
    let template = create(&admin, with(standard(), json!({ "standardTargets": { "1": 1, "5": all } }))).await;
    let (easy, hard) = (
        of_difficulty(&bank, &lists(&template)["standard"], 1),
        of_difficulty(&bank, &lists(&template)["standard"], 5),
    );
    assert_eq!(candidate_ids(&admin, &template, &query("standard", &hard)).await, Vec::<String>::new());
    swap(&admin, &template, json!({ "bucket": { "kind": "standard" }, "questionId": hard }))
        .await
        .assert_error(409, NO_REPLACEMENT);
    let named = json!({ "bucket": { "kind": "standard" }, "questionId": hard, "replacementId": easy });
    swap(&admin, &template, named).await.assert_error(400, WRONG_REPLACEMENT);
    assert_eq!(read(&admin, &template).await, template);
    // With another grade there is one.
    update(&admin, &template, json!({ "grades": [6] })).await;
    let answer = swap(&admin, &template, json!({ "bucket": { "kind": "standard" }, "questionId": hard })).await;
    assert_eq!(answer.json()["replacement"]["grade"], 6, "{}", answer.text());
}

#[tokio::test]
async fn a_replacement_that_is_gone_changes_nothing() {
    let hall = Hall::open().await;
    let (admin, bank) = (hall.signed_in("admin").await, hall.bank(5).await);
    let template = create(&admin, standard()).await;
    let list = &lists(&template)["standard"];
    let hard = of_difficulty(&bank, list, 5);
    let gone = bank.ids().into_iter().find(|id| bank.difficulty(id) == 5 && !list.contains(id)).unwrap();
    // The bank in memory still has it.
    hall.alter(&format!("DELETE FROM questions WHERE id = '{gone}'")).await;
    let body = json!({ "bucket": { "kind": "standard" }, "questionId": hard, "replacementId": gone });
    swap(&admin, &template, body).await.assert_error(404, "Question not found");
    assert_eq!(read(&admin, &template).await, template);
}

#[tokio::test]
async fn what_is_asked_for_must_be_there() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let (one, two) = (create(&admin, standard()).await, create(&admin, adaptive()).await);
    let (in_one, in_two) = (lists(&one)["standard"][0].clone(), lists(&two)["session1"][0].clone());
    let in_band = lists(&two)["90-100"][0].clone();
    let cases = [
        (&one, json!({ "kind": "session1" }), &in_one, 400, "Invalid bucket"),
        (&one, json!({ "kind": "session2", "band": "90-100" }), &in_one, 400, "Invalid bucket"),
        (&two, json!({ "kind": "standard" }), &in_two, 400, "Invalid bucket"),
        (&one, json!({ "kind": "other" }), &in_one, 400, "Invalid bucket"),
        (&one, json!({ "kind": "" }), &in_one, 400, "Invalid bucket"),
        (&one, json!({}), &in_one, 400, "Invalid bucket"),
        (&two, json!({ "kind": "session2" }), &in_band, 400, "Invalid band"),
        (&two, json!({ "kind": "session2", "band": "50-60" }), &in_band, 400, "Invalid band"),
        (&two, json!({ "kind": "session2", "band": "" }), &in_band, 400, "Invalid band"),
        (&one, json!({ "kind": "standard" }), &in_two, 404, "Question not found"),
        (&two, json!({ "kind": "session1" }), &in_band, 404, "Question not found"),
        (&two, json!({ "kind": "session2", "band": "90-100" }), &in_two, 404, "Question not found"),
    ];
    for (template, bucket, question_id, status, message) in cases {
        swap(&admin, template, json!({ "bucket": bucket, "questionId": question_id }))
            .await
            .assert_error(status, message);
        let field = |name: &str| bucket[name].as_str().map(|value| format!("{name}={value}&")).unwrap_or_default();
        let query = format!("{}{}questionId={question_id}", field("kind").replace("kind", "bucket"), field("band"));
        candidates(&admin, template, &query).await.assert_error(status, message);
    }
    for question_id in ["nothing", "%00", "%C3%A9", ""] {
        candidates(&admin, &one, &format!("bucket=standard&questionId={question_id}"))
            .await
            .assert_error(404, "Question not found");
    }
    candidates(&admin, &one, "bucket=standard").await.assert_error(400, "Invalid questionId");
    candidates(&admin, &one, "bucket=standard&bucket=standard").await.assert_error(400, "Invalid query");
    for bucket in [json!(null), json!("standard"), json!(7), json!([])] {
        swap(&admin, &one, json!({ "bucket": bucket, "questionId": in_one })).await.assert_error(400, "Invalid bucket");
    }
    let body = |name: &str, value: Value| {
        with(json!({ "bucket": { "kind": "standard" }, "questionId": in_one }), json!({ name: value }))
    };
    swap(&admin, &one, body("questionId", json!(7))).await.assert_error(400, "Invalid questionId");
    swap(&admin, &one, body("questionId", json!(null))).await.assert_error(400, "Invalid questionId");
    swap(&admin, &one, body("replacementId", json!(7))).await.assert_error(400, "Invalid replacementId");
    assert_eq!((read(&admin, &one).await, read(&admin, &two).await), (one, two));
}
