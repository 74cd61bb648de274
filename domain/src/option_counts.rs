//! Which questions may show their options in another order, and the order that an attempt shows. It follows from the
//! attempt and the question alone, so that every server, and whoever seals a paper anew, finds the same.

use std::collections::HashMap;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::option_order::OptionOrder;
use super::question::{Choice, KeyedQuestion, OPTIONS, Question};

/// How many options a question has that may stand in another order; `None` if it has none, or they keep theirs.
#[must_use]
pub fn movable_options(question: &Question) -> Option<usize> {
    let may_move = !question.fixed_options && !question.is_number();
    Some(question.options.len()).filter(|count| may_move && OPTIONS.contains(count))
}

/// The question with its options in this order, if it still fits them: somebody may have edited the question since.
#[must_use]
pub fn keyed_in(question: &Question, order: Option<OptionOrder>) -> KeyedQuestion {
    let order = order.filter(|order| movable_options(question) == Some(order.count()));
    KeyedQuestion { order, ..question.keyed() }
}

/// How many options those questions have whose options may stand in another order, by their ids. It is empty for tests
/// that do not shuffle options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OptionCounts(HashMap<Arc<str>, u8>);

impl OptionCounts {
    /// Of those of these questions that have such options.
    #[must_use]
    pub fn of<'a>(questions: impl IntoIterator<Item = &'a Question>) -> Self {
        let count = |question: &Question| {
            let count = movable_options(question).and_then(|count| u8::try_from(count).ok())?;
            Some((Arc::from(question.id.as_str()), count))
        };
        questions.into_iter().filter_map(count).collect()
    }

    /// Whether no question has such options.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many such options a question has.
    #[must_use]
    pub fn get(&self, question_id: &str) -> Option<u8> {
        self.0.get(question_id).copied()
    }

    /// The questions with their options in the order in which this attempt shows them. The others stay as they are.
    #[must_use]
    pub fn shuffled(&self, mut paper: Vec<Arc<KeyedQuestion>>, session_id: Uuid) -> Vec<Arc<KeyedQuestion>> {
        if self.is_empty() {
            return paper;
        }
        for question in &mut paper {
            let order = self.get(&question.id).and_then(|count| order_of(session_id, &question.id, count));
            if order.is_some() {
                *question = Arc::new(KeyedQuestion { order, ..(**question).clone() });
            }
        }
        paper
    }
}

impl FromIterator<(Arc<str>, u8)> for OptionCounts {
    fn from_iter<I: IntoIterator<Item = (Arc<str>, u8)>>(counts: I) -> Self {
        Self(counts.into_iter().collect())
    }
}

impl Extend<(Arc<str>, u8)> for OptionCounts {
    fn extend<I: IntoIterator<Item = (Arc<str>, u8)>>(&mut self, counts: I) {
        self.0.extend(counts);
    }
}

impl IntoIterator for OptionCounts {
    type Item = (Arc<str>, u8);
    type IntoIter = std::collections::hash_map::IntoIter<Arc<str>, u8>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// One of all orders of so many options, each as likely as another; `None` is that of the bank. No generator is used
/// for it, since another release of one would give a test that goes on other orders.
fn order_of(session_id: Uuid, question_id: &str, options: u8) -> Option<OptionOrder> {
    let digest = Sha256::new().chain_update(session_id.as_bytes()).chain_update(question_id.as_bytes()).finalize();
    let mut number = digest.iter().take(8).fold(0, |number: u64, byte| number << 8 | u64::from(*byte));
    let mut letters = Choice::ALL.get(..usize::from(options))?.to_vec();
    // Each of the places from the last to the second is given to one of those that are left.
    for last in (1..letters.len()).rev() {
        let places = last as u64 + 1;
        letters.swap(last, usize::try_from(number % places).unwrap_or_default());
        number /= places;
    }
    OptionOrder::parse(&letters.into_iter().map(Choice::letter).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::Grade;
    use crate::number::NumberKey;
    use crate::question::{Difficulty, Key};

    fn question(id: &str, options: usize) -> Question {
        Question {
            id: id.to_owned(),
            grade: Grade::new(5).unwrap(),
            topic: "Numbers".to_owned(),
            subtopic: String::new(),
            difficulty: Difficulty::new(1).unwrap(),
            source: String::new(),
            kind: "multiple-choice".to_owned(),
            question: "Which?".to_owned(),
            options: (0..options).map(|number| format!("option {number}")).collect(),
            answer: Choice::B.into(),
            explanation: String::new(),
            image: String::new(),
            image_description: String::new(),
            fixed_options: false,
        }
    }

    fn mixed() -> Vec<Question> {
        let fixed = Question { fixed_options: true, ..question("fixed", 4) };
        let number = Question { answer: Key::from(NumberKey::exact("0.5")), ..question("number", 0) };
        vec![question("four", 4), question("three", 3), fixed, number, question("none", 0)]
    }

    fn keyed(questions: &[Question]) -> Vec<Arc<KeyedQuestion>> {
        questions.iter().map(|question| Arc::new(question.keyed())).collect()
    }

    #[test]
    fn options_that_are_fixed_and_numbers_stay() {
        let counts = OptionCounts::of(&mixed());
        let found = ["four", "three", "fixed", "number", "none"].map(|id| counts.get(id));
        assert_eq!(found, [Some(4), Some(3), None, None, None]);
        let mut moved = [0; 5];
        for session in 0..100 {
            let paper = counts.shuffled(keyed(&mixed()), Uuid::from_u128(session));
            for (count, question) in moved.iter_mut().zip(&paper) {
                *count += usize::from(question.order.is_some());
            }
            let mut lengths = paper.iter().filter_map(|question| question.order).map(OptionOrder::count);
            assert!(lengths.all(|length| [3, 4].contains(&length)), "{paper:?}");
        }
        assert!(moved[0] > 80 && moved[1] > 60, "{moved:?}");
        assert_eq!(moved[2..], [0, 0, 0]);
    }

    #[test]
    fn a_test_without_such_options_is_as_it_was() {
        let paper = keyed(&mixed());
        let shuffled = OptionCounts::default().shuffled(paper.clone(), Uuid::from_u128(1));
        assert!(paper.iter().zip(&shuffled).all(|(before, after)| Arc::ptr_eq(before, after)), "and shared");
        assert!(OptionCounts::of(&mixed()[2..]).is_empty());
    }

    #[test]
    fn an_attempt_finds_its_orders_again() {
        let counts = OptionCounts::of(&mixed());
        let ada = Uuid::from_u128(7);
        let first = counts.shuffled(keyed(&mixed()), ada);
        assert_eq!(counts.shuffled(keyed(&mixed()), ada), first);
        let mut reversed = mixed();
        reversed.reverse();
        let mut again = counts.shuffled(keyed(&reversed), ada);
        again.reverse();
        assert_eq!(again, first, "in another order of questions too");
        // In each release: tests go on while a server is replaced.
        let found = [("g5-001", 4), ("g5-002", 4), ("g5-003", 3), ("g5-004", 2), ("g5-001", 2)]
            .map(|(id, options)| order_of(Uuid::nil(), id, options).map(|order| order.to_string()));
        let known = [Some("ADCB"), Some("BACD"), Some("BAC"), Some("BA"), None];
        assert_eq!(found.each_ref().map(Option::as_deref), known);
    }

    #[test]
    fn each_order_is_as_likely_as_another() {
        for (options, orders) in [(2, 2), (3, 6), (4, 24)] {
            let mut counts: HashMap<Option<OptionOrder>, u32> = HashMap::new();
            for session in 0..orders * 500 {
                let order = order_of(Uuid::from_u128(session as u128), "g5-001", options);
                *counts.entry(order).or_default() += 1;
            }
            assert_eq!(counts.len(), orders, "{options}: also that of the bank");
            assert!(counts.values().all(|count| (350..650).contains(count)), "{counts:?}");
        }
        assert_eq!([0, 1, 5].map(|options| order_of(Uuid::nil(), "g5-001", options)), [None; 3]);
    }

    #[test]
    fn an_order_that_no_longer_fits_is_left_out() {
        let order = OptionOrder::parse("CADB");
        assert_eq!(keyed_in(&question("four", 4), order).order, order);
        assert_eq!(keyed_in(&question("four", 4), None).order, None);
        assert_eq!(keyed_in(&question("three", 3), order).order, None, "it has lost an option");
        assert_eq!(keyed_in(&Question { fixed_options: true, ..question("four", 4) }, order).order, None);
    }
}
