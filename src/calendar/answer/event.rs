//! The JSON of an event with all records that it is linked to. Clients expect almost every key even if it has no value.

use domain::attempt::Mode;
use domain::calendar::cost::{Cost, SymbolPosition};
use domain::calendar::exam::{Exam, ExamTest};
use domain::calendar::wall::{Wall, WallDetails};
use domain::calendar::zones::Zone;
use serde::Serialize;
use serde_json::Value;

use super::json_ld::{self, EventData};
use super::organizer::OrganizerView;
use super::term::EventTerm;
use super::values::{Dates, Image, OrEmpty, OrFalse};
use super::venue::VenueView;
use crate::calendar::answer::site::Site;
use crate::calendar::request::routes::Group;
use crate::calendar::store::records::{Event, FullEvent, RecordKind};

#[derive(Serialize)]
pub struct CalendarEventView<'a> {
    id: i64,
    global_id: String,
    global_id_lineage: [String; 1],
    author: String,
    status: &'static str,
    #[serde(flatten)]
    dates: Dates,
    url: String,
    rest_url: String,
    title: &'a str,
    description: &'a str,
    excerpt: &'a str,
    slug: &'a str,
    image: OrFalse<Image<'a>>,
    all_day: bool,
    #[serde(flatten)]
    times: EventTimesView<'a>,
    cost: String,
    cost_details: CostDetails,
    website: String,
    show_map: bool,
    show_map_link: bool,
    hide_from_listings: bool,
    sticky: bool,
    featured: bool,
    categories: Vec<EventTerm<'a>>,
    tags: Vec<EventTerm<'a>>,
    venue: OrEmpty<VenueView<'a>>,
    organizer: Vec<OrganizerView<'a>>,
    custom_fields: [(); 0],
    #[serde(skip_serializing_if = "Option::is_none")]
    exam: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    json_ld: Option<EventData<'a>>,
}

/// When the event takes place.
#[derive(Serialize)]
struct EventTimesView<'a> {
    start_date: String,
    start_date_details: WallDetails,
    end_date: String,
    end_date_details: WallDetails,
    utc_start_date: String,
    utc_start_date_details: WallDetails,
    utc_end_date: String,
    utc_end_date_details: WallDetails,
    timezone: &'a str,
    timezone_abbr: String,
}

/// The parts of the cost.
#[derive(Serialize)]
struct CostDetails {
    currency_symbol: String,
    currency_code: &'static str,
    currency_position: SymbolPosition,
    values: Vec<String>,
}

impl<'a> CalendarEventView<'a> {
    /// The event as a list shows it, or, if it is requested alone, with `json_ld`.
    #[must_use]
    pub fn of(full: &'a FullEvent, site: &Site, is_single: bool) -> Self {
        let event = &full.event;
        let fields = &event.content.fields;
        let global_id = site.global_id(event.id);
        let cost = cost(event);
        let website = website(event, site);
        let json_ld = is_single.then(|| json_ld::event(full, &cost, &website, site));
        Self {
            id: event.id,
            global_id_lineage: [global_id.clone()],
            global_id,
            author: event.content.author.to_string(),
            status: event.content.status.name(),
            dates: Dates::of(event),
            url: site.event(event),
            rest_url: site.one(Group::Records(RecordKind::Event), event.id),
            title: &fields.title,
            description: &fields.description,
            excerpt: &fields.excerpt,
            slug: &event.slug,
            image: OrFalse(Image::of(fields.image.as_deref())),
            all_day: fields.is_all_day,
            times: EventTimesView::of(event),
            cost: cost.text,
            cost_details: CostDetails {
                currency_symbol: cost.symbol,
                currency_code: "",
                currency_position: cost.position,
                values: cost.values,
            },
            website,
            show_map: fields.shows_map,
            show_map_link: fields.shows_map_link,
            hide_from_listings: fields.is_hidden,
            sticky: fields.is_sticky,
            featured: fields.is_featured,
            categories: full.categories.iter().map(|term| EventTerm::of(term, site)).collect(),
            tags: full.tags.iter().map(|term| EventTerm::of(term, site)).collect(),
            venue: OrEmpty(full.venue.as_ref().map(|venue| VenueView::of(venue, site, is_single))),
            organizer: full.organizers.iter().map(|organizer| OrganizerView::of(organizer, site, is_single)).collect(),
            custom_fields: [],
            exam: exam(event).map(Exam::json),
            json_ld,
        }
    }
}

impl<'a> EventTimesView<'a> {
    fn of(event: &'a Event) -> Self {
        let fields = &event.content.fields;
        let times = fields.times;
        let (start, end) = (times.start, times.end);
        let (utc_start, utc_end) = (Wall::in_utc(times.start_moment), Wall::in_utc(times.end_moment));
        Self {
            start_date: start.text(),
            start_date_details: start.details(),
            end_date: end.text(),
            end_date_details: end.details(),
            utc_start_date: utc_start.text(),
            utc_start_date_details: utc_start.details(),
            utc_end_date: utc_end.text(),
            utc_end_date_details: utc_end.details(),
            timezone: &fields.timezone,
            timezone_abbr: Zone::of_record(&fields.timezone).abbreviation(times.start_moment),
        }
    }
}

#[must_use]
pub fn cost(event: &Event) -> Cost {
    let texts = event.content.fields.cost.iter().cloned().map(Value::String).collect();
    Cost::read(&Value::Array(texts)).unwrap_or_default()
}

#[must_use]
pub fn exam(event: &Event) -> Option<Exam> {
    event.content.fields.exam.as_deref().and_then(Exam::parse)
}

/// The website of an event: the link that was sent, or the address of its exam, or the event's own page.
#[must_use]
pub fn website(event: &Event, site: &Site) -> String {
    link(event, site).unwrap_or_else(|| site.event(event))
}

/// The link that was sent, or the address of the event's exam.
#[must_use]
pub fn link(event: &Event, site: &Site) -> Option<String> {
    let sent = event.content.fields.website.clone();
    sent.or_else(|| exam_link(event, site))
}

/// Where the event's exam is sat.
#[must_use]
pub fn exam_link(event: &Event, site: &Site) -> Option<String> {
    exam(event).map(|exam| share_link(exam, event.id, site))
}

/// The address of an exam with its minutes. It names the event, so that the exam's sessions are found by it.
fn share_link(exam: Exam, event: i64, site: &Site) -> String {
    let path = exam.path();
    if let ExamTest::Sitting(_) = exam.test {
        // Its attempts are found by the sitting.
        return format!("{}{path}", site.url);
    }
    let separator = if path.contains('?') { '&' } else { '?' };
    let minutes = match exam.test {
        ExamTest::Grade { mode: Mode::Standard, duration_minutes, .. } => format!("minutes={duration_minutes}&"),
        ExamTest::Grade { .. } | ExamTest::Template(_) | ExamTest::Sitting(_) => String::new(),
    };
    format!("{}{path}{separator}{minutes}event={event}", site.url)
}
