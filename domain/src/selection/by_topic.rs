//! Drawing the questions of a paper by topic: so many of each, alone or together with so many of each difficulty.

use std::collections::BTreeMap;
use std::sync::Arc;

use rand::Rng;
use rand::seq::IndexedRandom;

use super::Targets;
use super::flow::{ByLevel, TopicRow, fill};
use crate::question::{Difficulty, KeyedQuestion};

/// How many questions of each topic.
pub type TopicTargets = BTreeMap<String, usize>;

/// The questions of one topic by difficulty.
type Shelf<'a> = [Vec<&'a Arc<KeyedQuestion>>; Difficulty::COUNT];

/// Draws from `pool` what is wanted of each topic beside the questions that are `there` already, which count. Returns
/// the drawn ones, in no particular order.
///
/// With `difficulties` both hold together: no topic and no difficulty gets more than it wants, and as many questions as
/// possible are drawn. Without them the difficulties are as even as the stock allows.
pub fn draw_by_topic<R: Rng>(
    pool: &[Arc<KeyedQuestion>],
    there: &[Arc<KeyedQuestion>],
    wanted: &TopicTargets,
    difficulties: Option<Targets>,
    random: &mut R,
) -> Vec<Arc<KeyedQuestion>> {
    let mut shelves: BTreeMap<&str, Shelf<'_>> =
        wanted.keys().map(|topic| (topic.as_str(), Shelf::default())).collect();
    for question in pool {
        let level = usize::from(question.difficulty.number()) - 1;
        if let Some(place) = shelves.get_mut(&*question.topic).and_then(|shelf| shelf.get_mut(level)) {
            place.push(question);
        }
    }
    let of_topic = topics_of(there);
    let rows: Vec<TopicRow> = shelves
        .iter()
        .zip(wanted.values())
        .map(|((topic, shelf), wanted)| TopicRow {
            stock: stock_of(shelf),
            wanted: wanted.saturating_sub(of_topic.get(topic).copied().unwrap_or_default()),
        })
        .collect();
    let table = fill(&rows, Targets::of(there), difficulties, random);
    let mut drawn = Vec::new();
    for (shelf, taken) in shelves.values().zip(table) {
        for (place, count) in shelf.iter().zip(taken) {
            drawn.extend(place.sample(random, count).map(|question| Arc::clone(question)));
        }
    }
    drawn
}

/// How many of these questions each topic has.
#[must_use]
pub fn topics_of(questions: &[Arc<KeyedQuestion>]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for question in questions {
        *counts.entry(&*question.topic).or_default() += 1;
    }
    counts
}

fn stock_of(shelf: &Shelf<'_>) -> ByLevel {
    let mut stock = ByLevel::default();
    for (count, place) in stock.iter_mut().zip(shelf) {
        *count = place.len();
    }
    stock
}
