//! Pauses of halls in the rows of those who are moved to another hall while they are at work: they stand still as their
//! hall does.

use std::collections::HashMap;

use domain::order::Order;
use domain::order::hall::HallPause;
use domain::order::standing::{OrderEffect, PauseScope, PauseScopes, Standing};
use domain::time::moment::Moment;
use entities::{attempt, attempt_event};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, FromQueryResult, QueryFilter, QuerySelect,
};
use uuid::Uuid;

use super::attempt_times::StoredTimes;
use super::sittings::LockedSitting;
use super::{candidates, seats};

/// Who moves them, on the record.
const SERVER: &str = "server";

#[derive(FromQueryResult)]
struct Row {
    paused_in: i16,
    pause_text: Option<String>,
    finish_by: Option<String>,
    #[sea_orm(nested)]
    times: StoredTimes,
}

/// Stops those of a sitting whose hall is paused and who are not, and the other way round. Most changes of a sitting
/// move nobody, and find nobody here.
pub async fn follow(sitting: &LockedSitting<'_>, now: Moment) -> Result<(), DbErr> {
    use attempt::Column;
    let transaction = sitting.transaction();
    let is_any_paused = sitting.halls.iter().any(|hall| hall.standing.pause().is_some());
    let query =
        attempt::Entity::find().select_only().columns([Column::SessionId, Column::CandidateId, Column::PausedIn]);
    let query = query.filter(Column::SittingId.eq(sitting.id)).filter(Column::EndedAtMs.is_null());
    let query = if is_any_paused { query } else { query.filter(Column::PausedIn.ne(0)) };
    let rows: Vec<(Uuid, Option<Uuid>, i16)> = query.into_tuple().all(transaction).await?;
    let ids = rows.iter().filter_map(|(_, candidate_id, _)| *candidate_id).collect();
    let roster = candidates::load_those(transaction, sitting.id, ids).await?;
    let halls: HashMap<Uuid, Option<Uuid>> = roster.into_iter().map(|one| (one.id, one.hall_id)).collect();
    for (session_id, candidate_id, paused_in) in rows {
        let hall_id = candidate_id.and_then(|id| halls.get(&id)).copied().flatten();
        let pause = sitting.hall(hall_id).and_then(|hall| hall.standing.pause());
        if PauseScopes::of_number(paused_in).has(PauseScope::Hall) != pause.is_some() {
            stand_as(transaction, session_id, pause, now).await?;
        }
    }
    Ok(())
}

/// Stops one attempt as its hall is stopped, or lets it go on as far as that is the hall's matter.
async fn stand_as(
    transaction: &DatabaseTransaction,
    session_id: Uuid,
    pause: Option<&HallPause>,
    now: Moment,
) -> Result<(), DbErr> {
    use attempt::Column;
    seats::lock(transaction, [session_id]).await?;
    let query = attempt::Entity::find_by_id(session_id).select_only();
    let query = query.columns([Column::PausedIn, Column::PauseText, Column::FinishBy]).columns(StoredTimes::COLUMNS);
    let row: Option<Row> = query.filter(Column::EndedAtMs.is_null()).into_model().one(transaction).await?;
    let Some(Row { paused_in, pause_text, finish_by, times }) = row else { return Ok(()) };
    let paused_in = PauseScopes::of_number(paused_in);
    let standing = Standing { times: times.times(), paused_in, pause_text, finish_by };
    let order = pause.map_or(Order::Unpause, |pause| Order::Pause { text: pause.text.as_deref().map(Into::into) });
    let Ok(OrderEffect { standing, detail, .. }) = standing.after(&order, PauseScope::Hall, SERVER, now) else {
        return Ok(());
    };
    let changed = attempt::ActiveModel {
        deadline_ms: Set(standing.times.sum().milliseconds()),
        paused_at_ms: Set(standing.times.paused_at.map(Moment::milliseconds)),
        paused_in: Set(standing.paused_in.number()),
        pause_text: Set(standing.pause_text),
        ..Default::default()
    };
    attempt::Entity::update_many().set(changed).filter(Column::SessionId.eq(session_id)).exec(transaction).await?;
    seats::raise_orders(transaction, [session_id]).await?;
    let event = attempt_event::ActiveModel {
        id: NotSet,
        session_id: Set(session_id),
        at_ms: Set(now.milliseconds()),
        kind: Set(order.name().to_owned()),
        by: Set(SERVER.to_owned()),
        detail: Set(detail),
    };
    attempt_event::Entity::insert(event).exec_without_returning(transaction).await.map(|_| ())
}
