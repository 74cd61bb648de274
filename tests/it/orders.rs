//! Orders of proctors, written to the store directly: the server must find them by polling, as it does when servers
//! cannot reach each other.

mod ending;
mod notices;
mod reopening;
mod repeats;
mod time;

use std::sync::Arc;

use domain::grade::Grade;
use domain::order::{Order, OrderTarget};
use domain::room::RoomKey;
use examhall::clock::Clock;
use examhall::config::Secret;
use examhall::database::Database;
use examhall::live::orders::carry_out_command;
use examhall::live::store::{CarriedOut, CommandContent, CommandOutcome, OrderConnection, ProctorCommand};
use examhall::sittings::Sittings;
use examhall::store::embargo::Embargo;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::hall::{Caller, Candidate, Hall};

const PROCTOR: &str = "proctor@exam.test";

/// Someone who gives orders in the room of grade 5.
struct Desk {
    database: Database,
    clock: Clock,
    proctor: &'static str,
    grade: i64,
    connection: OrderConnection,
}

impl Desk {
    async fn of(hall: &Hall) -> Self {
        let database = Database::open(hall.database_url(), 2, 1).await.unwrap();
        Self { database, clock: hall.clock.clone(), proctor: PROCTOR, grade: 5, connection: new_connection() }
    }

    /// The same desk with someone else at it.
    fn with(&self, proctor: &'static str) -> Self {
        let Self { grade, connection, .. } = *self;
        Self { database: self.database.clone(), clock: self.clock.clone(), proctor, grade, connection }
    }

    /// The same person on another socket, as after a lost connection.
    fn reconnected(&self) -> Self {
        Self { connection: new_connection(), ..self.with(self.proctor) }
    }

    /// The same person in another room.
    fn of_grade(&self, grade: i64) -> Self {
        Self { grade, ..self.with(self.proctor) }
    }

    async fn ask(&self, id: &str, target: OrderTarget, order: Order) -> CommandOutcome {
        let room = RoomKey::Grade(Grade::new(self.grade).unwrap());
        let asked = ProctorCommand {
            proctor: self.proctor.to_owned(),
            room,
            id: id.to_owned(),
            connection: self.connection,
            content: CommandContent::Sessions { target, grade: None, order },
        };
        let secret = Secret::new(vec![7; 32]);
        let embargo = Arc::new(Embargo::new(self.database.clone(), self.clock.clone()));
        let sittings = Sittings::new(self.database.clone(), self.clock.clone(), &secret, embargo, true);
        carry_out_command(&sittings, &asked).await.unwrap()
    }

    /// An order for one student, with an id of its own.
    async fn order(&self, candidate: &Candidate, order: Order) -> CommandOutcome {
        self.ask(&Uuid::new_v4().to_string(), one(candidate), order).await
    }

    /// An order that must change the one student's session.
    async fn done(&self, candidate: &Candidate, order: Order) {
        assert_eq!(self.order(candidate, order).await, done(1));
    }
}

/// The outcome of an order that has changed so many and left out nobody.
fn done(count: u64) -> CommandOutcome {
    CommandOutcome::Done(CarriedOut { count, ..CarriedOut::default() })
}

/// A socket that nobody else has.
fn new_connection() -> OrderConnection {
    OrderConnection::Socket(Uuid::new_v4())
}

/// A student whose start is completely stored. Moving the clock before that would look like an unavailable store.
async fn sit(hall: &Hall, start: Value) -> Candidate {
    let candidate = hall.sit(start).await;
    candidate.state().await;
    candidate
}

fn one(candidate: &Candidate) -> OrderTarget {
    OrderTarget::One(candidate.session_id.parse().unwrap())
}

fn notice(text: &str) -> Order {
    Order::notice(text).unwrap()
}

/// A test of ten questions of grade 5 in 30 minutes.
fn short_test() -> Value {
    json!({ "grade": 5, "questionCount": 10 })
}

/// The events that proctors and the end of the test have left on the session's record: kind, by and detail.
async fn record(admin: &Caller, candidate: &Candidate) -> Vec<(String, String, String)> {
    let answer = admin.get(&format!("/api/live/sessions/{}/events", candidate.session_id)).await.json();
    let events = answer["events"].as_array().unwrap().iter();
    let text = |event: &Value, name: &str| event[name].as_str().unwrap().to_owned();
    let all = events.map(|event| (text(event, "kind"), text(event, "by"), text(event, "detail")));
    all.filter(|(kind, _, _)| ["extend", "pause", "unpause", "finish", "notice", "submitted"].contains(&kind.as_str()))
        .collect()
}
