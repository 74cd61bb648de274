//! The status of an event, a venue or an organizer, and which status a change results in.

use crate::time::moment::Moment;

/// The status of a record. Every status may follow every other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// Everyone sees it.
    Publish,
    /// Published when its publication date comes.
    Future,
    /// Being written.
    Draft,
    /// Written by a user who may not publish it; waits for one who may.
    Pending,
    /// Visible to editors and to its author.
    Private,
    /// In the trash; can be restored.
    Trash,
    /// Begun by an editor's page of the original; no list includes it by default.
    AutoDraft,
    /// The status of a part of a record; no list includes it by default.
    Inherit,
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 8] = [
        Self::Publish,
        Self::Future,
        Self::Draft,
        Self::Pending,
        Self::Private,
        Self::Trash,
        Self::AutoDraft,
        Self::Inherit,
    ];
    /// The statuses that lists call `any`: neither in the trash nor barely begun.
    pub const ANY: [Self; 5] = [Self::Publish, Self::Future, Self::Draft, Self::Pending, Self::Private];

    /// The name that clients send and the database stores.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Publish => "publish",
            Self::Future => "future",
            Self::Draft => "draft",
            Self::Pending => "pending",
            Self::Private => "private",
            Self::Trash => "trash",
            Self::AutoDraft => "auto-draft",
            Self::Inherit => "inherit",
        }
    }

    /// The status with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }

    /// Returns whether the record has no address, no date in UTC and, unless one was sent, no slug of its own yet.
    #[must_use]
    pub const fn is_unfinished(self) -> bool {
        matches!(self, Self::Draft | Self::Pending | Self::AutoDraft)
    }

    /// The status at the moment `now`. A scheduled record counts as published from its date on, even before the
    /// database says so.
    #[must_use]
    pub fn now(self, date: Moment, now: Moment) -> Self {
        if self == Self::Future && date <= now { Self::Publish } else { self }
    }

    /// The status of a record that is created or changed. `asked` is the status that was sent, `kept` the one that the
    /// record has (`None` for a new record), `date` its publication date.
    #[must_use]
    pub fn settle(asked: Option<Self>, kept: Option<Self>, may_publish: bool, date: Moment, now: Moment) -> Self {
        let unasked = if may_publish { Self::Publish } else { Self::Draft };
        match asked.or(kept).unwrap_or(unasked) {
            Self::Publish | Self::Future if !may_publish => Self::Pending,
            Self::Publish | Self::Future if date > now => Self::Future,
            Self::Publish | Self::Future => Self::Publish,
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_800_000_000_000;

    fn settle(asked: Option<Status>, kept: Option<Status>, may_publish: bool, later: i64) -> Status {
        let now = Moment::from_milliseconds(NOW);
        Status::settle(asked, kept, may_publish, now.plus(later), now)
    }

    #[test]
    fn names_are_those_of_the_contract() {
        for name in "publish future draft pending private trash auto-draft inherit".split(' ') {
            assert_eq!(Status::parse(name).map(Status::name), Some(name));
        }
        for name in ["", "any", "Publish", "published", "publish "] {
            assert_eq!(Status::parse(name), None, "{name:?}");
        }
    }

    #[test]
    fn what_is_not_asked_for_depends_on_the_right() {
        assert_eq!(settle(None, None, true, 0), Status::Publish);
        assert_eq!(settle(None, None, true, 1), Status::Future);
        assert_eq!(settle(None, None, false, 0), Status::Draft);
        for kept in Status::ANY {
            let expected = if kept == Status::Future { Status::Publish } else { kept };
            assert_eq!(settle(None, Some(kept), true, 0), expected, "{kept:?}");
        }
    }

    #[test]
    fn who_may_not_publish_asks_for_it() {
        for asked in [Status::Publish, Status::Future] {
            for later in [-1, 0, 1] {
                assert_eq!(settle(Some(asked), None, false, later), Status::Pending);
            }
        }
        for asked in [Status::Draft, Status::Pending, Status::Private, Status::Trash] {
            assert_eq!(settle(Some(asked), None, false, 1), asked);
        }
    }

    #[test]
    fn the_date_decides_between_now_and_later() {
        for asked in [Status::Publish, Status::Future] {
            assert_eq!(settle(Some(asked), Some(Status::Draft), true, 1), Status::Future);
            assert_eq!(settle(Some(asked), Some(Status::Draft), true, 0), Status::Publish);
        }
        assert_eq!(settle(Some(Status::Private), None, true, 1), Status::Private);
        let now = Moment::from_milliseconds(NOW);
        assert_eq!(Status::Future.now(now, now), Status::Publish);
        assert_eq!(Status::Future.now(now.plus(1), now), Status::Future);
        assert_eq!(Status::Draft.now(now, now), Status::Draft);
    }
}
