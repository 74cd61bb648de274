//! Tests of the moments that bound a list of events.

use super::*;

fn window(asked: DateFilters) -> Window {
    Window::new(asked, Moment::parse("2026-11-20T15:04:05Z").unwrap())
}

/// A date of a filter. `text` is a day, or a day with hours and minutes.
fn wall(text: &str) -> Option<Wall> {
    let rest = "0000-00-00 00:00:00".get(text.len()..).unwrap();
    Some(Wall::parse(&format!("{text}{rest}")).unwrap())
}

fn bounds(window: &Window) -> [Option<String>; 4] {
    [window.start_from, window.start_before, window.end_from, window.end_before]
        .map(|bound| bound.map(|moment| Wall::in_utc(moment).text()))
}

fn echo(window: &Window) -> String {
    window.echo.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[test]
fn by_default_from_yesterday_for_two_years() {
    let shown = window(DateFilters::default());
    assert_eq!(bounds(&shown), [some("2026-11-19 00:00:00"), some("2028-11-21 00:00:00"), None, None]);
    assert_eq!(echo(&shown), "start_date=2026-11-19 00:00:00&end_date=2028-11-20 23:59:59");
}

#[test]
fn dates_are_widened_to_their_days() {
    let shown = window(DateFilters {
        start_date: wall("2027-01-10 15:00"),
        end_date: wall("2027-01-12 09:00"),
        ..DateFilters::default()
    });
    assert_eq!(bounds(&shown), [some("2027-01-10 00:00:00"), some("2027-01-13 00:00:00"), None, None]);
    assert_eq!(echo(&shown), "start_date=2027-01-10 00:00:00&end_date=2027-01-12 23:59:59");
    let one = window(DateFilters { start_date: wall("2027-01-10"), ..DateFilters::default() });
    assert_eq!(bounds(&one), [some("2027-01-10 00:00:00"), some("2028-11-21 00:00:00"), None, None]);
}

#[test]
fn strict_dates_are_taken_to_the_second() {
    let asked = DateFilters {
        start_date: wall("2027-01-10 15:00"),
        end_date: wall("2027-01-12 09:00"),
        is_strict: true,
        ..DateFilters::default()
    };
    assert_eq!(bounds(&window(asked)), [some("2027-01-10 15:00:00"), some("2027-01-12 09:00:00"), None, None]);
    let after = DateFilters {
        starts_after: wall("2027-01-10 15:00"),
        ends_before: wall("2027-01-12 09:00"),
        is_strict: true,
        ..DateFilters::default()
    };
    assert_eq!(bounds(&window(after)), [some("2027-01-10 15:00:01"), None, None, some("2027-01-12 09:00:00")]);
}

#[test]
fn after_and_before_drop_the_defaults_and_keep_what_was_sent() {
    let after = window(DateFilters { starts_after: wall("2027-01-10"), ..DateFilters::default() });
    assert_eq!(bounds(&after), [some("2027-01-11 00:00:00"), None, None, None]);
    assert_eq!(echo(&after), "starts_after=2027-01-10 23:59:59");
    let before = window(DateFilters { starts_before: wall("2027-01-10 08:00"), ..DateFilters::default() });
    assert_eq!(bounds(&before), [None, some("2027-01-10 23:59:59"), None, None]);
    let ends = window(DateFilters {
        ends_after: wall("2027-01-10"),
        ends_before: wall("2027-01-12"),
        ..DateFilters::default()
    });
    assert_eq!(bounds(&ends), [None, None, some("2027-01-11 00:00:00"), some("2027-01-12 23:59:59")]);
    let both = window(DateFilters {
        start_date: wall("2027-02-01"),
        end_date: wall("2027-02-03"),
        starts_after: wall("2027-01-10"),
        starts_before: wall("2027-02-02"),
        ..DateFilters::default()
    });
    assert_eq!(bounds(&both), [some("2027-02-01 00:00:00"), some("2027-02-02 23:59:59"), None, None]);
}

#[test]
fn with_ids_no_date_counts() {
    let asked = DateFilters { start_date: wall("2027-01-10"), is_included: true, ..DateFilters::default() };
    assert_eq!(window(asked), Window::default());
}
