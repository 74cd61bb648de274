//! Lists that are put together by hand.

use std::collections::HashSet;

use super::draw::QuestionPool;
use super::{Bucket, LIST_QUESTIONS_MAX, Template};

/// Why a list is not put together so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListRefusal {
    /// The template's mode has no such list.
    NoSuchBucket,
    /// The list is empty or too long, has a question twice, or one that it may not have.
    WrongQuestions,
}

impl Template {
    /// Makes these questions the list, in this order: 1 to 200 of the template's grades, each once, and none that the
    /// student sees elsewhere in the test. Whatever the template draws by does not matter. Pins of questions that no
    /// list has any more are forgotten.
    ///
    /// # Errors
    /// When the template has no such list, or it can't be this one.
    pub fn put_by_hand(&mut self, bucket: Bucket, ids: &[String], pool: &QuestionPool) -> Result<(), ListRefusal> {
        if !bucket.is_of(self.config.mode) {
            return Err(ListRefusal::NoSuchBucket);
        }
        let elsewhere = self.seen_beside(bucket);
        let known = pool.by_id();
        let mut listed = HashSet::new();
        let may_have = |id: &String| known.contains_key(id.as_str()) && !elsewhere.contains(id.as_str());
        let is_sound = (1..=LIST_QUESTIONS_MAX).contains(&ids.len())
            && ids.iter().all(|id| may_have(id) && listed.insert(id.as_str()));
        if !is_sound {
            return Err(ListRefusal::WrongQuestions);
        }
        self.papers.put(bucket, ids.to_vec());
        self.unpin_absent();
        Ok(())
    }
}
