//! The middleware around each request: its id, its line in the log, its metrics, and the headers of every answer.

use std::time::Instant;

use actix_web::Error as ActixError;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{
    CACHE_CONTROL, HeaderName, HeaderValue, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use actix_web::middleware::Next;
use actix_web::web::Data;
use tracing::Instrument;
use uuid::Uuid;

use crate::telemetry::{Metrics, RequestLabels};

/// Identifies a request in its answer and in every line that is logged for it.
pub static REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Bytes of a caller's own id. It is copied into every line of the log, so a longer one is replaced.
const REQUEST_ID_BYTES_MAX: usize = 64;
/// The label of paths that belong to no route; the paths themselves would be labels without end.
const NO_ROUTE: &str = "unknown";

/// Wraps the whole server.
pub async fn around(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, ActixError> {
    let begun = Instant::now();
    let id = request_id(&request);
    let metrics = request.app_data::<Data<Metrics>>().cloned();
    let method = request.method().clone();
    let span = tracing::info_span!("request", id = id.to_str().unwrap_or_default());
    let called = next.call(request).instrument(span.clone()).await;
    let mut response = called?;
    let _entered = span.entered();
    let route = response.request().match_pattern().unwrap_or_else(|| NO_ROUTE.to_owned());
    let status = response.status();
    if status.is_server_error()
        && let Some(error) = response.response().error()
    {
        tracing::error!(%route, error = ?error, "request failed");
    }
    let took = begun.elapsed();
    tracing::debug!(%method, %route, status = status.as_u16(), milliseconds = took.as_secs_f64() * 1_000.0, "request answered");
    if let Some(metrics) = metrics {
        let labels =
            RequestLabels { method: static_name(&method), route: route.as_str().into(), status: status.as_u16() };
        metrics.requests.get_or_create(&labels).inc();
        metrics.request_seconds.observe(took.as_secs_f64());
    }
    set_headers(&mut response, id);
    Ok(response)
}

fn request_id(request: &ServiceRequest) -> HeaderValue {
    let given = request.headers().get(&REQUEST_ID).filter(|value| {
        let bytes = value.as_bytes();
        !bytes.is_empty()
            && bytes.len() <= REQUEST_ID_BYTES_MAX
            && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
    });
    given
        .cloned()
        .or_else(|| HeaderValue::from_str(&Uuid::new_v4().to_string()).ok())
        .unwrap_or_else(|| HeaderValue::from_static("none"))
}

/// Unless a handler says otherwise, nobody may cache its answer, guess its type or show it in a frame.
fn set_headers<B>(response: &mut ServiceResponse<B>, id: HeaderValue) {
    let headers = response.headers_mut();
    headers.insert(REQUEST_ID.clone(), id);
    for (name, value) in [
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-store"),
    ] {
        if !headers.contains_key(&name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
}

/// Only methods that HTTP names become labels, so a caller can't create new ones.
fn static_name(method: &actix_web::http::Method) -> &'static str {
    ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]
        .into_iter()
        .find(|name| *name == method.as_str())
        .unwrap_or("other")
}
