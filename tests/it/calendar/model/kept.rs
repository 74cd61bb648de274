//! Everything that the store has been given, kept in memory, and the filters applied to it one record after another.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use domain::calendar::status::Status;
use domain::calendar::window::Window;
use examhall::calendar::store::event_lists::{EventFilter, Near};
use examhall::calendar::store::linked_posts::{self, LinkedFilter, Upcoming};
use examhall::calendar::store::records::{
    Coordinates, EventFields, EventLinks, FullEvent, OrganizerFields, PlacedTerm, PostLink, RecordContent, Taxonomy,
    Term, TermWish, VenueFields,
};
use examhall::calendar::store::terms::{self, NewTerm, TermChange, TermFilter, TermOrder};
use examhall::calendar::store::{Organizers, Venues, events};
use rand::RngExt;

use super::super::book::{Book, now};
use super::drawing::{DAY, Draws};

/// Statuses of the events that count for whether a place has events.
const SHOWN: [Status; 3] = [Status::Publish, Status::Future, Status::Private];
const PLACES: usize = 12;
const TERMS: usize = 14;

/// An event as it was given.
pub struct Kept {
    pub id: i64,
    content: RecordContent<EventFields>,
    terms: BTreeSet<i64>,
    organizers: Vec<i64>,
}

/// A venue or an organizer as it was given.
struct Other<F> {
    id: i64,
    content: RecordContent<F>,
}

/// The store and what must be in it.
pub struct World {
    pub book: Book,
    pub events: Vec<Kept>,
    venues: Vec<Other<VenueFields>>,
    organizers: Vec<Other<OrganizerFields>>,
    terms: Vec<Term>,
}

impl World {
    pub async fn open() -> Self {
        Self { book: Book::open().await, events: vec![], venues: vec![], organizers: vec![], terms: vec![] }
    }

    pub async fn fill(&mut self, draws: &mut Draws, events: usize) {
        for _ in 0..PLACES {
            let content = draw_content(draws, Draws::venue);
            let stored = linked_posts::create::<Venues>(&self.book.database, now(), content.clone()).await.unwrap();
            self.venues.push(Other { id: stored.id, content });
            let content = draw_content(draws, Draws::organizer);
            let stored = linked_posts::create::<Organizers>(&self.book.database, now(), content.clone()).await.unwrap();
            self.organizers.push(Other { id: stored.id, content });
        }
        for number in 0..TERMS {
            self.add_term(draws, Taxonomy::Category, number).await;
            self.add_term(draws, Taxonomy::Tag, number).await;
        }
        for _ in 0..events {
            self.add_event(draws).await;
        }
    }

    async fn add_term(&mut self, draws: &mut Draws, taxonomy: Taxonomy, number: usize) {
        let parents = self.ids_of(Taxonomy::Category);
        let parent = if taxonomy == Taxonomy::Category && !parents.is_empty() {
            draws.maybe(0.7, |draws| draws.one(&parents))
        } else {
            None
        };
        let description = if draws.chance(0.5) { draws.text() } else { String::new() };
        let term = NewTerm { taxonomy, name: format!("{} {number}", draws.text()), slug: None, description, parent };
        let stored = terms::create(&self.book.database, &term).await.unwrap().unwrap().term;
        assert_eq!(
            (&stored.name, &stored.description, stored.parent, stored.count),
            (&term.name, &term.description, parent, 0)
        );
        self.terms.push(stored);
    }

    async fn add_event(&mut self, draws: &mut Draws) {
        let content = draw_content(draws, Draws::event);
        let mut kept = Kept { id: 0, content, terms: BTreeSet::new(), organizers: vec![] };
        let links = self.draw_links(draws, &mut kept);
        kept.id = events::create(&self.book.database, now(), None, kept.content.clone(), links).await.unwrap().event.id;
        self.events.push(kept);
    }

    /// Links to be written; the event in memory has them from now on.
    fn draw_links(&self, draws: &mut Draws, kept: &mut Kept) -> EventLinks {
        let venues: Vec<i64> = self.venues.iter().map(|venue| venue.id).collect();
        let organizers: Vec<i64> = self.organizers.iter().map(|organizer| organizer.id).collect();
        let (categories, tags) = (self.ids_of(Taxonomy::Category), self.ids_of(Taxonomy::Tag));
        kept.content.fields.venue = draws.maybe(0.7, |draws| draws.one(&venues));
        kept.organizers = draws.some(&organizers, 3);
        let (categories, tags) = (draws.some(&categories, 2), draws.some(&tags, 2));
        kept.terms = categories.iter().chain(&tags).copied().collect();
        let wish = |id: i64| match self.terms.iter().find(|term| term.id == id) {
            Some(term) if id % 2 == 0 => TermWish::Named(term.slug.clone()),
            _ => TermWish::Id(id),
        };
        EventLinks {
            venue: Some(kept.content.fields.venue.map(PostLink::To)),
            organizers: Some(kept.organizers.iter().map(|id| PostLink::To(*id)).collect()),
            categories: Some(categories.into_iter().map(wish).collect()),
            tags: Some(tags.into_iter().map(wish).collect()),
            ..EventLinks::default()
        }
    }

    /// One change of something.
    pub async fn change(&mut self, draws: &mut Draws) {
        match draws.below(20) {
            0 => self.delete_term(draws).await,
            1 => self.move_category(draws).await,
            2 | 3 => self.trash_other(draws).await,
            4..=7 => self.trash_event(draws).await,
            _ => self.change_event(draws).await,
        }
    }

    async fn delete_term(&mut self, draws: &mut Draws) {
        let gone = self.terms.remove(draws.below(self.terms.len()));
        let deleted = terms::delete(&self.book.database, gone.taxonomy, gone.id).await.unwrap().unwrap();
        assert_eq!(deleted.term.name, gone.name);
        for child in self.terms.iter_mut().filter(|term| term.parent == Some(gone.id)) {
            child.parent = gone.parent;
        }
        for event in &mut self.events {
            event.terms.remove(&gone.id);
        }
    }

    async fn move_category(&mut self, draws: &mut Draws) {
        let categories = self.ids_of(Taxonomy::Category);
        let (id, parent) = (draws.one(&categories), draws.maybe(0.8, |draws| draws.one(&categories)));
        let change = TermChange { parent: Some(parent), ..TermChange::default() };
        let outcome = terms::update(&self.book.database, Taxonomy::Category, id, &change).await.unwrap();
        let is_below_itself = parent.is_some_and(|parent| self.lineage(parent).contains(&id));
        assert_eq!(outcome.is_err(), is_below_itself, "{outcome:?}");
        if !is_below_itself {
            self.terms.iter_mut().find(|term| term.id == id).unwrap().parent = parent;
        }
    }

    async fn trash_other(&mut self, draws: &mut Draws) {
        let venue = draws.below(PLACES);
        self.book.trash_venue(self.venues[venue].id).await;
        self.venues[venue].content.status = Status::Trash;
        let organizer = draws.below(PLACES);
        self.book.trash_organizer(self.organizers[organizer].id).await;
        self.organizers[organizer].content.status = Status::Trash;
    }

    async fn trash_event(&mut self, draws: &mut Draws) {
        let place = draws.below(self.events.len());
        self.book.set_status(self.events[place].id, Status::Trash).await;
        self.events[place].content.status = Status::Trash;
    }

    async fn change_event(&mut self, draws: &mut Draws) {
        let place = draws.below(self.events.len());
        let mut kept = self.events.remove(place);
        kept.content.status = draws.status();
        let venue = kept.content.fields.venue;
        if draws.chance(0.5) {
            kept.content.fields = draws.event();
            kept.content.fields.venue = venue;
        }
        let links = if draws.chance(0.5) { self.draw_links(draws, &mut kept) } else { EventLinks::default() };
        let content = kept.content.clone();
        let changed = events::update(&self.book.database, kept.id, now(), None, links, |_| Ok::<_, ()>(content))
            .await
            .unwrap()
            .unwrap()
            .unwrap();
        self.assert_full_of(&changed, &kept);
        self.events.push(kept);
    }

    fn ids_of(&self, taxonomy: Taxonomy) -> Vec<i64> {
        self.terms.iter().filter(|term| term.taxonomy == taxonomy).map(|term| term.id).collect()
    }

    /// A term and those above it.
    fn lineage(&self, id: i64) -> Vec<i64> {
        let mut line = vec![id];
        while let Some(parent) =
            self.terms.iter().find(|term| Some(&term.id) == line.last()).and_then(|term| term.parent)
        {
            line.push(parent);
        }
        line
    }

    fn count(&self, term: i64) -> u64 {
        self.events
            .iter()
            .filter(|event| event.content.status == Status::Publish && event.terms.contains(&term))
            .count() as u64
    }

    pub fn draw_filter(&self, draws: &mut Draws) -> EventFilter {
        let (categories, tags) = (self.ids_of(Taxonomy::Category), self.ids_of(Taxonomy::Tag));
        let venues: Vec<i64> = self.venues.iter().map(|venue| venue.id).collect();
        let organizers: Vec<i64> = self.organizers.iter().map(|organizer| organizer.id).collect();
        let ids: Vec<i64> = (1..=(self.events.len() as i64 + 40)).collect();
        if draws.chance(0.2) {
            return EventFilter { statuses: draws.statuses(), window: draw_days(draws), ..EventFilter::default() };
        }
        EventFilter {
            statuses: draws.statuses(),
            include: draws.maybe(0.15, |draws| draws.some(&ids, 60)),
            window: if draws.chance(0.6) { draw_window(draws) } else { Window::default() },
            search: if draws.chance(0.25) { draws.search() } else { Default::default() },
            categories: if draws.chance(0.25) { draws.any(&categories, 3) } else { vec![] },
            tags: if draws.chance(0.2) { draws.any(&tags, 3) } else { vec![] },
            venues: if draws.chance(0.2) { draws.any(&venues, 4) } else { vec![] },
            organizers: if draws.chance(0.2) { draws.any(&organizers, 4) } else { vec![] },
            is_featured: draws.maybe(0.2, |draws| draws.chance(0.5)),
            is_placed: draws.maybe(0.1, |draws| draws.chance(0.5)),
            near: draws.maybe(0.15, |draws| self.draw_near(draws)),
        }
    }

    /// Such that no venue is so near to the edge that it matters how a globe is made flat.
    fn draw_near(&self, draws: &mut Draws) -> Near {
        loop {
            let near = Near { place: draws.place(), kilometres: draws.0.random_range(10.0..80.0) };
            let places = self.venues.iter().filter_map(|venue| venue.content.fields.place);
            if places.map(|place| kilometres(place, near.place) / near.kilometres).all(|part| (part - 1.0).abs() > 0.02)
            {
                return near;
            }
        }
    }

    /// The events that pass, in order.
    pub fn events(&self, filter: &EventFilter) -> Vec<i64> {
        let mut passing: Vec<&Kept> = self.events.iter().filter(|event| self.passes(event, filter)).collect();
        let fields = |event: &Kept| event.content.fields.times.start.text();
        match filter.include {
            Some(_) => passing.sort_by_key(|event| (event.content.published_at, event.id)),
            None => passing.sort_by_key(|event| (fields(event), event.id)),
        }
        passing.into_iter().map(|event| event.id).collect()
    }

    fn passes(&self, event: &Kept, filter: &EventFilter) -> bool {
        let fields = &event.content.fields;
        let text = [&fields.title, &fields.description, &fields.excerpt].map(|text| text.to_lowercase());
        let has = |word: &String| text.iter().any(|text| text.contains(word.as_str()));
        let categories: BTreeSet<i64> = event.terms.iter().flat_map(|id| self.lineage(*id)).collect();
        let wanted = |wanted: &[i64], has: &dyn Fn(i64) -> bool| wanted.is_empty() || wanted.iter().any(|id| has(*id));
        let venue = fields.venue.and_then(|id| self.venues.iter().find(|venue| venue.id == id));
        let place = venue.and_then(|venue| venue.content.fields.place);
        !fields.is_hidden
            && filter.statuses.contains(&event.content.status)
            && filter.include.as_ref().is_none_or(|ids| ids.contains(&event.id))
            && is_within(fields, &filter.window)
            && filter.search.required.iter().all(has)
            && !filter.search.excluded.iter().any(has)
            && wanted(&filter.categories, &|id| categories.contains(&id))
            && wanted(&filter.tags, &|id| event.terms.contains(&id))
            && wanted(&filter.venues, &|id| fields.venue == Some(id))
            && wanted(&filter.organizers, &|id| event.organizers.contains(&id))
            && filter.is_featured.is_none_or(|is_featured| fields.is_featured == is_featured)
            && filter.is_placed.is_none_or(|is_placed| place.is_some() == is_placed)
            && filter
                .near
                .is_none_or(|near| place.is_some_and(|place| kilometres(place, near.place) <= near.kilometres))
    }

    pub fn draw_linked_filter(&self, draws: &mut Draws) -> LinkedFilter {
        let ids: Vec<i64> = self.events.iter().map(|event| event.id).collect();
        LinkedFilter {
            statuses: draws.statuses(),
            words: draws.maybe(0.3, |draws| (0..draws.below(3)).map(|_| draws.sought()).collect()),
            event: draws.maybe(0.3, |draws| draws.one(&ids)),
            has_events: draws.maybe(0.3, |draws| draws.chance(0.5)),
            upcoming: draws.maybe(0.3, |draws| Upcoming { from: now().plus(19 * DAY), statuses: draws.statuses() }),
        }
    }

    pub fn venues(&self, filter: &LinkedFilter) -> Vec<i64> {
        let texts = |fields: &VenueFields| vec![fields.name.clone(), fields.description.clone(), fields.city.clone()];
        self.others(&self.venues, filter, &texts, &|id, event| event.content.fields.venue == Some(id))
    }

    pub fn organizers(&self, filter: &LinkedFilter) -> Vec<i64> {
        let texts =
            |fields: &OrganizerFields| vec![fields.name.clone(), fields.description.clone(), fields.email.clone()];
        self.others(&self.organizers, filter, &texts, &|id, event| event.organizers.contains(&id))
    }

    fn others<F>(
        &self,
        all: &[Other<F>],
        filter: &LinkedFilter,
        texts: &dyn Fn(&F) -> Vec<String>,
        is_linked: &dyn Fn(i64, &Kept) -> bool,
    ) -> Vec<i64> {
        let has_event = |id: i64, passes: &dyn Fn(&Kept) -> bool| {
            self.events.iter().any(|event| is_linked(id, event) && passes(event))
        };
        let passes = |other: &&Other<F>| {
            let texts: Vec<String> = texts(&other.content.fields).iter().map(|text| text.to_lowercase()).collect();
            let has_words = |words: &Vec<String>| {
                !words.is_empty() && texts.iter().any(|text| words.iter().all(|word| text.contains(word.as_str())))
            };
            let is_shown = |event: &Kept| SHOWN.contains(&event.content.status);
            let comes = |upcoming: &Upcoming, event: &Kept| {
                upcoming.statuses.contains(&event.content.status)
                    && event.content.fields.times.start_moment >= upcoming.from
            };
            filter.statuses.contains(&other.content.status)
                && filter.words.as_ref().is_none_or(has_words)
                && filter.event.is_none_or(|id| has_event(other.id, &|event| event.id == id))
                && filter.has_events.is_none_or(|wanted| has_event(other.id, &is_shown) == wanted)
                && filter.upcoming.as_ref().is_none_or(|upcoming| has_event(other.id, &|event| comes(upcoming, event)))
        };
        let mut passing: Vec<&Other<F>> = all.iter().filter(passes).collect();
        passing.sort_by_key(|other| std::cmp::Reverse((other.content.published_at, other.id)));
        passing.into_iter().map(|other| other.id).collect()
    }

    pub fn draw_term_filter(&self, draws: &mut Draws) -> TermFilter {
        let taxonomy = if draws.chance(0.5) { Taxonomy::Category } else { Taxonomy::Tag };
        let (ids, events) = (self.ids_of(taxonomy), self.events.iter().map(|event| event.id).collect::<Vec<_>>());
        let slugs: Vec<String> = self.terms.iter().map(|term| term.slug.to_uppercase()).collect();
        let orders = [
            TermOrder::Name,
            TermOrder::Id,
            TermOrder::Slug,
            TermOrder::Count,
            TermOrder::Description,
            TermOrder::Include,
        ];
        TermFilter {
            taxonomy,
            search: draws.maybe(0.3, Draws::sought),
            include: draws.maybe(0.3, |draws| draws.some(&ids, 8)),
            exclude: if draws.chance(0.2) { draws.some(&ids, 5) } else { vec![] },
            hides_empty: draws.chance(0.5),
            parent: draws.maybe(0.2, |draws| draws.one(&ids)),
            event: draws.maybe(0.2, |draws| draws.one(&events)),
            slug: draws.maybe(0.1, |draws| draws.one(&slugs)),
            order: draws.one(&orders),
            is_descending: draws.chance(0.5),
        }
    }

    /// The terms that pass, in order.
    pub fn term_list(&self, filter: &TermFilter) -> Vec<i64> {
        let is_used = |term: &Term| {
            self.terms.iter().any(|used| self.count(used.id) > 0 && self.lineage(used.id).contains(&term.id))
        };
        let of_event =
            |id: i64, term: &Term| self.events.iter().any(|event| event.id == id && event.terms.contains(&term.id));
        let passes = |term: &&Term| {
            term.taxonomy == filter.taxonomy
                && filter
                    .search
                    .as_ref()
                    .is_none_or(|text| term.name.to_lowercase().contains(text) || term.slug.contains(text))
                && filter.include.as_ref().is_none_or(|ids| ids.contains(&term.id))
                && !filter.exclude.contains(&term.id)
                && filter.event.map_or(!filter.hides_empty || is_used(term), |event| of_event(event, term))
                && filter.parent.is_none_or(|parent| term.parent == Some(parent))
                && filter.slug.as_ref().is_none_or(|slug| term.slug == slug.to_lowercase())
        };
        let mut passing: Vec<&Term> = self.terms.iter().filter(passes).collect();
        passing.sort_by(|one, other| {
            let first = self.first_order(one, other, filter);
            let first = if filter.is_descending { first.reverse() } else { first };
            first.then_with(|| (one.name.to_lowercase(), one.id).cmp(&(other.name.to_lowercase(), other.id)))
        });
        passing.into_iter().map(|term| term.id).collect()
    }

    fn first_order(&self, one: &Term, other: &Term, filter: &TermFilter) -> Ordering {
        let place = |term: &Term| filter.include.as_ref().and_then(|ids| ids.iter().position(|id| *id == term.id));
        match filter.order {
            TermOrder::Name => one.name.to_lowercase().cmp(&other.name.to_lowercase()),
            TermOrder::Id => one.id.cmp(&other.id),
            TermOrder::Slug => one.slug.cmp(&other.slug),
            TermOrder::Count => self.count(one.id).cmp(&self.count(other.id)),
            TermOrder::Description => one.description.cmp(&other.description),
            TermOrder::Include => place(one).cmp(&place(other)),
        }
    }

    pub fn assert_term(&self, placed: &PlacedTerm) {
        let kept = self.terms.iter().find(|term| term.id == placed.term.id).unwrap();
        assert_eq!(placed.term, Term { count: self.count(kept.id), ..kept.clone() });
        let slug = |id: &i64| self.terms.iter().find(|term| term.id == *id).unwrap().slug.clone();
        assert_eq!(placed.path, self.lineage(kept.id).iter().rev().map(slug).collect::<Vec<_>>());
    }

    pub fn assert_full(&self, full: &FullEvent) {
        self.assert_full_of(full, self.events.iter().find(|event| event.id == full.event.id).unwrap());
    }

    fn assert_full_of(&self, full: &FullEvent, kept: &Kept) {
        assert_eq!(full.event.content, kept.content);
        let terms: BTreeSet<i64> = full.categories.iter().chain(&full.tags).map(|term| term.id).collect();
        assert_eq!(terms, kept.terms);
        assert!(
            full.categories.iter().all(|term| term.taxonomy == Taxonomy::Category)
                && full.tags.iter().all(|term| term.taxonomy == Taxonomy::Tag)
        );
        let is_kept = |content_status: Status| content_status != Status::Trash;
        let venue = self
            .venues
            .iter()
            .find(|venue| Some(venue.id) == kept.content.fields.venue && is_kept(venue.content.status));
        assert_eq!(
            full.venue.as_ref().map(|venue| (venue.id, &venue.content)),
            venue.map(|venue| (venue.id, &venue.content))
        );
        let is_shown = |id: &&i64| {
            self.organizers.iter().any(|organizer| organizer.id == **id && is_kept(organizer.content.status))
        };
        let organizers: Vec<i64> = kept.organizers.iter().filter(is_shown).copied().collect();
        assert_eq!(full.organizers.iter().map(|organizer| organizer.id).collect::<Vec<_>>(), organizers);
    }
}

fn draw_content<F>(draws: &mut Draws, fields: impl FnOnce(&mut Draws) -> F) -> RecordContent<F> {
    let author = i64::try_from(draws.below(3)).unwrap() + 1;
    RecordContent {
        author,
        status: draws.status(),
        published_at: draws.moment(),
        is_dated: draws.chance(0.5),
        fields: fields(draws),
    }
}

fn draw_window(draws: &mut Draws) -> Window {
    Window {
        start_from: draws.maybe(0.6, Draws::moment),
        start_before: draws.maybe(0.5, Draws::moment),
        end_from: draws.maybe(0.2, Draws::moment),
        end_before: draws.maybe(0.2, Draws::moment),
        echo: vec![],
    }
}

/// Whole days, as most lists have them.
fn draw_days(draws: &mut Draws) -> Window {
    let midnight = |draws: &mut Draws| now().plus((i64::try_from(draws.below(40)).unwrap() - 20) * DAY - DAY / 2);
    Window { start_from: draws.maybe(0.8, midnight), start_before: draws.maybe(0.8, midnight), ..Window::default() }
}

fn is_within(fields: &EventFields, window: &Window) -> bool {
    let (start, end) = (fields.times.start_moment, fields.times.end_moment);
    window.start_from.is_none_or(|from| start >= from)
        && window.start_before.is_none_or(|before| start < before)
        && window.end_from.is_none_or(|from| end >= from)
        && window.end_before.is_none_or(|before| end < before)
}

/// On a globe.
fn kilometres(one: Coordinates, other: Coordinates) -> f64 {
    let half_square = |degrees: f64| (degrees.to_radians() / 2.0).sin().powi(2);
    let narrowing = one.latitude.to_radians().cos() * other.latitude.to_radians().cos();
    let part = half_square(one.latitude - other.latitude) + narrowing * half_square(one.longitude - other.longitude);
    2.0 * 6_371.0 * part.sqrt().asin()
}
