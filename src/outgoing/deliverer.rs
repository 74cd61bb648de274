//! The actor that empties the outbox: it takes the deliveries that are due, attempts them within limits for each host,
//! and records how each attempt ended.
//!
//! It owns only the attempts in progress; all lasting state is in the database. [`Outbox::wake`](super::Outbox::wake)
//! sends it [`Wake`], and a planned stop sends [`PauseDeliveries`]. If it dies, its claims expire, and another server
//! or the next start repeats those attempts. So an event arrives at least once.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::prelude::*;
use domain::delivery::DeliveryStatus;
use tokio::sync::oneshot;
use tokio::time::timeout;
use uuid::Uuid;

use super::attempt::{AttemptContext, ClaimedDelivery, ReadyDelivery};
use super::client::OutgoingClient;
use super::hosts::{ANSWERING_FORGOTTEN_AFTER, ANSWERING_HOSTS_MAX, AttemptPlace, DeliveryRoom, HostAnswer, Hosts};
use super::kind::OutgoingKind;
use super::store::{self, Delivery, EndedAttempt};
use crate::base::Base;
use crate::batch;
use crate::database::{self, in_time};
use crate::store::lti_ledger;
use crate::store::lti_scores::SCORE_EVENTS;
use crate::store::operations::count_deliveries;
use crate::telemetry::{AttemptLabels, Metrics};

/// How often the deliverer polls the outbox: for retries that are due, and to make up for lost messages.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// The shortest time between two polls, so that deliveries that arrive meanwhile are claimed together.
const LOOK_REST: Duration = Duration::from_millis(5);
/// How often pending deliveries are counted for the metrics.
const COUNT_EVERY: Duration = Duration::from_secs(5);
/// How often it is read which hosts will be needed soon, such as those that running exams name. Exams take longer, so
/// places are kept for their hosts before the first of them ends.
const AWAIT_EVERY: Duration = Duration::from_secs(60);
/// How long a query of the outbox may take; the next poll tries again.
const STORE_TIMEOUT: Duration = Duration::from_secs(10);
/// How long an attempt may take. Before it the delivery is claimed, and after it a record may be under way before its
/// own; each takes at most [`STORE_TIMEOUT`]. All of it is shorter than the claim, so no other server repeats an
/// attempt that is still in progress.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(20);
/// Deliveries that this server has claimed and not yet recorded the end of. It claims no more beyond them.
const AT_WORK_MAX: usize = 1_000;
/// Ends of attempts that are recorded at once.
const NOTED_AT_ONCE_MAX: usize = 1_500;

/// Sent when a delivery may be pending.
#[derive(Message)]
#[rtype(result = "()")]
pub struct Wake;

/// Starts no more attempts; answered when those in progress have ended.
#[derive(Message)]
#[rtype(result = "()")]
pub struct PauseDeliveries;

pub struct Deliverer {
    tools: Arc<AttemptContext>,
    metrics: Arc<Metrics>,
    hosts: Hosts,
    /// From before the claim until the end is recorded, with the place at the host until that has answered.
    at_work: HashMap<Uuid, Option<AttemptPlace>>,
    /// Ends that are to be recorded.
    ended: Vec<EndedAttempt>,
    is_noting: bool,
    is_looking: bool,
    look_again: bool,
    looked_at: Instant,
    resting: Option<oneshot::Sender<()>>,
}

impl Deliverer {
    /// Delivers what is of these kinds. What is of another kind waits for a server that knows it.
    #[must_use]
    pub fn new(base: &Base, kinds: Vec<Arc<dyn OutgoingKind>>) -> Self {
        let config = &base.config.webhooks;
        let rate = NonZeroU32::new(config.rate_per_host).unwrap_or(NonZeroU32::MIN);
        let hosts = Hosts::new(rate, config.targets.clone());
        let client = OutgoingClient::new(config.targets.clone());
        let (database, clock) = (base.database.for_background(), base.clock.clone());
        let tools = AttemptContext { database, clock, client, kinds };
        Self {
            tools: Arc::new(tools),
            metrics: Arc::clone(&base.metrics),
            hosts,
            at_work: HashMap::new(),
            ended: Vec::new(),
            is_noting: false,
            is_looking: false,
            look_again: false,
            looked_at: Instant::now(),
            resting: None,
        }
    }

    /// Asks the outbox for due deliveries to hosts that have room. Only one query runs at a time.
    fn look(&mut self, context: &mut Context<Self>) {
        if self.resting.is_some() {
            return self.rest_when_idle(context);
        }
        if self.is_looking {
            self.look_again = true;
            return;
        }
        let room = self.hosts.room();
        if room.places == 0 || self.at_work.len() >= AT_WORK_MAX {
            return;
        }
        self.is_looking = true;
        let rest = LOOK_REST.saturating_sub(self.looked_at.elapsed());
        if rest.is_zero() {
            self.ask(context);
        } else {
            self.tools.clock.after(context, rest, Self::ask);
        }
    }

    fn ask(&mut self, context: &mut Context<Self>) {
        self.looked_at = Instant::now();
        let room = self.hosts.room();
        let tools = Arc::clone(&self.tools);
        let asking = async move {
            let finding = store::find_due(&tools.database, tools.clock.now(), &room);
            let due = match database::within(STORE_TIMEOUT, finding).await {
                Some(Ok(due)) => due,
                Some(Err(error)) => unread(&error.to_string()),
                None => unread("no answer in time"),
            };
            (due, room)
        };
        context.spawn(asking.into_actor(self).map(|(due, room), actor, context| actor.looked(due, &room, context)));
    }

    fn looked(&mut self, due: Vec<Delivery>, room: &DeliveryRoom, context: &mut Context<Self>) {
        let may_start = self.resting.is_none();
        let mut due: Vec<_> = due.into_iter().filter(|delivery| !self.at_work.contains_key(&delivery.id)).collect();
        // They also share the connections to the database, and after a start there may be many for dead hosts.
        let trusted: HashSet<&str> = room.trusted.iter().map(String::as_str).collect();
        due.sort_by_key(|delivery| !trusted.contains(delivery.host.as_str()));
        let found = due.len();
        due.retain(|delivery| may_start && self.enter(delivery));
        // If one host's share filled the answer, deliveries to other hosts may be waiting behind it. They are found by
        // another query, unless there is the same room for it.
        self.look_again |= due.len() < found && self.hosts.room() != *room;
        if due.is_empty() {
            return self.looked_through(context);
        }
        let tools = Arc::clone(&self.tools);
        let ids: Vec<Uuid> = due.iter().map(|due| due.id).collect();
        // In a task of its own, so that a panic ends this batch and not the actor.
        let preparing = actix::spawn(async move { database::within(STORE_TIMEOUT, tools.prepare(&due)).await });
        let preparing = async move {
            match preparing.await {
                Ok(Some(Ok(prepared))) => prepared,
                Ok(Some(Err(error))) => unclaimed(&error.to_string()),
                Ok(None) => unclaimed("no answer in time"),
                Err(error) => unclaimed(&error.to_string()),
            }
        };
        context.spawn(preparing.into_actor(self).map(move |prepared, actor, context| {
            actor.prepared(&ids, prepared, context);
            actor.looked_through(context);
        }));
    }

    /// The next query may run.
    fn looked_through(&mut self, context: &mut Context<Self>) {
        self.is_looking = false;
        if std::mem::take(&mut self.look_again) {
            self.look(context);
        }
    }

    /// Takes a place for an attempt if the delivery's host has room now; returns whether it has.
    fn enter(&mut self, due: &Delivery) -> bool {
        let is_unanswered = due.attempts > 0 && due.last_status.is_none();
        let Some(place) = self.hosts.enter(&due.host, is_unanswered) else { return false };
        self.at_work.insert(due.id, Some(place));
        true
    }

    /// Starts the attempts that are ready, and gives the places of the others back.
    fn prepared(&mut self, ids: &[Uuid], prepared: Vec<ClaimedDelivery>, context: &mut Context<Self>) {
        let mut left: HashSet<Uuid> = ids.iter().copied().collect();
        for one in prepared {
            match one {
                ClaimedDelivery::Ready(ready) => {
                    left.remove(&ready.due.id);
                    self.start_attempt(ready, context);
                }
                ClaimedDelivery::Ended(ended) => {
                    left.remove(&ended.due.id);
                    self.attempted(ended.due.id, Some((ended, None)), context);
                }
            }
        }
        for id in left {
            self.attempted(id, None, context);
        }
    }

    fn start_attempt(&self, ready: ReadyDelivery, context: &mut Context<Self>) {
        let (tools, id) = (Arc::clone(&self.tools), ready.due.id);
        // In a task of its own, so that a panic ends this attempt and not the actor; the claim of the attempt then
        // expires.
        let attempt = actix::spawn(async move { timeout(ATTEMPT_TIMEOUT, tools.attempt(ready)).await.ok() });
        let ended = attempt.into_actor(self);
        context.spawn(ended.map(move |end, actor, context| actor.attempted(id, end.ok().flatten(), context)));
    }

    /// Takes note of the end of an attempt; without one nothing was sent.
    fn attempted(&mut self, id: Uuid, end: Option<(EndedAttempt, Option<HostAnswer>)>, context: &mut Context<Self>) {
        let (ended, answer) = end.map_or((None, None), |(ended, answer)| (Some(ended), answer));
        if let Some(place) = self.at_work.get_mut(&id).and_then(Option::take) {
            self.hosts.leave(&place, answer);
        }
        match ended {
            Some(ended) => {
                self.told(&ended);
                self.ended.push(ended);
                self.note_ended(context);
            }
            None => drop(self.at_work.remove(&id)),
        }
        self.look(context);
    }

    fn told(&self, EndedAttempt { due, attempted }: &EndedAttempt) {
        let outcome = match (&attempted.error, attempted.next_attempt_at) {
            (None, _) => "delivered",
            (Some(_), Some(_)) => "retry",
            (Some(_), None) => "failed",
        };
        // A kind puts the receiver's own words, which may name a person, below the first line.
        let error = attempted.error.as_deref().and_then(|error| error.lines().next()).unwrap_or_default();
        let (event, attempt, status) = (due.event.as_str(), due.attempts + 1, attempted.status);
        tracing::info!(delivery = %due.id, event, attempt, status, outcome, error, "delivery attempted");
        let metrics = &self.metrics;
        let attempts = if SCORE_EVENTS.contains(&event) { &metrics.score_attempts } else { &metrics.deliveries };
        attempts.get_or_create(&AttemptLabels { outcome }).inc();
    }

    /// Records the ends that wait, as many as there are by then.
    fn note_ended(&mut self, context: &mut Context<Self>) {
        if self.is_noting || self.ended.is_empty() {
            return;
        }
        self.is_noting = true;
        let count = self.ended.len().min(NOTED_AT_ONCE_MAX);
        let ended: Vec<EndedAttempt> = self.ended.drain(..count).collect();
        let tools = Arc::clone(&self.tools);
        let ids: Vec<Uuid> = ended.iter().map(|one| one.due.id).collect();
        let noting = async move {
            if database::within(STORE_TIMEOUT, batch::store_all(&*tools, vec![ended])).await.is_none() {
                tracing::warn!("how deliveries were attempted cannot be recorded in time");
            }
        };
        context.spawn(actix::spawn(noting).into_actor(self).map(move |_, actor, context| {
            actor.is_noting = false;
            for id in &ids {
                actor.at_work.remove(id);
            }
            actor.note_ended(context);
            actor.look(context);
        }));
    }

    /// Reads from the outbox which hosts have answered before this server was started, so that places are kept for them
    /// at once.
    fn recall(&self, context: &mut Context<Self>) {
        let tools = Arc::clone(&self.tools);
        let reading = async move {
            let lately = i64::try_from(ANSWERING_FORGOTTEN_AFTER.as_millis()).unwrap_or_default();
            let since = tools.clock.now().plus(-lately);
            let finding = store::find_accepting_hosts(&tools.database, since, ANSWERING_HOSTS_MAX);
            in_time("which receivers have answered before", STORE_TIMEOUT, finding).await
        };
        context.wait(reading.into_actor(self).map(|read, actor, _| actor.hosts.recall(read.unwrap_or_default())));
    }

    /// Reads which hosts will be needed soon.
    fn await_attempts(&self, context: &mut Context<Self>) {
        let tools = Arc::clone(&self.tools);
        let reading =
            async move { in_time("where deliveries will be made soon", STORE_TIMEOUT, tools.awaited_hosts()).await };
        context.spawn(reading.into_actor(self).map(|hosts, actor, _| {
            actor.hosts.await_attempts(hosts.unwrap_or_default());
        }));
    }

    fn rest_when_idle(&mut self, context: &mut Context<Self>) {
        if self.at_work.is_empty() && !self.is_looking {
            context.stop();
        }
    }

    fn count(&mut self, context: &mut Context<Self>) {
        self.hosts.forget_quiet();
        let tools = Arc::clone(&self.tools);
        let counting = async move {
            let waiting = count_deliveries(&tools.database, DeliveryStatus::Pending).await;
            (waiting, lti_ledger::count(&tools.database).await)
        };
        context.spawn(counting.into_actor(self).map(|(waiting, scores), actor, _| {
            if let Ok(waiting) = waiting {
                actor.metrics.outbox_depth.set(i64::try_from(waiting).unwrap_or(i64::MAX));
            }
            if let Ok((waiting, failed)) = scores {
                actor.metrics.scores_waiting.set(waiting);
                actor.metrics.scores_failed.set(failed);
            }
        }));
    }
}

fn unclaimed(reason: &str) -> Vec<ClaimedDelivery> {
    tracing::warn!(reason, "deliveries wait: they cannot be claimed");
    Vec::new()
}

fn unread(reason: &str) -> Vec<Delivery> {
    tracing::warn!(reason, "the outbox cannot be read");
    Vec::new()
}

impl Actor for Deliverer {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        // A server that only reads can claim nothing.
        if self.tools.database.is_read_only() {
            return;
        }
        let clock = self.tools.clock.clone();
        clock.every(context, LOOK_EVERY, Self::look);
        clock.every(context, COUNT_EVERY, Self::count);
        clock.every(context, AWAIT_EVERY, |actor: &mut Self, context| actor.await_attempts(context));
        self.recall(context);
        self.await_attempts(context);
        self.look(context);
    }
}

impl Handler<PauseDeliveries> for Deliverer {
    type Result = ResponseFuture<()>;

    fn handle(&mut self, _: PauseDeliveries, context: &mut Self::Context) -> Self::Result {
        let (resting, rested) = oneshot::channel();
        self.resting = Some(resting);
        self.look(context);
        // When the actor stops, the sender is dropped and this wait ends.
        Box::pin(async { drop(rested.await) })
    }
}

impl Handler<Wake> for Deliverer {
    type Result = ();

    fn handle(&mut self, _: Wake, context: &mut Self::Context) {
        self.look(context);
    }
}
