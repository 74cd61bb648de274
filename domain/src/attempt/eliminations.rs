//! The options of a question that a student has crossed out: a set of four bits, so that a seat stays small.

use crate::question::Choice;

/// The options that are crossed out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Eliminations(u8);

impl Eliminations {
    /// Those of these letters, which must ascend, so that every set has a single list. `None` for any other list.
    pub fn of_letters<'a>(letters: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        letters.into_iter().try_fold(Self::default(), |set, letter| {
            let bit = Self::bit(Choice::parse(letter)?);
            // A bit is a larger number than all bits below it together.
            (bit > set.0).then_some(Self(set.0 | bit))
        })
    }

    /// Those whose letters are in a text, as [`Self::text`] has written it.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        let found = Choice::ALL.into_iter().filter(|option| text.contains(option.letter()));
        Self(found.fold(0, |bits, option| bits | Self::bit(option)))
    }

    /// In their order.
    pub fn iter(self) -> impl Iterator<Item = Choice> {
        Choice::ALL.into_iter().filter(move |option| self.0 & Self::bit(*option) != 0)
    }

    /// The letters in one text, such as `AC`; `None` without any.
    #[must_use]
    pub fn text(self) -> Option<String> {
        (self.0 != 0).then(|| self.iter().map(Choice::letter).collect())
    }

    const fn bit(option: Choice) -> u8 {
        1 << option as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_set_has_one_list_and_one_text() {
        for bits in 0..16 {
            let set = Eliminations(bits);
            let letters: Vec<&str> = set.iter().map(Choice::letter).collect();
            assert_eq!(Eliminations::of_letters(letters.iter().copied()), Some(set));
            assert_eq!(set.text().unwrap_or_default(), letters.concat());
            assert_eq!(Eliminations::of_text(&letters.concat()), set);
        }
        assert_eq!(Eliminations::default().text(), None);
    }

    #[test]
    fn other_lists_are_refused() {
        for letters in
            [&["E"][..], &["a"], &[""], &["AB"], &["B", "A"], &["A", "A"], &["A", "C", "B"], &["A", "B", "?"]]
        {
            assert_eq!(Eliminations::of_letters(letters.iter().copied()), None, "{letters:?}");
        }
    }
}
