//! Parameters of queries, read one by one, so that the error names the one that is wrong. An empty one counts as
//! absent: a form sends such a parameter for what was not filled in.

use domain::calendar::zones::Zone;
use domain::time::moment::Moment;

use crate::error::Error;

/// The last page of a list that can be asked for.
const PAGES_MAX: u64 = 1_000_000;

/// The value of a parameter, if there is one; 400 `Invalid <name>` if it cannot be parsed.
pub fn parsed<T>(name: &str, text: &Option<String>, parse: impl FnOnce(&str) -> Option<T>) -> Result<Option<T>, Error> {
    let text = text.as_deref().filter(|text| !text.is_empty());
    text.map(|text| parse(text).ok_or_else(|| Error::invalid(name))).transpose()
}

/// A flag, which is absent, `true` or `false`; 400 `Invalid <name>` for anything else.
pub fn flag(name: &str, given: Option<&str>) -> Result<bool, Error> {
    match given {
        None | Some("" | "false" | "0") => Ok(false),
        Some("true" | "1") => Ok(true),
        Some(_) => Err(Error::invalid(name)),
    }
}

/// A number from 1 to `max`, if there is one; 400 `Invalid <name>` if it is none of these.
pub fn number(name: &str, text: &Option<String>, max: u64) -> Result<Option<u64>, Error> {
    parsed(name, text, |text| text.parse().ok().filter(|number| (1..=max).contains(number)))
}

/// The number of a page, from 1, if one is asked for; 400 `Invalid page`.
pub fn page(text: &Option<String>) -> Result<Option<u64>, Error> {
    number("page", text, PAGES_MAX)
}

/// The beginning of a range, if there is one: a moment in ISO 8601, or a day in this zone.
pub fn range_start(name: &str, text: &Option<String>, zone: &Zone) -> Result<Option<Moment>, Error> {
    parsed(name, text, |text| moment(text).or_else(|| zone.day(text).map(|(start, _)| start)))
}

/// The end of a range, which is no part of it: likewise, but a day is a part of the range.
pub fn range_end(name: &str, text: &Option<String>, zone: &Zone) -> Result<Option<Moment>, Error> {
    parsed(name, text, |text| moment(text).or_else(|| zone.day(text).map(|(_, next)| next)))
}

/// In a query, a plus sign that was not encoded is a blank.
fn moment(text: &str) -> Option<Moment> {
    Moment::parse(&text.replace(' ', "+"))
}
