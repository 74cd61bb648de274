//! Finds questions whose options must keep their order, from the texts of the options alone. It is the rule for
//! questions that do not say it themselves; people may decide otherwise.

mod ordered;
mod wording;

use super::question::Question;
use super::text::same::seen;

/// The letters by which options name each other.
const LETTERS: [&str; 4] = ["A", "B", "C", "D"];
/// Options that are in order by accident when there are only two.
const ORDERED_MIN: usize = 3;

/// Returns whether the options of a question keep their order where options are shuffled: one of them speaks of the
/// others, as *All of the above*, *None of these* or *A and B* do, in English or in Vietnamese; they are the letters of
/// things in a picture; or they are numbers, of one unit, in ascending or descending order.
#[must_use]
pub fn are_fixed(options: &[String]) -> bool {
    options.iter().any(|option| wording::speaks_of_others(option)) || are_letters(options) || are_in_order(options)
}

/// Returns whether a question whose options become these keeps their order, if nobody says so: as before, unless they
/// ask for it now and did not before.
#[must_use]
pub fn are_fixed_after(before: &Question, options: &[String]) -> bool {
    before.fixed_options || are_fixed(options) && !are_fixed(&before.options)
}

/// Returns whether each option is the letter of its own place, as of things that a picture shows.
fn are_letters(options: &[String]) -> bool {
    options.len() >= ORDERED_MIN
        && options.iter().zip(LETTERS).all(|(option, letter)| seen(option).trim_matches(['(', ')', '.', '$']) == letter)
}

fn are_in_order(options: &[String]) -> bool {
    options.len() >= ORDERED_MIN && ordered::are_in_order(options)
}

#[cfg(test)]
mod tests;
