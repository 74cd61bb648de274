//! What the record says of the ends that proctors have ordered: it bounds what may be taken back, and how long a test
//! goes on that is reopened.

use domain::attempt::Reason;
use domain::order::{Order, OrderTarget};
use domain::room::RoomKey;
use domain::time::moment::Moment;
use entities::attempt_event;
use sea_orm::{ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QueryOrder};
use uuid::Uuid;

use super::command::ProctorCommand;
use super::sessions::OrderedSessions;
use crate::store::incidents::{self, SittingEvent};

/// Whether the end of a test, or the order that is to end it, is the one that this proctor gave then. `ended_by` is the
/// reason of the end, if it has come. The record decides by its own order, since the clocks of servers differ.
pub(super) async fn is_end_ordered_at(
    transaction: &DatabaseTransaction,
    command: &ProctorCommand,
    session_id: Uuid,
    ended_by: Option<&str>,
    given_at: Moment,
) -> Result<bool, DbErr> {
    use attempt_event::Column;
    if ended_by.is_some_and(|reason| reason != Reason::Proctor.name()) {
        return Ok(false);
    }
    let reopen = Order::Reopen { minutes: None, force: false };
    let query = attempt_event::Entity::find().filter(Column::SessionId.eq(session_id));
    let query = query.filter(Column::Kind.is_in([Order::Finish.name(), reopen.name()]));
    let last = query.order_by_desc(Column::Id).one(transaction).await?;
    Ok(last.is_some_and(|last| {
        last.kind == Order::Finish.name() && last.by == command.proctor && last.at_ms == given_at.milliseconds()
    }))
}

/// Puts on the record of a sitting that an exam was ended for everyone, so that this holds for whoever is reopened.
pub(super) async fn note_end_of_all(
    transaction: &DatabaseTransaction,
    asked: OrderedSessions<'_>,
    now: Moment,
) -> Result<(), DbErr> {
    let (OrderTarget::All, RoomKey::Sitting { sitting_id, hall_id }) = (asked.target, asked.command.room) else {
        return Ok(());
    };
    let event = SittingEvent {
        sitting_id,
        candidate_id: None,
        hall_id,
        at: now,
        kind: asked.order.name(),
        by: asked.command.proctor.clone(),
        detail: "ended for everyone".to_owned(),
    };
    incidents::note(transaction, &[event]).await
}
