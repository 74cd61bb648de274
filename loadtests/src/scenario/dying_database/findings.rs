//! What a run has found, its table, and whether it has passed.

use super::DyingDatabaseOptions;
use super::fault::FaultKind;
use super::live_exam::LiveExam;
use super::stored_rows::MinutesComparison;
use crate::ordering_proctor::GivenOrders;
use crate::output;
use crate::reconnecting_seats::SeatsComparison;
use crate::table::{Row, count, latency, row, seat_latency};
use crate::tally::read;
use std::time::Duration;

/// The only error that students may be told of: the page keeps what it has.
const EXPECTED_ERROR: &str = "storage_unavailable";

/// What became of one fault.
pub struct FaultFigures {
    pub kind: FaultKind,
    /// The longest time in which nobody was told that something is saved.
    pub gap: Duration,
    /// From when all machines were back to when there was a standby that has everything.
    pub whole: Duration,
    /// Rows that are older than what was acknowledged.
    pub lost: u64,
    pub lost_orders: u64,
}

impl FaultFigures {
    pub fn in_words(&self) -> String {
        let [gap, whole] = [self.gap, self.whole].map(seconds);
        format!("Nothing saved for {gap}, whole again after {whole}, {} values lost", self.lost)
    }
}

/// What is found at the end, when everything is whole.
pub struct EndFindings {
    /// Commands that were neither saved nor refused.
    pub unanswered: u64,
    /// What students know, and a server tells that has just been started.
    pub comparison: SeatsComparison,
    pub minutes: MinutesComparison,
    /// Tests that are stored.
    pub sessions: u64,
    /// Answers of stored results that are not those that were saved.
    pub wrong_answers: u64,
    /// Versions of results that the receiver was told of, and under how many ids.
    pub told: u64,
    pub events: u64,
}

#[derive(Default)]
pub struct Findings {
    pub has_namespaces: bool,
    /// Whether a server that requires a synchronous standby refused to start, where it was asked.
    pub is_refused: Option<bool>,
    pub faults: Vec<FaultFigures>,
    /// What could not be got over, and ended the run early.
    pub broken: Option<String>,
    pub sockets_lost: u64,
    /// Requests that were answered with 500.
    pub failed_requests: u64,
    pub end: Option<EndFindings>,
}

impl Findings {
    /// Prints the table. Returns whether the run has passed.
    pub fn print(&self, options: &DyingDatabaseOptions, exam: &LiveExam) -> bool {
        let orders = exam.proctor.orders();
        let passed = self.has_passed(options, exam, &orders);
        let mut rows = self.rows_of_set_up(options, exam);
        rows.extend(self.rows_of_faults(options));
        rows.extend(self.rows_of_students(exam));
        rows.extend(self.rows_of_orders(exam, &orders));
        rows.extend(self.rows_of_end(exam.seats as u64));
        rows.push(count("answers of status 500", self.failed_requests));
        let errors = exam.tally.errors();
        rows.push(count("errors", errors.values().sum()));
        rows.extend(errors.iter().map(|(code, &times)| count(&format!("  {code}"), times)));
        rows.extend(self.broken.iter().map(|reason| row("ended early", reason.clone())));
        output::print_rows(&rows, passed);
        passed
    }

    fn rows_of_set_up(&self, options: &DyingDatabaseOptions, exam: &LiveExam) -> Vec<Row> {
        let network = if self.has_namespaces { "a network for each machine" } else { "all machines on loopback" };
        let way = if options.haproxy { "through HAProxy" } else { "both hosts in DATABASE_URL" };
        let standby = if options.asynchronous { "asynchronous standby" } else { "synchronous standby" };
        let mut rows = vec![
            row("set-up", format!("{standby}, {way}, {network}")),
            row("seats started", format!("{} of {}", exam.seats, options.seats)),
        ];
        let words = |is_refused| if is_refused { "refused" } else { "NOT refused" };
        let refused = self.is_refused.map(|is_refused| words(is_refused).to_owned());
        rows.extend(refused.map(|words| row("start with REQUIRE_SYNC_STANDBY", words)));
        rows
    }

    fn rows_of_faults(&self, options: &DyingDatabaseOptions) -> Vec<Row> {
        let mut rows = Vec::new();
        for kind in FaultKind::ALL {
            let of_kind: Vec<&FaultFigures> = self.faults.iter().filter(|figures| figures.kind == kind).collect();
            if !of_kind.is_empty() {
                let gaps = of_kind.iter().map(|figures| figures.gap).collect();
                let bound = options.bound(kind).map(|bound| format!(", allowed {}", seconds(bound)));
                rows.push(count(kind.name(), of_kind.len() as u64));
                rows.push(row("  nothing saved for", spread(gaps) + &bound.unwrap_or_default()));
                let times = of_kind.iter().map(|figures| figures.whole).collect();
                rows.push(row("  whole again after", spread(times)));
                rows.push(count("  values lost", of_kind.iter().map(|figures| figures.lost).sum()));
            }
        }
        if !self.has_namespaces && options.cut > 0 && !options.asynchronous {
            rows.push(row(FaultKind::Cut.name(), "not tried: machines share loopback".to_owned()));
        }
        rows
    }

    fn rows_of_students(&self, exam: &LiveExam) -> [Row; 7] {
        let tally = &exam.tally;
        [
            count("commands sent", read(&tally.sent)),
            count("commands saved", read(&tally.saved)),
            latency("saved latency", tally.saved_times.percentiles()),
            count("sockets lost", self.sockets_lost),
            seat_latency("from the loss to the next connection", tally.reconnect_times.percentiles()),
            count("seats thrown away", read(&tally.given_up)),
            count("lost, by the rows after each fault", self.lost_values()),
        ]
    }

    fn rows_of_orders(&self, exam: &LiveExam, orders: &GivenOrders) -> Vec<Row> {
        let mut rows = vec![
            count("orders acknowledged", orders.acknowledged),
            count("  sent again", exam.proctor.sent_again()),
            count("  lost", self.lost_orders()),
            count("  sessions with an order without an answer", orders.unknown.len() as u64),
        ];
        rows.extend(orders.refusals.iter().map(|refusal| row("  refused", refusal.clone())));
        rows
    }

    fn rows_of_end(&self, seats: u64) -> Vec<Row> {
        let Some(end) = &self.end else { return Vec::new() };
        vec![
            count("commands without an answer", end.unanswered),
            count("saved values compared in the end", end.comparison.values.values),
            count("  lost", end.comparison.values.missing),
            count("  tests that cannot be read", end.comparison.unread),
            count("minutes of orders lost", end.minutes.lost),
            count("minutes of orders given twice", end.minutes.double),
            row("sessions stored", format!("{} of {seats}", end.sessions)),
            count("answers of results that are not the saved ones", end.wrong_answers),
            row("versions told", format!("{} of {seats}, with {} event ids", end.told, end.events)),
        ]
    }

    fn lost_values(&self) -> u64 {
        self.faults.iter().map(|figures| figures.lost).sum()
    }

    fn lost_orders(&self) -> u64 {
        self.faults.iter().map(|figures| figures.lost_orders).sum()
    }

    /// Everything that was acknowledged and is not there. What is found in two ways counts twice.
    fn losses(&self, seats: u64) -> u64 {
        let of_end = |end: &EndFindings| {
            let SeatsComparison { values, unread } = &end.comparison;
            values.missing + unread + end.minutes.lost + end.wrong_answers + seats.saturating_sub(end.sessions)
        };
        self.lost_values() + self.lost_orders() + self.end.as_ref().map_or(0, of_end)
    }

    fn has_passed(&self, options: &DyingDatabaseOptions, exam: &LiveExam, orders: &GivenOrders) -> bool {
        let seats = exam.seats as u64;
        let Some(end) = self.end.as_ref().filter(|_| self.broken.is_none()) else { return false };
        if options.asynchronous {
            return self.is_refused == Some(true) && self.losses(seats) > 0;
        }
        let is_once = [end.sessions, end.told, end.events] == [seats; 3] && end.minutes.double == 0;
        let are_all_answered = end.unanswered == 0 && orders.unknown.is_empty() && orders.refusals.is_empty();
        let is_anyone_refused = exam.tally.errors().keys().any(|code| code != EXPECTED_ERROR);
        seats == u64::from(options.seats)
            && self.losses(seats) == 0
            && is_once
            && are_all_answered
            && !is_anyone_refused
            && read(&exam.tally.given_up) == 0
            && self.failed_requests == 0
            && self.are_within_bounds(options)
    }

    fn are_within_bounds(&self, options: &DyingDatabaseOptions) -> bool {
        self.faults.iter().all(|figures| options.bound(figures.kind).is_none_or(|bound| figures.gap <= bound))
    }
}

/// The median of an odd number of times; of an even one, the higher of the two in the middle.
fn spread(mut times: Vec<Duration>) -> String {
    times.sort_unstable();
    let [median, worst] = [times.get(times.len() / 2), times.last()].map(|time| time.copied().unwrap_or_default());
    format!("median {}, worst {}", seconds(median), seconds(worst))
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_has_the_median_and_the_worst() {
        assert_eq!(spread([3, 1, 2].map(Duration::from_secs).into()), "median 2.0 s, worst 3.0 s");
        assert_eq!(spread([1, 2].map(Duration::from_secs).into()), "median 2.0 s, worst 2.0 s");
        assert_eq!(spread(Vec::new()), "median 0.0 s, worst 0.0 s");
    }

    #[test]
    fn losses_are_counted_wherever_they_are_found() {
        let figures = |lost, lost_orders| FaultFigures {
            kind: FaultKind::Cut,
            gap: Duration::from_secs(1),
            whole: Duration::ZERO,
            lost,
            lost_orders,
        };
        let mut findings = Findings { faults: vec![figures(2, 0), figures(0, 1)], ..Findings::default() };
        assert_eq!(findings.losses(10), 3);
        findings.end = Some(EndFindings {
            unanswered: 0,
            comparison: SeatsComparison { unread: 1, ..SeatsComparison::default() },
            minutes: MinutesComparison { lost: 1, double: 5 },
            sessions: 9,
            wrong_answers: 1,
            told: 9,
            events: 9,
        });
        assert_eq!(findings.losses(10), 7);
    }
}
