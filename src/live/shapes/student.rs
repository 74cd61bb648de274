//! The shapes of students' frames.

use std::borrow::Cow;

use domain::attempt::{Mode, Trouble};
use domain::question::Choice;
use domain::question_types::QuestionTypes;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::openapi::schema::AnyOfBuilder;
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use super::sitting::EnterShape;

/// Begins a test, or enters a sitting. Nothing but the type tells one from the other, and a start need not have one, so
/// that these are no alternatives of which exactly one fits.
pub struct StartOrEnterShape;

impl PartialSchema for StartOrEnterShape {
    fn schema() -> RefOr<Schema> {
        let shape = |name| Ref::from_schema_name(name);
        AnyOfBuilder::new()
            .item(shape(EnterShape::name()))
            .item(shape(StartOfGrade::name()))
            .item(shape(StartOfTemplate::name()))
            .description(Some("Begins a test, or enters a sitting."))
            .into()
    }
}

impl ToSchema for StartOrEnterShape {
    fn name() -> Cow<'static, str> {
        "StartOrEnter".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((EnterShape::name().into(), EnterShape::schema()));
        schemas.push((StartOfGrade::name().into(), StartOfGrade::schema()));
        schemas.push((StartOfTemplate::name().into(), StartOfTemplate::schema()));
        EnterShape::schemas(schemas);
        StartOfGrade::schemas(schemas);
        StartOfTemplate::schemas(schemas);
    }
}

/// Begins a test: of a grade, or of a template.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = Start)]
pub enum StartShape {
    OfGrade(StartOfGrade),
    OfTemplate(StartOfTemplate),
}

/// Begins a test of a grade. The server draws its questions, unless `questionIds` names them.
#[derive(Serialize, ToSchema)]
#[schema(rename_all = "camelCase", examples(json!({
    "type": "start", "grade": 5, "mode": "standard", "durationMinutes": 30, "questionCount": 20,
    "key": "k3v9x0d2m7q1w8e5", "annotations": { "studentId": "s-17", "name": "Ada" },
    "webhookUrl": "https://lms.example/hook", "baseUrl": "https://exam.example"
})))]
pub struct StartOfGrade {
    #[schema(minimum = 1, maximum = 10)]
    grade: u8,
    /// `standard` without it. An adaptive test has 40 questions and 70 minutes, whatever the other fields say.
    mode: Option<Mode>,
    /// Of a standard test; 30 without it.
    #[schema(minimum = 15, maximum = 70)]
    duration_minutes: Option<u32>,
    /// Of a standard test; two questions for three minutes without it.
    #[schema(minimum = 10, maximum = 40)]
    question_count: Option<u32>,
    /// The client's own choice for a standard test: distinct ids of questions of the grade.
    #[schema(min_items = 10, max_items = 40)]
    question_ids: Option<Vec<String>>,
    /// The types of questions that are drawn, or that `questionIds` may name; `multiple-choice` without it.
    types: Option<QuestionTypes>,
    /// Whether this student sees the options of questions in an order of their own; not without it.
    shuffle_options: Option<bool>,
    /// Any object of the caller's without control characters; 64 KiB at most. `name` and `studentId` are shown to
    /// proctors and in the report.
    annotations: Option<Map<String, Value>>,
    /// Gets the result when the test has ended.
    #[schema(max_length = 2048)]
    webhook_url: Option<String>,
    /// What the link to the report begins with, in the answer, in the record and for the webhook; the server's public
    /// address without it. Staff's lists and tables link to this server. `BASE_URLS` may limit it.
    #[schema(max_length = 2048)]
    base_url: Option<String>,
    /// A random text that makes the start repeatable: a start with a key that was used in the last 24 hours gives back
    /// the session that it began.
    #[schema(min_length = 16, max_length = 64)]
    key: Option<String>,
}

/// Begins a test from a template, which decides its questions and its duration.
#[derive(Serialize, ToSchema)]
#[schema(rename_all = "camelCase", examples(json!({
    "type": "start", "templateId": "0b0e6c1e-7d0c-4c3f-9a55-2f6a3c1d8e91", "key": "k3v9x0d2m7q1w8e5",
    "annotations": { "studentId": "s-17" }
})))]
pub struct StartOfTemplate {
    template_id: Uuid,
    /// The code of the template, if it has one.
    access_code: Option<String>,
    /// Any object of the caller's without control characters; 64 KiB at most. `name` and `studentId` are shown to
    /// proctors and in the report.
    annotations: Option<Map<String, Value>>,
    /// Gets the result when the test has ended.
    #[schema(max_length = 2048)]
    webhook_url: Option<String>,
    /// What the link to the report begins with, in the answer, in the record and for the webhook; the server's public
    /// address without it. Staff's lists and tables link to this server. `BASE_URLS` may limit it.
    #[schema(max_length = 2048)]
    base_url: Option<String>,
    /// A random text that makes the start repeatable: a start with a key that was used in the last 24 hours gives back
    /// the session that it began.
    #[schema(min_length = 16, max_length = 64)]
    key: Option<String>,
}

/// Takes a session over on this socket.
#[derive(ToSchema)]
#[schema(as = Resume, rename_all = "camelCase")]
pub struct ResumeShape {
    session_id: Uuid,
    /// The secret that `started` has given.
    token: String,
    /// The line that this device has, 0 for none yet: it keeps it unless another device has come since. Without it the
    /// token tells the device.
    #[schema(maximum = 1000, nullable = false)]
    line: Option<u16>,
}

/// A numbered command.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = Command, discriminator = "type")]
pub enum CommandShape {
    Answer(AnswerShape),
    Mark(MarkShape),
    Eliminate(EliminateShape),
    Visit(VisitShape),
    Drawing(DrawingShape),
    Next(NextShape),
    Submit(SubmitShape),
}

/// The body of a request with commands.
#[derive(Serialize, ToSchema)]
#[schema(as = Commands, examples(json!({ "commands": [
    { "type": "visit", "seq": 1, "questionId": "g5-001" },
    { "type": "answer", "seq": 2, "questionId": "g5-001", "selected": "B", "timeTaken": 41 },
    { "type": "mark", "seq": 3, "questionId": "g5-001", "marked": true }
] })))]
pub struct CommandsShape {
    /// 1 to 200; there may be none beside `trouble`.
    #[schema(max_items = 200)]
    commands: Vec<CommandShape>,
    /// What is wrong at the student's computer, as in the frame `trouble`; what was reported before stays without it.
    #[schema(nullable = false)]
    trouble: Option<Vec<Trouble>>,
}

/// Chooses an option or gives a number, or clears the answer.
#[derive(Serialize, ToSchema)]
#[schema(as = Answer, rename_all = "camelCase")]
pub struct AnswerShape {
    /// 1, 2, 3 … in the order of the student's actions; never used again for another action.
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_i64)]
    seq: u64,
    /// Of the device, as `started`, `resumed`, `waiting` or its token gave it when the student acted; 0 without it.
    #[schema(maximum = 1000, nullable = false)]
    line: Option<u16>,
    /// When the student acted by the server's clock, as the client estimates it: shown of what comes too late.
    #[schema(format = DateTime, nullable = false)]
    at: Option<String>,
    question_id: String,
    /// `A` to `D`; of a question of type `number` what was typed, 1 to 32 characters, whether it is a number or not.
    /// Null clears the answer.
    #[schema(min_length = 1, max_length = 32, required)]
    selected: Option<String>,
    /// Whole seconds on this question so far.
    #[schema(maximum = 86400)]
    time_taken: Option<u32>,
}

/// Flags a question for review, or removes the flag.
#[derive(Serialize, ToSchema)]
#[schema(as = Mark, rename_all = "camelCase")]
pub struct MarkShape {
    /// As in `answer`.
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_i64)]
    seq: u64,
    /// As in `answer`.
    #[schema(maximum = 1000, nullable = false)]
    line: Option<u16>,
    /// As in `answer`.
    #[schema(format = DateTime, nullable = false)]
    at: Option<String>,
    question_id: String,
    marked: bool,
}

/// Crosses options out, or no longer. They are not part of the result, and can still be chosen.
#[derive(Serialize, ToSchema)]
#[schema(as = Eliminate, rename_all = "camelCase")]
pub struct EliminateShape {
    /// As in `answer`.
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_i64)]
    seq: u64,
    /// As in `answer`.
    #[schema(maximum = 1000, nullable = false)]
    line: Option<u16>,
    /// As in `answer`.
    #[schema(format = DateTime, nullable = false)]
    at: Option<String>,
    question_id: String,
    /// All options that are crossed out now, in their order and each once.
    #[schema(max_items = 4)]
    eliminated: Vec<Choice>,
}

/// The student has opened the question.
#[derive(Serialize, ToSchema)]
#[schema(as = Visit, rename_all = "camelCase")]
pub struct VisitShape {
    /// As in `answer`.
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_i64)]
    seq: u64,
    /// As in `answer`.
    #[schema(maximum = 1000, nullable = false)]
    line: Option<u16>,
    /// As in `answer`.
    #[schema(format = DateTime, nullable = false)]
    at: Option<String>,
    question_id: String,
}

/// Stores the drawing of a question, or removes it.
#[derive(Serialize, ToSchema)]
#[schema(as = Drawing, rename_all = "camelCase")]
pub struct DrawingShape {
    /// As in `answer`.
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_i64)]
    seq: u64,
    /// As in `answer`.
    #[schema(maximum = 1000, nullable = false)]
    line: Option<u16>,
    /// As in `answer`.
    #[schema(format = DateTime, nullable = false)]
    at: Option<String>,
    question_id: String,
    /// Any object of 200 KiB at most as JSON; null removes the drawing.
    #[schema(required)]
    drawing: Option<Map<String, Value>>,
}

/// Ends stage 1 of an adaptive test. Send it when everything before it is saved.
#[derive(Serialize, ToSchema)]
#[schema(as = Next)]
pub struct NextShape {
    /// As in `answer`.
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_i64)]
    seq: u64,
    /// As in `answer`.
    #[schema(maximum = 1000, nullable = false)]
    line: Option<u16>,
}

/// Ends the test. Send it when everything before it is saved.
#[derive(Serialize, ToSchema)]
#[schema(as = Submit)]
pub struct SubmitShape {
    /// As in `answer`.
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_i64)]
    seq: u64,
    /// As in `answer`.
    #[schema(maximum = 1000, nullable = false)]
    line: Option<u16>,
}

/// Asks for the server's time.
#[derive(ToSchema)]
#[schema(as = Sync)]
pub struct SyncShape {
    /// Any number, which comes back as it was written.
    t: f64,
}

/// What is wrong at the student's computer; an empty list when nothing is any more. Names that are not known count as
/// none.
#[derive(ToSchema)]
#[schema(as = TroubleReport)]
pub struct TroubleShape {
    trouble: Vec<Trouble>,
}

/// The page has lost or regained the focus.
#[derive(ToSchema)]
#[schema(as = Focus)]
pub struct FocusShape {
    away: bool,
}

/// Asks for a receipt of what is saved, at most once a minute for each session.
#[derive(ToSchema)]
#[schema(as = ReceiptRequest)]
pub struct ReceiptRequestShape {}
