//! The shapes of the server's frames to students.

use std::collections::BTreeMap;

use domain::attempt::{Mode, Reason};
use domain::band::Band;
use domain::calculator::Calculator;
use domain::question::Choice;
use domain::room::row::SessionState;
use domain::scoring::TestResult;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use super::sitting::WaitingShape;
use crate::live::protocol::fault::Code;
use crate::sittings::entry::sealed_paper::SealedPartView;

/// What a start or an entry returns: `resumed` if its `key` has begun a session before, or the exam has begun.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = Begun, discriminator = "type")]
pub enum BegunShape {
    Started(StartedShape),
    Waiting(WaitingShape),
    Resumed(ResumedShape),
}

/// What whoever comes back gets: `waiting` before the beginning of a sitting.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = ComeBack, discriminator = "type")]
pub enum ComeBackShape {
    Waiting(WaitingShape),
    Resumed(ResumedShape),
}

/// A session that has just begun.
#[derive(Serialize, ToSchema)]
#[schema(as = Started, rename_all = "camelCase")]
pub struct StartedShape {
    session_id: Uuid,
    /// The secret of this session: who has it can go on with the test.
    token: String,
    #[schema(minimum = 1, maximum = 10)]
    grade: u8,
    mode: Mode,
    #[schema(minimum = 1, maximum = 2)]
    stage: u8,
    /// 2 for an adaptive test.
    #[schema(minimum = 1, maximum = 2)]
    stages: u8,
    /// The questions of this stage, in their order.
    question_ids: Vec<String>,
    /// From question id to the letters of its options in the order in which the student sees them, such as `CADB`: what
    /// stands first is C. Only questions whose options stand in another order than in the bank; absent without any.
    /// Every letter that is sent or received is that of the bank.
    #[schema(nullable = false)]
    option_order: Option<BTreeMap<String, String>>,
    duration_minutes: u32,
    /// The one that the student may use; absent without any.
    #[schema(nullable = false)]
    calculator: Option<Calculator>,
    /// Which form of the test it is, `A` to `H`; absent where there is one alone.
    #[schema(nullable = false)]
    form: Option<String>,
    #[schema(format = DateTime)]
    started_at: String,
    #[schema(format = DateTime)]
    deadline: String,
    #[schema(format = DateTime)]
    server_time: String,
    remaining_ms: i64,
    /// Grows with each change of what the deadline is made of: what comes with a lower one than is known is old.
    time_version: i64,
    /// The length of the pauses that have ended, which are part of the deadline.
    #[schema(minimum = 0)]
    paused_ms: i64,
    /// The highest number of a command that is saved.
    #[schema(minimum = 0)]
    seq: u64,
    /// Of this device: it names it in its commands from now on.
    #[schema(minimum = 1, maximum = 1000)]
    line: u16,
    /// What a file with late work is encrypted for: a public RSA key, as SPKI in base64.
    #[schema(nullable = false)]
    late_key: Option<String>,
}

/// A session as it is now.
#[derive(Serialize, ToSchema)]
#[schema(as = Resumed, rename_all = "camelCase")]
pub struct ResumedShape {
    session_id: Uuid,
    /// The secret of this session: who has it can go on with the test.
    token: String,
    #[schema(minimum = 1, maximum = 10)]
    grade: u8,
    mode: Mode,
    #[schema(minimum = 1, maximum = 2)]
    stage: u8,
    /// 2 for an adaptive test.
    #[schema(minimum = 1, maximum = 2)]
    stages: u8,
    /// The questions of this stage, in their order.
    question_ids: Vec<String>,
    /// From question id to the letters of its options in the order in which the student sees them, such as `CADB`: what
    /// stands first is C. Only questions whose options stand in another order than in the bank; absent without any.
    /// Every letter that is sent or received is that of the bank.
    #[schema(nullable = false)]
    option_order: Option<BTreeMap<String, String>>,
    duration_minutes: u32,
    /// The one that the student may use; absent without any.
    #[schema(nullable = false)]
    calculator: Option<Calculator>,
    /// Which form of the test it is, `A` to `H`; absent where there is one alone.
    #[schema(nullable = false)]
    form: Option<String>,
    #[schema(format = DateTime)]
    started_at: String,
    #[schema(format = DateTime)]
    deadline: String,
    #[schema(format = DateTime)]
    server_time: String,
    remaining_ms: i64,
    /// Grows with each change of what the deadline is made of: what comes with a lower one than is known is old.
    time_version: i64,
    /// The length of the pauses that have ended, which are part of the deadline.
    #[schema(minimum = 0)]
    paused_ms: i64,
    /// The highest number of a command that is saved. Number on from here.
    #[schema(minimum = 0)]
    seq: u64,
    /// Of this device: it names it in its commands from now on.
    #[schema(minimum = 1, maximum = 1000)]
    line: u16,
    /// What a file with late work is encrypted for: a public RSA key, as SPKI in base64.
    #[schema(nullable = false)]
    late_key: Option<String>,
    /// The questions that the student has chosen on, marked, crossed out options of, or visited.
    answers: Vec<SavedAnswer>,
    /// From question id to drawing.
    drawings: BTreeMap<String, Map<String, Value>>,
    /// Null in stage 1.
    #[schema(required)]
    band: Option<Band>,
    state: SessionState,
    /// The link to the report; only when the test is submitted.
    #[schema(nullable = false)]
    report_url: Option<String>,
    /// Why the test is over; only when it is submitted.
    #[schema(nullable = false)]
    reason: Option<Reason>,
    /// True while the result is held; absent otherwise.
    #[schema(nullable = false)]
    held: Option<bool>,
    /// The student's, as proctors see it.
    #[schema(required)]
    name: Option<String>,
    /// The name of the sitting.
    #[schema(required)]
    title: Option<String>,
    /// The proctor's word for why the test is paused.
    #[schema(nullable = false)]
    pause_text: Option<String>,
    /// Only in a sitting, like the next two.
    #[schema(nullable = false)]
    sitting_id: Option<Uuid>,
    #[schema(nullable = false)]
    sealed: Option<Vec<SealedPartView>>,
    /// The keys of the parts that are open: base64 of 32 bytes. Absent after the end, since others may still have to
    /// write the paper.
    #[schema(nullable = false)]
    keys: Option<BTreeMap<String, String>>,
}

/// The saved state of one question.
#[derive(Serialize, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct SavedAnswer {
    question_id: String,
    /// The letter of the option, or the number as it was typed; null without an answer.
    #[schema(max_length = 32, required)]
    selected: Option<String>,
    marked: bool,
    /// The options that are crossed out, in their order; absent when there are none.
    #[schema(nullable = false, max_items = 4)]
    eliminated: Option<Vec<Choice>>,
    visited: bool,
    /// Whole seconds; absent when not known.
    #[schema(nullable = false)]
    time_taken: Option<u32>,
    /// The highest number of a command that set one of these.
    #[schema(minimum = 1)]
    seq: u64,
}

/// Every command that this socket has carried, up to this number, is in the database.
#[derive(ToSchema)]
#[schema(as = Saved)]
pub struct SavedShape {
    #[schema(minimum = 1)]
    seq: u64,
}

/// What a command brought beside being saved.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = Reply, discriminator = "type")]
pub enum ReplyShape {
    Stage(StageShape),
    Submitted(SubmittedShape),
    LiveError(LiveErrorShape),
}

/// The answer to `next`: the second stage has begun.
#[derive(Serialize, ToSchema)]
#[schema(as = Stage, rename_all = "camelCase")]
pub struct StageShape {
    #[schema(minimum = 1)]
    seq: u64,
    #[schema(minimum = 1, maximum = 2)]
    stage: u8,
    #[schema(required)]
    band: Option<Band>,
    question_ids: Vec<String>,
    /// As in `started`, of these questions.
    #[schema(nullable = false)]
    option_order: Option<BTreeMap<String, String>>,
    /// In a sitting, the key of the band's part: base64 of 32 bytes.
    #[schema(nullable = false)]
    keys: Option<BTreeMap<String, String>>,
}

/// The test has ended.
#[derive(Serialize, ToSchema)]
#[schema(as = Submitted, rename_all = "camelCase")]
pub struct SubmittedShape {
    /// The number of the `submit` that has ended it; absent when the clock or a proctor has.
    #[schema(minimum = 1, nullable = false)]
    seq: Option<u64>,
    session_id: Uuid,
    report_url: String,
    reason: Reason,
    /// Absent while it is held.
    #[schema(nullable = false)]
    result: Option<TestResult>,
    /// True while the result is held: `GET /api/sessions/{id}?wait=release` tells when it may be seen. Absent
    /// otherwise.
    #[schema(nullable = false)]
    held: Option<bool>,
    /// The receipt of the version that was handed in. Absent if it is not made yet: then
    /// `GET /api/sessions/{id}/receipt` has it.
    #[schema(nullable = false)]
    receipt: Option<String>,
}

/// A receipt of what was saved: the answer to `receipt`.
#[derive(Serialize, ToSchema)]
#[schema(as = Receipt, rename_all = "camelCase")]
pub struct ReceiptShape {
    /// A compact JWS: `header.payload.signature`.
    receipt: String,
    /// The highest number of a command that had set a value by then.
    #[schema(minimum = 0)]
    seq: u64,
    /// When this was so.
    #[schema(format = DateTime)]
    at: String,
}

/// A command, or the message itself, was refused.
#[derive(Serialize, ToSchema)]
#[schema(as = LiveError)]
pub struct LiveErrorShape {
    code: Code,
    /// One sentence for the author of the client.
    error: String,
    /// The number of the command, when it could be read.
    #[schema(minimum = 1, nullable = false)]
    seq: Option<u64>,
    /// With `not_open`: when the doors of the sitting open.
    #[schema(rename = "doorsAt", format = DateTime, nullable = false)]
    doors_at: Option<String>,
    /// With `not_open` of a template that says so itself: when it opens.
    #[schema(rename = "opensAt", format = DateTime, nullable = false)]
    opens_at: Option<String>,
    /// With `closed`: when the template closed.
    #[schema(rename = "closesAt", format = DateTime, nullable = false)]
    closes_at: Option<String>,
    /// With `late`, and with `already_submitted` after a proctor's end: whether the command is kept, for staff to
    /// decide about.
    #[schema(nullable = false)]
    kept: Option<bool>,
    /// With `superseded_by`, like the next three: the question of the command.
    #[schema(rename = "questionId", nullable = false)]
    question_id: Option<String>,
    /// The newer line that has set the value.
    #[schema(minimum = 1, maximum = 1000, nullable = false)]
    line: Option<u16>,
    /// The device of that line, by the first line that it was given; absent when it is not known.
    #[schema(minimum = 1, maximum = 1000, nullable = false)]
    device: Option<u16>,
    /// The answer that stands, or null; only if the command was an `answer`.
    #[schema(max_length = 32)]
    selected: Option<String>,
}

/// A proctor's message.
#[derive(ToSchema)]
#[schema(as = Notice)]
pub struct NoticeShape {
    #[schema(max_length = 500)]
    text: String,
    /// The proctor's e-mail address.
    from: String,
}

/// Another connection has taken the session over. The socket is closed with 4001.
#[derive(ToSchema)]
#[schema(as = Superseded)]
pub struct SupersededShape {}

/// A planned stop of the server. The socket is closed with 1012: reconnect after a random delay of 0 to 5 s.
#[derive(ToSchema)]
#[schema(as = Restarting)]
pub struct RestartingShape {}
