//! The seat's socket: which socket has the session, what it may send, and what it is sent.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use actix::prelude::*;
use bytestring::ByteString;
use domain::attempt::{Comer, Troubles};
use tokio::sync::oneshot;

use super::receipts::ReceiptRoad;
use super::requests::Request;
use super::storing::Intent;
use super::{CommandEffect, Drawings, Seat};
use crate::auth::token;
use crate::live::protocol::fault::{Code, Fault};
use crate::live::protocol::student_frame::StudentCommand;
use crate::live::protocol::write::{self, Outgoing, OwnTerms};
use crate::live::seat::acks::Acks;

/// A socket takes the session over. Answered once it has the session; it must send nothing before. The answer is `None`
/// if it never will have it, because the seat has ended.
#[derive(Message)]
#[rtype(result = "Option<()>")]
pub struct Attach {
    /// Distinguishes sockets.
    pub socket: u64,
    pub frames: Recipient<ToSocket>,
    /// Set when the socket has lost the session and its mailbox was too full to tell it.
    pub is_let_go: Arc<AtomicBool>,
    /// Returned in the answer.
    pub token: String,
    /// The line that the device says it has, if it says anything about that.
    pub line: Option<u16>,
    /// Whether the attempt has just begun.
    pub is_new: bool,
}

/// A frame for a socket.
#[derive(Message)]
#[rtype(result = "()")]
pub struct ToSocket(pub Outgoing);

/// A socket is gone.
#[derive(Message)]
#[rtype(result = "()")]
pub struct Detach {
    pub socket: u64,
}

/// A message of a client, through the socket that has the session.
#[derive(Message)]
#[rtype(result = "()")]
pub struct FromSocket {
    pub socket: u64,
    pub event: SocketEvent,
}

/// The kinds of messages that clients send once their socket is attached.
pub enum SocketEvent {
    Command(StudentCommand),
    /// A question for the server's time.
    Sync(Box<str>),
    /// The page has lost (`true`) or regained the focus.
    Focus(bool),
    /// What the page reports about the computer.
    Trouble(Troubles),
    /// A wish for a receipt.
    Receipt,
}

/// Who sent a command that takes time, and so gets its answer later.
pub(super) enum Origin {
    Socket(u64),
    Request(Box<Request>),
    Nobody,
}

impl Seat {
    /// Sends to the attached socket. If its mailbox is full, its client has stopped reading: the socket is let go, and
    /// the session lives on.
    pub(super) fn send(&mut self, outgoing: Outgoing) {
        if !self.channels.send(outgoing) {
            self.lose_socket();
        }
    }

    pub(super) fn attach(&mut self, attach: Attach, done: oneshot::Sender<()>, context: &mut Context<Self>) {
        if !attach.frames.connected() {
            return self.note_disconnected();
        }
        let token_hash = token::hash(&attach.token);
        let comer = Comer { token_hash, line: attach.line };
        self.with_line(comer, context, move |actor, line, context| {
            let attach = Attach { line: attach.line.map(|_| line), ..attach };
            actor.with_standing(context, move |actor, drawings, _| {
                actor.attach_at(line, attach, token_hash, &drawings, done);
            });
        });
    }

    /// Gives the session to a socket, whose device has this line from now on.
    fn attach_at(
        &mut self,
        line: u16,
        attach: Attach,
        token_hash: [u8; 32],
        drawings: &Drawings,
        done: oneshot::Sender<()>,
    ) {
        if self.storing.has_unsaved() {
            // A change came over the other channel meanwhile, and the answer may include nothing that is not saved.
            return self.storing.intend_first(Intent::Attach(attach, done));
        }
        if !self.devices.tokens.has(&token_hash) {
            // Devices have been ended since the token was checked: the client comes again.
            return self.note_disconnected();
        }
        let now = self.services.clock.now();
        let late_key = self.services.late_keys.public();
        let own = OwnTerms { token: &attach.token, line, late_key: late_key.as_deref() };
        let waiting = self.introduction(own, attach.is_new, now);
        let answer = waiting.unwrap_or_else(|| {
            if attach.is_new { write::started(&self.attempt, own, now) } else { self.resumed(own, drawings) }
        });
        self.supersede();
        let Attach { socket, frames, is_let_go, .. } = attach;
        let is_other_device = self.devices.take_over(token_hash);
        if is_other_device && self.outcome.is_none() {
            self.attempt.presence.taken_over_at = Some(now);
            self.storing.note(now, "taken over", "student", String::new());
        }
        self.channels.attach(socket, frames, is_let_go, token_hash);
        self.note_socket(token_hash);
        self.used_at = now;
        // A new connection has the focus until the client says otherwise.
        self.report.see(&mut self.attempt.presence, now, false);
        // A page that has connected reports anew whatever is wrong.
        self.attempt.presence.troubles = Troubles::NONE;
        if self.outcome.is_none() {
            self.storing.note(now, "connected", "student", String::new());
        }
        self.send(Outgoing::Text(answer));
        self.begin_if_due(now);
        self.tell_notices();
        let _ = done.send(());
        if self.services.directory.is_stopping() {
            self.tell_restart();
        }
    }

    pub(super) fn supersede(&mut self) {
        self.send(Outgoing::Text(write::superseded()));
        self.send(Outgoing::Close(4001, "superseded"));
        let had_socket = self.channels.detach();
        self.report.renew_if(had_socket);
    }

    pub(super) fn lose_socket(&mut self) {
        self.channels.detach();
        self.note_disconnected();
        let now = self.services.clock.now();
        self.used_at = now;
        let away = self.attempt.presence.away;
        self.report.see(&mut self.attempt.presence, now, away);
        if self.outcome.is_none() {
            self.storing.note(now, "disconnected", "student", String::new());
        }
    }

    fn refuse(&mut self, fault: &Fault) {
        self.send(Outgoing::Text(write::error(fault)));
    }

    fn command(&mut self, socket: u64, command: &StudentCommand) {
        match self.take(command) {
            Err(fault) => self.refuse(&fault),
            Ok(CommandEffect::Applied) => self.channels.on_road(|road| road.carry(command.seq)),
            Ok(CommandEffect::SupersededBy(frame)) => self.refuse_when_saved(command.seq, frame),
            Ok(CommandEffect::Late(arrival)) => self.keep_of_socket(socket, arrival),
            Ok(_) if self.storing.has_too_many_endings() => {
                self.refuse(&Fault::new(Code::RateLimited, "Too many of these wait already").of(command.seq));
            }
            Ok(turn) => {
                self.channels.on_road(|road| road.hold(command.seq));
                self.intend(&turn, command.seq, Origin::Socket(socket));
            }
        }
    }

    /// Answers the sender of the command `seq`, and lets their request go on. `is_done` is false if the command was
    /// refused.
    pub(super) fn answer(&mut self, origin: Origin, frame: ByteString, seq: Option<u64>, is_done: bool) {
        let account = |road: &mut Acks| {
            if let Some(seq) = seq {
                road.release(seq, is_done);
            }
        };
        match origin {
            Origin::Socket(socket) if self.channels.is_attached(socket) => {
                self.channels.on_road(account);
                self.send(Outgoing::Text(frame));
            }
            Origin::Request(mut request) => {
                request.answered(frame, account);
                self.go_on(request);
            }
            Origin::Socket(_) | Origin::Nobody => {}
        }
    }

    fn focus(&mut self, away: bool) {
        let now = self.services.clock.now();
        if self.outcome.is_none() && self.report.turn(&mut self.attempt.presence, now, away) {
            let kind = if away { "away" } else { "back" };
            self.storing.note(now, kind, "student", String::new());
        }
    }

    /// Takes what the page reports now.
    pub(super) fn note_troubles(&mut self, troubles: Troubles) {
        let now = self.services.clock.now();
        if self.outcome.is_none() && self.report.take_troubles(&mut self.attempt.presence, now, troubles) {
            self.storing.note(now, "trouble", "student", troubles.text());
        }
    }
}

impl Handler<Attach> for Seat {
    type Result = ResponseFuture<Option<()>>;

    fn handle(&mut self, attach: Attach, context: &mut Self::Context) -> Self::Result {
        let (done, attached) = oneshot::channel();
        // From now on the old socket may send nothing more, and it is told so at once.
        self.supersede();
        self.storing.intend(Intent::Attach(attach, done));
        self.work(context);
        Box::pin(async { attached.await.ok() })
    }
}

impl Handler<Detach> for Seat {
    type Result = ();

    fn handle(&mut self, detach: Detach, context: &mut Self::Context) {
        if self.storing.forget_socket(detach.socket) {
            // The socket before it was let go for it.
            self.note_disconnected();
            self.work(context);
        } else if self.channels.is_attached(detach.socket) {
            self.lose_socket();
            self.work(context);
        }
    }
}

impl Handler<FromSocket> for Seat {
    type Result = ();

    fn handle(&mut self, FromSocket { socket, event }: FromSocket, context: &mut Self::Context) {
        if !self.channels.is_attached(socket) {
            return;
        }
        if self.is_stopping {
            // The command is not applied any more, so a later `saved` must not cover its number.
            if let SocketEvent::Command(command) = event {
                self.channels.on_road(|road| road.hold(command.seq));
            }
            return;
        }
        match event {
            SocketEvent::Command(command) => self.command(socket, &command),
            SocketEvent::Sync(t) => match self.keep_rate() {
                Ok(()) => {
                    self.send(Outgoing::Text(write::time(Some(&t), &self.attempt.timer, self.services.clock.now())));
                }
                Err(fault) => self.refuse(&fault),
            },
            SocketEvent::Focus(away) => match self.keep_rate() {
                Ok(()) => self.focus(away),
                Err(fault) => self.refuse(&fault),
            },
            SocketEvent::Receipt => match self.keep_rate() {
                Ok(()) => self.ask_receipt(ReceiptRoad::Socket(socket)),
                Err(fault) => self.refuse(&fault),
            },
            SocketEvent::Trouble(troubles) => match self.keep_rate() {
                Ok(()) => self.note_troubles(troubles),
                Err(fault) => self.refuse(&fault),
            },
        }
        self.work(context);
    }
}
