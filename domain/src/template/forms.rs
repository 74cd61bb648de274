//! The forms of a template beside the first, which is its list: the same questions in another order, or others like
//! them, with options in another order (`docs/decisions/0084-forms-and-options-in-another-order.md`).
//!
//! They follow the list whenever it changes. Each has as many questions of each topic, difficulty and type as the list,
//! and what it has already stays where it can, so that nobody has to look at it again.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use super::choice::ListOrder;
use super::draw::{QuestionPool, compare_by_topic};
use super::{Bucket, Template};
use crate::option_order::OptionOrder;
use crate::question::{Difficulty, KeyedQuestion};

/// A form of a template beside the first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct TemplateForm {
    /// The ids of its questions, in order.
    pub question_ids: Vec<String>,
    /// By id, the orders of options. Questions whose options stand as in the bank have none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub orders: BTreeMap<String, OptionOrder>,
}

impl Template {
    /// Lets the forms follow the list, which was `list_before` when they followed it last. What a form has of that list
    /// alone it loses, and what the list has gained from a form the form loses too; without any list before, the forms
    /// keep nothing that the list has.
    ///
    /// With parallel questions each question that is not pinned gives way, in the other forms, to one that the template
    /// chooses, of the same topic, difficulty and type, that neither the list nor another form has. Where there are too
    /// few of these, forms have questions of the list.
    pub fn follow<R: Rng>(&mut self, list_before: &[String], pool: &QuestionPool, random: &mut R) {
        let mut forms = std::mem::take(&mut self.forms);
        forms.resize_with(self.config.form_count() - 1, TemplateForm::default);
        self.forms = self.followed(&forms, list_before, pool, random);
    }

    fn followed<R: Rng>(
        &self,
        forms: &[TemplateForm],
        list_before: &[String],
        pool: &QuestionPool,
        random: &mut R,
    ) -> Vec<TemplateForm> {
        let (list, choice) = (self.paper(Bucket::Standard), &self.config.choice);
        let known = Known { by_id: pool.by_id(), pool };
        let wanted: Vec<HashSet<&str>> = if choice.parallel_forms {
            let before = list_before.iter().map(String::as_str).collect();
            Places::of(list, &choice.pinned, before, &known).filled(forms, &known, random)
        } else {
            vec![list.iter().map(String::as_str).collect(); forms.len()]
        };
        let followed = forms.iter().zip(&wanted).map(|(form, wanted)| {
            let form = form.with(wanted, choice.order, &known, random);
            // What is seldom enough to happen by chance would be seen as a fault all the same.
            if choice.order == ListOrder::Mixed { form.unlike(list) } else { form }
        });
        followed.collect()
    }
}

/// The questions of the grades.
struct Known<'a> {
    by_id: HashMap<&'a str, &'a Arc<KeyedQuestion>>,
    pool: &'a QuestionPool,
}

/// What a question must have in common with another to take its place in a form: topic, difficulty, and whether its
/// answer is a number.
type Likeness<'a> = (&'a str, Difficulty, bool);

impl<'a> Known<'a> {
    fn question(&self, id: &str) -> Option<&'a KeyedQuestion> {
        self.by_id.get(id).copied().map(|question| &**question)
    }

    fn likeness(&self, id: &str) -> Option<Likeness<'a>> {
        self.question(id).map(likeness_of)
    }

    fn difficulty(&self, id: &str) -> Option<Difficulty> {
        self.question(id).map(|question| question.difficulty)
    }
}

fn likeness_of(question: &KeyedQuestion) -> Likeness<'_> {
    (&*question.topic, question.difficulty, question.answer.number().is_some())
}

/// The places of a list, for which forms have questions of their own.
struct Places<'a> {
    list: HashSet<&'a str>,
    /// The list that the forms followed last.
    before: HashSet<&'a str>,
    /// The questions that every form has: those that are pinned, and those of which the bank knows nothing any more.
    shared: HashSet<&'a str>,
    /// The other questions of the list, by what theirs must have in common with them.
    free: BTreeMap<Likeness<'a>, Vec<&'a str>>,
}

impl<'a> Places<'a> {
    fn of(list: &'a [String], pinned: &[String], before: HashSet<&'a str>, known: &Known<'a>) -> Self {
        let mut shared = HashSet::new();
        let mut free: BTreeMap<Likeness<'_>, Vec<&str>> = BTreeMap::new();
        for id in list {
            match known.likeness(id).filter(|_| !pinned.contains(id)) {
                Some(likeness) => free.entry(likeness).or_default().push(id),
                None => {
                    shared.insert(id.as_str());
                }
            }
        }
        Self { list: list.iter().map(String::as_str).collect(), before, shared, free }
    }

    /// The questions of each form.
    fn filled<R: Rng>(&self, forms: &'a [TemplateForm], known: &Known<'a>, random: &mut R) -> Vec<HashSet<&'a str>> {
        let mut filled = vec![self.shared.clone(); forms.len()];
        for (likeness, own) in &self.free {
            let kept: Vec<Vec<&str>> = forms.iter().map(|form| self.kept(form, *likeness, own.len(), known)).collect();
            let mut stock = self.stock(*likeness, &kept, known, random);
            let mut missing: Vec<usize> = kept.iter().map(|kept| own.len() - kept.len()).collect();
            for (filled, kept) in filled.iter_mut().zip(kept) {
                filled.extend(kept);
            }
            // A small stock is shared out among them all.
            while let Some((filled, missing)) =
                filled.iter_mut().zip(&mut missing).max_by_key(|(_, missing)| **missing).filter(|(_, most)| **most > 0)
            {
                let Some(id) = stock.pop() else { break };
                filled.insert(id);
                *missing -= 1;
            }
            for (filled, missing) in filled.iter_mut().zip(missing) {
                let others: Vec<&str> = own.iter().copied().filter(|id| !filled.contains(id)).collect();
                filled.extend(others.sample(random, missing));
            }
        }
        filled
    }

    /// What a form keeps of its questions for places of one kind.
    fn kept(&self, form: &'a TemplateForm, likeness: Likeness<'_>, most: usize, known: &Known<'_>) -> Vec<&'a str> {
        let alike = form.question_ids.iter().map(String::as_str).filter(|id| known.likeness(id) == Some(likeness));
        let staying = alike
            .filter(|id| self.list.contains(id) == self.before.contains(id))
            .filter(|id| !self.shared.contains(id));
        let (mut kept, of_list): (Vec<&str>, Vec<&str>) = staying.partition(|id| !self.list.contains(id));
        kept.extend(of_list);
        kept.truncate(most);
        kept
    }

    /// The questions that nobody has, in random order. Those that the list has lost are taken last: somebody may have
    /// wanted them away.
    fn stock<R: Rng>(
        &self,
        likeness: Likeness<'_>,
        kept: &[Vec<&str>],
        known: &Known<'a>,
        random: &mut R,
    ) -> Vec<&'a str> {
        let alike = known.pool.drawable().filter(|question| likeness_of(question) == likeness);
        let is_free = |id: &&str| !self.list.contains(id) && !kept.iter().flatten().any(|other| other == id);
        let mut stock: Vec<&str> = alike.map(|question| &*question.id).filter(is_free).collect();
        stock.shuffle(random);
        stock.sort_by_key(|id| !self.before.contains(id));
        stock
    }
}

impl TemplateForm {
    /// The form with these questions. What it has of them stays in its order, and a question that comes takes the place
    /// of the one that goes and is most like it.
    fn with<R: Rng>(&self, wanted: &HashSet<&str>, order: ListOrder, known: &Known<'_>, random: &mut R) -> Self {
        let had: HashSet<&str> = self.question_ids.iter().map(String::as_str).collect();
        // By name first: a set has another order each time.
        let coming: BTreeSet<&str> = wanted.difference(&had).copied().collect();
        let mut coming: Vec<&str> = coming.into_iter().collect();
        coming.shuffle(random);
        let mut ids: Vec<&str> = Vec::with_capacity(wanted.len());
        for id in &self.question_ids {
            if wanted.contains(id.as_str()) {
                ids.push(id);
            } else if let Some(place) = most_like(id, &coming, known) {
                ids.push(coming.swap_remove(place));
            }
        }
        for id in coming {
            ids.insert(random.random_range(0..=ids.len()), id);
        }
        match order {
            ListOrder::Mixed => {}
            ListOrder::EasyFirst => ids.sort_by_key(|id| known.difficulty(id)),
            ListOrder::ByTopic => ids.sort_by(|one, other| match (known.question(one), known.question(other)) {
                (Some(one), Some(other)) => compare_by_topic(one, other),
                (one, other) => one.is_some().cmp(&other.is_some()),
            }),
        }
        let order = |id: &&str| {
            let options = usize::from(known.pool.movable_options(id)?);
            let order =
                if had.contains(id) { self.orders.get(*id).copied() } else { OptionOrder::drawn(options, random) };
            order.filter(|order| order.count() == options).map(|order| ((*id).to_owned(), order))
        };
        let orders = ids.iter().filter_map(order).collect();
        Self { question_ids: ids.into_iter().map(str::to_owned).collect(), orders }
    }

    /// The form, in another order than the list.
    fn unlike(mut self, list: &[String]) -> Self {
        if self.question_ids.len() > 1 && self.question_ids == list {
            self.question_ids.rotate_left(1);
        }
        self
    }
}

/// The place of the question among these that is most like another.
fn most_like(gone: &str, coming: &[&str], known: &Known<'_>) -> Option<usize> {
    let (likeness, difficulty) = (known.likeness(gone), known.difficulty(gone));
    let places = coming.iter().enumerate();
    let nearest = places.min_by_key(|(_, id)| (known.likeness(id) != likeness, known.difficulty(id) != difficulty));
    nearest.map(|(place, _)| place)
}
