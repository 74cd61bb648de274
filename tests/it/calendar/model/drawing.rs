//! What is random: always the same, since the generator is seeded.

use domain::calendar::events::EventTimes;
use domain::calendar::status::Status;
use domain::calendar::wall::Wall;
use domain::calendar::words::Search;
use domain::calendar::zones::Zone;
use domain::time::moment::Moment;
use examhall::calendar::store::PageRequest;
use examhall::calendar::store::records::{Coordinates, EventFields, OrganizerFields, VenueFields};
use rand::RngExt;
use rand::rngs::StdRng;

use super::super::book::{self, now};

pub const DAY: i64 = 24 * 60 * 60 * 1_000;
/// Words of titles: in other scripts, in other cases, and with signs that mean something to databases.
const WORDS: [&str; 12] = [
    "Exam",
    "mathematics",
    "ÜBUNG",
    "École",
    "日本語",
    "100%",
    "a_b",
    "it's",
    "Retake",
    "oral",
    "EXAMINATION",
    "back\\slash",
];
/// Parts of such words, in lower case.
const SOUGHT: [&str; 14] =
    ["exam", "math", "übung", "école", "本", "100%", "%", "_", "it's", "take", "ora", "examination", "\\", "nowhere"];
const ZONES: [&str; 6] = ["UTC", "America/New_York", "Asia/Tokyo", "+05:30", "Pacific/Kiritimati", "UTC-11"];

pub struct Draws(pub StdRng);

impl Draws {
    pub fn below(&mut self, count: usize) -> usize {
        self.0.random_range(0..count)
    }

    pub fn chance(&mut self, of: f64) -> bool {
        self.0.random_bool(of)
    }

    pub fn maybe<T>(&mut self, of: f64, draw: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.chance(of).then(|| draw(self))
    }

    pub fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    /// So many at most, each once.
    pub fn some<T: Clone + PartialEq>(&mut self, of: &[T], most: usize) -> Vec<T> {
        let mut drawn = Vec::new();
        for _ in 0..self.below(most + 1) {
            let one = self.one(of);
            if !drawn.contains(&one) {
                drawn.push(one);
            }
        }
        drawn
    }

    /// At least one.
    pub fn any<T: Clone + PartialEq>(&mut self, of: &[T], most: usize) -> Vec<T> {
        let drawn = self.some(of, most);
        if drawn.is_empty() { vec![self.one(of)] } else { drawn }
    }

    pub fn text(&mut self) -> String {
        let count = self.below(4) + 1;
        (0..count).map(|_| self.one(&WORDS)).collect::<Vec<_>>().join(" ")
    }

    pub fn sought(&mut self) -> String {
        self.one(&SOUGHT).to_owned()
    }

    pub fn search(&mut self) -> Search {
        let words = |draws: &mut Self, count| (0..count).map(|_| draws.sought()).collect();
        let required = words(self, 1);
        Search { required, excluded: if self.chance(0.2) { words(self, 1) } else { vec![] } }
    }

    pub fn status(&mut self) -> Status {
        if self.chance(0.6) { Status::Publish } else { self.one(&Status::ALL) }
    }

    pub fn statuses(&mut self) -> Vec<Status> {
        if self.chance(0.5) { vec![Status::Publish] } else { self.any(&Status::ALL, 5) }
    }

    /// At noon or at midnight of one of few days, so that many are equal.
    pub fn moment(&mut self) -> Moment {
        now().plus((i64::try_from(self.below(80)).unwrap() - 40) * DAY / 2)
    }

    pub fn times(&mut self) -> (EventTimes, String, bool) {
        let zone_name = self.one(&ZONES);
        let start = Wall::in_utc(self.moment().plus(i64::try_from(self.below(8)).unwrap() * 3 * 60 * 60 * 1_000));
        let end =
            Wall::in_utc(Zone::site().moment(start).plus(i64::try_from(self.below(50)).unwrap() * 60 * 60 * 1_000));
        let is_all_day = self.chance(0.15);
        (EventTimes::new(start, end, is_all_day, &Zone::parse(zone_name).unwrap()), zone_name.to_owned(), is_all_day)
    }

    pub fn event(&mut self) -> EventFields {
        let (times, timezone, is_all_day) = self.times();
        EventFields {
            description: if self.chance(0.5) { self.text() } else { String::new() },
            excerpt: if self.chance(0.3) { self.text() } else { String::new() },
            times,
            timezone,
            is_all_day,
            is_hidden: self.chance(0.1),
            is_featured: self.chance(0.3),
            ..book::event(&self.text())
        }
    }

    pub fn venue(&mut self) -> VenueFields {
        VenueFields {
            description: if self.chance(0.3) { self.text() } else { String::new() },
            city: if self.chance(0.5) { self.text() } else { String::new() },
            country: if self.chance(0.5) { self.text() } else { String::new() },
            place: self.maybe(0.6, |draws| draws.place()),
            ..book::venue(&self.text())
        }
    }

    /// Around the line where east becomes west.
    pub fn place(&mut self) -> Coordinates {
        let longitude = 179.0 + self.0.random_range(0.0..2.0);
        Coordinates {
            latitude: self.0.random_range(50.0..51.0),
            longitude: if longitude > 180.0 { longitude - 360.0 } else { longitude },
        }
    }

    pub fn organizer(&mut self) -> OrganizerFields {
        OrganizerFields {
            description: if self.chance(0.3) { self.text() } else { String::new() },
            email: if self.chance(0.3) { self.text() } else { String::new() },
            ..book::organizer(&self.text())
        }
    }

    pub fn page(&mut self) -> PageRequest {
        let number = if self.chance(0.6) { 1 } else { self.below(5) as u64 + 1 };
        PageRequest { number, size: self.one(&[1, 3, 10, 50, 1_000]) }
    }
}
