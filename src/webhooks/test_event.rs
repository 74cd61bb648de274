//! A signed event for trying a receiver out: sent at once, outside the outbox, and not repeated.

use std::time::Instant;

use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use serde::Serialize;
use serde_json::json;
use tokio::sync::Semaphore;
use utoipa::ToSchema;
use uuid::Uuid;

use super::events::MEDIA_TYPE;
use super::signature::{SECRET_HEADER, SigningKey, headers};
use crate::auth::caller::Admin;
use crate::auth::refusals::AdminRefusals;
use crate::clock::Clock;
use crate::config::Config;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::private;
use crate::http::audit::with_subject;
use crate::http::fields::{Field, JsonFields, body};
use crate::outgoing::client::{Header, Letter, OutgoingClient, PostError, ReceiverAnswer};

/// The event's name.
const WEBHOOK_TEST: &str = "webhook.test";
/// Bytes of a receiver's answer that are shown.
const SHOWN_BYTES_MAX: usize = 2 * 1_024;
/// Test events that wait for an answer at once.
const TESTS_AT_ONCE_MAX: usize = 4;
const BUSY: &str = "The server is busy";
static TESTING: Semaphore = Semaphore::const_new(TESTS_AT_ONCE_MAX);
/// Shown in place of a secret.
const HIDDEN: &str = "…";

body! {
    /// Where to send it.
    struct TestEventRequest {
        url: String = Field::required,
    }
}

/// What became of it.
#[derive(Serialize, ToSchema)]
struct TestEventReport {
    /// Whether the receiver answered with 2xx.
    delivered: bool,
    /// The receiver's status; null if it did not answer.
    #[schema(required)]
    status: Option<u16>,
    /// Why it was not delivered; empty if it was.
    error: String,
    milliseconds: u64,
    request: SentEvent,
    /// The beginning of the receiver's answer.
    response: String,
}

/// What was sent.
#[derive(Serialize, ToSchema)]
struct SentEvent {
    /// By name; `X-Webhook-Secret` is not shown.
    #[schema(value_type = std::collections::BTreeMap<String, String>)]
    headers: serde_json::Value,
    body: String,
}

/// Sends a signed event `webhook.test` to an address, and waits for the answer.
#[utoipa::path(
    operation_id = "sendTestEvent",
    tag = "administration",
    security(("api_token" = [])),
    request_body = TestEventRequest,
    responses(
        (status = 200, description = "What became of it", body = TestEventReport),
        (status = 400, description = "`Invalid url`, also for an address that webhooks may not reach", body = ErrorBody),
        AdminRefusals,
        (status = 503, description = "Too many at once", body = ErrorBody),
    )
)]
#[post("/api/admin/webhooks/test")]
pub async fn send(
    asked: After<Admin, JsonFields>,
    config: Data<Config>,
    key: Data<SigningKey>,
    clock: Data<Clock>,
) -> Result<HttpResponse, Error> {
    let After(Admin(admin), fields) = asked;
    let TestEventRequest { url } = TestEventRequest::read(&fields)?;
    let client = OutgoingClient::new(config.webhooks.targets.clone());
    let host = client.host(&url).ok_or_else(|| Error::invalid("url"))?;
    let _place = TESTING.try_acquire().map_err(|_| Error::Unavailable(BUSY))?;
    let now = clock.now();
    let body = json!({ "event": WEBHOOK_TEST, "sentAt": now, "sentBy": admin.email }).to_string();
    let headers = headers(&key, config.webhooks.secret.as_ref(), &Uuid::new_v4().to_string(), now, &body);
    let request = shown(&headers, &body);
    let began = Instant::now();
    let answer = client.post(Letter { url, media_type: MEDIA_TYPE, body }, headers, now).await;
    let milliseconds = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    let (status, error, response) = match answer {
        Ok(ReceiverAnswer { status: status @ 200..=299, beginning, .. }) => (Some(status), String::new(), beginning),
        Ok(ReceiverAnswer { status, beginning, .. }) => {
            (Some(status), format!("the receiver answered {status}"), beginning)
        }
        Err(PostError::Refused(_)) => return Err(Error::invalid("url")),
        Err(PostError::Failed(reason) | PostError::Unsent(reason) | PostError::Hopeless(reason)) => {
            (None, reason, String::new())
        }
    };
    let outcome = if error.is_empty() { "delivered".to_owned() } else { error.clone() };
    let report = TestEventReport {
        delivered: error.is_empty(),
        status,
        error,
        milliseconds,
        request,
        response: beginning(&response),
    };
    // The rest of an address may be a secret.
    Ok(with_subject(private(&mut HttpResponse::Ok()).json(report), host, outcome))
}

fn shown(headers: &[Header], body: &str) -> SentEvent {
    let visible = |(name, value): &Header| {
        let value = if *name == SECRET_HEADER { HIDDEN.to_owned() } else { value.clone() };
        ((*name).to_owned(), value.into())
    };
    SentEvent { headers: serde_json::Value::Object(headers.iter().map(visible).collect()), body: body.to_owned() }
}

/// The first bytes of a text that are whole characters.
fn beginning(text: &str) -> String {
    text.get(..text.floor_char_boundary(SHOWN_BYTES_MAX)).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_beginning_of_an_answer_is_shown() {
        assert_eq!(beginning("ok"), "ok");
        assert_eq!(beginning(&"é".repeat(3_000)).len(), SHOWN_BYTES_MAX);
        assert_eq!(beginning(&format!("a{}", "é".repeat(3_000))).len(), SHOWN_BYTES_MAX - 1);
    }

    #[test]
    fn the_shared_secret_is_not_shown() {
        let headers = [("webhook-id", "1".to_owned()), (SECRET_HEADER, "s".to_owned())];
        assert_eq!(shown(&headers, "{}").headers, json!({ "webhook-id": "1", "X-Webhook-Secret": HIDDEN }));
    }
}
