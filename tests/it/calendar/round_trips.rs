//! A client that knows nothing of what is behind the interface: it makes 500 random events, and every list has exactly
//! those of them that a naive model in memory has.

use std::collections::BTreeSet;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use super::client::{API, Client, SITE};
use crate::hall::Hall;

const EVENTS: usize = 500;
const LISTS: usize = 150;
/// Of January 2027.
const DAYS: u32 = 28;
const WORDS: [&str; 6] = ["algebra", "Übung", "日本", "oral", "retake", "final"];
/// Of categories and of tags.
const NAMES: [&str; 4] = ["red", "blue", "green", "日"];
const STATUSES: [&str; 4] = ["publish", "draft", "private", "pending"];

/// An event as it was sent, with the number that it got.
struct Sent {
    id: i64,
    title: String,
    description: String,
    day: u32,
    hour: u32,
    categories: Vec<&'static str>,
    tags: Vec<&'static str>,
    venue: Option<i64>,
    organizers: Vec<i64>,
    status: &'static str,
    is_featured: bool,
    is_hidden: bool,
}

impl Sent {
    fn draw(draws: &mut StdRng, venues: &[i64], organizers: &[i64]) -> Self {
        Self {
            id: 0,
            title: format!("{} {}", one(draws, &WORDS), one(draws, &WORDS)),
            description: one(draws, &WORDS).to_uppercase(),
            day: draws.random_range(1..=DAYS),
            hour: draws.random_range(0..23),
            categories: some(draws, &NAMES, 2),
            tags: some(draws, &NAMES, 2),
            venue: some(draws, venues, 1).pop(),
            organizers: some(draws, organizers, 2),
            status: if draws.random_bool(0.6) { "publish" } else { one(draws, &STATUSES) },
            is_featured: draws.random_bool(0.3),
            is_hidden: draws.random_bool(0.1),
        }
    }

    fn time(&self, hour: u32) -> String {
        format!("2027-01-{:02} {hour:02}:00:00", self.day)
    }

    fn body(&self) -> Value {
        let mut body = json!({
            "title": self.title,
            "description": self.description,
            "start_date": self.time(self.hour),
            "end_date": self.time(self.hour + 1),
            "categories": self.categories,
            "tags": self.tags,
            "organizer": self.organizers,
            "status": self.status,
            "featured": self.is_featured,
            "hide_from_listings": self.is_hidden,
        });
        if let Some(venue) = self.venue {
            body["venue"] = venue.into();
        }
        body
    }

    fn has(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        self.title.to_lowercase().contains(&word) || self.description.to_lowercase().contains(&word)
    }
}

/// Whether an event belongs into a list.
type Rule = Box<dyn Fn(&Sent) -> bool>;

/// What a list asks for, and which events it must have: those that keep all of the rules.
struct Question {
    parts: Vec<String>,
    rules: Vec<Rule>,
}

impl Question {
    fn add(&mut self, part: String, rule: impl Fn(&Sent) -> bool + 'static) {
        self.parts.push(part);
        self.rules.push(Box::new(rule));
    }

    fn path(&self) -> String {
        format!("/events?{}", self.parts.join("&"))
    }

    fn is_met_by(&self, event: &Sent) -> bool {
        self.rules.iter().all(|rule| rule(event))
    }

    /// One of someone who sees all, or of someone who sees what is published.
    fn draw(draws: &mut StdRng, made: &[i64], venues: &[i64], organizers: &[i64], sees_all: bool) -> Self {
        let mut question = Self { parts: vec![], rules: vec![] };
        question
            .add("per_page=50".to_owned(), move |event| !event.is_hidden && (sees_all || event.status == "publish"));
        let (one_day, other_day) = (draws.random_range(1..=DAYS), draws.random_range(1..=DAYS));
        let (from, to) = (one_day.min(other_day), one_day.max(other_day));
        let window = format!("start_date=2027-01-{from:02}&end_date=2027-01-{to:02}");
        if draws.random_bool(0.15) {
            let ids = any(draws, made, 60);
            question.add(format!("{window}&include={}", joined(&ids)), move |event| ids.contains(&event.id));
        } else {
            question.add(window, move |event| (from..=to).contains(&event.day));
        }
        if sees_all && draws.random_bool(0.3) {
            let statuses = any(draws, &STATUSES, 2);
            question.add(format!("status={}", statuses.join(",")), move |event| statuses.contains(&event.status));
        }
        if draws.random_bool(0.25) {
            let word = one(draws, &WORDS);
            question.add(format!("search={word}"), move |event| event.has(word));
        }
        if draws.random_bool(0.25) {
            let names = any(draws, &NAMES, 2);
            question.add(format!("categories={}", names.join(",")), move |event| {
                names.iter().any(|name| event.categories.contains(name))
            });
        }
        if draws.random_bool(0.25) {
            let names = any(draws, &NAMES, 2);
            question.add(format!("tags={}", names.join(",")), move |event| {
                names.iter().any(|name| event.tags.contains(name))
            });
        }
        if draws.random_bool(0.2) {
            let ids = any(draws, venues, 2);
            question
                .add(format!("venue={}", joined(&ids)), move |event| event.venue.is_some_and(|id| ids.contains(&id)));
        }
        if draws.random_bool(0.2) {
            let ids = any(draws, organizers, 2);
            question.add(format!("organizer={}", joined(&ids)), move |event| {
                event.organizers.iter().any(|id| ids.contains(id))
            });
        }
        if draws.random_bool(0.2) {
            let is_featured = draws.random_bool(0.5);
            question.add(format!("featured={is_featured}"), move |event| event.is_featured == is_featured);
        }
        question
    }
}

#[tokio::test]
async fn what_is_made_is_found_by_the_filters_that_should_find_it_and_by_no_others() {
    let hall = Hall::open().await;
    let (anyone, manager) = (Client::anonymous(&hall), Client::of(&hall, "manager").await);
    let mut draws = StdRng::seed_from_u64(11);
    let (mut venues, mut organizers) = (Vec::new(), Vec::new());
    for name in ["A", "B", "C"] {
        venues.push(number(&manager.make("/venues", &json!({ "venue": name })).await));
        organizers.push(number(&manager.make("/organizers", &json!({ "organizer": name })).await));
    }
    let mut events = Vec::with_capacity(EVENTS);
    for _ in 0..EVENTS {
        let mut event = Sent::draw(&mut draws, &venues, &organizers);
        let made = manager.make("/events", &event.body()).await;
        assert_eq!(
            (&made["title"], &made["status"], &made["start_date"]),
            (&json!(event.title), &json!(event.status), &json!(event.time(event.hour)))
        );
        event.id = number(&made);
        events.push(event);
    }
    let made: Vec<i64> = events.iter().map(|event| event.id).collect();
    let mut hits = 0;
    for _ in 0..LISTS {
        let sees_all = draws.random_bool(0.5);
        let question = Question::draw(&mut draws, &made, &venues, &organizers, sees_all);
        let expected: BTreeSet<i64> =
            events.iter().filter(|event| question.is_met_by(event)).map(|event| event.id).collect();
        let found = ask(if sees_all { &manager } else { &anyone }, question.path()).await;
        assert_eq!(found, expected, "{}", question.path());
        hits += usize::from(!expected.is_empty());
    }
    assert!(hits > LISTS / 4, "only {hits} lists had any events: the filters are too narrow to show anything");
}

/// The numbers of a list's events on all of its pages, from link to link.
async fn ask(client: &Client, mut path: String) -> BTreeSet<i64> {
    let mut found = BTreeSet::new();
    loop {
        let page = client.read(&path).await;
        for event in page["events"].as_array().unwrap() {
            assert!(found.insert(number(event)), "{} comes twice: {path}", event["id"]);
        }
        let Some(next) = page["next_rest_url"].as_str() else {
            assert_eq!(page["total"], found.len(), "{path}");
            return found;
        };
        path = next.strip_prefix(&format!("{SITE}{API}")).unwrap().to_owned();
    }
}

fn number(record: &Value) -> i64 {
    record["id"].as_i64().unwrap()
}

fn joined(ids: &[i64]) -> String {
    ids.iter().map(i64::to_string).collect::<Vec<_>>().join(",")
}

fn one<T: Copy>(draws: &mut StdRng, of: &[T]) -> T {
    of[draws.random_range(0..of.len())]
}

/// So many at most, each once.
fn some<T: Copy + PartialEq>(draws: &mut StdRng, of: &[T], most: usize) -> Vec<T> {
    let mut drawn = Vec::new();
    for _ in 0..draws.random_range(0..=most) {
        let next = one(draws, of);
        if !drawn.contains(&next) {
            drawn.push(next);
        }
    }
    drawn
}

/// The same, and at least one.
fn any<T: Copy + PartialEq>(draws: &mut StdRng, of: &[T], most: usize) -> Vec<T> {
    let drawn = some(draws, of, most);
    if drawn.is_empty() { vec![one(draws, of)] } else { drawn }
}
