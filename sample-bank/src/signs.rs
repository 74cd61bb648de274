//! Signs by which somebody who does not read a question might pick an option: its size, its length, and what it shares
//! with the others. They are counted, so that none of them points to the right option more often than chance does.

use std::iter::Peekable;
use std::str::Chars;

use super::values::value;

/// How many signs there are.
const SIGNS: usize = 10;
/// How often one of four options is the right one.
const CHANCE: f64 = 0.25;

/// How likely each sign points to the right option.
pub(super) type Hits = [f64; SIGNS];

/// An option as somebody sees it who does not read the question.
struct Looks {
    size: Option<f64>,
    length: usize,
    /// Its numbers, words and marks, sorted.
    pieces: Vec<String>,
    /// Its characters without spaces, sorted.
    characters: Vec<char>,
}

impl Looks {
    fn of(option: &str) -> Self {
        let mut pieces = pieces(option);
        pieces.sort_unstable();
        let mut characters: Vec<char> = option.chars().filter(|letter| *letter != ' ').collect();
        characters.sort_unstable();
        Self { size: value(option), length: option.chars().count(), pieces, characters }
    }
}

/// Numbers with a sign right before them, words, exponents, and each other mark.
fn pieces(option: &str) -> Vec<String> {
    let mut letters = option.chars().peekable();
    let mut pieces = Vec::new();
    while let Some(letter) = letters.next() {
        let is_same: fn(char) -> bool = match letter {
            ' ' => continue,
            '−' if letters.peek().is_some_and(char::is_ascii_digit) => is_digit,
            _ if is_digit(letter) => is_digit,
            _ if is_raised(letter) => is_raised,
            _ if is_word(letter) => is_word,
            _ => is_nothing,
        };
        pieces.push(run(letter, &mut letters, is_same));
    }
    pieces
}

/// The letter and all that follow it of the same kind.
fn run(letter: char, letters: &mut Peekable<Chars<'_>>, is_same: fn(char) -> bool) -> String {
    let mut piece = String::from(letter);
    while let Some(next) = letters.next_if(|next| is_same(*next)) {
        piece.push(next);
    }
    piece
}

fn is_digit(letter: char) -> bool {
    letter.is_ascii_digit()
}

fn is_raised(letter: char) -> bool {
    "⁻⁰¹²³⁴⁵⁶⁷⁸⁹".contains(letter)
}

fn is_word(letter: char) -> bool {
    letter.is_alphabetic() || letter == '√'
}

fn is_nothing(_: char) -> bool {
    false
}

/// How many items two sorted lists share.
fn shared<T: Ord>(one: &[T], other: &[T]) -> usize {
    let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
    let mut count = 0;
    while let (Some(first), Some(second)) = (one.peek(), other.peek()) {
        match first.cmp(second) {
            std::cmp::Ordering::Less => {
                one.next();
            }
            std::cmp::Ordering::Greater => {
                other.next();
            }
            std::cmp::Ordering::Equal => {
                count += 1;
                one.next();
                other.next();
            }
        }
    }
    count
}

/// The right option and those that may stand beside it, with what each two share.
pub(super) struct OptionLooks {
    looks: Vec<Looks>,
    pieces: Vec<Vec<usize>>,
    characters: Vec<Vec<usize>>,
}

impl OptionLooks {
    /// The options whose looks these are; the right one is the first.
    pub(super) fn of(options: &[String]) -> Self {
        let looks: Vec<Looks> = options.iter().map(|option| Looks::of(option)).collect();
        let table = |count: &dyn Fn(&Looks, &Looks) -> usize| -> Vec<Vec<usize>> {
            looks.iter().map(|one| looks.iter().map(|other| count(one, other)).collect()).collect()
        };
        let pieces = table(&|one, other| shared(&one.pieces, &other.pieces));
        let characters = table(&|one, other| shared(&one.characters, &other.characters));
        Self { looks, pieces, characters }
    }

    /// How likely each sign points to the right option, which is the first, beside three others.
    #[allow(clippy::indexing_slicing, reason = "the places are those of the options")]
    pub(super) fn hits(&self, others: [usize; 3]) -> Hits {
        let [second, third, fourth] = others;
        let four = [0, second, third, fourth];
        let sums = |table: &[Vec<usize>]| {
            four.map(|one| four.iter().filter(|other| **other != one).map(|other| table[one][*other]).sum::<usize>())
        };
        let (pieces, characters) = (sums(&self.pieces), sums(&self.characters));
        let lengths = four.map(|one| self.looks[one].length);
        let [smallest, small, large, largest] = self.places(four);
        [
            smallest,
            small,
            large,
            largest,
            most(pieces),
            fewest(pieces),
            most(characters),
            fewest(characters),
            most(lengths),
            fewest(lengths),
        ]
    }

    /// For each place in the order of size, how likely the first option has it.
    #[allow(clippy::indexing_slicing, reason = "the places are those of the options")]
    fn places(&self, four: [usize; 4]) -> [f64; 4] {
        let sizes = four.map(|one| self.looks[one].size);
        let [Some(right), Some(second), Some(third), Some(fourth)] = sizes else {
            return [CHANCE; 4];
        };
        let smaller = [second, third, fourth].into_iter().filter(|other| *other < right).count();
        std::array::from_fn(|place| if place == smaller { 1.0 } else { 0.0 })
    }
}

/// How likely the first one is picked by somebody who takes the greatest.
fn most([right, others @ ..]: [usize; 4]) -> f64 {
    if others.iter().any(|other| *other > right) {
        return 0.0;
    }
    let equal = others.iter().filter(|other| **other == right).count();
    1.0 / (equal + 1) as f64
}

fn fewest(counts: [usize; 4]) -> f64 {
    most(counts.map(|count| usize::MAX - count))
}

/// How often the signs have pointed to the right option so far.
#[derive(Clone, Copy, Default)]
pub(super) struct SignTally {
    questions: f64,
    hits: Hits,
}

impl SignTally {
    /// How much more often than chance they would, after one more question with these hits.
    pub(super) fn excess(&self, hits: &Hits) -> f64 {
        let expected = CHANCE * (self.questions + 1.0);
        let over = self.hits.iter().zip(hits).map(|(before, now)| (before + now - expected).max(0.0));
        over.map(|over| over * over).sum()
    }

    pub(super) fn add(&mut self, hits: &Hits) {
        self.questions += 1.0;
        for (before, now) in self.hits.iter_mut().zip(hits) {
            *before += now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates(options: [&str; 4]) -> OptionLooks {
        OptionLooks::of(&options.map(str::to_owned))
    }

    #[test]
    fn an_option_falls_into_pieces() {
        assert_eq!(pieces("−12x² + 3 cm"), ["−12", "x", "²", "+", "3", "cm"]);
        assert_eq!(pieces("(x − 4)"), ["(", "x", "−", "4", ")"]);
        assert_eq!(shared(&["a", "b", "b"], &["b", "b", "c"]), 2);
    }

    #[test]
    fn each_sign_points_to_what_it_is_about() {
        let [.., longest, shortest] = candidates(["10", "7", "8", "9"]).hits([1, 2, 3]);
        assert_eq!((longest, shortest), (1.0, 0.0));
        let [smallest, _, _, largest, ..] = candidates(["10", "7", "8", "9"]).hits([1, 2, 3]);
        assert_eq!((smallest, largest), (0.0, 1.0));
        let [.., most, fewest, _, _, _, _] = candidates(["(1, 2)", "(1, 3)", "(4, 2)", "(5, 6)"]).hits([1, 2, 3]);
        assert_eq!((most, fewest), (1.0, 0.0));
        let [first, .., most, fewest, _, _, _, _] =
            candidates(["(1, 2)", "(1, 3)", "(4, 2)", "(4, 3)"]).hits([1, 2, 3]);
        assert_eq!((first, most, fewest), (0.25, 0.25, 0.25));
    }

    #[test]
    fn what_points_to_the_right_option_too_often_is_an_excess() {
        let mut tally = SignTally::default();
        let hit = |place: usize| std::array::from_fn(|sign| if sign == place { 1.0 } else { 0.0 });
        tally.add(&hit(2));
        assert!(tally.excess(&hit(2)) > tally.excess(&hit(3)));
    }
}
