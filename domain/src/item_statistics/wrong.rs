//! Which wrong numbers were typed how often: the number of values that students think of is small, but that of texts
//! that can be typed is not.

use std::collections::HashMap;

use serde::Serialize;
use utoipa::ToSchema;

use crate::number::{NumberKey, TypedValue};

/// Wrong numbers of a question that are counted. Those that come later are left out, which are rare ones.
pub const WRONG_NUMBERS_KEPT_MAX: usize = 200;
/// Wrong numbers of a question that are told.
pub const WRONG_NUMBERS_TOLD_MAX: usize = 5;

/// A wrong number that students have typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct WrongNumber {
    /// As it was first typed.
    pub text: String,
    /// Sessions with a number of this value, however it was typed.
    #[schema(minimum = 1)]
    pub count: u64,
}

/// The wrong numbers of one question.
#[derive(Debug, Default)]
pub(super) struct WrongNumbers {
    /// By value, each with its place among the first ones.
    counts: HashMap<TypedValue, (usize, WrongNumber)>,
}

impl WrongNumbers {
    pub(super) fn add(&mut self, typed: &str, key: &NumberKey) {
        let value = TypedValue::of(typed, &key.unit, key.language);
        let place = self.counts.len();
        if let Some((_, number)) = self.counts.get_mut(&value) {
            number.count += 1;
        } else if place < WRONG_NUMBERS_KEPT_MAX {
            self.counts.insert(value, (place, WrongNumber { text: typed.to_owned(), count: 1 }));
        }
    }

    /// Of two that are as frequent, the one that came first is first.
    pub(super) fn most_frequent(&self) -> Vec<WrongNumber> {
        let mut numbers: Vec<&(usize, WrongNumber)> = self.counts.values().collect();
        numbers.sort_by_key(|(place, number)| (std::cmp::Reverse(number.count), *place));
        numbers.into_iter().take(WRONG_NUMBERS_TOLD_MAX).map(|(_, number)| number.clone()).collect()
    }
}
