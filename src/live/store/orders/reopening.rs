//! Carries out the order `reopen`: a test that has ended goes on, with a seat that nobody holds yet. Whatever is
//! numbered for that seat is above the numbers of all seats before, so that none of them writes any more
//! (`docs/decisions/0071-reopened-tests-are-new-runs.md`).

use std::collections::BTreeSet;

use domain::attempt::AttemptRun;
use domain::grade::Grade;
use domain::order::hall::HallTime;
use domain::order::reopening::{EndedTest, ReopenRefusal, ReopenedTest};
use domain::order::standing::{PauseScope, PauseScopes};
use domain::order::{Order, OrderTarget};
use domain::room::RoomKey;
use domain::sitting::Sitting;
use domain::sitting::candidate::Candidate;
use domain::sitting::terms::{GrantedTime, ValueSource};
use domain::time::moment::Moment;
use domain::time::times::AttemptTimes;
use entities::{attempt, attempt_event, seat};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, FromQueryResult, QueryFilter, QuerySelect,
};
use uuid::Uuid;

use super::command::{CarriedOut, CommandOutcome, ProctorCommand};
use super::ends::is_end_ordered_at;
use super::sessions::OrderedSessions;
use crate::clock::Clock;
use crate::database::{Database, Transaction};
use crate::live::store::next_ends::Reopening;
use crate::live::store::rooms::is_of_room;
use crate::store::attempt_times::StoredTimes;
use crate::store::incidents;
use crate::store::late_rows::find_late_rows;
use crate::store::{Unreadable, candidates, seats, session_versions, silent_versions, sittings, standings};

const MINUTE_MILLISECONDS: i64 = 60_000;

/// Minutes beside what was left, and whether the student may have been shown the key.
#[derive(Clone, Copy)]
pub(super) struct ReopenTerms {
    pub(super) minutes: Option<u32>,
    pub(super) force: bool,
}

/// Where an attempt belongs.
#[derive(Clone, Copy, FromQueryResult)]
struct Place {
    grade: i16,
    template_id: Option<Uuid>,
    sitting_id: Option<Uuid>,
    candidate_id: Option<Uuid>,
}

/// The columns that a reopening reads.
#[derive(FromQueryResult)]
struct EndedRow {
    ended_at_ms: Option<i64>,
    ended_by: Option<String>,
    finish_by: Option<String>,
    paused_in: i16,
    pause_text: Option<String>,
    reopenings: i32,
    ended_ms: i64,
    answers_seen_at_ms: Option<i64>,
    stage_unseen: bool,
    duration_minutes: i32,
    #[sea_orm(nested)]
    times: StoredTimes,
}

/// What was ordered and planned for everyone where an attempt belongs, which nobody changes until the transaction ends.
struct ForEveryone {
    /// The sitting, and who takes the test there.
    sitting: Option<(Sitting, Option<Candidate>)>,
    hall: HallTime,
    /// When the exam was ended for everyone by an order.
    finished_at: Option<Moment>,
}

/// Lets the test of an order go on, or takes the order back that was to end it.
pub(super) async fn reopen(
    transaction: &Transaction,
    asked: OrderedSessions<'_>,
    terms: ReopenTerms,
    clock: &Clock,
) -> Result<CommandOutcome, DbErr> {
    let OrderTarget::One(session_id) = asked.target else { return Ok(CommandOutcome::UnknownSession) };
    let command = asked.command;
    let Some(place) = find_place(transaction, session_id, command.room).await? else {
        return Ok(CommandOutcome::UnknownSession);
    };
    // Sittings, grades and templates are locked before seats, as by everyone else.
    let everyone = ForEveryone::hold(transaction, place, clock.now()).await?;
    seats::lock(transaction, [session_id]).await?;
    let Some(row) = lock_row(transaction, session_id).await? else { return Ok(CommandOutcome::UnknownSession) };
    if let Some(given_at) = asked.takes_back
        && !is_end_ordered_at(transaction, command, session_id, row.ended_by.as_deref(), given_at).await?
    {
        return Ok(CommandOutcome::NothingToUndo);
    }
    // Only after the locks: the time that the order has waited is the student's too.
    let now = clock.now();
    let Some(ended_at) = row.ended_at_ms.map(Moment::from_milliseconds) else {
        return withdraw_end(transaction, command, session_id, row, terms, now).await;
    };
    // Its next end is made of what is saved, and what was accepted besides is not. What nobody has accepted waits.
    let late = find_late_rows(transaction, &[session_id]).await?;
    if late.get(&session_id).is_some_and(|late| late.accepted > 0) {
        return Ok(CommandOutcome::LateAccepted);
    }
    let test = everyone.ended_test(&row, ended_at);
    let reopened = match test.reopened(terms.minutes, terms.force, everyone.hall.paused_in, now) {
        Ok(reopened) => reopened,
        Err(refusal) => return Ok(refusal.into()),
    };
    let is_forced = test.has_seen_answers;
    store(transaction, command, session_id, (row, is_forced), &everyone, reopened, now).await?;
    Ok(done())
}

fn done() -> CommandOutcome {
    CommandOutcome::Done(CarriedOut { count: 1, ..CarriedOut::default() })
}

impl From<ReopenRefusal> for CommandOutcome {
    fn from(refusal: ReopenRefusal) -> Self {
        match refusal {
            ReopenRefusal::Released => Self::Released,
            ReopenRefusal::TooOld => Self::TooOld,
            ReopenRefusal::AnswersSeen => Self::AnswersSeen,
            ReopenRefusal::NothingLeft => Self::NothingLeft,
        }
    }
}

async fn find_place(
    transaction: &DatabaseTransaction,
    session_id: Uuid,
    room: RoomKey,
) -> Result<Option<Place>, DbErr> {
    use attempt::Column;
    let query = attempt::Entity::find_by_id(session_id).filter(is_of_room(room)).select_only();
    let query = query.columns([Column::Grade, Column::TemplateId, Column::SittingId, Column::CandidateId]);
    query.into_model().one(transaction).await
}

/// Reads the attempt, and keeps everyone else from changing it.
async fn lock_row(transaction: &DatabaseTransaction, session_id: Uuid) -> Result<Option<EndedRow>, DbErr> {
    use attempt::Column;
    let columns = [
        Column::EndedAtMs,
        Column::EndedBy,
        Column::FinishBy,
        Column::PausedIn,
        Column::PauseText,
        Column::Reopenings,
        Column::EndedMs,
        Column::AnswersSeenAtMs,
        Column::StageUnseen,
    ];
    let query = attempt::Entity::find_by_id(session_id).select_only().columns(columns).columns(StoredTimes::COLUMNS);
    query.lock_exclusive().into_model().one(transaction).await
}

impl ForEveryone {
    async fn hold(transaction: &DatabaseTransaction, place: Place, now: Moment) -> Result<Self, DbErr> {
        let Some(sitting_id) = place.sitting_id else { return Self::of_rooms(transaction, place, now).await };
        // A release waits for this, or this for a release.
        sittings::hold(transaction, sitting_id).await?;
        let Some(sitting) = sittings::load_in(transaction, vec![sitting_id]).await?.pop() else {
            return Self::of_rooms(transaction, place, now).await;
        };
        let candidate = match place.candidate_id {
            Some(candidate_id) => candidates::find(transaction, sitting_id, candidate_id).await?,
            None => None,
        };
        let hall_id = candidate.as_ref().and_then(|candidate| candidate.hall_id);
        let finished_at = incidents::find_last(transaction, sitting_id, hall_id, Order::Finish.name()).await?;
        Ok(Self { hall: sitting.hall_time(hall_id), sitting: Some((sitting, candidate)), finished_at })
    }

    /// Of a test without a sitting.
    async fn of_rooms(transaction: &DatabaseTransaction, place: Place, now: Moment) -> Result<Self, DbErr> {
        let grade = Grade::new(place.grade.into()).ok_or(Unreadable("grade"))?;
        let of_template = place.template_id.map(|id| (PauseScope::Template, RoomKey::Template(id)));
        let rooms: Vec<(PauseScope, String)> = [(PauseScope::Grade, RoomKey::Grade(grade))]
            .into_iter()
            .chain(of_template)
            .map(|(scope, room)| (scope, room.name()))
            .collect();
        let names: BTreeSet<String> = rooms.iter().map(|(_, name)| name.clone()).collect();
        let found = standings::of_beginning(transaction, names, now).await?;
        let hall = HallTime::of(rooms.iter().filter_map(|(scope, name)| Some((*scope, found.get(name)?))));
        Ok(Self { sitting: None, hall, finished_at: None })
    }

    fn ended_test(&self, row: &EndedRow, ended_at: Moment) -> EndedTest {
        let times = self.times(row);
        let paused = times.pauses_until(ended_at).saturating_sub(row.ended_ms);
        let granted = GrantedTime { extended_minutes: times.extended_minutes, paused_milliseconds: paused };
        EndedTest {
            times,
            paused_in: PauseScopes::of_number(row.paused_in),
            ended_at,
            everyones_end: self.shared_end(row, granted).into_iter().chain(self.finished_at).min(),
            is_released: self.sitting.as_ref().is_some_and(|(sitting, _)| sitting.released_at.is_some()),
            has_seen_answers: row.answers_seen_at_ms.is_some(),
        }
    }

    /// The times of the row; those of the plan, while the row has none.
    fn times(&self, row: &EndedRow) -> AttemptTimes {
        let stored = row.times.times();
        let planned = || {
            let (sitting, candidate) = self.sitting.as_ref()?;
            sitting.times(candidate.as_ref()?, row.minutes())
        };
        match Some(stored.begins_at).filter(|begins_at| *begins_at == Moment::LAST).and_then(|_| planned()) {
            Some(plan) => {
                AttemptTimes { paused_at: stored.paused_at, extended_minutes: stored.extended_minutes, ..plan }
            }
            None => stored,
        }
    }

    /// The end of the sitting, or of the hall; that of the candidate's own is among their times.
    fn shared_end(&self, row: &EndedRow, granted: GrantedTime) -> Option<Moment> {
        let (sitting, candidate) = self.sitting.as_ref()?;
        let terms = sitting.terms(candidate.as_ref()?, row.minutes());
        let is_own = terms.ends_at.is_some_and(|end| end.source == ValueSource::Candidate);
        terms.hard_end(granted).filter(|_| !is_own)
    }
}

impl EndedRow {
    fn minutes(&self) -> u32 {
        u32::try_from(self.duration_minutes).unwrap_or_default()
    }
}

/// Stores that a test goes on, with its seat and its record.
async fn store(
    transaction: &DatabaseTransaction,
    command: &ProctorCommand,
    session_id: Uuid,
    (row, is_forced): (EndedRow, bool),
    everyone: &ForEveryone,
    reopened: ReopenedTest,
    now: Moment,
) -> Result<(), DbErr> {
    let ReopenedTest { times, paused_in, left_milliseconds, ended_milliseconds } = reopened;
    // Whose time has not begun to count has none in the row.
    let is_waiting = times.is_waiting(now) && row.times.times().begins_at == Moment::LAST;
    let begins_at = if is_waiting { Moment::LAST } else { times.begins_at };
    let deadline = if is_waiting { Moment::LAST } else { times.sum() };
    let text = everyone.hall.text.clone().filter(|_| !everyone.hall.paused_in.is_empty());
    let stage = if row.stage_unseen { (Set(None), Set(None)) } else { (NotSet, NotSet) };
    let run = AttemptRun::after(row.reopenings.saturating_add(1));
    let changed = attempt::ActiveModel {
        ended_at_ms: Set(None),
        ended_by: Set(None),
        finish_by: Set(None),
        started_at_ms: Set(begins_at.milliseconds()),
        deadline_ms: Set(deadline.milliseconds()),
        given_ms: Set(Some(times.given_milliseconds)),
        hard_end_ms: Set(times.hard_end.map(Moment::milliseconds)),
        extended_minutes: Set(times.extended_minutes),
        paused_at_ms: Set(times.paused_at.map(Moment::milliseconds)),
        paused_in: Set(paused_in.number()),
        pause_text: Set(text.or(row.pause_text).filter(|_| !paused_in.is_empty())),
        reopenings: Set(row.reopenings.saturating_add(1)),
        reopened_at_ms: Set(Some(now.milliseconds())),
        reopened_by: Set(Some(command.proctor.clone())),
        reopened_forced: Set(is_forced),
        ended_ms: Set(row.ended_ms.saturating_add(ended_milliseconds)),
        // A second stage that nobody has seen begins when the first one ends.
        second_paper: stage.0,
        band: stage.1,
        stage_unseen: Set(false),
        ..Default::default()
    };
    let of_it = attempt::Column::SessionId.eq(session_id);
    attempt::Entity::update_many().set(changed).filter(of_it).exec(transaction).await?;
    insert_seat(transaction, session_id, run).await?;
    let left = format!(
        "{} min {} s",
        left_milliseconds / MINUTE_MILLISECONDS,
        left_milliseconds % MINUTE_MILLISECONDS / 1_000
    );
    let seen = if is_forced { "; the student had seen the answers" } else { "" };
    let ended_by = row.ended_by.unwrap_or_default();
    insert_event(transaction, command, session_id, format!("submitted ({ended_by}) to {left} left{seen}"), now).await
}

/// Inserts the seat of a run. Notices that were given before are not told again.
async fn insert_seat(transaction: &DatabaseTransaction, session_id: Uuid, run: AttemptRun) -> Result<(), DbErr> {
    use attempt_event::Column;
    let query = attempt_event::Entity::find().select_only().column_as(Column::Id.max(), "last");
    let told: Option<Option<i64>> =
        query.filter(Column::SessionId.eq(session_id)).into_tuple().one(transaction).await?;
    let row = seat::ActiveModel {
        session_id: Set(session_id),
        server: Set(None),
        fence: Set(run.fence()),
        orders: Set(run.orders()),
        orders_taken: Set(run.orders()),
        notices_told: Set(told.flatten().unwrap_or_default()),
        by_socket: Set(false),
        device: Set(None),
        is_at_work: Set(false),
    };
    seat::Entity::insert(row).exec_without_returning(transaction).await.map(|_| ())
}

/// Takes the order back by which a test was to end, and which its seat has not carried out yet: the database then
/// refuses that end, since it overlooks this order.
async fn withdraw_end(
    transaction: &DatabaseTransaction,
    command: &ProctorCommand,
    session_id: Uuid,
    row: EndedRow,
    terms: ReopenTerms,
    now: Moment,
) -> Result<CommandOutcome, DbErr> {
    if row.finish_by.is_none() {
        return Ok(CommandOutcome::NotSubmitted);
    }
    let before = row.times.times();
    let minutes = terms.minutes.map_or(0, |minutes| i32::try_from(minutes).unwrap_or_default());
    let times = before.extended(minutes);
    let has_times = before.begins_at != Moment::LAST;
    let changed = attempt::ActiveModel {
        finish_by: Set(None),
        extended_minutes: Set(times.extended_minutes),
        deadline_ms: if has_times { Set(times.sum().milliseconds()) } else { NotSet },
        ..Default::default()
    };
    let of_it = attempt::Column::SessionId.eq(session_id);
    attempt::Entity::update_many().set(changed).filter(of_it).exec(transaction).await?;
    seats::raise_orders(transaction, [session_id]).await?;
    insert_event(transaction, command, session_id, "before it was submitted".to_owned(), now).await?;
    Ok(done())
}

async fn insert_event(
    transaction: &DatabaseTransaction,
    command: &ProctorCommand,
    session_id: Uuid,
    detail: String,
    now: Moment,
) -> Result<(), DbErr> {
    let event = attempt_event::ActiveModel {
        id: NotSet,
        session_id: Set(session_id),
        at_ms: Set(now.milliseconds()),
        kind: Set(Order::Reopen { minutes: None, force: false }.name().to_owned()),
        by: Set(command.proctor.clone()),
        detail: Set(detail),
    };
    attempt_event::Entity::insert(event).exec_without_returning(transaction).await.map(|_| ())
}

/// How a running attempt came to go on, if it had ended before.
pub(in crate::live::store) async fn find_reopening(
    database: &Database,
    row: &attempt::Model,
) -> Result<Option<Reopening>, DbErr> {
    if row.reopenings == 0 {
        return Ok(None);
    }
    // After the number: of a version that is made in between the seat then knows that it is silent.
    let newest = session_versions::find_newest(database, row.session_id).await?;
    let silent = silent_versions::load_of_test(&database.read, row.session_id).await?;
    Ok(Some(Reopening {
        by: row.reopened_by.clone(),
        is_forced: row.reopened_forced,
        version: newest.and_then(|newest| u32::try_from(newest).ok()).unwrap_or(1),
        is_silent: !silent.is_empty(),
    }))
}
