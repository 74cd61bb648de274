//! The actor that empties the outbox: it takes the deliveries that are due, attempts them within limits for each host,
//! and records how each attempt ended.
//!
//! It owns only the attempts in progress; all lasting state is in the database. [`Outbox::wake`](super::Outbox::wake)
//! sends it [`Wake`], and a planned stop sends [`PauseDeliveries`]. If it dies, its claims expire, and another server
//! or the next start repeats those attempts. So an event arrives at least once.

use std::collections::HashSet;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::prelude::*;
use domain::retry;
use domain::session::{Session, SessionEvent};
use entities::delivery;
use rand::RngExt;
use tokio::sync::oneshot;
use tokio::time::timeout;
use uuid::Uuid;

use super::client::{Post, PostError, ReceiverAnswer, WebhookClient};
use super::hosts::{ANSWERING_FORGOTTEN_AFTER, ANSWERING_HOSTS_MAX, AttemptPlace, DeliveryRoom, HostAnswer, Hosts};
use super::signature::SigningKey;
use super::store::{self, Attempted};
use crate::clock::Clock;
use crate::config::{Secret, WebhookConfig};
use crate::database::{Database, in_time};
use crate::store::embargo::Embargo;
use crate::store::sessions;
use crate::telemetry::{AttemptLabels, Metrics};

/// How often the deliverer looks into the outbox by itself: for retries whose time has come, and for messages that were
/// lost.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// How often pending deliveries are counted for the metrics.
const COUNT_EVERY: Duration = Duration::from_secs(5);
/// How often it is read which hosts running attempts name. Attempts take longer, so places are kept for their hosts
/// before the first of them ends.
const AWAIT_EVERY: Duration = Duration::from_secs(60);
/// How long a query of the outbox may take; the next look tries again.
const STORE_TIMEOUT: Duration = Duration::from_secs(10);
/// How long an attempt may take, including its claim and its record. It is shorter than the claim, so no other server
/// repeats an attempt that is still in progress.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(45);
/// How long a released result waits when the end of its test has not been delivered yet.
const WAIT_FOR_EARLIER_MILLISECONDS: i64 = 5_000;
/// The status by which a receiver asks for no more attempts of this event.
const GONE: u16 = 410;

/// Sent when a delivery may be pending.
#[derive(Message)]
#[rtype(result = "()")]
pub struct Wake;

/// Starts no more attempts; answered when those in progress have ended.
#[derive(Message)]
#[rtype(result = "()")]
pub struct PauseDeliveries;

/// What an attempt needs. Attempts share it, since each runs as a task of its own.
struct DeliveryContext {
    database: Database,
    clock: Clock,
    client: WebhookClient,
    key: SigningKey,
    secret: Option<Secret>,
    /// Whether finished tests must be sent to an external data provider, too.
    sends_sessions: bool,
    /// `PUBLIC_ANSWERS`, which decides whether a receiver is told keys.
    has_public_answers: bool,
    /// Decides whether a receiver is told the result.
    embargo: Arc<Embargo>,
}

/// How an attempt ended.
struct AttemptEnd {
    /// For the metrics.
    outcome: &'static str,
    /// What the receiver did; `None` if nothing was sent to it.
    answer: Option<HostAnswer>,
}

pub struct Deliverer {
    tools: Arc<DeliveryContext>,
    metrics: Arc<Metrics>,
    hosts: Hosts,
    in_flight: HashSet<Uuid>,
    is_looking: bool,
    look_again: bool,
    resting: Option<oneshot::Sender<()>>,
}

impl Deliverer {
    #[must_use]
    #[allow(clippy::too_many_arguments, reason = "each is a service or an option of its own")]
    pub fn new(
        database: Database,
        clock: Clock,
        config: &WebhookConfig,
        key: SigningKey,
        metrics: Arc<Metrics>,
        sends_sessions: bool,
        has_public_answers: bool,
        embargo: Arc<Embargo>,
    ) -> Self {
        let rate = NonZeroU32::new(config.rate_per_host).unwrap_or(NonZeroU32::MIN);
        let hosts = Hosts::new(rate, config.targets.clone());
        let tools = DeliveryContext {
            database,
            clock,
            client: WebhookClient::new(config.targets.clone()),
            key,
            secret: config.secret.clone(),
            sends_sessions,
            has_public_answers,
            embargo,
        };
        Self {
            tools: Arc::new(tools),
            metrics,
            hosts,
            in_flight: HashSet::new(),
            is_looking: false,
            look_again: false,
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
        if room.places == 0 {
            return;
        }
        self.is_looking = true;
        let tools = Arc::clone(&self.tools);
        let asking = async move {
            let finding = store::find_due(&tools.database, tools.clock.now(), &room);
            let due = match timeout(STORE_TIMEOUT, finding).await {
                Ok(Ok(due)) => due,
                Ok(Err(error)) => unread(&error.to_string()),
                Err(_) => unread("no answer in time"),
            };
            (due, room)
        };
        context.spawn(asking.into_actor(self).map(|(due, room), actor, context| actor.looked(due, &room, context)));
    }

    fn looked(&mut self, due: Vec<delivery::Model>, room: &DeliveryRoom, context: &mut Context<Self>) {
        self.is_looking = false;
        let may_start = self.resting.is_none();
        let mut due: Vec<_> = due.into_iter().filter(|delivery| !self.in_flight.contains(&delivery.id)).collect();
        // They also share the connections to the database, and after a start there may be many for dead hosts.
        let trusted: HashSet<&str> = room.trusted.iter().map(String::as_str).collect();
        due.sort_by_key(|delivery| !trusted.contains(delivery.host.as_str()));
        let found = due.len();
        let started = due.into_iter().filter(|delivery| may_start && self.start_attempt(delivery, context)).count();
        // If one host's share filled the answer, deliveries to other hosts may be waiting behind it. They are found by
        // another query, unless there is the same room for it.
        if std::mem::take(&mut self.look_again) || (started < found && self.hosts.room() != *room) {
            self.look(context);
        }
    }

    /// Starts an attempt if the delivery's host has room now; returns whether it did.
    fn start_attempt(&mut self, due: &delivery::Model, context: &mut Context<Self>) -> bool {
        let is_unanswered = due.attempts > 0 && due.last_status.is_none();
        let Some(place) = self.hosts.enter(&due.host, is_unanswered) else { return false };
        self.in_flight.insert(due.id);
        let (tools, due) = (Arc::clone(&self.tools), due.clone());
        let id = due.id;
        // In a task of its own, so that a panic ends this attempt and not the actor; the claim of the attempt then
        // expires.
        let attempt = actix::spawn(async move { timeout(ATTEMPT_TIMEOUT, tools.attempt(&due)).await.ok().flatten() });
        context.spawn(
            attempt
                .into_actor(self)
                .map(move |end, actor, context| actor.attempted(&place, id, end.ok().flatten().as_ref(), context)),
        );
        true
    }

    fn attempted(&mut self, place: &AttemptPlace, id: Uuid, end: Option<&AttemptEnd>, context: &mut Context<Self>) {
        self.in_flight.remove(&id);
        self.hosts.leave(place, end.and_then(|end| end.answer));
        if let Some(AttemptEnd { outcome, .. }) = end {
            self.metrics.deliveries.get_or_create(&AttemptLabels { outcome }).inc();
        }
        self.look(context);
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

    /// Reads which hosts running attempts name.
    fn await_attempts(&self, context: &mut Context<Self>) {
        let tools = Arc::clone(&self.tools);
        let reading = async move {
            let finding = store::find_awaited_links(&tools.database);
            let links = in_time("where running attempts will be told", STORE_TIMEOUT, finding).await;
            tools.hosts_of(&links.unwrap_or_default())
        };
        context.spawn(reading.into_actor(self).map(|hosts, actor, _| actor.hosts.await_attempts(hosts)));
    }

    fn rest_when_idle(&mut self, context: &mut Context<Self>) {
        if self.in_flight.is_empty() && !self.is_looking {
            context.stop();
        }
    }

    fn count(&mut self, context: &mut Context<Self>) {
        self.hosts.forget_quiet();
        let tools = Arc::clone(&self.tools);
        let counting = async move { store::count_waiting(&tools.database).await };
        context.spawn(counting.into_actor(self).map(|waiting, actor, _| {
            if let Ok(waiting) = waiting {
                actor.metrics.outbox_depth.set(i64::try_from(waiting).unwrap_or(i64::MAX));
            }
        }));
    }
}

fn unread(reason: &str) -> Vec<delivery::Model> {
    tracing::warn!(reason, "the outbox cannot be read");
    Vec::new()
}

impl Actor for Deliverer {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.run_interval(LOOK_EVERY, |actor, context| actor.look(context));
        context.run_interval(COUNT_EVERY, |actor, context| actor.count(context));
        context.run_interval(AWAIT_EVERY, |actor, context| actor.await_attempts(context));
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

impl DeliveryContext {
    /// Makes one attempt, from its claim to its record. Returns how it ended, or `None` if another server had claimed
    /// the delivery first.
    async fn attempt(&self, due: &delivery::Model) -> Option<AttemptEnd> {
        let (attempted, answer) = match self.try_attempt(due).await {
            Ok(tried) => tried?,
            Err(error) => {
                tracing::warn!(delivery = %due.id, %error, "a webhook delivery waits: the store is unavailable");
                return None;
            }
        };
        let outcome = match (&attempted.error, attempted.next_attempt_at) {
            (None, _) => "delivered",
            (Some(_), Some(_)) => "retry",
            (Some(_), None) => "failed",
        };
        let error = attempted.error.as_deref().unwrap_or_default();
        tracing::info!(delivery = %due.id, attempt = due.attempts + 1, status = attempted.status, outcome, error, "webhook attempted");
        if let Err(error) = store::finish(&self.database, due, &attempted, self.clock.now(), self.sends_sessions).await
        {
            tracing::warn!(delivery = %due.id, %error, "a webhook attempt could not be noted; it will be repeated");
        }
        Some(AttemptEnd { outcome, answer })
    }

    /// Also returns what the receiver did. Only its own time counts: the database's is not its fault.
    async fn try_attempt(
        &self,
        due: &delivery::Model,
    ) -> Result<Option<(Attempted, Option<HostAnswer>)>, crate::error::Error> {
        if store::has_earlier(&self.database, due).await? {
            let until = self.clock.now().plus(WAIT_FOR_EARLIER_MILLISECONDS);
            store::postpone(&self.database, due, until).await?;
            return Ok(None);
        }
        if !store::claim(&self.database, due, self.clock.now()).await? {
            return Ok(None);
        }
        let Some(session) = sessions::find(&self.database, due.session_id).await? else {
            let error = Some("the session is gone".to_owned());
            return Ok(Some((Attempted { status: None, error, next_attempt_at: None }, None)));
        };
        let post = self.post(due, self.payload(due, &session).await?);
        let began = Instant::now();
        let answer = self.client.post(&due.url, post, self.clock.now()).await;
        let of_host = match &answer {
            Ok(_) => Some(HostAnswer::After(began.elapsed())),
            Err(PostError::Failed(_)) => Some(HostAnswer::Never),
            Err(PostError::Refused(_) | PostError::Unsent(_)) => None,
        };
        Ok(Some((self.judge(due, answer), of_host)))
    }

    /// What the receiver is told. Whoever names a webhook gets what they could read themselves.
    async fn payload(&self, due: &delivery::Model, session: &Session) -> Result<String, crate::error::Error> {
        let mut sight = session.webhook_sight(self.has_public_answers);
        sight.keys &= !self.embargo.tells_withheld(session).await?;
        if due.event == store::RESULT_RELEASED {
            return Ok(session.event_json(SessionEvent::Released, sight)?);
        }
        sight.result = !self.embargo.is_held(session).await?;
        Ok(session.completed_json(sight)?)
    }

    /// The hosts of links, by which attempts are limited.
    fn hosts_of(&self, links: &[String]) -> Vec<String> {
        let mut hosts: Vec<String> = links.iter().filter_map(|link| self.client.host(link)).collect();
        hosts.sort_unstable();
        hosts.dedup();
        hosts
    }

    fn post(&self, due: &delivery::Model, body: String) -> Post {
        let id = due.id.to_string();
        let timestamp = self.clock.now().milliseconds() / 1_000;
        let mut headers = vec![
            ("webhook-signature", self.key.sign(&id, timestamp, &body)),
            ("webhook-timestamp", timestamp.to_string()),
            ("webhook-id", id),
        ];
        if let Some(secret) = &self.secret {
            headers.push(("X-Webhook-Secret", String::from_utf8_lossy(secret.reveal()).into_owned()));
        }
        Post { body, headers }
    }

    fn judge(&self, due: &delivery::Model, answer: Result<ReceiverAnswer, PostError>) -> Attempted {
        let (status, retry_after, error, is_final) = match answer {
            Ok(ReceiverAnswer { status: 200..=299, .. }) => {
                return Attempted {
                    status: answer.ok().map(|answer| answer.status),
                    error: None,
                    next_attempt_at: None,
                };
            }
            Ok(answer) => (
                Some(answer.status),
                answer.retry_after,
                format!("the receiver answered {}", answer.status),
                answer.status == GONE,
            ),
            Err(PostError::Refused(refusal)) => (None, None, refusal.to_string(), true),
            Err(PostError::Failed(reason) | PostError::Unsent(reason)) => (None, None, reason, false),
        };
        let attempts = u32::try_from(due.attempts + 1).unwrap_or(u32::MAX);
        let wait = if is_final { None } else { retry::wait_after(attempts, rand::rng().random(), retry_after) };
        let next_attempt_at =
            wait.map(|wait| self.clock.now().plus(i64::try_from(wait.as_millis()).unwrap_or(i64::MAX)));
        Attempted { status, error: Some(error), next_attempt_at }
    }
}
