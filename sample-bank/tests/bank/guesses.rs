//! Somebody who picks options by their looks and sizes, without reading the questions: no rule for that may be right
//! much more often than chance is.

use std::collections::BTreeMap;

use regex::Regex;
use sample_bank::{SampleQuestion, bank};

use super::{SOLVERS, algebra, latex, none_of, reading};

/// The part of a grade's questions that no rule may find.
const RIGHT_MAX: f64 = 0.30;
/// The part of the questions of a kind whose right option may have one place in the order of size, or share most with
/// the others.
const OF_KIND_MAX: f64 = 0.67;
/// How many questions of a kind there must be to tell.
const OF_KIND_MIN: usize = 3;
const CHANCE: f64 = 0.25;
/// Sizes that differ by less than this part of them are equal.
const EQUAL: f64 = 1e-9;

/// The options of a question as on paper, and which is right.
struct Shown {
    options: [String; 4],
    right: usize,
}

impl Shown {
    fn of(question: &SampleQuestion) -> Self {
        let options = question.options.each_ref().map(|option| latex::plain(option));
        Self { options, right: "ABCD".find(question.answer).unwrap() }
    }

    /// The right option's place in the order of size; `None` where not all four have a size of their own.
    fn place(&self) -> Option<usize> {
        let sizes = self.sizes()?;
        Some(sizes.iter().filter(|size| **size < sizes[self.right]).count())
    }

    fn sizes(&self) -> Option<[f64; 4]> {
        let [Some(one), Some(two), Some(three), Some(four)] = self.options.each_ref().map(|option| size(option)) else {
            return None;
        };
        let sizes = [one, two, three, four];
        let is_equal = |one: f64, other: f64| (one - other).abs() <= EQUAL * one.abs().max(other.abs());
        let is_alone = |size: &f64| sizes.iter().filter(|other| is_equal(**other, *size)).count() == 1;
        sizes.iter().all(is_alone).then_some(sizes)
    }

    /// How likely the right option is picked by somebody who takes the one with the most points, or one of these.
    fn is_picked(&self, points: [f64; 4]) -> f64 {
        let most = points.iter().copied().fold(f64::MIN, f64::max);
        let best = points.iter().filter(|points| **points >= most).count();
        if points[self.right] >= most { 1.0 / best as f64 } else { 0.0 }
    }
}

/// What an option is worth: minutes of times, hours of whole and half hours, and otherwise its number.
fn size(option: &str) -> Option<f64> {
    thread_local! {
        static TIME: Regex = Regex::new(r"^(\d+):(\d\d)$|^(\d+) hours?(?: (\d+) minutes)?$").unwrap();
    }
    if let Some(hour) = option.strip_prefix("half past ") {
        return hour.parse::<f64>().ok().map(|hour| hour + 0.5);
    }
    if let Some((times, rest)) = option.split_once(" remainder ") {
        return Some(times.parse::<f64>().unwrap() + rest.parse::<f64>().unwrap() / 100.0);
    }
    let time = TIME.with(|time| {
        let found = time.captures(option)?;
        let part = |group: usize| found.get(group).map_or(0.0, |part| part.as_str().parse::<f64>().unwrap());
        Some(60.0 * (part(1) + part(3)) + part(2) + part(4))
    });
    let number = option.strip_prefix("x = ").unwrap_or(option);
    if option.contains(" or ") {
        return None;
    }
    time.or_else(|| reading::number(number).map(algebra::real)).or_else(|| algebra::amount(number))
}

/// Points for each option by what it shares with the others.
fn shared<T: PartialEq>(parts: &[Vec<T>; 4]) -> [f64; 4] {
    let count = |one: &[T], other: &[T]| {
        let mut left: Vec<&T> = other.iter().collect();
        one.iter()
            .filter(|part| left.iter().position(|known| known == part).map(|at| left.swap_remove(at)).is_some())
            .count()
    };
    std::array::from_fn(|one| {
        let others = (0..4).filter(|other| *other != one);
        others.map(|other| count(&parts[one], &parts[other])).sum::<usize>() as f64
    })
}

fn shared_pieces(shown: &Shown) -> [f64; 4] {
    thread_local! {
        static PIECE: Regex = Regex::new(r"−?\d+|[\p{L}√]+|[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+|[^\s\w]").unwrap();
    }
    let pieces = |option: &String| {
        PIECE.with(|piece| piece.find_iter(option).map(|found| found.as_str().to_owned()).collect::<Vec<_>>())
    };
    shared(&shown.options.each_ref().map(pieces))
}

fn shared_characters(shown: &Shown) -> [f64; 4] {
    shared(&shown.options.each_ref().map(|option| option.chars().filter(|letter| *letter != ' ').collect::<Vec<_>>()))
}

fn lengths(shown: &Shown) -> [f64; 4] {
    shown.options.each_ref().map(|option| option.chars().count() as f64)
}

fn by_size(shown: &Shown, place: usize) -> [f64; 4] {
    let Some(sizes) = shown.sizes() else {
        return [0.0; 4];
    };
    sizes.map(|size| f64::from(sizes.iter().filter(|other| **other < size).count() == place))
}

/// The one whose size is nearest to those of the others, all together.
fn nearest(shown: &Shown) -> [f64; 4] {
    let sizes = shown.sizes().unwrap_or_default();
    sizes.map(|size| -sizes.iter().map(|other| (other - size).abs()).sum::<f64>())
}

/// Points that a rule gives to each option.
type Points = fn(&Shown) -> [f64; 4];

const RULES: [(&str, Points); 11] = [
    ("the smallest", |shown| by_size(shown, 0)),
    ("the second", |shown| by_size(shown, 1)),
    ("the third", |shown| by_size(shown, 2)),
    ("the largest", |shown| by_size(shown, 3)),
    ("nearest to the others", nearest),
    ("shares most", shared_pieces),
    ("shares least", |shown| shared_pieces(shown).map(|points| -points)),
    ("shares most characters", shared_characters),
    ("shares fewest characters", |shown| shared_characters(shown).map(|points| -points)),
    ("the longest", lengths),
    ("the shortest", |shown| lengths(shown).map(|length| -length)),
];

fn shown(grade: u8) -> Vec<Shown> {
    bank(grade).iter().map(Shown::of).collect()
}

/// The questions of each kind.
fn kinds() -> BTreeMap<(u8, String, String), Vec<Shown>> {
    let mut kinds: BTreeMap<_, Vec<Shown>> = BTreeMap::new();
    for question in SOLVERS.iter().flat_map(|(grade, _)| bank(*grade)) {
        let kind = (question.grade, question.topic.clone(), question.subtopic.clone());
        kinds.entry(kind).or_default().push(Shown::of(&question));
    }
    kinds
}

#[test]
fn no_rule_finds_many_right_options() {
    let mut failures = Vec::new();
    for (grade, _) in SOLVERS {
        let questions = shown(grade);
        for (name, points) in RULES {
            let right: f64 = questions.iter().map(|shown| shown.is_picked(points(shown))).sum();
            let part = right / questions.len() as f64;
            if part >= RIGHT_MAX {
                failures.push(format!("grade {grade}, {name}: {part:.3}"));
            }
        }
    }
    none_of(&failures);
}

/// Somebody who has seen the other questions of each kind takes the place that the right option mostly had there.
#[test]
fn what_others_of_a_kind_show_does_not_help() {
    let mut right: BTreeMap<u8, Vec<f64>> = BTreeMap::new();
    for ((grade, ..), questions) in kinds() {
        let places: Vec<Option<usize>> = questions.iter().map(Shown::place).collect();
        for (index, place) in places.iter().enumerate() {
            let mut seen = [0_usize; 4];
            let others = places.iter().enumerate().filter(|(other, _)| *other != index);
            others.filter_map(|(_, place)| *place).for_each(|place| seen[place] += 1);
            let most = *seen.iter().max().unwrap();
            let likely: Vec<usize> = (0..4).filter(|place| seen[*place] == most).collect();
            let picked = match place {
                Some(place) if likely.contains(place) => 1.0 / likely.len() as f64,
                Some(_) => 0.0,
                None => CHANCE,
            };
            right.entry(grade).or_default().push(picked);
        }
    }
    for (grade, picked) in right {
        let part = picked.iter().sum::<f64>() / picked.len() as f64;
        assert!(part < RIGHT_MAX, "grade {grade}: {part:.3}");
    }
}

#[test]
fn no_kind_of_question_has_its_right_option_in_one_place() {
    let mut failures = Vec::new();
    for (kind, questions) in kinds() {
        let places: Vec<usize> = questions.iter().filter_map(Shown::place).collect();
        for place in 0..4 {
            let count = places.iter().filter(|known| **known == place).count();
            if places.len() >= OF_KIND_MIN && count as f64 > OF_KIND_MAX * places.len() as f64 {
                failures.push(format!("{kind:?}: {places:?}"));
            }
        }
        let most: f64 = questions.iter().map(|shown| shown.is_picked(shared_pieces(shown))).sum();
        if questions.len() >= OF_KIND_MIN && most > OF_KIND_MAX * questions.len() as f64 {
            failures.push(format!("{kind:?}: shares most in {most} of {}", questions.len()));
        }
    }
    none_of(&failures);
}

#[test]
fn a_rule_that_would_help_is_found_out() {
    let shown = |options: [&str; 4]| Shown { options: options.map(str::to_owned), right: 0 };
    assert_eq!(shown(["12 cm", "8 cm", "1 1/2 cm", "10 cm"]).place(), Some(3));
    assert_eq!(shown(["1:05", "12:50", "2:05", "1:10"]).place(), Some(0));
    assert_eq!(shown(["2x", "3x", "4", "5"]).place(), None);
    let points = shown(["(1, 2)", "(1, 3)", "(5, 2)", "(4, 6)"]);
    assert_eq!(points.is_picked(shared_pieces(&points)), 1.0);
    assert_eq!(points.is_picked([0.0; 4]), CHANCE);
}
