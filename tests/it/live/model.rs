//! Random commands, repeats, delays, cuts and roads against the running server, compared with a naive model.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use super::{row, short_test};
use crate::hall::{Candidate, Hall};

const QUESTIONS: usize = 3;
const CASES: u32 = 12;

/// What a student, or the network, does next.
#[derive(Clone, Debug)]
enum Step {
    /// A command over the socket.
    Send(Change),
    /// A command over HTTPS.
    Post(Change),
    /// A command that is numbered now and travels at the end.
    Delay(Change),
    /// An earlier command again, over the socket or not.
    Repeat(prop::sample::Index, bool),
    /// The socket is lost, with whatever was on its way.
    Cut,
}

/// A change of one question.
#[derive(Clone, Debug)]
enum Change {
    Choice(usize, Option<&'static str>),
    Mark(usize, bool),
    Visit(usize),
    Drawing(usize, Option<u8>),
    Elimination(usize, Vec<&'static str>),
}

/// The latest value of each question and kind, with the number that set it.
type Model = BTreeMap<(String, String), (u64, Value)>;

#[test]
fn the_server_agrees_with_a_naive_model() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let hall = runtime.block_on(Hall::open());
    let mut runner =
        TestRunner::new(Config { cases: CASES, max_shrink_iters: 40, failure_persistence: None, ..Config::default() });
    let steps = prop::collection::vec(step(), 1..30);
    let outcome = runner.run(&steps, |steps| runtime.block_on(agree(&hall, &steps)));
    drop(hall);
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        5 => change().prop_map(Step::Send),
        3 => change().prop_map(Step::Post),
        2 => change().prop_map(Step::Delay),
        3 => (any::<prop::sample::Index>(), any::<bool>()).prop_map(|(index, socket)| Step::Repeat(index, socket)),
        1 => Just(Step::Cut),
    ]
}

fn change() -> impl Strategy<Value = Change> {
    let letter = prop::option::of(prop::sample::select(vec!["A", "B", "C", "D"]));
    prop_oneof![
        (0..QUESTIONS, letter).prop_map(|(question, letter)| Change::Choice(question, letter)),
        (0..QUESTIONS, any::<bool>()).prop_map(|(question, marked)| Change::Mark(question, marked)),
        (0..QUESTIONS).prop_map(Change::Visit),
        (0..QUESTIONS, prop::option::of(any::<u8>())).prop_map(|(question, drawn)| Change::Drawing(question, drawn)),
        (0..QUESTIONS, prop::sample::subsequence(vec!["A", "B", "C", "D"], 0..=4))
            .prop_map(|(question, letters)| Change::Elimination(question, letters)),
    ]
}

fn command(paper: &[String], change: &Change) -> Value {
    match change {
        Change::Choice(question, letter) => {
            json!({ "type": "answer", "questionId": paper[*question], "selected": letter })
        }
        Change::Mark(question, marked) => json!({ "type": "mark", "questionId": paper[*question], "marked": marked }),
        Change::Visit(question) => json!({ "type": "visit", "questionId": paper[*question] }),
        Change::Drawing(question, drawn) => {
            json!({ "type": "drawing", "questionId": paper[*question], "drawing": drawn.map(|drawn| json!({ "n": drawn })) })
        }
        Change::Elimination(question, letters) => {
            json!({ "type": "eliminate", "questionId": paper[*question], "eliminated": letters })
        }
    }
}

async fn agree(hall: &Hall, steps: &[Step]) -> Result<(), TestCaseError> {
    let mut candidate = hall.sit(short_test()).await;
    let mut delayed = BTreeSet::new();
    for step in steps {
        take(&mut candidate, &mut delayed, step).await;
    }
    candidate.settle().await;
    let resumed = candidate.resume().await;
    let found = model_of_state(&resumed, &candidate.paper);
    let expected = model_of_commands(&candidate.sent);
    prop_assert_eq!(&resumed["seq"], &json!(candidate.sent.len()));
    for (key, (seq, value)) in expected {
        let stored = found.get(&key).map_or(Value::Null, |(_, value)| value.clone());
        prop_assert_eq!(stored, value, "{:?} by {}", key, seq);
    }
    Ok(())
}

async fn take(candidate: &mut Candidate, delayed: &mut BTreeSet<u64>, step: &Step) {
    match step {
        Step::Send(change) => {
            candidate.send(command(&candidate.paper.clone(), change)).await;
        }
        Step::Post(change) => {
            let seq = candidate.act(command(&candidate.paper.clone(), change));
            candidate.post(&[seq]).await;
        }
        Step::Delay(change) => {
            delayed.insert(candidate.act(command(&candidate.paper.clone(), change)));
        }
        Step::Repeat(index, by_socket) => repeat(candidate, delayed, index, *by_socket).await,
        Step::Cut => {
            candidate.resume().await;
        }
    }
}

async fn repeat(candidate: &mut Candidate, delayed: &BTreeSet<u64>, index: &prop::sample::Index, by_socket: bool) {
    let travelled: Vec<u64> = candidate.sent.keys().copied().filter(|seq| !delayed.contains(seq)).collect();
    if travelled.is_empty() {
        return;
    }
    let seq = *index.get(&travelled);
    if by_socket {
        candidate.carry_again(seq).await;
    } else {
        candidate.post(&[seq]).await;
    }
}

fn model_of_commands(sent: &BTreeMap<u64, Value>) -> Model {
    let value_name = |kind: &str| match kind {
        "answer" => "selected",
        "mark" => "marked",
        "drawing" => "drawing",
        "eliminate" => "eliminated",
        _ => "visited",
    };
    let entry = |(seq, command): (&u64, &Value)| {
        let (question, kind) =
            (command["questionId"].as_str().unwrap().to_owned(), command["type"].as_str().unwrap().to_owned());
        let value = if kind == "visit" { json!(true) } else { command[value_name(&kind)].clone() };
        ((question, kind), (*seq, value))
    };
    // In the order of the numbers, so that the latest stays.
    sent.iter().map(entry).collect()
}

fn model_of_state(resumed: &Value, paper: &[String]) -> Model {
    let mut model = Model::new();
    for id in &paper[..QUESTIONS] {
        for (kind, name, otherwise) in
            [("answer", "selected", json!(null)), ("mark", "marked", json!(false)), ("visit", "visited", json!(false))]
        {
            let value = row(resumed, id).map_or(otherwise, |row| row[name].clone());
            model.insert((id.clone(), kind.to_owned()), (0, value));
        }
        let eliminated = row(resumed, id).and_then(|row| row.get("eliminated")).cloned().unwrap_or(json!([]));
        model.insert((id.clone(), "eliminate".to_owned()), (0, eliminated));
        let drawing = resumed["drawings"].get(id).cloned().unwrap_or(Value::Null);
        model.insert((id.clone(), "drawing".to_owned()), (0, drawing));
    }
    model
}
