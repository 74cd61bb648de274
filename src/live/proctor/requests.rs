//! Orders and codes of proctors over plain HTTPS, for systems that hold no socket. They take the same way into the
//! database as those of the socket.

use actix_web::web::{Data, Path, Query};
use actix_web::{Error as ActixError, HttpResponse, post};
use domain::access::Identity;
use domain::order::OrderTarget;
use domain::order::standing::UnchangedSession;
use domain::room::RoomKey;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use super::caller::Proctoring;
use super::list::AskedRoom;
use super::protocol::{FRAME_BYTES_MAX, parse_order, parse_room_order};
use super::{orders, rights};
use crate::http::after::After;
use crate::http::answers::private;
use crate::http::body::Body;
use crate::live::Live;
use crate::live::error::{LiveError, LiveErrorBody};
use crate::live::moves::{self, MadeCode};
use crate::live::protocol::fault::{Code, Fault};
use crate::live::shapes::proctor::OrderId;
use crate::live::store::{CarriedOut, CommandContent, OrderConnection, ProctorCommand};
use crate::sessions::read::parse_id;

/// What an order does.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[allow(dead_code, reason = "describes the body, which is parsed field by field")]
enum OrderKind {
    Extend,
    Pause,
    Unpause,
    Undo,
    Finish,
    Notice,
    OnlyThisDevice,
    Reopen,
}

/// What an order for a room does. Rooms of sittings take those after `notice` too.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[allow(dead_code, reason = "describes the body, which is parsed field by field")]
enum RoomOrderKind {
    Extend,
    Pause,
    Unpause,
    Undo,
    Finish,
    Notice,
    Begin,
    Present,
    Absent,
    Admit,
    Incident,
}

/// An order of a proctor for a room. A repeat of the same order with the same `id` within an hour is done once.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!({ "id": "5b1c8d0e-6f5e-4c8e-9c59-5a3f8f5a2f10", "type": "extend", "minutes": 5 })))]
#[expect(dead_code, reason = "describes the body, which is parsed field by field")]
struct RoomOrderRequest {
    id: OrderId,
    r#type: RoomOrderKind,
    /// Of `extend`: -120 to 120, and not 0.
    #[schema(minimum = -120, maximum = 120)]
    minutes: Option<i32>,
    /// Of `notice`: 1 to 500 characters; of `incident`: 1 to 1,000; of `pause`, which need not have one: 1 to 200.
    #[schema(max_length = 1000)]
    text: Option<String>,
    /// Of `present`, `absent` and `admit`: a candidate, or `*` for everyone in the room whom it can mean. Of
    /// `incident`: a candidate, if it does not concern the whole room.
    candidate_id: Option<String>,
    /// Of `incident`: 1 to 50 characters, such as `device`.
    #[schema(max_length = 50)]
    kind: Option<String>,
}

/// An order of a proctor. A repeat of the same order with the same `id` within an hour is done once.
#[derive(ToSchema)]
#[schema(examples(json!({ "id": "5b1c8d0e-6f5e-4c8e-9c59-5a3f8f5a2f10", "type": "extend", "minutes": 5 })))]
#[expect(dead_code, reason = "describes the body, which is parsed field by field")]
struct OrderRequest {
    id: OrderId,
    r#type: OrderKind,
    /// Of `extend`: -120 to 120, and not 0. Of `reopen`, which need not have any: 1 to 120.
    #[schema(minimum = -120, maximum = 120)]
    minutes: Option<i32>,
    /// Of `notice`: 1 to 500 characters; of `pause`, which need not have one: 1 to 200.
    #[schema(max_length = 500)]
    text: Option<String>,
    /// Of `reopen`: also for a student who has been shown the right options.
    force: Option<bool>,
}

/// The order is carried out.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct OrderedView {
    /// Of `undo`: the name of the order that was taken back.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    undone: Option<String>,
    /// The sessions, candidates or rooms that were changed.
    count: u64,
    /// How many sessions it was for and has left as they were; absent if none, like the next.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    unchanged_count: Option<u64>,
    /// The first hundred of them, with the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    unchanged: Option<Vec<UnchangedSession>>,
    /// Of `only_this_device`: the candidate's new access code. A repeat is answered without it when it is void.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "K7QM-3X82")]
    code: Option<String>,
}

impl From<CarriedOut> for OrderedView {
    fn from(CarriedOut { undone, count, unchanged_count, unchanged, code: access_code }: CarriedOut) -> Self {
        let is_any = unchanged_count > 0;
        Self {
            undone,
            count,
            unchanged_count: is_any.then_some(unchanged_count),
            unchanged: is_any.then_some(unchanged),
            code: access_code.as_ref().map(ToString::to_string),
        }
    }
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
        (status = 403, description = "Neither assigned to this grade nor a proctor of this room", body = LiveErrorBody),
        (status = 404, description = "Unknown session", body = LiveErrorBody),
        (status = 409, description = "`already_submitted`, or `id_reused`: another order had this `id`; of `reopen` `not_submitted`, `released`, `too_old`, `answers_seen` without `force`, or `too_little_time` without `minutes`", body = LiveErrorBody),
        (status = 503, description = "Send it again with the same `id`", body = LiveErrorBody),
    )
)]
#[post("/api/live/sessions/{id}/orders")]
pub async fn order_session(
    asked: Result<After<Proctoring, (Path<String>, Body<FRAME_BYTES_MAX>)>, ActixError>,
    live: Data<Live>,
) -> Result<HttpResponse, LiveError> {
    let After(Proctoring(identity), (id, Body(body))) = asked?;
    let (session_id, room) = own_session(&live, &identity, &id).await?;
    let (id, order) = parse_order(text(&body)?)?;
    let content = CommandContent::Sessions { target: OrderTarget::One(session_id), grade: None, order };
    give(&live, &identity, room, &id, content).await
}

/// Carries out a proctor's order for every session of a room that is not submitted.
///
/// The rooms of sittings also take `begin`, `present`, `absent`, `admit` and `incident`.
#[utoipa::path(
    operation_id = "orderRoom",
    tag = "live",
    security(("api_token" = [])),
    params(
        ("grade" = Option<u8>, Query, description = "1 to 10; or `templateId`, or `sittingId`", minimum = 1, maximum = 10),
        ("templateId" = Option<String>, Query, description = "Id of a template"),
        ("sittingId" = Option<String>, Query, description = "Id of a sitting"),
        ("room" = Option<String>, Query, description = "With `sittingId`: the name of one of its rooms"),
    ),
    request_body(content = RoomOrderRequest),
    responses(
        (status = 200, description = "The order is stored; students get it within a second", body = OrderedView),
        (status = 400, description = "No such order, or not one of a grade, a template and a sitting", body = LiveErrorBody),
        (status = 401, description = "Not signed in", body = LiveErrorBody),
        (status = 403, description = "Not assigned to this grade, not a proctor of this room, or it does not begin so", body = LiveErrorBody),
        (status = 404, description = "Unknown template, sitting, room or candidate", body = LiveErrorBody),
        (status = 409, description = "`id_reused`: another order had this `id`; or `sitting_ended`", body = LiveErrorBody),
        (status = 429, description = "Too many incidents", body = LiveErrorBody),
        (status = 503, description = "Send it again with the same `id`", body = LiveErrorBody),
    )
)]
#[post("/api/live/rooms/orders")]
pub async fn order_room(
    asked: Result<After<Proctoring, (Query<AskedRoom>, Body<FRAME_BYTES_MAX>)>, ActixError>,
    live: Data<Live>,
) -> Result<HttpResponse, LiveError> {
    let After(Proctoring(identity), (asked, Body(body))) = asked?;
    let (room, oversight) = rights::in_time(rights::find_room(&live, &identity, &asked.choice()?)).await?;
    let (id, order) = parse_room_order(text(&body)?)?;
    let content = order.content(OrderTarget::All, &identity, oversight);
    give(&live, &identity, room, &id, content).await
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
        (status = 403, description = "Neither assigned to this grade nor a proctor of this room", body = LiveErrorBody),
        (status = 404, description = "Unknown session", body = LiveErrorBody),
        (status = 409, description = "The test has been submitted", body = LiveErrorBody),
        (status = 503, description = "Not now", body = LiveErrorBody),
    )
)]
#[post("/api/live/sessions/{id}/code")]
pub async fn code(
    asked: Result<After<Proctoring, Path<String>>, ActixError>,
    live: Data<Live>,
) -> Result<HttpResponse, LiveError> {
    let After(Proctoring(identity), id) = asked?;
    let (session_id, _) = own_session(&live, &identity, &id).await?;
    let made = moves::make_code(&live, session_id, &identity.email).await?;
    Ok(private(&mut HttpResponse::Ok()).json(made))
}

/// The session with this id, on which the caller must be allowed to act, and the room in which they see it.
async fn own_session(live: &Live, identity: &Identity, id: &str) -> Result<(Uuid, RoomKey), LiveError> {
    let session_id = parse_id(id)?;
    let asking = async {
        let found = rights::find_place_of(live, session_id).await?;
        rights::acting_on(live, identity, &found.ok_or_else(Fault::unknown_session)?).await
    };
    let (room, _) = rights::in_time(asking).await?;
    Ok((session_id, room))
}

fn text(body: &[u8]) -> Result<&str, Fault> {
    std::str::from_utf8(body).map_err(|_| Fault::new(Code::BadMessage, "The body is not JSON"))
}

/// Carries out the order in a body.
async fn give(
    live: &Live,
    identity: &Identity,
    room: RoomKey,
    id: &RawValue,
    content: CommandContent,
) -> Result<HttpResponse, LiveError> {
    let proctor = identity.email.clone();
    let connection = OrderConnection::Https;
    let asked = ProctorCommand { proctor, room, id: id.get().to_owned(), connection, content };
    let done = orders::give(live, identity, &asked).await?;
    Ok(private(&mut HttpResponse::Ok()).json(OrderedView::from(done)))
}
