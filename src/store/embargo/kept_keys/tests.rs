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
    let question_ids = ["own", "open", "kept"].map(str::to_owned).into();
    let marks = PracticeMarks::of_ids(&["open"], &["kept", "alone"]);
    KeptKeys::of(
        vec![Arc::default(), Arc::new(marks)],
        HashMap::from([(CLASS_TEST, Arc::new(GuardedTemplate { rules, question_ids }))]),
    )
}

#[test]
fn a_mark_of_a_question_decides_before_templates_and_options() {
    let keys = keys(rules(Some(false), ShowAnswers::Always));
    let public = |public_answers| ["own", "open", "kept", "alone", "any"].map(|id| keys.is_public(id, public_answers));
    assert_eq!(public(true), [false, true, false, false, true]);
    assert_eq!(public(false), [false, true, false, false, false]);
    assert!(keys.is_practice("open") && !keys.is_practice("any"));
    let silent = KeptKeys::default();
    assert_eq!(["own", "any"].map(|id| (silent.is_public(id, true), silent.is_public(id, false))), [(true, false); 2]);
}

#[test]
fn a_test_of_a_template_is_kept_by_its_own_rule() {
    let kept = |show_answers, minute| {
        keys(rules(None, show_answers)).keep_in_seat(Some(CLASS_TEST), ["own"].into_iter(), at(minute))
    };
    assert_eq!([19, 20].map(|minute| kept(ShowAnswers::Always, minute)), [false, false]);
    assert_eq!([19, 20].map(|minute| kept(ShowAnswers::AfterClosing, minute)), [true, false]);
    assert_eq!([19, 20].map(|minute| kept(ShowAnswers::Never, minute)), [true, true]);
    let from = |show_answers| keys(rules(None, show_answers)).answers_from(Some(CLASS_TEST), at(0));
    assert_eq!(
        [ShowAnswers::Always, ShowAnswers::AfterClosing, ShowAnswers::Never].map(from),
        [None, Some(Some(at(20))), Some(None)]
    );
}

#[test]
fn tests_of_others_tell_no_key_of_a_class_test_that_is_still_to_be_sat() {
    let keys = keys(rules(Some(false), ShowAnswers::Always));
    let kept = |own, id: &str, minute| keys.keep_in_seat(own, [id].into_iter(), at(minute));
    for own in [None, Some(OTHER)] {
        assert_eq!(["own", "kept", "open", "any"].map(|id| kept(own, id, 19)), [true, true, false, false]);
        assert_eq!(["own", "kept", "open", "any"].map(|id| kept(own, id, 20)), [false; 4], "it has closed");
    }
    assert!(!kept(Some(CLASS_TEST), "own", 19), "its own tests follow its own rule");
}
