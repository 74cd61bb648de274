//! The watchers of a room: for each a position in the room's changes, and a limit on the bytes in flight. Nothing else
//! is kept for them but which rows are in view, so a watcher who does not read costs no memory.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use actix::prelude::*;
use domain::room::differences::{DifferenceStep, Differences};
use domain::room::{self, RoomKey, RoomPosition};
use domain::time::moment::Moment;

use super::frames::{self, FrameBody, RoomName, SharedFrame, ToldRoom};
use super::state::RoomState;

/// Bytes in flight to one watcher. A watcher who does not read them is sent nothing more until they arrive.
const WATCHER_BYTES_MAX: usize = 3 * 1_024 * 1_024;
/// Frames in flight to one watcher. Small frames cost memory beyond their bytes, so these are limited as well.
const WATCHER_FRAMES_MAX: usize = 16;
/// Rows of one part of a roster, so that a large room shows something soon.
const ROSTER_ROWS_MAX: usize = 500;
/// Rows of one frame of changes; the rest follows a quarter of a second later.
const CHANGED_ROWS_MAX: usize = 5_000;
/// A watcher who has been sent nothing for this long gets an empty frame, which shows that the picture is still live.
const PULSE_MILLISECONDS: i64 = 10_000;
/// Turns in which watchers of differences get them, so that the frames of a room are not all sent at once.
pub(super) const TURNS: usize = 5;

/// A frame for a watcher.
#[derive(Message)]
#[rtype(result = "()")]
pub struct RoomFrame {
    /// The watch of the socket that it is for.
    pub watch: u64,
    pub body: FrameBody,
}

/// How a watcher is told what has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Manner {
    /// By the fields that differ, and not by whole rows.
    pub differences: bool,
    /// Large frames as raw deflate.
    pub compressed: bool,
}

/// A socket that watches the room, with one of its watches.
pub struct Watcher {
    /// Distinguishes the watches of one socket.
    pub watch: u64,
    pub manner: Manner,
    pub frames: Recipient<RoomFrame>,
    /// Frames that the socket has not passed on yet.
    pub on_the_way: Arc<OnTheWay>,
}

/// The frames that a room has sent to a socket and the socket has not passed on. Above the limit, frames are not even
/// made.
#[derive(Debug, Default)]
pub struct OnTheWay {
    bytes: AtomicUsize,
    frames: AtomicUsize,
}

impl OnTheWay {
    fn is_full(&self) -> bool {
        self.bytes.load(Ordering::Relaxed) >= WATCHER_BYTES_MAX
            || self.frames.load(Ordering::Relaxed) >= WATCHER_FRAMES_MAX
    }

    fn add(&self, bytes: usize) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.frames.fetch_add(1, Ordering::Relaxed);
    }

    /// The socket has passed a frame on.
    pub fn take_off(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        self.frames.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A watcher, and the position up to which it has the room's changes.
struct WatcherPlace {
    watcher: Watcher,
    position: RoomPosition,
    told_at: Moment,
    /// Whether it has been sent nothing yet.
    is_new: bool,
    /// Of a watcher who is told differences.
    differing: Option<DifferencePlace>,
}

/// Where a watcher is in the differences of the room.
struct DifferencePlace {
    turn: usize,
    /// The next step that it lacks. `None` while it does not know all rows, which it is then sent whole.
    next: Option<u64>,
    /// The rows whose progress it is sent; `None` for all.
    view: Option<RowsInView>,
    /// Whether it is sent a frame even if it has all changes.
    is_owed_news: bool,
}

impl DifferencePlace {
    /// The first step that it lacks, with all of them; `None` if it needs whole rows.
    fn lacking<'a>(
        &self,
        differences: &'a Differences,
    ) -> Option<(u64, impl Iterator<Item = &'a DifferenceStep> + use<'a>)> {
        let next = self.next?;
        Some((next, differences.steps_from(next, self.view.is_none())?))
    }
}

struct RowsInView {
    numbers: Vec<u32>,
    /// Those of them that have just come into view.
    new: HashSet<u32>,
    /// The number of the last change whose progress it has of the others.
    told_until: u64,
}

/// The state of the room that is sent to all watchers at one moment.
pub(super) struct RoomPicture<'a> {
    pub(super) key: RoomKey,
    /// The name of the hall that is watched.
    pub(super) hall: Option<&'a str>,
    pub(super) room: &'a room::Room,
    /// Up to the last change of the room; `None` if no watcher needs them.
    pub(super) differences: Option<&'a Differences>,
    pub(super) is_partial: bool,
    pub(super) state: &'a RoomState,
    pub(super) now: Moment,
    /// Whether every watcher is sent a frame, even one that has all changes.
    pub(super) is_news: bool,
}

impl<'a> RoomPicture<'a> {
    fn told(&self) -> ToldRoom<'a> {
        let Self { key, hall, state, is_partial, now, .. } = *self;
        ToldRoom { room: RoomName::of(key, hall), state, partial: is_partial, now }
    }
}

/// The outcome of sending.
#[derive(Clone, Copy, Default)]
pub(super) struct WatcherUpdate {
    /// Whether anyone was sent changes.
    pub(super) has_sent: bool,
    /// Whether anyone still lacks something.
    pub(super) is_behind: bool,
}

/// All watchers of a room.
#[derive(Default)]
pub(super) struct Watchers {
    places: Vec<WatcherPlace>,
    /// The frames of differences that were made since the room went on with them.
    made: MadeSteps,
}

impl Watchers {
    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    pub(super) fn add(&mut self, watcher: Watcher, position: RoomPosition, now: Moment) {
        let place = DifferencePlace { turn: self.places.len() % TURNS, next: None, view: None, is_owed_news: false };
        let differing = watcher.manner.differences.then_some(place);
        self.places.push(WatcherPlace { watcher, position, told_at: now, is_new: true, differing });
    }

    /// Whether anyone is told differences.
    pub(super) fn has_differing(&self) -> bool {
        self.places.iter().any(|place| place.differing.is_some())
    }

    /// Sets the rows in view of a watcher; `None` for all, which are then sent whole.
    pub(super) fn set_view(&mut self, frames: &Recipient<RoomFrame>, watch: u64, numbers: Option<Vec<u32>>) {
        let of_watcher = |place: &&mut WatcherPlace| place.watcher.watch == watch && place.watcher.frames == *frames;
        let Some(place) = self.places.iter_mut().find(of_watcher) else { return };
        let Some(differing) = place.differing.as_mut() else { return };
        // In the middle of a roster it gets all rows anyway, and a second roster would not say who has left since.
        if numbers.is_none() && differing.view.is_some() && !place.position.is_in_roster() {
            (place.position, differing.next) = (RoomPosition::START, None);
        }
        let (known, told_until): (HashSet<u32>, u64) = differing.view.take().map_or_else(Default::default, |view| {
            (view.numbers.into_iter().filter(|number| !view.new.contains(number)).collect(), view.told_until)
        });
        differing.view = numbers.map(|numbers| {
            let new = numbers.iter().filter(|number| !known.contains(number)).copied().collect();
            RowsInView { numbers, new, told_until }
        });
    }

    /// Everyone who is told differences is sent a frame with the next turn.
    pub(super) fn owe_news(&mut self) {
        // The frames that are made already say what was true before.
        self.made.clear();
        for differing in self.places.iter_mut().filter_map(|place| place.differing.as_mut()) {
            differing.is_owed_news = true;
        }
    }

    pub(super) fn remove(&mut self, frames: &Recipient<RoomFrame>, watch: u64) {
        self.places.retain(|place| place.watcher.watch != watch || place.watcher.frames != *frames);
    }

    pub(super) fn forget_gone(&mut self) {
        self.places.retain(|place| place.watcher.frames.connected());
    }

    /// Sends to those who have been sent nothing yet, and to no others.
    pub(super) fn welcome(&mut self, picture: &RoomPicture<'_>) -> WatcherUpdate {
        let (mut told, mut made) = (WatcherUpdate::default(), HashMap::new());
        for place in self.places.iter_mut().filter(|place| place.is_new) {
            place.tell(picture, &mut made, true, &mut told);
        }
        told
    }

    /// Sends each watcher of whole rows the changes that it lacks. Watchers at the same position get the same text,
    /// which is made once.
    pub(super) fn tell(&mut self, picture: &RoomPicture<'_>) -> WatcherUpdate {
        let (mut told, mut made) = (WatcherUpdate::default(), HashMap::new());
        for place in self.places.iter_mut().filter(|place| place.differing.is_none()) {
            // A new watcher gets a frame even if it has all changes already, so that it knows so.
            let is_news = picture.is_news || place.is_silent(picture) || place.is_new;
            place.tell(picture, &mut made, is_news, &mut told);
        }
        told
    }

    /// Whether anyone whose turn it is will be sent whole rows. Those must be the rows from which the next differences
    /// are told, so the room has to go on with its differences first.
    pub(super) fn needs_rows(&self, differences: &Differences, turn: usize) -> bool {
        let of_turn =
            self.places.iter().filter_map(|place| place.differing.as_ref()).filter(|place| place.turn == turn);
        of_turn.into_iter().any(|place| place.lacking(differences).is_none())
    }

    /// Sends the watchers of differences whose turn it is what they lack.
    pub(super) fn tell_differences(&mut self, picture: &RoomPicture<'_>, differences: &Differences, turn: usize) {
        let mut rows = HashMap::new();
        for place in &mut self.places {
            if place.differing.as_ref().is_some_and(|place| place.turn == turn) {
                place.tell_differences(picture, differences, &mut rows, &mut self.made);
            }
        }
    }

    /// To be called whenever the room has gone on with its differences.
    pub(super) fn forget_made(&mut self) {
        self.made.clear();
    }
}

/// Frames of whole rows by the position before them and whether the rows have numbers.
type MadeRows = HashMap<(RoomPosition, bool), (SharedFrame, RoomPosition, bool)>;
/// Frames of differences by the step that they begin with and whether they are for views.
type MadeSteps = HashMap<(u64, bool), SharedFrame>;

impl WatcherPlace {
    fn is_silent(&self, picture: &RoomPicture<'_>) -> bool {
        picture.now.since(self.told_at) >= PULSE_MILLISECONDS
    }

    /// Sends a whole roster, as far as the watcher can take it, or one frame of changes.
    fn tell(&mut self, picture: &RoomPicture<'_>, made: &mut MadeRows, mut is_news: bool, told: &mut WatcherUpdate) {
        while is_news || !picture.room.is_up_to_date(self.position) {
            if self.watcher.on_the_way.is_full() {
                told.is_behind = true;
                return;
            }
            let position = picture.room.going_on_at(self.position);
            let numbers = picture.differences.filter(|_| self.differing.is_some());
            let (frame, next, is_roster) =
                made.entry((position, numbers.is_some())).or_insert_with(|| make(picture, position, numbers)).clone();
            if !self.send(&frame) {
                told.is_behind = true;
                return;
            }
            (self.position, self.told_at, self.is_new, is_news) = (next, picture.now, false, false);
            if !is_roster {
                told.has_sent = true;
                break;
            }
        }
        told.is_behind |= !picture.room.is_up_to_date(self.position);
    }

    /// Sends what has changed since the last turn. A watcher who has fallen behind, or is new, is sent whole rows
    /// instead.
    fn tell_differences(
        &mut self,
        picture: &RoomPicture<'_>,
        differences: &Differences,
        rows: &mut MadeRows,
        steps: &mut MadeSteps,
    ) {
        let is_silent = self.is_silent(picture);
        let Some(place) = self.differing.as_mut() else { return };
        let Some((next, lacking)) = place.lacking(differences) else {
            place.next = None;
            let is_news = is_silent || self.is_new;
            self.tell(picture, rows, is_news, &mut WatcherUpdate::default());
            if picture.room.is_up_to_date(self.position)
                && !self.is_new
                && let Some(place) = self.differing.as_mut()
            {
                place.next = Some(differences.next());
            }
            return;
        };
        let (is_news, counts) = (place.is_owed_news || is_silent, place.view.as_ref().map(|_| differences.counts()));
        // Who comes back is to get the progress that was not in view.
        let seq = if counts.is_some() { differences.shared_until() } else { differences.until() };
        if next != differences.next() || is_news {
            if self.watcher.on_the_way.is_full() {
                return;
            }
            let frame = steps
                .entry((next, counts.is_some()))
                .or_insert_with(|| SharedFrame::new(frames::differences(picture.told(), lacking, seq, counts)));
            if !self.send(&frame.clone()) {
                return;
            }
            (self.position, self.told_at) = (RoomPosition::after(seq), picture.now);
            if let Some(place) = self.differing.as_mut() {
                (place.next, place.is_owed_news) = (Some(differences.next()), false);
            }
        }
        self.tell_view(picture, differences);
    }

    fn tell_view(&mut self, picture: &RoomPicture<'_>, differences: &Differences) {
        let Some(view) = self.differing.as_ref().and_then(|place| place.view.as_ref()) else { return };
        if (view.told_until == differences.until() && view.new.is_empty()) || self.watcher.on_the_way.is_full() {
            return;
        }
        let changed = view.numbers.iter().filter_map(|number| {
            differences.progress_after(*number, if view.new.contains(number) { 0 } else { view.told_until })
        });
        let is_told = frames::progress(changed, picture.now).is_none_or(|text| self.send(&SharedFrame::new(text)));
        if is_told && let Some(view) = self.differing.as_mut().and_then(|place| place.view.as_mut()) {
            view.told_until = differences.until();
            view.new.clear();
        }
    }

    fn send(&self, frame: &SharedFrame) -> bool {
        let body = frame.body(self.watcher.manner.compressed);
        let bytes = body.bytes();
        // Counted before it is sent, since the socket may pass it on at once.
        self.watcher.on_the_way.add(bytes);
        let sent = self.watcher.frames.try_send(RoomFrame { watch: self.watcher.watch, body });
        if sent.is_err() {
            self.watcher.on_the_way.take_off(bytes);
        }
        sent.is_ok()
    }
}

fn make(
    picture: &RoomPicture<'_>,
    position: RoomPosition,
    numbers: Option<&Differences>,
) -> (SharedFrame, RoomPosition, bool) {
    debug_assert!(numbers.is_none_or(|numbers| numbers.until() == picture.room.seq()), "differences follow other rows");
    let step = picture.room.walk(position, if position.is_in_roster() { ROSTER_ROWS_MAX } else { CHANGED_ROWS_MAX });
    (SharedFrame::new(frames::step(picture.told(), &step, numbers)), step.next, step.is_roster)
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]
mod tests;
