//! What a launch finds of somebody's exams: their place on a roster, and the tests that they have begun before.

use entities::{attempt, candidate, lti_candidate, lti_test};
use sea_orm::sea_query::Query;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, ExprTrait, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

/// The newest test of an account at a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewestTest {
    pub session_id: Uuid,
    pub is_running: bool,
    /// Which of the account's tests it is, from 1.
    pub number: u32,
}

/// Finds the candidate of a sitting who is this person.
pub async fn candidate_of_person(
    connection: &impl ConnectionTrait,
    sitting_id: Uuid,
    person_id: Uuid,
) -> Result<Option<Uuid>, DbErr> {
    let theirs = Query::select()
        .column(lti_candidate::Column::CandidateId)
        .from(lti_candidate::Entity)
        .and_where(lti_candidate::Column::PersonId.eq(person_id))
        .to_owned();
    let query = candidate::Entity::find().select_only().column(candidate::Column::Id);
    let query = query.filter(candidate::Column::SittingId.eq(sitting_id));
    query.filter(candidate::Column::Id.in_subquery(theirs)).into_tuple().one(connection).await
}

/// Whether a candidate of a sitting is this person and comes by this link, so that nothing is left to be noted.
pub async fn comes_by(
    connection: &impl ConnectionTrait,
    candidate_id: Uuid,
    person_id: Uuid,
    link_id: Uuid,
) -> Result<bool, DbErr> {
    let found = lti_candidate::Entity::find_by_id(candidate_id).one(connection).await?;
    Ok(found.is_some_and(|row| row.person_id == person_id && row.link_id == Some(link_id)))
}

/// Finds the newest test of an account at a template.
pub async fn newest_test(
    connection: &impl ConnectionTrait,
    template_id: Uuid,
    account: &str,
) -> Result<Option<NewestTest>, DbErr> {
    use attempt::Column;
    let theirs = Column::TemplateId.eq(template_id).and(Column::Owner.eq(account));
    let query = attempt::Entity::find().select_only().columns([Column::SessionId, Column::EndedAtMs, Column::Counted]);
    let query = query.filter(theirs).filter(Column::Counted.is_not_null()).order_by_desc(Column::Counted);
    let row: Option<(Uuid, Option<i64>, Option<i32>)> = query.into_tuple().one(connection).await?;
    Ok(row.map(|(session_id, ended_at, number)| NewestTest {
        session_id,
        is_running: ended_at.is_none(),
        number: number.and_then(|number| u32::try_from(number).ok()).unwrap_or_default(),
    }))
}

/// Finds the newest test that a person has begun by a link to a template.
pub async fn newest_test_of_link(
    connection: &impl ConnectionTrait,
    link_id: Uuid,
    person_id: Uuid,
) -> Result<Option<Uuid>, DbErr> {
    use attempt::Column;
    let theirs = Query::select()
        .column(lti_test::Column::SessionId)
        .from(lti_test::Entity)
        .and_where(lti_test::Column::LinkId.eq(link_id))
        .and_where(lti_test::Column::PersonId.eq(person_id))
        .to_owned();
    let query = attempt::Entity::find().select_only().column(Column::SessionId);
    let query = query.filter(Column::SessionId.in_subquery(theirs)).filter(Column::EndedAtMs.is_not_null());
    query.order_by_desc(Column::EndedAtMs).into_tuple().one(connection).await
}
