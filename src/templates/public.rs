//! `GET /api/test-templates/{id}`: the template behind a share link, open to everyone who has the link.

use actix_web::http::header::AcceptEncoding;
use actix_web::web::{Data, Header, Path, Query};
use actix_web::{HttpRequest, HttpResponse, get};
use domain::question::Question;
use serde::Deserialize;

use super::ready::Ready;
use super::view::RunnerTemplate;
use super::{NOT_OPEN, Templates, known};
use crate::auth::caller::{Callers, bearer};
use crate::error::{Error, ErrorBody};
use crate::http::answers::private;
use crate::http::audit;
use crate::questions::delivered::may_see_all;
use crate::store::attempts::RunningAttempt;

/// The attempt for which the template is read.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReadingAttempt {
    session_id: Option<String>,
}

/// A template with its locked questions, for the runner.
///
/// Answers 304 to a client that has the current version, and is sent in brotli or gzip to a client that accepts it.
/// With `PUBLIC_ANSWERS=false` only staff of its grades get `answer` and `explanation`. While every published event
/// of the calendar with this template lies ahead, only staff of its grades get it, and whoever has a running attempt at
/// it: with `sessionId` and the attempt's token. While a sitting that has not been released names it, or has any of its
/// questions, only staff of its grades get it, and whoever has such an attempt with all of its questions outside of a
/// sitting; so it stays for good if it has `secure` questions. Where forms have questions of their own, whoever has
/// such an attempt gets those of its form alone, as `standardQuestions`. While its `access` restricts it (it is for
/// certain people, has a code, or may not be begun now), only staff of its grades and whoever has a running attempt get
/// the lists; everyone else is told how long they are, and what their account may do.
#[utoipa::path(
    operation_id = "readSharedTemplate",
    tag = "students",
    security((), ("api_token" = []), ("session_token" = [])),
    params(
        ("id" = String, Path, description = "Template id"),
        ("sessionId" = Option<String>, Query, description = "The attempt whose token is sent"),
    ),
    responses(
        (status = 200, description = "The template", body = RunnerTemplate<'static, Question>),
        (status = 304, description = "The template is the one that `If-None-Match` names"),
        (status = 403, description = "`The exam has not opened yet`", body = ErrorBody),
        (status = 404, description = "Unknown template", body = ErrorBody),
        (status = 501, description = "`Test templates need the local data provider`", body = ErrorBody),
    )
)]
#[get("/api/test-templates/{id}")]
pub async fn template(
    request: HttpRequest,
    id: Path<String>,
    attempt: Query<ReadingAttempt>,
    accepted: Option<Header<AcceptEncoding>>,
    callers: Data<Callers>,
    templates: Data<Templates>,
) -> Result<HttpResponse, Error> {
    templates.here()?;
    let id = known(&id)?;
    let (ready, is_closed) = tokio::join!(templates.ready_or_at_hand(id), templates.is_closed(id));
    let ready = ready?;
    let is_withheld = templates.is_withheld(&ready).await?;
    let is_open = !is_withheld && !is_closed?;
    let is_restricted = templates.restricts(&ready);
    // While everyone may read the same, nobody's attempt is looked for.
    let running = if is_open && !is_restricted && !ready.has_own_forms() {
        None
    } else {
        match find_running(&request, &ready, attempt.session_id.as_deref(), &templates).await {
            Err(_) if is_open && !is_restricted => None,
            found => found?,
        }
    };
    if let Some(running) = &running
        && let Some(own) = ready.own_form(running.form())
        && running.has_all(&own.question_ids)
    {
        return own.questions.respond(&request, accepted, &callers).await;
    }
    // The template may have been drawn anew since, so that more of it is withheld than the attempt has.
    let sits = running.is_some_and(|running| !is_withheld || running.has_all(&ready.question_ids));
    if (!is_open || is_restricted) && !sits {
        let caller = callers.identify(request.headers()).await?;
        match caller.as_ref().filter(|caller| may_see_all(caller, &ready.grades)) {
            // Who reads by this what is withheld from others is put on record.
            Some(staff) => audit::note_caller(&request, staff),
            None if !is_open => return Err(Error::Forbidden(NOT_OPEN)),
            None => {
                let own = templates.own_access(&ready, caller.as_ref()).await?;
                return Ok(private(&mut HttpResponse::Ok()).json(RunnerTemplate::withheld(&ready, own)));
            }
        }
    }
    ready.questions.respond(&request, accepted, &callers).await
}

/// The running attempt at the template whose token the caller has.
async fn find_running(
    request: &HttpRequest,
    ready: &Ready,
    session_id: Option<&str>,
    templates: &Templates,
) -> Result<Option<RunningAttempt>, Error> {
    match (session_id.and_then(|text| text.parse().ok()), bearer(request.headers())) {
        (Some(session_id), Some(token)) => templates.find_running(ready.id, session_id, token).await,
        _ => Ok(None),
    }
}
