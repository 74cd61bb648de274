//! Commands that came after the end of their tests. They are kept apart from the answers, so that saving these costs no
//! more than before, and by the database's own count: several servers may have a seat of a test that is over.

use std::collections::HashSet;
use std::sync::Arc;

use domain::attempt::{
    AnswerChange, Attempt, LATE_BYTES_MAX, LATE_COMMANDS_MAX, LATE_MILLISECONDS_MAX, LateCommand, Stamp,
};
use domain::time::moment::Moment;
use entities::{attempt_event, late_command, late_work};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};
use uuid::Uuid;

use super::entries::line_number;
use super::late_decisions::LateState;
use crate::database::{Database, bound_lock_waits};

/// Rows of one statement. Each has 12 values, and SQLite accepts 32,766 in a statement.
pub(super) const ROWS_PER_STATEMENT: usize = 1_000;
/// Characters of the name of a question that is kept: those of banks are much shorter.
const QUESTION_ID_CHARACTERS_MAX: usize = 200;
/// What a kept command takes beside its texts.
const COMMAND_BYTES: usize = 32;
/// The kind of a command that could not be read.
const UNREADABLE: i16 = -1;

/// A command with the value that it would set, as the database stores values.
#[derive(Clone, Debug)]
pub struct ArrivedCommand {
    pub command: LateCommand,
    pub value: Option<Arc<str>>,
    /// Whether somebody has to decide about it.
    is_change: bool,
}

impl ArrivedCommand {
    /// With the drawing that it brings, if it brings one, as it came for this attempt.
    #[must_use]
    pub fn of(attempt: &Attempt, command: LateCommand, drawing: Option<Arc<str>>) -> Self {
        let is_change = attempt.is_changed_by(&command);
        let value = command.change.as_ref().and_then(|change| match change {
            AnswerChange::Choice { selected, .. } => selected.as_ref().map(|selected| Arc::from(selected.text())),
            AnswerChange::Mark(is_set) => is_set.then(|| Arc::from("1")),
            AnswerChange::Visit => Some(Arc::from("1")),
            AnswerChange::Drawing(_) => drawing,
            AnswerChange::Elimination(eliminated) => eliminated.text().map(Arc::from),
        });
        Self { command, value, is_change }
    }

    /// What could not be read, with its text.
    #[must_use]
    pub fn unreadable(text: &str, stamp: Stamp, received_at: Moment) -> Self {
        let command = LateCommand { question_id: "".into(), change: None, stamp, at: None, received_at };
        Self { command, value: Some(Arc::from(text)), is_change: true }
    }

    fn kind(&self) -> i16 {
        self.command.change.as_ref().map_or(UNREADABLE, |change| change.kind() as i16)
    }

    /// What tells it from others: a command that comes again is the same one.
    fn key(&self) -> CommandKey {
        let Stamp { line, seq } = self.command.stamp;
        let seq = i64::try_from(seq).unwrap_or(i64::MAX);
        (line_number(line), seq, self.command.question_id.to_string(), self.kind())
    }

    /// What it takes of the room that there is for one test.
    pub fn bytes(&self) -> usize {
        COMMAND_BYTES + self.command.question_id.len() + self.value.as_deref().map_or(0, str::len)
    }

    /// Whether the database can store it at all: Postgres refuses NUL in texts.
    fn is_storable(&self) -> bool {
        let LateCommand { question_id, .. } = &self.command;
        let is_sound = |text: &str| !text.contains('\0');
        question_id.chars().count() <= QUESTION_ID_CHARACTERS_MAX
            && is_sound(question_id)
            && self.value.as_deref().is_none_or(is_sound)
    }
}

type CommandKey = (i16, i64, String, i16);

/// Where commands are kept, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct LateKeeping {
    pub session_id: Uuid,
    /// When the test ended.
    pub ended_at: Moment,
    pub now: Moment,
    /// Whether they come by a file, which somebody of the staff has handed in. Then it does not matter how long ago the
    /// test has ended.
    pub from_file: bool,
}

impl LateKeeping {
    fn is_open(&self) -> bool {
        self.from_file || self.now.since(self.ended_at) <= LATE_MILLISECONDS_MAX
    }
}

/// Which of some commands are kept.
#[derive(Debug, Default)]
pub struct KeptCommands {
    /// For each of them.
    pub kept: Vec<bool>,
    /// How many were not there before.
    pub new: usize,
}

/// Keeps commands that came too late, as far as there is room for them. Those that are there already stay as they are.
pub async fn keep_late(
    database: &Database,
    keeping: LateKeeping,
    arrived: &[ArrivedCommand],
) -> Result<Vec<bool>, DbErr> {
    // Most that comes again is there already, and then nobody waits for a lock: these rows are never deleted, and their
    // number only grows.
    let known = find_keys(&database.read, keeping.session_id).await?;
    let kept: Vec<bool> = arrived.iter().map(|one| known.contains(&one.key())).collect();
    if known.len() >= LATE_COMMANDS_MAX || !keeping.is_open() || kept.iter().all(|is_kept| *is_kept) {
        return Ok(kept);
    }
    let transaction = database.begin_alone().await?;
    bound_lock_waits(&transaction).await?;
    let KeptCommands { kept, new } = keep_in(&transaction, keeping, arrived).await?;
    if new > 0 {
        transaction.commit().await?;
    } else {
        transaction.rollback().await?;
    }
    Ok(kept)
}

/// The same within a transaction, which the caller must give up if nothing is new.
pub async fn keep_in(
    transaction: &DatabaseTransaction,
    keeping: LateKeeping,
    arrived: &[ArrivedCommand],
) -> Result<KeptCommands, DbErr> {
    let LateKeeping { session_id, now, from_file, .. } = keeping;
    let work = lock_or_insert(transaction, keeping).await?;
    let mut known = find_keys(transaction, session_id).await?;
    let count = |number: i32| usize::try_from(number).unwrap_or(usize::MAX);
    let (mut commands, mut bytes) = (count(work.commands), count(work.bytes));
    let mut changes = count(work.changes);
    let (mut kept, mut rows) = (Vec::with_capacity(arrived.len()), Vec::new());
    for one in arrived {
        let key = one.key();
        if known.contains(&key) {
            kept.push(true);
            continue;
        }
        let has_room = commands < LATE_COMMANDS_MAX && bytes.saturating_add(one.bytes()) <= LATE_BYTES_MAX;
        let is_kept = keeping.is_open() && has_room && one.is_storable();
        kept.push(is_kept);
        if is_kept {
            (commands, bytes) = (commands + 1, bytes + one.bytes());
            changes += usize::from(one.is_change);
            rows.push(row(session_id, one, from_file));
            known.insert(key);
        }
    }
    let new = rows.len();
    for rows in rows.chunks(ROWS_PER_STATEMENT) {
        late_command::Entity::insert_many(rows.to_vec()).exec_without_returning(transaction).await?;
    }
    if new > 0 {
        let number = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
        let changed = late_work::ActiveModel {
            session_id: Set(session_id),
            commands: Set(number(commands)),
            changes: Set(number(changes)),
            bytes: Set(number(bytes)),
            mark: Set(work.mark + 1),
            last_at_ms: Set(now.milliseconds().max(work.last_at_ms)),
            // A test that was reopened has another end.
            ended_at_ms: Set(keeping.ended_at.milliseconds()),
            ..Default::default()
        };
        late_work::Entity::update(changed).exec(transaction).await?;
    }
    Ok(KeptCommands { kept, new })
}

/// Locks what is kept of a test, and makes the row if there is none.
async fn lock_or_insert(transaction: &DatabaseTransaction, keeping: LateKeeping) -> Result<late_work::Model, DbErr> {
    let LateKeeping { session_id, ended_at, now, .. } = keeping;
    if let Some(work) = lock(transaction, session_id).await? {
        return Ok(work);
    }
    let row = late_work::ActiveModel {
        session_id: Set(session_id),
        commands: Set(0),
        changes: Set(0),
        bytes: Set(0),
        accepted: Set(0),
        declined: Set(0),
        decided_changes: Set(None),
        mark: Set(0),
        first_at_ms: Set(now.milliseconds()),
        last_at_ms: Set(now.milliseconds()),
        ended_at_ms: Set(ended_at.milliseconds()),
        offline_since_ms: Set(find_offline_since(transaction, session_id, ended_at).await?),
    };
    // Another server may make it at this moment.
    let there = OnConflict::new().do_nothing().to_owned();
    late_work::Entity::insert(row).on_conflict(there).exec_without_returning(transaction).await?;
    let work = lock(transaction, session_id).await?;
    work.ok_or_else(|| DbErr::Custom("late work cannot be kept".to_owned()))
}

/// Locks what is kept of a test until the transaction ends; `None` if nothing is. Whoever decides about it locks it
/// before everything else.
pub async fn lock(transaction: &DatabaseTransaction, session_id: Uuid) -> Result<Option<late_work::Model>, DbErr> {
    late_work::Entity::find_by_id(session_id).lock_exclusive().one(transaction).await
}

/// When the server lost the student's connection before the end; `None` if they had one then, or never had one.
async fn find_offline_since(
    connection: &impl ConnectionTrait,
    session_id: Uuid,
    ended_at: Moment,
) -> Result<Option<i64>, DbErr> {
    use attempt_event::Column;
    let query = attempt_event::Entity::find()
        .filter(Column::SessionId.eq(session_id))
        .filter(Column::Kind.is_in(["connected", "disconnected"]))
        .filter(Column::AtMs.lte(ended_at.milliseconds()))
        .order_by_desc(Column::Id);
    let last = query.one(connection).await?;
    Ok(last.filter(|event| event.kind == "disconnected").map(|event| event.at_ms))
}

async fn find_keys(connection: &impl ConnectionTrait, session_id: Uuid) -> Result<HashSet<CommandKey>, DbErr> {
    use late_command::Column;
    let query = late_command::Entity::find()
        .select_only()
        .columns([Column::Line, Column::Seq, Column::QuestionId, Column::Kind])
        .filter(Column::SessionId.eq(session_id));
    Ok(query.into_tuple::<CommandKey>().all(connection).await?.into_iter().collect())
}

fn row(session_id: Uuid, arrived: &ArrivedCommand, from_file: bool) -> late_command::ActiveModel {
    let (line, seq, question_id, kind) = arrived.key();
    let LateCommand { change, at, received_at, .. } = &arrived.command;
    let time_taken = match change {
        Some(AnswerChange::Choice { time_taken, .. }) => time_taken.and_then(|seconds| i32::try_from(seconds).ok()),
        _ => None,
    };
    late_command::ActiveModel {
        id: NotSet,
        session_id: Set(session_id),
        line: Set(line),
        seq: Set(seq),
        question_id: Set(question_id),
        kind: Set(kind),
        value: Set(arrived.value.as_deref().map(str::to_owned)),
        time_taken: Set(time_taken),
        at_ms: Set(at.map(Moment::milliseconds)),
        received_at_ms: Set(received_at.milliseconds()),
        from_file: Set(from_file),
        state: Set(LateState::Pending.number()),
    }
}
