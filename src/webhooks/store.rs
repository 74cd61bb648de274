//! SQL of what is particular to webhooks: the events of a sitting's release and of results that change, and the links
//! of running tests.

use std::collections::{BTreeSet, HashMap, HashSet};

use domain::delivery::DeliveryStatus;
use domain::time::moment::Moment;
use entities::{attempt, delivery};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    Statement,
};
use uuid::Uuid;

use super::events::{RESULT_CHANGED, RESULT_RELEASED, TEST_COMPLETED};
use crate::database::Database;
use crate::outgoing::store::Delivery;
use crate::outgoing::transfers;
use crate::store::{many_rows, sessions};

/// Links of running attempts whose hosts are expected to answer. Each student may have one of their own.
const AWAITED_LINKS_MAX: u64 = 2_000;

/// What both statements insert: the event of the newest version of each session that has a webhook, whose own delivery
/// tells where to.
const TOLD: &str = "INSERT INTO deliveries (id, session_id, url, host, status, attempts, last_error, \
    next_attempt_at_ms, created_at_ms, event, version)";
const SAME_WEBHOOK: &str = "CASE WHEN told.host = '' THEN 'failed' ELSE 'pending' END, 0, \
    CASE WHEN told.host = '' THEN told.last_error END";

/// Queues [`RESULT_CHANGED`] for the newest versions of those of these sessions that have a webhook, due at once.
pub async fn insert_changed(transaction: &DatabaseTransaction, session_ids: &[Uuid]) -> Result<(), DbErr> {
    if session_ids.is_empty() {
        return Ok(());
    }
    let backend = transaction.get_database_backend();
    let (of_these, ids) = many_rows::among(backend, "sessions.session_id", session_ids, 1);
    let new_id = many_rows::new_id(backend);
    let statement = format!(
        "{TOLD} SELECT {new_id}, told.session_id, told.url, told.host, {SAME_WEBHOOK}, \
         CASE WHEN told.host = '' THEN NULL ELSE sessions.version_at_ms END, sessions.version_at_ms, \
         '{RESULT_CHANGED}', sessions.version \
         FROM sessions JOIN deliveries told ON told.session_id = sessions.session_id \
         AND told.event = '{TEST_COMPLETED}' WHERE {of_these}"
    );
    transaction.execute_raw(Statement::from_sql_and_values(backend, statement, ids)).await.map(|_| ())
}

/// Queues [`RESULT_RELEASED`] for all finished tests of a sitting that have a webhook, by one statement: ten thousand
/// may be released at once. They are due at once, and sent in the order in which the tests ended.
pub async fn insert_released(
    transaction: &DatabaseTransaction,
    sitting_id: Uuid,
    only_unbegun: bool,
    now: Moment,
) -> Result<(), DbErr> {
    let unbegun = if only_unbegun { "AND sessions.started_at_ms >= sessions.completed_at_ms " } else { "" };
    let backend = transaction.get_database_backend();
    let new_id = many_rows::new_id(backend);
    let statement = format!(
        "{TOLD} SELECT {new_id}, told.session_id, told.url, told.host, {SAME_WEBHOOK}, \
         CASE WHEN told.host = '' THEN NULL ELSE sessions.completed_at_ms END, $1, '{RESULT_RELEASED}', \
         sessions.version FROM sessions JOIN deliveries told ON told.session_id = sessions.session_id \
         AND told.event = '{TEST_COMPLETED}' WHERE sessions.sitting_id = $2 {unbegun}\
         ON CONFLICT (session_id, event, version) DO NOTHING"
    );
    let values = [now.milliseconds().into(), sitting_id.into()];
    transaction.execute_raw(Statement::from_sql_and_values(backend, statement, values)).await.map(|_| ())
}

/// Of these, the events of sessions that have an earlier one which is still to be delivered.
pub async fn find_too_early(database: &Database, due: &[&Delivery]) -> Result<HashSet<Uuid>, DbErr> {
    use delivery::Column;
    let later: Vec<&&Delivery> = due.iter().filter(|due| due.event != TEST_COMPLETED).collect();
    if later.is_empty() {
        return Ok(HashSet::new());
    }
    let of_them = Column::SessionId.is_in(later.iter().map(|due| due.session_id));
    let pending = Column::Status.eq(DeliveryStatus::Pending.name());
    let query = delivery::Entity::find().select_only().columns([Column::SessionId, Column::Version, Column::Event]);
    // Deliveries of other kinds go elsewhere.
    let query = query.filter(Column::Event.is_in([TEST_COMPLETED, RESULT_RELEASED, RESULT_CHANGED]));
    let rows: Vec<(Uuid, i32, String)> = query.filter(of_them).filter(pending).into_tuple().all(&database.read).await?;
    let mut first: HashMap<Uuid, (i32, bool)> = HashMap::new();
    for (session_id, version, event) in rows {
        let place = place(version, &event);
        first.entry(session_id).and_modify(|first| *first = place.min(*first)).or_insert(place);
    }
    let is_early =
        |due: &&Delivery| first.get(&due.session_id).is_some_and(|first| *first < place(due.version, &due.event));
    Ok(later.into_iter().filter(|due| is_early(due)).map(|due| due.id).collect())
}

/// The place of an event among those of its session: in the order of versions, and what was handed in before its
/// release.
fn place(version: i32, event: &str) -> (i32, bool) {
    (version, event == RESULT_RELEASED)
}

/// Links that running attempts name, those of most attempts first.
pub async fn find_awaited_links(database: &Database) -> Result<Vec<String>, DbErr> {
    let query = attempt::Entity::find()
        .select_only()
        .column(attempt::Column::WebhookUrl)
        .filter(attempt::Column::EndedAtMs.is_null())
        .filter(attempt::Column::WebhookUrl.is_not_null())
        .group_by(attempt::Column::WebhookUrl)
        .order_by_desc(attempt::Column::SessionId.count())
        .limit(AWAITED_LINKS_MAX);
    query.into_tuple().all(&database.read).await
}

/// Marks the sessions of accepted events as sent, unless there are newer versions of them, and queues them for the
/// external data provider again if there is one.
pub async fn set_sent(
    transaction: &DatabaseTransaction,
    accepted: &[&Delivery],
    sends_sessions: bool,
) -> Result<(), DbErr> {
    let told: BTreeSet<(Uuid, i32)> = accepted.iter().map(|delivery| (delivery.session_id, delivery.version)).collect();
    let newest = sessions::set_webhook_sent(transaction, &told).await?;
    if sends_sessions {
        for told in told.into_iter().filter(|(session_id, _)| newest.contains(session_id)) {
            transfers::renew(transaction, told).await?;
        }
    }
    Ok(())
}
