//! How types of questions are stored with templates and attempts: not at all where they are the only ones that there
//! once were.

use domain::question_types::QuestionTypes;

use super::Unreadable;

/// What is stored of types.
#[must_use]
pub fn stored_types(types: QuestionTypes) -> Option<String> {
    (types != QuestionTypes::default()).then(|| types.name().to_owned())
}

/// The types that are stored.
pub fn types_of(stored: Option<&str>) -> Result<QuestionTypes, Unreadable> {
    stored.map_or(Some(QuestionTypes::default()), QuestionTypes::parse).ok_or(Unreadable("types"))
}
