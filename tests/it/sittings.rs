//! Sittings: their planning, rosters, accommodations and results. Each file tests one part.

mod access_code;
mod accommodations;
mod acting;
mod again;
mod beginning;
mod bundle;
mod calling_off;
mod candidates;
mod classes;
mod correction_embargo;
mod devices;
mod doors;
mod effects;
mod embargo;
mod entering;
mod entrant;
mod exam_in_forms;
mod following;
mod forms;
mod hostile;
mod kit;
mod late;
mod marks;
mod moments;
mod moved;
mod news;
mod numbers;
mod oracle;
mod own;
mod paper;
mod papers;
mod pictures;
mod planning;
mod proctor;
mod published;
mod receipts;
mod record;
mod release;
mod reopening;
mod reports;
mod results;
mod roads;
mod roster;
mod rows;
mod sealed_columns;
mod sealed_forms;
mod slips;
mod staff_results;
mod standings;
mod strain;
mod template_in_use;
mod times;
mod undone;
mod versions;

#[path = "lti/course.rs"]
mod course;
#[path = "lti/rosters.rs"]
mod course_rosters;
#[path = "lti/scores.rs"]
mod course_scores;
#[path = "lti/score_queue.rs"]
mod score_queue;

#[path = "sittings"]
mod edge {
    use super::*;

    mod before;
    mod reads;
    mod walk;
}

use std::time::Duration;

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use reqwest::Method;
use sea_orm::{ConnectionTrait, Database, DatabaseTransaction, DbErr, Statement, TransactionTrait};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::hall::{Answer, Caller, Candidate, Hall};

const PATH: &str = "/api/admin/sittings";

/// A server with an admin and a template of 45 minutes, of grade 5.
struct School {
    hall: Hall,
    admin: Caller,
    template: String,
}

impl School {
    async fn open() -> Self {
        Self::with(&[]).await
    }

    async fn with(changes: &[(&str, &str)]) -> Self {
        let hall = Hall::with(changes).await;
        let admin = hall.signed_in("admin").await;
        let template = template(&admin, 5).await;
        Self { hall, admin, template }
    }

    /// So many minutes from now by the server's clock.
    fn at(&self, minutes: i64) -> String {
        time(self.hall.clock.now().utc() + TimeDelta::minutes(minutes))
    }

    fn advance(&self, minutes: u64) {
        self.hall.clock.advance(Duration::from_secs(60 * minutes));
    }

    /// What comes of this while each moment is a second by the server's clock.
    async fn as_time_passes<T>(&self, awaited: impl Future<Output = T>) -> T {
        let passing = async {
            loop {
                tokio::time::sleep(Duration::from_millis(25)).await;
                self.hall.clock.advance(Duration::from_secs(1));
            }
        };
        tokio::select! {
            outcome = awaited => outcome,
            () = passing => unreachable!(),
        }
    }

    /// A sitting that starts in so many minutes.
    async fn sitting(&self, minutes: i64, changes: Value) -> Value {
        let mut body = json!({ "name": "Finals", "templateId": self.template, "startsAt": self.at(minutes) });
        body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        let answer = self.admin.post_json(PATH, &body).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.header("etag"), "\"1\"");
        answer.json()["sitting"].clone()
    }

    async fn read(&self, sitting: &Value) -> Value {
        let answer = self.admin.get(&path(sitting)).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["sitting"].clone()
    }

    async fn patch(&self, sitting: &Value, changes: Value) -> Answer {
        send(&self.admin, Method::PATCH, &path(sitting), &changes).await
    }

    /// Replaces the roster; returns what was done.
    async fn enrol(&self, sitting: &Value, candidates: Value) -> Value {
        let body = json!({ "candidates": candidates });
        let answer = send(&self.admin, Method::PUT, &format!("{}/candidates", path(sitting)), &body).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    }

    async fn candidates(&self, sitting: &Value) -> Vec<Value> {
        let answer = self.admin.get(&format!("{}/candidates", path(sitting))).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["candidates"].as_array().unwrap().clone()
    }

    async fn candidate(&self, sitting: &Value, name: &str) -> Value {
        let found = self.candidates(sitting).await.into_iter().find(|candidate| candidate["name"] == name);
        found.unwrap_or_else(|| panic!("{name} is not on the roster"))
    }

    async fn explain(&self, sitting: &Value, candidate: &Value) -> Value {
        let answer = self.admin.get(&format!("{}/explain", candidate_path(sitting, candidate))).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["explain"].clone()
    }

    /// A candidate enters, signed in with the address on the roster.
    async fn enter(&self, sitting: &Value, candidate: &Value) -> Candidate {
        // The first one to sign in becomes admin.
        self.hall.cookie("head@exam.test").await;
        let cookie = self.hall.cookie(candidate["email"].as_str().unwrap()).await;
        Candidate::enter(&self.hall.base(), &cookie, &sitting["id"]).await
    }

    /// Everybody on the roster enters.
    async fn enter_all(&self, sitting: &Value) -> Vec<Candidate> {
        let mut students = Vec::new();
        for candidate in self.candidates(sitting).await {
            students.push(self.enter(sitting, &candidate).await);
        }
        students
    }

    /// The questions of the sealed paper, with their keys, as they are stored.
    async fn sealed_questions(&self, sitting: &Value) -> Value {
        let connection = Database::connect(self.hall.database_url()).await.unwrap();
        let statement = Statement::from_sql_and_values(
            connection.get_database_backend(),
            "SELECT questions FROM sealed_parts WHERE sitting_id = $1",
            vec![id(sitting).into()],
        );
        let row = connection.query_one_raw(statement).await.unwrap().unwrap();
        connection.close().await.unwrap();
        serde_json::from_str(&row.try_get_by_index::<String>(0).unwrap()).unwrap()
    }

    async fn release(&self, sitting: &Value) -> Answer {
        Answer::to(self.admin.request(Method::POST, &format!("{}/release", path(sitting)))).await
    }

    /// The same although somebody begins later, or another sitting needs the paper.
    async fn release_before_all_have_come(&self, sitting: &Value) -> Answer {
        Answer::to(self.admin.request(Method::POST, &format!("{}/release?force=true", path(sitting)))).await
    }

    /// Locks the row of a sitting, until the transaction ends.
    async fn hold(&self, sitting: &Value) -> DatabaseTransaction {
        let transaction = Database::connect(self.hall.database_url()).await.unwrap().begin().await.unwrap();
        let locking = "UPDATE sittings SET version = version WHERE id = $1";
        self.within(&transaction, locking, vec![id(sitting).into()]).await;
        transaction
    }

    /// Changes rows in a transaction.
    async fn within(&self, transaction: &DatabaseTransaction, statement: &str, values: Vec<sea_orm::Value>) {
        let statement = Statement::from_sql_and_values(transaction.get_database_backend(), statement, values);
        transaction.execute_raw(statement).await.unwrap();
    }

    /// Copies a row of the store under another id in a transaction, with what a statement changes in the copy.
    async fn copy(&self, transaction: &DatabaseTransaction, table: &str, row: Uuid, copy: (Uuid, &str)) {
        let (id, changes) = copy;
        let create = format!("CREATE TEMP TABLE copied AS SELECT * FROM {table} WHERE 1 = 0");
        transaction.execute_unprepared(&create).await.unwrap();
        let insert = format!("INSERT INTO copied SELECT * FROM {table} WHERE id = $1");
        self.within(transaction, &insert, vec![row.into()]).await;
        self.within(transaction, &format!("UPDATE copied SET id = $1, {changes}"), vec![id.into()]).await;
        for statement in [&format!("INSERT INTO {table} SELECT * FROM copied"), "DROP TABLE copied"] {
            transaction.execute_unprepared(statement).await.unwrap();
        }
    }

    /// Changes one row of the store.
    async fn execute(&self, statement: &str, values: Vec<sea_orm::Value>) -> Result<(), DbErr> {
        execute(&self.hall, statement, values).await
    }
}

/// Changes one row of a hall's store.
async fn execute(hall: &Hall, statement: &str, values: Vec<sea_orm::Value>) -> Result<(), DbErr> {
    let connection = Database::connect(hall.database_url()).await?;
    let statement = Statement::from_sql_and_values(connection.get_database_backend(), statement, values);
    let done = connection.execute_raw(statement).await;
    connection.close().await?;
    assert_eq!(done?.rows_affected(), 1);
    Ok(())
}

fn id(value: &Value) -> Uuid {
    value["id"].as_str().unwrap().parse().unwrap()
}

fn time(moment: DateTime<Utc>) -> String {
    moment.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// A template of ten questions in 45 minutes.
async fn template(admin: &Caller, grade: u8) -> String {
    let targets = json!({ "1": 1, "2": 2, "3": 2, "4": 2, "5": 3 });
    let config = json!({ "name": "Final paper", "grades": [grade], "mode": "standard", "durationMinutes": 45, "standardTargets": targets });
    let answer = admin.post_json("/api/admin/test-templates", &config).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["template"]["id"].as_str().unwrap().to_owned()
}

fn path(sitting: &Value) -> String {
    format!("{PATH}/{}", sitting["id"].as_str().unwrap())
}

fn candidate_path(sitting: &Value, candidate: &Value) -> String {
    format!("{}/candidates/{}", path(sitting), candidate["id"].as_str().unwrap())
}

async fn send(caller: &Caller, method: Method, path: &str, body: &Value) -> Answer {
    Answer::to(caller.request(method, path).json(body)).await
}

async fn delete(caller: &Caller, path: &str) -> Answer {
    Answer::to(caller.request(Method::DELETE, path)).await
}
