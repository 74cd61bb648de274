//! The letters of options on paper: those that the student saw, and for staff beside them those of the master copy. All
//! data have the letters of the bank, so this is the one place of a report that changes them.

use domain::option_order::OptionOrder;
use domain::question::Choice;

use super::words::PaperWords;

/// How the letters of one question are written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lettering {
    /// `None` where the options stood as in the bank.
    pub order: Option<OptionOrder>,
    /// Whether the letter of the master copy stands behind one that differs from it.
    pub has_master: bool,
}

impl Lettering {
    /// A letter of the bank as the student saw it, such as `B`, and as staff read it, such as `B (C)`. Whatever is no
    /// letter, such as a number, stays as it is.
    pub fn letter(self, canonical: &str) -> String {
        let seen = self.order.zip(Choice::parse(canonical)).map(|(order, choice)| order.shown_as(choice).letter());
        match seen {
            Some(seen) if self.has_master && seen != canonical => format!("{seen} ({canonical})"),
            Some(seen) => seen.to_owned(),
            None => canonical.to_owned(),
        }
    }

    /// The same of several, in the order of the letters that the student saw.
    pub fn letters<'a>(self, canonical: impl Iterator<Item = &'a str>) -> Vec<String> {
        let mut letters: Vec<String> = canonical.map(|letter| self.letter(letter)).collect();
        if self.order.is_some() {
            letters.sort_unstable();
        }
        letters
    }

    /// What a report says of its letters, if the options of a question stood in another order.
    pub const fn sentence(self, words: PaperWords) -> Option<&'static str> {
        match (self.order, self.has_master) {
            (None, _) => None,
            (Some(_), false) => Some(words.letters_of_test()),
            (Some(_), true) => Some(words.letters_of_test_and_master()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_is_the_one_that_was_seen_and_for_staff_also_that_of_the_master_copy() {
        let order = OptionOrder::parse("CBAD");
        let written = |has_master| ["A", "B", "C", "", "1/2"].map(|text| Lettering { order, has_master }.letter(text));
        assert_eq!(written(false), ["C", "B", "A", "", "1/2"]);
        assert_eq!(written(true), ["C (A)", "B", "A (C)", "", "1/2"]);
        assert_eq!(["A", "C"].map(|text| Lettering { order: None, has_master: true }.letter(text)), ["A", "C"]);
    }

    #[test]
    fn several_letters_are_in_the_order_of_those_that_were_seen() {
        let of = |order: &str| {
            let lettering = Lettering { order: OptionOrder::parse(order), has_master: false };
            lettering.letters(["D", "A"].into_iter())
        };
        assert_eq!(of("CADB"), ["B", "C"]);
        assert_eq!(of("ABCD"), ["D", "A"]);
    }
}
