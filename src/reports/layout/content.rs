//! The content of a report in words and numbers, taken from the stored session and from the bank before anything has a
//! place on paper.

use std::collections::HashMap;

use chrono_tz::Tz;
use domain::band::Band;
use domain::correction::CorrectionKind;
use domain::question::{Choice, OptionsDigest, Question};
use domain::scoring::{SCORE_MAX, SCORE_MIN};
use domain::session::{AnswerView, AskedKey, ResultView, Session, SessionOrigin, TextState};
use domain::sight::Sight;
use domain::topic::topic_name;
use serde_json::value::RawValue;

use super::annotations::{Annotations, plain};
use super::letterhead::Letterhead;
use super::lettering::Lettering;
use super::report_link::{ReportLink, reference};
use super::words::PaperWords;
use super::{about_texts, wording};
use crate::reports::asked::AskedPaper;
use crate::reports::marks::{MarkOnPaper, mark_before};
use crate::reports::text::formula;

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
    /// The school's name, crest and colour, and the language.
    pub head: Letterhead,
    /// The name of the exam, if it has one.
    pub exam: Option<String>,
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
    pub const fn meaning(self, words: PaperWords) -> &'static str {
        match self {
            Self::Right => words.right(),
            Self::Wrong => words.wrong(),
            Self::Open => words.not_answered(),
            Self::Hidden => "",
            Self::Dropped => words.does_not_count(),
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
    /// The school's name, crest and colour, and the language.
    pub head: Letterhead,
    /// The name of the exam, or what the paper is.
    pub title: String,
    /// What the title does not say of the paper and the grade.
    pub subject: String,
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
    /// What stands at the foot of each page, so that sheets that lie apart are found again: the beginning of the
    /// session's id, which is in the name of the file too. No reader can do anything with the whole of it.
    pub reference: String,
    /// Address of the report's page; `None` unless it is an http or https URL.
    pub link: Option<ReportLink>,
}

impl ReportContent {
    /// `None` if the reader may not see the result. What would tell the right options is missing for those who may not
    /// know them: which answers were right, and sums over few of them.
    #[must_use]
    pub fn of(session: &Session, course: Option<Course>, sight: Sight, around: &Surroundings) -> Option<Self> {
        let result = &session.result(sight)?;
        let (words, zone) = (around.head.words, around.time_zone);
        let keys: HashMap<&str, AskedKey<'_>> = session.asked_keys().into_iter().collect();
        let mut drawings: HashMap<String, Box<RawValue>> = session
            .drawings
            .as_ref()
            .and_then(|drawings| serde_json::from_str(drawings.get()).ok())
            .unwrap_or_default();
        let (orders, has_master) = (session.option_orders(), sight.shows_master_letters());
        let row = |(index, answer): (usize, &AnswerView<'_>)| {
            let lettering = Lettering { order: orders.get(answer.question_id).copied(), has_master };
            let drawing = drawings.remove(answer.question_id);
            row(index, answer, keys.get(answer.question_id), around, lettering, drawing)
        };
        let rows: Vec<QuestionRow> = result.answers.iter().enumerate().map(row).collect();
        let of_letters = Lettering { order: orders.values().next().copied(), has_master }.sentence(words);
        let ids: Vec<&str> = session.question_ids().collect();
        let about_texts = about_texts::sentences(words, &ids, &around.asked, zone);
        let change = session.change(sight);
        let (title, subject) = match &around.exam {
            Some(name) => (name.clone(), words.report_of(session.grade)),
            None => (words.report_title().to_owned(), words.of_grade(session.grade)),
        };
        Some(Self {
            head: around.head.clone(),
            annotations: annotations(session, words, &[&title, &around.head.school]),
            title,
            subject,
            dates: wording::dates(words, session.started_at, session.completed_at, zone),
            time_taken: wording::duration(words, result.time_taken),
            form: session.form.map(|form| words.form_inside(form)),
            score: result.score,
            score_share: share(result.score.saturating_sub(SCORE_MIN), SCORE_MAX - SCORE_MIN),
            mark: MarkOnPaper::of(session, sight, words.language()),
            correct: words.share(result.correct_answers, result.total_questions),
            accuracy: words.percent(result.accuracy),
            points: points(result, &keys, words),
            topics: topics(result, words),
            difficulties: difficulties(result, words),
            stages: course
                .filter(|_| sight.shows_keys())
                .map(|course| stages(result, course, words))
                .unwrap_or_default(),
            rows,
            about_texts: about_texts.into_iter().chain(of_letters.map(str::to_owned)).collect(),
            change: change.map(|(reason, before)| {
                let change = wording::change(words, reason, session.version.at, before.score, zone);
                change + &mark_before(session, sight, before.mark.as_ref(), words.language())
            }),
            is_unverified: !session.verified,
            is_sent_by_client: session.origin == SessionOrigin::Client,
            reference: words.reference(&reference(session)),
            link: ReportLink::parse(&session.report_url),
        })
    }
}

/// The annotations under their names in the language, without what stands on the report already.
fn annotations(session: &Session, words: PaperWords, said: &[&str]) -> Annotations {
    let mut read = Annotations::read(session.annotations.get()).without(said);
    for (key, _) in &mut read.pairs {
        *key = words.annotation(key, &plain(key)).to_owned();
    }
    read
}

fn row(
    index: usize,
    answer: &AnswerView<'_>,
    key: Option<&AskedKey<'_>>,
    around: &Surroundings,
    lettering: Lettering,
    drawing: Option<Box<RawValue>>,
) -> QuestionRow {
    let (words, asked) = (around.head.words, around.asked.questions.get(answer.question_id));
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
            (None, Some(_)) => words.text_replaced().to_owned(),
            (None, None) if around.asked.withheld.is_some() => words.text_later().to_owned(),
            (None, None) => words.text_gone().to_owned(),
        },
        topic: key
            .map(|key| {
                format!("{} ({})", topic_name(key.topic(), words.language()), words.difficulty(key.difficulty()))
            })
            .unwrap_or_default(),
        selected: answered(answer.selected, lettered, lettering, words),
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
            words.corrected(kind, &lettering.letters(right))
        }),
    }
}

/// What was chosen or typed.
fn answered(selected: &str, question: Option<&Question>, lettering: Lettering, words: PaperWords) -> String {
    match question.and_then(|question| question.answer.number()).filter(|_| !selected.is_empty()) {
        Some(number) => wording::typed(words, selected, number),
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
fn points(result: &ResultView<'_>, keys: &HashMap<&str, AskedKey<'_>>, words: PaperWords) -> Option<String> {
    let of = |answer: &AnswerView<'_>| Some((answer.is_correct?, keys.get(answer.question_id)?.difficulty().points()));
    let points = counted_answers(&result.answers).map(of).collect::<Option<Vec<_>>>();
    let points = points.filter(|_| !result.answers.is_empty())?;
    let earned: u32 = points.iter().filter(|(is_correct, _)| *is_correct).map(|(_, points)| points).sum();
    Some(words.share(earned, points.iter().map(|(_, points)| points).sum()))
}

/// Without those whose question was dropped.
fn counted_answers<'a>(answers: &'a [AnswerView<'a>]) -> impl Iterator<Item = &'a AnswerView<'a>> {
    answers.iter().filter(|answer| answer.correction != Some(CorrectionKind::Drop))
}

fn topics(result: &ResultView<'_>, words: PaperWords) -> Vec<Bar> {
    let bar = |line: &domain::scoring::TopicLine| Bar {
        label: topic_name(&line.topic, words.language()).to_owned(),
        share: share(line.percentage, 100),
        words: format!("{} · {} %", words.share(line.correct, line.total), line.percentage),
    };
    result.topic_breakdown.iter().map(bar).collect()
}

fn difficulties(result: &ResultView<'_>, words: PaperWords) -> Vec<Bar> {
    let lines = result.difficulty_breakdown.iter();
    lines.map(|line| counted(words, words.difficulty(line.difficulty).to_owned(), line.correct, line.total)).collect()
}

fn stages(result: &ResultView<'_>, course: Course, words: PaperWords) -> Vec<Bar> {
    let (first, second) = result.answers.split_at(course.first_stage.min(result.answers.len()));
    let bar = |label: String, answers: &[AnswerView<'_>]| {
        let count = |is_counted: &dyn Fn(&&AnswerView<'_>) -> bool| {
            u32::try_from(counted_answers(answers).filter(is_counted).count()).unwrap_or(u32::MAX)
        };
        counted(words, label, count(&|answer| answer.is_correct == Some(true)), count(&|_| true))
    };
    let of_band = words.second_stage(&wording::band(words, course.band));
    vec![bar(words.first_stage().to_owned(), first), bar(of_band, second)]
}

fn counted(words: PaperWords, label: String, correct: u32, total: u32) -> Bar {
    Bar { label, share: share(correct, total), words: words.share(correct, total) }
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
