//! Which sittings have been released, and which withhold their questions, in the database.

use std::collections::HashMap;

use domain::sight::OpenResults;
use domain::sitting::Sitting;
use domain::sitting::candidate::Candidate;
use domain::sitting::values::ResultsRule;
use domain::time::moment::Moment;
use entities::{sitting, template};
use sea_orm::sea_query::ExprTrait;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, FromQueryResult, JoinType, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect, Select,
};
use uuid::Uuid;

use super::candidates::{self, CandidateGroup};
use super::sittings::{self, RESULTS_AT};
use crate::database::Database;

/// A sitting that has not been released, so that its template and questions are withheld.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Withholding {
    pub sitting_id: Uuid,
    pub template_id: Uuid,
    /// When the template was changed last.
    pub template_version: i64,
    /// When its own rule releases it, if that names a time.
    pub releases_at: Option<Moment>,
}

/// How far the results of a sitting are open; `None` if there is no such sitting.
pub async fn find_open_results(
    connection: &impl ConnectionTrait,
    sitting_id: Uuid,
) -> Result<Option<OpenResults>, DbErr> {
    let query = sitting::Entity::find_by_id(sitting_id).select_only();
    let query = query.columns([sitting::Column::Results]).column(sitting::Column::ReleasedAtMs);
    let found = query.into_tuple::<(String, Option<i64>)>().one(connection).await?;
    Ok(found.map(|(results, released_at_ms)| open_results(&results, released_at_ms)))
}

/// The same of several sittings, which nobody releases until the transaction ends. Unknown ones are left out.
pub async fn hold_open_results(
    transaction: &DatabaseTransaction,
    sitting_ids: Vec<Uuid>,
) -> Result<HashMap<Uuid, OpenResults>, DbErr> {
    use sitting::Column;
    let query = sitting::Entity::find().filter(Column::Id.is_in(sitting_ids)).order_by_asc(Column::Id);
    let rows = query.lock_shared().all(transaction).await?;
    Ok(rows.into_iter().map(|row| (row.id, open_results(&row.results, row.released_at_ms))).collect())
}

/// When a sitting was released; `None` if it has not been, and if there is none.
pub async fn find_release(connection: &impl ConnectionTrait, sitting_id: Uuid) -> Result<Option<Moment>, DbErr> {
    release_of(sitting::Entity::find_by_id(sitting_id), connection).await
}

/// The same of a sitting that nobody releases until the transaction ends.
pub async fn hold_release(transaction: &DatabaseTransaction, sitting_id: Uuid) -> Result<Option<Moment>, DbErr> {
    release_of(sitting::Entity::find_by_id(sitting_id).lock_shared(), transaction).await
}

async fn release_of(
    sitting: Select<sitting::Entity>,
    connection: &impl ConnectionTrait,
) -> Result<Option<Moment>, DbErr> {
    let query = sitting.select_only().column(sitting::Column::ReleasedAtMs).into_tuple::<Option<i64>>();
    Ok(query.one(connection).await?.flatten().map(Moment::from_milliseconds))
}

/// How far the results of a sitting with these columns are open. A rule that names a time opens as little as one that
/// it cannot read.
#[must_use]
pub fn open_results(results: &str, released_at_ms: Option<i64>) -> OpenResults {
    let rule = if results == ResultsRule::Now.text() { ResultsRule::Now } else { ResultsRule::Held };
    OpenResults::of(rule, released_at_ms.map(Moment::from_milliseconds))
}

/// Loads the sittings that have not been released, whatever the clock says: their doors may be opened at any time, and
/// until then their paper is as secret.
pub async fn load_withholding(database: &Database) -> Result<Vec<Withholding>, DbErr> {
    #[derive(FromQueryResult)]
    struct Row {
        id: Uuid,
        template_id: Uuid,
        results_at_ms: Option<i64>,
        updated_at_ms: i64,
    }
    use sitting::Column;
    let to_template =
        sitting::Entity::belongs_to(template::Entity).from(Column::TemplateId).to(template::Column::Id).into();
    let rows: Vec<Row> = sitting::Entity::find()
        .select_only()
        .columns([Column::Id, Column::TemplateId, Column::ResultsAtMs])
        .column(template::Column::UpdatedAtMs)
        .join(JoinType::InnerJoin, to_template)
        .filter(Column::ReleasedAtMs.is_null())
        .order_by_asc(Column::Id)
        .into_model()
        .all(&database.read)
        .await?;
    let withholding = |row: Row| Withholding {
        sitting_id: row.id,
        template_id: row.template_id,
        template_version: row.updated_at_ms,
        releases_at: row.results_at_ms.map(Moment::from_milliseconds),
    };
    Ok(rows.into_iter().map(withholding).collect())
}

/// Finds the sittings whose own rule releases them by now. Those that show results at once are among them, since their
/// questions are withheld until they are over.
pub async fn find_due(database: &Database, now: Moment, with_shown: bool) -> Result<Vec<Uuid>, DbErr> {
    use sitting::Column;
    let at_a_time = Column::Results.eq(RESULTS_AT).and(Column::ResultsAtMs.lte(now.milliseconds()));
    let shown = Column::Results.eq(ResultsRule::Now.text()).and(Column::StartsAtMs.lte(now.milliseconds()));
    let due = if with_shown { at_a_time.or(shown) } else { at_a_time };
    let query = sitting::Entity::find().select_only().column(Column::Id).filter(Column::ReleasedAtMs.is_null());
    query.filter(due).order_by_asc(Column::StartsAtMs).into_tuple().all(&database.read).await
}

/// The sittings of a template that have not been released, in the order in which everyone locks them.
pub async fn find_unreleased_of(connection: &impl ConnectionTrait, template_id: Uuid) -> Result<Vec<Uuid>, DbErr> {
    use sitting::Column;
    let query = sitting::Entity::find().select_only().column(Column::Id).filter(Column::TemplateId.eq(template_id));
    query.filter(Column::ReleasedAtMs.is_null()).order_by_asc(Column::Id).into_tuple().all(connection).await
}

/// Sittings that have not been released, with those who are on their rosters.
pub struct UnreleasedSittings {
    pub sittings: Vec<Sitting>,
    pub groups: Vec<CandidateGroup>,
}

/// Loads the other sittings with the template of this one that have not been released.
pub async fn load_unreleased_others(
    connection: &impl ConnectionTrait,
    sitting: &Sitting,
) -> Result<UnreleasedSittings, DbErr> {
    let mut ids = find_unreleased_of(connection, sitting.template_id).await?;
    ids.retain(|id| *id != sitting.id);
    if ids.is_empty() {
        return Ok(UnreleasedSittings { sittings: Vec::new(), groups: Vec::new() });
    }
    let groups = candidates::load_groups(connection, ids.clone()).await?;
    Ok(UnreleasedSittings { sittings: sittings::load_in(connection, ids).await?, groups })
}

/// What decides on the release of a sitting, all of one moment.
pub struct ReleaseOutlook {
    pub sitting: Sitting,
    pub groups: Vec<CandidateGroup>,
    /// Those who have not entered, and are not marked as absent.
    pub expected: Vec<Candidate>,
    pub others: UnreleasedSittings,
}

/// Finds what decides on the release of a sitting without locking it, for those who only ask.
pub async fn find_outlook(database: &Database, id: Uuid) -> Result<Option<ReleaseOutlook>, DbErr> {
    let snapshot = database.snapshot().await?;
    let Some(sitting) = sittings::load_in(&snapshot, vec![id]).await?.pop() else { return Ok(None) };
    let groups = candidates::load_groups(&snapshot, vec![id]).await?;
    let expected = candidates::load_expected(&snapshot, id).await?;
    let others = load_unreleased_others(&snapshot, &sitting).await?;
    snapshot.commit().await?;
    Ok(Some(ReleaseOutlook { sitting, groups, expected, others }))
}

/// Whether the doors of one of these sittings have opened, so that its paper is with its candidates.
pub async fn has_opened(database: &Database, ids: Vec<Uuid>) -> Result<bool, DbErr> {
    let of_them = sitting::Entity::find().filter(sitting::Column::Id.is_in(ids));
    Ok(of_them.filter(sitting::Column::OpenedAtMs.is_not_null()).count(&database.read).await? > 0)
}

/// Whether any sitting names the template.
pub async fn is_named(connection: &impl ConnectionTrait, template_id: Uuid) -> Result<bool, DbErr> {
    let of_it = sitting::Entity::find().filter(sitting::Column::TemplateId.eq(template_id));
    Ok(of_it.count(connection).await? > 0)
}

/// Loads which of these sittings have been released.
pub async fn load_released(database: &Database, ids: Vec<Uuid>) -> Result<HashMap<Uuid, bool>, DbErr> {
    use sitting::Column;
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let query = sitting::Entity::find().select_only().columns([Column::Id, Column::Results, Column::ReleasedAtMs]);
    let rows: Vec<(Uuid, String, Option<i64>)> =
        query.filter(Column::Id.is_in(ids)).into_tuple().all(&database.read).await?;
    Ok(rows.into_iter().map(|(id, results, at_ms)| (id, open_results(&results, at_ms).are_shown())).collect())
}
