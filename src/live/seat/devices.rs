//! The devices of one student. Each has a token of its own, and one of them is at work: that is noted, so that a
//! proctor can end the others, and its token is kept when others are removed.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix::prelude::*;
use domain::attempt::DeviceLines;

use super::Seat;
use super::storing::Intent;
use crate::live::protocol::write::{self, Outgoing};
use crate::live::seat::SeatServices;
use crate::live::store;

/// Tokens that a seat remembers; a student has one for each device.
const KNOWN_TOKENS_MAX: usize = 64;

/// The tokens of an attempt that are known to be good, so that the database is not asked for each request: those that
/// have been used here. Shared by the seat and those who check tokens before they come to it.
pub struct KnownTokens(Mutex<Known>);

struct Known {
    hashes: HashSet<[u8; 32]>,
    /// How often they have been forgotten.
    era: u64,
}

impl KnownTokens {
    /// Those of a seat that is built now, which knows the attempt's first token.
    #[must_use]
    pub fn of(first: [u8; 32]) -> Self {
        Self(Mutex::new(Known { hashes: HashSet::from([first]), era: 0 }))
    }

    /// Whether the token with this hash is known to be good.
    #[must_use]
    pub fn has(&self, token_hash: &[u8; 32]) -> bool {
        self.known().hashes.contains(token_hash)
    }

    /// To be read before the database is asked for a token: what is found there is out of date after the next
    /// [`Self::forget`].
    #[must_use]
    pub fn era(&self) -> u64 {
        self.known().era
    }

    /// Remembers a token that was found in that era.
    pub fn learn(&self, token_hash: [u8; 32], era: u64) {
        let mut known = self.known();
        if known.era != era {
            return;
        }
        if known.hashes.len() >= KNOWN_TOKENS_MAX {
            known.hashes.clear();
        }
        known.hashes.insert(token_hash);
    }

    /// Forgets all tokens, so that each is looked up again.
    pub fn forget(&self) {
        let mut known = self.known();
        known.hashes.clear();
        known.era += 1;
    }

    /// A panic elsewhere may poison the lock, but does not make the set wrong.
    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How the device at work is so, or was. Each has the hash of its token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DeviceAtWork {
    /// It has a socket.
    BySocket([u8; 32]),
    /// It has had a command accepted over HTTPS since there was a socket.
    ByHttps([u8; 32]),
    /// It had a socket, and no other device has come to work since.
    Gone([u8; 32]),
}

/// What a seat knows of the devices.
pub(super) struct Devices {
    pub(super) tokens: Arc<KnownTokens>,
    pub(super) lines: DeviceLines,
    /// Hash of the last socket's token.
    last_socket: Option<[u8; 32]>,
    /// As it was last noted.
    at_work: Option<DeviceAtWork>,
    /// The event of the last order that has ended devices.
    ended: i64,
}

impl Devices {
    pub(super) const fn of(tokens: Arc<KnownTokens>, lines: DeviceLines) -> Self {
        Self { tokens, lines, last_socket: None, at_work: None, ended: 0 }
    }

    /// Notes the device of a new socket. Returns whether the socket before was another's.
    pub(super) fn take_over(&mut self, token_hash: [u8; 32]) -> bool {
        self.last_socket.replace(token_hash).is_some_and(|last| last != token_hash)
    }
}

impl Seat {
    /// Notes the device of the socket that there is now.
    pub(super) fn note_socket(&mut self, token_hash: [u8; 32]) {
        self.note_device(DeviceAtWork::BySocket(token_hash));
    }

    /// Notes the device of a command that was accepted over HTTPS. Sockets come before requests. A device that may have
    /// been ended since its token was checked is noted by its next command, if it can send one.
    pub(super) fn note_request(&mut self, token_hash: [u8; 32]) {
        let device = DeviceAtWork::ByHttps(token_hash);
        let is_good = self.devices.tokens.has(&token_hash);
        if is_good && !self.channels.has_socket() && self.devices.at_work != Some(device) {
            self.note_device(device);
        }
    }

    /// Notes that the device at work has no socket any more, unless it has one.
    pub(super) fn note_disconnected(&mut self) {
        if let Some(DeviceAtWork::BySocket(token_hash)) = self.devices.at_work
            && self.channels.device_of_socket().is_none()
        {
            self.note_device(DeviceAtWork::Gone(token_hash));
        }
    }

    fn note_device(&mut self, device: DeviceAtWork) {
        if self.outcome.is_none() {
            self.devices.at_work = Some(device);
            let (DeviceAtWork::BySocket(token_hash)
            | DeviceAtWork::ByHttps(token_hash)
            | DeviceAtWork::Gone(token_hash)) = device;
            self.storing.work_at(token_hash, !matches!(device, DeviceAtWork::Gone(_)));
        }
    }

    /// Looks all tokens up again, that of the device at work first, if devices have been ended since that was last
    /// done.
    pub(super) fn end_devices(&mut self, event: i64) {
        if event > self.devices.ended {
            self.devices.ended = event;
            self.devices.tokens.forget();
            self.storing.intend(Intent::VerifyDevice);
        }
    }

    /// Lets the socket go if its token has been ended, as if another device had taken the session over. Without a
    /// socket, a device that was ended is at work no more: it may have sent something before the seat heard of its end.
    pub(super) fn verify_device(&mut self, context: &mut Context<Self>) {
        let (socket, token_hash) = match (self.channels.device_of_socket(), self.devices.at_work) {
            (Some((socket, token_hash)), _) => (Some(socket), token_hash),
            (None, Some(DeviceAtWork::ByHttps(token_hash))) => (None, token_hash),
            (None, _) => return,
        };
        let (session_id, era) = (self.attempt.terms.session_id, self.devices.tokens.era());
        self.when_read(
            context,
            async move |services: &SeatServices| store::has_token(&services.database, session_id, &token_hash).await,
            move |actor, is_good, _| {
                if is_good {
                    actor.devices.tokens.learn(token_hash, era);
                } else if socket.is_none() && actor.devices.at_work == Some(DeviceAtWork::ByHttps(token_hash)) {
                    actor.note_device(DeviceAtWork::Gone(token_hash));
                } else if socket.is_some_and(|socket| actor.channels.is_attached(socket)) {
                    actor.send(Outgoing::Text(write::superseded()));
                    actor.send(Outgoing::Close(4001, "superseded"));
                    actor.lose_socket();
                }
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_before_tokens_were_ended_is_not_learnt() {
        let (first, further) = ([1; 32], [2; 32]);
        let tokens = KnownTokens::of(first);
        let era = tokens.era();
        tokens.learn(further, era);
        assert!(tokens.has(&first) && tokens.has(&further));
        tokens.forget();
        tokens.learn(further, era);
        assert!(!tokens.has(&first) && !tokens.has(&further));
        tokens.learn(further, tokens.era());
        assert!(tokens.has(&further));
    }

    #[test]
    fn no_student_fills_the_memory() {
        let tokens = KnownTokens::of([0; 32]);
        for number in 1..=200 {
            tokens.learn([number; 32], tokens.era());
            assert!(tokens.has(&[number; 32]));
        }
        assert!(tokens.known().hashes.len() <= KNOWN_TOKENS_MAX);
    }
}
