//! The routes of single events. Lists and the fields and links of an event have files of their own.

mod fields;
mod links;
mod list;
pub mod opening;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use domain::calendar::slug;
use domain::calendar::status::Status;

use super::answer::error::{CalendarError, ParameterFault};
use super::answer::event::{CalendarEventView, website};
use super::answer::ical;
use super::draft::{RecordDraft, refuse_blank};
use super::request::routes::RecordName;
use super::store::records::{Event, EventFields, EventLinks, FullEvent, RecordContent};
use super::store::{events, numbers};
use super::{CalendarRequest, respond};
pub use list::list;

/// `POST` of the list.
pub async fn create(asked: &CalendarRequest<'_>) -> Result<HttpResponse, CalendarError> {
    let sent = &asked.parameters.values;
    refuse_blank(sent.text("title"))?;
    let database = &asked.calendar.database;
    let caller = asked.caller.number(database).await?;
    let fields = fields::of(sent, sent.text("website"), None)?;
    let content = RecordDraft::of(sent, caller, asked.caller.rights, asked.now).create(fields)?;
    let event =
        events::create(database, asked.now, slug_sent(asked).as_deref(), content, links::of(asked, caller)?).await?;
    asked.calendar.openings.changed();
    let response = respond(StatusCode::CREATED, &CalendarEventView::of(&event, asked.site, false));
    Ok(opening::tell_open_already(asked, &event.event, response).await)
}

/// `GET` of an event.
pub async fn read(asked: &CalendarRequest<'_>, named: RecordName) -> Result<HttpResponse, CalendarError> {
    let mut event = find(asked, named).await?;
    let standing = asked.standing(&event.event).await?;
    event.event.content.status = standing.status;
    if standing.status == Status::Trash {
        return Err(CalendarError::new(
            StatusCode::FORBIDDEN,
            "event-no-longer-available",
            "The requested event is no longer available.",
        ));
    }
    if !asked.caller.rights.may_read(standing) {
        return Err(CalendarError::new(
            StatusCode::FORBIDDEN,
            "event-not-accessible",
            "The requested event is not accessible.",
        ));
    }
    opening::conceal(&mut event.event, asked.caller.rights, asked.now);
    if asked.parameters.values.truth("ical") == Some(true) {
        let id = event.event.id;
        return Ok(ical::answer(asked, ical::write(vec![event], asked.site.clone(), asked.now).await?, Some(id)));
    }
    Ok(respond(StatusCode::OK, &CalendarEventView::of(&event, asked.site, true)))
}

/// `POST`, `PUT` or `PATCH` of an event. Unlike in the original, fields that are not sent stay as they are.
pub async fn update(asked: &CalendarRequest<'_>, named: RecordName) -> Result<HttpResponse, CalendarError> {
    let FullEvent { event, .. } = find_changeable(asked, named).await?;
    // A derived link is shown as `website`. A client that sends back what it was shown does not mean to fix that link.
    let shown = website(&event, asked.site);
    let sent = &asked.parameters.values;
    let website = sent.text("website").filter(|link| *link != shown);
    refuse_blank(sent.text("title"))?;
    let number = asked.caller.number(&asked.calendar.database).await?;
    let draft = RecordDraft::of(sent, number, asked.caller.rights, asked.now);
    // Texts are rendered before the store is locked. They are rendered again only if another caller has changed the
    // event meanwhile.
    let fields = fields::of(sent, website, Some(&event.content.fields))?;
    let change = |before: &Event| {
        asked.caller.allow(asked.caller.may_edit(Some(number), before, asked.now))?;
        let is_as_read = before.content.fields == event.content.fields;
        draft.change(before, if is_as_read { fields } else { fields::of(sent, website, Some(&before.content.fields))? })
    };
    let changed = write(asked, event.id, slug_sent(asked).as_deref(), links::of(asked, number)?, change).await?;
    let response = respond(StatusCode::OK, &CalendarEventView::of(&changed, asked.site, false));
    Ok(opening::tell_open_already(asked, &changed.event, response).await)
}

/// `DELETE` of an event, which moves it to the trash.
pub async fn delete(asked: &CalendarRequest<'_>, named: RecordName) -> Result<HttpResponse, CalendarError> {
    let found = find_changeable(asked, named).await?;
    let number = asked.caller.known_number(&asked.calendar.database).await?;
    let into_trash =
        |before: &Event| asked.trashed(number, before, ("event-is-in-trash", "The event is in the trash already."));
    let trashed = write(asked, found.event.id, None, EventLinks::default(), into_trash).await?;
    Ok(respond(StatusCode::OK, &CalendarEventView::of(&trashed, asked.site, false)))
}

async fn find_changeable(asked: &CalendarRequest<'_>, named: RecordName) -> Result<FullEvent, CalendarError> {
    let event = find(asked, named).await?;
    let standing = asked.standing(&event.event).await?;
    asked.caller.allow(asked.caller.rights.may_edit(standing))?;
    Ok(event)
}

async fn write(
    asked: &CalendarRequest<'_>,
    id: i64,
    slug: Option<&str>,
    links: EventLinks,
    change: impl FnOnce(&Event) -> Result<RecordContent<EventFields>, CalendarError>,
) -> Result<FullEvent, CalendarError> {
    let updated = events::update(&asked.calendar.database, id, asked.now, slug, links, change).await?;
    asked.calendar.openings.changed();
    updated.unwrap_or_else(|| Err(not_found()))
}

/// The slug that was sent, in the form of slugs. If nothing of it is left it is empty, and the event's number is used.
fn slug_sent(asked: &CalendarRequest<'_>) -> Option<String> {
    asked.parameters.values.text("slug").map(slug::of)
}

/// Finds the event that the path names. Unlike with venues and organizers, the error says whether no record has the
/// number or one of another kind.
async fn find(asked: &CalendarRequest<'_>, named: RecordName) -> Result<FullEvent, CalendarError> {
    let (database, parameters) = (&asked.calendar.database, asked.parameters);
    if named == RecordName::Slug {
        return events::find_by_slug(database, parameters.place_slug()).await?.ok_or_else(not_found);
    }
    let id = parameters.place_number();
    if let Some(event) = events::find(database, id).await? {
        return Ok(event);
    }
    match numbers::find_kind(database, id).await? {
        Some(_) => {
            Err(CalendarError::new(StatusCode::BAD_REQUEST, "rest-invalid-event-id", "The id is not that of an event."))
        }
        None => Err(not_found()),
    }
}

fn not_found() -> CalendarError {
    CalendarError::new(StatusCode::NOT_FOUND, "rest-event-not-found", "The requested event was not found.")
}

/// The error for a value that is invalid next to the values of the record.
fn invalid(name: &'static str) -> CalendarError {
    CalendarError::invalid(vec![ParameterFault::of(name)])
}
