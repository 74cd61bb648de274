//! Which scale of marks a template has, as documents describe it.

use domain::mark::MarkScale;
use serde::Serialize;
use utoipa::ToSchema;

/// The school's scale of marks, whatever it is then.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[allow(dead_code, reason = "describes what the domain reads and writes itself")]
pub enum SchoolScale {
    School,
}

/// Which scale of marks a template has, if it has one.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = TemplateMarkScale)]
#[allow(dead_code, reason = "describes what the domain reads and writes itself")]
pub enum ScaleChoice {
    OfSchool(SchoolScale),
    Own(MarkScale),
}
