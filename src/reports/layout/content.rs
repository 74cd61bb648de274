//! The content of a report in words and numbers, taken from the stored session and from the bank before anything has a
//! place on paper.

use std::collections::HashMap;
use std::sync::Arc;

use chrono_tz::Tz;
use domain::band::Band;
use domain::correction::CorrectionKind;
use domain::question::{Choice, OptionsDigest, Question};
use domain::school::PageLanguage;
use domain::scoring::{SCORE_MAX, SCORE_MIN};
use domain::session::{AnswerView, AskedKey, AskedQuestion, ResultView, Session, SessionOrigin, TextState};
use domain::sight::Sight;
use serde_json::value::RawValue;
use url::Url;

use super::annotations::Annotations;
use super::lettering::Lettering;
use super::{about_texts, wording};
use crate::reports::asked::AskedPaper;
use crate::reports::marks::{MarkOnPaper, mark_before};
use crate::reports::text::formula;
use crate::school::crest_picture::CrestPicture;

/// How an adaptive test continued after stage 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    /// Number of questions of stage 1.
    pub first_stage: usize,
    /// The band that stage 2 was drawn for.
    pub band: Band,
}

/// What a report says beside the session.
pub struct Surroundings {
    /// The session's questions as they were asked.
    pub asked: AskedPaper,
    /// The zone of the report's times.
    pub time_zone: Tz,
    /// The school's name; empty if none was given.
    pub school: String,
    /// The school's crest, if it has one.
    pub crest: Option<Arc<CrestPicture>>,
}

/// A labelled bar of a breakdown.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    pub label: String,
    /// The filled part, 0 to 1.
    pub share: f32,
    /// The same value in words.
    pub words: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionOutcome {
    Right,
    Wrong,
    /// The question was not answered.
    Open,
    /// The reader may not know.
    Hidden,
    /// The question does not count.
    Dropped,
}

impl QuestionOutcome {
    /// A sign that can be distinguished from the others without colour.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Right => "✓",
            Self::Wrong => "✗",
            Self::Open => "○",
            Self::Hidden => "",
            Self::Dropped => "–",
        }
    }

    /// The meaning of the sign, for the legend.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong => "wrong",
            Self::Open => "not answered",
            Self::Hidden => "",
            Self::Dropped => "does not count",
        }
    }
}

/// A row of the table of questions.
#[derive(Clone, Debug)]
pub struct QuestionRow {
    /// Position in the test, from 1.
    pub number: String,
    /// The question's text, or what stands in its place.
    pub text: String,
    /// With the label of the difficulty; empty when it is not known.
    pub topic: String,
    /// The student's choice under the letter that the student saw, with its text if that is still the one of then; or
    /// what was typed, and how that is read.
    pub selected: String,
    /// The correct choice, in the same way; or the right number, with what it may differ by and its unit.
    pub correct: String,
    pub outcome: QuestionOutcome,
    /// Points earned and possible, as `3/5`.
    pub points: String,
    /// Minutes and seconds.
    pub time: String,
    /// The drawing as the client sent it, in JSON.
    pub drawing: Option<Box<RawValue>>,
    /// What a correction of the key has made of the question, in one sentence.
    pub correction: Option<String>,
}

/// Everything that a report says.
#[derive(Clone, Debug)]
pub struct ReportContent {
    /// Empty if none was given.
    pub school: String,
    pub crest: Option<Arc<CrestPicture>>,
    pub grade: String,
    /// Day and time of the start and the end.
    pub dates: String,
    pub time_taken: String,
    /// Such as `form B`; `None` for a test without forms.
    pub form: Option<String>,
    pub annotations: Annotations,
    /// 200 to 800.
    pub score: u32,
    /// Position of the score on its scale, 0 to 1.
    pub score_share: f32,
    /// On the school's scale; `None` without one.
    pub mark: Option<MarkOnPaper>,
    /// Correct answers, as `30 of 40`.
    pub correct: String,
    /// Correct answers, in percent.
    pub accuracy: String,
    /// Points earned and possible; `None` when the server does not know every question's points.
    pub points: Option<String>,
    pub topics: Vec<Bar>,
    pub difficulties: Vec<Bar>,
    /// One bar for each stage; empty for a test with one stage.
    pub stages: Vec<Bar>,
    pub rows: Vec<QuestionRow>,
    /// Sentences above the table of questions.
    pub about_texts: Vec<String>,
    /// That and why the result was changed, in one sentence; `None` if it is the first one.
    pub change: Option<String>,
    /// Whether the result is one that a client sent and the server could not grade.
    pub is_unverified: bool,
    /// Whether a client sent the whole test, so that this server did not see it being taken.
    pub is_sent_by_client: bool,
    pub session_id: String,
    /// Address of the report's page; `None` unless it is an http or https URL.
    pub link: Option<String>,
}

impl ReportContent {
    /// `None` if the reader may not see the result. What would tell the right options is missing for those who may not
    /// know them: which answers were right, and sums over few of them.
    #[must_use]
    pub fn of(session: &Session, course: Option<Course>, sight: Sight, around: &Surroundings) -> Option<Self> {
        let result = &session.result(sight)?;
        let keys: HashMap<&str, AskedKey<'_>> = session.asked_keys().into_iter().collect();
        let mut drawings: HashMap<String, Box<RawValue>> = session
            .drawings
            .as_ref()
            .and_then(|drawings| serde_json::from_str(drawings.get()).ok())
            .unwrap_or_default();
        let (orders, has_master) = (session.option_orders(), sight.shows_master_letters());
        let row = |(index, answer): (usize, &AnswerView<'_>)| {
            let asked = around.asked.questions.get(answer.question_id);
            let lettering = Lettering { order: orders.get(answer.question_id).copied(), has_master };
            row(index, answer, keys.get(answer.question_id), asked, lettering, drawings.remove(answer.question_id))
        };
        let rows: Vec<QuestionRow> = result.answers.iter().enumerate().map(row).collect();
        let of_letters = Lettering { order: orders.values().next().copied(), has_master }.sentence();
        Some(Self {
            school: around.school.clone(),
            crest: around.crest.clone(),
            grade: format!("Grade {}", session.grade.number()),
            dates: wording::dates(session.started_at, session.completed_at, around.time_zone),
            time_taken: wording::duration(result.time_taken),
            form: session.form.map(|form| format!("form {form}")),
            annotations: Annotations::read(session.annotations.get()),
            score: result.score,
            score_share: share(result.score.saturating_sub(SCORE_MIN), SCORE_MAX - SCORE_MIN),
            mark: MarkOnPaper::of(session, sight, PageLanguage::En),
            correct: format!("{} of {}", result.correct_answers, result.total_questions),
            accuracy: format!("{:.1} %", result.accuracy),
            points: points(result, &keys),
            topics: topics(result),
            difficulties: difficulties(result),
            stages: course.filter(|_| sight.shows_keys()).map(|course| stages(result, course)).unwrap_or_default(),
            rows,
            about_texts: about_texts::sentences(
                &session.question_ids().collect::<Vec<_>>(),
                &around.asked,
                around.time_zone,
            )
            .into_iter()
            .chain(of_letters.map(str::to_owned))
            .collect(),
            change: session.change(sight).map(|(reason, before)| {
                let change = wording::change(reason, session.version.at, before.score, around.time_zone);
                change + &mark_before(session, sight, before.mark.as_ref(), PageLanguage::En)
            }),
            is_unverified: !session.verified,
            is_sent_by_client: session.origin == SessionOrigin::Client,
            session_id: session.session_id.to_string(),
            link: Url::parse(&session.report_url)
                .ok()
                .filter(|url| matches!(url.scheme(), "http" | "https"))
                .map(String::from),
        })
    }
}

fn row(
    index: usize,
    answer: &AnswerView<'_>,
    key: Option<&AskedKey<'_>>,
    asked: Option<&AskedQuestion>,
    lettering: Lettering,
    drawing: Option<Box<RawValue>>,
) -> QuestionRow {
    let question = asked.map(|asked| &asked.question);
    let is_other = asked.is_some_and(|asked| asked.state == TextState::Replaced);
    // A question whose key has changed since the test is not what the student saw.
    let shown = question.filter(|question| !is_other || key.is_none_or(|key| key.is_of(question)));
    // A letter stands for what the student saw, and no text is better than another one.
    let lettered = shown.filter(|question| {
        key.and_then(AskedKey::options).is_some_and(|options| options == OptionsDigest::of(&question.options))
    });
    let is_dropped = answer.correction == Some(CorrectionKind::Drop);
    let outcome = match (answer.selected.is_empty(), answer.is_correct) {
        _ if is_dropped => QuestionOutcome::Dropped,
        (_, None) => QuestionOutcome::Hidden,
        (_, Some(true)) => QuestionOutcome::Right,
        (true, Some(false)) => QuestionOutcome::Open,
        (false, Some(false)) => QuestionOutcome::Wrong,
    };
    let points = answer.is_correct.zip(key.map(|key| key.difficulty().points())).filter(|_| !is_dropped);
    QuestionRow {
        number: (index + 1).to_string(),
        text: match (shown, question) {
            (Some(question), _) => formula::plain(&question.question),
            (None, Some(_)) => format!("{} (changed since this test)", answer.question_id),
            (None, None) => answer.question_id.to_owned(),
        },
        topic: key
            .map(|key| format!("{} ({})", key.topic(), wording::difficulty(key.difficulty())))
            .unwrap_or_default(),
        selected: answered(answer.selected, lettered, lettering),
        correct: right(answer.correct.unwrap_or_default(), lettered, lettering),
        outcome,
        points: points.map_or_else(
            || wording::DASH.to_owned(),
            |(is_correct, possible)| format!("{}/{possible}", if is_correct { possible } else { 0 }),
        ),
        time: answer.time_taken.map_or_else(|| wording::DASH.to_owned(), wording::clock),
        drawing,
        correction: answer.correction.map(|kind| {
            let right = answer.correct.into_iter().chain(answer.also_correct.iter().map(String::as_str));
            wording::correction(kind, &lettering.letters(right))
        }),
    }
}

/// What was chosen or typed.
fn answered(selected: &str, question: Option<&Question>, lettering: Lettering) -> String {
    match question.and_then(|question| question.answer.number()).filter(|_| !selected.is_empty()) {
        Some(number) => wording::typed(selected, number),
        None => choice(selected, question, lettering),
    }
}

/// What is right.
fn right(correct: &str, question: Option<&Question>, lettering: Lettering) -> String {
    match question.and_then(|question| question.answer.number()).filter(|_| !correct.is_empty()) {
        Some(number) => wording::number(correct, number),
        None => choice(correct, question, lettering),
    }
}

/// A letter with the text of its option, such as `B: 3/4`. The letter given is that of the bank, which finds the text.
fn choice(canonical: &str, question: Option<&Question>, lettering: Lettering) -> String {
    let letter = lettering.letter(canonical);
    let place = Choice::parse(canonical).map(|choice| choice as usize);
    match place.and_then(|place| question?.options.get(place)) {
        Some(option) => format!("{letter}: {}", formula::plain(option)),
        None => wording::or_dash(&letter),
    }
}

/// Points earned and possible, if the points of every question are known.
fn points(result: &ResultView<'_>, keys: &HashMap<&str, AskedKey<'_>>) -> Option<String> {
    let of = |answer: &AnswerView<'_>| Some((answer.is_correct?, keys.get(answer.question_id)?.difficulty().points()));
    let points = counted_answers(&result.answers).map(of).collect::<Option<Vec<_>>>();
    let points = points.filter(|_| !result.answers.is_empty())?;
    let earned: u32 = points.iter().filter(|(is_correct, _)| *is_correct).map(|(_, points)| points).sum();
    Some(format!("{earned} of {}", points.iter().map(|(_, points)| points).sum::<u32>()))
}

/// Without those whose question was dropped.
fn counted_answers<'a>(answers: &'a [AnswerView<'a>]) -> impl Iterator<Item = &'a AnswerView<'a>> {
    answers.iter().filter(|answer| answer.correction != Some(CorrectionKind::Drop))
}

fn topics(result: &ResultView<'_>) -> Vec<Bar> {
    let bar = |line: &domain::scoring::TopicLine| Bar {
        label: line.topic.clone(),
        share: share(line.percentage, 100),
        words: format!("{} of {} · {} %", line.correct, line.total, line.percentage),
    };
    result.topic_breakdown.iter().map(bar).collect()
}

fn difficulties(result: &ResultView<'_>) -> Vec<Bar> {
    let lines = result.difficulty_breakdown.iter();
    lines.map(|line| counted(wording::difficulty(line.difficulty).to_owned(), line.correct, line.total)).collect()
}

fn stages(result: &ResultView<'_>, course: Course) -> Vec<Bar> {
    let (first, second) = result.answers.split_at(course.first_stage.min(result.answers.len()));
    let bar = |label: String, answers: &[AnswerView<'_>]| {
        let count = |is_counted: &dyn Fn(&&AnswerView<'_>) -> bool| {
            u32::try_from(counted_answers(answers).filter(is_counted).count()).unwrap_or(u32::MAX)
        };
        counted(label, count(&|answer| answer.is_correct == Some(true)), count(&|_| true))
    };
    vec![bar("Stage 1".to_owned(), first), bar(format!("Stage 2 ({})", wording::band(course.band)), second)]
}

fn counted(label: String, correct: u32, total: u32) -> Bar {
    Bar { label, share: share(correct, total), words: format!("{correct} of {total}") }
}

/// The ratio of two numbers, at most 1; 0 when the whole is 0.
fn share(part: u32, whole: u32) -> f32 {
    if whole == 0 {
        return 0.0;
    }
    let thousandths = (u64::from(part) * 10_000 / u64::from(whole)).min(10_000);
    // Ten thousand steps fit into 16 bits, which convert to a float without a cast and are finer than print.
    f32::from(u16::try_from(thousandths).unwrap_or_default()) / 10_000.0
}

#[cfg(test)]
mod tests;
