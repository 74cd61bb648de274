//! `GET /api/sessions`: all sessions in one stream, or those that pass a filter, with totals and by pages.

use std::pin::Pin;
use std::sync::Arc;

use actix_web::web::{Data, Query};
use actix_web::{HttpResponse, get};
use domain::resources::{RowPosition, SessionEntry, SessionFilter, SessionSummary};
use domain::sight::SchoolSight;
use futures_util::stream::{self, BoxStream, StreamExt, TryStreamExt};
use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::{AnyOfBuilder, ArrayBuilder, Schema};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use crate::auth::caller::AdminOnly;
use crate::config::Config;
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{keep_private, private};
use crate::http::paged_stream::listed;
use crate::http::parameters;
use crate::http::session_conditions::{OriginChoice, SessionConditions, SessionParameters};
use crate::provider::Provider;
use crate::store::embargo::Embargo;
use crate::store::school::find_zone;
use crate::strain::{Deferrable, Strain};

/// Sessions in memory at once; a longer list is streamed page by page.
const SESSIONS_AT_ONCE: u64 = 1_000;
/// Sessions on one page, unless the caller asks for another number.
const PER_PAGE: u64 = 50;
/// Sessions on one page at most.
const PER_PAGE_MAX: u64 = 500;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SessionListQuery {
    page: Option<String>,
    per_page: Option<String>,
    // Not flattened into one, because then a parameter that is sent twice would count once.
    grade: Option<String>,
    from: Option<String>,
    to: Option<String>,
    event: Option<String>,
    template: Option<String>,
    q: Option<String>,
    origin: Option<String>,
}

impl SessionListQuery {
    /// The page, from 1, and its length; `None` if no page is asked for.
    fn page(&self) -> Result<Option<(u64, u64)>, Error> {
        let page = parameters::page(&self.page)?;
        let per_page = parameters::number("perPage", &self.per_page, PER_PAGE_MAX)?;
        Ok(page.or(per_page).map(|_| (page.unwrap_or(1), per_page.unwrap_or(PER_PAGE))))
    }

    fn conditions(self) -> SessionConditions {
        let Self { grade, from, to, event, template, q, origin, .. } = self;
        SessionConditions { grade, from, to, event, template, q, origin }
    }
}

/// A page of sessions, the newest first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SessionPage {
    sessions: Vec<SessionEntry>,
    /// From 1.
    page: u64,
    per_page: u64,
    /// Sessions on all pages.
    total: u64,
}

/// The three forms of the answer. They are not told apart by their shape alone: each entry is a summary too, and an
/// empty array may be of either.
struct SessionList;

impl PartialSchema for SessionList {
    fn schema() -> RefOr<Schema> {
        let array = |name| ArrayBuilder::new().items(Ref::from_schema_name(name));
        AnyOfBuilder::new()
            .item(Ref::from_schema_name(SessionPage::name()))
            .item(array(SessionEntry::name()))
            .item(array(SessionSummary::name()))
            .description(Some("A page; with `event` alone an array of entries; without parameters one of summaries."))
            .into()
    }
}

impl ToSchema for SessionList {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((SessionPage::name().into_owned(), SessionPage::schema()));
        schemas.push((SessionEntry::name().into_owned(), SessionEntry::schema()));
        schemas.push((SessionSummary::name().into_owned(), SessionSummary::schema()));
        SessionPage::schemas(schemas);
        SessionEntry::schemas(schemas);
        SessionSummary::schemas(schemas);
    }
}

/// All sessions, the newest first, without their answers; or a page of those that pass a filter.
///
/// Without parameters the answer is an array of all sessions, and with `event` alone one of that event's live sessions,
/// or with `origin=all` of all its sessions. With any other parameter it is a page, `{sessions, page, perPage, total}`.
/// Parameters that are not listed here, such as `Page`, count as none: the answer is then the array of all sessions.
#[utoipa::path(
    operation_id = "listSessions",
    tag = "administration",
    security(("api_token" = [])),
    params(
        ("page" = Option<u64>, Query, description = "From 1", minimum = 1, maximum = 1_000_000),
        ("perPage" = Option<u64>, Query, description = "1 to 500; 50 without it", minimum = 1, maximum = 500),
        SessionParameters,
        ("origin" = inline(Option<OriginChoice>), Query, description = "`live`, `client` or `all`; with `event`, `live` without it"),
    ),
    responses(
        (status = 200, description = "The sessions: an array, or a page of them", body = SessionList),
        (status = 400, description = "Names the parameter that is wrong, such as `Invalid event`", body = ErrorBody),
        (status = 401, description = "Not an admin", body = ErrorBody),
        (status = 501, description = "`Not available from the external data provider`", body = ErrorBody),
        (status = 503, description = "`The server is busy`: answers are saved late", body = ErrorBody),
    )
)]
#[get("/api/sessions")]
pub async fn sessions_list(
    asked: After<AdminOnly, Query<SessionListQuery>>,
    provider: Data<dyn Provider>,
    database: Data<Database>,
    config: Data<Config>,
    strain: Data<Strain>,
) -> Result<HttpResponse, Error> {
    let After(AdminOnly(admin), Query(asked)) = asked;
    let sight = Embargo::school_sight(&admin).ok_or(Error::Unauthorized)?;
    let page = asked.page()?;
    let conditions = asked.conditions();
    let is_page = page.is_some() || conditions.name_more_than_an_event();
    strain.admit(if is_page { Deferrable::Single } else { Deferrable::Bulk })?;
    let mut filter = conditions.filter(&find_zone(&database.read).await?)?;
    if filter.event.is_some() {
        filter = conditions.live_unless_asked(filter)?;
    }
    if is_page {
        let (page, per_page) = page.unwrap_or((1, PER_PAGE));
        let (mut sessions, total) = provider.session_page(sight, &filter, page - 1, per_page).await?;
        sessions.iter_mut().for_each(|entry| link_here(&mut entry.summary, &config));
        return Ok(private(&mut HttpResponse::Ok()).json(SessionPage { sessions, page, per_page, total }));
    }
    let (provider, config) = (provider.into_inner(), config.into_inner());
    let mut answer = if filter.event.is_some() {
        let pages = entries(provider, sight, filter).map_ok(move |mut page| {
            page.iter_mut().for_each(|entry| link_here(&mut entry.summary, &config));
            page
        });
        listed("[", pages.boxed(), "]", serde_json::to_string).await?
    } else {
        let pages = summaries(provider, sight).map_ok(move |mut page| {
            page.iter_mut().for_each(|summary| link_here(summary, &config));
            page
        });
        listed("[", pages.boxed(), "]", serde_json::to_string).await?
    };
    keep_private(&mut answer);
    Ok(answer)
}

/// Staff follow the links of lists, so they lead to this server, whatever `baseUrl` a test was sent with.
fn link_here(summary: &mut SessionSummary, config: &Config) {
    summary.report_url = config.server.report_link(summary.session_id);
}

/// All sessions, page by page.
fn summaries(
    provider: Arc<dyn Provider>,
    sight: SchoolSight,
) -> BoxStream<'static, Result<Vec<SessionSummary>, Error>> {
    pages(
        provider,
        move |provider, last| Box::pin(async move { provider.summaries_after(sight, last, SESSIONS_AT_ONCE).await }),
        SessionSummary::place,
    )
}

/// The sessions that pass the filter, page by page.
pub fn entries(
    provider: Arc<dyn Provider>,
    sight: SchoolSight,
    filter: SessionFilter,
) -> BoxStream<'static, Result<Vec<SessionEntry>, Error>> {
    pages(
        provider,
        move |provider, last| {
            let filter = filter.clone();
            Box::pin(async move { provider.entries_after(sight, &filter, last, SESSIONS_AT_ONCE).await })
        },
        |entry: &SessionEntry| entry.summary.place(),
    )
}

type Reading<T> = Pin<Box<dyn Future<Output = Result<Vec<T>, Error>> + Send>>;

/// The pages that `read` gives, each beginning after the last row of the one before. The next one is read only when the
/// previous one has been sent, so a slow client costs one page of memory.
fn pages<T: Send + 'static>(
    provider: Arc<dyn Provider>,
    read: impl Fn(Arc<dyn Provider>, Option<RowPosition>) -> Reading<T> + Send + 'static,
    place: fn(&T) -> RowPosition,
) -> BoxStream<'static, Result<Vec<T>, Error>> {
    let pages = stream::try_unfold((provider, read, Some(None)), move |(provider, read, next)| async move {
        let Some(last) = next else { return Ok(None) };
        let page = read(Arc::clone(&provider), last).await?;
        let is_full = u64::try_from(page.len()).is_ok_and(|count| count == SESSIONS_AT_ONCE);
        let next = page.last().filter(|_| is_full).map(|last| Some(place(last)));
        Ok(Some((page, (provider, read, next))))
    });
    pages.boxed()
}
