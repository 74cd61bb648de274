//! Import of rows that come as JSON, each with some fields of a question. They follow the rules of sheets and get the
//! same error messages, so that an import means the same in both forms.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::draft::RowDraft;
use super::{
    GivenFields, Heading, ID_UNITS_MAX, PRACTICE, RowError, RowErrors, SECURE, is_like_practice, is_like_secure,
};
use crate::question::{NUMBER, OPTIONS, Question};
use crate::sheet_cell::SheetCell;
use crate::text::heading::plain;

/// The name of the field that holds all options.
const OPTIONS_FIELD: &str = "options";

/// The id whose stored question is needed for a row: the row's id, when the row lacks any other field.
#[must_use]
pub fn wanted(row: &Value) -> Option<&str> {
    let is_number = row.get(Heading::Type.name()).and_then(Value::as_str).is_none_or(|kind| kind == NUMBER);
    let has_all = || GivenFields::of(|heading| given(row, heading).is_some()).are_all_of(is_number);
    id(row).filter(|_| !has_all())
}

/// What the rows of an import give.
#[derive(Debug, Default)]
pub struct JsonRows {
    /// The questions of the valid rows.
    pub questions: Vec<Question>,
    /// The ids of those that say whether they are for exams alone, and what they say.
    pub secure: Vec<(String, bool)>,
    /// The ids of those that say whether anyone may read them with their keys, and what they say.
    pub practice: Vec<(String, bool)>,
    /// A sentence for each bad row, counted from 1.
    pub errors: Vec<String>,
}

/// Reads the rows of an import. A row without an id gets one from `new_id`, and one with the id of a retired question
/// is refused.
pub fn import(
    rows: &[Value],
    stored: &HashMap<String, Question>,
    retired: &HashSet<String>,
    new_id: &mut dyn FnMut() -> String,
) -> JsonRows {
    let mut read = JsonRows::default();
    let mut by_id: HashMap<String, usize> = HashMap::new();
    for (number, row) in (1_u32..).zip(rows) {
        let stored = id(row).and_then(|id| stored.get(id));
        let marks = secure(row).and_then(|secure| Ok((secure, practice(row)?))).map_err(RowErrors::from);
        let question = marks.and_then(|marks| Ok((question(row, stored, new_id)?, marks)));
        let current = question.and_then(|(question, marks)| match retired.contains(&question.id) {
            true => Err(RowError::Retired.into()),
            false => Ok((unrepeated(question, number, &mut by_id)?, marks)),
        });
        match current {
            Ok((question, (secure, practice))) => {
                read.secure.extend(secure.map(|is_secure| (question.id.clone(), is_secure)));
                read.practice.extend(practice.map(|is_practice| (question.id.clone(), is_practice)));
                read.questions.push(question);
            }
            Err(error) => read.errors.push(format!("Row {number}: {error}")),
        }
    }
    read
}

/// Turns a row into a question; fields that the row lacks keep their stored values.
///
/// # Errors
/// All faults of the row, or the first value that has another JSON type.
pub fn question(
    row: &Value,
    stored: Option<&Question>,
    new_id: &mut dyn FnMut() -> String,
) -> Result<Question, RowErrors> {
    let fields = row.as_object().ok_or(RowError::NoObject)?;
    let cells = Heading::ALL.into_iter().map(|heading| cell(fields, heading, stored)).collect::<Result<Vec<_>, _>>()?;
    let draft =
        RowDraft::read(|heading| cells.get(heading as usize).unwrap_or(&SheetCell::Empty), [&SheetCell::Empty; 2])?;
    let draft = if draft.id().is_empty() { draft.named(new_id()) } else { draft };
    draft.complete(GivenFields::of(|heading| given(row, heading).is_some()), stored)
}

/// Returns whether a row's question is for exams alone; `None` if the row does not say.
pub(super) fn secure(row: &Value) -> Result<Option<bool>, RowError> {
    let is_like = |name: &String| name != SECURE && (plain(name) == SECURE || is_like_secure(&plain(name)));
    match row.get(SECURE) {
        _ if row.as_object().is_some_and(|fields| fields.keys().any(is_like)) => Err(RowError::Secure),
        None | Some(Value::Null) => Ok(None),
        Some(Value::Bool(is_secure)) => Ok(Some(*is_secure)),
        Some(_) => Err(RowError::Secure),
    }
}

/// Returns whether anyone may read a row's question with its key; `None` if the row does not say. A field of a name
/// like this one is probably meant to be it.
pub(super) fn practice(row: &Value) -> Result<Option<bool>, RowError> {
    let is_like = |name: &String| name != PRACTICE && (plain(name) == PRACTICE || is_like_practice(&plain(name)));
    match row.get(PRACTICE) {
        _ if row.as_object().is_some_and(|fields| fields.keys().any(is_like)) => Err(RowError::Practice),
        None | Some(Value::Null) => Ok(None),
        Some(Value::Bool(is_practice)) => Ok(Some(*is_practice)),
        Some(_) => Err(RowError::Practice),
    }
}

fn unrepeated(question: Question, number: u32, by_id: &mut HashMap<String, usize>) -> Result<Question, RowErrors> {
    match by_id.get(&question.id) {
        Some(first) => Err(RowError::Repeated(question.id, format!("row {first}")).into()),
        None => {
            by_id.insert(question.id.clone(), number as usize);
            Ok(question)
        }
    }
}

fn id(row: &Value) -> Option<&str> {
    let id = row.get(Heading::Id.name())?.as_str()?.trim();
    // A rough bound in bytes keeps long texts out of the query; the exact one is checked with the row.
    (!id.is_empty() && id.len() <= ID_UNITS_MAX * 4 && !id.chars().any(char::is_control)).then_some(id)
}

/// The value that a row gives for a column; null counts as not given.
fn given(row: &Value, heading: Heading) -> Option<&Value> {
    let name = if Heading::OPTIONS.contains(&heading) { OPTIONS_FIELD } else { heading.name() };
    row.get(name).filter(|value| !value.is_null())
}

fn cell<'a>(
    fields: &'a Map<String, Value>,
    heading: Heading,
    stored: Option<&'a Question>,
) -> Result<SheetCell<'a>, RowError> {
    let name = if Heading::OPTIONS.contains(&heading) { OPTIONS_FIELD } else { heading.name() };
    let Some(value) = fields.get(name).filter(|value| !value.is_null()) else {
        return Ok(stored.map_or(SheetCell::Empty, |question| heading.of(question)));
    };
    match heading {
        Heading::Grade => value.as_f64().map(SheetCell::Number).ok_or(RowError::Grade),
        Heading::Difficulty => value.as_f64().map(SheetCell::Number).ok_or(RowError::Difficulty),
        Heading::OptionA => option(value, 0, is_number(fields, stored)),
        Heading::OptionB => option(value, 1, is_number(fields, stored)),
        Heading::OptionC => option(value, 2, is_number(fields, stored)),
        Heading::OptionD => option(value, 3, is_number(fields, stored)),
        Heading::Forms => forms(value),
        Heading::FixedOptions => value.as_bool().map(SheetCell::Boolean).ok_or(RowError::FixedOptions),
        _ => value.as_str().map(SheetCell::text).ok_or(RowError::NoText(heading.name())),
    }
}

/// Returns whether a row is about a question that asks for a number, which has no options.
fn is_number(fields: &Map<String, Value>, stored: Option<&Question>) -> bool {
    match fields.get(Heading::Type.name()).filter(|kind| !kind.is_null()) {
        Some(kind) => kind.as_str() == Some(NUMBER),
        None => stored.is_some_and(Question::is_number),
    }
}

fn option(options: &Value, place: usize, may_be_empty: bool) -> Result<SheetCell<'_>, RowError> {
    let is_count = |count: usize| OPTIONS.contains(&count) || (may_be_empty && count == 0);
    let options = options.as_array().filter(|options| is_count(options.len())).ok_or(RowError::Options)?;
    options
        .get(place)
        .map_or(Ok(SheetCell::Empty), |option| option.as_str().map(SheetCell::text).ok_or(RowError::Options))
}

/// An array of names as a cell has them.
fn forms(value: &Value) -> Result<SheetCell<'static>, RowError> {
    let names = value.as_array().filter(|names| !names.is_empty()).ok_or(RowError::Forms)?;
    let names: Option<Vec<&str>> = names.iter().map(Value::as_str).collect();
    names.map(|names| SheetCell::Text(names.join(", ").into())).ok_or(RowError::Forms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::WholeQuestion;
    use serde_json::json;

    fn whole() -> Value {
        json!({ "id": "q1", "grade": 5, "topic": "T", "subtopic": "S", "difficulty": 3, "source": "test", "type": "multiple-choice",
            "question": "1 + 1?", "options": ["1", "2", "3"], "answer": "B", "explanation": "Count.", "image": "",
            "imageDescription": "", "fixedOptions": false })
    }

    fn read(row: &Value, stored: Option<&Question>) -> Result<Question, RowErrors> {
        question(row, stored, &mut || "new".to_owned())
    }

    #[test]
    fn a_whole_question_comes_back_as_it_was() {
        let question = read(&whole(), None).unwrap();
        assert_eq!(serde_json::to_value(WholeQuestion::of(&question)).unwrap(), whole());
        assert_eq!(wanted(&whole()), None);
        let mut unnamed = whole();
        unnamed["id"] = json!("");
        assert_eq!(read(&unnamed, None).unwrap().id, "new");
    }

    #[test]
    fn options_that_a_row_brings_ask_for_their_order() {
        let stored = Question { options: ["1", "7", "3"].map(str::to_owned).to_vec(), ..read(&whole(), None).unwrap() };
        let fixed = |row: Value| read(&row, Some(&stored)).unwrap().fixed_options;
        assert!(!fixed(json!({ "id": "q1", "options": ["1", "7", "4"] })));
        assert!(fixed(json!({ "id": "q1", "options": ["1", "7", "None of these"] })));
        assert!(!fixed(json!({ "id": "q1", "options": ["1", "7", "None of these"], "fixedOptions": false })));
    }

    fn number() -> Value {
        json!({ "id": "n1", "grade": 5, "topic": "T", "subtopic": "S", "difficulty": 3, "source": "test", "type": "number",
            "question": "1 / 2?", "options": [], "answer": "0.5", "explanation": "Halve.", "image": "",
            "imageDescription": "", "fixedOptions": false, "tolerance": "0.05", "unit": "cm",
            "forms": ["decimal", "fraction"], "language": "vi" })
    }

    #[test]
    fn a_whole_number_question_comes_back_as_it_was() {
        let question = read(&number(), None).unwrap();
        assert_eq!(serde_json::to_value(WholeQuestion::of(&question)).unwrap(), number());
        assert_eq!(wanted(&number()), None);
        let mut lacking = number();
        lacking.as_object_mut().unwrap().remove("unit");
        assert_eq!(wanted(&lacking), Some("n1"));
        assert_eq!(read(&lacking, Some(&question)).unwrap(), question);
        let short = json!({ "grade": 5, "difficulty": 1, "type": "number", "question": "?", "answer": "−0,50" });
        let told = serde_json::to_value(WholeQuestion::of(&read(&short, None).unwrap())).unwrap();
        let found = ["answer", "tolerance", "unit", "forms", "language", "options"].map(|name| told[name].clone());
        assert_eq!(json!(found), json!(["-0.50", "0", "", ["decimal", "fraction", "mixed"], "en", []]));
    }

    #[test]
    fn a_question_may_become_one_of_another_type() {
        let stored = read(&number(), None).unwrap();
        let choice = json!({ "id": "n1", "type": "multiple-choice", "options": ["1", "2"], "answer": "B" });
        let changed = read(&choice, Some(&stored)).unwrap();
        assert_eq!((changed.answer.letter_or_number(), changed.options.len()), ("B", 2));
        let back =
            read(&json!({ "id": "n1", "type": "number", "options": [], "answer": "7" }), Some(&changed)).unwrap();
        assert_eq!((back.answer.letter_or_number(), back.options.len()), ("7", 0));
        assert_eq!(read(&json!({ "id": "n1", "answer": "8" }), Some(&back)).unwrap().answer.letter_or_number(), "8");
    }

    #[test]
    fn what_is_wrong_with_a_number_names_its_field() {
        let with = |name: &str, value: Value| {
            let mut row = number();
            row[name] = value;
            read(&row, None).map_err(|errors| (errors.first().field(), errors.to_string()))
        };
        for (name, value, field, said) in [
            ("answer", json!("half"), "answer", "answer must be a number in digits, such as 12, -3 or 0.5"),
            ("answer", json!("1/2"), "answer", "answer must be a number in digits, such as 12, -3 or 0.5"),
            ("answer", json!(0.5), "answer", "answer must be a text"),
            ("tolerance", json!("-1"), "tolerance", "tolerance must be a number in digits that is not negative"),
            (
                "unit",
                json!("centimetres an hour a day"),
                "unit",
                "unit must have at most 20 characters, and not begin like a number",
            ),
            ("forms", json!([]), "forms", "forms must be some of decimal, fraction, mixed"),
            ("forms", json!(["roman"]), "forms", "forms must be some of decimal, fraction, mixed"),
            ("forms", json!("decimal"), "forms", "forms must be some of decimal, fraction, mixed"),
            ("language", json!("fr"), "language", "language must be en or vi"),
            ("options", json!(["1", "2"]), "options", "a question of the type number has no options"),
            ("type", json!("multiple-choice"), "options", "options must be two to four texts"),
        ] {
            assert_eq!(with(name, value.clone()), Err((field, said.to_owned())), "{name}: {value}");
        }
    }

    #[test]
    fn what_a_row_lacks_stays_to_the_letter() {
        let stored = Question { question: "a\r\nb".to_owned(), ..read(&whole(), None).unwrap() };
        let row = json!({ "id": " q1 ", "explanation": "Other.", "topic": null });
        assert_eq!(wanted(&row), Some("q1"));
        assert_eq!(read(&row, Some(&stored)).unwrap(), Question { explanation: "Other.".to_owned(), ..stored.clone() });
        let moved = read(&json!({ "id": "q1", "grade": 6, "options": ["x", "y"] }), Some(&stored)).unwrap();
        assert_eq!((moved.grade.number(), moved.options.len(), moved.question.as_str()), (6, 2, "a\r\nb"));
        assert_eq!(
            read(&json!({ "id": "q1", "options": ["x", "y"], "answer": "C" }), Some(&stored)),
            Err(RowError::NoOption("C").into())
        );
        assert_eq!(*read(&row, None).unwrap_err().first(), RowError::Required("grade"));
    }

    #[test]
    fn bad_rows_say_why_and_good_ones_apply() {
        let with = |name: &str, value: Value| {
            let mut row = whole();
            row[name] = value;
            row
        };
        let rows = [
            with("id", json!("a")),
            with("grade", json!("5")),
            with("difficulty", json!(6)),
            with("topic", json!(7)),
            with("options", json!(["1"])),
            with("options", json!(["1", 2])),
            with("options", json!(["1", "", "3"])),
            with("answer", json!("D")),
            with("question", json!("a\u{7}")),
            with("id", json!("a\u{0}")),
            json!("row"),
            with("id", json!("a")),
            with("secure", json!("perhaps")),
            with("Secured", json!(true)),
            with("id", json!("old")),
            with("fixedOptions", json!("yes")),
            json!({ "id": "b", "grade": 5, "difficulty": 1, "question": "?", "options": ["1", "2"], "answer": "A", "secure": true }),
        ];
        let JsonRows { questions, secure, errors, .. } =
            import(&rows, &HashMap::new(), &HashSet::from(["old".to_owned()]), &mut || "new".to_owned());
        assert_eq!(secure, [("b".to_owned(), true)]);
        assert_eq!(questions.iter().map(|question| question.id.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        let expected = [
            "Row 2: grade must be 1 to 10",
            "Row 3: difficulty must be 1 to 5",
            "Row 4: topic must be a text",
            "Row 5: options must be two to four texts",
            "Row 6: options must be two to four texts",
            "Row 7: optionB required",
            "Row 8: answer D has no option",
            "Row 9: question has control characters",
            "Row 10: id has control characters",
            "Row 11: a row must be an object",
            "Row 12: id a stands in row 1 already",
            "Row 13: secure must be yes or no",
            "Row 14: secure must be yes or no",
            "Row 15: Question is retired",
            "Row 16: fixedOptions must be yes or no",
        ];
        assert_eq!(errors, expected);
    }

    #[test]
    fn an_error_names_its_field() {
        for (row, field) in [
            (json!({}), "grade"),
            (json!({ "grade": 11, "difficulty": 1, "question": "?" }), "grade"),
            (json!([]), "body"),
        ] {
            assert_eq!(read(&row, None).unwrap_err().first().field(), field);
        }
        let mut row = whole();
        row["options"] = json!(["1", " "]);
        assert_eq!(read(&row, None).unwrap_err().first().field(), "options");
    }
}
