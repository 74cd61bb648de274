//! The exam of a simulated day: its paper, its terms, and what a test becomes at its end, as a seat of the product
//! makes it.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::attempt::{AnswerChange, Attempt, Ending, Mode, SittingPlace, Terms};
use domain::calculator::Calculator;
use domain::grade::Grade;
use domain::merkle::{TreeHash, leaf_hash};
use domain::order::standing::PauseScope;
use domain::question::{Choice, Difficulty, KeyedQuestion, Selected};
use domain::question_types::QuestionTypes;
use domain::receipt::{ReceiptAnswer, ReceiptContent};
use domain::scoring;
use domain::session::{Session, SessionOrigin, SessionVersion, VersionReason, report_url};
use domain::sight::Untold;
use domain::time::moment::Moment;
use examhall::live::store::Reopening;
use serde_json::value::RawValue;
use uuid::Uuid;

use super::chance::Chance;

const ISSUER: &str = "http://exam.example";
const QUESTIONS: usize = 5;

/// What all students sit.
#[derive(Clone, Debug)]
pub struct Exam {
    pub paper: Vec<Arc<KeyedQuestion>>,
    pub template_id: Uuid,
    /// Half of all exams are sittings, whose results are held until somebody releases them.
    pub sitting_id: Option<Uuid>,
    minutes: u32,
}

impl Exam {
    pub fn drawn(chance: &mut Chance) -> Self {
        let question = |number: usize| KeyedQuestion {
            id: format!("q{number}").as_str().into(),
            topic: "Numbers".into(),
            difficulty: Difficulty::new(i64::try_from(number % 5).unwrap() + 1).unwrap(),
            answer: Choice::ALL[number % 4].into(),
            options: None,
            version: None,
            order: None,
        };
        Self {
            paper: (0..QUESTIONS).map(|number| Arc::new(question(number))).collect(),
            template_id: chance.uuid(),
            sitting_id: if chance.one_in(2) { Some(chance.uuid()) } else { None },
            minutes: u32::try_from(chance.between(2, 4)).unwrap(),
        }
    }

    /// Whose pause an order for everyone is.
    pub const fn scope(&self) -> PauseScope {
        if self.sitting_id.is_some() { PauseScope::Sitting } else { PauseScope::Template }
    }

    pub fn terms(&self, session_id: Uuid, student: usize) -> Terms {
        let candidate_id = Uuid::from_u64_pair(1, student as u64);
        Terms {
            session_id,
            grade: Grade::new(5).unwrap(),
            mode: Mode::Standard,
            duration_minutes: self.minutes,
            calculator: Calculator::None,
            types: QuestionTypes::default(),
            shuffles: false,
            annotations: "{}".into(),
            webhook_url: Some("https://lms.example/hook".into()),
            base_url: ISSUER.into(),
            template_id: Some(self.template_id),
            student: "".into(),
            account: None,
            sitting: self.sitting_id.map(|sitting_id| SittingPlace { sitting_id, candidate_id }),
            form: None,
            mark_scale: None,
        }
    }

    /// A change that a student makes.
    pub fn change(&self, chance: &mut Chance) -> (usize, AnswerChange) {
        let change = match chance.below(6) {
            0 => AnswerChange::Mark(chance.one_in(2)),
            1 => AnswerChange::Visit,
            2 => AnswerChange::Choice { selected: None, time_taken: None },
            _ => {
                let selected = Some(Selected::from(Choice::ALL[chance.below(4)]));
                AnswerChange::Choice { selected, time_taken: Some(u32::try_from(chance.below(60)).unwrap()) }
            }
        };
        (chance.below(self.paper.len()), change)
    }

    /// The session that an attempt becomes.
    pub fn session(attempt: &Attempt, ending: Ending, reopening: Option<&Reopening>) -> Session {
        let terms = &attempt.terms;
        let first = SessionVersion::submitted(ending.at);
        let version = reopening.map_or(first.clone(), |reopening| SessionVersion {
            number: reopening.version + 1,
            reason: VersionReason::Reopened,
            ..first
        });
        Session {
            session_id: terms.session_id,
            grade: terms.grade,
            started_at: attempt.started_at().min(ending.at),
            completed_at: ending.at,
            webhook_sent: false,
            report_url: report_url(&terms.base_url, terms.session_id),
            annotations: RawValue::from_string(terms.annotations.to_string()).unwrap(),
            result: Untold::of(scoring::grade(&attempt.responses(), attempt.seconds_until(ending.at))),
            verified: true,
            origin: SessionOrigin::Live,
            account: None,
            template_id: terms.template_id,
            sitting_id: terms.sitting.map(|place| place.sitting_id),
            form: None,
            mark_scale: None,
            sent_orders: BTreeMap::new(),
            drawings: None,
            graded_by: Untold::of(attempt.paper().to_vec()),
            version,
        }
    }
}

/// The leaf of a receipt in the log.
pub fn receipt_leaf(session_id: Uuid, version: u32, seq: u64, at: Moment, answers: Vec<ReceiptAnswer>) -> TreeHash {
    let content = ReceiptContent {
        iss: ISSUER.to_owned(),
        session_id,
        version: Some(version),
        seq,
        at,
        deadline: None,
        answers,
        drawings: Vec::new(),
    };
    leaf_hash(serde_json::to_string(&content).unwrap().as_bytes())
}
