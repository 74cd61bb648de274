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
/// What two servers may say differently: when they heard a student who does nothing, and the numbers of rows.
const OWN_FIELDS: [&str; 2] = ["lastSeenAt", "n"];
/// Fields of rows that are left out where there are none.
const LEFT_OUT: [&str; 12] = [
    "sittingId",
    "candidateId",
    "ready",
    "room",
    "seat",
    "factor",
    "extraMinutes",
    "note",
    "attendance",
    "attendanceBy",
    "admittedBy",
    "wrongCodes",
];

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
    /// From the number of a row to its id, where differences are told.
    pub numbers: BTreeMap<u64, String>,
    /// The last counts of the room, and how many frames had the progress of rows in view.
    pub counts: Value,
    pub progress_frames: usize,
    pub compressed_frames: usize,
    /// The last room frame without its rows.
    pub last: Value,
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
            numbers: BTreeMap::new(),
            counts: Value::Null,
            progress_frames: 0,
            compressed_frames: 0,
            last: Value::Null,
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

    /// Says which rows are in view, by their ids; `None` for all.
    pub async fn view(&mut self, ids: Option<&[&str]>) {
        let number = |id: &&str| *self.numbers.iter().find(|(_, known)| known == id).expect("the row has a number").0;
        let rows: Option<Vec<u64>> = ids.map(|ids| ids.iter().map(number).collect());
        let frame = rows.map_or_else(|| json!({ "type": "view" }), |rows| json!({ "type": "view", "rows": rows }));
        self.socket.send(&frame).await;
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
        self.compressed_frames = self.socket.compressed;
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
            let fresh = without_own(&Self::roster(base, &self.token, &self.room).await);
            let own = without_own(&self.rows);
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
            "progress" => {
                self.progress_frames += 1;
                self.note_differences(frame);
            }
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
        self.note_numbers(frame);
        self.gathered.get_or_insert_default().extend(rows_of(frame));
        if frame["complete"] == true {
            self.rows = self.gathered.take().unwrap();
            self.rosters += 1;
        }
    }

    fn note_changes(&mut self, frame: &Value) {
        self.note_head(frame);
        assert!(self.gathered.is_none(), "changes between the parts of a roster: {frame}");
        for session_id in frame["removed"].as_array().unwrap_or_else(|| panic!("no removed: {frame}")) {
            self.rows.remove(session_id.as_str().unwrap());
        }
        self.note_numbers(frame);
        self.rows.extend(rows_of(frame));
        self.note_differences(frame);
        if frame["counts"].is_object() {
            self.counts = frame["counts"].clone();
        }
    }

    fn note_numbers(&mut self, frame: &Value) {
        let numbered = rows_of(frame).into_iter().filter_map(|(id, row)| Some((row["n"].as_u64()?, id)));
        self.numbers.extend(numbered);
    }

    fn note_differences(&mut self, frame: &Value) {
        for difference in frame["differences"].as_array().into_iter().flatten() {
            let number = difference["n"].as_u64().unwrap();
            let known = self.numbers.get(&number).and_then(|id| self.rows.get_mut(id));
            let Some(row) = known.filter(|row| row["n"] == number) else { continue };
            for (name, value) in difference.as_object().unwrap() {
                // A row leaves these out where there are none.
                if value.is_null() && LEFT_OUT.contains(&name.as_str()) {
                    row.as_object_mut().unwrap().remove(name);
                } else {
                    row[name] = value.clone();
                }
            }
        }
    }

    fn note_head(&mut self, frame: &Value) {
        super::time_of(&frame["serverTime"]);
        self.seq =
            frame["seq"].as_u64().filter(|seq| *seq <= EXACT_MAX).unwrap_or_else(|| panic!("no exact seq: {frame}"));
        self.is_partial = frame["partial"].as_bool().unwrap_or_else(|| panic!("no partial: {frame}"));
        self.frames.push((Instant::now(), self.is_partial));
        self.last = frame.clone();
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

fn without_own(picture: &Picture) -> Picture {
    let mut rows = picture.clone();
    for row in rows.values_mut() {
        for name in OWN_FIELDS {
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
