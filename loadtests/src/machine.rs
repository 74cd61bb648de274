//! Measures how busy the processors of this machine are, and with what, so that a run can say whether they were the
//! limit.

use std::collections::HashMap;
use std::time::Duration;

/// Clock ticks a second: 100 on every Linux that this runs on, whatever the kernel's own timer rate is.
const TICKS_PER_SECOND: u64 = 100;
/// Positions of user and system time among the fields after the process name: fields 14 and 15 of proc_pid_stat(5).
const CPU_FIELDS: std::ops::RangeInclusive<usize> = 11..=12;

/// The processor time of all running processes, by the name of their program.
pub fn processor_time() -> HashMap<String, Duration> {
    let mut times = HashMap::<String, Duration>::new();
    for process in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Ok(stat) = std::fs::read_to_string(process.path().join("stat")) else { continue };
        let name = stat.split_once('(').and_then(|(_, rest)| rest.rsplit_once(')')).map(|(name, _)| name);
        if let (Some(name), Some(time)) = (name, time_of_stat(&stat)) {
            *times.entry(name.to_owned()).or_default() += time;
        }
    }
    times
}

/// The processor time of this process.
pub fn own_processor_time() -> Option<Duration> {
    time_of_stat(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

/// User and system time together. The process name may contain spaces and brackets, so fields are counted from the last
/// bracket.
fn time_of_stat(stat: &str) -> Option<Duration> {
    let fields = stat.rsplit_once(')')?.1.split_whitespace();
    let ticks = fields.skip(*CPU_FIELDS.start()).take(CPU_FIELDS.count());
    let ticks = ticks.map(|field| field.parse::<u64>().ok()).sum::<Option<u64>>()?;
    Some(Duration::from_millis(ticks * 1_000 / TICKS_PER_SECOND))
}

/// Clock ticks of all processors since the machine has started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessorTicks {
    all: u64,
    idle: u64,
    waiting_for_disks: u64,
}

impl ProcessorTicks {
    /// `None` where there is no `/proc`.
    pub fn take() -> Option<Self> {
        Self::parse(&std::fs::read_to_string("/proc/stat").ok()?)
    }

    /// The fields of proc_stat(5): user, nice, system, idle, waiting for disks, and others.
    fn parse(stat: &str) -> Option<Self> {
        let line = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
        let ticks: Vec<u64> = line.split_whitespace().map(|ticks| ticks.parse().ok()).collect::<Option<_>>()?;
        // The last two are parts of the first two.
        let all = ticks.iter().take(8).sum();
        Some(Self { all, idle: *ticks.get(3)?, waiting_for_disks: *ticks.get(4)? })
    }

    /// Percent of the processors' time that was used since then, and that they had nothing to do but wait for disks.
    pub fn since(self, before: Self) -> Option<(f64, f64)> {
        let all = self.all.checked_sub(before.all).filter(|&all| all > 0)? as f64;
        let idle = self.idle.saturating_sub(before.idle) as f64;
        let disks = self.waiting_for_disks.saturating_sub(before.waiting_for_disks) as f64;
        Some((100.0 * (all - idle - disks) / all, 100.0 * disks / all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_survives_a_strange_process_name() {
        let stat = "4711 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 150 25 99 99 20 0 3 0";
        assert_eq!(time_of_stat(stat), Some(Duration::from_millis(1_750)));
        assert_eq!(time_of_stat("nothing"), None);
        assert!(own_processor_time().is_some() && !processor_time().is_empty());
    }

    #[test]
    fn busy_is_what_is_neither_idle_nor_waiting() {
        let stat = |user: u64, idle: u64, disks: u64| {
            ProcessorTicks::parse(&format!("cpu  {user} 0 0 {idle} {disks} 0 0 0 50 0\ncpu0 1 2 3 4\n")).unwrap()
        };
        assert_eq!(stat(175, 120, 105).since(stat(100, 100, 100)), Some((75.0, 5.0)));
        assert_eq!(stat(1, 1, 1).since(stat(1, 1, 1)), None);
        assert!(ProcessorTicks::parse("nothing").is_none());
    }
}
