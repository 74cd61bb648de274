"""The log of a sitting in proofbundle, a verifier of the formats of C2SP: its checkpoints, and the proofs of its receipts.

The folder has the key of the log, an earlier checkpoint and the newest one, and each receipt with its proof.
"""

import sys
from pathlib import Path

from proofbundle.checkpoint import verify_checkpoint
from proofbundle.merkle import consistency_proof, verify_consistency
from proofbundle.tlogproof import parse_tlog_proof, verify_tlog_proof

FOLDER, COUNT = Path(sys.argv[1]), int(sys.argv[2])
# A newline is not translated: notes are signed as they are.
read = lambda name: (FOLDER / name).read_bytes().decode()  # noqa: E731
vkey, checkpoints = read("log.vkey"), [read("before.note"), read("after.note")]
origin = vkey.split("+")[0]


def entry(receipt, proof):
    """What the leaf is the hash of: the receipt, and what the proof says that the entry has beside it."""
    return receipt.encode() + (parse_tlog_proof(proof)["extra"] or b"")


def is_logged(receipt, proof):
    found = verify_tlog_proof(proof, entry(receipt, proof), vkey, expected_origin=origin)
    return found["ok"] and parse_tlog_proof(proof)["checkpoint"] == checkpoints[1]


def is_signed(note):
    return verify_checkpoint(note, vkey)["ok"]


receipts = [(read(f"logged-{number}.jwt"), read(f"logged-{number}.tlog-proof")) for number in range(COUNT)]
proven = sum(is_logged(*pair) for pair in receipts)
swapped = sum(is_logged(receipt, proof) for (receipt, _), (_, proof) in zip(receipts, receipts[1:] + receipts[:1]))
cut = sum(is_logged(receipt[:-1], proof) for receipt, proof in receipts)
print(f"{proven} receipts proven, {swapped + cut} of others")

signed = sum(is_signed(note) for note in checkpoints)
altered = sum(is_signed(note.replace("\n", "\n1", 1)) for note in checkpoints)
print(f"{signed} checkpoints signed, {altered} altered")

by_index = {parse_tlog_proof(proof)["index"]: entry(receipt, proof) for receipt, proof in receipts}
leaves = [by_index[index] for index in range(COUNT)]
before, after = (verify_checkpoint(note, vkey) for note in checkpoints)
has_grown = verify_consistency(
    before["tree_size"], after["tree_size"], consistency_proof(leaves, before["tree_size"]), before["root"], after["root"]
)
print(f"{before['tree_size']} of {after['tree_size']} leaves signed before: {'the log has only grown' if has_grown else 'contradicted'}")
