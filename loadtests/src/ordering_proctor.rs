//! A proctor who gives students more minutes, one order a second, and remembers what was acknowledged: each order must
//! be stored, and no order twice.

use crate::failure::Failure;
use crate::patient_caller::PatientCaller;
use fastrand::Rng;
use reqwest::Method;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};
use uuid::Uuid;

/// The pause between two orders.
const ORDER_EVERY: Duration = Duration::from_secs(1);
/// Most refusals that are remembered in words.
const REFUSALS_MAX: usize = 20;

pub struct OrderingProctor {
    caller: PatientCaller,
    /// An API token of an admin.
    token: String,
    orders: Mutex<GivenOrders>,
}

/// What a proctor was told.
#[derive(Clone, Default)]
pub struct GivenOrders {
    /// Orders that were acknowledged.
    pub acknowledged: u64,
    /// The minutes that were acknowledged, by session.
    pub minutes: BTreeMap<String, i32>,
    /// Sessions for which an order was never answered, so that it may count or not.
    pub unknown: BTreeSet<String>,
    /// Answers that were neither 200 nor 503.
    pub refusals: Vec<String>,
    /// The ids of those that were acknowledged since this was last asked.
    new: Vec<String>,
}

impl OrderingProctor {
    pub fn of(caller: PatientCaller, token: String) -> Self {
        Self { caller, token, orders: Mutex::default() }
    }

    /// Gives orders to these sessions until `ends` has a time.
    pub async fn work(self: Arc<Self>, sessions: Vec<String>, mut ends: watch::Receiver<Option<Instant>>) {
        let mut random = Rng::new();
        while ends.borrow_and_update().is_none() {
            if let Some(session_id) = random.choice(&sessions) {
                self.give_minute(session_id).await;
            }
            tokio::select! {
                () = sleep(ORDER_EVERY) => {}
                changed = ends.changed() => if changed.is_err() { return },
            }
        }
    }

    /// Everything so far.
    pub fn orders(&self) -> GivenOrders {
        self.locked().clone()
    }

    /// The ids of the orders that were acknowledged since this was last asked.
    pub fn take_new(&self) -> Vec<String> {
        std::mem::take(&mut self.locked().new)
    }

    /// Answers of status 500, since this was last asked.
    pub fn take_faults(&self) -> Vec<String> {
        self.caller.take_faults()
    }

    /// How often an order was sent again.
    pub fn sent_again(&self) -> u64 {
        self.caller.sent_again()
    }

    async fn give_minute(&self, session_id: &str) {
        let id = Uuid::new_v4().to_string();
        let order = json!({ "id": id, "type": "extend", "minutes": 1 });
        let path = format!("/api/live/sessions/{session_id}/orders");
        let answer = self.caller.ask(&Method::POST, &path, &self.token, Some(&order)).await;
        let mut orders = self.locked();
        match answer.map(|answer| (answer.status, answer.body)) {
            Ok((200, _)) => {
                orders.acknowledged += 1;
                *orders.minutes.entry(session_id.to_owned()).or_default() += 1;
                orders.new.push(id);
            }
            Ok((status, body)) => orders.refuse(format!("{status} {}", String::from_utf8_lossy(&body))),
            Err(failure) => orders.leave_open(session_id, &failure),
        }
    }

    fn locked(&self) -> MutexGuard<'_, GivenOrders> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl GivenOrders {
    fn refuse(&mut self, reason: String) {
        if self.refusals.len() < REFUSALS_MAX {
            self.refusals.push(reason);
        }
    }

    fn leave_open(&mut self, session_id: &str, failure: &Failure) {
        self.unknown.insert(session_id.to_owned());
        self.refuse(failure.to_string());
    }
}
