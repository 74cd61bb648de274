//! In which order one student saw the options of questions, for those who read results: thousands of these are in
//! memory at once, so that they share the ids of the questions.

use std::sync::Arc;

use domain::option_order::OptionOrder;
use serde::{Serialize, Serializer};

/// The ids of the questions of all tests, by their places.
pub(super) struct QuestionIds(Vec<Arc<str>>);

impl QuestionIds {
    pub fn of<'a>(ids: impl Iterator<Item = &'a str>) -> Self {
        Self(ids.map(Arc::from).collect())
    }

    /// The orders of one test, of questions at these places.
    pub fn orders(&self, orders: Vec<(u32, OptionOrder)>) -> SeenOrders {
        let named = |(place, order): (u32, OptionOrder)| Some((Arc::clone(self.0.get(place as usize)?), order));
        SeenOrders(orders.into_iter().filter_map(named).collect())
    }
}

/// The orders of one test. In JSON an object from the ids of questions.
#[derive(Default)]
pub(super) struct SeenOrders(Vec<(Arc<str>, OptionOrder)>);

impl SeenOrders {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for SeenOrders {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(id, order)| (&**id, order)))
    }
}
