//! Proctors who watch a room: those that read measure how old each row is when it arrives, those that don't are there to be in the way.

use crate::failure::Failure;
use crate::frames;
use crate::probes::Probes;
use crate::server::Server;
use crate::socket::ProctorSocket;
use crate::tally::Times;
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use std::collections::HashMap;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, timeout};
use tokio_tungstenite::tungstenite::Message;

/// The longest wait for a whole roster.
const ROSTER_LIMIT: Duration = Duration::from_secs(60);

/// A room frame, as far as a watcher looks into it.
#[derive(Deserialize)]
struct RoomFrame<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    #[serde(default, borrow)]
    sessions: Vec<RoomRow<'a>>,
    #[serde(default)]
    complete: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RoomRow<'a> {
    session_id: &'a str,
    current_question_id: Option<&'a str>,
}

/// What one watcher has received.
#[derive(Clone, Copy, Default)]
pub struct WatcherTraffic {
    /// Bytes of the roster.
    pub roster_bytes: u64,
    /// Bytes of the changes.
    pub changes_bytes: u64,
    /// How many frames with changes.
    pub frames: u64,
}

/// A proctor who reads.
pub struct Watcher {
    socket: ProctorSocket,
    traffic: WatcherTraffic,
    /// For each seat the last command that was shown.
    seen: Vec<u64>,
}

/// Asks for a room and leaves it at that.
pub async fn watch_room(server: &Server, token: &str, grade: u8) -> Result<ProctorSocket, Failure> {
    let mut socket = server.proctor(token).await?;
    socket.send(Message::text(frames::watch(grade))).await?;
    Ok(socket)
}

impl Watcher {
    /// Asks for a room and reads its roster.
    pub async fn open(server: &Server, token: &str, grade: u8, seats: usize) -> Result<Self, Failure> {
        let socket = watch_room(server, token, grade).await?;
        let mut watcher = Self { socket, traffic: WatcherTraffic::default(), seen: vec![0; seats] };
        let reading = timeout(ROSTER_LIMIT, watcher.read_roster()).await;
        reading.map_err(|_| "a watcher got no whole roster")??;
        Ok(watcher)
    }

    async fn read_roster(&mut self) -> Result<(), Failure> {
        loop {
            let Some(text) = self.next().await else {
                return Err("a watcher was closed before it had a roster".into());
            };
            let frame: RoomFrame = serde_json::from_str(&text)?;
            if frame.kind != "roster" {
                return Err(format!("a roster was expected: {}", text.chars().take(200).collect::<String>()).into());
            }
            self.traffic.roster_bytes += text.len() as u64;
            if frame.complete {
                return Ok(());
            }
        }
    }

    /// Reads on until it is told to end or is closed; an error is a code to count.
    pub async fn read_on(
        mut self,
        probes: &Probes,
        numbers: &HashMap<String, usize>,
        times: &Times,
        mut done: watch::Receiver<bool>,
    ) -> (WatcherTraffic, Result<(), String>) {
        loop {
            let text = tokio::select! {
                biased;
                text = self.next() => text,
                _ = done.wait_for(|done| *done) => return (self.traffic, Ok(())),
            };
            let Some(text) = text else { return (self.traffic, Err("watcher: closed".to_owned())) };
            let Ok(frame) = serde_json::from_str::<RoomFrame>(&text) else {
                return (self.traffic, Err("watcher: unreadable frame".to_owned()));
            };
            self.traffic.changes_bytes += text.len() as u64;
            self.traffic.frames += 1;
            self.note(&frame, probes, numbers, times);
        }
    }

    fn note(&mut self, frame: &RoomFrame<'_>, probes: &Probes, numbers: &HashMap<String, usize>, times: &Times) {
        let now = Instant::now();
        let mut recorder = times.recorder();
        for row in &frame.sessions {
            let (Some(question_id), Some(&number)) = (row.current_question_id, numbers.get(row.session_id)) else {
                continue;
            };
            let Some(seen) = self.seen.get_mut(number) else { continue };
            *seen = probes.shown(number, question_id, *seen, now, |age| recorder.record(age));
        }
    }

    /// The next text; none when the server has closed.
    async fn next(&mut self) -> Option<tokio_tungstenite::tungstenite::Utf8Bytes> {
        loop {
            match self.socket.next().await {
                Some(Ok(Message::Text(text))) => return Some(text),
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
        let text = r#"{"type":"changes","seq":7,"partial":false,"serverTime":"x","sessions":[{"sessionId":"s","student":"A\"","answered":3,"currentQuestionId":"g5-1"},{"sessionId":"t","currentQuestionId":null}],"removed":[]}"#;
        let frame: RoomFrame = serde_json::from_str(text).unwrap();
        let rows: Vec<_> = frame.sessions.iter().map(|row| (row.session_id, row.current_question_id)).collect();
        assert_eq!((frame.kind, frame.complete, rows), ("changes", false, vec![("s", Some("g5-1")), ("t", None)]));
    }
}
