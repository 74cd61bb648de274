//! That an event has a term.

use sea_orm::entity::prelude::*;

/// That an event has a term.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "calendar_event_terms")]
pub struct Model {
    /// The event.
    #[sea_orm(primary_key, auto_increment = false)]
    pub event_id: i64,
    /// The term.
    #[sea_orm(primary_key, auto_increment = false)]
    pub term_id: i64,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
