//! Accommodations: what a person needs in every exam, such as more time.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "accommodations")]
pub struct Model {
    /// In lower case.
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub email: String,
    pub factor: Option<i32>,
    pub extra_minutes: Option<i32>,
    /// A JSON array of texts.
    #[sea_orm(column_type = "Text")]
    pub flags: String,
    #[sea_orm(column_type = "Text", nullable)]
    pub note: Option<String>,
    pub valid_until_ms: Option<i64>,
    /// E-mail.
    #[sea_orm(column_type = "Text")]
    pub changed_by: String,
    pub changed_at_ms: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
