//! The people of classes: each person of each class.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "class_people")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub class_id: Uuid,
    /// In lower case; unique in the class.
    #[sea_orm(column_type = "Text", nullable)]
    pub email: Option<String>,
    /// Unique in the class.
    #[sea_orm(column_type = "Text", nullable)]
    pub external_id: Option<String>,
    #[sea_orm(column_type = "Text")]
    pub name: String,
    pub factor: Option<i32>,
    pub extra_minutes: Option<i32>,
    /// For proctors.
    #[sea_orm(column_type = "Text", nullable)]
    pub note: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
