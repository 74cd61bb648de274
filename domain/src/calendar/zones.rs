//! Time zones in all the forms that clients send: names of the IANA database, abbreviations, and offsets. Where a clock
//! jumps, local times are read as PHP reads them, since clients know that from the original: a time within a gap moves
//! forward, and a time that comes twice means the first one.

use chrono::{FixedOffset, LocalResult, NaiveDate, NaiveDateTime, NaiveTime, Offset, SecondsFormat, TimeZone};
use chrono_tz::{TZ_VARIANTS, Tz};

use super::wall::Wall;
use crate::time::moment::Moment;

/// Characters of the text of a zone: twice the longest name of the IANA database.
pub const ZONE_CHARACTERS_MAX: usize = 64;
/// Hours between an offset and UTC. No place on Earth has a larger offset.
pub const OFFSET_HOURS_MAX: i32 = 14;

/// The length of `2027-06-01`.
const DAY_BYTES: usize = 10;

/// Abbreviations with their minutes east of UTC, as PHP knows them. They are looked up before names, as PHP does.
const ABBREVIATIONS: [(&str, i32); 60] = [
    ("ACDT", 630),
    ("ACST", 570),
    ("ADT", -180),
    ("AEDT", 660),
    ("AEST", 600),
    ("AKDT", -480),
    ("AKST", -540),
    ("AST", -240),
    ("AWDT", 540),
    ("AWST", 480),
    ("BST", 60),
    ("CAT", 120),
    ("CDT", -300),
    ("CEST", 120),
    ("CET", 60),
    ("CST", -360),
    ("EAT", 180),
    ("EDT", -240),
    ("EEST", 180),
    ("EET", 120),
    ("EST", -300),
    ("GMT", 0),
    ("HDT", -540),
    ("HKT", 480),
    ("HST", -600),
    ("IDT", 180),
    ("IST", 120),
    ("JST", 540),
    ("KST", 540),
    ("MDT", -360),
    ("MEST", 120),
    ("MET", 60),
    ("MSD", 240),
    ("MSK", 180),
    ("MST", -420),
    ("NDT", -150),
    ("NST", -210),
    ("NZDT", 780),
    ("NZST", 720),
    ("PDT", -420),
    ("PKT", 300),
    ("PST", -480),
    ("SAST", 120),
    ("SST", -660),
    ("UTC", 0),
    ("WAST", 120),
    ("WAT", 60),
    ("WEST", 60),
    ("WET", 0),
    ("WIB", 420),
    ("WIT", 540),
    ("WITA", 480),
    ("YDT", -480),
    ("YST", -540),
    ("Z", 0),
    ("CHST", 600),
    ("EWT", -240),
    ("PKST", 360),
    ("SGT", 480),
    ("PHT", 480),
];

/// A time zone, with the text by which a client named it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    name: String,
    rule: Rule,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Rule {
    /// A zone of the IANA database.
    Named(Tz),
    /// An abbreviation, in capitals.
    Abbreviation(String, FixedOffset),
    /// `UTC+5.5`, in capitals.
    FromUtc(String, FixedOffset),
    /// `+02:00`.
    Offset(FixedOffset),
}

/// A local time with its moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The local time that a clock shows at that moment; a time within a gap has moved forward.
    pub wall: Wall,
    /// The moment.
    pub moment: Moment,
}

impl Zone {
    /// The site's zone.
    #[must_use]
    pub fn site() -> Self {
        Self { name: super::SITE_ZONE.to_owned(), rule: Rule::Named(Tz::UTC) }
    }

    /// Reads `America/New_York` in any case, `EST`, `UTC+5.5`, `UTC-3`, `UTC+05:30` or `+02:00`. `None` for anything
    /// else. The caller takes [`Zone::site`] for an empty text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Rule::parse(text).map(|rule| Self { name: text.to_owned(), rule })
    }

    /// The zone of a record. The IANA database drops names from time to time; a name that is no longer known counts as
    /// the site's zone.
    #[must_use]
    pub fn of_record(name: &str) -> Self {
        Self::parse(name).unwrap_or_else(Self::site)
    }

    /// The text as it was sent.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The moment of a local time. A time within a gap moves forward by the length of the gap; a time that comes twice
    /// means the first.
    #[must_use]
    pub fn settle(&self, wall: Wall) -> Settled {
        let seconds = wall.naive().and_utc().timestamp() - i64::from(self.offset_on(wall.naive()));
        let moment = Moment::from_milliseconds(seconds.saturating_mul(1_000));
        // The clock then shows another time only within a gap, or at the ends of the calendar.
        Settled { wall: self.wall(moment), moment }
    }

    /// The moment at which a clock in this zone shows this local time.
    #[must_use]
    pub fn moment(&self, wall: Wall) -> Moment {
        self.settle(wall).moment
    }

    /// The local time in this zone at a moment.
    #[must_use]
    pub fn wall(&self, moment: Moment) -> Wall {
        let utc = Wall::in_utc(moment);
        utc.naive().checked_add_offset(self.offset_at(moment)).and_then(Wall::new).unwrap_or(utc)
    }

    /// The first moment of a day, such as `2027-06-01`, and that of the day after it. `None` if the text is no day.
    #[must_use]
    pub fn day(&self, text: &str) -> Option<(Moment, Moment)> {
        // Of a fixed length, since the parser takes `2027-6-1` too.
        let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok().filter(|_| text.len() == DAY_BYTES)?;
        let start = |day: NaiveDate| Wall::new(day.and_time(NaiveTime::MIN)).map(|wall| self.moment(wall));
        Some((start(day)?, start(day.succ_opt()?)?))
    }

    /// The name of the zone at a moment: `EST` or `EDT`, `GMT+0200` for `+02:00`, and the text itself for `UTC+5.5`.
    #[must_use]
    pub fn abbreviation(&self, moment: Moment) -> String {
        match &self.rule {
            Rule::Named(zone) => moment.utc().with_timezone(zone).format("%Z").to_string(),
            Rule::Abbreviation(name, _) | Rule::FromUtc(name, _) => name.clone(),
            Rule::Offset(offset) => format!("GMT{}", offset.to_string().replace(':', "")),
        }
    }

    /// ISO 8601 with the zone's offset: `2027-01-10T09:00:00-05:00`.
    #[must_use]
    pub fn iso(&self, moment: Moment) -> String {
        moment.utc().with_timezone(&self.offset_at(moment)).to_rfc3339_opts(SecondsFormat::Secs, false)
    }

    fn offset_at(&self, moment: Moment) -> FixedOffset {
        match &self.rule {
            Rule::Named(zone) => zone.offset_from_utc_datetime(&moment.utc().naive_utc()).fix(),
            Rule::Abbreviation(_, offset) | Rule::FromUtc(_, offset) | Rule::Offset(offset) => *offset,
        }
    }

    /// Seconds east of UTC by which a local time is read.
    fn offset_on(&self, wall: NaiveDateTime) -> i32 {
        match &self.rule {
            Rule::Named(zone) => match zone.offset_from_local_datetime(&wall) {
                LocalResult::Single(offset) | LocalResult::Ambiguous(offset, _) => offset.fix().local_minus_utc(),
                // Within a gap the offset before it counts. That is the offset a day earlier, since two gaps are at
                // least a day apart.
                LocalResult::None => {
                    let before = wall.checked_sub_signed(chrono::TimeDelta::days(1)).unwrap_or(wall);
                    zone.offset_from_utc_datetime(&before).fix().local_minus_utc()
                }
            },
            Rule::Abbreviation(_, offset) | Rule::FromUtc(_, offset) | Rule::Offset(offset) => offset.local_minus_utc(),
        }
    }
}

impl Rule {
    fn parse(text: &str) -> Option<Self> {
        if text.len() > ZONE_CHARACTERS_MAX {
            return None;
        }
        let capitals = text.to_ascii_uppercase();
        if let Some((_, minutes)) = ABBREVIATIONS.iter().find(|(name, _)| *name == capitals) {
            return Some(Self::Abbreviation(capitals, FixedOffset::east_opt(minutes * 60)?));
        }
        if let Some(rest) = capitals.strip_prefix("UTC") {
            return Some(Self::FromUtc(capitals.clone(), offset(rest)?));
        }
        if text.starts_with(['+', '-']) {
            return offset(text).map(Self::Offset);
        }
        let is_it = |zone: &&Tz| zone.name().eq_ignore_ascii_case(text);
        TZ_VARIANTS.iter().find(is_it).copied().map(Self::Named)
    }
}

/// Reads `+2`, `+5.5`, `-03`, `+05:30` or `-0330`, in minutes before they become an offset.
fn offset(text: &str) -> Option<FixedOffset> {
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let digits = text.strip_prefix(['+', '-'])?;
    let minutes = match digits.split_once([':', '.']) {
        Some((hours, part)) if digits.contains(':') => whole(hours, 2)? * 60 + minutes_of_hour(part)?,
        Some((hours, part)) => whole(hours, 2)? * 60 + fraction(part)?,
        None if digits.len() == 4 => whole(digits.get(..2)?, 2)? * 60 + minutes_of_hour(digits.get(2..)?)?,
        None => whole(digits, 2)? * 60,
    };
    (minutes <= OFFSET_HOURS_MAX * 60).then(|| FixedOffset::east_opt(sign * minutes * 60)).flatten()
}

/// Minutes of a fraction of an hour, which must be quarters: `5`, `25`, `75`, `50`, `0`.
fn fraction(digits: &str) -> Option<i32> {
    match digits {
        "0" | "00" => Some(0),
        "25" => Some(15),
        "5" | "50" => Some(30),
        "75" => Some(45),
        _ => None,
    }
}

fn minutes_of_hour(digits: &str) -> Option<i32> {
    whole(digits, 2).filter(|minutes| digits.len() == 2 && *minutes < 60)
}

fn whole(digits: &str, length_max: usize) -> Option<i32> {
    let is_number = (1..=length_max).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests;
