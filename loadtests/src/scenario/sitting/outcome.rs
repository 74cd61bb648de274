//! The outcome of a sitting: the rows of its table and whether it passed.

use super::comparison::Comparisons;
use super::neighbours::NeighbourFindings;
use super::release::ReleaseFindings;
use super::start::{Load, StartMeasures};
use crate::cohort::Cohort;
use crate::output;
use crate::table::{Row, count, figure, latency, row, seat_latency};
use crate::tally::{Percentiles, read};
use crate::written_pages::Written;
use std::collections::BTreeSet;
use std::time::Duration;

/// Share of all processors' time above which they are what ran out.
const MACHINE_BUSY_PERCENT: f64 = 95.0;
/// Places that are named where something was found; one is often enough to see the cause of all.
const FINDINGS_SHOWN_MAX: usize = 20;

/// What a run found, in addition to the figures of its candidates.
pub struct SittingOutcome {
    pub candidates: u64,
    pub has_outage: bool,
    /// Candidates who were ready when the start came near.
    pub ready: u64,
    /// Those whose exam has begun.
    pub participants: u64,
    /// Different moments of the start that were told.
    pub starts: u64,
    pub measures: StartMeasures,
    pub beside: Option<NeighbourFindings>,
    pub comparisons: Comparisons,
    pub released: ReleaseFindings,
    /// Bytes that were searched, secrets that were looked for, and where they were found.
    pub findings: Option<(u64, usize, BTreeSet<String>)>,
}

/// Errors that do not fail a run: the candidate was asked to come again, and did.
pub fn is_expected(code: &str) -> bool {
    code.ends_with(", sent again") || code == "storage_unavailable"
}

/// Prints the table and returns whether the run passed.
pub fn print(outcome: &SittingOutcome, cohort: &Cohort) -> bool {
    let passed = has_passed(outcome, cohort);
    let mut rows = beginning_rows(outcome, cohort);
    rows.extend(load_rows("first second", &outcome.measures.first_second));
    rows.extend(load_rows("first ten seconds", &outcome.measures.first_ten));
    rows.extend(neighbour_rows(outcome));
    rows.extend(work_rows(outcome, cohort));
    rows.extend(comparison_rows(outcome));
    if let Some((bytes, secrets, found)) = &outcome.findings {
        let value = if found.is_empty() { "nothing".to_owned() } else { format!("{} places", found.len()) };
        rows.push(row("bytes searched", format!("{bytes}, for {secrets} texts")));
        rows.push(row("found in them", value));
    }
    let errors = cohort.tally.errors();
    rows.push(count("errors", errors.values().sum()));
    rows.extend(errors.iter().map(|(code, &times)| count(&format!("  {code}"), times)));
    output::print_rows(&rows, passed);
    outcome.comparisons.differences.iter().for_each(|sentence| output::remark(&format!("Differs: {sentence}")));
    if let Some((_, _, found)) = &outcome.findings {
        found.iter().take(FINDINGS_SHOWN_MAX).for_each(|place| output::remark(&format!("Found: {place}")));
    }
    if let Some((busy, _)) = outcome.measures.first_second.machine.filter(|(busy, _)| *busy > MACHINE_BUSY_PERCENT) {
        output::remark(&format!(
            "The processors of this machine were {busy:.0} % busy in the first second: they saturated first. \
             The server and the generator had the parts that the table says; the rest is of the database and of others."
        ));
    }
    passed
}

fn has_passed(outcome: &SittingOutcome, cohort: &Cohort) -> bool {
    let SittingOutcome { comparisons, released, .. } = outcome;
    let has_begun = outcome.ready == outcome.candidates
        && outcome.participants == outcome.candidates
        && outcome.starts == 1
        && read(&cohort.figures.begun_early) == 0;
    let is_stored = comparisons.answers.missing == 0
        && comparisons.unanswered == 0
        && comparisons.told_deadline == outcome.candidates
        && comparisons.moved_deadlines == 0
        && comparisons.wrong_deadlines == 0
        && comparisons.wrongly_explained == 0
        && comparisons.wrong_states == 0;
    let is_released = released.seen_early == 0 && released.wrong == 0;
    let is_unseen = outcome.findings.as_ref().is_none_or(|(_, _, found)| found.is_empty());
    let is_kind = outcome.beside.as_ref().is_none_or(|beside| {
        beside.comparison.missing == 0 && beside.seated == u64::from(beside.count) && beside.errors.is_empty()
    });
    has_begun
        && is_stored
        && is_released
        && is_unseen
        && is_kind
        && cohort.tally.errors().keys().all(|code| is_expected(code))
}

fn beginning_rows(outcome: &SittingOutcome, cohort: &Cohort) -> Vec<Row> {
    let (all, figures) = (outcome.candidates, &cohort.figures);
    let mut rows = vec![
        row("candidates who entered", format!("{} of {all}", read(&figures.entered))),
        seat_latency("enter latency", figures.enter_times.percentiles()),
        seat_latency("sealed part fetched in", figures.fetch_times.percentiles()),
        row("ready before T0", format!("{} of {all}", outcome.ready)),
        row("begun", format!("{} of {all}", outcome.participants)),
        seat_latency("from T0 to begin", figures.begin_times.percentiles()),
    ];
    if outcome.has_outage || figures.late_begin_times.count() > 0 {
        rows.push(count("by their own reconnection", figures.late_begin_times.count()));
        rows.push(seat_latency("  from T0 to begin", figures.late_begin_times.percentiles()));
        rows.push(seat_latency("  from connecting to begin", figures.return_times.percentiles()));
    }
    rows.push(count("begun before T0", read(&figures.begun_early)));
    rows.push(count("moments of the start that were told", outcome.starts));
    if outcome.measures.written.is_empty() {
        rows.push(row("written to the database at T0", "not measured, since it is not Postgres".to_owned()));
    }
    rows.extend(outcome.measures.written.iter().map(written_row));
    rows
}

fn written_row((until, written): &(Duration, Written)) -> Row {
    let rows = match &written.rows {
        None => "rows n/a".to_owned(),
        Some(rows) if rows.is_empty() => "no row".to_owned(),
        Some(rows) => rows.iter().map(|(table, count)| format!("{table} {count}")).collect::<Vec<_>>().join(", "),
    };
    row(&format!("written until {} ms after T0", until.as_millis()), format!("{} bytes; {rows}", written.bytes))
}

fn load_rows(span: &str, load: &Load) -> Vec<Row> {
    let percent = |value: Option<f64>| value.map_or_else(|| "n/a".to_owned(), |value| format!("{value:.0} %"));
    let (busy, disks) = load.machine.unzip();
    vec![
        figure(&format!("HTTP requests in the {span}"), load.requests, ""),
        figure(&format!("commands in the {span}"), load.commands, ""),
        row(
            &format!("processors in the {span}"),
            format!(
                "server {} and generator {} of a core, machine {} busy and {} waiting for disks, over {:.1} s",
                percent(load.server_cpu),
                percent(load.generator_cpu),
                percent(busy),
                percent(disks),
                load.seconds
            ),
        ),
    ]
}

fn neighbour_rows(outcome: &SittingOutcome) -> Vec<Row> {
    let Some(beside) = &outcome.beside else {
        return vec![row("the other sitting", "none".to_owned())];
    };
    let ratio = |of: fn(&Percentiles) -> Duration| {
        let (quiet, around) = (beside.quiet.as_ref().map(of), beside.around.as_ref().map(of));
        let ratio = around.zip(quiet).map(|(around, quiet)| around.as_secs_f64() / quiet.as_secs_f64().max(1e-6));
        ratio.map_or_else(|| "n/a".to_owned(), |ratio| format!("{ratio:.1}"))
    };
    let mut rows = vec![
        row("the other sitting", format!("{} of {} at work", beside.seated, beside.count)),
        latency("  saved latency before T0", beside.quiet),
        latency("  saved latency around T0", beside.around),
        row("  the second by the first", format!("p50 {}  p99 {}", ratio(|one| one.p50), ratio(|one| one.p99))),
        count("  saved values missing", beside.comparison.missing),
    ];
    rows.extend(beside.errors.iter().map(|(code, &times)| count(&format!("  {code}"), times)));
    rows
}

fn work_rows(outcome: &SittingOutcome, cohort: &Cohort) -> Vec<Row> {
    let (tally, released) = (&cohort.tally, &outcome.released);
    vec![
        row("commands saved", format!("{} of {}", read(&tally.saved), read(&tally.sent))),
        latency("saved latency", tally.saved_times.percentiles()),
        count("sockets lost while waiting", read(&cohort.figures.sockets_lost)),
        count("sockets lost at work", tally.reconnect_times.count()),
        seat_latency("submit latency", tally.submit_times.percentiles()),
        row("waited for the release", format!("{} of {}", released.shown_times.count(), released.waited)),
        seat_latency("from the release to the result", released.shown_times.percentiles()),
    ]
}

fn comparison_rows(outcome: &SittingOutcome) -> Vec<Row> {
    let SittingOutcome { comparisons, released, candidates, .. } = outcome;
    vec![
        count("saved values compared", comparisons.answers.values),
        count("missing", comparisons.answers.missing),
        count("commands without an answer", comparisons.unanswered),
        row("told a deadline", format!("{} of {candidates}", comparisons.told_deadline)),
        count("deadlines that moved", comparisons.moved_deadlines),
        count("deadlines that are wrong", comparisons.wrong_deadlines),
        row("deadlines explained otherwise", format!("{} of {}", comparisons.wrongly_explained, comparisons.explained)),
        count("states that are wrong", comparisons.wrong_states),
        count("results seen before the release", released.seen_early),
        row("results that are wrong", format!("{} of {}", released.wrong, released.compared)),
    ]
}
