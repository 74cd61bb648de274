//! The scores that were sent or are to be sent to learning platforms: each belongs to a delivery.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "lti_scores")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub delivery_id: Uuid,
    pub link_id: Uuid,
    pub person_id: Uuid,
    /// Later than all before it of the same link and person.
    pub timestamp_ms: i64,
    /// The bytes that are sent, the same in every attempt.
    #[sea_orm(column_type = "Text")]
    pub body: String,
    /// Whether the platform has taken it. It stays when the score is sent again.
    pub has_arrived: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
