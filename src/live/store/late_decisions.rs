//! What was decided about work that came late: the kept commands with their states, and what decides on them.

use domain::attempt::{LateCommand, Stamp};
use domain::time::moment::Moment;
use entities::{attempt, attempt_event, late_command, late_work};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    Select,
};
use uuid::Uuid;

use super::attempts::change_of;
use super::late::ROWS_PER_STATEMENT;

/// What was decided about a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LateState {
    Pending = 0,
    Accepted = 1,
    Declined = 2,
}

impl LateState {
    pub(super) const fn number(self) -> i16 {
        self as i16
    }

    const fn of_number(number: i16) -> Self {
        match number {
            1 => Self::Accepted,
            2 => Self::Declined,
            _ => Self::Pending,
        }
    }
}

/// A kept command.
#[derive(Clone, Debug)]
pub struct StoredLateCommand {
    pub id: i64,
    pub command: LateCommand,
    /// As the database stores values; of what could not be read, its text.
    pub value: Option<String>,
    pub from_file: bool,
    pub state: LateState,
}

impl From<late_command::Model> for StoredLateCommand {
    fn from(row: late_command::Model) -> Self {
        let stamp = Stamp { line: u16::try_from(row.line).unwrap_or(0), seq: u64::try_from(row.seq).unwrap_or(0) };
        let command = LateCommand {
            question_id: row.question_id.into(),
            change: change_of(row.kind, row.value.as_deref(), row.time_taken),
            stamp,
            at: row.at_ms.map(Moment::from_milliseconds),
            received_at: Moment::from_milliseconds(row.received_at_ms),
        };
        let state = LateState::of_number(row.state);
        Self { id: row.id, command, value: row.value, from_file: row.from_file, state }
    }
}

/// The commands that are kept of a test, in the order in which they came.
pub async fn find_late_commands(
    connection: &impl ConnectionTrait,
    session_id: Uuid,
) -> Result<Vec<StoredLateCommand>, DbErr> {
    use late_command::Column;
    let query = late_command::Entity::find().filter(Column::SessionId.eq(session_id)).order_by_asc(Column::Id);
    Ok(query.all(connection).await?.into_iter().map(StoredLateCommand::from).collect())
}

/// Stores what was decided about these commands. `all` are the commands of the test with their new states.
pub async fn set_late_states(
    transaction: &DatabaseTransaction,
    work: &late_work::Model,
    changed: &[(i64, LateState)],
    all: impl Iterator<Item = LateState>,
) -> Result<(), DbErr> {
    for state in [LateState::Accepted, LateState::Declined] {
        let ids: Vec<i64> = changed.iter().filter(|(_, to)| *to == state).map(|(id, _)| *id).collect();
        for ids in ids.chunks(ROWS_PER_STATEMENT) {
            late_command::Entity::update_many()
                .col_expr(late_command::Column::State, Expr::value(state.number()))
                .filter(late_command::Column::Id.is_in(ids.iter().copied()))
                .exec(transaction)
                .await?;
        }
    }
    let (mut accepted, mut declined) = (0, 0);
    for state in all {
        accepted += i32::from(state == LateState::Accepted);
        declined += i32::from(state == LateState::Declined);
    }
    let row = late_work::ActiveModel {
        session_id: Set(work.session_id),
        accepted: Set(accepted),
        declined: Set(declined),
        // What comes from now on is news.
        decided_changes: Set(Some(work.changes)),
        mark: Set(work.mark + 1),
        ..Default::default()
    };
    late_work::Entity::update(row).exec(transaction).await.map(|_| ())
}

/// How an attempt stands at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptEnd {
    /// `None` while it lasts.
    pub ended_at: Option<Moment>,
    /// When the student was shown the key for the first time.
    pub answers_seen_at: Option<Moment>,
    /// Whether the student has gone on to the second stage, if there is one.
    pub has_reached_second_stage: bool,
}

/// Reads how an attempt stands at its end; `None` if there is no such attempt.
pub async fn find_end(connection: &impl ConnectionTrait, session_id: Uuid) -> Result<Option<AttemptEnd>, DbErr> {
    end_of(attempt::Entity::find_by_id(session_id), connection).await
}

/// The same of an attempt that stays as it is until the transaction ends: nobody reopens it meanwhile.
pub async fn lock_end(transaction: &DatabaseTransaction, session_id: Uuid) -> Result<Option<AttemptEnd>, DbErr> {
    end_of(attempt::Entity::find_by_id(session_id).lock_exclusive(), transaction).await
}

async fn end_of(
    attempt: Select<attempt::Entity>,
    connection: &impl ConnectionTrait,
) -> Result<Option<AttemptEnd>, DbErr> {
    use attempt::Column;
    let columns = [Column::EndedAtMs, Column::AnswersSeenAtMs, Column::StageUnseen];
    let query = attempt.select_only().columns(columns).into_tuple::<(Option<i64>, Option<i64>, bool)>();
    Ok(query.one(connection).await?.map(|(ended_at, answers_seen_at, is_stage_unseen)| AttemptEnd {
        ended_at: ended_at.map(Moment::from_milliseconds),
        answers_seen_at: answers_seen_at.map(Moment::from_milliseconds),
        has_reached_second_stage: !is_stage_unseen,
    }))
}

/// Puts something that staff have done on the record of a test.
pub async fn note(
    connection: &impl ConnectionTrait,
    session_id: Uuid,
    at: Moment,
    kind: &str,
    by: &str,
    detail: String,
) -> Result<(), DbErr> {
    let event = attempt_event::ActiveModel {
        id: NotSet,
        session_id: Set(session_id),
        at_ms: Set(at.milliseconds()),
        kind: Set(kind.to_owned()),
        by: Set(by.to_owned()),
        detail: Set(detail),
    };
    attempt_event::Entity::insert(event).exec_without_returning(connection).await.map(|_| ())
}
