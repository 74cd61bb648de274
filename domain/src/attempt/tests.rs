//! Tests of the attempt against a naive model: random commands, repeats, reorderings and interruptions.

use std::collections::HashMap;

use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::calculator::Calculator;
use crate::grade::Grade;
use crate::number::NumberKey;
use crate::question::{Choice, Difficulty, Selected};
use crate::question_types::QuestionTypes;
use crate::time::times::Adopted;

const MINUTES: u32 = 30;

fn paper(prefix: &str, count: usize) -> Vec<Arc<KeyedQuestion>> {
    let question = |number: usize| KeyedQuestion {
        id: format!("{prefix}{number}").as_str().into(),
        topic: "Numbers".into(),
        difficulty: Difficulty::new((number % 5) as i64 + 1).unwrap(),
        answer: [Choice::A, Choice::B, Choice::C, Choice::D][number % 4].into(),
        options: None,
        version: None,
        order: None,
    };
    (0..count).map(|number| Arc::new(question(number))).collect()
}

fn attempt(mode: Mode) -> Attempt {
    let terms = Terms {
        session_id: Uuid::nil(),
        grade: Grade::new(5).unwrap(),
        mode,
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
    Attempt::new(
        terms,
        AttemptTimes::new(Moment::from_milliseconds(0), MINUTES),
        paper("q", 10),
        Moment::from_milliseconds(0),
    )
}

fn now() -> Moment {
    Moment::from_milliseconds(1_000)
}

fn numbered(seq: u64) -> Stamp {
    Stamp::without_line(seq)
}

/// One action of a student, and the sockets on which its command is sent, and how often.
#[derive(Clone, Debug)]
struct Sent {
    question: usize,
    change: AnswerChange,
    seq: u64,
}

fn any_change() -> impl Strategy<Value = AnswerChange> {
    let choice = prop_oneof![
        Just(None),
        Just(Some(Choice::A)),
        Just(Some(Choice::B)),
        Just(Some(Choice::C)),
        Just(Some(Choice::D))
    ];
    prop_oneof![
        4 => (choice, proptest::option::of(0..600_u32)).prop_map(|(selected, time_taken)| AnswerChange::Choice { selected: selected.map(Selected::from), time_taken }),
        2 => any::<bool>().prop_map(AnswerChange::Mark),
        2 => Just(AnswerChange::Visit),
        1 => any::<bool>().prop_map(AnswerChange::Drawing),
        2 => proptest::sample::subsequence(&["A", "B", "C", "D"][..], 0..=4)
            .prop_map(|letters| AnswerChange::Elimination(Eliminations::of_letters(letters).unwrap())),
    ]
}

fn any_sent() -> impl Strategy<Value = Vec<Sent>> {
    let one = (0..12_usize, any_change()).prop_map(|(question, change)| Sent { question, change, seq: 0 });
    let numbered = proptest::collection::vec(one, 1..80).prop_map(|mut list| {
        for (index, sent) in list.iter_mut().enumerate() {
            sent.seq = index as u64 + 1;
        }
        list
    });
    numbered.prop_flat_map(|list| {
        let journeys = proptest::collection::vec(any::<prop::sample::Index>(), 0..80);
        (Just(list), journeys).prop_map(|(list, again)| {
            let mut sent = list.clone();
            sent.extend(again.iter().map(|index| index.get(&list).clone()));
            sent
        })
    })
}

proptest! {
    /// However commands are repeated and reordered, each value is the one with the highest `seq` that was sent for it.
    #[test]
    fn the_highest_seq_wins_for_each_value(sent in any_sent().prop_shuffle()) {
        let mut attempt = attempt(Mode::Standard);
        let mut model: HashMap<(usize, ValueKind), &Sent> = HashMap::new();
        for command in &sent {
            let reply = attempt.apply(&format!("q{}", command.question), &command.change, numbered(command.seq), now());
            if command.question >= 10 {
                prop_assert_eq!(reply, Err(CommandRefusal::UnknownQuestion));
                continue;
            }
            let known = model.entry((command.question, command.change.kind())).or_insert(command);
            let is_news = known.seq < command.seq || std::ptr::eq(*known, command);
            prop_assert_eq!(reply == Ok(Applied::Superseded), !is_news);
            if known.seq < command.seq {
                *known = command;
            }
        }
        for (position, (_, cell)) in attempt.cells().enumerate() {
            let latest = |kind| model.get(&(position, kind)).map(|sent| &sent.change);
            let selected = match latest(ValueKind::Choice) { Some(AnswerChange::Choice { selected, .. }) => selected.clone(), _ => None };
            prop_assert_eq!(&cell.selected, &selected);
            prop_assert_eq!(cell.marked, latest(ValueKind::Mark) == Some(&AnswerChange::Mark(true)));
            prop_assert_eq!(cell.visited, latest(ValueKind::Visit).is_some());
            prop_assert_eq!(cell.drawn, latest(ValueKind::Drawing) == Some(&AnswerChange::Drawing(true)));
            let eliminated = match latest(ValueKind::Elimination) { Some(AnswerChange::Elimination(set)) => *set, _ => Eliminations::default() };
            prop_assert_eq!(cell.eliminated, eliminated);
        }
        prop_assert_eq!(attempt.seq(), model.values().map(|sent| sent.seq).max().unwrap_or(0));
    }

    /// An attempt that is interrupted anywhere and rebuilt from what was stored continues as if nothing had happened.
    #[test]
    fn a_cut_changes_nothing(sent in any_sent(), cut in any::<prop::sample::Index>()) {
        let mut whole = attempt(Mode::Standard);
        let mut first = attempt(Mode::Standard);
        let cut = cut.index(sent.len());
        let mut stored: HashMap<CellKey, Sent> = HashMap::new();
        for (index, command) in sent.iter().enumerate() {
            let id = format!("q{}", command.question);
            let _ = whole.apply(&id, &command.change, numbered(command.seq), now());
            if index < cut && let Ok(Applied::Set(key)) = first.apply(&id, &command.change, numbered(command.seq), now()) {
                stored.insert(key, command.clone());
            }
        }
        let mut again = attempt(Mode::Standard);
        for (key, command) in &stored {
            again.restore(*key, &command.change, numbered(command.seq));
        }
        for command in &sent {
            let _ = again.apply(&format!("q{}", command.question), &command.change, numbered(command.seq), now());
        }
        let choices = |attempt: &Attempt| attempt.cells().map(|(_, cell)| (cell.selected.clone(), cell.marked, cell.visited, cell.drawn, cell.eliminated, cell.seqs)).collect::<Vec<_>>();
        prop_assert_eq!(choices(&whole), choices(&again));
    }
}

mod devices;
mod late;

fn eliminations(letters: &serde_json::Value) -> Eliminations {
    Eliminations::of_letters(letters.as_array().unwrap().iter().map(|letter| letter.as_str().unwrap())).unwrap()
}

fn change_of(command: &serde_json::Value) -> AnswerChange {
    match command["type"].as_str().unwrap() {
        "answer" => {
            AnswerChange::Choice { selected: command["selected"].as_str().and_then(Selected::parse), time_taken: None }
        }
        "mark" => AnswerChange::Mark(command["marked"].as_bool().unwrap()),
        "visit" => AnswerChange::Visit,
        "eliminate" => AnswerChange::Elimination(eliminations(&command["eliminated"])),
        other => panic!("{other} is not a change"),
    }
}

/// The cases that the tests of the browser's code use too.
#[test]
fn the_shared_cases_are_as_they_say() {
    cases_are_as_they_say(include_str!("../../../tests/golden/latest_wins.json"));
}

#[test]
fn the_shared_cases_of_lines_are_as_they_say() {
    cases_are_as_they_say(include_str!("../../../tests/golden/lines.json"));
}

fn cases_are_as_they_say(file: &str) {
    let shared: serde_json::Value = serde_json::from_str(file).unwrap();
    for case in shared["cases"].as_array().unwrap() {
        let terms = attempt(Mode::Standard).terms;
        let mut attempt =
            Attempt::new(terms, *attempt(Mode::Standard).timer.times(), paper("q", 4), Moment::from_milliseconds(0));
        for command in case["commands"].as_array().unwrap() {
            let stamp = Stamp {
                line: command["line"].as_u64().map_or(0, |line| u16::try_from(line).unwrap()),
                seq: command["seq"].as_u64().unwrap(),
            };
            let id = command["questionId"].as_str().unwrap();
            let applied = attempt.apply(id, &change_of(command), stamp, now()).unwrap();
            let superseded_by = match applied {
                Applied::SupersededBy(key) => Some(attempt.cell(key.position).unwrap().stamp(key.kind).line.into()),
                Applied::Set(_) | Applied::Superseded => None,
            };
            assert_eq!(superseded_by, command["supersededBy"].as_u64(), "{}: {command}", case["name"]);
        }
        for (id, state) in case["state"].as_object().unwrap() {
            let eliminated = case["eliminated"].get(id).map_or_else(Eliminations::default, eliminations);
            let (_, cell) = attempt.cells().find(|(question, _)| *question.id == **id).unwrap();
            assert_eq!(cell.selected, state["selected"].as_str().and_then(Selected::parse), "{}: {id}", case["name"]);
            assert_eq!(
                (cell.marked, cell.visited, cell.eliminated),
                (state["marked"] == true, state["visited"] == true, eliminated),
                "{}: {id}",
                case["name"]
            );
        }
    }
}

#[test]
fn a_finished_stage_cannot_be_answered() {
    let mut attempt = attempt(Mode::Adaptive);
    let choose = AnswerChange::Choice { selected: Some(Choice::A.into()), time_taken: None };
    assert!(attempt.apply("q0", &choose, numbered(1), now()).is_ok());
    assert!(attempt.has_stage_to_come());
    attempt.begin_second_stage(Band::Below60, paper("s", 10));
    assert_eq!(attempt.apply("q0", &choose, numbered(2), now()), Err(CommandRefusal::UnknownQuestion));
    assert_eq!(
        attempt.apply("s3", &choose, numbered(3), now()),
        Ok(Applied::Set(CellKey { position: 13, kind: ValueKind::Choice }))
    );
    assert_eq!((attempt.stage(), attempt.stage_paper().len(), attempt.responses().len()), (2, 10, 20));
    attempt.begin_second_stage(Band::From90, paper("t", 10));
    assert_eq!((attempt.band(), attempt.paper().len()), (Some(Band::Below60), 20), "a second `next` changes nothing");
}

#[test]
fn what_is_typed_answers_a_number_and_nothing_else() {
    let mut paper = paper("q", 2);
    paper[1] = Arc::new(KeyedQuestion { answer: NumberKey::exact("2.5").into(), ..(*paper[1]).clone() });
    let terms = attempt(Mode::Standard).terms;
    let times = *attempt(Mode::Standard).timer.times();
    let mut attempt = Attempt::new(terms, times, paper, Moment::from_milliseconds(0));
    let answer = |text| AnswerChange::Choice { selected: Selected::parse(text), time_taken: None };
    assert_eq!(attempt.apply("q0", &answer("2 1/2"), numbered(1), now()), Err(CommandRefusal::InvalidAnswer));
    assert_eq!(attempt.seq(), 0);
    for (text, seq) in [("2", 2), ("2 1", 3), ("2 1/2", 4)] {
        assert!(attempt.apply("q1", &answer(text), numbered(seq), now()).is_ok(), "{text}");
    }
    assert_eq!(attempt.cell(1).map(QuestionCell::sign), Some('a'));
    assert_eq!(scoring::points(&attempt.responses()), (2, 3));
    let commands = [("q0", "7", 9), ("q1", "B", 9)].map(|(id, text, seq)| LateCommand {
        question_id: id.into(),
        change: Some(answer(text)),
        stamp: numbered(seq),
        at: None,
        received_at: now(),
    });
    let merged = attempt.with_late_work(&commands, false);
    assert_eq!(merged.kept_out, [Some(KeptOut::Invalid), None]);
    assert_eq!(merged.cells[1].selected.as_ref().map(Selected::text), Some("B"), "typed, and wrong");
}

/// Crossing out is a help for the student alone: it neither is an answer nor hinders one, and nobody sees it.
#[test]
fn what_is_crossed_out_can_still_be_chosen() {
    let mut attempt = attempt(Mode::Standard);
    let eliminate = |letters: &[&str]| AnswerChange::Elimination(Eliminations::of_letters(letters.to_vec()).unwrap());
    let key = CellKey { position: 0, kind: ValueKind::Elimination };
    assert_eq!(attempt.apply("q0", &eliminate(&["A", "B", "C", "D"]), numbered(1), now()), Ok(Applied::Set(key)));
    assert_eq!((attempt.current_position(), attempt.seq()), (None, 1));
    assert_eq!(attempt.cell(0).map(QuestionCell::sign), Some('-'));
    let choose = AnswerChange::Choice { selected: Some(Choice::A.into()), time_taken: None };
    assert!(attempt.apply("q0", &choose, numbered(2), now()).is_ok());
    assert_eq!(attempt.apply("q0", &eliminate(&["B"]), numbered(1), now()), Ok(Applied::Superseded));
    assert_eq!(attempt.responses()[0].selected, Some(Choice::A.into()));
    assert_eq!(attempt.apply("q0", &eliminate(&[]), numbered(3), now()), Ok(Applied::Set(key)));
    assert_eq!(attempt.cell(0).unwrap().eliminated, Eliminations::default());
    assert_eq!(attempt.apply("none", &eliminate(&["B"]), numbered(4), now()), Err(CommandRefusal::UnknownQuestion));
    let late = attempt.timer.deadline().plus(2_001);
    assert_eq!(attempt.apply("q0", &eliminate(&["B"]), numbered(5), late), Err(CommandRefusal::Late));
    let paused = attempt.timer.times().paused(now());
    attempt.timer.adopt(paused, 1, now());
    assert_eq!(attempt.apply("q0", &eliminate(&["B"]), numbered(6), now()), Err(CommandRefusal::Paused));
}

#[test]
fn nothing_changes_after_the_deadline_or_the_submission() {
    let mut attempt = attempt(Mode::Standard);
    let deadline = attempt.timer.deadline();
    assert!(attempt.apply("q0", &AnswerChange::Visit, numbered(1), deadline.plus(2_000)).is_ok());
    assert_eq!(attempt.apply("q1", &AnswerChange::Visit, numbered(2), deadline.plus(2_001)), Err(CommandRefusal::Late));
    attempt.end(Ending { reason: Reason::Student, at: now() });
    assert_eq!(attempt.apply("q1", &AnswerChange::Visit, numbered(3), now()), Err(CommandRefusal::AlreadySubmitted));
    attempt.end(Ending { reason: Reason::Deadline, at: deadline });
    assert_eq!(attempt.ending().map(|ending| ending.reason), Some(Reason::Student), "the first ending stays");
}

#[test]
fn a_paused_test_takes_nothing_and_ends_by_itself_never() {
    let mut attempt = attempt(Mode::Standard);
    let minute = |count: i64| Moment::from_milliseconds(count * 60_000);
    let paused = attempt.timer.times().paused(minute(10));
    assert_eq!(attempt.timer.adopt(paused, 1, minute(10)), [Adopted::Paused]);
    assert_eq!(attempt.timer.adopt(paused, 1, minute(11)), []);
    assert_eq!(attempt.apply("q0", &AnswerChange::Visit, numbered(1), minute(12)), Err(CommandRefusal::Paused));
    assert_eq!(attempt.accepts(minute(500)), Err(CommandRefusal::Paused), "also after what was the deadline");
    assert_eq!(attempt.seconds_until(minute(500)), 600, "a pause is no time that the student took");
    assert_eq!(
        attempt.timer.adopt(paused.unpaused(minute(40)).extended(5), 2, minute(40)),
        [Adopted::Unpaused, Adopted::Extended { minutes: 5 }]
    );
    assert!(
        attempt.apply("q0", &AnswerChange::Visit, numbered(1), minute(41)).is_ok(),
        "what was refused may be sent again"
    );
    assert_eq!((attempt.timer.deadline(), attempt.seconds_until(minute(41))), (minute(65), 660));
    attempt.end(Ending { reason: Reason::Proctor, at: minute(42) });
    assert_eq!(
        attempt.apply("q0", &AnswerChange::Visit, numbered(2), minute(43)),
        Err(CommandRefusal::AlreadySubmitted)
    );
}
