//! Reads dates in all the forms that clients send. An offset in the text is dropped, not converted, as in the original:
//! the result is the local time of the event.

use chrono::{Days, Months, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};

use super::wall::Wall;
use super::zones::Zone;
use crate::time::moment::Moment;

/// Characters of the text of a date: every form fits, with room for blanks and long fractions.
pub const DATE_CHARACTERS_MAX: usize = 64;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// A date as a client sent it. It is readable on the clocks of the site; a relative one may mean another time on those
/// of an event's zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SentDate {
    on_site: Wall,
    /// What to count again in another zone, and from which moment.
    relative: Option<(Relative, Moment)>,
}

/// `tomorrow 9am`, `+1 month`: so many steps from now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Relative {
    step: Step,
    number: i64,
    /// The time of that day; `None` is the time that it is now.
    time: Option<NaiveTime>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Day,
    Week,
    Month,
}

impl SentDate {
    /// Reads a date. `tomorrow` and `+1 week` count from `now`. Forms:
    ///
    /// - `2027-01-10`, with `T` or a blank and a time, which may have a fraction and `Z` or an offset;
    /// - `1/10/2027` (month, day) and `January 10, 2027`, with a time as `21:05`, `9:05 PM` or `9pm`;
    /// - `now`, `today`, `tomorrow` with a time, and `+1 month` or `-2 weeks` with a time;
    /// - digits alone: seconds since 1970. They are read as a clock in UTC shows them, whatever the zone.
    ///
    /// `None` for anything else, and for years outside 1 to 9999.
    #[must_use]
    pub fn parse(text: &str, now: Moment) -> Option<Self> {
        if text.len() > DATE_CHARACTERS_MAX || !text.is_ascii() {
            return None;
        }
        let text = text.trim().to_ascii_lowercase();
        let fixed = seconds(&text).or_else(|| iso(&text)).or_else(|| slashed(&text)).or_else(|| named(&text));
        if let Some(time) = fixed {
            return Some(Self { on_site: Wall::new(time)?, relative: None });
        }
        let relative = Relative::parse(&text)?;
        Some(Self { on_site: relative.on(&Zone::site(), now)?, relative: Some((relative, now)) })
    }

    /// The local time that it means in the site's zone.
    #[must_use]
    pub const fn on_site(self) -> Wall {
        self.on_site
    }

    /// The local time that it means in this zone; `None` outside the years 1 to 9999.
    #[must_use]
    pub fn on(self, zone: &Zone) -> Option<Wall> {
        self.relative.map_or(Some(self.on_site), |(relative, now)| relative.on(zone, now))
    }
}

/// `1799571600`, `-86400`.
fn seconds(text: &str) -> Option<NaiveDateTime> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = (1..=12).contains(&digits.len()) && are_digits(digits);
    let seconds = is_number.then(|| text.parse().ok()).flatten()?;
    chrono::DateTime::from_timestamp(seconds, 0).map(|time| time.naive_utc())
}

/// `2027-01-10t09:00:00.000+03:00`, in lower case. All but the date may be missing, from the right.
fn iso(text: &str) -> Option<NaiveDateTime> {
    let (date, rest) = text.split_at_checked(10)?;
    let mut parts = date.split('-');
    let (year, month, day) =
        (digits(parts.next()?, 4..=4)?, digits(parts.next()?, 2..=2)?, digits(parts.next()?, 2..=2)?);
    let date = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?;
    if rest.is_empty() {
        return Some(date.and_time(NaiveTime::MIN));
    }
    let rest = rest.strip_prefix('t').or_else(|| rest.strip_prefix(' '))?;
    time(without_offset(rest.trim_start())?.trim_end()).map(|time| date.and_time(time))
}

/// A time without the `z`, `+03:00`, `-0300` or `+03` at its end; `None` if the text after the sign is not an offset.
fn without_offset(text: &str) -> Option<&str> {
    if let Some(time) = text.strip_suffix('z') {
        return Some(time);
    }
    let Some(sign) = text.find(['+', '-']) else { return Some(text) };
    let (time, offset) = text.split_at_checked(sign)?;
    Zone::parse(offset).map(|_| time)
}

/// `1/10/2027 9:05 pm`.
fn slashed(text: &str) -> Option<NaiveDateTime> {
    let (date, rest) = text.split_once(' ').unwrap_or((text, ""));
    let mut parts = date.split('/');
    let (month, day, year) =
        (digits(parts.next()?, 1..=2)?, digits(parts.next()?, 1..=2)?, digits(parts.next()?, 4..=4)?);
    let is_whole = parts.next().is_none();
    let date = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day).filter(|_| is_whole)?;
    optional_time(rest).map(|time| date.and_time(time))
}

/// `january 10, 2027 9am`.
fn named(text: &str) -> Option<NaiveDateTime> {
    let (name, rest) = text.split_once(' ')?;
    let month =
        (1..).zip(MONTHS).find(|(_, month)| is_month(name.trim_end_matches('.'), month)).map(|(number, _)| number)?;
    let (day, rest) = rest.trim_start().split_once([',', ' '])?;
    let day = ["st", "nd", "rd", "th"].iter().find_map(|ending| day.strip_suffix(ending)).unwrap_or(day);
    let rest = rest.trim_start().trim_start_matches(',').trim_start();
    let (year, rest) = rest.split_once([' ', ',']).unwrap_or((rest, ""));
    let date = NaiveDate::from_ymd_opt(i32::try_from(digits(year, 4..=4)?).ok()?, month, digits(day, 1..=2)?)?;
    optional_time(rest).map(|time| date.and_time(time))
}

/// Accepts the whole name, its first three letters, or `sept`.
fn is_month(name: &str, month: &str) -> bool {
    name == month || name.len() == 3 && month.starts_with(name) || name == "sept" && month == "september"
}

impl Relative {
    /// `now`, `today 9am`, `tomorrow`, `+1 month`, `-2 weeks 09:00`.
    fn parse(text: &str) -> Option<Self> {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let number = match word {
            "now" => return rest.is_empty().then_some(Self { step: Step::Day, number: 0, time: None }),
            "today" => 0,
            "tomorrow" => 1,
            _ => return Self::parse_steps(text),
        };
        optional_time(rest).map(|time| Self { step: Step::Day, number, time: Some(time) })
    }

    /// `+1 month`, `+1month`, `-2 weeks 09:00`.
    fn parse_steps(text: &str) -> Option<Self> {
        let unsigned = text.strip_prefix(['+', '-'])?.trim_start();
        let end = unsigned.find(|character: char| !character.is_ascii_digit())?;
        let (number, rest) = unsigned.split_at_checked(end)?;
        let number = i64::from(digits(number, 1..=5)?) * if text.starts_with('-') { -1 } else { 1 };
        let (unit, rest) = rest.trim_start().split_once(' ').unwrap_or((rest.trim_start(), ""));
        let (step, number) = match unit.strip_suffix('s').unwrap_or(unit) {
            "day" => (Step::Day, number),
            "week" => (Step::Week, number),
            "month" => (Step::Month, number),
            "year" => (Step::Month, number * 12),
            _ => return None,
        };
        let time = match rest.trim_start() {
            "" => None,
            rest => Some(time(rest)?),
        };
        Some(Self { step, number, time })
    }

    fn on(self, zone: &Zone, now: Moment) -> Option<Wall> {
        let now = zone.wall(now).naive();
        let moved = match self.step {
            Step::Day => now.checked_add_signed(TimeDelta::try_days(self.number)?)?,
            Step::Week => now.checked_add_signed(TimeDelta::try_weeks(self.number)?)?,
            Step::Month => months_later(now, self.number)?,
        };
        Wall::new(self.time.map_or(moved, |time| moved.date().and_time(time)))
    }
}

/// Counts months as PHP does: a day that the month does not have becomes one of the next month.
fn months_later(now: NaiveDateTime, months: i64) -> Option<NaiveDateTime> {
    use chrono::Datelike;
    let first = now.date().with_day(1)?;
    let count = Months::new(u32::try_from(months.unsigned_abs()).ok()?);
    let month = if months < 0 { first.checked_sub_months(count)? } else { first.checked_add_months(count)? };
    let date = month.checked_add_days(Days::new(u64::from(now.day0())))?;
    Some(date.and_time(now.time()))
}

/// Midnight if the text is empty.
fn optional_time(text: &str) -> Option<NaiveTime> {
    match text.trim_start_matches([' ', ',']) {
        "" => Some(NaiveTime::MIN),
        text => time(text.strip_prefix("at ").unwrap_or(text)),
    }
}

/// `09:00`, `9:05:30`, `09:00:00.123`, `9am`, `9:05 p.m.`
fn time(text: &str) -> Option<NaiveTime> {
    let compact = text.replace("a.m.", "am").replace("p.m.", "pm");
    let half = ["am", "pm"].into_iter().find(|half| compact.ends_with(half));
    let clock = compact.trim_end_matches(half.unwrap_or_default()).trim_end();
    let mut parts = clock.split(':');
    let hour = digits(parts.next()?, 1..=2)?;
    let minute = parts.next().map(|part| digits(part, 2..=2));
    let second = parts.next().map(whole_seconds);
    if parts.next().is_some() || (minute.is_none() && half.is_none()) {
        return None;
    }
    NaiveTime::from_hms_opt(of_day(hour, half)?, minute.unwrap_or(Some(0))?, second.unwrap_or(Some(0))?)
}

/// Seconds without their fraction, which is dropped.
fn whole_seconds(text: &str) -> Option<u32> {
    let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, "0"));
    digits(whole, 2..=2).filter(|_| are_digits(fraction))
}

/// The hour of a 24-hour clock for an hour with `am` or `pm`.
fn of_day(hour: u32, half: Option<&str>) -> Option<u32> {
    match half {
        None => Some(hour),
        Some(_) if !(1..=12).contains(&hour) => None,
        Some("am") => Some(hour % 12),
        Some(_) => Some(hour % 12 + 12),
    }
}

fn digits(text: &str, lengths: std::ops::RangeInclusive<usize>) -> Option<u32> {
    (lengths.contains(&text.len()) && are_digits(text)).then(|| text.parse().ok()).flatten()
}

fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests;
