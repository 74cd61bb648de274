//! The number of events that start on each day, updated with every change. Without it, each list of ten events would
//! count all events of its window (`docs/decisions/0024-the-store-of-the-calendar.md`).

use std::collections::BTreeMap;

use domain::calendar::status::Status;
use domain::calendar::window::Window;
use domain::time::moment::Moment;
use entities::calendar::day::{ActiveModel, Column, Entity};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QuerySelect};

use super::event_lists::EventFilter;
use super::filters::has_status;
use super::records::Event;

const DAY_MILLISECONDS: i64 = 24 * 60 * 60 * 1_000;

/// Corrects the days for an event that changes; `before` is `None` for a new one. Hidden events are in no list, so they
/// do not count.
pub(super) async fn change(
    transaction: &DatabaseTransaction,
    before: Option<&Event>,
    after: &Event,
) -> Result<(), DbErr> {
    let mut differences: BTreeMap<(i64, Status), i64> = BTreeMap::new();
    for (event, difference) in before.map(|event| (event, -1)).into_iter().chain([(after, 1)]) {
        if !event.content.fields.is_hidden {
            *differences.entry((day(event.content.fields.times.start_moment), event.content.status)).or_default() +=
                difference;
        }
    }
    for ((day, status), difference) in differences.into_iter().filter(|(_, difference)| *difference != 0) {
        add(transaction, day, status, difference).await?;
    }
    Ok(())
}

async fn add(transaction: &DatabaseTransaction, day: i64, status: Status, difference: i64) -> Result<(), DbErr> {
    let row = ActiveModel { day: Set(day), status: Set(status.name().to_owned()), events: Set(difference) };
    let sum = Expr::col((Entity, Column::Events)).add(difference);
    let again = OnConflict::columns([Column::Day, Column::Status]).value(Column::Events, sum).to_owned();
    Entity::insert(row).on_conflict(again).exec_without_returning(transaction).await.map(|_| ())
}

/// The total of a list, if the days can give it; otherwise `None`.
pub(super) async fn total(connection: &impl ConnectionTrait, filter: &EventFilter) -> Result<Option<u64>, DbErr> {
    if !is_by_days(filter) {
        return Ok(None);
    }
    let Window { start_from, start_before, .. } = filter.window;
    // Postgres would add up such numbers to its type `numeric`, which is not read as an integer.
    let sum = Column::Events.sum().cast_as("bigint");
    let mut query = Entity::find().select_only().column_as(sum, "events").filter(has_status(&filter.statuses));
    if let Some(from) = start_from {
        query = query.filter(Column::Day.gte(day(from)));
    }
    if let Some(before) = start_before {
        query = query.filter(Column::Day.lt(day(before)));
    }
    let sum: Option<Option<i64>> = query.into_tuple().one(connection).await?;
    Ok(Some(sum.flatten().map_or(0, |sum| u64::try_from(sum).unwrap_or(0))))
}

/// Returns whether the days suffice for such a list: it is filtered by nothing but statuses and by starts on whole
/// days.
pub(super) fn is_by_days(filter: &EventFilter) -> bool {
    let Window { start_from, start_before, end_from: None, end_before: None, .. } = filter.window else { return false };
    let is_midnight =
        |moment: Option<Moment>| moment.is_none_or(|moment| moment.milliseconds().rem_euclid(DAY_MILLISECONDS) == 0);
    let plain =
        EventFilter { statuses: filter.statuses.clone(), window: filter.window.clone(), ..EventFilter::default() };
    *filter == plain && is_midnight(start_from) && is_midnight(start_before)
}

fn day(moment: Moment) -> i64 {
    moment.milliseconds().div_euclid(DAY_MILLISECONDS)
}
