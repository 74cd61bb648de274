//! Tests of what corrected keys make of results.

use uuid::Uuid;

use super::*;
use crate::band::Band;
use crate::number::NumberKey;
use crate::question::{Difficulty, Selected};
use crate::scoring::SCORE_MIN;

const SITTING: Uuid = Uuid::from_u128(1);

fn question(id: &str, difficulty: i64, answer: Choice) -> Arc<KeyedQuestion> {
    Arc::new(KeyedQuestion {
        id: id.into(),
        topic: "Shapes".into(),
        difficulty: Difficulty::new(difficulty).unwrap(),
        answer: answer.into(),
        options: None,
        version: None,
        order: None,
    })
}

/// Three questions of which the key is A, worth one, two and five points.
fn answered(selected: [Option<Choice>; 3]) -> Vec<Response> {
    let questions = [question("a", 1, Choice::A), question("b", 2, Choice::A), question("c", 5, Choice::A)];
    let selected = selected.map(|selected| selected.map(Selected::from));
    let response = |(question, selected)| Response { question, selected, time_taken: Some(3) };
    questions.into_iter().zip(selected).map(response).collect()
}

fn correction(number: i64, id: &str, kind: CorrectionKind, options: &str) -> Correction {
    Correction {
        number,
        question_id: id.into(),
        kind,
        options: AnswerSet::of_text(options),
        of_options: None,
        nobody_loses: false,
        scope: CorrectionScope::Sitting(SITTING),
    }
}

fn fair(correction: Correction) -> Correction {
    Correction { nobody_loses: true, ..correction }
}

fn graded(responses: &[Response], corrections: &[Correction]) -> TestResult {
    grade(responses, &corrections.iter().collect::<Vec<_>>(), 60)
}

/// The line of question `b`, in short: key, further options, kind, whether it counts as right.
fn line(result: &TestResult) -> (String, String, Option<CorrectionKind>, bool) {
    let AnswerLine { correct, also_correct, correction, is_correct, .. } = &result.answers[1];
    (correct.clone(), also_correct.concat(), *correction, *is_correct)
}

#[test]
fn each_kind_says_what_counts() {
    use CorrectionKind::{All, Also, Drop, Key};
    let chosen = |choice| answered([Some(Choice::A), choice, None]);
    let of = |kind, options, choice| graded(&chosen(choice), &[correction(1, "b", kind, options)]);
    let told =
        |letters: &str, also: &str, kind, is_correct| (letters.to_owned(), also.to_owned(), Some(kind), is_correct);
    assert_eq!(line(&of(Key, "B", Some(Choice::B))), told("B", "", Key, true));
    assert_eq!(line(&of(Key, "B", Some(Choice::A))), told("B", "", Key, false));
    assert_eq!(line(&of(Also, "BC", Some(Choice::C))), told("A", "BC", Also, true));
    assert_eq!(line(&of(Also, "BC", Some(Choice::A))), told("A", "BC", Also, true));
    assert_eq!(line(&of(Also, "BC", Some(Choice::D))), told("A", "BC", Also, false));
    assert_eq!(line(&of(Also, "A", Some(Choice::A))), told("A", "", Also, true), "it is right already");
    assert_eq!(line(&of(All, "", None)), told("A", "", All, true), "also who has not answered");
    assert_eq!(line(&of(Drop, "", Some(Choice::A))), told("A", "", Drop, false));
    // 3 of 8 points, and 1 of 6 without the question.
    assert_eq!((of(All, "", None).score, of(Drop, "", None).score), (425, 300));
}

/// What was typed for a number of two points, beside a letter that is wrong.
fn typed(text: &str) -> Vec<Response> {
    let mut responses = answered([None; 3]);
    let key = NumberKey { tolerance: "0.1".to_owned(), ..NumberKey::exact("0.5") };
    let question = Arc::new(KeyedQuestion { answer: key.into(), ..(*responses[1].question).clone() });
    responses[1] = Response { selected: question.answer.parse_selected(text), question, time_taken: None };
    responses
}

#[test]
fn numbers_are_corrected_as_letters_are() {
    use CorrectionKind::{All, Also, Drop, Key};
    let of = |kind, numbers, text| line(&graded(&typed(text), &[correction(1, "b", kind, numbers)]));
    let told =
        |number: &str, also: &str, kind, is_correct| (number.to_owned(), also.to_owned(), Some(kind), is_correct);
    assert_eq!(of(Key, "0.25", "1/4"), told("0.25", "", Key, true));
    assert_eq!(of(Key, "0.25", "0,35"), told("0.25", "", Key, true), "the tolerance stays");
    assert_eq!(of(Key, "0.25", "1/2"), told("0.25", "", Key, false));
    assert_eq!(of(Also, "2 3", "3"), told("0.5", "23", Also, true));
    assert_eq!(of(Also, "2 3", "0.6"), told("0.5", "23", Also, true));
    assert_eq!(of(Also, "0.50", "0.5"), told("0.5", "", Also, true), "it is right already");
    assert_eq!(of(Also, "2 3", "4"), told("0.5", "23", Also, false));
    assert_eq!(of(All, "", "x"), told("0.5", "", All, true));
    assert_eq!(of(Drop, "", "1/2"), told("0.5", "", Drop, false));
}

#[test]
fn letters_leave_numbers_alone_and_numbers_letters() {
    let letter = correction(1, "b", CorrectionKind::Key, "B");
    let number = correction(1, "b", CorrectionKind::Also, "2");
    assert_eq!(line(&graded(&typed("B"), std::slice::from_ref(&letter))).2, None);
    assert_eq!(line(&graded(&answered([None, Some(Choice::B), None]), std::slice::from_ref(&number))).2, None);
    let (typed, chosen) = (typed("2"), question("b", 2, Choice::A));
    assert!(letter.names_other_options(&typed[1].question) && number.names_other_options(&chosen));
    assert!(!number.names_other_options(&typed[1].question) && !letter.names_other_options(&chosen));
}

#[test]
fn a_result_with_numbers_is_graded_anew_from_what_was_typed() {
    let responses = typed("2/8");
    let keys: Vec<Arc<KeyedQuestion>> = responses.iter().map(|response| Arc::clone(&response.question)).collect();
    let bare = scoring::grade(&responses, 60);
    let also = correction(1, "b", CorrectionKind::Also, "0.25");
    let one = regrade(&bare, &keys, &[&also]).unwrap();
    assert_eq!((bare.correct_answers, one.correct_answers, one.answers[1].selected.as_str()), (0, 1, "2/8"));
    assert_eq!(regrade(&one, &keys, &[&also]), None);
    assert_eq!(regrade(&one, &keys, &[]), Some(bare));
}

#[test]
fn a_question_that_is_dropped_counts_nowhere_and_keeps_its_line() {
    let responses = answered([Some(Choice::A), Some(Choice::A), Some(Choice::B)]);
    let result = graded(&responses, &[correction(1, "b", CorrectionKind::Drop, "")]);
    assert_eq!((result.correct_answers, result.total_questions, result.accuracy), (1, 2, 50.0));
    assert_eq!((result.topic_breakdown[0].correct, result.topic_breakdown[0].total), (1, 2));
    let difficulties: Vec<u8> = result.difficulty_breakdown.iter().map(|line| line.difficulty.number()).collect();
    assert_eq!((difficulties, result.answers.len()), (vec![1, 5], 3));
}

#[test]
fn a_test_of_which_nothing_counts_has_the_lowest_score() {
    let responses = answered([Some(Choice::A); 3]);
    let drop = |number, id: &str| correction(number, id, CorrectionKind::Drop, "");
    let all = [drop(1, "a"), drop(2, "b"), drop(3, "c")];
    let result = graded(&responses, &all);
    assert_eq!((result.score, result.correct_answers, result.total_questions), (SCORE_MIN, 0, 0));
    assert_eq!((result.accuracy, result.topic_breakdown.len(), result.answers.len()), (0.0, 0, 3));
    // Nobody loses: the last one, which would leave nothing, is left out for those who had a point.
    let kept = graded(&responses, &all.map(fair));
    assert_eq!((kept.score, kept.total_questions), (800, 1));
}

#[test]
fn the_newest_rules_and_further_options_join_what_was_right() {
    use CorrectionKind::{All, Also, Drop, Key};
    let told = |corrections: &[(CorrectionKind, &str)], choice| {
        let numbered = (1..).zip(corrections);
        let made: Vec<_> = numbered.map(|(number, (kind, options))| correction(number, "b", *kind, options)).collect();
        line(&graded(&answered([None, Some(choice), None]), &made))
    };
    let is_right = |corrections: &[(CorrectionKind, &str)], choice| told(corrections, choice).3;
    assert!(!is_right(&[(Key, "B"), (Key, "C")], Choice::B) && is_right(&[(Key, "B"), (Key, "C")], Choice::C));
    assert!(is_right(&[(Key, "B"), (Also, "C")], Choice::B) && is_right(&[(Key, "B"), (Also, "C")], Choice::C));
    assert!(!is_right(&[(Key, "B"), (Also, "C")], Choice::A), "the key that was wrong stays wrong");
    assert!(is_right(&[(Also, "B"), (Also, "C")], Choice::B));
    assert!(!is_right(&[(Also, "B"), (Key, "C")], Choice::B));
    assert!(is_right(&[(Drop, ""), (Also, "B")], Choice::B), "it counts again");
    assert_eq!(told(&[(Key, "B"), (All, "")], Choice::D).0, "B");
    assert_eq!(told(&[(All, ""), (Key, "B")], Choice::D), ("B".to_owned(), String::new(), Some(Key), false));
}

#[test]
fn nobody_loses_by_a_correction_whatever_came_before() {
    use CorrectionKind::{Drop, Key};
    let wrong_key = fair(correction(1, "b", Key, "B"));
    let had_right = answered([Some(Choice::A), Some(Choice::A), None]);
    let kept = graded(&had_right, std::slice::from_ref(&wrong_key));
    assert_eq!(kept, graded(&had_right, &[]), "the result is the one that it was");
    let (gains, same) = (answered([None, Some(Choice::B), None]), answered([None, Some(Choice::C), None]));
    assert!(graded(&gains, std::slice::from_ref(&wrong_key)).score > graded(&gains, &[]).score);
    assert_eq!(line(&graded(&same, std::slice::from_ref(&wrong_key))).0, "B", "what is right is told to others too");
    // Each is decided by what the earlier ones have left: the drop would take what the key has given.
    let dropped = fair(correction(2, "b", Drop, ""));
    let both = graded(&gains, &[wrong_key.clone(), dropped.clone()]);
    assert_eq!(both, graded(&gains, std::slice::from_ref(&wrong_key)));
    // Without the first, as after its revert, the second holds: the result depends on what holds alone.
    assert_eq!(line(&graded(&gains, std::slice::from_ref(&dropped))).2, Some(Drop));
}

#[test]
fn a_result_is_the_same_from_whatever_result_it_is_made() {
    use CorrectionKind::{Also, Drop};
    let responses = answered([Some(Choice::B), Some(Choice::C), Some(Choice::A)]);
    let keys: Vec<Arc<KeyedQuestion>> = responses.iter().map(|response| Arc::clone(&response.question)).collect();
    let (also, drop) = (correction(1, "b", Also, "C"), correction(2, "a", Drop, ""));
    let bare = scoring::grade(&responses, 60);
    assert_eq!(regrade(&bare, &keys, &[]), None);
    let one = regrade(&bare, &keys, &[&also]).unwrap();
    assert_eq!(regrade(&one, &keys, &[&also]), None, "it follows once");
    let two = regrade(&one, &keys, &[&also, &drop]).unwrap();
    assert_eq!(Some(&two), regrade(&bare, &keys, &[&also, &drop]).as_ref());
    assert_eq!(regrade(&two, &keys, &[&also]), Some(one));
    assert_eq!(regrade(&two, &keys, &[]), Some(bare.clone()), "after both are reverted");
    assert_eq!(regrade(&bare, &[], &[&also]), None, "the server has not graded it");
    let reversed: Vec<Arc<KeyedQuestion>> = keys.iter().rev().cloned().collect();
    assert_eq!(regrade(&bare, &reversed, &[&also, &drop]), Some(two));
}

#[test]
fn a_result_of_an_earlier_release_stays_as_it_is_where_nobody_corrects_it() {
    let responses = answered([Some(Choice::A); 3]);
    let keys: Vec<Arc<KeyedQuestion>> = responses.iter().map(|response| Arc::clone(&response.question)).collect();
    let mut old = scoring::grade(&responses, 60);
    old.topic_breakdown.clear();
    let elsewhere = correction(1, "q", CorrectionKind::Drop, "");
    assert_eq!(regrade(&old, &keys, &[&elsewhere]), None);
    let kept = fair(correction(2, "b", CorrectionKind::Key, "B"));
    assert_eq!(regrade(&old, &keys, &[&kept]), None, "nobody loses");
}

#[test]
fn letters_mean_what_was_asked() {
    let options = |texts: [&str; 2]| OptionsDigest::of(&texts.map(str::to_owned));
    let asked = KeyedQuestion { options: Some(options(["five", "six"])), ..(*question("b", 2, Choice::A)).clone() };
    let named = |kind, of_options| Correction { of_options, ..correction(1, "b", kind, "B") };
    let (same, other) = (Some(options(["five", "six"])), Some(options(["six", "five"])));
    assert!(named(CorrectionKind::Key, same).is_about(&asked) && !named(CorrectionKind::Key, None).is_about(&asked));
    assert!(
        !named(CorrectionKind::Key, other).is_about(&asked) && !named(CorrectionKind::Also, other).is_about(&asked)
    );
    assert!(named(CorrectionKind::Drop, other).is_about(&asked), "it names none");
    let old = KeyedQuestion { options: None, ..asked };
    assert!(!named(CorrectionKind::Key, other).is_about(&old), "what it was asked with is not known");
    assert!(named(CorrectionKind::Key, None).is_about(&old));
}

#[test]
fn an_outlook_tells_what_would_follow() {
    let place = TestPlace {
        sitting_id: Some(SITTING),
        template_id: None,
        grade: crate::grade::Grade::new(5).unwrap(),
        started_at: crate::time::moment::Moment::from_milliseconds(0),
        is_live: true,
    };
    let test = |selected: [Option<Choice>; 3]| {
        let responses = answered(selected);
        SatTest {
            session_id: Uuid::nil(),
            student: "Ada".to_owned(),
            place,
            result: scoring::grade(&responses, 60),
            keys: responses.into_iter().map(|response| response.question).collect(),
            course: Some((2, Band::From90)),
        }
    };
    let (rises, falls) = ([Some(Choice::A), Some(Choice::B), None], [Some(Choice::A), Some(Choice::A), None]);
    let outlook = |new: &Correction| {
        let mut outlook = CorrectionOutlook::default();
        for selected in [rises, falls, [None; 3]] {
            outlook.foresee(test(selected), &[], new);
        }
        serde_json::to_value(outlook).unwrap()
    };
    let told = |outlook: &serde_json::Value| {
        ["sessions", "rise", "fall", "stay", "kept", "otherBands", "otherOptions"]
            .map(|name| outlook[name].as_u64().unwrap())
    };
    let unfair = outlook(&correction(1, "b", CorrectionKind::Key, "B"));
    assert_eq!(told(&unfair), [3, 1, 1, 1, 0, 2, 0]);
    let fair = outlook(&fair(correction(1, "b", CorrectionKind::Key, "B")));
    assert_eq!(told(&fair), [3, 1, 0, 2, 1, 1, 0]);
    assert_eq!(fair["largest"].as_array().unwrap().len(), 1);
    assert_eq!(told(&outlook(&correction(1, "q", CorrectionKind::Drop, ""))), [0; 7], "nobody was asked it");
}
