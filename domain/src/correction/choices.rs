//! A set of options, as one small value.

use crate::question::Choice;

/// Some of the four options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ChoiceSet(u8);

impl ChoiceSet {
    /// Without any.
    pub const NONE: Self = Self(0);

    /// Those of these letters; `None` if one is no option, or occurs twice.
    pub fn of_letters<'a>(letters: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        letters.into_iter().try_fold(Self::NONE, |set, letter| {
            let choice = Choice::parse(letter)?;
            (!set.has(choice)).then_some(set.with(choice))
        })
    }

    /// Those whose letters are in a text, as [`Self::text`] has written it.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        Choice::ALL.into_iter().filter(|choice| text.contains(choice.letter())).fold(Self::NONE, Self::with)
    }

    /// This set with one more.
    #[must_use]
    pub const fn with(self, choice: Choice) -> Self {
        Self(self.0 | 1 << choice as u8)
    }

    /// This set without one.
    #[must_use]
    pub const fn without(self, choice: Choice) -> Self {
        Self(self.0 & !(1 << choice as u8))
    }

    /// All of both.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether it has an option.
    #[must_use]
    pub const fn has(self, choice: Choice) -> bool {
        self.0 & 1 << choice as u8 != 0
    }

    /// How many it has.
    #[must_use]
    pub const fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// In their order.
    pub fn iter(self) -> impl Iterator<Item = Choice> {
        Choice::ALL.into_iter().filter(move |choice| self.has(*choice))
    }

    /// The letters in one text, such as `AC`.
    #[must_use]
    pub fn text(self) -> String {
        self.iter().map(Choice::letter).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_the_same_by_its_letters_and_by_its_text() {
        for bits in 0..16 {
            let set = ChoiceSet(bits);
            let letters: Vec<&str> = set.iter().map(Choice::letter).collect();
            assert_eq!(ChoiceSet::of_letters(letters.iter().rev().copied()), Some(set), "in any order");
            assert_eq!((ChoiceSet::of_text(&set.text()), set.count()), (set, letters.len()));
            assert!(Choice::ALL.into_iter().all(|choice| set.with(choice).has(choice)));
            assert!(Choice::ALL.into_iter().all(|choice| !set.without(choice).has(choice)));
        }
        for letters in [&["E"][..], &["b"], &[""], &["A", "A"], &["AB"]] {
            assert_eq!(ChoiceSet::of_letters(letters.iter().copied()), None, "{letters:?}");
        }
    }
}
