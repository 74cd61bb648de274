//! Tests of the room against a naive model: whatever happens, each watcher that has read to the end sees the whole
//! list.

mod differences;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::attempt::Mode;
use crate::grade::Grade;
use crate::sight::OpenResults;

const HOUR: i64 = 3_600_000;

fn id(number: u8) -> Uuid {
    Uuid::from_u128(number.into())
}

fn server(number: u8) -> Uuid {
    Uuid::from_u128(0xff00 + u128::from(number))
}

fn row(session: u8, answered: u32) -> AttemptRow {
    let (began_at, deadline) = (Moment::from_milliseconds(0), Moment::from_milliseconds(HOUR));
    AttemptRow {
        session_id: Some(id(session)),
        state: SessionState::Active,
        connected: true,
        answered,
        total: 20,
        last_seen_at: Some(began_at),
        ..AttemptRow::expected(Arc::from("Ada"), Grade::new(5).unwrap(), Mode::Standard, began_at, deadline)
    }
}

fn told(session: u8, answered: u32, fence: i64, number: u64) -> VersionedRow {
    VersionedRow { version: RowVersion { fence, number }, is_held: true, ended_at: None, row: row(session, answered) }
}

fn stored(session: u8, answered: u32, fence: i64) -> VersionedRow {
    let row = AttemptRow { connected: false, ..row(session, answered) };
    VersionedRow { version: RowVersion { fence, number: 0 }, is_held: false, ended_at: None, row }
}

fn submitted(session: u8, ended_at: i64) -> VersionedRow {
    let row = AttemptRow {
        state: SessionState::Submitted,
        connected: false,
        score: OpenResults::WITHOUT_SITTING.seen_score(640),
        version: Some(1),
        ..row(session, 20)
    };
    VersionedRow {
        version: RowVersion { fence: 9, number: 9 },
        is_held: true,
        ended_at: Some(Moment::from_milliseconds(ended_at)),
        row,
    }
}

/// What a page would show.
#[derive(Debug, Default)]
struct Page {
    position: Option<RoomPosition>,
    seq: Option<u64>,
    rows: HashMap<Uuid, AttemptRow>,
    /// The roster that is being received.
    roster: Option<HashMap<Uuid, AttemptRow>>,
}

impl Page {
    /// Applies one message, as a page would.
    fn step(&mut self, room: &Room, rows_max: usize) {
        let position = self.position.unwrap_or_else(|| room.enter(self.seq));
        let step = room.walk(position, rows_max);
        let distinct: HashSet<Uuid> = step.rows.iter().map(|(id, _)| *id).chain(step.removed.iter().copied()).collect();
        assert_eq!(distinct.len(), step.rows.len() + step.removed.len(), "each session once a step");
        assert!(distinct.len() <= rows_max);
        if step.is_roster {
            let roster = self.roster.get_or_insert_default();
            roster.extend(step.rows.iter().map(|(id, row)| (*id, row.attempt.clone())));
            if step.is_complete {
                self.rows = self.roster.take().unwrap_or_default();
            }
        } else {
            self.roster = None;
            self.rows.extend(step.rows.iter().map(|(id, row)| (*id, row.attempt.clone())));
            step.removed.iter().for_each(|session_id| drop(self.rows.remove(session_id)));
        }
        if self.roster.is_none() {
            self.seq = Some(step.seq);
        }
        self.position = Some(step.next);
    }

    fn catch_up(&mut self, room: &Room, rows_max: usize) {
        for _ in 0..10_000 {
            if self.position.is_some_and(|position| room.is_up_to_date(position)) {
                return;
            }
            self.step(room, rows_max);
        }
        panic!("the watcher never gets to the end");
    }
}

fn shown(room: &Room) -> HashMap<Uuid, AttemptRow> {
    room.rows().filter_map(|row| Some((row.attempt.session_id?, row.attempt.clone()))).collect()
}

#[derive(Clone, Debug)]
enum Event {
    Put { server: u8, row: Box<VersionedRow> },
    PutStored(Box<VersionedRow>),
    Lose(u8),
    RemoveEnded(i64),
    Step { page: usize, rows_max: usize },
    Reconnect { page: usize },
}

fn any_event() -> impl Strategy<Value = Event> {
    let session = 0..8_u8;
    prop_oneof![
        6 => (0..3_u8, session.clone(), 0..4_u32, 0..3_i64, 1..6_u64, any::<bool>()).prop_map(|(server, session, answered, fence, number, is_held)| {
            Event::Put { server, row: Box::new(VersionedRow { is_held, ..told(session, answered, fence, number) }) }
        }),
        2 => (session.clone(), 0..4_u32, 0..3_i64).prop_map(|(session, answered, fence)| Event::PutStored(Box::new(stored(session, answered, fence)))),
        2 => (0..3_u8, session, 0..5_i64).prop_map(|(server, session, at)| Event::Put { server, row: Box::new(submitted(session, at)) }),
        1 => (0..3_u8).prop_map(Event::Lose),
        1 => (0..5_i64).prop_map(Event::RemoveEnded),
        4 => (0..3_usize, 1..4_usize).prop_map(|(page, rows_max)| Event::Step { page, rows_max }),
        1 => (0..3_usize).prop_map(|page| Event::Reconnect { page }),
    ]
}

/// What each session should show, computed slowly: the newest row there is.
#[derive(Default)]
struct Model(HashMap<Uuid, (VersionedRow, Option<Uuid>)>);

impl Model {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Put { server: number, row } => {
                let is_old = self.0.get(&row.row.session_id.unwrap()).is_some_and(|(known, _)| {
                    known.row.state == SessionState::Submitted || known.version >= row.version
                });
                if !is_old {
                    self.0.insert(row.row.session_id.unwrap(), ((**row).clone(), row.is_held.then(|| server(*number))));
                }
            }
            Event::PutStored(row) => {
                let mut row = (**row).clone();
                if let Some((known, holder)) = self.0.get(&row.row.session_id.unwrap()) {
                    if known.row.state == SessionState::Submitted
                        || (holder.is_some() && row.version.fence <= known.version.fence)
                    {
                        return;
                    }
                    row.version = known.version.max(row.version);
                }
                self.0.insert(row.row.session_id.unwrap(), (row, None));
            }
            Event::Lose(number) => {
                for (row, holder) in self.0.values_mut().filter(|(_, holder)| *holder == Some(server(*number))) {
                    *holder = None;
                    row.row.connected = false;
                }
            }
            Event::RemoveEnded(at) => self
                .0
                .retain(|_, (row, _)| row.ended_at.is_none_or(|ended_at| ended_at > Moment::from_milliseconds(*at))),
            Event::Step { .. } | Event::Reconnect { .. } => {}
        }
    }
}

proptest! {
    #[test]
    fn every_watcher_sees_what_there_is(epoch: u64, events in proptest::collection::vec(any_event(), 0..120), rows_max in 1..5_usize) {
        let mut room = Room::new(epoch);
        let mut pages = [Page::default(), Page::default(), Page::default()];
        let mut model = Model::default();
        for event in &events {
            let seq = room.seq();
            model.event(event);
            match event.clone() {
                Event::Put { server: number, row } => {
                    let is_news = room.put(server(number), *row);
                    prop_assert_eq!(is_news, room.seq() > seq);
                }
                Event::PutStored(row) => prop_assert_eq!(room.put_stored(*row, seq), room.seq() > seq),
                Event::Lose(number) => room.lose(server(number)),
                Event::RemoveEnded(at) => prop_assert_eq!(room.remove_ended(Moment::from_milliseconds(at)), room.seq() > seq),
                Event::Step { page, rows_max } => pages[page].step(&room, rows_max),
                Event::Reconnect { page } => {
                    pages[page].position = None;
                    pages[page].roster = None;
                }
            }
            prop_assert!(room.seq() < 1 << 53);
        }
        let expected: HashMap<Uuid, AttemptRow> = model.0.into_iter().map(|(session_id, (row, _))| (session_id, row.row)).collect();
        prop_assert_eq!(&shown(&room), &expected);
        for page in &mut pages {
            page.catch_up(&room, rows_max);
            prop_assert_eq!(&page.rows, &expected);
        }
    }
}

#[test]
fn a_number_of_another_room_is_too_old() {
    let (mut room, other) = (Room::new(7), Room::new(8));
    room.put(server(1), told(1, 1, 1, 1));
    for since in [Some(other.seq()), Some(0), Some(room.seq() + 1), Some(u64::MAX), None] {
        assert!(room.walk(room.enter(since), 10).is_roster, "{since:?}");
    }
    assert!(!room.walk(room.enter(Some(room.seq())), 10).is_roster);
    assert!(!room.walk(room.enter(Some(room.seq() - 1)), 10).is_roster);
}

#[test]
fn an_empty_room_has_a_roster_of_one_part() {
    let room = Room::new(3);
    let step = room.walk(room.enter(None), 10);
    assert!(step.is_roster && step.is_complete && step.rows.is_empty());
    assert!(room.is_up_to_date(step.next));
}

#[test]
fn a_roster_that_has_not_begun_has_what_there_is_then() {
    let mut room = Room::new(3);
    let position = room.enter(None);
    room.put(server(1), told(1, 0, 1, 1));
    let step = room.walk(position, 10);
    assert!(step.is_roster && step.is_complete && step.rows.len() == 1 && room.is_up_to_date(step.next));
}

#[test]
fn changes_while_a_roster_is_given_come_after_it() {
    let mut room = Room::new(3);
    for session in 0..4 {
        room.put(server(1), told(session, 0, 1, 1));
    }
    let first = room.walk(room.enter(None), 2);
    assert!(!first.is_complete && first.rows.len() == 2);
    let next = first.next;
    for session in 0..4 {
        room.put(server(1), told(session, 5, 1, 2));
    }
    let second = room.walk(next, 2);
    assert!(second.is_roster && second.is_complete && second.rows.is_empty(), "all of them have changed meanwhile");
    let changes = room.walk(second.next, 10);
    assert!(!changes.is_roster && changes.rows.len() == 4 && room.is_up_to_date(changes.next));
}

#[test]
fn a_dead_servers_sessions_are_disconnected_and_the_stores() {
    let mut room = Room::new(3);
    room.put(server(1), told(1, 3, 1, 5));
    room.put(server(2), told(2, 3, 1, 5));
    let seq = room.seq();
    assert!(!room.put_stored(stored(1, 4, 1), seq), "its seat knows better");
    room.lose(server(1));
    let rows = shown(&room);
    assert!(!rows[&id(1)].connected && rows[&id(2)].connected);
    assert!(room.wants(id(1), 1, false) && !room.wants(id(2), 1, false));
    assert!(room.wants(id(2), 2, false) && room.wants(id(2), 0, true) && room.wants(id(3), 0, false));
    assert!(!room.put_stored(stored(1, 4, 1), seq), "read before the server was lost");
    assert!(room.put_stored(stored(1, 4, 1), room.seq()));
    assert!(!room.put(server(1), told(1, 3, 1, 5)), "a word that was under way");
    assert!(room.put(server(3), told(1, 4, 2, 1)), "another server has taken the seat");
}

#[test]
fn of_a_server_that_is_silent_the_store_tells() {
    let mut room = Room::new(3);
    room.put(server(1), told(1, 3, 1, 5));
    assert!(!room.is_doubted(id(1)) && !room.wants(id(1), 1, false));
    room.doubt(Arc::new(HashSet::from([server(1)])));
    assert!(room.is_doubted(id(1)) && room.wants(id(1), 1, false));
    assert!(room.put_stored(stored(1, 4, 1), room.seq()));
    assert!(shown(&room)[&id(1)].connected, "its student may well be there");
    assert!(room.is_doubted(id(1)), "and is read again");
    room.doubt(Arc::default());
    assert!(!room.put_stored(stored(1, 5, 1), room.seq()), "its seat is heard again");
    assert!(room.put(server(1), told(1, 6, 1, 6)));
    room.lose(server(1));
    assert!(!shown(&room)[&id(1)].connected);
}

#[test]
fn a_submitted_row_is_final() {
    let mut room = Room::new(3);
    assert!(room.put(server(1), submitted(1, 0)));
    assert!(!room.put(server(1), told(1, 3, 99, 99)));
    assert!(!room.put_stored(stored(1, 3, 99), room.seq()) && !room.wants(id(1), 99, false));
    assert!(room.put(server(1), told(2, 3, 1, 1)));
    let over = VersionedRow { version: RowVersion::default(), is_held: false, ..submitted(2, 0) };
    assert!(room.put_stored(over, room.seq()), "that it is over is true whoever says it");
}

#[test]
fn a_test_that_was_reopened_is_at_work_again() {
    let mut room = Room::new(3);
    let again = crate::attempt::AttemptRun::after(1).fence();
    assert!(room.put(server(1), submitted(1, 0)));
    assert!(room.wants(id(1), again, false) && room.put_stored(stored(1, 3, again), room.seq()));
    assert_eq!(shown(&room)[&id(1)].state, SessionState::Active);
    assert!(!room.put(server(1), submitted(1, 0)), "the seat of the run before knows nothing of it");
    assert!(
        !room.put_stored(VersionedRow { is_held: false, ..submitted(1, 0) }, room.seq()),
        "nor what was read before"
    );
    assert!(room.put(server(2), told(1, 4, again + 1, 1)));
    let over = VersionedRow { version: RowVersion { fence: again + 1, number: 2 }, ..submitted(1, 5) };
    assert!(room.put(server(2), over) && !room.put(server(2), told(1, 5, again + 1, 3)));
    let missed = crate::attempt::AttemptRun::after(2).fence();
    assert!(!room.wants(id(1), again, true) && room.wants(id(1), missed, true), "the next end was missed");
}

#[test]
fn a_submitted_row_names_no_question() {
    let at_a_question = |mut told: VersionedRow| {
        told.row.current_question_id = Some(Arc::from("g5-003"));
        told
    };
    let named = |room: &Room, session| shown(room)[&id(session)].current_question_id.clone();
    let mut room = Room::new(3);
    room.put(server(1), at_a_question(told(1, 3, 1, 1)));
    assert_eq!(named(&room, 1).as_deref(), Some("g5-003"));
    room.put(server(1), at_a_question(submitted(1, 0)));
    let of_the_store = VersionedRow { version: RowVersion::default(), is_held: false, ..submitted(2, 0) };
    assert!(room.put_stored(at_a_question(of_the_store), room.seq()));
    assert_eq!((named(&room, 1), named(&room, 2)), (None, None), "whoever tells of it");
}

#[test]
fn too_many_who_left_are_forgotten() {
    let mut room = Room::new(3);
    let begun = room.seq();
    for number in 0..=TOMBSTONES_MAX as u128 {
        let mut over = submitted(0, 0);
        over.row.session_id = Some(Uuid::from_u128(number));
        room.put(server(1), over);
    }
    let before = room.seq();
    assert!(room.remove_ended(Moment::from_milliseconds(0)));
    assert!(room.walk(room.enter(Some(before)), 10).is_roster, "the first one is forgotten");
    assert!(room.walk(room.enter(Some(begun)), 10).is_roster);
    let step = room.walk(room.enter(Some(before + 1)), usize::MAX);
    assert_eq!((step.is_roster, step.removed.len()), (false, TOMBSTONES_MAX));
    assert_eq!(room.changes.len(), TOMBSTONES_MAX);
}

#[test]
fn rooms_have_names() {
    let sitting = |hall_id| RoomKey::Sitting { sitting_id: id(7), hall_id };
    for key in [RoomKey::Grade(Grade::new(10).unwrap()), RoomKey::Template(id(7)), sitting(None), sitting(Some(id(8)))]
    {
        assert_eq!(RoomKey::parse(&key.name()), Some(key));
        assert_eq!(serde_json::from_str::<RoomKey>(&serde_json::to_string(&key).unwrap()).unwrap(), key);
    }
    assert_eq!(serde_json::to_string(&RoomKey::Grade(Grade::new(5).unwrap())).unwrap(), "{\"grade\":5}");
    assert_eq!(
        serde_json::to_string(&RoomKey::Template(Uuid::nil())).unwrap(),
        format!("{{\"templateId\":\"{}\"}}", Uuid::nil())
    );
    for name in ["grade:11", "grade:", "template:x", "5", ""] {
        assert_eq!(RoomKey::parse(name), None, "{name}");
    }
}
