//! Candidates: each person of each sitting.

use sea_orm::entity::prelude::*;

/// As JSON it stands in `former_rosters`, of which rows outlive an upgrade: a new column needs a default there.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, serde::Serialize, serde::Deserialize)]
#[sea_orm(table_name = "candidates")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub sitting_id: Uuid,
    /// In lower case; unique in the sitting.
    #[sea_orm(column_type = "Text", nullable)]
    pub email: Option<String>,
    /// Unique in the sitting.
    #[sea_orm(column_type = "Text", nullable)]
    pub external_id: Option<String>,
    #[sea_orm(column_type = "Text")]
    pub name: String,
    pub room_id: Option<Uuid>,
    #[sea_orm(column_type = "Text", nullable)]
    pub seat: Option<String>,
    /// Own values; null where the candidate has none.
    pub factor: Option<i32>,
    pub extra_minutes: Option<i32>,
    pub starts_at_ms: Option<i64>,
    pub ends_at_ms: Option<i64>,
    /// Copied from the accommodation when the doors opened.
    pub accommodation_factor: Option<i32>,
    pub accommodation_extra_minutes: Option<i32>,
    /// For proctors.
    #[sea_orm(column_type = "Text", nullable)]
    pub note: Option<String>,
    /// HMAC-SHA256 of the code under a key of the server.
    pub access_code_hash: Option<Vec<u8>>,
    /// The same of its first half, which tells whose code someone tries.
    pub access_half_hash: Option<Vec<u8>>,
    /// Wrong codes whose first half was theirs, since the code was made.
    pub wrong_tries: i32,
    /// The candidate's attempt.
    pub session_id: Option<Uuid>,
    pub entered_at_ms: Option<i64>,
    /// E-mail of the proctor who let them in after the entry was closed.
    #[sea_orm(column_type = "Text", nullable)]
    pub admitted_by: Option<String>,
    /// E-mail of the proctor who marked them as present.
    #[sea_orm(column_type = "Text", nullable)]
    pub present_by: Option<String>,
    pub present_at_ms: Option<i64>,
    /// E-mail of the proctor who marked them as absent.
    #[sea_orm(column_type = "Text", nullable)]
    pub absent_by: Option<String>,
    pub absent_at_ms: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
