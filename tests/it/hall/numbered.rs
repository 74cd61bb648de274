//! Commands derived from their number alone, so that each stored value shows which command it came from.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// Questions of a paper that these commands are about.
pub const QUESTIONS: usize = 40;

/// What number `seq` says about which question; the time taken repeats the number.
pub fn command(paper: &[String], seq: u64) -> Value {
    let question = &paper[question_of(seq)];
    match kind_of(seq) {
        "drawing" => json!({ "type": "drawing", "seq": seq, "questionId": question, "drawing": { "stamp": seq } }),
        "eliminate" => {
            json!({ "type": "eliminate", "seq": seq, "questionId": question, "eliminated": eliminated_by(seq) })
        }
        _ => {
            json!({ "type": "answer", "seq": seq, "questionId": question, "selected": letter_of(seq), "timeTaken": seq })
        }
    }
}

/// Asserts, key by key, that what is stored came from the last command up to `saved`, or from a later one up to `sent`.
#[track_caller]
pub fn assert_kept(resumed: &Value, paper: &[String], saved: u64, sent: u64) {
    for ((question, kind), at_least) in last_of_each_key(saved) {
        let stored = stored(resumed, &paper[question], kind);
        assert!(
            (at_least..=sent).contains(&stored),
            "{kind} of question {question}: {at_least} was saved, {stored} is there"
        );
        assert_eq!((question_of(stored), kind_of(stored)), (question, kind));
    }
    let highest = resumed["seq"].as_u64().unwrap();
    assert!((saved..=sent).contains(&highest), "{highest}");
}

/// The letters that are stored after all commands up to a number, by question.
pub fn letters(paper: &[String], sent: u64) -> BTreeMap<String, String> {
    let last = last_of_each_key(sent).into_iter().filter(|((_, kind), _)| *kind == "answer");
    last.map(|((question, _), seq)| (paper[question].clone(), letter_of(seq).to_owned())).collect()
}

fn last_of_each_key(up_to: u64) -> BTreeMap<(usize, &'static str), u64> {
    (1..=up_to).map(|seq| ((question_of(seq), kind_of(seq)), seq)).collect()
}

fn question_of(seq: u64) -> usize {
    usize::try_from(seq * 7 % QUESTIONS as u64).unwrap()
}

fn kind_of(seq: u64) -> &'static str {
    match seq % 10 {
        9 => "drawing",
        4 => "eliminate",
        _ => "answer",
    }
}

fn letter_of(seq: u64) -> &'static str {
    ["A", "B", "C", "D"][usize::try_from(seq / 3 % 4).unwrap()]
}

fn eliminated_by(seq: u64) -> Value {
    let lists = [json!(["A"]), json!(["B", "D"]), json!(["A", "B", "C", "D"]), json!(["C"])];
    lists[usize::try_from(seq / QUESTIONS as u64 % 4).unwrap()].clone()
}

/// The number of the stored value of a question, or 0.
fn stored(resumed: &Value, question_id: &str, kind: &str) -> u64 {
    if kind == "drawing" {
        return resumed["drawings"][question_id]["stamp"].as_u64().unwrap_or_default();
    }
    let Some(row) = resumed["answers"].as_array().unwrap().iter().find(|row| row["questionId"] == question_id) else {
        return 0;
    };
    if kind == "eliminate" {
        // A question of which options are crossed out gets no other commands, so the row's number is that of the list.
        let seq = row["seq"].as_u64().unwrap();
        assert_eq!((&row["eliminated"], &row["selected"]), (&eliminated_by(seq), &Value::Null), "{row}");
        return seq;
    }
    let seq = row["timeTaken"].as_u64().unwrap_or_default();
    assert_eq!(row["selected"], letter_of(seq), "{row}");
    assert!(row["seq"].as_u64().unwrap() >= seq, "{row}");
    seq
}
