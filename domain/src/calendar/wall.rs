//! Local time: a date and a time without a zone, to the second, as a clock on the wall shows it. It is apart from
//! moments because an event keeps its local time even when the rules of its zone change.

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, NaiveTime, Timelike};
use serde::Serialize;

use crate::time::moment::Moment;

/// The form of records and answers.
const FORMAT: &str = "%Y-%m-%d %H:%M:%S";

/// A local time in the years 1 to 9999. Walls sort as their texts do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wall(NaiveDateTime);

/// The parts of a local time as `*_details` shows them: texts padded with zeros.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WallDetails {
    /// Four digits.
    pub year: String,
    /// `01` to `12`.
    pub month: String,
    /// `01` to `31`.
    pub day: String,
    /// `00` to `23`.
    pub hour: String,
    /// `00` to `59`.
    pub minutes: String,
    /// `00` to `59`.
    pub seconds: String,
}

impl Wall {
    /// Drops fractions of a second. `None` outside the years 1 to 9999.
    #[must_use]
    pub fn new(time: NaiveDateTime) -> Option<Self> {
        let whole = time.with_nanosecond(0)?;
        (1..=9999).contains(&whole.year()).then_some(Self(whole))
    }

    /// The local time in UTC.
    #[must_use]
    pub fn in_utc(moment: Moment) -> Self {
        Self(DateTime::from_timestamp(moment.milliseconds().div_euclid(1_000), 0).unwrap_or_default().naive_utc())
    }

    /// Reads `YYYY-MM-DD hh:mm:ss`, the form of records; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let written = NaiveDateTime::parse_from_str(text, FORMAT).ok().and_then(Self::new)?;
        // The parser accepts numbers without padding, which would not sort as texts.
        (written.text() == text).then_some(written)
    }

    /// Writes `YYYY-MM-DD hh:mm:ss`.
    #[must_use]
    pub fn text(self) -> String {
        self.0.format(FORMAT).to_string()
    }

    /// The parts of this local time.
    #[must_use]
    pub fn details(self) -> WallDetails {
        WallDetails {
            year: format!("{:04}", self.0.year()),
            month: format!("{:02}", self.0.month()),
            day: format!("{:02}", self.0.day()),
            hour: format!("{:02}", self.0.hour()),
            minutes: format!("{:02}", self.0.minute()),
            seconds: format!("{:02}", self.0.second()),
        }
    }

    /// 00:00:00 of its day.
    #[must_use]
    pub fn day_start(self) -> Self {
        Self(self.0.date().and_time(NaiveTime::MIN))
    }

    /// 23:59:59 of its day.
    #[must_use]
    pub fn day_end(self) -> Self {
        Self(self.0.date().and_hms_opt(23, 59, 59).unwrap_or(self.0))
    }

    /// The date of this local time.
    #[must_use]
    pub fn day(self) -> NaiveDate {
        self.0.date()
    }

    /// The same as a value of the date library.
    #[must_use]
    pub const fn naive(self) -> NaiveDateTime {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_written_with_all_its_digits() {
        let wall = Wall::parse("2027-01-02 03:04:05").unwrap();
        assert_eq!(wall.text(), "2027-01-02 03:04:05");
        let details = serde_json::to_string(&wall.details()).unwrap();
        assert_eq!(details, r#"{"year":"2027","month":"01","day":"02","hour":"03","minutes":"04","seconds":"05"}"#);
        assert_eq!(Wall::parse("0007-01-02 03:04:05").unwrap().text(), "0007-01-02 03:04:05");
    }

    #[test]
    fn only_the_form_of_records_is_one() {
        for text in [
            "",
            "2027-01-02",
            "2027-1-2 3:4:5",
            "2027-13-01 00:00:00",
            "2027-02-30 00:00:00",
            "0000-00-00 00:00:00",
            "+2027-01-02 3:04:05",
        ] {
            assert_eq!(Wall::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_day_has_a_first_and_a_last_second() {
        let wall = Wall::parse("2027-01-02 03:04:05").unwrap();
        assert_eq!(
            (wall.day_start().text(), wall.day_end().text()),
            ("2027-01-02 00:00:00".to_owned(), "2027-01-02 23:59:59".to_owned())
        );
    }
}
