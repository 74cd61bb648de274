//! One exam from its plan to the last change of its results, while servers are killed: its students work, hand in, are
//! let go on, and come late; its staff decide, correct, take back and release.

use super::contents::{self, StoredVersion};
use super::logged;
use super::staff::{RoundPaper, RoundStaff};
use super::told::Telling;
use crate::failure::Failure;
use crate::round_student::{RoundStudent, StudentRecord};
use crate::signed_receipts::ReceiptKeys;
use fastrand::Rng;
use futures_util::future::try_join_all;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// From the beginning of an exam to the end of everybody's time.
const LENGTH: Duration = Duration::from_secs(12);
/// Longest pause between two requests of a student.
const PAUSE_MAX: Duration = Duration::from_millis(900);
const RECEIPTS_PERCENT: u32 = 25;
/// Share of the requests after which a student hands in too early.
const SUBMITS_PERCENT: u32 = 6;
/// Requests of a student after the time is up.
const LATE_REQUESTS: usize = 2;
/// Most tests whose versions are read at once.
const READ_AT_ONCE: usize = 4;

/// Whose results are held until they are released, or told at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExamKind {
    /// A sitting, with a log.
    Sitting,
    /// Tests of a template, each for itself.
    Template,
}

impl ExamKind {
    /// Tests of a template have a grade of their own: a sitting withholds its questions until its results are released,
    /// and nobody may start a template that has one of them.
    const fn grade(self) -> u8 {
        match self {
            Self::Sitting => 5,
            Self::Template => 6,
        }
    }
}

/// An exam of which everything has happened.
pub struct FinishedExam {
    pub tests: Vec<FinishedTest>,
    pub sitting_id: Option<String>,
    /// Those that were given out.
    pub checkpoints: Vec<String>,
}

pub struct FinishedTest {
    pub student: StudentRecord,
    pub versions: Vec<StoredVersion>,
    pub telling: Telling,
}

/// An exam that is going on.
struct Exam<'a> {
    staff: &'a RoundStaff,
    paper: RoundPaper,
    sitting_id: Option<String>,
    scope: Value,
    checkpoints: Vec<String>,
    random: Rng,
}

/// Holds an exam for these people: their e-mail addresses and API tokens.
pub async fn hold(staff: &RoundStaff, kind: ExamKind, people: &[(String, String)]) -> Result<FinishedExam, Failure> {
    let paper = staff.paper(kind.grade()).await?;
    let emails: Vec<String> = people.iter().map(|(email, _)| email.clone()).collect();
    let begun = Instant::now();
    let sitting_id = match kind {
        ExamKind::Sitting => Some(staff.sitting(&paper, &emails, LENGTH).await?),
        ExamKind::Template => None,
    };
    let scope = match &sitting_id {
        Some(id) => json!({ "sittingId": id }),
        None => json!({ "templateId": paper.template_id }),
    };
    let first = match &sitting_id {
        Some(id) => json!({ "type": "enter", "sittingId": id }),
        None => json!({ "type": "start", "templateId": paper.template_id, "webhookUrl": staff.webhook_url }),
    };
    let beginning =
        people.iter().map(|(_, token)| RoundStudent::begin(Arc::clone(&staff.caller), token, first.clone()));
    let mut students = try_join_all(beginning).await?;
    let mut exam = Exam { staff, paper, sitting_id, scope, checkpoints: Vec::new(), random: Rng::new() };

    let until = begun + LENGTH;
    let working = try_join_all(students.iter_mut().map(|student| work(student, staff, kind, until)));
    let (_, first) = tokio::try_join!(working, exam.correct_within(LENGTH))?;
    let deciding = try_join_all(students.iter_mut().map(|student| decide(student, staff)));
    let (_, second) = tokio::try_join!(deciding, exam.correct_within(Duration::from_secs(1)))?;
    if exam.random.bool() {
        staff.revert(&first).await?;
    }
    staff.followed(&exam.scope).await?;
    let tellings = exam.release(&students).await?;
    if exam.sitting_id.is_some() {
        exam.change_released(&mut students, &second).await?;
    }
    exam.finished(students, tellings).await
}

impl Exam<'_> {
    /// Corrects a key at some moment of this time.
    async fn correct_within(&mut self, time: Duration) -> Result<String, Failure> {
        sleep(time.mul_f64(self.random.f64())).await;
        self.note_checkpoint().await?;
        self.staff.correct(&self.paper, &self.scope, &mut self.random).await
    }

    async fn note_checkpoint(&mut self) -> Result<(), Failure> {
        if let Some(sitting_id) = &self.sitting_id {
            self.checkpoints.extend(self.staff.checkpoint(sitting_id).await?);
        }
        Ok(())
    }

    /// Releases the results of a sitting. Returns what is to be told of each test.
    async fn release(&mut self, students: &[RoundStudent]) -> Result<Vec<Telling>, Failure> {
        let Some(sitting_id) = self.sitting_id.clone() else {
            return Ok(students.iter().map(|_| Telling::EachVersion).collect());
        };
        let mut tellings = Vec::new();
        for student in students {
            tellings.push(Telling::FromRelease(self.staff.newest_version(&student.record.session_id).await?));
        }
        self.note_checkpoint().await?;
        self.staff.release(&sitting_id).await?;
        self.note_checkpoint().await?;
        Ok(tellings)
    }

    /// Changes results after their release: each change is told.
    async fn change_released(&mut self, students: &mut [RoundStudent], correction_id: &str) -> Result<(), Failure> {
        self.staff.revert(correction_id).await?;
        for student in students.iter_mut().filter(|student| !student.record.late.is_empty()) {
            if student.random.bool() {
                let is_accepted = !student.record.is_late_accepted;
                decide_once(student, self.staff, is_accepted).await?;
            }
        }
        self.note_checkpoint().await?;
        self.staff.correct(&self.paper, &self.scope, &mut self.random).await?;
        self.staff.followed(&self.scope).await
    }

    /// Reads what is stored.
    async fn finished(mut self, students: Vec<RoundStudent>, tellings: Vec<Telling>) -> Result<FinishedExam, Failure> {
        let mut tests = Vec::new();
        for (student, telling) in students.into_iter().zip(tellings) {
            let versions = self.staff.versions(&student.record.session_id, self.sitting_id.is_some()).await?;
            tests.push(FinishedTest { student: student.record, versions, telling });
        }
        self.note_checkpoint().await?;
        Ok(FinishedExam { tests, sitting_id: self.sitting_id, checkpoints: self.checkpoints })
    }
}

impl FinishedTest {
    /// What is wrong with what is stored of it.
    pub fn faults(&self, keys: &ReceiptKeys) -> Vec<String> {
        contents::faults(keys, &self.student, &self.versions)
    }
}

impl FinishedExam {
    /// What is wrong with what is stored.
    pub fn faults(&self, keys: &ReceiptKeys) -> Vec<String> {
        let mut faults: Vec<String> = self.tests.iter().flat_map(|test| test.faults(keys)).collect();
        faults.extend(self.log_faults(keys, &self.checkpoints));
        faults
    }

    /// What is wrong with the log of a sitting, and with these checkpoints of it.
    pub fn log_faults(&self, keys: &ReceiptKeys, checkpoints: &[String]) -> Vec<String> {
        let Some(sitting_id) = &self.sitting_id else { return Vec::new() };
        let tests = self.tests.iter().map(|test| (test.student.session_id.as_str(), test.versions.as_slice()));
        let faults = logged::faults(keys, &tests.collect::<Vec<_>>(), checkpoints);
        faults.into_iter().map(|fault| format!("sitting {sitting_id}: {fault}")).collect()
    }

    /// What has changed since it was read, although nobody has changed anything.
    pub async fn changes(&self, staff: &RoundStaff) -> Result<Vec<String>, Failure> {
        let mut faults = Vec::new();
        for tests in self.tests.chunks(READ_AT_ONCE) {
            let is_logged = self.sitting_id.is_some();
            let read =
                try_join_all(tests.iter().map(|test| staff.versions(&test.student.session_id, is_logged))).await?;
            for (test, versions) in tests.iter().zip(read) {
                // A log that has grown has another checkpoint and another way to it.
                let fixed = |versions: &[StoredVersion]| -> Vec<StoredVersion> {
                    versions.iter().cloned().map(|version| StoredVersion { proof: None, ..version }).collect()
                };
                if fixed(&versions) != fixed(&test.versions) {
                    faults.push(format!("{}: its versions are no longer what they were", test.student.session_id));
                }
            }
        }
        Ok(faults)
    }
}

/// What a student does until the time is up, and after it.
async fn work(student: &mut RoundStudent, staff: &RoundStaff, kind: ExamKind, until: Instant) -> Result<(), Failure> {
    let mut goes_on = true;
    while goes_on && Instant::now() < until {
        sleep(PAUSE_MAX.mul_f64(student.random.f64())).await;
        goes_on = student.change().await?;
        if goes_on && student.random.u32(..100) < RECEIPTS_PERCENT {
            student.ask_receipt().await?;
        }
        if goes_on && student.random.u32(..100) < SUBMITS_PERCENT {
            goes_on = end_early(student, staff).await?;
        }
    }
    if kind == ExamKind::Template {
        if goes_on && end_early(student, staff).await? {
            student.change().await?;
            student.ask_receipt().await?;
            student.submit().await?;
        }
        return Ok(());
    }
    if !student.wait_for("submitted").await? {
        return Err(format!("{} has not ended although its time is up", student.record.session_id).into());
    }
    for _ in 0..LATE_REQUESTS {
        student.change().await?;
    }
    Ok(())
}

/// Hands in, and is let go on by somebody half of the time. Returns whether the test goes on.
async fn end_early(student: &mut RoundStudent, staff: &RoundStaff) -> Result<bool, Failure> {
    student.submit().await?;
    if student.random.bool() {
        return Ok(false);
    }
    let is_reopened = staff.reopen(&student.record.session_id).await?;
    student.record.note(&format!("let go on: {is_reopened}"));
    Ok(is_reopened && student.wait_for("active").await?)
}

/// Decides about the late work of a student, once to three times.
async fn decide(student: &mut RoundStudent, staff: &RoundStaff) -> Result<(), Failure> {
    if student.record.late.is_empty() {
        return Ok(());
    }
    let mut is_accepted = student.random.u8(..4) > 0;
    for _ in 0..student.random.usize(1..=3) {
        decide_once(student, staff, is_accepted).await?;
        is_accepted = !is_accepted;
    }
    Ok(())
}

async fn decide_once(student: &mut RoundStudent, staff: &RoundStaff, is_accepted: bool) -> Result<(), Failure> {
    let is_decided = staff.decide(&student.record.session_id, is_accepted).await?;
    student.record.note(&format!("late work: accepted {is_accepted}, decided {is_decided}"));
    if is_decided {
        student.record.is_late_accepted = is_accepted;
    }
    Ok(())
}
