//! The middleware around each request: its id, its line in the log, its metrics, and the headers of every answer.

use std::borrow::Cow;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use actix_web::Error as ActixError;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::error::InternalError;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderMap, HeaderName, HeaderValue, REFERRER_POLICY,
    STRICT_TRANSPORT_SECURITY, UPGRADE, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::web::{Bytes, Data};
use actix_web::{HttpMessage, HttpRequest, ResponseError};
use percent_encoding::percent_decode_str;
use tokio::task::JoinError;
use tracing::{Instrument, Span};
use uuid::Uuid;

use super::audit;
use super::client_address::client_address;
use super::compression::compress;
use super::unbroken;
use crate::error::{Error, UNAVAILABLE};
use crate::telemetry::{Failure, Metrics, RequestLabels, RouteLabels};
use crate::tls::own_certificate::OwnCertificate;

/// Identifies a request in its answer and in every line that is logged for it.
pub static REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Makes a request repeatable: a second one with the same key does nothing more than the first.
pub static IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Bytes of a caller's own id. It is copied into every line of the log, so a longer one is replaced.
const REQUEST_ID_BYTES_MAX: usize = 64;
/// Where a sign-in ends: a `GET`, as the protocol of identity providers has it.
const SIGN_IN_END: &str = "/auth/callback";
/// With this header, or `_method` in its query, a `GET` of the calendar names another method.
const METHOD_OVERRIDE: &str = "x-http-method-override";
/// The label of paths that belong to no route; the paths themselves would be labels without end.
const NO_ROUTE: &str = "unknown";

/// Wraps the whole server.
pub async fn around(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, ActixError> {
    let begun = Instant::now();
    let id = request_id(&request);
    let metrics = request.app_data::<Data<Metrics>>().cloned();
    // Only where TLS ends at this server: a proxy decides for itself.
    let certificate = request.app_data::<Data<OwnCertificate>>();
    let by_tls_alone_seconds = certificate.and_then(|certificate| certificate.by_tls_alone_seconds());
    let method = request.method().clone();
    // Addresses are for the log alone.
    let client = tracing::enabled!(tracing::Level::DEBUG).then(|| client_address(request.request())).flatten();
    let is_head = method == Method::HEAD;
    if is_head {
        ask_for_all(&mut request);
    }
    let span = tracing::info_span!("request", id = id.to_str().unwrap_or_default());
    let is_kept_up = may_change(&request);
    let answering = async move { Ok::<_, ActixError>(next.call(request).await?.map_into_boxed_body()) };
    let called = async move {
        let answered =
            if is_kept_up { audit::recorded(answering).await? } else { audit::record(answering.await?).await };
        Ok::<_, ActixError>(compress(answered).await)
    };
    let called = called.instrument(span.clone());
    let mut response = if is_kept_up {
        unbroken::run(called).await.unwrap_or_else(|broken| {
            Err(without_answer(broken, &span, (&id, by_tls_alone_seconds), metrics.as_ref()))
        })?
    } else {
        called.await?
    };
    if is_head {
        response = response.map_body(|_, body| BoxBody::new(HeadBody(body.size())));
    }
    let _entered = span.entered();
    let route = route_of(response.request());
    let status = response.status();
    let is_own = is_own_failure(&response);
    if status.is_server_error()
        && let Some(error) = response.response().error()
    {
        // Only failures of our own are errors in the log: among those of others, an operator would overlook them.
        if is_own {
            tracing::error!(%route, error = ?error, "request failed");
        } else {
            tracing::debug!(%route, error = ?error, "request refused");
        }
    }
    if let Some(metrics) = &metrics {
        if is_own {
            metrics.failed(Failure::Request);
        }
        if error_of(&response).is_some_and(|error| matches!(error, Error::NoDatabase)) {
            metrics.failed(Failure::Database);
        }
    }
    let took = begun.elapsed();
    tracing::debug!(%method, %route, client = ?client, status = status.as_u16(), milliseconds = took.as_secs_f64() * 1_000.0, "request answered");
    if let Some(metrics) = metrics {
        let labels = RequestLabels { method: static_name(&method), route: Arc::clone(&route), status: status.as_u16() };
        metrics.requests.get_or_create(&labels).inc();
        metrics.request_seconds.get_or_create(&RouteLabels { route }).observe(took.as_secs_f64());
    }
    set_headers(response.headers_mut(), id, by_tls_alone_seconds);
    Ok(response)
}

/// The path by which the route of a request is found: `/%61pi/` leads where `/api/` does.
pub fn decoded_path(path: &str) -> Cow<'_, str> {
    percent_decode_str(path).decode_utf8_lossy()
}

/// Returns whether a request may have effects, which must be whole though its caller hangs up: all but those that only
/// read, and of these the end of a sign-in, what is on record, and a calendar's request that names another method.
fn may_change(request: &ServiceRequest) -> bool {
    let names_method = || {
        request.headers().contains_key(METHOD_OVERRIDE)
            || url::form_urlencoded::parse(request.query_string().as_bytes()).any(|(name, _)| name == "_method")
    };
    !request.method().is_safe()
        || decoded_path(request.path()) == SIGN_IN_END
        || audit::is_audited(request.request())
        || names_method()
}

/// The answer to a request whose task has panicked, or was ended with the server. The request is gone with the task.
fn without_answer(
    broken: JoinError,
    span: &Span,
    (id, by_tls_alone_seconds): (&HeaderValue, Option<i64>),
    metrics: Option<&Data<Metrics>>,
) -> ActixError {
    let _entered = span.enter();
    let error = if broken.is_panic() {
        tracing::error!(error = %broken, "a request panicked");
        Error::internal(broken)
    } else {
        Error::Unavailable(UNAVAILABLE)
    };
    if let Some(metrics) = metrics {
        metrics.failed(Failure::Request);
    }
    let mut response = error.error_response();
    set_headers(response.headers_mut(), id.clone(), by_tls_alone_seconds);
    InternalError::from_response(error, response).into()
}

/// Makes `HEAD` a `GET`, so that it is answered wherever `GET` is. It opens no sockets: an answer without a body can't
/// become one.
fn ask_for_all(request: &mut ServiceRequest) {
    request.extensions_mut().insert(AskedByHead);
    let head = request.head_mut();
    head.method = Method::GET;
    head.headers_mut().remove(UPGRADE);
}

/// Marks a request that came as `HEAD`, whose caller gets nothing that would be on record.
#[derive(Clone, Copy, Debug)]
pub struct AskedByHead;

/// The body of an answer to `HEAD`: as long as that of `GET` would be, and never sent.
struct HeadBody(BodySize);

impl MessageBody for HeadBody {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        self.0
    }

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, Infallible>>> {
        Poll::Ready(None)
    }
}

/// The pattern of the route that a handler has named in the request, because it routes by itself.
#[derive(Clone, Debug)]
pub struct NamedRoute(pub Arc<str>);

fn route_of(request: &HttpRequest) -> Arc<str> {
    let named = request.extensions().get::<NamedRoute>().map(|NamedRoute(route)| Arc::clone(route));
    named.unwrap_or_else(|| request.match_pattern().map_or_else(|| NO_ROUTE.into(), Arc::from))
}

/// Returns whether the server itself has failed. A 500 that the contract prescribes for a bad request is not such a
/// failure, nor is a 503, which asks to come again later, nor the failure of a service that this one calls.
fn is_own_failure<B>(response: &ServiceResponse<B>) -> bool {
    response.status() == StatusCode::INTERNAL_SERVER_ERROR && error_of(response).is_none_or(Error::is_own_failure)
}

fn error_of<B>(response: &ServiceResponse<B>) -> Option<&Error> {
    response.response().error().and_then(ActixError::as_error)
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

/// Unless a handler says otherwise, nobody may cache its answer, guess its type or show it in a frame. A policy that
/// names who may frame it has said otherwise: this header knows no names.
fn set_headers(headers: &mut HeaderMap, id: HeaderValue, by_tls_alone_seconds: Option<i64>) {
    headers.insert(REQUEST_ID.clone(), id);
    let by_tls_alone = by_tls_alone_seconds.map(|seconds| HeaderValue::from_str(&format!("max-age={seconds}")));
    if let Some(Ok(by_tls_alone)) = by_tls_alone {
        headers.insert(STRICT_TRANSPORT_SECURITY, by_tls_alone);
    }
    let names_frames = headers.get(CONTENT_SECURITY_POLICY).is_some_and(names_frames);
    for (name, value) in [
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-store"),
    ] {
        if !(headers.contains_key(&name) || name == X_FRAME_OPTIONS && names_frames) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
}

fn names_frames(policy: &HeaderValue) -> bool {
    let policy = policy.to_str().unwrap_or_default();
    policy.contains("frame-ancestors ") && !policy.contains("frame-ancestors 'none'")
}

/// Only methods that HTTP names become labels, so a caller can't create new ones.
fn static_name(method: &Method) -> &'static str {
    ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]
        .into_iter()
        .find(|name| *name == method.as_str())
        .unwrap_or("other")
}

#[cfg(test)]
mod tests {
    use actix_web::middleware::from_fn;
    use actix_web::test::{TestRequest, init_service, try_call_service};
    use actix_web::{App, HttpResponse, web};

    use super::*;

    async fn broken() -> HttpResponse {
        panic!("as intended")
    }

    #[actix_web::test]
    async fn a_panic_is_answered_and_has_the_headers_of_every_answer() {
        let app = init_service(App::new().route("/broken", web::post().to(broken)).wrap(from_fn(around))).await;
        let error = try_call_service(&app, TestRequest::post().uri("/broken").to_request()).await.unwrap_err();
        let response = error.error_response();
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert!(response.headers().contains_key(&REQUEST_ID) && response.headers().contains_key(CACHE_CONTROL));
    }

    #[test]
    fn only_a_policy_that_names_who_may_frame_lifts_the_older_header() {
        let framed = |policy: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
            set_headers(&mut headers, HeaderValue::from_static("id"), None);
            !headers.contains_key(X_FRAME_OPTIONS)
        };
        assert!(framed("default-src 'none'; frame-ancestors https://lms.example"));
        assert!(!framed("default-src 'none'; frame-ancestors 'none'") && !framed("default-src 'none'"));
    }

    #[test]
    fn what_only_reads_ends_with_its_caller() {
        let may_change = |request: TestRequest| may_change(&request.to_srv_request());
        assert!(!may_change(TestRequest::get().uri("/api/questions?grade=5")));
        assert!(may_change(TestRequest::get().uri("/auth/callback?state=a&code=b")));
        assert!(may_change(TestRequest::get().uri("/wp-json/tribe/events/v1/events/5?%5Fmethod=DELETE")));
        assert!(may_change(TestRequest::get().insert_header((METHOD_OVERRIDE, "DELETE"))));
        for request in [TestRequest::post(), TestRequest::put(), TestRequest::patch(), TestRequest::delete()] {
            assert!(may_change(request));
        }
    }
}
