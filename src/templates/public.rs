//! `GET /api/test-templates/{id}`: the template behind a share link, open to everyone who has the link.

use actix_web::http::header::AcceptEncoding;
use actix_web::web::{Data, Header, Path};
use actix_web::{HttpRequest, HttpResponse, get};
use domain::question::Question;

use super::view::RunnerTemplate;
use super::{NOT_OPEN, Templates, known};
use crate::auth::caller::Callers;
use crate::error::{Error, ErrorBody};

/// A template with its locked questions, for the runner.
///
/// Answers 304 to a client that has the current version, and is sent in brotli or gzip to a client that accepts it.
/// With `PUBLIC_ANSWERS=false` only staff get `answer` and `explanation`. While every published event of the calendar
/// with this template lies ahead, only staff get it.
#[utoipa::path(
    operation_id = "readSharedTemplate",
    tag = "students",
    security((), ("api_token" = [])),
    params(("id" = String, Path, description = "Template id")),
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
    accepted: Option<Header<AcceptEncoding>>,
    callers: Data<Callers>,
    templates: Data<Templates>,
) -> Result<HttpResponse, Error> {
    templates.here()?;
    let id = known(&id)?;
    let (ready, is_closed) = tokio::join!(templates.ready_or_at_hand(id), templates.is_closed(id));
    let ready = ready?;
    if is_closed? && !callers.is_staff(request.headers()).await? {
        return Err(Error::Forbidden(NOT_OPEN));
    }
    ready.questions.respond(&request, accepted, &callers).await
}
