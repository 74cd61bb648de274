//! The exam that goes on while the database dies: students who save, and a proctor who gives orders.

use crate::failure::Failure;
use crate::fleet::Fleet;
use crate::ordering_proctor::OrderingProctor;
use crate::output;
use crate::patient_caller::PatientCaller;
use crate::reconnecting_seats;
use crate::reconnecting_student::ReconnectingStudent;
use crate::saved_witness::SavedWitness;
use crate::seats;
use crate::tally::Tally;
use crate::webhook_receiver::WebhookReceiver;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;

pub struct LiveExam {
    pub witness: Arc<SavedWitness>,
    pub tally: Arc<Tally>,
    pub proctor: Arc<OrderingProctor>,
    pub receiver: WebhookReceiver,
    /// Students who have got a seat.
    pub seats: usize,
    stop: watch::Sender<Option<Instant>>,
    working: JoinSet<Option<ReconnectingStudent>>,
    ordering: JoinSet<()>,
}

impl LiveExam {
    /// Seats the students and lets everybody work.
    pub async fn begin(fleet: &Fleet, seats: u32, pace: f64, jitter: Duration) -> Result<Self, Failure> {
        let (receiver, tally) = (WebhookReceiver::open().await?, Arc::new(Tally::new()?));
        let witness = Arc::new(SavedWitness::since(Instant::now()));
        let token = fleet.admin_token().await?;
        let proctor = Arc::new(OrderingProctor::of(PatientCaller::of(Arc::clone(&fleet.servers)), token));
        output::progress(&format!("Seating {seats} students"));
        let students = reconnecting_seats::seat_all(&fleet.servers, seats, &receiver.url(), jitter, &tally).await;
        let (stop, ends) = watch::channel(None);
        let (mut working, mut ordering) = (JoinSet::new(), JoinSet::new());
        let sessions: Vec<String> = students.iter().map(|student| student.session_id.clone()).collect();
        ordering.spawn(Arc::clone(&proctor).work(sessions, ends.clone()));
        let seats = students.len();
        for mut student in students {
            student.witness = Some(Arc::clone(&witness));
            working.spawn(reconnecting_seats::work(student, ends.clone(), pace, Arc::clone(&tally)));
        }
        Ok(Self { witness, tally, proctor, receiver, seats, stop, working, ordering })
    }

    /// Lets everybody finish what they are at, and returns the students, whose tests go on.
    pub async fn end(&mut self) -> Vec<ReconnectingStudent> {
        self.stop.send_replace(Some(Instant::now()));
        while self.ordering.join_next().await.is_some() {}
        seats::collect(&mut self.working, &self.tally).await
    }
}
