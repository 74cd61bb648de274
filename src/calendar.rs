//! The calendar of events: an interface of its own beside that of exams, because its clients are those of another
//! system and expect its routes, errors and headers (`docs/calendar.md`). Its data is always in the server's own
//! database.

mod about;
mod answer;
mod draft;
mod event_page;
mod events;
mod linked_posts;
mod organizers;
mod request;
mod schedule;
pub mod store;
mod terms;
mod venues;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header::{HeaderMap, ORIGIN};
use actix_web::http::{Method, StatusCode};
use actix_web::web::{self, Data, Payload};
use actix_web::{HttpMessage, HttpRequest, HttpResponse, Resource};
use domain::time::moment::Moment;
use percent_encoding::percent_decode_str;

use crate::auth::caller::Callers;
use crate::base::Base;
use crate::clock::Clock;
use crate::config::CalendarConfig;
use crate::database::Database;
use crate::error::Error;
use crate::http::client_address::counted_address;
use crate::http::request::NamedRoute;
use crate::http::turnstile::TurnError;
use crate::http::turnstile::by_address::AddressTurnstile;
use crate::store::openings::Openings;
pub use about::discovery::announce;
use answer::error::CalendarError;
use answer::headers::Around;
use answer::site::Site;
pub use event_page::show_event;
use request::caller::Caller;
use request::check::{self, Scene};
use request::parameters::Parameters;
use request::routes::{self, Group, Route, Verb};
use request::tables;
use schedule::Schedule;
use store::records::RecordKind;
use store::{Organizers, Venues};

/// Costly lists that are read at once: exams read from the same database, and must never wait for a search.
const COSTLY_AT_ONCE: usize = 2;
/// Callers whose list is being read or is waiting. Each holds little but its request, so the bound is generous.
const COSTLY_CALLERS_MAX: usize = 512;
/// Callers from one address whose list is being read or is waiting. They take turns: a caller who floods the calendar
/// with searches waits behind their own, and keeps nobody else waiting. A school may have one address for all.
const COSTLY_CALLERS_OF_ADDRESS_MAX: usize = 64;
/// How long a list waits for its turn before its caller gets 503.
const TURN_TIMEOUT: Duration = Duration::from_secs(10);
/// How long one list may be read: a connection that is dead without saying so would keep its turn for good.
const READING_TIMEOUT: Duration = Duration::from_secs(20);
const BUSY: &str = "The calendar is busy";
/// Header by which a client names a method other than the request's own.
const METHOD_OVERRIDE: &str = "x-http-method-override";

/// The calendar of this server. It is shared by all workers.
pub struct Calendar {
    database: Database,
    clock: Clock,
    config: CalendarConfig,
    schedule: Schedule,
    openings: Arc<Openings>,
    /// Searches and calendar files take turns separately, so that a search delays no student's calendar file.
    searches: AddressTurnstile,
    files: AddressTurnstile,
}

/// A request whose parameters are valid and whose caller may use the route.
struct CalendarRequest<'a> {
    calendar: &'a Calendar,
    site: &'a Site,
    caller: &'a Caller,
    parameters: &'a Parameters,
    headers: &'a HeaderMap,
    around: &'a Around,
    /// Where the request comes from.
    address: Option<IpAddr>,
    now: Moment,
}

impl Calendar {
    #[must_use]
    pub fn open(base: &Base, openings: &Arc<Openings>) -> Self {
        let turnstile = || {
            let of_address = COSTLY_CALLERS_OF_ADDRESS_MAX;
            AddressTurnstile::new(COSTLY_AT_ONCE, COSTLY_CALLERS_MAX, of_address, TURN_TIMEOUT)
        };
        let (searches, files) = (turnstile(), turnstile());
        Self {
            database: base.database.clone(),
            clock: base.clock.clone(),
            config: base.config.calendar.clone(),
            schedule: Schedule::new(),
            openings: Arc::clone(openings),
            searches,
            files,
        }
    }
}

/// The resource for all addresses of the calendar and for the REST root above them. An empty root is the site's own
/// first page, so it is left out.
#[must_use]
pub fn service(config: &CalendarConfig) -> Resource {
    let (mount, root) = (config.mount(), &config.rest_root);
    let mut addresses = vec![mount.clone(), format!("{mount}/{{path:.*}}")];
    if !root.is_empty() {
        addresses.extend([root.clone(), format!("{root}/")]);
    }
    web::resource(addresses).to(serve)
}

/// Answers any request to the calendar, with the headers that every answer has.
async fn serve(
    request: HttpRequest,
    payload: Payload,
    calendar: Data<Calendar>,
    callers: Data<Callers>,
) -> HttpResponse {
    let site = Site::of(&request, &calendar.config);
    let mut around = Around::default();
    let answered = Box::pin(answer(&request, payload, &calendar, &callers, &site, &mut around)).await;
    let mut response = answered.unwrap_or_else(|refusal| refusal.response());
    let origin = request.headers().get(ORIGIN);
    answer::headers::set(&mut response, &around, &site.rest_root, origin);
    answer::headers::expose_more(answer::selection::pare(response, request.query_string()), origin)
}

/// Checks a request in the order of the original, since a client sees the first check that fails: caller, route,
/// parameters, rights. Every route passes through here, so no handler can leave a check out.
async fn answer(
    request: &HttpRequest,
    payload: Payload,
    calendar: &Calendar,
    callers: &Callers,
    site: &Site,
    around: &mut Around,
) -> Result<HttpResponse, CalendarError> {
    let method = routes::method(
        request.method(),
        request.headers().get(METHOD_OVERRIDE),
        answer::selection::asked(request.query_string(), "_method").as_deref(),
    );
    let caller = Caller::of(request, &method, callers).await?;
    (around.is_known, around.rights) = (caller.is_known(), Some(caller.rights));
    let (route, place) = find(request, &calendar.config).ok_or_else(CalendarError::no_route)?;
    around.route = Some(route);
    request.extensions_mut().insert(named(route, &calendar.config));
    if method == Method::OPTIONS {
        return Ok(about::index::options(route, site));
    }
    let verb = route.verb(&method).ok_or_else(CalendarError::no_route)?;
    if calendar.database.is_read_only() && !method.is_safe() {
        return Err(Error::ReadOnly.into());
    }
    let sent = request::body::gather(request, payload, place, tables::of(route, verb)).await?;
    let now = calendar.clock.now();
    calendar.schedule.publish_due(&calendar.database, now).await;
    let scene = Scene { database: &calendar.database, rights: caller.rights, verb, now };
    let parameters = Box::pin(check::check(sent, &scene)).await?;
    caller.allow(route.permits(verb, caller.rights))?;
    let asked = CalendarRequest {
        calendar,
        site,
        caller: &caller,
        parameters: &parameters,
        headers: request.headers(),
        around,
        address: counted_address(request),
        now,
    };
    Box::pin(handle(&asked, route, verb)).await
}

/// The route of a request, with the number or the slug in its path.
fn find(request: &HttpRequest, config: &CalendarConfig) -> Option<(Route, Option<String>)> {
    let path = request.path().strip_prefix(&config.rest_root)?;
    if matches!(path, "" | "/") {
        return Some((Route::Root, None));
    }
    let path = path.strip_prefix(&format!("/{}", config.namespace()))?;
    let (route, place) = Route::find(path)?;
    Some((route, place.map(|place| percent_decode_str(place).decode_utf8_lossy().into_owned())))
}

/// The route as metrics show it.
fn named(route: Route, config: &CalendarConfig) -> NamedRoute {
    let path = if route == Route::Root { String::new() } else { config.namespace() + &route.pattern("{id}", "{slug}") };
    NamedRoute(format!("{}/{path}", config.rest_root).into())
}

async fn handle(asked: &CalendarRequest<'_>, route: Route, verb: Verb) -> Result<HttpResponse, CalendarError> {
    use Group::{Records, Terms};
    use RecordKind::{Event, Organizer, Venue};
    match (route, verb) {
        (Route::Root, _) => Ok(about::index::root(asked.site)),
        (Route::Index, _) => about::index::read(asked),
        (Route::Document, _) => Ok(about::document::read(asked.site)),
        (Route::All(Records(Event)), Verb::Create) => Box::pin(events::create(asked)).await,
        (Route::All(Records(Event)), _) => Box::pin(events::list(asked)).await,
        (Route::One(Records(Event), named), Verb::Read) => Box::pin(events::read(asked, named)).await,
        (Route::One(Records(Event), named), Verb::Delete) => Box::pin(events::delete(asked, named)).await,
        (Route::One(Records(Event), named), _) => Box::pin(events::update(asked, named)).await,
        (Route::All(Records(Venue)), Verb::Create) => Box::pin(linked_posts::create::<Venues>(asked)).await,
        (Route::All(Records(Venue)), _) => Box::pin(linked_posts::list::<Venues>(asked)).await,
        (Route::One(Records(Venue), named), verb) => Box::pin(linked_posts::one::<Venues>(asked, named, verb)).await,
        (Route::All(Records(Organizer)), Verb::Create) => Box::pin(linked_posts::create::<Organizers>(asked)).await,
        (Route::All(Records(Organizer)), _) => Box::pin(linked_posts::list::<Organizers>(asked)).await,
        (Route::One(Records(Organizer), named), verb) => {
            Box::pin(linked_posts::one::<Organizers>(asked, named, verb)).await
        }
        (Route::All(Terms(taxonomy)), Verb::Create) => Box::pin(terms::create(asked, taxonomy)).await,
        (Route::All(Terms(taxonomy)), _) => Box::pin(terms::list(asked, taxonomy)).await,
        (Route::One(Terms(taxonomy), _), verb) => Box::pin(terms::one(asked, taxonomy, verb)).await,
    }
}

fn respond(status: StatusCode, body: &impl serde::Serialize) -> HttpResponse {
    HttpResponse::build(status)
        .insert_header((actix_web::http::header::CONTENT_TYPE, answer::error::JSON))
        .body(answer::error::json(body))
}

/// What a costly reading gives when the turn of its address has come.
async fn in_turn<T, E>(
    turnstile: &AddressTurnstile,
    address: Option<IpAddr>,
    reading: impl Future<Output = Result<T, E>> + Send + 'static,
) -> Result<T, CalendarError>
where
    T: Send + 'static,
    E: Send + 'static,
    CalendarError: From<E>,
{
    let read = turnstile.run(address, READING_TIMEOUT, reading).await.map_err(|error| match error {
        TurnError::Busy => Error::Unavailable(BUSY),
        TurnError::Broken(error) => Error::internal(error),
    })?;
    Ok(read?)
}
