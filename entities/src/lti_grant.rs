//! What deployments were given: only to this may their links lead.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "lti_grants")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub platform_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub deployment_id: String,
    /// `sitting` or `template`.
    #[sea_orm(primary_key, auto_increment = false, column_type = "Text")]
    pub kind: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub target_id: Uuid,
    /// E-mail of an admin, the platform's subject of an instructor, or `deep linking`.
    #[sea_orm(column_type = "Text")]
    pub granted_by: String,
    pub granted_at_ms: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
