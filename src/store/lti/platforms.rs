//! Platforms and their deployments. A platform is changed under its lock, so that two admins do not lose each other's
//! changes.

use std::collections::HashMap;

use domain::lti::platform::{Deployment, DeploymentState, Endpoints, Platform, PlatformState, ScoreForm};
use domain::time::moment::Moment;
use entities::{
    lti_arrival, lti_candidate, lti_deployment, lti_grant, lti_link, lti_person, lti_platform, lti_removed_link,
    lti_test,
};
use sea_orm::sea_query::{OnConflict, Query};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, ExprTrait, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect,
};
use uuid::Uuid;

use super::links::forget_way;
use super::{Unreadable, list_of, list_text};
use crate::database::bound_lock_waits;

/// Deployments of one platform that launches may leave for an admin to look at. Further ones are refused without a
/// trace.
pub const PENDING_DEPLOYMENTS_MAX: u64 = 50;

/// Finds the registration of this issuer and client.
pub async fn find_platform(
    connection: &impl ConnectionTrait,
    issuer: &str,
    client_id: &str,
) -> Result<Option<Platform>, DbErr> {
    use lti_platform::Column;
    let query = lti_platform::Entity::find().filter(Column::Issuer.eq(issuer).and(Column::ClientId.eq(client_id)));
    one(connection, query.one(connection).await?).await
}

/// Finds the registration of this issuer if it has only one: a login without a client id is for that.
pub async fn find_only_platform(connection: &impl ConnectionTrait, issuer: &str) -> Result<Option<Platform>, DbErr> {
    use lti_platform::Column;
    let query = lti_platform::Entity::find().filter(Column::Issuer.eq(issuer)).order_by_asc(Column::Id).limit(2);
    let mut rows = query.all(connection).await?;
    let only = if rows.len() == 1 { rows.pop() } else { None };
    one(connection, only).await
}

/// Finds a platform by our own id.
pub async fn load_platform(connection: &impl ConnectionTrait, id: Uuid) -> Result<Option<Platform>, DbErr> {
    one(connection, lti_platform::Entity::find_by_id(id).one(connection).await?).await
}

/// Finds a platform, and keeps everyone else from changing it until the transaction ends.
pub async fn lock_platform(transaction: &DatabaseTransaction, id: Uuid) -> Result<Option<Platform>, DbErr> {
    bound_lock_waits(transaction).await?;
    let row = lti_platform::Entity::find_by_id(id).lock_exclusive().one(transaction).await?;
    one(transaction, row).await
}

/// Loads all platforms, newest first. Their number has a limit where they are made.
pub async fn list(connection: &impl ConnectionTrait) -> Result<Vec<Platform>, DbErr> {
    use lti_platform::Column;
    let query = lti_platform::Entity::find().order_by_desc(Column::CreatedAtMs).order_by_asc(Column::Id);
    all(connection, query.all(connection).await?).await
}

/// How many platforms there are, and how many of them wait for an admin.
pub async fn count(connection: &impl ConnectionTrait) -> Result<(u64, u64), DbErr> {
    let pending = lti_platform::Column::State.eq(PlatformState::Pending.name());
    let all = lti_platform::Entity::find().count(connection).await?;
    Ok((all, lti_platform::Entity::find().filter(pending).count(connection).await?))
}

/// Stores a new platform with its deployments. Returns false, and stores nothing, if its issuer and client id are
/// taken.
pub async fn insert(transaction: &DatabaseTransaction, platform: &Platform) -> Result<bool, DbErr> {
    use lti_platform::Column;
    let taken = OnConflict::columns([Column::Issuer, Column::ClientId]).do_nothing().to_owned();
    let storing = lti_platform::Entity::insert(to_row(platform)?).on_conflict(taken);
    let is_new = storing.exec_without_returning(transaction).await? > 0;
    if is_new {
        for deployment in &platform.deployments {
            put_deployment(transaction, platform.id, deployment, platform.created_at).await?;
        }
    }
    Ok(is_new)
}

/// Stores what of a locked platform is not a deployment. Its issuer and client id stay.
pub async fn update(transaction: &DatabaseTransaction, platform: &Platform) -> Result<(), DbErr> {
    let of_it = lti_platform::Column::Id.eq(platform.id);
    let row = lti_platform::ActiveModel {
        id: NotSet,
        issuer: NotSet,
        client_id: NotSet,
        created_at_ms: NotSet,
        ..to_row(platform)?
    };
    lti_platform::Entity::update_many().set(row).filter(of_it).exec(transaction).await.map(|_| ())
}

/// Removes a platform with its deployments, grants, links and people. Tests and candidates stay; scores that wait for
/// it are void. Returns false when there was none.
pub async fn delete(transaction: &DatabaseTransaction, id: Uuid) -> Result<bool, DbErr> {
    let people = Query::select()
        .column(lti_person::Column::Id)
        .from(lti_person::Entity)
        .and_where(lti_person::Column::PlatformId.eq(id))
        .to_owned();
    let of_candidates = lti_candidate::Column::PersonId.in_subquery(people.clone());
    lti_candidate::Entity::delete_many().filter(of_candidates).exec(transaction).await?;
    let of_arrivals = lti_arrival::Column::PersonId.in_subquery(people.clone());
    lti_arrival::Entity::delete_many().filter(of_arrivals).exec(transaction).await?;
    lti_test::Entity::delete_many().filter(lti_test::Column::PersonId.in_subquery(people)).exec(transaction).await?;
    lti_person::Entity::delete_many().filter(lti_person::Column::PlatformId.eq(id)).exec(transaction).await?;
    lti_link::Entity::delete_many().filter(lti_link::Column::PlatformId.eq(id)).exec(transaction).await?;
    lti_grant::Entity::delete_many().filter(lti_grant::Column::PlatformId.eq(id)).exec(transaction).await?;
    let of_removed = lti_removed_link::Column::PlatformId.eq(id);
    lti_removed_link::Entity::delete_many().filter(of_removed).exec(transaction).await?;
    lti_deployment::Entity::delete_many().filter(lti_deployment::Column::PlatformId.eq(id)).exec(transaction).await?;
    Ok(lti_platform::Entity::delete_by_id(id).exec(transaction).await?.rows_affected > 0)
}

/// The state of a deployment; `None` of an unknown one.
pub async fn deployment_state(
    connection: &impl ConnectionTrait,
    platform_id: Uuid,
    deployment_id: &str,
) -> Result<Option<DeploymentState>, DbErr> {
    let row = lti_deployment::Entity::find_by_id((platform_id, deployment_id.to_owned())).one(connection).await?;
    row.map(|row| deployment_from(row).map(|deployment| deployment.state)).transpose().map_err(DbErr::from)
}

/// Notes a deployment that a launch has named, for an admin to look at. A known one stays as it is. Returns whether it
/// was new; false too when too many wait already.
pub async fn note_deployment(
    connection: &impl ConnectionTrait,
    platform_id: Uuid,
    deployment_id: &str,
    now: Moment,
) -> Result<bool, DbErr> {
    use lti_deployment::Column;
    let waiting = Column::PlatformId.eq(platform_id).and(Column::State.eq(DeploymentState::Pending.name()));
    if lti_deployment::Entity::find().filter(waiting).count(connection).await? >= PENDING_DEPLOYMENTS_MAX {
        return Ok(false);
    }
    let new = Deployment { id: deployment_id.to_owned(), state: DeploymentState::Pending };
    let known = OnConflict::columns([Column::PlatformId, Column::DeploymentId]).do_nothing().to_owned();
    let row = deployment_row(platform_id, &new, now);
    let storing = lti_deployment::Entity::insert(row).on_conflict(known);
    Ok(storing.exec_without_returning(connection).await? > 0)
}

/// Stores a deployment, or the state of a known one.
pub async fn put_deployment(
    connection: &impl ConnectionTrait,
    platform_id: Uuid,
    deployment: &Deployment,
    now: Moment,
) -> Result<(), DbErr> {
    use lti_deployment::Column;
    let known = OnConflict::columns([Column::PlatformId, Column::DeploymentId]).update_column(Column::State).to_owned();
    let row = deployment_row(platform_id, deployment, now);
    lti_deployment::Entity::insert(row).on_conflict(known).exec_without_returning(connection).await.map(|_| ())
}

/// Removes a deployment with its grants and links.
pub async fn remove_deployment(
    transaction: &DatabaseTransaction,
    platform_id: Uuid,
    deployment_id: &str,
) -> Result<(), DbErr> {
    let of_link = lti_link::Column::PlatformId.eq(platform_id).and(lti_link::Column::DeploymentId.eq(deployment_id));
    let links = lti_link::Entity::find().select_only().column(lti_link::Column::Id).filter(of_link.clone());
    let links = links.into_tuple::<Uuid>().all(transaction).await?;
    forget_way(transaction, &links).await?;
    let of_arrivals = lti_arrival::Column::LinkId.is_in(links);
    lti_arrival::Entity::delete_many().filter(of_arrivals).exec(transaction).await?;
    lti_link::Entity::delete_many().filter(of_link).exec(transaction).await?;
    let of_grant = lti_grant::Column::PlatformId.eq(platform_id).and(lti_grant::Column::DeploymentId.eq(deployment_id));
    lti_grant::Entity::delete_many().filter(of_grant).exec(transaction).await?;
    let of_removed = lti_removed_link::Column::PlatformId
        .eq(platform_id)
        .and(lti_removed_link::Column::DeploymentId.eq(deployment_id));
    lti_removed_link::Entity::delete_many().filter(of_removed).exec(transaction).await?;
    let key = (platform_id, deployment_id.to_owned());
    lti_deployment::Entity::delete_by_id(key).exec(transaction).await.map(|_| ())
}

async fn one(connection: &impl ConnectionTrait, row: Option<lti_platform::Model>) -> Result<Option<Platform>, DbErr> {
    Ok(all(connection, row.into_iter().collect()).await?.pop())
}

async fn all(connection: &impl ConnectionTrait, rows: Vec<lti_platform::Model>) -> Result<Vec<Platform>, DbErr> {
    use lti_deployment::Column;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let of_them = Column::PlatformId.is_in(rows.iter().map(|row| row.id));
    let query = lti_deployment::Entity::find().filter(of_them).order_by_asc(Column::DeploymentId);
    let mut deployments: HashMap<Uuid, Vec<Deployment>> = HashMap::new();
    for row in query.all(connection).await? {
        deployments.entry(row.platform_id).or_default().push(deployment_from(row)?);
    }
    let platform = |row: lti_platform::Model| {
        let deployments = deployments.remove(&row.id).unwrap_or_default();
        from_row(row, deployments)
    };
    rows.into_iter().map(platform).collect::<Result<_, _>>().map_err(DbErr::from)
}

fn deployment_row(platform_id: Uuid, deployment: &Deployment, now: Moment) -> lti_deployment::ActiveModel {
    lti_deployment::ActiveModel {
        platform_id: Set(platform_id),
        deployment_id: Set(deployment.id.clone()),
        state: Set(deployment.state.name().to_owned()),
        created_at_ms: Set(now.milliseconds()),
    }
}

fn deployment_from(row: lti_deployment::Model) -> Result<Deployment, Unreadable> {
    let state = DeploymentState::parse(&row.state).ok_or(Unreadable("state of a deployment"))?;
    Ok(Deployment { id: row.deployment_id, state })
}

fn to_row(platform: &Platform) -> Result<lti_platform::ActiveModel, DbErr> {
    let registration = platform.registration.as_ref().map(serde_json::to_string).transpose();
    Ok(lti_platform::ActiveModel {
        id: Set(platform.id),
        name: Set(platform.name.clone()),
        issuer: Set(platform.issuer.clone()),
        client_id: Set(platform.client_id.clone()),
        authorization_url: Set(platform.endpoints.authorization.clone()),
        token_url: Set(platform.endpoints.token.clone()),
        jwks_url: Set(platform.endpoints.jwks.clone()),
        state: Set(platform.state.name().to_owned()),
        grades: Set(list_text(&platform.grades)?),
        frame_origins: Set(list_text(&platform.frame_origins)?),
        token_audience: Set(platform.token_audience.clone()),
        score_form: Set(platform.score_form.name().to_owned()),
        trusts_emails: Set(platform.trusts_emails),
        registration: Set(registration.map_err(|_| Unreadable("registration"))?),
        created_at_ms: Set(platform.created_at.milliseconds()),
        updated_at_ms: Set(platform.updated_at.milliseconds()),
        staff_only_choose: Set(platform.staff_only_choose),
    })
}

fn from_row(row: lti_platform::Model, deployments: Vec<Deployment>) -> Result<Platform, Unreadable> {
    let registration = row.registration.as_deref().map(serde_json::from_str).transpose();
    Ok(Platform {
        id: row.id,
        name: row.name,
        issuer: row.issuer,
        client_id: row.client_id,
        endpoints: Endpoints { authorization: row.authorization_url, token: row.token_url, jwks: row.jwks_url },
        state: PlatformState::parse(&row.state).ok_or(Unreadable("state of a platform"))?,
        deployments,
        grades: list_of(&row.grades)?,
        frame_origins: list_of(&row.frame_origins)?,
        token_audience: row.token_audience,
        score_form: ScoreForm::parse(&row.score_form).ok_or(Unreadable("form of scores"))?,
        trusts_emails: row.trusts_emails,
        registration: registration.map_err(|_| Unreadable("registration"))?,
        created_at: Moment::from_milliseconds(row.created_at_ms),
        updated_at: Moment::from_milliseconds(row.updated_at_ms),
        staff_only_choose: row.staff_only_choose,
    })
}
