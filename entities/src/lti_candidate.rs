//! Which candidates of sittings are people of learning platforms.

use sea_orm::entity::prelude::*;

/// As JSON it stands in `former_rosters`, of which rows outlive an upgrade: a new column needs a default there.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, serde::Serialize, serde::Deserialize)]
#[sea_orm(table_name = "lti_candidates")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub candidate_id: Uuid,
    pub person_id: Uuid,
    /// By which they came; null while only a roster has named them.
    pub link_id: Option<Uuid>,
    /// Whether staff have said it of somebody who had entered already, by other means.
    pub after_entry: bool,
    /// The names of the link by which they came, if it was removed.
    pub former_deployment_id: Option<String>,
    pub former_resource_link_id: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
