//! A calendar of its own for one test, and records that say no more than a test needs.

use domain::calendar::events::EventTimes;
use domain::calendar::status::Status;
use domain::calendar::wall::Wall;
use domain::calendar::zones::Zone;
use domain::time::moment::Moment;
use examhall::calendar::store::records::{
    Event, EventFields, EventLinks, FullEvent, Organizer, OrganizerFields, RecordContent, Venue, VenueFields,
};
use examhall::calendar::store::{Organizers, Venues, events, linked_posts};
use examhall::database::Database;

use crate::hall::TestStore;

/// A store with the calendar's tables and nothing in them.
pub struct Book {
    pub database: Database,
    // The last field: it goes after the connections.
    _store: TestStore,
}

impl Book {
    pub async fn open() -> Self {
        let store = TestStore::with_tables().await;
        let database = Database::open(&store.settings(&[])["DATABASE_URL"], 8, 1).await.unwrap();
        Self { database, _store: store }
    }

    /// What an event becomes when nothing else of it changes.
    pub async fn set_status(&self, id: i64, status: Status) -> FullEvent {
        let change = |event: &Event| Ok::<_, ()>(RecordContent { status, ..event.content.clone() });
        events::update(&self.database, id, now(), None, EventLinks::default(), change).await.unwrap().unwrap().unwrap()
    }

    pub async fn trash_venue(&self, id: i64) {
        let into_trash = |venue: &Venue| Ok::<_, ()>(RecordContent { status: Status::Trash, ..venue.content.clone() });
        linked_posts::update::<Venues, ()>(&self.database, id, now(), into_trash).await.unwrap().unwrap().unwrap();
    }

    pub async fn trash_organizer(&self, id: i64) {
        let into_trash =
            |organizer: &Organizer| Ok::<_, ()>(RecordContent { status: Status::Trash, ..organizer.content.clone() });
        linked_posts::update::<Organizers, ()>(&self.database, id, now(), into_trash).await.unwrap().unwrap().unwrap();
    }
}

/// When all of it happens, unless a test says otherwise.
pub fn now() -> Moment {
    Moment::parse("2027-01-01T12:00:00Z").unwrap()
}

/// By the first author, published now.
pub fn published<F>(fields: F) -> RecordContent<F> {
    RecordContent { author: 1, status: Status::Publish, published_at: now(), is_dated: true, fields }
}

pub fn event(title: &str) -> EventFields {
    EventFields {
        title: title.to_owned(),
        description: String::new(),
        excerpt: String::new(),
        image: None,
        times: times("2027-02-01 09:00:00", "2027-02-01 10:00:00", "UTC"),
        timezone: "UTC".to_owned(),
        is_all_day: false,
        cost: vec![],
        website: None,
        shows_map: false,
        shows_map_link: false,
        is_hidden: false,
        is_sticky: false,
        is_featured: false,
        venue: None,
        exam: None,
    }
}

pub fn times(start: &str, end: &str, zone: &str) -> EventTimes {
    EventTimes::new(Wall::parse(start).unwrap(), Wall::parse(end).unwrap(), false, &Zone::parse(zone).unwrap())
}

pub fn venue(name: &str) -> VenueFields {
    VenueFields {
        name: name.to_owned(),
        description: String::new(),
        image: None,
        address: String::new(),
        city: String::new(),
        country: String::new(),
        province: String::new(),
        state: String::new(),
        state_province: String::new(),
        zip: String::new(),
        phone: String::new(),
        website: String::new(),
        shows_map: true,
        shows_map_link: true,
        place: None,
    }
}

pub fn organizer(name: &str) -> OrganizerFields {
    OrganizerFields {
        name: name.to_owned(),
        description: String::new(),
        image: None,
        phone: String::new(),
        website: String::new(),
        email: String::new(),
    }
}
