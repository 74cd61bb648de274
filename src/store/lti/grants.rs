//! What deployments were given by deep linking or by an admin: the custom parameters of a link allow nothing by
//! themselves.

use domain::lti::link::{BoundLink, LinkGrant, LinkTarget};
use domain::time::moment::Moment;
use entities::lti_grant;
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};
use uuid::Uuid;

use super::links::links_of_target;

type GrantKey = (Uuid, String, String, Uuid);

/// Whether a deployment was given this.
pub async fn has_grant(
    connection: &impl ConnectionTrait,
    platform_id: Uuid,
    deployment_id: &str,
    target: LinkTarget,
) -> Result<bool, DbErr> {
    let found = lti_grant::Entity::find_by_id(key(platform_id, deployment_id, target)).one(connection).await?;
    Ok(found.is_some())
}

/// Gives it to the deployment; one that has it keeps it.
pub async fn grant(connection: &impl ConnectionTrait, grant: &LinkGrant) -> Result<(), DbErr> {
    use lti_grant::Column;
    let row = lti_grant::ActiveModel {
        platform_id: Set(grant.platform_id),
        deployment_id: Set(grant.deployment_id.clone()),
        kind: Set(grant.target.kind().to_owned()),
        target_id: Set(grant.target.id()),
        granted_by: Set(grant.granted_by.clone()),
        granted_at_ms: Set(grant.granted_at.milliseconds()),
    };
    let key = [Column::PlatformId, Column::DeploymentId, Column::Kind, Column::TargetId];
    let kept = OnConflict::columns(key).do_nothing().to_owned();
    lti_grant::Entity::insert(row).on_conflict(kept).exec_without_returning(connection).await.map(|_| ())
}

/// Loads what the deployments of a platform were given, the newest first: at most `count`.
pub async fn grants_of(
    connection: &impl ConnectionTrait,
    platform_id: Uuid,
    count: u64,
) -> Result<Vec<LinkGrant>, DbErr> {
    use lti_grant::Column;
    let query = lti_grant::Entity::find().filter(Column::PlatformId.eq(platform_id));
    let query = query.order_by_desc(Column::GrantedAtMs).order_by_asc(Column::TargetId);
    let given = |row: lti_grant::Model| {
        Some(LinkGrant {
            target: LinkTarget::parse(&row.kind, row.target_id)?,
            platform_id: row.platform_id,
            deployment_id: row.deployment_id,
            granted_by: row.granted_by,
            granted_at: Moment::from_milliseconds(row.granted_at_ms),
        })
    };
    Ok(query.limit(count).all(connection).await?.into_iter().filter_map(given).collect())
}

/// Takes it from the deployment. Links that lead to it stay, and are refused. Returns false when it did not have it.
pub async fn revoke(
    connection: &impl ConnectionTrait,
    platform_id: Uuid,
    deployment_id: &str,
    target: LinkTarget,
) -> Result<bool, DbErr> {
    let key = key(platform_id, deployment_id, target);
    Ok(lti_grant::Entity::delete_by_id(key).exec(connection).await?.rows_affected > 0)
}

/// Takes from a deployment what a link has led to that is gone now, unless another link of the deployment leads there.
pub async fn revoke_unlinked(connection: &impl ConnectionTrait, link: &BoundLink) -> Result<(), DbErr> {
    let others = links_of_target(connection, link.target).await?;
    let is_of_deployment =
        |other: &BoundLink| other.platform_id == link.platform_id && other.deployment_id == link.deployment_id;
    if !others.iter().any(is_of_deployment) {
        revoke(connection, link.platform_id, &link.deployment_id, link.target).await?;
    }
    Ok(())
}

fn key(platform_id: Uuid, deployment_id: &str, target: LinkTarget) -> GrantKey {
    (platform_id, deployment_id.to_owned(), target.kind().to_owned(), target.id())
}
