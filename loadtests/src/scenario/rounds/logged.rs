//! Whether the log of a sitting has every version once, has only grown, and was never contradicted. Pure; each fault is
//! a sentence.

use super::contents::StoredVersion;
use crate::signed_receipts::{LogHash, ReceiptKeys, tree_root};
use std::collections::BTreeMap;

/// The stored versions of one test.
pub type TestVersions<'a> = (&'a str, &'a [StoredVersion]);

/// What is wrong with a log, by the versions of all tests that are in it and every checkpoint that was ever given out.
pub fn faults(keys: &ReceiptKeys, tests: &[TestVersions<'_>], checkpoints: &[String]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut leaves = BTreeMap::<usize, (LogHash, &str, u32)>::new();
    let mut proven = Vec::new();
    for (session_id, versions) in tests {
        for version in *versions {
            let Some(proof) = &version.proof else {
                faults.push(format!("{session_id}: version {} has no proof", version.number));
                continue;
            };
            let leaf = (proof.leaf(&version.jws), *session_id, version.number);
            if let Some((_, other, number)) = leaves.insert(proof.index, leaf) {
                faults.push(format!("leaf {} is of {session_id} and of {other}, version {number}", proof.index));
            }
            proven.push((version, proof));
        }
    }
    let hashes: Vec<LogHash> = leaves.values().map(|(hash, ..)| *hash).collect();
    if leaves.keys().copied().ne(0..hashes.len()) {
        faults.push(format!("the leaves have gaps: {:?}", leaves.keys()));
    }
    for (version, proof) in proven {
        let (own, replaces) = (leaves.get(&proof.index), proof.replaces());
        let is_earlier = |index: &usize| {
            let before = leaves.get(index);
            *index < proof.index && before.zip(own).is_some_and(|(before, own)| before.1 == own.1 && before.2 < own.2)
        };
        match replaces {
            Some(None) if version.number == 1 => {}
            Some(Some(index)) if is_earlier(&index) => {}
            _ => faults.push(format!("leaf {} of version {} replaces {replaces:?}", proof.index, version.number)),
        }
        let root = keys.open_checkpoint(&proof.checkpoint);
        if root.is_none_or(|signed| proof.root(&version.jws, signed.size) != Some(signed.root)) {
            faults.push(format!("the proof of leaf {} does not lead to its checkpoint", proof.index));
        }
    }
    for note in checkpoints {
        let Some(signed) = keys.open_checkpoint(note) else {
            faults.push("a checkpoint is not signed".to_owned());
            continue;
        };
        if hashes.get(..signed.size).map(tree_root) != Some(signed.root) {
            faults.push(format!("the checkpoint of {} leaves is not that of the log", signed.size));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signed_receipts::ReceiptProof;
    use base64::Engine;
    use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
    use ring::signature::{Ed25519KeyPair, KeyPair};
    use serde_json::json;

    /// A log of two tests, of which the first has two versions, as a server with this key signs it.
    struct TwoTests {
        pair: Ed25519KeyPair,
        keys: ReceiptKeys,
    }

    impl TwoTests {
        fn new() -> Self {
            let pair = Ed25519KeyPair::from_seed_unchecked(&[7; 32]).unwrap();
            let x = URL_SAFE_NO_PAD.encode(pair.public_key().as_ref());
            Self { keys: ReceiptKeys::of(&json!({ "keys": [{ "x": x }] })).unwrap(), pair }
        }

        fn checkpoint(&self, leaves: &[LogHash]) -> String {
            let text = format!("origin\n{}\n{}\n", leaves.len(), STANDARD.encode(tree_root(leaves)));
            let signature = [&[0; 4], self.pair.sign(text.as_bytes()).as_ref()].concat();
            format!("{text}\n\u{2014} origin {}\n", STANDARD.encode(signature))
        }

        fn version(number: u32, jws: &str, index: usize, extra: &str) -> StoredVersion {
            let proof = ReceiptProof { extra: extra.to_owned(), index, hashes: Vec::new(), checkpoint: String::new() };
            StoredVersion {
                number,
                reason: String::new(),
                score: 0,
                digest: String::new(),
                answers: Vec::new(),
                jws: jws.to_owned(),
                proof: Some(proof),
            }
        }

        /// The versions of both tests, with proofs that lead to the root, and the leaves.
        fn versions(&self) -> (Vec<StoredVersion>, Vec<StoredVersion>, Vec<LogHash>) {
            let mut first = vec![Self::version(1, "a", 0, ""), Self::version(2, "c", 2, "\nreplaces 0")];
            let mut second = vec![Self::version(1, "b", 1, "")];
            let leaf = |version: &StoredVersion| version.proof.as_ref().unwrap().leaf(&version.jws);
            let leaves = vec![leaf(&first[0]), leaf(&second[0]), leaf(&first[1])];
            let ways = [vec![leaves[1], leaves[2]], vec![leaves[0], leaves[2]], vec![tree_root(&leaves[..2])]];
            let checkpoint = self.checkpoint(&leaves);
            for version in first.iter_mut().chain(&mut second) {
                let proof = version.proof.as_mut().unwrap();
                proof.hashes.clone_from(&ways[proof.index]);
                proof.checkpoint.clone_from(&checkpoint);
            }
            (first, second, leaves)
        }
    }

    #[test]
    fn a_log_that_only_grows_has_no_fault() {
        let log = TwoTests::new();
        let (first, second, leaves) = log.versions();
        let checkpoints = [log.checkpoint(&leaves[..2]), log.checkpoint(&leaves)];
        let found = faults(&log.keys, &[("one", &first), ("two", &second)], &checkpoints);
        assert_eq!(found, Vec::<String>::new());
    }

    #[test]
    fn what_was_slipped_in_or_taken_away_is_named() {
        let log = TwoTests::new();
        let (first, second, leaves) = log.versions();
        let count = |first: &[StoredVersion], second: &[StoredVersion], checkpoints: &[String]| {
            faults(&log.keys, &[("one", first), ("two", second)], checkpoints).len()
        };
        let other = log.checkpoint(&[leaves[1], leaves[0]]);
        assert_eq!(count(&first, &second, &[other]), 1, "another order before");
        assert_eq!(count(&first, &second, &[log.checkpoint(&leaves).replacen('3', "2", 1)]), 1, "not signed");
        let mut unlogged = first.clone();
        unlogged[1].proof = None;
        assert!(count(&unlogged, &second, &[log.checkpoint(&leaves)]) >= 2);
        let mut altered = second.clone();
        altered[0].jws = "x".to_owned();
        assert!(count(&first, &altered, &[]) >= 1, "another receipt than that of the leaf");
        assert!(count(&[], &second, &[]) >= 1, "a gap");
    }
}
