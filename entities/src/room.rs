//! Halls: the parts of a sitting's candidates that sit together, each with its proctors.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rooms")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub sitting_id: Uuid,
    #[sea_orm(column_type = "Text")]
    pub name: String,
    /// The name in small letters, unique in the sitting.
    #[sea_orm(column_type = "Text")]
    pub folded_name: String,
    #[sea_orm(column_type = "Text")]
    pub code: String,
    /// E-mail addresses, as a JSON array.
    #[sea_orm(column_type = "Text")]
    pub proctors: String,
    pub starts_at_ms: Option<i64>,
    pub ends_at_ms: Option<i64>,
    pub factor: Option<i32>,
    pub extra_minutes: Option<i32>,
    /// When a proctor has begun this room alone.
    pub begun_at_ms: Option<i64>,
    /// What proctors have ordered for everyone, as JSON; null for nothing.
    #[sea_orm(column_type = "Text", nullable)]
    pub standing: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
