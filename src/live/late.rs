//! Work that came after the end of a test, for those who may give orders: what came, what the server knows of the
//! connection, and what accepting it would change. Its parts decide about it, and take it from files
//! (`docs/decisions/0072-late-work.md`).

pub mod decision;
pub mod files;
pub mod keys;
mod receipt;
pub mod sealed_file;
mod view;

use actix_web::web::{Data, Path};
use actix_web::{Error as ActixError, HttpRequest, HttpResponse, get};
use domain::access::Identity;
use domain::attempt::{Attempt, KeptOut, MergedWork};
use domain::correction::TestPlace;
use domain::session::Session;
use domain::sight::{Reader, Sight};
use domain::time::moment::Moment;
use uuid::Uuid;

use super::Live;
use super::error::{LiveError, LiveErrorBody};
use super::proctor::caller::Proctoring;
use super::proctor::rights;
use super::protocol::fault::{Code, Fault};
use super::store::late_decisions::{AttemptEnd, LateState, StoredLateCommand};
use super::store::{self, SessionPlace, late_decisions};
use crate::error::Error;
use crate::http::after::After;
use crate::http::answers::private;
use crate::sessions::read::{SightServices, is_early, note_early, parse_id, reader};
use crate::store::late_rows::find_late_rows;
use crate::store::{corrections, releases};
pub use files::LateFiles;
use view::LateWorkView;

/// A finished test with what came too late for it.
struct LateTest {
    attempt: Attempt,
    session: Session,
    end: AttemptEnd,
    /// When the results of its sitting were released.
    released_at: Option<Moment>,
    commands: Vec<StoredLateCommand>,
}

impl LateTest {
    /// The test with these of the commands.
    fn with(&self, is_in: impl Fn(&StoredLateCommand) -> bool) -> MergedWork {
        let commands = self.commands.iter().filter(|one| is_in(one)).map(|one| &one.command);
        self.attempt.with_late_work(commands, self.end.has_reached_second_stage)
    }

    /// For each command, why it can't count.
    fn kept_out(&self) -> Vec<Option<KeptOut>> {
        self.with(|_| true).kept_out
    }

    /// The test as it is now.
    fn now(&self) -> MergedWork {
        self.with(|one| one.state == LateState::Accepted)
    }
}

/// Returns the work that came after the end of a live exam, and what accepting all of it would change.
///
/// `at` of a command is the client's claim. The score is for those who may see the keys of the test.
#[utoipa::path(
    operation_id = "readLateWork",
    tag = "live",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Session id")),
    responses(
        (status = 200, description = "What came late", body = LateWorkView),
        (status = 401, description = "Not signed in", body = LiveErrorBody),
        (status = 403, description = "Neither assigned to this grade nor a proctor of this room", body = LiveErrorBody),
        (status = 404, description = "Unknown session", body = LiveErrorBody),
        (status = 409, description = "`not_submitted`: the test goes on", body = LiveErrorBody),
    )
)]
#[get("/api/live/sessions/{id}/late")]
pub async fn read(
    request: HttpRequest,
    asked: Result<After<Proctoring, Path<String>>, ActixError>,
    live: Data<Live>,
    (callers, config, embargo): SightServices,
) -> Result<HttpResponse, LiveError> {
    let After(Proctoring(identity), id) = asked?;
    let (session_id, _) = own_session(&live, &identity, &id).await?;
    let reader = reader(&request, &callers, &config).await;
    let test = find(&live, session_id).await?.ok_or_else(not_ended)?;
    let sight = embargo.sight(&test.session, reader).await?;
    if sight.shows_keys() && is_early(&test.session, reader, &embargo).await {
        note_early(&request, &callers).await;
    }
    let rows = find_late_rows(&live.services.database.read, &[session_id]).await.map_err(Error::from)?;
    let events = store::find_events(&live.services.database, session_id).await.map_err(Error::from)?;
    let places = [TestPlace::of(&test.session)];
    let corrections = corrections::find_of(&live.services.database.read, &places).await.map_err(Error::from)?;
    let view = LateWorkView::of(&test, rows.get(&session_id).copied(), &events, &corrections, sight);
    Ok(private(&mut HttpResponse::Ok()).json(view))
}

/// The session with this id, on which the caller must be allowed to act, and where it belongs.
async fn own_session(live: &Live, identity: &Identity, id: &str) -> Result<(Uuid, SessionPlace), LiveError> {
    let session_id = parse_id(id)?;
    let asking = async {
        let place = rights::find_place_of(live, session_id).await?.ok_or_else(Fault::unknown_session)?;
        rights::acting_on(live, identity, &place).await.map(|_| place)
    };
    Ok((session_id, rights::in_time(asking).await?))
}

/// The test with its late work; `None` while it goes on.
async fn find(live: &Live, session_id: Uuid) -> Result<Option<LateTest>, Error> {
    let database = &live.services.database;
    let Some(end) = late_decisions::find_end(&database.read, session_id).await? else { return Ok(None) };
    let commands = late_decisions::find_late_commands(&database.read, session_id).await?;
    let stored = store::find(database, session_id, live.services.clock.now()).await?;
    let Some((attempt, session)) = stored.and_then(|stored| Some((stored.attempt, stored.session?))) else {
        return Ok(None);
    };
    let released_at = match session.sitting_id {
        Some(sitting_id) => releases::find_release(&database.read, sitting_id).await?,
        None => None,
    };
    Ok(Some(LateTest { attempt, session, end, released_at, commands }))
}

fn not_ended() -> Fault {
    Fault::new(Code::NotSubmitted, "The test goes on: decide when it has ended")
}

/// What a reader may see of a test, for a handler that has no other use for the embargo.
async fn sight_of(live: &Live, session: &Session, reader: Reader) -> Result<Sight, Error> {
    live.shared.base.embargo.sight(session, reader).await
}
