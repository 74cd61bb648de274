//! Whether the log of a sitting has every version once, has only grown, and was never contradicted. Pure; each fault is a
//! sentence.

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
