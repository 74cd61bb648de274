//! Tests of marks: the golden cases, which the second implementation has too, and what holds for every scale.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::question::Difficulty;
use crate::scoring::DifficultyLine;

fn golden() -> Value {
    serde_json::from_str(include_str!("../../../tests/golden/marks.json")).unwrap()
}

fn facts(value: &Value) -> MarkedFacts {
    let number = |name: &str| u32::try_from(value[name].as_u64().unwrap()).unwrap();
    let points = value["points"].as_array().map(|points| (points[0].as_u64().unwrap(), points[1].as_u64().unwrap()));
    MarkedFacts { score: number("score"), correct: number("correct"), questions: number("questions"), points }
}

#[test]
fn marks_are_those_of_the_golden_cases() {
    let golden = golden();
    let scales = golden["marks"].as_array().unwrap();
    assert!(scales.len() > 10);
    for one in scales {
        let scale = MarkScale::read(&one["scale"]).unwrap();
        let cases = one["cases"].as_array().unwrap();
        assert!(!cases.is_empty());
        for case in cases {
            assert_eq!(json!(scale.mark(facts(&case["facts"]))), case["mark"], "{case} by {}", one["scale"]);
        }
    }
}

#[test]
fn scales_are_read_refused_and_written_as_they_were() {
    let golden = golden();
    let taken = golden["scales"].as_array().unwrap();
    for written in taken.iter().chain(golden["marks"].as_array().unwrap().iter().map(|one| &one["scale"])) {
        let scale = MarkScale::read(written).unwrap_or_else(|| panic!("{written}"));
        let again = serde_json::to_string(&scale).unwrap();
        assert_eq!(MarkScale::parse(&again), Some(scale), "{again}");
        let mut expected = written.clone();
        let fields = expected.as_object_mut().unwrap();
        if fields["type"] == "labels" || fields.get("pass") == Some(&Value::Null) {
            fields.retain(|_, value| !value.is_null());
        }
        assert_eq!(serde_json::from_str::<Value>(&again).unwrap(), expected);
    }
    let refused = golden["refused"].as_array().unwrap();
    assert!(refused.len() > 30);
    for wrong in refused {
        assert_eq!(MarkScale::read(wrong), None, "{wrong}");
    }
    assert_eq!(MarkScale::parse("{"), None);
}

#[test]
fn labels_lose_the_white_space_around_them() {
    let scale = json!({
        "type": "labels", "basis": "percent", "labels": [{ "label": " A ", "from": 50 }, { "label": "B", "from": 0 }],
        "pass": " A",
    });
    let MarkScale::Labels { labels, pass, .. } = MarkScale::read(&scale).unwrap() else { panic!("labels") };
    assert_eq!((labels[0].label.as_str(), pass.as_deref()), ("A", Some("A")));
}

#[test]
fn points_are_those_of_the_lines_by_difficulty() {
    let line = |difficulty, correct, total| {
        let difficulty = Difficulty::new(difficulty).unwrap();
        DifficultyLine { difficulty, correct, total }
    };
    let of = |questions, lines: Vec<DifficultyLine>| {
        MarkedFacts::of(&TestResult {
            score: 500,
            correct_answers: 2,
            total_questions: questions,
            accuracy: 0.0,
            time_taken: 1,
            topic_breakdown: Vec::new(),
            difficulty_breakdown: lines,
            answers: Vec::new(),
        })
        .points
    };
    assert_eq!(of(4, vec![line(1, 1, 2), line(5, 1, 2)]), Some((6, 12)));
    assert_eq!(of(4, vec![line(2, 9, 4)]), Some((8, 8)), "no more are right than were asked");
    assert_eq!(of(5, vec![line(1, 1, 2), line(5, 1, 2)]), None, "a question has no line");
    assert_eq!(of(2, Vec::new()), None);
    assert_eq!(of(0, Vec::new()), None);
}

#[test]
fn marks_are_sorted_the_best_first() {
    let sorted = |scale: Value, texts: &[&str]| {
        let mut marks: Vec<ResultMark> =
            texts.iter().map(|text| ResultMark { text: (*text).to_owned(), passed: None }).collect();
        MarkScale::read(&scale).unwrap().sort(&mut marks);
        marks.into_iter().map(|mark| mark.text).collect::<Vec<_>>()
    };
    let numbers = |worst: i64, best: i64| {
        let (basis, rounding) = ("percent", "up");
        json!({ "type": "numbers", "basis": basis, "worst": worst, "best": best, "step": 0.5, "rounding": rounding })
    };
    assert_eq!(sorted(numbers(0, 10), &["2.0", "10.0", "9.5"]), ["10.0", "9.5", "2.0"]);
    assert_eq!(sorted(numbers(10, -1), &["2.0", "10.0", "-0.5"]), ["-0.5", "2.0", "10.0"]);
    let labels = json!({ "type": "labels", "basis": "score", "labels": [
        { "label": "good", "from": 600 }, { "label": "fair", "from": 400 }, { "label": "poor", "from": 200 },
    ] });
    assert_eq!(sorted(labels, &["poor", "good", "fair"]), ["good", "fair", "poor"]);
}

proptest! {
    #[test]
    fn a_better_result_never_has_a_worse_mark(
        worst in -40_i64..40,
        distance in prop_oneof![1_i64..80, -80_i64..-1],
        rounding in prop_oneof![Just("nearest"), Just("up"), Just("down")],
        questions in 1_u32..60,
    ) {
        let scale = json!({
            "type": "numbers", "basis": "percent", "worst": worst, "best": worst + distance, "step": 0.25,
            "rounding": rounding, "pass": worst,
        });
        let scale = MarkScale::read(&scale).unwrap();
        let marks: Vec<ResultMark> = (0..=questions)
            .map(|correct| scale.mark(MarkedFacts { score: 200, correct, questions, points: None }).unwrap())
            .collect();
        let number = |mark: &ResultMark| Hundredths::parse(&mark.text).unwrap().count() * i128::from(distance.signum());
        prop_assert!(marks.windows(2).all(|pair| number(&pair[0]) <= number(&pair[1])));
        let (first, last) = (marks.first().unwrap(), marks.last().unwrap());
        prop_assert_eq!(first.text.parse::<f64>().unwrap(), worst as f64);
        prop_assert_eq!(last.text.parse::<f64>().unwrap(), (worst + distance) as f64);
        prop_assert!(marks.iter().all(|mark| mark.passed == Some(true)));
    }
}
