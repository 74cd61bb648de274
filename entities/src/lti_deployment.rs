//! Deployments of learning platforms: an unknown one waits for an admin.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "lti_deployments")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub platform_id: Uuid,
    /// The platform's name of it.
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub deployment_id: String,
    /// `pending` or `active`.
    #[sea_orm(column_type = "Text")]
    pub state: String,
    pub created_at_ms: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
