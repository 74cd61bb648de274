//! The watchers of a room: for each a position in the room's changes, and a limit on the bytes in flight. Nothing else
//! is kept for them, so a watcher who does not read costs no memory.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use actix::prelude::*;
use bytestring::ByteString;
use domain::room::{self, RoomKey, RoomPosition};
use domain::time::moment::Moment;

use super::frames::{self, RoomName};

/// Bytes in flight to one watcher. A watcher who does not read them is sent nothing more …
const WATCHER_BYTES_MAX: usize = 3 * 1_024 * 1_024;
/// … and the same in frames.
const WATCHER_FRAMES_MAX: usize = 16;
/// Rows of one part of a roster, so that a large room shows something soon.
const ROSTER_ROWS_MAX: usize = 500;
/// Rows of one frame of changes; the rest follows a quarter of a second later.
const CHANGED_ROWS_MAX: usize = 5_000;
/// A watcher who has been sent nothing for this long gets an empty frame, which shows that the picture is still live.
const PULSE_MILLISECONDS: i64 = 10_000;

/// A frame for a watcher.
#[derive(Message)]
#[rtype(result = "()")]
pub struct RoomFrame {
    /// The watch of the socket that it is for.
    pub watch: u64,
    pub text: ByteString,
}

/// A socket that watches the room, with one of its watches.
pub struct Watcher {
    /// Distinguishes the watches of one socket.
    pub watch: u64,
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
}

/// The state of the room that is sent to all watchers at one moment.
pub(super) struct RoomPicture<'a> {
    pub(super) key: RoomKey,
    /// The name of the hall that is watched.
    pub(super) hall: Option<&'a str>,
    pub(super) room: &'a room::Room,
    pub(super) is_partial: bool,
    pub(super) now: Moment,
    /// Whether every watcher is sent a frame, even one that has all changes.
    pub(super) is_news: bool,
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

    /// Sends to those who have been sent nothing yet, and to no others.
    pub(super) fn welcome(&mut self, picture: &RoomPicture<'_>) -> WatcherUpdate {
        let (mut told, mut made) = (WatcherUpdate::default(), HashMap::new());
        for place in self.0.iter_mut().filter(|place| place.is_new) {
            place.tell(picture, &mut made, true, &mut told);
        }
        told
    }

    /// Sends each watcher the changes that it lacks. Watchers at the same position get the same text, which is made
    /// once.
    pub(super) fn tell(&mut self, picture: &RoomPicture<'_>) -> WatcherUpdate {
        let (mut told, mut made) = (WatcherUpdate::default(), HashMap::new());
        for place in &mut self.0 {
            // A new watcher gets a frame even if it has all changes already, so that it knows so.
            let is_silent = picture.now.since(place.told_at) >= PULSE_MILLISECONDS;
            place.tell(picture, &mut made, picture.is_news || is_silent || place.is_new, &mut told);
        }
        told
    }
}

type Made = HashMap<RoomPosition, (ByteString, RoomPosition, bool)>;

impl WatcherPlace {
    /// Sends a whole roster, as far as the watcher can take it, or one frame of changes.
    fn tell(&mut self, picture: &RoomPicture<'_>, made: &mut Made, mut is_news: bool, told: &mut WatcherUpdate) {
        while is_news || !picture.room.is_up_to_date(self.position) {
            if self.watcher.on_the_way.is_full() {
                told.is_behind = true;
                return;
            }
            let position = picture.room.going_on_at(self.position);
            let (text, next, is_roster) = made.entry(position).or_insert_with(|| make(picture, position)).clone();
            // Counted before it is sent, since the socket may pass it on at once.
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
    (
        frames::step(RoomName::of(picture.key, picture.hall), &step, picture.is_partial, picture.now),
        step.next,
        step.is_roster,
    )
}
