//! `GET /api/admin/health`: what an admin sees of the running service without access to its machines.

use std::time::{Duration, Instant};

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use domain::delivery::DeliveryStatus;
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use crate::auth::caller::Admin;
use crate::auth::refusals::AdminRefusals;
use crate::clock::Clock;
use crate::database::{Database, in_time};
use crate::error::Error;
use crate::live::seats::lease::LEASE;
use crate::outgoing::transfers;
use crate::provider::Provider;
use crate::redis::Redis;
use crate::store::operations;

/// How long Redis may take to answer.
const REDIS_WITHIN: Duration = Duration::from_secs(1);

/// The state of the service.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(health);
}

/// When this server was started.
#[derive(Clone, Copy, Debug)]
pub struct ServerStart(pub Moment);

/// The state of the service as this server sees it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ServiceHealth {
    version: &'static str,
    #[schema(value_type = String, format = DateTime)]
    started_at: Moment,
    /// Whether this server only reads (`READ_ONLY`).
    read_only: bool,
    database: DatabaseHealth,
    redis: RedisHealth,
    provider: ProviderHealth,
    queues: WaitingWork,
    /// All servers that are alive.
    servers: Vec<LivingServer>,
}

/// The database. If it does not answer, neither does this route.
#[derive(Serialize, ToSchema)]
struct DatabaseHealth {
    /// `sqlite` or `postgres`.
    kind: &'static str,
    ok: bool,
    /// How long it took to answer.
    milliseconds: f64,
}

/// Redis.
#[derive(Serialize, ToSchema)]
struct RedisHealth {
    /// Whether `REDIS_URL` is set.
    configured: bool,
    ok: bool,
}

/// The service that has the assessment data.
#[derive(Serialize, ToSchema)]
struct ProviderHealth {
    /// `local` or `api`.
    kind: &'static str,
    /// False while calls to it fail.
    ok: bool,
}

/// What waits to be done.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct WaitingWork {
    webhooks_pending: u64,
    webhooks_failed: u64,
    /// Finished tests and edits that an external data provider has not taken yet.
    transfers_waiting: u64,
    /// Finished tests and edits that an external data provider has refused.
    transfers_refused: u64,
}

/// A server that is alive.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LivingServer {
    /// Drawn when it was started.
    id: Uuid,
    /// When it last said that it is alive.
    #[schema(value_type = String, format = DateTime)]
    seen_at: Moment,
}

/// The state of the service: database, Redis, data provider, queues and servers.
#[utoipa::path(
    operation_id = "readHealth",
    tag = "operations",
    security(("api_token" = [])),
    responses(
        (status = 200, description = "The state as this server sees it", body = ServiceHealth),
        AdminRefusals,
    )
)]
#[get("/api/admin/health")]
pub async fn health(
    _admin: Admin,
    database: Data<Database>,
    redis: Data<Option<Redis>>,
    provider: Data<dyn Provider>,
    clock: Data<Clock>,
    start: Data<ServerStart>,
) -> Result<HttpResponse, Error> {
    let began = Instant::now();
    operations::ping(&database).await?;
    let milliseconds = began.elapsed().as_secs_f64() * 1_000.0;
    let (transfers_waiting, transfers_refused) = transfers::count(&database).await?;
    let queues = WaitingWork {
        webhooks_pending: operations::count_deliveries(&database, DeliveryStatus::Pending).await?,
        webhooks_failed: operations::count_deliveries(&database, DeliveryStatus::Failed).await?,
        transfers_waiting,
        transfers_refused,
    };
    let lease = i64::try_from(LEASE.as_millis()).unwrap_or(i64::MAX);
    let servers = operations::find_servers(&database, clock.now(), lease).await?;
    let kind = if database.is_sqlite() { "sqlite" } else { "postgres" };
    let redis = match redis.as_ref() {
        Some(redis) => {
            let is_answering = in_time("Redis", REDIS_WITHIN, redis.ping()).await.is_some();
            RedisHealth { configured: true, ok: is_answering }
        }
        None => RedisHealth { configured: false, ok: false },
    };
    Ok(HttpResponse::Ok().json(ServiceHealth {
        version: env!("CARGO_PKG_VERSION"),
        started_at: start.0,
        read_only: database.is_read_only(),
        database: DatabaseHealth { kind, ok: true, milliseconds },
        redis,
        provider: ProviderHealth { kind: provider.kind(), ok: provider.is_answering() },
        queues,
        servers: servers.into_iter().map(|(id, seen_at)| LivingServer { id, seen_at }).collect(),
    }))
}
