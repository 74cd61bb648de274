//! Receipts as those read them who check them: with the keys that the server lists.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use examhall::database::Database;
use examhall::receipts::check::{CheckedCounts, check};
use examhall::receipts::key::{JsonWebKeys, ReceiptPublicKey, verify_receipt};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{Answer, Caller, Hall};

impl Hall {
    /// The keys that the server lists, the present one first.
    pub async fn receipt_keys(&self) -> Vec<ReceiptPublicKey> {
        let answer = self.anonymous().get("/.well-known/jwks.json").await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let list: JsonWebKeys = serde_json::from_slice(&answer.body).unwrap();
        list.keys.iter().map(|key| ReceiptPublicKey::of_json(key).unwrap()).collect()
    }

    /// What a receipt says, which must be signed.
    pub async fn verified(&self, jws: &str) -> Value {
        let content = verify_receipt(jws, &self.receipt_keys().await).unwrap_or_else(|fault| panic!("{jws}: {fault}"));
        serde_json::to_value(content).unwrap()
    }

    /// The final receipt of a session.
    pub async fn receipt(&self, caller: &Caller, session_id: &str, query: &str) -> String {
        let answer = self.final_receipt(caller, session_id, query).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, "application/jwt"), "{}", answer.text());
        answer.text()
    }

    pub async fn final_receipt(&self, caller: &Caller, session_id: &str, query: &str) -> Answer {
        caller.get(&format!("/api/sessions/{session_id}/receipt{query}")).await
    }

    /// What `examhall receipts check` says of all sittings.
    pub async fn check_receipts(&self) -> (CheckedCounts, Vec<String>) {
        let database = Database::open(self.database_url(), 2, 1).await.unwrap();
        let (own, mut lines) = (self.receipt_keys().await.remove(0), Vec::new());
        let counts = check(&database, &own, None, &mut |line| lines.push(line)).await.unwrap();
        database.close().await;
        (counts, lines)
    }
}

/// The hash of a drawing as a receipt has it.
pub fn drawing_hash(drawing: &Value) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(drawing.to_string())))
}
