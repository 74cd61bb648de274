//! The codes of proctors, with which students get a further token.

use domain::time::moment::Moment;
use entities::move_code;
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict, SimpleExpr};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QuerySelect,
};
use uuid::Uuid;

use super::moves::{AttemptFacts, MoveOutcome, find_facts, insert_event};
use crate::database::{Database, bound_lock_waits};

/// Wrong codes that may name a session before its code is removed: a student's typing errors, but no search.
const GUESSES_MAX: i32 = 5;

/// A new code for a session.
#[derive(Clone, Copy, Debug)]
pub struct NewCode<'a> {
    pub session_id: Uuid,
    pub code_hash: &'a [u8; 32],
    /// The proctor's e-mail address.
    pub made_by: &'a str,
    pub expires_at: Moment,
}

/// Stores a code in place of the one that the session may have, and notes that on its record. Codes that are too old
/// are removed.
pub async fn add_code(database: &Database, new: NewCode<'_>, now: Moment) -> Result<MoveOutcome<()>, DbErr> {
    use move_code::Column;
    let transaction = database.begin().await?;
    bound_lock_waits(&transaction).await?;
    match find_facts(&transaction, new.session_id).await? {
        None => return Ok(MoveOutcome::UnknownSession),
        Some(AttemptFacts { ended_at_ms: Some(_), .. }) => return Ok(MoveOutcome::AlreadySubmitted),
        Some(_) => {}
    }
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
    Ok(MoveOutcome::Done(()))
}

/// Finds a valid code, for this session if one is named.
pub(super) async fn find_code(
    connection: &impl ConnectionTrait,
    session_id: Option<Uuid>,
    code_hash: &[u8; 32],
    now: Moment,
) -> Result<Option<move_code::Model>, DbErr> {
    let found = move_code::Entity::find().filter(is_valid(code_hash, now)).one(connection).await?;
    Ok(found.filter(|row| session_id.is_none_or(|session_id| session_id == row.session_id)))
}

/// Removes a valid code. Of several callers with the same code at once, one gets `true`.
pub(super) async fn use_code(
    transaction: &DatabaseTransaction,
    code_hash: &[u8; 32],
    now: Moment,
) -> Result<bool, DbErr> {
    let removed = move_code::Entity::delete_many().filter(is_valid(code_hash, now)).exec(transaction).await?;
    Ok(removed.rows_affected > 0)
}

fn is_valid(code_hash: &[u8; 32], now: Moment) -> SimpleExpr {
    use move_code::Column;
    Column::CodeHash.eq(&code_hash[..]).and(Column::ExpiresAtMs.gt(now.milliseconds()))
}

/// Finds the hash of the code that a session has.
pub async fn find_code_hash(database: &Database, session_id: Uuid) -> Result<Option<Vec<u8>>, DbErr> {
    let query = move_code::Entity::find_by_id(session_id).select_only().column(move_code::Column::CodeHash);
    query.into_tuple().one(&database.read).await
}

/// Counts wrong codes for a session, if it still has the code with this hash; the last that it may have removes it.
/// Where the answer to the commit is lost and they are counted twice, the code ends early and another one is made. The
/// other way round there would be more guesses than a code may have.
pub async fn count_guesses(database: &Database, session_id: Uuid, code_hash: &[u8], tries: i32) -> Result<(), DbErr> {
    use move_code::Column;
    let is_tried = Column::SessionId.eq(session_id).and(Column::CodeHash.eq(code_hash));
    if move_code::Entity::find().filter(is_tried.clone()).one(&database.read).await?.is_none() {
        return Ok(());
    }
    let transaction = database.begin().await?;
    bound_lock_waits(&transaction).await?;
    move_code::Entity::update_many()
        .col_expr(Column::GuessesLeft, Expr::col(Column::GuessesLeft).sub(tries))
        .filter(is_tried.clone())
        .exec(&transaction)
        .await?;
    let is_used_up = is_tried.and(Column::GuessesLeft.lte(0));
    move_code::Entity::delete_many().filter(is_used_up).exec(&transaction).await?;
    transaction.commit().await
}
