//! The templates whose rules keep keys from students, in the database: those that stand, and what is left of those that
//! were removed; and which tests of theirs go on. What cannot be read, since a newer server has written it, keeps all
//! that it can.

use std::collections::{HashMap, HashSet};

use domain::template::Template;
use domain::template::access::{ShowAnswers, TemplateAccess, TemplateRules};
use domain::time::moment::Moment;
use entities::{attempt, removed_template, template};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, ExprTrait, QueryFilter, QueryOrder, QuerySelect};
use serde_json::Value;
use uuid::Uuid;

use super::templates;

/// What of a template decides about keys.
#[derive(Debug)]
pub struct KeyTemplate {
    pub id: Uuid,
    pub updated_at: Moment,
    pub rules: TemplateRules,
    pub question_ids: HashSet<String>,
}

impl From<Template> for KeyTemplate {
    fn from(template: Template) -> Self {
        let question_ids = template.question_ids().into_iter().map(str::to_owned).collect();
        Self { id: template.id, updated_at: template.updated_at, rules: template.config.rules, question_ids }
    }
}

impl KeyTemplate {
    /// One that this server cannot read. All texts in its lists may be ids of questions; `None` if these are no JSON
    /// either, since nobody knows then what is to be kept.
    fn of_unreadable(row: &template::Model) -> Option<Self> {
        let mut question_ids = HashSet::new();
        for json in [&row.papers, &row.forms] {
            texts(&serde_json::from_str(json).ok()?, &mut question_ids);
        }
        let updated_at = Moment::from_milliseconds(row.updated_at_ms);
        Some(Self { id: row.id, updated_at, rules: kept_rules(), question_ids })
    }
}

/// The rules of a template that cannot be read: nobody is told anything.
pub fn kept_rules() -> TemplateRules {
    TemplateRules { show_answers: ShowAnswers::Never, practice: Some(false), ..TemplateRules::default() }
}

fn texts(value: &Value, found: &mut HashSet<String>) {
    match value {
        Value::String(text) => found.extend([text.clone()]),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| texts(field, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Loads these templates, as far as they still exist, by one statement. One that cannot be read is logged, and does not
/// keep others from being known, as long as its questions can be told.
pub async fn load_those(connection: &impl ConnectionTrait, ids: &[Uuid]) -> Result<Vec<KeyTemplate>, DbErr> {
    let those = template::Column::Id.is_in(ids.iter().copied());
    let rows = template::Entity::find().filter(those).all(connection).await?;
    let read = |row: template::Model| match templates::from_row(row.clone()) {
        Ok(template) => Ok(KeyTemplate::from(template)),
        Err(error) => {
            tracing::error!(id = %row.id, %error, "a template cannot be read: students are told none of its keys");
            KeyTemplate::of_unreadable(&row).ok_or_else(|| DbErr::from(error))
        }
    };
    rows.into_iter().map(read).collect()
}

/// Loads which templates that stand guard their keys, with the times of their last changes in milliseconds.
pub async fn load_versions(connection: &impl ConnectionTrait) -> Result<Vec<(Uuid, i64)>, DbErr> {
    use template::Column;
    let query = template::Entity::find().select_only().columns([Column::Id, Column::UpdatedAtMs]);
    query.filter(Column::GuardsKeys.eq(true)).order_by_asc(Column::Id).into_tuple().all(connection).await
}

/// Loads what removed templates have said about the keys of their tests; nothing where it cannot be read.
pub async fn load_removed(connection: &impl ConnectionTrait) -> Result<Vec<(Uuid, Option<TemplateRules>)>, DbErr> {
    let rows = removed_template::Entity::find().all(connection).await?;
    let rules = |row: removed_template::Model| {
        let closes_at = row.closes_at_ms.map(Moment::from_milliseconds);
        let access = TemplateAccess { closes_at, ..TemplateAccess::default() };
        let show_answers = ShowAnswers::parse(&row.show_answers);
        (row.id, show_answers.map(|show_answers| TemplateRules { access, show_answers, practice: None }))
    };
    Ok(rows.into_iter().map(rules).collect())
}

/// Loads when tests of these templates were begun last, those of sittings aside.
pub async fn load_last_starts(connection: &impl ConnectionTrait, ids: &[Uuid]) -> Result<HashMap<Uuid, Moment>, DbErr> {
    use attempt::Column;
    let those = Column::TemplateId.is_in(ids.iter().copied()).and(Column::SittingId.is_null());
    let query = attempt::Entity::find().select_only().column(Column::TemplateId);
    let query = query.column_as(Column::StartedAtMs.max(), "last_start").filter(those).group_by(Column::TemplateId);
    let found: Vec<(Uuid, i64)> = query.into_tuple().all(connection).await?;
    Ok(found.into_iter().map(|(id, at)| (id, Moment::from_milliseconds(at))).collect())
}

/// Whether a test of the template goes on, those of sittings aside.
pub async fn is_running(connection: &impl ConnectionTrait, template_id: Uuid) -> Result<bool, DbErr> {
    use attempt::Column;
    let running = Column::TemplateId.eq(template_id).and(Column::EndedAtMs.is_null()).and(Column::SittingId.is_null());
    let query = attempt::Entity::find().select_only().column(Column::SessionId).filter(running);
    Ok(query.limit(1).into_tuple::<Uuid>().one(connection).await?.is_some())
}
