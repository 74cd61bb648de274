//! Links in courses of learning platforms that lead to a sitting or a template.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "lti_links")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub platform_id: Uuid,
    #[sea_orm(column_type = "Text")]
    pub deployment_id: String,
    /// Unique in the deployment.
    #[sea_orm(column_type = "Text")]
    pub resource_link_id: String,
    #[sea_orm(column_type = "Text", nullable)]
    pub title: Option<String>,
    /// The platform's name of the course.
    #[sea_orm(column_type = "Text", nullable)]
    pub context_id: Option<String>,
    #[sea_orm(column_type = "Text", nullable)]
    pub context_title: Option<String>,
    /// `sitting` or `template`.
    #[sea_orm(column_type = "Text")]
    pub kind: String,
    pub target_id: Uuid,
    /// The column of the grade book.
    #[sea_orm(column_type = "Text", nullable)]
    pub line_item: Option<String>,
    /// The list of the course's columns.
    #[sea_orm(column_type = "Text", nullable)]
    pub line_items: Option<String>,
    /// What may be done with columns, as JSON.
    #[sea_orm(column_type = "Text")]
    pub scopes: String,
    /// Where the members of the course are listed.
    #[sea_orm(column_type = "Text", nullable)]
    pub memberships: Option<String>,
    /// When a score was taken last.
    pub last_score_at_ms: Option<i64>,
    pub created_at_ms: i64,
    /// Whether the roster of the sitting is taken from the course by itself, before the doors open.
    pub takes_roster: bool,
    /// When it was taken last, by itself or by hand.
    pub roster_taken_at_ms: Option<i64>,
    /// When it was last begun to be taken by itself.
    pub roster_tried_at_ms: Option<i64>,
    /// When that failed, if the last time did.
    pub roster_failed_at_ms: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
