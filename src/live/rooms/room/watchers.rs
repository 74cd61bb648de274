//! Who watches a room: each a place in its changes and a bound on what is on the way, and nothing that is kept for them.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use actix::prelude::*;
use bytestring::ByteString;
use domain::room::{self, RoomKey, RoomPosition};
use domain::time::moment::Moment;

use super::frames;

/// Bytes on their way to one watcher: who does not read them is sent nothing more …
const WATCHER_BYTES_MAX: usize = 3 * 1_024 * 1_024;
/// … and frames.
const WATCHER_FRAMES_MAX: usize = 16;
/// Rows of one part of a roster.
const ROSTER_ROWS_MAX: usize = 500;
/// Rows of one frame of changes; more come a quarter of a second later.
const CHANGED_ROWS_MAX: usize = 5_000;
/// A watcher who is told nothing else is told so often that the picture lives.
const PULSE_MILLISECONDS: i64 = 10_000;

/// A frame for a watcher.
#[derive(Message)]
#[rtype(result = "()")]
pub struct RoomFrame {
    /// Which of the socket's watches it is for.
    pub watch: u64,
    /// The text.
    pub text: ByteString,
}

/// Someone who watches: a socket, and which of its watches.
pub struct Watcher {
    /// Tells watches of one socket apart.
    pub watch: u64,
    /// Where frames go.
    pub frames: Recipient<RoomFrame>,
    /// What it has not passed on yet.
    pub on_the_way: Arc<OnTheWay>,
}

/// What a room has sent to a socket that has not passed it on: nothing more is even made for one that does not read.
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

    /// The socket has passed on a frame.
    pub fn take_off(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        self.frames.fetch_sub(1, Ordering::Relaxed);
    }
}

/// One of them, and where it stands.
struct WatcherPlace {
    watcher: Watcher,
    position: RoomPosition,
    told_at: Moment,
    /// Whether it has been told nothing yet.
    is_new: bool,
}

/// What all are told at one moment.
pub(super) struct RoomPicture<'a> {
    pub(super) key: RoomKey,
    pub(super) room: &'a room::Room,
    pub(super) is_partial: bool,
    pub(super) now: Moment,
    /// Whether everyone is told something, also who has everything.
    pub(super) is_news: bool,
}

/// What came of telling.
#[derive(Clone, Copy, Default)]
pub(super) struct WatcherUpdate {
    /// Whether anyone was sent changes.
    pub(super) has_sent: bool,
    /// Whether anyone has still something to get.
    pub(super) is_behind: bool,
}

/// All who watch.
#[derive(Default)]
pub(super) struct Watchers(Vec<WatcherPlace>);

impl Watchers {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn add(&mut self, watcher: Watcher, position: RoomPosition, now: Moment) {
        self.0.push(WatcherPlace { watcher, position, told_at: now, is_new: true });
    }

    pub(super) fn remove(&mut self, frames: &Recipient<RoomFrame>, watch: u64) {
        self.0.retain(|place| place.watcher.watch != watch || place.watcher.frames != *frames);
    }

    pub(super) fn forget_gone(&mut self) {
        self.0.retain(|place| place.watcher.frames.connected());
    }

    /// Tells those who have been told nothing yet, and no others.
    pub(super) fn welcome(&mut self, picture: &RoomPicture<'_>) -> WatcherUpdate {
        let (mut told, mut made) = (WatcherUpdate::default(), HashMap::new());
        for place in self.0.iter_mut().filter(|place| place.is_new) {
            place.tell(picture, &mut made, true, &mut told);
        }
        told
    }

    /// Tells each what is new for it; those who stand at the same place get the same text.
    pub(super) fn tell(&mut self, picture: &RoomPicture<'_>) -> WatcherUpdate {
        let (mut told, mut made) = (WatcherUpdate::default(), HashMap::new());
        for place in &mut self.0 {
            // A new one is told something even when it has all there is.
            let is_silent = picture.now.since(place.told_at) >= PULSE_MILLISECONDS;
            place.tell(picture, &mut made, picture.is_news || is_silent || place.is_new, &mut told);
        }
        told
    }
}

type Made = HashMap<RoomPosition, (ByteString, RoomPosition, bool)>;

impl WatcherPlace {
    /// A whole roster at once as far as it can be taken, or one frame of changes.
    fn tell(&mut self, picture: &RoomPicture<'_>, made: &mut Made, mut is_news: bool, told: &mut WatcherUpdate) {
        while is_news || !picture.room.is_up_to_date(self.position) {
            if self.watcher.on_the_way.is_full() {
                told.is_behind = true;
                return;
            }
            let position = picture.room.going_on_at(self.position);
            let (text, next, is_roster) = made.entry(position).or_insert_with(|| make(picture, position)).clone();
            // Counted before it is sent: the socket may pass it on at once.
            self.watcher.on_the_way.add(text.len());
            let bytes = text.len();
            if self.watcher.frames.try_send(RoomFrame { watch: self.watcher.watch, text }).is_err() {
                self.watcher.on_the_way.take_off(bytes);
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
}

fn make(picture: &RoomPicture<'_>, position: RoomPosition) -> (ByteString, RoomPosition, bool) {
    let step = picture.room.walk(position, if position.is_in_roster() { ROSTER_ROWS_MAX } else { CHANGED_ROWS_MAX });
    (frames::step(picture.key, &step, picture.is_partial, picture.now), step.next, step.is_roster)
}
