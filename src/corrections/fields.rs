//! The body by which a key is corrected.

use domain::correction::{AnswerSet, CorrectionKind};
use domain::grade::Grade;
use domain::question::OptionsDigest;
use domain::review::{SeenFields, Updates};
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa::openapi::{Ref, RefOr, Schema};
use uuid::Uuid;

use crate::http::fields::{Field, body};

body! {
    /// The body of `POST /api/manager/corrections`.
    #[schema(examples(json!({
        "questionId": "g5-001", "kind": "also", "options": ["C"],
        "scope": { "sittingId": "00000000-0000-4000-8000-000000000000" }, "comment": "C is right too"
    })))]
    pub struct CorrectKey {
        /// What the correction is to be called, so that the request can be repeated when its answer is lost. The server
        /// makes an id if it is left out.
        #[schema(value_type = Option<Uuid>)]
        pub id: Option<Uuid> = Field::optional,
        pub question_id: String = Field::required,
        pub kind: CorrectionKind = |field| field.parsed(CorrectionKind::parse),
        /// One for `key`, one to three for `also`, and none for the others: letters of options, or of a question that
        /// asks for a number numbers with a decimal point.
        #[schema(value_type = Option<Vec<String>>)]
        pub options: AnswerSet = |field| {
            Ok(field.optional_parsed(|given: Vec<String>| answers(&given))?.unwrap_or_default())
        },
        /// The texts of the question's options in their order, as the caller has seen them: the letters are about tests
        /// that were asked exactly those. If it is left out they are about those that the newest test was asked.
        #[schema(value_type = Option<Vec<String>>)]
        pub option_texts: Option<Vec<String>> = Field::optional,
        #[schema(value_type = ScopeShape)]
        pub scope: NamedScope = |field| field.required_parsed(|given: ScopeFields| given.named()),
        /// Whether a test whose score would fall stays as it is; `true` if it is left out.
        #[schema(value_type = Option<bool>)]
        pub nobody_loses: bool = |field| Ok(field.optional()?.unwrap_or(true)),
        /// At most 10,000 characters.
        #[schema(value_type = Option<String>)]
        pub comment: String = Field::note,
        /// Mends the question of the bank in the same step, as `POST /api/review/edit` does, with the same comment.
        #[schema(value_type = Option<MendShape>)]
        pub edit: Option<Mend> = |field| field.optional_parsed(|given: Map<String, Value>| Mend::read(&given)),
    }
}

impl CorrectKey {
    /// What tells the options that the caller has seen from others, if letters are named and the texts were given.
    #[must_use]
    pub fn seen_options(&self) -> Option<OptionsDigest> {
        self.option_texts.as_deref().filter(|_| self.kind.names_options()).map(OptionsDigest::of)
    }
}

fn answers(given: &[String]) -> Option<AnswerSet> {
    AnswerSet::of_texts(given.iter().map(String::as_str))
}

/// Which tests a correction is about: exactly one of a sitting, a template, and a grade with both times.
#[derive(ToSchema)]
#[schema(as = CorrectionScope, rename_all = "camelCase")]
#[allow(dead_code, reason = "describes a field that is read by `ScopeFields`")]
pub struct ScopeShape {
    #[schema(nullable = false)]
    sitting_id: Option<Uuid>,
    #[schema(nullable = false)]
    template_id: Option<Uuid>,
    #[schema(value_type = Option<u8>, minimum = 1, maximum = 10, nullable = false)]
    grade: Option<Grade>,
    /// Of a grade, live tests that began then or later: ISO 8601, or a day in the school's time zone.
    #[schema(nullable = false)]
    from: Option<String>,
    /// Tests that began before then: ISO 8601, or a day in the school's time zone, which is included. Those that begin
    /// after the correction are never in it.
    #[schema(nullable = false)]
    to: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ScopeFields {
    sitting_id: Option<Uuid>,
    template_id: Option<Uuid>,
    grade: Option<Grade>,
    from: Option<String>,
    to: Option<String>,
}

/// Which tests somebody has named.
#[derive(Clone, Debug)]
pub enum NamedScope {
    Sitting(Uuid),
    Template(Uuid),
    Grade { grade: Grade, from: String, to: String },
}

impl ScopeFields {
    fn named(self) -> Option<NamedScope> {
        match self {
            Self { sitting_id: Some(id), template_id: None, grade: None, from: None, to: None } => {
                Some(NamedScope::Sitting(id))
            }
            Self { sitting_id: None, template_id: Some(id), grade: None, from: None, to: None } => {
                Some(NamedScope::Template(id))
            }
            Self { sitting_id: None, template_id: None, grade: Some(grade), from: Some(from), to: Some(to) } => {
                Some(NamedScope::Grade { grade, from, to })
            }
            _ => None,
        }
    }
}

/// The edit of a question that belongs to its correction.
#[derive(Clone, Debug)]
pub struct Mend {
    pub grade: Grade,
    pub updates: Updates,
    pub seen: SeenFields,
}

/// How the question is mended.
#[derive(ToSchema)]
#[schema(as = CorrectionEdit, rename_all = "camelCase")]
#[allow(dead_code, reason = "describes a field that is read by `Mend::read`")]
struct MendShape {
    /// The grade of the question.
    grade: Grade,
    /// As in `POST /api/review/edit`.
    #[schema(schema_with = updates_shape)]
    updates: Map<String, Value>,
    /// What the caller has seen of the question.
    #[schema(nullable = false)]
    before: Option<SeenFields>,
}

/// The schema that describes the fields of an edit where they are read.
fn updates_shape() -> RefOr<Schema> {
    Ref::from_schema_name("UpdatesView").into()
}

impl Mend {
    fn read(given: &Map<String, Value>) -> Option<Self> {
        let is_known = |name: &String| ["grade", "updates", "before"].contains(&name.as_str());
        if !given.keys().all(is_known) {
            return None;
        }
        let seen = given.get("before").filter(|before| !before.is_null());
        Some(Self {
            grade: Grade::deserialize(given.get("grade")?).ok()?,
            updates: Updates::read(given.get("updates")?.as_object()?)?,
            seen: seen.map(SeenFields::deserialize).transpose().ok()?.unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::http::fields::JsonFields;

    fn read(change: &Value) -> Result<CorrectKey, String> {
        let mut body = json!({ "questionId": "g5-001", "kind": "all", "scope": { "sittingId": Uuid::nil() } });
        body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let fields = JsonFields::read(body.to_string().as_bytes()).unwrap();
        CorrectKey::read(&fields).map_err(|error| error.to_string())
    }

    #[test]
    fn nobody_loses_unless_that_is_said() {
        let read_one = read(&json!({})).unwrap();
        assert!(read_one.nobody_loses && read_one.comment.is_empty() && read_one.edit.is_none());
        assert!(!read(&json!({ "nobodyLoses": false })).unwrap().nobody_loses);
    }

    #[test]
    fn a_scope_is_one_thing() {
        let (id, day) = (Uuid::nil(), "2026-01-05");
        for scope in [json!({ "templateId": id }), json!({ "grade": 5, "from": day, "to": day })] {
            assert!(read(&json!({ "scope": scope })).is_ok(), "{scope}");
        }
        for scope in [
            json!({}),
            json!(null),
            json!("all"),
            json!({ "sittingId": id, "templateId": id }),
            json!({ "sittingId": id, "from": day, "to": day }),
            json!({ "grade": 5 }),
            json!({ "grade": 5, "from": day }),
            json!({ "grade": 11, "from": day, "to": day }),
            json!({ "sittingId": "one" }),
            json!({ "sitting": id }),
        ] {
            assert_eq!(read(&json!({ "scope": scope })).err().as_deref(), Some("Invalid scope"), "{scope}");
        }
    }

    #[test]
    fn an_edit_is_one_of_the_review() {
        let edit = |edit: Value| read(&json!({ "edit": edit })).map(|read| read.edit.is_some());
        assert_eq!(edit(json!({ "grade": 5, "updates": { "answer": "B" } })), Ok(true));
        assert_eq!(edit(json!({ "grade": 5, "updates": {}, "before": { "answer": "A" } })), Ok(true));
        assert_eq!(edit(json!(null)), Ok(false));
        for refused in [
            json!({ "updates": {} }),
            json!({ "grade": 5 }),
            json!({ "grade": 5, "updates": { "grade": 6 } }),
            json!({ "grade": 5, "updates": {}, "before": { "grade": 6 } }),
            json!({ "grade": 5, "updates": {}, "comment": "no" }),
        ] {
            assert_eq!(edit(refused.clone()), Err("Invalid edit".to_owned()), "{refused}");
        }
    }

    #[test]
    fn options_are_letters_or_numbers() {
        assert_eq!(read(&json!({ "options": ["C", "A"] })).unwrap().options.text(), "AC");
        assert_eq!(read(&json!({ "options": ["0.5", "-2"] })).unwrap().options.text(), "0.5 -2");
        let refused = [json!(["E"]), json!(["A", "A"]), json!(["A", "2"]), json!(["1", "1.0"]), json!("A"), json!([1])];
        for refused in refused {
            assert_eq!(read(&json!({ "options": refused })).err().as_deref(), Some("Invalid options"), "{refused}");
        }
        assert_eq!(read(&json!({ "kind": "none" })).err().as_deref(), Some("Invalid kind"));
    }
}
