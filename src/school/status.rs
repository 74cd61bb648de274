//! Lets admins have all pages say something, such as during an outage, without a restart.

use actix_web::web::Data;
use actix_web::{HttpResponse, get, put};
use domain::status_message::{StatusMessage, status_text};
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::caller::Admin;
use crate::auth::refusals::AdminRefusals;
use crate::clock::Clock;
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::audit::note_detail;
use crate::http::fields::{JsonFields, body};
use crate::http::status::StatusMessages;
use crate::store::status_messages::{self, StoredStatus};

/// What admins have all pages say, and whether it is shown.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StatusSettings {
    /// As it is stored.
    message: StatusMessage,
    /// When that was last changed; null before the first time.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    changed_at: Option<Moment>,
    /// The server's setting `STATUS_MESSAGE`, which is shown in its place; null if it is not set.
    #[schema(required)]
    setting: Option<StatusMessage>,
}

/// What admins have all pages say.
#[utoipa::path(
    operation_id = "readStatusSettings",
    tag = "administration",
    security(("api_token" = [])),
    responses(
        (status = 200, description = "As it is stored", body = StatusSettings),
        AdminRefusals,
    )
)]
#[get("/api/admin/status")]
pub async fn read(
    _admin: Admin,
    database: Data<Database>,
    messages: Data<StatusMessages>,
) -> Result<HttpResponse, Error> {
    Ok(answer(status_messages::load(&database).await?, &messages))
}

body! {
    /// What all pages are to say. Two empty texts take it away.
    struct PutStatus {
        /// One line of plain text in English, of 300 characters at most; may be empty.
        #[schema(max_length = 300)]
        en: String = |field| field.parsed(status_text),
        /// The same in Vietnamese. Where one is empty, its readers see the other.
        #[schema(max_length = 300)]
        vi: String = |field| field.parsed(status_text),
    }
}

/// Has all pages say something, or nothing any more. Open pages show it within two minutes.
#[utoipa::path(
    operation_id = "changeStatus",
    tag = "administration",
    security(("api_token" = [])),
    request_body = PutStatus,
    responses(
        (status = 200, description = "As it is stored", body = StatusSettings),
        (status = 400, description = "`Invalid en` or `Invalid vi`", body = ErrorBody),
        AdminRefusals,
    )
)]
#[put("/api/admin/status")]
pub async fn put(
    asked: After<Admin, JsonFields>,
    database: Data<Database>,
    messages: Data<StatusMessages>,
    clock: Data<Clock>,
) -> Result<HttpResponse, Error> {
    let After(_admin, fields) = asked;
    let PutStatus { en, vi } = PutStatus::read(&fields)?;
    let message = StatusMessage { en, vi };
    note_detail(&[message.en.as_str(), message.vi.as_str()].join(" | "));
    let now = clock.now();
    status_messages::put(&database, &message, now).await?;
    messages.forget();
    Ok(answer(StoredStatus { message, changed_at: Some(now) }, &messages))
}

fn answer(stored: StoredStatus, messages: &StatusMessages) -> HttpResponse {
    let setting = Some(messages.setting()).filter(|set| !set.is_empty()).cloned();
    HttpResponse::Ok().json(StatusSettings { message: stored.message, changed_at: stored.changed_at, setting })
}
