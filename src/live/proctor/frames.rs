//! Answers to proctors' commands, each with the caller's `id` as it came (`live.md` 2).

use bytestring::ByteString;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::live::proctor::history::EventView;
use crate::live::protocol::fault::Fault;

/// The command is done, for so many sessions.
#[must_use]
pub fn done(id: &RawValue, count: u64) -> ByteString {
    format!("{{\"type\":\"done\",\"id\":{id},\"count\":{count}}}").into()
}

/// What happened to a session.
#[must_use]
pub fn history(id: &RawValue, events: &[EventView]) -> ByteString {
    #[derive(Serialize)]
    struct HistoryFrame<'a> {
        #[serde(rename = "type")]
        kind: &'static str,
        id: &'a RawValue,
        events: &'a [EventView],
    }
    frame(&HistoryFrame { kind: "history", id, events })
}

/// What is wrong, with a command or with the connection.
#[must_use]
pub fn error(id: Option<&RawValue>, fault: &Fault) -> ByteString {
    #[derive(Serialize)]
    struct ErrorFrame<'a> {
        #[serde(rename = "type")]
        kind: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<&'a RawValue>,
        code: &'static str,
        error: &'a str,
    }
    frame(&ErrorFrame { kind: "error", id, code: fault.code.name(), error: &fault.error })
}

/// None of the frames can fail to be written as JSON.
fn frame(view: &impl Serialize) -> ByteString {
    serde_json::to_string(view).unwrap_or_default().into()
}
