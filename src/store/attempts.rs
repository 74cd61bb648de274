//! What other features than `live` ask about its attempts. It is here, below all of them, so that none of them needs
//! `live` for it; everything else about attempts is in `src/live/store`.

use entities::{attempt, attempt_token};
use sea_orm::{ColumnTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QuerySelect};
use uuid::Uuid;

use crate::database::Database;

/// The hash of the first token of a running attempt at a template. `None` if there is no such attempt, or it is over,
/// or part of a sitting, whose candidates must not see the questions before it begins.
pub async fn find_running(database: &Database, session_id: Uuid, template: Uuid) -> Result<Option<Vec<u8>>, DbErr> {
    use attempt::Column;
    attempt::Entity::find_by_id(session_id)
        .select_only()
        .column(Column::TokenHash)
        .filter(Column::TemplateId.eq(template))
        .filter(Column::EndedAtMs.is_null())
        .filter(Column::SittingId.is_null())
        .into_tuple()
        .one(&database.read)
        .await
}

/// Whether a session has this further token.
pub async fn has_further_token(database: &Database, session_id: Uuid, token_hash: &[u8; 32]) -> Result<bool, DbErr> {
    let of_it = attempt_token::Column::SessionId.eq(session_id);
    let found = attempt_token::Entity::find_by_id(token_hash.to_vec()).filter(of_it).count(&database.read).await?;
    Ok(found > 0)
}
