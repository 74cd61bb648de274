//! Links in courses that somebody has removed here: each asks its staff before it leads anywhere again.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "lti_removed_links")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub platform_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub deployment_id: String,
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub resource_link_id: String,
    pub removed_at_ms: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
