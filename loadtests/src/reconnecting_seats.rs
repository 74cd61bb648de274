//! The seats of scenarios in which students lose their sockets and come back: how they are seated, how they work, and
//! what they know compared with what is stored.

use crate::failure::Failure;
use crate::fleet::RoundRobin;
use crate::ledger::Comparison;
use crate::reconnecting_student::ReconnectingStudent;
use crate::seats;
use crate::tally::{Tally, add};
use entities::session;
use futures_util::future::join_all;
use futures_util::{StreamExt, stream};
use sea_orm::{ColumnTrait, DatabaseConnection, EntityTrait, PaginatorTrait, QueryFilter};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};
use uuid::Uuid;

/// Session ids in one query: below the parameters that a statement of Postgres can have.
pub const SESSIONS_PER_QUERY: usize = 1_000;
/// Attempts that are read over HTTP at once.
const READS_AT_ONCE: usize = 32;

/// What all students know, compared with what the servers tell.
#[derive(Default)]
pub struct SeatsComparison {
    pub values: Comparison,
    /// Attempts that no server could tell of.
    pub unread: u64,
}

/// Seats students one after another, spread over the servers. Whoever gets no seat is counted as an error.
pub async fn seat_all(
    servers: &Arc<RoundRobin>,
    seats: u32,
    webhook_url: &str,
    jitter: Duration,
    tally: &Arc<Tally>,
) -> Vec<ReconnectingStudent> {
    let gap = Duration::from_secs_f64(seats::usual_ramp(seats) / f64::from(seats));
    let begin = Instant::now();
    let starting = (0..seats).map(async |number| {
        sleep_until(begin + gap * number).await;
        let (servers, tally_of_seat) = (Arc::clone(servers), Arc::clone(tally));
        let started = ReconnectingStudent::start(servers, number as usize, webhook_url, jitter, tally_of_seat).await;
        started.inspect_err(|code| tally.error(code)).ok()
    });
    join_all(starting).await.into_iter().flatten().collect()
}

/// Works until `ends` has a time. An error that ends the work earlier is counted.
pub async fn work(
    mut student: ReconnectingStudent,
    mut ends: watch::Receiver<Option<Instant>>,
    pace: f64,
    tally: Arc<Tally>,
) -> Option<ReconnectingStudent> {
    if let Err(code) = student.work(Instant::now(), &mut ends, pace).await {
        tally.error(&code);
        add(&tally.given_up, 1);
    }
    Some(student)
}

/// Reads every attempt from some server over HTTP and compares it. An attempt that cannot be read counts as an error.
pub async fn compare(students: &[ReconnectingStudent], servers: &RoundRobin, tally: &Tally) -> SeatsComparison {
    let reading = stream::iter(students).map(async |student| {
        let stored = match servers.next() {
            Some(server) => server.stored_attempt(&student.session_id, &student.token).await,
            None => Err("check: no server".to_owned()),
        };
        let compared = stored.map(|stored| student.ledger.compare(&student.question_ids, &stored));
        compared.inspect_err(|code| tally.error(code)).ok()
    });
    let sum = |mut sum: SeatsComparison, one: Option<Comparison>| async move {
        match one {
            Some(one) => {
                sum.values.values += one.values;
                sum.values.missing += one.missing;
            }
            None => sum.unread += 1,
        }
        sum
    };
    reading.buffer_unordered(READS_AT_ONCE).fold(SeatsComparison::default(), sum).await
}

/// Hands in every test, all at once. Whoever cannot is counted as an error.
pub async fn submit_all(students: &mut [ReconnectingStudent], tally: &Tally) {
    join_all(students.iter_mut().map(async |student| {
        if let Err(code) = student.submit().await {
            tally.error(&code);
        }
    }))
    .await;
}

/// The ids of the students' sessions.
pub fn session_ids(students: &[ReconnectingStudent]) -> Result<Vec<Uuid>, Failure> {
    Ok(students.iter().map(|student| student.session_id.parse()).collect::<Result<Vec<Uuid>, _>>()?)
}

/// How many of these sessions are stored.
pub async fn stored_sessions(database: &DatabaseConnection, ids: &[Uuid]) -> Result<u64, Failure> {
    let mut sessions = 0;
    for ids in ids.chunks(SESSIONS_PER_QUERY) {
        sessions +=
            session::Entity::find().filter(session::Column::SessionId.is_in(ids.to_vec())).count(database).await?;
    }
    Ok(sessions)
}
