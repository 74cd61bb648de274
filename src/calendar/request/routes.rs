//! The routes of the calendar, and what each method does with them. It routes everything below its own root itself,
//! since errors for unknown routes and methods have its own form too.

use actix_web::http::Method;
use actix_web::http::header::HeaderValue;
use domain::calendar::rights::Rights;

use crate::calendar::store::records::{RecordKind, Taxonomy};

/// What a list consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    Records(RecordKind),
    Terms(Taxonomy),
}

/// How an address names a single member of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordName {
    Number,
    Slug,
}

/// A route of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// The REST root above the interface, which lists the interfaces of the site.
    Root,
    /// The list of routes.
    Index,
    Document,
    /// A list, to which members can be added.
    All(Group),
    /// A single member of a list.
    One(Group, RecordName),
}

/// What a request does with a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// `GET` or `HEAD`.
    Read,
    /// `POST` to a list.
    Create,
    /// `POST`, `PUT` or `PATCH` to a single member.
    Update,
    /// `DELETE`.
    Delete,
}

impl Group {
    pub const ALL: [Self; 5] = [
        Self::Records(RecordKind::Event),
        Self::Records(RecordKind::Venue),
        Self::Records(RecordKind::Organizer),
        Self::Terms(Taxonomy::Category),
        Self::Terms(Taxonomy::Tag),
    ];

    /// The name in addresses and in lists.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Records(RecordKind::Event) => "events",
            Self::Records(RecordKind::Venue) => "venues",
            Self::Records(RecordKind::Organizer) => "organizers",
            Self::Terms(Taxonomy::Category) => "categories",
            Self::Terms(Taxonomy::Tag) => "tags",
        }
    }

    /// How the members of the group can be named.
    #[must_use]
    pub const fn names(self) -> &'static [RecordName] {
        match self {
            Self::Records(_) => &[RecordName::Number, RecordName::Slug],
            Self::Terms(_) => &[RecordName::Number],
        }
    }
}

impl Route {
    /// All routes of the interface, in the order of the index.
    pub fn all() -> impl Iterator<Item = Self> {
        let of = |group: Group| {
            std::iter::once(Self::All(group)).chain(group.names().iter().map(move |named| Self::One(group, *named)))
        };
        [Self::Index, Self::Document].into_iter().chain(Group::ALL.into_iter().flat_map(of))
    }

    /// The route of a path below the interface's address, with the number or the slug in it. A slash at the end is
    /// ignored.
    #[must_use]
    pub fn find(path: &str) -> Option<(Self, Option<&str>)> {
        let path = path.strip_suffix('/').unwrap_or(path);
        let path = if path.is_empty() { path } else { path.strip_prefix('/')? };
        let mut parts = path.split('/');
        let route = match (parts.next().unwrap_or_default(), parts.next(), parts.next()) {
            ("", None, _) => (Self::Index, None),
            ("doc", None, _) => (Self::Document, None),
            (name, second, third) => {
                let group = Group::ALL.into_iter().find(|group| group.name() == name)?;
                match (second, third) {
                    (None, _) => (Self::All(group), None),
                    (Some("by-slug"), Some(slug)) if !slug.is_empty() && group.names().contains(&RecordName::Slug) => {
                        (Self::One(group, RecordName::Slug), Some(slug))
                    }
                    (Some(number), None) if is_number(number) => (Self::One(group, RecordName::Number), Some(number)),
                    _ => return None,
                }
            }
        };
        parts.next().is_none().then_some(route)
    }

    /// What a method does with the route; `None` if the route does not have it.
    #[must_use]
    pub fn verb(self, method: &Method) -> Option<Verb> {
        match (*method == Method::GET || *method == Method::HEAD, self) {
            (true, _) => Some(Verb::Read),
            (false, Self::Root | Self::Index | Self::Document) => None,
            (false, Self::All(_)) => (*method == Method::POST).then_some(Verb::Create),
            (false, Self::One(..)) if *method == Method::DELETE => Some(Verb::Delete),
            (false, Self::One(..)) => {
                [Method::POST, Method::PUT, Method::PATCH].contains(method).then_some(Verb::Update)
            }
        }
    }

    /// What can be done with the route, in the order of the index.
    #[must_use]
    pub const fn verbs(self) -> &'static [Verb] {
        match self {
            Self::Root | Self::Index | Self::Document => &[Verb::Read],
            Self::All(_) => &[Verb::Read, Verb::Create],
            Self::One(..) => &[Verb::Read, Verb::Update, Verb::Delete],
        }
    }

    /// Returns whether callers with these rights may do this with the route at all. The handler checks their right to
    /// the record.
    #[must_use]
    pub fn permits(self, verb: Verb, rights: Rights) -> bool {
        match (verb, self) {
            (Verb::Read, _) => true,
            (_, Self::All(Group::Terms(_)) | Self::One(Group::Terms(_), _)) => rights.may_edit_terms(),
            _ => rights.may_create(),
        }
    }

    /// The path of the route below the interface's address, with these texts in the place of a number and a slug.
    #[must_use]
    pub fn pattern(self, number: &str, slug: &str) -> String {
        match self {
            Self::Root | Self::Index => String::new(),
            Self::Document => "/doc".to_owned(),
            Self::All(group) => format!("/{}", group.name()),
            Self::One(group, RecordName::Number) => format!("/{}/{number}", group.name()),
            Self::One(group, RecordName::Slug) => format!("/{}/by-slug/{slug}", group.name()),
        }
    }
}

impl Verb {
    /// The methods that do it.
    #[must_use]
    pub const fn methods(self) -> &'static [&'static str] {
        match self {
            Self::Read => &["GET"],
            Self::Create => &["POST"],
            Self::Update => &["POST", "PUT", "PATCH"],
            Self::Delete => &["DELETE"],
        }
    }
}

/// The method that counts. Forms send only `GET` and `POST`, so `_method` in the query and a header can name another
/// one.
#[must_use]
pub fn method(sent: &Method, overriding: Option<&HeaderValue>, query: Option<&str>) -> Method {
    let named =
        query.map(str::to_owned).or_else(|| overriding.and_then(|value| value.to_str().ok()).map(str::to_owned));
    named
        .and_then(|name| Method::from_bytes(name.trim().to_ascii_uppercase().as_bytes()).ok())
        .unwrap_or_else(|| sent.clone())
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_routes() {
        let events = Group::Records(RecordKind::Event);
        for (path, expected) in [
            ("", Some((Route::Index, None))),
            ("/", Some((Route::Index, None))),
            ("/doc/", Some((Route::Document, None))),
            ("/events", Some((Route::All(events), None))),
            ("/events/", Some((Route::All(events), None))),
            ("/events/23/", Some((Route::One(events, RecordName::Number), Some("23")))),
            ("/events/by-slug/a%20b", Some((Route::One(events, RecordName::Slug), Some("a%20b")))),
            ("/tags/7", Some((Route::One(Group::Terms(Taxonomy::Tag), RecordName::Number), Some("7")))),
            ("/tags/by-slug/a", None),
            ("/events/x", None),
            ("/events/-1", None),
            ("/events/by-slug", None),
            ("/events/by-slug/", None),
            ("/events/23/more", None),
            ("/events//", None),
            ("events", None),
            ("/eventsx", None),
        ] {
            assert_eq!(Route::find(path), expected, "{path:?}");
        }
    }

    #[test]
    fn methods_are_verbs() {
        let (all, one) =
            (Route::All(Group::Terms(Taxonomy::Tag)), Route::One(Group::Terms(Taxonomy::Tag), RecordName::Number));
        let verbs = |route: Route| {
            [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::TRACE]
                .map(|method| route.verb(&method))
        };
        assert_eq!(verbs(all), [Some(Verb::Read), Some(Verb::Create), None, None, None, None]);
        assert_eq!(
            verbs(one),
            [Some(Verb::Read), Some(Verb::Update), Some(Verb::Update), Some(Verb::Update), Some(Verb::Delete), None]
        );
        assert_eq!(verbs(Route::Index), [Some(Verb::Read), None, None, None, None, None]);
        assert_eq!(Route::all().count(), 15);
    }
}
