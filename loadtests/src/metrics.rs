//! Reads the server's `/metrics` and the generator's own processor time, from which the cost of a run is computed.

use crate::machine::own_processor_time;
use crate::server::Server;
use crate::tally::{Tally, read};
use std::time::Duration;
use tokio::time::Instant;

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
        Self { at: Instant::now(), saved: read(&tally.saved), generator_cpu: own_processor_time(), server }
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
}
