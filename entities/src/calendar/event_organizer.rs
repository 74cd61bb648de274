//! That an event has an organizer, and in which place.

use sea_orm::entity::prelude::*;

/// That an event has an organizer, and in which place.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "calendar_event_organizers")]
pub struct Model {
    /// The event.
    #[sea_orm(primary_key, auto_increment = false)]
    pub event_id: i64,
    /// The organizer.
    #[sea_orm(primary_key, auto_increment = false)]
    pub organizer_id: i64,
    /// From 0, as they were given.
    pub position: i32,
}

/// None: rows are joined by hand where that is needed.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
