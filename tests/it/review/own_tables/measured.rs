//! Measured difficulties: from which tests they come, when they are told and to whom, and which server measures.

use std::time::Duration;

use domain::grade::Grade;
use domain::measured_difficulty::MeasuredValue;
use domain::time::moment::Moment;
use entities::{measured_difficulty, measurement, session, session_body};
use examhall::store::measurements::{self, ALL_YEARS};
use futures_util::future::join;
use sea_orm::{ActiveValue::Set, Database, EntityTrait, PaginatorTrait};
use serde_json::{Value, json};
use uuid::Uuid;

use super::found;
use crate::hall::{Hall, answer, eventually};

/// A little longer than a server waits before it looks again.
const LOOK: Duration = Duration::from_secs(601);
/// How long it waits before it measures a grade again.
const AGAIN: Duration = Duration::from_secs(6 * 60 * 60);
/// A look that is under way when the clock is moved sleeps after it, so that it is moved again after so many probes.
const PROBES: usize = 40;

/// A server with one live test of ten questions of grade 5, which is copied.
struct Measured {
    hall: Hall,
    paper: Vec<String>,
    test: session::Model,
    body: session_body::Model,
}

impl Measured {
    async fn open() -> Self {
        let hall = Hall::open().await;
        let bank = hall.bank(5).await;
        let mut candidate = hall.sit(json!({ "grade": 5, "questionCount": 10 })).await;
        for id in candidate.paper.clone() {
            candidate.send(answer(&id, bank.key(&id))).await;
        }
        candidate.settle().await;
        candidate.submit().await;
        hall.stored_session(&candidate.session_id).await;
        let database = Database::connect(hall.database_url()).await.unwrap();
        let test = session::Entity::find().one(&database).await.unwrap().unwrap();
        let body = session_body::Entity::find().one(&database).await.unwrap().unwrap();
        session_body::Entity::delete_many().exec(&database).await.unwrap();
        session::Entity::delete_many().exec(&database).await.unwrap();
        database.close().await.unwrap();
        Self { hall, paper: candidate.paper.clone(), test, body }
    }

    /// Stores so many tests of this origin. In each the next question is wrong, and the one at `hard` in two of three.
    /// Half of the live ones are of a sitting whose results are held, as those of one that does not exist are.
    async fn store(&self, count: usize, origin: &str, hard: usize) {
        let database = Database::connect(self.hall.database_url()).await.unwrap();
        for number in 0..count {
            let id = Uuid::new_v4();
            let mut result: Value = serde_json::from_str(&self.body.result).unwrap();
            for (place, line) in result["answers"].as_array_mut().unwrap().iter_mut().enumerate() {
                let is_hard = line["questionId"] == *self.paper[hard];
                let is_wrong = if is_hard { number % 3 > 0 } else { number % 10 == place };
                if is_wrong {
                    let wrong = if line["correct"] == "A" { "B" } else { "A" };
                    (line["selected"], line["isCorrect"]) = (json!(wrong), json!(false));
                }
            }
            let test = session::ActiveModel {
                session_id: Set(id),
                origin: Set(origin.to_owned()),
                sitting_id: Set((origin == "live" && number.is_multiple_of(2)).then(Uuid::new_v4)),
                completed_at_ms: Set(self.test.completed_at_ms + i64::try_from(number).unwrap()),
                ..self.test.clone().into()
            };
            let body = session_body::ActiveModel {
                session_id: Set(id),
                result: Set(result.to_string()),
                ..self.body.clone().into()
            };
            session::Entity::insert(test).exec_without_returning(&database).await.unwrap();
            session_body::Entity::insert(body).exec_without_returning(&database).await.unwrap();
        }
        database.close().await.unwrap();
    }

    /// Lets so much time pass, and more, until grade 5 is measured after this moment. Returns that, and how many values
    /// there are.
    async fn measured_after(&self, moment: i64, time: Duration) -> (measurement::Model, u64) {
        let database = Database::connect(self.hall.database_url()).await.unwrap();
        self.hall.clock.advance(time);
        let mut probes = 0_usize;
        let row = eventually("the grade is measured", async || {
            probes += 1;
            if probes.is_multiple_of(PROBES) {
                self.hall.clock.advance(LOOK);
            }
            let row = measurement::Entity::find_by_id(5_i16).one(&database).await.unwrap();
            row.filter(|row| row.measured_at_ms > moment)
        })
        .await;
        let values = measured_difficulty::Entity::find().count(&database).await.unwrap();
        database.close().await.unwrap();
        (row, values)
    }
}

fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap()
}

fn item<'a>(figures: &'a Value, id: &str) -> &'a Value {
    figures["items"].as_array().unwrap().iter().find(|item| item["questionId"] == *id).unwrap()
}

#[tokio::test]
async fn from_thirty_live_answers_on_staff_are_told_the_difficulty() {
    let school = Measured::open().await;
    let reviewer = school.hall.staff_of("reviewer", 5).await;
    school.store(29, "live", 3).await;
    school.store(40, "client", 3).await;
    let (first, values) = school.measured_after(0, LOOK).await;
    assert_eq!(values, 0, "29 answers, whatever clients have handed in");
    let figures = found(&reviewer.get("/api/admin/items?grade=5").await);
    assert!(figures["sessions"] == 29 && !figures.to_string().contains("measured"), "{figures}");
    school.store(31, "live", 3).await;
    let (_, values) = school.measured_after(first.measured_at_ms, AGAIN + LOOK).await;
    assert_eq!(values, 20, "ten questions, in all years and in the one");
    let reviewer = school.hall.staff_of("reviewer", 5).await;
    // Not the address from above, whose answer is kept for some seconds.
    let figures = found(&reviewer.get("/api/admin/items?grade=5&origin=all").await);
    let hard = &item(&figures, &school.paper[3])["measured"];
    let other = &item(&figures, &school.paper[4])["measured"];
    assert_eq!((&hard["answers"], hard["years"].as_array().unwrap().len()), (&json!(60), 1), "held ones too");
    let number = |value: &Value, name: &str| value[name].as_f64().unwrap();
    assert!((1.0..=5.0).contains(&number(hard, "difficulty")) && number(hard, "error") > 0.0, "{hard}");
    assert!(number(hard, "difficulty") > number(other, "difficulty") + number(hard, "error"), "{hard} {other}");
    assert_eq!(hard["years"][0]["difficulty"], hard["difficulty"]);
    // What clients have handed in has nothing of it, and nobody else is told.
    let of_clients = found(&reviewer.get("/api/admin/items?grade=5&origin=client").await);
    assert!(of_clients["sessions"] == 40 && !of_clients.to_string().contains("measured"), "{of_clients}");
    let other = school.hall.staff_of("reviewer", 6).await;
    assert_eq!(other.get("/api/admin/items?grade=5").await.status, 403);
    assert_eq!(school.hall.anonymous().get("/api/admin/items?grade=5").await.status, 401);
}

#[tokio::test]
async fn a_key_that_was_edited_leaves_its_earlier_answers_out() {
    let school = Measured::open().await;
    let admin = school.hall.signed_in("admin").await;
    let bank = school.hall.bank(5).await;
    school.store(35, "live", 3).await;
    let id = &school.paper[3];
    found(&super::edit(&admin, id, json!({ "answer": bank.wrong(id) })).await);
    let (_, values) = school.measured_after(0, LOOK).await;
    assert_eq!(values, 18, "nine questions");
}

#[tokio::test]
async fn a_grade_that_cannot_be_measured_holds_up_no_other() {
    let school = Measured::open().await;
    school.store(31, "live", 3).await;
    // Another grade comes before this one, and its labels cannot be read: division by zero is an error on Postgres, and
    // no number on SQLite.
    let one = "SELECT session_id FROM sessions LIMIT 1";
    school.hall.alter(&format!("UPDATE sessions SET grade = 4 WHERE session_id = ({one})")).await;
    school.hall.alter("ALTER TABLE questions RENAME TO all_questions").await;
    let labels = "CAST(difficulty / CASE grade WHEN 4 THEN 0 ELSE 1 END AS SMALLINT) AS difficulty";
    let view = format!("CREATE VIEW questions AS SELECT id, grade, answer, number, {labels} FROM all_questions");
    school.hall.alter(&view).await;
    let (_, values) = school.measured_after(0, LOOK).await;
    assert_eq!(values, 20, "ten questions of the one grade, in all years and in the one");
    let database = Database::connect(school.hall.database_url()).await.unwrap();
    let other = measurement::Entity::find_by_id(4_i16).one(&database).await.unwrap().unwrap();
    database.close().await.unwrap();
    assert_eq!((other.measured_at_ms, other.mark.as_str()), (0, ""), "it was tried");
}

#[tokio::test]
async fn of_two_servers_one_measures() {
    let school = Measured::open().await;
    let _other = Hall::with_store_of(&school.hall, &[]).await;
    school.store(30, "live", 3).await;
    let (first, _) = school.measured_after(0, LOOK).await;
    school.store(1, "live", 3).await;
    let (second, _) = school.measured_after(first.measured_at_ms, AGAIN + LOOK).await;
    assert_eq!((first.fence, second.fence), (1, 2), "each measurement was begun once");
    assert!(second.measured_at_ms >= first.measured_at_ms + milliseconds(AGAIN), "not with each test");
}

#[tokio::test]
async fn a_grade_is_taken_once_and_a_server_that_was_taken_for_dead_stores_nothing() {
    let hall = Hall::open().await;
    let database = examhall::database::Database::open(hall.database_url(), 4, 1).await.unwrap();
    let (grade, now) = (Grade::new(7).unwrap(), Moment::from_milliseconds(1_000_000_000));
    let since = now.plus(-1);
    let take = |mark: &'static str, at: Moment| measurements::take(&database, (grade, mark), at, since);
    let (one, other) = join(take("a", now), take("a", now)).await;
    let taken: Vec<i64> = [one.unwrap(), other.unwrap()].into_iter().flatten().collect();
    assert_eq!(taken, [1]);
    let later = now.plus(46 * 60 * 1_000);
    assert_eq!(take("a", later).await.unwrap(), Some(2), "its lease has run out");
    let value = MeasuredValue { difficulty_thousandths: 2_000, error_thousandths: 300, answers: 30 };
    let rows = [(ALL_YEARS, "q".to_owned(), value)];
    assert!(!measurements::put(&database, (grade, 1), "a", later, &rows).await.unwrap());
    assert!(measurements::load(&database, grade).await.unwrap().is_empty());
    measurements::give_back(&database, grade, 2).await.unwrap();
    assert_eq!(take("a", later).await.unwrap(), Some(3), "given back before its lease ends");
    assert!(measurements::put(&database, (grade, 3), "a", later, &rows).await.unwrap());
    assert_eq!(measurements::load(&database, grade).await.unwrap().len(), 1);
    let (long_after, before) = (later.plus(1_000), later.plus(1));
    let again =
        async |mark: &str, since| measurements::take(&database, (grade, mark), long_after, since).await.unwrap();
    assert_eq!(again("a", before).await, None, "nothing has changed");
    assert_eq!(again("b", now).await, None, "it was measured since");
    assert_eq!(again("b", before).await, Some(4));
    database.close().await;
}

#[tokio::test]
async fn a_server_that_measures_for_long_keeps_its_grade() {
    const MINUTE: i64 = 60 * 1_000;
    let hall = Hall::open().await;
    let database = examhall::database::Database::open(hall.database_url(), 2, 1).await.unwrap();
    let (grade, begun) = (Grade::new(7).unwrap(), Moment::from_milliseconds(1_000_000_000));
    let take = async |minutes: i64| {
        measurements::take(&database, (grade, "a"), begun.plus(minutes * MINUTE), begun).await.unwrap()
    };
    let hold = async |fence: i64, minutes: i64| {
        measurements::hold(&database, (grade, fence), begun.plus(minutes * MINUTE)).await.unwrap()
    };
    assert_eq!(take(0).await, Some(1));
    for minutes in (0..300).step_by(40) {
        assert!(hold(1, minutes).await);
        assert_eq!(take(minutes + 40).await, None, "after {minutes} minutes it is still at work");
    }
    assert_eq!(take(400).await, Some(2), "it has not said so for long");
    assert!(!hold(1, 400).await, "so it stops");
    database.close().await;
}

#[tokio::test]
async fn a_grade_whose_tests_are_gone_has_no_values() {
    let school = Measured::open().await;
    school.store(30, "live", 3).await;
    let (first, values) = school.measured_after(0, LOOK).await;
    assert_eq!(values, 20);
    let database = Database::connect(school.hall.database_url()).await.unwrap();
    session_body::Entity::delete_many().exec(&database).await.unwrap();
    session::Entity::delete_many().exec(&database).await.unwrap();
    database.close().await.unwrap();
    let (second, values) = school.measured_after(first.measured_at_ms, AGAIN + LOOK).await;
    assert_eq!((values, second.fence), (0, 2));
}

#[tokio::test]
async fn nothing_is_measured_while_many_are_at_work() {
    let school = Measured::open().await;
    school.store(30, "live", 3).await;
    let mut students = Vec::new();
    for _ in 0..31 {
        students.push(school.hall.sit(json!({ "grade": 5, "questionCount": 10, "durationMinutes": 60 })).await);
    }
    school.hall.clock.advance(LOOK);
    let begun = school.hall.clock.now().milliseconds();
    students[0].submit().await;
    school.hall.stored_session(&students[0].session_id).await;
    let (row, _) = school.measured_after(0, LOOK).await;
    assert!(row.measured_at_ms >= begun + milliseconds(LOOK), "with one less, by the second look");
}
