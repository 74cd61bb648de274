//! Records and terms as clients get them (`calendar-contract.md` 5): the keys in their order, and which of them are left
//! out when there is nothing to say.

use domain::calendar::wall::Wall;
use serde::{Serialize, Serializer};

use crate::calendar::store::records::Record;

/// What stands for the time of a draft that nobody has settled.
pub const NO_TIME: &str = "0000-00-00 00:00:00";

/// A picture: there is no library of them, so that only its link is known.
#[derive(Serialize)]
pub struct Image<'a> {
    url: &'a str,
}

impl<'a> Image<'a> {
    /// The picture of that link, if there is one.
    #[must_use]
    pub fn of(link: Option<&'a str>) -> Option<Self> {
        link.filter(|url| !url.is_empty()).map(|url| Self { url })
    }
}

/// What is absent as `false`.
pub(super) struct OrFalse<T>(pub Option<T>);

impl<T: Serialize> Serialize for OrFalse<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Some(value) => value.serialize(serializer),
            None => serializer.serialize_bool(false),
        }
    }
}

/// What is absent as `[]`.
pub(super) struct OrEmpty<T>(pub Option<T>);

impl<T: Serialize> Serialize for OrEmpty<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Some(value) => value.serialize(serializer),
            None => serializer.collect_seq(std::iter::empty::<()>()),
        }
    }
}

/// When a record was published and changed, on the site's clocks and in UTC.
#[derive(Serialize)]
pub struct Dates {
    date: String,
    date_utc: String,
    modified: String,
    modified_utc: String,
}

impl Dates {
    /// Of a record; the site's clocks show UTC.
    #[must_use]
    pub fn of<F>(record: &Record<F>) -> Self {
        let (date, modified) =
            (Wall::in_utc(record.content.published_at).text(), Wall::in_utc(record.modified_at).text());
        let settled = |text: &str| if record.content.is_dated { text.to_owned() } else { NO_TIME.to_owned() };
        Self { date_utc: settled(&date), modified_utc: settled(&modified), date, modified }
    }
}

/// Whether a text says nothing, so that its key is left out.
pub(super) fn is_empty(text: &&str) -> bool {
    text.is_empty()
}
