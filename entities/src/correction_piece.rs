//! The tests of a step that is not finished, in pieces which servers share out. A row is removed when its tests have
//! followed.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "correction_pieces")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub step: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub piece: i32,
    /// The ids of the first and the last of its tests.
    pub first_id: Uuid,
    pub last_id: Uuid,
    /// The last test that has followed; null before the first.
    pub after_id: Option<Uuid>,
    /// How many have.
    pub done: i64,
    /// Higher with each server that takes it, so that one which was taken for dead does no more.
    pub fence: i64,
    /// When another server may take it; 0 if none has it.
    pub leased_until_ms: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
