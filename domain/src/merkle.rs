//! The hash tree of a log, as in RFC 6962: a root that says which entries a log has, and proofs that an entry is one of
//! them. Whoever has a root notices when an entry before it is changed, moved or taken away.

use sha2::{Digest, Sha256};

/// The hash of an entry, of an inner node, or of a whole tree.
pub type TreeHash = [u8; 32];

/// Hashed before an entry, so that no entry can pass for an inner node.
const LEAF: u8 = 0;
/// Hashed before the two sides of an inner node.
const NODE: u8 = 1;

/// The hash of an entry.
#[must_use]
pub fn leaf_hash(entry: &[u8]) -> TreeHash {
    Sha256::new().chain_update([LEAF]).chain_update(entry).finalize().into()
}

fn node_hash(left: &TreeHash, right: &TreeHash) -> TreeHash {
    Sha256::new().chain_update([NODE]).chain_update(left).chain_update(right).finalize().into()
}

/// The root of a tree with these leaves. That of an empty tree is the hash of nothing.
#[must_use]
pub fn root(leaves: &[TreeHash]) -> TreeHash {
    match leaves {
        [] => Sha256::digest([]).into(),
        [only] => *only,
        many => {
            let (left, right) = many.split_at(left_side(many.len()));
            node_hash(&root(left), &root(right))
        }
    }
}

/// The proof that the leaf of that index belongs to the tree: the hashes beside its way to the root, nearest first.
/// `None` if there is no such leaf.
#[must_use]
pub fn inclusion_proof(leaves: &[TreeHash], index: usize) -> Option<Vec<TreeHash>> {
    if index >= leaves.len() {
        return None;
    }
    let (mut part, mut place, mut beside) = (leaves, index, Vec::new());
    while part.len() > 1 {
        let (left, right) = part.split_at(left_side(part.len()));
        if place < left.len() {
            beside.push(root(right));
            part = left;
        } else {
            beside.push(root(left));
            place -= left.len();
            part = right;
        }
    }
    beside.reverse();
    Some(beside)
}

/// The root of a tree of that size to which a proof leads from a leaf of that index. `None` if the proof has another
/// length than such a proof has.
#[must_use]
pub fn root_by_proof(leaf: TreeHash, index: u64, size: u64, proof: &[TreeHash]) -> Option<TreeHash> {
    if index >= size {
        return None;
    }
    // As in RFC 9162, 2.1.3.2: the numbers of the node and of the last node of its level.
    let (mut node, mut last, mut hash) = (index, size - 1, leaf);
    for beside in proof {
        if last == 0 {
            return None;
        }
        if node % 2 == 1 || node == last {
            hash = node_hash(beside, &hash);
            while node % 2 == 0 && node != 0 {
                node /= 2;
                last /= 2;
            }
        } else {
            hash = node_hash(&hash, beside);
        }
        node /= 2;
        last /= 2;
    }
    (last == 0).then_some(hash)
}

/// The leaves on the left side of a tree: the largest power of two that leaves some for the right one.
const fn left_side(leaves: usize) -> usize {
    leaves.next_power_of_two() / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(hash: TreeHash) -> String {
        hash.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn leaves(entries: &[&[u8]]) -> Vec<TreeHash> {
        entries.iter().map(|entry| leaf_hash(entry)).collect()
    }

    /// The entries that certificate-transparency implementations test with, and the roots of their first trees.
    #[test]
    fn roots_are_those_of_rfc_6962() {
        let entries: [&[u8]; 8] = [
            b"",
            b"\x00",
            b"\x10",
            b"\x20\x21",
            b"\x30\x31",
            b"\x40\x41\x42\x43",
            b"\x50\x51\x52\x53\x54\x55\x56\x57",
            b"\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f",
        ];
        let roots = [
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
            "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
            "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
            "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
        ];
        for (size, expected) in roots.into_iter().enumerate() {
            assert_eq!(hex(root(&leaves(&entries[..size]))), expected, "{size}");
        }
    }

    #[test]
    fn each_proof_leads_to_its_root_and_to_no_other() {
        let all: Vec<TreeHash> = (0..40_u8).map(|number| leaf_hash(&[number])).collect();
        for size in 1..=all.len() {
            let tree = &all[..size];
            for index in 0..size {
                let proof = inclusion_proof(tree, index).unwrap();
                let (at, of) = (index as u64, size as u64);
                assert_eq!(root_by_proof(tree[index], at, of, &proof), Some(root(tree)), "{index} of {size}");
                assert_ne!(root_by_proof(leaf_hash(b"other"), at, of, &proof), Some(root(tree)));
                let longer: Vec<TreeHash> = proof.iter().copied().chain([all[0]]).collect();
                assert_ne!(root_by_proof(tree[index], at, of, &longer), Some(root(tree)));
                if let Some((_, shorter)) = proof.split_last() {
                    assert_eq!(root_by_proof(tree[index], at, of, shorter), None);
                }
            }
            assert!(
                inclusion_proof(tree, size).is_none() && root_by_proof(all[0], size as u64, size as u64, &[]).is_none()
            );
        }
    }
}
