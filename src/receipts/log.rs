//! What is to be written of the logs of sittings: a log begins when its sitting has ended, and only grows from then on.
//! Nothing is signed that contradicts what was signed before. The worker stores it under the lock of the log, if nobody
//! else has written the log since.

use std::collections::{HashMap, HashSet};

use domain::merkle::{self, TreeHash};
use domain::time::moment::Moment;
use sea_orm::DbErr;
use thiserror::Error as ThisError;
use uuid::Uuid;

use super::Receipts;
use super::note::{LogCheckpoint, entry_hash, extra_of, origin, verifier_key};
use crate::store::receipts::ReceiptName;
use crate::store::sitting_logs::{LogLeaf, SignedLog};

/// Why a log is not written.
#[derive(Debug, ThisError)]
pub enum LogFault {
    /// Signing more of it would contradict a checkpoint that was given out.
    #[error("the leaves of the log are not those that its last checkpoint was signed over")]
    Altered,
    #[error("other servers write the log again and again")]
    Busy,
    #[error(transparent)]
    Store(#[from] DbErr),
}

/// The leaves of these receipts, which follow those that are there.
fn new_leaves(there: &[LogLeaf], entries: &[(ReceiptName, String)]) -> Vec<LogLeaf> {
    // Of each test, its versions in the log and their indexes.
    let mut known: HashMap<Uuid, Vec<(i32, u64)>> = HashMap::new();
    for leaf in there {
        let (session_id, version) = leaf.name;
        known.entry(session_id).or_default().push((version, leaf.position));
    }
    let mut leaves = Vec::with_capacity(entries.len());
    for (position, (name, jws)) in (there.len() as u64..).zip(entries) {
        let of_test = known.entry(name.0).or_default();
        // A version that was put off comes after a later one, whose place it does not take.
        let before = of_test.iter().filter(|(version, _)| *version < name.1).max();
        let replaces = before.map(|(_, position)| *position);
        leaves.push(LogLeaf { position, name: *name, replaces, hash: entry_hash(jws, &extra_of(replaces)) });
        of_test.push((name.1, position));
    }
    leaves
}

impl Receipts {
    /// The leaves of a log that begins with these receipts, and what is signed of it.
    pub(super) fn plan_beginning(
        &self,
        sitting_id: Uuid,
        entries: &[(ReceiptName, String)],
        now: Moment,
    ) -> (Vec<LogLeaf>, SignedLog) {
        let leaves = new_leaves(&[], entries);
        let signed = self.signed(sitting_id, &hashes_of(&leaves), now, None);
        (leaves, signed)
    }

    /// The leaves of those of these receipts that a log does not have, and what is signed of it with them. `None` if it
    /// has all of them. `there` are its leaves as of when `before` was signed.
    pub(super) fn plan_append(
        &self,
        sitting_id: Uuid,
        before: &SignedLog,
        there: &[LogLeaf],
        entries: &[(ReceiptName, String)],
    ) -> Result<Option<(Vec<LogLeaf>, SignedLog)>, LogFault> {
        if !is_as_signed(before, there) {
            return Err(LogFault::Altered);
        }
        let names: HashSet<ReceiptName> = there.iter().map(|leaf| leaf.name).collect();
        let mut entries: Vec<(ReceiptName, String)> =
            entries.iter().filter(|(name, _)| !names.contains(name)).cloned().collect();
        if entries.is_empty() {
            return Ok(None);
        }
        // An earlier version of a test before a later one, which names it.
        entries.sort_by_key(|(name, _)| *name);
        let new = new_leaves(there, &entries);
        let all = [hashes_of(there), hashes_of(&new)].concat();
        let signed = self.signed(sitting_id, &all, before.begun_at, Some(before.first_checkpoint.clone()));
        Ok(Some((new, signed)))
    }

    fn signed(&self, sitting_id: Uuid, hashes: &[TreeHash], begun_at: Moment, first: Option<String>) -> SignedLog {
        let key = self.signer.key();
        let (size, root) = (hashes.len() as u64, merkle::root(hashes));
        let checkpoint = LogCheckpoint { origin: origin(&self.host, sitting_id), size, root };
        let vkey = verifier_key(&checkpoint.origin, key.public());
        let checkpoint = checkpoint.signed(key);
        let first_checkpoint = first.unwrap_or_else(|| checkpoint.clone());
        SignedLog { begun_at, size, root, checkpoint, first_checkpoint, vkey }
    }
}

fn hashes_of(leaves: &[LogLeaf]) -> Vec<TreeHash> {
    leaves.iter().map(|leaf| leaf.hash).collect()
}

/// Whether leaves are those over which a log was signed.
pub(super) fn is_as_signed(signed: &SignedLog, leaves: &[LogLeaf]) -> bool {
    let are_in_order = leaves.iter().zip(0..).all(|(leaf, position)| leaf.position == position);
    are_in_order && leaves.len() as u64 == signed.size && merkle::root(&hashes_of(leaves)) == signed.root
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_version_names_the_leaf_whose_place_it_takes() {
        let [one, two] = [1, 2].map(Uuid::from_u128);
        let entry = |id: Uuid, version: i32| ((id, version), format!("{id}.{version}"));
        let first = new_leaves(&[], &[entry(one, 1), entry(one, 2), entry(two, 1)]);
        let named = |leaves: &[LogLeaf]| leaves.iter().map(|leaf| (leaf.position, leaf.replaces)).collect::<Vec<_>>();
        assert_eq!(named(&first), [(0, None), (1, Some(0)), (2, None)]);
        let then = new_leaves(&first, &[entry(one, 3), entry(two, 2), entry(two, 3)]);
        assert_eq!(named(&then), [(3, Some(1)), (4, Some(2)), (5, Some(4))]);
    }
}
