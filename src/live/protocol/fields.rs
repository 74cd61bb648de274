//! The fields of a frame from a student. Each is parsed by itself, so that the error can name the one that is wrong.

use std::sync::Arc;

use domain::attempt::{AnswerChange, Eliminations, LINE_MAX, Mode, SEQ_MAX, TIME_TAKEN_SECONDS_MAX};
use domain::grade::Grade;
use domain::question::Selected;
use domain::question_types::QuestionTypes;
use domain::session::{DRAWING_BYTES_MAX, is_annotations, is_base_url, is_drawing};
use domain::sitting::code::{AccessCode, SittingCode};
use domain::time::moment::Moment;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::student_frame::{Action, Enter, SittingName, Start, StudentCommand, StudentFrame, Test};
use crate::live::protocol::fault::{Code, Fault};

/// Characters of a start's `key`: shorter ones could be guessed
/// (`docs/decisions/0004-start-tokens-from-key-and-salt.md`).
const KEY_CHARACTERS: std::ops::RangeInclusive<usize> = 16..=64;

/// Hexadecimal digits of a SHA-256.
const SHA256_DIGITS: usize = 64;

/// The fields of all frames, unparsed.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct StudentFields<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Option<&'a RawValue>,
    #[serde(borrow)]
    seq: Option<&'a RawValue>,
    #[serde(borrow)]
    line: Option<&'a RawValue>,
    #[serde(borrow)]
    at: Option<&'a RawValue>,
    #[serde(borrow)]
    question_id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    selected: Present<'a>,
    #[serde(borrow)]
    time_taken: Option<&'a RawValue>,
    #[serde(borrow)]
    marked: Option<&'a RawValue>,
    #[serde(borrow)]
    eliminated: Option<&'a RawValue>,
    #[serde(borrow, default)]
    drawing: Present<'a>,
    #[serde(borrow)]
    t: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) away: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) trouble: Option<&'a RawValue>,
    #[serde(borrow)]
    session_id: Option<&'a RawValue>,
    #[serde(borrow)]
    token: Option<&'a RawValue>,
    #[serde(borrow)]
    grade: Option<&'a RawValue>,
    #[serde(borrow)]
    mode: Option<&'a RawValue>,
    #[serde(borrow)]
    duration_minutes: Option<&'a RawValue>,
    #[serde(borrow)]
    question_count: Option<&'a RawValue>,
    #[serde(borrow)]
    question_ids: Option<&'a RawValue>,
    #[serde(borrow)]
    types: Option<&'a RawValue>,
    #[serde(borrow)]
    shuffle_options: Option<&'a RawValue>,
    #[serde(borrow)]
    template_id: Option<&'a RawValue>,
    #[serde(borrow)]
    access_code: Option<&'a RawValue>,
    #[serde(borrow)]
    annotations: Option<&'a RawValue>,
    #[serde(borrow)]
    webhook_url: Option<&'a RawValue>,
    #[serde(borrow)]
    base_url: Option<&'a RawValue>,
    #[serde(borrow)]
    key: Option<&'a RawValue>,
    #[serde(borrow)]
    sitting_id: Option<&'a RawValue>,
    #[serde(borrow)]
    code: Option<&'a RawValue>,
    #[serde(borrow)]
    access: Option<&'a RawValue>,
    #[serde(borrow)]
    sha256: Option<&'a RawValue>,
}

/// A field in which null differs from a missing field.
#[derive(Default)]
struct Present<'a>(Option<&'a RawValue>);

impl<'de: 'a, 'a> Deserialize<'de> for Present<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&RawValue>::deserialize(deserializer).map(|raw| Self(Some(raw)))
    }
}

impl<'a> StudentFields<'a> {
    pub(super) fn read(text: &'a str) -> Result<Self, Fault> {
        if !text.trim_start().starts_with('{') {
            return Err(bad("The message is not a JSON object"));
        }
        serde_json::from_str(text).map_err(|_| bad("The message is not a JSON object"))
    }

    pub(super) fn kind(&self) -> Result<String, Fault> {
        self.required("type", self.kind)
    }

    pub(super) fn command(&self, kind: &str) -> Result<StudentCommand, Fault> {
        if !matches!(kind, "answer" | "mark" | "eliminate" | "visit" | "drawing" | "ready" | "next" | "submit") {
            return Err(bad("The type is not known"));
        }
        let seq: u64 = self.required("seq", self.seq)?;
        if !(1..=SEQ_MAX).contains(&seq) {
            return Err(bad("seq must be a whole number from 1"));
        }
        let action = match kind {
            "ready" => self.sha256().map(Action::Ready),
            "next" => Ok(Action::Next),
            "submit" => Ok(Action::Submit),
            _ => self.change(kind),
        };
        let line = self.line().map(Option::unwrap_or_default);
        let at = self.optional::<Moment>("at", self.at);
        let command = line.and_then(|line| Ok(StudentCommand { seq, line, at: at?, action: action? }));
        command.map_err(|fault| fault.of(seq))
    }

    fn line(&self) -> Result<Option<u16>, Fault> {
        let line: Option<u16> = self.optional("line", self.line)?;
        if line > Some(LINE_MAX) { Err(bad("line must be one that the server has given")) } else { Ok(line) }
    }

    fn change(&self, kind: &str) -> Result<Action, Fault> {
        let question_id = self.required::<Box<str>>("questionId", self.question_id)?;
        let mut drawing = None;
        let change = match kind {
            "answer" => AnswerChange::Choice { selected: self.selected()?, time_taken: self.time_taken()? },
            "mark" => AnswerChange::Mark(self.required("marked", self.marked)?),
            "eliminate" => AnswerChange::Elimination(self.eliminated()?),
            "drawing" => {
                drawing = self.drawing()?;
                AnswerChange::Drawing(drawing.is_some())
            }
            _ => AnswerChange::Visit,
        };
        Ok(Action::Change { question_id, change, drawing })
    }

    /// Whether the question asks for a letter or for a number is not known here.
    fn selected(&self) -> Result<Option<Selected>, Fault> {
        let raw = self.selected.0.ok_or_else(|| bad("selected is missing"))?;
        let text: Option<String> =
            serde_json::from_str(raw.get()).map_err(|_| bad("selected must be a text or null"))?;
        let selected = |text: String| {
            let sentence = "The answer must be A, B, C, D, a number of at most 32 characters, or null";
            Selected::parse(&text).ok_or_else(|| Fault::new(Code::InvalidAnswer, sentence))
        };
        text.map(selected).transpose()
    }

    fn eliminated(&self) -> Result<Eliminations, Fault> {
        let letters: Vec<String> = self.required("eliminated", self.eliminated)?;
        Eliminations::of_letters(letters.iter().map(String::as_str))
            .ok_or_else(|| Fault::new(Code::InvalidAnswer, "What is eliminated must be letters A to D in their order"))
    }

    fn time_taken(&self) -> Result<Option<u32>, Fault> {
        let seconds: Option<u32> = self.optional("timeTaken", self.time_taken)?;
        if seconds.is_some_and(|seconds| seconds > TIME_TAKEN_SECONDS_MAX) {
            return Err(bad("timeTaken must be whole seconds of one day at most"));
        }
        Ok(seconds)
    }

    fn drawing(&self) -> Result<Option<Arc<str>>, Fault> {
        let raw = self.drawing.0.ok_or_else(|| bad("drawing is missing"))?.get();
        match raw {
            "null" => Ok(None),
            _ if raw.len() > DRAWING_BYTES_MAX => Err(Fault::new(Code::TooLarge, "A drawing has 200 KiB at most")),
            _ if is_drawing(raw) => Ok(Some(raw.into())),
            _ => Err(bad("drawing must be an object of 32 levels and 1,000 keys at most, or null")),
        }
    }

    pub(super) fn resume(&self) -> Result<StudentFrame, Fault> {
        let session_id: String = self.required("sessionId", self.session_id)?;
        let token = self.required("token", self.token)?;
        let session_id = session_id.parse().map_err(|_| Fault::unknown_session())?;
        Ok(StudentFrame::Resume { session_id, token, line: self.line()? })
    }

    pub(super) fn sync(&self) -> Result<StudentFrame, Fault> {
        // The raw value is valid JSON, so its first character shows that it is a number.
        let number = self
            .t
            .map(RawValue::get)
            .filter(|raw| raw.starts_with(|first: char| first == '-' || first.is_ascii_digit()));
        number.map(|raw| StudentFrame::Sync(raw.into())).ok_or_else(|| bad("t must be a number"))
    }

    pub(super) fn start(&self) -> Result<Start, Fault> {
        let annotations = self.annotations.map_or("{}", RawValue::get);
        if !is_annotations(annotations) {
            return Err(bad(
                "annotations must be an object of 64 KiB, 32 levels and 1,000 keys at most, without control characters",
            ));
        }
        let (base_url, key) = (self.base_url()?, self.key()?);
        let webhook_url: Option<Box<str>> = self.optional("webhookUrl", self.webhook_url)?;
        let webhook_url = webhook_url.filter(|url| !url.is_empty());
        Ok(Start { test: self.test()?, annotations: annotations.into(), webhook_url, base_url, key })
    }

    /// Texts that cannot be an id or a code are those of no sitting and of nobody: 404 would tell no more.
    pub(super) fn enter(&self) -> Result<Enter, Fault> {
        let id = self.optional::<String>("sittingId", self.sitting_id)?;
        let code = self.optional::<String>("code", self.code)?;
        let access = self.optional::<String>("access", self.access)?.filter(|access| !access.is_empty());
        let sitting = match (id, code) {
            (Some(id), _) => id.parse().ok().map(SittingName::Id),
            (None, Some(code)) => SittingCode::parse(&code).map(SittingName::Code),
            (None, None) => return Err(bad("sittingId or code is missing")),
        };
        let access = access.map(|access| AccessCode::parse(&access).ok_or_else(Fault::not_expected)).transpose()?;
        // Of a sitting it decides nothing, but a malformed one is refused as with a start.
        self.base_url()?;
        let key = self.key()?;
        Ok(Enter { sitting: sitting.ok_or_else(Fault::not_expected)?, access, key })
    }

    fn base_url(&self) -> Result<Option<Box<str>>, Fault> {
        let base_url: Option<Box<str>> = self.optional("baseUrl", self.base_url)?;
        if base_url.as_deref().is_some_and(|base_url| !is_base_url(base_url)) {
            return Err(bad("baseUrl must be an http or https address"));
        }
        Ok(base_url)
    }

    fn key(&self) -> Result<Option<String>, Fault> {
        let key: Option<String> = self.optional("key", self.key)?;
        if key.as_deref().is_some_and(|key| !KEY_CHARACTERS.contains(&key.chars().count())) {
            return Err(bad("key must have 16 to 64 characters"));
        }
        Ok(key)
    }

    fn sha256(&self) -> Result<Box<str>, Fault> {
        let digits: String = self.required("sha256", self.sha256)?;
        let is_hash = digits.len() == SHA256_DIGITS && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        if is_hash {
            Ok(digits.to_ascii_lowercase().into())
        } else {
            Err(bad("sha256 must have 64 hexadecimal digits"))
        }
    }

    fn test(&self) -> Result<Test, Fault> {
        if let Some(text) = self.optional::<String>("templateId", self.template_id)? {
            let template_id = text.parse().map_err(|_| Fault::template_not_found())?;
            let access_code = self.optional::<String>("accessCode", self.access_code)?;
            return Ok(Test::OfTemplate { template_id, access_code });
        }
        let number = self.optional::<f64>("grade", self.grade)?;
        let whole = number.filter(|number| number.fract() == 0.0 && (1.0..=10.0).contains(number));
        #[allow(clippy::cast_possible_truncation, reason = "a whole number from 1 to 10")]
        let grade = whole
            .and_then(|number| Grade::new(number as i64))
            .ok_or_else(|| Fault::new(Code::InvalidGrade, "The grade must be 1 to 10"))?;
        let mode = match self.optional::<String>("mode", self.mode)? {
            None => Mode::Standard,
            Some(name) => Mode::parse(&name).ok_or_else(|| invalid_test("The mode must be standard or adaptive"))?,
        };
        let types = match self.optional::<String>("types", self.types)? {
            None => QuestionTypes::default(),
            Some(name) => QuestionTypes::parse(&name)
                .ok_or_else(|| invalid_test("The types must be multiple-choice, number or all"))?,
        };
        let shuffle_options = self.optional("shuffleOptions", self.shuffle_options)?.unwrap_or_default();
        // An adaptive test has a fixed duration and count, whatever these fields say.
        let (duration_minutes, question_count) = match mode {
            Mode::Adaptive => (0, None),
            Mode::Standard => (
                self.whole("durationMinutes", self.duration_minutes)?.unwrap_or(30),
                self.whole("questionCount", self.question_count)?,
            ),
        };
        let question_ids = self.optional("questionIds", self.question_ids)?;
        Ok(Test::OfGrade { grade, mode, duration_minutes, question_count, question_ids, types, shuffle_options })
    }

    /// Parses a whole number. Any other number is `invalid_test`, and anything else `bad_message`.
    fn whole(&self, name: &str, raw: Option<&'a RawValue>) -> Result<Option<i64>, Fault> {
        let Some(number) = self.optional::<f64>(name, raw)? else { return Ok(None) };
        if number.fract() != 0.0 || number.abs() > 1e9 {
            return Err(invalid_test(&format!("{name} must be a whole number")));
        }
        #[allow(clippy::cast_possible_truncation, reason = "whole and below a thousand million")]
        Ok(Some(number as i64))
    }

    pub(super) fn required<T: Deserialize<'a>>(&self, name: &str, raw: Option<&'a RawValue>) -> Result<T, Fault> {
        self.optional(name, raw)?.ok_or_else(|| bad(&format!("{name} is missing")))
    }

    fn optional<T: Deserialize<'a>>(&self, name: &str, raw: Option<&'a RawValue>) -> Result<Option<T>, Fault> {
        raw.map(|raw| serde_json::from_str(raw.get()))
            .transpose()
            .map_err(|_| bad(&format!("{name} has the wrong type")))
    }
}

fn invalid_test(error: &str) -> Fault {
    Fault::new(Code::InvalidTest, error)
}

pub(super) fn bad(error: &str) -> Fault {
    Fault::new(Code::BadMessage, error)
}
