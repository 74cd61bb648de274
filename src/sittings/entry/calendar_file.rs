//! `GET /api/sittings/{id}/calendar.ics`: a sitting for the calendar of one of its candidates.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, get};
use domain::sitting::Sitting;
use domain::sitting::candidate::Candidate;
use domain::sitting::terms::GrantedTime;
use domain::time::moment::Moment;
use icalendar::{Calendar, CalendarDateTime, Class, Component, Event, EventLike};

use crate::auth::caller::Anyone;
use crate::config::Config;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::attachment::attachment;
use crate::http::fallback::NOT_FOUND;
use crate::sittings::{Sittings, known};
use crate::store::{accommodations, candidates, sittings};

const PRODUCT: &str = "-//Exam Hall//Sittings//EN";

/// A sitting for the own calendar: when it is to start and to end for the person who is signed in, and where they sit.
///
/// Anyone who is not on its roster gets 404.
#[utoipa::path(
    operation_id = "downloadMySitting",
    tag = "sittings",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Sitting id")),
    responses(
        (status = 200, description = "A calendar file", body = String, content_type = "text/calendar"),
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 404, description = "Unknown, or not on its roster", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[get("/api/sittings/{id}/calendar.ics")]
pub async fn download(
    asked: After<Anyone, Path<String>>,
    service: Data<Sittings>,
    config: Data<Config>,
) -> Result<HttpResponse, Error> {
    let After(Anyone(caller), id) = asked;
    let caller = caller.ok_or(Error::Unauthorized)?;
    service.here()?;
    let id = known(&id)?;
    let sitting = sittings::find(&service.database, id).await?.ok_or(Error::NotFound(NOT_FOUND))?;
    let found = candidates::find_by_email(&service.database.read, id, &caller.email).await?;
    let mut candidate = [found.ok_or(Error::NotFound(NOT_FOUND))?];
    accommodations::fill_before_doors(&service.database.read, &sitting, &mut candidate).await?;
    let [candidate] = candidate;
    let minutes = service.find_template(sitting.template_id).await?.duration_minutes;
    let body = file(&sitting, &candidate, minutes, &config.server.auth_url, service.clock.now());
    Ok(attachment(&service.file_name(&sitting, &[], "ics").await?)
        .insert_header(("Cache-Control", "no-store"))
        .content_type("text/calendar; charset=utf-8")
        .body(body))
}

fn file(sitting: &Sitting, candidate: &Candidate, minutes: u32, address: &str, now: Moment) -> String {
    let terms = sitting.terms(candidate, minutes);
    let starts_at = terms.begins_at.unwrap_or(terms.starts_at).value;
    let full = starts_at.plus(terms.allowance_milliseconds());
    let ends_at = terms.hard_end(GrantedTime::default()).map_or(full, |hard_end| hard_end.min(full));
    let mut entry = Event::new();
    let host = address.split_once("://").map_or(address, |(_, host)| host);
    entry.uid(&format!("sitting-{}@{host}", sitting.id)).timestamp(now.utc());
    // Programs replace an entry by one with a higher number: the sitting may be moved.
    entry.sequence(u32::try_from(sitting.version).unwrap_or(u32::MAX));
    entry.summary(&sitting.plan.name).class(Class::Private);
    entry.starts(CalendarDateTime::Utc(starts_at.utc()));
    if ends_at > starts_at {
        entry.ends(CalendarDateTime::Utc(ends_at.utc()));
    }
    entry.url(&format!("{address}/s/{}", sitting.code.as_str()));
    let room = sitting.hall(candidate.hall_id).map(|hall| hall.plan.name.clone());
    let place: Vec<String> = room.into_iter().chain(candidate.seat.clone()).collect();
    if !place.is_empty() {
        entry.location(&place.join(", "));
    }
    let mut calendar = Calendar::empty();
    for line in [("VERSION", "2.0"), ("PRODID", PRODUCT), ("CALSCALE", "GREGORIAN"), ("METHOD", "PUBLISH")] {
        calendar.append_property(line);
    }
    calendar.push(entry.done());
    calendar.to_string()
}
