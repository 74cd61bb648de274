//! Everything that is known of a test of which something is wrong, in a file for whoever looks for the cause: what its
//! student has sent and was answered, what its versions say, and what the server has noted.

use super::contents::StoredVersion;
use super::exam::FinishedTest;
use super::staff::RoundStaff;
use crate::failure::Failure;
use crate::round_student::StudentRecord;
use crate::signed_receipts::ReceiptKeys;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Writes the file. Returns where it is.
pub async fn write(staff: &RoundStaff, keys: &ReceiptKeys, test: &FinishedTest) -> Result<PathBuf, Failure> {
    let FinishedTest { student, versions, .. } = test;
    let session_id = &student.session_id;
    let version = |one: &StoredVersion| {
        let receipt = opened(keys, &one.jws);
        json!({ "version": one.number, "reason": one.reason, "receipt": receipt })
    };
    let versions: Vec<Value> = versions.iter().map(version).collect();
    let known = json!({
        "sessionId": session_id,
        "faults": test.faults(keys),
        "student": record(keys, student),
        "versions": versions,
        // With the moments at which they were made.
        "list": staff.told(&format!("/api/sessions/{session_id}/versions")).await?,
        "late": staff.told(&format!("/api/live/sessions/{session_id}/late")).await?,
        "events": staff.told(&format!("/api/live/sessions/{session_id}/events")).await?,
    });
    let path = std::env::temp_dir().join(format!("examhall-rounds-{session_id}.json"));
    std::fs::write(&path, serde_json::to_vec_pretty(&known)?)?;
    Ok(path)
}

fn record(keys: &ReceiptKeys, student: &StudentRecord) -> Value {
    let sent = student.sent.iter();
    let sent =
        sent.map(|(seq, one)| json!({ "seq": seq, "question": one.question, "value": format!("{:?}", one.value) }));
    let given = student.given.iter();
    let given = given.map(|one| json!({ "saved": one.saved, "receipt": opened(keys, &one.jws) }));
    json!({
        "sent": sent.collect::<Vec<_>>(),
        "saved": student.saved,
        "late": student.late,
        "isLateAccepted": student.is_late_accepted,
        "receipts": given.collect::<Vec<_>>(),
        "history": student.history,
    })
}

/// What a receipt says: each question with its choice and the number of the command. Null if it is not signed.
fn opened(keys: &ReceiptKeys, jws: &str) -> Value {
    let opened = keys.open(jws);
    opened.map_or(
        Value::Null,
        |receipt| json!({ "version": receipt.version, "answers": receipt.answers, "drawings": receipt.drawings }),
    )
}
