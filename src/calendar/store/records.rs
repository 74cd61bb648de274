//! What the store takes and gives: one type for what events, venues and organizers have alike, and one for the fields of
//! each.

use domain::calendar::events::EventTimes;
use domain::calendar::status::Status;
use domain::calendar::words;
use domain::time::moment::Moment;

/// The kinds of records, which share one row of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordKind {
    /// Something that takes place.
    Event,
    /// Where.
    Venue,
    /// Who holds it.
    Organizer,
}

/// An event, a venue or an organizer as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Record<F> {
    /// Its number, which no other record of any kind has.
    pub id: i64,
    /// Unique among its kind; empty for an event that has none yet.
    pub slug: String,
    /// What the slug was before the record was put in the trash.
    pub former_slug: Option<String>,
    /// When it was last changed.
    pub modified_at: Moment,
    /// The rest, as it was given.
    pub content: RecordContent<F>,
}

/// What a caller decides of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordContent<F> {
    /// Number of the author, of [`super::authors`].
    pub author: i64,
    /// Where it is in its life.
    pub status: Status,
    /// When it was, or is to be, published.
    pub published_at: Moment,
    /// Whether that moment is settled: a draft's is not until one is sent or it is published.
    pub is_dated: bool,
    /// The fields of its kind.
    pub fields: F,
}

/// An event without what it is linked with.
pub type Event = Record<EventFields>;
/// A venue.
pub type Venue = Record<VenueFields>;
/// An organizer.
pub type Organizer = Record<OrganizerFields>;

/// An event with all that is shown of it.
#[derive(Clone, Debug, PartialEq)]
pub struct FullEvent {
    /// The event itself.
    pub event: Event,
    /// By name.
    pub categories: Vec<Term>,
    /// By name.
    pub tags: Vec<Term>,
    /// Unless it is in the trash.
    pub venue: Option<Venue>,
    /// In the order in which they were given, without those in the trash.
    pub organizers: Vec<Organizer>,
}

/// The fields of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventFields {
    /// HTML, not empty.
    pub title: String,
    /// HTML.
    pub description: String,
    /// HTML.
    pub excerpt: String,
    /// Link of a picture.
    pub image: Option<String>,
    /// When it takes place.
    pub times: EventTimes,
    /// The zone of its clocks, as sent.
    pub timezone: String,
    /// Whether it is of whole days.
    pub is_all_day: bool,
    /// The texts that were sent.
    pub cost: Vec<String>,
    /// A link; none when none was ever sent.
    pub website: Option<String>,
    /// Whether a map is shown.
    pub shows_map: bool,
    /// Whether a link to a map is shown.
    pub shows_map_link: bool,
    /// Whether no list shows it.
    pub is_hidden: bool,
    /// Whether it sticks out.
    pub is_sticky: bool,
    /// Whether it is featured.
    pub is_featured: bool,
    /// The venue's number.
    pub venue: Option<i64>,
    /// The exam that it announces, as JSON.
    pub exam: Option<String>,
}

/// The fields of a venue; texts are empty when there is nothing to say.
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
    /// City.
    pub city: String,
    /// Country.
    pub country: String,
    /// Province.
    pub province: String,
    /// State.
    pub state: String,
    /// State or province.
    pub state_province: String,
    /// Postal code.
    pub zip: String,
    /// Phone number.
    pub phone: String,
    /// Link.
    pub website: String,
    /// Whether a map is shown.
    pub shows_map: bool,
    /// Whether a link to a map is shown.
    pub shows_map_link: bool,
    /// Where it is on the globe.
    pub place: Option<Coordinates>,
}

/// A place on the globe.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coordinates {
    /// Degrees north, -90 to 90.
    pub latitude: f64,
    /// Degrees east, -180 to 180.
    pub longitude: f64,
}

/// The fields of an organizer; texts are empty when there is nothing to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrganizerFields {
    /// HTML, not empty.
    pub name: String,
    /// HTML.
    pub description: String,
    /// Link of a picture.
    pub image: Option<String>,
    /// Phone number.
    pub phone: String,
    /// Link.
    pub website: String,
    /// As sent.
    pub email: String,
}

/// What of an event's links is written with it; `None` leaves what there is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventLinks {
    /// Where; `Some(None)` for nowhere.
    pub venue: Option<Option<PostLink<VenueFields>>>,
    /// By whom, in order; those who come twice are linked once.
    pub organizers: Option<Vec<PostLink<OrganizerFields>>>,
    /// Its categories.
    pub categories: Option<Vec<TermWish>>,
    /// Its tags.
    pub tags: Option<Vec<TermWish>>,
    /// Which records inline data may be taken for.
    pub reuse: Reuse,
}

/// A venue or an organizer of an event.
#[derive(Clone, Debug, PartialEq)]
pub enum PostLink<F> {
    /// The one of that number.
    To(i64),
    /// One of that name that may be reused, or else a new one.
    Inline(Box<RecordContent<F>>),
}

/// Which venues and organizers of the same name inline data is taken for: those that the caller may edit. Those in the
/// trash are never.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reuse {
    /// None.
    #[default]
    Nobodys,
    /// Those of this author that are not published.
    Unpublished {
        /// The author's number.
        author: i64,
    },
    /// All.
    Anybodys,
}

/// A term that an event is to have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TermWish {
    /// The one of that number, if there is one.
    Id(i64),
    /// The one of that slug, or else of that name, or else a new one of that name.
    Named(String),
}

/// The two kinds of terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Taxonomy {
    /// They can have a parent.
    Category,
    /// They can't.
    Tag,
}

/// A category or a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Terms have numbers of their own.
    pub id: i64,
    /// Which of the two.
    pub taxonomy: Taxonomy,
    /// As shown.
    pub name: String,
    /// Unique within its taxonomy.
    pub slug: String,
    /// May be empty.
    pub description: String,
    /// The category that it belongs to.
    pub parent: Option<i64>,
    /// Published events that have it.
    pub count: u64,
}

/// A term with its place among the categories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedTerm {
    /// The term.
    pub term: Term,
    /// Slugs from its topmost ancestor's to its own.
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

    /// The kind of that name.
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

    /// The taxonomy of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Category, Self::Tag].into_iter().find(|taxonomy| taxonomy.name() == name)
    }
}

/// A name as names are compared, sorted and searched.
pub(super) fn name_key(name: &str) -> String {
    words::haystack(&[name]).trim().to_owned()
}
