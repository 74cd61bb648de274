//! `GET /api/questions`: the bank of a grade, its compressed forms, its tag, and who sees the key.

use std::collections::BTreeSet;
use std::sync::Arc;

use domain::grade::Grade;
use examhall::clock::Clock;
use examhall::database::Database;
use examhall::provider::local::LocalProvider;
use examhall::questions::bank::Banks;
use examhall::store::embargo::Embargo;
use examhall::store::questions::{load_bank, put};
use serde_json::{Value, json};

use crate::hall::{Answer, Bank, Hall, TestStore, eventually};

const PATH: &str = "/api/questions?grade=5";
const INVALID_GRADE: &str = "Invalid grade — must be 1–10";

#[tokio::test]
async fn every_grade_has_its_bank() {
    // Naming the setting, even with its default, gives the server an empty store, which it fills itself.
    let hall = Hall::with(&[("SAMPLE_BANK", "auto")]).await;
    for grade in 1..=10 {
        let bank = hall.bank(grade).await;
        let ids: BTreeSet<String> = bank.ids().into_iter().collect();
        assert_eq!(ids.len(), 120, "grade {grade}");
        assert!(ids.contains(&format!("g{grade}-001")), "grade {grade}");
        assert!(bank.questions.iter().all(|question| question["grade"] == grade), "grade {grade}");
        assert_difficulties(&bank);
    }
}

fn assert_difficulties(bank: &Bank) {
    let mix = bank.mix(&bank.ids());
    assert!(mix.iter().all(|count| *count >= 20) && mix[4] >= 30, "{mix:?}");
}

async fn conditional(hall: &Hall, encoding: &str, held: &str) -> Answer {
    let request = hall.anonymous().request(reqwest::Method::GET, PATH);
    Answer::to(request.header("accept-encoding", encoding).header("if-none-match", held)).await
}

#[tokio::test]
async fn the_key_is_shown_to_staff_of_the_grade_alone() {
    let hall = Hall::with(&[("PUBLIC_ANSWERS", "false")]).await;
    let staff_tag = {
        let staff = hall.signed_in("admin").await.get(PATH).await;
        assert!(shows_key(&staff), "admin");
        assert_kept_apart(&staff);
        staff.header("etag").to_owned()
    };
    for role in ["manager", "reviewer"] {
        assert!(shows_key(&hall.staff_of(role, 5).await.get(PATH).await), "{role}");
        let elsewhere = hall.staff_of(role, 6).await;
        assert!(hides_key(&elsewhere.get(PATH).await), "a {role} of another grade");
        assert!(shows_key(&elsewhere.get("/api/questions?grade=6").await), "{role}");
    }
    for caller in [hall.anonymous(), hall.signed_in("student").await, hall.bearer("forged")] {
        let answer = caller.get(PATH).await;
        assert_eq!(answer.json().as_array().unwrap().len(), 120);
        assert!(hides_key(&answer));
        assert_kept_apart(&answer);
        assert_ne!(answer.header("etag"), staff_tag);
    }
    assert!(hides_key(&hall.anonymous().get_with(PATH, "if-none-match", &staff_tag).await));
}

fn shows_key(answer: &Answer) -> bool {
    answer
        .json()
        .as_array()
        .unwrap()
        .iter()
        .all(|question| question["answer"].is_string() && question["explanation"].is_string())
}

fn hides_key(answer: &Answer) -> bool {
    let has = |question: &Value, name| question.as_object().unwrap().contains_key(name);
    answer.json().as_array().unwrap().iter().all(|question| !has(question, "answer") && !has(question, "explanation"))
}

/// A shared cache must not hand the staff's answer to students.
fn assert_kept_apart(answer: &Answer) {
    let (vary, cache) = (answer.header("vary").to_lowercase(), answer.header("cache-control").to_lowercase());
    assert!(
        vary.contains("authorization") || cache.contains("private") || cache.contains("no-store"),
        "{:?}",
        answer.headers
    );
}

#[tokio::test]
async fn another_server_shows_a_changed_question_soon() {
    let hall = Hall::open().await;
    let other = hall.beside().await;
    let before = [hall.anonymous().get(PATH).await, other.anonymous().get(PATH).await];
    assert_eq!(before[0].header("etag"), before[1].header("etag"), "the same bank has the same tag everywhere");
    change_first_question(&hall, "How much is a changed question?").await;
    for server in [&hall, &other] {
        let after = eventually("the changed question is served", async || {
            Some(server.anonymous().get(PATH).await)
                .filter(|answer| answer.text().contains("How much is a changed question?"))
        })
        .await;
        assert_ne!(after.header("etag"), before[0].header("etag"));
        assert_eq!(conditional(server, "identity", before[0].header("etag")).await.status, 200);
    }
}

/// Changes it in the store, without the knowledge of any server. It must be the store of the server that has the data:
/// the other server replaces its copy at its next check for changes.
async fn change_first_question(hall: &Hall, text: &str) {
    let database = Database::open(hall.data_url(), 2, 1).await.unwrap();
    let mut question = load_bank(&database, Grade::new(5).unwrap()).await.unwrap().remove(0);
    text.clone_into(&mut question.question);
    put(&database, &[question]).await.unwrap();
    database.close().await;
}

#[tokio::test]
async fn a_seeded_bank_stays_as_it_is_over_a_restart() {
    let mut hall = Hall::open().await;
    let before = hall.anonymous().get(PATH).await;
    let edit = json!({ "questionId": "g5-001", "grade": 5, "comment": "", "updates": { "question": "Changed before the restart" } });
    let edited = hall.signed_in("admin").await.post_json("/api/review/edit", &edit).await;
    assert_eq!(edited.status, 200, "{}", edited.text());
    hall.restart().await;
    let after = hall.anonymous().get(PATH).await;
    assert_eq!(after.json().as_array().unwrap().len(), before.json().as_array().unwrap().len());
    assert!(after.text().contains("Changed before the restart"));
}

#[tokio::test]
async fn without_its_redis_a_server_is_slower_and_never_wrong() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let hall = Hall::with(&[("REDIS_URL", &format!("redis://{nobody}/0"))]).await;
    for grade in 1..=10 {
        assert_eq!(hall.bank(grade).await.questions.len(), 120);
    }
    change_first_question(&hall, "Changed without Redis").await;
    eventually("the changed question is served", async || {
        Some(hall.anonymous().get(PATH).await).filter(|answer| answer.text().contains("Changed without Redis"))
    })
    .await;
    let ready = hall.anonymous().get("/readyz").await;
    assert_eq!((ready.status, &ready.json()["redis"]), (200, &Value::from("unavailable")));
}

/// A change may come at any moment of a load, so it is made a little later in each round.
#[tokio::test]
async fn what_a_server_has_changed_itself_it_shows_at_once() {
    let store = TestStore::with_sample_bank().await;
    let database = Database::open(&store.settings(&[])["DATABASE_URL"], 8, 1).await.unwrap();
    let grade = Grade::new(5).unwrap();
    let mut question = load_bank(&database, grade).await.unwrap().remove(0);
    for round in 0..40 {
        let provider = LocalProvider::new(database.clone(), Clock::system(), None);
        let embargo = Arc::new(Embargo::new(database.clone(), Clock::system()));
        let banks = Banks::new(database.clone(), Arc::new(provider), None, embargo, true);
        banks.drop_changed().await;
        question.topic = format!("Topic {round}");
        let change = async {
            for _ in 0..round {
                tokio::task::yield_now().await;
            }
            put(&database, std::slice::from_ref(&question)).await.unwrap();
            banks.changed().await;
            banks.of(grade).await.unwrap()
        };
        let (first, changed) = tokio::join!(banks.of(grade), change);
        first.unwrap();
        for bank in [changed, banks.of(grade).await.unwrap()] {
            let shown = bank.keyed.iter().find(|keyed| *keyed.id == *question.id).unwrap();
            assert_eq!(*shown.topic, *question.topic, "round {round}");
        }
    }
    database.close().await;
}

#[path = "questions"]
mod edge {
    mod number_oracle;

    use super::*;

    #[tokio::test]
    async fn a_question_has_the_fields_of_the_specification() {
        let hall = Hall::open().await;
        for question in hall.bank(7).await.questions {
            let names: BTreeSet<&str> = question.as_object().unwrap().keys().map(String::as_str).collect();
            let expected = [
                "answer",
                "difficulty",
                "explanation",
                "grade",
                "id",
                "image",
                "imageDescription",
                "options",
                "question",
                "source",
                "subtopic",
                "topic",
                "type",
            ];
            assert_eq!(names, expected.into());
            assert_eq!(question["options"].as_array().unwrap().len(), 4, "{question}");
            assert!(["A", "B", "C", "D"].contains(&question["answer"].as_str().unwrap()), "{question}");
            assert_eq!(question["type"], "multiple-choice");
            for name in ["topic", "subtopic", "source", "question", "explanation"] {
                assert!(!question[name].as_str().unwrap().is_empty(), "{name}: {question}");
            }
        }
    }

    #[tokio::test]
    async fn a_grade_out_of_range_is_named() {
        let hall = Hall::open().await;
        let wrong = [
            "",
            "?",
            "?grade",
            "?grade=",
            "?grade=0",
            "?grade=11",
            "?grade=-1",
            "?grade=abc",
            "?grade=5.5",
            "?grade=5%00",
            "?grade=99999999999999999999",
            "?grade=%FF",
            "?grade=%E2%85%A4",
        ];
        for query in wrong {
            hall.anonymous().get(&format!("/api/questions{query}")).await.assert_error(400, INVALID_GRADE);
        }
        hall.anonymous().get("/api/questions?Grade=5").await.assert_error(400, "Invalid Grade");
        assert_eq!(hall.anonymous().get("/api/questions?grade=%31%30").await.status, 200);
    }

    #[tokio::test]
    async fn compressed_forms_are_the_same_bank() {
        let hall = Hall::open().await;
        let plain = hall.anonymous().get(PATH).await;
        assert_eq!(plain.header("content-encoding"), "");
        assert!(plain.header("vary").to_lowercase().contains("accept-encoding"), "{:?}", plain.headers);
        for (accepted, encoding) in [
            ("gzip", "gzip"),
            ("br", "br"),
            ("gzip, deflate, br, zstd", "br"),
            ("br;q=0, gzip", "gzip"),
            ("GZIP", "gzip"),
        ] {
            let answer = hall.anonymous().get_with(PATH, "accept-encoding", accepted).await;
            assert_eq!(answer.header("content-encoding"), encoding, "{accepted}");
            assert!(answer.header("vary").to_lowercase().contains("accept-encoding"));
            assert!(
                answer.body.len() * 3 < plain.body.len(),
                "{accepted}: {} of {}",
                answer.body.len(),
                plain.body.len()
            );
            assert_eq!(answer.decoded(), plain.body, "{accepted}");
        }
        for refused in ["identity", "gzip;q=0", "gzip;q=0, br;q=0", "compress"] {
            let answer = hall.anonymous().get_with(PATH, "accept-encoding", refused).await;
            assert_eq!((answer.header("content-encoding"), &answer.body), ("", &plain.body), "{refused}");
        }
    }

    #[tokio::test]
    async fn what_a_client_holds_is_not_sent_again() {
        let hall = Hall::open().await;
        for encoding in ["identity", "gzip", "br"] {
            let tag = hall.anonymous().get_with(PATH, "accept-encoding", encoding).await.header("etag").to_owned();
            assert!(tag.starts_with('"') && tag.ends_with('"') && tag.len() > 10, "a strong tag: {tag}");
            for held in [tag.clone(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".to_owned()] {
                let answer = conditional(&hall, encoding, &held).await;
                assert_eq!((answer.status, answer.body.len()), (304, 0), "{encoding} {held}");
                assert_eq!(answer.header("etag"), tag);
            }
            assert_eq!(conditional(&hall, encoding, "\"other\"").await.status, 200);
        }
    }

    #[tokio::test]
    async fn each_form_and_grade_has_a_tag_of_its_own() {
        let hall = Hall::open().await;
        let mut tags = BTreeSet::new();
        for encoding in ["identity", "gzip", "br"] {
            tags.insert(hall.anonymous().get_with(PATH, "accept-encoding", encoding).await.header("etag").to_owned());
        }
        assert_eq!(tags.len(), 3, "strong tags name bytes: {tags:?}");
        let other_grade = hall.anonymous().get("/api/questions?grade=6").await;
        assert!(!tags.contains(other_grade.header("etag")));
    }

    #[tokio::test]
    async fn no_compressed_form_shows_the_key_either() {
        let hall = Hall::with(&[("PUBLIC_ANSWERS", "false")]).await;
        for encoding in ["gzip", "br"] {
            let answer = hall.anonymous().get_with(PATH, "accept-encoding", encoding).await;
            let text = String::from_utf8(answer.decoded()).unwrap();
            assert!(!text.contains("\"answer\"") && !text.contains("\"explanation\""), "{encoding}");
        }
    }

    #[tokio::test]
    async fn a_grade_has_one_spelling() {
        let hall = Hall::open().await;
        let admin = hall.signed_in("admin").await;
        for grade in ["05", "010", "5.0", "+5", "%205"] {
            for path in [
                "/api/questions?grade=",
                "/api/admin/items?grade=",
                "/api/review/questions?grade=",
                "/api/admin/export?grade=",
                "/api/live/sessions?grade=",
            ] {
                let answer = admin.get(&format!("{path}{grade}")).await;
                let error = answer.json()["error"].as_str().unwrap_or_default().to_owned();
                assert!(answer.status == 400 && error.starts_with("Invalid grade"), "{path}{grade}: {}", answer.text());
            }
        }
    }
}
