//! The calendar scenario: many events are inserted into the database, then a visitor requests lists of them, one after
//! another.

use crate::calendar_rows::{self, CATEGORIES, CalendarRows, ORGANIZERS, RARE_WORD, TAGS, VENUES};
use crate::failure::Failure;
use crate::metrics::ServerReading;
use crate::output;
use crate::server::Server;
use crate::table::{Row, count, figure, seat_latency};
use crate::tally::Times;
use clap::Args;
use entities::calendar::{author, event, event_organizer, event_term, number, organizer, term, venue};
use sea_orm::ActiveValue::{NotSet, Set};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, EntityTrait, PaginatorTrait, TransactionTrait};
use serde_json::Value;
use tokio::time::Instant;

/// Rows of one statement. SQLite allows 32,766 values, and an event has 28.
const ROWS_PER_STATEMENT: usize = 1_000;
/// The two years that contain all events: as wide as the window of a list that names none.
const WINDOW: &str = "start_date=2030-01-01&end_date=2031-12-31";
/// Sets how often each term is used. Correct for this data only: every event is published, none is hidden, and all are
/// after 1970. `docs/operations.md` has statements for any data.
const COUNT_TERMS: &str = "UPDATE calendar_terms SET count = \
    (SELECT COUNT(*) FROM calendar_event_terms \
    WHERE calendar_event_terms.term_id = calendar_terms.id)";
/// Sets how many events start on each day, for the same data.
const COUNT_DAYS: &str = "INSERT INTO calendar_days (day, status, events) \
    SELECT starts_at_ms / 86400000, status, COUNT(*) FROM calendar_events GROUP BY 1, 2";

#[derive(Args)]
pub struct CalendarOptions {
    /// Events to insert into the database.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(100..=10_000_000))]
    events: u32,
    /// How often each query is sent.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    requests: u32,
    /// Path at which the calendar's routes begin.
    #[arg(long, default_value = "/wp-json/tribe/events/v1")]
    root: String,
    /// URL of the server's database, whose calendar must be empty.
    #[arg(long, env = "DATABASE_URL")]
    database_url: String,
}

/// A query and the number of events it must find; `None` when that is not known in advance.
struct CalendarQuery {
    label: &'static str,
    path: String,
    total: Option<u64>,
}

/// Runs the scenario. It passes when every list had the expected total.
pub async fn run(server: &Server, options: &CalendarOptions) -> Result<bool, Failure> {
    let insertion = Instant::now();
    insert(options).await?;
    let insertion = insertion.elapsed();
    output::progress("The events are in the database; requesting lists");
    let (mut rows, mut wrong) = (vec![count("events", options.events.into())], 0);
    rows.push(figure("put into the database within", Some(insertion.as_secs_f64()), " s"));
    for query in queries(options) {
        let (row, wrong_totals) = measure(server, &query, options.requests).await?;
        rows.push(row);
        wrong += wrong_totals;
    }
    rows.push(figure(
        "server memory",
        ServerReading::take(server).await.resident_bytes.map(|bytes| bytes / 1_048_576.0),
        " MiB",
    ));
    rows.push(count("wrong totals", wrong));
    output::print_rows(&rows, wrong == 0);
    Ok(wrong == 0)
}

fn queries(options: &CalendarOptions) -> Vec<CalendarQuery> {
    let (all, rare) = (Some(u64::from(options.events)), Some(calendar_rows::rare_event_count(options.events)));
    let list = |label, query: String, total| CalendarQuery {
        label,
        path: format!("{}/events?{WINDOW}{query}", options.root),
        total,
    };
    let one = VENUES + ORGANIZERS + 1;
    vec![
        list("list of 10", String::new(), all),
        list("list of 50", "&per_page=50".to_owned(), all),
        list("the last page of 10", format!("&page={}", options.events.div_ceil(10)), all),
        CalendarQuery {
            label: "a day",
            path: format!("{}/events?start_date=2030-07-01&end_date=2030-07-01", options.root),
            total: None,
        },
        list("search, one in 100", format!("&search={RARE_WORD}"), rare),
        list("category, one in 10", "&categories=1".to_owned(), None),
        list("category, one in 100", format!("&categories={CATEGORIES}"), rare),
        list("category and tag", format!("&categories=2&tags={}", CATEGORIES + 1), None),
        list("venue, one in 200", "&venue=1".to_owned(), None),
        list("organizer, one in 100", format!("&organizer={}", VENUES + 1), None),
        list("featured", "&featured=1".to_owned(), None),
        CalendarQuery {
            label: "events that end in a month",
            path: format!("{}/events?ends_after=2030-06-30&ends_before=2030-08-01", options.root),
            total: None,
        },
        CalendarQuery {
            label: "venues with events",
            path: format!("{}/venues?has_events=1", options.root),
            total: None,
        },
        CalendarQuery {
            label: "organizers of coming events",
            path: format!("{}/organizers?only_with_upcoming=1", options.root),
            total: None,
        },
        CalendarQuery { label: "one event", path: format!("{}/events/{one}", options.root), total: None },
        CalendarQuery {
            label: "one event by its slug",
            path: format!("{}/events/by-slug/exam-{one}", options.root),
            total: None,
        },
    ]
}

async fn measure(server: &Server, query: &CalendarQuery, requests: u32) -> Result<(Row, u64), Failure> {
    let (times, mut wrong) = (Times::new()?, 0);
    for _ in 0..requests {
        let begin = Instant::now();
        let answer = server.get_public(&query.path).await?;
        times.record(begin.elapsed());
        let total = answer.get("total").and_then(Value::as_u64);
        wrong += u64::from(query.total.is_some() && query.total != total);
    }
    Ok((seat_latency(query.label, times.percentiles()), wrong))
}

async fn insert(options: &CalendarOptions) -> Result<(), Failure> {
    let database = Database::connect(&options.database_url).await?;
    if number::Entity::find().count(&database).await? > 0 || term::Entity::find().count(&database).await? > 0 {
        return Err("the calendar is not empty: give the server a database of its own".into());
    }
    // The rows name each other by numbers that count from 1. If the database numbers them otherwise, everything is
    // rolled back.
    let transaction = database.begin().await?;
    author::Entity::insert(author::ActiveModel { id: NotSet, email: Set("load@exam.example".to_owned()) })
        .exec_without_returning(&transaction)
        .await?;
    term::Entity::insert_many(calendar_rows::terms()).exec_without_returning(&transaction).await?;
    for (kind, records) in [("venue", VENUES), ("organizer", ORGANIZERS), ("event", i64::from(options.events))] {
        insert_numbers(&transaction, kind, usize::try_from(records)?).await?;
    }
    venue::Entity::insert_many((1..=VENUES).map(calendar_rows::venue)).exec_without_returning(&transaction).await?;
    let organizers = (VENUES + 1..=VENUES + ORGANIZERS).map(calendar_rows::organizer);
    organizer::Entity::insert_many(organizers).exec_without_returning(&transaction).await?;
    insert_events(&transaction, options.events as usize).await?;
    for statement in [COUNT_TERMS, COUNT_DAYS] {
        transaction.execute_unprepared(statement).await?;
    }
    check_numbers(&transaction, options.events).await?;
    transaction.commit().await?;
    analyze(&database).await?;
    Ok(database.close().await?)
}

async fn insert_numbers(transaction: &impl ConnectionTrait, kind: &str, mut left: usize) -> Result<(), Failure> {
    while left > 0 {
        let rows = left.min(ROWS_PER_STATEMENT);
        left -= rows;
        number::Entity::insert_many((0..rows).map(|_| calendar_rows::record_number(kind)))
            .exec_without_returning(transaction)
            .await?;
    }
    Ok(())
}

async fn insert_events(transaction: &impl ConnectionTrait, mut left: usize) -> Result<(), Failure> {
    let mut rows = CalendarRows::new();
    while left > 0 {
        let batch: Vec<_> = (0..left.min(ROWS_PER_STATEMENT)).map(|_| rows.event()).collect();
        left -= batch.len();
        let (mut events, mut terms, mut organizers) = (vec![], vec![], vec![]);
        for row in batch {
            events.push(row.event);
            terms.extend(row.terms);
            organizers.push(row.organizer);
        }
        event::Entity::insert_many(events).exec_without_returning(transaction).await?;
        event_term::Entity::insert_many(terms).exec_without_returning(transaction).await?;
        event_organizer::Entity::insert_many(organizers).exec_without_returning(transaction).await?;
    }
    Ok(())
}

async fn check_numbers(transaction: &impl ConnectionTrait, events: u32) -> Result<(), Failure> {
    let last = i64::from(events) + VENUES + ORGANIZERS;
    let has_last =
        number::Entity::find_by_id(last).one(transaction).await?.is_some_and(|number| number.kind == "event");
    let has_last_term = term::Entity::find_by_id(CATEGORIES + TAGS).one(transaction).await?.is_some();
    if has_last && has_last_term {
        Ok(())
    } else {
        Err("the calendar has had records before: give the server a new database".into())
    }
}

/// Collects the planner's statistics, which a server that has run for long would already have.
async fn analyze(database: &DatabaseConnection) -> Result<(), Failure> {
    let statement =
        if database.get_database_backend() == sea_orm::DbBackend::Postgres { "VACUUM ANALYZE" } else { "ANALYZE" };
    database.execute_unprepared(statement).await?;
    Ok(())
}
