//! The frames of a sitting from entering to the beginning (`docs/live-protocol.md`), as text. From then on candidates
//! use those of every live exam.

use crate::ledger::Seq;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The part of a paper that everyone has at the beginning.
pub const FIRST_PART: &str = "1";

/// A frame from the server to someone who waits, with the fields that a candidate's client needs.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum WaitingFrame {
    Waiting(WaitingRoom),
    Begin {
        started_at: String,
        keys: BTreeMap<String, String>,
    },
    /// The exam has begun while the socket was lost.
    Resumed {
        started_at: String,
        deadline: String,
        #[serde(default)]
        keys: BTreeMap<String, String>,
    },
    /// Every command up to `seq` is committed.
    Saved {
        seq: Seq,
    },
    /// A refusal: of one command when `seq` is set, otherwise of the whole request.
    Error {
        code: String,
        #[serde(default)]
        seq: Option<Seq>,
    },
    Time {
        deadline: Option<String>,
    },
    Superseded,
    /// Frames that need no reaction.
    #[serde(other)]
    Other,
}

/// What a candidate is told while the exam has not begun.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WaitingRoom {
    pub session_id: String,
    /// Only in the answer to `enter`.
    pub token: Option<String>,
    pub name: String,
    /// The time that the candidate has, extra time included.
    pub given_ms: i64,
    pub starts_at: String,
    pub server_time: String,
    pub sealed: Vec<SealedPart>,
}

/// Where a part of the paper is, and what it must be.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct SealedPart {
    pub part: String,
    pub url: String,
    /// Hexadecimal.
    pub sha256: String,
    pub bytes: usize,
}

/// The first frame of a candidate with an access code. The key makes it repeatable.
pub fn enter(sitting_code: &str, access_code: &str, key: &str) -> String {
    format!(r#"{{"type":"enter","code":"{sitting_code}","access":"{access_code}","key":"{key}"}}"#)
}

/// The paper is here, and its hash is right.
pub fn ready(seq: Seq, sha256: &str) -> String {
    format!(r#"{{"type":"ready","seq":{seq},"sha256":"{sha256}"}}"#)
}

/// Parses a frame; `None` when it is not one of the protocol.
pub fn read(text: &str) -> Option<WaitingFrame> {
    serde_json::from_str(text).ok()
}

/// Milliseconds since 1970 of a time in a frame.
pub fn milliseconds(time: &str) -> Option<i64> {
    chrono::DateTime::parse_from_rfc3339(time).ok().map(|time| time.timestamp_millis())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn waiting_is_read_with_its_parts() {
        let text = json!({
            "type": "waiting", "sessionId": "s", "token": "t", "name": "Ada", "room": "B12", "seat": null, "minutes": 75,
            "givenMs": 4_500_000, "startsAt": "2026-06-01T02:00:00.000Z", "serverTime": "2026-06-01T01:50:00.000Z",
            "sealed": [{ "part": "1", "url": "/api/sittings/i/paper/1?v=2", "sha256": "0a", "bytes": 18_211 }],
        });
        let Some(WaitingFrame::Waiting(room)) = read(&text.to_string()) else { panic!("{text}") };
        assert_eq!((room.given_ms, room.sealed[0].bytes), (4_500_000, 18_211));
    }

    #[test]
    fn the_beginning_brings_keys_by_part() {
        let begin = read(r#"{"type":"begin","startedAt":"2026-06-01T02:00:00.000Z","keys":{"1":"AA=="}}"#);
        let keys = BTreeMap::from([("1".to_owned(), "AA==".to_owned())]);
        assert_eq!(begin, Some(WaitingFrame::Begin { started_at: "2026-06-01T02:00:00.000Z".to_owned(), keys }));
        assert_eq!(read(r#"{"type":"notice","text":"Quiet, please"}"#), Some(WaitingFrame::Other));
    }

    #[test]
    fn commands_are_what_the_protocol_says() {
        let enter: Value = serde_json::from_str(&enter("K7PQ2", "9F3KT-T2M7X", "0123456789abcdef")).unwrap();
        let wanted = json!({ "type": "enter", "code": "K7PQ2", "access": "9F3KT-T2M7X", "key": "0123456789abcdef" });
        assert_eq!(enter, wanted);
        let ready: Value = serde_json::from_str(&ready(1, "0a")).unwrap();
        assert_eq!(ready, json!({ "type": "ready", "seq": 1, "sha256": "0a" }));
    }

    #[test]
    fn times_are_milliseconds() {
        assert_eq!(milliseconds("1970-01-01T00:00:01.250Z"), Some(1_250));
        assert_eq!(milliseconds("tomorrow"), None);
    }
}
