//! The exam that an event announces: the one place where the calendar and the exams meet.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::attempt::{ADAPTIVE_MINUTES, Mode, STANDARD_MINUTES};
use crate::grade::Grade;
use crate::time::moment::Moment;

/// Minutes of a standard test whose event names none.
const MINUTES_DEFAULT: u32 = 30;

/// The most minutes before its event that an exam may open: a week.
pub const OPENS_MINUTES_BEFORE_MAX: i64 = 7 * 24 * 60;

/// An exam as an event names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exam {
    /// What is sat.
    pub test: ExamTest,
    /// How many minutes before the start of its event it opens, if that was sent.
    pub opens_minutes_before: Option<u32>,
}

/// What is sat in an exam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExamTest {
    /// A test from the template with this id.
    Template(Uuid),
    /// A sitting: it decides by itself who enters and when, whatever its event says.
    Sitting(Uuid),
    /// A test of a grade's questions.
    Grade {
        /// The grade whose questions are asked.
        grade: Grade,
        /// One stage or two.
        mode: Mode,
        /// Whole minutes: 15 to 70; always 70 for an adaptive test.
        duration_minutes: u32,
    },
}

impl Exam {
    /// Reads `{"templateId"}`, or `{"grade", "mode", "durationMinutes"}`, of which the last two may be missing; either
    /// may have `opensMinutesBefore`. Or `{"sittingId"}` alone. Numbers may be texts, as in forms. The outer `None` is
    /// an invalid exam, which the caller answers with `rest_invalid_param`. The inner `None` is an event without an
    /// exam: null, an empty text or an empty object.
    #[must_use]
    pub fn read(value: &Value) -> Option<Option<Self>> {
        match value {
            Value::Null => Some(None),
            Value::String(text) if text.is_empty() => Some(None),
            Value::Object(fields) if fields.is_empty() => Some(None),
            Value::Object(fields) => Self::of_fields(fields).map(Some),
            _ => None,
        }
    }

    /// Reads the text of a record, which [`Exam::json`] wrote.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok().and_then(|value| Self::read(&value)).flatten()
    }

    /// The exam as an event shows it in `exam`.
    #[must_use]
    pub fn json(self) -> Value {
        let mut shown = match self.test {
            ExamTest::Template(id) => json!({ "templateId": id }),
            ExamTest::Sitting(id) => json!({ "sittingId": id }),
            ExamTest::Grade { grade, mode, duration_minutes } => {
                json!({ "grade": grade, "mode": mode, "durationMinutes": duration_minutes })
            }
        };
        if let (Some(minutes), Some(fields)) = (self.opens_minutes_before, shown.as_object_mut()) {
            fields.insert("opensMinutesBefore".to_owned(), minutes.into());
        }
        shown
    }

    /// The path of the page for it: `/t/{templateId}`, `/s/{sittingId}`, `/test/{grade}` or
    /// `/test/{grade}?mode=adaptive`.
    #[must_use]
    pub fn path(self) -> String {
        match self.test {
            ExamTest::Template(id) => format!("/t/{id}"),
            ExamTest::Sitting(id) => format!("/s/{id}"),
            ExamTest::Grade { grade, mode: Mode::Standard, .. } => format!("/test/{}", grade.number()),
            ExamTest::Grade { grade, mode: Mode::Adaptive, .. } => format!("/test/{}?mode=adaptive", grade.number()),
        }
    }

    /// From when students may begin it, if its event starts then. `None` if they always may: the questions of a grade
    /// are open to everyone, so such an exam only opens at a time if `opensMinutesBefore` says so, and the doors of a
    /// sitting are its own.
    #[must_use]
    pub fn opens_at(self, starts_at: Moment) -> Option<Moment> {
        let minutes = match self.test {
            ExamTest::Template(_) => self.opens_minutes_before.unwrap_or_default(),
            ExamTest::Grade { .. } => self.opens_minutes_before?,
            ExamTest::Sitting(_) => return None,
        };
        Some(starts_at.plus(-i64::from(minutes) * 60_000))
    }

    /// The template whose test is sat.
    #[must_use]
    pub const fn template(self) -> Option<Uuid> {
        match self.test {
            ExamTest::Template(id) => Some(id),
            ExamTest::Grade { .. } | ExamTest::Sitting(_) => None,
        }
    }

    /// Returns whether a link would give the template away: it has its id, in any of the forms in which ids are read.
    #[must_use]
    pub fn is_given_away_by(self, link: &str) -> bool {
        let plain = || link.replace('-', "").to_ascii_lowercase();
        self.template().is_some_and(|id| plain().contains(&id.simple().to_string()))
    }

    fn of_fields(fields: &Map<String, Value>) -> Option<Self> {
        const NAMES: [&str; 6] = ["templateId", "sittingId", "grade", "mode", "durationMinutes", "opensMinutesBefore"];
        if fields.keys().any(|name| !NAMES.contains(&name.as_str())) {
            return None;
        }
        let sent = |name: &str| fields.get(name).filter(|value| !value.is_null());
        if let Some(id) = sent("sittingId") {
            let is_alone = NAMES.iter().all(|name| *name == "sittingId" || sent(name).is_none());
            let test =
                id.as_str().filter(|_| is_alone).and_then(|id| Uuid::try_parse(id).ok()).map(ExamTest::Sitting)?;
            return Some(Self { test, opens_minutes_before: None });
        }
        let opens_minutes_before = match sent("opensMinutesBefore") {
            None => None,
            Some(minutes) => {
                let minutes = whole(minutes).filter(|minutes| (0..=OPENS_MINUTES_BEFORE_MAX).contains(minutes))?;
                Some(u32::try_from(minutes).ok()?)
            }
        };
        let test = if let Some(id) = sent("templateId") {
            let is_alone = sent("grade").or(sent("mode")).or(sent("durationMinutes")).is_none();
            id.as_str().filter(|_| is_alone).and_then(|id| Uuid::try_parse(id).ok()).map(ExamTest::Template)?
        } else {
            ExamTest::of_grade(sent)?
        };
        Some(Self { test, opens_minutes_before })
    }
}

impl ExamTest {
    fn of_grade<'a>(sent: impl Fn(&str) -> Option<&'a Value>) -> Option<Self> {
        let grade = grade(sent("grade")?)?;
        let mode = sent("mode").map_or(Some(Mode::Standard), |mode| mode.as_str().and_then(Mode::parse))?;
        let minutes =
            sent("durationMinutes").map(|minutes| whole(minutes).filter(|minutes| STANDARD_MINUTES.contains(minutes)));
        let minutes =
            minutes.map_or(Some(None), |minutes| minutes.and_then(|minutes| u32::try_from(minutes).ok()).map(Some))?;
        let duration_minutes = match mode {
            Mode::Standard => minutes.unwrap_or(MINUTES_DEFAULT),
            Mode::Adaptive => ADAPTIVE_MINUTES,
        };
        Some(Self::Grade { grade, mode, duration_minutes })
    }
}

fn grade(value: &Value) -> Option<Grade> {
    match value {
        Value::String(text) => Grade::parse(text),
        value => whole(value).and_then(Grade::new),
    }
}

fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit())),
        _ => None,
    }
}

/// The number of the event that announced a session's test: `event` of its `annotations`, a JSON object, as a number or
/// in digits.
#[must_use]
pub fn event_of(annotations: &str) -> Option<i64> {
    #[derive(Deserialize)]
    struct Named {
        event: Option<Value>,
    }

    let event = serde_json::from_str::<Named>(annotations).ok()?.event?;
    let number = event.as_i64().or_else(|| event.as_str().and_then(|digits| digits.parse().ok()));
    number.filter(|number| *number > 0)
}

#[cfg(test)]
mod tests;
