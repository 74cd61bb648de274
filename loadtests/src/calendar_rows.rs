//! The rows of a calendar as the server would store them, made by a seeded generator, and how many events the queries
//! must find.

use entities::calendar::{event, event_organizer, event_term, number, organizer, term, venue};
use sea_orm::ActiveValue::{NotSet, Set};
use sea_orm::prelude::DateTimeUtc;

/// Two runs make the same events.
const SEED: u64 = 2_030;
/// 2030-01-01, the first day of the two years that contain all events.
const BEGIN_MILLISECONDS: i64 = 1_893_456_000_000;
const SLOT_MILLISECONDS: i64 = 15 * 60 * 1_000;
/// Quarters of an hour in two years of 365 days, less the hour that an event lasts.
const SLOTS: i64 = 2 * 365 * 96 - 4;
/// Number of venues; their ids are 1 to this.
pub const VENUES: i64 = 200;
/// Number of organizers; their ids follow those of the venues.
pub const ORGANIZERS: i64 = 100;
/// Number of categories. Every event has one of the first ten, and one event in a hundred also has the last.
pub const CATEGORIES: i64 = 11;
/// Number of tags. Every event has one; their ids follow those of the categories.
pub const TAGS: i64 = 50;
const BROAD_CATEGORIES: i64 = 10;
/// One event in this many has the rare word and the rare category.
const RARE_ONE_IN: i64 = 100;
pub const RARE_WORD: &str = "thermodynamics";
/// The description of every event, which makes rows as long as real ones.
const EVENT_DESCRIPTION: &str = "<p>Bring a pencil, a ruler and your ticket. \
    Doors open half an hour before the beginning, and nobody is let in after it. \
    Calculators are lent in the hall. Results are told within two weeks, on paper and on your page.</p>";

/// Makes the rows of events and their links, in order.
pub struct CalendarRows {
    random: fastrand::Rng,
    events: i64,
}

pub struct EventRows {
    pub event: event::ActiveModel,
    pub terms: Vec<event_term::ActiveModel>,
    pub organizer: event_organizer::ActiveModel,
}

impl CalendarRows {
    pub fn new() -> Self {
        Self { random: fastrand::Rng::with_seed(SEED), events: 0 }
    }

    /// The next event. Ids of events follow those of venues and organizers.
    pub fn event(&mut self) -> EventRows {
        let id = VENUES + ORGANIZERS + self.events + 1;
        let is_rare = self.events % RARE_ONE_IN == 0;
        self.events += 1;
        let starts_at_ms = BEGIN_MILLISECONDS + self.random.i64(0..SLOTS) * SLOT_MILLISECONDS;
        let title = if is_rare { format!("Exam {id} of {RARE_WORD}") } else { format!("Exam {id}") };
        let mut terms = vec![1 + self.random.i64(0..BROAD_CATEGORIES), CATEGORIES + 1 + self.random.i64(0..TAGS)];
        terms.extend(is_rare.then_some(CATEGORIES));
        let link = |term_id: i64| event_term::ActiveModel { event_id: Set(id), term_id: Set(term_id) };
        EventRows {
            event: self.row(id, &title, starts_at_ms),
            terms: terms.into_iter().map(link).collect(),
            organizer: event_organizer::ActiveModel {
                event_id: Set(id),
                organizer_id: Set(VENUES + 1 + self.random.i64(0..ORGANIZERS)),
                position: Set(0),
            },
        }
    }

    fn row(&mut self, id: i64, title: &str, starts_at_ms: i64) -> event::ActiveModel {
        let ends_at_ms = starts_at_ms + 4 * SLOT_MILLISECONDS;
        event::ActiveModel {
            id: Set(id),
            author: Set(1),
            status: Set("publish".to_owned()),
            slug: Set(format!("exam-{id}")),
            former_slug: Set(None),
            published_at_ms: Set(BEGIN_MILLISECONDS),
            is_dated: Set(true),
            modified_at_ms: Set(BEGIN_MILLISECONDS),
            title: Set(title.to_owned()),
            description: Set(EVENT_DESCRIPTION.to_owned()),
            excerpt: Set(String::new()),
            image: Set(None),
            is_all_day: Set(false),
            starts_local: Set(local_time(starts_at_ms)),
            ends_local: Set(local_time(ends_at_ms)),
            starts_at_ms: Set(starts_at_ms),
            ends_at_ms: Set(ends_at_ms),
            timezone: Set("UTC".to_owned()),
            cost: Set("[]".to_owned()),
            website: Set(None),
            shows_map: Set(true),
            shows_map_link: Set(true),
            is_hidden: Set(false),
            is_sticky: Set(false),
            is_featured: Set(self.random.u8(0..10) == 0),
            venue_id: Set(Some(1 + self.random.i64(0..VENUES))),
            exam: Set(None),
            exam_template: Set(None),
            exam_opens_at_ms: Set(None),
            search: Set(format!("{title} {EVENT_DESCRIPTION}").to_lowercase()),
        }
    }
}

/// How many of `events` events have the rare word and the rare category.
pub fn rare_event_count(events: u32) -> u64 {
    u64::from(events).div_ceil(RARE_ONE_IN.unsigned_abs())
}

/// The row that gives the next id to a record: all kinds of record share one sequence.
pub fn record_number(kind: &str) -> number::ActiveModel {
    number::ActiveModel { id: NotSet, kind: Set(kind.to_owned()) }
}

/// All terms: categories first, then tags.
pub fn terms() -> Vec<term::ActiveModel> {
    let term = |taxonomy: &str, number: i64| term::ActiveModel {
        id: NotSet,
        taxonomy: Set(taxonomy.to_owned()),
        name: Set(format!("{taxonomy} {number}")),
        name_key: Set(format!("{taxonomy} {number}")),
        slug: Set(format!("{taxonomy}-{number}")),
        description: Set(String::new()),
        parent: Set(None),
        count: Set(0),
    };
    let categories = (1..=CATEGORIES).map(|number| term("category", number));
    categories.chain((1..=TAGS).map(|number| term("tag", number))).collect()
}

pub fn venue(id: i64) -> venue::ActiveModel {
    let empty = || Set(String::new());
    venue::ActiveModel {
        id: Set(id),
        author: Set(1),
        status: Set("publish".to_owned()),
        slug: Set(format!("hall-{id}")),
        former_slug: Set(None),
        published_at_ms: Set(BEGIN_MILLISECONDS),
        is_dated: Set(true),
        modified_at_ms: Set(BEGIN_MILLISECONDS),
        name: Set(format!("Hall {id}")),
        name_key: Set(format!("hall {id}")),
        description: empty(),
        image: Set(None),
        address: Set("1 School Lane".to_owned()),
        city: Set("Springfield".to_owned()),
        country: empty(),
        province: empty(),
        state: empty(),
        state_province: empty(),
        zip: empty(),
        phone: empty(),
        website: empty(),
        shows_map: Set(true),
        shows_map_link: Set(true),
        latitude: Set(None),
        longitude: Set(None),
    }
}

pub fn organizer(id: i64) -> organizer::ActiveModel {
    organizer::ActiveModel {
        id: Set(id),
        author: Set(1),
        status: Set("publish".to_owned()),
        slug: Set(format!("board-{id}")),
        former_slug: Set(None),
        published_at_ms: Set(BEGIN_MILLISECONDS),
        is_dated: Set(true),
        modified_at_ms: Set(BEGIN_MILLISECONDS),
        name: Set(format!("Board {id}")),
        name_key: Set(format!("board {id}")),
        description: Set(String::new()),
        image: Set(None),
        phone: Set(String::new()),
        website: Set(String::new()),
        email: Set(format!("board{id}@exam.example")),
    }
}

fn local_time(milliseconds: i64) -> String {
    DateTimeUtc::from_timestamp_millis(milliseconds).unwrap_or_default().format("%Y-%m-%d %H:%M:%S").to_string()
}
