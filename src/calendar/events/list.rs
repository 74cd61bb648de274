//! The list of events: its filters, and the links to further pages, which keep them.

use actix_web::HttpResponse;
use domain::calendar::dates::SentDate;
use domain::calendar::rights::ListedStatuses;
use domain::calendar::window::{DateFilters, Window};
use domain::calendar::words;
use domain::time::moment::Moment;

use super::{invalid, opening};
use crate::calendar::answer::error::CalendarError;
use crate::calendar::answer::event::CalendarEventView;
use crate::calendar::answer::ical;
use crate::calendar::answer::page::{self, Collection, Query};
use crate::calendar::request::parameters::Parameters;
use crate::calendar::request::parsed::ParsedValues;
use crate::calendar::request::routes::Group;
use crate::calendar::store::event_lists::{EventFilter, Near};
use crate::calendar::store::records::{Coordinates, FullEvent, RecordKind, Taxonomy};
use crate::calendar::store::{ListPage, PageRequest, event_lists as stored, terms};
use crate::calendar::{CalendarRequest, in_turn};

/// How far from `geoloc_lat` and `geoloc_lng` an event may be: 25 miles, the default of the original.
const NEAR_KILOMETRES: f64 = 40.2336;
/// Events of one calendar file. Programs fetch a file as a whole and every hour, and do not follow pages.
const FEED_EVENTS_MAX: u64 = 1_000;

/// `GET` of the list, as JSON or as a calendar file.
pub async fn list(asked: &CalendarRequest<'_>) -> Result<HttpResponse, CalendarError> {
    let parameters = asked.parameters;
    let (statuses, window) = (asked.statuses(), window(&parameters.values, asked.now));
    let filter = filter(asked, &statuses, &window).await?;
    if parameters.values.truth("ical") == Some(true) {
        let size = if parameters.has("per_page") { page::page(parameters).size } else { FEED_EVENTS_MAX };
        let (database, page) = (asked.calendar.database.clone(), PageRequest { size, ..page::page(parameters) });
        let (site, rights, now) = (asked.site.clone(), asked.caller.rights, asked.now);
        let file = async move {
            let mut events = stored::page(&database, &filter, page).await?;
            opening::conceal_all(&mut events, rights, now);
            ical::write(events, site, now).await
        };
        return Ok(ical::answer(asked, in_turn(&asked.calendar.files, asked.address, file).await?, None));
    }
    let page = page::page(parameters);
    let mut listed = read(asked, filter, page).await?;
    opening::conceal_all(&mut listed.items, asked.caller.rights, asked.now);
    page::refuse_beyond(RecordKind::Event, listed.total, page)?;
    let group = Group::Records(RecordKind::Event);
    let query = query(parameters, &statuses, &window, page);
    let views = listed.items.iter().map(|event| CalendarEventView::of(event, asked.site, false)).collect();
    Ok(Collection::new(group, &asked.site.list(group), &query, page, listed.total, views).respond())
}

async fn read(
    asked: &CalendarRequest<'_>,
    filter: EventFilter,
    page: PageRequest,
) -> Result<ListPage<FullEvent>, CalendarError> {
    let database = asked.calendar.database.clone();
    let is_costly = filter.is_costly();
    let reading = async move { stored::list(&database, &filter, page).await };
    if is_costly { in_turn(&asked.calendar.searches, asked.address, reading).await } else { Ok(reading.await?) }
}

fn window(values: &ParsedValues, now: Moment) -> Window {
    let date = |name: &str| values.date(name).map(SentDate::on_site);
    let asked = DateFilters {
        start_date: date("start_date"),
        end_date: date("end_date"),
        starts_after: date("starts_after"),
        starts_before: date("starts_before"),
        ends_after: date("ends_after"),
        ends_before: date("ends_before"),
        is_strict: values.truth("strict_dates").unwrap_or(false),
        is_included: values.has("include"),
    };
    Window::new(asked, now)
}

async fn filter(
    asked: &CalendarRequest<'_>,
    statuses: &ListedStatuses,
    window: &Window,
) -> Result<EventFilter, CalendarError> {
    let values = &asked.parameters.values;
    let numbers = |name: &str| values.numbers(name).map(<[i64]>::to_vec);
    // Only extensions of the original set a parent, so no event here has one.
    let has_parent = values.has("post_parent");
    Ok(EventFilter {
        statuses: if has_parent { Vec::new() } else { statuses.statuses.clone() },
        include: numbers("include"),
        window: window.clone(),
        search: values.text("search").map(words::for_events).unwrap_or_default(),
        categories: term_ids(asked, Taxonomy::Category, "categories").await?,
        tags: term_ids(asked, Taxonomy::Tag, "tags").await?,
        venues: numbers("venue").unwrap_or_default(),
        organizers: numbers("organizer").unwrap_or_default(),
        is_featured: values.truth("featured"),
        is_placed: values.truth("geoloc"),
        near: near(values),
    })
}

async fn term_ids(
    asked: &CalendarRequest<'_>,
    taxonomy: Taxonomy,
    name: &'static str,
) -> Result<Vec<i64>, CalendarError> {
    let Some(items) = asked.parameters.values.items(name) else { return Ok(Vec::new()) };
    let items: Vec<&str> = items.iter().map(String::as_str).collect();
    let ids: Option<Vec<i64>> =
        terms::find_ids(&asked.calendar.database, taxonomy, &items).await?.into_iter().collect();
    // `None` is a term that was deleted after the parameters were checked.
    ids.ok_or_else(|| invalid(name))
}

/// The place near which events are listed. One of the two coordinates means nothing without the other.
fn near(values: &ParsedValues) -> Option<Near> {
    let latitude = values.degrees("geoloc_lat").flatten()?;
    let longitude = values.degrees("geoloc_lng").flatten()?;
    let is_on_earth = latitude.abs() <= 90.0 && longitude.abs() <= 180.0;
    is_on_earth.then_some(Near { place: Coordinates { latitude, longitude }, kilometres: NEAR_KILOMETRES })
}

fn query(parameters: &Parameters, statuses: &ListedStatuses, window: &Window, page: PageRequest) -> Query {
    let values = &parameters.values;
    let text = |name: &str| parameters.echo(name);
    let list = |name: &str| parameters.echo_list(name);
    let truth = |name: &str| values.truth(name).map(|truth| if truth { "1" } else { "0" }.to_owned());
    let dates =
        |names: &[&str]| window.echo.iter().filter(|(name, _)| names.contains(name)).cloned().collect::<Vec<_>>();
    let mut query = Query { untold: &["categories", "tags"], ..Query::default() };
    query.add("page", Some(page.number.to_string()));
    query.add("per_page", Some(page.size.to_string()));
    query.pairs.extend(dates(&["start_date", "end_date"]));
    query.add("search", text("search"));
    query.add("geoloc", truth("geoloc"));
    query.add("geoloc_lat", text("geoloc_lat"));
    query.add("geoloc_lng", text("geoloc_lng"));
    query.add("status", Some(statuses.echo.clone()));
    query.add("post_parent", text("post_parent"));
    query.add("include", list("include"));
    query.pairs.extend(dates(&["starts_before", "starts_after", "ends_before", "ends_after"]));
    query.add("strict_dates", text("strict_dates").filter(|_| values.truth("strict_dates") == Some(true)));
    query.add("categories", list("categories"));
    query.add("tags", list("tags"));
    query.add("venue", list("venue"));
    query.add("organizer", list("organizer"));
    query.add("featured", truth("featured"));
    query.is_encoded =
        ["venue", "organizer"].into_iter().any(|name| values.has(name)) || values.truth("featured") == Some(true);
    query
}
