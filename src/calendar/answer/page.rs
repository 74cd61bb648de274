//! Pages of lists: which page is requested, and the links from one to the next. The links keep every filter, so that a
//! client that follows them reads one list.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use url::form_urlencoded;

use super::error::CalendarError;
use super::headers::{TOTAL, TOTAL_PAGES};
use crate::calendar::request::parameters::Parameters;
use crate::calendar::request::routes::Group;
use crate::calendar::request::tables::PER_PAGE;
use crate::calendar::store::PageRequest;
use crate::calendar::store::records::RecordKind;

/// Items of a page. Callers who ask for more get this many, as in the original.
pub const PER_PAGE_MAX: u64 = 50;
/// Characters that would mean something else in a link without form encoding.
const TELLING: [char; 6] = ['%', '&', '+', '#', '"', '\\'];

/// The filters of a list in the order in which links name them.
#[derive(Clone, Debug, Default)]
pub struct Query {
    pub pairs: Vec<(&'static str, String)>,
    /// Whether the list's own link is form-encoded. Links to other pages always are.
    pub is_encoded: bool,
    /// Whether the list's own link names no filter.
    pub is_bare: bool,
    /// Filters that the list's own link leaves out, as in the original.
    pub untold: &'static [&'static str],
}

/// A page of a list, with its links.
pub struct Collection<T> {
    group: Group,
    items: Vec<T>,
    rest_url: String,
    next: Option<String>,
    previous: Option<String>,
    total: u64,
    total_pages: u64,
}

#[must_use]
pub fn page(parameters: &Parameters) -> PageRequest {
    let number =
        |name: &str, default: i64| u64::try_from(parameters.values.number(name).unwrap_or(default)).unwrap_or(1).max(1);
    PageRequest { number: number("page", 1), size: number("per_page", PER_PAGE).min(PER_PAGE_MAX) }
}

#[must_use]
pub const fn pages(total: u64, page: PageRequest) -> u64 {
    total.div_ceil(page.size)
}

/// Refuses a page past the end of a list of records with 404. The first page always exists, even if it is empty.
pub fn refuse_beyond(kind: RecordKind, total: u64, page: PageRequest) -> Result<(), CalendarError> {
    if page.number == 1 || page.number <= pages(total, page) {
        return Ok(());
    }
    let code = match kind {
        RecordKind::Event => "event-archive-page-not-found",
        RecordKind::Venue => "venue-archive-page-not-found",
        RecordKind::Organizer => "organizer-archive-page-not-found",
    };
    Err(CalendarError::new(StatusCode::NOT_FOUND, code, "The requested archive page does not exist."))
}

impl Query {
    /// Adds a filter if it has a value.
    pub fn add(&mut self, name: &'static str, value: Option<String>) {
        if let Some(value) = value {
            self.pairs.push((name, value));
        }
    }

    /// The link of the list itself.
    fn own(&self, base: &str) -> String {
        if self.is_bare || self.pairs.is_empty() {
            return base.to_owned();
        }
        if self.is_encoded {
            return self.encoded(base, None);
        }
        let pairs: Vec<String> = self
            .pairs
            .iter()
            .filter(|pair| self.is_told(pair))
            .map(|(name, value)| format!("{name}={}", raw(value)))
            .collect();
        format!("{base}?{}", pairs.join("&"))
    }

    /// The link of a page, form-encoded: with its number at the end, or without one. `page` is `None` for the list's
    /// own link.
    fn encoded(&self, base: &str, page: Option<Option<u64>>) -> String {
        let mut written = form_urlencoded::Serializer::new(String::new());
        // `any` is the status that counts if none is named; a request for it would be refused.
        let goes_on = |(name, value): &(&str, String)| *name != "page" && !(*name == "status" && value == "any");
        for (name, value) in
            self.pairs.iter().filter(|pair| if page.is_some() { goes_on(pair) } else { self.is_told(pair) })
        {
            written.append_pair(name, value);
        }
        if let Some(Some(page)) = page {
            written.append_pair("page", &page.to_string());
        }
        let query = written.finish();
        if query.is_empty() { base.to_owned() } else { format!("{base}?{query}") }
    }

    /// Returns whether the list's own link names a filter. `featured=0` is always left out, as in the original.
    fn is_told(&self, (name, value): &(&'static str, String)) -> bool {
        !(self.untold.contains(name) || *name == "featured" && value == "0")
    }
}

/// A value as it is, blanks included, with only [`TELLING`] characters encoded.
fn raw(value: &str) -> String {
    let mut written = String::with_capacity(value.len());
    for character in value.chars() {
        if TELLING.contains(&character) {
            written.extend(form_urlencoded::byte_serialize(character.to_string().as_bytes()));
        } else {
            written.push(character);
        }
    }
    written
}

impl<T: Serialize> Collection<T> {
    /// A page of a list that has `total` items on all pages.
    #[must_use]
    pub fn new(group: Group, base: &str, query: &Query, page: PageRequest, total: u64, items: Vec<T>) -> Self {
        let total_pages = pages(total, page);
        let before = page.number.saturating_sub(1);
        let previous = (before > 0).then(|| query.encoded(base, Some(Some(before).filter(|before| *before > 1))));
        let next = (page.number < total_pages).then(|| query.encoded(base, Some(Some(page.number + 1))));
        Self { group, items, rest_url: query.own(base), next, previous, total, total_pages }
    }

    #[must_use]
    pub fn respond(&self) -> HttpResponse {
        let mut response = crate::calendar::respond(StatusCode::OK, self);
        for (name, count) in [(TOTAL, self.total), (TOTAL_PAGES, self.total_pages)] {
            response.headers_mut().insert(actix_web::http::header::HeaderName::from_static(name), count.into());
        }
        response
    }
}

impl<T: Serialize> Serialize for Collection<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_of_terms = matches!(self.group, Group::Terms(_));
        let mut map = serializer.serialize_map(None)?;
        if !is_of_terms {
            map.serialize_entry(self.group.name(), &self.items)?;
        }
        map.serialize_entry("rest_url", &self.rest_url)?;
        if is_of_terms {
            map.serialize_entry("total", &self.total)?;
            map.serialize_entry("total_pages", &self.total_pages)?;
            map.serialize_entry(self.group.name(), &self.items)?;
        }
        if let Some(next) = &self.next {
            map.serialize_entry("next_rest_url", next)?;
        }
        if let Some(previous) = &self.previous {
            map.serialize_entry("previous_rest_url", previous)?;
        }
        if !is_of_terms {
            map.serialize_entry("total", &self.total)?;
            map.serialize_entry("total_pages", &self.total_pages)?;
        }
        map.end()
    }
}
