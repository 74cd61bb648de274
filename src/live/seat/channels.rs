//! The channels over which commands come to a seat, with their acknowledgements: the socket that has the session, and
//! the HTTPS requests that are not answered yet.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use actix::prelude::*;

use super::acks::Acks;
use super::requests::Request;
use super::socket::ToSocket;
use crate::live::protocol::write::Outgoing;

/// The socket that has the session.
struct Attached {
    socket: u64,
    frames: Recipient<ToSocket>,
    is_let_go: Arc<AtomicBool>,
    token_hash: [u8; 32],
    road: Acks,
}

/// A seat's socket and requests.
#[derive(Default)]
pub(super) struct Channels {
    socket: Option<Attached>,
    /// Their commands are applied, and not all of them are committed.
    requests: Vec<Request>,
}

impl Channels {
    /// Gives the session to a socket, whose device has a token with this hash. `is_let_go` tells the socket that it has
    /// lost the session, when its mailbox is too full to be told.
    pub(super) fn attach(
        &mut self,
        socket: u64,
        frames: Recipient<ToSocket>,
        is_let_go: Arc<AtomicBool>,
        token_hash: [u8; 32],
    ) {
        self.socket = Some(Attached { socket, frames, is_let_go, token_hash, road: Acks::default() });
    }

    /// Takes the session from the socket. Returns whether one had it.
    pub(super) fn detach(&mut self) -> bool {
        self.socket.take().is_some()
    }

    /// Sends to the attached socket, if there is one. Returns false if its mailbox is full, because its client has
    /// stopped reading: such a socket must be detached.
    #[must_use]
    pub(super) fn send(&self, outgoing: Outgoing) -> bool {
        let Some(attached) = &self.socket else { return true };
        let is_sent = attached.frames.try_send(ToSocket(outgoing)).is_ok();
        if !is_sent {
            attached.is_let_go.store(true, Ordering::Relaxed);
        }
        is_sent
    }

    /// Whether a socket is attached and alive.
    pub(super) fn has_socket(&self) -> bool {
        self.socket.as_ref().is_some_and(|attached| attached.frames.connected())
    }

    /// The attached socket, and the hash of its device's token.
    pub(super) fn device_of_socket(&self) -> Option<(u64, [u8; 32])> {
        self.socket.as_ref().map(|attached| (attached.socket, attached.token_hash))
    }

    pub(super) fn is_attached(&self, socket: u64) -> bool {
        self.socket.as_ref().is_some_and(|attached| attached.socket == socket)
    }

    /// Changes the account of the socket.
    pub(super) fn on_road(&mut self, change: impl FnOnce(&mut Acks)) {
        if let Some(attached) = &mut self.socket {
            change(&mut attached.road);
        }
    }

    /// The highest number of the socket that is not acknowledged yet.
    pub(super) fn outstanding(&self) -> Option<u64> {
        self.socket.as_ref().and_then(|attached| attached.road.outstanding())
    }

    /// Keeps a request until its commands are committed.
    pub(super) fn wait(&mut self, request: Request) {
        self.requests.push(request);
    }

    pub(super) fn has_requests(&self) -> bool {
        !self.requests.is_empty()
    }

    /// Notes that all commands carried so far are in the batch that is committed now.
    pub(super) fn stage(&mut self) {
        self.on_road(Acks::stage);
        self.requests.iter_mut().for_each(Request::stage);
    }

    /// The number that the socket is to be told now that the batch is committed.
    pub(super) fn settle_socket(&mut self) -> Option<u64> {
        self.socket.as_mut().and_then(|attached| attached.road.settle())
    }

    /// The requests that were in the batch.
    pub(super) fn take_staged(&mut self) -> Vec<Request> {
        let (staged, waiting) = std::mem::take(&mut self.requests).into_iter().partition(Request::is_staged);
        self.requests = waiting;
        staged
    }
}
