//! Faults with several servers: real processes behind a real HAProxy are killed, frozen and cut off while students
//! work.

mod corrections;
mod database;
mod deadline;
mod exam;
mod failover;
mod freeze;
mod kill;
mod network;
mod orders;
mod postgres;
mod recovery;
mod redis;
mod reopening;
mod restart;
mod sittings;
mod student;

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;

use crate::hall::{Cluster, Setup};
use exam::Exam;

/// The room of all students.
fn room() -> Value {
    json!({ "grade": 5 })
}
