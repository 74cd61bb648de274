//! The school's settings: one row, which does not exist before the first change.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "school")]
pub struct Model {
    /// Always 1.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i16,
    #[sea_orm(column_type = "Text")]
    pub name: String,
    /// `#rrggbb`.
    #[sea_orm(column_type = "Text")]
    pub colour: String,
    /// Codes with commas between them, the default first.
    #[sea_orm(column_type = "Text")]
    pub languages: String,
    /// A name of the IANA database; empty if none was chosen.
    #[sea_orm(column_type = "Text")]
    pub time_zone: String,
    pub crest: Option<Vec<u8>>,
    /// The media type of the crest.
    #[sea_orm(column_type = "Text", nullable)]
    pub crest_type: Option<String>,
    /// The revision in which the crest was last changed.
    pub crest_revision: Option<i64>,
    /// Kinds of incidents of the school's own, one a line; null before the first.
    #[sea_orm(column_type = "Text", nullable)]
    pub incident_kinds: Option<String>,
    /// The scale by which results are marked, as JSON; null for no marks.
    #[sea_orm(column_type = "Text", nullable)]
    pub mark_scale: Option<String>,
    /// Counts the changes.
    pub revision: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
