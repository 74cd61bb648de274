//! The texts of a log, in the formats of C2SP: signed notes, checkpoints, the keys that check them, and proofs that a
//! receipt is in a log. Separate from the log, which need not know how it is written down.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::merkle::{TreeHash, leaf_hash, root_by_proof};
use sha2::{Digest, Sha256};
use thiserror::Error as ThisError;
use uuid::Uuid;

use super::key::{ReceiptKey, ReceiptPublicKey};

/// The first line of a proof.
pub const PROOF_HEADING: &str = "c2sp.org/tlog-proof@v1";
/// Ed25519 among the kinds of signatures of a note.
const ED25519_NOTE: u8 = 1;
const KEY_ID_BYTES: usize = 4;
/// The beginning of a line with a signature.
const SIGNATURE: &str = "\u{2014} ";
/// Hashes that a proof may have: those of a log with more entries than there are people.
const PROOF_HASHES_MAX: usize = 63;

/// Why a checkpoint or a proof can't be believed.
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
pub enum NoteFault {
    #[error("it is not a proof of the form {PROOF_HEADING}")]
    NotProof,
    #[error("its checkpoint cannot be read")]
    NotCheckpoint,
    #[error("its checkpoint is not signed by a key that is known")]
    UnknownKey,
    #[error("the signature of its checkpoint is wrong: it was altered")]
    WrongSignature,
    #[error("it does not lead from this receipt to the root of its checkpoint")]
    WrongRoot,
}

/// What the checkpoint of a log says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogCheckpoint {
    /// Names the log.
    pub origin: String,
    /// How many entries it has.
    pub size: u64,
    pub root: TreeHash,
}

/// A proof that an entry is in a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogProof {
    /// What the entry has beside the receipt.
    pub extra: String,
    pub index: u64,
    /// Those beside the way from the entry to the root.
    pub hashes: Vec<TreeHash>,
    /// A signed note.
    pub checkpoint: String,
}

/// The name of a sitting's log: it begins with the host of the server, so that no other server has the same.
#[must_use]
pub fn origin(host: &str, sitting_id: Uuid) -> String {
    format!("{host}/sittings/{sitting_id}")
}

/// What an entry has after the receipt: nothing, or the index of the leaf whose place it takes.
#[must_use]
pub fn extra_of(replaces: Option<u64>) -> String {
    replaces.map(|index| format!("\nreplaces {index}")).unwrap_or_default()
}

/// The hash of the entry of a receipt.
#[must_use]
pub fn entry_hash(jws: &str, extra: &str) -> TreeHash {
    leaf_hash([jws, extra].concat().as_bytes())
}

fn key_id(name: &str, key: &ReceiptPublicKey) -> [u8; KEY_ID_BYTES] {
    let hash = Sha256::new().chain_update(name).chain_update([b'\n', ED25519_NOTE]).chain_update(key.bytes).finalize();
    let mut id = [0; KEY_ID_BYTES];
    id.iter_mut().zip(hash).for_each(|(to, from)| *to = from);
    id
}

/// The key of a log as verifiers of notes take it.
#[must_use]
pub fn verifier_key(name: &str, key: &ReceiptPublicKey) -> String {
    let id: String = key_id(name, key).iter().map(|byte| format!("{byte:02x}")).collect();
    let bytes = [&[ED25519_NOTE], &key.bytes[..]].concat();
    format!("{name}+{id}+{}", STANDARD.encode(bytes))
}

impl LogCheckpoint {
    fn text(&self) -> String {
        let Self { origin, size, root } = self;
        format!("{origin}\n{size}\n{}\n", STANDARD.encode(root))
    }

    /// The checkpoint as a note with the log's signature.
    #[must_use]
    pub fn signed(&self, key: &ReceiptKey) -> String {
        let text = self.text();
        let id = key_id(&self.origin, key.public());
        let signature = STANDARD.encode([&id[..], &key.sign(text.as_bytes())].concat());
        format!("{text}\n{SIGNATURE}{} {signature}\n", self.origin)
    }

    /// The checkpoint of a note, if one of these keys has signed it.
    pub fn opened(note: &str, keys: &[ReceiptPublicKey]) -> Result<Self, NoteFault> {
        let (text, signatures) = note.rsplit_once("\n\n").ok_or(NoteFault::NotCheckpoint)?;
        let mut lines = text.split('\n');
        let (origin, size, root) = (lines.next(), lines.next(), lines.next());
        let size = size.filter(|size| !size.starts_with('0') || *size == "0").and_then(|size| size.parse().ok());
        let (origin, size) = (origin.filter(|origin| !origin.is_empty()), size.ok_or(NoteFault::NotCheckpoint)?);
        let root = root.and_then(hash_of).ok_or(NoteFault::NotCheckpoint)?;
        let checkpoint = Self { origin: origin.ok_or(NoteFault::NotCheckpoint)?.to_owned(), size, root };
        let signed = format!("{text}\n");
        for line in signatures.lines() {
            let named = line.strip_prefix(SIGNATURE).and_then(|rest| rest.split_once(' '));
            let Some((name, signature)) = named else { return Err(NoteFault::NotCheckpoint) };
            let bytes = STANDARD.decode(signature).map_err(|_| NoteFault::NotCheckpoint)?;
            let Some((id, signature)) = bytes.split_at_checked(KEY_ID_BYTES) else {
                return Err(NoteFault::NotCheckpoint);
            };
            // Others may have signed it too, such as witnesses.
            let is_its = |key: &&ReceiptPublicKey| name == checkpoint.origin && key_id(name, key) == id;
            if let Some(key) = keys.iter().find(is_its) {
                let is_right = key.has_signed(signed.as_bytes(), signature);
                return if is_right { Ok(checkpoint) } else { Err(NoteFault::WrongSignature) };
            }
        }
        Err(NoteFault::UnknownKey)
    }
}

impl LogProof {
    /// The proof as a file.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { extra, index, hashes, checkpoint } = self;
        let extra = if extra.is_empty() { String::new() } else { format!("extra {}\n", STANDARD.encode(extra)) };
        let hashes: String = hashes.iter().map(|hash| format!("{}\n", STANDARD.encode(hash))).collect();
        format!("{PROOF_HEADING}\n{extra}index {index}\n{hashes}\n{checkpoint}")
    }

    /// Reads such a file.
    pub fn parse(text: &str) -> Result<Self, NoteFault> {
        let (head, checkpoint) = text.split_once("\n\n").ok_or(NoteFault::NotProof)?;
        let mut lines = head.split('\n').peekable();
        if lines.next() != Some(PROOF_HEADING) {
            return Err(NoteFault::NotProof);
        }
        let extra = lines.next_if(|line| line.starts_with("extra "));
        let extra = extra.and_then(|line| line.strip_prefix("extra ")).map(|line| STANDARD.decode(line));
        let extra = extra.transpose().map_err(|_| NoteFault::NotProof)?.unwrap_or_default();
        let index = lines.next().and_then(|line| line.strip_prefix("index ")).and_then(|index| index.parse().ok());
        let hashes: Option<Vec<TreeHash>> = lines.map(hash_of).collect();
        Ok(Self {
            extra: String::from_utf8(extra).map_err(|_| NoteFault::NotProof)?,
            index: index.ok_or(NoteFault::NotProof)?,
            hashes: hashes.filter(|hashes| hashes.len() <= PROOF_HASHES_MAX).ok_or(NoteFault::NotProof)?,
            checkpoint: checkpoint.to_owned(),
        })
    }

    /// The checkpoint of the log that has this receipt, if one of these keys has signed it.
    pub fn verify(&self, jws: &str, keys: &[ReceiptPublicKey]) -> Result<LogCheckpoint, NoteFault> {
        let checkpoint = LogCheckpoint::opened(&self.checkpoint, keys)?;
        let leaf = entry_hash(jws, &self.extra);
        let root = root_by_proof(leaf, self.index, checkpoint.size, &self.hashes);
        if root == Some(checkpoint.root) { Ok(checkpoint) } else { Err(NoteFault::WrongRoot) }
    }

    /// The index of the leaf whose place it takes, if it says one.
    #[must_use]
    pub fn replaces(&self) -> Option<u64> {
        self.extra.strip_prefix("\nreplaces ").and_then(|index| index.parse().ok())
    }
}

fn hash_of(line: &str) -> Option<TreeHash> {
    STANDARD.decode(line).ok().and_then(|bytes| TreeHash::try_from(bytes.as_slice()).ok())
}

#[cfg(test)]
mod tests {
    use domain::merkle::{inclusion_proof, root};

    use super::*;
    use crate::config::Secret;

    fn key(byte: u8) -> ReceiptKey {
        ReceiptKey::new(None, &Secret::new(vec![byte; 32])).unwrap()
    }

    /// The example of Go's package for signed notes.
    #[test]
    fn ids_of_keys_are_those_of_signed_notes() {
        let vkey = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
        let bytes = STANDARD.decode(&vkey["PeterNeumann+c74f20a3+".len()..]).unwrap();
        assert_eq!(verifier_key("PeterNeumann", &ReceiptPublicKey::of(bytes[1..].try_into().unwrap())), vkey);
    }

    #[test]
    fn a_checkpoint_is_opened_by_its_key_alone() {
        let (own, other) = (key(1), key(2));
        let origin = origin("exam.example", Uuid::nil());
        let checkpoint = LogCheckpoint { origin: origin.clone(), size: 3, root: [9; 32] };
        let note = checkpoint.signed(&own);
        let lines: Vec<&str> = note.split('\n').collect();
        assert_eq!(lines[..4], [origin.as_str(), "3", &STANDARD.encode([9; 32]), ""]);
        assert!(lines[4].starts_with(&format!("\u{2014} {origin} ")) && lines[5].is_empty() && lines.len() == 6);
        let keys = [other.public().clone(), own.public().clone()];
        assert_eq!(LogCheckpoint::opened(&note, &keys), Ok(checkpoint));
        assert_eq!(LogCheckpoint::opened(&note, &keys[..1]), Err(NoteFault::UnknownKey));
        assert_eq!(LogCheckpoint::opened(&note.replacen("\n3\n", "\n4\n", 1), &keys), Err(NoteFault::WrongSignature));
        for text in ["", "\n\n", "a\n1\n\n", "a\n01\nAA==\n\n"] {
            assert_eq!(LogCheckpoint::opened(text, &keys), Err(NoteFault::NotCheckpoint), "{text:?}");
        }
    }

    #[test]
    fn a_proof_is_of_one_receipt_in_one_log() {
        let own = key(1);
        let keys = [own.public().clone()];
        let entries = [("a.b.c", None), ("d.e.f", None), ("g.h.i", Some(0))];
        let leaves: Vec<TreeHash> =
            entries.iter().map(|(jws, replaces)| entry_hash(jws, &extra_of(*replaces))).collect();
        let checkpoint = LogCheckpoint { origin: origin("exam.example", Uuid::nil()), size: 3, root: root(&leaves) };
        for (index, (jws, replaces)) in entries.into_iter().enumerate() {
            let proof = LogProof {
                extra: extra_of(replaces),
                index: index as u64,
                hashes: inclusion_proof(&leaves, index).unwrap(),
                checkpoint: checkpoint.signed(&own),
            };
            assert_eq!(LogProof::parse(&proof.text()), Ok(proof.clone()));
            assert_eq!((proof.verify(jws, &keys), proof.replaces()), (Ok(checkpoint.clone()), replaces));
            assert_eq!(proof.verify("x.y.z", &keys), Err(NoteFault::WrongRoot));
            let elsewhere = LogProof { index: (index as u64 + 1) % 3, ..proof.clone() };
            assert_eq!(elsewhere.verify(jws, &keys), Err(NoteFault::WrongRoot));
            let claimed = LogProof { extra: extra_of(Some(1)), ..proof };
            assert_eq!(claimed.verify(jws, &keys), Err(NoteFault::WrongRoot), "what it replaces is hashed too");
        }
        for text in ["", "c2sp.org/tlog-proof@v2\nindex 0\n\nx", "c2sp.org/tlog-proof@v1\n\nx"] {
            assert_eq!(LogProof::parse(text), Err(NoteFault::NotProof), "{text:?}");
        }
    }
}
