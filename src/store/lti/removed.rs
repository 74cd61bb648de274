//! Links that somebody has removed here. The course still has them, so they would be bound again by the next launch.

use domain::lti::link::BoundLink;
use domain::time::moment::Moment;
use entities::lti_removed_link;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ConnectionTrait, DbErr, EntityTrait};
use uuid::Uuid;

/// Notes that a link was removed. It is known as that for as long as its deployment is.
pub async fn note_removed(connection: &impl ConnectionTrait, link: &BoundLink, now: Moment) -> Result<(), DbErr> {
    use lti_removed_link::Column;
    let row = lti_removed_link::ActiveModel {
        platform_id: Set(link.platform_id),
        deployment_id: Set(link.deployment_id.clone()),
        resource_link_id: Set(link.resource_link_id.clone()),
        removed_at_ms: Set(now.milliseconds()),
    };
    let key = [Column::PlatformId, Column::DeploymentId, Column::ResourceLinkId];
    let known = OnConflict::columns(key).update_column(Column::RemovedAtMs).to_owned();
    lti_removed_link::Entity::insert(row).on_conflict(known).exec_without_returning(connection).await.map(|_| ())
}

/// Whether the link of this name was removed once.
pub async fn was_removed(
    connection: &impl ConnectionTrait,
    platform_id: Uuid,
    deployment_id: &str,
    resource_link_id: &str,
) -> Result<bool, DbErr> {
    let key = (platform_id, deployment_id.to_owned(), resource_link_id.to_owned());
    Ok(lti_removed_link::Entity::find_by_id(key).one(connection).await?.is_some())
}
