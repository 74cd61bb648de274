//! A point in time in whole milliseconds: the only form in which times are stored, compared and shown.

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Milliseconds since 1970-01-01 UTC. In JSON an ISO 8601 string in UTC with milliseconds and `Z`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(i64);

/// The start of the year 1 and the end of the year 9999: ISO 8601 writes these years with four digits.
const MILLISECONDS_MIN: i64 = -62_135_596_800_000;
const MILLISECONDS_MAX: i64 = 253_402_300_799_999;

impl Moment {
    /// The moment at this many milliseconds since 1970, limited to the years 1 to 9999.
    #[must_use]
    pub fn from_milliseconds(milliseconds: i64) -> Self {
        Self(milliseconds.clamp(MILLISECONDS_MIN, MILLISECONDS_MAX))
    }

    /// The latest moment, for what nobody knows the time of yet.
    pub const LAST: Self = Self(MILLISECONDS_MAX);

    /// Milliseconds since 1970.
    #[must_use]
    pub const fn milliseconds(self) -> i64 {
        self.0
    }

    /// Parses ISO 8601 with an offset or `Z`; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let time = DateTime::parse_from_rfc3339(text).ok()?.timestamp_millis();
        (MILLISECONDS_MIN..=MILLISECONDS_MAX).contains(&time).then_some(Self(time))
    }

    /// The moment as a `chrono` value, for crates that use those.
    #[must_use]
    pub fn utc(self) -> DateTime<Utc> {
        DateTime::from_timestamp_millis(self.0).unwrap_or_default()
    }

    /// ISO 8601, such as `2026-01-05T09:00:00.000Z`.
    #[must_use]
    pub fn iso(self) -> String {
        self.utc().to_rfc3339_opts(SecondsFormat::Millis, true)
    }

    /// The moment this many milliseconds later, or earlier when negative.
    #[must_use]
    pub fn plus(self, milliseconds: i64) -> Self {
        Self::from_milliseconds(self.0.saturating_add(milliseconds))
    }

    /// Milliseconds from `earlier` to this moment; negative when this one is before it.
    #[must_use]
    pub const fn since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.iso())
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("not an ISO 8601 time"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_written_in_utc_with_milliseconds() {
        let moment = Moment::parse("2026-01-05T10:00:00.5+01:00").unwrap();
        assert_eq!(moment.iso(), "2026-01-05T09:00:00.500Z");
        assert_eq!(Moment::parse("2026-01-05"), None);
        assert_eq!(Moment::parse("yesterday"), None);
    }

    #[test]
    fn never_leaves_the_years_that_can_be_written() {
        assert_eq!(Moment::from_milliseconds(i64::MAX).iso(), "9999-12-31T23:59:59.999Z");
        assert_eq!(Moment::from_milliseconds(i64::MIN).iso(), "0001-01-01T00:00:00.000Z");
    }
}
