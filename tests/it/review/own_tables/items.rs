//! Item statistics of tests that were really stored, against the same figures worked out from their answers.

use std::collections::BTreeMap;

use entities::{session, session_body};
use sea_orm::{ActiveValue::Set, Database, EntityTrait};
use serde_json::{Value, json};
use uuid::Uuid;

use super::found;
use crate::hall::{Bank, Caller, Hall, answer, eventually};

/// The tests here are handed in by clients.
const PATH: &str = "/api/admin/items?grade=5&origin=all";

/// A small generator of its own, so that the tests are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit
    }
}

/// A student's test of `length` of the first `pool` questions.
fn test(bank: &Bank, dice: &mut Dice, pool: usize, length: usize) -> Value {
    let mut ids = bank.ids();
    ids.truncate(pool);
    let ability = dice.below(9) + 1;
    let lines: Vec<Value> = (0..length)
        .map(|_| {
            let id = ids.remove(dice.below(ids.len()));
            let right = dice.below(10) < ability;
            let selected = if right { bank.key(&id) } else { ["", bank.wrong(&id), "D"][dice.below(3)] };
            let mut line = json!({ "questionId": id, "selected": selected });
            if dice.below(5) > 0 {
                line["timeTaken"] = json!(dice.below(300));
            }
            line
        })
        .collect();
    let result = json!({ "score": 200, "correctAnswers": 0, "totalQuestions": length, "timeTaken": 60, "topicBreakdown": [], "difficultyBreakdown": [], "answers": lines });
    json!({ "grade": 5, "startedAt": "2026-01-05T09:00:00.000Z", "baseUrl": "https://exam.example", "result": result })
}

async fn store(caller: &Caller, body: &Value) -> Value {
    let id = found(&caller.post_json("/api/sessions", body).await)["sessionId"].as_str().unwrap().to_owned();
    found(&caller.get(&format!("/api/sessions/{id}")).await)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

/// Correlation by its definition; none when one side is always the same.
fn correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let (xs, ys): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let (x, y) = (mean(&xs), mean(&ys));
    let (xx, yy): (f64, f64) =
        (xs.iter().map(|value| (value - x).powi(2)).sum(), ys.iter().map(|value| (value - y).powi(2)).sum());
    let xy: f64 = pairs.iter().map(|pair| (pair.0 - x) * (pair.1 - y)).sum();
    (xx > 1e-12 && yy > 1e-12).then(|| xy / (xx * yy).sqrt())
}

fn is_right(line: &Value) -> bool {
    line["isCorrect"].as_bool().unwrap()
}

/// Share of the points of all questions but one.
fn rest(bank: &Bank, session: &Value, id: &str) -> f64 {
    let others: Vec<(f64, bool)> = lines(session)
        .iter()
        .filter(|line| line["questionId"] != id)
        .map(|line| (bank.difficulty(line["questionId"].as_str().unwrap()) as f64, is_right(line)))
        .collect();
    others.iter().filter(|(_, right)| *right).map(|(points, _)| points).sum::<f64>()
        / others.iter().map(|(points, _)| points).sum::<f64>()
}

fn lines(session: &Value) -> &Vec<Value> {
    session["result"]["answers"].as_array().unwrap()
}

fn expected_item(bank: &Bank, sessions: &[Value], id: &str) -> Value {
    let own: Vec<(&Value, &Value)> = sessions
        .iter()
        .filter_map(|session| Some((session, lines(session).iter().find(|line| line["questionId"] == id)?)))
        .collect();
    let share = |is: &dyn Fn(&Value) -> bool| {
        rounded(own.iter().filter(|(_, line)| is(line)).count() as f64 / own.len() as f64)
    };
    let pairs: Vec<(f64, f64)> =
        own.iter().map(|(session, line)| (f64::from(u8::from(is_right(line))), rest(bank, session, id))).collect();
    let mut times: Vec<u64> = own.iter().filter_map(|(_, line)| line["timeTaken"].as_u64()).collect();
    times.sort_unstable();
    let median = (!times.is_empty()).then(|| (times[(times.len() - 1) / 2] + times[times.len() / 2]).div_ceil(2));
    let chosen = |letter: &'static str| share(&move |line| line["selected"] == letter);
    json!({
        "questionId": id, "attempts": own.len(), "pValue": share(&is_right), "discrimination": correlation(&pairs).map(rounded), "medianTime": median,
        "options": { "A": chosen("A"), "B": chosen("B"), "C": chosen("C"), "D": chosen("D"), "none": chosen("") },
    })
}

/// KR-20 of tests of the same questions, with the variances of the population.
fn kr20(sessions: &[Value]) -> f64 {
    let right: Vec<f64> =
        sessions.iter().map(|session| lines(session).iter().filter(|line| is_right(line)).count() as f64).collect();
    let variance = mean(&right.iter().map(|count| (count - mean(&right)).powi(2)).collect::<Vec<_>>());
    let mut by_question: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for line in sessions.iter().flat_map(lines) {
        by_question.entry(line["questionId"].as_str().unwrap()).or_default().push(f64::from(u8::from(is_right(line))));
    }
    let questions = by_question.len() as f64;
    let products: f64 = by_question.values().map(|right| mean(right) * (1.0 - mean(right))).sum();
    questions / (questions - 1.0) * (1.0 - products / variance)
}

#[tokio::test]
async fn one_paper_for_all_is_as_in_the_textbook() {
    let hall = Hall::open().await;
    let (bank, admin, mut dice) = (hall.bank(5).await, hall.signed_in("admin").await, Dice(7));
    let mut sessions = Vec::new();
    for _ in 0..40 {
        sessions.push(store(&hall.anonymous(), &test(&bank, &mut dice, 12, 12)).await);
    }
    let figures = found(&admin.get(PATH).await);
    assert_figures(&figures, &bank, &sessions);
    let reliability = figures["reliability"].as_f64().unwrap();
    assert!(
        (reliability - kr20(&sessions)).abs() < 0.000_051 && reliability > 0.3,
        "{reliability} {}",
        kr20(&sessions)
    );
}

#[tokio::test]
async fn papers_of_any_length_are_counted_question_by_question() {
    let hall = Hall::open().await;
    let (bank, admin, mut dice) = (hall.bank(5).await, hall.signed_in("admin").await, Dice(99));
    let mut sessions = Vec::new();
    for number in 0..60 {
        sessions.push(store(&hall.anonymous(), &test(&bank, &mut dice, 30, 2 + number % 9)).await);
    }
    assert_figures(&found(&admin.get(PATH).await), &bank, &sessions);
}

#[track_caller]
fn assert_figures(figures: &Value, bank: &Bank, sessions: &[Value]) {
    assert_eq!((&figures["grade"], &figures["sessions"]), (&json!(5), &json!(sessions.len())));
    let asked: std::collections::BTreeSet<&str> =
        sessions.iter().flat_map(lines).map(|line| line["questionId"].as_str().unwrap()).collect();
    let items = figures["items"].as_array().unwrap();
    assert_eq!(
        items.iter().map(|item| item["questionId"].as_str().unwrap()).collect::<Vec<_>>(),
        Vec::from_iter(asked),
        "each question once, by id"
    );
    for item in items {
        let expected = expected_item(bank, sessions, item["questionId"].as_str().unwrap());
        for name in ["attempts", "medianTime"] {
            assert_eq!(item[name], expected[name], "{name}: {item}");
        }
        let near = |found: &Value, expected: &Value| match (found.as_f64(), expected.as_f64()) {
            (Some(found), Some(expected)) => (found - expected).abs() < 0.000_11,
            (None, None) => found.is_null() && expected.is_null(),
            _ => false,
        };
        assert!(
            near(&item["pValue"], &expected["pValue"]) && near(&item["discrimination"], &expected["discrimination"]),
            "{item}\n{expected}"
        );
        for (name, share) in expected["options"].as_object().unwrap() {
            assert!(near(&item["options"][name], share), "{name}: {item}\n{expected}");
        }
    }
}

#[tokio::test]
async fn only_what_the_server_has_graded_counts() {
    let hall = Hall::open().await;
    let (bank, admin, mut dice) = (hall.bank(5).await, hall.signed_in("admin").await, Dice(1));
    let good = test(&bank, &mut dice, 10, 10);
    let stored = store(&hall.anonymous(), &good).await;
    let mut foreign = good.clone();
    foreign["result"]["answers"][0]["questionId"] = json!("of-another-bank");
    assert_eq!(store(&hall.anonymous(), &foreign).await["verified"], false);
    let mut of_another_grade = test(&hall.bank(6).await, &mut dice, 10, 10);
    of_another_grade["grade"] = json!(6);
    assert_eq!(store(&hall.anonymous(), &of_another_grade).await["verified"], true);
    let mut empty = good.clone();
    (empty["result"]["answers"], empty["result"]["totalQuestions"]) = (json!([]), json!(0));
    store(&hall.anonymous(), &empty).await;
    let figures = found(&admin.get(PATH).await);
    assert_figures(&figures, &bank, &[stored]);
    assert_eq!(
        (&figures["reliability"], &figures["items"][0]["discrimination"]),
        (&Value::Null, &Value::Null),
        "one test tells neither"
    );
    assert_eq!(
        found(&admin.get("/api/admin/items?grade=7").await),
        json!({ "grade": 7, "sessions": 0, "reliability": null, "items": [] })
    );
}

#[tokio::test]
async fn live_tests_count_with_the_key_they_were_graded_by() {
    let hall = Hall::open().await;
    let (bank, admin) = (hall.bank(5).await, hall.signed_in("admin").await);
    let mut candidate = hall.sit(json!({ "grade": 5, "questionCount": 10 })).await;
    for id in candidate.paper.clone() {
        candidate.send(answer(&id, bank.key(&id))).await;
    }
    candidate.settle().await;
    candidate.submit().await;
    hall.stored_session(&candidate.session_id).await;
    for id in &candidate.paper {
        found(&super::edit(&admin, id, json!({ "answer": bank.wrong(id) })).await);
    }
    let figures = found(&admin.get(PATH).await);
    assert_eq!((&figures["sessions"], figures["items"].as_array().unwrap().len()), (&json!(1), 10));
    for item in figures["items"].as_array().unwrap() {
        let key = bank.key(item["questionId"].as_str().unwrap());
        assert_eq!((&item["pValue"], &item["gradedBy"]), (&json!(1.0), &json!({ key: 1 })), "by the key of then");
    }
}

/// The stored session again and again, by hundreds at the same moment, so that pages end between two of one moment.
async fn repeat(hall: &Hall, times: usize) {
    let database = Database::connect(hall.database_url()).await.unwrap();
    let row = session::Entity::find().one(&database).await.unwrap().unwrap();
    let body = session_body::Entity::find().one(&database).await.unwrap().unwrap();
    let ids: Vec<Uuid> = (0..times).map(|_| Uuid::new_v4()).collect();
    let again = |number: usize| session::ActiveModel {
        session_id: Set(ids[number]),
        completed_at_ms: Set(row.completed_at_ms + i64::try_from(number / 700).unwrap()),
        ..row.clone().into()
    };
    let rows: Vec<_> = (0..times).map(again).collect();
    for rows in rows.chunks(1_000) {
        session::Entity::insert_many(rows.to_vec()).exec_without_returning(&database).await.unwrap();
    }
    for ids in ids.chunks(1_000) {
        let again = |id: &Uuid| session_body::ActiveModel { session_id: Set(*id), ..body.clone().into() };
        let bodies = ids.iter().map(again);
        session_body::Entity::insert_many(bodies).exec_without_returning(&database).await.unwrap();
    }
    database.close().await.unwrap();
}

#[tokio::test]
async fn many_pages_and_many_teachers_have_the_same_figures() {
    const TESTS: usize = 2_003;
    let hall = Hall::open().await;
    let (bank, admin, mut dice) = (hall.bank(5).await, hall.signed_in("admin").await, Dice(3));
    let body = test(&bank, &mut dice, 10, 5);
    let stored = store(&hall.anonymous(), &body).await;
    repeat(&hall, TESTS - 1).await;
    let answers = futures_util::future::join_all((0..20).map(|_| admin.get(PATH))).await;
    let figures = found(&answers[0]);
    assert!(answers.iter().all(|answer| answer.body == answers[0].body));
    assert_eq!(figures["sessions"], TESTS, "no test is counted twice or left out between two pages");
    for line in lines(&stored) {
        let item =
            figures["items"].as_array().unwrap().iter().find(|item| item["questionId"] == line["questionId"]).unwrap();
        assert_eq!((&item["attempts"], item["pValue"] == 1.0), (&json!(TESTS), is_right(line)));
    }
    store(&hall.anonymous(), &body).await;
    let counted = async || Some(found(&admin.get(PATH).await)).filter(|figures| figures["sessions"] == TESTS + 1);
    eventually("the figures are counted again", counted).await;
}
