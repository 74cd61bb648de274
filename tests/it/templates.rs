//! Test templates: each file tests one part of their interface.

mod access;
mod answers;
mod by_hand;
mod changing;
mod chosen;
mod concurrency;
mod fair_forms;
mod forms;
mod freezing;
mod in_forms;
mod live;
mod managers;
mod public;
mod reading;

#[path = "templates"]
mod edge {
    use super::*;

    mod config;
    mod generation;
    mod swap;
}

use std::collections::{BTreeMap, BTreeSet};

use domain::question::{Choice, Question};
use examhall::database::Database;
use examhall::store::questions::{load_by_ids, put};
use reqwest::Method;
use serde_json::{Map, Value, json};

use crate::hall::{Answer, Bank, Caller, Hall, ids};

const PATH: &str = "/api/admin/test-templates";
const BANDS: [&str; 5] = ["90-100", "80-90", "70-80", "60-70", "below-60"];

/// Ten questions of grade 5 in 45 minutes.
fn standard() -> Value {
    let targets = json!({ "1": 1, "2": 2, "3": 2, "4": 2, "5": 3 });
    json!({ "name": "Midterm", "grades": [5], "mode": "standard", "durationMinutes": 45, "standardTargets": targets })
}

/// Five questions of grade 8, one of each difficulty, and four more by band.
fn adaptive() -> Value {
    let of_bands = json!({
        "90-100": { "5": 4 },
        "80-90": { "4": 1, "5": 3 },
        "70-80": { "3": 2, "4": 2 },
        "60-70": { "2": 2, "3": 2 },
        "below-60": { "1": 3, "2": 1 },
    });
    json!({
        "name": "Placement",
        "grades": [8],
        "mode": "adaptive",
        "durationMinutes": 50,
        "session1Targets": { "1": 1, "2": 1, "3": 1, "4": 1, "5": 1 },
        "session2TargetsByBand": of_bands,
    })
}

/// A config with other fields.
fn with(mut config: Value, changes: Value) -> Value {
    let Value::Object(changes) = changes else { panic!("{changes}") };
    config.as_object_mut().unwrap().extend(changes);
    config
}

fn path_of(template: &Value) -> String {
    format!("{PATH}/{}", template["id"].as_str().unwrap())
}

fn public_path(template: &Value) -> String {
    format!("/api/test-templates/{}", template["id"].as_str().unwrap())
}

async fn create(admin: &Caller, config: Value) -> Value {
    let answer = admin.post_json(PATH, &config).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let body = answer.json();
    assert_eq!(names(&body), ["shortfalls", "template"].into());
    assert_eq!(body["shortfalls"], json!({}));
    body["template"].clone()
}

async fn read(admin: &Caller, template: &Value) -> Value {
    let answer = admin.get(&path_of(template)).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["template"].clone()
}

async fn update(admin: &Caller, template: &Value, changes: Value) -> Answer {
    Answer::to(admin.request(Method::PUT, &path_of(template)).json(&changes)).await
}

async fn delete(admin: &Caller, template: &Value) -> Answer {
    Answer::to(admin.request(Method::DELETE, &path_of(template))).await
}

async fn generate(admin: &Caller, template: &Value) -> Value {
    let answer = Answer::to(admin.request(Method::POST, &format!("{}/generate", path_of(template)))).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

async fn swap(admin: &Caller, template: &Value, body: Value) -> Answer {
    admin.post_json(&format!("{}/swap", path_of(template)), &body).await
}

/// Every list of a template, as ids: `standard`, `session1` and the bands.
fn lists(template: &Value) -> BTreeMap<String, Vec<String>> {
    let list = |questions: &Value| -> Vec<String> {
        questions.as_array().unwrap().iter().map(|question| question["id"].as_str().unwrap().to_owned()).collect()
    };
    let mut lists = BTreeMap::new();
    for (name, field) in [("standard", "standardQuestions"), ("session1", "session1Questions")] {
        if !template[field].is_null() {
            lists.insert(name.to_owned(), list(&template[field]));
        }
    }
    for (band, questions) in template["session2QuestionsByBand"].as_object().unwrap_or(&Map::new()) {
        lists.insert(band.clone(), list(questions));
    }
    lists
}

/// Asserts that no student sees a question twice, whatever the band.
#[track_caller]
fn assert_no_repeats(template: &Value) {
    let lists = lists(template);
    let first = lists.get("session1").cloned().unwrap_or_default();
    for (name, list) in &lists {
        let mut seen = list.clone();
        if BANDS.contains(&name.as_str()) {
            seen.extend(first.clone());
        }
        assert_eq!(seen.iter().collect::<BTreeSet<_>>().len(), seen.len(), "{name}: {seen:?}");
    }
}

fn names(value: &Value) -> BTreeSet<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// All questions of these grades.
async fn banks(hall: &Hall, grades: &[u8]) -> Bank {
    let mut questions = Vec::new();
    for grade in grades {
        questions.extend(hall.bank(*grade).await.questions);
    }
    Bank::new(questions)
}

/// Changes a question in the store, as another server does.
async fn edit(hall: &Hall, id: &str, change: impl FnOnce(&mut Question)) {
    let database = Database::open(hall.database_url(), 2, 1).await.unwrap();
    let mut question = load_by_ids(&database, [id]).await.unwrap().remove(id).unwrap();
    change(&mut question);
    put(&database, &[question]).await.unwrap();
    database.close().await;
}

/// Makes a wrong answer the right one.
fn turn_key(question: &mut Question) {
    question.answer = if question.answer.choice() == Some(Choice::A) { Choice::B } else { Choice::A }.into();
}

/// The ids that a started test has.
fn started_ids(started: &Value) -> Vec<String> {
    ids(&started["questionIds"])
}
