//! The orders in which a student sees the options of questions, as frames tell them.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::option_order::OptionOrder;
use domain::question::KeyedQuestion;

/// From question id to the order of its options; without questions whose options stand as in the bank.
pub(super) type ShownOrders<'a> = BTreeMap<&'a str, OptionOrder>;

/// Those of these questions.
pub(super) fn shown_orders(questions: &[Arc<KeyedQuestion>]) -> ShownOrders<'_> {
    questions.iter().filter_map(|question| Some((&*question.id, question.order?))).collect()
}
