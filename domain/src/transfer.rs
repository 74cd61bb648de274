//! What is sent to an external data provider: which kinds there are, which states, and when one that was not taken is
//! sent again.

/// What is sent. Each kind waits for itself alone, so that a log that is not taken holds up no test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransferKind {
    /// A finished test.
    Session,
    /// An entry of the edit log.
    Edit,
}

impl TransferKind {
    /// `session` or `edit`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Edit => "edit",
        }
    }
}

/// How it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransferStatus {
    /// To be sent, in the order of its kind.
    Waiting,
    /// The external service has it.
    Sent,
    /// The external service does not want it; it is asked again now and then, and holds up no other.
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

/// Seconds before the first tries again; the last one holds for all that follow.
const WAITS_SECONDS: [u64; 6] = [1, 2, 4, 8, 15, 30];
/// What was refused is sent again after this time: whoever keeps the external service may have mended it.
pub const REFUSED_WAIT_SECONDS: u64 = 60 * 60;
/// An external service may ask for so much patience at most.
pub const WAIT_SECONDS_MAX: u64 = 5 * 60;
/// After so many tries it is found out whether the service is away or this one is to blame.
const DOUBTED_AFTER: u32 = 5;

/// Seconds until it is sent again after `attempts` tries, or as many as the external service has asked for.
#[must_use]
pub fn wait_seconds(attempts: u32, asked_for: Option<u64>) -> u64 {
    let place = usize::try_from(attempts.saturating_sub(1)).unwrap_or(usize::MAX);
    let own = WAITS_SECONDS.get(place).or(WAITS_SECONDS.last()).copied().unwrap_or(1);
    asked_for.map_or(own, |seconds| seconds.clamp(own, WAIT_SECONDS_MAX))
}

/// Whether the one behind it should be tried, to find out who is to blame.
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
