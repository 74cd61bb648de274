//! The templates whose rules keep keys from students, in the database: those that stand, and what is left of those that
//! were removed.

use domain::template::access::{ShowAnswers, TemplateAccess, TemplateRules};
use domain::time::moment::Moment;
use entities::{removed_template, template};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

use super::Unreadable;

/// Loads which templates that stand guard their keys, with the times of their last changes in milliseconds.
pub async fn load_versions(connection: &impl ConnectionTrait) -> Result<Vec<(Uuid, i64)>, DbErr> {
    use template::Column;
    let query = template::Entity::find().select_only().columns([Column::Id, Column::UpdatedAtMs]);
    query.filter(Column::GuardsKeys.eq(true)).order_by_asc(Column::Id).into_tuple().all(connection).await
}

/// Loads what removed templates have said about the keys of their tests.
pub async fn load_removed(connection: &impl ConnectionTrait) -> Result<Vec<(Uuid, TemplateRules)>, DbErr> {
    let rows = removed_template::Entity::find().all(connection).await?;
    let rules = |row: removed_template::Model| {
        let closes_at = row.closes_at_ms.map(Moment::from_milliseconds);
        let show_answers = ShowAnswers::parse(&row.show_answers).ok_or(Unreadable("rule about answers"))?;
        let access = TemplateAccess { closes_at, ..TemplateAccess::default() };
        Ok((row.id, TemplateRules { access, show_answers, practice: None }))
    };
    rows.into_iter().map(rules).collect::<Result<_, Unreadable>>().map_err(DbErr::from)
}
