//! Writes frames to students (`docs/live-protocol.md`). Each is serialised once, into a `ByteString` that is shared
//! from then on.

mod beginning;
mod receipt;
mod refusal;
mod shown_orders;
mod stage;

use std::collections::BTreeMap;

use bytestring::ByteString;
use domain::attempt::{Attempt, QuestionCell, ValueKind};
use domain::band::Band;
use domain::form::FormLetter;
use domain::question::{Choice, Selected};
use domain::time::moment::Moment;
use domain::time::timer::Timer;
use domain::time::times::Adopted;
use serde::Serialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::sittings::entry::sealed_paper::{SealedPaper, SealedPartView};
use crate::sittings::entry::sealing::PartKeys;
pub use beginning::{WaitingView, begin, waiting};
pub use receipt::receipt;
pub use refusal::{SupersededCommand, error, superseded_by};
use shown_orders::{ShownOrders, shown_orders};
pub use stage::stage;

#[derive(Clone, Debug)]
pub enum Outgoing {
    Text(ByteString),
    /// Closes the socket with this code and reason.
    Close(u16, &'static str),
}

/// What a device is told that is its own.
#[derive(Clone, Copy, Debug)]
pub struct OwnTerms<'a> {
    pub token: &'a str,
    pub line: u16,
    /// What the device encrypts a file with late work for; `None` until the server has it.
    pub late_key: Option<&'a str>,
}

/// `started` and `resumed`: the state of an attempt.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AttemptFrame<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    session_id: Uuid,
    token: &'a str,
    grade: u8,
    mode: &'static str,
    stage: u8,
    stages: u8,
    question_ids: Vec<&'a str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    option_order: ShownOrders<'a>,
    duration_minutes: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    calculator: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    form: Option<FormLetter>,
    started_at: Moment,
    deadline: Moment,
    server_time: Moment,
    remaining_ms: i64,
    time_version: i64,
    paused_ms: i64,
    seq: u64,
    line: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    late_key: Option<&'a str>,
    #[serde(flatten)]
    progress: Option<ResumedProgress<'a>>,
    #[serde(flatten)]
    sitting: Option<OpenedPaper<'a>>,
}

/// The fields that only the `resumed` of a sitting has: where its questions are, and the keys of those that are open.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OpenedPaper<'a> {
    sitting_id: Uuid,
    sealed: &'a [SealedPartView],
    keys: PartKeys,
}

/// The fields that only `resumed` has.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResumedProgress<'a> {
    answers: Vec<AnswerFrame<'a>>,
    drawings: BTreeMap<&'a str, &'a RawValue>,
    band: Option<Band>,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    report_url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "is_false")]
    held: bool,
    name: Option<&'a str>,
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pause_text: Option<&'a str>,
}

/// What `resumed` says of the test in words.
#[derive(Clone, Copy, Default)]
pub struct ResumedLabels<'a> {
    /// The name of the sitting.
    pub title: Option<&'a str>,
    /// The word for the student while the clock stands still.
    pub pause_text: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AnswerFrame<'a> {
    question_id: &'a str,
    selected: Option<&'a Selected>,
    marked: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    eliminated: Vec<Choice>,
    visited: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_taken: Option<u32>,
    seq: u64,
}

/// The answer to `start`.
#[must_use]
pub fn started(attempt: &Attempt, own: OwnTerms<'_>, now: Moment) -> ByteString {
    frame(&attempt_frame("started", attempt, own, now))
}

/// What `resumed` shows of the paper.
#[derive(Clone, Copy)]
pub enum ShownPaper<'a> {
    /// Its questions; in a sitting also where they are, and their keys.
    Whole(Option<&'a SealedPaper>),
    /// The same without the keys, and in a sitting without the order of options: the test is over.
    Sealed(Option<&'a SealedPaper>),
    /// Nothing: its time never began to count.
    Nothing,
}

/// The answer to `resume`. `drawings` are by position; `report` is there once the test is submitted, with its link and
/// whether its result is held, and then the answer also says why it is over.
#[must_use]
pub fn resumed(
    attempt: &Attempt,
    own: OwnTerms<'_>,
    drawings: &BTreeMap<usize, Box<RawValue>>,
    report: Option<(&str, bool)>,
    paper: ShownPaper<'_>,
    labels: ResumedLabels<'_>,
    now: Moment,
) -> ByteString {
    let mut view = attempt_frame("resumed", attempt, own, now);
    let form = attempt.terms.form;
    let (sealed, keys) = match paper {
        ShownPaper::Whole(sealed) => (sealed, sealed.map(|paper| paper.keys_until(form, attempt.band()))),
        ShownPaper::Sealed(sealed) => {
            if attempt.terms.sitting.is_some() {
                view.option_order.clear();
            }
            (sealed, None)
        }
        ShownPaper::Nothing => {
            view.question_ids.clear();
            view.option_order.clear();
            (None, None)
        }
    };
    view.sitting = attempt.terms.sitting.zip(sealed).map(|(place, paper)| OpenedPaper {
        sitting_id: place.sitting_id,
        sealed: paper.parts(form),
        keys: keys.unwrap_or_default(),
    });
    let drawn =
        drawings.iter().filter_map(|(position, drawing)| Some((&*attempt.paper().get(*position)?.id, &**drawing)));
    view.progress = Some(ResumedProgress {
        answers: attempt.cells().filter_map(|(question, cell)| answer_frame(&question.id, cell)).collect(),
        drawings: drawn.collect(),
        band: attempt.band(),
        state: state(attempt, now),
        report_url: report.map(|(url, _)| url),
        reason: report.and(attempt.ending()).map(|ending| ending.reason.name()),
        held: report.is_some_and(|(_, is_held)| is_held),
        name: Some(&*attempt.terms.student).filter(|name| !name.is_empty()),
        title: labels.title,
        pause_text: labels.pause_text.filter(|_| attempt.timer.is_paused()),
    });
    frame(&view)
}

/// Puts the token into a `resumed` or `waiting` frame that was written without one. The token comes before everything
/// that a client can name, so the first place is the right one.
#[must_use]
pub fn with_token(frame: &str, token: &str) -> String {
    frame.replacen("\"token\":\"\"", &format!("\"token\":\"{token}\""), 1)
}

/// `waiting`, `active`, `paused` or `submitted`.
#[must_use]
pub fn state(attempt: &Attempt, now: Moment) -> &'static str {
    if attempt.ending().is_some() { "submitted" } else { state_of_clock(&attempt.timer, now) }
}

fn state_of_clock(timer: &Timer, now: Moment) -> &'static str {
    if timer.is_waiting(now) {
        "waiting"
    } else if timer.is_paused() {
        "paused"
    } else {
        "active"
    }
}

fn attempt_frame<'a>(kind: &'static str, attempt: &'a Attempt, own: OwnTerms<'a>, now: Moment) -> AttemptFrame<'a> {
    let terms = &attempt.terms;
    AttemptFrame {
        kind,
        session_id: terms.session_id,
        token: own.token,
        grade: terms.grade.number(),
        mode: terms.mode.name(),
        stage: attempt.stage(),
        stages: terms.mode.stages(),
        question_ids: attempt.stage_paper().iter().map(|question| &*question.id).collect(),
        // Of the stage before too, in which the page may still have to say what another device has answered.
        option_order: shown_orders(attempt.paper()),
        duration_minutes: terms.duration_minutes,
        calculator: terms.calculator.allowed(),
        form: terms.form,
        started_at: attempt.started_at(),
        deadline: attempt.timer.deadline(),
        server_time: now,
        remaining_ms: attempt.timer.remaining(now),
        time_version: attempt.timer.version(),
        paused_ms: attempt.timer.times().paused_milliseconds,
        seq: attempt.seq(),
        line: own.line,
        late_key: own.late_key,
        progress: None,
        sitting: None,
    }
}

/// Returns `None` for a question that the student has not touched, or has only drawn on.
fn answer_frame<'a>(question_id: &'a str, cell: &'a QuestionCell) -> Option<AnswerFrame<'a>> {
    let seq = [ValueKind::Choice, ValueKind::Mark, ValueKind::Elimination, ValueKind::Visit]
        .into_iter()
        .map(|kind| cell.seq(kind))
        .max()
        .filter(|seq| *seq > 0)?;
    Some(AnswerFrame {
        question_id,
        selected: cell.selected.as_ref(),
        marked: cell.marked,
        eliminated: cell.eliminated.iter().collect(),
        visited: cell.visited,
        time_taken: cell.time_taken,
        seq,
    })
}

/// Written by hand because it is by far the most frequent frame.
#[must_use]
pub fn saved(seq: u64) -> ByteString {
    format!("{{\"type\":\"saved\",\"seq\":{seq}}}").into()
}

/// The end of the test. `seq` is the number of the `submit`, if that has ended it; `result` is `None` while it is held.
#[must_use]
pub fn submitted(
    session_id: Uuid,
    report_url: &str,
    reason: &'static str,
    result: Option<&RawValue>,
    receipt: Option<&str>,
    seq: Option<u64>,
) -> ByteString {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct SubmittedFrame<'a> {
        #[serde(rename = "type")]
        kind: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        seq: Option<u64>,
        session_id: Uuid,
        report_url: &'a str,
        reason: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        result: Option<&'a RawValue>,
        #[serde(skip_serializing_if = "is_false")]
        held: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        receipt: Option<&'a str>,
    }
    let held = result.is_none();
    frame(&SubmittedFrame { kind: "submitted", seq, session_id, report_url, reason, result, held, receipt })
}

/// The server's time. `t` is what the client has sent with `sync`, exactly as it wrote it.
#[must_use]
pub fn time(t: Option<&str>, timer: &Timer, now: Moment) -> ByteString {
    let t = t.map(|t| format!("\"t\":{t},")).unwrap_or_default();
    format!("{{\"type\":\"time\",{t}{}}}", times(timer, now)).into()
}

/// What each frame about the time says of it. Frames that come late or in another order are told apart by the version,
/// and each has all that the client needs to show the time.
fn times(timer: &Timer, now: Moment) -> String {
    let (server_time, remaining, deadline) = (now.iso(), timer.remaining(now), timer.deadline().iso());
    let (version, paused_ms) = (timer.version(), timer.times().paused_milliseconds);
    let state = state_of_clock(timer, now);
    format!(
        "\"serverTime\":\"{server_time}\",\"remainingMs\":{remaining},\"deadline\":\"{deadline}\",\
         \"timeVersion\":{version},\"pausedMs\":{paused_ms},\"state\":\"{state}\""
    )
}

/// An alert that this much time is left.
#[must_use]
pub fn alert(remaining_ms: i64) -> ByteString {
    format!("{{\"type\":\"alert\",\"remainingMs\":{remaining_ms}}}").into()
}

/// A change of the time; `pause_text` is the proctor's word for why the clock stands still.
#[must_use]
pub fn adopted(change: Adopted, pause_text: Option<&str>, timer: &Timer, now: Moment) -> ByteString {
    let times = times(timer, now);
    match change {
        Adopted::Moved(part) => format!("{{\"type\":\"time\",{times},\"reason\":\"{}\"}}", part.name()),
        Adopted::Paused => {
            // A text always is JSON, so the default is never used.
            let text = pause_text.map(|text| format!(",\"text\":{}", serde_json::to_string(text).unwrap_or_default()));
            format!("{{\"type\":\"paused\",{times}{}}}", text.unwrap_or_default())
        }
        Adopted::Unpaused => format!("{{\"type\":\"unpaused\",{times}}}"),
        Adopted::Extended { minutes } => format!("{{\"type\":\"extended\",{times},\"minutes\":{minutes}}}"),
    }
    .into()
}

/// A proctor's message; `from` is the proctor's e-mail address.
#[must_use]
pub fn notice(text: &str, from: &str) -> ByteString {
    #[derive(Serialize)]
    struct NoticeFrame<'a> {
        #[serde(rename = "type")]
        kind: &'static str,
        text: &'a str,
        from: &'a str,
    }
    frame(&NoticeFrame { kind: "notice", text, from })
}

/// Another connection has taken the session over.
#[must_use]
pub fn superseded() -> ByteString {
    ByteString::from_static("{\"type\":\"superseded\"}")
}

/// A planned stop of the server has begun.
#[must_use]
pub fn restarting() -> ByteString {
    ByteString::from_static("{\"type\":\"restarting\"}")
}

/// Frames say only that a result is held, and nothing when it is not.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_false(value: &bool) -> bool {
    !*value
}

/// None of these frames can fail to serialise, so the default is never used.
fn frame(view: &impl Serialize) -> ByteString {
    serde_json::to_string(view).unwrap_or_default().into()
}
