//! One locked question in the place of another: which ones could take it, and the exchange.

use std::sync::Arc;

use rand::Rng;
use rand::seq::IndexedRandom;

use super::draw::QuestionPool;
use super::{Bucket, Template};
use crate::attempt::Mode;
use crate::question::KeyedQuestion;

/// A request to replace a question.
#[derive(Clone, Debug)]
pub struct Swap<'a> {
    /// The list that has the question.
    pub bucket: Bucket,
    /// The question's id.
    pub question_id: &'a str,
    /// The question as it is now; `None` when the bank has no such question.
    pub replaced: Option<KeyedQuestion>,
}

/// Why a question is not swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwapRefusal {
    /// The template's mode has no such list.
    NoSuchBucket,
    /// The question is not in the list.
    QuestionNotFound,
    /// No other question could take its place.
    NoneEligible,
    /// The named question can't take its place.
    NotEligible,
}

impl Template {
    /// The questions of its grades that could take the place of this one: the template chooses them, they have its
    /// difficulty, and its topic where topics matter, and the student sees them nowhere else in the test.
    ///
    /// # Errors
    /// When the template has no such list, or the list does not have the question.
    pub fn eligible<'a>(
        &self,
        swap: &Swap<'_>,
        pool: &'a QuestionPool,
    ) -> Result<Vec<&'a Arc<KeyedQuestion>>, SwapRefusal> {
        if !swap.bucket.is_of(self.config.mode) {
            return Err(SwapRefusal::NoSuchBucket);
        }
        let paper = self.paper(swap.bucket);
        let replaced = swap
            .replaced
            .as_ref()
            .filter(|_| paper.iter().any(|id| id == swap.question_id))
            .ok_or(SwapRefusal::QuestionNotFound)?;
        let mut seen = self.seen_beside(swap.bucket);
        seen.extend(paper.iter().map(String::as_str));
        let has_topics = self.config.mode == Mode::Standard && !self.config.choice.topic_targets.is_empty();
        let is_alike = |question: &KeyedQuestion| {
            question.difficulty == replaced.difficulty && (!has_topics || question.topic == replaced.topic)
        };
        Ok(pool.drawable().filter(|question| is_alike(question) && !seen.contains(&*question.id)).collect())
    }

    /// Replaces a question by the named one, or by a random eligible one, and returns the new id. A pin of the replaced
    /// question goes with it.
    ///
    /// # Errors
    /// The same as [`Self::eligible`]; also when the named question is not eligible, or none is.
    pub fn swap<R: Rng>(
        &mut self,
        swap: &Swap<'_>,
        replacement_id: Option<&str>,
        pool: &QuestionPool,
        random: &mut R,
    ) -> Result<Arc<str>, SwapRefusal> {
        let eligible = self.eligible(swap, pool)?;
        let chosen = match replacement_id {
            Some(id) => eligible.into_iter().find(|question| &*question.id == id).ok_or(SwapRefusal::NotEligible)?,
            None => eligible.choose(random).copied().ok_or(SwapRefusal::NoneEligible)?,
        };
        let mut paper = self.paper(swap.bucket).to_vec();
        for id in paper.iter_mut().filter(|id| *id == swap.question_id) {
            chosen.id.as_ref().clone_into(id);
        }
        self.papers.put(swap.bucket, paper);
        self.unpin_absent();
        Ok(Arc::clone(&chosen.id))
    }
}
