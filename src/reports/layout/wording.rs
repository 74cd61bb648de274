//! The words for values on paper: dates, durations, difficulties, bands.

use chrono::DateTime;
use chrono_tz::Tz;
use domain::band::Band;
use domain::correction::CorrectionKind;
use domain::number::{self, NO_TOLERANCE, NumberKey, Reading};
use domain::question::Difficulty;
use domain::session::VersionReason;
use domain::time::moment::Moment;

/// Stands for a value that is not known.
pub(super) const DASH: &str = "–";

pub(super) fn or_dash(text: &str) -> String {
    if text.trim().is_empty() { DASH.to_owned() } else { text.to_owned() }
}

fn in_zone(moment: Moment, zone: Tz, pattern: &str) -> String {
    let moment = DateTime::from_timestamp_millis(moment.milliseconds()).unwrap_or_default();
    moment.with_timezone(&zone).format(pattern).to_string()
}

/// Many zones have no name but their difference from UTC.
fn zone_name(moment: Moment, zone: Tz) -> String {
    let name = in_zone(moment, zone, "%Z");
    if name.starts_with(['+', '-']) { format!("UTC{name}") } else { name }
}

/// A day with its time, and the zone of these.
pub(super) fn day_and_time(moment: Moment, zone: Tz) -> String {
    format!("{} {}", in_zone(moment, zone, "%-d %B %Y, %H:%M"), zone_name(moment, zone))
}

/// Writes the month in letters, so that nobody takes it for the day. The end has a date only if it is another day.
pub(super) fn dates(start: Moment, end: Moment, zone: Tz) -> String {
    let of = |moment: Moment, pattern| in_zone(moment, zone, pattern);
    let (first, last) = (of(start, "%-d %B %Y"), of(end, "%-d %B %Y"));
    let name = zone_name(end, zone);
    match first == last {
        true => format!("{first}, {} to {} {name}", of(start, "%H:%M"), of(end, "%H:%M")),
        false => format!("{first}, {} to {last}, {} {name}", of(start, "%H:%M"), of(end, "%H:%M")),
    }
}

/// That a result was changed, when and why as far as that is known, and what the score was before.
pub(super) fn change(reason: VersionReason, at: Option<Moment>, score_before: u32, zone: Tz) -> String {
    let when = at.map_or_else(String::new, |at| format!(" on {}", day_and_time(at, zone)));
    let why = match reason {
        // Nobody knows why: another service has left it out.
        VersionReason::Submitted => "",
        VersionReason::LateWork => ", because work that came after the deadline was accepted",
        VersionReason::Reopened => ", because the test went on after its end",
        VersionReason::KeyCorrected => ", because the key of a question was corrected",
        VersionReason::Reverted => ", because an earlier change was taken back",
    };
    format!("This result was changed{when}{why}. The score was {score_before} before.")
}

/// What a correction of the key has made of a question of which this is right now.
pub(super) fn correction(kind: CorrectionKind, right: &[String]) -> String {
    match kind {
        CorrectionKind::Key => format!("The key of this question was corrected: {} is right.", right.concat()),
        CorrectionKind::Also => {
            let (last, first) = right.split_last().map_or(("", &[][..]), |(last, first)| (last.as_str(), first));
            let list = if first.is_empty() { last.to_owned() } else { format!("{} and {last}", first.join(", ")) };
            format!("The key of this question was corrected: {list} count as right.")
        }
        CorrectionKind::All => "This question was credited to everyone.".to_owned(),
        CorrectionKind::Drop => "This question was dropped and does not count.".to_owned(),
    }
}

/// What a student has typed, and how it is read if that looks otherwise: `,5 = 0.5`.
pub(super) fn typed(typed: &str, number: &NumberKey) -> String {
    match number.read(typed).map(Reading::text) {
        None => format!("{typed} (not a number)"),
        Some(read) if read == typed => read,
        Some(read) => format!("{typed} = {read}"),
    }
}

/// The right number with what it may differ by and its unit: `0.5 ± 0.1 kg`.
pub(super) fn number(correct: &str, number: &NumberKey) -> String {
    let tolerance = Some(number.tolerance.as_str()).filter(|tolerance| !number::has_value_of(tolerance, NO_TOLERANCE));
    let tolerance = tolerance.map(|tolerance| format!(" ± {tolerance}")).unwrap_or_default();
    let unit = if number.unit.is_empty() { String::new() } else { format!(" {}", number.unit) };
    format!("{correct}{tolerance}{unit}")
}

/// Whole seconds as hours, minutes and seconds.
pub(super) fn duration(seconds: u32) -> String {
    let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    match (hours, minutes) {
        (0, 0) => format!("{rest} s"),
        (0, _) => format!("{minutes} min {rest} s"),
        _ => format!("{hours} h {minutes} min {rest} s"),
    }
}

/// Whole seconds as minutes and seconds.
pub(super) fn clock(seconds: u32) -> String {
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

pub(super) const fn difficulty(difficulty: Difficulty) -> &'static str {
    match difficulty.number() {
        1 => "Easy",
        2 => "Easy-Medium",
        3 => "Medium",
        4 => "Medium-Hard",
        _ => "Hard",
    }
}

pub(super) fn band(band: Band) -> String {
    match band {
        Band::Below60 => "band below 60 %".to_owned(),
        band => format!("band {} %", band.label().replace('-', "–")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_written_so_that_nobody_swaps_it_with_the_month() {
        let at = |text| Moment::parse(text).unwrap();
        let shown = |start, end, zone| dates(at(start), at(end), zone);
        let (start, end) = ("2026-01-05T09:00:00Z", "2026-01-05T09:35:40Z");
        assert_eq!(shown(start, end, Tz::UTC), "5 January 2026, 09:00 to 09:35 UTC");
        assert_eq!(shown(start, end, Tz::Europe__Zurich), "5 January 2026, 10:00 to 10:35 CET");
        assert_eq!(shown(start, end, Tz::Asia__Ho_Chi_Minh), "5 January 2026, 16:00 to 16:35 UTC+07");
        let (start, end) = ("2026-07-05T23:50:00Z", "2026-07-06T00:20:00Z");
        assert_eq!(shown(start, end, Tz::UTC), "5 July 2026, 23:50 to 6 July 2026, 00:20 UTC");
        assert_eq!(shown(start, end, Tz::Europe__Zurich), "6 July 2026, 01:50 to 02:20 CEST");
    }

    #[test]
    fn a_change_says_why_and_what_was_before() {
        let at = Moment::parse("2026-01-05T09:00:00Z").unwrap();
        assert_eq!(
            change(VersionReason::KeyCorrected, Some(at), 640, Tz::Asia__Ho_Chi_Minh),
            "This result was changed on 5 January 2026, 16:00 UTC+07, because the key of a question was corrected. \
             The score was 640 before."
        );
        let unknown = change(VersionReason::Submitted, Some(at), 200, Tz::UTC);
        assert_eq!(unknown, "This result was changed on 5 January 2026, 09:00 UTC. The score was 200 before.");
        assert_eq!(
            change(VersionReason::LateWork, None, 200, Tz::UTC),
            "This result was changed, because work that came after the deadline was accepted. The score was 200 before."
        );
    }

    #[test]
    fn a_correction_is_explained_in_one_sentence() {
        let said = |kind, also: &[&str]| {
            let right: Vec<String> = ["B"].iter().chain(also).map(|letter| (*letter).to_owned()).collect();
            correction(kind, &right)
        };
        assert_eq!(said(CorrectionKind::Key, &[]), "The key of this question was corrected: B is right.");
        let two = said(CorrectionKind::Also, &["C"]);
        assert_eq!(two, "The key of this question was corrected: B and C count as right.");
        let three = said(CorrectionKind::Also, &["A", "C"]);
        assert_eq!(three, "The key of this question was corrected: B, A and C count as right.");
        assert_eq!(said(CorrectionKind::All, &[]), "This question was credited to everyone.");
        assert_eq!(said(CorrectionKind::Drop, &[]), "This question was dropped and does not count.");
    }

    #[test]
    fn a_number_is_shown_as_it_was_typed_and_as_it_is_read() {
        let key = NumberKey { unit: "kg".to_owned(), ..NumberKey::exact("0.5") };
        assert_eq!(typed("0.5", &key), "0.5");
        assert_eq!(typed(",5", &key), ",5 = 0.5");
        assert_eq!(typed("2 1/2", &key), "2 1/2");
        assert_eq!(typed("half", &key), "half (not a number)");
        assert_eq!(number("0.5", &key), "0.5 kg");
        let near = NumberKey { tolerance: "0.1".to_owned(), ..NumberKey::exact("0.5") };
        assert_eq!((number("0.5", &near), number("3", &near)), ("0.5 ± 0.1".to_owned(), "3 ± 0.1".to_owned()));
    }

    #[test]
    fn times_are_whole_seconds() {
        assert_eq!(
            (duration(0), duration(59), duration(61)),
            ("0 s".to_owned(), "59 s".to_owned(), "1 min 1 s".to_owned())
        );
        assert_eq!(duration(4_200), "1 h 10 min 0 s");
        assert_eq!((clock(5), clock(4_503)), ("0:05".to_owned(), "75:03".to_owned()));
    }

    #[test]
    fn difficulties_and_bands_have_their_names() {
        let labels: Vec<_> = Difficulty::all().map(difficulty).collect();
        assert_eq!(labels, ["Easy", "Easy-Medium", "Medium", "Medium-Hard", "Hard"]);
        assert_eq!(band(Band::From80), "band 80–90 %");
    }
}
