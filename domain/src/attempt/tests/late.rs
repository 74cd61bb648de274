//! Late work: what is merged is what the test would have been, had the same commands come in time.

use proptest::prelude::*;

use super::*;
use crate::question::{Choice, Selected};

const LAST: usize = 10;

fn choice(selected: Option<Choice>) -> AnswerChange {
    AnswerChange::Choice { selected: selected.map(Selected::from), time_taken: None }
}

fn late(question_id: &str, change: AnswerChange, line: u16, seq: u64) -> LateCommand {
    let (stamp, received_at) = (Stamp { line, seq }, Moment::from_milliseconds(5_000_000));
    LateCommand { question_id: question_id.into(), change: Some(change), stamp, at: None, received_at }
}

fn selected(merged: &MergedWork, position: usize) -> Option<Choice> {
    merged.cells[position].selected.as_ref().and_then(Selected::choice)
}

#[test]
fn later_commands_win_and_earlier_ones_are_kept_out() {
    let mut attempt = attempt(Mode::Standard);
    for (id, line, seq) in [("q0", 1, 5), ("q1", 2, 1), ("q2", 1, 9)] {
        attempt.apply(id, &choice(Some(Choice::A)), Stamp { line, seq }, now()).unwrap();
    }
    let before = attempt.clone();
    let commands = [
        late("q0", choice(Some(Choice::B)), 1, 8),
        late("q0", choice(Some(Choice::C)), 1, 7),
        late("q1", choice(Some(Choice::B)), 1, 900),
        late("q2", choice(Some(Choice::B)), 1, 9),
        late("q2", AnswerChange::Mark(true), 1, 3),
        late("elsewhere", choice(Some(Choice::B)), 1, 10),
        LateCommand { change: None, ..late("q3", AnswerChange::Visit, 1, 11) },
    ];
    let merged = attempt.with_late_work(&commands, false);
    assert_eq!(
        [0, 1, 2].map(|position| selected(&merged, position)),
        [Some(Choice::B), Some(Choice::A), Some(Choice::A)]
    );
    assert!(merged.cells[2].marked);
    let superseded = Some(KeptOut::Superseded);
    let expected =
        [None, superseded, superseded, superseded, None, Some(KeptOut::UnknownQuestion), Some(KeptOut::Invalid)];
    assert_eq!(merged.kept_out, expected);
    assert!(attempt.cells().eq(before.cells()), "nothing is changed by asking");
}

#[test]
fn what_says_no_more_than_what_stands_is_nothing_to_decide_about() {
    let mut attempt = attempt(Mode::Standard);
    for change in [choice(Some(Choice::A)), AnswerChange::Mark(true)] {
        attempt.apply("q0", &change, Stamp { line: 1, seq: 5 }, now()).unwrap();
    }
    let with_seconds = AnswerChange::Choice { selected: Some(Selected::from(Choice::A)), time_taken: Some(9) };
    for (change, seq, is_changed) in [
        (with_seconds, 6, false),
        (choice(Some(Choice::B)), 6, true),
        (choice(None), 6, true),
        (choice(Some(Choice::B)), 4, false),
        (AnswerChange::Mark(true), 6, false),
        (AnswerChange::Mark(false), 6, true),
        (AnswerChange::Visit, 6, false),
        (AnswerChange::Drawing(true), 6, true),
        (AnswerChange::Drawing(false), 6, false),
        (AnswerChange::Elimination(Eliminations::default()), 6, false),
    ] {
        let command = late("q0", change, 1, seq);
        assert_eq!(attempt.is_changed_by(&command), is_changed, "{command:?}");
    }
    assert!(!attempt.is_changed_by(&late("elsewhere", AnswerChange::Visit, 1, 6)));
    assert!(attempt.is_changed_by(&late("elsewhere", choice(None), 1, 6)));
    assert!(attempt.is_changed_by(&LateCommand { change: None, ..late("q0", AnswerChange::Visit, 1, 6) }));
}

#[test]
fn only_the_part_at_which_the_student_was_can_be_changed() {
    let mut attempt = self::attempt(Mode::Adaptive);
    attempt.begin_second_stage(Band::of(0, 1), paper("s", 10));
    let commands = [late("q1", choice(Some(Choice::B)), 1, 4), late("s1", choice(Some(Choice::B)), 1, 5)];
    let not_reached = attempt.with_late_work(&commands, false);
    assert_eq!(not_reached.kept_out, [None, Some(KeptOut::StageNotReached)]);
    assert_eq!((selected(&not_reached, 1), selected(&not_reached, LAST + 1)), (Some(Choice::B), None));
    let reached = attempt.with_late_work(&commands, true);
    assert_eq!(reached.kept_out, [Some(KeptOut::StageClosed), None]);
    assert_eq!((selected(&reached, 1), selected(&reached, LAST + 1)), (None, Some(Choice::B)));
    assert_eq!(self::attempt(Mode::Standard).with_late_work(&commands, false).kept_out[0], None);
}

#[test]
fn the_claim_of_a_client_is_never_later_than_the_receipt() {
    let command = late("q0", AnswerChange::Visit, 1, 1);
    let at = |milliseconds| LateCommand { at: Some(Moment::from_milliseconds(milliseconds)), ..command.clone() };
    assert_eq!(command.acted_at(), command.received_at);
    assert_eq!(at(1_000).acted_at(), Moment::from_milliseconds(1_000));
    assert_eq!(at(i64::MAX).acted_at(), command.received_at);
}

fn any_command() -> impl Strategy<Value = LateCommand> {
    (0..12_usize, any_change(), 0..3_u16, 1..40_u64)
        .prop_map(|(question, change, line, seq)| late(&format!("q{question}"), change, line, seq))
}

proptest! {
    /// In whatever order they come, and however often: late work makes of a test what the same commands would have made
    /// in time.
    #[test]
    fn late_work_makes_what_work_in_time_would_have_made(
        in_time in proptest::collection::vec(any_command(), 0..20),
        commands in proptest::collection::vec(any_command(), 0..30),
        order in any::<proptest::sample::Index>(),
    ) {
        let mut unique = std::collections::HashSet::new();
        let mut known = |command: &LateCommand| unique.insert((command.stamp.line, command.stamp.seq));
        let in_time: Vec<LateCommand> = in_time.into_iter().filter(&mut known).collect();
        let commands: Vec<LateCommand> = commands.into_iter().filter(&mut known).collect();
        let mut attempt = attempt(Mode::Standard);
        let apply = |attempt: &mut Attempt, command: &LateCommand| {
            let change = command.change.clone().unwrap();
            attempt.apply(&command.question_id, &change, command.stamp, now()).map(drop)
        };
        for command in &in_time {
            let _ = apply(&mut attempt, command);
        }
        let mut whole = attempt.clone();
        for command in &commands {
            let _ = apply(&mut whole, command);
        }
        let mut rotated = commands.clone();
        rotated.rotate_left(if commands.is_empty() { 0 } else { order.index(commands.len()) });
        let twice: Vec<LateCommand> = rotated.iter().chain(&rotated).cloned().collect();
        let expected: Vec<QuestionCell> = whole.cells().map(|(_, cell)| cell.clone()).collect();
        let values = |cells: &[QuestionCell]| -> Vec<_> {
            cells.iter().map(|cell| (cell.selected.clone(), cell.marked, cell.visited, cell.drawn, cell.eliminated)).collect()
        };
        prop_assert_eq!(values(&attempt.with_late_work(&commands, false).cells), values(&expected));
        prop_assert_eq!(values(&attempt.with_late_work(&rotated, false).cells), values(&expected));
        prop_assert_eq!(values(&attempt.with_late_work(&twice, false).cells), values(&expected));
    }
}
