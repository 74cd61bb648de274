//! The part of a room that reads from the database: sessions that no seat reports, so that nothing is missing for long.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix::prelude::*;
use domain::room::row::VersionedRow;
use uuid::Uuid;

use super::{OutageView, RoomActor, SHOWN_SUBMITTED_MILLISECONDS};
use crate::database::in_time;
use crate::error::Error;
use crate::live::store::{self, ListedSession};
use crate::sittings::standing::StandingView;
use crate::store::outages::{self, Outage};
use crate::store::standings;

/// How often the room reads from the database who is absent.
const READ_EVERY: Duration = Duration::from_secs(10);
/// How often the room tries again while it cannot show the list of absentees yet.
const READ_AGAIN: Duration = Duration::from_secs(1);
/// How long an outage is shown to proctors after its end.
const OUTAGE_SHOWN_MILLISECONDS: i64 = 30 * 60 * 1_000;
/// How long one read of the absentees may take.
const READ_TIMEOUT: Duration = Duration::from_secs(8);

impl RoomActor {
    pub(super) fn read_when_due(&mut self, context: &mut Context<Self>) {
        let wait = if self.is_ready { READ_EVERY } else { READ_AGAIN };
        if self.read_at.elapsed() >= wait {
            self.read(context);
        }
    }

    /// Reads which sessions are in the room, and then the rows of those that no seat reports. Waits until all seats
    /// have had time to report, so that few rows have to be read.
    pub(super) fn read(&mut self, context: &mut Context<Self>) {
        if !self.awaited.is_empty() {
            self.is_stale = true;
            return;
        }
        if std::mem::replace(&mut self.is_reading, true) {
            self.is_stale = true;
            return;
        }
        (self.is_stale, self.read_at) = (false, Instant::now());
        match self.roster_to_read() {
            Some(reading) => self.read_roster(reading, context),
            None => self.read_listed(context),
        }
    }

    pub(super) fn read_listed(&mut self, context: &mut Context<Self>) {
        let (tools, key, as_of) = (Arc::clone(&self.tools), self.key, self.room.seq());
        let ended_after = self.now().plus(-SHOWN_SUBMITTED_MILLISECONDS);
        let now = self.now();
        let listing = async move {
            let connection = &tools.database.read;
            let standing = match key.sitting_id() {
                Some(_) => None,
                None => Some(StandingView::of(&standings::find(connection, key, now).await?)),
            };
            let outages = outages::load_since(connection, now.plus(-OUTAGE_SHOWN_MILLISECONDS)).await?;
            Ok::<_, Error>((store::find_listed(&tools.database, key, ended_after).await?, standing, outages))
        };
        let listing = in_time("which sessions a room has", READ_TIMEOUT, listing);
        context.spawn(listing.into_actor(self).map(move |listed, actor, context| match listed {
            Some((listed, standing, outages)) => {
                actor.take_state(standing, outages, context);
                actor.read_rows(listed, as_of, context);
            }
            None => actor.end_reading(context),
        }));
    }

    /// Takes the standing of a grade or a template, and the outages.
    fn take_state(&mut self, standing: Option<StandingView>, outages: Vec<Outage>, context: &mut Context<Self>) {
        let is_other = self.state.change(|state| {
            state.standing = standing.unwrap_or_else(|| state.standing.clone());
            state.outages = outages.into_iter().map(OutageView::from).collect();
        });
        if is_other {
            self.tell(true, context);
        }
    }

    fn read_rows(&mut self, listed: Vec<ListedSession>, as_of: u64, context: &mut Context<Self>) {
        let all: HashSet<Uuid> = listed.iter().map(|one| one.session_id).collect();
        self.known.retain(|session_id, _| all.contains(session_id));
        let is_wanted = |one: &ListedSession| {
            let id = one.id_in(self.key);
            let is_known = self.known.get(&one.session_id) == Some(one) && !self.room.is_doubted(id);
            let is_late = one.late_mark.is_some() && self.known.get(&one.session_id) != Some(one);
            (self.room.wants(id, one.fence(), one.ended_at_ms.is_some()) && !is_known) || is_late
        };
        let wanted: Vec<ListedSession> = listed.into_iter().filter(is_wanted).collect();
        let ids: Vec<Uuid> = wanted.iter().map(|one| one.session_id).collect();
        let tools = Arc::clone(&self.tools);
        let reading = async move { store::find_rows(&tools.database, &ids).await };
        let reading = in_time("the rows of a room", READ_TIMEOUT, reading);
        context.spawn(reading.into_actor(self).map(move |rows, actor, context| {
            if let Some(rows) = rows {
                actor.take_stored(wanted, rows, as_of);
                actor.show(context);
            }
            actor.end_reading(context);
        }));
    }

    fn take_stored(&mut self, wanted: Vec<ListedSession>, rows: Vec<VersionedRow>, as_of: u64) {
        self.known.extend(wanted.into_iter().map(|one| (one.session_id, one)));
        let shown_after = self.now().plus(-SHOWN_SUBMITTED_MILLISECONDS);
        let is_of_sitting = self.key.sitting_id().is_some();
        let is_new = |row: &VersionedRow| is_of_sitting || row.ended_at.is_none_or(|ended_at| ended_at > shown_after);
        for row in rows.into_iter().filter(is_new) {
            let Some(session_id) = row.row.session_id else { continue };
            if !self.is_shown(&row) {
                // The next read finds whether its time counts by then.
                self.known.remove(&session_id);
                continue;
            }
            let id = row.row.candidate_id.filter(|_| is_of_sitting).unwrap_or(session_id);
            if self.room.has_changed_since(id, as_of) {
                // The row that was reported meanwhile may be newer than this one; the next read decides.
                self.known.remove(&session_id);
            }
            self.room.put_stored(row, as_of);
        }
    }

    pub(super) fn end_reading(&mut self, context: &mut Context<Self>) {
        self.is_reading = false;
        if self.is_stale {
            self.read(context);
        }
    }
}
