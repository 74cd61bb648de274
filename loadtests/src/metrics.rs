//! Reads the server's `/metrics` and the generator's own processor time, from which the cost of a run is computed.

use crate::server::Server;
use crate::tally::{Tally, read};
use std::time::Duration;
use tokio::time::Instant;

/// Clock ticks a second in `/proc/self/stat`: 100 on every Linux that this runs on, whatever the kernel's own timer
/// rate is.
const TICKS_PER_SECOND: u64 = 100;
/// Positions of user and system time among the fields after the process name: fields 14 and 15 of proc_pid_stat(5).
const CPU_FIELDS: std::ops::RangeInclusive<usize> = 11..=12;

/// The state of server and generator at one moment. A run reports the difference of two.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    pub at: Instant,
    pub saved: u64,
    pub generator_cpu: Option<Duration>,
    pub server: ServerReading,
}

impl Reading {
    /// Takes all figures as close together as possible.
    pub async fn take(server: &Server, tally: &Tally) -> Self {
        let server = ServerReading::take(server).await;
        Self { at: Instant::now(), saved: read(&tally.saved), generator_cpu: generator_cpu(), server }
    }
}

/// Figures of `/metrics`; `None` where the server does not report one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ServerReading {
    pub commands: Option<f64>,
    pub commits: Option<f64>,
    pub requests: Option<f64>,
    pub resident_bytes: Option<f64>,
    pub cpu_seconds: Option<f64>,
}

impl ServerReading {
    pub async fn take(server: &Server) -> Self {
        Self::parse(&server.metrics().await.unwrap_or_default())
    }

    /// The figures of two servers together; a figure that one does not report is that of the other.
    pub fn plus(self, other: Self) -> Self {
        let sum = |one: Option<f64>, other: Option<f64>| one.into_iter().chain(other).reduce(|sum, value| sum + value);
        Self {
            commands: sum(self.commands, other.commands),
            commits: sum(self.commits, other.commits),
            requests: sum(self.requests, other.requests),
            resident_bytes: sum(self.resident_bytes, other.resident_bytes),
            cpu_seconds: sum(self.cpu_seconds, other.cpu_seconds),
        }
    }

    fn parse(text: &str) -> Self {
        Self {
            commands: sample(text, "examhall_journal_commands_total"),
            commits: sample(text, "examhall_journal_commits_total"),
            requests: sample(text, "examhall_http_requests_total"),
            resident_bytes: sample(text, "process_resident_memory_bytes"),
            cpu_seconds: sample(text, "process_cpu_seconds_total"),
        }
    }
}

/// The sum of a metric over its labels; `None` when no line has it.
fn sample(text: &str, name: &str) -> Option<f64> {
    let values = text.lines().filter_map(|line| value_of(line.strip_prefix(name)?));
    values.reduce(|sum, value| sum + value)
}

/// The value in a line after the metric's name: `{label="x"} 1` or ` 1`. Anything else belongs to a longer name.
fn value_of(rest: &str) -> Option<f64> {
    let value = match rest.strip_prefix('{') {
        Some(labels) => labels.rsplit_once('}')?.1,
        None => rest.strip_prefix(' ')?,
    };
    value.split_whitespace().next()?.parse().ok()
}

pub fn generator_cpu() -> Option<Duration> {
    cpu_of_stat(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

/// User and system time together. The process name may contain spaces and brackets, so fields are counted from the last
/// bracket.
fn cpu_of_stat(stat: &str) -> Option<Duration> {
    let fields = stat.rsplit_once(')')?.1.split_whitespace();
    let ticks = fields.skip(*CPU_FIELDS.start()).take(CPU_FIELDS.count());
    let ticks = ticks.map(|field| field.parse::<u64>().ok()).sum::<Option<u64>>()?;
    Some(Duration::from_millis(ticks * 1_000 / TICKS_PER_SECOND))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_are_summed_over_labels_and_matched_by_whole_name() {
        let text = "# TYPE examhall_journal_commits counter\n\
            examhall_journal_commits_total{worker=\"0\"} 10\n\
            examhall_journal_commits_total{worker=\"1}\"} 5\n\
            examhall_journal_commands_total 300\n\
            examhall_journal_commands_total_created 7\n\
            process_cpu_seconds_total 1.25\n";
        let expected = ServerReading {
            commands: Some(300.0),
            commits: Some(15.0),
            cpu_seconds: Some(1.25),
            ..ServerReading::default()
        };
        assert_eq!(ServerReading::parse(text), expected);
        assert_eq!(expected.plus(expected).commands, Some(600.0));
        assert_eq!(expected.plus(ServerReading::default()), expected);
    }

    #[test]
    fn own_processor_time_survives_a_strange_process_name() {
        let stat = "4711 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 150 25 99 99 20 0 3 0";
        assert_eq!(cpu_of_stat(stat), Some(Duration::from_millis(1_750)));
        assert_eq!(cpu_of_stat("nothing"), None);
        assert!(generator_cpu().is_some());
    }
}
