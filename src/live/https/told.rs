//! What answers say on which it depends whether a request waits for others.

use domain::time::moment::Moment;
use serde::Deserialize;
use uuid::Uuid;

/// What `resumed` and `waiting` say of the line of the device.
#[derive(Deserialize)]
pub(super) struct LinedFrame {
    line: u16,
}

impl LinedFrame {
    pub(super) fn line_of(frame: &str) -> Option<u16> {
        serde_json::from_str(frame).ok().map(|lined: Self| lined.line)
    }
}

/// What a `resumed` frame says of the version of its times.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TimedFrame {
    state: String,
    time_version: i64,
}

impl TimedFrame {
    /// Whether a frame is of a test that goes on by this version.
    pub(super) fn is_of(frame: &str, version: i64) -> bool {
        serde_json::from_str(frame).is_ok_and(|timed: Self| timed.state != "submitted" && timed.time_version == version)
    }
}

/// What a `waiting` frame says of the beginning.
#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
pub(super) struct AwaitedFrame {
    #[serde(rename = "type")]
    kind: String,
    pub(super) sitting_id: Uuid,
    /// `None` while it is in a proctor's hands.
    pub(super) begins_at: Option<Moment>,
    minutes: f64,
    room: Option<String>,
    seat: Option<String>,
    sealed: Vec<SealedPartUrl>,
}

#[derive(Deserialize, PartialEq)]
struct SealedPartUrl {
    url: String,
}

impl AwaitedFrame {
    pub(super) fn of(frame: &str) -> Option<Self> {
        serde_json::from_str(frame).ok().filter(|awaited: &Self| awaited.kind == "waiting")
    }
}
