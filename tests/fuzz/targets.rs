//! What fuzzers try: each target takes bytes as strangers may send them, and breaks when something is not as it must
//! be. `tests/it/fuzz_cases.rs` runs all of them with the cases that are kept, in every run of the tests.

mod attempt;

use domain::calendar::cost::Cost;
use domain::calendar::dates::SentDate;
use domain::calendar::zones::Zone;
use domain::calendar::{slug, words};
use domain::exchange::foreign::Defaults;
use domain::grade::Grade;
use domain::number::{self, Language, NumberKey, NumberTerms, TypedValue};
use domain::question::Difficulty;
use domain::sitting::accommodation::AccommodationList;
use domain::sitting::roster::{Roster, RosterReader};
use domain::time::moment::Moment;
use domain::webhook_target::{TargetPolicy, is_public};
use examhall::calendar::read_form_fields;
use examhall::live::{proctor, protocol::read};
use examhall::questions::exchange::foreign_file::{EachQuestion, QuestionFile};
use examhall::questions::exchange::format_fault::FormatFault;
use examhall::questions::exchange::workbook::QuestionWorkbook;
use examhall::questions::exchange::{QuestionSource, aiken, gift, moodle_xml, qti, qti_package};
use examhall::sheets::table::read_table;

/// A way in, tried with bytes.
pub type Target = fn(&[u8]);

/// All of them, by the names of their folders in `tests/fuzz/cases`.
pub const TARGETS: [(&str, Target); 13] = [
    ("aiken", aiken),
    ("attempt", attempt::against_its_model),
    ("calendar", calendar),
    ("gift", gift),
    ("live_protocol", live_protocol),
    ("moodle_xml", moodle_xml),
    ("numbers", numbers),
    ("qti", qti),
    ("qti_package", qti_package),
    ("question_file", question_file),
    ("rosters", rosters),
    ("webhook_targets", webhook_targets),
    ("workbooks", workbooks),
];

/// Texts only: what is no UTF-8 is refused before these.
fn with_text(data: &[u8], run: impl FnOnce(&str)) {
    if let Ok(text) = std::str::from_utf8(data) {
        run(text);
    }
}

fn defaults() -> Defaults {
    Defaults { grade: Grade::new(5), topic: Some("Numbers".to_owned()), difficulty: Difficulty::new(3) }
}

/// Reads questions of another system. Each has its place, and is ours or is refused with a reason.
fn items(read: impl FnOnce(EachQuestion<'_>) -> Result<(), FormatFault>) {
    let read = read(&mut |place, question| {
        assert!(place.number > 0, "questions are counted from 1");
        match question.and_then(|question| question.draft(&defaults())) {
            Ok(drafted) => {
                if let Err(faults) = drafted.draft.complete(drafted.given, None) {
                    assert!(!faults.to_string().is_empty());
                }
            }
            Err(refusal) => assert!(!refusal.to_string().is_empty()),
        }
        Ok(())
    });
    if let Err(fault) = read {
        assert!(!fault.to_string().is_empty());
    }
}

fn aiken(data: &[u8]) {
    with_text(data, |text| {
        let _ = aiken::is_aiken(text);
        items(|each| aiken::read(text, each));
    });
}

fn gift(data: &[u8]) {
    with_text(data, |text| {
        let _ = gift::is_gift(text);
        items(|each| gift::read(text, each));
    });
}

fn moodle_xml(data: &[u8]) {
    with_text(data, |text| items(|each| moodle_xml::read(text, each)));
}

fn qti(data: &[u8]) {
    items(|each| qti::read(data, each));
}

fn qti_package(data: &[u8]) {
    if qti_package::is_package(data) {
        items(|each| qti_package::read(data, each));
    }
}

/// A file of whatever format, recognised as an import does, with pictures that are stored and that are not.
fn question_file(data: &[u8]) {
    for stores_pictures in [false, true] {
        let file = QuestionFile { defaults: defaults(), stores_pictures };
        if let Err(fault) = file.drafts(data.to_vec(), &mut |_, _| {}) {
            assert!(!fault.to_string().is_empty());
        }
    }
}

fn workbooks(data: &[u8]) {
    if let Err(unusable) = QuestionWorkbook.drafts(data.to_vec(), &mut |_, _| {}) {
        assert!(!unusable.to_string().is_empty());
    }
}

fn rosters(data: &[u8]) {
    let mut reader = RosterReader::of_class(None);
    if read_table(data.to_vec(), &mut reader).is_ok() {
        let _ = reader.finish();
    }
    let _ = read_table(data.to_vec(), &mut AccommodationList::default());
    if let Ok(rows) = serde_json::from_slice::<Vec<serde_json::Value>>(data) {
        let roster = Roster::of_json(&rows);
        assert!(roster.entries.len() <= rows.len(), "nobody is made up");
        let _ = AccommodationList::of_json(&rows);
    }
}

fn live_protocol(data: &[u8]) {
    with_text(data, |text| {
        for fault in [
            read::parse(text).err(),
            read::parse_start_or_enter(text).err(),
            read::parse_commands(text).err(),
            read::parse_command(text).err(),
        ] {
            assert!(fault.is_none_or(|fault| !fault.error.is_empty()), "a refusal says why");
        }
        let _ = proctor::understands(text);
    });
}

/// A link and, in further lines, the lists of `WEBHOOK_ALLOW` and `WEBHOOK_HOSTS`.
fn webhook_targets(data: &[u8]) {
    with_text(data, |text| {
        let mut lines = text.splitn(3, '\n');
        let (link, allow) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
        if let Ok(target) = TargetPolicy::default().check(link) {
            assert!(matches!(target.url.scheme(), "http" | "https"));
            assert!(target.url.username().is_empty() && target.url.password().is_none());
            assert!(!target.is_trusted);
            let address = target.host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
            let is_private = address.is_ok_and(|address| !is_public(address));
            assert!(!is_private, "{link} leads to a private address");
        }
        if let Ok(policy) = TargetPolicy::parse(allow, lines.next().unwrap_or_default()) {
            let _ = policy.check(link);
        }
    });
}

/// A date, a zone and a search in lines of their own, and all of it as a query.
fn calendar(data: &[u8]) {
    let query = url::form_urlencoded::parse(data).map(|(name, text)| (name.into_owned(), text.into_owned()));
    let fields = serde_json::Value::Object(read_form_fields(query));
    let written = serde_json::to_string(&fields).expect("fields are JSON");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&written).expect("and are read as such"), fields);
    with_text(data, |text| {
        let now = Moment::from_milliseconds(1_800_000_000_000);
        let mut lines = text.splitn(3, '\n');
        let date = SentDate::parse(lines.next().unwrap_or_default(), now);
        let zone = Zone::parse(lines.next().unwrap_or_default()).unwrap_or_else(Zone::site);
        if let Some(wall) = date.and_then(|date| date.on(&zone)) {
            let moment = zone.moment(wall);
            let _ = (zone.wall(moment), zone.iso(moment), zone.abbreviation(moment), zone.settle(wall));
        }
        let rest = lines.next().unwrap_or_default();
        let _ = (zone.day(rest), words::for_events(rest), words::for_places(rest), words::for_terms(rest));
        let made = slug::of(rest);
        let _ = (slug::numbered(&made, 7), slug::trashed(&made), slug::with_parent(&made, rest));
        if let Ok(value) = serde_json::from_str(rest) {
            let _ = Cost::read(&value);
        }
    });
}

/// What is typed, the key, its tolerance and its unit in lines of their own.
fn numbers(data: &[u8]) {
    with_text(data, |text| {
        let mut lines = text.splitn(4, '\n');
        let mut next = || lines.next().unwrap_or_default();
        let (typed, key, tolerance, unit) = (next(), next(), next(), next());
        let (tolerance, unit) = (number::tolerance(tolerance), number::unit(unit));
        for language in Language::ALL {
            let unit = unit.clone().unwrap_or_default();
            let _ = TypedValue::of(typed, &unit, language);
            let Some(answer) = number::decimal(key) else { continue };
            assert_eq!(number::decimal(&answer).as_ref(), Some(&answer), "a key is written in one way");
            assert!(number::has_value_of(&answer, &answer));
            let terms = NumberTerms { unit, language, ..NumberTerms::default() };
            let tolerance = tolerance.clone().unwrap_or_else(|| terms.tolerance.clone());
            let key = NumberKey::of(answer.clone(), NumberTerms { tolerance, ..terms.clone() });
            let exact = NumberKey::of(answer, terms);
            assert!(!exact.is_right(typed) || key.is_right(typed), "a tolerance makes nothing wrong: {text:?}");
            if let Some(reading) = key.read(typed) {
                let _ = (reading.text(), reading.latex());
            }
        }
    });
}
