//! The seat's receipts: what a student can prove to have saved (`docs/receipts.md`).
//!
//! A receipt is of one state, which is in the database: it is made when nothing is unsaved and no commit is under way,
//! from the answers that the seat has and the hashes of drawings, each of which says which command has set it. Nothing
//! is hashed or signed for a command.

use std::collections::BTreeMap;
use std::time::Duration;

use actix::prelude::*;
use actix_web::web::block;
use bytestring::ByteString;
use domain::attempt::{Attempt, CommandRefusal, Stamp, ValueKind};
use domain::time::moment::Moment;
use sea_orm::DbErr;
use sha2::{Digest, Sha256};
use tokio::sync::oneshot;
use uuid::Uuid;

use super::storing::Intent;
use super::{Seat, SeatServices};
use crate::live::protocol::fault::{Code, Fault};
use crate::live::protocol::write::{self, Outgoing};
use crate::live::store;
use crate::receipts::signer::DrawingHashes;

/// How often a session gets a receipt.
pub const RECEIPT_EVERY_MILLISECONDS: i64 = 60 * 1_000;
/// How often the drawings are hashed again for one receipt because they were changed meanwhile.
const HASHED_MAX: u8 = 4;
/// How long the drawings of one test are read and hashed at a stretch.
const HASHED_WITHIN: Duration = Duration::from_secs(2);

/// Asks for a receipt of what is saved, as a `receipt` or an `error` frame. Answered when all commands that came before
/// are committed.
#[derive(Message)]
#[rtype(result = "Option<ByteString>")]
pub struct GiveReceipt;

/// Where a receipt goes.
pub(super) enum ReceiptRoad {
    Socket(u64),
    Request(oneshot::Sender<ByteString>),
}

/// A receipt that somebody waits for.
pub(super) struct AskedReceipt {
    road: ReceiptRoad,
    /// How often the drawings were hashed for it.
    hashed: u8,
}

/// What a seat keeps for receipts.
#[derive(Default)]
pub(super) struct ReceiptDesk {
    given_at: Option<Moment>,
    /// The hashes of drawings by position, with the commands that set these drawings.
    hashes: BTreeMap<usize, (Stamp, [u8; 32])>,
}

/// A drawing as it is stored: its position, the command that set it, and its hash.
type HashedDrawing = (usize, Stamp, [u8; 32]);

impl ReceiptDesk {
    fn learn(&mut self, found: Vec<HashedDrawing>) {
        self.hashes.extend(found.into_iter().map(|(position, stamp, hash)| (position, (stamp, hash))));
    }

    /// The hash of the drawing that this command has set.
    fn hash_of(&self, position: usize, stamp: Stamp) -> Option<[u8; 32]> {
        self.hashes.get(&position).filter(|(known, _)| *known == stamp).map(|(_, hash)| *hash)
    }

    /// The positions of the drawings whose hashes are not known.
    fn missing(&self, attempt: &Attempt) -> Vec<usize> {
        let drawn = drawn(attempt);
        drawn.filter(|(at, _, stamp)| self.hash_of(*at, *stamp).is_none()).map(|(at, ..)| at).collect()
    }

    /// The hashes of all drawings, by the ids of their questions; `None` if one is not known. `unsaved` are those that
    /// are not stored yet.
    fn all(&self, attempt: &Attempt, unsaved: impl Fn(usize) -> Option<[u8; 32]>) -> Option<DrawingHashes> {
        let hash = |(at, id, stamp): (usize, &str, Stamp)| {
            let hash = unsaved(at).or_else(|| self.hash_of(at, stamp))?;
            Some((id.to_owned(), hash))
        };
        drawn(attempt).map(hash).collect()
    }
}

/// The drawings of an attempt: their positions, questions and commands.
fn drawn(attempt: &Attempt) -> impl Iterator<Item = (usize, &str, Stamp)> {
    let cells = attempt.cells().enumerate().filter(|(_, (_, cell))| cell.drawn);
    cells.map(|(at, (question, cell))| (at, &*question.id, cell.stamp(ValueKind::Drawing)))
}

impl Seat {
    /// Takes the wish for a receipt, unless it comes too soon or at the wrong time.
    pub(super) fn ask_receipt(&mut self, road: ReceiptRoad) {
        let now = self.services.clock.now();
        let is_soon = |given_at: Moment| now.since(given_at) < RECEIPT_EVERY_MILLISECONDS;
        let refusal = if self.outcome.is_some() {
            Some(Fault::from(CommandRefusal::AlreadySubmitted))
        } else if self.waits(now) {
            Some(Fault::from(CommandRefusal::NotBegun))
        } else if self.receipts.given_at.is_some_and(is_soon) {
            Some(Fault::new(Code::RateLimited, "There is one receipt a minute"))
        } else {
            None
        };
        match refusal {
            Some(fault) => self.answer_receipt(road, write::error(&fault)),
            None => {
                // From now on, so that nobody else asks while this one waits.
                self.receipts.given_at = Some(now);
                self.storing.intend(Intent::Receipt(AskedReceipt { road, hashed: 0 }));
            }
        }
    }

    /// Makes a receipt. Nothing is unsaved, and no commit is under way.
    pub(super) fn give_receipt(&mut self, asked: AskedReceipt, context: &mut Context<Self>) {
        if self.outcome.is_some() {
            let fault = Fault::from(CommandRefusal::AlreadySubmitted);
            return self.answer_receipt(asked.road, write::error(&fault));
        }
        let missing = self.receipts.missing(&self.attempt);
        if missing.is_empty() {
            let frame = self.receipt_frame();
            return self.answer_receipt(asked.road, frame);
        }
        if asked.hashed >= HASHED_MAX {
            self.receipts.given_at = None;
            let fault = Fault::new(Code::RateLimited, "The drawings change too fast for a receipt");
            return self.answer_receipt(asked.road, write::error(&fault));
        }
        self.hash_drawings(missing, context, move |actor, _| {
            // What has changed meanwhile is committed first.
            let asked = AskedReceipt { hashed: asked.hashed + 1, ..asked };
            actor.storing.intend_first(Intent::Receipt(asked));
        });
    }

    fn receipt_frame(&self) -> ByteString {
        let (now, attempt) = (self.services.clock.now(), &self.attempt);
        let signed =
            self.receipts.all(attempt, |_| None).map(|hashes| self.services.signer.of_running(attempt, &hashes, now));
        match signed {
            Some(Ok(jws)) => write::receipt(&jws, attempt.seq(), now),
            // Neither can be: the hashes are there, and texts are JSON.
            Some(Err(_)) | None => write::error(&Fault::internal()),
        }
    }

    fn answer_receipt(&mut self, road: ReceiptRoad, frame: ByteString) {
        match road {
            ReceiptRoad::Socket(socket) if self.channels.is_attached(socket) => self.send(Outgoing::Text(frame)),
            ReceiptRoad::Socket(_) => {}
            ReceiptRoad::Request(reply) => drop(reply.send(frame)),
        }
    }

    /// Calls `then` when the hashes of those drawings are known that are stored. A drawing that is set meanwhile may be
    /// missing.
    pub(super) fn with_drawing_hashes(
        &mut self,
        context: &mut Context<Self>,
        then: impl FnOnce(&mut Self, &mut Context<Self>) + 'static,
    ) {
        let missing: Vec<usize> = self.receipts.missing(&self.attempt);
        let stored: Vec<usize> = missing.into_iter().filter(|at| self.storing.unsaved_drawing(*at).is_none()).collect();
        if stored.is_empty() { then(self, context) } else { self.hash_drawings(stored, context, then) }
    }

    fn hash_drawings(
        &mut self,
        positions: Vec<usize>,
        context: &mut Context<Self>,
        then: impl FnOnce(&mut Self, &mut Context<Self>) + 'static,
    ) {
        let session_id = self.attempt.terms.session_id;
        let reading = async move |services: &SeatServices| {
            let mut found = Vec::with_capacity(positions.len());
            let hashing =
                tokio::time::timeout(HASHED_WITHIN, hashed(services, session_id, &positions, &mut found)).await;
            // The end of a test does not wait for them: the worker makes its receipt of what is stored.
            if !matches!(hashing, Ok(Ok(()))) {
                tracing::warn!(session = %session_id, "drawings are not hashed in time for a receipt");
            }
            Ok::<_, DbErr>(found)
        };
        self.when_read(context, reading, move |actor, found, context| {
            actor.receipts.learn(found);
            then(actor, context);
        });
    }

    /// The hashes of all drawings as the next commit stores them; `None` if one was changed so lately that it is not
    /// known.
    pub(super) fn hashes_at_end(&self) -> Option<DrawingHashes> {
        let unsaved = |at: usize| self.storing.unsaved_drawing(at).map(|json| Sha256::digest(json).into());
        self.receipts.all(&self.attempt, unsaved)
    }
}

/// Reads and hashes drawings one after the other: together they may be many megabytes.
async fn hashed(
    services: &SeatServices,
    session_id: Uuid,
    positions: &[usize],
    found: &mut Vec<HashedDrawing>,
) -> Result<(), DbErr> {
    for position in positions {
        let Some((stamp, json)) = store::find_drawing(&services.database.read, session_id, *position).await? else {
            continue;
        };
        let hash = block(move || <[u8; 32]>::from(Sha256::digest(json))).await;
        found.push((*position, stamp, hash.map_err(|error| DbErr::Custom(error.to_string()))?));
    }
    Ok(())
}

impl Handler<GiveReceipt> for Seat {
    type Result = ResponseFuture<Option<ByteString>>;

    fn handle(&mut self, _: GiveReceipt, context: &mut Self::Context) -> Self::Result {
        let (reply, answer) = oneshot::channel();
        self.used_at = self.services.clock.now();
        if !self.is_stopping {
            self.ask_receipt(ReceiptRoad::Request(reply));
            self.work(context);
        }
        Box::pin(async { answer.await.ok() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_counts_for_the_drawing_alone_that_it_was_made_of() {
        let (first, then) = (Stamp { line: 1, seq: 4 }, Stamp { line: 1, seq: 9 });
        let mut desk = ReceiptDesk::default();
        desk.learn(vec![(0, first, [1; 32])]);
        assert_eq!(
            (desk.hash_of(0, first), desk.hash_of(0, then), desk.hash_of(1, first)),
            (Some([1; 32]), None, None)
        );
        desk.learn(vec![(0, then, [2; 32])]);
        assert_eq!((desk.hash_of(0, first), desk.hash_of(0, then)), (None, Some([2; 32])));
    }
}
