//! The AsyncAPI document of the two sockets, generated from `src/live/shapes.rs` for clients that generate their code.

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;
use utoipa::openapi::Components;

use super::shapes;
use super::shapes::proctor::{
    AttendanceOrderShape, BeginOrderShape, ChangesShape, CodeRequestShape, ExtendShape, HistoryRequestShape,
    HistoryShape, IncidentOrderShape, MoveCodeShape, NoticeOrderShape, OnlyThisDeviceShape, OrderDoneShape,
    OrderErrorShape, OrderShape, PauseShape, ProgressShape, ReopenShape, RosterShape, ViewShape, WatchShape,
};
use super::shapes::server::{
    LiveErrorShape, NoticeShape, ReceiptShape, RestartingShape, ResumedShape, SavedShape, StageShape, StartedShape,
    SubmittedShape, SupersededShape,
};
use super::shapes::sitting::{BeginShape, EnterShape, ReadyShape, WaitingShape};
use super::shapes::student::{
    AnswerShape, DrawingShape, EliminateShape, FocusShape, MarkShape, NextShape, ReceiptRequestShape, ResumeShape,
    StartShape, SubmitShape, SyncShape, TroubleShape, VisitShape,
};
use super::shapes::times::{AlertShape, ExtendedShape, PausedShape, TimeShape, UnpausedShape};
use crate::error::Error;

const STUDENT_ABOUT: &str = "One student's exam. The first frame is `start` or `resume`. Each command has a number, `seq`; `saved` says up to \
    which number all commands of this socket are in the database. After a lost connection resume, and send again what was \
    not answered. Offer the subprotocol `examhall.live.v1`. Frames are text of 256 KiB at most, one JSON object each. The \
    server pings every 20 s, and drops a peer that is silent for 60 s. Close codes: 1000 submitted, 1009 too large, 1012 \
    restarting, 1013 try again later, 4001 superseded, 4400 too many bad messages, 4401 not signed in, 4403 wrong token, \
    4404 unknown session or template.";
const PROCTOR_ABOUT: &str = "A room: all sessions of a grade or of a template, for the staff of that grade, or everyone on the roster of a \
    sitting, for those who manage it and for the proctors of its rooms. The first frame is `watch`; the answer is \
    `roster` in parts, then `changes`, in whole rows or, for who asks, as differences with a view. Orders have an `id` of the client's own, which the answer repeats; the same `id` with \
    the same content is done once, and on the same connection it is refused as `id_reused` with another order. Frames are text of 16 KiB at most. Close codes: 1009 too large, 1012 restarting, 1013 try \
    again later, 4400 too many bad messages, 4401 no longer signed in, 4403 no longer allowed.";

/// The document as it is sent.
pub struct SocketsDocument(pub String);

/// The AsyncAPI 3 document of the WebSockets.
#[utoipa::path(
    operation_id = "readSocketsDocument",
    tag = "operations",
    responses((status = 200, description = "The document", body = Object, content_type = "application/json"))
)]
#[get("/api/asyncapi.json")]
pub async fn read(document: Data<SocketsDocument>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header(("Cache-Control", "no-cache"))
        .content_type("application/json")
        .body(document.0.clone())
}

/// Makes the document for a server with this public address.
pub fn document(public_address: &str) -> Result<String, Error> {
    let mut parts = Parts::default();
    let student = [
        parts.add::<StartShape>(),
        parts.add::<ResumeShape>(),
        parts.add::<AnswerShape>(),
        parts.add::<MarkShape>(),
        parts.add::<EliminateShape>(),
        parts.add::<EnterShape>(),
        parts.add::<ReadyShape>(),
        parts.add::<VisitShape>(),
        parts.add::<DrawingShape>(),
        parts.add::<NextShape>(),
        parts.add::<SubmitShape>(),
        parts.add::<SyncShape>(),
        parts.add::<FocusShape>(),
        parts.add::<TroubleShape>(),
        parts.add::<ReceiptRequestShape>(),
    ];
    let to_student = [
        parts.add::<StartedShape>(),
        parts.add::<ResumedShape>(),
        parts.add::<WaitingShape>(),
        parts.add::<BeginShape>(),
        parts.add::<SavedShape>(),
        parts.add::<StageShape>(),
        parts.add::<SubmittedShape>(),
        parts.add::<ReceiptShape>(),
        parts.add::<TimeShape>(),
        parts.add::<AlertShape>(),
        parts.add::<PausedShape>(),
        parts.add::<UnpausedShape>(),
        parts.add::<ExtendedShape>(),
        parts.add::<NoticeShape>(),
        parts.add::<SupersededShape>(),
        parts.add::<RestartingShape>(),
        parts.add::<LiveErrorShape>(),
    ];
    let proctor = [
        parts.add::<WatchShape>(),
        parts.add::<ViewShape>(),
        parts.add::<OrderShape>(),
        parts.add::<PauseShape>(),
        parts.add::<ExtendShape>(),
        parts.add::<NoticeOrderShape>(),
        parts.add::<OnlyThisDeviceShape>(),
        parts.add::<ReopenShape>(),
        parts.add::<BeginOrderShape>(),
        parts.add::<AttendanceOrderShape>(),
        parts.add::<IncidentOrderShape>(),
        parts.add::<HistoryRequestShape>(),
        parts.add::<CodeRequestShape>(),
    ];
    let to_proctor = [
        parts.add::<RosterShape>(),
        parts.add::<ChangesShape>(),
        parts.add::<ProgressShape>(),
        parts.add::<OrderDoneShape>(),
        parts.add::<HistoryShape>(),
        parts.add::<MoveCodeShape>(),
        parts.add::<OrderErrorShape>(),
        parts.add::<RestartingShape>(),
    ];
    shapes::complete(&mut parts.components);
    let schemas = serde_json::to_value(&parts.components.schemas)?;
    let (scheme, rest) = public_address.split_once("://").unwrap_or(("http", public_address));
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let document = json!({
        "asyncapi": "3.0.0",
        "info": {
            "title": "Exam Hall: live exams",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "The WebSockets of students and proctors. The same exam can be taken by plain HTTPS: `/api/openapi.json` has those routes.",
            "license": { "name": env!("CARGO_PKG_LICENSE") },
            "tags": [{ "name": "live", "description": "Exams that the server keeps while they are taken." }],
        },
        "defaultContentType": "application/json",
        "servers": { "hall": {
            "host": host,
            "pathname": if path.is_empty() { "/" } else { path },
            "protocol": if scheme == "https" { "wss" } else { "ws" },
            "description": "This server",
        } },
        "channels": {
            "student": channel("/api/live", "A student's socket", STUDENT_ABOUT, &[&student[..], &to_student].concat()),
            "proctor": channel("/api/live/proctor", "A proctor's socket", PROCTOR_ABOUT, &[&proctor[..], &to_proctor].concat()),
        },
        "operations": {
            "receiveStudentFrame": operation("receive", "student", "What a student's client sends.", &student),
            "sendStudentFrame": operation("send", "student", "What the server sends to a student.", &to_student),
            "receiveProctorFrame": with_security(operation("receive", "proctor", "What a proctor's client sends.", &proctor)),
            "sendProctorFrame": with_security(operation("send", "proctor", "What the server sends to a proctor.", &to_proctor)),
        },
        "components": {
            "schemas": schemas,
            "messages": parts.messages,
            "securitySchemes": {
                "api_token": { "type": "http", "scheme": "bearer", "description": "An API token" },
                "api_token_basic": { "type": "http", "scheme": "basic", "description": "An API token as the password" },
                "sign_in": { "type": "httpApiKey", "in": "cookie", "name": "examhall", "description": "Of a sign-in; `__Host-examhall` on https" },
            },
        },
    });
    Ok(document.to_string())
}

/// The schemas and messages of the frames that were added.
#[derive(Default)]
struct Parts {
    components: Components,
    messages: Map<String, Value>,
}

impl Parts {
    /// Adds a frame. Returns the name of its message.
    fn add<T: ToSchema>(&mut self) -> String {
        let name = T::name().into_owned();
        let mut schemas = vec![(name.clone(), T::schema())];
        T::schemas(&mut schemas);
        self.components.schemas.extend(schemas);
        let message =
            json!({ "name": name, "title": name, "payload": { "$ref": format!("#/components/schemas/{name}") } });
        self.messages.insert(name.clone(), message);
        name
    }
}

fn channel(address: &str, title: &str, about: &str, messages: &[String]) -> Value {
    let messages: Map<String, Value> = messages
        .iter()
        .map(|name| (name.clone(), json!({ "$ref": format!("#/components/messages/{name}") })))
        .collect();
    json!({
        "address": address,
        "title": title,
        "description": about,
        "servers": [{ "$ref": "#/servers/hall" }],
        "messages": messages,
        "bindings": { "ws": { "method": "GET", "bindingVersion": "0.1.0" } },
    })
}

fn operation(action: &str, channel: &str, summary: &str, messages: &[String]) -> Value {
    let message = |name: &String| json!({ "$ref": format!("#/channels/{channel}/messages/{name}") });
    json!({
        "action": action,
        "channel": { "$ref": format!("#/channels/{channel}") },
        "summary": summary,
        "messages": messages.iter().map(message).collect::<Vec<_>>(),
    })
}

/// A proctor's socket opens for those who are signed in alone.
fn with_security(mut operation: Value) -> Value {
    let scheme = |name| json!({ "$ref": format!("#/components/securitySchemes/{name}") });
    let schemes = ["api_token", "api_token_basic", "sign_in"].into_iter().map(scheme).collect();
    if let Some(operation) = operation.as_object_mut() {
        operation.insert("security".to_owned(), schemes);
    }
    operation
}
