//! Adds when the exam of each calendar event opens, so that a start need not parse events, and an index of deliveries
//! by which a server learns which receivers answer.

use sea_orm_migration::prelude::*;
use sea_orm_migration::sea_orm::{ConnectionTrait, Statement};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// Events that one statement reads.
const EVENTS_PER_STATEMENT: i64 = 1_000;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Also on SQLite, where a step that was interrupted in its middle could never run again.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        for statement in [
            "ALTER TABLE calendar_events ADD COLUMN exam_template text",
            "ALTER TABLE calendar_events ADD COLUMN exam_opens_at_ms bigint",
            "CREATE INDEX calendar_events_exam ON calendar_events (exam_template, status, exam_opens_at_ms) \
             WHERE exam_template IS NOT NULL",
            "CREATE INDEX deliveries_delivered ON deliveries (delivered_at_ms, host) WHERE delivered_at_ms IS NOT NULL",
        ] {
            connection.execute_unprepared(statement).await?;
        }
        fill(connection).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for statement in [
            "DROP INDEX deliveries_delivered",
            "DROP INDEX calendar_events_exam",
            "ALTER TABLE calendar_events DROP COLUMN exam_opens_at_ms",
            "ALTER TABLE calendar_events DROP COLUMN exam_template",
        ] {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }
}

/// The exams of templates open when their events start. Until now none could open earlier.
async fn fill(connection: &impl ConnectionTrait) -> Result<(), DbErr> {
    let backend = connection.get_database_backend();
    let mut after = 0;
    loop {
        let query = format!(
            "SELECT id, exam FROM calendar_events WHERE exam IS NOT NULL AND id > {after} ORDER BY id \
             LIMIT {EVENTS_PER_STATEMENT}"
        );
        let rows = connection.query_all_raw(Statement::from_string(backend, query)).await?;
        let Some(last) = rows.last() else { return Ok(()) };
        after = last.try_get::<i64>("", "id")?;
        for row in rows {
            let (id, exam) = (row.try_get::<i64>("", "id")?, row.try_get::<String>("", "exam")?);
            let Some(template) = template_of(&exam) else { continue };
            let filled = format!(
                "UPDATE calendar_events SET exam_template = '{template}', exam_opens_at_ms = starts_at_ms WHERE id = {id}"
            );
            connection.execute_unprepared(&filled).await?;
        }
    }
}

/// The template's id in lower case, as the calendar has always written it in `{"templateId":"…"}`. Nothing else may get
/// into a statement.
fn template_of(exam: &str) -> Option<&str> {
    let (_, rest) = exam.split_once("\"templateId\":\"")?;
    let (id, _) = rest.split_once('"')?;
    let is_id = id.len() == 36 && id.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    is_id.then_some(id)
}
