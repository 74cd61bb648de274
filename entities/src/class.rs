//! Classes: the lists of people that the school keeps.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "classes")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub grade: i16,
    #[sea_orm(column_type = "Text")]
    pub name: String,
    /// The name as names are compared; unique in the grade.
    #[sea_orm(column_type = "Text")]
    pub folded_name: String,
    /// E-mail.
    #[sea_orm(column_type = "Text")]
    pub created_by: String,
    pub created_at_ms: i64,
    /// Later with each change of the class or of its people.
    pub updated_at_ms: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
