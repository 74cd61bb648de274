//! An exam that goes on while servers fail, and what must be true after it, whatever has failed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::Value;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::room;
use super::student::Student;
use crate::hall::{Cluster, Heard, Proctor, Receiver, SERVERS, eventually};

const STUDENTS: usize = 24;
/// A picture that isn't renewed for so long comes from a server that is gone: the servers tell every ten seconds that
/// it lives.
const PICTURE_SILENCE_MAX: Duration = Duration::from_secs(12);
/// How often someone looks.
const GLANCE: Duration = Duration::from_millis(100);

/// Students at work and a proctor who watches them, all through the load balancer.
pub struct Exam {
    ending: watch::Sender<bool>,
    working: Vec<JoinHandle<Student>>,
    watching: JoinHandle<Proctor>,
    progress: Vec<Arc<AtomicU64>>,
    receiver: Receiver,
}

impl Exam {
    /// Everyone starts, and comes by the load balancer.
    pub async fn begin(cluster: &Cluster) -> Self {
        Self::by(cluster, cluster.base(), |_| ()).await
    }

    /// Everyone starts and comes by this address, with a habit of their own.
    pub async fn by(cluster: &Cluster, base: &str, habit: impl Fn(&mut Student)) -> Self {
        let receiver = Receiver::open().await;
        let webhook_url = receiver.url();
        let mut students = join_all((0..STUDENTS).map(|number| Student::start(base, number, &webhook_url))).await;
        students.iter_mut().for_each(habit);
        let progress = students.iter().map(Student::progress).collect();
        let (ending, ended) = watch::channel(false);
        let proctor = Proctor::watching(base, &cluster.admin, &room()).await;
        let working = students.into_iter().map(|student| tokio::spawn(student.work(ended.clone()))).collect();
        let watching = tokio::spawn(follow(proctor, base.to_owned(), ended));
        let exam = Self { ending, working, watching, progress, receiver };
        exam.everyone_saves_within(Duration::from_secs(15)).await;
        exam
    }

    /// Asserts that each student gets something saved that was not, within a time.
    pub async fn everyone_saves_within(&self, time: Duration) {
        let before: Vec<u64> = self.saved();
        let deadline = Instant::now() + time;
        loop {
            let stuck: Vec<usize> = self
                .saved()
                .iter()
                .zip(&before)
                .enumerate()
                .filter(|(_, (now, before))| now <= before)
                .map(|(number, _)| number)
                .collect();
            if stuck.is_empty() {
                return;
            }
            assert!(Instant::now() < deadline, "nothing saved within {time:?} for the students {stuck:?}");
            // A student who has panicked says more than that it saves nothing.
            assert!(!self.working.iter().any(JoinHandle::is_finished), "a student has given up");
            sleep(GLANCE).await;
        }
    }

    fn saved(&self) -> Vec<u64> {
        self.progress.iter().map(|saved| saved.load(Ordering::Relaxed)).collect()
    }

    /// Everyone stops, submits, and nothing may be lost or double; gives the students.
    pub async fn end(self, cluster: &Cluster) -> Vec<Student> {
        self.ending.send_replace(true);
        let mut students: Vec<Student> = join_all(self.working).await.into_iter().map(Result::unwrap).collect();
        let mut proctor = self.watching.await.unwrap();
        follow_to_the_end(&mut proctor, cluster).await;
        for student in &students {
            assert_eq!(student.saved, student.sent);
            assert_eq!(proctor.row(&student.session_id)["answered"], student.answered());
            assert_eq!(student.deadlines.len(), 1, "a deadline was moved: {:?}", student.deadlines);
        }
        submit_all(&mut students, cluster).await;
        assert_told_once(&students, &self.receiver, cluster).await;
        follow_to_the_end(&mut proctor, cluster).await;
        for student in &students {
            assert_eq!(proctor.row(&student.session_id)["state"], "submitted");
        }
        students
    }
}

/// Watches until the end, from any server that is there.
async fn follow(mut proctor: Proctor, base: String, ending: watch::Receiver<bool>) -> Proctor {
    let mut heard_at = Instant::now();
    while !*ending.borrow() {
        match proctor.hear_within(GLANCE).await {
            Some(Heard::Frame(_)) => heard_at = Instant::now(),
            None if heard_at.elapsed() < PICTURE_SILENCE_MAX => {}
            Some(Heard::Closed(_)) | None => {
                sleep(GLANCE).await;
                if proctor.reconnect(&base).await {
                    heard_at = Instant::now();
                }
            }
        }
    }
    proctor
}

/// The proctor's picture becomes that of a fresh roster of every server.
async fn follow_to_the_end(proctor: &mut Proctor, cluster: &Cluster) {
    for server in 0..SERVERS {
        proctor.until_alike(&cluster.base_of(server)).await;
    }
}

async fn submit_all(students: &mut [Student], cluster: &Cluster) {
    let caller = &cluster.anonymous();
    let submitting = students.iter_mut().map(async |student| {
        let submitted = student.submit().await;
        let stored = caller.get(&format!("/api/sessions/{}", student.session_id)).await;
        assert_eq!(stored.status, 200, "{}", stored.text());
        student.assert_stored(&stored.json(), &submitted);
        let again = student.submit().await;
        assert_eq!((&again["sessionId"], &again["result"]), (&submitted["sessionId"], &submitted["result"]));
    });
    join_all(submitting).await;
}

/// One stored session for each sitting, and one event id, however often it was told.
async fn assert_told_once(students: &[Student], receiver: &Receiver, cluster: &Cluster) {
    let sittings = i64::try_from(students.len()).unwrap();
    for query in [
        "SELECT count(*) FROM sessions WHERE grade = 5",
        "SELECT count(*) FROM attempts WHERE grade = 5",
        "SELECT count(*) FROM deliveries",
    ] {
        assert_eq!(cluster.number(query).await, sittings, "{query}");
    }
    let expected: BTreeSet<&str> = students.iter().map(|student| student.session_id.as_str()).collect();
    let told = eventually("every session is told", async || {
        Some(events(receiver)).filter(|told| told.len() >= expected.len())
    })
    .await;
    assert_eq!(told.keys().map(String::as_str).collect::<BTreeSet<_>>(), expected);
    assert!(told.values().all(|ids| ids.len() == 1), "{told:?}");
}

/// The event ids that were received, by session.
fn events(receiver: &Receiver) -> BTreeMap<String, BTreeSet<String>> {
    let mut events: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for call in receiver.calls() {
        let body: Value = call.json();
        events
            .entry(body["sessionId"].as_str().unwrap().to_owned())
            .or_default()
            .insert(call.header("webhook-id").to_owned());
    }
    events
}
