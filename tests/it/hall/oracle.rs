//! Second implementations in Python, in tests/oracle.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

/// What a program there answers to these questions, one answer for each.
pub fn ask(program: &str, questions: &[Value]) -> Vec<Value> {
    let mut oracle = Command::new("python3")
        .arg(format!("{}/tests/oracle/{program}", env!("CARGO_MANIFEST_DIR")))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    oracle.stdin.take().unwrap().write_all(&serde_json::to_vec(questions).unwrap()).unwrap();
    let answer = oracle.wait_with_output().unwrap();
    assert!(answer.status.success());
    serde_json::from_slice(&answer.stdout).unwrap()
}
