//! The shapes of frames, for the documents of the API. The code that makes and reads frames knows each only as text or
//! field by field, so `tests/clients` compares these shapes with the golden frames and with real sockets.
#![allow(dead_code, reason = "describes what others read and write")]

pub mod proctor;
pub mod server;
pub mod sitting;
pub mod student;
pub mod times;

use utoipa::openapi::schema::{Object, ObjectBuilder, OneOf, Schema, Type};
use utoipa::openapi::{Components, RefOr};

/// Each frame's schema, with the `type` by which it is known. A schema may stand for several types.
pub const KINDS: [(&str, &[&str]); 55] = [
    ("StartOfGrade", &["start"]),
    ("StartOfTemplate", &["start"]),
    ("Enter", &["enter"]),
    ("Resume", &["resume"]),
    ("Answer", &["answer"]),
    ("Mark", &["mark"]),
    ("Eliminate", &["eliminate"]),
    ("Ready", &["ready"]),
    ("Visit", &["visit"]),
    ("Drawing", &["drawing"]),
    ("Next", &["next"]),
    ("Submit", &["submit"]),
    ("Sync", &["sync"]),
    ("Focus", &["focus"]),
    ("TroubleReport", &["trouble"]),
    ("ReceiptRequest", &["receipt"]),
    ("Started", &["started"]),
    ("Resumed", &["resumed"]),
    ("Waiting", &["waiting"]),
    ("Begin", &["begin"]),
    ("Saved", &["saved"]),
    ("Stage", &["stage"]),
    ("Submitted", &["submitted"]),
    ("Receipt", &["receipt"]),
    ("Time", &["time"]),
    ("Alert", &["alert"]),
    ("Paused", &["paused"]),
    ("Unpaused", &["unpaused"]),
    ("Extended", &["extended"]),
    ("Notice", &["notice"]),
    ("Superseded", &["superseded"]),
    ("Restarting", &["restarting"]),
    ("LiveError", &["error"]),
    ("WatchOfGrade", &["watch"]),
    ("WatchOfTemplate", &["watch"]),
    ("WatchOfSitting", &["watch"]),
    ("View", &["view"]),
    ("PauseOrder", &["pause"]),
    ("Order", &["unpause", "undo", "finish"]),
    ("ExtendOrder", &["extend"]),
    ("NoticeOrder", &["notice"]),
    ("OnlyThisDeviceOrder", &["only_this_device"]),
    ("ReopenOrder", &["reopen"]),
    ("BeginOrder", &["begin"]),
    ("AttendanceOrder", &["present", "absent", "admit"]),
    ("IncidentOrder", &["incident"]),
    ("HistoryRequest", &["history"]),
    ("CodeRequest", &["code"]),
    ("Roster", &["roster"]),
    ("Changes", &["changes"]),
    ("RoomProgress", &["progress"]),
    ("OrderDone", &["done"]),
    ("History", &["history"]),
    ("MoveCode", &["code"]),
    ("OrderError", &["error"]),
];

const TYPE: &str = "type";

/// Gives each frame its `type`, and each union that is told apart by it the list of its types.
pub fn complete(components: &mut Components) {
    for schema in components.schemas.values_mut() {
        if let RefOr::T(Schema::OneOf(union)) = schema {
            map_types(union);
        }
    }
    for (name, kinds) in KINDS {
        let Some(RefOr::T(schema)) = components.schemas.get_mut(name) else { continue };
        if let Some(object) = own_fields(schema) {
            // The body of a start by HTTPS needs no type, since it can be nothing else.
            add_type(object, kinds, !name.starts_with("StartOf"));
        }
    }
}

/// The fields of a frame, without those that it shares with others.
fn own_fields(schema: &mut Schema) -> Option<&mut Object> {
    match schema {
        Schema::Object(object) => Some(object),
        Schema::AllOf(parts) => parts.items.iter_mut().find_map(|part| match part {
            RefOr::T(Schema::Object(object)) => Some(object),
            _ => None,
        }),
        _ => None,
    }
}

fn add_type(object: &mut Object, kinds: &[&str], is_required: bool) {
    let kind = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(kinds.iter().copied())).build();
    object.properties.insert(TYPE.to_owned(), RefOr::T(Schema::Object(kind)));
    if is_required {
        object.required.insert(0, TYPE.to_owned());
    }
}

fn map_types(union: &mut OneOf) {
    let Some(discriminator) = union.discriminator.as_mut() else { return };
    for reference in union.items.iter().filter_map(|item| if let RefOr::Ref(found) = item { Some(found) } else { None })
    {
        let name = reference.ref_location.rsplit('/').next().unwrap_or_default();
        for kind in KINDS.iter().filter(|(schema, _)| *schema == name).flat_map(|(_, kinds)| *kinds) {
            discriminator.mapping.insert((*kind).to_owned(), reference.ref_location.clone());
        }
    }
}
