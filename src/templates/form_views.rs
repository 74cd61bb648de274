//! The forms of a template for those who manage it: which question stands where, in which order its options do, and
//! what is right.

use std::collections::{BTreeMap, HashMap};

use domain::form::FormLetter;
use domain::option_order::OptionOrder;
use domain::question::{Question, WholeQuestion};
use domain::sight::StaffSight;
use domain::template::Template;
use domain::template::form_papers::FormList;
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
    fn of(list: &FormList<'_>) -> Self {
        let key = |question: &&Question| (question.id.clone(), question.answer.letter_or_number().to_owned());
        Self {
            form: list.form,
            questions: list.questions.iter().map(|question| question.id.clone()).collect(),
            option_order: list.option_orders(),
            correct: list.questions.iter().map(key).collect(),
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
        if template.config.form_count() < 2 {
            return Self::default();
        }
        let others = template.questions_of_other_forms(by_id);
        Self {
            lists: template.printed_forms(by_id).iter().map(FormView::of).collect(),
            questions: others.into_iter().map(|question| sight.whole(question.clone())).collect(),
        }
    }
}
