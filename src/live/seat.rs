//! The actor that owns one attempt: it applies a student's commands, has them committed, and answers after the commit.
//!
//! Commands come over two channels: the student's socket and HTTPS requests. Those and the ticker write to the seat; it
//! writes to the journal of its worker and to its socket. It does one thing with the database at a time: commands that
//! arrive meanwhile are applied at once and committed next. When it dies its address is dead; the next caller of the
//! registry builds it again from the database, and clients send again what was not acknowledged.

pub mod acks;
mod channels;
mod commit;
mod devices;
mod ending;
mod handle;
mod handover;
mod late;
mod lines;
mod orders;
mod presence_row;
mod receipts;
mod report;
mod requests;
mod services;
mod socket;
mod stages;
mod stopping;
mod storing;
mod time;
pub mod unsaved;
mod waiting;

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use actix::prelude::*;
use bytestring::ByteString;
use domain::attempt::{Applied, Attempt, CommandRefusal, Reason, Stamp};
use domain::sight::OpenResults;
use domain::time::moment::Moment;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use serde_json::value::RawValue;
use tokio::sync::watch;

use super::protocol::fault::{Code, Fault};
use super::protocol::student_frame::{Action, StudentCommand};
use super::protocol::write::{self, Outgoing};
use super::store::{self, Hold, Reopening, Stored};
use crate::telemetry::GaugeGuard;
use channels::Channels;
use commit::AfterCommit;
use devices::Devices;
pub use devices::KnownTokens;
use ending::AttemptOutcome;
pub use handle::SeatHandle;
pub use handover::{EndRun, SeatLost};
use late::{LateArrival, LateQueue};
pub use orders::DeliverOrders;
use orders::Notices;
pub use presence_row::ReportPresence;
use receipts::ReceiptDesk;
pub use receipts::{GiveReceipt, RECEIPT_EVERY_MILLISECONDS};
use report::Report;
pub use requests::{Introduce, Perform, Performed, Read};
pub use services::{SeatDirectory, SeatServices};
use socket::Origin;
pub use socket::{Attach, Detach, FromSocket, SocketEvent, ToSocket};
pub use stopping::Stop;
use storing::{Intent, Storing};
pub use time::Tick;
pub use waiting::SittingSeat;

/// Messages waiting for one seat.
const MAILBOX_CAPACITY: usize = 512;
/// Commands of one attempt per second, sustained: many times what a person can do.
const COMMANDS_PER_SECOND: NonZeroU32 = NonZeroU32::MIN.saturating_add(49);
/// Commands of one attempt in one burst: a whole HTTPS request, or what a student did while offline.
const COMMANDS_AT_ONCE: NonZeroU32 = NonZeroU32::MIN.saturating_add(249);
/// How long an attempt may take to be read from the database.
const READ_TIMEOUT: Duration = Duration::from_secs(10);
/// The pause before an attempt that could not be read is read again.
const READ_AGAIN: Duration = Duration::from_secs(1);

/// The effect of a command.
enum CommandEffect {
    /// It is applied, or a later command had superseded it already.
    Applied,
    /// It is refused, since a newer line has set the value, and this is its answer once that value is committed.
    SupersededBy(ByteString),
    /// It came after the end, and is answered when it is known whether it is kept.
    Late(LateArrival),
    /// `next`, which has to wait for the database.
    Advance,
    /// `submit`, which has to wait for the database.
    Finish,
}

/// Owns one attempt.
pub struct Seat {
    services: Arc<SeatServices>,
    attempt: Attempt,
    hold: Option<Hold>,
    outcome: Option<AttemptOutcome>,
    /// How far the results of its sitting were open when that was last read.
    results_of_sitting: OpenResults,
    due_ms: Arc<AtomicI64>,
    news: watch::Sender<()>,
    limiter: DefaultDirectRateLimiter,
    channels: Channels,
    storing: Storing,
    late: LateQueue,
    report: Report,
    receipts: ReceiptDesk,
    notices: Notices,
    finish_by: Option<String>,
    /// The word for the student while the clock stands still.
    pause_text: Option<String>,
    /// How the attempt came to go on, if it had ended before.
    reopening: Option<Reopening>,
    /// Whether a proctor has ended it before.
    had_proctors_end: bool,
    /// Whether it is stored that the student has been shown the key, so that they may be shown it.
    has_seen_answers: bool,
    devices: Devices,
    sitting: Option<SittingSeat>,
    is_ending: bool,
    is_stopping: bool,
    used_at: Moment,
    _counted: GaugeGuard,
}

impl Seat {
    /// Starts the seat of an attempt on this worker, with what it knows of its sitting. `hold` is the claim on it while
    /// the attempt lasts; an attempt that has ended comes with its session instead.
    #[must_use]
    pub fn open(
        services: &Arc<SeatServices>,
        stored: Stored,
        sitting: Option<SittingSeat>,
        hold: Option<Hold>,
    ) -> Arc<SeatHandle> {
        let Stored { mut attempt, token_hash, lines, session, receipt, .. } = stored;
        let Stored { finish_by, pause_text, notices, reopening, had_proctors_end, has_seen_answers, .. } = stored;
        if let Some(hold) = hold {
            // As counted at the claim: an end by the deadline that overlooks a later order is refused, and the seat
            // reads the order.
            attempt.timer = attempt.timer.of_version(hold.orders);
        }
        let (due_ms, news) = (Arc::new(AtomicI64::new(0)), watch::Sender::default());
        let session_id = attempt.terms.session_id;
        let tokens = Arc::new(KnownTokens::of(token_hash));
        let seat = Self {
            outcome: session.as_ref().map(|session| AttemptOutcome::of(session, receipt)),
            results_of_sitting: OpenResults::default(),
            due_ms: Arc::clone(&due_ms),
            news: news.clone(),
            limiter: RateLimiter::direct(Quota::per_second(COMMANDS_PER_SECOND).allow_burst(COMMANDS_AT_ONCE)),
            channels: Channels::default(),
            storing: Storing::default(),
            late: LateQueue::default(),
            report: Report::new(),
            receipts: ReceiptDesk::default(),
            notices: Notices::of(notices),
            finish_by,
            pause_text,
            reopening,
            had_proctors_end,
            has_seen_answers,
            devices: Devices::of(Arc::clone(&tokens), lines),
            sitting,
            is_ending: false,
            is_stopping: false,
            used_at: services.clock.now(),
            _counted: GaugeGuard::on(&services.metrics.seats),
            services: Arc::clone(services),
            attempt,
            hold,
        };
        Arc::new(SeatHandle::new(session_id, seat.start(), tokens, hold, due_ms, news))
    }

    /// Applies a change at once; it is stored with the next batch.
    fn take(&mut self, command: &StudentCommand) -> Result<CommandEffect, Fault> {
        self.services.metrics.commands.inc();
        // First, so that commands which are refused count too: a client in a loop sends nothing else.
        self.keep_rate().map_err(|fault| fault.of(command.seq))?;
        if !matches!(command.action, Action::Ready(_)) && self.has_to_look(self.services.clock.now()) {
            return Err(Fault::from(CommandRefusal::NotBegun).of(command.seq));
        }
        let (question_id, change, drawing) = match &command.action {
            Action::Ready(sha256) => {
                let now = self.services.clock.now();
                self.attempt.presence.see(now);
                return self.verify_part(sha256, command.seq, now).map(|()| CommandEffect::Applied);
            }
            Action::Next => return Ok(CommandEffect::Advance),
            Action::Submit => return Ok(CommandEffect::Finish),
            Action::Change { question_id, change, drawing } => (question_id, change, drawing),
        };
        let now = self.services.clock.now();
        self.attempt.presence.see(now);
        let stamp = Stamp { line: command.line, seq: command.seq };
        let applied = match self.attempt.apply(question_id, change, stamp, now) {
            Ok(applied) => applied,
            Err(refusal) => return self.refused(command, refusal, now),
        };
        match applied {
            Applied::Set(key) => {
                self.storing.add(key, drawing.clone());
                self.report.take_change();
            }
            Applied::Superseded => {}
            Applied::SupersededBy(key) => return Ok(CommandEffect::SupersededBy(self.superseded_by(command.seq, key))),
        }
        Ok(CommandEffect::Applied)
    }

    /// What comes too late is kept; everything else is refused.
    fn refused(&self, command: &StudentCommand, refusal: CommandRefusal, now: Moment) -> Result<CommandEffect, Fault> {
        let fault = self.fault(refusal).of(command.seq);
        if !self.keeps_late(&fault) {
            return Err(fault);
        }
        Ok(CommandEffect::Late(self.late_arrival(command, fault, now)))
    }

    fn keep_rate(&self) -> Result<(), Fault> {
        self.limiter.check().map_err(|_| {
            self.services.metrics.rate_limited.inc();
            Fault::new(Code::RateLimited, "Too many messages: send this one again a little later")
        })
    }

    /// Queues a `next` or `submit` until the seat is done with the database.
    fn intend(&mut self, turn: &CommandEffect, seq: u64, origin: Origin) {
        let at = self.services.clock.now();
        match turn {
            CommandEffect::Applied | CommandEffect::SupersededBy(_) | CommandEffect::Late(_) => {}
            CommandEffect::Advance => self.storing.intend(Intent::Advance { seq, at, origin }),
            CommandEffect::Finish => {
                self.storing.intend(Intent::Finish { reason: Reason::Student, seq: Some(seq), at, origin });
            }
        }
    }

    /// Goes on with what needs the database, until a commit or a read has begun.
    fn work(&mut self, context: &mut Context<Self>) {
        while !self.storing.is_committing() {
            if let Some(then) = self.storing.take_read() {
                then(self, context);
                continue;
            }
            // `next` and `submit` put the unsaved changes into their own commit, so a flood of changes can't delay
            // them. While something is read for the next intent, changes go on being saved.
            if !self.storing.takes_unsaved_next() {
                if self.storing.has_unsaved() {
                    self.commit(Vec::new(), AfterCommit::Nothing, context);
                    break;
                }
                self.settle_all();
            }
            match self.storing.next_intent() {
                Some(Intent::Attach(attach, done)) => self.attach(attach, done, context),
                Some(Intent::Receipt(asked)) => self.give_receipt(asked, context),
                Some(Intent::Read(comer, reply)) => self.read(comer, reply, context),
                Some(Intent::Advance { seq, at, origin }) => self.advance(seq, at, origin, context),
                Some(Intent::Finish { reason, seq, at, origin }) => self.finish(reason, seq, at, origin, context),
                Some(Intent::KeepLate(request)) => self.keep_late(request, context),
                Some(Intent::VerifyDevice) => self.verify_device(context),
                Some(Intent::Stop(done)) => return self.stop(done, context),
                None => break,
            }
        }
        self.set_due();
        self.tell_row();
    }

    /// Gives the attempt up because its changes can't be stored. None of them was acknowledged, so clients send them
    /// again, to a new seat.
    fn give_up(&mut self, context: &mut Context<Self>) {
        self.report.show_unstored(&mut self.attempt.presence);
        self.send(Outgoing::Text(write::error(&Fault::internal())));
        self.send(Outgoing::Close(1011, "internal"));
        self.leave(context);
    }

    fn leave(&mut self, context: &mut Context<Self>) {
        self.stop_waiting();
        self.leave_row();
        self.services.directory.remove(self.attempt.terms.session_id, &self.due_ms);
        // The ticker may have the handle still, and must not find the seat due.
        self.due_ms.store(i64::MAX, Ordering::Relaxed);
        context.stop();
    }

    /// Reads from the database however long that takes, and calls `then` once no commit is in progress.
    fn when_read<T: 'static, E: std::error::Error + 'static>(
        &mut self,
        context: &mut Context<Self>,
        read: impl AsyncFn(&SeatServices) -> Result<T, E> + 'static,
        then: impl FnOnce(&mut Self, T, &mut Context<Self>) + 'static,
    ) {
        self.storing.begin_read(self.services.clock.now());
        let services = Arc::clone(&self.services);
        let reading = async move {
            loop {
                match tokio::time::timeout(READ_TIMEOUT, read(&services)).await {
                    Ok(Ok(found)) => return found,
                    Ok(Err(error)) => tracing::warn!(%error, "a seat cannot read from the store; trying again"),
                    Err(_) => tracing::warn!("a seat waits for the store; trying again"),
                }
                services.clock.sleep(READ_AGAIN).await;
            }
        };
        context.spawn(reading.into_actor(self).map(|found, actor, context| {
            actor.storing.end_read(Box::new(move |actor, context| then(actor, found, context)));
            actor.work(context);
        }));
    }

    /// Calls `then` with the drawings, which are kept in the database only, because they are large.
    fn with_drawings(
        &mut self,
        context: &mut Context<Self>,
        then: impl FnOnce(&mut Self, Drawings, &mut Context<Self>) + 'static,
    ) {
        if !self.attempt.cells().any(|(_, cell)| cell.drawn) {
            return then(self, Drawings::new(), context);
        }
        let session_id = self.attempt.terms.session_id;
        self.when_read(
            context,
            async move |services: &SeatServices| store::find_drawings(&services.database.read, session_id).await,
            then,
        );
    }
}

/// Drawings by the position of their question.
type Drawings = BTreeMap<usize, Box<RawValue>>;

impl Actor for Seat {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(MAILBOX_CAPACITY);
        self.finish_as_ordered();
        self.await_begin(context);
        self.work(context);
    }
}
