//! Notifies the rooms of sittings that a roster has changed: at once on the server that has changed it, and on the
//! others by a number that rises with each change. One query a second reads it for all rooms.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use actix::prelude::*;
use domain::room::RoomKey;
use tokio::sync::broadcast::error::RecvError;
use uuid::Uuid;

use super::Rooms;
use super::room::RoomEvent;
use crate::database::in_time;
use crate::store::sittings;

/// How long one read of the versions may take.
const READ_TIMEOUT: Duration = Duration::from_secs(4);

/// A sitting has changed; `None` if it is not known which one.
#[derive(Message)]
#[rtype(result = "()")]
struct SittingChanged(Option<Uuid>);

/// Somebody is on the roster of a room whose seat may have reported before: all seats are to report again.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct NewcomersFound(pub(super) RoomKey);

impl Rooms {
    pub(super) fn listen_to_sittings(&self, context: &mut Context<Self>) {
        let (mut changes, rooms) = (self.tools.sittings.changes.listen(), context.address());
        context.spawn(
            async move {
                loop {
                    let changed = match changes.recv().await {
                        Ok(sitting_id) => Some(sitting_id),
                        Err(RecvError::Lagged(_)) => None,
                        Err(RecvError::Closed) => return,
                    };
                    // A message that does not fit into the mailbox is made good by the version.
                    let _ = rooms.try_send(SittingChanged(changed));
                }
            }
            .into_actor(self),
        );
    }

    /// Reads the versions of the sittings whose rooms are open.
    pub(super) fn look_for_changed_sittings(&mut self, context: &mut Context<Self>) {
        let open: HashSet<Uuid> = self.rooms.keys().filter_map(|key| key.sitting_id()).collect();
        self.versions.retain(|sitting_id, _| open.contains(sitting_id));
        if open.is_empty() || std::mem::replace(&mut self.is_reading_versions, true) {
            return;
        }
        let tools = Arc::clone(&self.tools);
        let reading = async move { sittings::load_news(&tools.database, open.into_iter().collect()).await };
        let reading = in_time("the versions of sittings", READ_TIMEOUT, reading);
        context.spawn(reading.into_actor(self).map(|versions, actor, _| {
            actor.is_reading_versions = false;
            actor.note_versions(versions.unwrap_or_default());
        }));
    }

    fn note_versions(&mut self, versions: HashMap<Uuid, i64>) {
        for (sitting_id, version) in versions {
            if self.versions.insert(sitting_id, version) != Some(version) {
                self.tell_of_roster(Some(sitting_id), Some(version));
            }
        }
    }

    fn tell_of_roster(&mut self, sitting_id: Option<Uuid>, version: Option<i64>) {
        let is_of_it =
            |key: &RoomKey| key.sitting_id().is_some_and(|of| sitting_id.is_none_or(|sitting_id| sitting_id == of));
        for (_, local) in self.rooms.iter_mut().filter(|(key, _)| is_of_it(key)) {
            local.give(RoomEvent::RosterChanged { version });
        }
    }
}

impl Handler<SittingChanged> for Rooms {
    type Result = ();

    fn handle(&mut self, SittingChanged(sitting_id): SittingChanged, _: &mut Self::Context) {
        self.tell_of_roster(sitting_id, None);
    }
}

impl Handler<NewcomersFound> for Rooms {
    type Result = ();

    fn handle(&mut self, NewcomersFound(key): NewcomersFound, _: &mut Self::Context) {
        self.ask_seats(HashSet::from([key]), None, None);
        self.want_all();
    }
}
