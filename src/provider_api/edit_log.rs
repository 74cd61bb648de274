//! The log of edits, which callers read and append to.

use actix_web::web::{Data, Query};
use actix_web::{HttpResponse, get, post};
use domain::access::normal_email;
use domain::exchange::ID_UNITS_MAX;
use domain::question::TEXT_UNITS_MAX;
use domain::resources::Edit;
use domain::review::Change;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::key::{KeyRefusal, ProviderKey};
use crate::clock::Clock;
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::body::{Body, LARGE_BYTES_MAX};
use crate::http::fields::JsonFields;
use crate::http::grade_query::GradeQuery;
use crate::http::paged_stream::listed;
use crate::provider::Provider;
use crate::store::edits;
use crate::users::shown_name;

/// Fields that one edit may change. A question has fewer.
const CHANGES_MAX: usize = 32;

/// Lists the edits of one grade or of all, newest first.
#[utoipa::path(
    operation_id = "listEdits",
    tag = "review",
    security(("key" = [])),
    params(("grade" = Option<u8>, Query, description = "1 to 10; all grades when left out", minimum = 1, maximum = 10)),
    responses(
        (status = 200, description = "All edits", body = Vec<Edit>),
        (status = 400, description = "`Invalid grade`", body = ErrorBody),
        KeyRefusal,
    )
)]
#[get("/edit-log")]
pub async fn list(
    asked: After<ProviderKey, Query<GradeQuery>>,
    provider: Data<dyn Provider>,
) -> Result<HttpResponse, Error> {
    let After(_key, asked) = asked;
    listed("[", provider.edits(asked.optional()?), "]", serde_json::to_string).await
}

/// The id under which the edit is logged.
#[derive(Serialize, ToSchema)]
struct Appended {
    ok: bool,
    id: Uuid,
}

/// Appends an edit to the log. An edit whose id is logged already is not appended again; one without an id gets one.
#[utoipa::path(
    operation_id = "appendEdit",
    tag = "review",
    security(("key" = [])),
    request_body = Edit,
    responses(
        (status = 200, description = "Appended, or there already", body = Appended),
        (status = 400, description = "`Invalid <field>`, such as `Invalid changes`", body = ErrorBody),
        KeyRefusal,
    )
)]
#[post("/edit-log")]
pub async fn append(
    asked: After<ProviderKey, Body<LARGE_BYTES_MAX>>,
    database: Data<Database>,
    clock: Data<Clock>,
) -> Result<HttpResponse, Error> {
    let After(_key, Body(body)) = asked;
    let edit = edit(&JsonFields::read(&body)?, &clock)?;
    let id = edit.id;
    edits::append(&database, edit).await?;
    Ok(HttpResponse::Ok().json(Appended { ok: true, id }))
}

fn edit(fields: &JsonFields, clock: &Clock) -> Result<Edit, Error> {
    Ok(Edit {
        id: fields.field("id").optional()?.unwrap_or_else(Uuid::new_v4),
        question_id: fields.field("questionId").parsed(question_id)?,
        grade: fields.field("grade").required()?,
        edited_by: fields.field("editedBy").parsed(normal_email)?,
        edited_by_name: shown_name(fields.field("editedByName"))?,
        edited_at: fields.field("editedAt").optional()?.unwrap_or_else(|| clock.now()),
        changes: fields.field("changes").required_parsed(sound_changes)?,
        comment: fields.field("comment").note()?,
    })
}

fn question_id(text: &str) -> Option<String> {
    let is_sound =
        !text.is_empty() && text.encode_utf16().count() <= ID_UNITS_MAX && !text.chars().any(char::is_control);
    is_sound.then(|| text.to_owned())
}

fn sound_changes(changes: Vec<Change>) -> Option<Vec<Change>> {
    let is_short = |text: &String| text.encode_utf16().count() <= TEXT_UNITS_MAX;
    let are_short =
        changes.iter().all(|change| [&change.field, &change.before, &change.after].into_iter().all(is_short));
    (changes.len() <= CHANGES_MAX && are_short).then_some(changes)
}
