//! Tests of when events take place, most of all on days on which the clock jumps.

use super::*;

fn times(start: &str, end: &str, is_all_day: bool, zone: &str) -> [String; 4] {
    let wall = |text: &str| Wall::parse(text).unwrap();
    let times = EventTimes::new(wall(start), wall(end), is_all_day, &Zone::parse(zone).unwrap());
    [
        times.start.text(),
        times.end.text(),
        Wall::in_utc(times.start_moment).text(),
        Wall::in_utc(times.end_moment).text(),
    ]
}

#[test]
fn the_wall_clock_is_converted() {
    assert_eq!(
        times("2027-01-10 09:00:00", "2027-01-10 11:00:00", false, "America/New_York"),
        ["2027-01-10 09:00:00", "2027-01-10 11:00:00", "2027-01-10 14:00:00", "2027-01-10 16:00:00"]
    );
}

#[test]
fn whole_days_have_their_first_and_last_second() {
    assert_eq!(
        times("2027-01-10 09:00:00", "2027-01-12 11:00:00", true, "America/New_York"),
        ["2027-01-10 00:00:00", "2027-01-12 23:59:59", "2027-01-10 05:00:00", "2027-01-13 04:59:59"]
    );
    // A day of 23 hours, and one without midnight.
    assert_eq!(
        times("2027-03-14 00:00:00", "2027-03-14 00:00:00", true, "America/New_York")[2..],
        ["2027-03-14 05:00:00", "2027-03-15 03:59:59"]
    );
    assert_eq!(
        times("2018-11-04 00:00:00", "2018-11-04 00:00:00", true, "America/Sao_Paulo"),
        ["2018-11-04 00:00:00", "2018-11-04 23:59:59", "2018-11-04 03:00:00", "2018-11-05 01:59:59"]
    );
}

#[test]
fn an_end_before_the_beginning_becomes_it() {
    assert_eq!(
        times("2027-01-10 09:00:00", "2027-01-09 11:00:00", false, "UTC"),
        ["2027-01-10 09:00:00", "2027-01-10 09:00:00", "2027-01-10 09:00:00", "2027-01-10 09:00:00"]
    );
    assert_eq!(
        times("2027-01-10 09:00:00", "2027-01-09 11:00:00", true, "UTC")[..2],
        ["2027-01-10 00:00:00", "2027-01-10 23:59:59"]
    );
    // 02:30 does not exist and becomes 03:30, which is later than the end, 03:00.
    let [start, end, ..] = times("2027-03-14 02:30:00", "2027-03-14 03:00:00", false, "America/New_York");
    assert_eq!((start.as_str(), end.as_str()), ("2027-03-14 03:30:00", "2027-03-14 03:30:00"));
}

#[test]
fn within_a_gap_both_move_forward() {
    assert_eq!(
        times("2027-03-14 02:15:00", "2027-03-14 02:45:00", false, "America/New_York"),
        ["2027-03-14 03:15:00", "2027-03-14 03:45:00", "2027-03-14 07:15:00", "2027-03-14 07:45:00"]
    );
}
