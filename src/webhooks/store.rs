//! SQL of what is particular to webhooks: the events of a sitting's release, and the links of running tests.

use std::collections::{BTreeSet, HashSet};

use domain::delivery::DeliveryStatus;
use domain::time::moment::Moment;
use entities::{attempt, delivery};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect, Statement,
};
use uuid::Uuid;

use super::events::{RESULT_RELEASED, TEST_COMPLETED};
use crate::database::Database;
use crate::outgoing::store::Delivery;
use crate::outgoing::transfers;
use crate::store::sessions;

/// Links of running attempts whose hosts are expected to answer. Each student may have one of their own.
const AWAITED_LINKS_MAX: u64 = 2_000;

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
    let new_id = match backend {
        DbBackend::Postgres => "gen_random_uuid()",
        // Version 4, like those that this server makes itself.
        _ => {
            "unhex(hex(randomblob(6)) || '4' || substr(hex(randomblob(2)), 2) || '8' \
             || substr(hex(randomblob(2)), 2) || hex(randomblob(6)))"
        }
    };
    let statement = format!(
        "INSERT INTO deliveries (id, session_id, url, host, status, attempts, last_error, next_attempt_at_ms, \
         created_at_ms, event) \
         SELECT {new_id}, told.session_id, told.url, told.host, \
         CASE WHEN told.host = '' THEN 'failed' ELSE 'pending' END, 0, \
         CASE WHEN told.host = '' THEN told.last_error END, \
         CASE WHEN told.host = '' THEN NULL ELSE sessions.completed_at_ms END, $1, '{RESULT_RELEASED}' \
         FROM sessions JOIN deliveries told ON told.session_id = sessions.session_id \
         AND told.event = '{TEST_COMPLETED}' WHERE sessions.sitting_id = $2 {unbegun}\
         ON CONFLICT (session_id, event) DO NOTHING"
    );
    let values = [now.milliseconds().into(), sitting_id.into()];
    transaction.execute_raw(Statement::from_sql_and_values(backend, statement, values)).await.map(|_| ())
}

/// Of these, the events whose earlier event of the same test is still to be delivered.
pub async fn find_too_early(database: &Database, due: &[&Delivery]) -> Result<HashSet<Uuid>, DbErr> {
    let released: Vec<&&Delivery> = due.iter().filter(|due| due.event == RESULT_RELEASED).collect();
    if released.is_empty() {
        return Ok(HashSet::new());
    }
    let of_them = delivery::Column::SessionId.is_in(released.iter().map(|due| due.session_id));
    let pending = delivery::Column::Status.eq(DeliveryStatus::Pending.name());
    let query = delivery::Entity::find().select_only().column(delivery::Column::SessionId).filter(of_them);
    let query = query.filter(delivery::Column::Event.eq(TEST_COMPLETED)).filter(pending);
    let earlier: HashSet<Uuid> = query.into_tuple::<Uuid>().all(&database.read).await?.into_iter().collect();
    Ok(released.into_iter().filter(|due| earlier.contains(&due.session_id)).map(|due| due.id).collect())
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

/// Marks the sessions of accepted events as sent, and queues them for the external data provider again if there is one.
pub async fn set_sent(
    transaction: &DatabaseTransaction,
    accepted: &[&Delivery],
    sends_sessions: bool,
) -> Result<(), DbErr> {
    let session_ids: BTreeSet<Uuid> = accepted.iter().map(|delivery| delivery.session_id).collect();
    sessions::set_webhook_sent(transaction, &session_ids).await?;
    if sends_sessions {
        for session_id in session_ids {
            transfers::renew(transaction, session_id).await?;
        }
    }
    Ok(())
}
