//! Questions that are written on a page. They follow the rules of imports, and a few more: whoever writes a question is
//! there to answer for it, while a file may hold thousands from elsewhere.

use serde_json::{Map, Value};

use super::{Heading, RowError, RowErrors, json};
use crate::question::{MULTIPLE_CHOICE, NUMBER, Question, normal_text};

/// The source of a question that names none.
const SOURCE: &str = "written";

/// A question that was written here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenQuestion {
    /// The question.
    pub question: Question,
    /// Whether it is for exams alone.
    pub secure: bool,
    /// Whether anyone may read it with its key; `None` if its writer does not say.
    pub practice: Option<bool>,
}

impl WrittenQuestion {
    /// Reads the fields of a question, which gets this id.
    ///
    /// # Errors
    /// All its faults: those of an imported row, another type than `multiple-choice` and `number`, and a picture that
    /// nobody has described.
    pub fn read(fields: &Map<String, Value>, id: &str) -> Result<Self, RowErrors> {
        let mut fields = fields.clone();
        fields.remove(Heading::Id.name());
        if text(&fields, Heading::Source).is_none() {
            fields.insert(Heading::Source.name().to_owned(), Value::from(SOURCE));
        }
        let mut more = own_faults(&fields);
        let row = Value::Object(fields);
        let secure = json::secure(&row).map_err(|fault| more.push(fault)).ok().flatten();
        let practice = json::practice(&row).map_err(|fault| more.push(fault)).ok().flatten();
        match json::question(&row, None, &mut || id.to_owned()) {
            Ok(question) => {
                RowErrors::check(more).map(|()| Self { question, secure: secure.unwrap_or_default(), practice })
            }
            Err(faults) => Err(faults.and(more)),
        }
    }
}

/// The faults of values that an import would take.
fn own_faults(fields: &Map<String, Value>) -> Vec<RowError> {
    let is_other = text(fields, Heading::Type).is_some_and(|kind| ![MULTIPLE_CHOICE, NUMBER].contains(&kind.as_str()));
    let is_undescribed = text(fields, Heading::Image).is_some() && text(fields, Heading::ImageDescription).is_none();
    let described = RowError::Required(Heading::ImageDescription.name());
    [is_other.then_some(RowError::Kind), is_undescribed.then_some(described)].into_iter().flatten().collect()
}

/// A text that is given and not empty. One of another JSON type counts as given, since it has a fault of its own.
fn text(fields: &Map<String, Value>, heading: Heading) -> Option<String> {
    match fields.get(heading.name())? {
        Value::Null => None,
        Value::String(text) => Some(normal_text(text)).filter(|text| !text.is_empty()),
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(changed: &Value) -> Result<WrittenQuestion, Vec<(&'static str, String)>> {
        let mut fields = json!({
            "grade": 5, "topic": "Clocks", "difficulty": 2, "question": "What time is it?", "options": ["4", "9", "6"],
            "answer": "B", "image": "/media/a", "imageDescription": "A clock that shows nine."
        });
        let fields = fields.as_object_mut().unwrap();
        for (name, value) in changed.as_object().unwrap() {
            fields.insert(name.clone(), value.clone());
        }
        let told = |faults: RowErrors| faults.iter().map(|fault| (fault.field(), fault.to_string())).collect();
        WrittenQuestion::read(fields, "new").map_err(told)
    }

    #[test]
    fn what_is_not_said_follows_the_rules() {
        let WrittenQuestion { question, secure, practice } =
            read(&json!({ "id": "mine", "source": " ", "type": null })).unwrap();
        assert_eq!(
            (question.id.as_str(), question.source.as_str(), question.kind.as_str()),
            ("new", "written", MULTIPLE_CHOICE)
        );
        assert!(!question.fixed_options && !secure);
        assert_eq!(practice, None);
        assert!(read(&json!({ "options": ["4", "6", "9"] })).unwrap().question.fixed_options, "by the rule");
        assert!(!read(&json!({ "options": ["4", "6", "9"], "fixedOptions": false })).unwrap().question.fixed_options);
        assert!(read(&json!({ "fixedOptions": true })).unwrap().question.fixed_options);
        assert!(read(&json!({ "secure": true })).unwrap().secure);
        for said in [true, false] {
            assert_eq!(read(&json!({ "practice": said })).unwrap().practice, Some(said));
        }
    }

    #[test]
    fn a_number_is_written_without_options() {
        let number = json!({ "type": "number", "options": [], "answer": "9", "unit": "hours" });
        let WrittenQuestion { question, .. } = read(&number).unwrap();
        assert_eq!((question.kind.as_str(), question.answer.letter_or_number()), (NUMBER, "9"));
        let wrong =
            json!({ "type": "number", "options": ["4", "9"], "answer": "nine", "forms": ["roman"], "language": "fr" });
        let named: Vec<_> = read(&wrong).unwrap_err().into_iter().map(|(field, _)| field).collect();
        assert_eq!(named, ["answer"]);
        let wrong =
            json!({ "type": "number", "options": ["4", "9"], "answer": "9", "forms": ["roman"], "language": "fr" });
        let named: Vec<_> = read(&wrong).unwrap_err().into_iter().map(|(field, _)| field).collect();
        assert_eq!(named, ["options", "forms", "language"]);
    }

    #[test]
    fn all_faults_are_told_with_their_fields() {
        let faults = read(&json!({
            "question": " ", "grade": 11, "type": "essay", "imageDescription": "\n", "secure": "perhaps",
            "practice": "perhaps"
        }));
        let named: Vec<_> = faults.unwrap_err().into_iter().map(|(field, _)| field).collect();
        assert_eq!(named, ["grade", "question", "type", "imageDescription", "secure", "practice"]);
        let faults = read(&json!({ "options": ["4", " 4 ", "6"], "answer": "D", "image": "javascript:1" }));
        let told: Vec<_> =
            faults.unwrap_err().into_iter().map(|(field, message)| format!("{field}: {message}")).collect();
        assert_eq!(
            told,
            [
                "options: optionA and optionB are equal",
                "image: image must be an https address, a data:image address, or a path below /media, /pictures or /assets",
                "answer: answer D has no option",
            ]
        );
        assert_eq!(read(&json!({ "topic": 7 })).unwrap_err(), [("topic", "topic must be a text".to_owned())]);
        assert_eq!(read(&json!({ "fixedOptions": "no" })).unwrap_err()[0].0, "fixedOptions");
    }
}
