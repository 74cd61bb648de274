//! Health and metrics for load balancers and monitoring: `/healthz`, `/readyz`, `/metrics`.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get};
use serde::Serialize;
use utoipa::ToSchema;

use super::client_address::{client_address, is_hidden};
use crate::config::Config;
use crate::database::{Database, in_time};
use crate::error::{Error, ErrorBody, FORBIDDEN};
use crate::redis::Redis;
use crate::telemetry::Metrics;

/// The text format that Prometheus reads.
const METRICS_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// How long the database may take to answer.
const DATABASE_WITHIN: Duration = Duration::from_secs(2);
/// How long Redis may take before it counts as down. It is short because a load balancer that asks every half second
/// must not take the server for dead over something that it can do without.
const REDIS_WITHIN: Duration = Duration::from_millis(100);

/// Set once a planned stop has begun, so that load balancers send no more requests here.
#[derive(Clone, Default)]
pub struct Stopping(Arc<AtomicBool>);

impl Stopping {
    pub fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Tells whether this server has stored something lately, which it tries every few seconds.
#[derive(Clone)]
pub struct WritesLately(Arc<dyn Fn() -> bool + Send + Sync>);

impl WritesLately {
    pub fn by(tells: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(tells))
    }
}

/// What the server needs: each is `ok`, or one word for what is wrong.
#[derive(Serialize, ToSchema)]
struct Readiness {
    status: &'static str,
    /// Whether the server only reads (`READ_ONLY`). It is ready then, and saves nothing.
    #[serde(rename = "readOnly")]
    read_only: bool,
    /// `unwritable`: it can be read, but nothing has been stored for seconds. Its disk may be full, or it is read only.
    database: &'static str,
    migrations: &'static str,
    /// `off` without `REDIS_URL`. The server is ready without Redis, only slower.
    redis: &'static str,
}

#[derive(Serialize, ToSchema)]
struct Liveness {
    status: &'static str,
}

/// Answers as long as the process runs.
#[utoipa::path(operation_id = "checkLiveness", tag = "operations", responses((status = 200, description = "It lives", body = Liveness)))]
#[get("/healthz")]
pub async fn healthz() -> HttpResponse {
    HttpResponse::Ok().json(Liveness { status: "ok" })
}

/// Whether the server can do its work: read and write the database, whose schema is current.
#[utoipa::path(
    operation_id = "checkReadiness",
    tag = "operations",
    responses((status = 200, description = "Ready", body = Readiness), (status = 503, description = "Not ready", body = Readiness))
)]
#[get("/readyz")]
pub async fn readyz(
    database: Data<Database>,
    writes: Data<WritesLately>,
    redis: Data<Option<Redis>>,
    stopping: Data<Stopping>,
) -> HttpResponse {
    let pending = in_time("whether the schema is current", DATABASE_WITHIN, database.pending_migrations());
    let (pending, redis) = tokio::join!(pending, state_of(redis.as_ref().as_ref()));
    let writes_lately = (writes.0)();
    let is_ready = pending == Some(0) && writes_lately && !stopping.has_begun();
    let readiness = Readiness {
        status: if stopping.has_begun() {
            "stopping"
        } else if is_ready {
            "ok"
        } else {
            "unavailable"
        },
        read_only: database.is_read_only(),
        database: match pending {
            Some(_) if writes_lately => "ok",
            Some(_) => "unwritable",
            None => "unavailable",
        },
        migrations: match pending {
            Some(0) => "ok",
            Some(_) => "pending",
            None => "unknown",
        },
        redis,
    };
    if is_ready { HttpResponse::Ok().json(readiness) } else { HttpResponse::ServiceUnavailable().json(readiness) }
}

async fn state_of(redis: Option<&Redis>) -> &'static str {
    let Some(redis) = redis else { return "off" };
    let answered = tokio::time::timeout(REDIS_WITHIN, redis.ping()).await;
    if matches!(answered, Ok(Ok(()))) { "ok" } else { "unavailable" }
}

/// Metrics for Prometheus, readable from loopback and `METRICS_NETWORKS` only.
///
/// A request that a proxy has passed on is refused, unless the proxy is one of `TRUSTED_PROXIES` and names a client in
/// these networks.
#[utoipa::path(
    operation_id = "readMetrics",
    tag = "operations",
    responses((status = 200, description = "OpenMetrics text", body = String, content_type = "application/openmetrics-text"), (status = 403, description = "Not from here", body = ErrorBody))
)]
#[get("/metrics")]
pub async fn metrics(
    request: HttpRequest,
    config: Data<Config>,
    metrics: Data<Metrics>,
    database: Data<Database>,
    redis: Data<Option<Redis>>,
) -> Result<HttpResponse, Error> {
    if !may_read(&request, &config) {
        return Err(Error::Forbidden(FORBIDDEN));
    }
    for (name, state) in database.pools() {
        metrics.set_pool("database", name, state);
    }
    if let Some(redis) = redis.as_ref() {
        metrics.set_pool("redis", "main", redis.pool());
        metrics.set_redis_up(state_of(Some(redis)).await == "ok");
    }
    Ok(HttpResponse::Ok().content_type(METRICS_TYPE).body(metrics.render()))
}

/// Returns whether the caller may read the metrics.
fn may_read(request: &HttpRequest, config: &Config) -> bool {
    let is_in_networks = |address| config.server.metrics_networks.iter().any(|network| network.contains(&address));
    let is_near = |address: IpAddr| address.is_loopback() || is_in_networks(address);
    !is_hidden(request, config) && client_address(request).is_some_and(is_near)
}
