//! Writes the answers to proctors' commands, each with the caller's `id`
//! (`docs/live-protocol.md#watching-as-a-proctor`).

use bytestring::ByteString;
use serde::Serialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::live::moves::MadeCode;
use crate::live::proctor::history::EventView;
use crate::live::proctor::requests::OrderedView;
use crate::live::protocol::fault::Fault;
use crate::live::store::CarriedOut;

/// The command is carried out.
#[must_use]
pub fn done(id: &RawValue, done: CarriedOut) -> ByteString {
    #[derive(Serialize)]
    struct DoneFrame<'a> {
        #[serde(rename = "type")]
        kind: &'static str,
        id: &'a RawValue,
        #[serde(flatten)]
        done: OrderedView,
    }
    frame(&DoneFrame { kind: "done", id, done: done.into() })
}

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

/// The code with which the student of a session can go on elsewhere.
#[must_use]
pub fn code(id: &RawValue, session_id: Uuid, made: &MadeCode) -> ByteString {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct CodeFrame<'a> {
        #[serde(rename = "type")]
        kind: &'static str,
        id: &'a RawValue,
        session_id: Uuid,
        #[serde(flatten)]
        made: &'a MadeCode,
    }
    frame(&CodeFrame { kind: "code", id, session_id, made })
}

/// A fault of a command, or of the connection if there is no `id`.
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

/// None of these frames can fail to serialise, so the default is never used.
fn frame(view: &impl Serialize) -> ByteString {
    serde_json::to_string(view).unwrap_or_default().into()
}
