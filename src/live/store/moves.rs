//! Further tokens of attempts and the codes of proctors, by which students go on with another device.

use domain::attempt::Mode;
use domain::grade::Grade;
use domain::time::moment::Moment;
use entities::{attempt, attempt_event, attempt_token, move_code};
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict, SimpleExpr};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, FromQueryResult, QueryFilter, QueryOrder,
    QuerySelect,
};
use uuid::Uuid;

use super::attempts::is_overdue;
use super::commit::while_signed_in;
use crate::database::{Database, bound_lock_waits};
use crate::store::Unreadable;
use crate::store::attempt_times::StoredTimes;

/// Further tokens of one attempt. With a new one beyond them the oldest is removed, because a device that was left
/// fifty moves ago does not come back.
const TOKENS_MAX: u64 = 50;
/// Further tokens of one attempt in a minute: many more than a student can use, and few events on the record.
const TOKENS_A_MINUTE_MAX: u64 = 10;
const MINUTE_MILLISECONDS: i64 = 60_000;
/// Attempts of one person that are listed, the newest first.
const MINE_MAX: u64 = 50;
/// Wrong codes that may name a session before its code is removed: a student's typing errors, but no search.
const GUESSES_MAX: i32 = 5;

/// An attempt under way, as its owner is shown it.
#[derive(Clone, Debug)]
pub struct OwnAttempt {
    pub session_id: Uuid,
    pub grade: Grade,
    pub template_id: Option<Uuid>,
    pub mode: Mode,
    pub started_at: Moment,
    pub deadline: Moment,
    pub is_paused: bool,
}

/// Whether an attempt may get a further token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveOutcome {
    Done {
        session_id: Uuid,
        template_id: Option<Uuid>,
    },
    UnknownSession,
    AlreadySubmitted,
    /// The session is someone else's, or the code is not valid.
    Refused,
    /// It has been given too many in the last minute, and gets no more until then.
    TooMany {
        until: Moment,
    },
}

/// Who is given a further token.
#[derive(Clone, Copy, Debug)]
pub enum Mover<'a> {
    /// The signed-in person with this e-mail address, for this session.
    Owner(Uuid, &'a str),
    /// The candidate of a sitting to whom the session belongs, also after its end, and another person who is signed in
    /// where their code was typed.
    Candidate(Uuid, Uuid, Option<&'a str>),
    /// Whoever has the code with this hash. With a session, the code must be of that one.
    Code(Option<Uuid>, &'a [u8; 32]),
}

/// A new code for a session.
#[derive(Clone, Copy, Debug)]
pub struct NewCode<'a> {
    pub session_id: Uuid,
    pub code_hash: &'a [u8; 32],
    /// The proctor's e-mail address.
    pub made_by: &'a str,
    pub expires_at: Moment,
}

/// The columns of an attempt that decide on further tokens.
#[derive(FromQueryResult)]
struct AttemptFacts {
    owner: Option<String>,
    ended_at_ms: Option<i64>,
    template_id: Option<Uuid>,
    candidate_id: Option<Uuid>,
}

/// The columns of an attempt that its owner is shown.
#[derive(FromQueryResult)]
struct OwnRow {
    session_id: Uuid,
    grade: i16,
    template_id: Option<Uuid>,
    mode: String,
    #[sea_orm(nested)]
    times: StoredTimes,
}

impl OwnRow {
    fn attempt(self) -> Result<OwnAttempt, Unreadable> {
        let times = self.times.times();
        Ok(OwnAttempt {
            session_id: self.session_id,
            grade: Grade::new(self.grade.into()).ok_or(Unreadable("grade"))?,
            template_id: self.template_id,
            mode: Mode::parse(&self.mode).ok_or(Unreadable("mode"))?,
            started_at: times.begins_at,
            deadline: times.deadline(),
            is_paused: times.paused_at.is_some(),
        })
    }
}

/// Finds the attempts that this person has begun and that go on.
pub async fn find_own(database: &Database, owner: &str, now: Moment) -> Result<Vec<OwnAttempt>, DbErr> {
    use attempt::Column;
    let rows: Vec<OwnRow> = attempt::Entity::find()
        .select_only()
        .columns([Column::SessionId, Column::Grade, Column::TemplateId, Column::Mode])
        .columns(StoredTimes::COLUMNS)
        .filter(Column::Owner.eq(owner))
        // Whoever is in a sitting enters it again.
        .filter(Column::SittingId.is_null())
        .filter(Column::EndedAtMs.is_null())
        .filter(is_overdue(now).not())
        .order_by_desc(Column::StartedAtMs)
        .limit(MINE_MAX)
        .into_model()
        .all(&database.read)
        .await?;
    Ok(rows.into_iter().map(OwnRow::attempt).collect::<Result<_, _>>()?)
}

/// Whether this is the hash of a further token of the session.
pub async fn has_further_token(database: &Database, session_id: Uuid, token_hash: &[u8; 32]) -> Result<bool, DbErr> {
    let found = attempt_token::Entity::find_by_id(token_hash.to_vec()).one(&database.read).await?;
    Ok(found.is_some_and(|row| row.session_id == session_id))
}

/// Gives a session a further token, and notes that on its record. A code is used up by it.
pub async fn add_token(
    database: &Database,
    mover: Mover<'_>,
    token_hash: &[u8; 32],
    now: Moment,
) -> Result<MoveOutcome, DbErr> {
    // Looked at without a transaction first: those who are refused must not take the one writer of SQLite from exams.
    if let Err(refusal) = judge(&database.read, mover, now).await? {
        if let (MoveOutcome::Refused, Mover::Code(Some(session_id), _)) = (refusal, mover) {
            count_guess(database, session_id).await?;
        }
        return Ok(refusal);
    }
    let transaction = database.begin().await?;
    bound_lock_waits(&transaction).await?;
    // The attempt may have ended meanwhile, and others may have been faster.
    let Granted { session_id, template_id, detail } = match judge(&transaction, mover, now).await? {
        Ok(granted) => granted,
        Err(refusal) => return Ok(refusal),
    };
    if let Mover::Code(_, code_hash) = mover
        && !use_code(&transaction, code_hash, now).await?
    {
        return Ok(MoveOutcome::Refused);
    }
    let row = attempt_token::ActiveModel {
        token_hash: Set(token_hash.to_vec()),
        session_id: Set(session_id),
        made_at_ms: Set(now.milliseconds()),
    };
    attempt_token::Entity::insert(row).exec_without_returning(&transaction).await?;
    remove_oldest(&transaction, session_id).await?;
    insert_event(&transaction, session_id, "token", "student", detail, now).await?;
    transaction.commit().await?;
    Ok(MoveOutcome::Done { session_id, template_id })
}

/// What a mover may have: a further token of this session. The detail is for its record.
struct Granted {
    session_id: Uuid,
    template_id: Option<Uuid>,
    detail: String,
}

/// Whether the mover may have a further token now.
async fn judge(
    connection: &impl ConnectionTrait,
    mover: Mover<'_>,
    now: Moment,
) -> Result<Result<Granted, MoveOutcome>, DbErr> {
    let (session_id, detail) = match mover {
        Mover::Owner(session_id, owner) => (session_id, format!("signed in as {owner}")),
        Mover::Candidate(session_id, _, None) => (session_id, "entered again".to_owned()),
        Mover::Candidate(session_id, _, Some(other)) => {
            (session_id, format!("entered again, {}", while_signed_in(other)))
        }
        Mover::Code(session_id, code_hash) => match find_code(connection, session_id, code_hash, now).await? {
            Some(code) => (code.session_id, format!("with a code of {}", code.made_by)),
            None => return Ok(Err(MoveOutcome::Refused)),
        },
    };
    let Some(facts) = find_facts(connection, session_id).await? else { return Ok(Err(MoveOutcome::UnknownSession)) };
    if matches!(mover, Mover::Owner(_, owner) if facts.owner.as_deref() != Some(owner)) {
        return Ok(Err(MoveOutcome::Refused));
    }
    if matches!(mover, Mover::Candidate(_, candidate_id, _) if facts.candidate_id != Some(candidate_id)) {
        return Ok(Err(MoveOutcome::Refused));
    }
    if facts.ended_at_ms.is_some() && !matches!(mover, Mover::Candidate(..)) {
        return Ok(Err(MoveOutcome::AlreadySubmitted));
    }
    if let Some(until) = find_next_time(connection, session_id, now).await? {
        return Ok(Err(MoveOutcome::TooMany { until }));
    }
    Ok(Ok(Granted { session_id, template_id: facts.template_id, detail }))
}

/// When a session that has been given too many tokens in the last minute may have another; `None` if it may now.
async fn find_next_time(
    connection: &impl ConnectionTrait,
    session_id: Uuid,
    now: Moment,
) -> Result<Option<Moment>, DbErr> {
    use attempt_token::Column;
    let is_recent = Column::MadeAtMs.gt(now.plus(-MINUTE_MILLISECONDS).milliseconds());
    let hindering: Option<i64> = attempt_token::Entity::find()
        .select_only()
        .column(Column::MadeAtMs)
        .filter(Column::SessionId.eq(session_id))
        .filter(is_recent)
        .order_by_desc(Column::MadeAtMs)
        .offset(TOKENS_A_MINUTE_MAX - 1)
        .limit(1)
        .into_tuple()
        .one(connection)
        .await?;
    Ok(hindering.map(|made_at_ms| Moment::from_milliseconds(made_at_ms).plus(MINUTE_MILLISECONDS)))
}

/// Stores a code in place of the one that the session may have, and notes that on its record. Codes that are too old
/// are removed.
pub async fn add_code(database: &Database, new: NewCode<'_>, now: Moment) -> Result<MoveOutcome, DbErr> {
    use move_code::Column;
    let transaction = database.begin().await?;
    bound_lock_waits(&transaction).await?;
    let template_id = match find_facts(&transaction, new.session_id).await? {
        None => return Ok(MoveOutcome::UnknownSession),
        Some(AttemptFacts { ended_at_ms: Some(_), .. }) => return Ok(MoveOutcome::AlreadySubmitted),
        Some(facts) => facts.template_id,
    };
    let is_old = Column::ExpiresAtMs.lte(now.milliseconds());
    move_code::Entity::delete_many().filter(is_old).exec(&transaction).await?;
    let row = move_code::ActiveModel {
        session_id: Set(new.session_id),
        code_hash: Set(new.code_hash.to_vec()),
        made_by: Set(new.made_by.to_owned()),
        expires_at_ms: Set(new.expires_at.milliseconds()),
        guesses_left: Set(GUESSES_MAX),
    };
    let instead = OnConflict::column(Column::SessionId)
        .update_columns([Column::CodeHash, Column::MadeBy, Column::ExpiresAtMs, Column::GuessesLeft])
        .to_owned();
    move_code::Entity::insert(row).on_conflict(instead).exec_without_returning(&transaction).await?;
    insert_event(&transaction, new.session_id, "code", new.made_by, String::new(), now).await?;
    transaction.commit().await?;
    Ok(MoveOutcome::Done { session_id: new.session_id, template_id })
}

/// The owner of an attempt, and when it ended.
async fn find_facts(connection: &impl ConnectionTrait, session_id: Uuid) -> Result<Option<AttemptFacts>, DbErr> {
    use attempt::Column;
    let query = attempt::Entity::find_by_id(session_id).select_only();
    query
        .columns([Column::Owner, Column::EndedAtMs, Column::TemplateId, Column::CandidateId])
        .into_model()
        .one(connection)
        .await
}

/// Finds a valid code, for this session if one is named.
async fn find_code(
    connection: &impl ConnectionTrait,
    session_id: Option<Uuid>,
    code_hash: &[u8; 32],
    now: Moment,
) -> Result<Option<move_code::Model>, DbErr> {
    let found = move_code::Entity::find().filter(is_valid(code_hash, now)).one(connection).await?;
    Ok(found.filter(|row| session_id.is_none_or(|session_id| session_id == row.session_id)))
}

/// Removes a valid code. Of several callers with the same code at once, one gets `true`.
async fn use_code(transaction: &DatabaseTransaction, code_hash: &[u8; 32], now: Moment) -> Result<bool, DbErr> {
    let removed = move_code::Entity::delete_many().filter(is_valid(code_hash, now)).exec(transaction).await?;
    Ok(removed.rows_affected > 0)
}

fn is_valid(code_hash: &[u8; 32], now: Moment) -> SimpleExpr {
    use move_code::Column;
    Column::CodeHash.eq(&code_hash[..]).and(Column::ExpiresAtMs.gt(now.milliseconds()))
}

/// Counts a wrong code for a session, if that has one; the last that it may have removes its code.
async fn count_guess(database: &Database, session_id: Uuid) -> Result<(), DbErr> {
    use move_code::Column;
    if move_code::Entity::find_by_id(session_id).one(&database.read).await?.is_none() {
        return Ok(());
    }
    let transaction = database.begin().await?;
    bound_lock_waits(&transaction).await?;
    move_code::Entity::update_many()
        .col_expr(Column::GuessesLeft, Expr::col(Column::GuessesLeft).sub(1))
        .filter(Column::SessionId.eq(session_id))
        .exec(&transaction)
        .await?;
    let is_used_up = Column::SessionId.eq(session_id).and(Column::GuessesLeft.lte(0));
    move_code::Entity::delete_many().filter(is_used_up).exec(&transaction).await?;
    transaction.commit().await
}

/// Keeps the newest tokens of a session.
async fn remove_oldest(transaction: &DatabaseTransaction, session_id: Uuid) -> Result<(), DbErr> {
    use attempt_token::Column;
    let of_it = Column::SessionId.eq(session_id);
    let older: Vec<Vec<u8>> = attempt_token::Entity::find()
        .select_only()
        .column(Column::TokenHash)
        .filter(of_it)
        .order_by_desc(Column::MadeAtMs)
        .offset(TOKENS_MAX)
        .limit(TOKENS_MAX)
        .into_tuple()
        .all(transaction)
        .await?;
    if older.is_empty() {
        return Ok(());
    }
    attempt_token::Entity::delete_many().filter(Column::TokenHash.is_in(older)).exec(transaction).await.map(|_| ())
}

async fn insert_event(
    transaction: &DatabaseTransaction,
    session_id: Uuid,
    kind: &str,
    by: &str,
    detail: String,
    now: Moment,
) -> Result<(), DbErr> {
    let row = attempt_event::ActiveModel {
        id: NotSet,
        session_id: Set(session_id),
        at_ms: Set(now.milliseconds()),
        kind: Set(kind.to_owned()),
        by: Set(by.to_owned()),
        detail: Set(detail),
    };
    attempt_event::Entity::insert(row).exec_without_returning(transaction).await.map(|_| ())
}
