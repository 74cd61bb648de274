//! The actor of one room that is watched: it keeps the list, and tells watchers of changes at most four times a second.
//!
//! It owns the list and the watchers' places in it. The actor of all rooms writes to it what seats here and elsewhere
//! tell; what none of them tells it reads from the store. It goes a little after its last watcher. When it dies, its
//! watchers' sockets notice and come again.

mod absentees;
mod frames;
mod watchers;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::prelude::*;
use domain::room::row::{SessionRow, VersionedRow};
use domain::room::{self, RoomKey};
use domain::time::moment::Moment;
use tokio::sync::oneshot;
use uuid::Uuid;

use super::{RoomContext, RoomVacated, Rooms};
use crate::live::store::ListedSession;
pub use watchers::{OnTheWay, RoomFrame, Watcher};
use watchers::{RoomPicture, WatcherUpdate, Watchers};

/// Messages waiting for one room.
const MAILBOX_CAPACITY: usize = 4_096;
/// Changes are told at most so often.
const TELL_EVERY: Duration = Duration::from_millis(250);
/// A room waits so long for what the seats of all servers tell, before it shows what it knows.
const REPORTS_WITHIN: Duration = Duration::from_secs(1);
/// A room that nobody watches stays so long.
const VACANT_FOR: Duration = Duration::from_secs(5);
/// It is looked so often whether anything is due.
const KEEP_EVERY: Duration = Duration::from_secs(1);
/// Submitted sessions are shown for so long.
const SHOWN_SUBMITTED_MILLISECONDS: i64 = 60 * 60 * 1_000;
/// Who is in the room is answered within this time, with what is known then.
const LISTED_WITHIN: Duration = Duration::from_secs(5);
/// Those who join within this time are welcomed together.
const WELCOME_AFTER: Duration = Duration::from_millis(20);

/// Something that the room is told.
#[derive(Clone, Debug, Message)]
#[rtype(result = "()")]
pub enum RoomEvent {
    /// Pictures of a server's seats.
    Rows {
        /// The server.
        from: Uuid,
        /// The pictures.
        rows: Vec<VersionedRow>,
    },
    /// All seats of a server have told of themselves.
    Reported {
        /// The server.
        from: Uuid,
    },
    /// These servers live, and no others.
    Present(Arc<HashSet<Uuid>>),
    /// What can be heard of the others.
    Partial {
        /// Whether something may be missing.
        is_partial: bool,
        /// Servers that live and can't be heard: the store tells of their seats.
        unheard: Arc<HashSet<Uuid>>,
    },
    /// Proctors have ordered something.
    Ordered,
}

/// Someone begins to watch.
#[derive(Message)]
#[rtype(result = "()")]
pub struct Join {
    /// The last number that the watcher has.
    pub since: Option<u64>,
    /// Where frames go.
    pub watcher: Watcher,
}

/// Someone watches no more.
#[derive(Message)]
#[rtype(result = "()")]
pub struct Leave {
    /// Where frames went.
    pub frames: Recipient<RoomFrame>,
    /// Which of the socket's watches.
    pub watch: u64,
}

/// Who is in the room; answered when that is known.
#[derive(Message)]
#[rtype(result = "Option<Listing>")]
pub struct List;

/// All rows of a room.
pub struct Listing(pub Vec<SessionRow>);

/// One room.
pub struct RoomActor {
    key: RoomKey,
    tools: Arc<RoomContext>,
    rooms: Addr<Rooms>,
    room: room::Room,
    watchers: Watchers,
    lists: Vec<oneshot::Sender<Listing>>,
    joins: u64,
    used_at: Instant,
    /// Servers whose seats have not told of themselves.
    awaited: HashSet<Uuid>,
    is_partial: bool,
    /// Whether the store has been read, and the list can be shown.
    is_ready: bool,
    is_reading: bool,
    is_stale: bool,
    read_at: Instant,
    /// As what was read from the store of those that no seat tells of: they are not read again before that changes.
    known: HashMap<Uuid, ListedSession>,
    told_at: Option<Instant>,
    is_telling_later: bool,
    is_welcoming: bool,
}

impl RoomActor {
    /// An empty room, which fills from now on.
    #[must_use]
    pub fn open(key: RoomKey, tools: Arc<RoomContext>, rooms: Addr<Rooms>) -> Addr<Self> {
        Self::create(|context| {
            // Before it runs, so that many may come at once to a room that is new.
            context.set_mailbox_capacity(MAILBOX_CAPACITY);
            Self::new(key, tools, rooms)
        })
    }

    fn new(key: RoomKey, tools: Arc<RoomContext>, rooms: Addr<Rooms>) -> Self {
        let now = Instant::now();
        let mut awaited: HashSet<Uuid> = tools.servers.living().iter().copied().collect();
        awaited.insert(tools.servers.own_id());
        Self {
            key,
            tools,
            rooms,
            room: room::Room::new(rand::random()),
            watchers: Watchers::default(),
            lists: Vec::new(),
            joins: 0,
            used_at: now,
            awaited,
            is_partial: false,
            is_ready: false,
            is_reading: false,
            is_stale: false,
            read_at: now,
            known: HashMap::new(),
            told_at: None,
            is_telling_later: false,
            is_welcoming: false,
        }
    }

    fn now(&self) -> Moment {
        self.tools.clock.now()
    }

    /// Tells the watchers now, or as soon as that may be.
    fn tell(&mut self, is_news: bool, context: &mut Context<Self>) {
        if !self.is_ready || self.watchers.is_empty() {
            return;
        }
        let wait = self.told_at.map_or(Duration::ZERO, |told_at| TELL_EVERY.saturating_sub(told_at.elapsed()));
        if !wait.is_zero() && !is_news {
            return self.tell_after(wait, context);
        }
        let picture = RoomPicture {
            key: self.key,
            room: &self.room,
            is_partial: self.is_partial,
            now: self.tools.clock.now(),
            is_news,
        };
        let told = self.watchers.tell(&picture);
        if told.has_sent {
            self.told_at = Some(Instant::now());
        }
        self.go_on_after(told, context);
    }

    /// Tells those who have joined, who need not wait for the next change; when the others are told is not moved by it.
    fn welcome(&mut self, context: &mut Context<Self>) {
        if !self.is_ready || std::mem::replace(&mut self.is_welcoming, true) {
            return;
        }
        context.run_later(WELCOME_AFTER, |actor, context| {
            actor.is_welcoming = false;
            let picture = RoomPicture {
                key: actor.key,
                room: &actor.room,
                is_partial: actor.is_partial,
                now: actor.tools.clock.now(),
                is_news: false,
            };
            let told = actor.watchers.welcome(&picture);
            actor.go_on_after(told, context);
        });
    }

    fn tell_after(&mut self, wait: Duration, context: &mut Context<Self>) {
        if !std::mem::replace(&mut self.is_telling_later, true) {
            context.run_later(wait, |actor, context| {
                actor.is_telling_later = false;
                actor.tell(false, context);
            });
        }
    }

    fn go_on_after(&mut self, told: WatcherUpdate, context: &mut Context<Self>) {
        if told.is_behind {
            self.tell_after(TELL_EVERY, context);
        }
    }

    /// The list can be shown: to those who wait for it, and from now on whenever it changes.
    fn show(&mut self, context: &mut Context<Self>) {
        self.is_ready = true;
        for list in std::mem::take(&mut self.lists) {
            let _ = list.send(self.listing());
        }
        self.tell(false, context);
    }

    fn listing(&self) -> Listing {
        Listing(self.room.rows().cloned().collect())
    }

    /// A server's seats have told of themselves, or it is gone.
    fn await_less(&mut self, context: &mut Context<Self>) {
        if self.awaited.is_empty() && !self.is_ready {
            self.read(context);
        }
    }

    fn keep(&mut self, context: &mut Context<Self>) {
        // Without the actor of all rooms nothing is told any more: the sockets notice that this room is gone too.
        if !self.rooms.connected() {
            return context.stop();
        }
        self.watchers.forget_gone();
        self.lists.retain(|list| !list.is_closed());
        if !self.watchers.is_empty() || !self.lists.is_empty() {
            self.used_at = Instant::now();
        } else if self.used_at.elapsed() > VACANT_FOR {
            return self.ask_to_go(context);
        }
        if self.is_ready {
            self.room.remove_ended(self.now().plus(-SHOWN_SUBMITTED_MILLISECONDS));
            self.tell(false, context);
        }
        self.read_when_due(context);
    }

    fn ask_to_go(&mut self, context: &mut Context<Self>) {
        let asking = self.rooms.send(RoomVacated { key: self.key, joins: self.joins });
        context.spawn(asking.into_actor(self).map(|may_go, _, context| {
            if may_go.unwrap_or(true) {
                context.stop();
            }
        }));
    }

    fn take(&mut self, from: Uuid, rows: Vec<VersionedRow>, context: &mut Context<Self>) {
        let mut is_news = false;
        for row in rows {
            self.known.remove(&row.row.session_id);
            is_news |= self.room.put(from, row);
        }
        if is_news {
            self.tell(false, context);
        }
    }

    /// What servers that are gone had told is the store's to tell now.
    fn keep_present(&mut self, present: &HashSet<Uuid>, context: &mut Context<Self>) {
        let gone: HashSet<Uuid> = self.room.holders().filter(|server| !present.contains(server)).collect();
        for server in &gone {
            self.room.lose(*server);
        }
        if !gone.is_empty() {
            self.read(context);
            self.tell(false, context);
        }
        self.awaited.retain(|server| present.contains(server));
        self.await_less(context);
    }
}

impl Actor for RoomActor {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.run_interval(KEEP_EVERY, Self::keep);
        context.run_later(REPORTS_WITHIN, |actor, context| {
            actor.awaited.clear();
            actor.await_less(context);
        });
    }
}

impl Handler<RoomEvent> for RoomActor {
    type Result = ();

    fn handle(&mut self, change: RoomEvent, context: &mut Self::Context) {
        match change {
            RoomEvent::Rows { from, rows } => self.take(from, rows, context),
            RoomEvent::Reported { from } => {
                self.awaited.remove(&from);
                self.await_less(context);
            }
            RoomEvent::Present(present) => self.keep_present(&present, context),
            RoomEvent::Partial { is_partial, unheard } => {
                let is_news = self.is_partial != is_partial;
                self.is_partial = is_partial;
                self.room.doubt(unheard);
                self.known.clear();
                self.read(context);
                self.tell(is_news, context);
            }
            RoomEvent::Ordered => self.read(context),
        }
    }
}

impl Handler<Join> for RoomActor {
    type Result = ();

    fn handle(&mut self, join: Join, context: &mut Self::Context) {
        self.joins += 1;
        self.used_at = Instant::now();
        let position = self.room.enter(join.since);
        self.watchers.add(join.watcher, position, self.now());
        self.welcome(context);
    }
}

impl Handler<Leave> for RoomActor {
    type Result = ();

    fn handle(&mut self, leave: Leave, _: &mut Self::Context) {
        self.watchers.remove(&leave.frames, leave.watch);
    }
}

impl Handler<List> for RoomActor {
    type Result = ResponseFuture<Option<Listing>>;

    fn handle(&mut self, _: List, _: &mut Self::Context) -> Self::Result {
        self.joins += 1;
        self.used_at = Instant::now();
        let (reply, listing) = oneshot::channel();
        if self.is_ready {
            let _ = reply.send(self.listing());
        } else {
            self.lists.push(reply);
        }
        Box::pin(async { tokio::time::timeout(LISTED_WITHIN, listing).await.ok()?.ok() })
    }
}
