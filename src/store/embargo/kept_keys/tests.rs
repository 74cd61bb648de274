//! Tests of which keys are kept, of what was read.

use domain::template::access::{Audience, ShowAnswers, TemplateAccess};

use super::*;

fn at(minute: i64) -> Moment {
    Moment::from_milliseconds(minute * 60_000)
}

/// A template of signed-in people that closes at minute 20.
fn rules(practice: Option<bool>, show_answers: ShowAnswers) -> TemplateRules {
    let access = TemplateAccess { who: Audience::SignedIn, closes_at: Some(at(20)), ..TemplateAccess::default() };
    TemplateRules { access, show_answers, practice }
}

const CLASS_TEST: Uuid = Uuid::from_u128(1);
const OTHER: Uuid = Uuid::from_u128(2);

/// Of a class test with the questions `own`, `open` and `kept`, of which the last two are marked.
fn keys(rules: TemplateRules) -> KeptKeys {
    started(rules, Some(HashMap::new()))
}

/// The same, with when it was begun last.
fn started(rules: TemplateRules, last_starts: Option<HashMap<Uuid, Moment>>) -> KeptKeys {
    let question_ids = ["own", "open", "kept"].map(str::to_owned).into();
    let marks = PracticeMarks::of_ids(&["open"], &["kept", "alone"]);
    KeptKeys::of(
        vec![Arc::default(), Arc::new(marks)],
        HashMap::from([(CLASS_TEST, Arc::new(GuardedTemplate { rules, updated_at: at(0), question_ids }))]),
        last_starts.map(Arc::new),
    )
}

#[test]
fn a_mark_of_a_question_decides_before_templates() {
    let keys = keys(rules(Some(false), ShowAnswers::Always));
    let public = |public_answers| ["own", "open", "kept", "alone", "any"].map(|id| keys.is_public(id, public_answers));
    assert_eq!(public(true), [false, true, false, false, true]);
    assert_eq!(public(false), [false; 5]);
    assert!(keys.is_practice("open") && !keys.is_practice("any"));
    let silent = KeptKeys::default();
    assert_eq!(["own", "any"].map(|id| (silent.is_public(id, true), silent.is_public(id, false))), [(true, false); 2]);
}

#[test]
fn a_test_of_a_template_is_kept_by_its_own_rule() {
    let seat = |show_answers, minute| {
        keys(rules(None, show_answers)).keep_in_seat(Some(CLASS_TEST), ["own"].into_iter(), at(minute))
    };
    assert_eq!([19, 21].map(|minute| seat(ShowAnswers::Always, minute)), [false, false]);
    assert_eq!([19, 21].map(|minute| seat(ShowAnswers::AfterClosing, minute)), [true, true], "others may be at work");
    assert_eq!([19, 21].map(|minute| seat(ShowAnswers::Never, minute)), [true, true]);
    let from = |show_answers, minute| keys(rules(None, show_answers)).answers_from(Some(CLASS_TEST), at(minute));
    let all = [ShowAnswers::Always, ShowAnswers::AfterClosing, ShowAnswers::Never];
    assert_eq!(all.map(|rule| from(rule, 0)), [None, Some(Some(at(20))), Some(None)]);
    assert_eq!(all.map(|rule| from(rule, 21)), [None, None, Some(None)]);
    let closed = |show_answers| keys(rules(None, show_answers)).closed(Some(CLASS_TEST));
    assert_eq!(all.map(closed), [None, Some((CLASS_TEST, at(20))), None]);
}

#[test]
fn tests_of_others_tell_no_key_of_a_class_test_that_is_still_to_be_sat() {
    let keys = keys(rules(Some(false), ShowAnswers::Always));
    let kept =
        |own, minute| ["own", "kept", "open", "any"].map(|id| keys.keep_in_seat(own, [id].into_iter(), at(minute)));
    assert_eq!(kept(Some(OTHER), 19), [true, true, false, false]);
    assert_eq!(kept(Some(OTHER), 21), [false; 4], "it has closed");
    assert_eq!(kept(None, 19), [true, true, false, false]);
    assert_eq!(kept(None, 21), [false, true, false, false], "practice never tells what is marked as no practice");
    assert_eq!(kept(Some(CLASS_TEST), 19), [false; 4], "its own tests follow its own rule");
    let chosen = |minute| ["own", "kept", "open", "any"].map(|id| keys.is_of_class_test(id, at(minute)));
    assert_eq!((chosen(19), chosen(21)), ([true, true, false, false], [false; 4]));
}

#[test]
fn a_class_test_without_an_end_is_over_some_time_after_its_last_start() {
    let access = TemplateAccess { who: Audience::SignedIn, ..TemplateAccess::default() };
    let rules = || TemplateRules { access: access.clone(), show_answers: ShowAnswers::Always, practice: Some(false) };
    let day = |day: i64| at(day * 24 * 60);
    let kept = |last_starts: Option<HashMap<Uuid, Moment>>| {
        let keys = started(rules(), last_starts);
        [59, 60, 80].map(|now| keys.keep_in_seat(None, ["own"].into_iter(), day(now)))
    };
    assert_eq!(kept(Some(HashMap::new())), [true, false, false]);
    assert_eq!(kept(Some(HashMap::from([(CLASS_TEST, day(10))]))), [true, true, false]);
    assert_eq!(kept(None), [true; 3], "nobody knows yet");
}

#[test]
fn only_what_everyone_sees_makes_other_banks() {
    let class_test = || rules(Some(false), ShowAnswers::Always);
    let closes_at = Some(at(90));
    let moved = TemplateRules { access: TemplateAccess { closes_at, ..class_test().access }, ..class_test() };
    assert_ne!(keys(class_test()), keys(moved.clone()));
    assert!(keys(class_test()).shows_same(&keys(moved)), "times and people");
    assert!(keys(class_test()).shows_same(&keys(rules(Some(false), ShowAnswers::Never))));
    assert!(!keys(class_test()).shows_same(&keys(rules(None, ShowAnswers::Never))), "no question is kept any more");
    let said = ["own", "open", "kept", "any"].map(|id| keys(class_test()).said(id));
    assert_eq!(said, [Some(false), Some(true), Some(false), None]);
}
