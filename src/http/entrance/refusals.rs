//! Connections that end before their first request: counted by cause, with a warning for what an operator has to mend.
//! Without them a wrong set-up of a proxy would be an outage that nothing tells of.

use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::telemetry::Metrics;

/// How often a warning is logged, however many connections are refused.
const WARN_EVERY: Duration = Duration::from_secs(60);

/// Why a connection has ended before its first request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RefusalCause {
    /// A trusted proxy has sent something else than the header of the PROXY protocol.
    Header,
    /// A trusted proxy has sent no whole header in time.
    HeaderTimeout,
    /// A proxy elsewhere has named a loopback address.
    Loopback,
    /// No TLS, or a certificate that the client does not want.
    Handshake,
    HandshakeTimeout,
    /// The peer has hung up, as scanners do, and checks that only connect.
    Closed,
}

impl RefusalCause {
    const ALL: [Self; 6] =
        [Self::Header, Self::HeaderTimeout, Self::Loopback, Self::Handshake, Self::HandshakeTimeout, Self::Closed];

    const fn name(self) -> &'static str {
        match self {
            Self::Header => "header",
            Self::HeaderTimeout => "header_timeout",
            Self::Loopback => "loopback",
            Self::Handshake => "handshake",
            Self::HandshakeTimeout => "handshake_timeout",
            Self::Closed => "closed",
        }
    }

    /// Whether only a proxy that is set up wrongly does this.
    const fn is_of_proxy(self) -> bool {
        matches!(self, Self::Header | Self::HeaderTimeout | Self::Loopback)
    }
}

/// A connection that has ended, with what was wrong.
#[derive(Debug)]
pub(super) struct RefusedConnection {
    cause: RefusalCause,
    pub(super) error: io::Error,
}

impl RefusedConnection {
    /// One for this cause, unless its peer has hung up.
    pub(super) fn new(cause: RefusalCause, error: io::Error) -> Self {
        let is_closed = matches!(
            error.kind(),
            io::ErrorKind::UnexpectedEof
                | io::ErrorKind::ConnectionReset
                | io::ErrorKind::ConnectionAborted
                | io::ErrorKind::BrokenPipe
        );
        Self { cause: if is_closed { RefusalCause::Closed } else { cause }, error }
    }

    /// One that was not ready in time.
    pub(super) fn late(cause: RefusalCause) -> Self {
        Self { cause, error: io::ErrorKind::TimedOut.into() }
    }
}

/// Notes refused connections.
pub(super) struct Refusals {
    metrics: Arc<Metrics>,
    warned_at: Mutex<Option<Instant>>,
}

impl Refusals {
    pub(super) fn new(metrics: Arc<Metrics>) -> Self {
        RefusalCause::ALL.iter().for_each(|cause| metrics.edge.show_refused_connection(cause.name()));
        Self { metrics, warned_at: Mutex::default() }
    }

    /// Notes one from this address.
    pub(super) fn note(&self, peer: Option<IpAddr>, RefusedConnection { cause, error }: &RefusedConnection) {
        self.metrics.edge.refused_connection(cause.name());
        tracing::debug!(cause = cause.name(), %error, "a connection was closed before its first request");
        if cause.is_of_proxy() && self.is_due(Instant::now()) {
            tracing::warn!(
                proxy = ?peer, cause = cause.name(), %error,
                "a connection from one of TRUSTED_PROXIES was closed: with PROXY_PROTOCOL each must begin with a \
                 header that names its client"
            );
        }
    }

    /// Whether a warning is due. Then it is taken to be logged.
    fn is_due(&self, now: Instant) -> bool {
        let mut warned_at = self.warned_at.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = warned_at.is_none_or(|warned_at| now.saturating_duration_since(warned_at) >= WARN_EVERY);
        if is_due {
            *warned_at = Some(now);
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_is_logged_once_a_minute() {
        let (refusals, now) = (Refusals::new(Arc::default()), Instant::now());
        let due = |seconds| refusals.is_due(now + Duration::from_secs(seconds));
        assert_eq!([0, 0, 59, 60, 61, 119, 120].map(due), [true, false, false, true, false, false, true]);
    }

    #[test]
    fn every_cause_is_shown_before_it_is_counted_and_who_hangs_up_is_counted_apart() {
        let metrics = Arc::<Metrics>::default();
        let refusals = Refusals::new(Arc::clone(&metrics));
        let shows = |cause: &str, count: u32| {
            let line = format!("examhall_connections_refused_total{{cause=\"{cause}\"}} {count}\n");
            assert!(metrics.render().contains(&line), "{line}");
        };
        RefusalCause::ALL.iter().for_each(|cause| shows(cause.name(), 0));
        let wrong = io::Error::new(io::ErrorKind::InvalidData, "not a header");
        refusals.note(None, &RefusedConnection::new(RefusalCause::Header, wrong));
        refusals.note(None, &RefusedConnection::new(RefusalCause::Header, io::ErrorKind::UnexpectedEof.into()));
        refusals.note(None, &RefusedConnection::late(RefusalCause::HandshakeTimeout));
        for (cause, count) in [("header", 1), ("closed", 1), ("handshake_timeout", 1), ("handshake", 0)] {
            shows(cause, count);
        }
    }
}
