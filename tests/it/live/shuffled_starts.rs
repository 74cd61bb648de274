//! Live tests outside of sittings whose options stand in an order of one's own: who asks for it gets it on both roads,
//! and everything that is stored has the letters of the bank.

use std::collections::{BTreeMap, BTreeSet};

use domain::question::Question;
use examhall::database::Database;
use examhall::store::questions;
use serde_json::{Value, json};

use crate::hall::{Candidate, Hall, answer, ids};

type Orders = BTreeMap<String, String>;

struct School {
    hall: Hall,
    bank: BTreeMap<String, Value>,
}

impl School {
    async fn open() -> Self {
        let hall = Hall::with(&[("SAMPLE_BANK", "off")]).await;
        let bank = hall.store_mixed_bank().await;
        Self { hall, bank: bank.into_iter().map(|one| (one["id"].as_str().unwrap().to_owned(), one)).collect() }
    }

    fn key(&self, id: &str) -> &str {
        self.bank[id]["answer"].as_str().unwrap()
    }

    async fn template(&self, changes: Value) -> Value {
        let mut config = json!({
            "name": "In forms", "grades": [5], "mode": "standard", "durationMinutes": 45, "types": "all",
            "standardTargets": { "1": 2, "2": 2, "3": 2, "4": 2, "5": 2 },
        });
        config.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        let admin = self.hall.signed_in("admin").await;
        let made = admin.post_json("/api/admin/test-templates", &config).await;
        assert_eq!(made.status, 200, "{}", made.text());
        made.json()["template"].clone()
    }

    /// The orders that a frame tells. Each must be one of that question's options, and another than the bank's.
    #[track_caller]
    fn orders(&self, frame: &Value) -> Orders {
        let Some(orders) = frame.get("optionOrder") else { return Orders::new() };
        let orders = orders.as_object().unwrap().iter();
        let orders: Orders = orders.map(|(id, order)| (id.clone(), order.as_str().unwrap().to_owned())).collect();
        assert!(!orders.is_empty(), "absent where there is none: {frame}");
        for (id, order) in &orders {
            let question = &self.bank[id];
            assert!(question["type"] != "number" && question["fixedOptions"] != true, "{question}");
            let in_bank = &"ABCD"[..question["options"].as_array().unwrap().len()];
            let mut letters: Vec<char> = order.chars().collect();
            letters.sort_unstable();
            assert!(letters.iter().collect::<String>() == in_bank && order != in_bank, "{order} of {question}");
        }
        orders
    }
}

/// Forty questions of both types.
fn practice() -> Value {
    json!({ "grade": 5, "questionCount": 40, "durationMinutes": 60, "types": "all", "shuffleOptions": true })
}

async fn start(school: &School, is_socket: bool, start: &Value) -> Candidate {
    let base = school.hall.base();
    if is_socket { Candidate::start(&base, start.clone()).await } else { Candidate::start_by_https(&base, start).await }
}

/// Answers everything rightly, by the letters of the bank, over HTTPS.
async fn answer_all(school: &School, candidate: &mut Candidate) {
    let paper = candidate.paper.clone();
    let seqs: Vec<u64> = paper.iter().map(|id| candidate.act(answer(id, school.key(id)))).collect();
    candidate.post(&seqs).await;
}

#[tokio::test]
async fn the_order_is_the_same_on_each_road_and_the_letters_are_those_of_the_bank() {
    let school = School::open().await;
    let mut seen = BTreeSet::new();
    for is_socket in [true, false] {
        let mut candidate = start(&school, is_socket, &practice()).await;
        let told = school.orders(&candidate.started);
        assert!(told.len() > 10 && told.keys().all(|id| candidate.paper.contains(id)), "{told:?}");
        assert_eq!(school.orders(&candidate.state().await), told, "over HTTPS");
        assert_eq!(school.orders(&candidate.resume().await), told, "over a socket");
        let again = candidate.elsewhere(&school.hall.base()).await;
        assert_eq!(school.orders(&again.state().await), told, "on another device");
        answer_all(&school, &mut candidate).await;
        let submit = candidate.act(json!({ "type": "submit" }));
        let ended = candidate.post(&[submit]).await["replies"][0].clone();
        assert_eq!((&ended["result"]["score"], ended.get("optionOrder")), (&json!(800), None), "{ended}");
        let stored = school.hall.stored_session(&candidate.session_id).await;
        for line in stored["result"]["answers"].as_array().unwrap() {
            let key = school.key(line["questionId"].as_str().unwrap());
            assert_eq!((&line["selected"], &line["correct"]), (&json!(key), &json!(key)), "{line}");
        }
        let path = format!("/api/report/{}/questions", candidate.session_id);
        let report = school.hall.anonymous().get(&path).await.json();
        assert_eq!(school.orders(&report), told, "the report");
        for question in report["questions"].as_array().unwrap() {
            let known = &school.bank[question["id"].as_str().unwrap()];
            assert_eq!([&question["options"], &question["answer"]], [&known["options"], &known["answer"]]);
        }
        seen.insert(told);
    }
    assert_eq!(seen.len(), 2, "each start has an order of its own");
}

#[tokio::test]
async fn the_second_stage_has_orders_too() {
    let school = School::open().await;
    let adaptive = json!({ "grade": 5, "mode": "adaptive", "shuffleOptions": true });
    for is_socket in [true, false] {
        let mut candidate = start(&school, is_socket, &adaptive).await;
        let first = school.orders(&candidate.started);
        assert!(!first.is_empty(), "{}", candidate.started);
        answer_all(&school, &mut candidate).await;
        let stage = if is_socket {
            candidate.next().await
        } else {
            let next = candidate.act(json!({ "type": "next" }));
            let stage = candidate.post(&[next]).await["replies"][0].clone();
            candidate.paper = ids(&stage["questionIds"]);
            stage
        };
        let second = school.orders(&stage);
        assert!(!second.is_empty() && second.keys().all(|id| candidate.paper.contains(id)), "{stage}");
        for resumed in [candidate.state().await, candidate.resume().await] {
            let told = school.orders(&resumed);
            let of_stage: Orders = told.into_iter().filter(|(id, _)| candidate.paper.contains(id)).collect();
            assert_eq!(of_stage, second, "as the stage began");
        }
        answer_all(&school, &mut candidate).await;
        let submitted = candidate.act(json!({ "type": "submit" }));
        let ended = candidate.post(&[submitted]).await["replies"][0].clone();
        assert_eq!(ended["result"]["score"], 800, "{ended}");
        let path = format!("/api/report/{}/questions", candidate.session_id);
        let report = school.orders(&school.hall.anonymous().get(&path).await.json());
        assert_eq!(report, first.into_iter().chain(second).collect(), "both stages");
    }
}

/// Puts the questions into the store, perhaps with all options where they are, and replaces the server, which has read
/// them otherwise.
async fn put(school: &mut School, are_fixed: bool) {
    let own = school.bank.values().map(|question| serde_json::from_value::<Question>(question.clone()).unwrap());
    let stored: Vec<_> = own.map(|own| Question { fixed_options: are_fixed || own.fixed_options, ..own }).collect();
    let database = Database::open(school.hall.database_url(), 2, 1).await.unwrap();
    questions::put(&database, &stored).await.unwrap();
    database.close().await;
    school.hall.restart().await;
}

#[tokio::test]
async fn the_second_stage_has_orders_even_if_nothing_of_the_first_could_move() {
    let mut school = School::open().await;
    for shuffles in [true, false] {
        put(&mut school, true).await;
        let asked = json!({ "grade": 5, "mode": "adaptive", "shuffleOptions": shuffles });
        let mut candidate = start(&school, false, &asked).await;
        assert!(candidate.started.get("optionOrder").is_none(), "all keep their order: {}", candidate.started);
        put(&mut school, false).await;
        candidate.move_to(&school.hall.base());
        candidate.resume().await;
        let stage = candidate.next().await;
        assert_eq!(!school.orders(&stage).is_empty(), shuffles, "as the start has asked: {stage}");
    }
}

#[tokio::test]
async fn a_template_decides_for_its_starts() {
    let school = School::open().await;
    let shuffled = school.template(json!({ "shuffleOptions": true })).await;
    let plain = school.template(json!({})).await;
    let by = async |template: &Value, changes: Value| {
        let mut body = json!({ "templateId": template["id"] });
        body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        start(&school, false, &body).await.started
    };
    for said in [json!({}), json!({ "shuffleOptions": false })] {
        let started = by(&shuffled, said).await;
        assert!(!school.orders(&started).is_empty(), "{started}");
        assert!(started.get("form").is_none(), "it has one form: {started}");
    }
    let started = by(&plain, json!({})).await;
    assert!(started.get("optionOrder").is_none() && started.get("form").is_none(), "{started}");
}

mod edge {
    use super::*;

    #[tokio::test]
    async fn an_order_is_wanted_or_not() {
        let hall = Hall::open().await;
        for wrong in [json!("true"), json!(1), json!([]), json!({}), json!("CADB")] {
            let mut start = json!({ "type": "start", "grade": 5, "shuffleOptions": wrong });
            let mut socket = hall.socket().await;
            socket.send(&start).await;
            socket.expect_error("bad_message").await;
            let refused = hall.anonymous().post_json("/api/live", &start).await;
            assert_eq!((refused.status, &refused.json()["code"]), (400, &json!("bad_message")), "{}", refused.text());
            // Whoever names the order is not heard.
            start["shuffleOptions"] = json!(false);
            start["optionOrder"] = json!({ "g5-001": "DCBA" });
            start["form"] = json!("B");
            let started = hall.anonymous().post_json("/api/live", &start).await;
            assert_eq!(started.status, 200, "{}", started.text());
            let started = started.json();
            assert!(started.get("optionOrder").is_none() && started.get("form").is_none(), "{started}");
        }
    }
}
