//! The school's settings in the database: one row.

use domain::calendar::zones::Zone;
use domain::mark::MarkScale;
use domain::school::{CrestKind, PageLanguage, School, SchoolColour, page_languages, time_zone};
use entities::school;
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QuerySelect,
};

use super::{Unreadable, marks};
use crate::database::Database;

/// The key of the only row.
const ROW: i16 = 1;

/// The settings as they are stored.
#[derive(Clone, Debug, Default)]
pub struct StoredSchool {
    pub school: School,
    /// The revision in which the crest was last changed; `None` without a crest. It makes the crest's address new.
    pub crest_revision: Option<i64>,
    /// Counts the changes; 0 before the first.
    pub revision: i64,
}

impl StoredSchool {
    /// The address of the crest; empty if there is none.
    #[must_use]
    pub fn crest_address(&self) -> String {
        self.crest_revision.map(|revision| format!("/api/school/crest?v={revision}")).unwrap_or_default()
    }
}

/// A crest with its media type.
pub struct StoredCrest {
    pub bytes: Vec<u8>,
    pub media_type: String,
}

/// Loads the settings without the crest itself.
pub async fn load(database: &Database) -> Result<StoredSchool, DbErr> {
    let columns = school::Entity::find_by_id(ROW).select_only().columns([
        school::Column::Name,
        school::Column::Colour,
        school::Column::Languages,
        school::Column::TimeZone,
        school::Column::CrestRevision,
        school::Column::Revision,
        school::Column::IncidentKinds,
        school::Column::MarkScale,
    ]);
    type Row = (String, String, String, String, Option<i64>, i64, Option<String>, Option<String>);
    let Some(row) = columns.into_tuple::<Row>().one(&database.read).await? else { return Ok(StoredSchool::default()) };
    let (name, colour, languages, zone, crest_revision, revision, incident_kinds, mark_scale) = row;
    let school = School {
        name,
        colour: SchoolColour::parse(&colour).ok_or(Unreadable("colour of the school"))?,
        // A newer release beside this one may know more languages and zones.
        languages: page_languages(languages.split(',')).unwrap_or_else(|| PageLanguage::ALL.to_vec()),
        time_zone: time_zone(&zone).flatten(),
        incident_kinds: incident_kinds.unwrap_or_default().lines().map(str::to_owned).collect(),
        mark_scale: marks::from_text(mark_scale.as_deref())?,
    };
    Ok(StoredSchool { school, crest_revision, revision })
}

/// Loads the time zone alone, which is UTC for a school that has chosen none.
pub async fn find_zone(connection: &impl ConnectionTrait) -> Result<Zone, DbErr> {
    let zone = school::Entity::find_by_id(ROW).select_only().column(school::Column::TimeZone);
    let zone: Option<String> = zone.into_tuple().one(connection).await?;
    Ok(zone.map_or_else(Zone::site, |zone| Zone::of_record(&zone)))
}

/// Loads the scale of marks alone.
pub(super) async fn find_mark_scale(connection: &impl ConnectionTrait) -> Result<Option<MarkScale>, DbErr> {
    let scale = school::Entity::find_by_id(ROW).select_only().column(school::Column::MarkScale);
    let scale: Option<Option<String>> = scale.into_tuple().one(connection).await?;
    Ok(marks::from_text(scale.flatten().as_deref())?)
}

/// Loads the crest.
pub async fn load_crest(database: &Database) -> Result<Option<StoredCrest>, DbErr> {
    let Some(row) = school::Entity::find_by_id(ROW).one(&database.read).await? else { return Ok(None) };
    Ok(row.crest.zip(row.crest_type).map(|(bytes, media_type)| StoredCrest { bytes, media_type }))
}

/// Stores the settings, but not the crest, if `revision` is still the present one. Returns the new revision, or `None`.
pub async fn put(database: &Database, school: &School, revision: i64) -> Result<Option<i64>, DbErr> {
    let codes: Vec<&str> = school.languages.iter().map(|language| language.code()).collect();
    let changed = school::ActiveModel {
        name: Set(school.name.clone()),
        colour: Set(school.colour.hex()),
        languages: Set(codes.join(",")),
        time_zone: Set(school.time_zone.map(|zone| zone.name().to_owned()).unwrap_or_default()),
        // A kind has no line ends.
        incident_kinds: Set(Some(school.incident_kinds.join("\n"))),
        mark_scale: Set(marks::to_text(school.mark_scale.as_ref())?),
        ..Default::default()
    };
    change(database, changed, Some(revision)).await
}

/// Stores the crest, or removes it. Returns the new revision.
pub async fn put_crest(database: &Database, crest: Option<(CrestKind, Vec<u8>)>) -> Result<i64, DbErr> {
    let kind = crest.as_ref().map(|(kind, _)| kind.media_type().to_owned());
    let changed =
        school::ActiveModel { crest_type: Set(kind), crest: Set(crest.map(|(_, bytes)| bytes)), ..Default::default() };
    change(database, changed, None).await?.ok_or_else(|| Unreadable("row of the school").into())
}

/// Changes the row, which is made first where there is none, if it has this revision.
async fn change(
    database: &Database,
    changed: school::ActiveModel,
    revision: Option<i64>,
) -> Result<Option<i64>, DbErr> {
    let transaction = database.begin().await?;
    make_row(&transaction).await?;
    let has_crest = changed.crest.try_as_ref().map(Option::is_some);
    let next = Expr::col(school::Column::Revision).add(1);
    let mut query = school::Entity::update_many()
        .set(changed)
        .col_expr(school::Column::Revision, next.clone())
        .filter(school::Column::Id.eq(ROW));
    if let Some(has_crest) = has_crest {
        let crest_revision = if has_crest { next } else { Expr::value(Option::<i64>::None) };
        query = query.col_expr(school::Column::CrestRevision, crest_revision);
    }
    if let Some(revision) = revision {
        query = query.filter(school::Column::Revision.eq(revision));
    }
    if query.exec(&transaction).await?.rows_affected == 0 {
        return Ok(None);
    }
    let new = school::Entity::find_by_id(ROW).select_only().column(school::Column::Revision);
    let new: Option<i64> = new.into_tuple().one(&transaction).await?;
    transaction.commit().await?;
    Ok(new)
}

async fn make_row(transaction: &DatabaseTransaction) -> Result<(), DbErr> {
    let School { name, colour, languages, .. } = School::default();
    let codes: Vec<&str> = languages.iter().map(|language| language.code()).collect();
    let first = school::ActiveModel {
        id: Set(ROW),
        name: Set(name),
        colour: Set(colour.hex()),
        languages: Set(codes.join(",")),
        time_zone: Set(String::new()),
        crest: Set(None),
        crest_type: Set(None),
        crest_revision: Set(None),
        incident_kinds: Set(None),
        mark_scale: Set(None),
        revision: Set(0),
    };
    let conflict = OnConflict::column(school::Column::Id).do_nothing().to_owned();
    school::Entity::insert(first).on_conflict(conflict).exec_without_returning(transaction).await.map(|_| ())
}
