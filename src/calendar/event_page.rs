//! The page to which an event's `url` leads, for anyone: written by the server without a script, so that it opens on
//! every device. It shows what a visitor may read, whoever asks.

use std::fmt::Write;

use actix_web::http::header::{
    AcceptEncoding, CACHE_CONTROL, CONTENT_SECURITY_POLICY, ContentType, HeaderMap, REFERRER_POLICY, VARY,
};
use actix_web::web::{Data, Header, Path};
use actix_web::{HttpRequest, HttpResponse};
use chrono::Datelike;
use domain::calendar::rendering::plain;
use domain::calendar::rights::Rights;
use domain::calendar::slug;
use domain::calendar::status::Status;
use domain::calendar::values::escaped;
use domain::calendar::wall::Wall;
use domain::calendar::zones::Zone;
use domain::school::PageLanguage;
use domain::text::direction::isolated;
use domain::time::moment::Moment;

use super::Calendar;
use super::answer::event::{cost, exam_link};
use super::answer::site::Site;
use super::events::opening::{conceal, opens_at};
use super::request::routes::Group;
use super::store::events;
use super::store::records::{Event, EventFields, FullEvent, Organizer, RecordKind, Venue};
use crate::error::Error;
use crate::http::face::{PageFace, reader_language};
use crate::http::pages::unknown;
use crate::http::status::shown_to;
use crate::store::school;

/// What this page needs besides the styles of the others that the server writes.
const MORE_STYLE: &str = "dl{display:grid;gap:.35rem;margin:0}dt{font-weight:600}dd{margin:0 0 .6rem;overflow-wrap:anywhere}\
.description{overflow-wrap:anywhere}.description img{max-width:100%;height:auto}.description p{margin-bottom:.75rem}";
/// No script and no form; a description may have pictures of other sites.
const SOURCES: &str = "img-src 'self' data: https:; form-action 'none'";

/// The words of the page in one language.
struct Words {
    language: PageLanguage,
    when: &'static str,
    place: &'static str,
    organizers: &'static str,
    cost: &'static str,
    exam: &'static str,
    /// What follows the day and time of its opening.
    opens: &'static str,
    whole_day: &'static str,
    to_exam: &'static str,
    website: &'static str,
    file: &'static str,
    day: fn(Wall) -> String,
}

static ENGLISH: Words = Words {
    language: PageLanguage::En,
    when: "When",
    place: "Where",
    organizers: "Organized by",
    cost: "Cost",
    exam: "Exam",
    opens: "Load this page again then, and it leads to the exam.",
    whole_day: "all day",
    to_exam: "To the exam",
    website: "Website",
    file: "Add to my calendar",
    day: english_day,
};

static VIETNAMESE: Words = Words {
    language: PageLanguage::Vi,
    when: "Thời gian",
    place: "Địa điểm",
    organizers: "Đơn vị tổ chức",
    cost: "Chi phí",
    exam: "Bài thi",
    opens: "Khi đó hãy tải lại trang này để vào bài thi.",
    whole_day: "cả ngày",
    to_exam: "Vào bài thi",
    website: "Trang web",
    file: "Thêm vào lịch của tôi",
    day: vietnamese_day,
};

const VIETNAMESE_WEEKDAYS: [&str; 7] = ["Thứ Hai", "Thứ Ba", "Thứ Tư", "Thứ Năm", "Thứ Sáu", "Thứ Bảy", "Chủ Nhật"];

/// `GET` of the page. An event that is not published is as unknown as one that never was.
pub async fn show_event(
    request: HttpRequest,
    named: Path<String>,
    accepted: Option<Header<AcceptEncoding>>,
    calendar: Data<Calendar>,
) -> Result<HttpResponse, Error> {
    let now = calendar.clock.now();
    calendar.schedule.publish_due(&calendar.database, now).await;
    let found = Box::pin(events::find_by_slug(&calendar.database, &slug::of(&named))).await?;
    let published = found.filter(|full| {
        let content = &full.event.content;
        content.status.now(content.published_at, now) == Status::Publish
    });
    let Some(mut full) = published else { return unknown(accepted) };
    let words = words(request.headers());
    let opening = opening(&full.event, now, words);
    conceal(&mut full.event, Rights::Visitor, now);
    let face = PageFace::of(&school::load(&calendar.database).await?, MORE_STYLE).saying(shown_to(&request).await);
    let html = page(&full, &opening, &Site::of(&request, &calendar.config), words, &face);
    let mut response = HttpResponse::Ok();
    response.insert_header((CONTENT_SECURITY_POLICY, face.policy(SOURCES)));
    response.insert_header((REFERRER_POLICY, "same-origin"));
    response.insert_header((CACHE_CONTROL, "no-cache")).insert_header((VARY, "Accept-Language"));
    Ok(response.insert_header(ContentType::html()).body(html))
}

fn words(headers: &HeaderMap) -> &'static Words {
    match reader_language(headers) {
        PageLanguage::En => &ENGLISH,
        PageLanguage::Vi => &VIETNAMESE,
    }
}

fn page(full: &FullEvent, opening: &str, site: &Site, words: &Words, face: &PageFace) -> String {
    let fields = &full.event.content.fields;
    let title = escaped(&isolated(&plain(&fields.title).replace('\n', " ")));
    let main = format!(
        "<article class=\"card stack\"><h1>{}</h1>{}{}{}</article>",
        fields.title,
        facts(full, opening, words),
        description(fields),
        links(full, site, words),
    );
    face.document(words.language, &title, &main)
}

fn facts(full: &FullEvent, opening: &str, words: &Words) -> String {
    let fields = &full.event.content.fields;
    let organizers: Vec<String> = full.organizers.iter().map(organizer).collect();
    let facts = [
        (words.when, when(fields, words)),
        (words.place, full.venue.as_ref().map(place).unwrap_or_default()),
        (words.organizers, organizers.join("; ")),
        (words.cost, cost(&full.event).text),
        (words.exam, opening.to_owned()),
    ];
    let mut list = String::from("<dl>");
    for (name, value) in facts.into_iter().filter(|(_, value)| !value.is_empty()) {
        let _ = write!(list, "<dt>{name}</dt><dd>{}</dd>", escaped(&value));
    }
    list + "</dl>"
}

/// When the exam opens, while that lies ahead: whoever finds no way to it would believe that there is none.
fn opening(event: &Event, now: Moment, words: &Words) -> String {
    let Some(opens_at) = opens_at(event).filter(|opens_at| *opens_at > now) else { return String::new() };
    let wall = Zone::of_record(&event.content.fields.timezone).wall(opens_at);
    format!("{}, {}. {}", (words.day)(wall), wall.naive().format("%H:%M"), words.opens)
}

/// On the clocks of the event's own zone, which is named.
fn when(fields: &EventFields, words: &Words) -> String {
    let (start, end) = (fields.times.start, fields.times.end);
    let (first, last) = ((words.day)(start), (words.day)(end));
    let is_one_day = start.day() == end.day();
    if fields.is_all_day {
        let days = if is_one_day { first } else { format!("{first} – {last}") };
        return format!("{days}, {}", words.whole_day);
    }
    let clock = |wall: Wall| wall.naive().format("%H:%M").to_string();
    let times = match (is_one_day, start == end) {
        (_, true) => format!("{first}, {}", clock(start)),
        (true, false) => format!("{first}, {}–{}", clock(start), clock(end)),
        (false, false) => format!("{first}, {} – {last}, {}", clock(start), clock(end)),
    };
    format!("{times} ({})", fields.timezone)
}

fn english_day(wall: Wall) -> String {
    wall.day().format("%A %-d %B %Y").to_string()
}

fn vietnamese_day(wall: Wall) -> String {
    let day = wall.day();
    let weekday = usize::try_from(day.weekday().num_days_from_monday()).unwrap_or_default();
    let name = VIETNAMESE_WEEKDAYS.get(weekday).copied().unwrap_or_default();
    format!("{name}, ngày {} tháng {} năm {}", day.day(), day.month(), day.year())
}

fn place(venue: &Venue) -> String {
    let fields = &venue.content.fields;
    let name = plain(&fields.name);
    let city = format!("{} {}", fields.zip, fields.city);
    let parts: [&str; 5] = [&name, &fields.address, city.trim(), &fields.state_province, &fields.country];
    listed(&parts)
}

/// Those that are there, none of which turns the others.
fn listed(parts: &[&str]) -> String {
    parts.iter().filter(|part| !part.is_empty()).map(|part| isolated(part)).collect::<Vec<_>>().join(", ")
}

fn organizer(organizer: &Organizer) -> String {
    let fields = &organizer.content.fields;
    let name = plain(&fields.name);
    listed(&[&name, &fields.phone, &fields.email])
}

/// It was made safe when it was stored.
fn description(fields: &EventFields) -> String {
    let body = if fields.description.is_empty() { &fields.excerpt } else { &fields.description };
    if body.is_empty() { String::new() } else { format!("<div class=\"description\">{body}</div>") }
}

fn links(full: &FullEvent, site: &Site, words: &Words) -> String {
    let event = &full.event;
    let mut row = String::from("<div class=\"row\">");
    let mut add = |class: &str, href: &str, name: &str| {
        let _ = write!(row, "<a class=\"{class}\" href=\"{}\">{name}</a>", escaped(href));
    };
    if let Some(link) = exam_link(event, site) {
        add("button main", &link, words.to_exam);
    }
    if let Some(website) = event.content.fields.website.as_deref().filter(|website| !website.is_empty()) {
        add("button", website, words.website);
    }
    let file = format!("{}?ical=1", site.one(Group::Records(RecordKind::Event), event.id));
    add("button", &file, words.file);
    row + "</div>"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wall(text: &str) -> Wall {
        Wall::parse(text).unwrap()
    }

    #[test]
    fn no_name_turns_what_stands_beside_it() {
        let hebrew = "\u{5D0}\u{5D1}";
        assert_eq!(listed(&[hebrew, "", "12 Main Street"]), format!("\u{2068}{hebrew}\u{2069}, 12 Main Street"));
        assert_eq!(listed(&["\u{202E}adA", "555-0100"]), "adA, 555-0100");
        assert_eq!(listed(&["Rita R.", "rita@school.example"]), "Rita R., rita@school.example");
    }

    #[test]
    fn days_are_written_in_both_languages() {
        assert_eq!(english_day(wall("2027-06-01 09:00:00")), "Tuesday 1 June 2027");
        assert_eq!(vietnamese_day(wall("2027-06-06 09:00:00")), "Chủ Nhật, ngày 6 tháng 6 năm 2027");
    }
}
