//! Tests of which exams an event may name.

use super::*;

const ID: &str = "0b0e6a8e-2f3b-4a4e-9a1c-0123456789ab";

#[test]
fn a_template_or_a_grade() {
    for (sent, path, kept) in [
        (json!({"templateId": ID}), format!("/t/{ID}"), json!({"templateId": ID})),
        (json!({"templateId": ID.to_uppercase(), "grade": null}), format!("/t/{ID}"), json!({"templateId": ID})),
        (json!({"sittingId": ID.to_uppercase()}), format!("/s/{ID}"), json!({"sittingId": ID})),
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
        (
            json!({"templateId": ID, "opensMinutesBefore": "15"}),
            format!("/t/{ID}"),
            json!({"templateId": ID, "opensMinutesBefore": 15}),
        ),
        (
            json!({"grade": 5, "opensMinutesBefore": 0}),
            "/test/5".to_owned(),
            json!({"grade": 5, "mode": "standard", "durationMinutes": 30, "opensMinutesBefore": 0}),
        ),
    ] {
        let exam = Exam::read(&sent).flatten().unwrap_or_else(|| panic!("{sent}"));
        assert_eq!((exam.path(), exam.json()), (path, kept), "{sent}");
        assert_eq!(Exam::parse(&exam.json().to_string()), Some(exam));
    }
}

#[test]
fn the_exam_of_a_template_opens_with_its_event() {
    let starts_at = Moment::from_milliseconds(10_000_000);
    for (sent, opens_ms) in [
        (json!({"templateId": ID}), Some(10_000_000)),
        (json!({"templateId": ID, "opensMinutesBefore": 15}), Some(9_100_000)),
        (json!({"grade": 5}), None),
        (json!({"grade": 5, "opensMinutesBefore": 0}), Some(10_000_000)),
    ] {
        let exam = Exam::read(&sent).flatten().unwrap();
        assert_eq!(exam.opens_at(starts_at).map(Moment::milliseconds), opens_ms, "{sent}");
    }
}

#[test]
fn a_link_may_give_the_template_away() {
    let exam = Exam::read(&json!({"templateId": ID})).flatten().unwrap();
    for link in [format!("https://a.example/t/{ID}"), ID.to_uppercase(), ID.replace('-', "")] {
        assert!(exam.is_given_away_by(&link), "{link}");
    }
    assert!(!exam.is_given_away_by("https://a.example/t/0b0e6a8e-2f3b-4a4e-9a1c-0123456789ac"));
    assert!(!Exam::read(&json!({"grade": 5})).flatten().unwrap().is_given_away_by(ID));
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
        json!({"grade": "05"}),
        json!({"opensMinutesBefore": 10}),
        json!({"templateId": ID, "opensMinutesBefore": -1}),
        json!({"templateId": ID, "opensMinutesBefore": 1.5}),
        json!({"templateId": ID, "opensMinutesBefore": "soon"}),
        json!({"templateId": ID, "opensMinutesBefore": OPENS_MINUTES_BEFORE_MAX + 1}),
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
