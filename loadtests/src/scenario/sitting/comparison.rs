//! Compares what the server sent to candidates with what it has stored: answers, deadlines, states.

use super::Participant;
use crate::failure::Failure;
use crate::fleet::RoundRobin;
use crate::ledger::Comparison;
use crate::server::HTTP_CONNECTIONS_MAX;
use crate::sitting_admin::{ListedCandidate, PlannedSitting, SittingAdmin};
use crate::tally::Tally;
use crate::waiting_frames::milliseconds;
use futures_util::{StreamExt, stream};
use std::collections::HashMap;

/// One in this many candidates is explained: the server reads the whole roster for one.
const EXPLAINED_EVERY: usize = 50;
/// Differences that are printed; one is often enough to see the cause of all.
const DIFFERENCES_SHOWN_MAX: usize = 5;

#[derive(Default)]
pub struct Comparisons {
    pub answers: Comparison,
    /// Commands without an answer at the end of the wait.
    pub unanswered: u64,
    /// Candidates who were told a deadline.
    pub told_deadline: u64,
    /// Candidates who were told more than one: theirs has moved.
    pub moved_deadlines: u64,
    /// Those whose deadline, as told or as stored, is not T0 and the time that was promised.
    pub wrong_deadlines: u64,
    /// Candidates whose deadline was computed from the plan too, and for how many that gave another one.
    pub explained: u64,
    pub wrongly_explained: u64,
    /// Candidates who have handed in, and are stored as something else.
    pub wrong_states: u64,
    /// Some of the differences, as sentences.
    pub differences: Vec<String>,
}

impl Comparisons {
    /// Reads every attempt over HTTP.
    pub async fn of_attempts(participants: &[Participant], servers: &RoundRobin, tally: &Tally) -> Self {
        let mut reading = stream::iter(participants)
            .map(async |participant| {
                let student = &participant.student;
                let stored = match servers.next() {
                    Some(server) => server.stored_attempt(&student.session_id, &student.token).await,
                    None => Err("check: no server".to_owned()),
                };
                (participant, stored)
            })
            .buffer_unordered(HTTP_CONNECTIONS_MAX);
        let mut comparisons = Self::default();
        while let Some((participant, stored)) = reading.next().await {
            let student = &participant.student;
            comparisons.unanswered += student.ledger.in_flight() as u64;
            let stored = stored.inspect_err(|code| tally.error(code)).ok();
            if let Some(stored) = &stored {
                let Comparison { values, missing } = student.ledger.compare(&student.question_ids, stored);
                comparisons.answers.values += values;
                comparisons.answers.missing += missing;
            }
            comparisons.add_deadline(participant, stored.and_then(|stored| stored.deadline).as_deref());
        }
        comparisons
    }

    /// Compares the roster, after all have handed in, and for some candidates what the plan says of their deadline.
    pub async fn add_roster(
        &mut self,
        admin: &SittingAdmin<'_>,
        sitting: &PlannedSitting,
        participants: &[Participant],
    ) -> Result<(), Failure> {
        let listed = admin.candidates(sitting).await?;
        let by_session: HashMap<&str, &ListedCandidate> =
            listed.iter().filter_map(|one| Some((one.session_id.as_deref()?, one))).collect();
        for (number, participant) in participants.iter().enumerate() {
            let candidate = by_session.get(participant.student.session_id.as_str()).copied();
            self.add_state(participant, candidate);
            if let Some(candidate) = candidate.filter(|_| number % EXPLAINED_EVERY == 0) {
                let explained = admin.deadline(sitting, &candidate.id).await?;
                self.explained += 1;
                if explained.as_deref().and_then(milliseconds) != Some(participant.promised()) {
                    self.wrongly_explained += 1;
                    self.differ(|| format!("explained as {explained:?}, promised {} ms", participant.promised()));
                }
            }
        }
        Ok(())
    }

    fn add_deadline(&mut self, participant: &Participant, stored: Option<&str>) {
        let told = &participant.student.told_deadlines;
        let is_right = |deadline: &str| milliseconds(deadline) == Some(participant.promised());
        let is_wrong = stored.is_none() || !told.iter().map(String::as_str).chain(stored).all(is_right);
        self.told_deadline += u64::from(!told.is_empty());
        self.moved_deadlines += u64::from(told.len() > 1);
        self.wrong_deadlines += u64::from(is_wrong);
        if is_wrong || told.len() > 1 {
            let promised = participant.promised();
            self.differ(|| format!("told the deadlines {told:?}, promised {promised} ms, stored {stored:?}"));
        }
    }

    fn add_state(&mut self, participant: &Participant, candidate: Option<&ListedCandidate>) {
        let has_handed_in = |one: &ListedCandidate| one.state == "submitted" && one.name == participant.name;
        if !candidate.is_some_and(has_handed_in) {
            self.wrong_states += 1;
            self.differ(|| format!("handed in as {}, and stored as {candidate:?}", participant.name));
        }
    }

    fn differ(&mut self, sentence: impl FnOnce() -> String) {
        if self.differences.len() < DIFFERENCES_SHOWN_MAX {
            self.differences.push(sentence());
        }
    }
}
