//! The keys that make a start repeatable (`docs/decisions/0004-start-tokens-from-key-and-salt.md`).

use uuid::Uuid;

use super::StartedAttempt;
use crate::auth::token;
use crate::live::Live;
use crate::live::protocol::fault::Fault;
use crate::live::protocol::student_frame::Start;
use crate::live::store;

/// Finds the session that a key has begun, and the salt of its token.
pub(super) async fn find_begun(live: &Live, key_hash: [u8; 32]) -> Result<Option<(Uuid, Vec<u8>)>, Fault> {
    store::find_by_start_key(&live.services.database, &key_hash, live.services.clock.now()).await.map_err(|error| {
        tracing::warn!(%error, "a start's key cannot be looked up");
        Fault::storage()
    })
}

pub(super) fn begun_before(session_id: Uuid, salt: &[u8], start: &Start) -> StartedAttempt {
    StartedAttempt { seat: None, session_id, token: repeatable_token(start.key.as_deref().unwrap_or_default(), salt) }
}

/// Includes the e-mail address of the caller, so that the same key of two people begins two sessions.
pub(super) fn start_key_hash(key: &str, owner: Option<&str>) -> [u8; 32] {
    token::hash(&format!("{key}\n{}", owner.unwrap_or_default()))
}

/// The database has only the salt and the client only the key. They meet only while a start is answered, so nothing
/// that is stored can make a token (`docs/decisions/0004-start-tokens-from-key-and-salt.md`).
pub(in crate::live) fn repeatable_token(key: &str, salt: &[u8]) -> String {
    token::encode(&token::derive(key.as_bytes(), salt))
}

pub(in crate::live) fn random() -> Result<[u8; 32], Fault> {
    token::random_bytes().map_err(|error| {
        tracing::error!(%error, "the system gives no randomness");
        Fault::internal()
    })
}
