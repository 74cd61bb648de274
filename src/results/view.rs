//! Results in the form for those who teach.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use domain::correction::CorrectionKind;
use domain::form::FormLetter;
use domain::item_statistics::{ItemCounts, WrongNumber};
use domain::mark::{MarkScale, ResultMark};
use domain::number::Language;
use domain::question::{Choice, Difficulty, Key, MULTIPLE_CHOICE, NUMBER, Selected};
use domain::room::late::LateRow;
use domain::session::{TextState, VersionReason};
use domain::sitting::candidate::CandidateState;
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::asked::Asked;
use super::gathering::{Gathered, GatheredAnswer, GatheredQuestion, GatheredTest};
use super::marks::{MarkFrequency, counted, scale_of};
use super::seen_orders::{QuestionIds, SeenOrders};
use super::subject::ResultsSubject;
use crate::sittings::view::CandidateView;

const OPTIONS: [Choice; 4] = [Choice::A, Choice::B, Choice::C, Choice::D];

/// Results with every answer.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StaffResults {
    of: ResultsSubject,
    /// Every question that somebody was asked: of a sitting and of a template in the order of the paper, with those
    /// behind that only other forms than A have; of a grade by id.
    questions: Vec<ResultQuestion>,
    /// The people: of a sitting everyone on the roster by name, else the newest test first. Empty for reviewers, whose
    /// concern the questions are.
    pub(super) rows: Vec<StaffResult>,
    /// The scale of a sitting; null without one, and of a template and of a grade, where tests may have different ones.
    #[schema(required)]
    mark_scale: Option<MarkScale>,
    /// Of such a scale, how many rows have each mark, the best first; empty otherwise, and for reviewers.
    marks: Vec<MarkFrequency>,
    /// Whether there are more tests than the newest 20,000, which are shown and counted.
    truncated: bool,
}

/// A question with its key, and what was answered.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ResultQuestion {
    id: String,
    /// Its place on the paper of the newest test in form A that has it, from 1, or in the list of the template; of a
    /// grade its place in this list.
    number: usize,
    /// The form whose number that is, if form A does not have the question; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false, example = "B")]
    form: Option<FormLetter>,
    /// 1 or 2; null of a grade, where tests differ in it.
    #[schema(required)]
    stage: Option<u8>,
    /// `multiple-choice` or `number`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// Like the texts that follow, as the newest test asked it; empty if nothing of it is known.
    topic: String,
    #[schema(value_type = Option<u8>, minimum = 1, maximum = 5, required)]
    difficulty: Option<Difficulty>,
    question: String,
    /// The texts by letter; empty where a number is asked for.
    #[schema(value_type = BTreeMap<String, String>)]
    options: BTreeMap<&'static str, String>,
    /// Address of a picture; empty if there is none.
    image: String,
    /// What the picture shows, in words; empty if nobody has described it.
    image_description: String,
    /// What stands behind the box for a number; may be empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    unit: Option<String>,
    /// How digit groups and decimal signs of a number are read; like the unit only where a number is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    language: Option<Language>,
    /// The right option or number, by which the newest test was graded.
    #[schema(required)]
    correct: Option<String>,
    /// What a correction of the key has made of the question in that test; null if there is none.
    #[schema(required)]
    correction: Option<CorrectionKind>,
    /// Options or numbers that it has made right too.
    also_correct: Vec<String>,
    /// Tests by the right option or number that each was graded with. There are several if the key was edited
    /// meanwhile: what is right is by the key of each test.
    graded_by: BTreeMap<String, u64>,
    /// Whether the texts are those of the bank of today, and not those of the newest test, which were not kept.
    changed: bool,
    /// Whether the bank has other texts now, or the question no longer.
    edited: bool,
    /// Tests that had it.
    asked: u64,
    answered: u64,
    right: u64,
    /// How often each option was chosen, by letter; empty where a number is asked for.
    #[schema(value_type = BTreeMap<String, u64>)]
    chosen: BTreeMap<&'static str, u64>,
    /// The at most five wrong numbers that most have given, the most frequent first; only where a number is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    wrong: Option<Vec<WrongNumber>>,
    /// Whole seconds; null when no time is known.
    #[schema(required)]
    median_time: Option<u64>,
    /// From -1 to 1, how well the question tells strong students from weak ones; null where all did equally well.
    #[schema(required)]
    discrimination: Option<f64>,
}

/// One person with their answers.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct StaffResult {
    /// Null without a finished test.
    #[schema(required)]
    pub(super) session_id: Option<Uuid>,
    /// The name on the roster, or the one that the test was begun with.
    pub(super) student: String,
    /// E-mail of the person who was signed in, or on the roster.
    #[schema(required)]
    pub(super) account: Option<String>,
    #[schema(required)]
    candidate_id: Option<Uuid>,
    /// The name of the hall.
    #[schema(required)]
    pub(super) room: Option<String>,
    #[schema(required)]
    pub(super) seat: Option<String>,
    /// The form that was sat, or is to be, `A` to `H`; absent for a test without forms.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false, example = "B")]
    pub(super) form: Option<FormLetter>,
    pub(super) state: CandidateState,
    #[schema(required)]
    pub(super) score: Option<i32>,
    /// The mark on the scale of the test, or of its sitting; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) mark: Option<ResultMark>,
    /// Right answers.
    #[schema(required)]
    pub(super) right: Option<i32>,
    /// Questions of the test.
    #[schema(required)]
    pub(super) questions: Option<i32>,
    /// Whole seconds.
    #[schema(required)]
    pub(super) time: Option<i32>,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub(super) submitted_at: Option<Moment>,
    /// Which of the results that the test has had, counted from 1.
    #[schema(minimum = 1, required)]
    version: Option<i32>,
    /// Why there is this result; null for the first one.
    #[schema(required)]
    reason: Option<VersionReason>,
    /// Work that came after the end; absent if none did.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    late: Option<LateRow>,
    /// Path of the report on this server.
    #[schema(required)]
    report: Option<String>,
    has_drawings: bool,
    /// In the order of the paper: the place of the question in `questions`, from 0; the chosen option or the number as
    /// it was typed, or null; 1 if it is right, else 0.
    #[schema(value_type = Vec<Vec<serde_json::Value>>)]
    pub(super) answers: Vec<AnswerCell>,
    /// Of the questions whose options the student saw in another order than in the bank, by id: the letters in that
    /// order, so that with `CADB` option C was the first, called A. Absent if there are none.
    #[serde(skip_serializing_if = "SeenOrders::is_empty")]
    #[schema(value_type = Option<BTreeMap<String, String>>, nullable = false)]
    option_order: SeenOrders,
}

#[derive(Clone, Serialize)]
pub(super) struct AnswerCell(pub(super) u32, pub(super) Option<Selected>, u8);

impl StaffResults {
    #[must_use]
    pub fn of(asked: &Asked, gathered: Gathered) -> Self {
        let Gathered { questions, tests, candidates, statistics, truncated } = gathered;
        let ids = QuestionIds::of(questions.iter().map(|question| question.id.as_str()));
        let questions = questions.into_iter().map(|question| {
            let counts = statistics.counts(&question.id);
            ResultQuestion::of(question, counts)
        });
        let questions = questions.collect();
        let rows = if candidates.is_empty() {
            tests.into_iter().map(|test| StaffResult::of(test, &ids)).collect()
        } else {
            of_candidates(candidates, tests, &ids)
        };
        let scale = scale_of(&asked.subject);
        let marks = counted(scale, rows.iter().filter_map(|row: &StaffResult| row.mark.as_ref()));
        let mark_scale = scale.cloned();
        Self { of: ResultsSubject::of(&asked.subject), questions, rows, mark_scale, marks, truncated }
    }

    /// Shows in the rows which work came after the end, by session.
    #[must_use]
    pub(super) fn with_late(mut self, late: &HashMap<Uuid, LateRow>) -> Self {
        for row in &mut self.rows {
            row.late = row.session_id.and_then(|session_id| late.get(&session_id)).copied();
        }
        self
    }

    /// The headings of one column for each question: its number, its id and its key, with those by which other tests
    /// were graded.
    pub(super) fn question_headings(&self) -> impl ExactSizeIterator<Item = String> {
        self.questions.iter().map(|question| {
            let key = question.correct.as_deref().unwrap_or_default();
            let also: String = question.also_correct.iter().map(|also| format!(", {also}")).collect();
            let kind = question.correction.map(CorrectionKind::name);
            let corrected = kind.map_or_else(String::new, |kind| format!("{also}; corrected: {kind}"));
            let others = question.graded_by.iter().filter(|(other, _)| *other != key);
            let others: String = others.map(|(other, tests)| format!("; {tests} graded by {other}")).collect();
            let form = question.form.map_or_else(String::new, |form| form.to_string());
            format!("{form}{}: {} ({key}{corrected}{others})", question.number, question.id)
        })
    }
}

/// A row for each candidate, and for those whom the roster no longer has.
fn of_candidates(candidates: Vec<CandidateView>, tests: Vec<GatheredTest>, ids: &QuestionIds) -> Vec<StaffResult> {
    let mut tests: HashMap<Uuid, GatheredTest> =
        tests.into_iter().map(|gathered| (gathered.test.session_id, gathered)).collect();
    let row = |candidate: CandidateView| {
        let CandidateView { id, email, external_id, name, room, seat, form, state, session_id, .. } = candidate;
        let gathered = session_id.and_then(|id| tests.remove(&id));
        let row = gathered.map_or_else(StaffResult::without_test, |gathered| StaffResult::of(gathered, ids));
        let account = email.or(external_id);
        let form = row.form.or(form);
        StaffResult { student: name, account, candidate_id: Some(id), room, seat, form, state, ..row }
    };
    let mut rows: Vec<StaffResult> = candidates.into_iter().map(row).collect();
    let mut others: Vec<GatheredTest> = tests.into_values().collect();
    others.sort_by_key(|gathered| Reverse(gathered.test.place()));
    rows.extend(others.into_iter().map(|other| StaffResult::of(other, ids)));
    rows
}

impl ResultQuestion {
    fn of(question: GatheredQuestion, counts: Option<ItemCounts>) -> Self {
        let GatheredQuestion { id, number, form, stage, right, corrected, asked: text, discrimination } = question;
        let (correction, also) = corrected;
        let ItemCounts { asked, answered, right: solved, chosen, wrong, graded_by, median_seconds } =
            counts.unwrap_or_default();
        let state = text.as_ref().map(|asked| asked.state);
        let text = text.map(|asked| asked.question);
        // What the newest test has graded it by says more than the bank of today.
        let key = right.as_ref().or(text.as_ref().map(|question| &question.answer));
        let asked_number = key.and_then(Key::number);
        let (is_number, unit) = (asked_number.is_some(), asked_number.map(|number| number.unit.clone()));
        let language = asked_number.map(|number| number.language);
        let known = text.as_ref().map_or(OPTIONS.len(), |question| question.options.len());
        let known = if is_number { 0 } else { known };
        let numbers = OPTIONS.into_iter().zip(chosen).enumerate();
        // An option that the question had once is shown as long as somebody has chosen it.
        let shown = numbers.filter(|(index, (_, count))| *index < known || *count > 0);
        let chosen = shown.map(|(_, (option, count))| (option.letter(), count)).collect();
        let difficulty = text.as_ref().map(|question| question.difficulty);
        let (topic, text, options, image, image_description) = text
            .map(|text| (text.topic, text.question, text.options, text.image, text.image_description))
            .unwrap_or_default();
        Self {
            id,
            number,
            form,
            stage,
            kind: if is_number { NUMBER } else { MULTIPLE_CHOICE },
            topic,
            difficulty,
            question: text,
            options: OPTIONS.into_iter().map(Choice::letter).zip(options).collect(),
            image,
            image_description,
            unit,
            language,
            correct: right.as_ref().map(|key| key.letter_or_number().to_owned()),
            correction,
            also_correct: also.texts(),
            graded_by,
            changed: state == Some(TextState::Replaced),
            edited: matches!(state, Some(TextState::Changed | TextState::Removed)),
            asked,
            answered,
            right: solved,
            chosen,
            wrong: wrong.filter(|_| is_number),
            median_time: median_seconds,
            discrimination,
        }
    }
}

impl StaffResult {
    fn of(gathered: GatheredTest, ids: &QuestionIds) -> Self {
        let GatheredTest { test, answers, orders, mark } = gathered;
        let cell = |(place, chosen, is_right): GatheredAnswer| AnswerCell(place, chosen, is_right.into());
        let (reason, form) = (test.reason(), test.form());
        Self {
            session_id: Some(test.session_id),
            student: test.student,
            account: test.account,
            candidate_id: None,
            room: None,
            seat: None,
            form,
            state: CandidateState::Submitted,
            score: Some(test.score),
            mark,
            right: Some(test.correct_answers),
            questions: Some(test.total_questions),
            time: Some(test.time_taken),
            submitted_at: Some(Moment::from_milliseconds(test.completed_at_ms)),
            version: Some(test.version),
            reason,
            late: None,
            report: Some(format!("/report/{}", test.session_id)),
            has_drawings: test.has_drawings,
            answers: answers.into_iter().map(cell).collect(),
            option_order: ids.orders(orders),
        }
    }

    /// Of a candidate who has not handed in.
    fn without_test() -> Self {
        Self {
            session_id: None,
            student: String::new(),
            account: None,
            candidate_id: None,
            room: None,
            seat: None,
            form: None,
            state: CandidateState::Expected,
            score: None,
            mark: None,
            right: None,
            questions: None,
            time: None,
            submitted_at: None,
            version: None,
            reason: None,
            late: None,
            report: None,
            has_drawings: false,
            answers: Vec::new(),
            option_order: SeenOrders::default(),
        }
    }
}
