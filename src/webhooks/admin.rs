//! The routes by which admins manage webhooks: the list of deliveries, the signing key, and replay.

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpResponse, get, post};
use domain::delivery::DeliveryStatus;
use domain::time::moment::Moment;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::signature::SigningKey;
use super::sitting_events::SITTING_ENDED;
use crate::auth::caller::Admin;
use crate::auth::refusals::AdminRefusals;
use crate::clock::Clock;
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{Done, done};
use crate::http::compression::with_secret;
use crate::http::fallback::NOT_FOUND;
use crate::http::parameters::{self, parsed};
use crate::outgoing::Outbox;
use crate::outgoing::store::{self, Delivery};

/// Deliveries on one page.
const PER_PAGE: u64 = 50;

#[derive(Deserialize)]
struct DeliveriesQuery {
    status: Option<String>,
    page: Option<String>,
}

/// One delivery.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DeliveryView {
    id: Uuid,
    /// The test that the event is about; null for that of a sitting.
    #[schema(required)]
    session_id: Option<Uuid>,
    /// The sitting that the event is about (`sitting.ended`); null for that of a test.
    #[schema(required)]
    sitting_id: Option<Uuid>,
    event: String,
    url: String,
    #[schema(value_type = DeliveryStatus)]
    status: String,
    attempts: i32,
    #[schema(required)]
    last_status: Option<i16>,
    #[schema(required)]
    last_error: Option<String>,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    next_attempt_at: Option<Moment>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    delivered_at: Option<Moment>,
}

/// A page of deliveries, the newest first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DeliveryPage {
    deliveries: Vec<DeliveryView>,
    /// From 1.
    page: u64,
    per_page: u64,
    total: u64,
}

/// Deliveries with their attempts, the newest first.
#[utoipa::path(
    operation_id = "listDeliveries",
    tag = "administration",
    security(("api_token" = [])),
    params(("status" = inline(Option<DeliveryStatus>), Query, description = "Only these"), ("page" = Option<u64>, Query, description = "From 1", minimum = 1)),
    responses(
        (status = 200, description = "A page of 50", body = DeliveryPage),
        (status = 400, description = "`Invalid status` or `Invalid page`", body = ErrorBody),
        AdminRefusals,
    )
)]
#[get("/api/admin/webhooks")]
pub async fn list(
    asked: After<Admin, Query<DeliveriesQuery>>,
    database: Data<Database>,
) -> Result<HttpResponse, Error> {
    let After(_admin, asked) = asked;
    let status = parsed("status", &asked.status, DeliveryStatus::parse)?;
    let page = parameters::page(&asked.page)?.unwrap_or(1);
    let (deliveries, total) = store::find_page(&database, status, page - 1, PER_PAGE).await?;
    Ok(HttpResponse::Ok().json(DeliveryPage {
        deliveries: deliveries.into_iter().map(view).collect(),
        page,
        per_page: PER_PAGE,
        total,
    }))
}

/// The signing key.
#[derive(Serialize, ToSchema)]
struct KeyView {
    /// `whsec_…`.
    key: String,
}

/// The key with which receivers verify `webhook-signature`.
#[utoipa::path(
    operation_id = "readSigningKey",
    tag = "administration",
    security(("api_token" = [])),
    responses(
        (status = 200, description = "The key", body = KeyView),
        AdminRefusals,
    )
)]
#[get("/api/admin/webhooks/key")]
pub async fn key(_admin: Admin, key: Data<SigningKey>) -> HttpResponse {
    with_secret(HttpResponse::Ok().json(KeyView { key: key.shown() }))
}

/// Queues a delivery again, with the full number of attempts.
#[utoipa::path(
    operation_id = "replayDelivery",
    tag = "administration",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Delivery id")),
    responses(
        (status = 200, description = "Queued", body = Done),
        AdminRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
    )
)]
#[post("/api/admin/webhooks/{id}/replay")]
pub async fn replay(
    asked: After<Admin, Path<String>>,
    database: Data<Database>,
    outbox: Data<Outbox>,
    clock: Data<Clock>,
) -> Result<HttpResponse, Error> {
    let After(_admin, id) = asked;
    let id = id.parse::<Uuid>().map_err(|_| Error::NotFound(NOT_FOUND))?;
    if !store::replay(&database, id, |url| outbox.host(url), clock.now()).await? {
        return Err(Error::NotFound(NOT_FOUND));
    }
    outbox.wake();
    Ok(done())
}

fn view(row: Delivery) -> DeliveryView {
    let is_of_sitting = row.event == SITTING_ENDED;
    DeliveryView {
        id: row.id,
        session_id: (!is_of_sitting).then_some(row.session_id),
        sitting_id: is_of_sitting.then_some(row.session_id),
        event: row.event,
        url: row.url,
        status: row.status,
        attempts: row.attempts,
        last_status: row.last_status,
        last_error: row.last_error,
        next_attempt_at: row.next_attempt_at_ms.map(Moment::from_milliseconds),
        created_at: Moment::from_milliseconds(row.created_at_ms),
        delivered_at: row.delivered_at_ms.map(Moment::from_milliseconds),
    }
}
