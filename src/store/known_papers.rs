//! Whether a paper is known: candidates of another sitting have sat it, and may see their results.

use std::borrow::Cow;
use std::collections::HashSet;

use domain::sitting::values::ResultsRule;
use entities::{attempt, session, sitting};
use sea_orm::sea_query::{Expr, ExprTrait, Query};
use sea_orm::{ColumnTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect};
use serde::Deserialize;
use uuid::Uuid;

use super::templates;
use crate::database::Database;

/// Counts the finished tests of a template in other sittings than this one whose candidates may see their results.
/// There are none as soon as no question of the newest one is on the paper any more: it has been drawn anew.
pub async fn count_told(database: &Database, template_id: Uuid, sitting_id: Uuid) -> Result<u64, DbErr> {
    use attempt::Column;
    let is_told = sitting::Column::ReleasedAtMs.is_not_null().or(sitting::Column::Results.eq(ResultsRule::Now.text()));
    let others: Vec<Uuid> = sitting::Entity::find()
        .select_only()
        .column(sitting::Column::Id)
        .filter(sitting::Column::TemplateId.eq(template_id))
        .filter(sitting::Column::Id.ne(sitting_id))
        .filter(is_told)
        .into_tuple()
        .all(&database.read)
        .await?;
    if others.is_empty() {
        return Ok(0);
    }
    // Whoever was ended before they began has seen nothing. The attempt does not say it of those who ended at once.
    let begun = Query::select()
        .column(session::Column::SessionId)
        .from(session::Entity)
        .and_where(session::Column::SittingId.is_in(others))
        .and_where(Expr::col(session::Column::StartedAtMs).lt(Expr::col(session::Column::CompletedAtMs)))
        .to_owned();
    let finished = attempt::Entity::find()
        .filter(Column::SessionId.in_subquery(begun))
        .filter(Column::TemplateId.eq(template_id))
        .filter(Column::EndedAtMs.is_not_null());
    let newest = finished.clone().select_only().column(Column::Paper).order_by_desc(Column::EndedAtMs);
    let Some(paper) = newest.into_tuple::<String>().one(&database.read).await? else { return Ok(0) };
    let Some(template) = templates::find_in(&database.read, template_id).await? else { return Ok(0) };
    if has_any(&paper, &template.question_ids()) { finished.count(&database.read).await } else { Ok(0) }
}

/// Whether a stored paper has any of these questions. One that cannot be read may.
fn has_any(paper: &str, ids: &HashSet<&str>) -> bool {
    #[derive(Deserialize)]
    struct Listed<'a> {
        #[serde(borrow)]
        id: Cow<'a, str>,
    }
    let Ok(listed) = serde_json::from_str::<Vec<Listed<'_>>>(paper) else { return true };
    listed.iter().any(|question| ids.contains(&*question.id))
}
