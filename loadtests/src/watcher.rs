//! Proctors who watch a room. Readers measure how old each row is when it arrives; idle ones never read, and so test
//! whether slow watchers harm others.

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

/// Longest wait for the whole roster: with thousands of students it comes in many parts.
const ROSTER_LIMIT: Duration = Duration::from_secs(60);

/// The fields of a room frame that a watcher needs.
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

#[derive(Clone, Copy, Default)]
pub struct WatcherTraffic {
    pub roster_bytes: u64,
    pub changes_bytes: u64,
    /// Number of `changes` frames.
    pub frames: u64,
}

pub struct Watcher {
    socket: ProctorSocket,
    traffic: WatcherTraffic,
    /// The number of the last command shown, for each seat.
    seen: Vec<u64>,
}

/// Subscribes to a room without reading anything.
pub async fn watch_room(server: &Server, token: &str, grade: u8) -> Result<ProctorSocket, Failure> {
    let mut socket = server.proctor(token).await?;
    socket.send(Message::text(frames::watch(grade))).await?;
    Ok(socket)
}

impl Watcher {
    /// Subscribes to a room and reads its roster.
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

    /// Reads changes until `done` is true or the server closes the socket. An error is a code to count.
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

    /// The next text message; `None` when the socket is closed.
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
        let text = r#"{"type":"changes","seq":7,"partial":false,"serverTime":"x","sessions":[
            {"sessionId":"s","student":"A\"","answered":3,"currentQuestionId":"g5-1"},
            {"sessionId":"t","currentQuestionId":null}],"removed":[]}"#;
        let frame: RoomFrame = serde_json::from_str(text).unwrap();
        let rows: Vec<_> = frame.sessions.iter().map(|row| (row.session_id, row.current_question_id)).collect();
        assert_eq!((frame.kind, frame.complete, rows), ("changes", false, vec![("s", Some("g5-1")), ("t", None)]));
    }
}
