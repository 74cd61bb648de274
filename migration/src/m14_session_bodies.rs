//! Gives the large parts of sessions a table of their own, and adds origin, account, template and student of
//! each session, idempotency keys, and what a decision on a grade was about.

use sea_orm_migration::sea_orm::prelude::Uuid;
use sea_orm_migration::sea_orm::{ConnectionTrait, FromQueryResult};
use sea_orm_migration::{prelude::*, schema::*};
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

#[derive(DeriveMigrationName)]
pub struct Migration;

/// Sessions in memory at once. Each has its annotations and its result, and not its drawings.
const SESSIONS_AT_ONCE: u64 = 200;
/// Characters of a student's name that lists show.
const STUDENT_CHARACTERS_MAX: usize = 200;
const BODIES: &str = "INSERT INTO session_bodies (session_id, annotations, result, drawings, graded_by) \
    SELECT session_id, annotations, result, drawings, graded_by FROM sessions_before";
const INDEXES: [&str; 6] = [
    "CREATE INDEX sessions_completed ON sessions (completed_at_ms, session_id)",
    "CREATE INDEX sessions_grade ON sessions (grade, completed_at_ms, session_id)",
    "CREATE INDEX sessions_origin ON sessions (origin, completed_at_ms, session_id)",
    "CREATE INDEX sessions_event ON sessions (event_id, completed_at_ms, session_id) WHERE event_id IS NOT NULL",
    "CREATE INDEX sessions_template ON sessions (template_id, completed_at_ms, session_id) \
     WHERE template_id IS NOT NULL",
    "CREATE INDEX session_keys_created ON session_keys (created_at_ms)",
];
const APPROVAL_COLUMNS: [&str; 3] = ["approved", "pending", "flagged"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// A server that dies in the middle begins again, so no session can be lost between two tables.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        connection.execute_unprepared("ALTER TABLE sessions RENAME TO sessions_before").await?;
        create_sessions(manager).await?;
        create_session_bodies(manager).await?;
        create_session_keys(manager).await?;
        connection.execute_unprepared(BODIES).await?;
        copy_sessions(connection).await?;
        connection.execute_unprepared("DROP TABLE sessions_before").await?;
        for index in INDEXES {
            connection.execute_unprepared(index).await?;
        }
        for column in APPROVAL_COLUMNS {
            connection.execute_unprepared(&format!("ALTER TABLE approvals ADD COLUMN {column} integer")).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        for column in APPROVAL_COLUMNS {
            connection.execute_unprepared(&format!("ALTER TABLE approvals DROP COLUMN {column}")).await?;
        }
        connection
            .execute_unprepared(
                "CREATE TABLE sessions_before AS SELECT sessions.session_id, grade, started_at_ms, completed_at_ms, \
                 webhook_sent, report_url, annotations, result, verified, drawings, graded_by, score, correct_answers, \
                 total_questions, event_id \
                 FROM sessions JOIN session_bodies ON session_bodies.session_id = sessions.session_id",
            )
            .await?;
        for table in ["session_keys", "session_bodies", "sessions"] {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        for statement in [
            "ALTER TABLE sessions_before RENAME TO sessions",
            "CREATE UNIQUE INDEX sessions_id ON sessions (session_id)",
            "CREATE INDEX sessions_completed ON sessions (completed_at_ms, session_id)",
            "CREATE INDEX sessions_event ON sessions (event_id, completed_at_ms, session_id) WHERE event_id IS NOT NULL",
        ] {
            connection.execute_unprepared(statement).await?;
        }
        Ok(())
    }
}

async fn create_sessions(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager
        .create_table(
            Table::create()
                .table("sessions")
                .col(uuid("session_id").primary_key())
                .col(small_integer("grade"))
                .col(big_integer("started_at_ms"))
                .col(big_integer("completed_at_ms"))
                .col(boolean("webhook_sent"))
                .col(text("report_url"))
                .col(boolean("verified"))
                .col(integer("score"))
                .col(integer("correct_answers"))
                .col(integer("total_questions"))
                .col(integer("time_taken"))
                .col(big_integer_null("event_id"))
                .col(uuid_null("template_id"))
                .col(text("origin"))
                .col(text_null("account"))
                .col(text("student"))
                .col(text_null("student_id"))
                .col(text("search_text"))
                .to_owned(),
        )
        .await
}

async fn create_session_bodies(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager
        .create_table(
            Table::create()
                .table("session_bodies")
                .col(uuid("session_id").primary_key())
                .col(text("annotations"))
                .col(text("result"))
                .col(text_null("drawings"))
                .col(text("graded_by"))
                .to_owned(),
        )
        .await
}

async fn create_session_keys(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager
        .create_table(
            Table::create()
                .table("session_keys")
                .col(blob("key_hash").primary_key())
                .col(blob("body_hash"))
                .col(uuid("session_id"))
                .col(text("report_url"))
                .col(big_integer("created_at_ms"))
                .to_owned(),
        )
        .await
}

/// A session as it was stored before, and what its attempt knows, if it has one.
#[derive(FromQueryResult)]
struct Before {
    session_id: Uuid,
    grade: i16,
    started_at_ms: i64,
    completed_at_ms: i64,
    webhook_sent: bool,
    report_url: String,
    annotations: String,
    result: String,
    verified: bool,
    score: i32,
    correct_answers: i32,
    total_questions: i32,
    event_id: Option<i64>,
    attempt_id: Option<Uuid>,
    owner: Option<String>,
    template_id: Option<Uuid>,
}

/// Copies the sessions page by page, in the order of their ids.
async fn copy_sessions(connection: &impl ConnectionTrait) -> Result<(), DbErr> {
    let mut last = None;
    loop {
        let page = next_page(connection, last).await?;
        let Some(newest) = page.last() else { return Ok(()) };
        last = Some(newest.session_id);
        let mut insert = Query::insert();
        insert.into_table("sessions").columns([
            "session_id",
            "grade",
            "started_at_ms",
            "completed_at_ms",
            "webhook_sent",
            "report_url",
            "verified",
            "score",
            "correct_answers",
            "total_questions",
            "time_taken",
            "event_id",
            "template_id",
            "origin",
            "account",
            "student",
            "student_id",
            "search_text",
        ]);
        for before in page {
            insert.values(row(before)).map_err(|error| DbErr::Custom(error.to_string()))?;
        }
        connection.execute(&insert).await?;
    }
}

async fn next_page(connection: &impl ConnectionTrait, last: Option<Uuid>) -> Result<Vec<Before>, DbErr> {
    let of_session = |name: &'static str| ("sessions_before", name);
    let mut query = Query::select();
    query
        .columns(
            [
                "session_id",
                "grade",
                "started_at_ms",
                "completed_at_ms",
                "webhook_sent",
                "report_url",
                "annotations",
                "result",
                "verified",
                "score",
                "correct_answers",
                "total_questions",
                "event_id",
            ]
            .map(of_session),
        )
        .expr_as(Expr::col(("attempts", "session_id")), "attempt_id")
        .column(("attempts", "owner"))
        .column(("attempts", "template_id"))
        .from("sessions_before")
        .left_join("attempts", Expr::col(("attempts", "session_id")).equals(of_session("session_id")))
        .order_by(of_session("session_id"), Order::Asc)
        .limit(SESSIONS_AT_ONCE);
    if let Some(last) = last {
        query.and_where(Expr::col(of_session("session_id")).gt(last));
    }
    let rows = connection.query_all(&query).await?;
    rows.iter().map(|row| Before::from_query_result(row, "")).collect()
}

fn row(before: Before) -> [Expr; 18] {
    let annotations: Value = serde_json::from_str(&before.annotations).unwrap_or_default();
    let (name, student_id) = (annotation(&annotations, "name"), annotation(&annotations, "studentId"));
    let student = name.or_else(|| student_id.clone()).unwrap_or_default();
    // Until now, a test was sat live exactly if there is an attempt of the same id.
    let (origin, account) = if before.attempt_id.is_some() {
        ("live", before.owner.filter(|owner| !owner.is_empty()))
    } else {
        ("client", None)
    };
    let searched =
        [student.as_str(), student_id.as_deref().unwrap_or_default(), account.as_deref().unwrap_or_default()];
    let search_text = searched.map(searchable).join("\n");
    [
        before.session_id.into(),
        before.grade.into(),
        before.started_at_ms.into(),
        before.completed_at_ms.into(),
        before.webhook_sent.into(),
        before.report_url.into(),
        before.verified.into(),
        before.score.into(),
        before.correct_answers.into(),
        before.total_questions.into(),
        time_taken(&before.result).into(),
        before.event_id.into(),
        before.template_id.into(),
        origin.into(),
        account.into(),
        student.into(),
        student_id.into(),
        search_text.into(),
    ]
}

/// A text that is not blank, or a number, cut to the length that lists show.
fn annotation(annotations: &Value, name: &str) -> Option<String> {
    let text = match annotations.get(name)? {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    let text: String = text.chars().take(STUDENT_CHARACTERS_MAX).collect();
    Some(text).filter(|text| !text.is_empty())
}

fn time_taken(result: &str) -> i32 {
    let result: Value = serde_json::from_str(result).unwrap_or_default();
    let seconds = result.get("timeTaken").and_then(Value::as_u64).unwrap_or_default();
    seconds.try_into().unwrap_or(i32::MAX)
}

/// The text in lower case, without accents and with single blanks.
fn searchable(text: &str) -> String {
    let letters = text.nfd().filter(|letter| !is_combining_mark(*letter)).flat_map(char::to_lowercase);
    let folded: String = letters.map(|letter| if letter == 'đ' { 'd' } else { letter }).collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}
