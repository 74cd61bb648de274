//! Whether each event of a test has come, in the order of versions and with one id. Pure; each fault is a sentence.

use super::contents::StoredVersion;
use crate::webhook_receiver::ReceivedEvent;
use std::collections::{BTreeMap, BTreeSet};

const COMPLETED: &str = "test.completed";
const CHANGED: &str = "result.changed";
const RELEASED: &str = "result.released";
const REOPENED: &str = "reopened";

/// Versions, each with the event that tells it.
type ToldVersions = BTreeSet<(u32, &'static str)>;

/// What is to be told of a test.
pub enum Telling {
    /// Every version, but for those that were made while the test went on again.
    EachVersion,
    /// The first version, the one that was the newest at the release, and every later one.
    FromRelease(u32),
}

/// What is wrong with the events of a test, which are in the order in which they came.
pub fn faults(versions: &[StoredVersion], telling: &Telling, events: &[&ReceivedEvent]) -> Vec<String> {
    let mut faults = order_faults(events);
    let came: BTreeSet<(u32, &str)> =
        events.iter().filter_map(|event| Some((event.version?, event.kind.as_str()))).collect();
    let (expected, optional) = expected(versions, telling);
    faults.extend(expected.difference(&came).map(|event| format!("the event {event:?} has not come")));
    let unexpected = came.iter().filter(|event| !expected.contains(*event) && !optional.contains(*event));
    faults.extend(unexpected.map(|event| format!("the event {event:?} should not have come")));
    faults
}

/// Whether every event that must come has come.
pub fn is_told(versions: &[StoredVersion], telling: &Telling, events: &[&ReceivedEvent]) -> bool {
    let came: BTreeSet<(u32, &str)> =
        events.iter().filter_map(|event| Some((event.version?, event.kind.as_str()))).collect();
    expected(versions, telling).0.is_subset(&came)
}

fn order_faults(events: &[&ReceivedEvent]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut ids = BTreeMap::<(Option<u32>, &str), &str>::new();
    let mut newest = None;
    for event in events {
        if event.version < newest {
            faults.push(format!("an event of version {:?} came after one of {newest:?}", event.version));
        }
        newest = newest.max(event.version);
        let first = ids.entry((event.version, event.kind.as_str())).or_insert(event.id.as_str());
        if *first != event.id {
            faults.push(format!("{} of version {:?} came with two ids", event.kind, event.version));
        }
    }
    faults
}

/// Events that must come, and those that may.
fn expected(versions: &[StoredVersion], telling: &Telling) -> (ToldVersions, ToldVersions) {
    let last_reopened = versions.iter().rev().find(|version| version.reason == REOPENED).map(|version| version.number);
    let (mut must, mut may) = (ToldVersions::from([(1, COMPLETED)]), ToldVersions::new());
    for version in versions {
        match telling {
            Telling::EachVersion if version.number == 1 => {}
            Telling::EachVersion if version.reason != REOPENED && Some(version.number) < last_reopened => {
                may.insert((version.number, CHANGED));
            }
            Telling::EachVersion => {
                must.insert((version.number, CHANGED));
            }
            Telling::FromRelease(released) if version.number == *released => {
                must.insert((version.number, RELEASED));
            }
            Telling::FromRelease(released) if version.number > *released => {
                must.insert((version.number, CHANGED));
            }
            Telling::FromRelease(_) => {}
        }
    }
    (must, may)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(id: &str, kind: &str, version: u32) -> ReceivedEvent {
        let [session_id, sitting_id, checkpoint] = [None, None, None];
        let (id, kind) = (id.to_owned(), kind.to_owned());
        ReceivedEvent { id, kind, session_id, version: Some(version), sitting_id, checkpoint }
    }

    fn versions(reasons: &[&str]) -> Vec<StoredVersion> {
        let version = |(reason, number): (&&str, u32)| StoredVersion {
            number,
            reason: (*reason).to_owned(),
            score: 0,
            digest: String::new(),
            answers: Vec::new(),
            jws: String::new(),
            proof: None,
        };
        reasons.iter().zip(1..).map(version).collect()
    }

    fn count(versions: &[StoredVersion], telling: &Telling, events: &[ReceivedEvent]) -> usize {
        faults(versions, telling, &events.iter().collect::<Vec<_>>()).len()
    }

    #[test]
    fn each_version_is_told_once_and_in_its_order() {
        let versions = versions(&["submitted", "late_work"]);
        let [first, second] = [event("a", COMPLETED, 1), event("b", CHANGED, 2)];
        let told = |events: &[&ReceivedEvent]| {
            let events: Vec<ReceivedEvent> = events.iter().map(|event| (*event).clone()).collect();
            count(&versions, &Telling::EachVersion, &events)
        };
        assert_eq!(told(&[&first, &first, &second, &second]), 0, "an event may come twice");
        assert_eq!(told(&[&first]), 1);
        assert_eq!(told(&[&second, &first]), 1);
        assert_eq!(told(&[&first, &second, &event("c", CHANGED, 2)]), 1, "two ids");
        assert_eq!(told(&[&first, &second, &event("c", CHANGED, 3)]), 1, "a version that is not there");
    }

    #[test]
    fn a_release_tells_the_newest_version() {
        let versions = versions(&["submitted", "late_work", "key_corrected", "reverted"]);
        let [first, released, later] = [event("a", COMPLETED, 1), event("b", RELEASED, 3), event("c", CHANGED, 4)];
        let telling = Telling::FromRelease(3);
        assert_eq!(count(&versions, &telling, &[first.clone(), released.clone(), later.clone()]), 0);
        assert_eq!(count(&versions, &telling, &[first.clone(), event("d", CHANGED, 2), released, later.clone()]), 1);
        assert_eq!(count(&versions, &telling, &[first, later]), 1);
    }

    #[test]
    fn what_is_made_while_a_test_goes_on_may_stay_untold() {
        let versions = versions(&["submitted", "key_corrected", "reopened"]);
        let [first, end] = [event("a", COMPLETED, 1), event("c", CHANGED, 3)];
        assert_eq!(count(&versions, &Telling::EachVersion, &[first.clone(), end.clone()]), 0);
        assert_eq!(count(&versions, &Telling::EachVersion, &[first, event("b", CHANGED, 2), end]), 0);
    }
}
