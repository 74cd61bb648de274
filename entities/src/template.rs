//! Test templates: their configs, and the ids of their locked questions.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "templates")]
pub struct Model {
    /// Also the secret of the share link.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    #[sea_orm(column_type = "Text")]
    pub name: String,
    /// JSON array of grades.
    #[sea_orm(column_type = "Text")]
    pub grades: String,
    /// `standard` or `adaptive`.
    #[sea_orm(column_type = "Text")]
    pub mode: String,
    pub duration_minutes: i32,
    /// `none`, `basic` or `scientific`.
    #[sea_orm(column_type = "Text")]
    pub calculator: String,
    /// The wanted questions of each difficulty in each list, as JSON.
    #[sea_orm(column_type = "Text")]
    pub targets: String,
    /// The ids of the locked questions in each list, as JSON.
    #[sea_orm(column_type = "Text")]
    pub papers: String,
    /// What else questions are chosen by, as JSON; what is not in it is as usual.
    #[sea_orm(column_type = "Text")]
    pub choice: String,
    /// The forms beside the first, as JSON: their questions in order, and the orders of options.
    #[sea_orm(column_type = "Text")]
    pub forms: String,
    /// The scale of its own by which results are marked, as JSON, or `null` for no marks; null for the school's.
    #[sea_orm(column_type = "Text", nullable)]
    pub mark_scale: Option<String>,
    /// Who may sit it, and who is told its keys, as JSON; null for everyone who has the link.
    #[sea_orm(column_type = "Text", nullable)]
    pub rules: Option<String>,
    /// Whether these rules keep keys from students.
    pub guards_keys: bool,
    /// E-mail of the admin who made it.
    #[sea_orm(column_type = "Text")]
    pub created_by: String,
    pub created_at_ms: i64,
    pub updated_at_ms: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
