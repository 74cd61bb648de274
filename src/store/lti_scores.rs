//! The scores for learning platforms, in the outbox: which are to be sent of which tests, and the bytes of each.
//!
//! A row of the outbox is written in the transaction of the result. Its bytes are made when it is first sent, since
//! only then it is certain which scores of the person came before; after that they stay, so that a repeat is the same.

use std::collections::{HashMap, HashSet};

use domain::delivery::DeliveryStatus;
use domain::lti::SCOPE_SCORE;
use domain::time::moment::Moment;
use domain::webhook_target::place_of;
use entities::{delivery, lti_link, lti_score};
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, FromQueryResult,
    QueryFilter, QueryOrder, QuerySelect, Statement, Value,
};
use uuid::Uuid;

use super::lti::find_link_by_id;
use super::lti_places::{ScorePlace, place_of_score};
use super::many_rows;
use crate::database::Database;

/// A test has ended; its result may be held.
pub const SCORE_ENDED: &str = "score.ended";
/// The result of a test that ended before is released.
pub const SCORE_RELEASED: &str = "score.released";
/// A test has another result than was told before.
pub const SCORE_CHANGED: &str = "score.changed";
/// All of them, by which the rows of the outbox are known.
pub const SCORE_EVENTS: [&str; 3] = [SCORE_ENDED, SCORE_RELEASED, SCORE_CHANGED];

/// Why a score fails that is queued nevertheless, so that somebody sees it and sends it again.
pub const NO_COLUMN: &str = "the link has no column in the platform's grade book";
pub const NO_SCOPE: &str = "the platform does not allow scores for the link";
/// Of several tests of a person by one link the newest is told alone: an older one would take its place. It is a
/// condition on `taken` and `sessions`.
pub(super) const IS_NEWEST: &str = "NOT EXISTS (SELECT 1 FROM lti_tests others JOIN sessions later \
    ON later.session_id = others.session_id WHERE others.link_id = taken.link_id \
    AND others.person_id = taken.person_id AND later.completed_at_ms > sessions.completed_at_ms)";

/// The same as a list in SQL.
pub(super) fn events() -> String {
    SCORE_EVENTS.map(|event| format!("'{event}'")).join(", ")
}

/// Tests of one statement, of which a score is queued. Each is a value, and links are a few more.
const TESTS_PER_STATEMENT: usize = 5_000;
/// Columns whose hosts are expected to answer soon: those of links to sittings whose doors are open.
const AWAITED_COLUMNS_MAX: u64 = 500;

/// Which test was sat by whom, and by which link they came: of tests that were begun by a link, and of candidates whom
/// a platform has named. `of_test` and `of_attempt` are conditions on them.
pub(super) fn taken(of_test: &str, of_attempt: &str) -> String {
    format!(
        "SELECT lti_tests.session_id, lti_tests.link_id, lti_tests.person_id FROM lti_tests WHERE {of_test} \
         UNION ALL SELECT attempts.session_id, lti_candidates.link_id, lti_candidates.person_id \
         FROM attempts JOIN lti_candidates ON lti_candidates.candidate_id = attempts.candidate_id \
         WHERE {of_attempt} AND lti_candidates.link_id IS NOT NULL \
         AND NOT EXISTS (SELECT 1 FROM lti_tests begun WHERE begun.session_id = attempts.session_id)"
    )
}

/// Queues what is to be told of these tests: of those that somebody of a platform has sat by a link. They are due at
/// once, or have failed already where the link can be given no scores.
pub async fn queue(
    connection: &impl ConnectionTrait,
    event: &'static str,
    session_ids: &[Uuid],
    now: Moment,
) -> Result<(), DbErr> {
    let backend = connection.get_database_backend();
    for session_ids in session_ids.chunks(TESTS_PER_STATEMENT) {
        let (of_test, ids) = many_rows::among(backend, "lti_tests.session_id", session_ids, 1);
        let (of_attempt, _) = many_rows::among(backend, "attempts.session_id", session_ids, 1);
        insert(connection, event, (&taken(&of_test, &of_attempt), ids), "", now).await?;
    }
    Ok(())
}

/// Queues [`SCORE_RELEASED`] for the finished tests of a sitting, in the transaction that releases it.
pub async fn queue_released(
    transaction: &DatabaseTransaction,
    sitting_id: Uuid,
    only_unbegun: bool,
    now: Moment,
) -> Result<(), DbErr> {
    let of_test = "lti_tests.session_id IN (SELECT session_id FROM sessions WHERE sitting_id = $1)";
    let unbegun = if only_unbegun { "AND sessions.started_at_ms >= sessions.completed_at_ms" } else { "" };
    let taken = taken(of_test, "attempts.sitting_id = $1");
    insert(transaction, SCORE_RELEASED, (&taken, vec![sitting_id.into()]), unbegun, now).await
}

/// Where the scores of a link go, as rows of the outbox have it.
struct ScoreTarget {
    link_id: Uuid,
    url: String,
    host: String,
    /// Why none can be sent.
    fault: Option<&'static str>,
}

/// Where the scores of a link go, and why none can be sent there, if none can. A link of which only the list of columns
/// is known can be given some: its column is looked for when a score is sent.
pub(super) fn way_of(
    line_item: Option<&str>,
    line_items: Option<&str>,
    scopes: &str,
) -> (String, Option<&'static str>) {
    let url = line_item.or(line_items);
    let takes_scores =
        serde_json::from_str::<Vec<String>>(scopes).is_ok_and(|all| all.iter().any(|it| it == SCOPE_SCORE));
    let fault = match url {
        _ if !takes_scores => Some(NO_SCOPE),
        None => Some(NO_COLUMN),
        Some(_) => None,
    };
    (url.unwrap_or_default().to_owned(), fault)
}

/// Inserts a row for each of the tests of which scores are told. `which` are tests with links, and the values of that
/// query; `condition` is one more on sessions.
pub(super) async fn insert(
    connection: &impl ConnectionTrait,
    event: &'static str,
    which: (&str, Vec<Value>),
    condition: &str,
    now: Moment,
) -> Result<(), DbErr> {
    let (taken, mut values) = which;
    let targets = find_targets(connection, taken, values.clone()).await?;
    // Most schools have no platform, and most tests no link.
    if targets.is_empty() {
        return Ok(());
    }
    let backend = connection.get_database_backend();
    let mut next = values.len() + 1;
    let mut place = |value: Value| {
        values.push(value);
        next += 1;
        format!("${}", next - 1)
    };
    let now = place(now.milliseconds().into());
    let rows: Vec<String> = targets
        .into_iter()
        .map(|ScoreTarget { link_id, url, host, fault }| {
            let status = if fault.is_some() { DeliveryStatus::Failed } else { DeliveryStatus::Pending };
            let (link_id, url, host) = (place(link_id.into()), place(url.into()), place(host.into()));
            let (status, fault) = (place(status.name().into()), place(fault.map(str::to_owned).into()));
            format!("({link_id}, {url}, {host}, {status}, {fault})")
        })
        .collect();
    let (new_id, rows) = (many_rows::new_id(backend), rows.join(", "));
    let events = events();
    // Later than all rows of the same test, whatever the clock says: by this the order of a test's scores is known.
    let created_at = format!(
        "COALESCE((SELECT CASE WHEN MAX(earlier.created_at_ms) >= {now} THEN MAX(earlier.created_at_ms) + 1 END \
         FROM deliveries earlier WHERE earlier.session_id = taken.session_id AND earlier.event IN ({events})), {now})"
    );
    let text = format!(
        "INSERT INTO deliveries (id, session_id, url, host, status, last_error, attempts, next_attempt_at_ms, \
         created_at_ms, event, version) SELECT {new_id}, taken.session_id, target.column2, target.column3, \
         target.column4, target.column5, 0, CASE WHEN target.column4 = 'pending' THEN {now} END, {created_at}, \
         '{event}', sessions.version FROM ({taken}) AS taken JOIN sessions ON sessions.session_id = taken.session_id \
         JOIN (VALUES {rows}) AS target ON target.column1 = taken.link_id WHERE {IS_NEWEST} {condition} \
         ON CONFLICT (session_id, event, version) DO NOTHING"
    );
    connection.execute_raw(Statement::from_sql_and_values(backend, text, values)).await.map(|_| ())
}

/// Where the scores of these tests' links go.
async fn find_targets(
    connection: &impl ConnectionTrait,
    taken: &str,
    values: Vec<Value>,
) -> Result<Vec<ScoreTarget>, DbErr> {
    #[derive(FromQueryResult)]
    struct Row {
        id: Uuid,
        line_item: Option<String>,
        line_items: Option<String>,
        scopes: String,
    }
    let text = format!(
        "SELECT id, line_item, line_items, scopes FROM lti_links \
         WHERE id IN (SELECT taken.link_id FROM ({taken}) AS taken)"
    );
    let statement = Statement::from_sql_and_values(connection.get_database_backend(), text, values);
    let rows = Row::find_by_statement(statement).all(connection).await?;
    let target = |Row { id, line_item, line_items, scopes }: Row| {
        let (url, fault) = way_of(line_item.as_deref(), line_items.as_deref(), &scopes);
        // By the address alone: whether it may be reached is checked when something is sent there.
        let host = place_of(&url).unwrap_or_default();
        ScoreTarget { link_id: id, url, host, fault }
    };
    Ok(rows.into_iter().map(target).collect())
}

/// The tests of these of which a release is queued or told.
pub async fn find_released(database: &Database, session_ids: &[Uuid]) -> Result<HashSet<Uuid>, DbErr> {
    use delivery::Column;
    if session_ids.is_empty() {
        return Ok(HashSet::new());
    }
    let query = delivery::Entity::find().select_only().column(Column::SessionId);
    let query = query.filter(Column::SessionId.is_in(session_ids.to_vec())).filter(Column::Event.eq(SCORE_RELEASED));
    Ok(query.into_tuple::<Uuid>().all(&database.read).await?.into_iter().collect())
}

/// Bytes of a score that stay the same in all attempts, and their moment.
#[derive(Clone, Debug)]
pub struct ScoreText {
    pub delivery_id: Uuid,
    pub link_id: Uuid,
    pub person_id: Uuid,
    pub timestamp: Moment,
    pub body: String,
}

/// The bytes of these deliveries, of those that have some.
pub async fn find_texts(database: &Database, ids: &[Uuid]) -> Result<HashMap<Uuid, String>, DbErr> {
    use lti_score::Column;
    let query = lti_score::Entity::find().select_only().columns([Column::DeliveryId, Column::Body]);
    let query = query.filter(Column::DeliveryId.is_in(ids.to_vec())).filter(Column::Body.ne(NOT_MADE));
    Ok(query.into_tuple::<(Uuid, String)>().all(&database.read).await?.into_iter().collect())
}

/// Those of these deliveries that a platform has taken before, and that are sent again.
pub async fn find_arrived(database: &Database, ids: &[Uuid]) -> Result<HashSet<Uuid>, DbErr> {
    use lti_score::Column;
    let query = lti_score::Entity::find().select_only().column(Column::DeliveryId);
    let query = query.filter(Column::DeliveryId.is_in(ids.to_vec())).filter(Column::HasArrived.eq(true));
    Ok(query.into_tuple::<Uuid>().all(&database.read).await?.into_iter().collect())
}

/// The latest moments of scores of these columns and people. Of a link that was removed nobody knows the column any
/// more, so that its moments count for all columns of the person.
pub async fn find_last_moments(
    database: &Database,
    places: &HashSet<ScorePlace>,
) -> Result<HashMap<ScorePlace, Moment>, DbErr> {
    #[derive(FromQueryResult)]
    struct Row {
        link_id: Uuid,
        person_id: Uuid,
        /// The link, as long as there is one.
        bound_id: Option<Uuid>,
        line_item: Option<String>,
        timestamp_ms: i64,
    }
    let people: Vec<Uuid> = places.iter().map(|(_, person)| *person).collect::<HashSet<_>>().into_iter().collect();
    let backend = database.read.get_database_backend();
    let (of_people, ids) = many_rows::among(backend, "lti_scores.person_id", &people, 1);
    let text = format!(
        "SELECT lti_scores.link_id, lti_scores.person_id, lti_links.id AS bound_id, lti_links.line_item, \
         MAX(lti_scores.timestamp_ms) AS timestamp_ms FROM lti_scores \
         LEFT JOIN lti_links ON lti_links.id = lti_scores.link_id WHERE {of_people} \
         GROUP BY lti_scores.link_id, lti_scores.person_id, lti_links.id, lti_links.line_item"
    );
    let rows = Row::find_by_statement(Statement::from_sql_and_values(backend, text, ids)).all(&database.read).await?;
    let (mut of_places, mut of_people): (HashMap<ScorePlace, i64>, HashMap<Uuid, i64>) =
        (HashMap::new(), HashMap::new());
    for row in rows {
        let place = place_of_score(row.line_item.as_deref(), row.link_id, row.person_id);
        let last = if row.bound_id.is_some() {
            of_places.entry(place).or_default()
        } else {
            of_people.entry(place.1).or_default()
        };
        *last = Ord::max(row.timestamp_ms, *last);
    }
    let last = |place: &ScorePlace| of_places.get(place).max(of_people.get(&place.1)).copied();
    Ok(places.iter().filter_map(|place| Some((place.clone(), Moment::from_milliseconds(last(place)?)))).collect())
}

/// Keeps the bytes of scores that are sent for the first time. Of two servers that make some of the same delivery one
/// does; returns the bytes that there are now.
pub async fn keep_texts(database: &Database, made: &[ScoreText]) -> Result<HashMap<Uuid, String>, DbErr> {
    use lti_score::Column;
    if made.is_empty() {
        return Ok(HashMap::new());
    }
    let row = |text: &ScoreText| lti_score::ActiveModel {
        delivery_id: Set(text.delivery_id),
        link_id: Set(text.link_id),
        person_id: Set(text.person_id),
        timestamp_ms: Set(text.timestamp.milliseconds()),
        body: Set(text.body.clone()),
        has_arrived: Set(false),
    };
    // A row without bytes was emptied so that they are made anew.
    let mut instead = OnConflict::column(Column::DeliveryId);
    instead.update_columns([Column::TimestampMs, Column::Body]);
    instead.action_and_where(Expr::col((lti_score::Entity, Column::Body)).eq(NOT_MADE));
    let storing = lti_score::Entity::insert_many(made.iter().map(row)).on_conflict(instead);
    storing.exec_without_returning(&database.write).await?;
    let ids: Vec<Uuid> = made.iter().map(|text| text.delivery_id).collect();
    let stored = lti_score::Entity::find().filter(Column::DeliveryId.is_in(ids)).all(&database.write).await?;
    Ok(stored.into_iter().map(|row| (row.delivery_id, row.body)).collect())
}

/// In place of bytes that are to be made anew.
pub(super) const NOT_MADE: &str = "";

/// Columns of grade books to which scores will be sent soon.
pub async fn find_awaited_columns(database: &Database) -> Result<Vec<String>, DbErr> {
    let text = format!(
        "SELECT DISTINCT lti_links.line_item FROM lti_links JOIN sittings ON sittings.id = lti_links.target_id \
         WHERE lti_links.line_item IS NOT NULL AND sittings.opened_at_ms IS NOT NULL AND sittings.ended_at_ms IS NULL \
         LIMIT {AWAITED_COLUMNS_MAX}"
    );
    let rows = database.read.query_all_raw(Statement::from_string(database.read.get_database_backend(), text)).await?;
    rows.iter().map(|row| row.try_get_by_index::<String>(0)).collect()
}

/// Notes which column scores of a link go to, since it was found or made, unless the link has got another one since it
/// was read. Returns the one that it has now.
pub async fn set_line_item(
    database: &Database,
    link_id: Uuid,
    read: Option<&str>,
    found: &str,
) -> Result<String, DbErr> {
    use lti_link::Column;
    let as_read = match read {
        Some(read) => Column::LineItem.eq(read),
        None => Column::LineItem.is_null(),
    };
    let changing = lti_link::Entity::update_many().col_expr(Column::LineItem, Expr::value(found.to_owned()));
    let changed = changing.filter(Column::Id.eq(link_id)).filter(as_read).exec(&database.write).await?;
    if changed.rows_affected > 0 {
        return Ok(found.to_owned());
    }
    let link = find_link_by_id(&database.write, link_id).await?;
    Ok(link.and_then(|link| link.line_item).unwrap_or_else(|| found.to_owned()))
}

/// Notes of these deliveries, and on their links, that a score was taken.
pub async fn note_taken(transaction: &DatabaseTransaction, ids: &[Uuid], now: Moment) -> Result<(), DbErr> {
    use lti_link::Column;
    use lti_score::Column as Score;
    let of_them = lti_score::Entity::find().select_only().column(Score::LinkId).distinct();
    let of_them = of_them.filter(Score::DeliveryId.is_in(ids.to_vec()));
    let links: Vec<Uuid> = of_them.order_by_asc(Score::LinkId).into_tuple().all(transaction).await?;
    let arrived = lti_score::Entity::update_many().col_expr(Score::HasArrived, Expr::value(true));
    arrived.filter(Score::DeliveryId.is_in(ids.to_vec())).exec(transaction).await?;
    let changed = lti_link::Entity::update_many().col_expr(Column::LastScoreAtMs, Expr::value(now.milliseconds()));
    changed.filter(Column::Id.is_in(links)).exec(transaction).await.map(|_| ())
}
