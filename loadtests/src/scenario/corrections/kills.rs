//! One more correction, in the middle of which the server is killed again and again. Nobody touches the leases that a
//! killed server leaves behind: the piece that it was at is done by whoever takes it when its time is over.

use super::correcting_manager::{CorrectingManager, FollowedTests, POLLED_EVERY};
use super::stored_versions::StoredVersions;
use crate::failure::Failure;
use crate::fleet::Fleet;
use crate::output;
use crate::table::{Row, count, figure, row};
use crate::wall_clock::microseconds_now;
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// The only server.
const SERVER: usize = 0;

/// What has become of the correction.
#[derive(Debug)]
pub struct KilledCorrection {
    kills: u32,
    /// From the request until all tests have followed.
    took: Duration,
    /// When all had, in milliseconds since 1970.
    ended_at_ms: i64,
    leases: LeftLeases,
}

/// The leases of pieces that killed servers left behind, with their ends in milliseconds since 1970.
#[derive(Debug, Default)]
struct LeftLeases(BTreeMap<i32, i64>);

impl LeftLeases {
    fn add(&mut self, piece: i32, until_ms: i64) {
        let until = self.0.entry(piece).or_default();
        *until = until_ms.max(*until);
    }

    /// Whether there were any, and all were over by this moment.
    fn were_waited_for(&self, ended_at_ms: i64) -> bool {
        !self.0.is_empty() && self.0.values().all(|until| *until <= ended_at_ms)
    }
}

/// Makes the correction, and kills the server so often, in even steps of the tests that follow.
pub async fn correct_and_kill(
    fleet: &mut Fleet,
    manager: &CorrectingManager,
    stored: &StoredVersions,
    kills: u32,
) -> Result<KilledCorrection, Failure> {
    let (begin, mut leases) = (Instant::now(), LeftLeases::default());
    let step = manager.correct().await?;
    for kill in 1..=kills {
        let tests = manager.wait_for(&step, |tests| is_due(tests, kill, kills)).await?;
        if tests.is_finished {
            return Err("all tests had followed before the server was killed: more --sessions are needed".into());
        }
        // At any moment of a batch.
        sleep(POLLED_EVERY.mul_f64(fastrand::f64())).await;
        fleet.kill(SERVER).await?;
        for piece in stored.leased(microseconds_now() / 1_000).await? {
            leases.add(piece.piece, piece.leased_until_ms);
        }
        output::progress(&format!("Killed at {} of {} tests", tests.done, tests.total));
        fleet.restart(SERVER).await?;
    }
    manager.followed(&step).await?;
    Ok(KilledCorrection { kills, took: begin.elapsed(), ended_at_ms: microseconds_now() / 1_000, leases })
}

/// Whether it is time for a kill: the first of three at a quarter of the tests.
fn is_due(tests: FollowedTests, kill: u32, kills: u32) -> bool {
    let is_so_far = tests.done * u64::from(kills + 1) >= tests.total * u64::from(kill);
    tests.is_finished || (tests.total > 0 && is_so_far)
}

impl KilledCorrection {
    /// Whether all followed in time, after the leases of killed servers.
    pub fn is_in_time(&self, limit: Duration) -> bool {
        self.took <= limit && self.leases.were_waited_for(self.ended_at_ms)
    }

    pub fn rows(&self) -> Vec<Row> {
        let waited = if self.leases.were_waited_for(self.ended_at_ms) { "waited for" } else { "NOT waited for" };
        vec![
            count("kills in the middle of one more correction", self.kills.into()),
            figure("  all have followed within", Some(self.took.as_secs_f64()), " s"),
            row("  leases that killed servers left", format!("{}, {waited}", self.leases.0.len())),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kills_are_spread_over_the_tests() {
        let so_far = |done, total| FollowedTests { done, total, is_finished: false };
        let first = |tests, kills| (1..=kills).find(|kill| !is_due(tests, *kill, kills));
        assert_eq!(first(so_far(0, 0), 3), Some(1));
        assert_eq!(first(so_far(24, 100), 3), Some(1));
        assert_eq!(first(so_far(25, 100), 3), Some(2));
        assert_eq!(first(so_far(75, 100), 3), None);
        assert!(is_due(so_far(50, 100), 1, 1) && !is_due(so_far(49, 100), 1, 1));
        assert!(is_due(FollowedTests { done: 0, total: 0, is_finished: true }, 1, 3));
    }

    #[test]
    fn every_lease_that_was_left_must_be_over() {
        let mut leases = LeftLeases::default();
        assert!(!leases.were_waited_for(9_000));
        for (piece, until_ms) in [(3, 5_000), (3, 4_000), (1, 7_000)] {
            leases.add(piece, until_ms);
        }
        assert_eq!(leases.0, BTreeMap::from([(1, 7_000), (3, 5_000)]));
        assert!(leases.were_waited_for(7_000) && !leases.were_waited_for(6_999));
        let killed = KilledCorrection { kills: 3, took: Duration::from_secs(100), ended_at_ms: 7_000, leases };
        assert!(killed.is_in_time(Duration::from_secs(100)) && !killed.is_in_time(Duration::from_secs(99)));
    }
}
