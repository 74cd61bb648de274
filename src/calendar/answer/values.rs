//! Values that the JSON of several kinds of records shares, and the ways in which an absent value is shown.

use domain::calendar::wall::Wall;
use serde::{Serialize, Serializer};

use crate::calendar::store::records::Record;

/// Shown as the time of a draft whose publication date is not decided yet.
pub const NO_TIME: &str = "0000-00-00 00:00:00";

/// A picture. There is no media library, so only its link is known.
#[derive(Serialize)]
pub struct Image<'a> {
    url: &'a str,
}

impl<'a> Image<'a> {
    #[must_use]
    pub fn of(link: Option<&'a str>) -> Option<Self> {
        link.filter(|url| !url.is_empty()).map(|url| Self { url })
    }
}

/// A value that is `false` if it is absent, because clients expect it so.
pub(super) struct OrFalse<T>(pub Option<T>);

impl<T: Serialize> Serialize for OrFalse<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Some(value) => value.serialize(serializer),
            None => serializer.serialize_bool(false),
        }
    }
}

/// A value that is `[]` if it is absent, because clients expect it so.
pub(super) struct OrEmpty<T>(pub Option<T>);

impl<T: Serialize> Serialize for OrEmpty<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Some(value) => value.serialize(serializer),
            None => serializer.collect_seq(std::iter::empty::<()>()),
        }
    }
}

/// When a record was published and changed, in the site's zone and in UTC.
#[derive(Serialize)]
pub struct Dates {
    date: String,
    date_utc: String,
    modified: String,
    modified_utc: String,
}

impl Dates {
    /// The dates of a record. The site's zone is UTC, so both forms agree, except that an undecided date has no form in
    /// UTC.
    #[must_use]
    pub fn of<F>(record: &Record<F>) -> Self {
        let (date, modified) =
            (Wall::in_utc(record.content.published_at).text(), Wall::in_utc(record.modified_at).text());
        let settled = |text: &str| if record.content.is_dated { text.to_owned() } else { NO_TIME.to_owned() };
        Self { date_utc: settled(&date), modified_utc: settled(&modified), date, modified }
    }
}

/// Returns whether a text is empty, so that its key is left out.
pub(super) fn is_empty(text: &&str) -> bool {
    text.is_empty()
}
