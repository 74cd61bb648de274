//! Receipts, checkpoints and proofs as whoever checks them reads them (`docs/receipts.md`), without the code by which
//! the server makes them.

use crate::failure::Failure;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::signature::{ED25519, UnparsedPublicKey};
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Bytes before the signature of a note, which name its key.
const KEY_ID_BYTES: usize = 4;
const PROOF_HEADING: &str = "c2sp.org/tlog-proof@v1";

/// A hash of the tree of a log.
pub type LogHash = [u8; 32];

/// What a receipt says.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SignedReceipt {
    pub session_id: String,
    /// `None` while the test runs.
    pub version: Option<u32>,
    /// Each question, what was chosen, and the number of the command.
    pub answers: Vec<(String, Option<String>, u64)>,
    /// Each question with a drawing, and its hash.
    pub drawings: Vec<(String, String)>,
}

/// What a checkpoint says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedRoot {
    pub size: usize,
    pub root: LogHash,
}

/// A proof that a receipt is in a log, and what the entry has beside the receipt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptProof {
    pub extra: String,
    pub index: usize,
    pub hashes: Vec<LogHash>,
    pub checkpoint: String,
}

/// The public keys of a server.
pub struct ReceiptKeys(Vec<Vec<u8>>);

impl ReceiptKeys {
    /// Reads `/.well-known/jwks.json`.
    pub fn of(list: &Value) -> Result<Self, Failure> {
        let keys = list.get("keys").and_then(Value::as_array).ok_or("the list of keys has none")?;
        let bytes = |key: &Value| URL_SAFE_NO_PAD.decode(key.get("x")?.as_str()?).ok();
        Ok(Self(keys.iter().filter_map(bytes).collect()))
    }

    fn have_signed(&self, text: &[u8], signature: &[u8]) -> bool {
        self.0.iter().any(|key| UnparsedPublicKey::new(&ED25519, key).verify(text, signature).is_ok())
    }

    /// What a receipt says, if one of the keys has signed it.
    pub fn open(&self, jws: &str) -> Option<SignedReceipt> {
        let (signed, signature) = jws.rsplit_once('.')?;
        let (_, payload) = signed.split_once('.')?;
        let is_signed = self.have_signed(signed.as_bytes(), &URL_SAFE_NO_PAD.decode(signature).ok()?);
        let payload = URL_SAFE_NO_PAD.decode(payload).ok()?;
        serde_json::from_slice(&payload).ok().filter(|_| is_signed)
    }

    /// What a checkpoint says, if one of the keys has signed it.
    pub fn open_checkpoint(&self, note: &str) -> Option<SignedRoot> {
        let (text, signature) = note.rsplit_once("\n\n")?;
        let (_, signature) = signature.trim_end().rsplit_once(' ')?;
        let signature = STANDARD.decode(signature).ok()?;
        if !self.have_signed(format!("{text}\n").as_bytes(), signature.get(KEY_ID_BYTES..)?) {
            return None;
        }
        let mut lines = text.split('\n').skip(1);
        Some(SignedRoot { size: lines.next()?.parse().ok()?, root: hash_of(lines.next()?)? })
    }
}

impl ReceiptProof {
    pub fn parse(text: &str) -> Option<Self> {
        let (head, checkpoint) = text.split_once("\n\n")?;
        let mut lines = head.split('\n').peekable();
        if lines.next() != Some(PROOF_HEADING) {
            return None;
        }
        let extra = lines.next_if(|line| line.starts_with("extra ")).and_then(|line| line.strip_prefix("extra "));
        let extra = String::from_utf8(STANDARD.decode(extra.unwrap_or_default()).ok()?).ok()?;
        let index = lines.next()?.strip_prefix("index ")?.parse().ok()?;
        let hashes = lines.map(hash_of).collect::<Option<Vec<LogHash>>>()?;
        Some(Self { extra, index, hashes, checkpoint: checkpoint.to_owned() })
    }

    /// The hash of the leaf.
    pub fn leaf(&self, jws: &str) -> LogHash {
        Sha256::new().chain_update([0_u8]).chain_update(jws).chain_update(&self.extra).finalize().into()
    }

    /// The root to which the proof leads from its receipt in a log of this size.
    pub fn root(&self, jws: &str, size: usize) -> Option<LogHash> {
        let (mut place, mut last, mut root) = (self.index, size.checked_sub(1)?, self.leaf(jws));
        if place > last {
            return None;
        }
        for hash in &self.hashes {
            if last == 0 {
                return None;
            }
            if place % 2 == 1 || place == last {
                root = node(hash, &root);
                while place % 2 == 0 && place != 0 {
                    (place, last) = (place / 2, last / 2);
                }
            } else {
                root = node(&root, hash);
            }
            (place, last) = (place / 2, last / 2);
        }
        (last == 0).then_some(root)
    }

    /// The index of the leaf whose place it takes; `Some(None)` for one that takes none.
    pub fn replaces(&self) -> Option<Option<usize>> {
        if self.extra.is_empty() {
            return Some(None);
        }
        self.extra.strip_prefix("\nreplaces ")?.parse().ok().map(Some)
    }
}

/// The root of the tree of these leaves.
pub fn tree_root(leaves: &[LogHash]) -> LogHash {
    match leaves {
        [] => Sha256::new().finalize().into(),
        [leaf] => *leaf,
        _ => {
            let (left, right) = leaves.split_at(leaves.len().next_power_of_two() / 2);
            node(&tree_root(left), &tree_root(right))
        }
    }
}

/// The hash of a drawing as receipts have it.
pub fn drawing_hash(drawing: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(drawing)))
}

fn node(left: &LogHash, right: &LogHash) -> LogHash {
    Sha256::new().chain_update([1_u8]).chain_update(left).chain_update(right).finalize().into()
}

fn hash_of(line: &str) -> Option<LogHash> {
    STANDARD.decode(line).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(number: u8) -> LogHash {
        Sha256::digest([0, number]).into()
    }

    #[test]
    fn the_root_is_that_of_rfc_6962() {
        let [a, b, c] = [leaf(1), leaf(2), leaf(3)];
        assert_eq!(tree_root(&[a, b, c]), node(&node(&a, &b), &c));
        assert_eq!(tree_root(&[a, b, c, a, b]), node(&node(&node(&a, &b), &node(&c, &a)), &b));
        assert_eq!(STANDARD.encode(tree_root(&[])), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }

    #[test]
    fn a_proof_leads_to_the_root_from_its_own_receipt_alone() {
        let entry = |extra: &str, jws: &str| ReceiptProof {
            extra: extra.to_owned(),
            index: 2,
            hashes: Vec::new(),
            checkpoint: jws.to_owned(),
        };
        let proof = entry("\nreplaces 1", "note");
        let (a, b, c) = (leaf(1), leaf(2), proof.leaf("x.y.z"));
        let root = tree_root(&[a, b, c]);
        let proof = ReceiptProof { hashes: vec![node(&a, &b)], ..proof };
        assert_eq!((proof.root("x.y.z", 3), proof.replaces()), (Some(root), Some(Some(1))));
        assert_ne!(proof.root("x.y.w", 3), Some(root));
        assert_eq!((proof.root("x.y.z", 2), proof.root("x.y.z", 5)), (None, None));
        let text = format!(
            "{PROOF_HEADING}\nextra {}\nindex 2\n{}\n\nnote",
            STANDARD.encode(&proof.extra),
            STANDARD.encode(node(&a, &b))
        );
        assert_eq!(ReceiptProof::parse(&text), Some(proof));
        assert_eq!(ReceiptProof::parse(&text.replace("v1", "v2")), None);
    }
}
