//! The filters of lists as SQL conditions with the same meaning on SQLite and on Postgres.

use domain::calendar::status::Status;
use domain::calendar::wall::Wall;
use domain::calendar::window::Window;
use domain::calendar::words::Search;
use domain::time::moment::Moment;
use entities::calendar::{event, venue};
use sea_orm::sea_query::{Expr, ExprTrait, Func, Query, SelectStatement};
use sea_orm::{ColumnTrait, Condition, DbBackend};

use super::event_lists::{EventFilter, Near};

/// The local time of no zone differs from UTC by more than this.
const ZONE_MILLISECONDS: i64 = 24 * 60 * 60 * 1_000;
/// Length of one degree along a meridian.
const DEGREE_KILOMETRES: f64 = 111.195;

/// The condition for events that pass the filter. `categories` are the filter's categories and all below them.
///
/// Numbers and times are part of the statement's text. With bound values Postgres would use one plan for all windows,
/// and would take a window of two years for one of a few minutes.
pub(super) fn events(filter: &EventFilter, categories: &[i64], backend: DbBackend) -> Condition {
    // The condition is in the words of the index. Otherwise the databases would not see that they can use it.
    let mut all = Condition::all().add(Expr::cust("NOT is_hidden")).add(has_status(&filter.statuses));
    if let Some(ids) = &filter.include {
        all = all.add(is_one_of("id", ids));
    }
    all = all.add(within(&filter.window)).add(is_found(&filter.search, backend));
    for (wanted, terms) in [(&filter.categories, categories), (&filter.tags, &filter.tags)] {
        if !wanted.is_empty() {
            all = all.add(Expr::cust(format!(
                "id IN (SELECT event_id FROM calendar_event_terms WHERE {})",
                one_of("term_id", terms)
            )));
        }
    }
    if !filter.venues.is_empty() {
        all = all.add(is_one_of("venue_id", &filter.venues));
    }
    if !filter.organizers.is_empty() {
        let held_by = one_of("organizer_id", &filter.organizers);
        all = all.add(Expr::cust(format!("id IN (SELECT event_id FROM calendar_event_organizers WHERE {held_by})")));
    }
    if let Some(is_featured) = filter.is_featured {
        all = all.add(Expr::cust(if is_featured { "is_featured" } else { "NOT is_featured" }));
    }
    all.add_option(filter.is_placed.map(is_placed)).add_option(filter.near.map(is_near))
}

/// A condition on the status. It is part of the statement's text too, since neither database could use an index for a
/// single status otherwise.
pub(super) fn has_status(statuses: &[Status]) -> Expr {
    let names: Vec<String> = statuses.iter().map(|status| format!("'{}'", status.name())).collect();
    match names.as_slice() {
        [] => Expr::cust("FALSE"),
        [name] => Expr::cust(format!("status = {name}")),
        names => Expr::cust(format!("status IN ({})", names.join(", "))),
    }
}

fn is_one_of(column: &str, ids: &[i64]) -> Expr {
    Expr::cust(one_of(column, ids))
}

fn one_of(column: &str, ids: &[i64]) -> String {
    let ids: Vec<String> = ids.iter().map(i64::to_string).collect();
    if ids.is_empty() { "FALSE".to_owned() } else { format!("{column} IN ({})", ids.join(", ")) }
}

/// The bounds of the window by moments, and for the start also by local time. No zone is further from UTC than a day,
/// so the bounds of moments imply those of local time, and these let the database use the index in which the list is
/// ordered.
fn within(window: &Window) -> Condition {
    let bound = |column: &str, sign: &str, moment: Option<Moment>| {
        moment.map(|moment| Expr::cust(format!("{column} {sign} {}", moment.milliseconds())))
    };
    let clock = |sign: &str, moment: Option<Moment>, milliseconds: i64| {
        moment.map(|moment| {
            Expr::cust(format!("starts_local {sign} '{}'", Wall::in_utc(moment.plus(milliseconds)).text()))
        })
    };
    Condition::all()
        .add_option(bound("starts_at_ms", ">=", window.start_from))
        .add_option(bound("starts_at_ms", "<", window.start_before))
        .add_option(bound("ends_at_ms", ">=", window.end_from))
        .add_option(bound("ends_at_ms", "<", window.end_before))
        .add_option(clock(">=", window.start_from, -ZONE_MILLISECONDS))
        .add_option(clock("<=", window.start_before, ZONE_MILLISECONDS))
}

fn is_found(search: &Search, backend: DbBackend) -> Condition {
    let has = |word: &String| contains(event::Column::Search, word, backend);
    let required = search.required.iter().fold(Condition::all(), |all, word| all.add(has(word)));
    search.excluded.iter().fold(required, |all, word| all.add(has(word).not()))
}

/// Returns whether a column contains a text. `LIKE` would give some characters of the text another meaning.
pub(super) fn contains(column: impl ColumnTrait, word: &str, backend: DbBackend) -> Expr {
    let place = if backend == DbBackend::Sqlite { "instr" } else { "strpos" };
    Expr::from(Func::cust(place).arg(column.into_expr()).arg(word)).gt(0)
}

fn is_placed(wanted: bool) -> Condition {
    let at_placed = event::Column::VenueId.in_subquery(placed_venues());
    // For an event without a venue, `NOT IN` alone would be neither true nor false.
    let elsewhere = || {
        Condition::any()
            .add(event::Column::VenueId.is_null())
            .add(event::Column::VenueId.not_in_subquery(placed_venues()))
    };
    unless_unknown(if wanted { Condition::all().add(at_placed) } else { elsewhere() })
}

fn placed_venues() -> SelectStatement {
    Query::select()
        .column(venue::Column::Id)
        .from(venue::Entity)
        .and_where(venue::Column::Latitude.is_not_null())
        .to_owned()
}

fn unless_unknown(condition: Condition) -> Condition {
    Condition::any().add(condition).add(Expr::exists(placed_venues()).not())
}

/// The condition for venues within a circle, computed on a flat map around its centre. Within a day's journey that is
/// as exact as a globe.
fn is_near(near: Near) -> Condition {
    use venue::{Column, Entity};
    let Near { place, kilometres } = near;
    let reach = kilometres / DEGREE_KILOMETRES;
    let (lowest, highest) = (place.latitude - reach, place.latitude + reach);
    let square = |expr: Expr| expr.clone().mul(expr);
    let north = || square(Expr::col(Column::Latitude).sub(place.latitude));
    let narrowing = place.latitude.to_radians().cos();
    let is_within = |longitude: f64| {
        let east = Expr::col(Column::Longitude).sub(longitude).mul(narrowing);
        north().add(square(east)).lte(reach * reach)
    };
    // Also finds places beyond the meridian where east becomes west.
    let around =
        [-360.0, 0.0, 360.0].into_iter().fold(Condition::any(), |any, turn| any.add(is_within(place.longitude + turn)));
    let found = Query::select()
        .column(Column::Id)
        .from(Entity)
        .and_where(Column::Latitude.between(lowest, highest))
        .cond_where(around)
        .to_owned();
    unless_unknown(Condition::all().add(event::Column::VenueId.in_subquery(found)))
}
