//! A page that is told differences shows what a page of whole rows shows.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;
use crate::room::counts::RoomCounts;
use crate::room::differences::{DifferenceStep, Differences, NumberedRow};

/// Fields that a page sees of rows in view alone, but for what is shared in time.
const PROGRESS: [&str; 6] = ["answered", "marked", "currentQuestionId", "progress", "at", "lastSeenAt"];

#[derive(Default)]
struct DifferencePage {
    next: Option<u64>,
    rows: HashMap<u64, Map<String, Value>>,
}

impl DifferencePage {
    /// Takes all that it lacks: differences, or whole rows if it is new or behind.
    fn catch_up(&mut self, room: &Room, differences: &Differences, has_progress: bool) {
        match self.next.and_then(|next| differences.steps_from(next, has_progress)) {
            Some(steps) => steps.for_each(|step| self.take(step, has_progress)),
            None => {
                let numbered = room
                    .changed_after(0)
                    .filter_map(|(id, row)| Some(NumberedRow { n: differences.number(id)?, row: row? }))
                    .map(|row| serde_json::to_value(row).unwrap());
                self.rows =
                    numbered.map(|row| (row["n"].as_u64().unwrap(), row.as_object().unwrap().clone())).collect();
            }
        }
        self.next = Some(differences.next());
    }

    fn take(&mut self, step: &DifferenceStep, has_progress: bool) {
        let removed: Vec<Value> = step.removed.iter().map(|id| json!(id)).collect();
        self.rows.retain(|_, row| !removed.contains(&row["sessionId"]));
        for (_, row) in &step.new {
            let row: Map<String, Value> = serde_json::from_str(row).unwrap();
            self.rows.insert(row["n"].as_u64().unwrap(), row);
        }
        for list in [Some(&step.shared), has_progress.then_some(&step.progress)].into_iter().flatten() {
            for entry in serde_json::from_str::<Vec<Map<String, Value>>>(&format!("[{list}]")).unwrap() {
                self.rows.get_mut(&entry["n"].as_u64().unwrap()).expect("the row is known").extend(entry);
            }
        }
    }

    fn shown(&self, without: &[&str]) -> HashMap<String, Map<String, Value>> {
        let rows = self.rows.values().cloned();
        rows.map(|row| (row["sessionId"].as_str().unwrap().to_owned(), bare(row, without))).collect()
    }
}

/// A field that is null is the same as one that is left out.
fn bare(mut row: Map<String, Value>, without: &[&str]) -> Map<String, Value> {
    row.retain(|name, value| name != "n" && !value.is_null() && !without.contains(&name.as_str()));
    row
}

fn expected(room: &Room, without: &[&str]) -> HashMap<String, Map<String, Value>> {
    let rows = room.rows().map(|row| serde_json::to_value(row).unwrap().as_object().unwrap().clone());
    rows.map(|row| (row["sessionId"].as_str().unwrap().to_owned(), bare(row, without))).collect()
}

fn counted(room: &Room) -> RoomCounts {
    let mut counts = RoomCounts::default();
    room.rows().for_each(|row| counts.add(&row.attempt));
    counts
}

/// A row whose progress tells how many are answered.
fn with_progress(mut told: VersionedRow) -> VersionedRow {
    let answered = usize::try_from(told.row.answered).unwrap();
    told.row.progress = format!("{:-<20}", "a".repeat(answered)).into();
    told.row.at = Some(told.row.answered);
    told
}

proptest! {
    #[test]
    fn a_page_of_differences_shows_what_there_is(events in proptest::collection::vec(any_event(), 0..150), from in 0..40_usize) {
        let (mut room, mut differences) = (Room::new(5), None);
        let mut pages: [DifferencePage; 3] = Default::default();
        let now = Moment::from_milliseconds(0);
        for (index, event) in events.into_iter().enumerate() {
            let seq = room.seq();
            match event {
                Event::Put { server: number, row } => drop(room.put(server(number), with_progress(*row))),
                Event::PutStored(row) => drop(room.put_stored(with_progress(*row), seq)),
                Event::Lose(number) => room.lose(server(number)),
                Event::RemoveEnded(at) => drop(room.remove_ended(Moment::from_milliseconds(at))),
                Event::Step { page, .. } if index >= from => {
                    let differences = differences.get_or_insert_with(|| Differences::of(&room));
                    differences.go_on(&room, now);
                    pages[page].catch_up(&room, differences, page != 2);
                }
                Event::Reconnect { page } => pages[page].next = None,
                Event::Step { .. } => {}
            }
        }
        let mut differences = differences.unwrap_or_else(|| Differences::of(&room));
        differences.go_on(&room, now);
        prop_assert_eq!(differences.until(), room.seq());
        for (index, page) in pages.iter_mut().enumerate() {
            let without: &[&str] = if index == 2 { &PROGRESS } else { &[] };
            page.catch_up(&room, &differences, index != 2);
            prop_assert_eq!(page.shown(without), expected(&room, without));
        }
        let mut counts = differences.counts().clone();
        // Questions that nobody has any more may stay, with nobody.
        let own = counted(&room);
        counts.questions.truncate(own.questions.len());
        prop_assert_eq!(counts, own);
    }
}

fn answering(answered: u32, number: u64) -> VersionedRow {
    with_progress(told(1, answered, 1, number))
}

fn step_after(differences: &Differences, index: u64) -> &DifferenceStep {
    differences.steps_from(index, true).unwrap().next().unwrap()
}

#[test]
fn a_change_is_told_by_its_fields_alone() {
    let (mut room, now) = (Room::new(1), Moment::from_milliseconds(0));
    room.put(server(1), answering(1, 1));
    let mut differences = Differences::of(&room);
    let mut row = answering(1, 2);
    row.row.state = SessionState::Paused;
    row.row.away_count = 3;
    room.put(server(1), row);
    differences.go_on(&room, now);
    let step = step_after(&differences, 0);
    assert_eq!((&*step.shared, &*step.progress), (r#"{"n":0,"state":"paused","awayCount":3}"#, ""));
    differences.go_on(&room, now);
    assert_eq!(differences.next(), 1, "nothing has changed");
}

#[test]
fn progress_is_for_those_who_have_the_row_in_view_until_it_is_old() {
    let (mut room, now) = (Room::new(1), Moment::from_milliseconds(0));
    room.put(server(1), answering(1, 1));
    let mut differences = Differences::of(&room);
    let known = differences.until();
    assert_eq!(differences.progress_after(0, known), None);
    room.put(server(1), answering(2, 2));
    differences.go_on(&room, now);
    let step = step_after(&differences, 0);
    let progress = r#"{"n":0,"answered":2,"marked":0,"currentQuestionId":null,"progress":"aa------------------","at":2,"lastSeenAt":"1970-01-01T00:00:00.000Z"}"#;
    assert_eq!((&*step.shared, &*step.progress), ("", progress));
    assert_eq!(differences.progress_after(0, known), Some(progress));
    assert_eq!(differences.progress_after(0, differences.until()), None);
    differences.go_on(&room, now.plus(29_999));
    assert_eq!(differences.next(), 1);
    differences.go_on(&room, now.plus(30_000));
    assert_eq!(step_after(&differences, 1).shared, progress, "everyone knows it half a minute later");
}

#[test]
fn what_nobody_would_see_otherwise_is_told_to_everyone_at_once() {
    let (mut room, now) = (Room::new(1), Moment::from_milliseconds(0));
    room.put(server(1), answering(1, 1));
    let mut differences = Differences::of(&room);
    let mut over_https = answering(2, 2);
    over_https.row.connected = false;
    room.put(server(1), over_https);
    differences.go_on(&room, now);
    assert!(step_after(&differences, 0).shared.contains(r#"},{"n":0,"answered":2"#), "a student without a socket");
    let mut submitted = answering(7, 3);
    submitted.row.state = SessionState::Submitted;
    room.put(server(1), submitted);
    differences.go_on(&room, now);
    let shared = &step_after(&differences, 1).shared;
    assert!(shared.starts_with(r#"{"n":0,"state":"submitted"},{"n":0,"answered":7"#), "{shared}");
}

#[test]
fn who_lacks_too_much_starts_anew() {
    let (mut room, now) = (Room::new(1), Moment::from_milliseconds(0));
    room.put(server(1), answering(0, 1));
    let mut differences = Differences::of(&room);
    for number in 0..250 {
        room.put(server(1), answering(u32::try_from(1 + number % 19).unwrap(), number + 2));
        differences.go_on(&room, now);
    }
    let count = |index| differences.steps_from(index, true).map(Iterator::count);
    assert_eq!([count(0), count(49), count(251)], [None; 3]);
    assert_eq!([count(50), count(250)], [Some(200), Some(0)]);
}

#[test]
fn progress_that_is_forgotten_is_lacked_by_those_alone_who_are_told_all_of_it() {
    let (mut room, now) = (Room::new(1), Moment::from_milliseconds(0));
    let long: Arc<str> = "a".repeat(100_000).into();
    for session in 1..=20 {
        room.put(server(1), told(session, 0, 1, 1));
    }
    let mut differences = Differences::of(&room);
    for number in 0..5_u8 {
        for session in 1..=20 {
            let mut row = told(session, 1 + u32::from(number), 1, 2 + u64::from(number));
            row.row.progress = Arc::clone(&long);
            row.row.away = session == 1 && number % 2 == 0;
            room.put(server(1), row);
        }
        differences.go_on(&room, now);
    }
    assert!(differences.steps_from(0, true).is_none() && differences.steps_from(2, true).is_none());
    assert_eq!(differences.steps_from(3, true).unwrap().filter(|step| step.progress.len() > 1_000_000).count(), 2);
    let shared: Vec<&str> = differences.steps_from(0, false).unwrap().map(|step| &*step.shared).collect();
    assert_eq!(
        shared,
        [r#"{"n":0,"away":true}"#, r#"{"n":0,"away":false}"#].iter().cycle().take(5).copied().collect::<Vec<_>>()
    );
}

#[test]
fn what_a_test_had_when_it_ended_or_lost_its_socket_is_told_to_everyone() {
    let (mut room, now) = (Room::new(1), Moment::from_milliseconds(0));
    room.put(server(1), answering(1, 1));
    let mut differences = Differences::of(&room);
    room.put(server(1), answering(7, 2));
    differences.go_on(&room, now);
    assert_eq!(step_after(&differences, 0).shared, "", "not in view");
    let mut lost = answering(7, 3);
    lost.row.connected = false;
    room.put(server(1), lost.clone());
    differences.go_on(&room, now);
    let shared = &step_after(&differences, 1).shared;
    assert!(shared.starts_with(r#"{"n":0,"connected":false},{"n":0,"answered":7"#), "{shared}");
    lost.version.number = 4;
    lost.row.state = SessionState::Submitted;
    room.put(server(1), lost);
    differences.go_on(&room, now);
    let shared = &step_after(&differences, 2).shared;
    assert!(shared.starts_with(r#"{"n":0,"state":"submitted"},{"n":0,"answered":7"#), "{shared}");
}

#[test]
fn a_number_is_never_given_twice() {
    let (mut room, now) = (Room::new(1), Moment::from_milliseconds(0));
    room.put(server(1), submitted(1, 5));
    room.put(server(1), answering(1, 1));
    let mut differences = Differences::of(&room);
    assert_eq!(differences.number(id(1)), Some(0));
    room.remove_ended(Moment::from_milliseconds(5));
    differences.go_on(&room, now);
    assert_eq!((differences.number(id(1)), &*step_after(&differences, 0).removed), (None, &[id(1)][..]));
    room.put(server(1), submitted(1, 6));
    differences.go_on(&room, now);
    assert_eq!(differences.number(id(1)), Some(1));
    assert!(step_after(&differences, 1).new[0].1.starts_with(r#"{"n":1,"#));
}

#[test]
fn who_comes_back_is_told_the_progress_that_was_not_in_view() {
    let (mut room, now) = (Room::new(1), Moment::from_milliseconds(0));
    room.put(server(1), answering(1, 1));
    let mut differences = Differences::of(&room);
    let known = differences.until();
    assert_eq!(differences.shared_until(), known);
    room.put(server(1), answering(2, 2));
    differences.go_on(&room, now);
    assert_eq!((differences.shared_until(), differences.until()), (known, room.seq()));
    assert!(room.walk(room.enter(Some(differences.shared_until())), 10).rows.iter().any(|(found, _)| *found == id(1)));
    differences.go_on(&room, now.plus(30_000));
    assert_eq!(differences.shared_until(), room.seq());
}

#[test]
fn more_may_leave_at_once_than_a_room_remembers() {
    let (mut room, now, count) = (Room::new(1), Moment::from_milliseconds(0), TOMBSTONES_MAX + 50);
    for number in 0..count {
        let mut row = submitted(1, 5);
        row.row.session_id = Some(Uuid::from_u128(number as u128));
        room.put(server(1), row);
    }
    let mut differences = Differences::of(&room);
    assert_eq!(differences.counts().rows as usize, count);
    room.remove_ended(Moment::from_milliseconds(5));
    differences.go_on(&room, now);
    let step = step_after(&differences, 0);
    assert_eq!((step.removed.len(), differences.counts().rows), (count, 0));
}
