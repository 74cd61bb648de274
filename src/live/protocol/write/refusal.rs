//! Writes the answers to commands that were refused.

use bytestring::ByteString;
use domain::question::Selected;
use domain::time::moment::Moment;
use serde::Serialize;

use super::frame;
use crate::live::protocol::fault::{Code, Fault};

#[must_use]
pub fn error(fault: &Fault) -> ByteString {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct ErrorFrame<'a> {
        #[serde(rename = "type")]
        kind: &'static str,
        code: &'static str,
        error: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        seq: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        doors_at: Option<Moment>,
        #[serde(skip_serializing_if = "Option::is_none")]
        opens_at: Option<Moment>,
        #[serde(skip_serializing_if = "Option::is_none")]
        closes_at: Option<Moment>,
        #[serde(skip_serializing_if = "Option::is_none")]
        kept: Option<bool>,
    }
    frame(&ErrorFrame {
        kind: "error",
        code: fault.code.name(),
        error: &fault.error,
        seq: fault.seq,
        doors_at: fault.doors_at,
        opens_at: fault.opens_at,
        closes_at: fault.closes_at,
        kept: fault.kept,
    })
}

/// A command that was refused because a device of a newer line has set its value.
#[derive(Clone, Copy, Debug)]
pub struct SupersededCommand<'a> {
    pub seq: u64,
    pub question_id: &'a str,
    /// Of the value that stands.
    pub line: u16,
    /// The device that has this line; `None` if that is not known here.
    pub device: Option<u16>,
    /// The answer that stands, if the command was one.
    pub selected: Option<Option<&'a Selected>>,
}

/// Such a command is answered when the value that stands is committed.
#[must_use]
pub fn superseded_by(command: SupersededCommand<'_>) -> ByteString {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct SupersededFrame<'a> {
        #[serde(rename = "type")]
        kind: &'static str,
        code: &'static str,
        error: &'static str,
        seq: u64,
        question_id: &'a str,
        line: u16,
        #[serde(skip_serializing_if = "Option::is_none")]
        device: Option<u16>,
        #[serde(skip_serializing_if = "Option::is_none")]
        selected: Option<Option<&'a Selected>>,
    }
    let SupersededCommand { seq, question_id, line, device, selected } = command;
    let (code, error) = (Code::SupersededBy.name(), "Another device has set this later");
    frame(&SupersededFrame { kind: "error", code, error, seq, question_id, line, device, selected })
}
