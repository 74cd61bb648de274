//! Tests of which exams an event may name.

use super::*;

const ID: &str = "0b0e6a8e-2f3b-4a4e-9a1c-0123456789ab";

#[test]
fn a_template_or_a_grade() {
    for (sent, path, kept) in [
        (json!({"templateId": ID}), format!("/t/{ID}"), json!({"templateId": ID})),
        (json!({"templateId": ID.to_uppercase(), "grade": null}), format!("/t/{ID}"), json!({"templateId": ID})),
        (json!({"grade": 5}), "/test/5".to_owned(), json!({"grade": 5, "mode": "standard", "durationMinutes": 30})),
        (
            json!({"grade": "10", "mode": "standard", "durationMinutes": "15"}),
            "/test/10".to_owned(),
            json!({"grade": 10, "mode": "standard", "durationMinutes": 15}),
        ),
        (
            json!({"grade": 1, "durationMinutes": 70}),
            "/test/1".to_owned(),
            json!({"grade": 1, "mode": "standard", "durationMinutes": 70}),
        ),
        (
            json!({"grade": 5, "mode": "adaptive"}),
            "/test/5?mode=adaptive".to_owned(),
            json!({"grade": 5, "mode": "adaptive", "durationMinutes": 70}),
        ),
        (
            json!({"grade": 5, "mode": "adaptive", "durationMinutes": 70}),
            "/test/5?mode=adaptive".to_owned(),
            json!({"grade": 5, "mode": "adaptive", "durationMinutes": 70}),
        ),
    ] {
        let exam = Exam::read(&sent).flatten().unwrap_or_else(|| panic!("{sent}"));
        assert_eq!((exam.path(), exam.json()), (path, kept), "{sent}");
        assert_eq!(Exam::parse(&exam.json().to_string()), Some(exam));
    }
}

#[test]
fn none_at_all() {
    for sent in [json!(null), json!(""), json!({})] {
        assert_eq!(Exam::read(&sent), Some(None), "{sent}");
    }
}

#[test]
fn what_is_no_exam() {
    for sent in [
        json!("5"),
        json!(5),
        json!([]),
        json!(true),
        json!({"templateId": "x"}),
        json!({"templateId": 5}),
        json!({"templateId": ID, "grade": 5}),
        json!({"grade": 0}),
        json!({"grade": 11}),
        json!({"grade": 5.5}),
        json!({"grade": "five"}),
        json!({"grade": "+5"}),
        json!({"mode": "standard"}),
        json!({"grade": 5, "mode": "quick"}),
        json!({"grade": 5, "mode": 1}),
        json!({"grade": 5, "durationMinutes": 14}),
        json!({"grade": 5, "durationMinutes": 71}),
        json!({"grade": 5, "durationMinutes": 30.5}),
        json!({"grade": 5, "mode": "adaptive", "durationMinutes": 600}),
        json!({"grade": 5, "minutes": 30}),
    ] {
        assert_eq!(Exam::read(&sent), None, "{sent}");
    }
}

#[test]
fn a_session_names_the_event_of_its_test() {
    for (annotations, event) in [
        (r#"{"event":12}"#, Some(12)),
        (r#"{"studentId":"s-17","event":"12"}"#, Some(12)),
        (r#"{"event":0}"#, None),
        (r#"{"event":"-12"}"#, None),
        (r#"{"event":1.5}"#, None),
        (r#"{"event":"twelve"}"#, None),
        (r#"{"event":null}"#, None),
        (r#"{"event":{"id":12}}"#, None),
        (r#"{"event":99999999999999999999}"#, None),
        ("{}", None),
    ] {
        assert_eq!(event_of(annotations), event, "{annotations}");
    }
}
