//! What every record that is written has: an author, a status and a publication date, decided from what was sent, from
//! what there was, and from what the caller may do.

use actix_web::http::StatusCode;
use domain::calendar::rights::{RecordStanding, Rights};
use domain::calendar::status::Status;
use domain::calendar::zones::Zone;
use domain::calendar::{dates, rendering, values};
use domain::time::moment::Moment;
use serde_json::Value;

use super::CalendarRequest;
use super::answer::error::CalendarError;
use super::request::parameters::text_of;
use super::store::records::{Record, RecordContent};

/// What was sent, by name; nothing for what is absent or null.
pub type SentValues<'a> = dyn Fn(&str) -> Option<Value> + 'a;

/// What of a record is its writer's business.
#[derive(Clone, Debug)]
pub struct RecordDraft {
    /// Number of the author that was named.
    author: Option<i64>,
    /// Number of the caller.
    caller: i64,
    status: Option<Status>,
    date: Option<Moment>,
    rights: Rights,
    now: Moment,
}

impl RecordDraft {
    /// What a request says of it. `caller` is the number of its sender.
    #[must_use]
    pub fn of(sent: &SentValues<'_>, caller: i64, rights: Rights, now: Moment) -> Self {
        let date = ["date", "date_utc"]
            .into_iter()
            .find_map(|name| text(sent, name))
            .and_then(|text| dates::read(&text, now, &Zone::site()));
        Self {
            author: sent("author").as_ref().and_then(super::request::parameters::whole_number),
            caller,
            status: text(sent, "status").and_then(|name| Status::parse(&name)),
            date: date.map(|wall| Zone::site().moment(wall)),
            rights,
            now,
        }
    }

    /// The same of a record that is made along with another one: it has its sender for an author.
    #[must_use]
    pub fn inline(sent: &SentValues<'_>, caller: i64, rights: Rights, now: Moment) -> Self {
        Self { author: None, ..Self::of(sent, caller, rights, now) }
    }

    /// A new record.
    ///
    /// # Errors
    /// 403 for someone who may not write in another's name.
    pub fn create<F>(&self, fields: F) -> Result<RecordContent<F>, CalendarError> {
        self.content(None, self.caller, fields)
    }

    /// A record that is changed.
    ///
    /// # Errors
    /// 403 for someone who may not write in another's name.
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

/// A text that was sent.
#[must_use]
pub fn text(sent: &SentValues<'_>, name: &str) -> Option<String> {
    sent(name).as_ref().and_then(text_of)
}

/// A detail that was sent, else the one that there was.
#[must_use]
pub fn detail(sent: &SentValues<'_>, name: &str, kept: Option<&String>) -> String {
    text(sent, name).map(|text| values::plain(&text)).or_else(|| kept.cloned()).unwrap_or_default()
}

/// A link that was sent, else the one that there was.
#[must_use]
pub fn link(sent: &SentValues<'_>, name: &str, kept: Option<&String>) -> String {
    text(sent, name).or_else(|| kept.cloned()).unwrap_or_default()
}

/// The description of a venue or an organizer that was sent and is not empty, else the one that there was.
#[must_use]
pub fn description(sent: &SentValues<'_>, kept: Option<&String>) -> String {
    let text = text(sent, "description").filter(|text| !text.is_empty());
    text.map(|text| rendering::body(&text)).or_else(|| kept.cloned()).unwrap_or_default()
}

/// Their picture that was sent, none for an empty text, else the one that there was.
#[must_use]
pub fn image(sent: &SentValues<'_>, kept: Option<&String>) -> Option<String> {
    match text(sent, "image") {
        Some(link) => Some(link).filter(|link| !link.is_empty()),
        None => kept.cloned(),
    }
}

/// Refuses a title or a name of which nothing is shown.
///
/// # Errors
/// 400 `empty_content`.
pub fn refuse_blank(text: Option<&String>) -> Result<(), CalendarError> {
    if text.is_some_and(|text| values::is_blank(text)) {
        return Err(CalendarError::new(
            StatusCode::BAD_REQUEST,
            "empty_content",
            "Content, title, and excerpt are empty.",
        ));
    }
    Ok(())
}

impl CalendarRequest<'_> {
    /// How the caller stands to a record; from then on the answer's headers say whether they may change it.
    ///
    /// # Errors
    /// When the store is unavailable.
    pub(super) async fn standing<F: Sync>(&self, record: &Record<F>) -> Result<RecordStanding, CalendarError> {
        let standing = self.caller.standing(&self.calendar.database, record, self.now).await?;
        self.around.may_change.set(Some(self.caller.rights.may_edit(standing)));
        Ok(standing)
    }

    /// What a record becomes in the trash, by the caller of that number.
    ///
    /// # Errors
    /// 401 or 403 for who may not, and 410 with this code and message when it is there already.
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

    /// What was sent, by name.
    pub(super) fn sent(&self) -> impl Fn(&str) -> Option<Value> + '_ {
        move |name: &str| self.parameters.get(name).cloned()
    }
}
