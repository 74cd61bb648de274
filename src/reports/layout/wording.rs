//! The words for values on paper: dates, durations, difficulties, bands.

use chrono::DateTime;
use chrono_tz::Tz;
use domain::band::Band;
use domain::number::{self, NO_TOLERANCE, NumberKey, Reading};
use domain::session::VersionReason;
use domain::time::moment::Moment;

use super::words::PaperWords;

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

/// A day with its time, and the zone of these, within a sentence.
pub(super) fn day_and_time(words: PaperWords, moment: Moment, zone: Tz) -> String {
    let (of, name) = (|pattern| in_zone(moment, zone, pattern), zone_name(moment, zone));
    words.said(|| format!("{} {name}", of("%-d %B %Y, %H:%M")), || format!("{} ({name})", of("%H:%M ngày %-d/%-m/%Y")))
}

/// When a test began and ended. English has the month in letters, so that nobody takes it for the day; in Vietnamese
/// the day always comes first. The end has a date only if it is another day.
pub(super) fn dates(words: PaperWords, start: Moment, end: Moment, zone: Tz) -> String {
    let of = |moment: Moment, pattern| in_zone(moment, zone, pattern);
    let is_one_day = of(start, "%F") == of(end, "%F");
    let (from, to, name) = (of(start, "%H:%M"), of(end, "%H:%M"), zone_name(end, zone));
    let en = || {
        let (first, last) = (of(start, "%-d %B %Y"), of(end, "%-d %B %Y"));
        match is_one_day {
            true => format!("{first}, {from} to {to} {name}"),
            false => format!("{first}, {from} to {last}, {to} {name}"),
        }
    };
    let vi = || {
        let (first, last) = (of(start, "ngày %-d/%-m/%Y"), of(end, "ngày %-d/%-m/%Y"));
        match is_one_day {
            true => format!("Từ {from} đến {to} {first} ({name})"),
            false => format!("Từ {from} {first} đến {to} {last} ({name})"),
        }
    };
    words.said(en, vi)
}

/// That a result was changed, when and why as far as that is known, and what the score was before.
pub(super) fn change(
    words: PaperWords,
    reason: VersionReason,
    at: Option<Moment>,
    score_before: u32,
    zone: Tz,
) -> String {
    let at = at.map(|at| day_and_time(words, at, zone));
    words.result_changed(reason, at.as_deref(), score_before)
}

/// What a student has typed, and how it is read if that looks otherwise: `,5 = 0.5`.
pub(super) fn typed(words: PaperWords, typed: &str, number: &NumberKey) -> String {
    match number.read(typed).map(Reading::text) {
        None => words.not_a_number(typed),
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
pub(super) fn duration(words: PaperWords, seconds: u32) -> String {
    let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    let [of_hours, of_minutes, of_seconds] =
        [("h", "giờ"), ("min", "phút"), ("s", "giây")].map(|(en, vi)| words.either(en, vi));
    match (hours, minutes) {
        (0, 0) => format!("{rest} {of_seconds}"),
        (0, _) => format!("{minutes} {of_minutes} {rest} {of_seconds}"),
        _ => format!("{hours} {of_hours} {minutes} {of_minutes} {rest} {of_seconds}"),
    }
}

/// Whole seconds as minutes and seconds.
pub(super) fn clock(seconds: u32) -> String {
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

pub(super) fn band(words: PaperWords, band: Band) -> String {
    match band {
        Band::Below60 => words.below_60().to_owned(),
        band => format!("{} %", band.label().replace('-', "–")),
    }
}

#[cfg(test)]
mod tests {
    use domain::school::PageLanguage;

    use super::*;

    const EN: PaperWords = PaperWords(PageLanguage::En);
    const VI: PaperWords = PaperWords(PageLanguage::Vi);

    #[test]
    fn a_day_is_written_so_that_nobody_swaps_it_with_the_month() {
        let at = |text| Moment::parse(text).unwrap();
        let shown = |start, end, zone| dates(EN, at(start), at(end), zone);
        let in_vietnamese = |start, end| dates(VI, at(start), at(end), Tz::Asia__Ho_Chi_Minh);
        let (start, end) = ("2026-01-05T09:00:00Z", "2026-01-05T09:35:40Z");
        assert_eq!(shown(start, end, Tz::UTC), "5 January 2026, 09:00 to 09:35 UTC");
        assert_eq!(shown(start, end, Tz::Europe__Zurich), "5 January 2026, 10:00 to 10:35 CET");
        assert_eq!(shown(start, end, Tz::Asia__Ho_Chi_Minh), "5 January 2026, 16:00 to 16:35 UTC+07");
        assert_eq!(in_vietnamese(start, end), "Từ 16:00 đến 16:35 ngày 5/1/2026 (UTC+07)");
        let (start, end) = ("2026-07-05T23:50:00Z", "2026-07-06T00:20:00Z");
        assert_eq!(shown(start, end, Tz::UTC), "5 July 2026, 23:50 to 6 July 2026, 00:20 UTC");
        assert_eq!(shown(start, end, Tz::Europe__Zurich), "6 July 2026, 01:50 to 02:20 CEST");
        let (start, end) = ("2026-07-05T16:50:00Z", "2026-07-05T17:20:00Z");
        assert_eq!(in_vietnamese(start, end), "Từ 23:50 ngày 5/7/2026 đến 00:20 ngày 6/7/2026 (UTC+07)");
    }

    #[test]
    fn a_change_says_why_and_what_was_before() {
        let at = Moment::parse("2026-01-05T09:00:00Z").unwrap();
        assert_eq!(
            change(EN, VersionReason::KeyCorrected, Some(at), 640, Tz::Asia__Ho_Chi_Minh),
            "This result was changed on 5 January 2026, 16:00 UTC+07, because the key of a question was corrected. \
             The score was 640 before."
        );
        let unknown = change(EN, VersionReason::Submitted, Some(at), 200, Tz::UTC);
        assert_eq!(unknown, "This result was changed on 5 January 2026, 09:00 UTC. The score was 200 before.");
        assert_eq!(
            change(EN, VersionReason::LateWork, None, 200, Tz::UTC),
            "This result was changed, because work that came after the end of the test was accepted. The score was 200 \
             before."
        );
        assert_eq!(
            change(VI, VersionReason::LateWork, None, 200, Tz::UTC),
            "Kết quả này đã được thay đổi vì phần bài gửi đến sau khi bài thi kết thúc đã được chấp nhận. Điểm \
             trước đó là 200."
        );
        assert_eq!(
            change(VI, VersionReason::Reverted, Some(at), 640, Tz::Asia__Ho_Chi_Minh),
            "Kết quả này đã được thay đổi lúc 16:00 ngày 5/1/2026 (UTC+07) vì một thay đổi trước đó đã được hủy. Điểm \
             trước đó là 640."
        );
    }

    #[test]
    fn a_number_is_shown_as_it_was_typed_and_as_it_is_read() {
        let key = NumberKey { unit: "kg".to_owned(), ..NumberKey::exact("0.5") };
        assert_eq!(typed(EN, "0.5", &key), "0.5");
        assert_eq!(typed(EN, ",5", &key), ",5 = 0.5");
        assert_eq!(typed(EN, "2 1/2", &key), "2 1/2");
        assert_eq!(typed(EN, "half", &key), "half (not a number)");
        assert_eq!(number("0.5", &key), "0.5 kg");
        let near = NumberKey { tolerance: "0.1".to_owned(), ..NumberKey::exact("0.5") };
        assert_eq!((number("0.5", &near), number("3", &near)), ("0.5 ± 0.1".to_owned(), "3 ± 0.1".to_owned()));
    }

    #[test]
    fn times_are_whole_seconds() {
        assert_eq!(
            (duration(EN, 0), duration(EN, 59), duration(EN, 61)),
            ("0 s".to_owned(), "59 s".to_owned(), "1 min 1 s".to_owned())
        );
        assert_eq!(duration(EN, 4_200), "1 h 10 min 0 s");
        assert_eq!(
            (duration(VI, 61), duration(VI, 4_200)),
            ("1 phút 1 giây".to_owned(), "1 giờ 10 phút 0 giây".to_owned())
        );
        assert_eq!((clock(5), clock(4_503)), ("0:05".to_owned(), "75:03".to_owned()));
    }

    #[test]
    fn bands_have_their_names() {
        assert_eq!((band(EN, Band::From80), band(EN, Band::Below60)), ("80–90 %".to_owned(), "below 60 %".to_owned()));
        assert_eq!(band(VI, Band::Below60), "dưới 60 %");
    }
}
