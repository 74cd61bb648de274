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
use super::{Bucket, Template, TemplateConfig};
use crate::attempt::Mode;
use crate::option_order::OptionOrder;
use crate::question::{Difficulty, KeyedQuestion};

/// How many orders of options a form remembers of questions that have left it: of a whole list that other questions
/// stand for, and of as many that were swapped.
const LEFT_ORDERS_MAX: usize = 400;

/// A form of a template beside the first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct TemplateForm {
    /// The ids of its questions, in order.
    pub question_ids: Vec<String>,
    /// By id, the orders of options. Questions whose options stand as in the bank have none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub orders: BTreeMap<String, OptionOrder>,
    /// The ids that it had when it last had parallel questions, or when it last had none: the other of the two, for
    /// when that is asked for again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub put_by: Vec<String>,
    /// The orders of options of questions that have left it, for when they come back; the last ones last. `None` is the
    /// order of the bank.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<(String, Option<OptionOrder>)>,
}

impl Template {
    /// Lets the forms follow the list, which was `list_before` when they followed it last. What a form has of that list
    /// alone it loses, and what the list has gained from a form the form loses too. Forms beyond those that are asked
    /// for follow as well, so that they fit when they are asked for again.
    ///
    /// With parallel questions each question that is not pinned gives way, in the other forms, to one that the template
    /// chooses, of the same topic, difficulty and type, that neither the list nor another form has. Where there are too
    /// few of these, forms have questions of the list.
    pub fn follow<R: Rng>(&mut self, list_before: &[String], pool: &QuestionPool, random: &mut R) {
        let mut forms = std::mem::take(&mut self.forms);
        if self.config.mode == Mode::Standard {
            let count = forms.len().max(self.config.form_count() - 1);
            forms.resize_with(count, TemplateForm::default);
            self.forms = self.followed(&forms, list_before, pool, random);
        }
    }

    /// Lets the forms follow a change of the config, which was this one before. What is not pinned any more gives way
    /// to parallel questions. Forms that get parallel questions, or lose them, have what they had then.
    pub fn follow_config<R: Rng>(&mut self, before: &TemplateConfig, pool: &QuestionPool, random: &mut R) {
        let (was, is) = (&before.choice, &self.config.choice);
        if was.parallel_forms != is.parallel_forms {
            self.forms = std::mem::take(&mut self.forms).into_iter().map(TemplateForm::turned).collect();
        }
        let is_unpinned = |id: &String| was.pinned.contains(id) && !is.pinned.contains(id);
        let list_before: Vec<String> =
            self.paper(Bucket::Standard).iter().filter(|id| !is_unpinned(id)).cloned().collect();
        self.follow(&list_before, pool, random);
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
            let dealt = self.config.form_count() - 1;
            Places::of(list, &choice.pinned, before, &known).filled(forms, dealt, &known, random)
        } else {
            vec![list.iter().map(String::as_str).collect(); forms.len()]
        };
        let stays = |id: &&String| list.contains(id) == list_before.contains(id);
        let followed = forms.iter().zip(&wanted).map(|(form, wanted)| {
            let put_by = form.put_by.iter().filter(stays).cloned().collect();
            let form = TemplateForm { put_by, ..form.with(wanted, choice.order, &known, random) };
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

    /// The questions of each form, of which so many are dealt.
    fn filled<R: Rng>(
        &self,
        forms: &'a [TemplateForm],
        dealt: usize,
        known: &Known<'a>,
        random: &mut R,
    ) -> Vec<HashSet<&'a str>> {
        let mut filled = vec![self.shared.clone(); forms.len()];
        for (likeness, own) in &self.free {
            let kept = forms.iter().map(|form| self.kept(form, *likeness, own.len(), known));
            let mut kept: Vec<Vec<&str>> = kept.collect();
            let mut stock = self.stock(*likeness, &kept, known, random);
            let (used, spare) = kept.split_at_mut(dealt.min(forms.len()));
            let wanting: usize = used.iter().map(|kept| own.len() - kept.len()).sum();
            self.take_spare(spare, wanting, &mut stock);
            let mut missing: Vec<usize> = kept.iter().map(|kept| own.len() - kept.len()).collect();
            for (filled, kept) in filled.iter_mut().zip(kept) {
                filled.extend(kept);
            }
            // A small stock is shared out among them all, those first that are dealt.
            while let Some((_, (filled, missing))) = filled
                .iter_mut()
                .zip(&mut missing)
                .enumerate()
                .filter(|(_, (_, missing))| **missing > 0)
                .max_by_key(|(place, (_, missing))| (*place < dealt, **missing))
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

    /// Takes from forms that are not dealt what the stock lacks of so many questions. What the list has lost is the
    /// last that anybody gets.
    fn take_spare(&self, spare: &mut [Vec<&'a str>], wanting: usize, stock: &mut Vec<&'a str>) {
        let lost = stock.iter().take_while(|id| self.before.contains(*id)).count();
        let lacking = (wanting + lost).saturating_sub(stock.len());
        for _ in 0..lacking {
            let parallel = spare.iter_mut().rev().find_map(|kept| {
                let place = kept.iter().position(|id| !self.list.contains(id))?;
                Some(kept.remove(place))
            });
            let Some(id) = parallel else { return };
            stock.insert(lost, id);
        }
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
            let fits = |order: Option<OptionOrder>| order.is_none_or(|order| order.count() == options);
            let order = if had.contains(id) {
                // Where a question that stays has another number of options now, they stand as in the bank.
                self.orders.get(*id).copied().filter(|order| fits(Some(*order)))
            } else {
                match self.left_with(id) {
                    Some((_, order)) if fits(*order) => *order,
                    _ => OptionOrder::drawn(options, random),
                }
            };
            order.map(|order| ((*id).to_owned(), order))
        };
        let orders = ids.iter().filter_map(order).collect();
        let left = self.left_by(|id| !wanted.contains(id));
        Self { question_ids: ids.into_iter().map(str::to_owned).collect(), orders, left, put_by: Vec::new() }
    }

    /// The form with the questions that it put by, which puts by those that it has.
    fn turned(self) -> Self {
        let left = self.left_by(|id| !self.put_by.iter().any(|other| other == id));
        let order = |id: &String| {
            let order = self.orders.get(id).copied();
            let order = order.or_else(|| self.left_with(id).and_then(|(_, order)| *order))?;
            Some((id.clone(), order))
        };
        let orders = self.put_by.iter().filter_map(order).collect();
        Self { question_ids: self.put_by, orders, put_by: self.question_ids, left }
    }

    /// The order of options with which a question has left, if it has.
    fn left_with(&self, id: &str) -> Option<&(String, Option<OptionOrder>)> {
        self.left.iter().find(|(other, _)| other == id)
    }

    /// The orders of what has left by now, when of all questions that it has or had these are gone.
    fn left_by(&self, is_gone: impl Fn(&str) -> bool) -> Vec<(String, Option<OptionOrder>)> {
        let leaving = self.question_ids.iter().map(|id| (id.clone(), self.orders.get(id).copied()));
        let earlier = self.left.iter().filter(|(id, _)| !self.question_ids.contains(id)).cloned();
        let mut left: Vec<_> = earlier.chain(leaving).filter(|(id, _)| is_gone(id)).collect();
        left.drain(..left.len().saturating_sub(LEFT_ORDERS_MAX));
        left
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
