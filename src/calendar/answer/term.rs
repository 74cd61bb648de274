//! The JSON of a category or a tag: by its own routes, and within an event.

use serde::Serialize;

use crate::calendar::answer::site::Site;
use crate::calendar::request::routes::Group;
use crate::calendar::store::records::{PlacedTerm, Taxonomy, Term};

/// A term as its own routes show it.
#[derive(Serialize)]
pub struct TermView<'a> {
    id: i64,
    count: u64,
    description: &'a str,
    name: &'a str,
    slug: &'a str,
    taxonomy: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<i64>,
    meta: [(); 0],
    url: String,
    urls: Urls,
    #[serde(rename = "_links", skip_serializing_if = "Option::is_none")]
    links: Option<Links>,
}

#[derive(Serialize)]
struct Urls {
    #[serde(rename = "self")]
    own: String,
    collection: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    up: Option<String>,
}

/// The same addresses in the form of other interfaces of the original.
#[derive(Serialize)]
struct Links {
    #[serde(rename = "self")]
    own: [TermLink; 1],
    collection: [TermLink; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    up: Option<[TermLink; 1]>,
}

#[derive(Serialize)]
struct TermLink {
    href: String,
}

/// A term as an event shows it.
#[derive(Serialize)]
pub struct EventTerm<'a> {
    name: &'a str,
    slug: &'a str,
    term_group: u8,
    term_taxonomy_id: i64,
    taxonomy: String,
    description: &'a str,
    parent: i64,
    count: u64,
    filter: &'static str,
    id: i64,
    urls: Urls,
}

impl Urls {
    fn of(term: &Term, site: &Site) -> Self {
        let group = Group::Terms(term.taxonomy);
        Self {
            own: site.one(group, term.id),
            collection: site.collection(group),
            up: term.parent.map(|parent| site.one(group, parent)),
        }
    }
}

impl Links {
    fn of(urls: &Urls) -> Self {
        let link = |href: &String| [TermLink { href: href.clone() }];
        Self { own: link(&urls.own), collection: link(&urls.collection), up: urls.up.as_ref().map(link) }
    }
}

impl<'a> TermView<'a> {
    /// The term as a list shows it, or, if it is requested alone, with `_links`.
    #[must_use]
    pub fn of(placed: &'a PlacedTerm, site: &Site, is_alone: bool) -> Self {
        let term = &placed.term;
        let urls = Urls::of(term, site);
        Self {
            id: term.id,
            count: term.count,
            description: &term.description,
            name: &term.name,
            slug: &term.slug,
            taxonomy: site.taxonomy(term.taxonomy),
            parent: (term.taxonomy == Taxonomy::Category).then(|| term.parent.unwrap_or_default()),
            meta: [],
            url: site.term(term.taxonomy, &placed.path),
            links: is_alone.then(|| Links::of(&urls)),
            urls,
        }
    }
}

impl<'a> EventTerm<'a> {
    #[must_use]
    pub fn of(term: &'a Term, site: &Site) -> Self {
        Self {
            name: &term.name,
            slug: &term.slug,
            term_group: 0,
            term_taxonomy_id: term.id,
            taxonomy: site.taxonomy(term.taxonomy),
            description: &term.description,
            parent: term.parent.unwrap_or_default(),
            count: term.count,
            filter: "raw",
            id: term.id,
            urls: Urls::of(term, site),
        }
    }
}
