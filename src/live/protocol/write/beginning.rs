//! Writes the frames of those who wait in a sitting, and the one with which their time begins to count.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytestring::ByteString;
use domain::form::FormLetter;
use domain::question::KeyedQuestion;
use domain::sitting::candidate::Candidate;
use domain::time::moment::Moment;
use domain::time::times::AttemptTimes;
use serde::Serialize;
use uuid::Uuid;

use super::frame;
use super::shown_orders::{ShownOrders, shown_orders};
use crate::sittings::entry::current::CurrentSitting;
use crate::sittings::entry::sealed_paper::SealedPartView;
use crate::sittings::entry::sealing::PartKeys;

const MINUTE_MILLISECONDS: i64 = 60_000;

/// What a candidate sees before their time begins to count.
#[derive(Clone, Copy)]
pub struct WaitingView<'a> {
    pub session_id: Uuid,
    pub token: &'a str,
    pub line: u16,
    pub late_key: Option<&'a str>,
    pub current: &'a CurrentSitting,
    pub candidate: &'a Candidate,
    pub form: Option<FormLetter>,
    pub times: &'a AttemptTimes,
    pub is_ready: bool,
    pub pause_text: Option<&'a str>,
}

/// The answer to `enter` and to `resume` before the beginning, and again whenever something of it changes. The token
/// comes before everything that a client can name.
#[must_use]
pub fn waiting(view: &WaitingView<'_>, now: Moment) -> ByteString {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct WaitingFrame<'a> {
        #[serde(rename = "type")]
        kind: &'static str,
        session_id: Uuid,
        token: &'a str,
        line: u16,
        #[serde(skip_serializing_if = "Option::is_none")]
        late_key: Option<&'a str>,
        sitting_id: Uuid,
        sitting: &'a str,
        grade: u8,
        mode: &'static str,
        stages: u8,
        #[serde(skip_serializing_if = "Option::is_none")]
        calculator: Option<&'static str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        form: Option<FormLetter>,
        name: &'a str,
        room: Option<&'a str>,
        seat: Option<&'a str>,
        minutes: f64,
        given_ms: i64,
        start: &'static str,
        starts_at: Moment,
        begins_at: Option<Moment>,
        server_time: Moment,
        ready: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        paused: Option<PausedView<'a>>,
        sealed: &'a [SealedPartView],
    }
    /// Why the time will not run.
    #[derive(Serialize)]
    struct PausedView<'a> {
        since: Moment,
        text: Option<&'a str>,
    }
    let WaitingView { session_id, token, line, late_key, current, candidate, form, .. } = *view;
    let WaitingView { times, is_ready, pause_text, .. } = *view;
    let CurrentSitting { sitting, minutes, grade, mode, calculator, paper, .. } = current;
    let given_ms = times.given_milliseconds + i64::from(times.extended_minutes) * MINUTE_MILLISECONDS;
    frame(&WaitingFrame {
        kind: "waiting",
        session_id,
        token,
        line,
        late_key,
        sitting_id: sitting.id,
        sitting: &sitting.plan.name,
        grade: grade.number(),
        mode: mode.name(),
        stages: mode.stages(),
        calculator: calculator.allowed(),
        form,
        name: &candidate.name,
        room: sitting.hall(candidate.hall_id).map(|hall| &*hall.plan.name),
        seat: candidate.seat.as_deref(),
        minutes: minutes_of(given_ms),
        given_ms,
        start: sitting.plan.start.name(),
        starts_at: sitting.terms(candidate, *minutes).starts_at.value,
        begins_at: Some(times.begins_at).filter(|begins_at| *begins_at < Moment::LAST),
        server_time: now,
        ready: is_ready,
        paused: times.paused_at.map(|since| PausedView { since, text: pause_text }),
        sealed: paper.as_ref().map(|paper| paper.parts(form)).unwrap_or_default(),
    })
}

#[allow(clippy::cast_precision_loss, reason = "the milliseconds of an exam are few")]
fn minutes_of(milliseconds: i64) -> f64 {
    milliseconds as f64 / MINUTE_MILLISECONDS as f64
}

/// The beginning, with the questions whose time begins to count: the same bytes for everyone who has them at that
/// moment, unless each has an order of options of their own.
#[must_use]
pub fn begin(started_at: Moment, keys: &PartKeys, paper: &[Arc<KeyedQuestion>]) -> ByteString {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct BeginFrame<'a> {
        #[serde(rename = "type")]
        kind: &'static str,
        started_at: Moment,
        keys: &'a PartKeys,
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        option_order: ShownOrders<'a>,
    }
    frame(&BeginFrame { kind: "begin", started_at, keys, option_order: shown_orders(paper) })
}
