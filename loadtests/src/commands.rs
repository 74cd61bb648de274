//! The commands of a simulated student: what each one changes and when it is due. Pure and driven by a seeded
//! generator, so that a run can be repeated.

use crate::ledger::{Change, Seq};
use fastrand::Rng;
use std::time::Duration;
use tokio::time::Instant;

/// Share of the commands that open a question. What the four shares leave are commands that choose an option.
const VISITS_PERCENT: u32 = 15;
const MARKS_PERCENT: u32 = 8;
const DRAWINGS_PERCENT: u32 = 1;
const CLEARS_PERCENT: u32 = 2;

/// Picks what a command changes. A drawing carries the command's number as a stamp, so that stored drawings can be told
/// apart.
pub fn random_change(random: &mut Rng, seq: Seq) -> Change {
    const VISIT: u32 = VISITS_PERCENT;
    const MARK: u32 = VISIT + MARKS_PERCENT;
    const DRAW: u32 = MARK + DRAWINGS_PERCENT;
    const CLEAR: u32 = DRAW + CLEARS_PERCENT;
    match random.u32(..100) {
        ..VISIT => Change::Visited(true),
        VISIT..MARK => Change::Mark(random.bool()),
        MARK..DRAW => Change::Drawing(Some(seq)),
        DRAW..CLEAR => Change::Choice(None),
        _ => Change::Choice(Some(random.char('A'..='D'))),
    }
}

/// The times at which one student's commands are due, whether or not they can be sent then. Latency counts from these
/// times, so that a server that stalls cannot improve its figures by holding commands back.
pub struct Schedule {
    due: Instant,
    interval: Duration,
}

impl Schedule {
    /// Schedules `pace` commands a second. The first falls at a random point of the first interval, so that seats do
    /// not send in step.
    pub fn new(begin: Instant, pace: f64, random: &mut Rng) -> Self {
        let interval = Duration::from_secs_f64(1.0 / pace);
        Self { due: begin + interval.mul_f64(random.f64()), interval }
    }

    pub fn due(&self) -> Instant {
        self.due
    }

    /// Moves to the next command, which is due half to one and a half intervals later.
    pub fn advance(&mut self, random: &mut Rng) {
        self.due += self.interval.mul_f64(0.5 + random.f64());
    }

    /// Counts the commands that are still due before `end`.
    pub fn left_before(mut self, end: Instant, random: &mut Rng) -> u64 {
        let mut count = 0;
        while self.due < end {
            count += 1;
            self.advance(random);
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_is_kept_on_average_and_every_gap_is_jittered() {
        let mut random = Rng::with_seed(1);
        let begin = Instant::now();
        let mut schedule = Schedule::new(begin, 10.0, &mut random);
        assert!(schedule.due() - begin <= Duration::from_millis(100));
        for _ in 0..1_000 {
            let before = schedule.due();
            schedule.advance(&mut random);
            let gap = schedule.due() - before;
            assert!(gap >= Duration::from_millis(50) && gap <= Duration::from_millis(150));
        }
        let seconds = (schedule.due() - begin).as_secs_f64();
        assert!((95.0..105.0).contains(&seconds), "{seconds}");
    }

    #[test]
    fn what_is_left_is_counted_to_the_end() {
        let mut random = Rng::with_seed(2);
        let begin = Instant::now();
        let count = Schedule::new(begin, 10.0, &mut random).left_before(begin + Duration::from_secs(10), &mut random);
        assert!((90..=110).contains(&count), "{count}");
        assert_eq!(Schedule::new(begin, 10.0, &mut random).left_before(begin, &mut random), 0);
    }

    #[test]
    fn students_mostly_choose_and_rarely_draw() {
        let mut random = Rng::with_seed(3);
        let changes: Vec<Change> = (0..10_000).map(|seq| random_change(&mut random, seq)).collect();
        let choices = changes.iter().filter(|change| matches!(change, Change::Choice(Some('A'..='D')))).count();
        let drawings = changes.iter().filter(|change| matches!(change, Change::Drawing(_))).count();
        assert!((7_000..8_000).contains(&choices), "{choices}");
        assert!((50..200).contains(&drawings), "{drawings}");
    }
}
