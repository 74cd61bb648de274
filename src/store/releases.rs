//! Which sittings have been released, and which withhold their questions, in the database.

use std::collections::HashMap;

use domain::sitting::plan::doors_at;
use domain::sitting::values::ResultsRule;
use domain::time::moment::Moment;
use entities::{sitting, template};
use sea_orm::sea_query::ExprTrait;
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, JoinType, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect,
};
use uuid::Uuid;

use super::sittings::RESULTS_AT;
use crate::database::Database;

/// A sitting whose questions are withheld from its doors on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Withholding {
    pub sitting_id: Uuid,
    pub template_id: Uuid,
    /// When the template was changed last.
    pub template_version: i64,
    /// By the clock; the first moment of all when the doors have been opened, whatever this server's clock says.
    pub opens_at: Moment,
    /// When its own rule releases it, if that names a time.
    pub releases_at: Option<Moment>,
}

/// How far the results of a sitting are open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenResults {
    /// Whether its candidates may see theirs.
    pub shown: bool,
    /// Whether it has been released, by somebody or by its rule.
    pub released: bool,
}

/// How far the results of a sitting are open; `None` if there is no such sitting.
pub async fn find_open_results(
    connection: &impl ConnectionTrait,
    sitting_id: Uuid,
) -> Result<Option<OpenResults>, DbErr> {
    let query = sitting::Entity::find_by_id(sitting_id).select_only();
    let query = query.columns([sitting::Column::Results]).column(sitting::Column::ReleasedAtMs);
    let found = query.into_tuple::<(String, Option<i64>)>().one(connection).await?;
    Ok(found.map(|(results, released_at_ms)| OpenResults {
        shown: is_released(&results, released_at_ms),
        released: released_at_ms.is_some(),
    }))
}

/// The same of the columns of a sitting.
#[must_use]
pub fn is_released(results: &str, released_at_ms: Option<i64>) -> bool {
    released_at_ms.is_some() || results == ResultsRule::Now.text()
}

/// Loads the sittings that have not been released and whose doors are open, or open until then.
pub async fn load_withholding(database: &Database, until: Moment) -> Result<Vec<Withholding>, DbErr> {
    #[derive(FromQueryResult)]
    struct Row {
        id: Uuid,
        template_id: Uuid,
        starts_at_ms: i64,
        doors_at_ms: Option<i64>,
        opened_at_ms: Option<i64>,
        begun_at_ms: Option<i64>,
        results_at_ms: Option<i64>,
        updated_at_ms: i64,
    }
    use sitting::Column;
    let to_template =
        sitting::Entity::belongs_to(template::Entity).from(Column::TemplateId).to(template::Column::Id).into();
    let opens = Condition::any()
        .add(Column::OpenedAtMs.is_not_null())
        .add(Column::BegunAtMs.is_not_null())
        .add(Column::DoorsAtMs.lte(until.milliseconds()))
        .add(Column::StartsAtMs.lte(until.milliseconds()));
    let rows: Vec<Row> = sitting::Entity::find()
        .select_only()
        .columns([
            Column::Id,
            Column::TemplateId,
            Column::StartsAtMs,
            Column::DoorsAtMs,
            Column::OpenedAtMs,
            Column::BegunAtMs,
            Column::ResultsAtMs,
        ])
        .column(template::Column::UpdatedAtMs)
        .join(JoinType::InnerJoin, to_template)
        .filter(Column::ReleasedAtMs.is_null())
        .filter(opens)
        .into_model()
        .all(&database.read)
        .await?;
    let moment = Moment::from_milliseconds;
    let withholding = |row: Row| {
        let is_open = row.opened_at_ms.or(row.begun_at_ms).is_some();
        let planned = doors_at(moment(row.starts_at_ms), row.doors_at_ms.map(moment));
        Withholding {
            sitting_id: row.id,
            template_id: row.template_id,
            template_version: row.updated_at_ms,
            opens_at: if is_open { moment(0) } else { planned },
            releases_at: row.results_at_ms.map(moment),
        }
    };
    let mut found: Vec<Withholding> = rows.into_iter().map(withholding).collect();
    found.sort_by_key(|one| (one.opens_at, one.sitting_id));
    Ok(found)
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
    Ok(rows.into_iter().map(|(id, results, at_ms)| (id, is_released(&results, at_ms))).collect())
}
