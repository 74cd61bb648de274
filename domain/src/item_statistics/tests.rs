//! Tests against the textbook formulas, computed slowly in floating point from all sessions at once.

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::number::NumberKey;

/// One answer: question, points, chosen option, right or wrong, seconds.
type Line = (usize, u32, Option<Choice>, bool, Option<u32>);

/// Students of different abilities, each with a test of `length` questions out of `bank`.
fn tests(random: &mut StdRng, count: usize, bank: usize, length: impl Fn(usize) -> usize) -> Vec<Vec<Line>> {
    let sit = |student: usize| {
        let ability: f64 = random.random_range(-1.5..1.5);
        let mut questions: Vec<usize> = (0..bank).collect();
        if length(student) < bank {
            questions.shuffle(random);
        }
        let sit = |question: usize| {
            let chance = 1.0 / (1.0 + (question as f64 / bank as f64 * 2.0 - 1.0 - ability).exp());
            let is_correct = random.random_bool(chance);
            let others = [None, Some(Choice::A), Some(Choice::B), Some(Choice::D)];
            let selected = if is_correct { Some(Choice::C) } else { others[random.random_range(0..4)] };
            (
                question,
                question as u32 % 5 + 1,
                selected,
                is_correct,
                random.random_bool(0.9).then(|| random.random_range(0..5_000)),
            )
        };
        questions.into_iter().take(length(student)).map(sit).collect()
    };
    (0..count).map(sit).collect()
}

fn figures(tests: &[Vec<Line>]) -> GradeItems {
    let mut statistics = ItemStatistics::default();
    for test in tests {
        let outcome = |&(question, points, selected, is_correct, time_taken_seconds): &Line| ItemResponse {
            question_id: format!("q{question:03}").into(),
            points,
            selected: selected.map(Selected::from),
            key: None,
            is_correct,
            time_taken_seconds,
            correction: None,
            also_right: AnswerSet::default(),
        };
        statistics.add(&test.iter().map(outcome).collect::<Vec<_>>());
    }
    statistics.figures(Grade::new(5).unwrap())
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn pearson(pairs: &[(f64, f64)]) -> Option<f64> {
    let (xs, ys): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let (x, y) = (mean(&xs), mean(&ys));
    let common: f64 = pairs.iter().map(|pair| (pair.0 - x) * (pair.1 - y)).sum();
    let spread = |values: &[f64], middle: f64| values.iter().map(|value| (value - middle).powi(2)).sum::<f64>();
    let spreads = spread(&xs, x) * spread(&ys, y);
    (spreads > 1e-12).then(|| common / spreads.sqrt())
}

fn earned<'a>(lines: impl Iterator<Item = &'a Line> + Clone) -> f64 {
    let points = |line: &Line| f64::from(line.1);
    lines.clone().filter(|line| line.3).map(points).sum::<f64>() / lines.map(points).sum::<f64>()
}

#[track_caller]
fn assert_near(found: Option<f64>, expected: Option<f64>) {
    let is_near = match (found, expected) {
        (Some(found), Some(expected)) => (found - expected).abs() < 0.000_051,
        (None, None) => true,
        _ => false,
    };
    assert!(is_near, "{found:?} is not {expected:?}");
}

fn assert_items(tests: &[Vec<Line>]) {
    let found = figures(tests);
    assert_eq!(found.sessions, tests.len() as u64);
    for item in &found.items {
        let question: usize = item.question_id[1..].parse().unwrap();
        let own: Vec<(&Vec<Line>, &Line)> =
            tests.iter().filter_map(|test| Some((test, test.iter().find(|line| line.0 == question)?))).collect();
        assert_eq!(item.attempts, own.len() as u64);
        let share = |is: &dyn Fn(&Line) -> bool| {
            Some(mean(&own.iter().map(|(_, line)| f64::from(u8::from(is(line)))).collect::<Vec<_>>()))
        };
        assert_near(Some(item.p_value), share(&|line| line.3));
        let options = [Some(Choice::A), Some(Choice::B), Some(Choice::C), Some(Choice::D), None];
        let letters = item.options.options.as_ref().unwrap();
        let shares = [letters.a, letters.b, letters.c, letters.d, item.options.none];
        for (found, option) in shares.into_iter().zip(options) {
            assert_near(Some(found), share(&|line| line.2 == option));
        }
        let others =
            |test: &Vec<Line>| earned(test.iter().filter(|line| line.0 != question).collect::<Vec<_>>().into_iter());
        let pairs: Vec<_> = own
            .iter()
            .filter(|(test, _)| test.len() > 1)
            .map(|(test, line)| (f64::from(u8::from(line.3)), others(test)))
            .collect();
        assert_near(item.discrimination, if pairs.is_empty() { None } else { pearson(&pairs) });
        let mut times: Vec<u32> =
            own.iter().filter_map(|(_, line)| line.4).map(|seconds| seconds.min(SECONDS_MAX)).collect();
        times.sort_unstable();
        let middle = times.len() / 2;
        let median = (!times.is_empty()).then(|| {
            if times.len() % 2 == 1 { times[middle] } else { (times[middle - 1] + times[middle]).div_ceil(2) }
        });
        assert_eq!(item.median_time, median.map(u64::from));
    }
    let asked: std::collections::BTreeSet<usize> = tests.iter().flatten().map(|line| line.0).collect();
    assert_eq!(found.items.len(), asked.len());
}

#[test]
fn figures_of_questions_are_those_of_the_textbook() {
    let mut random = StdRng::seed_from_u64(3);
    assert_items(&tests(&mut random, 400, 20, |_| 20));
    assert_items(&tests(&mut random, 300, 60, |student| 1 + student % 20));
    assert_items(&tests(&mut random, 7, 5, |_| 3));
    assert_items(&tests(&mut random, 1, 5, |_| 5));
    assert_items(&[]);
}

/// KR-20 with the variances of the population, as textbooks define it.
fn kr20(tests: &[Vec<Line>]) -> f64 {
    let questions = tests[0].len() as f64;
    let right: Vec<f64> = tests.iter().map(|test| test.iter().filter(|line| line.3).count() as f64).collect();
    let middle = mean(&right);
    let variance = mean(&right.iter().map(|right| (right - middle).powi(2)).collect::<Vec<_>>());
    let products = tests[0].iter().map(|line| {
        let own = tests.iter().map(|test| test.iter().find(|other| other.0 == line.0).unwrap());
        let p = mean(&own.map(|line| f64::from(u8::from(line.3))).collect::<Vec<_>>());
        p * (1.0 - p)
    });
    questions / (questions - 1.0) * (1.0 - products.sum::<f64>() / variance)
}

#[test]
fn reliability_of_one_paper_is_that_of_the_textbook() {
    let mut random = StdRng::seed_from_u64(20);
    for students in [2, 3, 10, 500] {
        let tests = tests(&mut random, students, 20, |_| 20);
        assert_near(figures(&tests).reliability, Some(kr20(&tests)));
    }
}

#[test]
fn reliability_of_drawn_papers_comes_near_that_of_one_paper() {
    let mut random = StdRng::seed_from_u64(8);
    // All questions are equally difficult, so the papers are too, although their questions differ.
    let mut drawn = tests(&mut random, 3_000, 400, |student| if student % 3 == 0 { 10 } else { 20 });
    for test in &mut drawn {
        let ability = f64::from(random.random_range(1..10_u8)) / 10.0;
        test.iter_mut().for_each(|line| line.3 = random.random_bool(ability));
    }
    // Abilities are uniform on 0.1 to 0.9: the variance between students is 1/15, and the mean p·q within is 11/60.
    let expected = |questions: f64| {
        let between = questions * questions / 15.0;
        between / (between + questions * 11.0 / 60.0)
    };
    let reliability = figures(&drawn).reliability.unwrap();
    let awaited = (expected(10.0) + 2.0 * expected(20.0)) / 3.0;
    assert!((reliability - awaited).abs() < 0.02, "{reliability} {awaited}");
    let few = figures(&drawn[..150]).reliability.unwrap();
    assert!((few - awaited).abs() < 0.06, "no more because each question was on few papers: {few} {awaited}");
}

#[test]
fn what_is_not_defined_is_null() {
    let line = |question, is_correct| (question, 1, None, is_correct, None);
    let all_alike = figures(&[vec![line(1, true), line(2, false)], vec![line(1, true), line(2, false)]]);
    assert_eq!(
        (all_alike.reliability, all_alike.items[0].discrimination, all_alike.items[0].median_time),
        (None, None, None)
    );
    let one_question = figures(&[vec![line(1, true)], vec![line(1, false)]]);
    assert_eq!(
        (one_question.reliability, one_question.items[0].discrimination, one_question.items[0].p_value),
        (None, None, 0.5)
    );
    assert_eq!(figures(&[vec![]]), figures(&[]));
    let json = serde_json::to_value(figures(&[vec![line(7, false), line(8, true)]])).unwrap();
    let options = serde_json::json!({ "A": 0.0, "B": 0.0, "C": 0.0, "D": 0.0, "none": 1.0 });
    let item = |id, p| serde_json::json!({ "questionId": id, "attempts": 1, "pValue": p, "discrimination": null, "medianTime": null, "options": options, "gradedBy": {} });
    assert_eq!(
        json,
        serde_json::json!({ "grade": 5, "sessions": 1, "reliability": null, "items": [item("q007", 0.0), item("q008", 1.0)] })
    );
}

#[test]
fn the_order_of_the_tests_changes_nothing() {
    let mut random = StdRng::seed_from_u64(5);
    let mut tests = tests(&mut random, 500, 40, |student| 10 + student % 11);
    let before = figures(&tests);
    tests.shuffle(&mut random);
    tests.iter_mut().for_each(|test| test.shuffle(&mut random));
    assert_eq!(figures(&tests), before);
}

#[test]
fn it_is_counted_by_which_keys_tests_were_graded() {
    let mut statistics = ItemStatistics::default();
    for key in [Some(Choice::A), Some(Choice::C), Some(Choice::A), None] {
        let (selected, is_correct) = (Some(Choice::A), key == Some(Choice::A));
        statistics.add(&[ItemResponse {
            question_id: "q".into(),
            points: 1,
            selected: selected.map(Selected::from),
            key: key.map(Key::from),
            is_correct,
            time_taken_seconds: None,
            correction: None,
            also_right: AnswerSet::default(),
        }]);
    }
    let counts = statistics.counts("q").unwrap();
    assert_eq!((counts.asked, counts.right, counts.chosen, counts.wrong), (4, 2, [4, 0, 0, 0], None));
    assert_eq!(counts.graded_by, BTreeMap::from([("A".to_owned(), 2), ("C".to_owned(), 1)]));
    let figures = serde_json::to_value(statistics.figures(Grade::new(5).unwrap())).unwrap();
    assert_eq!(figures["items"][0]["gradedBy"], serde_json::json!({ "A": 2, "C": 1 }));
}

/// A session with one question, whose answer is 1.5 centimetres.
fn typed(text: Option<&str>, also: &str) -> [ItemResponse<'static>; 1] {
    let key = Key::from(NumberKey { unit: "cm".to_owned(), ..NumberKey::exact("1.5") });
    let (selected, also_right) = (text.and_then(|text| key.parse_selected(text)), AnswerSet::of_text(also));
    let is_correct = selected.as_ref().is_some_and(|selected| key.accepts(selected));
    [ItemResponse {
        question_id: "q".into(),
        points: 1,
        selected,
        key: Some(key),
        is_correct,
        time_taken_seconds: None,
        correction: None,
        also_right,
    }]
}

#[test]
fn wrong_numbers_are_counted_by_their_values() {
    let mut statistics = ItemStatistics::default();
    for text in
        ["3/2", "2", "5/2", "2.0", " 2 cm", "2,5", "B", "4", "5", "6", "7", "none"].map(Some).into_iter().chain([None])
    {
        statistics.add(&typed(text, ""));
    }
    let counts = statistics.counts("q").unwrap();
    let wrong: Vec<(String, u64)> = counts.wrong.unwrap().into_iter().map(|one| (one.text, one.count)).collect();
    let told = |text: &str, count| (text.to_owned(), count);
    assert_eq!(wrong, [told("2", 3), told("5/2", 2), told("B", 1), told("4", 1), told("5", 1)]);
    assert_eq!((counts.asked, counts.answered, counts.right, counts.chosen), (13, 12, 1, [0; 4]));
    assert_eq!(counts.graded_by, BTreeMap::from([("1.5".to_owned(), 13)]));
    let figures = serde_json::to_value(statistics.figures(Grade::new(5).unwrap())).unwrap();
    assert_eq!(figures["items"][0]["options"], serde_json::json!({ "none": 0.0769 }));
    assert_eq!(figures["items"][0]["wrong"][0], serde_json::json!({ "text": "2", "count": 3 }));
}

#[test]
fn what_a_correction_has_made_right_is_no_wrong_number() {
    let mut statistics = ItemStatistics::default();
    for text in ["2", "2.0", "3"] {
        statistics.add(&typed(Some(text), "2"));
    }
    let wrong = statistics.counts("q").unwrap().wrong.unwrap();
    assert_eq!(wrong, [WrongNumber { text: "3".to_owned(), count: 1 }]);
}

#[test]
fn there_is_room_for_so_many_wrong_numbers_and_no_more() {
    let mut statistics = ItemStatistics::default();
    for number in 0..=WRONG_NUMBERS_KEPT_MAX {
        statistics.add(&typed(Some(&format!("{}", number + 10)), ""));
    }
    let last = format!("{}", WRONG_NUMBERS_KEPT_MAX + 10);
    for text in [last.as_str(), &last, "20", "20"] {
        statistics.add(&typed(Some(text), ""));
    }
    let wrong = statistics.counts("q").unwrap().wrong.unwrap();
    assert_eq!((wrong[0].text.as_str(), wrong[0].count, wrong[1].count), ("20", 3, 1));
}
