//! Reports what the machine was busy with while a scenario ran, and what ran out first.

use crate::machine::{ProcessorTicks, processor_time};
use std::collections::HashMap;
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

const SAMPLE_EVERY: Duration = Duration::from_millis(500);
/// Busy processors that have nothing left, in percent.
const SATURATED_PERCENT: f64 = 95.0;
/// Waiting for disks that holds up the rest, in percent.
const DISKS_PERCENT: f64 = 40.0;
/// Programs whose share is named, by the name of their processes.
const PROGRAMS: [(&str, &str); 4] =
    [("examhall", "server"), ("postgres", "Postgres"), ("redis-server", "Redis"), ("loadtests", "generator")];

/// Samples of the machine, taken until the end is asked for.
pub struct BusySamples {
    task: JoinHandle<()>,
    samples: std::sync::mpsc::Receiver<BusySample>,
}

/// The machine over half a second, in percent of all processors.
#[derive(Clone, Debug, PartialEq)]
struct BusySample {
    busy: f64,
    disks: f64,
    shares: Vec<(&'static str, f64)>,
}

impl BusySamples {
    pub fn begin() -> Self {
        let (send, samples) = std::sync::mpsc::channel();
        let task = tokio::spawn(async move {
            let mut before = (Instant::now(), ProcessorTicks::take(), processor_time());
            loop {
                sleep(SAMPLE_EVERY).await;
                let now = (Instant::now(), ProcessorTicks::take(), processor_time());
                let processors = std::thread::available_parallelism().map_or(1.0, |count| count.get() as f64);
                let seconds = (now.0 - before.0).as_secs_f64() * processors;
                if let Some((busy, disks)) = now.1.zip(before.1).and_then(|(now, before)| now.since(before)) {
                    let shares = PROGRAMS.map(|(process, name)| (name, share(process, &before.2, &now.2, seconds)));
                    if send.send(BusySample { busy, disks, shares: shares.into() }).is_err() {
                        return;
                    }
                }
                before = now;
            }
        });
        Self { task, samples }
    }

    /// What ran out first, in words.
    pub fn end(self) -> String {
        self.task.abort();
        verdict(&self.samples.try_iter().collect::<Vec<_>>())
    }
}

fn share(process: &str, before: &HashMap<String, Duration>, now: &HashMap<String, Duration>, seconds: f64) -> f64 {
    let time = |times: &HashMap<String, Duration>| times.get(process).copied().unwrap_or_default();
    100.0 * time(now).saturating_sub(time(before)).as_secs_f64() / seconds
}

fn verdict(samples: &[BusySample]) -> String {
    let first = samples.iter().find(|sample| sample.busy >= SATURATED_PERCENT || sample.disks >= DISKS_PERCENT);
    let busiest = samples.iter().max_by(|one, other| one.busy.total_cmp(&other.busy));
    let Some(sample) = first.or(busiest) else { return "n/a".to_owned() };
    let what = match first {
        Some(sample) if sample.busy >= SATURATED_PERCENT => "processors",
        Some(_) => "disks",
        None => "nothing",
    };
    let shares: Vec<String> = sample.shares.iter().map(|(name, percent)| format!("{name} {percent:.0} %")).collect();
    format!("{what}: processors {:.0} % busy ({}), disks {:.0} %", sample.busy, shares.join(", "), sample.disks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sample_without_room_decides() {
        let sample = |busy, disks| BusySample { busy, disks, shares: vec![("server", busy / 2.0)] };
        assert_eq!(verdict(&[]), "n/a");
        let calm = verdict(&[sample(40.0, 0.0), sample(60.0, 1.0)]);
        assert_eq!(calm, "nothing: processors 60 % busy (server 30 %), disks 1 %");
        let disks = verdict(&[sample(40.0, 50.0), sample(99.0, 0.0)]);
        assert_eq!(disks, "disks: processors 40 % busy (server 20 %), disks 50 %");
        assert!(
            verdict(&[sample(40.0, 0.0), sample(96.0, 0.0), sample(99.0, 0.0)])
                .starts_with("processors: processors 96")
        );
    }
}
