//! Ends the devices of a student but the one at work: their tokens, and the codes by which there could be
//! more.

use std::collections::HashMap;

use domain::time::moment::Moment;
use entities::{attempt, attempt_event, attempt_token, candidate, move_code, seat};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QuerySelect,
};
use uuid::Uuid;

use crate::auth::token;
use crate::database::Database;
use crate::live::store::{ROWS_PER_STATEMENT, claims};
use crate::store::sittings::{self, SittingHold};

/// The kind of the event that a device was ended.
const ONLY_THIS_DEVICE: &str = "only_this_device";

/// The candidate whose session it is, whose sitting is held until the transaction ends; `None` outside of sittings.
/// Sittings are locked before seats, as by everyone else.
pub(in crate::live) async fn hold_candidate(
    transaction: &DatabaseTransaction,
    session_id: Uuid,
) -> Result<Option<(SittingHold<'_>, Uuid)>, DbErr> {
    use attempt::Column;
    let query = attempt::Entity::find_by_id(session_id).select_only().columns([Column::SittingId, Column::CandidateId]);
    let found: Option<(Option<Uuid>, Option<Uuid>)> = query.into_tuple().one(transaction).await?;
    let Some((Some(sitting_id), candidate_id)) = found else { return Ok(None) };
    Ok(sittings::hold(transaction, sitting_id).await?.zip(candidate_id))
}

/// Whether the access code with this hash is that of the candidate whose session it is.
pub(in crate::live) async fn has_access_code(
    transaction: &DatabaseTransaction,
    session_id: Uuid,
    code_hash: &[u8; 32],
) -> Result<bool, DbErr> {
    use candidate::Column;
    let of_session = candidate::Entity::find().filter(Column::SessionId.eq(session_id));
    let is_theirs = Column::AccessCodeHash.eq(code_hash.to_vec());
    Ok(of_session.filter(is_theirs).one(transaction).await?.is_some())
}

/// Ends all tokens of an attempt whose seat was locked, but that of the device at work, and its code for further ones.
/// The device at work has the open socket; without one it is the last that has had a command accepted over HTTPS since
/// there was one. A device whose socket is gone is not kept: it may be the thief's, and the student comes back with the
/// new code. Returns the sentence for the record.
pub(super) async fn end_others(
    transaction: &DatabaseTransaction,
    session_id: Uuid,
    now: Moment,
) -> Result<String, DbErr> {
    let seat = seat::Entity::find_by_id(session_id).one(transaction).await?;
    let mut kept = seat.as_ref().filter(|seat| seat.is_at_work).and_then(|seat| seat.device.clone());
    // A server that crashes takes its sockets with it, and nobody is left to take the mark away: the seat is claimed
    // anew, which does so, only when its student comes back. Until the lease has run out, which takes seconds, a
    // server that has crashed cannot be told from one that has not.
    if !claims::is_living(transaction, seat.and_then(|seat| seat.server), now).await? {
        kept = None;
    }
    let further = Condition::all()
        .add(attempt_token::Column::SessionId.eq(session_id))
        .add_option(kept.as_ref().map(|kept| attempt_token::Column::TokenHash.ne(kept.clone())));
    attempt_token::Entity::delete_many().filter(further).exec(transaction).await?;
    move_code::Entity::delete_by_id(session_id).exec(transaction).await?;
    // Nobody has a token with such a hash. The key of the start would make the first token again.
    let nobodys = token::random_bytes().map_err(|error| DbErr::Custom(error.to_string()))?;
    let ended = attempt::ActiveModel {
        token_hash: Set(nobodys.to_vec()),
        start_key_hash: Set(None),
        token_salt: Set(None),
        ..Default::default()
    };
    let first = Condition::all()
        .add(attempt::Column::SessionId.eq(session_id))
        .add_option(kept.as_ref().map(|kept| attempt::Column::TokenHash.ne(kept.clone())));
    attempt::Entity::update_many().set(ended).filter(first).exec(transaction).await?;
    Ok(match kept {
        Some(_) => "the device at work goes on",
        None => "no device was at work",
    }
    .to_owned())
}

/// The last order of these sessions that has ended devices, by the number of its event.
pub(super) async fn find_ended(database: &Database, sessions: &[Uuid]) -> Result<HashMap<Uuid, i64>, DbErr> {
    use attempt_event::Column;
    let mut found = HashMap::new();
    for sessions in sessions.chunks(ROWS_PER_STATEMENT) {
        let query = attempt_event::Entity::find().select_only().column(Column::SessionId);
        let query = query.column_as(Column::Id.max(), "last").filter(Column::Kind.eq(ONLY_THIS_DEVICE));
        let query = query.filter(Column::SessionId.is_in(sessions.iter().copied())).group_by(Column::SessionId);
        found.extend(query.into_tuple::<(Uuid, i64)>().all(&database.read).await?);
    }
    Ok(found)
}
