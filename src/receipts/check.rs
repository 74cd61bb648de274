//! Compares the stored results of sittings with their receipts and logs, and names each difference: what `examhall
//! receipts check` prints.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use domain::merkle;
use domain::question::Selected;
use domain::receipt::{ReceiptAnswer, ReceiptContent};
use domain::session::Session;
use sea_orm::{DatabaseTransaction, DbErr};
use uuid::Uuid;

use super::key::{ReceiptPublicKey, verify_receipt};
use super::log::is_as_signed;
use super::note::{LogCheckpoint, entry_hash, extra_of};
use super::signer::{DrawingHashes, listed};
use crate::database::Database;
use crate::database::failure::DatabaseFailure;
use crate::store::receipts::{self, ReceiptName};
use crate::store::sitting_logs::{self, LogLeaf};
use crate::store::{silent_versions, version_rows};

/// What was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckedCounts {
    pub sittings: usize,
    /// Versions of finished tests.
    pub results: usize,
    pub leaves: usize,
    pub differences: usize,
}

/// How far a version has come, if nothing is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    /// It may be of an earlier release, which made no receipts.
    Stored,
    /// As soon as the server has looked after it.
    Sealed,
    InLog,
}

/// Tells the differences, and counts them.
struct Findings<'t> {
    counts: CheckedCounts,
    tell: &'t mut dyn FnMut(String),
}

impl Findings<'_> {
    fn name(&mut self, difference: String) {
        self.counts.differences += 1;
        (self.tell)(difference);
    }
}

/// Compares one sitting, or all that have a log or a test that is sealed. `own` is the key with which this server
/// signs.
pub async fn check(
    database: &Database,
    own: &ReceiptPublicKey,
    sitting_id: Option<Uuid>,
    tell: &mut dyn FnMut(String),
) -> Result<CheckedCounts, DbErr> {
    let known = receipts::load_keys(&database.read).await?;
    let mut keys: Vec<ReceiptPublicKey> = known.iter().filter_map(ReceiptPublicKey::of_known).collect();
    let mut findings = Findings { counts: CheckedCounts::default(), tell };
    for key in &known {
        if !keys.iter().any(|made| made.kid == key.kid) {
            findings.name(format!("key {}: it is not the key of that thumbprint", key.kid));
        }
    }
    keys.push(own.clone());
    let sittings = match sitting_id {
        Some(id) => BTreeSet::from([id]),
        None => sitting_logs::load_sittings(&database.read).await?,
    };
    for id in sittings {
        findings.counts.sittings += 1;
        check_sitting(database, &keys, id, &mut findings).await?;
    }
    Ok(findings.counts)
}

async fn check_sitting(
    database: &Database,
    keys: &[ReceiptPublicKey],
    sitting_id: Uuid,
    findings: &mut Findings<'_>,
) -> Result<(), DbErr> {
    let snapshot = database.snapshot().await?;
    let leaves = check_log(&snapshot, keys, sitting_id, findings).await?;
    let tests = version_rows::load_of_sitting(&snapshot, sitting_id).await?;
    let silent = silent_versions::load_of_sitting(&snapshot, sitting_id).await?;
    let ids: Vec<Uuid> = tests.iter().map(|(id, _)| *id).collect();
    let has_sealed_all = leaves.is_some() || sitting_logs::has_first_receipt(&snapshot, &ids).await?;
    snapshot.commit().await?;
    let mut by_name: HashMap<ReceiptName, &LogLeaf> = leaves.iter().flatten().map(|leaf| (leaf.name, leaf)).collect();
    for (session_id, newest) in &tests {
        for version in 1..=*newest {
            findings.counts.results += 1;
            let name = (*session_id, version);
            let is_silent = silent.contains(&name);
            let expected = if leaves.is_some() && !is_silent {
                Expected::InLog
            } else if has_sealed_all || is_silent {
                Expected::Sealed
            } else {
                Expected::Stored
            };
            // A snapshot each, so that one that can't be read costs no other.
            let checking = check_result(database, keys, name, by_name.remove(&name), expected).await;
            let place = format!("sitting {sitting_id}, session {session_id}, version {version}");
            match checking {
                Ok(differences) => {
                    differences.into_iter().for_each(|difference| findings.name(format!("{place}: {difference}")));
                }
                Err(error) if DatabaseFailure::of(&error) == DatabaseFailure::Unavailable => return Err(error),
                Err(error) => findings.name(format!("{place}: it cannot be read ({error})")),
            }
        }
    }
    let mut left: Vec<&LogLeaf> = by_name.into_values().collect();
    left.sort_by_key(|leaf| leaf.position);
    for LogLeaf { position, name: (session_id, version), .. } in left {
        findings.name(format!(
            "sitting {sitting_id}, leaf {position}: version {version} of session {session_id} is not stored any more"
        ));
    }
    Ok(())
}

/// Compares a log with what was signed of it. Returns its leaves; `None` if it has not begun.
async fn check_log(
    snapshot: &DatabaseTransaction,
    keys: &[ReceiptPublicKey],
    sitting_id: Uuid,
    findings: &mut Findings<'_>,
) -> Result<Option<Vec<LogLeaf>>, DbErr> {
    let place = format!("sitting {sitting_id}");
    let log = match sitting_logs::find(snapshot, sitting_id).await {
        Ok(log) => log,
        Err(error) if DatabaseFailure::of(&error) == DatabaseFailure::Unavailable => return Err(error),
        Err(error) => {
            findings.name(format!("{place}: its log cannot be read ({error})"));
            return Ok(None);
        }
    };
    let leaves = match sitting_logs::load_leaves(snapshot, sitting_id).await {
        Ok(leaves) => leaves,
        Err(error) if DatabaseFailure::of(&error) == DatabaseFailure::Unavailable => return Err(error),
        Err(error) => {
            findings.name(format!("{place}: the leaves of its log cannot be read ({error})"));
            return Ok(None);
        }
    };
    let Some(signed) = log.and_then(|log| log.signed) else {
        if !leaves.is_empty() {
            findings.name(format!("{place}: there are leaves of a log that has not begun"));
        }
        return Ok(None);
    };
    findings.counts.leaves += leaves.len();
    if !is_as_signed(&signed, &leaves) {
        findings.name(format!("{place}: the leaves of its log are not those of its root"));
    }
    for (what, note) in [("checkpoint", &signed.checkpoint), ("first checkpoint", &signed.first_checkpoint)] {
        match LogCheckpoint::opened(note, keys) {
            Err(fault) => findings.name(format!("{place}: {what}: {fault}")),
            Ok(opened) => {
                let size = usize::try_from(opened.size).unwrap_or(usize::MAX);
                let hashes: Vec<_> = leaves.iter().take(size).map(|leaf| leaf.hash).collect();
                if hashes.len() != size || merkle::root(&hashes) != opened.root {
                    findings.name(format!("{place}: its leaves contradict its {what}"));
                }
            }
        }
    }
    Ok(Some(leaves))
}

/// Compares one version with its receipt, its seal and its leaf. Returns what differs.
async fn check_result(
    database: &Database,
    keys: &[ReceiptPublicKey],
    name: ReceiptName,
    leaf: Option<&LogLeaf>,
    expected: Expected,
) -> Result<Vec<String>, DbErr> {
    let mut found = Vec::new();
    let snapshot = database.snapshot().await?;
    let stored = receipts::find(&snapshot, name).await?;
    let row = version_rows::find(&snapshot, name.0, name.1).await?;
    let Some(row) = row else { return Ok(vec!["it is not stored".to_owned()]) };
    // What waits for its seal may be altered unnoticed, for some seconds after its commit. Nothing else may wait.
    let is_missed = match expected {
        Expected::Stored => false,
        Expected::Sealed => !receipts::is_due(&snapshot, name).await?,
        Expected::InLog => true,
    };
    let Some(stored) = stored else {
        if is_missed {
            found.push("it has no receipt".to_owned());
        } else if let Err(error) = row.drawing_hashes().and_then(|_| row.session()) {
            found.push(error.to_string());
        }
        return Ok(found);
    };
    let content = verify_receipt(&stored.jws, keys);
    if let Err(fault) = &content {
        found.push(format!("its receipt: {fault}"));
    }
    match leaf {
        None if expected == Expected::InLog => found.push("its receipt is not in the log".to_owned()),
        Some(leaf) if entry_hash(&stored.jws, &extra_of(leaf.replaces)) != leaf.hash => {
            found.push(format!("its receipt is not that of leaf {}", leaf.position));
        }
        None | Some(_) => {}
    }
    match &stored.seal {
        Some(seal) => {
            let digests = [row.digest(), row.former_digest()];
            if !digests.iter().any(|digest| keys.iter().any(|key| key.has_sealed(digest, seal))) {
                found.push("it was altered since it was sealed".to_owned());
            }
        }
        None if is_missed => found.push("it was never sealed".to_owned()),
        None => {}
    }
    let drawings = row.drawing_hashes();
    let session = row.session();
    match (content, drawings, session) {
        (Ok(content), Ok(drawings), Ok(session)) => found.extend(differences(&content, &drawings, &session)),
        (_, Err(error), _) | (_, _, Err(error)) => found.push(error.to_string()),
        (Err(_), Ok(_), Ok(_)) => {}
    }
    Ok(found)
}

/// What a receipt says otherwise than the result that is stored.
fn differences(content: &ReceiptContent, drawings: &DrawingHashes, session: &Session) -> Vec<String> {
    let mut found = Vec::new();
    if content.session_id != session.session_id || content.version != Some(session.version.number) {
        found.push("its receipt is of another test or version".to_owned());
    }
    if content.at != session.version.at.unwrap_or(session.completed_at) {
        found.push("its receipt has another time".to_owned());
    }
    let stored = ReceiptContent::answers_of_session(session, &BTreeMap::new());
    let same = |one: &ReceiptAnswer, other: &ReceiptAnswer| (&one.0, &one.1) == (&other.0, &other.1);
    if stored.len() != content.answers.len() {
        found.push("its receipt has another number of questions".to_owned());
    }
    for (stored, told) in stored.iter().zip(&content.answers) {
        if !same(stored, told) {
            let choice = |answer: &ReceiptAnswer| answer.1.as_ref().map_or("nothing", Selected::text).to_owned();
            let (question, was) = (&told.0, choice(told));
            found.push(format!("question {question}: {was} in its receipt, {} ({}) stored", choice(stored), stored.0));
        }
    }
    let listed = listed(drawings);
    let told: BTreeMap<&str, &str> = content.drawings.iter().map(|line| (&*line.0, &*line.1)).collect();
    let stored: BTreeMap<&str, &str> = listed.iter().map(|line| (&*line.0, &*line.1)).collect();
    let drawn: BTreeSet<&str> = told.keys().chain(stored.keys()).copied().collect();
    let others = drawn.into_iter().filter(|question| told.get(question) != stored.get(question));
    found.extend(others.map(|question| format!("the drawing of question {question} is another one")));
    found
}
