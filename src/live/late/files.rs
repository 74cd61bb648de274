//! Takes files with late work, which a student's page has saved without a network and staff hand in.

use std::sync::Arc;

use actix_web::web::{Data, Query, block};
use actix_web::{Error as ActixError, HttpResponse, post};
use domain::attempt::{Attempt, LateCommand, Stamp};
use domain::time::moment::Moment;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use super::sealed_file::SealedFile;
use super::{not_ended, own_session};
use crate::database::bound_lock_waits;
use crate::error::Error;
use crate::http::after::After;
use crate::http::answers::private;
use crate::http::body::Body;
use crate::http::limits::{AddressLimit, Counted, CountedCaller};
use crate::live::Live;
use crate::live::error::{LiveError, LiveErrorBody};
use crate::live::proctor::caller::Proctoring;
use crate::live::protocol::fault::{Code, Fault};
use crate::live::protocol::read;
use crate::live::protocol::student_frame::Action;
use crate::live::store::late::{self, ArrivedCommand, LateKeeping};
use crate::live::store::{late_decisions, late_files};

/// Bytes of a file: what is kept of a test, in base64 and encrypted, with room to spare.
const FILE_BYTES_MAX: usize = 1_024 * 1_024;
/// Files that one person may hand in per second, sustained, and at once: those of a whole room.
const FILES_PER_SECOND: u32 = 1;
const FILES_AT_ONCE: u32 = 60;

/// Counts who hands in how many files: each costs a core some milliseconds, and every try tells whether it was whole.
pub struct LateFiles(AddressLimit);

impl Default for LateFiles {
    fn default() -> Self {
        Self(AddressLimit::new(Some((FILES_PER_SECOND, FILES_AT_ONCE))))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct HandInQuery {
    session_id: Option<String>,
}

/// A file that was taken.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TakenLateFile {
    session_id: Uuid,
    /// Commands in the file.
    commands: usize,
    /// How many of them the server did not have as late work before.
    added: usize,
}

/// Takes a file with late work. It becomes late work of its session, about which staff then decide.
///
/// The body is the file, as the student's page has saved it.
#[utoipa::path(
    operation_id = "handInLateFile",
    tag = "live",
    security(("api_token" = [])),
    params(("sessionId" = Option<String>, Query, description = "The session for which it is handed in: a file of another one is refused")),
    request_body(content = String, content_type = "application/json", description = "The file"),
    responses(
        (status = 200, description = "Taken", body = TakenLateFile),
        (status = 400, description = "`file_altered`", body = LiveErrorBody),
        (status = 401, description = "Not signed in", body = LiveErrorBody),
        (status = 403, description = "Neither assigned to this grade nor a proctor of this room", body = LiveErrorBody),
        (status = 404, description = "Unknown session", body = LiveErrorBody),
        (status = 409, description = "`file_of_other_session`, `file_of_other_server`, `file_known`, or `not_submitted`", body = LiveErrorBody),
        (status = 413, description = "`too_large`: over 1 MiB, or more than is kept of one test", body = LiveErrorBody),
        (status = 429, description = "Too many files", body = LiveErrorBody),
        (status = 503, description = "Not now", body = LiveErrorBody),
    )
)]
#[post("/api/live/late-files")]
pub async fn hand_in(
    asked: Result<After<Proctoring, (Query<HandInQuery>, Body<FILE_BYTES_MAX>)>, ActixError>,
    live: Data<Live>,
) -> Result<HttpResponse, LiveError> {
    let After(Proctoring(identity), (query, Body(body))) = asked?;
    let who = CountedCaller::Account(identity.email.clone());
    live.shared.late_files.0.count(Counted::Junk, Some(&who))?;
    let file = SealedFile::read(&body)?;
    if query.session_id.as_ref().is_some_and(|id| id.parse::<Uuid>().ok() != Some(file.session_id)) {
        return Err(Fault::new(Code::FileOfOtherSession, "The file is of another test").into());
    }
    // Only who may order for this session has anything decrypted.
    let (session_id, place) = own_session(&live, &identity, &file.session_id.to_string()).await?;
    let taken = take(live.clone(), &identity.email, session_id, file).await??;
    if let Some(sitting_id) = place.sitting_id {
        live.shared.neighbours.sittings.changes.tell_proctors(sitting_id);
    }
    Ok(private(&mut HttpResponse::Ok()).json(taken))
}

async fn take(
    live: Data<Live>,
    by: &str,
    session_id: Uuid,
    file: SealedFile,
) -> Result<Result<TakenLateFile, Fault>, Error> {
    let (database, now) = (&live.services.database, live.services.clock.now());
    let tokens = late_files::find_device_tokens(&database.read, session_id).await?.unwrap_or_default();
    let digest = file.digest();
    if late_files::is_handed_in(&database.read, &digest).await? {
        return Ok(Err(known()));
    }
    let keys = Arc::clone(&live.services.late_keys);
    let opened = block(move || file.open(&keys, &tokens)).await.map_err(Error::internal)?;
    let commands = match opened {
        Ok(commands) => commands,
        Err(fault) => return Ok(Err(fault)),
    };
    let Some(test) = super::find(&live, session_id).await? else { return Ok(Err(not_ended())) };
    let arrived: Vec<ArrivedCommand> = commands
        .iter()
        .zip(1..)
        .filter_map(|(raw, place)| arrived(&test.attempt, raw, place, now))
        // What the server had in time is not late.
        .filter(|one| !test.attempt.has_set(&one.command))
        .collect();
    let transaction = database.begin().await?;
    bound_lock_waits(&transaction).await?;
    let end = late_decisions::find_end(&transaction, session_id).await?.and_then(|end| end.ended_at);
    let Some(ended_at) = end.filter(|_| end == test.end.ended_at) else { return Ok(Err(not_ended())) };
    let keeping = LateKeeping { session_id, ended_at, now, from_file: true };
    let kept = late::keep_in(&transaction, keeping, &arrived).await?;
    if kept.kept.iter().any(|is_kept| !is_kept) {
        return Ok(Err(Fault::new(Code::TooLarge, "The file has more than can be kept of one test")));
    }
    if !late_files::note_file(&transaction, &digest, session_id, by, now).await? {
        return Ok(Err(known()));
    }
    let detail = format!("{} changes", kept.new);
    late_decisions::note(&transaction, session_id, now, "late_file", by, detail).await?;
    transaction.commit().await?;
    Ok(Ok(TakenLateFile { session_id, commands: commands.len(), added: kept.new }))
}

fn known() -> Fault {
    Fault::new(Code::FileKnown, "The file has been handed in before")
}

/// A command of a file: one that could not be read is kept as it is, so that nobody has to guess what is missing. Those
/// that end a part or the test say nothing about the work.
fn arrived(attempt: &Attempt, raw: &RawValue, place: u64, now: Moment) -> Option<ArrivedCommand> {
    let Ok(command) = read::parse_command(raw.get()) else {
        return Some(ArrivedCommand::unreadable(raw.get(), Stamp::without_line(place), now));
    };
    let Action::Change { question_id, change, drawing } = command.action else { return None };
    let stamp = Stamp { line: command.line, seq: command.seq };
    let late = LateCommand { question_id, change: Some(change), stamp, at: command.at, received_at: now };
    Some(ArrivedCommand::of(attempt, late, drawing))
}
