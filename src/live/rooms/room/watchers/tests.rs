//! Watchers of differences in their turns, between which the room changes.

use std::collections::HashMap;

use domain::attempt::Mode;
use domain::grade::Grade;
use domain::room::Room;
use domain::room::row::{AttemptRow, RowVersion, SessionState, VersionedRow};
use serde_json::Value;
use tokio::sync::mpsc;
use uuid::Uuid;

use super::*;

fn now() -> Moment {
    Moment::from_milliseconds(0)
}
/// More than a desk is ever sent here.
const FRAMES_OF_A_DESK: usize = 100;
const SERVER: Uuid = Uuid::from_u128(9);
const ADA: Uuid = Uuid::from_u128(1);

struct Collector(mpsc::UnboundedSender<Value>, Arc<OnTheWay>);

impl Actor for Collector {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        context.set_mailbox_capacity(FRAMES_OF_A_DESK);
    }
}

impl Handler<RoomFrame> for Collector {
    type Result = ();

    fn handle(&mut self, frame: RoomFrame, _: &mut Self::Context) {
        self.1.take_off(frame.body.bytes());
        let FrameBody::Text(text) = frame.body else { panic!("compressed") };
        let _ = self.0.send(serde_json::from_str(&text).unwrap());
    }
}

/// What a desk knows of the rows, by their numbers.
struct Desk {
    frames: mpsc::UnboundedReceiver<Value>,
    rows: HashMap<u64, Value>,
    is_partial: bool,
    _collector: Addr<Collector>,
}

impl Desk {
    /// Takes the next frame.
    async fn hear(&mut self) {
        let frame = self.frames.recv().await.unwrap();
        self.is_partial = frame["partial"].as_bool().unwrap();
        let removed = frame["removed"].as_array().cloned().unwrap_or_default();
        self.rows.retain(|_, row| !removed.contains(&row["sessionId"]));
        for row in frame["sessions"].as_array().unwrap() {
            self.rows.insert(row["n"].as_u64().unwrap(), row.clone());
        }
        for difference in frame["differences"].as_array().into_iter().flatten() {
            let row = self.rows.get_mut(&difference["n"].as_u64().unwrap()).expect("the row is known");
            row.as_object_mut().unwrap().extend(difference.as_object().unwrap().clone());
        }
    }

    fn of(&self, session: Uuid) -> Option<&Value> {
        self.rows.values().find(|row| row["sessionId"] == session.to_string())
    }
}

struct RoomOfTurns {
    room: Room,
    differences: Differences,
    watchers: Watchers,
    is_partial: bool,
    number: u64,
}

impl RoomOfTurns {
    /// A room with Ada, and two desks that are told in the first two turns.
    async fn open() -> (Self, [Desk; 2]) {
        let mut room = Room::new(1);
        room.put(SERVER, ada(false, 0, 1));
        let mut this = Self {
            differences: Differences::of(&room),
            room,
            watchers: Watchers::default(),
            is_partial: false,
            number: 1,
        };
        let mut desks = [this.join(), this.join()];
        let picture = this.picture();
        this.watchers.welcome(&picture.of(&this.room, &this.differences));
        for desk in &mut desks {
            desk.hear().await;
        }
        (this, desks)
    }

    fn join(&mut self) -> Desk {
        let (collect, frames) = mpsc::unbounded_channel();
        let on_the_way = Arc::<OnTheWay>::default();
        let collector = Collector(collect, Arc::clone(&on_the_way)).start();
        let manner = Manner { differences: true, compressed: false };
        let watcher = Watcher { watch: 1, manner, frames: collector.clone().recipient(), on_the_way };
        self.watchers.add(watcher, RoomPosition::START, now());
        Desk { frames, rows: HashMap::new(), is_partial: false, _collector: collector }
    }

    /// Ada goes away, or comes back.
    fn turn_ada(&mut self, away: bool, away_count: u32) {
        self.number += 1;
        self.room.put(SERVER, ada(away, away_count, self.number));
    }

    fn go_on(&mut self) {
        self.differences.go_on(&self.room, now());
        self.watchers.forget_made();
    }

    /// As the actor of a room does it.
    fn take_turn(&mut self, turn: usize) {
        if self.watchers.needs_rows(&self.differences, turn) {
            self.go_on();
        }
        let picture = self.picture();
        self.watchers.tell_differences(&picture.of(&self.room, &self.differences), &self.differences, turn);
    }

    fn picture(&self) -> PictureParts {
        PictureParts { is_partial: self.is_partial, state: RoomState::default() }
    }
}

struct PictureParts {
    is_partial: bool,
    state: RoomState,
}

impl PictureParts {
    fn of<'a>(&'a self, room: &'a Room, differences: &'a Differences) -> RoomPicture<'a> {
        RoomPicture {
            key: RoomKey::Grade(Grade::new(5).unwrap()),
            hall: None,
            room,
            differences: Some(differences),
            is_partial: self.is_partial,
            state: &self.state,
            now: now(),
            is_news: false,
        }
    }
}

fn ada(away: bool, away_count: u32, number: u64) -> VersionedRow {
    let (grade, deadline) = (Grade::new(5).unwrap(), Moment::from_milliseconds(60_000));
    let row = AttemptRow {
        session_id: Some(ADA),
        state: SessionState::Active,
        connected: true,
        total: 20,
        away,
        away_count,
        last_seen_at: Some(now()),
        ..AttemptRow::expected("Ada".into(), grade, Mode::Standard, now(), deadline)
    };
    VersionedRow { row, version: RowVersion { fence: 1, number }, is_held: true, ended_at: None }
}

#[actix_web::test]
async fn a_row_that_changes_between_two_turns_is_right_on_every_desk() {
    let (mut room, mut desks) = RoomOfTurns::open().await;
    room.go_on();
    room.take_turn(0);
    room.turn_ada(true, 1);
    // The second desk does not know the rows yet, so it gets them as they are now.
    room.take_turn(1);
    desks[1].hear().await;
    assert_eq!(desks[1].of(ADA).unwrap()["away"], true);
    room.turn_ada(false, 1);
    room.go_on();
    for turn in [0, 1] {
        room.take_turn(turn);
        desks[turn].hear().await;
        let ada = desks[turn].of(ADA).unwrap();
        assert_eq!((&ada["away"], &ada["awayCount"]), (&false.into(), &1.into()), "desk {turn}");
    }
}

#[actix_web::test]
async fn a_row_that_leaves_and_comes_back_between_two_turns_is_on_every_desk() {
    let (mut room, mut desks) = RoomOfTurns::open().await;
    room.go_on();
    room.take_turn(0);
    let mut ended = ada(false, 0, 2);
    ended.row.state = SessionState::Submitted;
    ended.ended_at = Some(now());
    room.room.put(SERVER, ended);
    room.room.remove_ended(now());
    room.take_turn(1);
    room.number = 2;
    room.turn_ada(false, 0);
    room.go_on();
    for turn in [0, 1] {
        room.take_turn(turn);
        while desks[turn].of(ADA).is_none_or(|row| row["state"] != "active") || !desks[turn].frames.is_empty() {
            desks[turn].hear().await;
        }
        assert_eq!(desks[turn].rows.len(), 1, "desk {turn}");
    }
}

#[actix_web::test]
async fn every_desk_hears_that_the_picture_is_partial() {
    let (mut room, mut desks) = RoomOfTurns::open().await;
    room.go_on();
    for turn in [0, 1] {
        room.take_turn(turn);
    }
    room.turn_ada(true, 1);
    room.go_on();
    room.take_turn(0);
    room.is_partial = true;
    room.watchers.owe_news();
    room.take_turn(1);
    desks[1].hear().await;
    assert!(desks[1].is_partial);
    room.take_turn(0);
    desks[0].hear().await;
    desks[0].hear().await;
    assert!(desks[0].is_partial);
}
