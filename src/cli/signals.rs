//! The signals that end a command in order.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// SIGTERM, SIGINT and SIGHUP, which a terminal that is closed sends.
pub(super) struct EndSignals([(SignalKind, Option<Signal>); 3]);

impl EndSignals {
    /// A signal that is ignored at the start stays so: whoever used `nohup` wants the command to go on.
    pub(super) fn listen() -> std::io::Result<Self> {
        let heeded =
            |kind: SignalKind| std::io::Result::Ok((kind, if is_ignored(kind) { None } else { Some(signal(kind)?) }));
        let [terminate, interrupt, hang_up] =
            [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()].map(heeded);
        Ok(Self([terminate?, interrupt?, hang_up?]))
    }

    /// Waits for the first of them.
    pub(super) async fn received(&mut self) -> SignalKind {
        let Self([terminate, interrupt, hang_up]) = self;
        tokio::select! {
            kind = next(terminate) => kind,
            kind = next(interrupt) => kind,
            kind = next(hang_up) => kind,
        }
    }
}

async fn next((kind, signal): &mut (SignalKind, Option<Signal>)) -> SignalKind {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    }
    *kind
}

/// Returns whether the process was started with the signal ignored. Unknown, and so false, on a system without `/proc`.
fn is_ignored(kind: SignalKind) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    ignored & 1 << (kind.as_raw_value() - 1) != 0
}
