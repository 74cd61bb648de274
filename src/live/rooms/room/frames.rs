//! The frames for watchers of a room, serialised once for all watchers at the same position
//! (docs/live-protocol.md#watching-as-a-proctor).

use bytestring::ByteString;
use domain::grade::Grade;
use domain::room::row::SessionRow;
use domain::room::{RoomKey, RoomStep};
use domain::time::moment::Moment;
use serde::Serialize;
use uuid::Uuid;

/// The room as its watchers name it.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RoomName<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    grade: Option<Grade>,
    #[serde(skip_serializing_if = "Option::is_none")]
    template_id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sitting_id: Option<Uuid>,
    /// The name of the hall.
    #[serde(skip_serializing_if = "Option::is_none")]
    room: Option<&'a str>,
}

impl<'a> RoomName<'a> {
    #[must_use]
    pub fn of(key: RoomKey, hall: Option<&'a str>) -> Self {
        let none = Self { grade: None, template_id: None, sitting_id: None, room: None };
        match key {
            RoomKey::Grade(grade) => Self { grade: Some(grade), ..none },
            RoomKey::Template(template_id) => Self { template_id: Some(template_id), ..none },
            RoomKey::Sitting { sitting_id, .. } => Self { sitting_id: Some(sitting_id), room: hall, ..none },
        }
    }
}

/// `roster` and `changes`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StepFrame<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    room: RoomName<'a>,
    seq: u64,
    server_time: Moment,
    partial: bool,
    sessions: &'a [&'a SessionRow],
    #[serde(skip_serializing_if = "Option::is_none")]
    removed: Option<&'a [Uuid]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    complete: Option<bool>,
}

/// One step of a watcher; `partial` while other servers can't be heard.
#[must_use]
pub fn step(room: RoomName<'_>, step: &RoomStep<'_>, partial: bool, now: Moment) -> ByteString {
    let frame = StepFrame {
        kind: if step.is_roster { "roster" } else { "changes" },
        room,
        // A watcher with half a roster can't go on from there, so it gets a number that is too old for every room.
        seq: if step.is_roster && !step.is_complete { 0 } else { step.seq },
        server_time: now,
        partial,
        sessions: &step.rows,
        removed: (!step.is_roster).then_some(&*step.removed),
        complete: step.is_roster.then_some(step.is_complete),
    };
    // A frame has no map with other keys than texts, so this can't fail.
    serde_json::to_string(&frame).unwrap_or_default().into()
}
