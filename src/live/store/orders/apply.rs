//! Applies proctors' orders in the database. Each is applied once and audited, all in one transaction.

use domain::grade::Grade;
use domain::order::standing::{OrderEffect, Standing};
use domain::order::{Order, OrderTarget};
use domain::room::RoomKey;
use domain::sitting::order::SittingOrder;
use domain::time::moment::Moment;
use entities::{attempt, attempt_event, proctor_command, seat};
use sea_orm::sea_query::{Expr, ExprTrait, LockType, Query, SimpleExpr};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, FromQueryResult, QueryFilter, QueryOrder,
    QuerySelect, Select, Value,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::repeats::{self, KnownOrder, OrderConnection};

use crate::clock::Clock;
use crate::database::bound_stalls;
use crate::error::Error;
use crate::live::store::ROWS_PER_STATEMENT;
use crate::live::store::rooms::is_of_room;
use crate::sittings::Sittings;
use crate::sittings::supervision::{BeginRefusal, OrderedSitting, SittingOutcome};
use crate::store::attempt_times::StoredTimes;
use crate::store::{attempt_starts, many_rows};

/// How long a repeated command gets the first answer. A page that has lost the answer repeats the command within
/// seconds, and rows that are older are removed.
const ANSWER_KEPT_MILLISECONDS: i64 = 60 * 60 * 1_000;
/// A command of a proctor.
#[derive(Clone, Debug)]
pub struct ProctorCommand {
    /// The proctor's e-mail address.
    pub proctor: String,
    /// The room that the proctor watches.
    pub room: RoomKey,
    /// The id that the proctor's page gave the command.
    pub id: String,
    /// Where the command came from.
    pub connection: OrderConnection,
    pub content: CommandContent,
}

/// What a command is about.
#[derive(Clone, Debug)]
pub enum CommandContent {
    /// Sessions.
    Sessions {
        target: OrderTarget,
        /// Limits the command to the room's sessions of this grade. A template may have had another grade before, and
        /// the proctor's rights are those for its present one.
        grade: Option<Grade>,
        order: Order,
    },
    /// The sitting whose room is watched.
    Sitting {
        /// Whether the proctor manages the sitting.
        is_chief: bool,
        order: SittingOrder,
    },
}

/// The sessions that an order is for.
#[derive(Clone, Copy)]
struct OrderedSessions<'a> {
    command: &'a ProctorCommand,
    target: OrderTarget,
    grade: Option<Grade>,
    order: &'a Order,
}

/// The result of a command. A repeated command gets the first result again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandOutcome {
    /// The command was applied.
    Done {
        /// The number of sessions that were changed. Sessions that were in the ordered state already do not count.
        count: u64,
    },
    /// The room has no such session.
    UnknownSession,
    /// The session has ended, or its end has been ordered.
    AlreadySubmitted,
    /// The connection has used the `id` for another command. This is never stored, nor are those that follow.
    IdReused,
    /// The room has no such candidate.
    UnknownCandidate,
    /// The sitting is over.
    SittingEnded,
    /// The candidate who is to be let in has no time left.
    TimeIsUp,
    /// The proctor may not begin the sitting, or only as a whole.
    #[serde(skip)]
    MayNotBegin(BeginRefusal),
    /// There are too many incidents.
    TooManyIncidents,
    /// The room is not that of a sitting.
    NoSitting,
}

impl CommandOutcome {
    /// Whether the command has been carried out, so that a repeat gets the same answer.
    const fn is_done(&self) -> bool {
        matches!(self, Self::Done { .. } | Self::AlreadySubmitted)
    }
}

/// Applies a command as a whole or not at all. A command that was applied before changes nothing more.
pub async fn apply(sittings: &Sittings, asked: &ProctorCommand) -> Result<CommandOutcome, Error> {
    let (database, clock) = (&sittings.database, &sittings.clock);
    let now = clock.now();
    let is_old = proctor_command::Column::AtMs.lt(now.plus(-ANSWER_KEPT_MILLISECONDS).milliseconds());
    proctor_command::Entity::delete_many().filter(is_old).exec(&database.write).await?;
    if let CommandContent::Sessions { target, order: Order::Unpause, .. } = &asked.content {
        // The length of a pause that lasted over the beginning is known only to rows that have their times.
        for sitting_id in attempt_starts::find_sittings_of(database, is_ordered(asked.room, *target)).await? {
            sittings.write_begun(sitting_id, now).await?;
        }
    }
    let transaction = database.begin().await?;
    bound_stalls(&transaction).await?;
    let mut known = repeats::find(&transaction, asked).await?;
    if let KnownOrder::New = known {
        if repeats::claim(&transaction, asked, now).await? {
            return carry_out(transaction, asked, sittings).await;
        }
        known = repeats::find(&transaction, asked).await?;
    }
    let answer = match known {
        KnownOrder::Done(answer) => answer,
        KnownOrder::Reused => return Ok(CommandOutcome::IdReused),
        // The row that made the claim fail has been removed since.
        KnownOrder::New => return Err(Error::internal("a proctor's order was removed while it was repeated")),
    };
    transaction.commit().await?;
    Ok(answer)
}

async fn carry_out(
    transaction: DatabaseTransaction,
    asked: &ProctorCommand,
    sittings: &Sittings,
) -> Result<CommandOutcome, Error> {
    let answer = match &asked.content {
        CommandContent::Sessions { target, grade, order } => {
            let sessions = OrderedSessions { command: asked, target: *target, grade: *grade, order };
            give(&transaction, sessions, &sittings.clock).await?
        }
        CommandContent::Sitting { is_chief, order } => {
            order_sitting(&transaction, asked, *is_chief, order, sittings).await?
        }
    };
    // Another room may have the session that this one has not, and a sitting may be changed, so that what was refused
    // is decided anew each time.
    if answer.is_done() {
        repeats::set_answer(&transaction, asked, answer).await?;
        match (&asked.content, asked.room.sitting_id()) {
            (CommandContent::Sitting { order: SittingOrder::Begin, .. }, Some(sitting_id)) => {
                sittings.commit_beginning(transaction, sitting_id).await?;
            }
            (CommandContent::Sitting { .. }, Some(sitting_id)) => {
                transaction.commit().await?;
                sittings.changes.tell_proctors(sitting_id);
            }
            _ => transaction.commit().await?,
        }
    }
    Ok(answer)
}

async fn order_sitting(
    transaction: &DatabaseTransaction,
    asked: &ProctorCommand,
    is_chief: bool,
    order: &SittingOrder,
    sittings: &Sittings,
) -> Result<CommandOutcome, Error> {
    let RoomKey::Sitting { sitting_id, hall_id } = asked.room else { return Ok(CommandOutcome::NoSitting) };
    let ordered = OrderedSitting { sitting_id, hall_id, is_chief, by: &asked.proctor, order };
    Ok(match sittings.carry_out(transaction, &ordered).await? {
        SittingOutcome::Done(count) => CommandOutcome::Done { count },
        SittingOutcome::UnknownCandidate => CommandOutcome::UnknownCandidate,
        SittingOutcome::Ended => CommandOutcome::SittingEnded,
        SittingOutcome::TimeIsUp => CommandOutcome::TimeIsUp,
        SittingOutcome::MayNotBegin(why) => CommandOutcome::MayNotBegin(why),
        SittingOutcome::TooManyIncidents => CommandOutcome::TooManyIncidents,
    })
}

async fn give(
    transaction: &DatabaseTransaction,
    asked: OrderedSessions<'_>,
    clock: &Clock,
) -> Result<CommandOutcome, DbErr> {
    let sessions = lock(transaction, asked).await?;
    // The clock is read only after the lock. A pause that ends with this order thus includes the time that the order
    // has waited.
    let now = clock.now();
    let lasting = find_lasting(transaction, &sessions).await?;
    if let OrderTarget::One(session_id) = asked.target
        && lasting.iter().all(|row| row.finish_by.is_some())
    {
        let is_known = attempt::Entity::find_by_id(session_id)
            .filter(is_of_room(asked.command.room))
            .one(transaction)
            .await?
            .is_some();
        return Ok(if is_known { CommandOutcome::AlreadySubmitted } else { CommandOutcome::UnknownSession });
    }
    let changed =
        |row: Lasting| Some((row.session_id, row.standing().after(asked.order, &asked.command.proctor, now)?));
    let changes: Vec<(Uuid, OrderEffect)> = lasting.into_iter().filter_map(changed).collect();
    for changes in changes.chunks(ROWS_PER_STATEMENT) {
        if !matches!(asked.order, Order::Notice { .. }) {
            set_standings(transaction, changes).await?;
        }
        insert_events(transaction, asked, changes, now).await?;
        let sessions = changes.iter().map(|(session_id, _)| *session_id);
        let raised = Expr::col(seat::Column::Orders).add(1);
        seat::Entity::update_many()
            .col_expr(seat::Column::Orders, raised)
            .filter(seat::Column::SessionId.is_in(sessions))
            .exec(transaction)
            .await?;
    }
    Ok(CommandOutcome::Done { count: changes.len() as u64 })
}

/// Whether an attempt is among those that an order in a room is for.
fn is_ordered(room: RoomKey, target: OrderTarget) -> SimpleExpr {
    match target {
        OrderTarget::All => is_of_room(room),
        OrderTarget::One(session_id) => is_of_room(room).and(attempt::Column::SessionId.eq(session_id)),
    }
}

/// Locks the seats that the command is for, until the transaction ends. Meanwhile no attempt ends, and another command
/// waits. Students' answers are still stored.
async fn lock(transaction: &DatabaseTransaction, asked: OrderedSessions<'_>) -> Result<Vec<Uuid>, DbErr> {
    use attempt::Column;
    let of_room = Query::select()
        .column(Column::SessionId)
        .from(attempt::Entity)
        .and_where(Column::EndedAtMs.is_null())
        .and_where(is_of_room(asked.command.room))
        .to_owned();
    // Those who watch a grade or a template may not all order its sittings, which have rooms of their own.
    let of_room = match asked.target {
        OrderTarget::All if asked.command.room.sitting_id().is_none() => {
            of_room.clone().and_where(Column::SittingId.is_null()).to_owned()
        }
        _ => of_room,
    };
    let of_room = match asked.grade {
        Some(grade) => of_room.clone().and_where(Column::Grade.eq(i16::from(grade.number()))).to_owned(),
        None => of_room,
    };
    let query = seat::Entity::find()
        .select_only()
        .column(seat::Column::SessionId)
        .filter(seat::Column::SessionId.in_subquery(of_room));
    let query = match asked.target {
        OrderTarget::All => query,
        OrderTarget::One(session_id) => query.filter(seat::Column::SessionId.eq(session_id)),
    };
    query.order_by_asc(seat::Column::SessionId).lock(LockType::NoKeyUpdate).into_tuple().all(transaction).await
}

/// The columns of a running attempt that orders change.
#[derive(FromQueryResult)]
pub(in crate::live::store) struct Lasting {
    pub(in crate::live::store) session_id: Uuid,
    finish_by: Option<String>,
    #[sea_orm(nested)]
    times: StoredTimes,
}

impl Lasting {
    /// Selects the columns of such a row.
    pub(in crate::live::store) fn select(query: Select<attempt::Entity>) -> Select<attempt::Entity> {
        query
            .select_only()
            .columns([attempt::Column::SessionId, attempt::Column::FinishBy])
            .columns(StoredTimes::COLUMNS)
    }

    pub(in crate::live::store) fn standing(self) -> Standing {
        Standing { times: self.times.times(), finish_by: self.finish_by }
    }
}

async fn find_lasting(connection: &impl ConnectionTrait, sessions: &[Uuid]) -> Result<Vec<Lasting>, DbErr> {
    use attempt::Column;
    let mut found = Vec::with_capacity(sessions.len());
    for sessions in sessions.chunks(ROWS_PER_STATEMENT) {
        let query = Lasting::select(attempt::Entity::find()).filter(Column::SessionId.is_in(sessions.iter().copied()));
        found.extend(query.filter(Column::EndedAtMs.is_null()).into_model::<Lasting>().all(connection).await?);
    }
    Ok(found)
}

/// Writes all changes by one statement. Both databases name the columns of a `VALUES` list `column1` and so on.
async fn set_standings(connection: &impl ConnectionTrait, changes: &[(Uuid, OrderEffect)]) -> Result<(), DbErr> {
    const SET: &str = "UPDATE attempts SET deadline_ms = new.column2, paused_at_ms = new.column3, extended_minutes = new.column4, finish_by = new.column5";
    let values = |(session_id, changed): &(Uuid, OrderEffect)| -> [Value; 5] {
        let Standing { times, finish_by } = &changed.standing;
        [
            (*session_id).into(),
            times.sum().milliseconds().into(),
            times.paused_at.map(Moment::milliseconds).into(),
            i32::try_from(times.extended_minutes).unwrap_or(i32::MAX).into(),
            finish_by.clone().into(),
        ]
    };
    many_rows::update(connection, SET, "attempts.session_id = new.column1", changes.iter().map(values)).await
}

async fn insert_events(
    connection: &impl ConnectionTrait,
    asked: OrderedSessions<'_>,
    changes: &[(Uuid, OrderEffect)],
    now: Moment,
) -> Result<(), DbErr> {
    let row = |(session_id, changed): &(Uuid, OrderEffect)| attempt_event::ActiveModel {
        id: NotSet,
        session_id: Set(*session_id),
        at_ms: Set(now.milliseconds()),
        kind: Set(asked.order.name().to_owned()),
        by: Set(asked.command.proctor.clone()),
        detail: Set(changed.detail.clone()),
    };
    attempt_event::Entity::insert_many(changes.iter().map(row)).exec_without_returning(connection).await.map(|_| ())
}
