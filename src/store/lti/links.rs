//! Links in courses, and what they lead to.

use domain::lti::link::{BoundLink, DeploymentKey, LinkTarget};
use domain::time::moment::Moment;
use entities::{lti_arrival, lti_candidate, lti_link, lti_test};
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, ExprTrait, QueryFilter, QueryOrder,
    QuerySelect, Statement, Value,
};
use uuid::Uuid;

use super::{Unreadable, list_of, list_text};

/// Which links are listed.
#[derive(Clone, Debug, Default)]
pub struct LinkFilter {
    pub platform_id: Option<Uuid>,
    /// Those of this deployment alone.
    pub deployment: Option<DeploymentKey>,
    pub target: Option<LinkTarget>,
    /// Links at most.
    pub count: u64,
}

/// Finds the link of this name.
pub async fn find_link(
    connection: &impl ConnectionTrait,
    platform_id: Uuid,
    deployment_id: &str,
    resource_link_id: &str,
) -> Result<Option<BoundLink>, DbErr> {
    use lti_link::Column;
    let of_it = Column::PlatformId
        .eq(platform_id)
        .and(Column::DeploymentId.eq(deployment_id))
        .and(Column::ResourceLinkId.eq(resource_link_id));
    let row = lti_link::Entity::find().filter(of_it).one(connection).await?;
    row.map(from_row).transpose().map_err(DbErr::from)
}

/// Finds a link by our own id.
pub async fn find_link_by_id(connection: &impl ConnectionTrait, id: Uuid) -> Result<Option<BoundLink>, DbErr> {
    let row = lti_link::Entity::find_by_id(id).one(connection).await?;
    row.map(from_row).transpose().map_err(DbErr::from)
}

/// Loads the links that lead to a sitting or a template, oldest first.
pub async fn links_of_target(connection: &impl ConnectionTrait, target: LinkTarget) -> Result<Vec<BoundLink>, DbErr> {
    use lti_link::Column;
    let query = lti_link::Entity::find().filter(leads_to(target));
    let rows = query.order_by_asc(Column::CreatedAtMs).order_by_asc(Column::Id).all(connection).await?;
    rows.into_iter().map(from_row).collect::<Result<_, _>>().map_err(DbErr::from)
}

/// Loads links, newest first.
pub async fn list_links(connection: &impl ConnectionTrait, filter: &LinkFilter) -> Result<Vec<BoundLink>, DbErr> {
    use lti_link::Column;
    let mut query = lti_link::Entity::find();
    if let Some(platform_id) = filter.platform_id {
        query = query.filter(Column::PlatformId.eq(platform_id));
    }
    if let Some(DeploymentKey { platform_id, deployment_id }) = &filter.deployment {
        let of_it = Column::PlatformId.eq(*platform_id).and(Column::DeploymentId.eq(deployment_id.as_str()));
        query = query.filter(of_it);
    }
    if let Some(target) = filter.target {
        query = query.filter(leads_to(target));
    }
    let query = query.order_by_desc(Column::CreatedAtMs).order_by_asc(Column::Id);
    let rows = query.limit(filter.count).all(connection).await?;
    rows.into_iter().map(from_row).collect::<Result<_, _>>().map_err(DbErr::from)
}

/// Binds a link, or notes what the platform tells of a known one now. A known link keeps its id and what it leads to,
/// and its column, its services and its scopes where none are told: platforms name a column that was made for it only
/// later, or never, and another launch may have told more since the link was read. Returns the link as it is stored.
pub async fn bind(connection: &impl ConnectionTrait, link: &BoundLink) -> Result<BoundLink, DbErr> {
    use lti_link::Column;
    const SCOPES: &str = "CASE WHEN excluded.scopes = '[]' THEN lti_links.scopes ELSE excluded.scopes END";
    let told = [Column::Title, Column::ContextId, Column::ContextTitle];
    let or_known = |column: &str| Expr::cust(format!("COALESCE(excluded.{column}, lti_links.{column})"));
    let or_known = [
        (Column::LineItem, or_known("line_item")),
        (Column::LineItems, or_known("line_items")),
        (Column::Memberships, or_known("memberships")),
        (Column::Scopes, Expr::cust(SCOPES)),
    ];
    let key = [Column::PlatformId, Column::DeploymentId, Column::ResourceLinkId];
    let known = OnConflict::columns(key).update_columns(told).values(or_known).to_owned();
    lti_link::Entity::insert(to_row(link)?).on_conflict(known).exec_without_returning(connection).await?;
    let stored = find_link(connection, link.platform_id, &link.deployment_id, &link.resource_link_id).await?;
    stored.ok_or_else(|| Unreadable("link").into())
}

/// Binds a link that is not known yet. A known one stays as it is.
pub async fn bind_new(connection: &impl ConnectionTrait, link: &BoundLink) -> Result<(), DbErr> {
    use lti_link::Column;
    let key = [Column::PlatformId, Column::DeploymentId, Column::ResourceLinkId];
    let known = OnConflict::columns(key).do_nothing().to_owned();
    let binding = lti_link::Entity::insert(to_row(link)?).on_conflict(known);
    binding.exec_without_returning(connection).await.map(|_| ())
}

/// Removes a link. Returns false when there was none.
pub async fn unbind(connection: &impl ConnectionTrait, id: Uuid) -> Result<bool, DbErr> {
    forget_way(connection, &[id]).await?;
    lti_arrival::Entity::delete_many().filter(lti_arrival::Column::LinkId.eq(id)).exec(connection).await?;
    Ok(lti_link::Entity::delete_by_id(id).exec(connection).await?.rows_affected > 0)
}

/// Forgets that people came by these links, and which tests they have begun by them: they may come by others, or by the
/// same ones when these are bound again.
pub(super) async fn forget_way(connection: &impl ConnectionTrait, ids: &[Uuid]) -> Result<(), DbErr> {
    use lti_candidate::Column;
    // Both databases read the row as it was.
    let of_link = |column: &str| {
        Expr::cust(format!("(SELECT lti_links.{column} FROM lti_links WHERE lti_links.id = lti_candidates.link_id)"))
    };
    let candidates = lti_candidate::Entity::update_many()
        .col_expr(Column::FormerDeploymentId, of_link("deployment_id"))
        .col_expr(Column::FormerResourceLinkId, of_link("resource_link_id"))
        .col_expr(Column::LinkId, Expr::value(Option::<Uuid>::None));
    candidates.filter(Column::LinkId.is_in(ids.to_vec())).exec(connection).await?;
    let of_them = lti_test::Column::LinkId.is_in(ids.to_vec());
    lti_test::Entity::delete_many().filter(of_them).exec(connection).await.map(|_| ())
}

/// Has those come by a link again who came by one of its name to its sitting before, and by none since.
pub async fn return_way(connection: &impl ConnectionTrait, link: &BoundLink) -> Result<(), DbErr> {
    let LinkTarget::Sitting(sitting_id) = link.target else { return Ok(()) };
    let text = "UPDATE lti_candidates SET link_id = $1 WHERE link_id IS NULL AND former_deployment_id = $2 \
        AND former_resource_link_id = $3 \
        AND person_id IN (SELECT lti_people.id FROM lti_people WHERE lti_people.platform_id = $4) \
        AND candidate_id IN (SELECT candidates.id FROM candidates WHERE candidates.sitting_id = $5)";
    let values: [Value; 5] = [
        link.id.into(),
        link.deployment_id.clone().into(),
        link.resource_link_id.clone().into(),
        link.platform_id.into(),
        sitting_id.into(),
    ];
    let statement = Statement::from_sql_and_values(connection.get_database_backend(), text, values);
    connection.execute_raw(statement).await.map(|_| ())
}

fn leads_to(target: LinkTarget) -> Condition {
    use lti_link::Column;
    Condition::all().add(Column::TargetId.eq(target.id())).add(Column::Kind.eq(target.kind()))
}

fn to_row(link: &BoundLink) -> Result<lti_link::ActiveModel, DbErr> {
    Ok(lti_link::ActiveModel {
        id: Set(link.id),
        platform_id: Set(link.platform_id),
        deployment_id: Set(link.deployment_id.clone()),
        resource_link_id: Set(link.resource_link_id.clone()),
        title: Set(link.title.clone()),
        context_id: Set(link.context_id.clone()),
        context_title: Set(link.context_title.clone()),
        kind: Set(link.target.kind().to_owned()),
        target_id: Set(link.target.id()),
        line_item: Set(link.line_item.clone()),
        line_items: Set(link.line_items.clone()),
        scopes: Set(list_text(&link.scopes)?),
        memberships: Set(link.memberships.clone()),
        last_score_at_ms: Set(link.last_score_at.map(Moment::milliseconds)),
        created_at_ms: Set(link.created_at.milliseconds()),
        // Of these nobody knows who binds a link.
        ..Default::default()
    })
}

fn from_row(row: lti_link::Model) -> Result<BoundLink, Unreadable> {
    Ok(BoundLink {
        target: LinkTarget::parse(&row.kind, row.target_id).ok_or(Unreadable("target of a link"))?,
        scopes: list_of(&row.scopes)?,
        id: row.id,
        platform_id: row.platform_id,
        deployment_id: row.deployment_id,
        resource_link_id: row.resource_link_id,
        title: row.title,
        context_id: row.context_id,
        context_title: row.context_title,
        line_item: row.line_item,
        line_items: row.line_items,
        memberships: row.memberships,
        last_score_at: row.last_score_at_ms.map(Moment::from_milliseconds),
        created_at: Moment::from_milliseconds(row.created_at_ms),
    })
}
