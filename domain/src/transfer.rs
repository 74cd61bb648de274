//! Transfers to an external data provider: their kinds, their states, and when a failed one is tried again.

/// A kind of transfer. Each kind has its own queue, so that a log entry that the provider does not take holds up no
/// finished test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransferKind {
    /// A finished test.
    Session,
    /// An entry of the edit log.
    Edit,
}

impl TransferKind {
    /// All kinds.
    pub const ALL: [Self; 2] = [Self::Session, Self::Edit];

    /// `session` or `edit`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Edit => "edit",
        }
    }
}

/// The state of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransferStatus {
    /// It will be sent when those before it in its kind have been.
    Waiting,
    /// The external service has accepted it.
    Sent,
    /// The external service has refused it. It is tried again from time to time, and holds up no other.
    Refused,
}

impl TransferStatus {
    /// `waiting`, `sent` or `refused`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Sent => "sent",
            Self::Refused => "refused",
        }
    }
}

/// The waits before the first tries, in seconds; the last one is used for all further tries.
const WAITS_SECONDS: [u64; 6] = [1, 2, 4, 8, 15, 30];
/// How long a refused transfer waits until it is tried again: by then the operators of the external service may have
/// fixed the cause.
pub const REFUSED_WAIT_SECONDS: u64 = 60 * 60;
/// The longest wait that an external service may ask for, in seconds.
pub const WAIT_SECONDS_MAX: u64 = 5 * 60;
/// Tries after which the next transfer is tried as well. If that one is taken, the service is reachable, and this
/// transfer is to blame.
const DOUBTED_AFTER: u32 = 5;

/// Seconds until the next try after this many attempts. The external service may ask for a longer wait, up to
/// `WAIT_SECONDS_MAX`.
#[must_use]
pub fn wait_seconds(attempts: u32, asked_for: Option<u64>) -> u64 {
    let place = usize::try_from(attempts.saturating_sub(1)).unwrap_or(usize::MAX);
    let own = WAITS_SECONDS.get(place).or(WAITS_SECONDS.last()).copied().unwrap_or(1);
    asked_for.map_or(own, |seconds| seconds.clamp(own, WAIT_SECONDS_MAX))
}

/// Returns whether the next transfer should be tried, to find out which of the two is to blame: the service or this
/// transfer.
#[must_use]
pub const fn is_doubted(attempts: u32) -> bool {
    attempts >= DOUBTED_AFTER
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_grows_and_ends() {
        assert_eq!([1, 2, 5, 6, 7, 1_000].map(|attempts| wait_seconds(attempts, None)), [1, 2, 15, 30, 30, 30]);
        assert_eq!(wait_seconds(1, Some(20)), 20);
        assert_eq!(wait_seconds(3, Some(0)), 4);
        assert_eq!(wait_seconds(1, Some(86_400)), WAIT_SECONDS_MAX);
    }
}
