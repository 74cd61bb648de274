//! What links lead to, with its name and its grades, and the candidates of a sitting to whom no score can be sent.

use std::collections::HashMap;

use domain::grade::Grade;
use domain::lti::link::{DeploymentKey, LinkTarget};
use entities::{candidate, lti_candidate, lti_person, sitting};
use sea_orm::sea_query::Query;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, JoinType, QueryFilter, QueryOrder, QuerySelect, RelationDef,
    Select,
};
use uuid::Uuid;

use crate::database::Database;
use crate::store::templates;

/// Sittings of one statement.
const ROWS_PER_STATEMENT: usize = 1_000;

/// What a link leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedTarget {
    pub name: String,
    /// None if its template is gone.
    pub grades: Vec<Grade>,
}

/// A candidate with a test for which no score can be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UngradedCandidate {
    pub id: Uuid,
    pub name: String,
}

/// Finds what these links lead to, as far as it still exists.
pub async fn name_targets(
    database: &Database,
    targets: &[LinkTarget],
) -> Result<HashMap<LinkTarget, NamedTarget>, DbErr> {
    use sitting::Column;
    let ids: Vec<Uuid> =
        targets.iter().filter(|target| matches!(target, LinkTarget::Sitting(_))).map(|t| t.id()).collect();
    let mut sittings: Vec<(Uuid, String, Uuid)> = Vec::new();
    for ids in ids.chunks(ROWS_PER_STATEMENT) {
        let query = sitting::Entity::find().select_only().columns([Column::Id, Column::Name, Column::TemplateId]);
        let query = query.filter(Column::Id.is_in(ids.iter().copied()));
        sittings.extend(query.into_tuple::<(Uuid, String, Uuid)>().all(&database.read).await?);
    }
    let of_links = targets.iter().filter(|target| matches!(target, LinkTarget::Template(_))).map(|target| target.id());
    let of_sittings = sittings.iter().map(|(_, _, template_id)| *template_id);
    let headers = templates::load_headers(database, of_links.chain(of_sittings)).await?;
    let mut named: HashMap<LinkTarget, NamedTarget> = sittings
        .iter()
        .map(|(id, name, template_id)| {
            let grades = headers.get(template_id).map(|header| header.grades.clone()).unwrap_or_default();
            (LinkTarget::Sitting(*id), NamedTarget { name: name.clone(), grades })
        })
        .collect();
    for (id, header) in headers {
        named.insert(LinkTarget::Template(id), NamedTarget { name: header.name, grades: header.grades });
    }
    Ok(named)
}

/// Loads candidates of a sitting who have a test and are nobody of a platform, by name: at most `count`.
pub async fn came_by_none(
    connection: &impl ConnectionTrait,
    sitting_id: Uuid,
    count: u64,
) -> Result<Vec<UngradedCandidate>, DbErr> {
    let query = with_tests(sitting_id, JoinType::LeftJoin).filter(lti_candidate::Column::CandidateId.is_null());
    load(connection, query, count).await
}

/// Loads candidates of a sitting who have a test and are somebody of a platform, and whose link was removed, by name:
/// at most `count`. With a deployment those whose link was one of it.
pub async fn came_by_removed(
    connection: &impl ConnectionTrait,
    sitting_id: Uuid,
    deployment: Option<&DeploymentKey>,
    count: u64,
) -> Result<Vec<UngradedCandidate>, DbErr> {
    let mut query = with_tests(sitting_id, JoinType::InnerJoin).filter(lti_candidate::Column::LinkId.is_null());
    if let Some(DeploymentKey { platform_id, deployment_id }) = deployment {
        // Another platform may have the same name for a deployment.
        let people = Query::select()
            .column(lti_person::Column::Id)
            .from(lti_person::Entity)
            .and_where(lti_person::Column::PlatformId.eq(*platform_id))
            .to_owned();
        query = query.filter(lti_candidate::Column::FormerDeploymentId.eq(deployment_id.as_str()));
        query = query.filter(lti_candidate::Column::PersonId.in_subquery(people));
    }
    load(connection, query, count).await
}

/// Loads candidates of a sitting who have a test and came by this link, by name: at most `count`.
pub async fn came_by_link(
    connection: &impl ConnectionTrait,
    sitting_id: Uuid,
    link_id: Uuid,
    count: u64,
) -> Result<Vec<UngradedCandidate>, DbErr> {
    let query = with_tests(sitting_id, JoinType::InnerJoin).filter(lti_candidate::Column::LinkId.eq(link_id));
    load(connection, query, count).await
}

fn with_tests(sitting_id: Uuid, join: JoinType) -> Select<candidate::Entity> {
    let joined: RelationDef = candidate::Entity::belongs_to(lti_candidate::Entity)
        .from(candidate::Column::Id)
        .to(lti_candidate::Column::CandidateId)
        .into();
    candidate::Entity::find()
        .select_only()
        .columns([candidate::Column::Id, candidate::Column::Name])
        .join(join, joined)
        .filter(candidate::Column::SittingId.eq(sitting_id))
        .filter(candidate::Column::SessionId.is_not_null())
}

async fn load(
    connection: &impl ConnectionTrait,
    query: Select<candidate::Entity>,
    count: u64,
) -> Result<Vec<UngradedCandidate>, DbErr> {
    let query = query.order_by_asc(candidate::Column::Name).order_by_asc(candidate::Column::Id).limit(count);
    let rows: Vec<(Uuid, String)> = query.into_tuple().all(connection).await?;
    Ok(rows.into_iter().map(|(id, name)| UngradedCandidate { id, name }).collect())
}
