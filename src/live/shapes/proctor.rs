//! The shapes of proctors' frames, in both directions.

use std::collections::BTreeMap;

use domain::order::standing::UnchangedSession;
use domain::room::row::SessionRow;
use domain::sitting::values::StartRule;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::live::proctor::history::EventView;
use crate::live::protocol::fault::Code;
use crate::live::rooms::room::OutageView;
use crate::sittings::standing::{HallStandingView, StandingView};

/// Watches a room: the sessions of a grade or of a template, or the candidates of a sitting.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = Watch)]
pub enum WatchShape {
    OfGrade(WatchOfGrade),
    OfTemplate(WatchOfTemplate),
    OfSitting(WatchOfSitting),
}

/// Watches all sessions of a grade, those from its templates included.
#[derive(Serialize, ToSchema)]
pub struct WatchOfGrade {
    #[schema(minimum = 1, maximum = 10)]
    grade: u8,
    /// The last `seq` of this room that the client has, to get only what it missed.
    since: Option<u64>,
    /// Whether changes come as the fields that differ, and not as whole rows.
    #[schema(nullable = false)]
    differences: Option<bool>,
    /// Whether large frames may come as binary messages: the same text as raw deflate.
    #[schema(nullable = false)]
    compressed: Option<bool>,
}

/// Watches the sessions that were started from a template.
#[derive(Serialize, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct WatchOfTemplate {
    template_id: Uuid,
    /// The last `seq` of this room that the client has, to get only what it missed.
    since: Option<u64>,
    /// Whether changes come as the fields that differ, and not as whole rows.
    #[schema(nullable = false)]
    differences: Option<bool>,
    /// Whether large frames may come as binary messages: the same text as raw deflate.
    #[schema(nullable = false)]
    compressed: Option<bool>,
}

/// Watches everyone on the roster of a sitting, or of one of its rooms.
#[derive(Serialize, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct WatchOfSitting {
    sitting_id: Uuid,
    /// The name of a room. Its proctors see that room alone.
    #[schema(nullable = false)]
    room: Option<String>,
    /// The last `seq` of this room that the client has, to get only what it missed.
    since: Option<u64>,
    /// Whether changes come as the fields that differ, and not as whole rows.
    #[schema(nullable = false)]
    differences: Option<bool>,
    /// Whether large frames may come as binary messages: the same text as raw deflate.
    #[schema(nullable = false)]
    compressed: Option<bool>,
}

/// Says which rows are in view, on a socket that is told differences.
#[derive(Serialize, ToSchema)]
#[schema(as = View)]
pub struct ViewShape {
    /// The numbers of the rows; all rows without it.
    #[schema(max_items = 500, nullable = false)]
    rows: Option<Vec<u32>>,
}

/// Chosen by the client and repeated in the answer: 1 to 64 characters, or a whole number.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum OrderId {
    Text(String),
    Number(i64),
}

/// Stops the time, of a student or of everyone.
#[derive(ToSchema)]
#[schema(as = PauseOrder, rename_all = "camelCase")]
pub struct PauseShape {
    id: OrderId,
    /// A session of the watched room, or `*` for all of them and for those who come later.
    session_id: String,
    /// What students are shown, such as "Fire alarm".
    #[schema(min_length = 1, max_length = 200, nullable = false)]
    text: Option<String>,
}

/// Lets the time go on, takes the last order for the same target back, or ends the test now.
#[derive(ToSchema)]
#[schema(as = Order, rename_all = "camelCase")]
pub struct OrderShape {
    id: OrderId,
    /// A session of the watched room, or `*` for all of them.
    session_id: String,
}

/// Gives time, or takes some.
#[derive(ToSchema)]
#[schema(as = ExtendOrder, rename_all = "camelCase")]
pub struct ExtendShape {
    id: OrderId,
    /// A session of the watched room, or `*` for all of them.
    session_id: String,
    /// Not 0.
    #[schema(minimum = -120, maximum = 120)]
    minutes: i32,
}

/// Shows a message to students.
#[derive(ToSchema)]
#[schema(as = NoticeOrder, rename_all = "camelCase")]
pub struct NoticeOrderShape {
    id: OrderId,
    /// A session of the watched room, or `*` for all of them.
    session_id: String,
    #[schema(min_length = 1, max_length = 500)]
    text: String,
}

/// Ends the tokens of all devices of a student but the one at work, and the codes for further ones. In a sitting the
/// candidate gets a new access code.
#[derive(ToSchema)]
#[schema(as = OnlyThisDeviceOrder, rename_all = "camelCase")]
pub struct OnlyThisDeviceShape {
    id: OrderId,
    session_id: Uuid,
}

/// Lets a test that has ended go on, for what was left when it ended and `minutes` beside it.
#[derive(ToSchema)]
#[schema(as = ReopenOrder, rename_all = "camelCase")]
pub struct ReopenShape {
    id: OrderId,
    session_id: Uuid,
    #[schema(minimum = 1, maximum = 120, nullable = false)]
    minutes: Option<u32>,
    /// Also for a student who has been shown the right options.
    #[schema(nullable = false)]
    force: Option<bool>,
}

/// Begins the sitting that is watched, or the room of it.
#[derive(ToSchema)]
#[schema(as = BeginOrder)]
pub struct BeginOrderShape {
    id: OrderId,
}

/// Marks a candidate as present or as absent, or lets one in although the entry is over.
#[derive(ToSchema)]
#[schema(as = AttendanceOrder, rename_all = "camelCase")]
pub struct AttendanceOrderShape {
    id: OrderId,
    /// A candidate of the watched room, or `*` for everyone there whom it can mean.
    candidate_id: String,
}

/// Puts something on the record of a candidate, or of the watched room.
#[derive(ToSchema)]
#[schema(as = IncidentOrder, rename_all = "camelCase")]
pub struct IncidentOrderShape {
    id: OrderId,
    #[schema(nullable = false)]
    candidate_id: Option<Uuid>,
    /// In the proctor's words, such as `device`.
    #[schema(min_length = 1, max_length = 50)]
    kind: String,
    #[schema(min_length = 1, max_length = 1000)]
    text: String,
}

/// Asks for the events of a session, or of a candidate who may not have one.
#[derive(ToSchema)]
#[schema(as = HistoryRequest, rename_all = "camelCase")]
pub struct HistoryRequestShape {
    id: OrderId,
    #[schema(nullable = false)]
    session_id: Option<Uuid>,
    #[schema(nullable = false)]
    candidate_id: Option<Uuid>,
}

/// Asks for a code with which the student of a session can go on with another device.
#[derive(ToSchema)]
#[schema(as = CodeRequest, rename_all = "camelCase")]
pub struct CodeRequestShape {
    id: OrderId,
    session_id: Uuid,
}

/// A room by its grade, its template, or its sitting and the name of a room there.
#[derive(Serialize, ToSchema)]
#[schema(as = Room, rename_all = "camelCase")]
pub struct RoomShape {
    #[schema(minimum = 1, maximum = 10, nullable = false)]
    grade: Option<u8>,
    #[schema(nullable = false)]
    template_id: Option<Uuid>,
    #[schema(nullable = false)]
    sitting_id: Option<Uuid>,
    #[schema(nullable = false)]
    room: Option<String>,
}

/// A row, with the number under which its differences come where differences are told.
#[derive(Serialize, ToSchema)]
#[schema(as = NumberedRow)]
pub struct NumberedRowShape {
    #[schema(nullable = false)]
    n: Option<u32>,
    #[serde(flatten)]
    row: SessionRow,
}

/// The fields of a row that have changed: any of `SessionRow`.
#[derive(Serialize, ToSchema)]
#[schema(as = RowDifference)]
pub struct RowDifferenceShape {
    /// The number of the row.
    n: u32,
    #[serde(flatten)]
    fields: BTreeMap<String, serde_json::Value>,
}

/// What every message about a room begins with.
#[derive(Serialize, ToSchema)]
#[schema(as = RoomHead, rename_all = "camelCase")]
pub struct RoomHeadShape {
    room: RoomShape,
    #[schema(format = DateTime)]
    server_time: String,
    /// Whether other servers cannot be heard at the moment.
    partial: bool,
    /// Of what is watched.
    standing: StandingView,
    /// The start of the sitting: `clock`, `proctor` or `own`. It and the next five come in rooms of sittings only.
    #[schema(nullable = false)]
    start: Option<StartRule>,
    /// As planned.
    #[schema(nullable = false, format = DateTime)]
    starts_at: Option<String>,
    /// Whether time counts for those without times of their own.
    #[schema(nullable = false)]
    begun: Option<bool>,
    /// Whether the proctors of each room begin it.
    #[schema(nullable = false)]
    per_room: Option<bool>,
    /// The standing of the whole sitting, where one of its rooms is watched.
    #[schema(nullable = false)]
    sitting: Option<StandingView>,
    /// Where the whole sitting is watched: the rooms in which something was ordered for everyone; absent without any.
    #[schema(nullable = false)]
    halls: Option<Vec<HallStandingView>>,
    /// Times of the last half hour in which nothing could be saved; absent without any.
    #[schema(nullable = false)]
    outages: Option<Vec<OutageView>>,
}

/// All sessions of the room, in parts of 500.
#[derive(ToSchema)]
#[schema(as = Roster, rename_all = "camelCase")]
pub struct RosterShape {
    #[serde(flatten)]
    head: RoomHeadShape,
    /// The position in the room; 0 in a part that is not the last.
    seq: u64,
    sessions: Vec<NumberedRowShape>,
    /// Whether this is the last part.
    complete: bool,
}

/// The rows that have changed, at most four times a second.
#[derive(ToSchema)]
#[schema(as = Changes, rename_all = "camelCase")]
pub struct ChangesShape {
    #[serde(flatten)]
    head: RoomHeadShape,
    /// The position in the room.
    seq: u64,
    sessions: Vec<NumberedRowShape>,
    /// Sessions that the room no longer shows; in the room of a sitting, candidates.
    removed: Vec<Uuid>,
    /// For those who are told differences; to be applied after `removed` and `sessions`, in order.
    #[schema(nullable = false)]
    differences: Option<Vec<RowDifferenceShape>>,
    /// For those who have said which rows they have in view.
    #[schema(nullable = false)]
    counts: Option<RoomCountsShape>,
}

/// What is counted in the whole room.
#[derive(ToSchema)]
#[schema(as = RoomCounts, rename_all = "camelCase")]
pub struct RoomCountsShape {
    rows: u32,
    /// Rows with an open socket.
    connected: u32,
    /// From state to the number of rows in it.
    states: BTreeMap<String, u32>,
    /// Rows that say how far they are.
    with_progress: u32,
    /// For each question how many are at it, and how many have answered it.
    questions: Vec<[u32; 2]>,
}

/// The progress of rows in view, at most four times a second.
#[derive(ToSchema)]
#[schema(as = RoomProgress, rename_all = "camelCase")]
pub struct ProgressShape {
    #[schema(format = DateTime)]
    server_time: String,
    differences: Vec<RowDifferenceShape>,
}

/// The order is stored.
#[derive(ToSchema)]
#[schema(as = OrderDone, rename_all = "camelCase")]
pub struct OrderDoneShape {
    id: OrderId,
    /// Of `undo`: the name of the order that was taken back.
    #[schema(nullable = false)]
    undone: Option<String>,
    /// How many sessions, candidates or rooms it has changed.
    count: u64,
    /// How many sessions it was for and has left as they were; absent if none, like the next.
    #[schema(nullable = false)]
    unchanged_count: Option<u64>,
    /// The first hundred of them, with the reason.
    #[schema(nullable = false)]
    unchanged: Option<Vec<UnchangedSession>>,
    /// Of `only_this_device`: the candidate's new access code. A repeat is answered without it when it is void.
    #[schema(nullable = false, examples("K7QM-3X82"))]
    code: Option<String>,
}

/// The events of a session, in their order.
#[derive(ToSchema)]
#[schema(as = History)]
pub struct HistoryShape {
    id: OrderId,
    events: Vec<EventView>,
}

/// The code, which is valid for two minutes and serves once. A new one replaces it.
#[derive(ToSchema)]
#[schema(as = MoveCode, rename_all = "camelCase")]
pub struct MoveCodeShape {
    id: OrderId,
    session_id: Uuid,
    /// Eight characters with a hyphen in the middle.
    #[schema(examples("K7QM-3X82"))]
    code: String,
    #[schema(format = DateTime)]
    expires_at: String,
}

/// An order, or the message itself, was refused.
#[derive(ToSchema)]
#[schema(as = OrderError)]
pub struct OrderErrorShape {
    /// The order's id, if the error is about one.
    #[schema(nullable = false)]
    id: Option<OrderId>,
    code: Code,
    /// One sentence for the author of the client.
    error: String,
}
