//! Tests without a sitting that begin while their grade or their template is paused, in the transaction of the journal.

use std::collections::{BTreeSet, HashMap};

use domain::order::hall::{HallStanding, HallTime};
use domain::order::standing::PauseScope;
use domain::room::RoomKey;
use domain::time::moment::Moment;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};
use uuid::Uuid;

use super::writes::{Commit, NewAttempt, Write};
use crate::store::{seats, standings};

/// The pauses that new attempts meet, by session.
pub(super) struct MetPauses(HashMap<Uuid, HallTime>);

/// The new attempts among these writes.
pub(super) fn new_attempts<'a>(writes: &'a [&Write]) -> impl Iterator<Item = &'a NewAttempt> {
    writes.iter().filter_map(|write| if let Write::Begin(begin) = write { Some(&**begin) } else { None })
}

/// Finds the pauses of grades and templates that new attempts meet. Until the transaction ends, nobody changes them.
pub(super) async fn find_pauses(
    transaction: &DatabaseTransaction,
    commits: &[&Commit],
    now: Moment,
) -> Result<MetPauses, DbErr> {
    let writes: Vec<&Write> = commits.iter().flat_map(|commit| &commit.writes).collect();
    // Those who enter a sitting meet its own pauses, and theirs are known.
    let begins = || new_attempts(&writes).filter(|begin| begin.entry.is_none());
    let rooms: BTreeSet<String> = begins().flat_map(rooms_of).map(|(_, room)| room.name()).collect();
    if rooms.is_empty() {
        return Ok(MetPauses(HashMap::new()));
    }
    let found = standings::of_beginning(transaction, rooms, now).await?;
    let met = |begin: &NewAttempt| {
        let standings: Vec<(PauseScope, &HallStanding)> =
            rooms_of(begin).filter_map(|(scope, room)| Some((scope, found.get(&room.name())?))).collect();
        let time = HallTime::of(standings);
        time.paused_at().map(|_| (begin.terms.session_id, time))
    };
    Ok(MetPauses(begins().filter_map(met).collect()))
}

fn rooms_of(begin: &NewAttempt) -> impl Iterator<Item = (PauseScope, RoomKey)> {
    let of_template = begin.terms.template_id.map(|id| (PauseScope::Template, RoomKey::Template(id)));
    [(PauseScope::Grade, RoomKey::Grade(begin.terms.grade))].into_iter().chain(of_template)
}

impl MetPauses {
    /// The pause that an attempt meets.
    pub(super) fn of(&self, begin: &NewAttempt) -> Option<&HallTime> {
        self.0.get(&begin.terms.session_id)
    }

    /// Has the seats of those who meet one read their times, since they do not know of it.
    pub(super) async fn tell_seats(
        &self,
        connection: &impl ConnectionTrait,
        begins: &[&NewAttempt],
    ) -> Result<(), DbErr> {
        let met: Vec<Uuid> =
            begins.iter().filter(|begin| self.of(begin).is_some()).map(|begin| begin.terms.session_id).collect();
        if met.is_empty() { Ok(()) } else { seats::raise_orders(connection, met).await }
    }
}
