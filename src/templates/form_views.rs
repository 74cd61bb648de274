//! The forms of a template for those who manage it: which question stands where, in which order its options do, and
//! what is right.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use domain::attempt::Mode;
use domain::form::FormLetter;
use domain::option_order::OptionOrder;
use domain::question::{Question, WholeQuestion};
use domain::sight::StaffSight;
use domain::template::{Bucket, Template};
use serde::Serialize;
use utoipa::ToSchema;

/// One form of a template: its questions in their order.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FormList)]
pub struct FormView {
    /// `A` to `H`; A is the list itself.
    #[schema(value_type = String, example = "B")]
    form: FormLetter,
    /// The ids of its questions, in order.
    questions: Vec<String>,
    /// By id, the letters of a question's options in the order in which this form has them: with `CADB` option C comes
    /// first, called A. Questions whose options stand as in the bank are left out; absent if all do.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(value_type = Option<BTreeMap<String, String>>, nullable = false)]
    option_order: BTreeMap<String, OptionOrder>,
    /// By id, the right option under its letter in the bank, `A` to `D`, or the right number.
    correct: BTreeMap<String, String>,
}

impl FormView {
    fn of<'a>(
        form: FormLetter,
        ids: impl Iterator<Item = &'a String>,
        orders: &BTreeMap<String, OptionOrder>,
        by_id: &HashMap<String, Question>,
    ) -> Self {
        // A question that is gone is in no list either.
        let questions: Vec<String> = ids.filter(|id| by_id.contains_key(*id)).cloned().collect();
        let order = |id: &String| Some((id.clone(), *orders.get(id)?));
        let key = |id: &String| Some((id.clone(), by_id.get(id)?.answer.letter_or_number().to_owned()));
        Self {
            form,
            option_order: questions.iter().filter_map(order).collect(),
            correct: questions.iter().filter_map(key).collect(),
            questions,
        }
    }
}

/// All forms of a template, with the questions that the list itself does not have. Both are empty for a template with
/// one form.
#[derive(Default)]
pub(super) struct FormViews {
    pub lists: Vec<FormView>,
    pub questions: Vec<WholeQuestion>,
}

impl FormViews {
    pub fn of(template: &Template, by_id: &HashMap<String, Question>, sight: StaffSight) -> Self {
        let count = usize::from(template.config.choice.forms);
        if template.config.mode != Mode::Standard || count < 2 {
            return Self::default();
        }
        let list = template.paper(Bucket::Standard);
        let mut lists = vec![FormView::of(FormLetter::A, list.iter(), &BTreeMap::new(), by_id)];
        for (letter, form) in FormLetter::all(count).skip(1).zip(&template.forms) {
            lists.push(FormView::of(letter, form.question_ids.iter(), &form.orders, by_id));
        }
        let others: BTreeSet<&String> =
            lists.iter().flat_map(|form| &form.questions).filter(|id| !list.contains(id)).collect();
        let whole = |id: &String| by_id.get(id).map(|question| sight.whole(question.clone()));
        Self { questions: others.into_iter().filter_map(whole).collect(), lists }
    }
}
