//! Tests of all the forms in which clients send dates.

use super::*;

/// A Thursday afternoon.
fn now() -> Moment {
    Moment::parse("2026-11-19T15:04:05Z").unwrap()
}

fn read(text: &str, now: Moment, zone: &Zone) -> Option<Wall> {
    SentDate::parse(text, now)?.on(zone)
}

fn read_in(text: &str, zone: &str) -> Option<String> {
    read(text, now(), &Zone::parse(zone).unwrap()).map(Wall::text)
}

fn assert_reads(rows: &[(&str, &str)]) {
    for (text, expected) in rows {
        assert_eq!(read_in(text, "UTC").as_deref(), Some(*expected), "{text:?}");
    }
}

#[test]
fn dates_of_the_contract() {
    assert_reads(&[
        ("2027-01-10", "2027-01-10 00:00:00"),
        ("2027-01-10 09:00", "2027-01-10 09:00:00"),
        ("2027-01-10T09:00:00", "2027-01-10 09:00:00"),
        ("2027-01-10T09:00:00Z", "2027-01-10 09:00:00"),
        ("2027-01-10T09:00:00+03:00", "2027-01-10 09:00:00"),
        ("1/10/2027 9:05 PM", "2027-01-10 21:05:00"),
        ("January 10, 2027 9am", "2027-01-10 09:00:00"),
        ("tomorrow 9am", "2026-11-20 09:00:00"),
        ("+1 month", "2026-12-19 15:04:05"),
        ("1799571600", "2027-01-10 09:00:00"),
        ("2027", "1970-01-01 00:33:47"),
    ]);
}

#[test]
fn iso_forms() {
    assert_reads(&[
        ("2027-01-10 09:00:00", "2027-01-10 09:00:00"),
        ("2027-01-10T09:00", "2027-01-10 09:00:00"),
        ("2027-01-10t09:00:00z", "2027-01-10 09:00:00"),
        ("2027-01-10T09:00:00.000Z", "2027-01-10 09:00:00"),
        ("2027-01-10T09:00:59.999999+00:00", "2027-01-10 09:00:59"),
        ("2027-01-10T09:00:00-0500", "2027-01-10 09:00:00"),
        ("2027-01-10T09:00:00+03", "2027-01-10 09:00:00"),
        ("2027-01-10 09:00:00 +03:00", "2027-01-10 09:00:00"),
        ("2027-01-10 9:30 pm", "2027-01-10 21:30:00"),
        ("  2027-01-10  ", "2027-01-10 00:00:00"),
        ("2028-02-29", "2028-02-29 00:00:00"),
        ("9999-12-31 23:59:59", "9999-12-31 23:59:59"),
    ]);
}

#[test]
fn american_forms() {
    assert_reads(&[
        ("1/10/2027", "2027-01-10 00:00:00"),
        ("01/10/2027 21:05", "2027-01-10 21:05:00"),
        ("1/10/2027 9:05pm", "2027-01-10 21:05:00"),
        ("12/31/2027 12:00 AM", "2027-12-31 00:00:00"),
        ("12/31/2027 12:00 PM", "2027-12-31 12:00:00"),
        ("12/31/2027 12:30:15 p.m.", "2027-12-31 12:30:15"),
        ("January 10, 2027", "2027-01-10 00:00:00"),
        ("january 10 2027", "2027-01-10 00:00:00"),
        ("Jan 10, 2027 9:30 PM", "2027-01-10 21:30:00"),
        ("Sept. 1st, 2027, 09:00", "2027-09-01 09:00:00"),
        ("May 2nd 2027 at 9am", "2027-05-02 09:00:00"),
    ]);
}

#[test]
fn relative_forms() {
    assert_reads(&[
        ("now", "2026-11-19 15:04:05"),
        ("NOW", "2026-11-19 15:04:05"),
        ("today", "2026-11-19 00:00:00"),
        ("today 17:00", "2026-11-19 17:00:00"),
        ("tomorrow", "2026-11-20 00:00:00"),
        ("Tomorrow 9:15 PM", "2026-11-20 21:15:00"),
        ("+1 day", "2026-11-20 15:04:05"),
        ("-1 days", "2026-11-18 15:04:05"),
        ("+2 weeks", "2026-12-03 15:04:05"),
        ("-1 week", "2026-11-12 15:04:05"),
        ("+3 months", "2027-02-19 15:04:05"),
        ("-1 year", "2025-11-19 15:04:05"),
        ("+1 week 09:00", "2026-11-26 09:00:00"),
    ]);
}

#[test]
fn a_month_without_the_day_runs_over() {
    let read = |text: &str, now: &str| read(text, Moment::parse(now).unwrap(), &Zone::site()).unwrap().text();
    assert_eq!(read("+1 month", "2027-01-31T10:00:00Z"), "2027-03-03 10:00:00");
    assert_eq!(read("-1 month", "2027-03-31T10:00:00Z"), "2027-03-03 10:00:00");
    assert_eq!(read("+1 year", "2028-02-29T10:00:00Z"), "2029-03-01 10:00:00");
    assert_eq!(read("+12 months", "2026-12-31T10:00:00Z"), "2027-12-31 10:00:00");
}

#[test]
fn relative_days_are_those_of_the_zone() {
    assert_eq!(read_in("now", "Asia/Tokyo").as_deref(), Some("2026-11-20 00:04:05"));
    assert_eq!(read_in("tomorrow 9am", "Asia/Tokyo").as_deref(), Some("2026-11-21 09:00:00"));
    assert_eq!(SentDate::parse("tomorrow 9am", now()).unwrap().on_site().text(), "2026-11-20 09:00:00");
}

#[test]
fn a_date_can_be_outside_the_calendar_in_one_zone_only() {
    let last_hour = Moment::parse("9999-12-31T23:30:00Z").unwrap();
    let date = SentDate::parse("today 9am", last_hour).unwrap();
    assert_eq!(date.on(&Zone::site()).map(Wall::text).as_deref(), Some("9999-12-31 09:00:00"));
    assert_eq!(SentDate::parse("tomorrow", last_hour), None);
    let date = SentDate::parse("+1 day", Moment::parse("9999-12-30T23:30:00Z").unwrap()).unwrap();
    assert_eq!(date.on(&Zone::parse("+02:00").unwrap()), None);
}

#[test]
fn offsets_are_dropped_and_seconds_are_read_in_utc() {
    assert_eq!(read_in("2027-01-10T09:00:00+03:00", "America/New_York").as_deref(), Some("2027-01-10 09:00:00"));
    assert_eq!(read_in("1799571600", "America/New_York").as_deref(), Some("2027-01-10 09:00:00"));
    assert_eq!(read_in("-86400", "UTC").as_deref(), Some("1969-12-31 00:00:00"));
}

#[test]
fn everything_else_is_invalid() {
    for text in [
        "",
        " ",
        "nonsense",
        "2027-13-01",
        "2027-02-30",
        "2027-00-10",
        "2027-01-32",
        "0000-01-01",
        "2027-1-1",
        "2027-01-10 25:00",
        "2027-01-10 09:60",
        "2027-01-10T",
        "2027-01-10 nonsense",
        "2027-01-10T09:00:00+25:00",
        "2027-01-10x09:00",
        "13/1/2027",
        "1/32/2027",
        "1/10/27",
        "1/10/2027/3",
        "1/10/2027 9",
        "1/10/2027 13:00 PM",
        "1/10/2027 0am",
        "Smarch 1, 2027",
        "January 32, 2027",
        "January 10",
        "January 10, 27",
        "tomorrow never",
        "now 9am",
        "yesterdays",
        "+1",
        "+ month",
        "+1 fortnight",
        "+99999999 days",
        "+99999 years",
        "99999999999999",
        "12.5",
        "1e9",
        "--5",
        "９",
        "2027‐01‐10",
        "+1 month month",
        "2027-01-10\0",
        "2027-01-10 09:00:00.",
        "2027-01-10 09:00:00.x",
        "am",
        "pm",
        "T",
        "z",
    ] {
        assert_eq!(read_in(text, "UTC"), None, "{text:?}");
    }
    assert_eq!(read_in(&"1".repeat(DATE_CHARACTERS_MAX + 1), "UTC"), None);
}
