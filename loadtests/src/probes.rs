//! Which questions each seat has opened and when: what tells watchers how old the row is that they are shown. Without sockets.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// Commands of a seat that are remembered: more than any seat sends while a frame is on its way, fewer than a paper has questions,
/// so that no question is among them twice.
const REMEMBERED: usize = 32;

/// The last commands of every seat.
pub struct Probes {
    seats: Vec<Mutex<OpenedQuestions>>,
    numbers: Mutex<HashMap<String, usize>>,
}

#[derive(Default)]
struct OpenedQuestions {
    last: u64,
    recent: VecDeque<Probe>,
}

struct Probe {
    number: u64,
    question_id: Box<str>,
    at: Instant,
}

impl Probes {
    /// For so many seats.
    pub fn new(seats: usize) -> Self {
        let seats = (0..seats).map(|_| Mutex::default()).collect();
        Self { seats, numbers: Mutex::default() }
    }

    /// Says which session a seat has.
    pub fn register_seat(&self, number: usize, session_id: &str) {
        locked(&self.numbers).insert(session_id.to_owned(), number);
    }

    /// Which seat has each session, once all have one.
    pub fn seat_numbers(&self) -> HashMap<String, usize> {
        locked(&self.numbers).clone()
    }

    /// A seat opens a question.
    pub fn record_opened(&self, seat: usize, question_id: &str, at: Instant) {
        let Some(seat) = self.seats.get(seat) else { return };
        let mut opened = locked(seat);
        opened.last += 1;
        let probe = Probe { number: opened.last, question_id: question_id.into(), at };
        opened.recent.push_back(probe);
        if opened.recent.len() > REMEMBERED {
            opened.recent.pop_front();
        }
    }

    /// Forgets what was sent so far: a row that shows it tells nothing.
    pub fn forget(&self) {
        for seat in &self.seats {
            locked(seat).recent.clear();
        }
    }

    /// A watcher who has been shown everything up to number `seen` of a seat is shown a question. Gives the age of every command that
    /// this row shows or has overtaken to `each`, and the number that is seen now.
    pub fn shown(
        &self,
        seat: usize,
        question_id: &str,
        seen: u64,
        now: Instant,
        mut each: impl FnMut(Duration),
    ) -> u64 {
        let Some(seat) = self.seats.get(seat) else { return seen };
        let opened = locked(seat);
        let Some(shown) =
            opened.recent.iter().rev().find(|probe| *probe.question_id == *question_id).map(|probe| probe.number)
        else {
            return seen;
        };
        for probe in opened.recent.iter().filter(|probe| probe.number > seen && probe.number <= shown) {
            each(now.saturating_duration_since(probe.at));
        }
        shown.max(seen)
    }
}

// What a panicked seat leaves is whole: every change is one assignment or one push.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ages(probes: &Probes, question_id: &str, seen: u64, now: Instant) -> (u64, Vec<Duration>) {
        let mut ages = Vec::new();
        let seen = probes.shown(0, question_id, seen, now, |age| ages.push(age));
        (seen, ages)
    }

    #[test]
    fn a_row_shows_its_command_and_those_that_it_has_overtaken_once() {
        let (probes, begin) = (Probes::new(1), Instant::now());
        let second = Duration::from_secs(1);
        for (number, question_id) in (0..).zip(["a", "b", "c"]) {
            probes.record_opened(0, question_id, begin + second * number);
        }
        assert_eq!(ages(&probes, "b", 0, begin + second * 3), (2, vec![second * 3, second * 2]));
        assert_eq!(ages(&probes, "b", 2, begin + second * 4), (2, vec![]));
        assert_eq!(ages(&probes, "c", 2, begin + second * 4), (3, vec![second * 2]));
        assert_eq!(ages(&probes, "x", 3, begin + second * 4), (3, vec![]));
    }

    #[test]
    fn what_was_forgotten_is_not_shown() {
        let (probes, now) = (Probes::new(1), Instant::now());
        probes.record_opened(0, "a", now);
        probes.forget();
        assert_eq!(ages(&probes, "a", 0, now), (0, vec![]));
        probes.record_opened(0, "b", now);
        assert_eq!(ages(&probes, "b", 0, now), (2, vec![Duration::ZERO]));
    }
}
