//! The bell: the actor that tells waiting candidates when their time begins to count, and what changes until then.
//! There is one for the whole server.
//!
//! Seats register with it while they wait. The bell reads their sittings from the database each second, and at once
//! when this server or another reports a change. After a beginning it writes the times into the rows of those who have
//! begun. It owns nothing: if it dies, the ticker begins the seats a little later, and the next search finds the rows
//! without times.

pub mod messages;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use actix::prelude::*;
use domain::sitting::candidate::Candidate;
use domain::time::moment::Moment;
use tokio::sync::Notify;
use tokio::sync::broadcast::error::RecvError;
use uuid::Uuid;

use self::messages::{AwaitBegin, Ring, RosterLook, SittingChanged, SittingHeard, StopWaiting, WaitingSeat};
use super::messages::ServerMessage;
use super::relay::Relay;
use crate::clock::Clock;
use crate::database::in_time;
use crate::sittings::Sittings;
use crate::sittings::entry::current::{CurrentSitting, decides};
use crate::store::{attempt_starts, candidates};

/// How often the bell checks for beginnings that it has no timer for, because the clock was changed.
const RING: Duration = Duration::from_millis(200);
/// Slices into which a large cohort is divided when it begins, so that those at work get their answers in between.
const SLICES: usize = 96;
/// Candidates in a slice at least. A small cohort begins at once.
const SMALLEST_SLICE: usize = 32;
/// The pause between two slices: the shortest that the runtime's timers know.
const SLICE_PAUSE: Duration = Duration::from_millis(1);
/// How often the bell reads the sittings of those who wait.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How often the bell searches for attempts that have begun while their rows do not say so.
const WRITE_EVERY: Duration = Duration::from_secs(5);
/// How long after a beginning the rows are left alone, since everybody's first answers come first.
const WRITE_AFTER_MILLISECONDS: i64 = 1_000;
/// How long one read of the waiting sittings may take.
const LOOK_TIMEOUT: Duration = Duration::from_secs(5);
/// How long writing the times of one sitting may take. The next search finds what is left.
const WRITE_TIMEOUT: Duration = Duration::from_secs(60);
/// Messages from seats that may wait for the bell: more than the ten thousand seats of a large server.
const MAILBOX_CAPACITY: usize = 32_768;

/// Those who wait in one sitting, on this server.
struct Waiting {
    current: Arc<CurrentSitting>,
    seats: HashMap<Uuid, WaitingStudent>,
    /// Whether it is being read from the database.
    is_looking: bool,
    /// Whether it has changed since that began.
    is_changed: bool,
    /// As of when the candidates are known.
    roster: RosterLook,
    /// Whether the candidates are being read.
    is_reading: bool,
    /// Whether they have to be read, or read again.
    is_roster_due: bool,
    /// Whether the moment of some has come, and the sitting has to be looked at before they begin.
    is_held_up: bool,
}

impl Waiting {
    /// Whether the roster is known by the sitting as it is known.
    fn has_its_roster(&self) -> bool {
        self.roster.is_of(&self.current)
    }
}

struct WaitingStudent {
    candidate_id: Uuid,
    begins_at: Moment,
    seat: WaitingSeat,
}

pub struct Bell {
    sittings: Arc<Sittings>,
    clock: Clock,
    relay: Arc<Relay>,
    new_orders: Arc<Notify>,
    waiting: HashMap<Uuid, Waiting>,
    alarm: Option<SpawnHandle>,
    /// How many begin at once, as long as there are more whose moment has come.
    slice: Option<usize>,
    is_writing: bool,
}

impl Bell {
    #[must_use]
    pub fn new(sittings: Arc<Sittings>, relay: Arc<Relay>, new_orders: Arc<Notify>) -> Self {
        let clock = sittings.clock.clone();
        Self {
            sittings,
            clock,
            relay,
            new_orders,
            waiting: HashMap::new(),
            alarm: None,
            slice: None,
            is_writing: false,
        }
    }

    /// Rings for a slice of those whose moment has come, and sets the alarm for the next ones.
    fn ring(&mut self, context: &mut Context<Self>) {
        let now = self.clock.now();
        let mut next: Option<Moment> = None;
        let slice = self.slice.unwrap_or_else(|| (self.due(now) / SLICES).max(SMALLEST_SLICE));
        let (mut left, mut has_more) = (slice, false);
        for waiting in self.waiting.values_mut() {
            let known_at = waiting.roster.known_at(&waiting.current);
            let mut is_held_up = false;
            waiting.seats.retain(|_, one| {
                if one.begins_at > now {
                    next = Some(next.map_or(one.begins_at, |next| next.min(one.begins_at)));
                    return true;
                }
                // This server may have been stopped or cut off, and the beginning put off meanwhile.
                if !decides(known_at, one.begins_at) {
                    is_held_up = true;
                    return true;
                }
                if left == 0 {
                    has_more = true;
                    return true;
                }
                left -= 1;
                // A seat whose mailbox is full is asked again; one that is dead has nobody who waits.
                matches!(one.seat.begin.try_send(Ring), Err(SendError::Full(_)))
            });
            waiting.is_held_up = is_held_up;
        }
        self.waiting.retain(|_, waiting| !waiting.seats.is_empty());
        if let Some(alarm) = self.alarm.take() {
            context.cancel_future(alarm);
        }
        self.slice = has_more.then_some(slice);
        let wait = next.map(|next| Duration::from_millis(u64::try_from(next.since(now)).unwrap_or_default()));
        // A moment that is further away needs no timer, since the regular ring comes before it.
        let wait = if has_more { Some(SLICE_PAUSE) } else { wait.filter(|wait| *wait < RING * 2) };
        self.alarm = wait.map(|wait| self.clock.after(context, wait, Self::ring));
        let held_up = self.waiting.iter().filter(|(_, waiting)| waiting.is_held_up);
        let held_up: Vec<_> =
            held_up.map(|(id, waiting)| (*id, waiting.has_its_roster(), waiting.is_looking)).collect();
        for (id, has_roster, is_looking) in held_up {
            if !has_roster {
                self.read_roster(id, context);
            } else if !is_looking {
                self.look_at(id, context);
            }
        }
    }

    fn due(&self, now: Moment) -> usize {
        let seats = self.waiting.values().flat_map(|waiting| waiting.seats.values());
        seats.filter(|one| one.begins_at <= now).count()
    }

    fn look(&mut self, context: &mut Context<Self>) {
        let ids: Vec<Uuid> = self.waiting.keys().copied().collect();
        for id in ids {
            self.look_at(id, context);
        }
    }

    /// Reads a sitting again, and tells its seats if it is another.
    fn look_at(&mut self, id: Uuid, context: &mut Context<Self>) {
        let Some(waiting) = self.waiting.get_mut(&id) else { return };
        if std::mem::replace(&mut waiting.is_looking, true) {
            // The read that is under way may have missed the change, so another one follows.
            waiting.is_changed = true;
            return;
        }
        waiting.is_changed = false;
        let sittings = Arc::clone(&self.sittings);
        let reading = async move { in_time("a sitting", LOOK_TIMEOUT, sittings.refreshed(id)).await };
        context.spawn(reading.into_actor(self).map(move |read, actor, context| actor.looked(id, read, context)));
    }

    fn looked(&mut self, id: Uuid, read: Option<Arc<CurrentSitting>>, context: &mut Context<Self>) {
        let Some(waiting) = self.waiting.get_mut(&id) else { return };
        waiting.is_looking = false;
        let Some(current) = read else {
            if waiting.is_changed {
                self.look_at(id, context);
            }
            return;
        };
        if !Arc::ptr_eq(&current, &waiting.current) {
            waiting.roster = waiting.roster.before_change(&waiting.current);
            waiting.current = Arc::clone(&current);
            for one in waiting.seats.values() {
                let _ = one.seat.change.try_send(SittingChanged { current: Arc::clone(&current), candidate: None });
            }
            self.sittings.changes.pass_on(id);
        }
        self.go_on(id, context);
    }

    /// Does what is due in a sitting after something of it has been read.
    fn go_on(&mut self, id: Uuid, context: &mut Context<Self>) {
        let Some(waiting) = self.waiting.get(&id) else { return };
        let (is_changed, is_held_up) = (waiting.is_changed && !waiting.is_looking, waiting.is_held_up);
        if waiting.is_roster_due || !waiting.has_its_roster() {
            self.read_roster(id, context);
        }
        if is_changed {
            self.look_at(id, context);
        }
        if is_held_up {
            self.ring(context);
        }
    }

    /// Reads those who wait, and tells each seat of its own. One read follows the other, so that none brings back what
    /// was before; one that fails is repeated after the next look.
    fn read_roster(&mut self, id: Uuid, context: &mut Context<Self>) {
        let Some(waiting) = self.waiting.get_mut(&id).filter(|waiting| !waiting.is_reading) else { return };
        (waiting.is_reading, waiting.is_roster_due) = (true, false);
        let roster = RosterLook::beginning(&waiting.current, self.clock.now());
        let ids: Vec<Uuid> = waiting.seats.values().map(|one| one.candidate_id).collect();
        let sittings = Arc::clone(&self.sittings);
        let reading = async move {
            in_time("a roster", LOOK_TIMEOUT, candidates::load_those(&sittings.database.read, id, ids)).await
        };
        context.spawn(reading.into_actor(self).map(move |read, actor, context| {
            let Some(waiting) = actor.waiting.get_mut(&id) else { return };
            waiting.is_reading = false;
            let Some(read) = read else {
                waiting.is_roster_due = true;
                return;
            };
            waiting.roster = roster;
            let mut people: HashMap<Uuid, Candidate> =
                read.into_iter().map(|candidate| (candidate.id, candidate)).collect();
            for one in waiting.seats.values() {
                let Some(candidate) = people.remove(&one.candidate_id) else { continue };
                let changed =
                    SittingChanged { current: Arc::clone(&waiting.current), candidate: Some((candidate, roster)) };
                waiting.is_roster_due |= matches!(one.seat.change.try_send(changed), Err(SendError::Full(_)));
            }
            actor.go_on(id, context);
        }));
    }

    fn write_begun(&mut self, context: &mut Context<Self>) {
        if std::mem::replace(&mut self.is_writing, true) {
            return;
        }
        let sittings = Arc::clone(&self.sittings);
        let writing = async move { write_begun(&sittings).await };
        context.spawn(writing.into_actor(self).map(|(), actor, _| actor.is_writing = false));
    }

    fn listen(&self, context: &Context<Self>) {
        let (mut changes, bell) = (self.sittings.changes.listen_to_own(), context.address());
        actix::spawn(async move {
            loop {
                match changes.recv().await {
                    Ok(sitting_id) => {
                        let _ = bell.try_send(SittingHeard { sitting_id, is_own: true });
                    }
                    // The next look finds what was missed.
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return,
                }
            }
        });
    }
}

/// Writes down the times of all attempts of sittings that have begun. One sitting that cannot be read, or takes long,
/// does not keep the others from theirs.
async fn write_begun(sittings: &Sittings) {
    let before = sittings.clock.now().plus(-WRITE_AFTER_MILLISECONDS);
    let finding = attempt_starts::find_sittings_without(&sittings.database, before);
    for id in in_time("attempts that have begun", LOOK_TIMEOUT, finding).await.unwrap_or_default() {
        let writing = sittings.write_begun(id, sittings.clock.now().plus(-WRITE_AFTER_MILLISECONDS));
        in_time("the times of attempts that have begun", WRITE_TIMEOUT, writing).await;
    }
}

impl Actor for Bell {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(MAILBOX_CAPACITY);
        // Nobody waits at a server that only reads.
        if self.sittings.database.is_read_only() {
            return;
        }
        self.clock.every(context, RING, Self::ring);
        self.clock.every(context, LOOK_EVERY, Self::look);
        self.clock.every(context, WRITE_EVERY, Self::write_begun);
        self.listen(context);
    }
}

impl Handler<AwaitBegin> for Bell {
    type Result = ();

    fn handle(&mut self, awaited: AwaitBegin, context: &mut Self::Context) {
        let AwaitBegin { place, session_id, begins_at, known, seat } = awaited;
        let now = self.clock.now();
        let waiting = self.waiting.entry(place.sitting_id).or_insert_with(|| Waiting {
            current: Arc::clone(&known),
            seats: HashMap::new(),
            is_looking: false,
            is_changed: false,
            roster: RosterLook::beginning(&known, known.read_at()),
            is_reading: false,
            is_roster_due: false,
            is_held_up: false,
        });
        let (here, there) = (waiting.current.sitting.version, known.sitting.version);
        // A seat that was built while its sitting changed may know it as it was before.
        if there <= here && !Arc::ptr_eq(&known, &waiting.current) {
            let _ = seat.change.try_send(SittingChanged { current: Arc::clone(&waiting.current), candidate: None });
        }
        waiting.seats.insert(session_id, WaitingStudent { candidate_id: place.candidate_id, begins_at, seat });
        // One whose moment has come, and that asks all the same, has missed something.
        if there < here || begins_at <= now {
            waiting.is_roster_due = true;
            self.read_roster(place.sitting_id, context);
        } else if there > here {
            self.look_at(place.sitting_id, context);
        }
        // The next regular ring would come too late.
        if begins_at.since(now) < i64::try_from(RING.as_millis()).unwrap_or_default() {
            self.ring(context);
        }
    }
}

impl Handler<StopWaiting> for Bell {
    type Result = ();

    fn handle(&mut self, stopped: StopWaiting, _: &mut Self::Context) {
        if let Some(waiting) = self.waiting.get_mut(&stopped.sitting_id) {
            waiting.seats.remove(&stopped.session_id);
        }
    }
}

impl Handler<SittingHeard> for Bell {
    type Result = ();

    fn handle(&mut self, heard: SittingHeard, context: &mut Self::Context) {
        let SittingHeard { sitting_id, is_own } = heard;
        if is_own {
            self.relay.tell_all(&ServerMessage::Sitting { sitting_id });
            // Those at work are told of changes as of orders.
            self.new_orders.notify_one();
            self.relay.tell_all(&ServerMessage::Ordered);
        } else {
            self.sittings.changes.pass_on(sitting_id);
        }
        self.look_at(sitting_id, context);
    }
}
