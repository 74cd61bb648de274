//! Further tokens of attempts, by which students go on with another device.

use domain::attempt::Mode;
use domain::grade::Grade;
use domain::time::moment::Moment;
use entities::{attempt, attempt_event, attempt_token, candidate, seat};
use sea_orm::sea_query::{ExprTrait, LockType};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, Condition, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, FromQueryResult, QueryFilter,
    QueryOrder, QuerySelect,
};
use uuid::Uuid;

use super::attempts::find_token_hash;
use super::commit::while_signed_in;
use super::lines::give_first_line;
use super::move_codes::{find_code, use_code};
use crate::auth::token;
use crate::database::{Database, bound_lock_waits};
use crate::store::Unreadable;
use crate::store::attempt_times::StoredTimes;
use crate::store::attempts::is_overdue;

/// Further tokens of one attempt and one origin. With a new one beyond them the oldest of its origin is removed,
/// because a device that was left fifty moves ago does not come back; never that of the device at work.
const TOKENS_MAX: u64 = 50;
/// Further tokens of one attempt in a minute: many more than a student can use, and few events on the record.
const TOKENS_A_MINUTE_MAX: u64 = 10;
const MINUTE_MILLISECONDS: i64 = 60_000;
/// Attempts of one person that are listed, the newest first.
const MINE_MAX: u64 = 50;

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

/// What a device gets that is to go on with an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    pub session_id: Uuid,
    pub template_id: Option<Uuid>,
    /// That of the device.
    pub line: u16,
}

/// Whether an attempt may get a further token, or a code for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveOutcome<T = Moved> {
    Done(T),
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
    /// The candidate of a sitting to whom the session belongs, also after its end.
    Candidate {
        session_id: Uuid,
        candidate_id: Uuid,
        /// The hash of the access code with which somebody has entered; `None` for the candidate who is signed in.
        access_hash: Option<&'a [u8; 32]>,
        /// Another person who is signed in where the code was typed.
        bystander: Option<&'a str>,
    },
    /// Whoever has the code with this hash. With a session, the code must be of that one.
    Code(Option<Uuid>, &'a [u8; 32]),
}

impl Mover<'_> {
    const fn origin(&self) -> TokenOrigin {
        match self {
            Self::Candidate { access_hash: Some(_), .. } => TokenOrigin::AccessCode,
            Self::Candidate { access_hash: None, .. } | Self::Owner(..) => TokenOrigin::Owner,
            Self::Code(..) => TokenOrigin::ProctorsCode,
        }
    }
}

/// How a token was got, as a number in the database. Each origin has a quota of its own: whoever enters again and again
/// with a code that was stolen takes nothing from the owner and from proctors.
#[derive(Clone, Copy)]
enum TokenOrigin {
    AccessCode = 0,
    Owner = 1,
    ProctorsCode = 2,
}

/// The columns of an attempt that decide on further tokens.
#[derive(FromQueryResult)]
pub(super) struct AttemptFacts {
    owner: Option<String>,
    pub(super) ended_at_ms: Option<i64>,
    template_id: Option<Uuid>,
    sitting_id: Option<Uuid>,
    candidate_id: Option<Uuid>,
}

impl AttemptFacts {
    /// The template whose questions a new device needs. The paper of a sitting comes with the sitting.
    pub(super) fn template_id(&self) -> Option<Uuid> {
        self.template_id.filter(|_| self.sitting_id.is_none())
    }
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

/// Whether this is the hash of the first token of the session, or of a further one.
pub async fn has_token(database: &Database, session_id: Uuid, token_hash: &[u8; 32]) -> Result<bool, DbErr> {
    let first = find_token_hash(database, session_id).await?;
    let is_first = first.is_some_and(|first| token::is_same(token_hash, &first));
    Ok(is_first || has_further_token(database, session_id, token_hash).await?)
}

/// Gives a session a further token, and notes that on its record. A code is used up by it.
pub async fn add_token(
    database: &Database,
    mover: Mover<'_>,
    token_hash: &[u8; 32],
    now: Moment,
) -> Result<MoveOutcome, DbErr> {
    // Looked at without a transaction first: those who are refused must not take the one writer of SQLite from exams.
    let session_id = match judge(&database.read, mover, now).await? {
        Ok(granted) => granted.session_id,
        Err(refusal) => return Ok(refusal),
    };
    let transaction = database.begin().await?;
    bound_lock_waits(&transaction).await?;
    let at_work = lock_device(&transaction, session_id).await?;
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
        origin: Set(mover.origin() as i16),
    };
    attempt_token::Entity::insert(row).exec_without_returning(&transaction).await?;
    remove_oldest(&transaction, session_id, mover.origin(), at_work).await?;
    let line = give_first_line(&transaction, session_id, token_hash).await?;
    insert_event(&transaction, session_id, "token", "student", detail, now).await?;
    transaction.commit().await?;
    Ok(MoveOutcome::Done(Moved { session_id, template_id, line }))
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
        Mover::Candidate { session_id, bystander: None, .. } => (session_id, "entered again".to_owned()),
        Mover::Candidate { session_id, bystander: Some(other), .. } => {
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
    if let Mover::Candidate { candidate_id, access_hash, .. } = mover
        && (facts.candidate_id != Some(candidate_id) || !has_access_code(connection, candidate_id, access_hash).await?)
    {
        return Ok(Err(MoveOutcome::Refused));
    }
    if facts.ended_at_ms.is_some() && !matches!(mover, Mover::Candidate { .. }) {
        return Ok(Err(MoveOutcome::AlreadySubmitted));
    }
    if let Some(until) = find_next_time(connection, session_id, mover.origin(), now).await? {
        return Ok(Err(MoveOutcome::TooMany { until }));
    }
    Ok(Ok(Granted { session_id, template_id: facts.template_id(), detail }))
}

/// Whether the code with which somebody has entered is still that of the candidate.
async fn has_access_code(
    connection: &impl ConnectionTrait,
    candidate_id: Uuid,
    access_hash: Option<&[u8; 32]>,
) -> Result<bool, DbErr> {
    let Some(access_hash) = access_hash else { return Ok(true) };
    let query = candidate::Entity::find_by_id(candidate_id).select_only().column(candidate::Column::AccessCodeHash);
    let stored: Option<Vec<u8>> = query.into_tuple::<Option<Vec<u8>>>().one(connection).await?.flatten();
    Ok(stored.is_some_and(|stored| stored == access_hash))
}

/// Locks the seat against an order that ends devices, until the transaction ends: the new token comes before it or
/// after it. Returns the hash of the token of the device at work.
async fn lock_device(transaction: &DatabaseTransaction, session_id: Uuid) -> Result<Option<Vec<u8>>, DbErr> {
    let query = seat::Entity::find_by_id(session_id).select_only().column(seat::Column::Device);
    let device = query.lock(LockType::Share).into_tuple::<Option<Vec<u8>>>().one(transaction).await?;
    Ok(device.flatten())
}

/// When a session that has been given too many tokens of this origin in the last minute may have another; `None` if it
/// may now.
async fn find_next_time(
    connection: &impl ConnectionTrait,
    session_id: Uuid,
    origin: TokenOrigin,
    now: Moment,
) -> Result<Option<Moment>, DbErr> {
    use attempt_token::Column;
    let is_recent = Column::MadeAtMs.gt(now.plus(-MINUTE_MILLISECONDS).milliseconds());
    let hindering: Option<i64> = attempt_token::Entity::find()
        .select_only()
        .column(Column::MadeAtMs)
        .filter(Column::SessionId.eq(session_id))
        .filter(Column::Origin.eq(origin as i16))
        .filter(is_recent)
        .order_by_desc(Column::MadeAtMs)
        .offset(TOKENS_A_MINUTE_MAX - 1)
        .limit(1)
        .into_tuple()
        .one(connection)
        .await?;
    Ok(hindering.map(|made_at_ms| Moment::from_milliseconds(made_at_ms).plus(MINUTE_MILLISECONDS)))
}

/// The owner of an attempt, and when it ended.
pub(super) async fn find_facts(
    connection: &impl ConnectionTrait,
    session_id: Uuid,
) -> Result<Option<AttemptFacts>, DbErr> {
    use attempt::Column;
    let query = attempt::Entity::find_by_id(session_id).select_only();
    query
        .columns([Column::Owner, Column::EndedAtMs, Column::TemplateId, Column::SittingId, Column::CandidateId])
        .into_model()
        .one(connection)
        .await
}

/// Keeps the newest tokens of a session and an origin, and that of the device at work.
async fn remove_oldest(
    transaction: &DatabaseTransaction,
    session_id: Uuid,
    origin: TokenOrigin,
    at_work: Option<Vec<u8>>,
) -> Result<(), DbErr> {
    use attempt_token::Column;
    let of_it = Condition::all()
        .add(Column::SessionId.eq(session_id))
        .add(Column::Origin.eq(origin as i16))
        .add_option(at_work.map(|at_work| Column::TokenHash.ne(at_work)));
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

/// Puts something on the record of a session.
pub(super) async fn insert_event(
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
