//! Tests with random texts: nothing panics, limits hold, and a result that is read again stays the same.

use proptest::prelude::*;
use serde_json::json;

use super::cost::Cost;
use super::dates::SentDate;
use super::events::EventTimes;
use super::exam::Exam;
use super::rights::Rights;
use super::slug::{self, SLUG_BYTES_MAX};
use super::wall::Wall;
use super::window::{DateFilters, Window};
use super::zones::Zone;
use super::{rendering, values, words};
use crate::time::moment::Moment;

/// Any text, texts in the forms that the calendar reads, and HTML that is half right.
fn text() -> impl Strategy<Value = String> {
    let marks = prop::sample::select(vec![
        "<",
        ">",
        "</",
        "<b>",
        "</b>",
        "<p>",
        "</p>",
        "<a href=\"",
        "\"",
        "'",
        "&",
        "&amp;",
        "&#8220;",
        "&#038;",
        "--",
        "...",
        "\n",
        "\n\n",
        " ",
        "-",
        "<script>",
        "<br>",
        "<li>",
        "<ul>",
        "<pre>",
        "</pre>",
        "<table>",
        "<td>",
        "日",
        "é",
        "\u{301}",
        "%e6",
        "%",
        "__trashed",
        "10",
        "$",
        "€",
        ",",
        ".",
        "free",
        "2027-01-10",
        "T09:00",
        "Z",
        "+1",
        " month",
        "UTC",
        "+5.5",
        ":",
        "/",
        "January",
        "am",
        "\0",
        "\u{FDD0}",
        "<!--",
        "-->",
        "=",
        "x",
        "\t",
        "\u{1F}",
        "İ",
        "ß",
        "kept-",
        "<kept-b>",
        "&lt;",
        "<i",
        "<svg>",
        "<style>",
    ]);
    prop_oneof![any::<String>(), prop::collection::vec(marks, 0..40).prop_map(|parts| parts.concat())]
}

/// The same without elements that a parser moves or trims each time it reads them.
fn text_in_order() -> impl Strategy<Value = String> {
    text().prop_map(|text| {
        ["<pre>", "<table>", "<td>", "<li>", "<a href=\"", "<svg>"]
            .iter()
            .fold(text, |text, tag| text.replace(tag, "<span>"))
    })
}

fn moment() -> impl Strategy<Value = Moment> {
    (-62_135_596_800_000_i64..=253_402_300_799_000)
        .prop_map(|milliseconds| Moment::from_milliseconds(milliseconds / 1_000 * 1_000))
}

fn zone() -> impl Strategy<Value = Zone> {
    let named = prop::sample::select(&chrono_tz::TZ_VARIANTS[..]).prop_map(|zone| Zone::parse(zone.name()).unwrap());
    let offset = (-14_i32..=14, prop::sample::select(vec!["", ".5", ".75", ":00", ":45"])).prop_map(|(hours, part)| {
        let part = if hours.abs() == 14 { "" } else { part };
        Zone::parse(&format!("UTC{hours:+}{part}")).unwrap()
    });
    prop_oneof![named, offset]
}

fn read(text: &str, now: Moment, zone: &Zone) -> Option<Wall> {
    SentDate::parse(text, now)?.on(zone)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn nothing_panics(text in text(), now in moment(), zone in zone()) {
        let _ = (read(&text, now, &zone), Zone::parse(&text), Wall::parse(&text), Cost::read(&json!(text)), Exam::read(&json!({ "grade": text })), Exam::parse(&text));
        let _ = (words::for_events(&text), words::for_places(&text), Rights::Editor.listed(Some(&[text.as_str()])), values::is_website(&text), values::is_image(&text));
        let _ = (values::plain(&text), values::term_name(&text), rendering::plain(&text), slug::with_parent(&text, &text));
        let date = SentDate::parse(&text, now).map(SentDate::on_site);
        let _ = Window::new(DateFilters { start_date: date, ends_before: date, ..DateFilters::default() }, now);
    }

    #[test]
    fn what_was_rendered_stays(text in text_in_order()) {
        let (title, body, description) = (rendering::title(&text), rendering::body(&text), rendering::term_description(&text));
        prop_assert_eq!(rendering::title(&title), title);
        prop_assert_eq!(rendering::body(&body), body);
        prop_assert_eq!(rendering::term_description(&description), description);
        let name = values::term_name(&text);
        prop_assert_eq!(values::term_name(&name), name);
        let plain = values::plain(&text);
        prop_assert_eq!(values::plain(&plain), plain);
    }

    #[test]
    fn slugs_are_sound(text in text(), number in 2_u64..100_000) {
        let slug = slug::of(&text);
        prop_assert_eq!(slug::of(&slug), slug.as_str());
        let numbered = slug::numbered(&slug, number);
        let trashed = slug::trashed(&slug);
        for slug in [&slug, &numbered, &trashed] {
            prop_assert!(slug.len() <= SLUG_BYTES_MAX, "{}", slug);
            let is_sound = slug.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'%'));
            prop_assert!(is_sound, "{}", slug);
        }
        prop_assert_eq!(slug::trashed(&trashed), trashed.as_str());
    }

    #[test]
    fn words_are_found_where_they_stand(text in text(), before in text(), after in text()) {
        for word in words::for_places(&text) {
            prop_assert!(words::haystack(&[&before, &values::escaped(&text), &after]).contains(&word), "{}", word);
        }
    }

    #[test]
    fn times_are_in_order_and_shown_as_they_are(start in moment(), length in -1_000_000_i64..10_000_000, is_all_day: bool, zone in zone()) {
        let (start, end) = (Wall::in_utc(start), Wall::in_utc(start.plus(length * 1_000)));
        let times = EventTimes::new(start, end, is_all_day, &zone);
        prop_assert!(times.start <= times.end && times.start_moment <= times.end_moment);
        let is_far = |wall: Wall| wall.text().starts_with("0001") || wall.text().starts_with("9999");
        if !is_all_day && !is_far(times.start) && !is_far(times.end) {
            prop_assert_eq!(zone.wall(times.start_moment), times.start);
            prop_assert_eq!(zone.wall(times.end_moment), times.end);
            prop_assert_eq!(EventTimes::new(times.start, times.end, false, &zone), times);
        }
    }

    #[test]
    fn a_wall_is_read_as_it_is_written(at in moment(), now in moment(), zone in zone()) {
        let wall = Wall::in_utc(at);
        prop_assert_eq!(Wall::parse(&wall.text()), Some(wall));
        prop_assert_eq!(read(&wall.text(), now, &zone), Some(wall));
        prop_assert_eq!(read(&(at.milliseconds() / 1_000).to_string(), now, &zone), Some(wall));
        prop_assert_eq!(read(&wall.naive().format("%m/%d/%Y %I:%M:%S %p").to_string(), now, &zone), Some(wall));
        prop_assert_eq!(read(&wall.naive().format("%B %-d, %Y %H:%M:%S").to_string(), now, &zone), Some(wall));
    }

    #[test]
    fn costs_have_their_numbers_in_order(numbers in prop::collection::vec(0_u32..10_000, 1..6)) {
        let sent: Vec<String> = numbers.iter().map(u32::to_string).collect();
        let cost = Cost::read(&json!(sent.join(" "))).unwrap();
        let mut expected = if sent == ["0"] { Vec::new() } else { numbers };
        expected.sort_unstable();
        expected.dedup();
        prop_assert_eq!(cost.values, expected.iter().map(u32::to_string).collect::<Vec<_>>());
    }
}
