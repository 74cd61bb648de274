//! The large parts of finished tests, in a table of their own, so that a list does not read through them.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "session_bodies")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub session_id: Uuid,
    /// The caller's JSON object.
    #[sea_orm(column_type = "Text")]
    pub annotations: String,
    /// As JSON.
    #[sea_orm(column_type = "Text")]
    pub result: String,
    /// JSON object from question id to drawing.
    #[sea_orm(column_type = "Text", nullable)]
    pub drawings: Option<String>,
    /// The keys that it was graded with, as JSON.
    #[sea_orm(column_type = "Text")]
    pub graded_by: String,
    /// JSON object from question id to the order in which its options were shown, of a test that another service has
    /// graded; null where there is none. The keys have those of other tests.
    #[sea_orm(column_type = "Text", nullable)]
    pub option_order: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
