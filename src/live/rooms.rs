//! The actor that knows which rooms are watched, here and on the other servers, and carries rows to those who watch.
//!
//! One for the whole server. It owns the addresses of the rooms and what the other servers watch; seats leave their rows
//! in the feed, which it empties while anything is watched. When it dies no proctor is told of anything new: sockets
//! notice that their room is gone and come again.

mod backlog;
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
use backlog::RoomBacklog;
use feed::Feed;
use messages::RoomMessage;
use peers::Peers;
use roll_call::RollCall;
use room::{Join, List, Listing, RoomActor, RoomEvent, Watcher};

/// Messages waiting: watchers who come, and words of other servers.
const MAILBOX_CAPACITY: usize = 4_096;
/// While anything is watched, rows are taken from the feed so often.
const DRAIN_EVERY: Duration = Duration::from_millis(50);
/// Other servers are told so often what is watched here, and it is looked who has died.
const KEEP_EVERY: Duration = Duration::from_secs(1);

/// The other servers, as far as rooms have to do with them. None of these waits.
pub trait Servers: Send + Sync {
    /// This server.
    fn own_id(&self) -> Uuid;
    /// Those that live, this one among them.
    fn living(&self) -> Arc<HashSet<Uuid>>;
    /// Whether others may not be heard.
    fn is_partial(&self) -> bool;
    /// Tells all others.
    fn tell_all(&self, word: RoomMessage);
    /// Tells one.
    fn tell(&self, server: Uuid, word: RoomMessage);
}

/// What rooms work with.
pub struct RoomContext {
    /// The store.
    pub database: Database,
    /// The server's clock.
    pub clock: Clock,
    /// Where seats leave their rows.
    pub feed: Arc<Feed>,
    /// Where the seats are.
    pub registry: Arc<Registry>,
    /// The other servers.
    pub servers: Box<dyn Servers>,
}

/// Someone wants to watch a room, from a number on that it may know; answered with the room.
#[derive(Message)]
#[rtype(result = "Option<Addr<RoomActor>>")]
pub struct Watch {
    /// Which room.
    pub key: RoomKey,
    /// The last number that the watcher has.
    pub since: Option<u64>,
    /// Where frames go.
    pub watcher: Watcher,
}

/// Someone wants to know who is in a room now.
#[derive(Message)]
#[rtype(result = "Option<Vec<SessionRow>>")]
pub struct Ask(pub RoomKey);

/// Another server has said something.
#[derive(Message)]
#[rtype(result = "()")]
pub struct FromServer {
    /// Which.
    pub from: Uuid,
    /// What.
    pub word: RoomMessage,
}

/// A room has had nobody for a while; it may go when the answer is true.
#[derive(Message)]
#[rtype(result = "bool")]
pub struct RoomVacated {
    /// Which room.
    pub key: RoomKey,
    /// How many have come so far.
    pub joins: u64,
}

/// Proctors have ordered something: what no seat tells of is in the store.
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
    /// Servers that live and can't be heard.
    unheard: Arc<HashSet<Uuid>>,
    is_partial: bool,
}

impl Rooms {
    /// Nobody watches anything.
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
        }
    }

    /// The room of that key, made when there is none; one more has come to it.
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

    /// Seats learn what is watched, and their rows are taken as long as anything is.
    fn set_watched(&mut self, context: &mut Context<Self>) {
        let watched: HashSet<RoomKey> = self.rooms.keys().copied().chain(self.peers.rooms()).collect();
        match (watched.is_empty(), self.draining) {
            (false, None) => self.draining = Some(context.run_interval(DRAIN_EVERY, |actor, _| actor.drain())),
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

    /// Has every seat of these rooms tell of itself.
    fn ask_seats(&mut self, rooms: HashSet<RoomKey>, for_server: Option<Uuid>, wish: Option<u64>) {
        let seats = self.tools.registry.all();
        self.asking.push(RollCall::new(rooms, for_server, wish, seats));
    }

    /// Gives the rows that have changed to the rooms of this server, and to the servers that watch theirs.
    fn drain(&mut self) {
        self.asking.iter_mut().for_each(RollCall::go_on);
        // Found before the rows are taken, so that those of the last seat are among them.
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
            // What was said of the others may be among what it has missed.
            let partial = self.partial();
            for key in &missed {
                self.rooms.get_mut(key).into_iter().for_each(|local| local.give(partial.clone()));
            }
            self.ask_seats(missed, None, None);
            self.want_all();
        }
    }

    /// To the rooms of this server.
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
    }
}

impl Actor for Rooms {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(MAILBOX_CAPACITY);
        context.run_interval(KEEP_EVERY, Self::keep);
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
