//! Times in which no server could save, in the database. Each server that saves moves one heartbeat on, so that whoever
//! saves first after an outage knows how long it has been.

use domain::time::moment::Moment;
use entities::{attempt, attempt_event, candidate, heartbeat, outage};
use sea_orm::sea_query::{Expr, ExprTrait, LockType, OnConflict, SimpleExpr};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};
use uuid::Uuid;

use super::seats;
use crate::database::{Database, bound_stalls};

/// The key of the only row with the heartbeat.
const HEARTBEAT: i16 = 1;
/// Age of the last heartbeat from which the gap is an outage. It is longer than a lease: while others still count a
/// server as alive, there is no outage.
const OUTAGE_FROM_MILLISECONDS: i64 = 6_000;
/// The most milliseconds that one outage gives back to a test whose time ran out during it.
const GIVEN_MILLISECONDS_MAX: i64 = 10 * 60_000;
/// Outages that are shown at once. Of a database that comes and goes, proctors see the last ones.
const OUTAGES_SHOWN_MAX: u64 = 10;
/// How long after its end an outage is forgotten.
const FORGET_MILLISECONDS: i64 = 30 * 24 * 60 * 60 * 1_000;
/// Attempts of one statement.
const ATTEMPTS_AT_ONCE: usize = 500;
/// The kind of the event that says what an outage has given.
const OUTAGE: &str = "outage";

/// A time in which no server could save.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outage {
    /// When something was saved last before it.
    pub from: Moment,
    /// When something was saved again.
    pub until: Moment,
}

impl Outage {
    /// How long it was.
    #[must_use]
    pub fn milliseconds(self) -> i64 {
        self.until.since(self.from)
    }
}

/// Moves the heartbeat on. Where the caller has not saved for a while, and no other server has either, those whose time
/// was up meanwhile get it back, ten minutes at most, before anybody ends their test. Returns that outage.
pub async fn beat(database: &Database, now: Moment, is_back: bool) -> Result<Option<Outage>, DbErr> {
    let transaction = database.begin().await?;
    bound_stalls(&transaction).await?;
    let query = heartbeat::Entity::find_by_id(HEARTBEAT).lock(LockType::Update);
    let last = query.one(&transaction).await?.map(|row| Moment::from_milliseconds(row.at_ms));
    let since_last = last.filter(|_| is_back).map(|from| Outage { from, until: now });
    let outage = since_last.filter(|one| one.milliseconds() > OUTAGE_FROM_MILLISECONDS);
    if let Some(outage) = outage {
        give_back(&transaction, outage).await?;
        let row = outage::ActiveModel {
            from_ms: Set(outage.from.milliseconds()),
            until_ms: Set(outage.until.milliseconds()),
        };
        let conflict = OnConflict::new().do_nothing().to_owned();
        outage::Entity::insert(row).on_conflict(conflict).exec_without_returning(&transaction).await?;
        let is_old = outage::Column::UntilMs.lt(now.plus(-FORGET_MILLISECONDS).milliseconds());
        outage::Entity::delete_many().filter(is_old).exec(&transaction).await?;
    }
    // The clock of one server may be a little behind that of another. One that was hours ahead is not believed.
    let is_near = |last: &Moment| last.since(now) <= OUTAGE_FROM_MILLISECONDS;
    let at_ms = last.filter(is_near).map_or(now, |last| last.max(now)).milliseconds();
    let row = heartbeat::ActiveModel { id: Set(HEARTBEAT), at_ms: Set(at_ms) };
    let again = OnConflict::column(heartbeat::Column::Id).update_column(heartbeat::Column::AtMs).to_owned();
    heartbeat::Entity::insert(row).on_conflict(again).exec_without_returning(&transaction).await?;
    transaction.commit().await?;
    Ok(outage)
}

/// Loads the outages that ended after a moment, the last first.
pub async fn load_since(connection: &impl ConnectionTrait, moment: Moment) -> Result<Vec<Outage>, DbErr> {
    let query = outage::Entity::find().filter(outage::Column::UntilMs.gt(moment.milliseconds()));
    let rows = query.order_by_desc(outage::Column::UntilMs).limit(OUTAGES_SHOWN_MAX).all(connection).await?;
    let outage = |row: outage::Model| Outage {
        from: Moment::from_milliseconds(row.from_ms),
        until: Moment::from_milliseconds(row.until_ms),
    };
    Ok(rows.into_iter().map(outage).collect())
}

/// Gives the length of an outage to each running test whose time was up in it, and puts that on its record.
async fn give_back(transaction: &DatabaseTransaction, outage: Outage) -> Result<(), DbErr> {
    use attempt::Column;
    let within = |column: Column| column.gte(outage.from.milliseconds()).and(column.lte(outage.until.milliseconds()));
    let is_up = Column::PausedAtMs.is_null().and(within(Column::DeadlineMs));
    let is_at_its_end = Column::HardEndMs.is_not_null().and(within(Column::HardEndMs));
    let query = attempt::Entity::find().select_only().column(Column::SessionId).filter(Column::EndedAtMs.is_null());
    let query = query.filter(Column::FinishBy.is_null()).filter(is_up.or(is_at_its_end));
    let those: Vec<Uuid> = query.order_by_asc(Column::SessionId).into_tuple().all(transaction).await?;
    let given = Ord::min(outage.milliseconds(), GIVEN_MILLISECONDS_MAX);
    let more = |column: Column| -> SimpleExpr { Expr::col(column).add(given) };
    for those in those.chunks(ATTEMPTS_AT_ONCE) {
        seats::lock(transaction, those.to_vec()).await?;
        attempt::Entity::update_many()
            .col_expr(Column::DeadlineMs, more(Column::DeadlineMs))
            .col_expr(Column::HardEndMs, more(Column::HardEndMs))
            .filter(Column::SessionId.is_in(those.to_vec()))
            .filter(Column::EndedAtMs.is_null())
            .exec(transaction)
            .await?;
        // An end of someone's own, so that a later change of the sitting does not take it back.
        let own_end = candidate::Column::EndsAtMs;
        candidate::Entity::update_many()
            .col_expr(own_end, Expr::col(own_end).add(given))
            .filter(candidate::Column::SessionId.is_in(those.to_vec()))
            .filter(own_end.is_not_null())
            .exec(transaction)
            .await?;
        // Seats take the new times over as they do those of a proctor's order.
        seats::raise_orders(transaction, those.to_vec()).await?;
        let event = |session_id: &Uuid| attempt_event::ActiveModel {
            id: NotSet,
            session_id: Set(*session_id),
            at_ms: Set(outage.until.milliseconds()),
            kind: Set(OUTAGE.to_owned()),
            by: Set("server".to_owned()),
            detail: Set(format!(
                "nothing could be saved from {} to {}: {} s given",
                outage.from.iso(),
                outage.until.iso(),
                given / 1_000
            )),
        };
        attempt_event::Entity::insert_many(those.iter().map(event)).exec_without_returning(transaction).await?;
    }
    Ok(())
}
