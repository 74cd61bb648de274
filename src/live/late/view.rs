//! Late work as JSON, for those who decide about it.

use domain::attempt::{AnswerChange, KeptOut, QuestionCell};
use domain::correction::TestPlace;
use domain::option_order::OptionOrder;
use domain::question::Selected;
use domain::room::late::LateRow;
use domain::session::ScoreChange;
use domain::sight::Sight;
use domain::time::moment::Moment;
use entities::attempt_event;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::LateTest;
use crate::live::store::late_decisions::{LateState, StoredLateCommand};
use crate::store::corrections::HeldCorrections;

/// Characters that are shown of what could not be read.
const UNREADABLE_CHARACTERS_MAX: usize = 200;
/// The kinds of events that say whether the student was connected.
const CONNECTION_KINDS: [&str; 3] = ["connected", "disconnected", "taken over"];

/// Work that came after the end of a test.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LateWork)]
pub(super) struct LateWorkView {
    session_id: Uuid,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    ended_at: Option<Moment>,
    /// As the rows of proctors show it; null if nothing came.
    #[schema(required)]
    late: Option<LateRow>,
    /// How many commands there are: what a decision is made on, for `seen`.
    seen: usize,
    commands: Vec<LateCommandView>,
    /// What the server has noted of the student's connection, in order.
    connection: Vec<ConnectionView>,
    /// When the student was first shown the key; null if that has not happened.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    answers_seen_at: Option<Moment>,
    /// When the results of its sitting were released, so that the key was known from then on; null if they have not
    /// been, and without a sitting.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    released_at: Option<Moment>,
    /// What accepting everything would make of the score; null for those who may not see the keys.
    #[schema(required)]
    score: Option<ScoreChange>,
    /// What accepting everything would change in the answers and drawings.
    changes: Vec<LateChange>,
}

/// A command that came too late.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LateCommand)]
struct LateCommandView {
    seq: u64,
    line: u16,
    #[serde(rename = "type")]
    kind: LateCommandKind,
    question_id: String,
    /// Of an answer: the option, or the number as it was typed; null if it was cleared, and for other commands.
    #[schema(value_type = Option<String>, max_length = 32, required)]
    selected: Option<Selected>,
    /// Of a mark and a drawing: whether there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    is_set: Option<bool>,
    /// The beginning of what could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    text: Option<String>,
    /// When the student acted, as the client claims; null if it claims nothing.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    at: Option<Moment>,
    #[schema(value_type = String, format = DateTime)]
    received_at: Moment,
    /// Whether it came by a file.
    from_file: bool,
    state: LateCommandState,
    /// Why it can't count; null if it can.
    #[schema(required)]
    kept_out: Option<KeptOut>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum LateCommandKind {
    Answer,
    Mark,
    Visit,
    Drawing,
    Eliminate,
    Unreadable,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum LateCommandState {
    /// Nobody has decided.
    Pending,
    Accepted,
    Declined,
}

impl From<LateState> for LateCommandState {
    fn from(state: LateState) -> Self {
        match state {
            LateState::Pending => Self::Pending,
            LateState::Accepted => Self::Accepted,
            LateState::Declined => Self::Declined,
        }
    }
}

/// The student's connection, as the server has noted it.
#[derive(Serialize, ToSchema)]
struct ConnectionView {
    #[schema(value_type = String, format = DateTime)]
    at: Moment,
    /// `connected`, `disconnected` or `taken over`.
    kind: String,
}

/// An answer that would be another one, or a drawing.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LateChange {
    question_id: String,
    /// Its place on the paper, from 1.
    #[schema(minimum = 1)]
    number: usize,
    /// `answer` or `drawing`.
    kind: LateCommandKind,
    /// The option, or the number as it was typed; null without one, and of a drawing.
    #[schema(value_type = Option<String>, max_length = 32, required)]
    before: Option<Selected>,
    #[schema(value_type = Option<String>, max_length = 32, required)]
    after: Option<Selected>,
    /// The letters of its options in the order in which the student saw them, such as `CADB`; absent where they stood
    /// as in the bank. All other letters are those of the bank.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false)]
    order: Option<OptionOrder>,
    /// When the student acted, as the client claims.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    at: Option<Moment>,
    #[schema(value_type = String, format = DateTime)]
    received_at: Moment,
}

impl LateWorkView {
    pub(super) fn of(
        test: &LateTest,
        late: Option<LateRow>,
        events: &[attempt_event::Model],
        corrections: &HeldCorrections,
        sight: Sight,
    ) -> Self {
        let connection = events.iter().filter(|event| CONNECTION_KINDS.contains(&&*event.kind));
        let connection = connection
            .map(|event| ConnectionView { at: Moment::from_milliseconds(event.at_ms), kind: event.kind.clone() });
        let (now, all) = (test.now(), test.with(|_| true));
        let commands = test.commands.iter().zip(&all.kept_out).map(|(one, kept_out)| command(one, *kept_out));
        let corrections = corrections.of(&TestPlace::of(&test.session));
        let graded = || test.session.graded_with(test.attempt.paper(), &all.cells, &corrections);
        let score = (!test.commands.is_empty()).then(|| test.session.score_change(sight, &graded()));
        Self {
            session_id: test.session.session_id,
            ended_at: test.end.ended_at,
            late,
            seen: test.commands.len(),
            commands: commands.collect(),
            connection: connection.collect(),
            answers_seen_at: test.end.answers_seen_at,
            released_at: test.released_at,
            score: score.flatten(),
            changes: changes(test, &now.cells, &all.cells, &all.kept_out),
        }
    }
}

fn command(one: &StoredLateCommand, kept_out: Option<KeptOut>) -> LateCommandView {
    let late = &one.command;
    let (kind, selected, is_set) = match &late.change {
        Some(AnswerChange::Choice { selected, .. }) => (LateCommandKind::Answer, selected.clone(), None),
        Some(AnswerChange::Mark(is_set)) => (LateCommandKind::Mark, None, Some(*is_set)),
        Some(AnswerChange::Visit) => (LateCommandKind::Visit, None, None),
        Some(AnswerChange::Drawing(is_set)) => (LateCommandKind::Drawing, None, Some(*is_set)),
        Some(AnswerChange::Elimination(_)) => (LateCommandKind::Eliminate, None, None),
        None => (LateCommandKind::Unreadable, None, None),
    };
    let text = one.value.as_deref().filter(|_| late.change.is_none());
    LateCommandView {
        seq: late.stamp.seq,
        line: late.stamp.line,
        kind,
        question_id: late.question_id.to_string(),
        selected,
        is_set,
        text: text.map(|text| text.chars().take(UNREADABLE_CHARACTERS_MAX).collect()),
        at: late.at,
        received_at: late.received_at,
        from_file: one.from_file,
        state: one.state.into(),
        kept_out,
    }
}

/// The answers and drawings that are others, each with the command that makes it so.
fn changes(
    test: &LateTest,
    now: &[QuestionCell],
    all: &[QuestionCell],
    kept_out: &[Option<KeptOut>],
) -> Vec<LateChange> {
    let standing = test.commands.iter().zip(kept_out).filter(|(_, kept_out)| kept_out.is_none());
    let change = |(one, _): (&StoredLateCommand, &Option<KeptOut>)| {
        let late = &one.command;
        let paper = test.attempt.paper();
        let place = paper.iter().position(|question| *question.id == *late.question_id)?;
        let order = paper.get(place)?.order;
        let (before, after) = (now.get(place)?, all.get(place)?);
        let (kind, before, after) = match late.change.as_ref()? {
            AnswerChange::Choice { .. } if before.selected != after.selected => {
                (LateCommandKind::Answer, before.selected.clone(), after.selected.clone())
            }
            AnswerChange::Drawing(_) if one.state != LateState::Accepted => (LateCommandKind::Drawing, None, None),
            _ => return None,
        };
        let question_id = late.question_id.to_string();
        let number = place + 1;
        let (at, received_at) = (late.at, late.received_at);
        Some(LateChange { question_id, number, kind, before, after, order, at, received_at })
    };
    standing.filter_map(change).collect()
}
