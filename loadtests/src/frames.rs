//! The frames of the live protocol (`docs/live-protocol.md`) as text. Frequent ones are written and scanned by hand, so
//! that the generator leaves the processor to the server.

use crate::ledger::{Change, SentCommand, Seq};
use serde::Deserialize;
use std::fmt::Write;

/// Subprotocol of the student socket.
pub const SUBPROTOCOL: &str = "examhall.live.v1";

/// Questions on every paper: the most that a standard test can have.
pub const QUESTION_COUNT: u32 = 40;
/// Minutes of every test: the most that a standard test can have, so that no deadline falls into a run.
pub const DURATION_MINUTES: u32 = 70;

/// Points of a drawing. At ten bytes each they make a frame of about 1 KiB.
const DRAWING_POINTS: u32 = 96;

/// How `saved`, the most frequent frame, begins when its fields are in the usual order.
const SAVED_PREFIX: &str = r#"{"type":"saved","seq":"#;

/// A frame from the server, with the fields that a student's client needs.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Frame {
    /// Every command up to `seq` is committed.
    Saved {
        seq: Seq,
    },
    Started {
        session_id: String,
        token: String,
        question_ids: Vec<String>,
    },
    Resumed {
        /// `active`, `paused` or `submitted`.
        state: String,
        #[serde(default)]
        deadline: Option<String>,
    },
    /// A refusal: of one command when `seq` is set, otherwise of the whole request.
    Error {
        code: String,
        #[serde(default)]
        seq: Option<Seq>,
    },
    /// The test is over and stored.
    Submitted {
        session_id: String,
    },
    /// The clock and the deadline, which come unasked.
    Time {
        deadline: Option<String>,
    },
    /// Another socket took the session over.
    Superseded,
    /// `alert`, `notice` and the like, which need no reaction.
    #[serde(other)]
    Other,
}

impl Frame {
    /// The code under which an unexpected frame is counted.
    pub fn code(&self) -> &str {
        match self {
            Self::Error { code, .. } => code,
            Self::Saved { .. } => "saved",
            Self::Started { .. } => "started",
            Self::Resumed { .. } => "resumed",
            Self::Submitted { .. } => "submitted",
            Self::Time { .. } => "time",
            Self::Superseded => "superseded",
            Self::Other => "other",
        }
    }
}

/// Parses a frame; `None` when it is not one of the protocol.
pub fn read(text: &str) -> Option<Frame> {
    match saved_seq(text) {
        Some(seq) => Some(Frame::Saved { seq }),
        None => serde_json::from_str(text).ok(),
    }
}

/// The number of a `saved` in its usual shape. Any other shape is left to the JSON parser, since the protocol does not
/// fix the order of fields.
fn saved_seq(text: &str) -> Option<Seq> {
    text.strip_prefix(SAVED_PREFIX)?.strip_suffix('}')?.parse().ok()
}

/// The first frame of seat `number`. The end of the test is reported to `webhook_url`.
pub fn start(number: usize, grade: u8, webhook_url: Option<&str>) -> String {
    let webhook = webhook_url.map(|url| format!(r#","webhookUrl":"{url}""#)).unwrap_or_default();
    let test = format!(r#""durationMinutes":{DURATION_MINUTES},"questionCount":{QUESTION_COUNT}"#);
    let student = format!(r#""annotations":{{"studentId":"load-{number}"}}"#);
    format!(r#"{{"type":"start","grade":{grade},"mode":"standard",{test},{student}{webhook}}}"#)
}

/// The grade of seat `number` in scenarios that spread seats over all ten grades.
pub fn spread_grade(number: usize) -> u8 {
    (1..=10).nth(number % 10).unwrap_or(1)
}

/// The first frame of a student who reconnects.
pub fn resume(session_id: &str, token: &str) -> String {
    format!(r#"{{"type":"resume","sessionId":"{session_id}","token":"{token}"}}"#)
}

/// A proctor's request for the room of a grade, as a page makes it or for whole rows.
pub fn watch(grade: u8, is_differing: bool) -> String {
    format!(r#"{{"type":"watch","grade":{grade},"differences":{is_differing},"compressed":{is_differing}}}"#)
}

/// The rows that a proctor has in view, by their numbers.
pub fn view(rows: &[usize]) -> String {
    format!(r#"{{"type":"view","rows":{rows:?}}}"#)
}

pub fn submit(seq: Seq) -> String {
    format!(r#"{{"type":"submit","seq":{seq}}}"#)
}

/// Overwrites `line` with a command, which reuses its memory. Question ids contain nothing that JSON escapes.
pub fn write_command(line: &mut String, sent: &SentCommand, question_id: &str, time_taken_seconds: u64) {
    line.clear();
    let (kind, seq) = (kind_of(sent.change), sent.seq);
    // Writing to a `String` cannot fail.
    let _ = write!(line, r#"{{"type":"{kind}","seq":{seq},"questionId":"{question_id}""#);
    let _ = match sent.change {
        Change::Choice(Some(choice)) => write!(line, r#","selected":"{choice}","timeTaken":{time_taken_seconds}"#),
        Change::Choice(None) => {
            write!(line, r#","selected":null,"timeTaken":{time_taken_seconds}"#)
        }
        Change::Mark(marked) => write!(line, r#","marked":{marked}"#),
        Change::Visited(_) => Ok(()),
        Change::Drawing(None) => write!(line, r#","drawing":null"#),
        Change::Drawing(Some(stamp)) => write_drawing(line, stamp),
    };
    line.push('}');
}

fn kind_of(change: Change) -> &'static str {
    match change {
        Change::Choice(_) => "answer",
        Change::Mark(_) => "mark",
        Change::Visited(_) => "visit",
        Change::Drawing(_) => "drawing",
    }
}

fn write_drawing(line: &mut String, stamp: Seq) -> std::fmt::Result {
    write!(line, r#","drawing":{{"stamp":{stamp},"strokes":[{{"tool":"pen","points":[[100,100]"#)?;
    for point in 0..DRAWING_POINTS {
        write!(line, ",[{},{}]", 100 + (stamp + point * 7) % 900, 100 + point * 5)?;
    }
    line.push_str("]}]}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use tokio::time::Instant;

    fn command(change: Change) -> Value {
        let mut line = "left over".to_owned();
        write_command(&mut line, &SentCommand { seq: 7, question: 0, change, from: Instant::now() }, "g5-003", 41);
        serde_json::from_str(&line).unwrap()
    }

    #[test]
    fn saved_is_scanned_in_its_usual_shape() {
        assert_eq!(saved_seq(r#"{"type":"saved","seq":12}"#), Some(12));
        assert_eq!(saved_seq(r#"{"type":"saved","seq":12,"more":1}"#), None);
        assert_eq!(saved_seq(r#"{"type":"saved","seq":}"#), None);
        assert_eq!(saved_seq(r#"{"type":"saved","seq":12"#), None);
    }

    #[test]
    fn saved_in_any_other_shape_is_parsed() {
        for text in [
            r#"{"seq":12,"type":"saved"}"#,
            r#"{ "type": "saved", "seq": 12 }"#,
            r#"{"type":"saved","seq":12,"more":1}"#,
        ] {
            assert_eq!(read(text), Some(Frame::Saved { seq: 12 }), "{text}");
        }
    }

    #[test]
    fn other_frames_are_distinguished() {
        let refused = r#"{"type":"error","code":"rate_limited","error":"Too fast","seq":3}"#;
        assert_eq!(read(refused), Some(Frame::Error { code: "rate_limited".to_owned(), seq: Some(3) }));
        let general = r#"{"type":"error","code":"invalid_grade","error":"No such grade"}"#;
        assert_eq!(read(general), Some(Frame::Error { code: "invalid_grade".to_owned(), seq: None }));
        let started = r#"{"type":"started","sessionId":"s","token":"t","grade":5,"questionIds":["g5-003"],"seq":0}"#;
        let paper = vec!["g5-003".to_owned()];
        assert_eq!(
            read(started),
            Some(Frame::Started { session_id: "s".to_owned(), token: "t".to_owned(), question_ids: paper })
        );
        let resumed = r#"{"type":"resumed","sessionId":"s","state":"active","seq":3,"answers":[]}"#;
        assert_eq!(read(resumed), Some(Frame::Resumed { state: "active".to_owned(), deadline: None }));
        assert_eq!(read(r#"{"type":"superseded"}"#), Some(Frame::Superseded));
        let time = r#"{"type":"time","t":1,"remainingMs":5,"deadline":"2026-01-05T09:30:00.000Z"}"#;
        assert_eq!(read(time), Some(Frame::Time { deadline: Some("2026-01-05T09:30:00.000Z".to_owned()) }));
        assert_eq!(read(r#"{"type":"alert","remainingMs":300000}"#), Some(Frame::Other));
        assert_eq!(read("not JSON"), None);
    }

    #[test]
    fn commands_are_what_the_protocol_says() {
        let answer = json!({ "type": "answer", "seq": 7, "questionId": "g5-003", "selected": "B", "timeTaken": 41 });
        assert_eq!(command(Change::Choice(Some('B'))), answer);
        assert_eq!(command(Change::Choice(None)).get("selected"), Some(&Value::Null));
        assert_eq!(
            command(Change::Mark(true)),
            json!({ "type": "mark", "seq": 7, "questionId": "g5-003", "marked": true })
        );
        assert_eq!(command(Change::Visited(true)), json!({ "type": "visit", "seq": 7, "questionId": "g5-003" }));
        assert_eq!(serde_json::from_str::<Value>(&submit(8)).unwrap(), json!({ "type": "submit", "seq": 8 }));
    }

    #[test]
    fn a_drawing_has_about_a_kibibyte_and_its_stamp() {
        let drawing = command(Change::Drawing(Some(7)));
        assert_eq!(drawing.pointer("/drawing/stamp"), Some(&json!(7)));
        assert!((900..1_300).contains(&drawing.to_string().len()));
    }

    #[test]
    fn grades_are_spread_over_all_ten() {
        let grades: Vec<Value> = (0..10)
            .map(|number| {
                serde_json::from_str::<Value>(&start(number, spread_grade(number), None)).unwrap()["grade"].clone()
            })
            .collect();
        assert_eq!(grades, (1..=10).map(Value::from).collect::<Vec<_>>());
    }

    #[test]
    fn a_start_may_carry_a_webhook_url() {
        let start_frame: Value = serde_json::from_str(&start(1, 5, Some("http://127.0.0.1:9/hook"))).unwrap();
        assert_eq!((&start_frame["webhookUrl"], &start_frame["grade"]), (&json!("http://127.0.0.1:9/hook"), &json!(5)));
        assert_eq!(
            serde_json::from_str::<Value>(&resume("s", "t")).unwrap(),
            json!({ "type": "resume", "sessionId": "s", "token": "t" })
        );
        let watched = json!({ "type": "watch", "grade": 5, "differences": true, "compressed": true });
        assert_eq!(serde_json::from_str::<Value>(&watch(5, true)).unwrap(), watched);
        assert_eq!(serde_json::from_str::<Value>(&view(&[3, 9])).unwrap(), json!({ "type": "view", "rows": [3, 9] }));
    }
}
