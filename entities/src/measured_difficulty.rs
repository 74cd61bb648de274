//! The measured difficulties of questions, from all live tests of a grade and from those of each school year.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "measured_difficulties")]
pub struct Model {
    /// Of the tests that it is from.
    #[sea_orm(primary_key, auto_increment = false)]
    pub grade: i16,
    /// The calendar year in which the school year begins; 0 for all years together.
    #[sea_orm(primary_key, auto_increment = false)]
    pub school_year: i16,
    #[sea_orm(primary_key, auto_increment = false)]
    pub question_id: String,
    /// On the scale of labels: 1,000 to 5,000.
    pub difficulty_thousandths: i32,
    pub error_thousandths: i32,
    pub answers: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
