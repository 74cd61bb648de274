//! The order in which a student sees the options of a question. Everything that is stored, sent and counted has the
//! letters of the bank; this says which of them stands where on the screen or the paper.

use std::fmt::{self, Display, Formatter};

use rand::Rng;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use super::question::{Choice, OPTIONS};

/// Another order of 2 to 4 options than that of the bank. As text, and in JSON, the letters of the bank in the order in
/// which they are shown: of `CADB` the first option that is shown is C of the bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct OptionOrder {
    /// By their places. Letters beyond the options are at their own.
    shown: [Choice; 4],
    count: usize,
}

impl OptionOrder {
    /// Reads `CADB`: the letters of 2 to 4 options, each once. `None` for any other text, and for the order of the bank.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let letters = text.chars().map(|letter| Choice::parse(letter.encode_utf8(&mut [0; 4])));
        Self::of(&letters.collect::<Option<Vec<_>>>()?)
    }

    /// One of all orders of so many options, each as likely as another; `None` is that of the bank.
    pub fn drawn<R: Rng>(options: usize, random: &mut R) -> Option<Self> {
        let mut letters = Choice::ALL.get(..options)?.to_vec();
        letters.shuffle(random);
        Self::of(&letters)
    }

    /// The letters of the bank in the order in which they are shown.
    pub fn letters(self) -> impl Iterator<Item = Choice> {
        self.shown.into_iter().take(self.count)
    }

    /// How many options it is of.
    #[must_use]
    pub const fn count(self) -> usize {
        self.count
    }

    /// The letter under which the student sees an option of the bank.
    #[must_use]
    pub fn shown_as(self, canonical: Choice) -> Choice {
        let mut places = Choice::ALL.into_iter().zip(self.shown);
        places.find(|(_, letter)| *letter == canonical).map_or(canonical, |(place, _)| place)
    }

    /// The letter in the bank of the option that the student sees under this one.
    #[must_use]
    pub fn canonical(self, shown: Choice) -> Choice {
        let mut places = Choice::ALL.into_iter().zip(self.shown);
        places.find(|(place, _)| *place == shown).map_or(shown, |(_, letter)| letter)
    }

    fn of(letters: &[Choice]) -> Option<Self> {
        if !OPTIONS.contains(&letters.len()) {
            return None;
        }
        let of_bank = Choice::ALL.get(..letters.len())?;
        let has_all = of_bank.iter().all(|letter| letters.contains(letter));
        let mut shown = Choice::ALL;
        for (place, letter) in shown.iter_mut().zip(letters) {
            *place = *letter;
        }
        (has_all && letters != of_bank).then_some(Self { shown, count: letters.len() })
    }
}

impl Display for OptionOrder {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        self.letters().try_for_each(|letter| formatter.write_str(letter.letter()))
    }
}

impl TryFrom<String> for OptionOrder {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("an order of options has the letters of 2 to 4 options, each once")
    }
}

impl From<OptionOrder> for String {
    fn from(order: OptionOrder) -> Self {
        order.to_string()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;

    #[test]
    fn the_text_says_which_option_is_shown_first() {
        let order = OptionOrder::parse("CADB").unwrap();
        assert_eq!(order.letters().map(Choice::letter).collect::<String>(), "CADB");
        assert_eq!(Choice::ALL.map(|letter| order.canonical(letter).letter()), ["C", "A", "D", "B"]);
        assert_eq!(Choice::ALL.map(|letter| order.shown_as(letter).letter()), ["B", "D", "A", "C"]);
        assert_eq!((order.to_string().as_str(), order.count()), ("CADB", 4));
        assert_eq!(serde_json::to_string(&order).unwrap(), r#""CADB""#);
        assert_eq!(serde_json::from_str::<OptionOrder>(r#""CADB""#).unwrap(), order);
        let two = OptionOrder::parse("BA").unwrap();
        assert_eq!((two.count(), two.shown_as(Choice::A), two.canonical(Choice::A)), (2, Choice::B, Choice::B));
        assert_eq!((two.shown_as(Choice::D), two.canonical(Choice::D)), (Choice::D, Choice::D), "it has no fourth");
    }

    #[test]
    fn nothing_else_is_an_order() {
        for text in ["", "A", "AB", "ABC", "ABCD", "AA", "BB", "CA", "BCD", "DABE", "ABCDE", "cadb", "B A", "BA ", "Đ"]
        {
            assert_eq!(OptionOrder::parse(text), None, "{text:?}");
            assert!(serde_json::from_value::<OptionOrder>(text.into()).is_err(), "{text:?}");
        }
        for value in [serde_json::json!(null), serde_json::json!(3), serde_json::json!(["B", "A"])] {
            assert!(serde_json::from_value::<OptionOrder>(value).is_err());
        }
    }

    #[test]
    fn each_order_is_as_likely_as_another() {
        let mut random = StdRng::seed_from_u64(7);
        for (options, orders) in [(2, 2), (3, 6), (4, 24)] {
            let mut counts: HashMap<Option<OptionOrder>, u32> = HashMap::new();
            for _ in 0..orders * 500 {
                *counts.entry(OptionOrder::drawn(options, &mut random)).or_default() += 1;
            }
            assert_eq!(counts.len(), orders, "{options}: also that of the bank");
            assert!(counts.values().all(|count| (350..650).contains(count)), "{counts:?}");
        }
        for none in [0, 1, 5] {
            assert_eq!(OptionOrder::drawn(none, &mut random), None, "{none}");
        }
    }

    proptest! {
        #[test]
        fn letters_go_there_and_back(seed: u64, options in 2..5_usize) {
            let mut random = StdRng::seed_from_u64(seed);
            let Some(order) = OptionOrder::drawn(options, &mut random) else { return Ok(()) };
            prop_assert_eq!(OptionOrder::parse(&order.to_string()), Some(order));
            for letter in Choice::ALL {
                prop_assert_eq!(order.canonical(order.shown_as(letter)), letter);
                prop_assert_eq!(order.shown_as(order.canonical(letter)), letter);
            }
            let shown: Vec<Choice> = Choice::ALL.into_iter().take(options).map(|place| order.canonical(place)).collect();
            prop_assert_eq!(shown, order.letters().collect::<Vec<_>>());
        }
    }
}
