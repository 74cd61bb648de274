//! The exam that an event announces: the one place where the calendar and the exams meet.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::attempt::{ADAPTIVE_MINUTES, Mode, STANDARD_MINUTES};
use crate::grade::Grade;

/// Minutes of a standard test whose event names none.
const MINUTES_DEFAULT: u32 = 30;

/// An exam as an event names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exam {
    /// A test from the template with this id.
    Template(Uuid),
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
    /// Reads `{"templateId"}`, or `{"grade", "mode", "durationMinutes"}`, of which the last two may be missing. Numbers
    /// may be texts, as in forms. The outer `None` is an invalid exam, which the caller answers with
    /// `rest_invalid_param`. The inner `None` is an event without an exam: null, an empty text or an empty object.
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
        match self {
            Self::Template(id) => json!({ "templateId": id }),
            Self::Grade { grade, mode, duration_minutes } => {
                json!({ "grade": grade, "mode": mode, "durationMinutes": duration_minutes })
            }
        }
    }

    /// The path of the page for it: `/t/{templateId}`, `/test/{grade}` or `/test/{grade}?mode=adaptive`.
    #[must_use]
    pub fn path(self) -> String {
        match self {
            Self::Template(id) => format!("/t/{id}"),
            Self::Grade { grade, mode: Mode::Standard, .. } => format!("/test/{}", grade.number()),
            Self::Grade { grade, mode: Mode::Adaptive, .. } => format!("/test/{}?mode=adaptive", grade.number()),
        }
    }

    fn of_fields(fields: &Map<String, Value>) -> Option<Self> {
        if fields.keys().any(|name| !matches!(name.as_str(), "templateId" | "grade" | "mode" | "durationMinutes")) {
            return None;
        }
        let sent = |name: &str| fields.get(name).filter(|value| !value.is_null());
        if let Some(id) = sent("templateId") {
            let is_alone = sent("grade").or(sent("mode")).or(sent("durationMinutes")).is_none();
            return id.as_str().filter(|_| is_alone).and_then(|id| Uuid::try_parse(id).ok()).map(Self::Template);
        }
        let grade = whole(sent("grade")?).and_then(Grade::new)?;
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
