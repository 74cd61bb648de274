//! The receipt of a running exam over HTTPS, for those whose network breaks sockets.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse, get};
use serde::Deserialize;

use super::error::{LiveError, LiveErrorBody};
use super::https::{NOT_SAVED, json, refuse_while_stopping, within};
use super::messages::ForwardedRequest;
use super::protocol::fault::{Code, Fault};
use super::seat::RECEIPT_EVERY_MILLISECONDS;
use super::seats::forward;
use super::shapes::server::ReceiptShape;
use super::{Live, counted};
use crate::auth::caller::bearer;
use crate::auth::token;
use crate::error::Error;
use crate::http::limits::CountedCaller;
use crate::sessions::read::parse_id;

/// The refusals of a seat, which come as frames, since another server may have it.
const REFUSALS: [Code; 4] = [Code::RateLimited, Code::NotBegun, Code::AlreadySubmitted, Code::StorageUnavailable];

/// The frame that a seat has answered with.
#[derive(Deserialize)]
struct AnsweredFrame {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    code: String,
    #[serde(default)]
    error: String,
}

/// Returns a receipt of everything that was saved before: what was chosen and drawn, signed by the server.
///
/// Once a minute for each session. The final receipt is in `submitted`, and at `GET /api/sessions/{id}/receipt`.
#[utoipa::path(
    operation_id = "readLiveReceipt",
    tag = "live",
    security(("session_token" = [])),
    params(("sessionId" = String, Path, description = "Session id")),
    responses(
        (status = 200, description = "`receipt`", body = ReceiptShape),
        (status = 401, description = "No token", body = LiveErrorBody),
        (status = 403, description = "Wrong token", body = LiveErrorBody),
        (status = 404, description = "Unknown session", body = LiveErrorBody),
        (status = 409, description = "`not_begun`, or `already_submitted`", body = LiveErrorBody),
        (status = 429, description = "The last one is less than a minute old; or too many with a wrong token from this address", body = LiveErrorBody),
        (status = 503, description = "Not now", body = LiveErrorBody),
    )
)]
#[get("/api/live/{sessionId}/receipt")]
pub async fn receipt(
    request: HttpRequest,
    live: Data<Live>,
    session_id: Path<String>,
) -> Result<HttpResponse, LiveError> {
    let token = bearer(request.headers()).ok_or_else(LiveError::without_token)?;
    refuse_while_stopping(&live)?;
    let (live, session_id, token_hash) = (live.into_inner(), parse_id(&session_id)?, token::hash(token));
    let asked = ForwardedRequest { session_id, token_hash, commands: None, line: None, receipt: true };
    let asking = forward::answer(&live, &asked, token);
    let asking = counted::known(&live, CountedCaller::of(&request), (session_id, &token_hash), asking);
    let answer = within(Box::pin(asking)).await?.ok_or(Error::Unavailable(NOT_SAVED))?;
    match serde_json::from_str::<AnsweredFrame>(&answer) {
        Ok(frame) if frame.kind == "receipt" => Ok(json(answer)),
        Ok(frame) if frame.code == Code::RateLimited.name() => {
            Err(Error::TooMany(RECEIPT_EVERY_MILLISECONDS.unsigned_abs() / 1_000).into())
        }
        Ok(frame) => {
            let code = REFUSALS.into_iter().find(|code| code.name() == frame.code);
            // A server of an earlier release knows no receipts, and answers where the test stands.
            Err(code.map_or_else(Fault::storage, |code| Fault::new(code, frame.error)).into())
        }
        Err(error) => Err(Error::internal(error).into()),
    }
}
