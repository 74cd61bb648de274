//! The first list of a template in each of its forms, as those who sit it get it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::forms::TemplateForm;
use super::{Bucket, Template};
use crate::attempt::Mode;
use crate::form::{FORMS_MAX, FormLetter};
use crate::option_counts::{OptionCounts, keyed_in};
use crate::option_order::OptionOrder;
use crate::question::{KeyedQuestion, Question};

/// A list in one form: its questions in their order, and the options of each in theirs.
#[derive(Clone, Debug)]
pub struct FormList<'a> {
    /// Which form it is.
    pub form: FormLetter,
    /// The questions in their present form; deleted ones are left out.
    pub questions: Vec<&'a Question>,
    /// `None` where options stand as in the bank, or as each attempt draws them.
    orders: Option<&'a BTreeMap<String, OptionOrder>>,
}

impl FormList<'_> {
    /// The part of the questions that grading needs.
    #[must_use]
    pub fn keyed(&self) -> Vec<Arc<KeyedQuestion>> {
        let order = |question: &Question| self.orders.and_then(|orders| orders.get(&question.id)).copied();
        self.questions.iter().map(|question| Arc::new(keyed_in(question, order(question)))).collect()
    }

    /// By id, the orders of options, without those that fit their questions no more.
    #[must_use]
    pub fn option_orders(&self) -> BTreeMap<String, OptionOrder> {
        self.keyed().iter().filter_map(|question| Some((question.id.to_string(), question.order?))).collect()
    }
}

impl Template {
    /// The forms beside the first in which the test is sat. There may be more, for when more are asked for again.
    #[must_use]
    pub fn dealt_forms(&self) -> &[TemplateForm] {
        let count = self.forms.len().min(self.config.form_count() - 1);
        self.forms.get(..count).unwrap_or_default()
    }

    /// The first list in each form, form A first: the standard one, or that of session 1, which has form A alone.
    #[must_use]
    pub fn form_lists<'a>(&'a self, by_id: &'a HashMap<String, Question>) -> Vec<FormList<'a>> {
        self.lists_in(by_id, !self.config.choice.shuffle_options)
    }

    /// The same as they are printed, where options stand as the form has them even if each attempt draws them.
    #[must_use]
    pub fn printed_forms<'a>(&'a self, by_id: &'a HashMap<String, Question>) -> Vec<FormList<'a>> {
        self.lists_in(by_id, true)
    }

    fn lists_in<'a>(&'a self, by_id: &'a HashMap<String, Question>, has_orders: bool) -> Vec<FormList<'a>> {
        let bucket = match self.config.mode {
            Mode::Standard => Bucket::Standard,
            Mode::Adaptive => Bucket::Session1,
        };
        let first = (self.paper(bucket), None);
        let orders = |of: &'a BTreeMap<String, OptionOrder>| has_orders.then_some(of);
        let others = self.dealt_forms().iter().map(|form| (&*form.question_ids, orders(&form.orders)));
        let lists = FormLetter::all(FORMS_MAX).zip(std::iter::once(first).chain(others));
        lists
            .map(|(form, (ids, orders))| {
                let questions = ids.iter().filter_map(|id| by_id.get(id)).collect();
                FormList { form, questions, orders }
            })
            .collect()
    }

    /// The questions that only other forms than A have, each once.
    #[must_use]
    pub fn questions_of_other_forms<'a>(&'a self, by_id: &'a HashMap<String, Question>) -> Vec<&'a Question> {
        let lists = self.form_lists(by_id);
        let mut known: HashSet<&str> = HashSet::new();
        let (first, others) = lists.split_at(lists.len().min(1));
        known.extend(first.iter().flat_map(|list| &list.questions).map(|question| question.id.as_str()));
        let others = others.iter().flat_map(|list| &list.questions).copied();
        others.filter(|question| known.insert(&question.id)).collect()
    }

    /// Of these questions those whose options each attempt shows in an order of its own: none unless the template says
    /// so.
    #[must_use]
    pub fn shuffled_options<'a>(&self, questions: impl IntoIterator<Item = &'a Question>) -> OptionCounts {
        if self.config.choice.shuffle_options { OptionCounts::of(questions) } else { OptionCounts::default() }
    }
}
