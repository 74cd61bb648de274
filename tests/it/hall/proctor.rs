//! A proctor's client: it keeps its picture of a room as a page does, from rosters and changes alone, and sends
//! commands.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use uuid::Uuid;

use super::{Heard, LiveSocket, PATIENCE};

/// Where proctors connect.
pub const PROCTOR_PATH: &str = "/api/live/proctor";
/// The largest number that a page can hold exactly.
const EXACT_MAX: u64 = (1 << 53) - 1;
/// How long a client reads changes before it asks for a roster to compare its picture with.
const COMPARED_EVERY: Duration = Duration::from_millis(500);
/// Fields that hold times. Two servers may have different ones for a student who does nothing.
const TIMES_OF_ROWS: [&str; 1] = ["lastSeenAt"];

/// Rows by session; in the room of a sitting by candidate.
pub type Picture = BTreeMap<String, Value>;

/// A proctor with a socket.
pub struct Proctor {
    token: String,
    socket: LiveSocket,
    room: Value,
    /// The rows of the room as far as the server has sent them.
    pub rows: Picture,
    /// Parts of a roster that isn't complete.
    gathered: Option<Picture>,
    /// The room's number of the last frame.
    pub seq: u64,
    /// Whether the last frame said that other servers can't be heard.
    pub is_partial: bool,
    /// How many rosters have come to their end.
    pub rosters: usize,
    /// Every room frame: when it came and its `partial`.
    pub frames: Vec<(Instant, bool)>,
    answers: BTreeMap<String, Value>,
}

impl Proctor {
    /// Connects to the server at `base` with an API token.
    pub async fn connect(base: &str, token: &str) -> Self {
        Self::try_connect(base, token).await.expect("the proctor's socket was refused")
    }

    /// The same; `None` when the server is away or refuses.
    pub async fn try_connect(base: &str, token: &str) -> Option<Self> {
        let socket = socket(base, token).await?;
        let (rows, answers) = Default::default();
        let (room, token) = (Value::Null, token.to_owned());
        Some(Self {
            token,
            socket,
            room,
            rows,
            gathered: None,
            seq: 0,
            is_partial: false,
            rosters: 0,
            frames: Vec::new(),
            answers,
        })
    }

    /// Connects and watches a room: `{"grade":5}`, `{"templateId":…}` or `{"sittingId":…,"room":…}`.
    pub async fn watching(base: &str, token: &str, room: &Value) -> Self {
        let mut proctor = Self::connect(base, token).await;
        proctor.watch(room).await;
        proctor
    }

    /// The rows of a fresh roster.
    pub async fn roster(base: &str, token: &str, room: &Value) -> Picture {
        Self::watching(base, token, room).await.rows
    }

    /// Watches a room, up to the end of its roster.
    pub async fn watch(&mut self, room: &Value) {
        let rosters = self.rosters;
        self.room = room.clone();
        self.send_watch(None).await;
        self.until("the roster", |proctor| proctor.rosters > rosters).await;
    }

    /// Reconnects, to any server, and asks for the missed changes; false when the server is away.
    pub async fn reconnect(&mut self, base: &str) -> bool {
        let Some(socket) = socket(base, &self.token).await else { return false };
        self.socket = socket;
        self.gathered = None;
        self.send_watch(Some(self.seq)).await;
        true
    }

    async fn send_watch(&mut self, since: Option<u64>) {
        let mut frame = self.room.clone();
        frame["type"] = json!("watch");
        if let Some(since) = since {
            frame["since"] = json!(since);
        }
        self.socket.send(&frame).await;
    }

    /// The row of a session or a candidate, which must be there.
    pub fn row(&self, id: &str) -> &Value {
        self.rows.get(id).unwrap_or_else(|| panic!("no row of {id}: {:?}", self.rows.keys()))
    }

    /// Sends a command, with an id of its own unless it has one, and gives its answer: `done`, `history` or `error`.
    pub async fn command(&mut self, command: Value) -> Value {
        let id = self.send(command).await;
        self.until(&format!("the answer to {id}"), |proctor| proctor.answers.contains_key(&id)).await;
        self.answers.remove(&id).unwrap()
    }

    /// A command that must be done; gives how many sessions it reached.
    pub async fn done(&mut self, command: Value) -> u64 {
        let answer = self.command(command).await;
        assert_eq!(answer["type"], "done", "{answer}");
        answer["count"].as_u64().unwrap()
    }

    /// Sends a command without waiting; gives its id.
    pub async fn send(&mut self, mut command: Value) -> String {
        if command["id"].is_null() {
            command["id"] = json!(Uuid::new_v4().to_string());
        }
        self.socket.send(&command).await;
        command["id"].as_str().unwrap().to_owned()
    }

    /// Reads frames until something holds.
    pub async fn until(&mut self, what: &str, holds: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !holds(self) {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.hear_within(left).await {
                Some(Heard::Frame(_)) => {}
                Some(Heard::Closed(code)) => panic!("closed with {code:?} before {what}"),
                None => panic!("not within {PATIENCE:?}: {what}"),
            }
        }
    }

    /// What comes within a time; the picture follows it.
    pub async fn hear_within(&mut self, time: Duration) -> Option<Heard> {
        let heard = self.socket.hear_within(time).await?;
        if let Heard::Frame(frame) = &heard {
            self.note(frame);
        }
        Some(heard)
    }

    /// Reads until a fresh roster of another server says the same, row by row.
    pub async fn until_alike(&mut self, base: &str) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let looking = Instant::now() + COMPARED_EVERY;
            while let Some(heard) = self.hear_within(looking.saturating_duration_since(Instant::now())).await {
                assert!(matches!(heard, Heard::Frame(_)), "{heard:?}");
            }
            let fresh = without_times(&Self::roster(base, &self.token, &self.room).await);
            let own = without_times(&self.rows);
            if own == fresh {
                return;
            }
            assert!(
                Instant::now() < deadline,
                "the picture is not that of a fresh roster: {:?}",
                differences(&own, &fresh)
            );
        }
    }

    /// The next frame of this type, or the end.
    pub async fn hear_until(&mut self, kind: &str) -> Option<Heard> {
        loop {
            match self.hear_within(PATIENCE).await? {
                Heard::Frame(frame) if frame["type"] != kind => {}
                heard => return Some(heard),
            }
        }
    }

    fn note(&mut self, frame: &Value) {
        match frame["type"].as_str().unwrap() {
            "roster" => self.note_roster(frame),
            "changes" => self.note_changes(frame),
            "done" | "history" | "code" | "error" => {
                // What answers no command has no id.
                let id = frame["id"].as_str().unwrap_or_default().to_owned();
                self.answers.insert(id, frame.clone());
            }
            "restarting" => {}
            _ => panic!("unexpected: {frame}"),
        }
    }

    fn note_roster(&mut self, frame: &Value) {
        self.note_head(frame);
        let rows = self.gathered.get_or_insert_default();
        rows.extend(rows_of(frame));
        if frame["complete"] == true {
            self.rows = self.gathered.take().unwrap();
            self.rosters += 1;
        }
    }

    fn note_changes(&mut self, frame: &Value) {
        self.note_head(frame);
        assert!(self.gathered.is_none(), "changes between the parts of a roster: {frame}");
        self.rows.extend(rows_of(frame));
        for session_id in frame["removed"].as_array().unwrap_or_else(|| panic!("no removed: {frame}")) {
            self.rows.remove(session_id.as_str().unwrap());
        }
    }

    fn note_head(&mut self, frame: &Value) {
        super::time_of(&frame["serverTime"]);
        self.seq =
            frame["seq"].as_u64().filter(|seq| *seq <= EXACT_MAX).unwrap_or_else(|| panic!("no exact seq: {frame}"));
        self.is_partial = frame["partial"].as_bool().unwrap_or_else(|| panic!("no partial: {frame}"));
        self.frames.push((Instant::now(), self.is_partial));
    }
}

async fn socket(base: &str, token: &str) -> Option<LiveSocket> {
    let authorization = format!("Bearer {token}");
    LiveSocket::reach(base, PROCTOR_PATH, &[("authorization", &authorization)]).await
}

fn rows_of(frame: &Value) -> Vec<(String, Value)> {
    let rows = frame["sessions"].as_array().unwrap_or_else(|| panic!("no sessions: {frame}"));
    let name = if frame["room"]["sittingId"].is_string() { "candidateId" } else { "sessionId" };
    rows.iter().map(|row| (row[name].as_str().unwrap().to_owned(), row.clone())).collect()
}

fn without_times(picture: &Picture) -> Picture {
    let mut rows = picture.clone();
    for row in rows.values_mut() {
        for name in TIMES_OF_ROWS {
            row.as_object_mut().unwrap().remove(name);
        }
    }
    rows
}

/// Rows that differ, with both sides.
fn differences<'a>(own: &'a Picture, fresh: &'a Picture) -> Vec<(Option<&'a Value>, Option<&'a Value>)> {
    let ids: std::collections::BTreeSet<&String> = own.keys().chain(fresh.keys()).collect();
    ids.into_iter().map(|id| (own.get(id), fresh.get(id))).filter(|(own, fresh)| own != fresh).collect()
}
