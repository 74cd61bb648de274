//! The actor that knows which rooms are watched, on this server and on others, and passes rows to the rooms.
//!
//! There is one for the whole server. It owns the addresses of the rooms, and the list of what other servers watch.
//! Sockets of proctors, the relay and the rooms write to it. Seats don't: they put their rows into the feed, which this
//! actor empties while anything is watched. When it dies, proctors get no more news; their sockets notice that their
//! room is gone and connect again.

mod backlog;
mod changed_sittings;
pub mod feed;
mod inbound;
pub mod messages;
mod peers;
mod roll_call;
pub mod room;
pub mod servers;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::prelude::*;
use domain::room::RoomKey;
use domain::room::row::{SessionRow, VersionedRow};
use uuid::Uuid;

use super::seats::registry::Registry;
use crate::clock::Clock;
use crate::database::Database;
use crate::sittings::Sittings;
use backlog::RoomBacklog;
use feed::Feed;
use messages::RoomMessage;
use peers::Peers;
use roll_call::RollCall;
use room::{Join, List, Listing, RoomActor, RoomEvent, Watcher};

/// Messages waiting: new watchers, and messages of other servers.
const MAILBOX_CAPACITY: usize = 4_096;
/// How often the feed is emptied while anything is watched: often enough that it adds little to a room's own wait.
const DRAIN_EVERY: Duration = Duration::from_millis(50);
/// How often the actor tells the other servers what is watched here, and looks for servers that have died.
const KEEP_EVERY: Duration = Duration::from_secs(1);

/// The other servers, as far as rooms need them. No method waits.
pub trait Servers: Send + Sync {
    fn own_id(&self) -> Uuid;
    /// The servers that are alive, including this one.
    fn living(&self) -> Arc<HashSet<Uuid>>;
    /// Whether messages of other servers may be missing.
    fn is_partial(&self) -> bool;
    /// Sends a message to all others.
    fn tell_all(&self, word: RoomMessage);
    /// Sends a message to one.
    fn tell(&self, server: Uuid, word: RoomMessage);
}

/// What rooms need of the rest of the server.
pub struct RoomContext {
    pub database: Database,
    pub clock: Clock,
    /// Where seats put their rows.
    pub feed: Arc<Feed>,
    /// Where the seats are found.
    pub registry: Arc<Registry>,
    /// Who is expected in the rooms of sittings.
    pub sittings: Arc<Sittings>,
    pub servers: Box<dyn Servers>,
}

/// Somebody wants to watch a room. Answered with the room.
#[derive(Message)]
#[rtype(result = "Option<Addr<RoomActor>>")]
pub struct Watch {
    pub key: RoomKey,
    /// The number of the last change that the watcher has.
    pub since: Option<u64>,
    pub watcher: Watcher,
}

/// Somebody wants to know who is in a room now.
#[derive(Message)]
#[rtype(result = "Option<Vec<SessionRow>>")]
pub struct Ask(pub RoomKey);

/// A message of another server.
#[derive(Message)]
#[rtype(result = "()")]
pub struct FromServer {
    pub from: Uuid,
    pub word: RoomMessage,
}

/// Nobody has watched a room for a while. The room may go if the answer is true.
#[derive(Message)]
#[rtype(result = "bool")]
pub struct RoomVacated {
    pub key: RoomKey,
    /// The watchers that have come so far, as the room counts them. If more are on their way to it, it must stay.
    pub joins: u64,
}

/// A proctor has given an order. Its effect on attempts without a seat is in the database only.
#[derive(Message)]
#[rtype(result = "()")]
pub struct OrderGiven;

/// Knows which rooms are watched.
pub struct Rooms {
    tools: Arc<RoomContext>,
    rooms: HashMap<RoomKey, RoomBacklog>,
    peers: Peers,
    asking: Vec<RollCall>,
    draining: Option<SpawnHandle>,
    /// Servers that are alive but silent.
    unheard: Arc<HashSet<Uuid>>,
    is_partial: bool,
    /// The versions of the sittings whose rooms are open, as far as they are known.
    versions: HashMap<Uuid, i64>,
    is_reading_versions: bool,
}

impl Rooms {
    #[must_use]
    pub fn new(tools: RoomContext) -> Self {
        Self {
            tools: Arc::new(tools),
            rooms: HashMap::new(),
            peers: Peers::default(),
            asking: Vec::new(),
            draining: None,
            unheard: Arc::default(),
            is_partial: false,
            versions: HashMap::new(),
            is_reading_versions: false,
        }
    }

    /// The room with that key, created if there is none. Counts one more watcher on the way to it.
    fn room(&mut self, key: RoomKey, context: &mut Context<Self>) -> Option<&mut RoomBacklog> {
        if !self.rooms.get(&key).is_some_and(|local| local.room.connected()) {
            self.note_partial();
            let mut local = RoomBacklog::new(RoomActor::open(key, Arc::clone(&self.tools), context.address()));
            local.give(self.partial());
            self.rooms.insert(key, local);
            self.peers.open(key, Instant::now());
            self.set_watched(context);
            self.tell_watching();
            self.ask_seats(HashSet::from([key]), None, None);
        }
        let local = self.rooms.get_mut(&key)?;
        local.joins += 1;
        Some(local)
    }

    /// Publishes what is watched to the seats, and empties the feed as long as anything is.
    fn set_watched(&mut self, context: &mut Context<Self>) {
        let watched: HashSet<RoomKey> = self.rooms.keys().copied().chain(self.peers.rooms()).collect();
        match (watched.is_empty(), self.draining) {
            (false, None) => {
                let draining = self.tools.clock.every(context, DRAIN_EVERY, |actor: &mut Self, _| actor.drain());
                self.draining = Some(draining);
            }
            (true, Some(draining)) => {
                context.cancel_future(draining);
                self.draining = None;
            }
            _ => {}
        }
        self.tools.feed.watch(watched);
    }

    fn tell_watching(&self) {
        self.tools.servers.tell_all(RoomMessage::Watching { rooms: self.rooms.keys().copied().collect() });
    }

    /// Asks every seat of these rooms to report.
    fn ask_seats(&mut self, rooms: HashSet<RoomKey>, for_server: Option<Uuid>, wish: Option<u64>) {
        let seats = self.tools.registry.all();
        self.asking.push(RollCall::new(rooms, for_server, wish, seats));
    }

    /// Passes the changed rows to the rooms of this server, and to the servers that watch.
    fn drain(&mut self) {
        self.asking.iter_mut().for_each(RollCall::go_on);
        // Checked before the rows are taken, so that the rows of the last seat are among them.
        let (done, under_way) = std::mem::take(&mut self.asking).into_iter().partition(RollCall::is_done);
        self.asking = under_way;
        let rows = self.tools.feed.take();
        if !rows.is_empty() {
            self.give(self.tools.servers.own_id(), &rows);
            self.send(&rows);
        }
        done.into_iter().for_each(|asking| self.reported(&asking));
        self.note_partial();
        self.rooms.values_mut().for_each(RoomBacklog::go_on);
        let missed: HashSet<RoomKey> =
            self.rooms.iter_mut().filter_map(|(key, local)| local.takes_all_anew().then_some(*key)).collect();
        if !missed.is_empty() {
            // The message about other servers may be among those that the room has missed.
            let partial = self.partial();
            for key in &missed {
                self.rooms.get_mut(key).into_iter().for_each(|local| local.give(partial.clone()));
            }
            self.ask_seats(missed, None, None);
            self.want_all();
        }
    }

    /// Passes rows to the rooms of this server.
    fn give(&mut self, from: Uuid, rows: &[VersionedRow]) {
        for (key, local) in &mut self.rooms {
            let rows: Vec<VersionedRow> = rows.iter().filter(|row| key.shows(&row.row)).cloned().collect();
            if !rows.is_empty() {
                local.give(RoomEvent::Rows { from, rows });
            }
        }
    }

    fn reported(&mut self, asking: &RollCall) {
        match asking.for_server {
            Some(server) => self.tools.servers.tell(
                server,
                RoomMessage::Reported { rooms: asking.rooms.iter().copied().collect(), wish: asking.wish },
            ),
            None => self.note_reported(self.tools.servers.own_id(), asking.rooms.iter().copied()),
        }
    }

    fn note_reported(&mut self, from: Uuid, rooms: impl Iterator<Item = RoomKey>) {
        for key in rooms {
            if let Some(local) = self.rooms.get_mut(&key) {
                local.give(RoomEvent::Reported { from });
            }
        }
    }

    fn keep(&mut self, context: &mut Context<Self>) {
        self.rooms.retain(|_, local| local.room.connected());
        self.peers.keep_open(|key| self.rooms.contains_key(key));
        let living = self.tools.servers.living();
        self.peers.forget(&living, Instant::now());
        self.listen(&living);
        let present: HashSet<Uuid> =
            living.iter().copied().chain([self.tools.servers.own_id()]).chain(self.peers.known()).collect();
        let present = Arc::new(present);
        self.rooms.values_mut().for_each(|local| local.give(RoomEvent::Present(Arc::clone(&present))));
        if !self.rooms.is_empty() {
            self.tell_watching();
        }
        for (server, wish) in self.peers.owing() {
            self.tools.servers.tell(server, RoomMessage::RowsWanted { wish });
        }
        for (server, _, number) in self.peers.watchers() {
            self.tools.servers.tell(server, RoomMessage::Sent { number });
        }
        self.set_watched(context);
        self.look_for_changed_sittings(context);
    }
}

impl Actor for Rooms {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(MAILBOX_CAPACITY);
        self.tools.clock.every(context, KEEP_EVERY, Self::keep);
        self.listen_to_sittings(context);
    }
}

impl Handler<Watch> for Rooms {
    type Result = Option<Addr<RoomActor>>;

    fn handle(&mut self, watch: Watch, context: &mut Self::Context) -> Self::Result {
        let local = self.room(watch.key, context)?;
        let join = Join { since: watch.since, watcher: watch.watcher };
        if local.room.try_send(join).is_err() {
            local.joins -= 1;
            return None;
        }
        Some(local.room.clone())
    }
}

impl Handler<Ask> for Rooms {
    type Result = ResponseFuture<Option<Vec<SessionRow>>>;

    fn handle(&mut self, Ask(key): Ask, context: &mut Self::Context) -> Self::Result {
        let Some(local) = self.room(key, context) else { return Box::pin(async { None }) };
        let listing = local.room.send(List);
        Box::pin(async { listing.await.ok().flatten().map(|Listing(rows)| rows) })
    }
}

impl Handler<FromServer> for Rooms {
    type Result = ();

    fn handle(&mut self, FromServer { from, word }: FromServer, context: &mut Self::Context) {
        self.hear(from, word, context);
    }
}

impl Handler<OrderGiven> for Rooms {
    type Result = ();

    fn handle(&mut self, _: OrderGiven, _: &mut Self::Context) {
        self.rooms.values_mut().for_each(|local| local.give(RoomEvent::Ordered));
    }
}

impl Handler<RoomVacated> for Rooms {
    type Result = bool;

    fn handle(&mut self, vacant: RoomVacated, context: &mut Self::Context) -> bool {
        let is_vacant = self.rooms.get(&vacant.key).is_none_or(|local| local.joins == vacant.joins);
        if is_vacant && self.rooms.remove(&vacant.key).is_some() {
            self.tell_watching();
            self.set_watched(context);
        }
        is_vacant
    }
}

#[cfg(test)]
mod tests;
