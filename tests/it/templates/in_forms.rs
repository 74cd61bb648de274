//! Templates in several forms, and with options in an order of each student's own, as tests that are started from them.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::Method;
use serde_json::{Value, json};

use super::{adaptive, create, generate, lists, path_of, public_path, standard, started_ids, update, with};
use crate::hall::{Answer, Bank, Candidate, Hall};

/// So many starts, among which each of three forms comes: that one does not happens once in a million times.
const STARTS: usize = 40;

/// The tests that are started from a template, by their forms.
async fn started(hall: &Hall, template: &Value) -> BTreeMap<String, Vec<Value>> {
    let asked = json!({ "templateId": template["id"], "annotations": {}, "shuffleOptions": "is not looked at" });
    let mut started: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for _ in 0..STARTS {
        let frame = Candidate::start_by_https(&hall.base(), &asked).await.started;
        let form = frame.get("form").map_or("none", |form| form.as_str().unwrap()).to_owned();
        started.entry(form).or_default().push(frame);
    }
    started
}

fn sorted(mut ids: Vec<String>) -> Vec<String> {
    ids.sort();
    ids
}

/// How many questions of each topic and difficulty there are.
fn make_up(bank: &Bank, ids: &[String]) -> BTreeMap<(String, u64), usize> {
    let mut counts = BTreeMap::new();
    for id in ids {
        let topic = bank.question(id)["topic"].as_str().unwrap().to_owned();
        *counts.entry((topic, bank.difficulty(id))).or_default() += 1;
    }
    counts
}

#[tokio::test]
async fn each_start_gets_one_of_the_forms() {
    let hall = Hall::open().await;
    let template = create(&hall.signed_in("admin").await, with(standard(), json!({ "forms": 3 }))).await;
    let list = lists(&template)["standard"].clone();
    let forms = started(&hall, &template).await;
    assert_eq!(forms.keys().collect::<Vec<_>>(), ["A", "B", "C"]);
    let mut seen = BTreeSet::new();
    for (form, frames) in &forms {
        let (ids, orders) = (started_ids(&frames[0]), frames[0].get("optionOrder").cloned());
        for frame in frames {
            assert_eq!(
                (started_ids(frame), frame.get("optionOrder").cloned()),
                (ids.clone(), orders.clone()),
                "{form}"
            );
        }
        assert_eq!(sorted(ids.clone()), sorted(list.clone()), "{form} has the same questions");
        assert_eq!((ids == list, orders.is_none()), (form == "A", form == "A"), "{form}: {}", frames[0]);
        seen.insert((ids, orders.map(|orders| orders.to_string())));
    }
    assert_eq!(seen.len(), 3, "no two forms are the same");
    // What everyone may read of it says nothing of forms.
    let shared = hall.anonymous().get(&public_path(&template)).await.json();
    for name in ["form", "forms", "formLists", "formQuestions", "optionOrder"] {
        assert!(shared.get(name).is_none(), "{name}: {shared}");
    }
}

#[tokio::test]
async fn a_form_with_questions_of_its_own_finds_them() {
    let hall = Hall::open().await;
    let bank = hall.bank(5).await;
    let config = with(standard(), json!({ "forms": 3, "parallelForms": true }));
    let template = create(&hall.signed_in("admin").await, config).await;
    let list = lists(&template)["standard"].clone();
    let shared = hall.anonymous().get(&public_path(&template)).await.json();
    let known = |name: &str| {
        let questions = shared[name].as_array().unwrap().iter();
        questions.map(|question| question["id"].as_str().unwrap().to_owned()).collect::<BTreeSet<_>>()
    };
    let (of_list, of_forms) = (known("standardQuestions"), known("formQuestions"));
    assert!(of_list.is_disjoint(&of_forms) && of_list == list.iter().cloned().collect::<BTreeSet<_>>());
    let mut asked = BTreeSet::new();
    for (form, frames) in started(&hall, &template).await {
        let ids = started_ids(&frames[0]);
        assert_eq!(make_up(&bank, &ids), make_up(&bank, &list), "{form} is as hard as the list");
        assert_eq!(ids == list, form == "A");
        asked.extend(ids);
    }
    assert_eq!(asked, of_list.union(&of_forms).cloned().collect::<BTreeSet<_>>(), "all that are asked, and no others");
}

#[tokio::test]
async fn whoever_sits_a_form_reads_its_questions_and_no_others() {
    for public_answers in ["true", "false"] {
        let hall = Hall::with(&[("PUBLIC_ANSWERS", public_answers)]).await;
        let config = with(standard(), json!({ "forms": 3, "parallelForms": true }));
        let template = create(&hall.signed_in("admin").await, config).await;
        let shared = hall.anonymous().get(&public_path(&template)).await.json();
        let by_form = started(&hall, &template).await;
        assert_eq!(by_form.keys().collect::<Vec<_>>(), ["A", "B", "C"]);
        for (form, frames) in &by_form {
            let at = format!("{}?sessionId={}", public_path(&template), frames[0]["sessionId"].as_str().unwrap());
            let answer = hall.bearer(frames[0]["token"].as_str().unwrap()).get(&at).await;
            let own = answer.json();
            let read = own["standardQuestions"].as_array().unwrap().iter();
            let read: Vec<&str> = read.map(|question| question["id"].as_str().unwrap()).collect();
            assert_eq!((json!(read), own.get("formQuestions")), (json!(started_ids(&frames[0])), None), "{form}");
            for name in ["id", "name", "grades", "mode", "durationMinutes", "calculator"] {
                assert_eq!(own[name], shared[name], "{form}: {name}");
            }
            assert_eq!(answer.text().contains("\"explanation\""), public_answers == "true", "{form}");
            for other in [hall.anonymous(), hall.bearer("forged")] {
                assert_eq!(other.get(&at).await.json(), shared, "as everybody else");
            }
        }
    }
}

#[tokio::test]
async fn a_test_keeps_its_form_when_the_template_changes() {
    let mut hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, with(standard(), json!({ "forms": 8 }))).await;
    let mut candidate = hall.sit(json!({ "templateId": template["id"] })).await;
    let before = candidate.started.clone();
    assert_eq!(update(&admin, &template, json!({ "forms": 1 })).await.status, 200);
    generate(&admin, &template).await;
    hall.restart().await;
    candidate.move_to(&hall.base());
    let resumed = candidate.resume().await;
    for name in ["form", "questionIds", "optionOrder"] {
        assert_eq!(resumed.get(name), before.get(name), "{name}");
    }
    candidate.submit().await;
    let stored = hall.stored_session(&candidate.session_id).await;
    assert_eq!((&stored["form"], stored.get("optionOrder")), (&before["form"], before.get("optionOrder")));
    let fresh = Candidate::start_by_https(&hall.base(), &json!({ "templateId": template["id"] })).await.started;
    assert!(fresh.get("form").is_none() && fresh.get("optionOrder").is_none(), "{fresh}");
}

#[tokio::test]
async fn a_template_may_shuffle_options_for_each_student() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    for forms in [1, 2] {
        let config = with(standard(), json!({ "forms": forms, "shuffleOptions": true }));
        let template = create(&admin, config).await;
        let by_form = started(&hall, &template).await;
        assert_eq!(by_form.len(), forms);
        for (form, frames) in &by_form {
            let papers: BTreeSet<Vec<String>> = frames.iter().map(started_ids).collect();
            let orders: BTreeSet<String> = frames.iter().map(|frame| frame["optionOrder"].to_string()).collect();
            assert_eq!(papers.len(), 1, "{form}: the form decides on questions and their order");
            assert_eq!(orders.len(), frames.len(), "{form}: each has an order of their own");
        }
    }
}

#[tokio::test]
async fn the_second_list_is_shuffled_as_it_was_when_the_test_began() {
    let mut hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, with(adaptive(), json!({ "shuffleOptions": true }))).await;
    let bands = lists(&template);
    let mut candidates = Vec::new();
    for _ in 0..6 {
        candidates.push(hall.sit(json!({ "templateId": template["id"] })).await);
    }
    // Whatever becomes of the template.
    assert_eq!(update(&admin, &template, json!({ "shuffleOptions": false })).await.status, 200);
    generate(&admin, &template).await;
    hall.restart().await;
    let mut told = BTreeSet::new();
    for candidate in &mut candidates {
        candidate.move_to(&hall.base());
        candidate.resume().await;
        let stage = candidate.next().await;
        assert_eq!(started_ids(&stage), bands["below-60"]);
        let orders = stage.get("optionOrder").map(|orders| orders.as_object().unwrap().clone()).unwrap_or_default();
        assert!(orders.keys().all(|id| bands["below-60"].contains(id)), "{stage}");
        let resumed = candidate.resume().await;
        let of_both = resumed.get("optionOrder").and_then(Value::as_object).cloned().unwrap_or_default();
        assert!(orders.iter().all(|(id, order)| of_both.get(id) == Some(order)), "{resumed}");
        told.insert(json!(orders).to_string());
    }
    assert!(told.len() > 3, "each has an order of their own: {told:?}");
    let fresh = hall.sit(json!({ "templateId": template["id"] })).await.started;
    assert!(fresh.get("optionOrder").is_none(), "{fresh}");
}

#[tokio::test]
async fn a_form_does_not_lose_a_question_that_is_edited() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, with(standard(), json!({ "forms": 2 }))).await;
    let of_b = started(&hall, &template).await["B"][0].clone();
    let (moved, _) = of_b["optionOrder"].as_object().unwrap().iter().next().unwrap();
    let fix = |question: &mut domain::question::Question| question.fixed_options = true;
    super::edit(&hall, moved, fix).await;
    // A change of the template is known to this server at once.
    let touched = Answer::to(admin.request(Method::PUT, &path_of(&template)).json(&json!({ "name": "Edited" }))).await;
    assert_eq!(touched.status, 200, "{}", touched.text());
    let now = started(&hall, &template).await["B"][0].clone();
    assert_eq!(started_ids(&now), started_ids(&of_b));
    let orders = |frame: &Value| frame.get("optionOrder").and_then(Value::as_object).cloned().unwrap_or_default();
    let mut left = orders(&of_b);
    left.remove(moved);
    assert_eq!(orders(&now), left, "its options stand as in the bank now");
}
