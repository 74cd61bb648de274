//! Classes and their people in the form for those who keep them.

use domain::grade::Grade;
use domain::sitting::class::{Class, ClassPerson};
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// `{ classes }`, by grade and name.
#[derive(Serialize, ToSchema)]
pub struct ClassList {
    pub classes: Vec<ClassView>,
}

/// `{ class }`.
#[derive(Serialize, ToSchema)]
pub struct OneClass {
    pub class: ClassView,
}

/// `{ class, people }`, these by name.
#[derive(Serialize, ToSchema)]
pub struct ClassWithPeople {
    pub class: ClassView,
    pub people: Vec<ClassPersonView>,
}

/// A list of people that the school keeps.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Class)]
pub struct ClassView {
    id: Uuid,
    name: String,
    grade: Grade,
    /// How many there are.
    people: u64,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    /// Later with each change of the class or of its people.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
    /// E-mail address.
    created_by: String,
}

impl From<Class> for ClassView {
    fn from(class: Class) -> Self {
        let Class { id, name, grade, people, created_at, updated_at, created_by } = class;
        Self { id, name, grade, people, created_at, updated_at, created_by }
    }
}

/// Somebody in a class.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ClassPerson)]
pub struct ClassPersonView {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    external_id: Option<String>,
    name: String,
    /// How much of the usual time they get wherever they sit, in percent; null for what the register or the sitting
    /// says.
    #[schema(required)]
    factor: Option<u32>,
    /// Likewise.
    #[schema(required)]
    extra_minutes: Option<u32>,
    /// For proctors.
    #[schema(required)]
    note: Option<String>,
}

impl From<ClassPerson> for ClassPersonView {
    fn from(one: ClassPerson) -> Self {
        let ClassPerson { person, name, factor, extra_minutes, note, .. } = one;
        let factor = factor.map(|factor| factor.percent());
        Self { email: person.email, external_id: person.external_id, name, factor, extra_minutes, note }
    }
}
