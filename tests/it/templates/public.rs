//! `GET /api/test-templates/{id}`: what students get, in which forms, and how fresh it is.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use super::{adaptive, create, delete, generate, lists, names, public_path, standard, swap, update, with};
use crate::hall::{Answer, Hall, eventually};

#[tokio::test]
async fn a_student_gets_the_lists_and_nothing_of_their_making() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let common = ["calculator", "durationMinutes", "grades", "id", "mode", "name"];
    for (config, own) in
        [(standard(), vec!["standardQuestions"]), (adaptive(), vec!["session1Questions", "session2QuestionsByBand"])]
    {
        let template = create(&admin, config).await;
        let answer = hall.anonymous().get(&public_path(&template)).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"));
        let shown = answer.json();
        assert_eq!(names(&shown), common.iter().chain(&own).copied().collect());
        for name in names(&shown) {
            assert_eq!(shown[name], template[name], "{name}: the same lists in the same order");
        }
        assert!(!answer.text().contains("exam.test"), "no address of an admin");
    }
}

/// Every question of a template as it is sent.
fn questions(shown: &Value) -> Vec<Value> {
    let bands = shown["session2QuestionsByBand"].as_object().unwrap().values();
    bands.chain([&shown["session1Questions"]]).flat_map(|list| list.as_array().unwrap().clone()).collect()
}

#[tokio::test]
async fn the_key_is_shown_to_staff_of_the_grade_alone() {
    let hall = Hall::with(&[("PUBLIC_ANSWERS", "false")]).await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, adaptive()).await;
    let path = public_path(&template);
    let keyed = ["answer", "explanation"];
    let mut tags = BTreeSet::new();
    for caller in [hall.anonymous(), hall.signed_in("student").await, hall.bearer("forged")] {
        let answer = caller.get(&path).await;
        assert_eq!(questions(&answer.json()).len(), 25);
        for question in questions(&answer.json()) {
            assert!(
                keyed.iter().all(|name| !names(&question).contains(name)) && question["options"].is_array(),
                "{question}"
            );
        }
        assert_eq!(lists(&answer.json()), lists(&template));
        assert!(
            answer.header("cache-control").contains("private")
                && answer.header("vary").to_lowercase().contains("authorization")
        );
        tags.insert(answer.header("etag").to_owned());
        let compressed = caller.get_with(&path, "accept-encoding", "br").await;
        assert_eq!(compressed.decoded(), answer.body);
    }
    assert_eq!(tags.len(), 1);
    for role in ["reviewer", "manager"] {
        let elsewhere = hall.staff_of(role, 6).await.get(&path).await;
        assert!(tags.contains(elsewhere.header("etag")), "a {role} of another grade gets what a student gets");
        assert!(!elsewhere.text().contains("\"explanation\""), "{}", elsewhere.text());
    }
    for role in ["reviewer", "manager", "admin"] {
        let caller = if role == "admin" { admin.clone() } else { hall.staff_of(role, 8).await };
        let answer = caller.get(&path).await;
        assert_eq!(answer.json()["session1Questions"], template["session1Questions"], "{role}");
        assert!(tags.insert(answer.header("etag").to_owned()) || role != "reviewer", "another tag than a student's");
    }
    assert_eq!(tags.len(), 2);
}

#[tokio::test]
async fn it_is_compressed_and_sent_once() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, adaptive()).await;
    let path = public_path(&template);
    let plain = hall.anonymous().get(&path).await;
    assert!(
        plain.header("cache-control").contains("no-cache")
            && plain.header("vary").to_lowercase().contains("accept-encoding")
    );
    let mut tags = BTreeSet::from([plain.header("etag").to_owned()]);
    for encoding in ["gzip", "br"] {
        let answer = hall.anonymous().get_with(&path, "accept-encoding", encoding).await;
        assert_eq!((answer.header("content-encoding"), answer.decoded()), (encoding, plain.body.clone()));
        assert!(answer.body.len() * 2 < plain.body.len());
        assert!(tags.insert(answer.header("etag").to_owned()), "a tag of its own");
    }
    let held = async |tag: &str| hall.anonymous().get_with(&path, "if-none-match", tag).await;
    let again = held(plain.header("etag")).await;
    assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, plain.header("etag")));
    let other = create(&admin, adaptive()).await;
    assert_ne!(hall.anonymous().get(&public_path(&other)).await.header("etag"), plain.header("etag"));
    update(&admin, &template, json!({ "name": "Renamed" })).await;
    let renamed = held(plain.header("etag")).await;
    assert_eq!((renamed.status, &renamed.json()["name"]), (200, &json!("Renamed")));
}

#[tokio::test]
async fn a_change_is_shown_at_once_here_and_soon_elsewhere() {
    let hall = Hall::open().await;
    let other = hall.beside().await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, standard()).await;
    let path = public_path(&template);
    let shown = async |server: &Hall| server.anonymous().get(&path).await;
    let mut now = template.clone();
    for round in 0..6 {
        assert_eq!(lists(&shown(&hall).await.json()), lists(&now));
        now = match round % 3 {
            0 => generate(&admin, &template).await["template"].clone(),
            1 => {
                let gone = lists(&now)["standard"][0].clone();
                swap(&admin, &template, json!({ "bucket": { "kind": "standard" }, "questionId": gone })).await.json()["template"].clone()
            }
            _ => {
                update(&admin, &template, json!({ "name": format!("Round {round}") })).await.json()["template"].clone()
            }
        };
        let here = shown(&hall).await.json();
        assert_eq!((lists(&here), &here["name"]), (lists(&now), &now["name"]), "round {round}");
        let is_there = async || {
            Some(shown(&other).await.json()).filter(|there| there["name"] == now["name"] && lists(there) == lists(&now))
        };
        eventually("the other server shows the change", is_there).await;
    }
    delete(&admin, &template).await;
    shown(&hall).await.assert_error(404, "Not found");
    eventually("the other server knows that it is gone", async || {
        Some(shown(&other).await).filter(|answer| answer.status == 404)
    })
    .await;
}

#[tokio::test]
async fn a_whole_school_opens_the_link_at_once() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let template = create(&admin, with(adaptive(), json!({ "grades": [7, 8, 9] }))).await;
    let path = public_path(&template);
    let unknown = format!("/api/test-templates/{}", uuid::Uuid::new_v4());
    let student = hall.anonymous();
    let answers = join_all((0..300).map(|number| student.get(if number % 3 == 0 { &unknown } else { &path }))).await;
    let (found, missing): (Vec<&Answer>, Vec<&Answer>) = answers.iter().partition(|answer| answer.status == 200);
    assert_eq!((found.len(), missing.len()), (200, 100));
    missing.iter().for_each(|answer| answer.assert_error(404, "Not found"));
    assert_eq!(found.iter().map(|answer| (answer.header("etag"), &answer.body)).collect::<BTreeSet<_>>().len(), 1);
}

#[tokio::test]
async fn what_is_at_hand_is_served_while_the_store_is_away() {
    let hall = Hall::open().await;
    let admin = hall.signed_in("admin").await;
    let (held, unasked) = (create(&admin, standard()).await, create(&admin, standard()).await);
    let before = hall.anonymous().get(&public_path(&held)).await;
    let store = sea_orm::Database::connect(hall.database_url()).await.unwrap();
    store.execute_unprepared("ALTER TABLE templates RENAME TO templates_away").await.unwrap();
    // Longer than a template is believed without asking.
    let until = Instant::now() + Duration::from_secs(3);
    while Instant::now() < until {
        let answer = hall.anonymous().get(&public_path(&held)).await;
        assert_eq!((answer.status, &answer.body), (200, &before.body));
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    hall.anonymous().get(&public_path(&unasked)).await.assert_error(500, "Internal server error");
    store.execute_unprepared("ALTER TABLE templates_away RENAME TO templates").await.unwrap();
    store.close().await.unwrap();
    assert_eq!(hall.anonymous().get(&public_path(&unasked)).await.status, 200);
    update(&admin, &held, json!({ "name": "Back" })).await;
    assert_eq!(hall.anonymous().get(&public_path(&held)).await.json()["name"], "Back");
}

#[tokio::test]
async fn it_needs_no_sign_in_behind_the_gate() {
    let hall = Hall::with(&[("TEST_GATE", "sign-in")]).await;
    let template = create(&hall.signed_in("admin").await, standard()).await;
    assert_eq!(hall.anonymous().get(&public_path(&template)).await.status, 200);
}
