//! Tests of templates without a server: valid configs, drawn lists and swaps.

mod chosen;
mod form_papers;
mod in_forms;
mod listed;

use std::sync::Arc;

use proptest::prelude::*;
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde_json::{Value, json};

use super::draft::{distinct_grades, list_targets, minutes};
use super::draw::{QuestionPool, Shortfalls};
use super::swap::{Swap, SwapRefusal};
use super::*;
use crate::question::{Choice, Difficulty, KeyedQuestion};
use crate::question_types::QuestionTypes;
use crate::sitting::values::FieldChange;

fn question(id: &str, topic: &str, difficulty: i64) -> KeyedQuestion {
    KeyedQuestion {
        id: id.into(),
        topic: topic.into(),
        difficulty: Difficulty::new(difficulty).unwrap(),
        answer: Choice::A.into(),
        options: None,
        version: None,
        order: None,
    }
}

/// Questions with ids `d<difficulty>-<number>`.
fn pool(counts: [usize; 5]) -> QuestionPool {
    let of = |(index, count): (usize, usize)| {
        let difficulty = index as i64 + 1;
        (0..count).map(move |number| Arc::new(question(&format!("d{difficulty}-{number}"), "T", difficulty)))
    };
    let all = counts.into_iter().enumerate().flat_map(of).collect();
    QuestionPool { all, types: QuestionTypes::All, ..QuestionPool::default() }
}

fn draft(mode: Mode) -> ConfigDraft {
    let of_bands = |band: Band| (band.label().to_owned(), json!({ "4": 1, "5": 2 }));
    ConfigDraft {
        name: Some("Midterm".to_owned()),
        grades: Some(vec![Grade::new(5).unwrap()]),
        mode: Some(mode),
        duration_minutes: Some(45),
        calculator: Some(Calculator::Basic),
        standard_targets: FieldChange::Set(json!({ "1": 2, "5": 1 })),
        session1_targets: Some(json!({ "1": 1, "2": 1, "3": 1, "4": 1, "5": 1 })),
        session2_targets_by_band: Some(Value::Object(Band::ALL.map(of_bands).into_iter().collect())),
        choice: Default::default(),
        mark_scale: FieldChange::Keep,
        rules: Default::default(),
    }
}

/// The scale of a stored config after a change of it alone.
fn changed_scale(stored: &TemplateConfig, mark_scale: FieldChange<ChosenScale>) -> ChosenScale {
    ConfigDraft { mark_scale, ..ConfigDraft::default() }.config(Some(stored)).unwrap().mark_scale
}

fn template(mode: Mode, pool: &QuestionPool, random: &mut StdRng) -> (Template, Shortfalls) {
    drawn(draft(mode), pool, random)
}

fn drawn(draft: ConfigDraft, pool: &QuestionPool, random: &mut StdRng) -> (Template, Shortfalls) {
    let now = Moment::from_milliseconds(0);
    let mut template = Template {
        id: Uuid::nil(),
        config: draft.config(None).unwrap(),
        papers: Papers::default(),
        forms: Vec::new(),
        created_by: "a@exam.test".to_owned(),
        created_at: now,
        updated_at: now,
    };
    let shortfalls = template.draw(pool, random);
    (template, shortfalls)
}

/// The id says what the question is.
fn swap(bucket: Bucket, question_id: &str) -> Swap<'_> {
    let difficulty = i64::from(question_id.as_bytes()[1]) - i64::from(b'0');
    let replaced = (1..=5).contains(&difficulty).then(|| question(question_id, "T", difficulty));
    Swap { bucket, question_id, replaced }
}

#[test]
fn a_config_needs_what_its_mode_has_and_no_more() {
    let standard = ConfigDraft {
        session1_targets: Some(json!(7)),
        session2_targets_by_band: Some(json!([])),
        ..draft(Mode::Standard)
    };
    assert_eq!(standard.config(None).unwrap().targets.session1, None, "ignored");
    assert!(
        ConfigDraft { standard_targets: FieldChange::Set(json!("none")), ..draft(Mode::Adaptive) }.config(None).is_ok()
    );
    let without = |draft: ConfigDraft| draft.config(None).unwrap_err();
    assert_eq!(without(ConfigDraft { name: None, ..draft(Mode::Standard) }), Invalid::Field("name"));
    assert_eq!(without(ConfigDraft { grades: None, ..draft(Mode::Standard) }), Invalid::Field("grades"));
    assert_eq!(without(ConfigDraft { mode: None, ..draft(Mode::Standard) }), Invalid::Field("mode"));
    assert_eq!(
        without(ConfigDraft { duration_minutes: None, ..draft(Mode::Standard) }),
        Invalid::Field("durationMinutes")
    );
    assert_eq!(
        without(ConfigDraft { standard_targets: FieldChange::Keep, ..draft(Mode::Standard) }),
        Invalid::Field("standardTargets")
    );
    assert_eq!(
        without(ConfigDraft { session1_targets: None, ..draft(Mode::Adaptive) }),
        Invalid::Field("session1Targets")
    );
    assert_eq!(
        without(ConfigDraft { session2_targets_by_band: None, ..draft(Mode::Adaptive) }),
        Invalid::Field("session2TargetsByBand")
    );
}

#[test]
fn what_is_not_given_stays() {
    let stored = draft(Mode::Adaptive).config(None).unwrap();
    assert_eq!(ConfigDraft::default().config(Some(&stored)).unwrap(), stored);
    let renamed =
        ConfigDraft { name: Some("Final".to_owned()), ..ConfigDraft::default() }.config(Some(&stored)).unwrap();
    assert_eq!((renamed.name.as_str(), &renamed.targets), ("Final", &stored.targets));
    assert_eq!(changed_scale(&stored, FieldChange::Keep), stored.mark_scale);
    assert_eq!(changed_scale(&stored, FieldChange::Clear), ChosenScale::Without);
    assert_eq!(changed_scale(&stored, FieldChange::Set(ChosenScale::School)), ChosenScale::School);
    let to_standard = ConfigDraft { mode: Some(Mode::Standard), ..ConfigDraft::default() }.config(Some(&stored));
    assert_eq!(to_standard, Err(Invalid::Field("standardTargets")));
}

#[test]
fn targets_are_counts_of_five_difficulties() {
    assert_eq!(list_targets(&json!({ "5": 3 })), Some(Targets([0, 0, 0, 0, 3])), "a missing one means none");
    assert_eq!(list_targets(&json!({ "1": 200 })).map(|targets| targets.total()), Some(200));
    let wrong = [
        json!({}),
        json!({ "1": 0 }),
        json!({ "1": 201 }),
        json!({ "1": 100, "2": 101 }),
        json!({ "6": 1 }),
        json!({ "0": 1 }),
        json!({ "01": 1 }),
        json!({ "easy": 1 }),
        json!({ "1": -1, "2": 2 }),
        json!({ "1": 1.5 }),
        json!({ "1": "1" }),
        json!({ "1": null, "2": 1 }),
        json!({ "1": u64::MAX }),
        json!([1, 2, 3, 4, 5]),
        json!(null),
        json!(5),
    ];
    for targets in wrong {
        assert_eq!(list_targets(&targets), None, "{targets}");
    }
    assert_eq!(
        serde_json::to_value(Targets([1, 2, 3, 4, 5])).unwrap(),
        json!({ "1": 1, "2": 2, "3": 3, "4": 4, "5": 5 })
    );
}

#[test]
fn minutes_and_grades() {
    assert_eq!([1.0, 600.0, 45.0].map(minutes), [Some(1), Some(600), Some(45)]);
    assert_eq!([0.0, 601.0, 45.5, -1.0, 1e300, f64::NAN].map(minutes), [None; 6]);
    let grade = |number| Grade::new(number).unwrap();
    assert_eq!(
        distinct_grades(&[grade(7), grade(5), grade(7)]),
        Some(vec![grade(7), grade(5)]),
        "the first stays the first"
    );
    assert_eq!(distinct_grades(&[]), None);
}

#[test]
fn shortfalls_are_exact_and_nothing_is_filled() {
    let mut random = StdRng::seed_from_u64(7);
    let (_, none) = template(Mode::Adaptive, &pool([9; 5]), &mut random);
    assert_eq!(serde_json::to_value(none).unwrap(), json!({}));
    let (standard, short) = template(Mode::Standard, &pool([1, 9, 9, 9, 0]), &mut random);
    assert_eq!(serde_json::to_value(short).unwrap(), json!({ "standard": { "1": 1, "5": 1 } }));
    assert_eq!(standard.paper(Bucket::Standard).len(), 1);
    let (adaptive, short) = template(Mode::Adaptive, &pool([9, 9, 0, 9, 2]), &mut random);
    let of_band = json!({ "5": 1 });
    let session2: serde_json::Map<String, Value> =
        Band::ALL.map(|band| (band.label().to_owned(), of_band.clone())).into_iter().collect();
    assert_eq!(serde_json::to_value(short).unwrap(), json!({ "session1": { "3": 1 }, "session2": session2 }));
    assert_eq!(adaptive.paper(Bucket::Session1).len(), 4);
}

#[test]
fn a_swap_keeps_the_place_and_the_difficulty() {
    let mut random = StdRng::seed_from_u64(7);
    let pool = pool([9; 5]);
    let (mut standard, _) = template(Mode::Standard, &pool, &mut random);
    let before = standard.paper(Bucket::Standard).to_vec();
    let came = standard.swap(&swap(Bucket::Standard, &before[1]), None, &pool, &mut random).unwrap();
    let after = standard.paper(Bucket::Standard);
    assert_eq!((&after[0], &*after[1], &after[2]), (&before[0], &*came, &before[2]));
    assert!(!before.contains(&came.to_string()) && came[..2] == before[1][..2]);
}

#[test]
fn a_swap_is_refused_for_what_is_wrong_with_it() {
    let mut random = StdRng::seed_from_u64(7);
    let pool = pool([2, 9, 9, 9, 9]);
    let (mut standard, _) = template(Mode::Standard, &pool, &mut random);
    let place = standard.paper(Bucket::Standard).iter().find(|id| id.starts_with("d1")).unwrap().clone();
    let mut tried = |swapped: Swap<'_>, by: Option<&str>| standard.swap(&swapped, by, &pool, &mut random).unwrap_err();
    assert_eq!(tried(swap(Bucket::Session1, &place), None), SwapRefusal::NoSuchBucket);
    assert_eq!(tried(swap(Bucket::Standard, "d1-99"), None), SwapRefusal::QuestionNotFound);
    assert_eq!(
        tried(swap(Bucket::Standard, &place), None),
        SwapRefusal::NoneEligible,
        "both of the pool are in the list"
    );
    for by in ["d2-0", "d1-0", "d1-1", "nothing"] {
        assert_eq!(tried(swap(Bucket::Standard, &place), Some(by)), SwapRefusal::NotEligible, "{by}");
    }
}

proptest! {
    #[test]
    fn no_student_ever_sees_a_question_twice(seed: u64, counts in [0..12_usize, 0..12, 0..12, 0..12, 0..12], swaps in proptest::collection::vec((0..6_usize, 0..8_usize), 0..60)) {
        let mut random = StdRng::seed_from_u64(seed);
        let pool = pool(counts);
        let (mut adaptive, _) = template(Mode::Adaptive, &pool, &mut random);
        for (list, place) in swaps {
            let bucket = Bucket::all(Mode::Adaptive).nth(list).unwrap();
            let Some(id) = adaptive.paper(bucket).get(place).cloned() else { continue };
            let _ = adaptive.swap(&swap(bucket, &id), None, &pool, &mut random);
        }
        for band in Band::ALL {
            let seen: Vec<&String> = adaptive.paper(Bucket::Session1).iter().chain(adaptive.paper(Bucket::Session2(band))).collect();
            prop_assert_eq!(seen.iter().collect::<HashSet<_>>().len(), seen.len());
        }
    }
}
