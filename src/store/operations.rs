//! Reads the state of the running service: which servers are alive, and what waits to be done.

use domain::delivery::DeliveryStatus;
use domain::time::moment::Moment;
use entities::{delivery, server};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

use super::lti_scores::SCORE_EVENTS;
use crate::database::Database;

/// Servers that are shown.
const SERVERS_MAX: u64 = 100;

/// Asks the database for nothing, which shows that it answers.
pub async fn ping(database: &Database) -> Result<(), DbErr> {
    database.read.execute_unprepared("SELECT 1").await.map(|_| ())
}

/// Counts deliveries of webhooks of one status.
pub async fn count_deliveries(database: &Database, status: DeliveryStatus) -> Result<u64, DbErr> {
    let webhooks = delivery::Entity::find().filter(delivery::Column::Event.is_not_in(SCORE_EVENTS));
    webhooks.filter(delivery::Column::Status.eq(status.name())).count(&database.read).await
}

/// Finds the servers that are alive, and when they last renewed their leases of this length.
pub async fn find_servers(
    database: &Database,
    now: Moment,
    lease_milliseconds: i64,
) -> Result<Vec<(Uuid, Moment)>, DbErr> {
    let living = server::Entity::find().filter(server::Column::LeaseUntilMs.gt(now.milliseconds()));
    let rows = living.order_by_asc(server::Column::Id).limit(SERVERS_MAX).all(&database.read).await?;
    Ok(rows
        .into_iter()
        .map(|row| (row.id, Moment::from_milliseconds(row.lease_until_ms - lease_milliseconds)))
        .collect())
}
