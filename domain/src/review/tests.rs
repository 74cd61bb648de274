//! Tests of edits: what they may change, what is logged of them, and what an editor has seen.

use super::*;
use crate::grade::Grade;
use crate::number::NumberKey;
use crate::question::{Difficulty, NUMBER};
use serde_json::json;

fn question() -> Question {
    Question {
        id: "q1".into(),
        grade: Grade::new(5).unwrap(),
        topic: "T".into(),
        subtopic: "S".into(),
        difficulty: Difficulty::new(3).unwrap(),
        source: "test".into(),
        kind: "multiple-choice".into(),
        question: "1 + 1?".into(),
        options: ["1", "2", "3"].map(str::to_owned).to_vec(),
        answer: Choice::B.into(),
        explanation: "Count.".into(),
        image: String::new(),
        image_description: String::new(),
        fixed_options: false,
    }
}

fn edit(updates: &Value) -> Result<(Question, Vec<Change>), EditRefusal> {
    Updates::read(updates.as_object().unwrap()).ok_or(EditRefusal::Invalid)?.apply(&question())
}

fn change(field: &str, before: &str, after: &str) -> Change {
    Change { field: field.into(), before: before.into(), after: after.into() }
}

#[test]
fn only_what_differs_is_logged() {
    let (after, changes) =
        edit(&json!({ "question": "2 + 1?", "answer": "C", "explanation": "Count.", "options": ["1", "2", "3", "4"] }))
            .unwrap();
    assert_eq!(
        changes,
        [change("Question", "1 + 1?", "2 + 1?"), change("Option D", "", "4"), change("Answer", "B", "C")]
    );
    assert_eq!((after.options.len(), after.answer.choice(), after.topic.as_str()), (4, Some(Choice::C), "T"));
    let (after, changes) = edit(&json!({
        "options": ["1", "two"], "image": "https://exam.example/a.png", "imageDescription": " Two\r\napples ",
    }))
    .unwrap();
    assert_eq!(after.image_description, "Two\napples");
    assert_eq!(
        changes,
        [
            change("Option B", "2", "two"),
            change("Option C", "3", ""),
            change("Image", "", "https://exam.example/a.png"),
            change("Image description", "", "Two\napples")
        ]
    );
}

#[test]
fn options_that_ask_for_their_order_keep_it_unless_the_editor_says_no() {
    let options = json!(["1", "7", "Cả A và B đều đúng"]);
    let free = Question { options: ["1", "7", "3"].map(str::to_owned).to_vec(), ..question() };
    let edit = |updates: &Value, before: &Question| Updates::read(updates.as_object().unwrap()).unwrap().apply(before);
    let (after, changes) = edit(&json!({ "options": options }), &free).unwrap();
    assert!(after.fixed_options);
    assert_eq!(changes, [change("Option C", "3", "Cả A và B đều đúng"), change("Fixed options", "no", "yes")]);
    let (told, changes) = edit(&json!({ "options": options, "fixedOptions": false }), &free).unwrap();
    assert_eq!((told.fixed_options, changes.len()), (false, 1));
    let (later, _) = edit(&json!({ "options": ["1", "8", "Cả A và B đều đúng"] }), &told).unwrap();
    assert!(!later.fixed_options, "as somebody has said");
    let (back, _) = edit(&json!({ "options": ["1", "7", "3"] }), &after).unwrap();
    assert!(back.fixed_options, "what is fixed is let go by people alone");
}

#[test]
fn an_edit_must_change_something() {
    for updates in [
        json!({}),
        json!({ "question": "1 + 1?" }),
        json!({ "options": ["1", "2", "3"], "answer": "B", "image": "", "imageDescription": "" }),
    ] {
        assert_eq!(edit(&updates), Err(EditRefusal::NoChanges), "{updates}");
    }
}

#[test]
fn an_import_may_change_what_an_edit_may_not() {
    let after =
        Question { topic: "U".into(), difficulty: Difficulty::new(4).unwrap(), answer: Choice::C.into(), ..question() };
    assert_eq!(
        changes(&question(), &after),
        [change("Answer", "B", "C"), change("Topic", "T", "U"), change("Difficulty", "3", "4")]
    );
    assert_eq!(changes(&question(), &question()), []);
}

#[test]
fn the_first_entry_of_a_history_says_the_whole_question() {
    let marked = Question { fixed_options: true, image: "/media/a".into(), ..question() };
    for question in [question(), marked, number()] {
        assert_eq!(as_written(&question.id, &changes_by_writing(&question)), Some(question));
    }
    assert_eq!(as_written("q1", &[change("Topic", "T", "U")]), None);
    assert_eq!(as_written("q1", &[change("Topic", "", "U")]), None);
}

#[test]
fn line_ends_and_edges_are_no_change() {
    let stored = Question {
        question: "a\r\nb".into(),
        explanation: " c\rd ".into(),
        options: vec!["1\r\n2".into(), "3".into()],
        ..question()
    };
    let edit = |updates: &Value| Updates::read(updates.as_object().unwrap()).unwrap().apply(&stored);
    for line_end in ["\n", "\r\n", "\r"] {
        let text = |text: &str| text.replace('|', line_end);
        let same = json!({ "question": text("a|b"), "explanation": text("|c|d"), "options": [text("1|2|"), "3"] });
        assert_eq!(edit(&same), Err(EditRefusal::NoChanges), "{line_end:?}");
        let (after, changes) =
            edit(&json!({ "question": text(" a|b"), "options": [text("1|2"), text("3|4")] })).unwrap();
        assert_eq!(changes, [change("Option B", "3", "3\n4")]);
        assert_eq!((after.question.as_str(), after.options), ("a\r\nb", vec!["1\r\n2".to_owned(), "3\n4".to_owned()]));
    }
}

#[test]
fn a_question_stays_answerable() {
    let long = "x".repeat(TEXT_UNITS_MAX);
    assert!(edit(&json!({ "question": long })).is_ok());
    assert!(edit(&json!({ "question": "a\n\tb" })).is_ok());
    let wrong = [
        json!({ "answer": "D" }),
        json!({ "answer": "b" }),
        json!({ "answer": null }),
        json!({ "options": ["1"], "answer": "A" }),
        json!({ "options": ["1", "2"], "answer": "C" }),
        json!({ "options": ["1", "2", "3", "4", "5"] }),
        json!({ "options": ["1", "2", " 1 "] }),
        json!({ "options": ["1", " "] }),
        json!({ "options": ["1", 2] }),
        json!({ "options": "1" }),
        json!({ "question": "" }),
        json!({ "question": 5 }),
        json!({ "question": "a\u{7}" }),
        json!({ "explanation": "a\u{7}" }),
        json!({ "imageDescription": "a\u{7}" }),
        json!({ "image_description": "An apple" }),
        json!({ "question": format!("{long}x") }),
        json!({ "question": "𝄞".repeat(TEXT_UNITS_MAX / 2 + 1) }),
        json!({ "grade": 6 }),
        json!({ "topic": " " }),
        json!({ "difficulty": 6 }),
        json!({ "fixedOptions": "yes" }),
    ];
    for updates in wrong {
        assert_eq!(edit(&updates), Err(EditRefusal::Invalid), "{updates}");
    }
}

#[test]
fn what_was_seen_is_compared_field_by_field() {
    let check = |seen: Value| serde_json::from_value::<SeenFields>(seen).unwrap().check(&question());
    let all = json!({
        "question": "1 + 1?", "options": ["1", "2", "3"], "answer": "B", "explanation": "Count.", "image": "",
        "imageDescription": "",
    });
    for same in [all, json!({}), json!({ "question": " 1 + 1?\r\n", "options": null }), json!({ "answer": "B" })] {
        assert_eq!(check(same.clone()), Ok(()), "{same}");
    }
    for other in [
        json!({ "question": "1 + 2?" }),
        json!({ "options": ["1", "2"] }),
        json!({ "options": ["1", "3", "2"] }),
        json!({ "answer": "C" }),
        json!({ "question": "1 + 1?", "explanation": "" }),
        json!({ "image": "/a.png" }),
        json!({ "imageDescription": "An apple" }),
    ] {
        assert_eq!(check(other.clone()), Err(EditRefusal::Changed), "{other}");
    }
    for wrong in [json!({ "grade": 5 }), json!({ "question": 5 }), json!({ "options": "1" }), json!("question")] {
        assert!(serde_json::from_value::<SeenFields>(wrong.clone()).is_err(), "{wrong}");
    }
}

fn number() -> Question {
    let key = NumberKey { unit: "cm".to_owned(), ..NumberKey::exact("2.5") };
    Question { kind: NUMBER.into(), options: Vec::new(), answer: key.into(), ..question() }
}

#[test]
fn the_key_of_a_number_is_edited_field_by_field() {
    let edit =
        |updates: &Value| Updates::read(updates.as_object().unwrap()).ok_or(EditRefusal::Invalid)?.apply(&number());
    let (after, changes) = edit(&json!({
        "answer": "−0,5", "tolerance": "0.05", "unit": "", "forms": ["mixed", "decimal"], "language": "vi"
    }))
    .unwrap();
    assert_eq!(
        changes,
        [
            change("Answer", "2.5", "-0.5"),
            change("Tolerance", "0", "0.05"),
            change("Unit", "cm", ""),
            change("Forms", "decimal, fraction, mixed", "decimal, mixed"),
            change("Language", "en", "vi"),
        ]
    );
    assert!(after.answer.number().is_some_and(NumberKey::is_sound));
    assert_eq!(edit(&json!({ "answer": "2.5", "unit": " cm " })), Err(EditRefusal::NoChanges));
    for updates in [
        json!({ "answer": "B" }),
        json!({ "answer": "1/2" }),
        json!({ "options": ["1", "2"], "answer": "A" }),
        json!({ "tolerance": "-1" }),
        json!({ "tolerance": 1 }),
        json!({ "unit": "5 cm" }),
        json!({ "forms": [] }),
        json!({ "forms": ["roman"] }),
        json!({ "language": "fr" }),
        json!({ "fixedOptions": true }),
        json!({ "type": "multiple-choice" }),
    ] {
        assert_eq!(edit(&updates), Err(EditRefusal::Invalid), "{updates}");
    }
    let of_choice = Updates::read(json!({ "unit": "cm" }).as_object().unwrap()).unwrap();
    assert_eq!(of_choice.apply(&question()), Err(EditRefusal::Invalid));
    let written = changes_by_writing(&number());
    assert!(written.contains(&change("Unit", "", "cm")) && !written.iter().any(|change| change.field == "Option A"));
}

#[test]
fn what_was_seen_of_a_number_is_compared() {
    let check = |seen: Value, stored: &Question| serde_json::from_value::<SeenFields>(seen).unwrap().check(stored);
    let all = json!({
        "answer": "2.5", "options": [], "tolerance": "0", "unit": "cm", "forms": ["decimal", "fraction", "mixed"],
        "language": "en"
    });
    assert_eq!(check(all.clone(), &number()), Ok(()));
    for (name, value) in [
        ("answer", json!("2.50")),
        ("tolerance", json!("0.1")),
        ("unit", json!("m")),
        ("forms", json!(["decimal"])),
        ("language", json!("vi")),
        ("options", json!(["1", "2"])),
    ] {
        let mut other = all.clone();
        other[name] = value;
        assert_eq!(check(other, &number()), Err(EditRefusal::Changed), "{name}");
    }
    assert_eq!(check(json!({ "unit": "cm" }), &question()), Err(EditRefusal::Changed));
}

#[test]
fn statuses_have_names() {
    for status in ReviewStatus::ALL {
        assert_eq!(ReviewStatus::parse(status.name()), Some(status));
        assert_eq!(serde_json::to_value(status).unwrap(), status.name());
    }
    for status in ApprovalStatus::ALL {
        assert_eq!(ApprovalStatus::parse(status.name()), Some(status));
        assert_eq!(serde_json::to_value(status).unwrap(), status.name());
    }
    assert_eq!((ReviewStatus::parse("Approved"), ApprovalStatus::parse("pending")), (None, None));
}
