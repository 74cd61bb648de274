//! Tests of zones in all their forms, and of clocks that jump.

use super::*;

fn zone(text: &str) -> Zone {
    Zone::parse(text).unwrap_or_else(|| panic!("{text}"))
}

fn wall(text: &str) -> Wall {
    Wall::parse(text).unwrap()
}

fn in_utc(zone_text: &str, local: &str) -> String {
    Wall::in_utc(zone(zone_text).moment(wall(local))).text()
}

#[test]
fn forms_of_the_contract() {
    for (text, utc, abbreviation) in [
        ("America/New_York", "2027-01-10 14:00:00", "EST"),
        ("Europe/London", "2027-01-10 09:00:00", "GMT"),
        ("Europe/Berlin", "2027-01-10 08:00:00", "CET"),
        ("America/Sao_Paulo", "2027-01-10 12:00:00", "-03"),
        ("EST", "2027-01-10 14:00:00", "EST"),
        ("EDT", "2027-01-10 13:00:00", "EDT"),
        ("GMT", "2027-01-10 09:00:00", "GMT"),
        ("UTC", "2027-01-10 09:00:00", "UTC"),
        ("+02:00", "2027-01-10 07:00:00", "GMT+0200"),
        ("-03:30", "2027-01-10 12:30:00", "GMT-0330"),
        ("+0200", "2027-01-10 07:00:00", "GMT+0200"),
        ("UTC+5.5", "2027-01-10 03:30:00", "UTC+5.5"),
        ("UTC-3", "2027-01-10 12:00:00", "UTC-3"),
        ("UTC+05:30", "2027-01-10 03:30:00", "UTC+05:30"),
        ("UTC+0", "2027-01-10 09:00:00", "UTC+0"),
        ("UTC+14", "2027-01-09 19:00:00", "UTC+14"),
        ("UTC-12", "2027-01-10 21:00:00", "UTC-12"),
        ("UTC+5.75", "2027-01-10 03:15:00", "UTC+5.75"),
    ] {
        let settled = zone(text).settle(wall("2027-01-10 09:00:00"));
        assert_eq!(
            (Wall::in_utc(settled.moment).text().as_str(), zone(text).abbreviation(settled.moment).as_str()),
            (utc, abbreviation),
            "{text}"
        );
        assert_eq!(settled.wall, wall("2027-01-10 09:00:00"), "{text}");
        assert_eq!(zone(text).name(), text);
    }
}

#[test]
fn abbreviations_know_the_season() {
    for (text, winter, summer) in
        [("America/New_York", "EST", "EDT"), ("Europe/London", "GMT", "BST"), ("Europe/Paris", "CET", "CEST")]
    {
        let of = |local: &str| zone(text).abbreviation(zone(text).moment(wall(local)));
        assert_eq!(
            (of("2027-01-10 09:00:00").as_str(), of("2027-07-10 09:00:00").as_str()),
            (winter, summer),
            "{text}"
        );
    }
}

#[test]
fn names_are_kept_in_the_case_in_which_they_came() {
    for (text, same) in [("america/new_york", "America/New_York"), ("EUROPE/BERLIN", "Europe/Berlin"), ("est", "EST")] {
        assert_eq!(zone(text).name(), text);
        let local = wall("2027-07-10 09:00:00");
        assert_eq!(zone(text).moment(local), zone(same).moment(local));
        assert_eq!(
            zone(text).abbreviation(zone(text).moment(local)),
            zone(same).abbreviation(zone(same).moment(local))
        );
    }
}

#[test]
fn anything_else_is_none() {
    for text in [
        "",
        " ",
        "Mars/Olympus",
        "America/New York",
        " UTC",
        "UTC ",
        "UTC+",
        "UTC+15",
        "UTC+14:01",
        "UTC+5.3",
        "UTC5",
        "+",
        "+2:5",
        "+02:60",
        "+24:00",
        "02:00",
        "+002",
        "+02000",
        "UTC+5.5.5",
        "UTC+5:30:00",
        "ÉST",
        "Europe",
        "+\u{0662}",
    ] {
        assert_eq!(Zone::parse(text), None, "{text:?}");
    }
    assert_eq!(Zone::parse(&"A".repeat(ZONE_CHARACTERS_MAX + 1)), None);
    assert_eq!(Zone::of_record("Mars/Olympus").name(), "UTC");
}

#[test]
fn within_a_gap_the_clock_moves_forward() {
    let settled = zone("America/New_York").settle(wall("2027-03-14 02:30:00"));
    assert_eq!(
        (settled.wall.text().as_str(), Wall::in_utc(settled.moment).text().as_str()),
        ("2027-03-14 03:30:00", "2027-03-14 07:30:00")
    );
    // Samoa left out a whole day.
    let settled = zone("Pacific/Apia").settle(wall("2011-12-30 12:00:00"));
    assert_eq!(settled.wall.text(), "2011-12-31 12:00:00");
    // This clock jumps by half an hour.
    let settled = zone("Australia/Lord_Howe").settle(wall("2026-10-04 02:10:00"));
    assert_eq!(settled.wall.text(), "2026-10-04 02:40:00");
}

#[test]
fn of_an_hour_that_comes_twice_the_first_counts() {
    assert_eq!(in_utc("America/New_York", "2027-11-07 01:30:00"), "2027-11-07 05:30:00");
    assert_eq!(in_utc("Europe/Berlin", "2027-10-31 02:30:00"), "2027-10-31 00:30:00");
    let settled = zone("America/New_York").settle(wall("2027-11-07 01:30:00"));
    assert_eq!(zone("America/New_York").abbreviation(settled.moment), "EDT");
}

#[test]
fn iso_has_the_offset_of_the_day() {
    let of = |name: &str, local: &str| zone(name).iso(zone(name).moment(wall(local)));
    assert_eq!(of("America/New_York", "2027-01-10 09:00:00"), "2027-01-10T09:00:00-05:00");
    assert_eq!(of("America/New_York", "2027-07-10 09:00:00"), "2027-07-10T09:00:00-04:00");
    assert_eq!(of("UTC", "2027-07-10 09:00:00"), "2027-07-10T09:00:00+00:00");
    assert_eq!(of("UTC+5.5", "2027-07-10 09:00:00"), "2027-07-10T09:00:00+05:30");
}

#[test]
fn every_zone_settles_every_hour_of_a_year_on_a_wall_that_shows_it() {
    for zone_name in [
        "America/New_York",
        "Europe/London",
        "Australia/Lord_Howe",
        "Africa/Casablanca",
        "Asia/Tehran",
        "Pacific/Apia",
        "America/St_Johns",
    ] {
        let zone = zone(zone_name);
        for hour in 0..8_760 {
            let local = Wall::new(wall("2027-01-01 00:30:00").naive() + chrono::TimeDelta::hours(hour)).unwrap();
            let settled = zone.settle(local);
            assert_eq!(zone.wall(settled.moment), settled.wall, "{zone_name} {}", local.text());
            assert!(settled.wall >= local && zone.settle(settled.wall) == settled, "{zone_name} {}", local.text());
        }
    }
}

#[test]
fn the_ends_of_the_calendar_hold() {
    for text in ["UTC-12", "UTC+14", "America/New_York", "Asia/Tokyo"] {
        for local in ["0001-01-01 00:00:00", "9999-12-31 23:59:59"] {
            let settled = zone(text).settle(wall(local));
            let _ = (zone(text).abbreviation(settled.moment), zone(text).iso(settled.moment), settled.wall.text());
        }
    }
}

#[test]
fn a_day_begins_and_ends_by_the_clocks_of_its_zone() {
    let day = |zone_text: &str, text: &str| {
        zone(zone_text)
            .day(text)
            .map(|(start, next)| (start.iso(), (next.milliseconds() - start.milliseconds()) / 3_600_000))
    };
    let told = |start: &str, hours| Some((start.to_owned(), hours));
    assert_eq!(day("Asia/Ho_Chi_Minh", "2026-05-05"), told("2026-05-04T17:00:00.000Z", 24));
    assert_eq!(day("UTC", "2026-05-05"), told("2026-05-05T00:00:00.000Z", 24));
    assert_eq!(day("Europe/Zurich", "2026-03-29"), told("2026-03-28T23:00:00.000Z", 23));
    assert_eq!(day("Europe/Zurich", "2026-10-25"), told("2026-10-24T22:00:00.000Z", 25));
    // There the clocks jump at midnight: that day begins at one o'clock.
    assert_eq!(day("Asia/Beirut", "2026-03-29"), told("2026-03-28T22:00:00.000Z", 23));
    for text in ["", "2026-5-5", "2026-02-30", "2026-05-05T", "05.05.2026"] {
        assert_eq!(day("UTC", text), None, "{text}");
    }
}
