//! The types that the store takes and returns: one for what events, venues and organizers share, and one for the fields
//! of each.

use domain::calendar::events::EventTimes;
use domain::calendar::status::Status;
use domain::calendar::words;
use domain::time::moment::Moment;

/// The kinds of records. They share one sequence of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordKind {
    Event,
    Venue,
    Organizer,
}

/// An event, a venue or an organizer as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Record<F> {
    /// The record's number. No other record of any kind has it.
    pub id: i64,
    /// Unique within the kind. An event that has no slug yet has an empty one.
    pub slug: String,
    /// The slug before the record was moved to the trash.
    pub former_slug: Option<String>,
    pub modified_at: Moment,
    /// The content as the caller gave it.
    pub content: RecordContent<F>,
}

/// The part of a record that a caller decides.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordContent<F> {
    /// Number of the author, as assigned by [`super::authors`].
    pub author: i64,
    pub status: Status,
    /// When the record was or will be published.
    pub published_at: Moment,
    /// Whether that moment is decided. A draft's is not, until one is sent or the draft is published.
    pub is_dated: bool,
    /// The fields of the record's kind.
    pub fields: F,
}

/// An event without the records that it is linked to.
pub type Event = Record<EventFields>;
pub type Venue = Record<VenueFields>;
pub type Organizer = Record<OrganizerFields>;

/// An event with all records that are shown with it.
#[derive(Clone, Debug, PartialEq)]
pub struct FullEvent {
    pub event: Event,
    /// Ordered by name.
    pub categories: Vec<Term>,
    /// Ordered by name.
    pub tags: Vec<Term>,
    /// `None` also if it is in the trash.
    pub venue: Option<Venue>,
    /// In the order in which they were given, without those in the trash.
    pub organizers: Vec<Organizer>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventFields {
    /// HTML, not empty.
    pub title: String,
    /// HTML; may be empty.
    pub description: String,
    /// HTML; may be empty.
    pub excerpt: String,
    /// Link of a picture.
    pub image: Option<String>,
    pub times: EventTimes,
    /// The zone of its local times, as it was sent.
    pub timezone: String,
    pub is_all_day: bool,
    /// The texts that were sent. They are read each time the cost is shown.
    pub cost: Vec<String>,
    /// A link. `None` until one is sent; an empty text was sent on purpose.
    pub website: Option<String>,
    pub shows_map: bool,
    pub shows_map_link: bool,
    /// Whether lists leave it out.
    pub is_hidden: bool,
    pub is_sticky: bool,
    pub is_featured: bool,
    pub venue: Option<i64>,
    /// The exam that it announces, as JSON.
    pub exam: Option<String>,
}

/// The fields of a venue. Texts are empty if nothing was sent.
#[derive(Clone, Debug, PartialEq)]
pub struct VenueFields {
    /// HTML, not empty.
    pub name: String,
    /// HTML.
    pub description: String,
    /// Link of a picture.
    pub image: Option<String>,
    /// Street and number.
    pub address: String,
    pub city: String,
    pub country: String,
    pub province: String,
    pub state: String,
    /// State or province, whichever applies in the country.
    pub state_province: String,
    pub zip: String,
    pub phone: String,
    pub website: String,
    pub shows_map: bool,
    pub shows_map_link: bool,
    pub place: Option<Coordinates>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coordinates {
    /// Degrees north, -90 to 90.
    pub latitude: f64,
    /// Degrees east, -180 to 180.
    pub longitude: f64,
}

/// The fields of an organizer. Texts are empty if nothing was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrganizerFields {
    /// HTML, not empty.
    pub name: String,
    /// HTML.
    pub description: String,
    /// Link of a picture.
    pub image: Option<String>,
    pub phone: String,
    pub website: String,
    pub email: String,
}

/// The links that are written with an event; `None` leaves a link as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventLinks {
    /// `Some(None)` removes the venue.
    pub venue: Option<Option<PostLink<VenueFields>>>,
    /// In order. An organizer who is given twice is linked once.
    pub organizers: Option<Vec<PostLink<OrganizerFields>>>,
    pub categories: Option<Vec<TermWish>>,
    pub tags: Option<Vec<TermWish>>,
    /// The existing records that data within the event may stand for.
    pub reuse: Reuse,
}

/// A venue or an organizer of an event.
#[derive(Clone, Debug, PartialEq)]
pub enum PostLink<F> {
    /// The record with this number.
    To(i64),
    /// An existing record of the same name, if it may be used, or else a new one.
    Inline(Box<RecordContent<F>>),
}

/// The existing venues and organizers that data of the same name may stand for: those that the caller may edit. Records
/// in the trash are never used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reuse {
    #[default]
    Nobodys,
    /// Unpublished records of this author.
    Unpublished { author: i64 },
    /// Records of every author.
    Anybodys,
}

/// A term that an event should have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TermWish {
    /// The term with this number, or else one with these digits as its name or slug; none if there is neither.
    Id(i64),
    /// The term with this name, or else this slug, or else a new term with this name.
    Named(String),
}

/// The two kinds of terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Taxonomy {
    /// Categories can have a parent.
    Category,
    /// Tags cannot have a parent.
    Tag,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Terms have a sequence of numbers of their own.
    pub id: i64,
    pub taxonomy: Taxonomy,
    /// The name as it is shown.
    pub name: String,
    /// Unique within its taxonomy.
    pub slug: String,
    /// May be empty.
    pub description: String,
    /// The category above it.
    pub parent: Option<i64>,
    /// Number of published events that have the term.
    pub count: u64,
}

/// A term with its path through the categories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedTerm {
    pub term: Term,
    /// The slugs from its topmost ancestor down to its own.
    pub path: Vec<String>,
}

impl RecordKind {
    /// `event`, `venue` or `organizer`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::Venue => "venue",
            Self::Organizer => "organizer",
        }
    }

    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Event, Self::Venue, Self::Organizer].into_iter().find(|kind| kind.name() == name)
    }
}

impl Taxonomy {
    /// `category` or `tag`, as it is stored.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Category => "category",
            Self::Tag => "tag",
        }
    }

    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Category, Self::Tag].into_iter().find(|taxonomy| taxonomy.name() == name)
    }
}

/// A name in the form in which names are compared, sorted and searched.
pub(super) fn name_key(name: &str) -> String {
    words::haystack(&[name]).trim().to_owned()
}
