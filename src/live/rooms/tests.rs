//! Two servers' rooms joined by a wire, without seats and without Redis: what one server reports, the watchers of the
//! other see.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use domain::attempt::Mode;
use domain::grade::Grade;
use domain::room::row::{AttemptRow, RowVersion, SessionState};
use domain::time::moment::Moment;
use serde_json::Value;
use tokio::sync::mpsc;

use super::*;
use crate::config::Secret;
use crate::live::rooms::room::{FrameBody, Manner, OnTheWay, RoomFrame};
use crate::store::embargo::Embargo;

const PATIENCE: Duration = Duration::from_secs(20);

/// A message: from whom, to whom (`None` for all), and its content.
type Said = (Uuid, Option<Uuid>, RoomMessage);

/// One end of the wire.
struct End {
    own_id: Uuid,
    living: Arc<Mutex<HashSet<Uuid>>>,
    is_partial: Arc<AtomicBool>,
    said: mpsc::UnboundedSender<Said>,
}

impl Servers for End {
    fn own_id(&self) -> Uuid {
        self.own_id
    }

    fn living(&self) -> Arc<HashSet<Uuid>> {
        Arc::new(self.living.lock().unwrap().clone())
    }

    fn is_partial(&self) -> bool {
        self.is_partial.load(Ordering::Relaxed)
    }

    fn tell_all(&self, word: RoomMessage) {
        let _ = self.said.send((self.own_id, None, word));
    }

    fn tell(&self, server: Uuid, word: RoomMessage) {
        let _ = self.said.send((self.own_id, Some(server), word));
    }
}

struct Server {
    id: Uuid,
    feed: Arc<Feed>,
    rooms: Addr<Rooms>,
}

/// Two servers of one database.
struct Pair {
    /// Of both servers.
    clock: Clock,
    servers: [Server; 2],
    living: Arc<Mutex<HashSet<Uuid>>>,
    is_partial: Arc<AtomicBool>,
    /// Whether reports of seats are lost, and the wishes for them too.
    is_losing: Arc<AtomicBool>,
    said: Arc<Mutex<Vec<RoomMessage>>>,
    /// Seats of the second server, which report when all rows are wanted.
    seats: Arc<Mutex<Vec<VersionedRow>>>,
    _folder: tempfile::TempDir,
}

impl Pair {
    async fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database =
            Database::open(&format!("sqlite://{}", folder.path().join("rooms.db").display()), 2, 1).await.unwrap();
        database.migrate().await.unwrap();
        let ids = [Uuid::from_u128(1), Uuid::from_u128(2)];
        let (living, is_partial) = (Arc::new(Mutex::new(HashSet::from(ids))), Arc::new(AtomicBool::default()));
        let (said, hearing) = mpsc::unbounded_channel();
        let clock = Clock::movable();
        let servers = ids.map(|id| {
            let feed = Arc::<Feed>::default();
            let end = End {
                own_id: id,
                living: Arc::clone(&living),
                is_partial: Arc::clone(&is_partial),
                said: said.clone(),
            };
            let tools = RoomContext {
                database: database.clone(),
                clock: clock.clone(),
                feed: Arc::clone(&feed),
                registry: Arc::default(),
                sittings: Arc::new(Sittings::new(
                    database.clone(),
                    clock.clone(),
                    &Secret::new(vec![7; 32]),
                    Arc::new(Embargo::new(database.clone(), clock.clone())),
                    true,
                )),
                servers: Box::new(end),
            };
            Server { id, feed, rooms: Rooms::new(tools).start() }
        });
        let (is_losing, words) = (Arc::<AtomicBool>::default(), Arc::<Mutex<Vec<RoomMessage>>>::default());
        let seats = Arc::<Mutex<Vec<VersionedRow>>>::default();
        let wire = Wire {
            ends: servers.each_ref().map(|server| (server.id, server.rooms.clone())),
            is_losing: Arc::clone(&is_losing),
            said: Arc::clone(&words),
            seats: Arc::clone(&seats),
            feed: Arc::clone(&servers[1].feed),
        };
        actix::spawn(wire.carry(hearing));
        Self { clock, servers, living, is_partial, is_losing, said: words, seats, _folder: folder }
    }

    /// Lets the servers look after their rooms, and waits until the first one has said what it watches.
    async fn until_kept(&self) {
        self.said.lock().unwrap().clear();
        self.clock.advance(KEEP_EVERY);
        eventually(|| self.said.lock().unwrap().iter().any(|word| matches!(word, RoomMessage::Watching { .. }))).await;
    }

    async fn until_wished(&self) {
        eventually(|| self.said.lock().unwrap().iter().any(|word| matches!(word, RoomMessage::RowsWanted { .. })))
            .await;
    }
}

/// Carries the messages.
struct Wire {
    ends: [(Uuid, Addr<Rooms>); 2],
    is_losing: Arc<AtomicBool>,
    said: Arc<Mutex<Vec<RoomMessage>>>,
    seats: Arc<Mutex<Vec<VersionedRow>>>,
    feed: Arc<Feed>,
}

impl Wire {
    async fn carry(self, mut hearing: mpsc::UnboundedReceiver<Said>) {
        while let Some((from, to, word)) = hearing.recv().await {
            let text = serde_json::to_string(&word).unwrap();
            let is_wish = matches!(word, RoomMessage::RowsWanted { .. });
            let is_lost = is_wish || matches!(word, RoomMessage::Rows { .. } | RoomMessage::Reported { .. });
            self.said.lock().unwrap().push(word);
            if is_lost && self.is_losing.load(Ordering::Relaxed) {
                continue;
            }
            for (id, rooms) in self.ends.iter().filter(|(id, _)| *id != from && to.is_none_or(|to| to == *id)) {
                if is_wish && *id == self.ends[1].0 {
                    self.seats.lock().unwrap().iter().for_each(|row| self.feed.put(row.clone()));
                }
                let word = serde_json::from_str(&text).unwrap();
                rooms.send(FromServer { from, word }).await.unwrap();
            }
        }
    }
}

async fn eventually(mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < deadline, "it does not come to that");
        Clock::system().sleep(Duration::from_millis(10)).await;
    }
}

/// Collects frames as they arrive.
struct Collector(mpsc::UnboundedSender<Value>, Arc<OnTheWay>);

impl Actor for Collector {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(8);
    }
}

impl Handler<RoomFrame> for Collector {
    type Result = ();

    fn handle(&mut self, frame: RoomFrame, _: &mut Self::Context) {
        self.1.take_off(frame.body.bytes());
        let text = match frame.body {
            FrameBody::Text(text) => text.to_string(),
            FrameBody::Deflated(bytes) => std::io::read_to_string(flate2::read::DeflateDecoder::new(&*bytes)).unwrap(),
        };
        let _ = self.0.send(serde_json::from_str(&text).unwrap());
    }
}

/// A watcher, with what it sees.
struct Page {
    frames: mpsc::UnboundedReceiver<Value>,
    rows: HashMap<String, Value>,
    is_partial: bool,
    _collector: Addr<Collector>,
}

impl Page {
    async fn watching(server: &Server) -> Self {
        let (collect, frames) = mpsc::unbounded_channel();
        let on_the_way = Arc::<OnTheWay>::default();
        let collector = Collector(collect, Arc::clone(&on_the_way)).start();
        let watcher =
            Watcher { watch: 1, manner: Manner::default(), frames: collector.clone().recipient(), on_the_way };
        assert!(server.rooms.send(Watch { key: key(), since: None, watcher }).await.unwrap().is_some());
        Self { frames, rows: HashMap::new(), is_partial: false, _collector: collector }
    }

    async fn until(&mut self, holds: impl Fn(&Self) -> bool) {
        while !holds(self) {
            let frame =
                tokio::time::timeout(PATIENCE, self.frames.recv()).await.expect("nothing more is told").unwrap();
            self.is_partial = frame["partial"].as_bool().unwrap();
            for row in frame["sessions"].as_array().unwrap() {
                self.rows.insert(row["sessionId"].as_str().unwrap().to_owned(), row.clone());
            }
        }
    }

    fn shows(&self, session: u128, answered: u32, connected: bool) -> bool {
        self.rows
            .get(&Uuid::from_u128(session).to_string())
            .is_some_and(|row| row["answered"] == answered && row["connected"] == connected)
    }
}

fn key() -> RoomKey {
    RoomKey::Grade(Grade::new(5).unwrap())
}

fn row(session: u128, answered: u32) -> VersionedRow {
    let (grade, began_at) = (Grade::new(5).unwrap(), Moment::from_milliseconds(0));
    let row = AttemptRow {
        session_id: Some(Uuid::from_u128(session)),
        state: SessionState::Active,
        connected: true,
        answered,
        total: 20,
        last_seen_at: Some(began_at),
        ..AttemptRow::expected("Ada".into(), grade, Mode::Standard, began_at, began_at.plus(60_000))
    };
    VersionedRow { version: RowVersion { fence: 1, number: 0 }, is_held: true, ended_at: None, row }
}

/// A seat reports, as soon as the server knows that it is watched.
async fn tell(server: &Server, row: VersionedRow) {
    eventually(|| server.feed.is_watched(row.row.grade, None, None)).await;
    server.feed.put(row);
}

#[actix::test]
async fn a_watcher_sees_the_seats_of_both_servers() {
    let pair = Pair::open().await;
    let mut page = Page::watching(&pair.servers[0]).await;
    tell(&pair.servers[0], row(10, 1)).await;
    tell(&pair.servers[1], row(20, 2)).await;
    page.until(|page| page.shows(10, 1, true) && page.shows(20, 2, true)).await;
    tell(&pair.servers[1], row(20, 3)).await;
    page.until(|page| page.shows(20, 3, true)).await;
    let mut elsewhere = Page::watching(&pair.servers[1]).await;
    tell(&pair.servers[0], row(10, 4)).await;
    elsewhere.until(|page| page.shows(10, 4, true)).await;
}

#[actix::test]
async fn a_seat_that_nobody_watches_tells_nobody() {
    let pair = Pair::open().await;
    let other = RoomKey::Grade(Grade::new(6).unwrap());
    let feed = &pair.servers[1].feed;
    assert!(!feed.is_watched(Grade::new(5).unwrap(), None, None));
    let _page = Page::watching(&pair.servers[0]).await;
    eventually(|| feed.is_watched(Grade::new(5).unwrap(), None, None)).await;
    assert!(!feed.is_watched(Grade::new(6).unwrap(), None, None), "{}", other.name());
}

#[actix::test]
async fn what_was_lost_on_the_way_is_asked_for() {
    let pair = Pair::open().await;
    let mut page = Page::watching(&pair.servers[0]).await;
    tell(&pair.servers[1], row(20, 1)).await;
    page.until(|page| page.shows(20, 1, true)).await;
    // After that no wish is left from the time when the room was opened.
    pair.until_kept().await;
    pair.said.lock().unwrap().clear();
    pair.is_losing.store(true, Ordering::Relaxed);
    tell(&pair.servers[1], row(20, 2)).await;
    pair.until_wished().await;
    // The wish was lost as well; it is sent again.
    pair.seats.lock().unwrap().push(row(20, 2));
    pair.is_losing.store(false, Ordering::Relaxed);
    page.until(|page| page.shows(20, 2, true)).await;
}

#[actix::test]
async fn nobody_is_connected_to_a_dead_server() {
    let pair = Pair::open().await;
    let mut page = Page::watching(&pair.servers[0]).await;
    tell(&pair.servers[0], row(10, 1)).await;
    tell(&pair.servers[1], row(20, 1)).await;
    page.until(|page| page.shows(10, 1, true) && page.shows(20, 1, true)).await;
    // The server is known to be alive before its lease runs out.
    pair.until_kept().await;
    pair.living.lock().unwrap().remove(&pair.servers[1].id);
    pair.clock.advance(KEEP_EVERY);
    page.until(|page| page.shows(20, 1, false)).await;
    assert!(page.shows(10, 1, true));
}

#[actix::test]
async fn nothing_is_shown_before_the_seats_have_had_time_to_tell() {
    let pair = Pair::open().await;
    pair.is_losing.store(true, Ordering::Relaxed);
    let mut page = Page::watching(&pair.servers[0]).await;
    pair.is_partial.store(true, Ordering::Relaxed);
    pair.clock.sleep(Duration::from_millis(300)).await;
    tell(&pair.servers[0], row(10, 1)).await;
    let frame = tokio::time::timeout(PATIENCE, page.frames.recv()).await.expect("nothing is told").unwrap();
    assert_eq!((&frame["type"], &frame["complete"], &frame["partial"]), (&"roster".into(), &true.into(), &true.into()));
    assert_eq!(frame["sessions"][0]["sessionId"], Uuid::from_u128(10).to_string(), "{frame}");
}

#[actix::test]
async fn a_picture_that_is_partial_says_so_until_it_is_whole_again() {
    let pair = Pair::open().await;
    let mut page = Page::watching(&pair.servers[0]).await;
    tell(&pair.servers[0], row(10, 1)).await;
    page.until(|page| page.shows(10, 1, true)).await;
    assert!(!page.is_partial);
    pair.is_partial.store(true, Ordering::Relaxed);
    page.until(|page| page.is_partial).await;
    pair.said.lock().unwrap().clear();
    pair.is_partial.store(false, Ordering::Relaxed);
    page.until(|page| !page.is_partial).await;
    pair.until_wished().await;
}
