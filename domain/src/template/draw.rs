//! Drawing the lists of a template: what is pinned stays, and the rest is drawn from what the template chooses.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use rand::Rng;
use rand::seq::SliceRandom;
use serde::Serialize;

use super::choice::{ListOrder, TopicTargets};
use super::{Bucket, LIST_QUESTIONS_MAX, Lists, Papers, Template, TemplateConfig};
use crate::attempt::Mode;
use crate::band::Band;
use crate::option_counts::OptionCounts;
use crate::question::{Difficulty, KeyedQuestion};
use crate::question_types::QuestionTypes;
use crate::selection::by_topic::{draw_by_topic, topics_of};
use crate::selection::{Targets, draw_exactly};
use crate::text::order::compare_names;

/// The questions of a template's grades.
#[derive(Clone, Debug, Default)]
pub struct QuestionPool {
    /// All of them, which may be pinned and listed by hand.
    pub all: Vec<Arc<KeyedQuestion>>,
    /// The ids of those that may be drawn; `None` if all of these types may.
    pub chosen: Option<HashSet<String>>,
    /// The types that may be drawn.
    pub types: QuestionTypes,
    /// How many options questions have that may stand in another order, of each grade.
    pub movable: Vec<Arc<OptionCounts>>,
}

impl QuestionPool {
    /// The questions that may be drawn.
    pub fn drawable(&self) -> impl Iterator<Item = &Arc<KeyedQuestion>> {
        let chosen = self.chosen.as_ref();
        let of_types = self.all.iter().filter(|question| self.types.have(&question.answer));
        of_types.filter(move |question| chosen.is_none_or(|chosen| chosen.contains(&*question.id)))
    }

    /// Returns whether all these questions are of the grades.
    #[must_use]
    pub fn has_all(&self, ids: &[String]) -> bool {
        let known = self.by_id();
        ids.iter().all(|id| known.contains_key(id.as_str()))
    }

    /// How many options a question has that may stand in another order; `None` if it has none, or they keep theirs.
    #[must_use]
    pub fn movable_options(&self, id: &str) -> Option<u8> {
        self.movable.iter().find_map(|counts| counts.get(id))
    }

    pub(super) fn by_id(&self) -> HashMap<&str, &Arc<KeyedQuestion>> {
        self.all.iter().map(|question| (&*question.id, question)).collect()
    }
}

/// How many questions were missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Shortfalls {
    /// Of each difficulty; only lists that lack some are included.
    #[serde(flatten)]
    pub lists: Lists<BTreeMap<u8, usize>>,
    /// Of each topic; only topics that lack some are included.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub topics: TopicTargets,
}

impl Template {
    /// Draws every list of the config again. What is pinned stays in the lists that have it, or comes into the first
    /// list; a pin of a question that is not in the pool is forgotten. The bands may share questions, since a student
    /// gets only one of them, but none repeats a question of session 1. The forms are gone, to be made anew.
    pub fn draw<R: Rng>(&mut self, pool: &QuestionPool, random: &mut R) -> Shortfalls {
        let (papers, shortfalls) = generate(&self.config, &self.papers, pool, random);
        self.papers = papers;
        self.forms.clear();
        self.unpin_absent();
        shortfalls
    }
}

fn generate<R: Rng>(
    config: &TemplateConfig,
    before: &Papers,
    pool: &QuestionPool,
    random: &mut R,
) -> (Papers, Shortfalls) {
    let (mut papers, mut shortfalls) = (Papers::default(), Shortfalls::default());
    let known = pool.by_id();
    let pins: Vec<&Arc<KeyedQuestion>> =
        config.choice.pinned.iter().filter_map(|id| known.get(id.as_str()).copied()).collect();
    for bucket in Bucket::all(config.mode) {
        let (own, others): (Vec<_>, Vec<_>) = pins.iter().partition(|pin| is_pinned_to(bucket, &pin.id, before));
        let mut list: Vec<Arc<KeyedQuestion>> = own.into_iter().map(Arc::clone).collect();
        let mut taken: HashSet<&str> = papers.session1.iter().flatten().map(String::as_str).collect();
        taken.extend(list.iter().map(|question| &*question.id));
        if bucket == Bucket::Session1 {
            taken.extend(others.into_iter().map(|pin| &*pin.id));
        }
        let free: Vec<Arc<KeyedQuestion>> =
            pool.drawable().filter(|question| !taken.contains(&*question.id)).cloned().collect();
        let targets = config.targets.get(bucket).copied();
        let topics = (config.mode == Mode::Standard).then_some(&config.choice.topic_targets);
        let topics = topics.filter(|topics| !topics.is_empty());
        let mut drawn = match topics {
            Some(topics) => draw_by_topic(&free, &list, topics, targets, random),
            None => draw_exactly(&free, targets.unwrap_or_default().without(Targets::of(&list)), random),
        };
        // Pins beside the targets leave less room than these need.
        drawn.shuffle(random);
        drawn.truncate(LIST_QUESTIONS_MAX.saturating_sub(list.len()));
        list.extend(drawn);
        arrange(&mut list, config.choice.order, random);
        let missing = missing_difficulties(targets.unwrap_or_default(), &list);
        if !missing.is_empty() {
            shortfalls.lists.put(bucket, missing);
        }
        if let Some(topics) = topics {
            shortfalls.topics = missing_topics(topics, &list);
        }
        papers.put(bucket, list.iter().map(|question| question.id.to_string()).collect());
    }
    (papers, shortfalls)
}

/// Returns whether a draw keeps this pinned question in a list.
fn is_pinned_to(bucket: Bucket, id: &str, before: &Papers) -> bool {
    let is_in = |band: Band| before.session2.get(&band).is_some_and(|list| list.iter().any(|other| other == id));
    match bucket {
        Bucket::Standard => true,
        Bucket::Session1 => !Band::ALL.into_iter().any(is_in),
        Bucket::Session2(band) => is_in(band),
    }
}

/// Puts a list into its order; what the order leaves open is random.
fn arrange<R: Rng>(list: &mut [Arc<KeyedQuestion>], order: ListOrder, random: &mut R) {
    list.shuffle(random);
    match order {
        ListOrder::Mixed => {}
        ListOrder::EasyFirst => list.sort_by_key(|question| question.difficulty),
        ListOrder::ByTopic => list.sort_by(|one, other| compare_by_topic(one, other)),
    }
}

/// The order of questions by topic.
pub(super) fn compare_by_topic(one: &KeyedQuestion, other: &KeyedQuestion) -> Ordering {
    compare_names(&one.topic, &other.topic).then_with(|| one.difficulty.cmp(&other.difficulty))
}

fn missing_difficulties(targets: Targets, list: &[Arc<KeyedQuestion>]) -> BTreeMap<u8, usize> {
    let missing = targets.without(Targets::of(list)).0;
    Difficulty::all().map(Difficulty::number).zip(missing).filter(|(_, count)| *count > 0).collect()
}

fn missing_topics(targets: &TopicTargets, list: &[Arc<KeyedQuestion>]) -> TopicTargets {
    let there = topics_of(list);
    let missing = targets.iter().map(|(topic, wanted)| {
        (topic.clone(), wanted.saturating_sub(there.get(topic.as_str()).copied().unwrap_or_default()))
    });
    missing.filter(|(_, count)| *count > 0).collect()
}
