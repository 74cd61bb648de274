//! The routes of venues and organizers, which differ only in their fields.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use domain::calendar::rights::ListedStatuses;
use domain::calendar::words;
use serde::Serialize;

use super::answer::error::{CalendarError, ParameterFault};
use super::answer::page::{self, Collection, Query};
use super::answer::site::Site;
use super::draft::{RecordDraft, refuse_blank};
use super::request::parsed::ParsedValues;
use super::request::routes::{Group, RecordName, Verb};
use super::store::linked_posts::{self, LinkedFilter, LinkedPosts, Upcoming};
use super::store::records::{Record, RecordContent};
use super::{CalendarRequest, in_turn, respond};

/// A kind of record that events link to, with its form in this interface.
pub trait Presented: LinkedPosts {
    /// The JSON of a record.
    type View<'a>: Serialize;
    /// The parameter that holds the record's name.
    const NAME: &'static str;
    /// The code of the error for a record that the caller may not read.
    const NOT_ACCESSIBLE: &'static str;
    /// The code of the error for a record that is in the trash already.
    const IN_TRASH: &'static str;

    /// The JSON of a record; `is_single` if it is requested alone and shows more.
    fn view<'a>(record: &'a Record<Self::Fields>, site: &Site, is_single: bool) -> Self::View<'a>;

    /// The fields from what was sent, and otherwise from the record as it was.
    fn fields(sent: &ParsedValues, kept: Option<&Self::Fields>) -> Self::Fields;
}

/// Bytes of a description as shown, where characters have become entities. It is less than that of an event, since a
/// page of events shows the descriptions of all records that they link to.
const SHOWN_BYTES_MAX: usize = 32 * 1_024;

/// The fields of a record; 400 if the rendered description is too long.
pub fn fields_of<K: Presented>(sent: &ParsedValues, kept: Option<&K::Fields>) -> Result<K::Fields, CalendarError> {
    let fields = K::fields(sent, kept);
    let (_, description) = K::name_and_description(&fields);
    if description.len() > SHOWN_BYTES_MAX { Err(invalid("description")) } else { Ok(fields) }
}

/// `POST` of a list. The original returns an existing record of the same name; here the record is always new.
pub async fn create<K: Presented>(asked: &CalendarRequest<'_>) -> Result<HttpResponse, CalendarError> {
    let sent = &asked.parameters.values;
    refuse_blank(sent.text(K::NAME))?;
    let database = &asked.calendar.database;
    let caller = asked.caller.number(database).await?;
    let content = RecordDraft::of(sent, caller, asked.caller.rights, asked.now).create(fields_of::<K>(sent, None)?)?;
    let record = linked_posts::create::<K>(database, asked.now, content).await?;
    Ok(respond(StatusCode::CREATED, &K::view(&record, asked.site, false)))
}

/// The other methods of a single record.
pub async fn one<K: Presented>(
    asked: &CalendarRequest<'_>,
    named: RecordName,
    verb: Verb,
) -> Result<HttpResponse, CalendarError> {
    let mut record = find::<K>(asked, named).await?;
    let standing = asked.standing(&record).await?;
    if verb == Verb::Read {
        if !asked.caller.rights.may_read(standing) {
            return Err(CalendarError::new(StatusCode::FORBIDDEN, K::NOT_ACCESSIBLE, "The record is not accessible."));
        }
        record.content.status = standing.status;
        return Ok(respond(StatusCode::OK, &K::view(&record, asked.site, true)));
    }
    asked.caller.allow(asked.caller.rights.may_edit(standing))?;
    let changed =
        if verb == Verb::Delete { delete::<K>(asked, record.id).await? } else { update::<K>(asked, record).await? };
    Ok(respond(StatusCode::OK, &K::view(&changed, asked.site, false)))
}

async fn update<K: Presented>(
    asked: &CalendarRequest<'_>,
    record: Record<K::Fields>,
) -> Result<Record<K::Fields>, CalendarError> {
    let sent = &asked.parameters.values;
    refuse_blank(sent.text(K::NAME))?;
    let number = asked.caller.number(&asked.calendar.database).await?;
    let draft = RecordDraft::of(sent, number, asked.caller.rights, asked.now);
    // Texts are rendered before the store is locked. They are rendered again only if another caller has changed the
    // record meanwhile.
    let fields = fields_of::<K>(sent, Some(&record.content.fields))?;
    let change = |before: &Record<K::Fields>| {
        asked.caller.allow(asked.caller.may_edit(Some(number), before, asked.now))?;
        let is_as_read = before.content.fields == record.content.fields;
        draft.change(before, if is_as_read { fields } else { fields_of::<K>(sent, Some(&before.content.fields))? })
    };
    write::<K>(asked, record.id, change).await
}

async fn delete<K: Presented>(asked: &CalendarRequest<'_>, id: i64) -> Result<Record<K::Fields>, CalendarError> {
    let number = asked.caller.known_number(&asked.calendar.database).await?;
    let into_trash = |before: &Record<K::Fields>| {
        asked.trashed(number, before, (K::IN_TRASH, "The record is in the trash already."))
    };
    write::<K>(asked, id, into_trash).await
}

async fn write<K: Presented>(
    asked: &CalendarRequest<'_>,
    id: i64,
    change: impl FnOnce(&Record<K::Fields>) -> Result<RecordContent<K::Fields>, CalendarError>,
) -> Result<Record<K::Fields>, CalendarError> {
    linked_posts::update::<K, CalendarError>(&asked.calendar.database, id, asked.now, change)
        .await?
        .unwrap_or_else(|| Err(invalid("id")))
}

async fn find<K: Presented>(
    asked: &CalendarRequest<'_>,
    named: RecordName,
) -> Result<Record<K::Fields>, CalendarError> {
    let (database, parameters) = (&asked.calendar.database, asked.parameters);
    match named {
        RecordName::Number => {
            linked_posts::find::<K>(database, parameters.place_number()).await?.ok_or_else(|| invalid("id"))
        }
        RecordName::Slug => {
            linked_posts::find_by_slug::<K>(database, parameters.place_slug()).await?.ok_or_else(|| invalid("slug"))
        }
    }
}

/// The error for a record that was removed during the request, and for a description that is too long.
fn invalid(name: &'static str) -> CalendarError {
    CalendarError::invalid(vec![ParameterFault::of(name)])
}

/// `GET` of a list.
pub async fn list<K: Presented>(asked: &CalendarRequest<'_>) -> Result<HttpResponse, CalendarError> {
    let parameters = asked.parameters;
    let group = Group::Records(K::KIND);
    let statuses = asked.statuses();
    let page = page::page(parameters);
    let search = parameters.values.text("search");
    let is_coming = parameters.values.truth("only_with_upcoming").unwrap_or(false);
    let filter = LinkedFilter {
        statuses: statuses.statuses,
        words: search.map(words::for_places),
        event: parameters.values.number("event"),
        has_events: parameters.values.truth("has_events"),
        upcoming: is_coming.then(|| Upcoming { from: asked.now, statuses: asked.caller.coming() }),
    };
    let database = asked.calendar.database.clone();
    let wanted = filter.clone();
    let reading = async move { linked_posts::list::<K>(&database, &wanted, page).await };
    let listed = if filter.is_costly() {
        in_turn(&asked.calendar.searches, asked.address, reading).await?
    } else {
        reading.await?
    };
    page::refuse_beyond(K::KIND, listed.total, page)?;
    let flag = |truth: bool| if truth { "1" } else { "0" }.to_owned();
    let mut query = Query { untold: &["search"], ..Query::default() };
    query.add("page", Some(page.number.to_string()));
    query.add("per_page", Some(page.size.to_string()));
    query.add("search", search.map(str::to_owned));
    query.add("status", Some(statuses.echo));
    query.add("event", filter.event.map(|event| event.to_string()));
    query.add("has_events", filter.has_events.map(flag));
    query.add("only_with_upcoming", is_coming.then(|| flag(true)));
    let views = listed.items.iter().map(|record| K::view(record, asked.site, false)).collect();
    Ok(Collection::new(group, &asked.site.list(group), &query, page, listed.total, views).respond())
}

impl CalendarRequest<'_> {
    /// The statuses that a list includes.
    pub(super) fn statuses(&self) -> ListedStatuses {
        self.parameters.values.statuses("status").cloned().unwrap_or_else(|| self.caller.rights.listed_by_default())
    }
}
