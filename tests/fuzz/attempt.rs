//! The attempt against a model of it: of all commands for a value the one of the newest line counts, within a line the
//! one with the highest number, and of two that are the same the first. What is read from the database again is the
//! same.

use std::collections::HashMap;
use std::sync::Arc;

use domain::attempt::{
    AnswerChange, Applied, Attempt, CellKey, CommandRefusal, Eliminations, Mode, QuestionCell, Stamp, Terms, ValueKind,
};
use domain::calculator::Calculator;
use domain::grade::Grade;
use domain::question::{Choice, Difficulty, KeyedQuestion, Selected};
use domain::question_types::QuestionTypes;
use domain::time::moment::Moment;
use domain::time::times::AttemptTimes;
use uuid::Uuid;

const QUESTIONS: usize = 10;
const MINUTES: u32 = 30;
const KINDS: [ValueKind; 5] =
    [ValueKind::Choice, ValueKind::Mark, ValueKind::Visit, ValueKind::Drawing, ValueKind::Elimination];
/// Bytes of one command.
const COMMAND_BYTES: usize = 4;

fn paper() -> Vec<Arc<KeyedQuestion>> {
    let question = |number: usize| KeyedQuestion {
        id: format!("q{number}").as_str().into(),
        topic: "Numbers".into(),
        difficulty: Difficulty::new(3).expect("3 is a difficulty"),
        answer: Choice::A.into(),
        options: None,
        version: None,
        order: None,
    };
    (0..QUESTIONS).map(|number| Arc::new(question(number))).collect()
}

fn attempt() -> Attempt {
    let terms = Terms {
        session_id: Uuid::nil(),
        grade: Grade::new(5).expect("5 is a grade"),
        mode: Mode::Standard,
        duration_minutes: MINUTES,
        calculator: Calculator::None,
        types: QuestionTypes::default(),
        shuffles: false,
        annotations: "{}".into(),
        webhook_url: None,
        base_url: "http://exam.example".into(),
        template_id: None,
        student: "".into(),
        account: None,
        sitting: None,
        form: None,
        mark_scale: None,
    };
    let begin = Moment::from_milliseconds(0);
    Attempt::new(terms, AttemptTimes::new(begin, MINUTES), paper(), begin)
}

/// What a byte says is changed.
fn change(byte: u8) -> AnswerChange {
    let letters = ["A", "B", "C", "D"];
    let value = byte >> 3;
    match byte & 7 {
        0 | 1 => {
            let choice = [None, Some(Choice::A), Some(Choice::B), Some(Choice::C), Some(Choice::D)];
            let selected = choice[usize::from(value) % choice.len()].map(Selected::from);
            AnswerChange::Choice { selected, time_taken: (value > 7).then_some(u32::from(value)) }
        }
        2 => AnswerChange::Mark(value.is_multiple_of(2)),
        3 => AnswerChange::Visit,
        4 | 5 => AnswerChange::Drawing(value.is_multiple_of(2)),
        _ => {
            let crossed =
                letters.iter().enumerate().filter(|(bit, _)| value >> bit & 1 == 1).map(|(_, letter)| *letter);
            AnswerChange::Elimination(Eliminations::of_letters(crossed).expect("letters that ascend are a set"))
        }
    }
}

/// Each four bytes are a command: the question, the change, the line, the number.
pub fn against_its_model(data: &[u8]) {
    let (mut attempt, now) = (attempt(), Moment::from_milliseconds(1_000));
    let mut model: HashMap<(usize, ValueKind), (Stamp, AnswerChange)> = HashMap::new();
    for command in data.chunks_exact(COMMAND_BYTES) {
        let (question, change) = (usize::from(command[0]) % (QUESTIONS + 1), change(command[1]));
        let stamp = Stamp { line: u16::from(command[2] % 4), seq: u64::from(command[3]) + 1 };
        let reply = attempt.apply(&format!("q{question}"), &change, stamp, now);
        if question == QUESTIONS {
            assert_eq!(reply, Err(CommandRefusal::UnknownQuestion));
            continue;
        }
        let (kind, key) = (change.kind(), CellKey { position: question, kind: change.kind() });
        let known = model.get(&(question, kind)).map(|(known, _)| *known);
        let expected = match known {
            Some(known) if stamp.line < known.line => Applied::SupersededBy(key),
            Some(known) if stamp.line == known.line && stamp.seq <= known.seq => Applied::Superseded,
            _ => {
                model.insert((question, kind), (stamp, change));
                Applied::Set(key)
            }
        };
        assert_eq!(reply, Ok(expected), "{command:?}");
    }
    let mut restored = self::attempt();
    for ((position, kind), (stamp, change)) in &model {
        restored.restore(CellKey { position: *position, kind: *kind }, change, *stamp);
    }
    for position in 0..QUESTIONS {
        for attempt in [&attempt, &restored] {
            assert_is(attempt.cell(position).expect("it is on the paper"), |kind| model.get(&(position, kind)));
        }
    }
    assert_eq!(attempt.seq(), model.values().map(|(stamp, _)| stamp.seq).max().unwrap_or(0));
}

fn assert_is<'a>(cell: &QuestionCell, of: impl Fn(ValueKind) -> Option<&'a (Stamp, AnswerChange)>) {
    let latest = |kind| of(kind).map(|(_, change)| change);
    for kind in KINDS {
        assert_eq!(cell.stamp(kind), of(kind).map(|(stamp, _)| *stamp).unwrap_or_default());
    }
    let selected = match latest(ValueKind::Choice) {
        Some(AnswerChange::Choice { selected, .. }) => selected.clone(),
        _ => None,
    };
    assert_eq!(cell.selected, selected);
    assert_eq!(cell.marked, latest(ValueKind::Mark) == Some(&AnswerChange::Mark(true)));
    assert_eq!(cell.visited, latest(ValueKind::Visit).is_some());
    assert_eq!(cell.drawn, latest(ValueKind::Drawing) == Some(&AnswerChange::Drawing(true)));
    let eliminated = match latest(ValueKind::Elimination) {
        Some(AnswerChange::Elimination(set)) => *set,
        _ => Eliminations::default(),
    };
    assert_eq!(cell.eliminated, eliminated);
}
