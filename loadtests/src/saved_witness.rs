//! What all students together were told is saved, and when: for a scenario that compares it with the rows of the
//! database while they work, and that measures how long nobody was told anything.

use crate::ledger::{SentCommand, Seq};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;
use uuid::Uuid;

/// A row of the answers of live tests: the session, the question's position on the paper, and the kind of value.
pub type SavedKey = (Uuid, i16, i16);

/// Shared by all students.
pub struct SavedWitness(Mutex<Witnessed>);

struct Witnessed {
    /// When somebody was last told that something is saved.
    last_at: Instant,
    /// The longest time in which nobody was, since it was last asked to begin.
    longest: Duration,
    /// The highest number that is saved, by row.
    highest: HashMap<SavedKey, Seq>,
}

impl SavedWitness {
    /// Begins to measure at this moment.
    pub fn since(now: Instant) -> Self {
        Self(Mutex::new(Witnessed { last_at: now, longest: Duration::ZERO, highest: HashMap::new() }))
    }

    /// Some student was told that these commands are saved.
    pub fn note(&self, session_id: &str, answered: &[SentCommand], now: Instant) {
        let (Ok(session_id), false) = (session_id.parse::<Uuid>(), answered.is_empty()) else { return };
        let mut witnessed = self.witnessed();
        witnessed.longest = witnessed.longest.max(now.saturating_duration_since(witnessed.last_at));
        witnessed.last_at = witnessed.last_at.max(now);
        for sent in answered {
            let highest = witnessed.highest.entry(key_of(session_id, sent)).or_default();
            *highest = sent.seq.max(*highest);
        }
    }

    /// Forgets how long nobody was told anything.
    pub fn begin(&self, now: Instant) {
        let mut witnessed = self.witnessed();
        (witnessed.longest, witnessed.last_at) = (Duration::ZERO, witnessed.last_at.max(now));
    }

    /// The longest time in which nobody was told anything, until now.
    pub fn longest(&self, now: Instant) -> Duration {
        let witnessed = self.witnessed();
        witnessed.longest.max(now.saturating_duration_since(witnessed.last_at))
    }

    /// Whether somebody was told something after this moment.
    pub fn has_heard_since(&self, moment: Instant) -> bool {
        self.witnessed().last_at > moment
    }

    /// The highest number that is saved, by row.
    pub fn highest(&self) -> HashMap<SavedKey, Seq> {
        self.witnessed().highest.clone()
    }

    /// Forgets rows that were found to be lost, so that each counts once.
    pub fn forget(&self, lost: &[SavedKey]) {
        let mut witnessed = self.witnessed();
        for key in lost {
            witnessed.highest.remove(key);
        }
    }

    fn witnessed(&self) -> MutexGuard<'_, Witnessed> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn key_of(session_id: Uuid, sent: &SentCommand) -> SavedKey {
    let number = |number: usize| i16::try_from(number).unwrap_or(i16::MAX);
    (session_id, number(sent.question), number(sent.change.kind()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::Change;

    const SESSION: &str = "0b0e0f6a-2b62-4b9e-9a4e-3f0f5a4b1c2d";

    fn sent(seq: Seq, question: usize, change: Change) -> SentCommand {
        SentCommand { seq, question, change, from: Instant::now() }
    }

    #[test]
    fn the_highest_number_of_a_row_counts() {
        let now = Instant::now();
        let witness = SavedWitness::since(now);
        let [first, second] = [sent(1, 0, Change::Choice(Some('A'))), sent(2, 0, Change::Mark(true))];
        witness.note(SESSION, &[first, second, sent(3, 0, Change::Choice(None))], now);
        witness.note(SESSION, &[first], now);
        let session: Uuid = SESSION.parse().unwrap();
        assert_eq!(witness.highest(), HashMap::from([((session, 0, 0), 3), ((session, 0, 1), 2)]));
        witness.forget(&[(session, 0, 0)]);
        assert_eq!(witness.highest().len(), 1);
    }

    #[test]
    fn the_longest_silence_counts_until_it_is_asked_for() {
        let (begin, second) = (Instant::now(), Duration::from_secs(1));
        let witness = SavedWitness::since(begin);
        for after in [second, second * 4, second * 5] {
            witness.note(SESSION, &[sent(1, 0, Change::Mark(true))], begin + after);
        }
        assert_eq!(witness.longest(begin + second * 6), second * 3);
        assert_eq!(witness.longest(begin + second * 10), second * 5);
        assert!(witness.has_heard_since(begin + second * 4) && !witness.has_heard_since(begin + second * 5));
        witness.begin(begin + second * 10);
        assert_eq!(witness.longest(begin + second * 10), Duration::ZERO);
    }
}
