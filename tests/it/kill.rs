//! The kill test: SIGKILL while fifty students save as fast as the limit allows. Every command that was acknowledged by
//! `saved` must be stored afterwards.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::time::MissedTickBehavior;

use crate::hall::numbered::{QUESTIONS, assert_kept, command};
use crate::hall::{Candidate, Hall, Heard, Process, eventually};

const STUDENTS: usize = 50;
const KILLS: usize = 5;
/// Just below what one student may send.
const PACE: Duration = Duration::from_millis(21);
/// One in this many students posts instead of using a socket.
const POSTING: usize = 5;
const POSTED_AT_ONCE: u64 = 8;
/// How many commands must be saved before each kill: otherwise the test would show nothing.
const SAVED_BEFORE_A_KILL: u64 = 100;

/// A student and what it knows to be saved.
struct Student {
    candidate: Candidate,
    number: usize,
    /// The highest number that the server has acknowledged, on this connection or an earlier one.
    saved: u64,
    /// The highest number sent.
    sent: u64,
    /// How many commands of all students are known to be saved.
    saved_by_all: Arc<AtomicU64>,
}

#[tokio::test]
async fn whatever_was_saved_outlives_five_kills() {
    let mut hall = Hall::open().await;
    hall.stop().await;
    let mut process = Process::serve(hall.settings()).await;
    let saved_by_all = Arc::<AtomicU64>::default();
    let mut students =
        join_all((0..STUDENTS).map(|number| Student::start(process.base(), number, &saved_by_all))).await;
    for _ in 0..KILLS {
        let life = Duration::from_millis(u64::from(rand::random::<u16>() % 1_200) + 300);
        let enough = saved_by_all.load(Ordering::Relaxed) + SAVED_BEFORE_A_KILL;
        let saving = join_all(students.into_iter().map(Student::save_until_cut));
        let (after, ()) = tokio::join!(saving, async {
            tokio::time::sleep(life).await;
            eventually("enough is saved", async || (saved_by_all.load(Ordering::Relaxed) > enough).then_some(())).await;
            process.kill().await;
        });
        students = after;
        process = Process::serve(hall.settings()).await;
        join_all(students.iter_mut().map(|student| student.assert_kept(process.base()))).await;
    }
    submit_all(students, &process).await;
}

impl Student {
    async fn start(base: &str, number: usize, saved_by_all: &Arc<AtomicU64>) -> Self {
        let candidate = Candidate::start(
            base,
            json!({ "grade": 1 + number % 10, "questionCount": QUESTIONS, "durationMinutes": 70 }),
        )
        .await;
        Self { candidate, number, saved: 0, sent: 0, saved_by_all: Arc::clone(saved_by_all) }
    }

    fn note_saved(&mut self, seq: u64) {
        self.saved_by_all.fetch_add(seq.saturating_sub(self.saved), Ordering::Relaxed);
        self.saved = self.saved.max(seq);
    }

    /// Saves until the server is gone.
    async fn save_until_cut(mut self) -> Self {
        if self.number.is_multiple_of(POSTING) {
            while self.post_some().await {}
        } else {
            let mut pace = tokio::time::interval(PACE);
            // Ticks that were missed on a busy machine would otherwise come all at once, faster than the limit.
            pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
            while self.send_one_and_read(&mut pace).await {}
        }
        self
    }

    async fn send_one_and_read(&mut self, pace: &mut tokio::time::Interval) -> bool {
        pace.tick().await;
        self.sent += 1;
        let frame = command(&self.candidate.paper, self.sent);
        self.candidate.socket().send(&frame).await;
        while let Some(heard) = self.candidate.socket().hear_within(Duration::from_millis(1)).await {
            let Heard::Frame(frame) = heard else { return false };
            if frame["type"] == "saved" {
                self.note_saved(frame["seq"].as_u64().unwrap());
            } else {
                assert_eq!(frame["type"], "time", "{frame}");
            }
        }
        true
    }

    async fn post_some(&mut self) -> bool {
        tokio::time::sleep(PACE * u32::try_from(POSTED_AT_ONCE).unwrap()).await;
        let commands: Vec<Value> =
            (self.sent + 1..=self.sent + POSTED_AT_ONCE).map(|seq| command(&self.candidate.paper, seq)).collect();
        self.sent += POSTED_AT_ONCE;
        let path = format!("/api/live/{}/commands", self.candidate.session_id);
        let request =
            self.candidate.caller().request(reqwest::Method::POST, &path).json(&json!({ "commands": commands }));
        let Ok(answer) = request.send().await else { return false };
        let Ok(body) = answer.json::<Value>().await else { return false };
        assert_eq!(body["replies"], json!([]), "{body}");
        self.note_saved(body["saved"].as_u64().unwrap());
        true
    }

    /// Resumes at the restarted server and compares, key by key.
    async fn assert_kept(&mut self, base: &str) {
        self.candidate.move_to(base);
        let resumed = self.candidate.resume().await;
        assert_kept(&resumed, &self.candidate.paper, self.saved, self.sent);
        self.resend_unanswered().await;
    }

    /// Sends the unacknowledged commands again, and waits until they are saved.
    async fn resend_unanswered(&mut self) {
        for seq in self.saved + 1..=self.sent {
            let frame = command(&self.candidate.paper, seq);
            self.candidate.socket().send(&frame).await;
        }
        if self.sent > self.saved {
            self.candidate.socket().expect_saved(self.sent).await;
            self.note_saved(self.sent);
        }
    }
}

async fn submit_all(students: Vec<Student>, process: &Process) {
    let submitting = students.into_iter().map(async |mut student| {
        student.candidate.seq = student.sent;
        let submitted = student.candidate.submit().await;
        let stored = process.anonymous().get(&format!("/api/sessions/{}", student.candidate.session_id)).await.json();
        assert_eq!(stored["result"], submitted["result"]);
        assert_eq!(submitted["result"]["totalQuestions"], QUESTIONS);
    });
    join_all(submitting).await;
}
