//! Remembers which question each seat opened and when, so that a watcher can tell how old a row is that it receives.
//! Knows no sockets.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// Commands remembered for each seat: more than a seat sends while a frame is under way, and fewer than a paper has
/// questions, so that no question is in the list twice.
const REMEMBERED: usize = 32;

pub struct Probes {
    seats: Vec<Mutex<OpenedQuestions>>,
    numbers: Mutex<HashMap<String, usize>>,
}

#[derive(Default)]
struct OpenedQuestions {
    last: u64,
    /// The last that was forgotten.
    forgotten: u64,
    recent: VecDeque<Probe>,
}

struct Probe {
    number: u64,
    question_id: Box<str>,
    at: Instant,
}

impl Probes {
    pub fn new(seats: usize) -> Self {
        let seats = (0..seats).map(|_| Mutex::default()).collect();
        Self { seats, numbers: Mutex::default() }
    }

    /// Links a session to its seat: frames to watchers name sessions.
    pub fn register_seat(&self, number: usize, session_id: &str) {
        locked(&self.numbers).insert(session_id.to_owned(), number);
    }

    /// The seat of each session. Watchers take a copy once every seat has started, so that they need no lock for each
    /// row.
    pub fn seat_numbers(&self) -> HashMap<String, usize> {
        locked(&self.numbers).clone()
    }

    /// Records that a seat opens a question.
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

    /// Forgets the commands sent so far: they were sent before anyone watched, so the age of their rows means nothing.
    pub fn forget(&self) {
        for seat in &self.seats {
            let mut opened = locked(seat);
            opened.recent.clear();
            opened.forgotten = opened.last;
        }
    }

    /// How many commands a seat has sent that are not forgotten.
    pub fn sent(&self, seat: usize) -> u64 {
        self.seats.get(seat).map_or(0, |seat| {
            let opened = locked(seat);
            opened.last - opened.forgotten
        })
    }

    /// Handles a row that shows `question_id` to a watcher who has already seen the seat's commands up to number
    /// `seen`. Passes to `each` the age of every command that this row shows or overtakes, and returns the highest
    /// number seen now.
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

// A poisoned lock is harmless here: every change is a single assignment or push, so a seat that panicked leaves nothing
// half done.
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
        assert_eq!((ages(&probes, "a", 0, now), probes.sent(0)), ((0, vec![]), 0));
        probes.record_opened(0, "b", now);
        assert_eq!(probes.sent(0), 1);
        assert_eq!(ages(&probes, "b", 0, now), (2, vec![Duration::ZERO]));
    }
}
