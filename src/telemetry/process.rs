//! Metrics of the process, under the names that Prometheus' own libraries use. A system without `/proc` shows those
//! that it can tell.

use std::cell::Cell;
use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

/// Clock ticks per second in `/proc/self/stat`; the same on every Linux that this server runs on.
const TICKS_PER_SECOND: f64 = 100.0;
/// Places of figures in `/proc/self/stat`, counted after the name of the program: ticks in the program, in the kernel
/// on its behalf, and between the system's start and its own.
const USER_TICKS: usize = 11;
const KERNEL_TICKS: usize = 12;
const STARTED_TICKS: usize = 19;

static PANICS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// True while this thread parses input of others whose parser may panic, so that such a panic is not logged as a
    /// fault of the server.
    static IS_EXPECTING: Cell<bool> = const { Cell::new(false) };
}

#[derive(Debug, Default)]
pub(super) struct Process {
    resident_bytes: Gauge,
    cpu_seconds: Counter<f64, AtomicU64>,
    started_seconds: Gauge<f64, AtomicU64>,
    descriptors: Gauge,
    descriptors_max: Gauge,
}

impl Process {
    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register("process_resident_memory_bytes", "Resident memory", self.resident_bytes.clone());
        registry.register("process_cpu_seconds", "Processor time used", self.cpu_seconds.clone());
        registry.register(
            "process_start_time_seconds",
            "When the process was started, in seconds since 1970",
            self.started_seconds.clone(),
        );
        registry.register("process_open_fds", "Open file descriptors", self.descriptors.clone());
        registry.register("process_max_fds", "The most open file descriptors", self.descriptors_max.clone());
    }

    /// Brings the figures up to date.
    pub(super) fn look(&self) {
        if let Some(bytes) = resident_bytes() {
            self.resident_bytes.set(bytes);
        }
        if let Some((cpu, started)) = times() {
            self.cpu_seconds.inc_by((cpu - self.cpu_seconds.get()).max(0.0));
            self.started_seconds.set(started);
        }
        if let Ok(descriptors) = fs::read_dir("/proc/self/fd") {
            self.descriptors.set(i64::try_from(descriptors.count()).unwrap_or(i64::MAX));
        }
        if let Ok((soft, _)) = rlimit::Resource::NOFILE.get() {
            self.descriptors_max.set(i64::try_from(soft).unwrap_or(i64::MAX));
        }
    }
}

fn resident_bytes() -> Option<i64> {
    let memory = fs::read_to_string("/proc/self/status").ok()?;
    let line = memory.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: i64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes * 1_024)
}

/// Seconds of processor time, and the time of the start in seconds since 1970.
fn times() -> Option<(f64, f64)> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let seconds = |index: usize| Some(fields.get(index)?.parse::<f64>().ok()? / TICKS_PER_SECOND);
    let system = fs::read_to_string("/proc/stat").ok()?;
    let booted: f64 = system.lines().find_map(|line| line.strip_prefix("btime "))?.trim().parse().ok()?;
    Some((seconds(USER_TICKS)? + seconds(KERNEL_TICKS)?, booted + seconds(STARTED_TICKS)?))
}

/// Counts panics from now on. An actor that panics takes its work with it, and only the log would tell.
pub(super) fn count_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |panicked| {
            if !is_counted() {
                let place = panicked.location().map(ToString::to_string);
                return tracing::debug!(place, "a file that cannot be read has made its reader panic");
            }
            PANICS.fetch_add(1, Ordering::Relaxed);
            report(panicked);
        }));
    });
}

/// Runs a reader of files that anyone may have made to break it. Its panic ends the reading and is no failure of the
/// server: it gives `None`, and is neither counted nor reported as an error.
pub fn expecting_panics<T>(reading: impl FnOnce() -> T) -> Option<T> {
    let before = IS_EXPECTING.replace(true);
    let read = panic::catch_unwind(AssertUnwindSafe(reading));
    IS_EXPECTING.set(before);
    read.ok()
}

/// Whether a panic of this thread is a failure of the server.
fn is_counted() -> bool {
    !IS_EXPECTING.get()
}

pub(super) fn panics() -> u64 {
    PANICS.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_panics_is_no_failure_of_the_server() {
        assert!(is_counted());
        let read = expecting_panics(|| {
            assert_eq!(expecting_panics::<()>(|| panic!("as intended")), None);
            // The inner reading does not end the outer one.
            is_counted()
        });
        assert_eq!(read, Some(false));
        assert_eq!(expecting_panics::<()>(|| panic!("as intended")), None);
        assert!(is_counted());
    }
}
