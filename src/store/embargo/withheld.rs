//! What is withheld now: the papers of sittings that have not been released, and the keys that questions and templates
//! keep.

use std::borrow::Borrow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use domain::question::{Question, WholeQuestion};
use domain::time::moment::Moment;
use uuid::Uuid;

use super::{KeptKeys, WithheldPaper};
use crate::store::releases::Withholding;

/// The templates and questions that only staff of their grades may see now.
#[derive(Debug, Default)]
pub struct Withheld {
    /// Another number after each change of papers, of keys, and of rules about keys.
    pub mark: u64,
    /// Another number for other papers.
    pub papers_mark: u64,
    templates: HashSet<Uuid>,
    /// By question, the sittings that withhold it.
    sittings: HashMap<String, Vec<Withholding>>,
    /// By sitting, how many of its questions are marked as practice.
    practice: HashMap<Uuid, usize>,
    /// The keys that are kept from students by what is said of questions and templates.
    pub keys: Arc<KeptKeys>,
    /// Another number whenever everyone may read the keys of other questions. Rules about times and people do not
    /// count: nothing that is kept ready for everyone depends on them.
    pub keys_mark: u64,
}

/// What of a finished test others are still to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WithheldPart {
    pub questions: usize,
    /// When it is shown, unless somebody decides on that, or the last of them hands in.
    pub until: Option<Moment>,
}

impl Withheld {
    /// What is withheld after a change of papers or of keys.
    pub(super) fn after(
        before: Option<&Self>,
        has_same_papers: bool,
        papers: &[WithheldPaper],
        keys: Arc<KeptKeys>,
    ) -> Self {
        let has_same_keys = before.is_some_and(|before| before.keys.shows_same(&keys));
        let last = before.map(|before| (before.mark, before.papers_mark, before.keys_mark));
        let (mark, papers_mark, keys_mark) = last.unwrap_or_default();
        let mut withheld = Self {
            mark: mark + 1,
            papers_mark: papers_mark + u64::from(!has_same_papers),
            keys_mark: keys_mark + u64::from(!has_same_keys),
            keys,
            ..Self::default()
        };
        for paper in papers {
            withheld.templates.insert(paper.of.template_id);
            let practice = paper.question_ids.iter().filter(|id| withheld.keys.is_practice(id)).count();
            withheld.practice.insert(paper.of.sitting_id, practice);
            for id in paper.question_ids.iter() {
                withheld.sittings.entry(id.clone()).or_default().push(paper.of);
            }
        }
        withheld
    }

    /// Whether a question is withheld.
    #[must_use]
    pub fn has(&self, question_id: &str) -> bool {
        self.sittings.contains_key(question_id)
    }

    /// The sittings that withhold a question.
    pub fn sittings_of(&self, question_id: &str) -> impl Iterator<Item = Uuid> {
        self.of_others(question_id, None).map(|of| of.sitting_id)
    }

    /// A question with its key, if everyone may have it while `PUBLIC_ANSWERS` is on: one that is neither withheld nor
    /// among those that are for exams alone.
    pub fn everyones<Q: Borrow<Question>>(&self, question: Q, secure: &HashSet<String>) -> Option<WholeQuestion<Q>> {
        let id = &Borrow::<Question>::borrow(&question).id;
        (!secure.contains(id) && !self.has(id)).then(|| WholeQuestion::for_staff(question))
    }

    /// How many questions of a sitting that has not been released are marked as practice.
    #[must_use]
    pub fn practice_of(&self, sitting_id: Uuid) -> usize {
        self.practice.get(&sitting_id).copied().unwrap_or_default()
    }

    /// Whether a sitting that has not been released names the template.
    #[must_use]
    pub fn has_template(&self, template_id: Uuid) -> bool {
        self.templates.contains(&template_id)
    }

    /// The sittings that withhold a question. A finished test's own one does not count: by the rule of that one its
    /// candidates may see what they have done.
    fn of_others(&self, question_id: &str, own_sitting: Option<Uuid>) -> impl Iterator<Item = &Withholding> {
        let of = self.sittings.get(question_id).into_iter().flatten();
        of.filter(move |of| Some(of.sitting_id) != own_sitting)
    }

    /// Whether a finished test would tell of a question that another sitting withholds.
    #[must_use]
    pub fn has_any<'a>(&self, mut question_ids: impl Iterator<Item = &'a str>, own_sitting: Option<Uuid>) -> bool {
        !self.sittings.is_empty() && question_ids.any(|id| self.of_others(id, own_sitting).next().is_some())
    }

    /// The same, with how many of its questions are withheld, and until when.
    #[must_use]
    pub fn part_of<'a>(
        &self,
        question_ids: impl Iterator<Item = &'a str>,
        own_sitting: Option<Uuid>,
    ) -> Option<WithheldPart> {
        let (mut questions, mut ends) = (0, Vec::new());
        for id in question_ids {
            let before = ends.len();
            ends.extend(self.of_others(id, own_sitting).map(|of| of.releases_at));
            questions += usize::from(ends.len() > before);
        }
        let until = ends.into_iter().collect::<Option<Vec<Moment>>>().and_then(|ends| ends.into_iter().max());
        (questions > 0).then_some(WithheldPart { questions, until })
    }
}
