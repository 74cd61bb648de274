//! Proctors who watch a room. Readers measure how old each row is when it arrives; idle ones never read, and so test
//! whether slow watchers harm others.

use crate::failure::Failure;
use crate::frames;
use crate::probes::Probes;
use crate::server::Server;
use crate::socket::ProctorSocket;
use crate::tally::Times;
use flate2::read::DeflateDecoder;
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, timeout};
use tokio_tungstenite::tungstenite::Message;

/// Longest wait for the whole roster: with thousands of students it comes in many parts.
const ROSTER_LIMIT: Duration = Duration::from_secs(60);

/// How a watcher wants to be told.
#[derive(Clone, Copy)]
pub enum WatcherManner {
    /// Whole rows of all students.
    WholeRows,
    /// The fields that differ, of all students.
    Differences,
    /// The same, with the progress of so many students in view.
    View(usize),
}

impl WatcherManner {
    const fn is_differing(self) -> bool {
        !matches!(self, Self::WholeRows)
    }
}

/// The fields of a room frame that a watcher needs.
#[derive(Deserialize)]
struct RoomFrame<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    #[serde(default, borrow)]
    sessions: Vec<RoomRow<'a>>,
    #[serde(default, borrow)]
    differences: Vec<RowDifference<'a>>,
    #[serde(default)]
    complete: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RoomRow<'a> {
    n: Option<usize>,
    session_id: &'a str,
    current_question_id: Option<&'a str>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RowDifference<'a> {
    n: usize,
    #[serde(borrow, default)]
    current_question_id: Option<&'a str>,
}

#[derive(Clone, Copy, Default)]
pub struct WatcherTraffic {
    pub roster_bytes: u64,
    pub changes_bytes: u64,
    /// Number of `changes` and `progress` frames.
    pub frames: u64,
}

pub struct Watcher {
    socket: ProctorSocket,
    traffic: WatcherTraffic,
    /// From the number of a row to its session, where differences are told.
    sessions: HashMap<usize, String>,
    /// The seats whose commands are to be shown; `None` for all.
    in_view: Option<HashSet<usize>>,
    /// The number of the last command shown, for each seat.
    seen: Vec<u64>,
}

/// Subscribes to a room without reading anything.
pub async fn watch_room(
    server: &Server,
    token: &str,
    grade: u8,
    manner: WatcherManner,
) -> Result<ProctorSocket, Failure> {
    let mut socket = server.proctor(token).await?;
    socket.send(Message::text(frames::watch(grade, manner.is_differing()))).await?;
    Ok(socket)
}

impl Watcher {
    /// Subscribes to a room and reads its roster. `place` tells watchers apart, so that they have different rows in
    /// view.
    pub async fn open(
        server: &Server,
        token: &str,
        grade: u8,
        (manner, place): (WatcherManner, usize),
        numbers: &HashMap<String, usize>,
    ) -> Result<Self, Failure> {
        let socket = watch_room(server, token, grade, manner).await?;
        let (traffic, sessions) = (WatcherTraffic::default(), HashMap::new());
        let mut watcher = Self { socket, traffic, sessions, in_view: None, seen: vec![0; numbers.len()] };
        let reading = timeout(ROSTER_LIMIT, watcher.read_roster()).await;
        reading.map_err(|_| "a watcher got no whole roster")??;
        if let WatcherManner::View(rows) = manner {
            watcher.look_at(rows, place, numbers).await?;
        }
        Ok(watcher)
    }

    /// Scrolls to rows that stand beside each other.
    async fn look_at(&mut self, rows: usize, place: usize, numbers: &HashMap<String, usize>) -> Result<(), Failure> {
        let mut all: Vec<usize> = self.sessions.keys().copied().collect();
        all.sort_unstable();
        let begin = (place * rows) % all.len().max(1);
        let shown: Vec<usize> = all.iter().cycle().skip(begin).take(rows.min(all.len())).copied().collect();
        let seats = shown.iter().filter_map(|n| numbers.get(self.sessions.get(n)?)).copied();
        self.in_view = Some(seats.collect());
        self.socket.send(Message::text(frames::view(&shown))).await?;
        Ok(())
    }

    /// Adds one to each seat whose commands it is to be shown.
    pub fn count_seats(&self, shown_to: &mut [u64]) {
        for (seat, watchers) in shown_to.iter_mut().enumerate() {
            *watchers += u64::from(self.in_view.as_ref().is_none_or(|seats| seats.contains(&seat)));
        }
    }

    async fn read_roster(&mut self) -> Result<(), Failure> {
        loop {
            let Some((text, bytes)) = self.next().await else {
                return Err("a watcher was closed before it had a roster".into());
            };
            let frame: RoomFrame = serde_json::from_str(&text)?;
            if frame.kind != "roster" {
                return Err(format!("a roster was expected: {}", text.chars().take(200).collect::<String>()).into());
            }
            self.traffic.roster_bytes += bytes;
            let numbered = frame.sessions.iter().filter_map(|row| Some((row.n?, row.session_id.to_owned())));
            self.sessions.extend(numbered);
            if frame.complete {
                return Ok(());
            }
        }
    }

    /// Reads changes until `done` is true or the server closes the socket. An error is a code to count.
    pub async fn read_on(
        mut self,
        probes: &Probes,
        numbers: &HashMap<String, usize>,
        times: &Times,
        mut done: watch::Receiver<bool>,
    ) -> (WatcherTraffic, Result<(), String>) {
        let seats: HashMap<usize, usize> =
            self.sessions.iter().filter_map(|(n, id)| Some((*n, *numbers.get(id)?))).collect();
        loop {
            let text = tokio::select! {
                biased;
                text = self.next() => text,
                _ = done.wait_for(|done| *done) => return (self.traffic, Ok(())),
            };
            let Some((text, bytes)) = text else { return (self.traffic, Err("watcher: closed".to_owned())) };
            let Ok(frame) = serde_json::from_str::<RoomFrame>(&text) else {
                return (self.traffic, Err("watcher: unreadable frame".to_owned()));
            };
            self.traffic.changes_bytes += bytes;
            self.traffic.frames += 1;
            let rows = frame.sessions.iter().map(|row| (numbers.get(row.session_id), row.current_question_id));
            let differences = frame.differences.iter().map(|row| (seats.get(&row.n), row.current_question_id));
            self.note(rows.chain(differences), probes, times);
        }
    }

    fn note<'a>(
        &mut self,
        rows: impl Iterator<Item = (Option<&'a usize>, Option<&'a str>)>,
        probes: &Probes,
        times: &Times,
    ) {
        let now = Instant::now();
        let mut recorder = times.recorder();
        for (number, question_id) in rows {
            let (Some(&number), Some(question_id)) = (number, question_id) else { continue };
            if self.in_view.as_ref().is_some_and(|seats| !seats.contains(&number)) {
                continue;
            }
            let Some(seen) = self.seen.get_mut(number) else { continue };
            *seen = probes.shown(number, question_id, *seen, now, |age| recorder.record(age));
        }
    }

    /// The next message and its bytes on the way; `None` when the socket is closed.
    async fn next(&mut self) -> Option<(String, u64)> {
        loop {
            match self.socket.next().await {
                Some(Ok(Message::Text(text))) => return Some((text.to_string(), text.len() as u64)),
                Some(Ok(Message::Binary(bytes))) => {
                    let text = std::io::read_to_string(DeflateDecoder::new(&*bytes)).ok()?;
                    return Some((text, bytes.len() as u64));
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_far_as_they_are_needed() {
        let text = r#"{"type":"changes","seq":7,"partial":false,"serverTime":"x","sessions":[
            {"sessionId":"s","student":"A\"","answered":3,"currentQuestionId":"g5-1"},
            {"n":4,"sessionId":"t","currentQuestionId":null}],"removed":[],
            "differences":[{"n":4,"answered":3,"currentQuestionId":"g5-2"},{"n":5,"state":"paused"}]}"#;
        let frame: RoomFrame = serde_json::from_str(text).unwrap();
        let rows: Vec<_> = frame.sessions.iter().map(|row| (row.session_id, row.current_question_id, row.n)).collect();
        assert_eq!((frame.kind, frame.complete), ("changes", false));
        assert_eq!(rows, [("s", Some("g5-1"), None), ("t", None, Some(4))]);
        let differences: Vec<_> = frame.differences.iter().map(|row| (row.n, row.current_question_id)).collect();
        assert_eq!(differences, [(4, Some("g5-2")), (5, None)]);
    }
}
