//! Who was seen at the links of a sitting without being on its roster: those who were turned away there, and members of
//! a course who were not taken. Staff join them to rows.

use domain::lti::link::DeploymentKey;
use domain::time::moment::Moment;
use entities::lti_arrival;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, Statement, Value};
use uuid::Uuid;

/// Rows of one statement: SQLite takes 32,766 values.
const ROWS_PER_STATEMENT: usize = 1_000;
/// Those who were seen at links to a sitting.
const SEEN: &str = "FROM lti_arrivals JOIN lti_links ON lti_links.id = lti_arrivals.link_id \
    JOIN lti_people ON lti_people.id = lti_arrivals.person_id \
    JOIN lti_platforms ON lti_platforms.id = lti_people.platform_id \
    WHERE lti_links.kind = 'sitting' AND lti_links.target_id = $1";

/// Somebody who was seen at a link, and is on no row of its sitting.
#[derive(Debug, FromQueryResult)]
pub struct Arrival {
    pub person_id: Uuid,
    pub link_id: Uuid,
    /// What the platform calls them.
    pub subject: String,
    pub name: Option<String>,
    pub email: Option<String>,
    /// The name of the platform.
    pub platform: String,
    pub context_title: Option<String>,
    pub seen_at_ms: i64,
}

/// Notes that these people were seen at a link.
pub async fn note_arrivals(
    connection: &impl ConnectionTrait,
    link_id: Uuid,
    people: &[Uuid],
    now: Moment,
) -> Result<(), DbErr> {
    use lti_arrival::Column;
    for people in people.chunks(ROWS_PER_STATEMENT) {
        let row = |person_id: &Uuid| lti_arrival::ActiveModel {
            link_id: Set(link_id),
            person_id: Set(*person_id),
            seen_at_ms: Set(now.milliseconds()),
        };
        let known = OnConflict::columns([Column::LinkId, Column::PersonId]).update_column(Column::SeenAtMs).to_owned();
        let noting = lti_arrival::Entity::insert_many(people.iter().map(row)).on_conflict(known);
        noting.exec_without_returning(connection).await?;
    }
    Ok(())
}

/// Loads those who were seen at links to a sitting and are on no row of it, by name: so many rows at most, of which
/// each person has one. With a deployment those who were seen at its links alone.
pub async fn list_arrivals(
    connection: &impl ConnectionTrait,
    sitting_id: Uuid,
    deployment: Option<&DeploymentKey>,
    count: u64,
) -> Result<Vec<Arrival>, DbErr> {
    let mut values: Vec<Value> = vec![sitting_id.into()];
    let of_deployment = of_deployment(deployment, &mut values);
    let text = format!(
        "SELECT lti_people.id AS person_id, lti_links.id AS link_id, lti_people.subject, lti_people.name, \
         lti_people.email, lti_platforms.name AS platform, lti_links.context_title, lti_arrivals.seen_at_ms {SEEN} \
         {of_deployment} AND NOT EXISTS (SELECT 1 FROM lti_candidates \
         JOIN candidates ON candidates.id = lti_candidates.candidate_id \
         WHERE candidates.sitting_id = $1 AND lti_candidates.person_id = lti_people.id) \
         ORDER BY lti_people.name, lti_people.id, lti_arrivals.seen_at_ms DESC LIMIT {count}"
    );
    let statement = Statement::from_sql_and_values(connection.get_database_backend(), text, values);
    let mut rows = Arrival::find_by_statement(statement).all(connection).await?;
    rows.dedup_by_key(|row| row.person_id);
    Ok(rows)
}

/// Finds the link to a sitting at which somebody was seen last; with a deployment, of its links.
pub async fn find_arrival(
    connection: &impl ConnectionTrait,
    sitting_id: Uuid,
    person_id: Uuid,
    deployment: Option<&DeploymentKey>,
) -> Result<Option<Uuid>, DbErr> {
    let mut values: Vec<Value> = vec![sitting_id.into(), person_id.into()];
    let of_deployment = of_deployment(deployment, &mut values);
    let text = format!(
        "SELECT lti_links.id {SEEN} AND lti_people.id = $2 {of_deployment} \
         ORDER BY lti_arrivals.seen_at_ms DESC, lti_links.id LIMIT 1"
    );
    let statement = Statement::from_sql_and_values(connection.get_database_backend(), text, values);
    connection.query_one_raw(statement).await?.map(|row| row.try_get_by_index(0)).transpose()
}

/// That a link is of this deployment, with the values for that behind these.
fn of_deployment(deployment: Option<&DeploymentKey>, values: &mut Vec<Value>) -> String {
    let Some(DeploymentKey { platform_id, deployment_id }) = deployment else { return String::new() };
    let of_it: [Value; 2] = [(*platform_id).into(), deployment_id.clone().into()];
    values.extend(of_it);
    let last = values.len();
    format!("AND lti_links.platform_id = ${} AND lti_links.deployment_id = ${last}", last - 1)
}
