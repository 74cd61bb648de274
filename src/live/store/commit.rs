//! The transaction of the journal: it stores the writes of many seats at once
//! (`docs/decisions/0001-one-transaction-for-a-batch.md`).

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use domain::band::Band;
use domain::order::hall::HallTime;
use domain::question::KeyedQuestion;
use domain::time::moment::Moment;
use entities::{attempt, attempt_event};
use sea_orm::sea_query::{LockType, OnConflict};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, EntityTrait, QueryFilter,
    QuerySelect, Value,
};
use serde_json::value::RawValue;
use uuid::Uuid;

use super::attempts::find_drawings;
use super::beginnings::{self, MetPauses};
use super::orders::pending;
use super::writes::{Commit, Finish, NewAttempt, Write};
use super::{ROWS_PER_STATEMENT, START_KEY_MILLISECONDS, claims, entries, next_ends, sitting_entries};
use crate::database;
use crate::outgoing::Outbox;
use crate::sessions::finished::{self, FinishedRows};
use crate::store::lti_scores::{self, SCORE_ENDED};
use crate::store::question_types::stored_types;
use crate::store::sessions::keys_to_text;
use crate::store::{many_rows, marks};

/// The kind of the event with which each record begins.
const STARTED: &str = "started";
/// The kind of the first event of an attempt that belongs to a sitting, whose time may begin to count much later.
pub(super) const ENTERED: &str = "entered";

/// Stores a batch. Either all of it is stored or nothing, except for commits of seats that have ended or have been
/// claimed again: these are left out entirely. So is the end of an attempt by its deadline or by an order, while its
/// seat does not know all orders of proctors, and the entry into a sitting that has been changed since it was decided.
/// Returns the indexes of the commits that were left out.
///
/// # Errors
/// When the database is unavailable, or refuses a value.
pub async fn commit(
    connection: &DatabaseConnection,
    commits: &[&Commit],
    outbox: &Outbox,
    now: Moment,
) -> Result<HashSet<usize>, DbErr> {
    // During an exam most batches are answers alone. One statement spares them the round trips of a transaction.
    let is_hot = commits
        .iter()
        .all(|commit| commit.hold.is_some() && commit.writes.iter().all(|write| matches!(write, Write::Entry(_))));
    if connection.get_database_backend() == DbBackend::Postgres && is_hot {
        return entries::upsert_held(connection.get_postgres_connection_pool(), commits).await;
    }
    let transaction = database::begin(connection).await?;
    let late_works = next_ends::lock_late_work(&transaction, commits).await?;
    // Sittings are locked before seats, as by everyone else.
    let outdated = sitting_entries::find_outdated(&transaction, commits).await?;
    next_ends::hold_sittings(&transaction, commits).await?;
    // So are grades and templates.
    let pauses = beginnings::find_pauses(&transaction, commits, now).await?;
    let mut lost = find_lost(&transaction, commits).await?;
    lost.extend(outdated);
    let kept = commits.iter().enumerate().filter(|(place, _)| !lost.contains(place));
    let writes: Vec<&Write> = kept.flat_map(|(_, commit)| &commit.writes).collect();
    insert_attempts(&transaction, &writes, &pauses, now).await?;
    entries::upsert(&transaction, &entries::latest(&writes)).await?;
    insert_events(&transaction, &writes).await?;
    let (mut stages, mut finishes) = (Vec::new(), Vec::new());
    let (mut told, mut devices) = (BTreeMap::new(), BTreeMap::new());
    for write in &writes {
        match write {
            Write::Stage { session_id, band, paper } => stages.push((*session_id, *band, &paper[..])),
            Write::Finish(finish) => finishes.push(&**finish),
            Write::NoticesTold { session_id, id } => drop(told.insert(*session_id, *id)),
            Write::Device { session_id, token_hash, is_at_work } => {
                devices.insert(*session_id, (*token_hash, *is_at_work));
            }
            Write::Begin(_) | Write::Entry(_) | Write::Event(..) => {}
        }
    }
    begin_stages(&transaction, &stages).await?;
    end(&transaction, &finishes).await?;
    pending::set_notices_told(&transaction, &told).await?;
    claims::set_devices(&transaction, devices).await?;
    let ended: Vec<Uuid> = finishes.iter().map(|finish| finish.finished.session.session_id).collect();
    claims::remove(&transaction, &ended).await?;
    insert_sessions(&transaction, &finishes, outbox, now).await?;
    next_ends::recount_late_changes(&transaction, &late_works, &finishes).await?;
    transaction.commit().await?;
    Ok(lost)
}

/// Locks the seats of these commits, and returns the indexes of the commits that must not be stored any more.
async fn find_lost(transaction: &DatabaseTransaction, commits: &[&Commit]) -> Result<HashSet<usize>, DbErr> {
    // Only commits that change a seat's row lock it against a proctor's order. For the others it is enough that nobody
    // else can claim the seat.
    let mut rows: HashMap<Uuid, (i64, i64)> = HashMap::new();
    for (is_changed, kind) in [(true, LockType::Update), (false, LockType::KeyShare)] {
        let of_kind = commits.iter().filter(|commit| commit.changes_seat() == is_changed);
        // In the order of their ids, in which everyone locks them, so that no two transactions wait for each other.
        let ids: BTreeSet<Uuid> = of_kind.filter_map(|commit| commit.hold).map(|hold| hold.session_id).collect();
        let ids: Vec<Uuid> = ids.into_iter().collect();
        rows.extend(
            claims::lock(transaction, &ids, kind)
                .await?
                .into_iter()
                .map(|row| (row.session_id, (row.fence, row.orders))),
        );
    }
    let is_lost = |commit: &Commit| {
        commit.hold.is_some_and(|hold| {
            rows.get(&hold.session_id).is_none_or(|(fence, orders)| {
                *fence != hold.fence || (commit.ends_by_order() && *orders != hold.orders)
            })
        })
    };
    Ok(commits.iter().enumerate().filter(|(_, commit)| is_lost(commit)).map(|(place, _)| place).collect())
}

/// Inserts new attempts. A start whose key is in use already inserts no row: the session that has the key is the one
/// that was started. The same holds for the number of a counted test.
async fn insert_attempts(
    connection: &impl ConnectionTrait,
    writes: &[&Write],
    pauses: &MetPauses,
    now: Moment,
) -> Result<(), DbErr> {
    let begins: Vec<&NewAttempt> = beginnings::new_attempts(writes).collect();
    if begins.is_empty() {
        return Ok(());
    }
    let keys: Vec<Vec<u8>> = begins.iter().filter_map(|begin| Some(begin.start_key?.0.to_vec())).collect();
    if !keys.is_empty() {
        // A key that is old enough may start another attempt, so the former one gives it up.
        let forgotten = attempt::ActiveModel { start_key_hash: Set(None), token_salt: Set(None), ..Default::default() };
        let is_old = attempt::Column::StartedAtMs.lt(now.plus(-START_KEY_MILLISECONDS).milliseconds());
        attempt::Entity::update_many()
            .set(forgotten)
            .filter(attempt::Column::StartKeyHash.is_in(keys))
            .filter(is_old)
            .exec(connection)
            .await?;
    }
    let rows = begins.iter().map(|begin| attempt_row(begin, pauses.of(begin))).collect::<Result<Vec<_>, _>>()?;
    let conflict = OnConflict::new().do_nothing().to_owned();
    for rows in rows.chunks(ROWS_PER_STATEMENT) {
        attempt::Entity::insert_many(rows.to_vec())
            .on_conflict(conflict.clone())
            .exec_without_returning(connection)
            .await?;
    }
    let begun = find_begun(connection, &begins).await?;
    let begins: Vec<&NewAttempt> = begins.into_iter().filter(|begin| begun.contains(&begin.terms.session_id)).collect();
    insert_seats(connection, &begins).await?;
    pauses.tell_seats(connection, &begins).await?;
    sitting_entries::note(connection, &begins).await?;
    insert_starts(connection, &begins).await
}

/// Returns which of these attempts have begun. A start whose key or number was in use has not begun one.
async fn find_begun(connection: &impl ConnectionTrait, begins: &[&NewAttempt]) -> Result<HashSet<Uuid>, DbErr> {
    use attempt::Column;
    let ids: Vec<Uuid> = begins.iter().map(|begin| begin.terms.session_id).collect();
    let mut begun: HashSet<Uuid> = HashSet::new();
    for ids in ids.chunks(ROWS_PER_STATEMENT) {
        // A batch that is repeated may contain attempts that have ended since its first try.
        let lasting =
            attempt::Entity::find().select_only().column(Column::SessionId).filter(Column::EndedAtMs.is_null());
        begun.extend(
            lasting.filter(Column::SessionId.is_in(ids.iter().copied())).into_tuple::<Uuid>().all(connection).await?,
        );
    }
    Ok(begun)
}

async fn insert_seats(connection: &impl ConnectionTrait, begins: &[&NewAttempt]) -> Result<(), DbErr> {
    let mut by_server: BTreeMap<Uuid, Vec<Uuid>> = BTreeMap::new();
    for begin in begins {
        by_server.entry(begin.server).or_default().push(begin.terms.session_id);
    }
    for (server, sessions) in by_server {
        claims::insert(connection, server, &sessions).await?;
    }
    Ok(())
}

/// Writes the event `started` of each attempt, once: a batch that is repeated may have been stored by its first try.
async fn insert_starts(connection: &impl ConnectionTrait, begins: &[&NewAttempt]) -> Result<(), DbErr> {
    use attempt_event::Column;
    for begins in begins.chunks(ROWS_PER_STATEMENT) {
        let of_them = Column::SessionId.is_in(begins.iter().map(|begin| begin.terms.session_id));
        let recorded = attempt_event::Entity::find().select_only().column(Column::SessionId).filter(of_them);
        let recorded: HashSet<Uuid> = recorded
            .filter(Column::Kind.is_in([STARTED, ENTERED]))
            .into_tuple()
            .all(connection)
            .await?
            .into_iter()
            .collect();
        let fresh = begins.iter().filter(|begin| !recorded.contains(&begin.terms.session_id));
        let rows: Vec<_> = fresh.map(|begin| start_row(begin)).collect();
        if !rows.is_empty() {
            attempt_event::Entity::insert_many(rows).exec_without_returning(connection).await?;
        }
    }
    Ok(())
}

fn start_row(new: &NewAttempt) -> attempt_event::ActiveModel {
    let account = new.owner.clone();
    let bystander = new.entry.as_ref().and_then(|entry| entry.bystander.as_deref()).map(while_signed_in);
    attempt_event::ActiveModel {
        id: NotSet,
        session_id: Set(new.terms.session_id),
        at_ms: Set(new.entry.as_ref().map_or(new.times.begins_at, |entry| entry.entered_at).milliseconds()),
        kind: Set(if new.entry.is_some() { ENTERED } else { STARTED }.to_owned()),
        by: Set("student".to_owned()),
        detail: Set([new.channel.name().to_owned()]
            .into_iter()
            .chain(account)
            .chain(bystander)
            .collect::<Vec<_>>()
            .join(", ")),
    }
}

/// On the record of a candidate: whose sign-in was in the browser where their code was typed.
pub(super) fn while_signed_in(other: &str) -> String {
    format!("while {other} was signed in")
}

/// The row of a new attempt, which has met a pause of its grade or its template.
fn attempt_row(new: &NewAttempt, met: Option<&HallTime>) -> Result<attempt::ActiveModel, DbErr> {
    let terms = &new.terms;
    Ok(attempt::ActiveModel {
        session_id: Set(terms.session_id),
        token_hash: Set(new.token_hash.to_vec()),
        start_key_hash: Set(new.start_key.map(|(hash, _)| hash.to_vec())),
        token_salt: Set(new.start_key.map(|(_, salt)| salt.to_vec())),
        grade: Set(terms.grade.number().into()),
        mode: Set(terms.mode.name().to_owned()),
        duration_minutes: Set(i32::try_from(terms.duration_minutes).unwrap_or(i32::MAX)),
        calculator: Set(terms.calculator.allowed().map(str::to_owned)),
        types: Set(stored_types(terms.types)),
        shuffles: Set(terms.shuffles),
        // The times of a sitting follow from the sitting until they count.
        started_at_ms: Set(if new.entry.is_some() { Moment::LAST } else { new.times.begins_at }.milliseconds()),
        deadline_ms: Set(if new.entry.is_some() { Moment::LAST } else { new.times.sum() }.milliseconds()),
        annotations: Set(terms.annotations.to_string()),
        webhook_url: Set(terms.webhook_url.as_deref().map(|url| url.replace('\0', ""))),
        base_url: Set(terms.base_url.to_string()),
        owner: Set(new.owner.clone()),
        paper: Set(keys_to_text(&new.paper)?),
        second_paper: Set(None),
        band: Set(None),
        template_id: Set(terms.template_id),
        second_papers: Set(new.second_papers.as_deref().map(str::to_owned)),
        ended_at_ms: Set(None),
        ended_by: Set(None),
        paused_at_ms: Set(new.times.paused_at.or(met.map(|_| new.times.begins_at)).map(Moment::milliseconds)),
        paused_in: Set(met.map_or(new.paused_in, |met| met.paused_in).number()),
        pause_text: Set(met.map_or_else(|| new.pause_text.clone(), |met| met.text.clone())),
        extended_minutes: Set(new.times.extended_minutes),
        given_ms: Set(Some(new.times.given_milliseconds)),
        hard_end_ms: Set(new.times.hard_end.map(Moment::milliseconds)),
        finish_by: Set(None),
        sitting_id: Set(terms.sitting.map(|place| place.sitting_id)),
        candidate_id: Set(terms.sitting.map(|place| place.candidate_id)),
        form: Set(terms.form.map(|form| form.to_string())),
        mark_scale: Set(marks::to_text(terms.mark_scale.as_deref())?),
        counted: Set(new.counted),
        // Nothing of an end yet.
        ..Default::default()
    })
}

async fn insert_events(connection: &impl ConnectionTrait, writes: &[&Write]) -> Result<(), DbErr> {
    let row = |write: &&Write| match write {
        Write::Event(session_id, event) => Some(attempt_event::ActiveModel {
            id: NotSet,
            session_id: Set(*session_id),
            at_ms: Set(event.at.milliseconds()),
            kind: Set(event.kind.to_owned()),
            by: Set(event.by.to_string()),
            detail: Set(event.detail.clone()),
        }),
        _ => None,
    };
    let rows: Vec<_> = writes.iter().filter_map(row).collect();
    for rows in rows.chunks(ROWS_PER_STATEMENT) {
        attempt_event::Entity::insert_many(rows.to_vec()).exec_without_returning(connection).await?;
    }
    Ok(())
}

async fn begin_stages(
    connection: &impl ConnectionTrait,
    stages: &[(Uuid, Band, &[Arc<KeyedQuestion>])],
) -> Result<(), DbErr> {
    const SET: &str = "UPDATE attempts SET second_paper = new.column2, band = new.column3";
    // A batch that is repeated must not replace the paper of a stage that has begun.
    const WITHOUT: &str = "attempts.session_id = new.column1 AND attempts.second_paper IS NULL";
    for stages in stages.chunks(ROWS_PER_STATEMENT) {
        let values = |(session_id, band, paper): &(Uuid, Band, &[Arc<KeyedQuestion>])| -> Result<[Value; 3], DbErr> {
            Ok([(*session_id).into(), keys_to_text(paper)?.into(), band.label().into()])
        };
        let rows = stages.iter().map(values).collect::<Result<Vec<_>, _>>()?;
        many_rows::update(connection, SET, WITHOUT, rows.into_iter()).await?;
    }
    Ok(())
}

async fn end(connection: &impl ConnectionTrait, finishes: &[&Finish]) -> Result<(), DbErr> {
    const SET: &str = "UPDATE attempts SET ended_at_ms = new.column2, ended_by = new.column3, \
        answers_seen_at_ms = COALESCE(attempts.answers_seen_at_ms, CASE WHEN new.column4 THEN new.column2 END), \
        stage_unseen = new.column5";
    // The first end stays, as in `Attempt::end`.
    const LASTING: &str = "attempts.session_id = new.column1 AND attempts.ended_at_ms IS NULL";
    for finishes in finishes.chunks(ROWS_PER_STATEMENT) {
        let values = |finish: &&Finish| -> [Value; 5] {
            let Finish { finished, ending, shows_answers, begins_stage, .. } = finish;
            [
                finished.session.session_id.into(),
                ending.at.milliseconds().into(),
                ending.reason.name().into(),
                (*shows_answers).into(),
                (*begins_stage).into(),
            ]
        };
        many_rows::update(connection, SET, LASTING, finishes.iter().map(values)).await?;
    }
    Ok(())
}

/// Inserts the sessions of the attempts that end, each with the drawings that were saved. Those that had ended before
/// get another version. Their seats are told what a corrected key has made of their results.
async fn insert_sessions(
    transaction: &DatabaseTransaction,
    finishes: &[&Finish],
    outbox: &Outbox,
    now: Moment,
) -> Result<(), DbErr> {
    let (mut first, mut next) = (Vec::with_capacity(finishes.len()), Vec::new());
    for finish in finishes {
        let mut one = Cow::Borrowed(&finish.finished);
        if !finish.drawn.is_empty() {
            let drawings = find_drawings(transaction, one.session.session_id).await?;
            one.to_mut().session.drawings = drawings_object(&drawings, &finish.drawn)?;
        }
        match &finish.reopening {
            None => first.push(FinishedRows::of(&one, outbox, now)?),
            Some(reopening) => next.push((one, reopening)),
        }
    }
    let rows: Vec<&FinishedRows> = first.iter().collect();
    // Before `record`, which takes the lock of corrections: after that no session is locked.
    let mut stored = next_ends::append(transaction, &next, outbox.sends_sessions()).await?;
    stored.extend(finished::record(transaction, &rows, outbox.sends_sessions()).await?);
    let ended = finishes.iter().filter(|finish| finish.reopening.is_none());
    let ended: Vec<Uuid> = ended.map(|finish| finish.finished.session.session_id).collect();
    lti_scores::queue(transaction, SCORE_ENDED, &ended, now).await?;
    for finish in finishes {
        finish.stored_result.set(stored.remove(&finish.finished.session.session_id));
    }
    Ok(())
}

fn drawings_object(
    drawings: &BTreeMap<usize, Box<RawValue>>,
    ids: &BTreeMap<usize, Arc<str>>,
) -> Result<Option<Box<RawValue>>, DbErr> {
    let by_id: BTreeMap<&str, &RawValue> =
        drawings.iter().filter_map(|(position, drawing)| Some((&**ids.get(position)?, &**drawing))).collect();
    if by_id.is_empty() {
        return Ok(None);
    }
    serde_json::value::to_raw_value(&by_id).map(Some).map_err(|error| DbErr::Custom(error.to_string()))
}
