//! Makes receipts: of a running test as its seat knows it, and of a finished one as it is stored.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::attempt::Attempt;
use domain::receipt::{DRAWING_HASH_PREFIX, ReceiptContent, ReceiptDrawing};
use domain::session::Session;
use domain::time::moment::Moment;

use super::key::ReceiptKey;
use crate::store::version_rows::ReceiptFacts;

/// The hashes of drawings by question id.
pub type DrawingHashes = BTreeMap<String, [u8; 32]>;

/// Signs receipts in the name of this server.
pub struct ReceiptSigner {
    key: ReceiptKey,
    /// The public address of the server.
    issuer: String,
}

impl ReceiptSigner {
    #[must_use]
    pub const fn new(key: ReceiptKey, issuer: String) -> Self {
        Self { key, issuer }
    }

    #[must_use]
    pub const fn key(&self) -> &ReceiptKey {
        &self.key
    }

    /// The receipt of a test that runs, as its seat has it: `drawings` are of the same state as the answers.
    pub fn of_running(&self, attempt: &Attempt, drawings: &DrawingHashes, at: Moment) -> serde_json::Result<String> {
        self.key.sign_receipt(&ReceiptContent {
            iss: self.issuer.clone(),
            session_id: attempt.terms.session_id,
            version: None,
            seq: attempt.seq(),
            at,
            deadline: Some(attempt.timer.deadline()),
            answers: ReceiptContent::answers_of(attempt),
            drawings: listed(drawings),
        })
    }

    /// The receipt of a version of a finished test.
    pub fn of_version(
        &self,
        session: &Session,
        facts: &ReceiptFacts,
        drawings: &DrawingHashes,
    ) -> serde_json::Result<String> {
        self.key.sign_receipt(&self.content_of_version(session, facts, drawings))
    }

    /// What such a receipt says.
    #[must_use]
    pub fn content_of_version(
        &self,
        session: &Session,
        facts: &ReceiptFacts,
        drawings: &DrawingHashes,
    ) -> ReceiptContent {
        ReceiptContent {
            iss: self.issuer.clone(),
            session_id: session.session_id,
            version: Some(session.version.number),
            seq: facts.seq,
            // Of a change in another service it is not known when it was made.
            at: session.version.at.unwrap_or(session.completed_at),
            deadline: facts.deadline,
            answers: ReceiptContent::answers_of_session(session, &facts.seqs),
            drawings: listed(drawings),
        }
    }
}

/// The hashes as a receipt has them.
#[must_use]
pub fn listed(drawings: &DrawingHashes) -> Vec<ReceiptDrawing> {
    let line = |(id, hash): (&String, &[u8; 32])| {
        ReceiptDrawing(id.clone(), format!("{DRAWING_HASH_PREFIX}{}", STANDARD.encode(hash)))
    };
    drawings.iter().map(line).collect()
}
