//! Checks who a proctor is and what they may watch. Both checks are repeated for each frame but `view`, since roles and
//! grades change while a socket is open.

use std::sync::Arc;

use actix::prelude::*;
use bytestring::ByteString;
use domain::access::Identity;
use domain::room::RoomKey;
use domain::time::moment::Moment;
use serde_json::value::RawValue;
use uuid::Uuid;

use super::protocol::{HistorySubject, RoomChoice};
use super::rights::Oversight;
use super::{frames, rights};
use crate::auth::caller::Credential;
use crate::auth::cookie::SIGNED_IN_SECONDS;
use crate::live::Live;
use crate::live::moves;
use crate::live::proctor::history;
use crate::live::protocol::fault::{Code, Fault};
use crate::live::rooms::Watch;
use crate::live::rooms::room::{Manner, OnTheWay, RoomActor, RoomFrame, Watcher};

/// The room that a socket watches.
pub(in crate::live) struct Watched {
    pub(in crate::live) watch: u64,
    pub(in crate::live) key: RoomKey,
    pub(in crate::live) oversight: Oversight,
    pub(in crate::live) manner: Manner,
    pub(in crate::live) room: Addr<RoomActor>,
    pub(in crate::live) on_the_way: Arc<OnTheWay>,
}

/// Why a caller may not watch any more.
pub(in crate::live) enum Expelled {
    SignedOut,
    Forbidden(Fault),
    /// It cannot be found out at the moment.
    Unknown(Fault),
}

/// Identifies the caller, and checks that they may still watch. Returns what allows it now.
pub(in crate::live) async fn who(
    live: &Live,
    credential: Credential,
    watched: Option<(RoomKey, Oversight)>,
) -> Result<(Identity, Option<Oversight>), Expelled> {
    // A request with an expired sign-in is refused before it comes here, but a socket may stay open for longer than a
    // sign-in lasts.
    if let Credential::SignIn(_, at_ms, _) = &credential
        && live.services.clock.now().since(Moment::from_milliseconds(*at_ms)) >= SIGNED_IN_SECONDS * 1_000
    {
        return Err(Expelled::SignedOut);
    }
    let found = live.shared.neighbours.callers.who(credential).await.map_err(|error| {
        tracing::warn!(%error, "it cannot be asked who a proctor is");
        Expelled::Unknown(Fault::storage())
    });
    let identity = found?.ok_or(Expelled::SignedOut)?;
    let checked = match watched {
        None => rights::proctoring(live, &identity).await.map(|()| None),
        Some((_, Oversight::Grade(grade))) => {
            rights::watching(&identity, grade).map(|()| Some(Oversight::Grade(grade)))
        }
        Some((key, Oversight::Sitting { .. })) => rights::overseeing(live, &identity, key).await.map(Some),
    };
    match checked {
        Ok(oversight) => Ok((identity, oversight)),
        Err(fault) if fault.code == Code::StorageUnavailable => Err(Expelled::Unknown(fault)),
        Err(fault) => Err(Expelled::Forbidden(fault)),
    }
}

/// Joins a room, if the proctor may watch it.
pub(in crate::live) async fn enter(
    live: &Live,
    identity: &Identity,
    choice: &RoomChoice,
    (since, manner): (Option<u64>, Manner),
    watch: u64,
    frames: Recipient<RoomFrame>,
) -> Result<Watched, Fault> {
    let (key, oversight) = rights::in_time(rights::find_room(live, identity, choice)).await?;
    let on_the_way = Arc::new(OnTheWay::default());
    let watcher = Watcher { watch, manner, frames, on_the_way: Arc::clone(&on_the_way) };
    let entered = live.shared.rooms.send(Watch { key, since, watcher }).await;
    let too_many =
        || Fault::new(Code::RateLimited, "Too many watch this room at once: send this one again a little later");
    let room = entered.map_err(|_| Fault::internal())?.ok_or_else(too_many)?;
    Ok(Watched { watch, key, oversight, manner, room, on_the_way })
}

/// Returns what happened to a session or a candidate of the room, as a frame.
pub(in crate::live) async fn history(
    live: &Live,
    identity: &Identity,
    room: RoomKey,
    subject: HistorySubject,
    id: &RawValue,
) -> Result<ByteString, Fault> {
    let database = &live.services.database;
    let found = match subject {
        HistorySubject::Session(session_id) => history::find(database, session_id).await,
        HistorySubject::Candidate(candidate_id) => history::find_of_candidate(database, candidate_id).await,
    };
    let found = found.map_err(|error| {
        tracing::warn!(%error, "events cannot be read for a proctor");
        Fault::storage()
    });
    let history = found?.filter(|history| history.is_in(room)).ok_or_else(|| subject.unknown())?;
    history.admit(live, identity).await?;
    Ok(frames::history(id, &history.events))
}

/// Makes a code for a session of the room, as a frame.
pub(in crate::live) async fn new_code(
    live: &Live,
    identity: &Identity,
    room: RoomKey,
    session_id: Uuid,
    id: &RawValue,
) -> Result<ByteString, Fault> {
    rights::acting_in(live, identity, room, session_id).await?;
    let made = moves::make_code(live, session_id, &identity.email).await?;
    Ok(frames::code(id, session_id, &made))
}
