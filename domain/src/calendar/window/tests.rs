//! Tests of the moments that bound a list of events.

use super::*;

fn read(asked: &DateFilters<'_>) -> Window {
    Window::read(asked, Moment::parse("2026-11-20T15:04:05Z").unwrap()).unwrap()
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
    let window = read(&DateFilters::default());
    assert_eq!(bounds(&window), [some("2026-11-19 00:00:00"), some("2028-11-21 00:00:00"), None, None]);
    assert_eq!(echo(&window), "start_date=2026-11-19 00:00:00&end_date=2028-11-20 23:59:59");
}

#[test]
fn dates_are_widened_to_their_days() {
    let window = read(&DateFilters {
        start_date: Some("2027-01-10 15:00"),
        end_date: Some("2027-01-12 09:00"),
        ..DateFilters::default()
    });
    assert_eq!(bounds(&window), [some("2027-01-10 00:00:00"), some("2027-01-13 00:00:00"), None, None]);
    assert_eq!(echo(&window), "start_date=2027-01-10 00:00:00&end_date=2027-01-12 23:59:59");
    let one = read(&DateFilters { start_date: Some("2027-01-10"), ..DateFilters::default() });
    assert_eq!(bounds(&one), [some("2027-01-10 00:00:00"), some("2028-11-21 00:00:00"), None, None]);
}

#[test]
fn strict_dates_are_taken_to_the_second() {
    let asked = DateFilters {
        start_date: Some("2027-01-10 15:00"),
        end_date: Some("2027-01-12 09:00"),
        is_strict: true,
        ..DateFilters::default()
    };
    assert_eq!(bounds(&read(&asked)), [some("2027-01-10 15:00:00"), some("2027-01-12 09:00:00"), None, None]);
    let after = DateFilters {
        starts_after: Some("2027-01-10 15:00"),
        ends_before: Some("2027-01-12 09:00"),
        is_strict: true,
        ..DateFilters::default()
    };
    assert_eq!(bounds(&read(&after)), [some("2027-01-10 15:00:01"), None, None, some("2027-01-12 09:00:00")]);
}

#[test]
fn after_and_before_drop_the_defaults_and_keep_what_was_sent() {
    let after = read(&DateFilters { starts_after: Some("2027-01-10"), ..DateFilters::default() });
    assert_eq!(bounds(&after), [some("2027-01-11 00:00:00"), None, None, None]);
    assert_eq!(echo(&after), "starts_after=2027-01-10 23:59:59");
    let before = read(&DateFilters { starts_before: Some("2027-01-10 08:00"), ..DateFilters::default() });
    assert_eq!(bounds(&before), [None, some("2027-01-10 23:59:59"), None, None]);
    let ends = read(&DateFilters {
        ends_after: Some("2027-01-10"),
        ends_before: Some("2027-01-12"),
        ..DateFilters::default()
    });
    assert_eq!(bounds(&ends), [None, None, some("2027-01-11 00:00:00"), some("2027-01-12 23:59:59")]);
    let both = read(&DateFilters {
        start_date: Some("2027-02-01"),
        end_date: Some("2027-02-03"),
        starts_after: Some("2027-01-10"),
        starts_before: Some("2027-02-02"),
        ..DateFilters::default()
    });
    assert_eq!(bounds(&both), [some("2027-02-01 00:00:00"), some("2027-02-02 23:59:59"), None, None]);
}

#[test]
fn with_ids_no_date_counts_but_each_is_checked() {
    let asked = DateFilters { start_date: Some("2027-01-10"), is_included: true, ..DateFilters::default() };
    assert_eq!(read(&asked), Window::default());
    for asked in [
        DateFilters { start_date: Some("nonsense"), is_included: true, ..DateFilters::default() },
        DateFilters { end_date: Some(""), ..DateFilters::default() },
        DateFilters { starts_before: Some("2027-13-01"), ..DateFilters::default() },
    ] {
        assert_eq!(Window::read(&asked, Moment::default()), None, "{asked:?}");
    }
}
