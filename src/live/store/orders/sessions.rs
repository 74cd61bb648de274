//! Orders for sessions: they change the tests that are there, and for everyone in a room also what meets those who come
//! later.

use std::collections::{HashMap, HashSet};

use domain::grade::Grade;
use domain::order::standing::{
    OrderEffect, PauseScope, PauseScopes, Standing, UNCHANGED_NAMED_MAX, Unchanged, UnchangedSession,
};
use domain::order::{LEFT_MILLISECONDS, Order, OrderTarget};
use domain::room::RoomKey;
use domain::room::row::student;
use domain::time::moment::Moment;
use entities::{attempt, attempt_event, seat};
use sea_orm::sea_query::{ExprTrait, LockType, Query, SimpleExpr};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, FromQueryResult, QueryFilter, QueryOrder,
    QuerySelect, Select, Value,
};
use uuid::Uuid;

use super::command::{CarriedOut, CommandOutcome, ProctorCommand};
use super::devices;
use super::ends;
use super::halls::{self, LockedHall, TooManyPauses};
use super::reopening::{self, ReopenTerms};
use super::repeats::{self, TakingBack};
use crate::clock::Clock;
use crate::database::{Database, Transaction};
use crate::live::store::ROWS_PER_STATEMENT;
use crate::live::store::commit::ENTERED;
use crate::live::store::rooms::is_of_room;
use crate::store::attempt_times::StoredTimes;
use crate::store::{attempt_starts, many_rows, seats};

/// The sessions that an order is for.
#[derive(Clone, Copy)]
pub(in crate::live) struct OrderedSessions<'a> {
    pub(in crate::live) command: &'a ProctorCommand,
    pub(in crate::live) target: OrderTarget,
    pub(in crate::live) grade: Option<Grade>,
    pub(in crate::live) order: &'a Order,
    /// When the order was given that this one takes back.
    pub(in crate::live) takes_back: Option<Moment>,
}

impl OrderedSessions<'_> {
    fn ends_all(&self) -> bool {
        matches!((self.order, self.target), (Order::Finish, OrderTarget::All))
    }

    fn scope(&self) -> PauseScope {
        match (self.target, self.command.room) {
            (OrderTarget::One(_), _) => PauseScope::Own,
            (OrderTarget::All, RoomKey::Grade(_)) => PauseScope::Grade,
            (OrderTarget::All, RoomKey::Template(_)) => PauseScope::Template,
            (OrderTarget::All, RoomKey::Sitting { hall_id: None, .. }) => PauseScope::Sitting,
            (OrderTarget::All, RoomKey::Sitting { hall_id: Some(_), .. }) => PauseScope::Hall,
        }
    }
}

/// Carries out an order for sessions, or takes the last one back.
pub(in crate::live) async fn order_sessions(
    transaction: &Transaction,
    asked: OrderedSessions<'_>,
    clock: &Clock,
) -> Result<CommandOutcome, DbErr> {
    let (Order::Undo, command) = (asked.order, asked.command) else {
        return give(transaction, asked, clock).await;
    };
    let Some(TakingBack { order, given_at }) = repeats::take_reversal(transaction, command, clock.now()).await? else {
        return Ok(CommandOutcome::NothingToUndo);
    };
    let undone = match &order {
        Order::Reopen { .. } => Some(Order::Finish),
        other => other.reversal(None),
    };
    let undone = undone.map(|undone| undone.name().to_owned());
    let taking_back = OrderedSessions { order: &order, takes_back: Some(given_at), ..asked };
    let given = give(transaction, taking_back, clock).await?;
    Ok(match given {
        CommandOutcome::Done(done) => CommandOutcome::Done(CarriedOut { undone, ..done }),
        refused => refused,
    })
}

async fn give(transaction: &Transaction, asked: OrderedSessions<'_>, clock: &Clock) -> Result<CommandOutcome, DbErr> {
    if let Order::Reopen { minutes, force } = *asked.order {
        return reopening::reopen(transaction, asked, ReopenTerms { minutes, force }, clock).await;
    }
    // Halls are locked before seats, as by everyone else.
    let hall = match asked.target {
        OrderTarget::All if asked.order.is_standing() => {
            halls::lock(transaction, asked.command.room, clock.now()).await?
        }
        OrderTarget::All | OrderTarget::One(_) => None,
    };
    let sessions = lock(transaction, asked).await?;
    // The clock is read only after the lock. A pause that ends with this order thus includes the time that the order
    // has waited.
    let now = clock.now();
    let text_before = hall.as_ref().and_then(LockedHall::pause_text);
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
    if let Some((hall, given_at)) = hall.as_ref().zip(asked.takes_back)
        && !hall.stands_since(asked.order, given_at)
    {
        return Ok(CommandOutcome::NothingToUndo);
    }
    let reached = match (asked.order, asked.takes_back) {
        (Order::Extend { .. }, Some(given_at)) => Some(find_reached(transaction, asked, given_at, &sessions).await?),
        _ => None,
    };
    let scope = asked.scope();
    let mut text_before = text_before;
    let mut changes: Vec<(Uuid, OrderEffect)> = Vec::new();
    let mut unchanged: Vec<(Uuid, Unchanged)> = Vec::new();
    for row in lasting {
        let (session_id, standing) = (row.session_id, row.standing());
        // Minutes are taken back from those who got them.
        if reached.as_ref().is_some_and(|reached| !reached.contains(&session_id)) {
            unchanged.push((session_id, Unchanged::AsOrdered));
            continue;
        }
        match standing.after(asked.order, scope, &asked.command.proctor, now) {
            Ok(effect) if takes_too_much(asked.order, &standing, &effect.standing, now) => {
                return Ok(CommandOutcome::TooLittleTime);
            }
            Ok(effect) => {
                if matches!(asked.target, OrderTarget::One(_)) {
                    text_before = standing.pause_text;
                }
                unchanged.extend(effect.is_as_before.map(|reason| (session_id, reason)));
                changes.push((session_id, effect));
            }
            Err(reason) => unchanged.push((session_id, reason)),
        }
    }
    let mut is_hall_changed = false;
    if let Some(mut hall) = hall {
        match hall.take(asked.order, &asked.command.proctor, now) {
            Err(TooManyPauses) => return Ok(CommandOutcome::TooManyPauses),
            Ok(None) => {}
            Ok(Some(detail)) => {
                is_hall_changed = true;
                hall.save(transaction, asked.order, &asked.command.proctor, detail, now).await?;
            }
        }
    }
    if matches!(asked.order, Order::OnlyThisDevice) {
        for (session_id, effect) in &mut changes {
            effect.detail = devices::end_others(transaction, *session_id, now).await?;
        }
    }
    for changes in changes.chunks(ROWS_PER_STATEMENT) {
        if !matches!(asked.order, Order::Notice { .. } | Order::OnlyThisDevice) {
            set_standings(transaction, changes).await?;
        }
        insert_events(transaction, asked, changes, now).await?;
        seats::raise_orders(transaction, changes.iter().map(|(session_id, _)| *session_id)).await?;
    }
    if matches!(asked.order, Order::Finish) {
        ends::note_end_of_all(transaction, asked, now).await?;
    }
    let has_effect = is_hall_changed || !changes.is_empty();
    // An end is taken back for one student at a time.
    let has_reversal = has_effect && asked.takes_back.is_none() && !asked.ends_all();
    if let Some(reversal) = asked.order.reversal(text_before.as_deref()).filter(|_| has_reversal) {
        repeats::set_reversal(transaction, asked.command, reversal, now).await?;
    }
    Ok(CommandOutcome::Done(CarriedOut {
        undone: None,
        count: changes.iter().filter(|(_, effect)| effect.is_as_before.is_none()).count() as u64,
        unchanged_count: unchanged.len() as u64,
        unchanged: name(transaction, &unchanged).await?,
        code: None,
    }))
}

/// Those of these sessions that got the minutes of an order: by it, or when they entered its sitting later.
async fn find_reached(
    transaction: &DatabaseTransaction,
    asked: OrderedSessions<'_>,
    given_at: Moment,
    sessions: &[Uuid],
) -> Result<HashSet<Uuid>, DbErr> {
    use attempt_event::Column;
    let by_it = Column::Kind
        .eq(asked.order.name())
        .and(Column::By.eq(&asked.command.proctor))
        .and(Column::AtMs.eq(given_at.milliseconds()));
    let on_entry = Column::Kind.eq(ENTERED).and(Column::AtMs.gte(given_at.milliseconds()));
    let mut reached = HashSet::new();
    for sessions in sessions.chunks(ROWS_PER_STATEMENT) {
        let query = attempt_event::Entity::find().select_only().column(Column::SessionId);
        let query = query.filter(Column::SessionId.is_in(sessions.to_vec())).filter(by_it.clone().or(on_entry.clone()));
        reached.extend(query.into_tuple::<Uuid>().all(transaction).await?);
    }
    Ok(reached)
}

/// Whether an order would leave somebody less than a minute who has more.
fn takes_too_much(order: &Order, before: &Standing, after: &Standing, now: Moment) -> bool {
    let left = |standing: &Standing| standing.times.remaining(now);
    matches!(order, Order::Extend { minutes: ..0 }) && left(before) > 0 && left(after) < LEFT_MILLISECONDS
}

/// The first of these sessions with the names of their students.
async fn name(
    transaction: &DatabaseTransaction,
    unchanged: &[(Uuid, Unchanged)],
) -> Result<Vec<UnchangedSession>, DbErr> {
    use attempt::Column;
    let first = unchanged.get(..UNCHANGED_NAMED_MAX).unwrap_or(unchanged);
    if first.is_empty() {
        return Ok(Vec::new());
    }
    let query = attempt::Entity::find().select_only().columns([Column::SessionId, Column::Annotations, Column::Owner]);
    let query = query.filter(Column::SessionId.is_in(first.iter().map(|(session_id, _)| *session_id)));
    let rows: Vec<(Uuid, String, Option<String>)> = query.into_tuple().all(transaction).await?;
    let names: HashMap<Uuid, String> = rows
        .into_iter()
        .map(|(session_id, annotations, owner)| (session_id, student(&annotations, owner.as_deref()).to_string()))
        .collect();
    let named = |(session_id, reason): &(Uuid, Unchanged)| UnchangedSession {
        session_id: *session_id,
        student: names.get(session_id).cloned().unwrap_or_default(),
        reason: *reason,
    };
    Ok(first.iter().map(named).collect())
}

/// The sittings of the tests that an order in a room is for.
pub(in crate::live) async fn find_sittings(
    database: &Database,
    room: RoomKey,
    target: OrderTarget,
) -> Result<Vec<Uuid>, DbErr> {
    attempt_starts::find_sittings_of(database, is_ordered(room, target)).await
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
    paused_in: i16,
    pause_text: Option<String>,
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
            .columns([attempt::Column::PausedIn, attempt::Column::PauseText])
            .columns(StoredTimes::COLUMNS)
    }

    pub(in crate::live::store) fn standing(self) -> Standing {
        Standing {
            times: self.times.times(),
            paused_in: PauseScopes::of_number(self.paused_in),
            pause_text: self.pause_text,
            finish_by: self.finish_by,
        }
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
    const SET: &str = "UPDATE attempts SET deadline_ms = new.column2, paused_at_ms = new.column3, extended_minutes = new.column4, finish_by = new.column5, paused_in = new.column6, pause_text = new.column7";
    let values = |(session_id, changed): &(Uuid, OrderEffect)| -> [Value; 7] {
        let Standing { times, finish_by, paused_in, pause_text } = &changed.standing;
        [
            (*session_id).into(),
            times.sum().milliseconds().into(),
            times.paused_at.map(Moment::milliseconds).into(),
            times.extended_minutes.into(),
            finish_by.clone().into(),
            paused_in.number().into(),
            pause_text.clone().into(),
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
