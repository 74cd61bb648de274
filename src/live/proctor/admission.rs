//! Who a proctor is and what they may watch. Both are checked again for each frame, since roles and grades change while
//! a socket is open.

use std::sync::Arc;

use actix::prelude::*;
use bytestring::ByteString;
use domain::access::Identity;
use domain::grade::Grade;
use domain::room::RoomKey;
use domain::time::moment::Moment;
use serde_json::value::RawValue;
use uuid::Uuid;

use super::{frames, protocol, rights};
use crate::auth::caller::Credential;
use crate::auth::cookie::SIGNED_IN_SECONDS;
use crate::live::Live;
use crate::live::moves;
use crate::live::proctor::history;
use crate::live::protocol::fault::{Code, Fault};
use crate::live::rooms::Watch;
use crate::live::rooms::room::{OnTheWay, RoomActor, RoomFrame, Watcher};

/// The room that a socket watches.
pub(in crate::live) struct Watched {
    pub(in crate::live) watch: u64,
    pub(in crate::live) key: RoomKey,
    pub(in crate::live) grade: Grade,
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

/// Identifies the caller, and checks that they may still watch.
pub(in crate::live) async fn who(
    live: &Live,
    credential: Credential,
    watched: Option<Grade>,
) -> Result<Identity, Expelled> {
    // A request with an expired sign-in is refused before it comes here, but a socket may stay open for longer than a
    // sign-in lasts.
    if let Credential::SignIn(_, at_ms, _) = &credential
        && live.services.clock.now().since(Moment::from_milliseconds(*at_ms)) >= SIGNED_IN_SECONDS * 1_000
    {
        return Err(Expelled::SignedOut);
    }
    let found = live.callers.who(credential).await.map_err(|error| {
        tracing::warn!(%error, "it cannot be asked who a proctor is");
        Expelled::Unknown(Fault::storage())
    });
    let identity = found?.ok_or(Expelled::SignedOut)?;
    rights::proctoring(&identity).map_err(Expelled::Forbidden)?;
    if let Some(grade) = watched {
        rights::watching(&identity, grade).map_err(Expelled::Forbidden)?;
    }
    Ok(identity)
}

/// Joins a room, if the proctor may watch it.
pub(in crate::live) async fn enter(
    live: &Live,
    identity: &Identity,
    key: RoomKey,
    since: Option<u64>,
    watch: u64,
    frames: Recipient<RoomFrame>,
) -> Result<Watched, Fault> {
    let grade = rights::grade_of(live, key).await?;
    rights::watching(identity, grade)?;
    let on_the_way = Arc::new(OnTheWay::default());
    let watcher = Watcher { watch, frames, on_the_way: Arc::clone(&on_the_way) };
    let entered = live.rooms.send(Watch { key, since, watcher }).await;
    let too_many =
        || Fault::new(Code::RateLimited, "Too many watch this room at once: send this one again a little later");
    let room = entered.map_err(|_| Fault::internal())?.ok_or_else(too_many)?;
    Ok(Watched { watch, key, grade, room, on_the_way })
}

/// Returns what happened to a session of the room, as a frame.
pub(in crate::live) async fn history(
    live: &Live,
    identity: &Identity,
    room: RoomKey,
    session_id: Uuid,
    id: &RawValue,
) -> Result<ByteString, Fault> {
    let found = history::find(&live.services.database, session_id).await.map_err(|error| {
        tracing::warn!(%error, "events cannot be read for a proctor");
        Fault::storage()
    });
    let history = found?.filter(|history| history.is_of(room)).ok_or_else(protocol::unknown_session)?;
    rights::watching_session(live, identity, room, session_id).await?;
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
    let (grade, template_id) = rights::find_room_of(live, session_id).await?.ok_or_else(protocol::unknown_session)?;
    let is_of_room = match room {
        RoomKey::Grade(of) => of == grade,
        RoomKey::Template(of) => template_id == Some(of),
    };
    if !is_of_room {
        return Err(protocol::unknown_session());
    }
    rights::watching(identity, grade)?;
    let made = moves::make_code(live, session_id, &identity.email).await?;
    Ok(frames::code(id, session_id, &made))
}
