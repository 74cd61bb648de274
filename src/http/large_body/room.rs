//! Room for large bodies, taken as they arrive. Bodies that have begun could all wait for each other once it is full,
//! so one of them at a time may go beyond it: it is read to its end, stored, and gives its room to the others.

use std::sync::Arc;

use futures_util::future::{Either, select};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A number of bytes.
pub struct BodyRoom {
    kibibytes: Arc<Semaphore>,
    beyond: Arc<Semaphore>,
}

/// What one body has taken, until it is dropped.
pub struct RoomShare {
    room: Arc<BodyRoom>,
    taken: Option<OwnedSemaphorePermit>,
    beyond: Option<OwnedSemaphorePermit>,
}

impl BodyRoom {
    #[must_use]
    pub fn new(bytes_max: usize) -> Self {
        let semaphore = |permits| Arc::new(Semaphore::new(permits));
        Self { kibibytes: semaphore(bytes_max / 1_024), beyond: semaphore(1) }
    }

    /// A share of nothing yet.
    #[must_use]
    pub const fn join(self: Arc<Self>) -> RoomShare {
        RoomShare { room: self, taken: None, beyond: None }
    }
}

impl RoomShare {
    /// Returns whether the body is the one that may go beyond the room.
    #[must_use]
    pub const fn is_beyond(&self) -> bool {
        self.beyond.is_some()
    }

    /// Waits for so much more room, or for the right to go beyond it.
    pub async fn take(&mut self, kibibytes: u32) {
        if self.is_beyond() {
            return;
        }
        let more = std::pin::pin!(Arc::clone(&self.room.kibibytes).acquire_many_owned(kibibytes));
        let beyond = std::pin::pin!(Arc::clone(&self.room.beyond).acquire_owned());
        // Neither can fail, since nobody closes a room.
        match select(more, beyond).await {
            Either::Left((more, _)) => match (&mut self.taken, more.ok()) {
                (Some(taken), Some(more)) => taken.merge(more),
                (taken, more) => *taken = more,
            },
            Either::Right((beyond, _)) => self.beyond = beyond.ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[test]
    fn of_those_who_fill_the_room_one_can_always_go_on() {
        let room = Arc::new(BodyRoom::new(10 * 1_024));
        let mut shares: Vec<RoomShare> = (0..3).map(|_| Arc::clone(&room).join()).collect();
        for (share, kibibytes) in shares.iter_mut().zip([4, 4, 2]) {
            share.take(kibibytes).now_or_never().unwrap();
        }
        let [first, second, third] = shares.as_mut_slice() else { panic!() };
        first.take(1).now_or_never().unwrap();
        assert!(first.is_beyond());
        assert!(second.take(1).now_or_never().is_none());
        first.take(1_000).now_or_never().unwrap();
        assert!(third.take(1).now_or_never().is_none());
        shares.remove(0);
        shares[0].take(4).now_or_never().unwrap();
        shares[1].take(1).now_or_never().unwrap();
        assert_eq!(shares.iter().map(RoomShare::is_beyond).collect::<Vec<_>>(), [false, true]);
        drop(shares);
        assert_eq!((room.kibibytes.available_permits(), room.beyond.available_permits()), (10, 1));
    }
}
