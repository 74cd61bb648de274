//! The outcome of an autosave run: the rows of its table and whether it passed.

use crate::ledger::Comparison;
use crate::metrics::Reading;
use crate::output;
use crate::table::{Row, count, figure, latency, row, seat_latency};
use crate::tally::{Tally, read};
use std::collections::BTreeMap;

/// Refusals that a fast pace provokes on purpose; any other error fails the run.
const EXPECTED_ERRORS: [&str; 1] = ["rate_limited"];
/// Generator's share of a core above which the figures show the generator's limit rather than the server's.
const GENERATOR_CPU_PERCENT_MAX: f64 = 90.0;

/// What a run found, in addition to its tally.
pub struct AutosaveOutcome {
    /// Seats that were requested.
    pub seats: u64,
    pub started: u64,
    /// Commands without an answer at the end of the wait.
    pub unanswered: u64,
    pub comparison: Comparison,
    /// Taken before the first seat.
    pub before: Reading,
    /// Taken with every seat open and none working.
    pub idle: Reading,
    /// Taken at the begin of the measured window.
    pub begin: Reading,
    /// Taken at its end.
    pub end: Reading,
}

/// Prints the table and returns whether the run passed.
pub fn print(outcome: &AutosaveOutcome, tally: &Tally, submitted: bool) -> bool {
    let errors = tally.errors();
    let passed = has_passed(outcome, &errors);
    let mut rows = load_rows(outcome, tally);
    rows.extend(cost_rows(outcome));
    if submitted {
        rows.push(seat_latency("submit latency", tally.submit_times.percentiles()));
    }
    rows.extend(loss_rows(outcome, &errors));
    output::print_rows(&rows, passed);
    if generator_cpu_percent(outcome).is_some_and(|percent| percent > GENERATOR_CPU_PERCENT_MAX) {
        output::remark(&format!(
            "The generator was above {GENERATOR_CPU_PERCENT_MAX} % of a core: \
             these figures are its limit, not the server's."
        ));
    }
    passed
}

fn has_passed(outcome: &AutosaveOutcome, errors: &BTreeMap<String, u64>) -> bool {
    let unexpected = errors.keys().any(|code| !EXPECTED_ERRORS.contains(&code.as_str()));
    outcome.started == outcome.seats && outcome.unanswered == 0 && outcome.comparison.missing == 0 && !unexpected
}

fn load_rows(outcome: &AutosaveOutcome, tally: &Tally) -> Vec<Row> {
    let started = format!("{} of {}", outcome.started, outcome.seats);
    let saved_a_second = saved_in_window(outcome) / seconds(outcome);
    vec![
        row("seats started", started),
        seat_latency("start latency", tally.start_times.percentiles()),
        count("commands sent", read(&tally.sent)),
        count("commands held back to the end", read(&tally.unsent)),
        figure("saved a second", Some(saved_a_second), ""),
        latency("saved latency", tally.saved_times.percentiles()),
        latency("generator late by", tally.late_times.percentiles()),
    ]
}

fn cost_rows(outcome: &AutosaveOutcome) -> Vec<Row> {
    let (begin, end) = (&outcome.begin.server, &outcome.end.server);
    let commands = difference(begin.commands, end.commands);
    let commits = difference(begin.commits, end.commits);
    let cpu = difference(begin.cpu_seconds, end.cpu_seconds);
    let cpu_percent = cpu.map(|cpu| 100.0 * cpu / seconds(outcome));
    let cpu_per_command = ratio(cpu.map(|cpu| cpu * 1e6), Some(saved_in_window(outcome)));
    let (idle, working) = (memory_per_seat(outcome, &outcome.idle), memory_per_seat(outcome, &outcome.end));
    vec![
        figure("commands per commit", ratio(commands, commits), ""),
        figure("server CPU", cpu_percent, " % of a core"),
        figure("server CPU per saved command", cpu_per_command, " µs"),
        figure("server memory per idle seat", idle, " KiB"),
        figure("server memory per working seat", working, " KiB"),
        figure("generator CPU", generator_cpu_percent(outcome), " % of a core"),
    ]
}

fn loss_rows(outcome: &AutosaveOutcome, errors: &BTreeMap<String, u64>) -> Vec<Row> {
    let mut rows = vec![count("errors", errors.values().sum())];
    rows.extend(errors.iter().map(|(code, &times)| count(&format!("  {code}"), times)));
    rows.push(count("commands without an answer", outcome.unanswered));
    rows.push(count("saved values compared", outcome.comparison.values));
    rows.push(count("missing", outcome.comparison.missing));
    rows
}

fn difference(begin: Option<f64>, end: Option<f64>) -> Option<f64> {
    Some(end? - begin?)
}

fn ratio(of: Option<f64>, to: Option<f64>) -> Option<f64> {
    Some(of? / to.filter(|&to| to > 0.0)?)
}

fn saved_in_window(outcome: &AutosaveOutcome) -> f64 {
    (outcome.end.saved - outcome.begin.saved) as f64
}

fn seconds(outcome: &AutosaveOutcome) -> f64 {
    (outcome.end.at - outcome.begin.at).as_secs_f64()
}

fn memory_per_seat(outcome: &AutosaveOutcome, with_seats: &Reading) -> Option<f64> {
    let grown = difference(outcome.before.server.resident_bytes, with_seats.server.resident_bytes)?;
    ratio(Some(grown / 1_024.0), Some(outcome.started as f64))
}

fn generator_cpu_percent(outcome: &AutosaveOutcome) -> Option<f64> {
    let cpu = outcome.end.generator_cpu?.checked_sub(outcome.begin.generator_cpu?)?;
    Some(100.0 * cpu.as_secs_f64() / seconds(outcome))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::ServerReading;
    use std::time::Duration;
    use tokio::time::Instant;

    fn outcome() -> AutosaveOutcome {
        let begin = Reading {
            at: Instant::now(),
            saved: 100,
            generator_cpu: Some(Duration::from_secs(1)),
            server: ServerReading {
                commands: Some(100.0),
                commits: Some(10.0),
                requests: None,
                resident_bytes: Some(1_024.0),
                cpu_seconds: None,
            },
        };
        let server = ServerReading {
            commands: Some(400.0),
            commits: Some(20.0),
            requests: None,
            resident_bytes: Some(21_504.0),
            cpu_seconds: None,
        };
        let end = Reading {
            at: begin.at + Duration::from_secs(10),
            saved: 400,
            generator_cpu: Some(Duration::from_secs(3)),
            server,
        };
        let comparison = Comparison { values: 5, missing: 0 };
        AutosaveOutcome { seats: 2, started: 2, unanswered: 0, comparison, before: begin, idle: begin, begin, end }
    }

    fn errors(code: &str) -> BTreeMap<String, u64> {
        BTreeMap::from([(code.to_owned(), 1)])
    }

    #[test]
    fn costs_are_differences_and_unknown_ones_say_so() {
        let rows: BTreeMap<String, String> = cost_rows(&outcome()).into_iter().collect();
        assert_eq!(rows["commands per commit"], "30.0");
        assert_eq!(rows["server CPU"], "n/a");
        assert_eq!(rows["server memory per working seat"], "10.0 KiB");
        assert_eq!(rows["generator CPU"], "20.0 % of a core");
    }

    #[test]
    fn a_run_fails_for_a_loss_an_absent_seat_or_an_unexpected_error() {
        let none = BTreeMap::new();
        assert!(has_passed(&outcome(), &none));
        assert!(has_passed(&outcome(), &errors("rate_limited")));
        assert!(!has_passed(&outcome(), &errors("internal")));
        assert!(!has_passed(&AutosaveOutcome { started: 1, ..outcome() }, &none));
        assert!(!has_passed(&AutosaveOutcome { unanswered: 1, ..outcome() }, &none));
        assert!(!has_passed(&AutosaveOutcome { comparison: Comparison { values: 5, missing: 1 }, ..outcome() }, &none));
    }
}
