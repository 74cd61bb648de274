//! How well each question tells strong students from weak ones: one figure for the results and for the figures by which
//! a release finds wrong keys.

use super::gathering::GatheredTest;

/// Differences of this size come from the way in which computers write fractions.
const NO_SPREAD: f64 = 1e-9;

/// The sums from which a correlation is reckoned: of whether a question was right, and of the share of all others.
#[derive(Clone, Default)]
struct Sums {
    count: f64,
    right: f64,
    rest: f64,
    rest_squared: f64,
    both: f64,
}

/// Of each question, the correlation between being right in it and the share of the other questions that were right.
pub(super) fn discriminations(tests: &[GatheredTest], questions: usize) -> Vec<Option<f64>> {
    let mut sums = vec![Sums::default(); questions];
    for test in tests {
        let answers = test.answers.iter().map(|(place, _, is_right)| (*place, *is_right));
        add(&mut sums, &answers.collect::<Vec<_>>());
    }
    sums.iter().map(Sums::correlation).collect()
}

/// Adds one test: the places of its questions, and whether each was right.
fn add(sums: &mut [Sums], answers: &[(u32, bool)]) {
    let of_all: f64 = answers.iter().map(|_| 1.0).sum();
    let right_of_all: f64 = answers.iter().map(|(_, is_right)| f64::from(u8::from(*is_right))).sum();
    if answers.len() < 2 {
        return;
    }
    for (place, is_right) in answers {
        let Some(of) = usize::try_from(*place).ok().and_then(|place| sums.get_mut(place)) else { continue };
        let right = f64::from(u8::from(*is_right));
        let rest = (right_of_all - right) / (of_all - 1.0);
        of.count += 1.0;
        of.right += right;
        of.rest += rest;
        of.rest_squared += rest * rest;
        of.both += right * rest;
    }
}

impl Sums {
    /// `None` where all were right, or none, or all did equally well elsewhere.
    fn correlation(&self) -> Option<f64> {
        if self.count < 1.0 {
            return None;
        }
        let (right, rest) = (self.right / self.count, self.rest / self.count);
        let of_right = right * (1.0 - right);
        let of_rest = self.rest_squared / self.count - rest * rest;
        let has_spread = of_right >= NO_SPREAD && of_rest >= NO_SPREAD;
        has_spread.then(|| (self.both / self.count - right * rest) / (of_right * of_rest).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests as words: `x` was right, `o` was wrong, and a blank was not asked.
    fn found(tests: &[&str], questions: usize) -> Vec<Option<f64>> {
        let mut sums = vec![Sums::default(); questions];
        for test in tests {
            let asked = (0_u32..).zip(test.chars()).filter(|(_, answer)| *answer != ' ');
            add(&mut sums, &asked.map(|(place, answer)| (place, answer == 'x')).collect::<Vec<_>>());
        }
        sums.iter().map(Sums::correlation).collect()
    }

    #[test]
    fn the_discrimination_is_the_correlation_with_the_rest_of_the_test() {
        let of = found(&["xoxx", "xoxx", "oxoo", "oxoo"], 4);
        assert!(of[0].is_some_and(|of| (of - 1.0).abs() < 1e-6), "{of:?}");
        assert!(of[1].is_some_and(|of| (of + 1.0).abs() < 1e-6), "{of:?}");
    }

    #[test]
    fn there_is_none_where_all_are_alike_or_nobody_was_asked() {
        let of = found(&["xxo", "xox"], 4);
        assert!(of[0].is_none() && of[3].is_none(), "{of:?}");
        let papers_differ = found(&["x xx", "x xx", "o  o", " xo "], 4);
        assert!(papers_differ[0].is_some_and(|of| (of - 1.0).abs() < 1e-6), "{papers_differ:?}");
    }
}
