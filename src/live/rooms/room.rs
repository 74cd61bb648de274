//! The actor of one room that is watched: it keeps the list, and sends changes to watchers at most four times a second.
//!
//! It owns the list, and the watchers' positions in it. The actor of all rooms passes on to it what seats report, here
//! and on other servers; the sessions that no seat reports it reads from the database. It stops a little after its last
//! watcher has left. When it dies, its watchers' sockets notice and connect again.

mod absentees;
mod expected;
mod frames;
mod state;
mod turns;
mod watchers;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::prelude::*;
use domain::room::differences::Differences;
use domain::room::row::{SessionRow, VersionedRow};
use domain::room::{self, RoomKey};
use domain::time::moment::Moment;
use tokio::sync::oneshot;
use uuid::Uuid;

use super::{RoomContext, RoomVacated, Rooms};
use crate::live::store::ListedSession;
use expected::Expected;
pub use frames::FrameBody;
pub use state::{OutageView, RoomState};
use watchers::Watchers;
pub use watchers::{Manner, OnTheWay, RoomFrame, Watcher};

/// Messages waiting for one room.
const MAILBOX_CAPACITY: usize = 4_096;
/// How long a new room waits for the seats of all servers to report, before it shows what it knows.
const REPORTS_WITHIN: Duration = Duration::from_secs(1);
/// How long a room that nobody watches stays in memory.
const VACANT_FOR: Duration = Duration::from_secs(5);
/// How often the room checks for due work.
const KEEP_EVERY: Duration = Duration::from_secs(1);
/// How long submitted sessions are shown.
const SHOWN_SUBMITTED_MILLISECONDS: i64 = 60 * 60 * 1_000;
/// How long the caller of [`List`] waits for a room that can't be shown yet; then the answer is `None`.
const LISTED_WITHIN: Duration = Duration::from_secs(5);

/// A message to the room about seats or servers.
#[derive(Clone, Debug, Message)]
#[rtype(result = "()")]
pub enum RoomEvent {
    /// Rows of a server's seats.
    Rows { from: Uuid, rows: Vec<VersionedRow> },
    /// All seats of a server have reported.
    Reported { from: Uuid },
    /// These servers are alive, and no others.
    Present(Arc<HashSet<Uuid>>),
    /// How much of the other servers can be heard.
    Partial {
        /// Whether something may be missing.
        is_partial: bool,
        /// Servers that are alive but silent: their seats are read from the database.
        unheard: Arc<HashSet<Uuid>>,
    },
    /// A proctor has given an order.
    Ordered,
    /// The roster of the sitting is another; its version, if that is known.
    RosterChanged { version: Option<i64> },
}

/// A socket begins to watch.
#[derive(Message)]
#[rtype(result = "()")]
pub struct Join {
    /// The number of the last change that the watcher has.
    pub since: Option<u64>,
    pub watcher: Watcher,
}

/// A socket stops watching.
#[derive(Message)]
#[rtype(result = "()")]
pub struct Leave {
    pub frames: Recipient<RoomFrame>,
    /// The watch of the socket that ends.
    pub watch: u64,
}

/// A socket says which rows it has in view.
#[derive(Message)]
#[rtype(result = "()")]
pub struct SetView {
    pub frames: Recipient<RoomFrame>,
    pub watch: u64,
    /// Their numbers; `None` for all.
    pub rows: Option<Vec<u32>>,
}

/// Asks who is in the room; answered when that is known.
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
    /// Of a sitting's room: who is expected.
    expected: Expected,
    watchers: Watchers,
    /// Kept from the first watcher on who is told differences.
    differences: Option<Differences>,
    lists: Vec<oneshot::Sender<Listing>>,
    joins: u64,
    used_at: Instant,
    /// Servers whose seats have not reported yet.
    awaited: HashSet<Uuid>,
    is_partial: bool,
    state: RoomState,
    /// Whether the database has been read, so that the list can be shown.
    is_ready: bool,
    is_reading: bool,
    is_stale: bool,
    read_at: Instant,
    /// What was read from the database about sessions that no seat reports. Their rows are not read again until it
    /// changes.
    known: HashMap<Uuid, ListedSession>,
    told_at: Option<Instant>,
    is_telling_later: bool,
    is_welcoming: bool,
}

impl RoomActor {
    /// Starts an empty room, which fills from then on.
    #[must_use]
    pub fn open(key: RoomKey, tools: Arc<RoomContext>, rooms: Addr<Rooms>) -> Addr<Self> {
        Self::create(|context| {
            // Set before the actor runs, so that many may join a new room at once.
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
            room: if key.sitting_id().is_some() {
                room::Room::of_sitting(rand::random())
            } else {
                room::Room::new(rand::random())
            },
            expected: Expected::default(),
            watchers: Watchers::default(),
            differences: None,
            lists: Vec::new(),
            joins: 0,
            used_at: now,
            awaited,
            is_partial: false,
            state: RoomState::default(),
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

    /// Shows the list: to those who wait for it, and from then on whenever it changes.
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

    /// Reads from the database once no server is awaited any more.
    fn await_less(&mut self, context: &mut Context<Self>) {
        if self.awaited.is_empty() && !self.is_ready {
            self.read(context);
        }
    }

    fn keep(&mut self, context: &mut Context<Self>) {
        // Without the actor of all rooms no news arrives any more. When this room goes too, the sockets notice.
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
            if self.key.sitting_id().is_none() {
                self.room.remove_ended(self.now().plus(-SHOWN_SUBMITTED_MILLISECONDS));
            }
            self.room.pass_time(self.now());
            self.tell(false, context);
        }
        self.read_stale_roster(context);
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
            if !self.is_shown(&row) {
                continue;
            }
            if let Some(session_id) = row.row.session_id {
                self.known.remove(&session_id);
            }
            is_news |= self.room.put(from, row);
        }
        if is_news {
            self.tell(false, context);
        }
    }

    /// Returns whether the room shows a test yet. Who waits for the beginning of a sitting is in the rooms of the
    /// sitting alone.
    fn is_shown(&self, told: &VersionedRow) -> bool {
        let is_waiting = told.row.sitting_id.is_some() && told.row.started_at > self.now() && told.ended_at.is_none();
        self.key.sitting_id().is_some() || !is_waiting
    }

    /// Forgets what servers that are gone have reported, and reads their sessions from the database instead.
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
        let clock = &self.tools.clock;
        clock.every(context, KEEP_EVERY, Self::keep);
        clock.every(context, turns::TELL_EVERY, Self::take_turns);
        clock.after(context, REPORTS_WITHIN, |actor: &mut Self, context| {
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
            RoomEvent::RosterChanged { version } => self.note_roster(version, context),
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

impl Handler<SetView> for RoomActor {
    type Result = ();

    fn handle(&mut self, view: SetView, _: &mut Self::Context) {
        self.watchers.set_view(&view.frames, view.watch, view.rows);
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
