//! `GET` and `PUT /api/me/view`: what a person has set the students' pages to, kept with the account so that it is
//! there on every device. The pages alone know what is in it.

use actix_web::web::Data;
use actix_web::{HttpResponse, get, put};
use domain::view::is_view;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::auth::caller::SignedIn;
use crate::clock::Clock;
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::private;
use crate::http::body::Body;
use crate::store::views;

/// Bytes of a body with a view, which has room for white space around it.
const VIEW_BODY_BYTES_MAX: usize = 8 * 1_024;

/// What the caller has set the pages to.
#[derive(Serialize, ToSchema)]
struct MyView<'a> {
    /// As the pages have stored it; null before they have.
    #[schema(value_type = Option<Map<String, Value>>, required)]
    view: Option<&'a RawValue>,
}

/// What the caller sets the pages to.
#[derive(Deserialize, ToSchema)]
struct PutMyView<'a> {
    /// Any object of 4 KiB at most. It takes the place of what was stored, and comes back as it is.
    #[serde(borrow)]
    #[schema(value_type = Map<String, Value>)]
    view: Option<&'a RawValue>,
}

impl<'a> PutMyView<'a> {
    /// The object of a body, as it was written.
    fn read(body: &'a [u8]) -> Result<&'a RawValue, Error> {
        let text = std::str::from_utf8(body).ok().filter(|text| text.trim_start().starts_with('{'));
        let parsed: Option<Self> = text.and_then(|text| serde_json::from_str(text).ok());
        let view = parsed.ok_or_else(|| Error::invalid("body"))?.view;
        view.filter(|view| is_view(view.get())).ok_or_else(|| Error::invalid("view"))
    }
}

/// What the caller has set the students' pages to.
#[utoipa::path(
    operation_id = "readMyView",
    tag = "sign-in",
    security(("api_token" = [])),
    responses(
        (status = 200, description = "What is stored", body = MyView),
        (status = 401, description = "Not signed in", body = ErrorBody),
    )
)]
#[get("/api/me/view")]
pub async fn read(SignedIn(caller): SignedIn, database: Data<Database>) -> Result<HttpResponse, Error> {
    let stored = views::find(&database, &caller.email).await?;
    let view = stored.map(RawValue::from_string).transpose()?;
    Ok(private(&mut HttpResponse::Ok()).json(MyView { view: view.as_deref() }))
}

/// Stores what the caller has set the students' pages to. The last write holds.
#[utoipa::path(
    operation_id = "saveMyView",
    tag = "sign-in",
    security(("api_token" = [])),
    request_body = PutMyView,
    responses(
        (status = 200, description = "What is stored now", body = MyView),
        (status = 400, description = "`Invalid view`, also for one that is too long", body = ErrorBody),
        (status = 401, description = "Not signed in", body = ErrorBody),
    )
)]
#[put("/api/me/view")]
pub async fn save(
    asked: After<SignedIn, Body<VIEW_BODY_BYTES_MAX>>,
    database: Data<Database>,
    clock: Data<Clock>,
) -> Result<HttpResponse, Error> {
    let After(SignedIn(caller), Body(body)) = asked;
    let view = PutMyView::read(&body)?;
    views::put(&database, &caller.email, view.get(), clock.now()).await?;
    Ok(private(&mut HttpResponse::Ok()).json(MyView { view: Some(view) }))
}
