//! The entries of candidates into sittings, in the transaction of the journal.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use domain::time::moment::Moment;
use entities::{candidate, sitting};
use sea_orm::sea_query::LockType;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Value,
};
use uuid::Uuid;

use super::ROWS_PER_STATEMENT;
use super::writes::{Commit, NewAttempt, Write};
use crate::store::{former_rosters, many_rows};

/// Locks the sittings that these commits enter, so that they stay as they are until the transaction ends. Returns the
/// indexes of the commits that were decided by an earlier version: by then another roster, another beginning or another
/// paper may hold. So are those whose access code is void by now: a new one leaves the version as it was.
pub(super) async fn find_outdated(
    transaction: &DatabaseTransaction,
    commits: &[&Commit],
) -> Result<HashSet<usize>, DbErr> {
    let entered = |commit: &Commit| {
        commit.writes.iter().find_map(|write| match write {
            Write::Begin(begin) => begin.terms.sitting.zip(begin.entry.as_ref().map(|entry| entry.version)),
            _ => None,
        })
    };
    let ids: BTreeSet<Uuid> =
        commits.iter().filter_map(|commit| entered(commit)).map(|(place, _)| place.sitting_id).collect();
    if ids.is_empty() {
        return Ok(HashSet::new());
    }
    let query = sitting::Entity::find().select_only().columns([sitting::Column::Id, sitting::Column::Version]);
    let those = query.filter(sitting::Column::Id.is_in(ids)).order_by_asc(sitting::Column::Id);
    let versions: HashMap<Uuid, i64> =
        those.lock(LockType::Share).into_tuple::<(Uuid, i64)>().all(transaction).await?.into_iter().collect();
    let by_code: BTreeSet<Uuid> = commits.iter().filter_map(|commit| code_of(commit)).map(|(id, _)| id).collect();
    let codes = find_codes(transaction, by_code.into_iter().collect()).await?;
    let is_void = |commit: &Commit| {
        code_of(commit).is_some_and(|(candidate_id, hash)| codes.get(&candidate_id).is_none_or(|code| *code != hash))
    };
    let is_outdated = |commit: &Commit| {
        entered(commit).is_some_and(|(place, version)| versions.get(&place.sitting_id) != Some(&version))
            || is_void(commit)
    };
    let places = commits.iter().enumerate().filter(|(_, commit)| is_outdated(commit));
    Ok(places.map(|(place, _)| place).collect())
}

/// Who enters by an access code, and its hash.
fn code_of(commit: &Commit) -> Option<(Uuid, [u8; 32])> {
    commit.writes.iter().find_map(|write| match write {
        Write::Begin(begin) => Some((begin.terms.sitting?.candidate_id, begin.entry.as_ref()?.access_hash?)),
        _ => None,
    })
}

/// The hashes of the access codes of these candidates, of those who have one. Their sittings are locked.
async fn find_codes(transaction: &DatabaseTransaction, ids: Vec<Uuid>) -> Result<HashMap<Uuid, Vec<u8>>, DbErr> {
    use candidate::Column;
    let mut found = HashMap::new();
    for ids in ids.chunks(ROWS_PER_STATEMENT) {
        let query = candidate::Entity::find().select_only().columns([Column::Id, Column::AccessCodeHash]);
        let those = query.filter(Column::Id.is_in(ids.to_vec())).filter(Column::AccessCodeHash.is_not_null());
        found.extend(those.into_tuple::<(Uuid, Vec<u8>)>().all(transaction).await?);
    }
    Ok(found)
}

/// Notes on the roster who has entered, and with which attempt. From then on its last import cannot be taken back, and
/// what it was before is forgotten.
pub(super) async fn note(connection: &impl ConnectionTrait, begins: &[&NewAttempt]) -> Result<(), DbErr> {
    const SET: &str = "UPDATE candidates SET session_id = new.column2, entered_at_ms = new.column3";
    const ENTERED: &str = "candidates.id = new.column1 AND candidates.session_id IS NULL";
    let entries: BTreeMap<Uuid, (Uuid, Moment)> = begins
        .iter()
        .filter_map(|begin| {
            let (place, entry) = begin.terms.sitting.zip(begin.entry.as_ref())?;
            Some((place.candidate_id, (begin.terms.session_id, entry.entered_at)))
        })
        .collect();
    let entries: Vec<_> = entries.into_iter().collect();
    for entries in entries.chunks(ROWS_PER_STATEMENT) {
        let values = |(candidate_id, (session_id, entered_at)): &(Uuid, (Uuid, Moment))| -> [Value; 3] {
            [(*candidate_id).into(), (*session_id).into(), entered_at.milliseconds().into()]
        };
        many_rows::update(connection, SET, ENTERED, entries.iter().map(values)).await?;
    }
    let entered = begins.iter().filter(|begin| begin.entry.is_some()).filter_map(|begin| begin.terms.sitting);
    let sittings: BTreeSet<Uuid> = entered.map(|place| place.sitting_id).collect();
    if sittings.is_empty() { Ok(()) } else { former_rosters::forget_entered(connection, sittings).await }
}
