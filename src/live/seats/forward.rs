//! HTTPS requests to a seat on any server: answered here, or by the server that holds the seat.
//!
//! An HTTPS request takes nothing over (`docs/live-protocol.md#over-https`): a seat that another living server holds
//! stays there. If that server does not answer, the seat is claimed. Nothing is lost by that, because everything that
//! it has acknowledged is in the database.

use std::sync::Arc;

use domain::attempt::Comer;
use domain::room::row::SessionState;
use domain::time::moment::Moment;
use serde::Serialize;
use serde_json::value::RawValue;

use super::access::{SeatAnswer, SeatLocation};
use crate::live::Live;
use crate::live::messages::{ForwardedReply, ForwardedRequest};
use crate::live::protocol::fault::Fault;
use crate::live::protocol::{read, write};
use crate::live::seat::{GiveReceipt, Perform, Performed, Read, SeatDirectory};
use crate::live::shapes::server::ReplyShape;
use crate::live::store::ClaimMode;

/// How often a request follows a seat that moves meanwhile.
const FOLLOWED_MAX: usize = 3;
/// Bytes of a body that is forwarded. Redis carries all servers' messages, so the seat of a larger one is claimed
/// instead.
const PASSED_BYTES_MAX: usize = 1_024 * 1_024;

/// The result of the commands of one request.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PerformedView {
    /// The highest number of this request that was accepted; all that was accepted is committed. 0 if nothing was.
    saved: u64,
    /// `stage`, `submitted` and `error` messages.
    #[schema(value_type = Vec<ReplyShape>)]
    replies: Vec<Box<RawValue>>,
    remaining_ms: i64,
    #[schema(value_type = String, format = DateTime)]
    deadline: Moment,
    /// Grows with each change of what the deadline is made of.
    time_version: i64,
    /// The length of the pauses that have ended, which are part of the deadline.
    paused_ms: i64,
    #[schema(value_type = SessionState)]
    state: &'static str,
}

/// Asks the seat, wherever it is, which gets only the token's hash. Returns its answer as JSON, or `None` when nothing
/// can be saved now. Fails with `unknown_session`, `bad_token`, `bad_message` or `storage_unavailable`.
pub async fn answer(live: &Arc<Live>, question: &ForwardedRequest, token: &str) -> Result<Option<String>, Fault> {
    let answer = answer_anywhere(live, question).await?;
    let is_resumed = question.commands.is_none() && !question.receipt;
    Ok(answer.map(|answer| if is_resumed { write::with_token(&answer, token) } else { answer }))
}

async fn answer_anywhere(live: &Arc<Live>, question: &ForwardedRequest) -> Result<Option<String>, Fault> {
    let mut wish = ClaimMode::Vacant;
    for _ in 0..FOLLOWED_MAX {
        let holder = match here(live, question, wish).await? {
            SeatLocation::Here(answer) => return Ok(answer),
            SeatLocation::Elsewhere(_) if live.shared.registry.is_stopping() => break,
            SeatLocation::Elsewhere(_)
                if question.commands.as_ref().is_some_and(|commands| commands.len() > PASSED_BYTES_MAX) =>
            {
                wish = ClaimMode::Forced;
                continue;
            }
            SeatLocation::Elsewhere(holder) => holder,
        };
        wish = match live.shared.relay.ask(holder, question.clone()).await {
            Some(ForwardedReply::Answer(answer)) => return Ok(Some(answer)),
            Some(ForwardedReply::NotSaved) => return Ok(None),
            Some(ForwardedReply::NotHere) => ClaimMode::Vacant,
            Some(ForwardedReply::Stopping) | None => ClaimMode::Forced,
        };
    }
    Err(Fault::storage())
}

/// Answers a request that another server has forwarded, if the seat is here.
pub async fn answer_here(live: &Arc<Live>, question: &ForwardedRequest) -> ForwardedReply {
    if live.shared.registry.is_stopping() {
        return ForwardedReply::Stopping;
    }
    match here(live, question, ClaimMode::Vacant).await {
        Ok(SeatLocation::Here(Some(answer))) => ForwardedReply::Answer(answer),
        Ok(SeatLocation::Here(None)) => ForwardedReply::NotSaved,
        // If the request is wrong, the other server finds the same fault itself.
        Ok(SeatLocation::Elsewhere(_)) | Err(_) => ForwardedReply::NotHere,
    }
}

async fn here(
    live: &Arc<Live>,
    question: &ForwardedRequest,
    wish: ClaimMode,
) -> Result<SeatLocation<Option<String>>, Fault> {
    let ForwardedRequest { session_id, token_hash, commands, line, receipt } = question;
    if *receipt {
        let asking = live.ask_seat(*session_id, token_hash, wish, || GiveReceipt);
        return Ok(asking.await?.map(|SeatAnswer { answer, .. }| answer.map(|frame| frame.to_string())));
    }
    let Some(commands) = commands else {
        let comer = Comer { token_hash: *token_hash, line: *line };
        let asking = live.ask_seat(*session_id, token_hash, wish, || Read { comer });
        return Ok(asking.await?.map(|SeatAnswer { answer, .. }| answer.map(|frame| frame.to_string())));
    };
    let commands = read::parse_commands(commands)?;
    let message = || Perform { asked: commands.clone(), token_hash: *token_hash };
    let found = live.ask_seat(*session_id, token_hash, wish, message).await?;
    Ok(found.map(|SeatAnswer { answer, .. }| answer.and_then(|performed| view(performed).ok())))
}

fn view(performed: Performed) -> serde_json::Result<String> {
    let replies = performed
        .replies
        .into_iter()
        .map(|reply| RawValue::from_string(reply.to_string()))
        .collect::<Result<_, _>>()?;
    let Performed { saved, remaining_ms, deadline, time_version, paused_ms, state, .. } = performed;
    serde_json::to_string(&PerformedView { saved, replies, remaining_ms, deadline, time_version, paused_ms, state })
}
