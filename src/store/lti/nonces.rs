//! What launches have used. A nonce is spent when its token has been verified, so only a platform can fill this table.

use domain::time::moment::Moment;
use entities::lti_nonce;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// Spends a nonce of a platform, and forgets those that have expired. Returns false if it was spent before.
pub async fn spend_nonce(
    connection: &impl ConnectionTrait,
    platform_id: Uuid,
    nonce: &str,
    expires_at: Moment,
    now: Moment,
) -> Result<bool, DbErr> {
    use lti_nonce::Column;
    lti_nonce::Entity::delete_many().filter(Column::ExpiresAtMs.lt(now.milliseconds())).exec(connection).await?;
    let hash = Sha256::digest([platform_id.as_bytes().as_slice(), nonce.as_bytes()].concat());
    let row = lti_nonce::ActiveModel { hash: Set(hash.to_vec()), expires_at_ms: Set(expires_at.milliseconds()) };
    let spent = OnConflict::column(Column::Hash).do_nothing().to_owned();
    Ok(lti_nonce::Entity::insert(row).on_conflict(spent).exec_without_returning(connection).await? > 0)
}
