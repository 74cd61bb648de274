//! Learning platforms that are registered here.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "lti_platforms")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    #[sea_orm(column_type = "Text")]
    pub name: String,
    /// Unique together with the client id.
    #[sea_orm(column_type = "Text")]
    pub issuer: String,
    /// By which the platform knows this server.
    #[sea_orm(column_type = "Text")]
    pub client_id: String,
    #[sea_orm(column_type = "Text")]
    pub authorization_url: String,
    #[sea_orm(column_type = "Text")]
    pub token_url: String,
    #[sea_orm(column_type = "Text")]
    pub jwks_url: String,
    /// `pending`, `active` or `blocked`.
    #[sea_orm(column_type = "Text")]
    pub state: String,
    /// The grades that its instructors get, as JSON.
    #[sea_orm(column_type = "Text")]
    pub grades: String,
    /// The origins that may frame pages, as JSON.
    #[sea_orm(column_type = "Text")]
    pub frame_origins: String,
    /// Null where it is the address of the tokens.
    #[sea_orm(column_type = "Text", nullable)]
    pub token_audience: Option<String>,
    /// `points` or `percent`.
    #[sea_orm(column_type = "Text")]
    pub score_form: String,
    pub trusts_emails: bool,
    /// What the platform said when it registered itself, as JSON.
    #[sea_orm(column_type = "Text", nullable)]
    pub registration: Option<String>,
    pub created_at_ms: i64,
    pub updated_at_ms: i64,
    /// Whether its staff choose exams here, and see nothing else.
    pub staff_only_choose: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
