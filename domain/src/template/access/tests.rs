//! Tests of who may sit a template, and who is told its keys.

use serde_json::json;

use super::*;

fn at(minute: i64) -> Moment {
    Moment::parse("2026-03-02T08:00:00Z").unwrap().plus(minute * 60_000)
}

fn parsed(value: &Value) -> TemplateAccess {
    TemplateAccess::parse(value).unwrap_or_else(|| panic!("refused: {value}"))
}

const CLASS: &str = "00000000-0000-4000-8000-000000000001";

#[test]
fn whoever_says_nothing_lets_everyone_in() {
    let access = TemplateAccess::default();
    assert_eq!(parsed(&json!({ "who": "anyone" })), access);
    assert!(!access.restricts(at(0)) && !access.needs_account());
    assert_eq!((access.admits(false, false), access.window(at(0))), (Ok(()), Ok(())));
    assert_eq!(
        (access.typed(None), access.typed(Some("any")), access.attempts_left(999)),
        (TypedCode::Right, TypedCode::Right, None)
    );
    let rules = TemplateRules::default();
    assert!(!rules.guards_keys() && !rules.is_keyless() && !rules.keeps_from_others(at(0), at(0)));
    assert!(rules.shows_answers(at(0)));
    assert_eq!(serde_json::from_str::<TemplateRules>("{}").unwrap(), rules);
}

#[test]
fn what_is_not_sound_is_refused() {
    let many: Vec<Uuid> = (0..=CLASSES_OF_TEMPLATE_MAX as u128).map(Uuid::from_u128).collect();
    for wrong in [
        json!("classes"),
        json!({}),
        json!({ "who": "everyone" }),
        json!({ "who": "anyone", "attempts": 1 }),
        json!({ "who": "signed-in", "attempts": 0 }),
        json!({ "who": "signed-in", "attempts": 21 }),
        json!({ "who": "signed-in", "attempts": 1.5 }),
        json!({ "who": "classes" }),
        json!({ "who": "classes", "classIds": [] }),
        json!({ "who": "classes", "classIds": [CLASS, CLASS] }),
        json!({ "who": "classes", "classIds": many }),
        json!({ "who": "classes", "classIds": ["5A"] }),
        json!({ "who": "anyone", "opensAt": at(2).iso(), "closesAt": at(2).iso() }),
        json!({ "who": "anyone", "opensAt": "tomorrow" }),
        json!({ "who": "anyone", "closeAt": at(2).iso() }),
        json!({ "who": "anyone", "code": "abc" }),
        json!({ "who": "anyone", "code": "a".repeat(21) }),
        json!({ "who": "anyone", "code": "two words" }),
        json!({ "who": "anyone", "code": "lớp5a" }),
    ] {
        assert_eq!(TemplateAccess::parse(&wrong), None, "{wrong}");
    }
    let rest = json!({ "who": "signed-in", "classIds": [CLASS], "attempts": null, "code": " " });
    assert_eq!(parsed(&rest), TemplateAccess { who: Audience::SignedIn, ..TemplateAccess::default() });
    let many: Vec<&Uuid> = many.iter().skip(1).collect();
    let full = json!({ "who": "classes", "classIds": many, "attempts": 20, "opensAt": at(0).iso(),
        "closesAt": at(1).iso(), "code": "Apfel2026" });
    assert_eq!(serde_json::to_value(parsed(&full)).unwrap(), full, "told as it was sent");
}

#[test]
fn accounts_and_classes_are_looked_at_before_times() {
    let signed_in = parsed(&json!({ "who": "signed-in" }));
    assert_eq!(signed_in.admits(false, false), Err(AccessRefusal::NotSignedIn));
    assert_eq!(signed_in.admits(true, false), Ok(()));
    let classes = parsed(&json!({ "who": "classes", "classIds": [CLASS] }));
    assert_eq!(classes.admits(false, true), Err(AccessRefusal::NotSignedIn));
    assert_eq!(classes.admits(true, false), Err(AccessRefusal::NotForThem));
    assert_eq!(classes.admits(true, true), Ok(()));
}

#[test]
fn the_window_has_its_first_moment_and_not_its_last() {
    let access = parsed(&json!({ "who": "anyone", "opensAt": at(10).iso(), "closesAt": at(20).iso() }));
    let window = |minute| access.window(at(minute));
    assert_eq!((window(9), window(10)), (Err(AccessRefusal::NotOpenYet(at(10))), Ok(())));
    assert_eq!((window(19), window(20)), (Ok(()), Err(AccessRefusal::Closed(at(20)))));
    assert_eq!([9, 10, 19, 20].map(|minute| access.restricts(at(minute))), [true, false, false, true]);
    assert!(!access.is_for_some());
}

#[test]
fn a_code_is_compared_without_case() {
    let access = parsed(&json!({ "who": "anyone", "code": "Apfel2026" }));
    assert!(access.restricts(at(0)) && access.is_for_some());
    for right in ["Apfel2026", "APFEL2026", " apfel2026 "] {
        assert_eq!(access.typed(Some(right)), TypedCode::Right, "{right}");
    }
    assert_eq!((access.typed(None), access.typed(Some(" "))), (TypedCode::Missing, TypedCode::Missing));
    assert_eq!((access.typed(Some("apfel")), access.typed(Some("apfel2027"))), (TypedCode::Wrong, TypedCode::Wrong));
}

#[test]
fn attempts_are_counted_down() {
    let access = parsed(&json!({ "who": "signed-in", "attempts": 2 }));
    assert_eq!([0, 1, 2, 3, 1_000].map(|begun| access.attempts_left(begun)), [2, 1, 0, 0, 0].map(Some));
}

#[test]
fn answers_are_shown_by_the_rule() {
    let closing = parsed(&json!({ "who": "anyone", "closesAt": at(20).iso() }));
    let rules = |show_answers| TemplateRules { access: closing.clone(), show_answers, practice: None };
    // In the grace after the end, answers are still taken.
    let moments = [at(19), at(20), at(20).plus(GRACE_MILLISECONDS), at(20).plus(GRACE_MILLISECONDS + 1)];
    let shown = |show_answers| moments.map(|moment| rules(show_answers).shows_answers(moment));
    assert_eq!(shown(ShowAnswers::Always), [true; 4]);
    assert_eq!(shown(ShowAnswers::AfterClosing), [false, false, false, true]);
    assert_eq!(shown(ShowAnswers::Never), [false; 4]);
    for answers in ShowAnswers::ALL {
        assert_eq!(ShowAnswers::parse(answers.name()), Some(answers));
        assert_eq!(serde_json::to_value(answers).unwrap(), answers.name());
    }
    assert_eq!(ShowAnswers::parse("Never"), None);
}

#[test]
fn what_is_still_to_be_sat_is_kept_from_the_reports_of_others() {
    let rules = |access: Value, practice, show_answers| {
        let rules = TemplateRules { access: parsed(&access), show_answers, practice };
        [20, 21].map(|minute| rules.keeps_from_others(at(minute), at(0)))
    };
    let class = json!({ "who": "classes", "classIds": [CLASS], "closesAt": at(20).iso() });
    assert_eq!(rules(class.clone(), Some(false), ShowAnswers::Always), [true, false]);
    assert_eq!(rules(class.clone(), Some(false), ShowAnswers::Never), [true, true]);
    assert_eq!(rules(class.clone(), None, ShowAnswers::Never), [false, false], "practice is not refused");
    assert_eq!(rules(class, Some(true), ShowAnswers::Never), [false, false]);
    assert_eq!(rules(json!({ "who": "signed-in" }), Some(false), ShowAnswers::Always), [true, true]);
    assert_eq!(rules(json!({ "who": "anyone" }), Some(false), ShowAnswers::Always), [false, false]);
}

#[test]
fn a_class_test_without_an_end_is_to_be_sat_for_some_time_after_its_last_use() {
    let rules =
        |access: Value, show_answers| TemplateRules { access: parsed(&access), show_answers, practice: Some(false) };
    let days = |days: i64| at(days * 24 * 60);
    let kept = |rules: &TemplateRules, used_at| {
        [days(0), days(59), days(60), days(70), days(71)].map(|now| rules.keeps_from_others(now, used_at))
    };
    let endless = rules(json!({ "who": "signed-in" }), ShowAnswers::Always);
    assert_eq!(kept(&endless, days(0)), [true, true, false, false, false]);
    assert_eq!(kept(&endless, days(11)), [true, true, true, true, false], "it was begun again");
    let until = json!({ "who": "signed-in", "closesAt": days(10).iso() });
    let never = rules(until.clone(), ShowAnswers::Never);
    assert_eq!(kept(&never, days(0)), [true, true, true, false, false], "its end counts as a use");
    let closing = rules(until, ShowAnswers::Always);
    assert_eq!(kept(&closing, days(59)), [true, false, false, false, false], "an end says it exactly");
    assert_eq!([&endless, &never, &closing].map(TemplateRules::is_open_ended), [true, true, false]);
    let moments = [days(9), days(10), days(10).plus(GRACE_MILLISECONDS + 1), days(11), days(12)];
    assert_eq!(moments.map(|now| closing.may_run_on(now)), [false, false, true, true, false]);
    assert!(!moments.iter().any(|now| endless.may_run_on(*now)));
}

#[test]
fn rules_change_field_by_field() {
    let access = parsed(&json!({ "who": "signed-in", "closesAt": at(20).iso() }));
    let draft =
        |access: FieldChange<TemplateAccess>, show_answers, practice| RulesDraft { access, show_answers, practice };
    let set =
        draft(FieldChange::Set(access.clone()), FieldChange::Set(ShowAnswers::AfterClosing), FieldChange::Set(false));
    let stored = set.rules(TemplateRules::default()).unwrap();
    assert_eq!(stored, TemplateRules { access, show_answers: ShowAnswers::AfterClosing, practice: Some(false) });
    assert_eq!(RulesDraft::default().rules(stored.clone()), Ok(stored.clone()));
    let without_end = draft(FieldChange::Clear, FieldChange::Keep, FieldChange::Keep);
    assert_eq!(without_end.rules(stored.clone()), Err(Invalid::Field("showAnswers")));
    let cleared = draft(FieldChange::Clear, FieldChange::Clear, FieldChange::Clear);
    assert_eq!(cleared.rules(stored), Ok(TemplateRules::default()));
}
