//! The questions of the bank, with their keys.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "questions")]
pub struct Model {
    /// Such as `g5-014`, or a UUID.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub grade: i16,
    #[sea_orm(column_type = "Text")]
    pub topic: String,
    /// A part of the topic.
    #[sea_orm(column_type = "Text")]
    pub subtopic: String,
    pub difficulty: i16,
    /// Where the question comes from.
    #[sea_orm(column_type = "Text")]
    pub source: String,
    /// `type` in JSON: `multiple-choice` or `number`.
    #[sea_orm(column_type = "Text")]
    pub kind: String,
    #[sea_orm(column_type = "Text")]
    pub question: String,
    /// JSON array of two to four options; empty of a number.
    #[sea_orm(column_type = "Text")]
    pub options: String,
    /// `A` to `D`, or the number.
    #[sea_orm(column_type = "Text")]
    pub answer: String,
    /// How to find the answer.
    #[sea_orm(column_type = "Text")]
    pub explanation: String,
    /// Link to a picture; may be empty.
    #[sea_orm(column_type = "Text")]
    pub image: String,
    /// What the picture shows, in words; may be empty.
    #[sea_orm(column_type = "Text")]
    pub image_description: String,
    /// Whether it is for exams alone, and never in a public bank.
    pub secure: bool,
    /// Whether anyone may read it with its key; null if nobody has said.
    pub practice: Option<bool>,
    /// Whether its options keep their order where options are shuffled.
    pub fixed_options: bool,
    /// Whether that has been decided; if not, a rule decides whenever the question is read.
    pub order_decided: bool,
    /// E-mail of whoever wrote it on a page of this server; null for any other question.
    #[sea_orm(column_type = "Text", nullable)]
    pub written_by: Option<String>,
    /// The digest of the stored picture that `image` names; null if it names none.
    #[sea_orm(column_type = "Text", nullable)]
    pub picture: Option<String>,
    /// What the key of a number has beside its value, as JSON; null of multiple choice.
    #[sea_orm(column_type = "Text", nullable)]
    pub number: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
