//! The addresses in answers: those of the interface, and those of the site that it belongs to.

use actix_web::HttpRequest;
use actix_web::http::header::HOST;
use url::Url;

use crate::calendar::request::routes::{Group, RecordName, Route};
use crate::calendar::store::records::{Event, Record, RecordKind, Taxonomy};
use crate::config::CalendarConfig;

/// The site as one caller addresses it.
#[derive(Clone, Debug)]
pub struct Site {
    /// The beginning of links to pages.
    pub url: String,
    /// The name of the site, without scheme or port.
    pub host: String,
    /// The beginning of the interface's addresses, without the namespace.
    pub rest_root: String,
    /// The beginning of the interface's addresses.
    pub api: String,
    /// For example `tribe/events/v1`.
    pub namespace: String,
    vendor: String,
}

/// The origin of a `Host` header; `None` if it contains anything but a host, so that a caller cannot put other text
/// into links.
fn origin(host: &str) -> Option<String> {
    let url = Url::parse(&format!("http://{host}/")).ok()?;
    let is_host_alone = url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none()
        && url.username().is_empty()
        && url.password().is_none();
    is_host_alone.then(|| url.origin().ascii_serialization())
}

impl Site {
    /// The site of `AUTH_URL`, or, if that is not set, the host of the request.
    #[must_use]
    pub fn of(request: &HttpRequest, config: &CalendarConfig) -> Self {
        let called = || {
            request
                .headers()
                .get(HOST)
                .and_then(|host| host.to_str().ok())
                .and_then(origin)
                .unwrap_or_else(|| "http://localhost".to_owned())
        };
        Self::at(config.site.clone().unwrap_or_else(called), config)
    }

    fn at(url: String, config: &CalendarConfig) -> Self {
        let host = Url::parse(&url).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default();
        let rest_root = format!("{url}{}", config.rest_root);
        let namespace = config.namespace();
        Self { api: format!("{rest_root}/{namespace}"), rest_root, namespace, host, url, vendor: config.vendor.clone() }
    }

    /// The list of a group. Its address ends with a slash, as in the original.
    #[must_use]
    pub fn list(&self, group: Group) -> String {
        format!("{}/", self.collection(group))
    }

    /// The same list as single terms name it, where the original has no slash.
    #[must_use]
    pub fn collection(&self, group: Group) -> String {
        format!("{}/{}", self.api, group.name())
    }

    /// A single record or term of a group.
    #[must_use]
    pub fn one(&self, group: Group, number: i64) -> String {
        format!("{}{}", self.api, Route::One(group, RecordName::Number).pattern(&number.to_string(), ""))
    }

    /// Identifies a record across sites.
    #[must_use]
    pub fn global_id(&self, number: i64) -> String {
        format!("{}?id={number}", self.host)
    }

    /// The address of an event's page. A draft has no slug that lasts, so it is addressed by its number.
    #[must_use]
    pub fn event(&self, event: &Event) -> String {
        if event.slug.is_empty() || event.content.status.is_unfinished() {
            return format!("{}/?post_type={}&p={}", self.url, self.kind(RecordKind::Event), event.id);
        }
        format!("{}/event/{}/", self.url, event.slug)
    }

    /// The address of the page of a venue or an organizer.
    #[must_use]
    pub fn linked<F>(&self, kind: RecordKind, record: &Record<F>) -> String {
        format!("{}/{}/{}/", self.url, kind.name(), record.slug)
    }

    /// The address of the page of a category or a tag.
    #[must_use]
    pub fn term(&self, taxonomy: Taxonomy, path: &[String]) -> String {
        match taxonomy {
            Taxonomy::Category => format!("{}/events/category/{}/", self.url, path.join("/")),
            Taxonomy::Tag => format!("{}/tag/{}/", self.url, path.join("/")),
        }
    }

    /// The name of a kind of record in the original's addresses.
    #[must_use]
    pub fn kind(&self, kind: RecordKind) -> String {
        match kind {
            RecordKind::Event => format!("{}_events", self.vendor),
            RecordKind::Venue => format!("{}_venue", self.vendor),
            RecordKind::Organizer => format!("{}_organizer", self.vendor),
        }
    }

    /// The name of a taxonomy in the original.
    #[must_use]
    pub fn taxonomy(&self, taxonomy: Taxonomy) -> String {
        match taxonomy {
            Taxonomy::Category => format!("{}_events_cat", self.vendor),
            Taxonomy::Tag => "post_tag".to_owned(),
        }
    }

    /// The address of a term in another interface of the original, which `Location` names when a term is created.
    #[must_use]
    pub fn core_term(&self, taxonomy: Taxonomy, number: i64) -> String {
        let name = match taxonomy {
            Taxonomy::Category => self.taxonomy(taxonomy),
            Taxonomy::Tag => "tags".to_owned(),
        };
        format!("{}/wp/v2/{name}/{number}", self.rest_root)
    }
}
