//! The author, the status and the publication date of a record that is written. They follow from what was sent, from
//! the record as it was, and from the caller's rights, in the same way for every kind of record.

use actix_web::http::StatusCode;
use domain::calendar::rights::{RecordStanding, Rights};
use domain::calendar::status::Status;
use domain::calendar::zones::Zone;
use domain::calendar::{rendering, values};
use domain::time::moment::Moment;

use super::CalendarRequest;
use super::answer::error::CalendarError;
use super::request::parsed::ParsedValues;
use super::store::records::{Record, RecordContent};

/// The part of a new or changed record that does not depend on its kind.
#[derive(Clone, Debug)]
pub struct RecordDraft {
    /// Number of the author that the request names.
    author: Option<i64>,
    /// Number of the caller.
    caller: i64,
    status: Option<Status>,
    date: Option<Moment>,
    rights: Rights,
    now: Moment,
}

impl RecordDraft {
    /// Reads the request. `caller` is the caller's number.
    #[must_use]
    pub fn of(sent: &ParsedValues, caller: i64, rights: Rights, now: Moment) -> Self {
        let date = sent.date("date").or_else(|| sent.date("date_utc"));
        Self {
            author: sent.number("author"),
            caller,
            status: sent.status("status"),
            date: date.map(|date| Zone::site().moment(date.on_site())),
            rights,
            now,
        }
    }

    /// The same for a record that is created together with an event. Its author is always the caller.
    #[must_use]
    pub fn inline(sent: &ParsedValues, caller: i64, rights: Rights, now: Moment) -> Self {
        Self { author: None, ..Self::of(sent, caller, rights, now) }
    }

    /// The content of a new record; 403 if the caller names another author without the right to.
    pub fn create<F>(&self, fields: F) -> Result<RecordContent<F>, CalendarError> {
        self.content(None, self.caller, fields)
    }

    /// The content of a changed record; 403 if the caller names another author without the right to.
    pub fn change<F>(&self, before: &Record<F>, fields: F) -> Result<RecordContent<F>, CalendarError> {
        let kept = &before.content;
        let is_settled = kept.is_dated || self.date.is_some();
        self.content(Some((kept.status, kept.published_at, is_settled)), kept.author, fields)
    }

    fn content<F>(
        &self,
        kept: Option<(Status, Moment, bool)>,
        author: i64,
        fields: F,
    ) -> Result<RecordContent<F>, CalendarError> {
        let named = self.author.unwrap_or(author);
        if named != author && !self.rights.may_write_for_others() {
            return Err(CalendarError::forbidden(true));
        }
        let settled = kept.and_then(|(_, date, is_settled)| is_settled.then_some(date));
        let published_at = self.date.or(settled).unwrap_or(self.now);
        let status = Status::settle(
            self.status,
            kept.map(|(status, ..)| status),
            self.rights.may_publish(),
            published_at,
            self.now,
        );
        let is_dated = self.date.is_some() || settled.is_some() || !status.is_unfinished();
        Ok(RecordContent { author: named, status, published_at, is_dated, fields })
    }
}

/// The detail that was sent, or otherwise the one of the record.
#[must_use]
pub fn detail(sent: &ParsedValues, name: &str, kept: Option<&String>) -> String {
    sent.text(name).map(values::plain).or_else(|| kept.cloned()).unwrap_or_default()
}

/// The link that was sent, or otherwise the one of the record.
#[must_use]
pub fn link(sent: &ParsedValues, name: &str, kept: Option<&String>) -> String {
    sent.text(name).map(str::to_owned).or_else(|| kept.cloned()).unwrap_or_default()
}

/// The title or the name that was sent, or otherwise the one of the record.
#[must_use]
pub fn title(sent: &ParsedValues, name: &str, kept: Option<&String>) -> String {
    sent.text(name).map(rendering::title).or_else(|| kept.cloned()).unwrap_or_default()
}

/// The description of a venue or an organizer that was sent and is not empty, or otherwise the one of the record.
#[must_use]
pub fn description(sent: &ParsedValues, kept: Option<&String>) -> String {
    let text = sent.text("description").filter(|text| !text.is_empty());
    text.map(rendering::body).or_else(|| kept.cloned()).unwrap_or_default()
}

/// The picture that was sent, or otherwise the one of the record.
#[must_use]
pub fn image(sent: &ParsedValues, kept: Option<&String>) -> Option<String> {
    sent.image("image").map_or_else(|| kept.cloned(), |link| link.map(str::to_owned))
}

/// Refuses a title or a name that would show nothing: 400 `empty_content`.
pub fn refuse_blank(text: Option<&str>) -> Result<(), CalendarError> {
    if text.is_some_and(values::is_blank) {
        return Err(CalendarError::new(
            StatusCode::BAD_REQUEST,
            "empty_content",
            "Content, title, and excerpt are empty.",
        ));
    }
    Ok(())
}

impl CalendarRequest<'_> {
    /// The caller's standing to a record. It also decides which methods the answer's `Allow` header names.
    pub(super) async fn standing<F: Sync>(&self, record: &Record<F>) -> Result<RecordStanding, CalendarError> {
        let standing = self.caller.standing(&self.calendar.database, record, self.now).await?;
        self.around.may_change.set(Some(self.caller.rights.may_edit(standing)));
        Ok(standing)
    }

    /// The content of a record that goes into the trash. `number` is the caller's number. 401 or 403 if the caller may
    /// not do so, and 410 with the code and message in `is_there` if it is in the trash already.
    pub(super) fn trashed<F: Clone>(
        &self,
        number: Option<i64>,
        before: &Record<F>,
        is_there: (&'static str, &str),
    ) -> Result<RecordContent<F>, CalendarError> {
        self.caller.allow(self.caller.may_edit(number, before, self.now))?;
        if before.content.status == Status::Trash {
            return Err(CalendarError::new(StatusCode::GONE, is_there.0, is_there.1));
        }
        Ok(RecordContent { status: Status::Trash, ..before.content.clone() })
    }
}
