//! Compares what candidates were told with what is stored: answers, deadlines, states.

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

/// Differences that are printed; one is often enough to see the cause of all.
const DIFFERENCES_SHOWN_MAX: usize = 5;

pub struct Comparisons {
    pub answers: Comparison,
    /// Commands without an answer at the end of the wait.
    pub unanswered: u64,
    /// Candidates who were told a deadline.
    pub told_deadline: u64,
    /// Candidates who were told more than one: theirs has moved.
    pub moved_deadlines: u64,
    /// Those whose deadline is not T0 and the time that was promised, or not the one that is stored.
    pub wrong_deadlines: u64,
    /// Candidates who have handed in, and are stored as something else.
    pub wrong_states: u64,
    /// Some of the differences, as sentences.
    pub differences: Vec<String>,
}

impl Comparisons {
    /// Reads every attempt over HTTP.
    pub async fn of_answers(participants: &[Participant], servers: &RoundRobin, tally: &Tally) -> Self {
        let reading = stream::iter(participants).map(async |participant| {
            let student = &participant.student;
            let stored = match servers.next() {
                Some(server) => server.stored_attempt(&student.session_id, &student.token).await,
                None => Err("check: no server".to_owned()),
            };
            stored.map(|stored| student.ledger.compare(&student.question_ids, &stored)).unwrap_or_else(|code| {
                tally.error(&code);
                Comparison::default()
            })
        });
        let sum = |sum: Comparison, one: Comparison| async move {
            Comparison { values: sum.values + one.values, missing: sum.missing + one.missing }
        };
        let answers = reading.buffer_unordered(HTTP_CONNECTIONS_MAX).fold(Comparison::default(), sum).await;
        let unanswered = participants.iter().map(|one| one.student.ledger.in_flight() as u64).sum();
        Self {
            answers,
            unanswered,
            told_deadline: 0,
            moved_deadlines: 0,
            wrong_deadlines: 0,
            wrong_states: 0,
            differences: Vec::new(),
        }
    }

    /// Compares the roster, after all have handed in.
    pub async fn add_deadlines_and_states(
        &mut self,
        admin: &SittingAdmin<'_>,
        sitting: &PlannedSitting,
        participants: &[Participant],
    ) -> Result<(), Failure> {
        let listed = admin.candidates(sitting).await?;
        let by_session: HashMap<&str, &ListedCandidate> =
            listed.iter().filter_map(|one| Some((one.session_id.as_deref()?, one))).collect();
        let pairs = participants.iter().map(|one| (one, by_session.get(one.student.session_id.as_str()).copied()));
        let mut reading = stream::iter(pairs)
            .map(async |(participant, candidate)| {
                let stored = match candidate {
                    Some(candidate) => admin.deadline(sitting, &candidate.id).await?,
                    None => None,
                };
                Ok::<_, Failure>((participant, candidate, stored))
            })
            .buffer_unordered(HTTP_CONNECTIONS_MAX);
        while let Some(read) = reading.next().await {
            let (participant, candidate, stored) = read?;
            self.add(participant, candidate, stored.as_deref());
        }
        Ok(())
    }

    fn add(&mut self, participant: &Participant, candidate: Option<&ListedCandidate>, stored: Option<&str>) {
        let told = &participant.student.told_deadlines;
        let promised = participant.started_at + participant.given_ms;
        let is_right = |deadline: &str| milliseconds(deadline) == Some(promised);
        let is_wrong = stored.is_none() || !told.iter().map(String::as_str).chain(stored).all(is_right);
        self.told_deadline += u64::from(!told.is_empty());
        self.moved_deadlines += u64::from(told.len() > 1);
        self.wrong_deadlines += u64::from(is_wrong);
        if is_wrong || told.len() > 1 {
            self.differ(|| format!("told the deadlines {told:?}, promised {promised} ms, stored {stored:?}"));
        }
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
