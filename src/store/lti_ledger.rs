//! The ledger of scores for learning platforms: what staff see of the outbox, and what they send again.

use domain::delivery::DeliveryStatus;
use domain::lti::link::{DeploymentKey, LinkTarget};
use entities::lti_link;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, EntityTrait, FromQueryResult, QuerySelect, Statement, Value};
use uuid::Uuid;

use super::lti_scores::events;
use super::many_rows;
use crate::database::Database;

/// Scores that are looked for at once, to be sent again.
const FOUND_MAX: u64 = 5_000;
/// What belongs to each score of the outbox: its test, and the link and the person of that. A score of which the link
/// or the person is gone is none of the ledger: nobody could do anything about it.
const WITH_LINK: &str = "deliveries LEFT JOIN lti_tests ON lti_tests.session_id = deliveries.session_id \
    LEFT JOIN attempts ON attempts.session_id = deliveries.session_id AND lti_tests.session_id IS NULL \
    LEFT JOIN lti_candidates ON lti_candidates.candidate_id = attempts.candidate_id \
    JOIN lti_links ON lti_links.id = COALESCE(lti_tests.link_id, lti_candidates.link_id) \
    JOIN lti_people ON lti_people.id = COALESCE(lti_tests.person_id, lti_candidates.person_id)";

/// A score of the ledger.
#[derive(Debug, FromQueryResult)]
pub struct LedgerRow {
    pub id: Uuid,
    pub session_id: Uuid,
    pub event: String,
    pub version: i32,
    pub url: String,
    pub status: String,
    pub attempts: i32,
    pub last_status: Option<i16>,
    pub last_error: Option<String>,
    pub next_attempt_at_ms: Option<i64>,
    pub created_at_ms: i64,
    pub delivered_at_ms: Option<i64>,
    pub link_id: Uuid,
    pub name: Option<String>,
    /// What was sent, as far as something was.
    pub body: Option<String>,
    /// Of the platform.
    pub state: String,
}

/// Which scores of the ledger are wanted.
#[derive(Clone, Debug, Default)]
pub struct LedgerFilter {
    pub status: Option<DeliveryStatus>,
    /// Those of links to these sittings and templates alone; `None` for all.
    pub targets: Option<Vec<Uuid>>,
    /// Those of links of this deployment alone.
    pub deployment: Option<DeploymentKey>,
}

impl LedgerFilter {
    fn conditions(&self, backend: DbBackend) -> (String, Vec<Value>) {
        let mut values: Vec<Value> = Vec::new();
        let mut conditions = vec![format!("deliveries.event IN ({})", events())];
        if let Some(status) = self.status {
            conditions.push(format!("deliveries.status = '{}'", status.name()));
        }
        if let Some(DeploymentKey { platform_id, deployment_id }) = &self.deployment {
            conditions.push("lti_links.platform_id = $1 AND lti_links.deployment_id = $2".to_owned());
            values = vec![(*platform_id).into(), deployment_id.clone().into()];
        }
        if let Some(targets) = &self.targets {
            let first = values.len() + 1;
            let (of_them, ids) = many_rows::among(backend, "lti_links.target_id", targets, first);
            // No database knows an empty list.
            let is_empty = targets.is_empty();
            conditions.push(if is_empty { "1 = 0".to_owned() } else { of_them });
            values.extend(if is_empty { Vec::new() } else { ids });
        }
        (conditions.join(" AND "), values)
    }
}

/// One page of the ledger, the newest first, and the total number.
pub async fn find_page(
    database: &Database,
    filter: &LedgerFilter,
    page: u64,
    per_page: u64,
) -> Result<(Vec<LedgerRow>, u64), DbErr> {
    let backend = database.read.get_database_backend();
    let (conditions, values) = filter.conditions(backend);
    let from = format!(
        "FROM {WITH_LINK} JOIN lti_platforms ON lti_platforms.id = lti_links.platform_id \
         LEFT JOIN lti_scores ON lti_scores.delivery_id = deliveries.id WHERE {conditions}"
    );
    let count = Statement::from_sql_and_values(backend, format!("SELECT COUNT(*) {from}"), values.clone());
    let counted = database.read.query_one_raw(count).await?;
    let total: i64 = counted.map_or(Ok(0), |row| row.try_get_by_index(0))?;
    let text = format!(
        "SELECT deliveries.id, deliveries.session_id, deliveries.event, deliveries.version, deliveries.url, \
         deliveries.status, deliveries.attempts, deliveries.last_status, deliveries.last_error, \
         deliveries.next_attempt_at_ms, deliveries.created_at_ms, deliveries.delivered_at_ms, \
         lti_links.id AS link_id, lti_people.name, lti_scores.body, lti_platforms.state {from} \
         ORDER BY deliveries.created_at_ms DESC, deliveries.id DESC LIMIT {per_page} OFFSET {}",
        page * per_page
    );
    let statement = Statement::from_sql_and_values(backend, text, values);
    let rows = LedgerRow::find_by_statement(statement).all(&database.read).await?;
    Ok((rows, u64::try_from(total).unwrap_or_default()))
}

/// Finds the tests of scores, each once: those of the newest scores, [`FOUND_MAX`] at most.
pub async fn find_tests(database: &Database, filter: &LedgerFilter) -> Result<Vec<Uuid>, DbErr> {
    let backend = database.read.get_database_backend();
    let (conditions, values) = filter.conditions(backend);
    let text = format!(
        "SELECT deliveries.session_id FROM {WITH_LINK} WHERE {conditions} GROUP BY deliveries.session_id \
         ORDER BY MAX(deliveries.created_at_ms) DESC, deliveries.session_id LIMIT {FOUND_MAX}"
    );
    let rows = database.read.query_all_raw(Statement::from_sql_and_values(backend, text, values)).await?;
    rows.iter().map(|row| row.try_get_by_index::<Uuid>(0)).collect()
}

/// A score of the ledger, as far as it says who may do something about it.
#[derive(Debug)]
pub struct LedgerPlace {
    pub session_id: Uuid,
    /// What the link leads to.
    pub target: LinkTarget,
    /// Of the link.
    pub deployment: DeploymentKey,
}

/// Finds the test of a score, and its link.
pub async fn find_place(database: &Database, id: Uuid) -> Result<Option<LedgerPlace>, DbErr> {
    let text = format!(
        "SELECT deliveries.session_id, lti_links.kind, lti_links.target_id, lti_links.platform_id, \
         lti_links.deployment_id FROM {WITH_LINK} WHERE deliveries.id = $1 AND deliveries.event IN ({})",
        events()
    );
    let statement = Statement::from_sql_and_values(database.read.get_database_backend(), text, [id.into()]);
    let row = database.read.query_one_raw(statement).await?;
    let Some(row) = row else { return Ok(None) };
    let (session_id, kind, target): (Uuid, String, Uuid) =
        (row.try_get_by_index(0)?, row.try_get_by_index(1)?, row.try_get_by_index(2)?);
    let deployment = DeploymentKey { platform_id: row.try_get_by_index(3)?, deployment_id: row.try_get_by_index(4)? };
    Ok(LinkTarget::parse(&kind, target).map(|target| LedgerPlace { session_id, target, deployment }))
}

/// Finds the sittings and templates to which links lead.
pub async fn find_targets(database: &Database) -> Result<Vec<LinkTarget>, DbErr> {
    use lti_link::Column;
    let query = lti_link::Entity::find().select_only().columns([Column::Kind, Column::TargetId]).distinct();
    let rows: Vec<(String, Uuid)> = query.into_tuple().all(&database.read).await?;
    Ok(rows.into_iter().filter_map(|(kind, id)| LinkTarget::parse(&kind, id)).collect())
}

/// How many scores of the ledger wait, and how many have failed.
pub async fn count(database: &Database) -> Result<(i64, i64), DbErr> {
    // By equality, so that an index has them: most have arrived.
    let text = format!(
        "SELECT deliveries.status, COUNT(*) FROM {WITH_LINK} WHERE deliveries.status IN ('pending', 'failed') \
         AND deliveries.event IN ({}) GROUP BY deliveries.status",
        events()
    );
    let statement = Statement::from_string(database.read.get_database_backend(), text);
    let (mut waiting, mut failed) = (0, 0);
    for row in database.read.query_all_raw(statement).await? {
        let (status, count): (String, i64) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        match DeliveryStatus::parse(&status) {
            Some(DeliveryStatus::Pending) => waiting = count,
            Some(DeliveryStatus::Failed) => failed = count,
            Some(DeliveryStatus::Delivered) | None => {}
        }
    }
    Ok((waiting, failed))
}
