//! Orders and codes of proctors over plain HTTPS, for systems that hold no socket. They take the same way into the
//! database as those of the socket.

use actix_web::web::{Data, Path, Query};
use actix_web::{Error as ActixError, HttpResponse, post};
use domain::access::Role;
use domain::grade::Grade;
use domain::order::OrderTarget;
use domain::room::RoomKey;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::list::AskedRoom;
use super::protocol::{FRAME_BYTES_MAX, parse_order};
use super::{orders, rights};
use crate::auth::caller::Staff;
use crate::http::after::After;
use crate::http::body::Body;
use crate::live::Live;
use crate::live::error::{LiveError, LiveErrorBody};
use crate::live::moves::{self, MadeCode};
use crate::live::protocol::fault::{Code, Fault};
use crate::live::shapes::proctor::OrderId;
use crate::live::store::{OrderConnection, ProctorCommand};
use crate::sessions::read::{parse_id, private};

/// What an order does.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[allow(dead_code, reason = "describes the body, which is parsed field by field")]
enum OrderKind {
    Extend,
    Pause,
    Unpause,
    Finish,
    Notice,
}

/// An order of a proctor. A repeat of the same order with the same `id` within an hour is done once.
#[derive(ToSchema)]
#[schema(examples(json!({ "id": "5b1c8d0e-6f5e-4c8e-9c59-5a3f8f5a2f10", "type": "extend", "minutes": 5 })))]
#[expect(dead_code, reason = "describes the body, which is parsed field by field")]
struct OrderRequest {
    id: OrderId,
    r#type: OrderKind,
    /// Of `extend`: 1 to 120.
    #[schema(minimum = 1, maximum = 120)]
    minutes: Option<u32>,
    /// Of `notice`: 1 to 500 characters.
    #[schema(max_length = 500)]
    text: Option<String>,
}

/// The order is carried out.
#[derive(Serialize, ToSchema)]
struct OrderedView {
    /// The sessions that were changed. Those that were in the ordered state already do not count.
    count: u64,
}

/// Carries out a proctor's order for one session.
#[utoipa::path(
    operation_id = "orderSession",
    tag = "live",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Session id")),
    request_body(content = OrderRequest),
    responses(
        (status = 200, description = "The order is stored; the student gets it within a second", body = OrderedView),
        (status = 400, description = "No such order", body = LiveErrorBody),
        (status = 401, description = "Not signed in", body = LiveErrorBody),
        (status = 403, description = "Not assigned to this grade", body = LiveErrorBody),
        (status = 404, description = "Unknown session", body = LiveErrorBody),
        (status = 409, description = "`already_submitted`, or `id_reused`: another order had this `id`", body = LiveErrorBody),
        (status = 503, description = "Send it again with the same `id`", body = LiveErrorBody),
    )
)]
#[post("/api/live/sessions/{id}/orders")]
pub async fn order_session(
    asked: Result<After<Staff, (Path<String>, Body<FRAME_BYTES_MAX>)>, ActixError>,
    live: Data<Live>,
) -> Result<HttpResponse, LiveError> {
    let After(staff, (id, Body(body))) = asked?;
    let (session_id, grade) = watched_session(&live, &staff, &id).await?;
    let addressee = Addressee { room: RoomKey::Grade(grade), target: OrderTarget::One(session_id), grade };
    give(&live, &staff, addressee, &body).await
}

/// Carries out a proctor's order for every session of a room that is not submitted.
#[utoipa::path(
    operation_id = "orderRoom",
    tag = "live",
    security(("api_token" = [])),
    params(
        ("grade" = Option<u8>, Query, description = "1 to 10; or `templateId`", minimum = 1, maximum = 10),
        ("templateId" = Option<String>, Query, description = "Id of a template"),
    ),
    request_body(content = OrderRequest),
    responses(
        (status = 200, description = "The order is stored; students get it within a second", body = OrderedView),
        (status = 400, description = "No such order, or neither a grade nor a template, or both", body = LiveErrorBody),
        (status = 401, description = "Not signed in", body = LiveErrorBody),
        (status = 403, description = "Not assigned to this grade", body = LiveErrorBody),
        (status = 404, description = "Unknown template", body = LiveErrorBody),
        (status = 409, description = "`id_reused`: another order had this `id`", body = LiveErrorBody),
        (status = 503, description = "Send it again with the same `id`", body = LiveErrorBody),
    )
)]
#[post("/api/live/rooms/orders")]
pub async fn order_room(
    asked: Result<After<Staff, (Query<AskedRoom>, Body<FRAME_BYTES_MAX>)>, ActixError>,
    live: Data<Live>,
) -> Result<HttpResponse, LiveError> {
    let After(staff, (room, Body(body))) = asked?;
    let room = room.key()?;
    let grade = rights::grade_of(&live, room).await?;
    staff.reviewing(grade)?;
    give(&live, &staff, Addressee { room, target: OrderTarget::All, grade }, &body).await
}

/// Makes a short code with which the student of a session can go on with another device.
///
/// It is valid for two minutes and serves once; a new one replaces it.
#[utoipa::path(
    operation_id = "createMoveCode",
    tag = "live",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Session id")),
    responses(
        (status = 200, description = "The code", body = MadeCode),
        (status = 401, description = "Not signed in", body = LiveErrorBody),
        (status = 403, description = "Not assigned to this grade", body = LiveErrorBody),
        (status = 404, description = "Unknown session", body = LiveErrorBody),
        (status = 409, description = "The test has been submitted", body = LiveErrorBody),
        (status = 503, description = "Not now", body = LiveErrorBody),
    )
)]
#[post("/api/live/sessions/{id}/code")]
pub async fn code(
    asked: Result<After<Staff, Path<String>>, ActixError>,
    live: Data<Live>,
) -> Result<HttpResponse, LiveError> {
    let After(staff, id) = asked?;
    let (session_id, _) = watched_session(&live, &staff, &id).await?;
    let made = moves::make_code(&live, session_id, &staff.0.email).await?;
    Ok(private(&mut HttpResponse::Ok()).json(made))
}

/// The session with this id and its grade, which the caller must be allowed to watch.
async fn watched_session(live: &Live, staff: &Staff, id: &str) -> Result<(Uuid, Grade), LiveError> {
    let session_id = parse_id(id)?;
    let found = rights::in_time(rights::find_room_of(live, session_id)).await?;
    let (grade, _) = found.ok_or_else(Fault::unknown_session)?;
    staff.reviewing(grade)?;
    Ok((session_id, grade))
}

/// Whom an order is for.
struct Addressee {
    room: RoomKey,
    target: OrderTarget,
    /// The grade that the caller must be allowed to watch.
    grade: Grade,
}

/// Carries out the order in a body.
async fn give(
    live: &Live,
    Staff(identity): &Staff,
    Addressee { room, target, grade }: Addressee,
    body: &[u8],
) -> Result<HttpResponse, LiveError> {
    let text = std::str::from_utf8(body).map_err(|_| Fault::new(Code::BadMessage, "The body is not JSON"))?;
    let (id, order) = parse_order(text)?;
    let asked = ProctorCommand {
        proctor: identity.email.clone(),
        room,
        id: id.get().to_owned(),
        connection: OrderConnection::Https,
        target,
        grade: (identity.role != Role::Admin).then_some(grade),
        order,
    };
    let count = orders::give(live, identity, &asked).await?;
    Ok(private(&mut HttpResponse::Ok()).json(OrderedView { count }))
}
