//! People of platforms, the candidates that they are, and the tests that they have begun by a link.

use domain::lti::link::{DeploymentKey, PlatformPerson};
use domain::time::moment::Moment;
use entities::{lti_candidate, lti_person, lti_test};
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, ExprTrait, QueryFilter, Statement};
use uuid::Uuid;

use super::Unreadable;

/// People of one statement.
const ROWS_PER_STATEMENT: usize = 1_000;
/// A link that is told, unless the candidate has entered by another one: their score has its column there.
const TOLD_OR_ENTERED_BY: &str = "CASE WHEN lti_candidates.link_id IS NULL THEN excluded.link_id \
    WHEN excluded.link_id IS NULL OR EXISTS (SELECT 1 FROM candidates entered \
    WHERE entered.id = lti_candidates.candidate_id AND entered.session_id IS NOT NULL) \
    THEN lti_candidates.link_id ELSE excluded.link_id END";

/// Finds a person by what the platform calls them.
pub async fn person_of(
    connection: &impl ConnectionTrait,
    platform_id: Uuid,
    subject: &str,
) -> Result<Option<PlatformPerson>, DbErr> {
    use lti_person::Column;
    let of_it = Column::PlatformId.eq(platform_id).and(Column::Subject.eq(subject));
    Ok(lti_person::Entity::find().filter(of_it).one(connection).await?.map(from_row))
}

/// Finds a person by our own id.
pub async fn find_person(connection: &impl ConnectionTrait, id: Uuid) -> Result<Option<PlatformPerson>, DbErr> {
    Ok(lti_person::Entity::find_by_id(id).one(connection).await?.map(from_row))
}

/// Loads those of these people of a platform that are known, by what the platform calls them.
pub async fn load_people(
    connection: &impl ConnectionTrait,
    platform_id: Uuid,
    subjects: &[&str],
) -> Result<Vec<PlatformPerson>, DbErr> {
    use lti_person::Column;
    let mut found = Vec::new();
    for subjects in subjects.chunks(ROWS_PER_STATEMENT) {
        let of_them = Column::PlatformId.eq(platform_id).and(Column::Subject.is_in(subjects.iter().copied()));
        let rows = lti_person::Entity::find().filter(of_them).all(connection).await?;
        found.extend(rows.into_iter().map(from_row));
    }
    Ok(found)
}

/// Stores a person, or their name and e-mail as far as they are told now: what a platform leaves out stays as it was. A
/// known person keeps their id. Returns the person as they are stored.
pub async fn insert_person(
    connection: &impl ConnectionTrait,
    person: &PlatformPerson,
) -> Result<PlatformPerson, DbErr> {
    let row = lti_person::ActiveModel {
        id: Set(person.id),
        platform_id: Set(person.platform_id),
        subject: Set(person.subject.clone()),
        name: Set(person.name.clone()),
        email: Set(person.email.clone()),
        created_at_ms: Set(person.created_at.milliseconds()),
    };
    lti_person::Entity::insert(row).on_conflict(told_or_known()).exec_without_returning(connection).await?;
    let stored = person_of(connection, person.platform_id, &person.subject).await?;
    stored.ok_or_else(|| Unreadable("person").into())
}

/// What is stored of a person who is known already.
pub(in crate::store) fn told_or_known() -> OnConflict {
    use lti_person::Column;
    let told = |column: &str| Expr::cust(format!("COALESCE(excluded.{column}, lti_people.{column})"));
    let known = [(Column::Name, told("name")), (Column::Email, told("email"))];
    OnConflict::columns([Column::PlatformId, Column::Subject]).values(known).to_owned()
}

/// That a candidate who is somebody of a platform already is this person and nobody else.
pub(in crate::store) fn is_same_person() -> Expr {
    Expr::cust("lti_candidates.person_id = excluded.person_id")
}

/// Notes that a candidate is this person, and by which link they come. Who they are is written once: false, and nothing
/// is changed, if they are another person. Callers hold the sitting, and have seen that the person has no other row of
/// it. Whoever has entered stays with the link by which they came, and a link that is known stays where none is told.
pub async fn join_candidate(
    connection: &impl ConnectionTrait,
    candidate_id: Uuid,
    person_id: Uuid,
    link_id: Option<Uuid>,
) -> Result<bool, DbErr> {
    use lti_candidate::Column;
    let row = lti_candidate::ActiveModel {
        candidate_id: Set(candidate_id),
        person_id: Set(person_id),
        link_id: Set(link_id),
        after_entry: Set(false),
        former_deployment_id: Set(None),
        former_resource_link_id: Set(None),
    };
    let mut known = OnConflict::column(Column::CandidateId);
    known.value(Column::LinkId, Expr::cust(TOLD_OR_ENTERED_BY)).action_and_where(is_same_person());
    let joining = lti_candidate::Entity::insert(row).on_conflict(known);
    Ok(joining.exec_without_returning(connection).await? > 0)
}

/// Notes that a candidate had entered before staff said who they are.
pub async fn note_after_entry(connection: &impl ConnectionTrait, candidate_id: Uuid) -> Result<(), DbErr> {
    use lti_candidate::Column;
    let changed = lti_candidate::Entity::update_many().col_expr(Column::AfterEntry, Expr::value(true));
    changed.filter(Column::CandidateId.eq(candidate_id)).exec(connection).await.map(|_| ())
}

/// Whether a candidate had entered before staff said who they are. That may be a slip of the pen: so they have the
/// score of the test, and do not go on with it by a link, and it can be taken back.
pub async fn is_after_entry(connection: &impl ConnectionTrait, candidate_id: Uuid) -> Result<bool, DbErr> {
    let row = lti_candidate::Entity::find_by_id(candidate_id).one(connection).await?;
    Ok(row.is_some_and(|row| row.after_entry))
}

/// Finds who a candidate is in a platform, and the link by which they came.
pub async fn person_of_candidate(
    connection: &impl ConnectionTrait,
    candidate_id: Uuid,
) -> Result<Option<(Uuid, Option<Uuid>)>, DbErr> {
    let row = lti_candidate::Entity::find_by_id(candidate_id).one(connection).await?;
    Ok(row.map(|row| (row.person_id, row.link_id)))
}

/// Finds the deployment by which a candidate came who is somebody of a platform, also if their link was removed since.
/// It has no name where only the platform is known.
pub async fn deployment_of_candidate(
    connection: &impl ConnectionTrait,
    candidate_id: Uuid,
) -> Result<Option<DeploymentKey>, DbErr> {
    let text = "SELECT lti_people.platform_id, \
        COALESCE(lti_links.deployment_id, lti_candidates.former_deployment_id, '') FROM lti_candidates \
        JOIN lti_people ON lti_people.id = lti_candidates.person_id \
        LEFT JOIN lti_links ON lti_links.id = lti_candidates.link_id WHERE lti_candidates.candidate_id = $1";
    let statement = Statement::from_sql_and_values(connection.get_database_backend(), text, [candidate_id.into()]);
    let Some(row) = connection.query_one_raw(statement).await? else { return Ok(None) };
    Ok(Some(DeploymentKey { platform_id: row.try_get_by_index(0)?, deployment_id: row.try_get_by_index(1)? }))
}

/// Notes that a test was begun by a link, and by whom. What is known stays.
pub async fn note_test(
    connection: &impl ConnectionTrait,
    session_id: Uuid,
    link_id: Uuid,
    person_id: Uuid,
) -> Result<(), DbErr> {
    let row = lti_test::ActiveModel { session_id: Set(session_id), link_id: Set(link_id), person_id: Set(person_id) };
    let known = OnConflict::column(lti_test::Column::SessionId).do_nothing().to_owned();
    lti_test::Entity::insert(row).on_conflict(known).exec_without_returning(connection).await.map(|_| ())
}

fn from_row(row: lti_person::Model) -> PlatformPerson {
    PlatformPerson {
        id: row.id,
        platform_id: row.platform_id,
        subject: row.subject,
        name: row.name,
        email: row.email,
        created_at: Moment::from_milliseconds(row.created_at_ms),
    }
}
