//! Chooses the three wrong options of a question, so that neither their sizes nor their looks tell which one is right.

use std::collections::{BTreeMap, BTreeSet};

use super::signs::{Hits, OptionLooks, SignTally};
use super::slips::slips;
use super::values::{are_equal, value};
use super::{QuestionDraft, QuestionTemplate};

/// From how many wrong options the three are chosen.
const CANDIDATES_MAX: usize = 13;
/// How much an excess counts in the whole grade, compared with one among the questions of a kind.
const OF_GRADE: f64 = 0.3;
/// What it costs to take a wrong option that the template has as a further one, and one that is a slip.
const COST_OF_SPARE: f64 = 0.05;
const COST_OF_SLIP: f64 = 0.2;
/// What it costs that two of the three are slips, or all three.
const COST_OF_SLIPS: [f64; 4] = [0.0, 0.0, 0.2, 1.2];
/// What it costs to take a later wrong option of a template instead of an earlier one, which more students think of.
const COST_OF_PLACE: f64 = 0.01;

/// A kind of question: its topic and its subtopic.
type Kind = (&'static str, &'static str);

/// What has been chosen in a grade so far.
#[derive(Default)]
pub(super) struct Chooser {
    of_grade: SignTally,
    of_kinds: BTreeMap<Kind, SignTally>,
    /// The options of each question, the right one first.
    known: BTreeSet<Vec<String>>,
}

impl Chooser {
    /// Three wrong options for a question; fewer if the draft is not sound.
    pub(super) fn choose(&mut self, template: &QuestionTemplate, draft: &QuestionDraft) -> Vec<String> {
        let (options, costs): (Vec<String>, Vec<f64>) = candidates(draft).into_iter().unzip();
        let kind = self.of_kinds.entry((template.topic, template.subtopic)).or_default();
        let looks = OptionLooks::of(&options);
        let mut best: Option<(f64, Hits, Vec<String>)> = None;
        for three in triples(options.len()) {
            let hits = looks.hits(three);
            let costs = three.iter().filter_map(|place| costs.get(*place));
            let slips = costs.clone().filter(|cost| **cost >= COST_OF_SLIP).count();
            let cost = costs.sum::<f64>()
                + COST_OF_SLIPS.get(slips).copied().unwrap_or_default()
                + kind.excess(&hits)
                + OF_GRADE * self.of_grade.excess(&hits);
            let chosen = || three.iter().filter_map(|place| options.get(*place)).cloned().collect::<Vec<String>>();
            let is_better = best.as_ref().is_none_or(|(least, ..)| cost < *least);
            if is_better && !self.known.contains(&entry(draft, chosen())) {
                best = Some((cost, hits, chosen()));
            }
        }
        let Some((_, hits, chosen)) = best else {
            return Vec::new();
        };
        kind.add(&hits);
        self.of_grade.add(&hits);
        self.known.insert(entry(draft, chosen.clone()));
        chosen
    }
}

/// All options of a question in an order that does not depend on where they stand.
fn entry(draft: &QuestionDraft, mut wrong: Vec<String>) -> Vec<String> {
    wrong.sort_unstable();
    wrong.insert(0, draft.right.clone());
    wrong
}

/// The right option, and wrong ones that all differ in size, with what it costs to take each.
fn candidates(draft: &QuestionDraft) -> Vec<(String, f64)> {
    let cost = |place: usize| COST_OF_PLACE * place as f64;
    let mistakes = draft.wrong.iter().cloned().enumerate().map(|(place, text)| (text, cost(place)));
    let spare = draft.spare.iter().cloned().enumerate().map(|(place, text)| (text, COST_OF_SPARE + cost(place)));
    let near = if draft.is_closed { Vec::new() } else { slips(&draft.right) };
    let near = near.into_iter().enumerate().map(|(place, text)| (text, COST_OF_SLIP + cost(place)));
    let (mut kept, mut sizes) = (vec![(draft.right.clone(), 0.0)], vec![value(&draft.right)]);
    for (text, cost) in mistakes.chain(spare).chain(near) {
        let size = value(&text);
        let is_equal =
            |known: &Option<f64>| matches!((*known, size), (Some(one), Some(other)) if are_equal(one, other));
        let is_known = sizes.iter().any(is_equal) || kept.iter().any(|(known, _)| *known == text);
        if kept.len() <= CANDIDATES_MAX && !text.is_empty() && !is_known {
            kept.push((text, cost));
            sizes.push(size);
        }
    }
    kept
}

/// Three different places from 1 to below the count, in every way.
fn triples(count: usize) -> impl Iterator<Item = [usize; 3]> {
    (1..count).flat_map(move |first| {
        (first + 1..count).flat_map(move |second| (second + 1..count).map(move |third| [first, second, third]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dice;
    use crate::wording::{numbers, texts};

    fn template() -> QuestionTemplate {
        let draw = |_: &mut Dice| numbers(String::new(), 1, &[], String::new());
        QuestionTemplate { topic: "Topic", subtopic: "Subtopic", difficulty: 1, count: 8, draw }
    }

    #[test]
    fn the_right_number_has_every_place_though_all_mistakes_are_smaller() {
        let mut chooser = Chooser::default();
        let mut places = [0; 4];
        for right in 50..58_i64 {
            let draft = numbers(String::new(), right, &[right - 20, right - 10, right - 1], String::new());
            let wrong = chooser.choose(&template(), &draft);
            assert_eq!(wrong.len(), 3);
            places[wrong.iter().filter(|wrong| wrong.parse::<i64>().unwrap() < right).count()] += 1;
        }
        assert!(places.iter().all(|count| (1..=3).contains(count)), "{places:?}");
    }

    #[test]
    fn the_right_option_does_not_share_most_with_the_others_each_time() {
        let mut chooser = Chooser::default();
        let spare = ["(3, 4)", "(5, 6)"].map(str::to_owned);
        let draft = |right: &str| {
            let mistakes = ["(1, 4)", "(3, 2)", "(1, 6)"].map(str::to_owned);
            texts(String::new(), right.to_owned(), mistakes, String::new()).or(spare.clone())
        };
        let first = chooser.choose(&template(), &draft("(1, 2)"));
        assert!(first.contains(&"(3, 4)".to_owned()), "{first:?}");
        assert_ne!(chooser.choose(&template(), &draft("(1, 2)")), first);
    }

    #[test]
    fn only_what_a_closed_draft_has_is_taken() {
        let draft = numbers(String::new(), 5, &[6, 7, 8], String::new()).closed();
        assert_eq!(Chooser::default().choose(&template(), &draft), ["6", "7", "8"]);
    }
}
