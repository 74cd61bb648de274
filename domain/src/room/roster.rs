//! The roster of a sitting's room: everyone who is expected has a row, and what seats report is completed by where they
//! sit, how much time they have, and whether it counts yet.

use std::collections::{BTreeSet, HashMap};

use uuid::Uuid;

use super::row::{AttemptRow, Attendance, RosterRow, RowVersion, SessionRow, SessionState, VersionedRow};
use super::{Room, RoomEntry};
use crate::sitting::candidate::CandidateFacts;
use crate::time::moment::Moment;

/// What the roster says of one candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct RosterLine {
    /// The row of someone of whom no seat has reported, with the planned times.
    pub expected: AttemptRow,
    /// What each row of theirs has from the roster.
    pub roster: RosterRow,
    /// Whether they have an attempt, as far as the roster knows.
    pub has_entered: bool,
    /// From when their time counts; `None` while they wait for a proctor.
    pub begins_at: Option<Moment>,
    /// Whether the sitting has ended.
    pub is_over: bool,
    /// Whether the results are not released yet.
    pub is_held: bool,
}

/// The roster of a room.
#[derive(Debug, Default)]
pub(super) struct RoomRoster {
    /// By candidate; `None` until it is known.
    lines: Option<HashMap<Uuid, RosterLine>>,
    /// The moment for which rows are shown.
    now: Moment,
    /// What seats reported before the roster was known, with their servers.
    early: HashMap<Uuid, (Uuid, VersionedRow)>,
}

impl RoomRoster {
    /// The row of a candidate as it is shown; `None` for someone who is not on the roster of this room.
    pub(super) fn shown(&self, id: Uuid, told: Option<&AttemptRow>) -> Option<SessionRow> {
        self.lines.as_ref()?.get(&id).map(|line| line.shown(told, self.now))
    }
}

impl RosterLine {
    fn shown(&self, told: Option<&AttemptRow>, now: Moment) -> SessionRow {
        let own = &self.expected;
        let has_begun = self.begins_at.is_some_and(|begins_at| begins_at <= now);
        let is_told = |state: SessionState| told.is_some_and(|told| told.state == state);
        let facts = CandidateFacts {
            has_entered: self.has_entered || told.is_some(),
            is_ready: told.is_some_and(|told| told.ready == Some(true)),
            has_begun,
            is_paused: is_told(SessionState::Paused),
            has_submitted: is_told(SessionState::Submitted),
            is_marked_absent: self.roster.attendance == Some(Attendance::Absent),
            is_over: self.is_over,
        };
        let mut attempt = match told {
            Some(told) => AttemptRow { student: own.student.clone(), account: own.account.clone(), ..told.clone() },
            None => own.clone(),
        };
        attempt.state = facts.state().into();
        // What the database says of someone who waits: it knows the beginning, and nothing before it.
        if !has_begun && attempt.last_seen_at >= Some(attempt.started_at) {
            attempt.last_seen_at = own.last_seen_at;
        }
        // Until the beginning is stored with it, an attempt has no times of its own.
        if !has_begun || attempt.started_at >= Moment::LAST {
            (attempt.started_at, attempt.deadline) = (own.started_at, own.deadline);
        }
        // A seat knows the result that it has handed in, and the database those that came later.
        if own.version > attempt.version || attempt.score.is_none() {
            (attempt.score, attempt.version) = (own.score, own.version);
        }
        // A test that goes on again has a stored result, which is not the one that it will have.
        if self.is_held || attempt.state != SessionState::Submitted {
            (attempt.score, attempt.version) = (None, None);
        }
        SessionRow { attempt, roster: Some(self.roster.clone()) }
    }
}

impl Room {
    /// Takes the roster, which replaces the one before. Returns whether seats may have reported someone before they
    /// were on it, so that the seats are to be asked again.
    pub fn set_roster(&mut self, lines: HashMap<Uuid, RosterLine>, now: Moment) -> bool {
        let Some(roster) = self.roster.as_mut() else { return false };
        let early = std::mem::take(&mut roster.early);
        roster.now = now;
        let has_newcomers = roster
            .lines
            .as_ref()
            .is_some_and(|before| lines.iter().any(|(id, line)| line.has_entered && !before.contains_key(id)));
        // Sorted, so that the same events always give the same numbers.
        let ids: BTreeSet<Uuid> = lines.keys().copied().collect();
        roster.lines = Some(lines);
        let gone: BTreeSet<Uuid> = self.places.keys().filter(|id| !ids.contains(id)).copied().collect();
        gone.into_iter().for_each(|id| self.remove(id));
        ids.iter().for_each(|id| self.show_again(*id));
        for (id, (server, row)) in early {
            if ids.contains(&id) {
                self.put(server, row);
            }
        }
        has_newcomers
    }

    /// Lets the time go on: those whose time has begun to count since are shown so. True when there are any.
    pub fn pass_time(&mut self, now: Moment) -> bool {
        let Some(roster) = self.roster.as_mut() else { return false };
        let before = std::mem::replace(&mut roster.now, now);
        let has_begun = |line: &RosterLine| line.begins_at.is_some_and(|at| before < at && at <= now);
        let lines = roster.lines.iter().flatten();
        let begun: BTreeSet<Uuid> = lines.filter(|(_, line)| has_begun(line)).map(|(id, _)| *id).collect();
        let seq = self.seq;
        begun.into_iter().for_each(|id| self.show_again(id));
        self.seq > seq
    }

    /// Keeps what a seat reports of someone before the roster is known. Returns false if it is known.
    pub(super) fn is_early(&mut self, id: Uuid, server: Uuid, told: &VersionedRow) -> bool {
        let Some(roster) = self.roster.as_mut().filter(|roster| roster.lines.is_none()) else { return false };
        roster.early.insert(id, (server, told.clone()));
        true
    }

    /// Shows a candidate as the roster has them now.
    fn show_again(&mut self, id: Uuid) {
        let told = self.places.get(&id).and_then(|place| place.told.as_deref());
        let Some(row) = self.roster.as_ref().and_then(|roster| roster.shown(id, told)) else { return };
        if self.places.get(&id).is_some_and(|place| place.row == row) {
            return;
        }
        let number = self.next_number(id);
        match self.places.get_mut(&id) {
            Some(place) => (place.row, place.number) = (row, number),
            None => {
                let version = RowVersion::default();
                let entry = RoomEntry { row, told: None, version, ended_at: None, holder: None, number };
                self.places.insert(id, entry);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::attempt::Mode;
    use crate::grade::Grade;
    use crate::room::differences::Differences;
    use crate::sight::{OpenResults, SeenScore};

    const ADA: Uuid = Uuid::from_u128(1);
    const BO: Uuid = Uuid::from_u128(2);
    const SERVER: Uuid = Uuid::from_u128(9);

    fn at(minute: i64) -> Moment {
        Moment::from_milliseconds(minute * 60_000)
    }

    fn line(id: Uuid, name: &str) -> (Uuid, RosterLine) {
        let grade = Grade::new(5).unwrap();
        let expected = AttemptRow {
            sitting_id: Some(Uuid::from_u128(5)),
            candidate_id: Some(id),
            ready: Some(false),
            ..AttemptRow::expected(Arc::from(name), grade, Mode::Standard, at(10), at(55))
        };
        let roster = RosterRow {
            room: Some(Arc::from("B12")),
            seat: None,
            factor: 125,
            extra_minutes: None,
            note: None,
            attendance: None,
            attendance_by: None,
            admitted_by: None,
            wrong_codes: None,
        };
        let begins_at = Some(at(10));
        let line = RosterLine { expected, roster, has_entered: false, begins_at, is_over: false, is_held: true };
        (id, line)
    }

    fn score(points: i32) -> Option<SeenScore> {
        OpenResults::WITHOUT_SITTING.seen_score(points)
    }

    fn told(id: Uuid, state: SessionState, number: u64) -> VersionedRow {
        let row = AttemptRow {
            session_id: Some(Uuid::from_u128(100)),
            student: Arc::from("typed by the student"),
            state,
            connected: true,
            ready: Some(number > 1),
            started_at: Moment::LAST,
            deadline: Moment::LAST,
            score: score(700).filter(|_| state == SessionState::Submitted),
            version: (state == SessionState::Submitted).then_some(1),
            ..line(id, "").1.expected
        };
        VersionedRow { version: RowVersion { fence: 1, number }, is_held: true, ended_at: None, row }
    }

    fn row(room: &Room, id: Uuid) -> &AttemptRow {
        &room.rows().find(|row| row.attempt.candidate_id == Some(id)).unwrap().attempt
    }

    fn factor(room: &Room, id: Uuid) -> Option<u32> {
        let row = room.rows().find(|row| row.attempt.candidate_id == Some(id)).unwrap();
        row.roster.as_ref().map(|roster| roster.factor)
    }

    fn roster() -> HashMap<Uuid, RosterLine> {
        HashMap::from([line(ADA, "Ada"), line(BO, "Bo")])
    }

    #[test]
    fn everyone_who_is_expected_has_a_row() {
        let mut room = Room::of_sitting(3);
        assert!(!room.put(SERVER, told(ADA, SessionState::Active, 1)), "whose place is not known yet");
        assert_eq!(room.rows().count(), 0);
        assert!(!room.set_roster(roster(), at(0)));
        let ada = row(&room, ADA);
        assert_eq!((&*ada.student, ada.state, factor(&room, ADA)), ("Ada", SessionState::Waiting, Some(125)));
        assert_eq!((ada.started_at, ada.deadline, ada.connected), (at(10), at(55), true));
        assert_eq!((row(&room, BO).state, row(&room, BO).session_id), (SessionState::Expected, None));
        assert!(room.put(SERVER, told(ADA, SessionState::Paused, 2)));
        assert_eq!(row(&room, ADA).state, SessionState::Ready, "a pause before the beginning takes no time");
        assert!(!room.put(SERVER, told(Uuid::from_u128(3), SessionState::Active, 1)), "of another hall");
        assert_eq!(room.rows().count(), 2);
    }

    #[test]
    fn the_beginning_is_shown_when_it_comes() {
        let mut room = Room::of_sitting(3);
        room.set_roster(roster(), at(0));
        room.put(SERVER, told(ADA, SessionState::Paused, 2));
        assert!(!room.pass_time(at(9)));
        assert!(room.pass_time(at(10)));
        assert_eq!((row(&room, ADA).state, row(&room, BO).state), (SessionState::Paused, SessionState::Expected));
        assert!(!room.pass_time(at(11)), "it has begun once");
        let mut over = VersionedRow { ended_at: Some(at(30)), ..told(ADA, SessionState::Submitted, 3) };
        over.row.current_question_id = Some(Arc::from("g5-003"));
        assert!(room.put(SERVER, over));
        assert_eq!((row(&room, ADA).state, row(&room, ADA).score), (SessionState::Submitted, None));
        assert_eq!(row(&room, ADA).version, None, "which would tell of a change");
        assert_eq!(row(&room, ADA).current_question_id, None);
        let released = roster().into_iter().map(|(id, line)| (id, RosterLine { is_held: false, ..line })).collect();
        room.set_roster(released, at(40));
        assert_eq!(row(&room, ADA).score, score(700));
    }

    #[test]
    fn a_score_that_the_seat_has_withheld_is_the_roster_s() {
        let mut room = Room::of_sitting(3);
        room.set_roster(roster(), at(20));
        let mut over = VersionedRow { ended_at: Some(at(30)), ..told(ADA, SessionState::Submitted, 3) };
        over.row.score = None;
        assert!(room.put(SERVER, over));
        let mut released = roster();
        let line = released.get_mut(&ADA).unwrap();
        (line.is_held, line.expected.score) = (false, score(640));
        room.set_roster(released, at(40));
        assert_eq!(row(&room, ADA).score, score(640));
    }

    #[test]
    fn a_score_that_was_changed_is_the_roster_s() {
        let mut room = Room::of_sitting(3);
        room.set_roster(roster(), at(20));
        let over = VersionedRow { ended_at: Some(at(30)), ..told(ADA, SessionState::Submitted, 3) };
        assert!(room.put(SERVER, over));
        for (version, points, shown) in [(1, 640, (score(700), Some(1))), (2, 640, (score(640), Some(2)))] {
            let mut changed = roster();
            let line = changed.get_mut(&ADA).unwrap();
            (line.is_held, line.expected.score, line.expected.version) = (false, score(points), Some(version));
            room.set_roster(changed, at(40));
            assert_eq!((row(&room, ADA).score, row(&room, ADA).version), shown);
        }
    }

    #[test]
    fn a_roster_adds_moves_and_removes() {
        let mut room = Room::of_sitting(3);
        room.set_roster(HashMap::from([line(ADA, "Ada")]), at(0));
        let seq = room.seq();
        let mut changed = roster();
        changed.get_mut(&ADA).unwrap().roster.attendance = Some(Attendance::Absent);
        assert!(!room.set_roster(changed, at(0)), "Bo has not entered");
        assert_eq!((room.seq(), row(&room, ADA).state), (seq + 2, SessionState::Absent));
        room.put(SERVER, told(BO, SessionState::Active, 1));
        room.set_roster(HashMap::from([line(ADA, "Ada")]), at(0));
        let step = room.walk(room.enter(Some(seq)), 10);
        assert_eq!((step.removed, step.rows.len()), (vec![BO], 1));
        let mut moved = roster();
        moved.get_mut(&BO).unwrap().has_entered = true;
        assert!(room.set_roster(moved, at(0)), "Bo came with a seat that has reported before");
        assert_eq!(row(&room, BO).state, SessionState::Waiting);
    }

    #[test]
    fn what_changes_on_the_roster_is_told_by_its_fields_alone() {
        let mut room = Room::of_sitting(3);
        room.set_roster(roster(), at(0));
        let mut differences = Differences::of(&room);
        let mut changed = roster();
        let line = &mut changed.get_mut(&ADA).unwrap().roster;
        (line.factor, line.extra_minutes, line.room, line.note) = (150, Some(10), None, Some("by the door".into()));
        room.set_roster(changed, at(0));
        differences.go_on(&room, at(0));
        let step = differences.steps_from(0, true).unwrap().next().unwrap();
        let number = differences.number(ADA).unwrap();
        assert_eq!(
            step.shared,
            format!(r#"{{"n":{number},"room":null,"factor":150,"extraMinutes":10,"note":"by the door"}}"#)
        );
    }
}
