//! Adds the calendar: events, venues and organizers, which share one sequence of ids, and categories and tags.

use sea_orm_migration::sea_orm::{ConnectionTrait, DbBackend};
use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub struct Migration;

const TABLES: [&str; 10] = [
    "calendar_authors",
    "calendar_ids",
    "calendar_events",
    "calendar_days",
    "calendar_venues",
    "calendar_organizers",
    "calendar_texts",
    "calendar_terms",
    "calendar_event_terms",
    "calendar_event_organizers",
];
const INDEXES: [&str; 20] = [
    "CREATE UNIQUE INDEX calendar_authors_email ON calendar_authors (email)",
    // Drafts may have an empty slug.
    "CREATE UNIQUE INDEX calendar_events_slug ON calendar_events (slug) WHERE slug <> ''",
    // Lists are sorted like this index, and counting them needs no other part of the rows.
    "CREATE INDEX calendar_events_listed ON calendar_events \
     (starts_local, id, starts_at_ms, status, is_hidden, ends_at_ms, is_featured, venue_id) WHERE NOT is_hidden",
    "CREATE INDEX calendar_events_venue ON calendar_events (venue_id, status, starts_at_ms) WHERE venue_id IS NOT NULL",
    "CREATE INDEX calendar_events_scheduled ON calendar_events (published_at_ms) WHERE status = 'future'",
    "CREATE INDEX calendar_venues_scheduled ON calendar_venues (published_at_ms) WHERE status = 'future'",
    "CREATE INDEX calendar_organizers_scheduled ON calendar_organizers (published_at_ms) WHERE status = 'future'",
    "CREATE UNIQUE INDEX calendar_venues_slug ON calendar_venues (slug)",
    "CREATE INDEX calendar_venues_name ON calendar_venues (name_key)",
    "CREATE INDEX calendar_venues_published ON calendar_venues (published_at_ms, id)",
    "CREATE INDEX calendar_venues_placed ON calendar_venues (latitude) WHERE latitude IS NOT NULL",
    "CREATE UNIQUE INDEX calendar_organizers_slug ON calendar_organizers (slug)",
    "CREATE INDEX calendar_organizers_name ON calendar_organizers (name_key)",
    "CREATE INDEX calendar_organizers_published ON calendar_organizers (published_at_ms, id)",
    "CREATE UNIQUE INDEX calendar_terms_slug ON calendar_terms (taxonomy, slug)",
    "CREATE INDEX calendar_terms_name ON calendar_terms (taxonomy, name_key)",
    // A new slug gets a number that no term of either taxonomy has.
    "CREATE INDEX calendar_terms_any_slug ON calendar_terms (slug)",
    "CREATE INDEX calendar_terms_parent ON calendar_terms (parent) WHERE parent IS NOT NULL",
    "CREATE INDEX calendar_event_terms_term ON calendar_event_terms (term_id, event_id)",
    "CREATE INDEX calendar_event_organizers_organizer ON calendar_event_organizers (organizer_id, event_id)",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let backend = manager.get_database_backend();
        for table in [
            numbers("calendar_authors", "email"),
            numbers("calendar_ids", "kind"),
            events(backend),
            venues(backend),
            organizers(backend),
            terms(backend),
        ] {
            manager.create_table(table).await?;
        }
        for table in [days(), texts(), event_terms(), event_organizers()] {
            manager.create_table(table).await?;
        }
        for index in INDEXES {
            manager.get_connection().execute_unprepared(index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in TABLES.into_iter().rev() {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        Ok(())
    }
}

/// The id of a record. SQLite uses only a column of type `integer` as the row's own key; any other type would need an
/// index beside it.
fn number(backend: DbBackend) -> ColumnDef {
    if backend == DbBackend::Sqlite { integer("id") } else { big_integer("id") }
}

/// A text that both databases sort by its bytes. Without the collation Postgres would sort by the rules of a language.
fn plain_text(name: &'static str, backend: DbBackend) -> ColumnDef {
    let mut column = text(name);
    if backend == DbBackend::Postgres {
        column.extra("COLLATE \"C\"");
    }
    column
}

fn numbers(table: &'static str, of: &'static str) -> TableCreateStatement {
    Table::create().table(table).col(big_integer("id").auto_increment().primary_key()).col(text(of)).to_owned()
}

/// The columns that events, venues and organizers have in common.
fn record(table: &'static str, backend: DbBackend) -> TableCreateStatement {
    Table::create()
        .table(table)
        .col(number(backend).primary_key())
        .col(big_integer("author"))
        .col(text("status"))
        .col(plain_text("slug", backend))
        .col(text_null("former_slug"))
        .col(big_integer("published_at_ms"))
        .col(boolean("is_dated"))
        .col(big_integer("modified_at_ms"))
        .col(text_null("image"))
        .to_owned()
}

fn events(backend: DbBackend) -> TableCreateStatement {
    let mut table = record("calendar_events", backend);
    table
        .col(text("title"))
        .col(boolean("is_all_day"))
        .col(plain_text("starts_local", backend))
        .col(plain_text("ends_local", backend))
        .col(big_integer("starts_at_ms"))
        .col(big_integer("ends_at_ms"))
        .col(text("timezone"))
        .col(text("cost"))
        .col(text_null("website"))
        .col(boolean("shows_map"))
        .col(boolean("shows_map_link"))
        .col(boolean("is_hidden"))
        .col(boolean("is_sticky"))
        .col(boolean("is_featured"))
        .col(big_integer_null("venue_id"))
        .col(text_null("exam"))
        // Long texts come last: SQLite reads a row from its start, and only as far as it needs.
        .col(text("search"))
        .col(text("excerpt"))
        .col(text("description"));
    table
}

fn days() -> TableCreateStatement {
    let mut key = Index::create().col("day").col("status").to_owned();
    Table::create()
        .table("calendar_days")
        .col(big_integer("day"))
        .col(text("status"))
        .col(big_integer("events"))
        .primary_key(&mut key)
        .to_owned()
}

fn venues(backend: DbBackend) -> TableCreateStatement {
    let mut table = record("calendar_venues", backend);
    table.col(text("name")).col(plain_text("name_key", backend));
    for name in ["address", "city", "country", "province", "state", "state_province", "zip", "phone", "website"] {
        table.col(text(name));
    }
    table
        .col(boolean("shows_map"))
        .col(boolean("shows_map_link"))
        .col(double_null("latitude"))
        .col(double_null("longitude"));
    table.col(text("description"));
    table
}

fn organizers(backend: DbBackend) -> TableCreateStatement {
    let mut table = record("calendar_organizers", backend);
    table
        .col(text("name"))
        .col(plain_text("name_key", backend))
        .col(text("phone"))
        .col(text("website"))
        .col(text("email"));
    table.col(text("description"));
    table
}

fn terms(backend: DbBackend) -> TableCreateStatement {
    Table::create()
        .table("calendar_terms")
        .col(big_integer("id").auto_increment().primary_key())
        .col(text("taxonomy"))
        .col(text("name"))
        .col(plain_text("name_key", backend))
        .col(plain_text("slug", backend))
        .col(plain_text("description", backend))
        .col(big_integer_null("parent"))
        .col(big_integer("count"))
        .to_owned()
}

fn texts() -> TableCreateStatement {
    let mut key = Index::create().col("record_id").col("position").to_owned();
    Table::create()
        .table("calendar_texts")
        .col(big_integer("record_id"))
        .col(small_integer("position"))
        .col(text("text"))
        .primary_key(&mut key)
        .to_owned()
}

fn event_terms() -> TableCreateStatement {
    let mut key = Index::create().col("event_id").col("term_id").to_owned();
    Table::create()
        .table("calendar_event_terms")
        .col(big_integer("event_id"))
        .col(big_integer("term_id"))
        .primary_key(&mut key)
        .to_owned()
}

fn event_organizers() -> TableCreateStatement {
    let mut key = Index::create().col("event_id").col("organizer_id").to_owned();
    Table::create()
        .table("calendar_event_organizers")
        .col(big_integer("event_id"))
        .col(big_integer("organizer_id"))
        .col(integer("position"))
        .primary_key(&mut key)
        .to_owned()
}
