//! Adds sittings: exams for lists of people at set times, with their halls, candidates and accommodations, what
//! proctors put on record, which attempt belongs to which candidate, and durations and ends that only such attempts
//! have. A session gets a second delivery when its result is released, and a question may be for exams alone.

use sea_orm_migration::sea_orm::{ConnectionTrait, DbBackend};
use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

/// Both databases take any number of nulls for different values, so a candidate with an e-mail address needs no id of
/// another system. The last index makes "one attempt each" a fact of the database.
const STATEMENTS: [&str; 15] = [
    "CREATE INDEX sittings_start ON sittings (starts_at_ms)",
    "CREATE INDEX sittings_template ON sittings (template_id)",
    "CREATE UNIQUE INDEX rooms_name ON rooms (sitting_id, folded_name)",
    "CREATE UNIQUE INDEX candidates_email ON candidates (sitting_id, email)",
    "CREATE UNIQUE INDEX candidates_external_id ON candidates (sitting_id, external_id)",
    "CREATE INDEX candidates_person ON candidates (email) WHERE email IS NOT NULL",
    "CREATE INDEX candidates_room ON candidates (room_id) WHERE room_id IS NOT NULL",
    "CREATE INDEX incidents_sitting ON incidents (sitting_id, at_ms)",
    "CREATE INDEX sitting_events_sitting ON sitting_events (sitting_id, candidate_id)",
    "CREATE INDEX sessions_sitting ON sessions (sitting_id) WHERE sitting_id IS NOT NULL",
    // Those whose time does not count yet: the end of the year 9999 stands for a time that nobody knows.
    "CREATE INDEX attempts_waiting ON attempts (sitting_id) WHERE started_at_ms = 253402300799999 AND ended_at_ms IS NULL",
    "CREATE INDEX attempts_token ON attempts (sitting_id, token_hash) WHERE sitting_id IS NOT NULL",
    "CREATE INDEX candidates_access_half ON candidates (sitting_id, access_half_hash)",
    "CREATE INDEX candidates_access_code ON candidates (sitting_id, access_code_hash)",
    "CREATE UNIQUE INDEX attempts_candidate ON attempts (sitting_id, candidate_id) WHERE sitting_id IS NOT NULL",
];

/// Postgres names the constraint of a unique column itself.
const DELIVERIES_ON_POSTGRES: [&str; 2] = [
    "ALTER TABLE deliveries DROP CONSTRAINT deliveries_session_id_key",
    "ALTER TABLE deliveries ADD COLUMN event text NOT NULL DEFAULT 'test.completed'",
];
/// SQLite cannot take a constraint off a column, so the rows move into another table.
const DELIVERIES_ON_SQLITE: [&str; 6] = [
    "INSERT INTO deliveries_new SELECT id, session_id, url, host, status, attempts, last_status, last_error, \
     next_attempt_at_ms, created_at_ms, delivered_at_ms, 'test.completed' FROM deliveries",
    "DROP TABLE deliveries",
    "ALTER TABLE deliveries_new RENAME TO deliveries",
    "CREATE INDEX deliveries_due ON deliveries (status, next_attempt_at_ms)",
    "CREATE INDEX deliveries_created ON deliveries (created_at_ms)",
    "CREATE INDEX deliveries_delivered ON deliveries (delivered_at_ms, host) WHERE delivered_at_ms IS NOT NULL",
];
const ONE_DELIVERY: &str = "CREATE UNIQUE INDEX deliveries_session_event ON deliveries (session_id, event)";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Also on SQLite, where a step that was interrupted in its middle could never run again.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_table(sittings()).await?;
        manager.create_table(rooms()).await?;
        manager.create_table(candidates()).await?;
        manager.create_table(accommodations()).await?;
        manager.create_table(sealed_parts()).await?;
        manager.create_table(incidents()).await?;
        manager.create_table(sitting_events()).await?;
        // SQLite adds one column at a time.
        for column in [
            uuid_null("sitting_id"),
            uuid_null("candidate_id"),
            big_integer_null("given_ms"),
            big_integer_null("hard_end_ms"),
        ] {
            manager.alter_table(Table::alter().table("attempts").add_column(column).to_owned()).await?;
        }
        let of_sessions = Table::alter().table("sessions").add_column(uuid_null("sitting_id")).to_owned();
        manager.alter_table(of_sessions).await?;
        let secure = boolean("secure").default(false).take();
        manager.alter_table(Table::alter().table("questions").add_column(secure).to_owned()).await?;
        let moves: &[&str] = if manager.get_database_backend() == DbBackend::Sqlite {
            manager.create_table(deliveries()).await?;
            &DELIVERIES_ON_SQLITE
        } else {
            &DELIVERIES_ON_POSTGRES
        };
        for statement in STATEMENTS.iter().chain(moves).chain([&ONE_DELIVERY]) {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let one_for_each_session = match manager.get_database_backend() {
            DbBackend::Sqlite => "CREATE UNIQUE INDEX deliveries_session_id_key ON deliveries (session_id)",
            _ => "ALTER TABLE deliveries ADD CONSTRAINT deliveries_session_id_key UNIQUE (session_id)",
        };
        for statement in [
            "DROP INDEX attempts_token",
            "DROP INDEX attempts_waiting",
            "DELETE FROM deliveries WHERE event <> 'test.completed'",
            "DROP INDEX deliveries_session_event",
            "ALTER TABLE deliveries DROP COLUMN event",
            one_for_each_session,
            "ALTER TABLE questions DROP COLUMN secure",
            "DROP INDEX sessions_sitting",
            "ALTER TABLE sessions DROP COLUMN sitting_id",
            "DROP INDEX attempts_candidate",
            "ALTER TABLE attempts DROP COLUMN hard_end_ms",
            "ALTER TABLE attempts DROP COLUMN given_ms",
            "ALTER TABLE attempts DROP COLUMN candidate_id",
            "ALTER TABLE attempts DROP COLUMN sitting_id",
        ] {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        let tables =
            ["sitting_events", "incidents", "sealed_parts", "accommodations", "candidates", "rooms", "sittings"];
        for table in tables {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}

fn sittings() -> TableCreateStatement {
    Table::create()
        .table("sittings")
        .col(uuid("id").primary_key())
        .col(text("name"))
        .col(uuid("template_id"))
        .col(big_integer("starts_at_ms"))
        .col(text("start"))
        .col(boolean("per_room"))
        .col(big_integer_null("doors_at_ms"))
        .col(big_integer_null("entry_until_ms"))
        .col(big_integer_null("ends_at_ms"))
        .col(text("late"))
        .col(text("results"))
        .col(big_integer_null("results_at_ms"))
        .col(text("code").unique_key())
        .col(big_integer_null("opened_at_ms"))
        .col(boolean("opened_early").default(false))
        .col(big_integer_null("begun_at_ms"))
        .col(big_integer_null("released_at_ms"))
        .col(big_integer_null("ended_at_ms"))
        .col(big_integer_null("event_id"))
        .col(boolean("publish").default(false))
        .col(text_null("webhook_url"))
        .col(blob_null("sealing_key"))
        .col(big_integer("version"))
        .col(big_integer("marks").default(0))
        .col(text("created_by"))
        .col(big_integer("created_at_ms"))
        .to_owned()
}

fn rooms() -> TableCreateStatement {
    Table::create()
        .table("rooms")
        .col(uuid("id").primary_key())
        .col(uuid("sitting_id"))
        .col(text("name"))
        .col(text("folded_name"))
        .col(text("code"))
        .col(text("proctors"))
        .col(big_integer_null("starts_at_ms"))
        .col(big_integer_null("ends_at_ms"))
        .col(integer_null("factor"))
        .col(integer_null("extra_minutes"))
        .col(big_integer_null("begun_at_ms"))
        .to_owned()
}

fn candidates() -> TableCreateStatement {
    Table::create()
        .table("candidates")
        .col(uuid("id").primary_key())
        .col(uuid("sitting_id"))
        .col(text_null("email"))
        .col(text_null("external_id"))
        .col(text("name"))
        .col(uuid_null("room_id"))
        .col(text_null("seat"))
        .col(integer_null("factor"))
        .col(integer_null("extra_minutes"))
        .col(big_integer_null("starts_at_ms"))
        .col(big_integer_null("ends_at_ms"))
        .col(integer_null("accommodation_factor"))
        .col(integer_null("accommodation_extra_minutes"))
        .col(text_null("note"))
        .col(blob_null("access_code_hash"))
        .col(blob_null("access_half_hash"))
        .col(integer("wrong_tries").default(0))
        .col(uuid_null("session_id"))
        .col(big_integer_null("entered_at_ms"))
        .col(text_null("admitted_by"))
        .col(text_null("present_by"))
        .col(big_integer_null("present_at_ms"))
        .col(text_null("absent_by"))
        .col(big_integer_null("absent_at_ms"))
        .to_owned()
}

fn deliveries() -> TableCreateStatement {
    Table::create()
        .table("deliveries_new")
        .col(uuid("id").primary_key())
        .col(uuid("session_id"))
        .col(text("url"))
        .col(text("host"))
        .col(text("status"))
        .col(integer("attempts"))
        .col(small_integer_null("last_status"))
        .col(text_null("last_error"))
        .col(big_integer_null("next_attempt_at_ms"))
        .col(big_integer("created_at_ms"))
        .col(big_integer_null("delivered_at_ms"))
        .col(text("event"))
        .to_owned()
}

fn sealed_parts() -> TableCreateStatement {
    Table::create()
        .table("sealed_parts")
        .col(uuid("sitting_id"))
        .col(text("part"))
        .col(blob("sealed"))
        .col(blob("sha256"))
        .col(text("questions"))
        .primary_key(Index::create().col("sitting_id").col("part"))
        .to_owned()
}

fn accommodations() -> TableCreateStatement {
    Table::create()
        .table("accommodations")
        .col(text("email").primary_key())
        .col(integer_null("factor"))
        .col(integer_null("extra_minutes"))
        .col(text("flags"))
        .col(text_null("note"))
        .col(big_integer_null("valid_until_ms"))
        .col(text("changed_by"))
        .col(big_integer("changed_at_ms"))
        .to_owned()
}

fn incidents() -> TableCreateStatement {
    Table::create()
        .table("incidents")
        .col(uuid("id").primary_key())
        .col(uuid("sitting_id"))
        .col(uuid_null("candidate_id"))
        .col(uuid_null("room_id"))
        .col(text("kind"))
        .col(text("text"))
        .col(text("by"))
        .col(big_integer("at_ms"))
        .to_owned()
}

fn sitting_events() -> TableCreateStatement {
    Table::create()
        .table("sitting_events")
        .col(big_pk_auto("id"))
        .col(uuid("sitting_id"))
        .col(uuid_null("candidate_id"))
        .col(uuid_null("room_id"))
        .col(big_integer("at_ms"))
        .col(text("kind"))
        .col(text("by"))
        .col(text("detail"))
        .to_owned()
}
