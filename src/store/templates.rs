//! Test templates, in the database.

use std::collections::{BTreeSet, HashMap, HashSet};

use domain::attempt::Mode;
use domain::calculator::Calculator;
use domain::grade::Grade;
use domain::mark::chosen::ChosenScale;
use domain::template::access::{ShowAnswers, TemplateRules};
use domain::template::choice::TemplateChoice;
use domain::template::{Template, TemplateConfig};
use domain::time::moment::Moment;
use entities::removed_template;
use entities::template::{ActiveModel, Column, Entity, Model};
use sea_orm::sea_query::LockType;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter,
    QueryOrder, QuerySelect,
};
use serde::Serialize;
use uuid::Uuid;

use super::{Unreadable, questions};
use crate::database::Database;

/// Templates that are named to whoever wants to retire a question of theirs, or to remove their class.
const NAMES_MAX: usize = 100;

/// A template without its papers, as the list of templates shows it.
#[derive(Clone, Debug)]
pub struct TemplateHeader {
    /// Also the secret part of the share link.
    pub id: Uuid,
    pub name: String,
    pub mode: Mode,
    /// Never empty.
    pub grades: Vec<Grade>,
    pub duration_minutes: u32,
    pub calculator: Calculator,
    /// In how many forms students sit it, from 1.
    pub forms: u8,
    /// Whether they go through their list in its order.
    pub in_order: bool,
    pub created_at: Moment,
    /// The time of the last change.
    pub updated_at: Moment,
    /// The e-mail address of the admin.
    pub created_by: String,
}

/// Stores a new template. Returns false, and stores nothing, if the bank no longer has all its questions.
pub async fn insert(database: &Database, template: &Template) -> Result<bool, DbErr> {
    let transaction = database.begin().await?;
    if !hold_questions(&transaction, template, &HashSet::new()).await? {
        return Ok(false);
    }
    Entity::insert(to_row(template)?).exec_without_returning(&transaction).await?;
    transaction.commit().await?;
    Ok(true)
}

/// Keeps the questions of a template that are not `known` from being retired until the transaction ends: a bank at hand
/// may have one that is. Returns whether the bank still has all of them.
pub async fn hold_questions(
    transaction: &DatabaseTransaction,
    template: &Template,
    known: &HashSet<String>,
) -> Result<bool, DbErr> {
    let new: BTreeSet<&str> = template.question_ids().into_iter().filter(|id| !known.contains(*id)).collect();
    if new.is_empty() { Ok(true) } else { questions::hold(transaction, &new).await }
}

/// Loads the names of the templates that have a question in a list or a form, or keep it pinned for the next draw, in
/// order: at most [`NAMES_MAX`].
pub(super) async fn names_with_question(transaction: &DatabaseTransaction, id: &str) -> Result<Vec<String>, DbErr> {
    // Whatever a pattern or JSON writes in another way stands for anything here, and is looked at below.
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '.' | ':');
    let pattern: String = id.chars().map(|letter| if plain(letter) { letter } else { '%' }).collect();
    let pattern = format!("%{pattern}%");
    let columns = [Column::Papers, Column::Forms, Column::Choice];
    let may_have = columns.into_iter().fold(Condition::any(), |any, column| any.add(column.like(&pattern)));
    let mut names = Vec::new();
    for row in Entity::find().filter(may_have).all(transaction).await? {
        let template = from_row(row)?;
        let is_pinned = template.config.choice.pinned.iter().any(|pinned| pinned == id);
        if is_pinned || template.question_ids().contains(id) {
            names.push(template.config.name);
        }
    }
    names.sort_unstable();
    names.truncate(NAMES_MAX);
    Ok(names)
}

/// Loads the names of the templates that are for a class and have not closed, in order: at most [`NAMES_MAX`].
pub async fn names_for_class(
    connection: &impl ConnectionTrait,
    class_id: Uuid,
    now: Moment,
) -> Result<Vec<String>, DbErr> {
    let query = Entity::find().select_only().columns([Column::Name, Column::Rules]);
    let may_name = Column::Rules.contains(class_id.to_string());
    let rows: Vec<(String, Option<String>)> = query.filter(may_name).into_tuple().all(connection).await?;
    let mut names = Vec::new();
    for (name, rules) in rows {
        let access = rules_of(rules.as_deref())?.access;
        let is_over = access.closes_at.is_some_and(|closes_at| closes_at <= now);
        if access.class_ids.contains(&class_id) && !is_over {
            names.push(name);
        }
    }
    names.sort_unstable();
    names.truncate(NAMES_MAX);
    Ok(names)
}

pub async fn find(database: &Database, id: Uuid) -> Result<Option<Template>, DbErr> {
    find_in(&database.read, id).await
}

/// The same within a transaction, which needs no second connection then.
pub async fn find_in(connection: &impl ConnectionTrait, id: Uuid) -> Result<Option<Template>, DbErr> {
    Ok(Entity::find_by_id(id).one(connection).await?.map(from_row).transpose()?)
}

/// The time of the last change, which is later with each change. A copy of the template can therefore be recognised as
/// old by this time alone.
pub async fn find_updated_at(database: &Database, id: Uuid) -> Result<Option<Moment>, DbErr> {
    let query = Entity::find_by_id(id).select_only().column(Column::UpdatedAtMs).into_tuple::<i64>();
    Ok(query.one(&database.read).await?.map(Moment::from_milliseconds))
}

/// Loads the names of these templates, as far as they still exist.
pub async fn load_names(
    database: &Database,
    ids: impl IntoIterator<Item = Uuid>,
) -> Result<HashMap<Uuid, String>, DbErr> {
    let ids: BTreeSet<Uuid> = ids.into_iter().collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let query = Entity::find().select_only().columns([Column::Id, Column::Name]).filter(Column::Id.is_in(ids));
    Ok(query.into_tuple().all(&database.read).await?.into_iter().collect())
}

type HeaderRow = (Uuid, String, String, String, i32, String, String, i64, i64, String);

const HEADER_COLUMNS: [Column; 10] = [
    Column::Id,
    Column::Name,
    Column::Mode,
    Column::Grades,
    Column::DurationMinutes,
    Column::Calculator,
    Column::Choice,
    Column::CreatedAtMs,
    Column::UpdatedAtMs,
    Column::CreatedBy,
];

/// Loads the templates that were changed last, newest first: at most `count`.
pub async fn load_summaries(database: &Database, count: u64) -> Result<Vec<TemplateHeader>, DbErr> {
    let query = Entity::find()
        .select_only()
        .columns(HEADER_COLUMNS)
        .order_by_desc(Column::UpdatedAtMs)
        .order_by_asc(Column::Id)
        .limit(count);
    headers(query.into_tuple().all(&database.read).await?)
}

/// Loads these templates without their papers, as far as they still exist.
pub async fn load_headers(
    database: &Database,
    ids: impl IntoIterator<Item = Uuid>,
) -> Result<HashMap<Uuid, TemplateHeader>, DbErr> {
    let ids: BTreeSet<Uuid> = ids.into_iter().collect();
    let query = Entity::find().select_only().columns(HEADER_COLUMNS).filter(Column::Id.is_in(ids));
    let found = headers(query.into_tuple().all(&database.read).await?)?;
    Ok(found.into_iter().map(|header| (header.id, header)).collect())
}

fn headers(rows: Vec<HeaderRow>) -> Result<Vec<TemplateHeader>, DbErr> {
    let header =
        |(id, name, mode, grades, minutes, calculator, choice, created_at_ms, updated_at_ms, created_by): HeaderRow| {
            let mode = Mode::parse(&mode).ok_or(Unreadable("mode"))?;
            let choice: TemplateChoice = parse(&choice, "choice")?;
            Ok(TemplateHeader {
                id,
                name,
                mode,
                in_order: choice.in_order,
                forms: u8::try_from(choice.form_count(mode)).map_err(|_| Unreadable("choice"))?,
                grades: parse(&grades, "grades")?,
                duration_minutes: u32::try_from(minutes).map_err(|_| Unreadable("duration"))?,
                calculator: Calculator::parse(&calculator).ok_or(Unreadable("calculator"))?,
                created_at: Moment::from_milliseconds(created_at_ms),
                updated_at: Moment::from_milliseconds(updated_at_ms),
                created_by,
            })
        };
    rows.into_iter().map(header).collect::<Result<_, Unreadable>>().map_err(DbErr::from)
}

/// Finds a template, and keeps everyone else from changing or removing it until the transaction ends. Whoever also
/// locks sittings of it locks them before.
pub async fn lock(transaction: &DatabaseTransaction, id: Uuid) -> Result<Option<Template>, DbErr> {
    let row = Entity::find_by_id(id).lock_exclusive().one(transaction).await?;
    Ok(row.map(from_row).transpose()?)
}

/// Keeps everyone from changing or removing a template, and from giving it to a sitting, until the transaction ends,
/// although others may hold it as well. Whoever also locks sittings of it locks them before.
pub async fn hold(transaction: &DatabaseTransaction, id: Uuid) -> Result<(), DbErr> {
    let query = Entity::find_by_id(id).select_only().column(Column::Id);
    query.lock(LockType::Share).into_tuple::<Uuid>().one(transaction).await.map(|_| ())
}

/// Stores a template that was locked.
pub async fn save(transaction: &DatabaseTransaction, template: &mut Template, now: Moment) -> Result<(), DbErr> {
    // The new time is later than the old one even within the same millisecond, and when the clocks of two servers
    // differ.
    template.updated_at = now.max(template.updated_at.plus(1));
    let of_it = Column::Id.eq(template.id);
    Entity::update_many().set(to_row(template)?).filter(of_it).exec(transaction).await.map(|_| ())
}

/// Removes a template that was locked. If its tests do not tell their keys to students, they still do not.
pub async fn delete(transaction: &DatabaseTransaction, template: &Template) -> Result<(), DbErr> {
    let TemplateRules { show_answers, access, .. } = &template.config.rules;
    if *show_answers != ShowAnswers::Always {
        let row = removed_template::ActiveModel {
            id: Set(template.id),
            show_answers: Set(show_answers.name().to_owned()),
            closes_at_ms: Set(access.closes_at.map(Moment::milliseconds)),
        };
        removed_template::Entity::insert(row).exec_without_returning(transaction).await?;
    }
    Entity::delete_by_id(template.id).exec(transaction).await.map(|_| ())
}

fn to_row(template: &Template) -> Result<ActiveModel, DbErr> {
    let config = &template.config;
    Ok(ActiveModel {
        id: Set(template.id),
        name: Set(config.name.clone()),
        grades: Set(to_text(&config.grades)?),
        mode: Set(config.mode.name().to_owned()),
        duration_minutes: Set(i32::try_from(config.duration_minutes).unwrap_or(i32::MAX)),
        calculator: Set(config.calculator.name().to_owned()),
        targets: Set(to_text(&config.targets)?),
        papers: Set(to_text(&template.papers)?),
        choice: Set(to_text(&config.choice)?),
        forms: Set(to_text(&template.forms)?),
        mark_scale: Set(scale_text(&config.mark_scale)?),
        rules: Set(stored_rules(&config.rules)?),
        guards_keys: Set(config.rules.guards_keys()),
        created_by: Set(template.created_by.clone()),
        created_at_ms: Set(template.created_at.milliseconds()),
        updated_at_ms: Set(template.updated_at.milliseconds()),
    })
}

pub(super) fn from_row(row: Model) -> Result<Template, Unreadable> {
    let config = TemplateConfig {
        name: row.name,
        grades: parse(&row.grades, "grades")?,
        mode: Mode::parse(&row.mode).ok_or(Unreadable("mode"))?,
        duration_minutes: u32::try_from(row.duration_minutes).map_err(|_| Unreadable("duration"))?,
        calculator: Calculator::parse(&row.calculator).ok_or(Unreadable("calculator"))?,
        rules: rules_of(row.rules.as_deref())?,
        targets: parse(&row.targets, "targets")?,
        choice: parse(&row.choice, "choice")?,
        mark_scale: chosen_scale(row.mark_scale.as_deref())?,
    };
    Ok(Template {
        id: row.id,
        config,
        papers: parse(&row.papers, "papers")?,
        forms: parse(&row.forms, "forms")?,
        created_by: row.created_by,
        created_at: Moment::from_milliseconds(row.created_at_ms),
        updated_at: Moment::from_milliseconds(row.updated_at_ms),
    })
}

/// The scale of a template as it is stored; `None` for the school's.
fn scale_text(scale: &ChosenScale) -> Result<Option<String>, DbErr> {
    if scale.is_of_school() { Ok(None) } else { to_text(scale).map(Some) }
}

/// Reads what [`scale_text`] has written.
pub(super) fn chosen_scale(text: Option<&str>) -> Result<ChosenScale, Unreadable> {
    let Some(text) = text else { return Ok(ChosenScale::School) };
    ChosenScale::read(&parse(text, "mark scale")?).ok_or(Unreadable("mark scale"))
}

/// The rules as they are stored: nothing for a template that is for everyone.
fn stored_rules(rules: &TemplateRules) -> Result<Option<String>, DbErr> {
    if *rules == TemplateRules::default() { Ok(None) } else { to_text(rules).map(Some) }
}

pub(super) fn rules_of(text: Option<&str>) -> Result<TemplateRules, Unreadable> {
    text.map_or_else(|| Ok(TemplateRules::default()), |text| parse(text, "rules"))
}

fn to_text(value: &impl Serialize) -> Result<String, DbErr> {
    serde_json::to_string(value).map_err(|error| DbErr::Custom(error.to_string()))
}

fn parse<T: serde::de::DeserializeOwned>(text: &str, what: &'static str) -> Result<T, Unreadable> {
    serde_json::from_str(text).map_err(|_| Unreadable(what))
}
