//! The frames for watchers of a room, made once for all watchers who lack the same
//! (docs/live-protocol.md#watching-as-a-proctor).

use std::cell::OnceCell;
use std::collections::HashSet;
use std::io::Write;
use std::rc::Rc;

use actix_web::web::Bytes;
use bytestring::ByteString;
use domain::grade::Grade;
use domain::room::counts::RoomCounts;
use domain::room::differences::{DifferenceStep, Differences, NumberedRow};
use domain::room::row::SessionRow;
use domain::room::{RoomKey, RoomStep};
use domain::time::moment::Moment;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;
use uuid::Uuid;

use super::state::RoomState;

/// Bytes from which a frame is compressed. There is little to gain for a shorter one.
const COMPRESSED_FROM_BYTES: usize = 1_024;

/// A frame as a socket sends it.
#[derive(Clone, Debug)]
pub enum FrameBody {
    Text(ByteString),
    /// The same text as raw deflate, in a binary message.
    Deflated(Bytes),
}

impl FrameBody {
    pub fn bytes(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Deflated(bytes) => bytes.len(),
        }
    }
}

/// A frame for several watchers, compressed at most once.
#[derive(Clone)]
pub(super) struct SharedFrame(Rc<(ByteString, OnceCell<Option<Bytes>>)>);

impl SharedFrame {
    pub(super) fn new(text: ByteString) -> Self {
        Self(Rc::new((text, OnceCell::new())))
    }

    pub(super) fn body(&self, is_compressed: bool) -> FrameBody {
        let (text, deflated) = &*self.0;
        if is_compressed
            && text.len() >= COMPRESSED_FROM_BYTES
            && let Some(bytes) = deflated.get_or_init(|| deflate(text))
        {
            return FrameBody::Deflated(bytes.clone());
        }
        FrameBody::Text(text.clone())
    }
}

fn deflate(text: &str) -> Option<Bytes> {
    let mut encoder = DeflateEncoder::new(Vec::with_capacity(text.len() / 4), Compression::fast());
    encoder.write_all(text.as_bytes()).ok()?;
    encoder.finish().ok().map(Bytes::from)
}

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

/// The room as it is when watchers are told of it.
#[derive(Clone, Copy)]
pub struct ToldRoom<'a> {
    pub(super) room: RoomName<'a>,
    pub(super) state: &'a RoomState,
    /// Whether other servers can't be heard.
    pub(super) partial: bool,
    pub(super) now: Moment,
}

/// What `roster` and `changes` begin with.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FrameHead<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    room: RoomName<'a>,
    seq: u64,
    server_time: Moment,
    partial: bool,
    #[serde(flatten)]
    state: &'a RoomState,
}

impl<'a> ToldRoom<'a> {
    fn head(self, kind: &'static str, seq: u64) -> FrameHead<'a> {
        FrameHead { kind, room: self.room, seq, server_time: self.now, partial: self.partial, state: self.state }
    }
}

/// `roster` and `changes` in whole rows.
#[derive(Serialize)]
struct StepFrame<'a, R> {
    #[serde(flatten)]
    head: FrameHead<'a>,
    sessions: &'a [R],
    #[serde(skip_serializing_if = "Option::is_none")]
    removed: Option<&'a [Uuid]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    complete: Option<bool>,
}

/// One step of a watcher in whole rows, which have numbers if differences follow them.
#[must_use]
pub fn step(told: ToldRoom<'_>, step: &RoomStep<'_>, numbers: Option<&Differences>) -> ByteString {
    let rows = step.rows.iter();
    match numbers {
        None => step_of(told, step, &rows.map(|(_, row)| *row).collect::<Vec<&SessionRow>>()),
        Some(numbers) => {
            let numbered = rows.filter_map(|(id, row)| Some(NumberedRow { n: numbers.number(*id)?, row }));
            step_of(told, step, &numbered.collect::<Vec<NumberedRow<'_>>>())
        }
    }
}

fn step_of<R: Serialize>(told: ToldRoom<'_>, step: &RoomStep<'_>, sessions: &[R]) -> ByteString {
    // A watcher with half a roster can't go on from there, so it gets a number that is too old for every room.
    let seq = if step.is_roster && !step.is_complete { 0 } else { step.seq };
    let head = told.head(if step.is_roster { "roster" } else { "changes" }, seq);
    let frame = StepFrame {
        head,
        sessions,
        removed: (!step.is_roster).then_some(&*step.removed),
        complete: step.is_roster.then_some(step.is_complete),
    };
    // A frame has no map with other keys than texts, so this can't fail.
    serde_json::to_string(&frame).unwrap_or_default().into()
}

/// The beginning of `changes` with differences, without the lists that are JSON already.
#[derive(Serialize)]
struct DifferencesHead<'a> {
    #[serde(flatten)]
    head: FrameHead<'a>,
    removed: &'a [Uuid],
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<&'a RoomCounts>,
}

/// Several steps of a watcher as differences: with the counts of the room if it has a view, else with the progress of
/// all rows.
#[must_use]
pub fn differences<'a>(
    told: ToldRoom<'_>,
    steps: impl Iterator<Item = &'a DifferenceStep>,
    seq: u64,
    counts: Option<&RoomCounts>,
) -> ByteString {
    let (mut new, mut removed, mut lists) = (Vec::<&(Uuid, String)>::new(), Vec::new(), Vec::new());
    for step in steps {
        // The reader applies what has left first, so nobody may be new here who has left since.
        let left: HashSet<Uuid> = step.removed.iter().copied().collect();
        new.retain(|(id, _)| !left.contains(id));
        removed.extend_from_slice(&step.removed);
        new.extend(&step.new);
        lists.push(&*step.shared);
        if counts.is_none() {
            lists.push(&*step.progress);
        }
    }
    let head = DifferencesHead { head: told.head("changes", seq), removed: &removed, counts };
    let mut text = serde_json::to_string(&head).unwrap_or_default();
    text.pop();
    text.push_str(r#","sessions":["#);
    push_list(&mut text, new.into_iter().map(|(_, row)| &**row));
    text.push_str(r#"],"differences":["#);
    push_list(&mut text, lists.into_iter());
    text.push_str("]}");
    text.into()
}

/// The progress of the rows in view.
#[must_use]
pub fn progress<'a>(entries: impl Iterator<Item = &'a str>, now: Moment) -> Option<ByteString> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct ProgressHead {
        #[serde(rename = "type")]
        kind: &'static str,
        server_time: Moment,
    }
    let mut text = serde_json::to_string(&ProgressHead { kind: "progress", server_time: now }).unwrap_or_default();
    text.pop();
    text.push_str(r#","differences":["#);
    let empty = text.len();
    push_list(&mut text, entries);
    let has_any = text.len() > empty;
    text.push_str("]}");
    has_any.then(|| text.into())
}

/// Adds lists of JSON values to a list; some may be empty.
fn push_list<'a>(text: &mut String, lists: impl Iterator<Item = &'a str>) {
    let mut is_first = true;
    for list in lists.filter(|list| !list.is_empty()) {
        if !std::mem::replace(&mut is_first, false) {
            text.push(',');
        }
        text.push_str(list);
    }
}
