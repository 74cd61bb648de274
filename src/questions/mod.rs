//! The question bank: `GET /api/questions` (`assessment.md` 4.1).

pub mod bank;
pub mod sample;
pub mod seed;

use actix_web::http::header::{AcceptEncoding, CACHE_CONTROL, CONTENT_ENCODING, ETAG, Encoding, IF_NONE_MATCH, VARY};
use actix_web::web::{Bytes, Data, Header, Query};
use actix_web::{HttpRequest, HttpResponse, get};
use serde::Deserialize;

use crate::auth::caller::Anyone;
use crate::config::Config;
use crate::domain::grade::Grade;
use crate::domain::question::Question;
use crate::error::{Error, ErrorBody};
use bank::{Banks, Body};

/// For a grade outside 1 to 10.
pub const INVALID_GRADE: &str = "Invalid grade — must be 1–10";

#[derive(Deserialize)]
struct OfGrade {
    grade: Option<String>,
}

/// The whole bank of a grade.
///
/// Answers 304 to a client that has it, and is sent in brotli or gzip to one that accepts it. With
/// `PUBLIC_ANSWERS=false` only staff get `answer` and `explanation`.
#[utoipa::path(
    tag = "students",
    params(("grade" = u8, Query, description = "1 to 10", minimum = 1, maximum = 10)),
    responses(
        (status = 200, description = "All questions of the grade", body = Vec<Question>),
        (status = 304, description = "The bank is the one that `If-None-Match` names"),
        (status = 400, description = "The grade is not 1 to 10", body = ErrorBody),
    )
)]
#[get("/api/questions")]
pub async fn questions(
    request: HttpRequest,
    query: Query<OfGrade>,
    accepted: Option<Header<AcceptEncoding>>,
    caller: Anyone,
    banks: Data<Banks>,
    config: Data<Config>,
) -> Result<HttpResponse, Error> {
    let grade = query.grade.as_deref().and_then(Grade::parse).ok_or_else(|| Error::Invalid(INVALID_GRADE.to_owned()))?;
    let bank = banks.of(grade).await?;
    let body = match &bank.delivered {
        Some(delivered) if !caller.is_staff() => delivered,
        _ => &bank.full,
    };
    Ok(respond(&request, body, accepted, config.access.public_answers))
}

fn respond(request: &HttpRequest, body: &Body, accepted: Option<Header<AcceptEncoding>>, is_public: bool) -> HttpResponse {
    let (encoding, bytes) = choose(body, accepted);
    let tag = format!("\"{}-{encoding}\"", body.tag);
    let known = request.headers().get_all(IF_NONE_MATCH).filter_map(|value| value.to_str().ok()).flat_map(|list| list.split(','));
    let is_known = known.map(|tag| tag.trim().trim_start_matches("W/")).any(|candidate| candidate == tag || candidate == "*");
    let mut response = if is_known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response
        .insert_header((ETAG, tag))
        .insert_header((VARY, if is_public { "Accept-Encoding" } else { "Accept-Encoding, Authorization, Cookie" }))
        .insert_header((CACHE_CONTROL, if is_public { "no-cache" } else { "private, no-cache" }));
    if is_known {
        return response.finish();
    }
    if encoding != "identity" {
        response.insert_header((CONTENT_ENCODING, encoding));
    }
    response.content_type("application/json").body(bytes)
}

fn choose(body: &Body, accepted: Option<Header<AcceptEncoding>>) -> (&'static str, Bytes) {
    let offered = [Encoding::brotli(), Encoding::gzip(), Encoding::identity()];
    let chosen = accepted.and_then(|Header(accepted)| accepted.negotiate(offered.iter()));
    match chosen {
        Some(encoding) if encoding == Encoding::brotli() => ("br", body.brotli.clone()),
        Some(encoding) if encoding == Encoding::gzip() => ("gzip", body.gzip.clone()),
        _ => ("identity", body.plain.clone()),
    }
}
