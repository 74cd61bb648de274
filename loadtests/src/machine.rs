//! How busy the processors of this machine are, so that a run can say whether they were what ran out.

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
    fn busy_is_what_is_neither_idle_nor_waiting() {
        let stat = |user: u64, idle: u64, disks: u64| {
            ProcessorTicks::parse(&format!("cpu  {user} 0 0 {idle} {disks} 0 0 0 50 0\ncpu0 1 2 3 4\n")).unwrap()
        };
        assert_eq!(stat(175, 120, 105).since(stat(100, 100, 100)), Some((75.0, 5.0)));
        assert_eq!(stat(1, 1, 1).since(stat(1, 1, 1)), None);
        assert!(ProcessorTicks::parse("nothing").is_none());
    }
}
