//! Two devices of one student and the server, in every order of events: what is made offline, lost on the way, sent
//! again, and what a server that was killed has forgotten.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::question::{Choice, Selected};

const QUESTIONS: usize = 3;

/// What may happen. The number tells one of the two devices.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// The student answers a question there, with or without a connection.
    Answer(usize, usize, Option<Choice>),
    /// The device comes to the test, or comes back to it, and learns its line and the highest number.
    Resume(usize),
    /// One of the commands that it keeps arrives at the server; the answer is lost, or not.
    Send(usize, usize, bool),
    /// The page is loaded again: it has what it has kept, and its line.
    Reload(usize),
    /// The server has committed what it has, and is killed some time after that.
    Commit,
    Kill,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Made {
    stamp: Stamp,
    selected: Option<Choice>,
    /// At which event it was made, and when its device had last learnt where the test stood.
    at: usize,
    resumed_at: usize,
}

/// A page as it is meant to be: of each question it keeps its newest change until that is answered.
#[derive(Default)]
struct Device {
    line: u16,
    highest: u64,
    resumed_at: usize,
    kept: BTreeMap<usize, Made>,
}

struct World {
    share_token: bool,
    attempt: Attempt,
    lines: DeviceLines,
    given: Vec<DeviceLine>,
    devices: [Device; 2],
    /// As the database has it. Lines are stored when they are given.
    stored: BTreeMap<usize, Made>,
    /// What is behind each value of the server.
    values: BTreeMap<usize, Made>,
    arrived: Vec<(usize, Made)>,
}

fn token(device: usize) -> [u8; 32] {
    [u8::try_from(device).unwrap() + 1; 32]
}

impl World {
    fn new(share_token: bool) -> Self {
        let first = Device { line: FIRST_LINE, ..Device::default() };
        Self {
            share_token,
            attempt: attempt(Mode::Standard),
            lines: DeviceLines::of(token(0), Vec::new()),
            given: Vec::new(),
            devices: [first, Device::default()],
            stored: BTreeMap::new(),
            values: BTreeMap::new(),
            arrived: Vec::new(),
        }
    }

    fn resume(&mut self, device: usize, at: usize) {
        let used = self.attempt.newest_line();
        // Both have one token, or each its own.
        let line = Some(self.devices[device].line).filter(|_| self.share_token);
        let comer = Comer { token_hash: token(if self.share_token { 0 } else { device }), line };
        let line = self.lines.kept_by(&comer, used).unwrap_or_else(|| {
            let given = self.lines.next_for(&comer, used);
            self.given.push(given);
            self.lines.learn(self.given.clone());
            given.line
        });
        let highest = self.attempt.seq();
        let device = &mut self.devices[device];
        (device.line, device.highest, device.resumed_at) = (line, device.highest.max(highest), at);
    }

    fn answer(&mut self, device: usize, question: usize, selected: Option<Choice>, at: usize) {
        let device = &mut self.devices[device];
        // A device has to come to the test before anything can be answered there.
        if device.line == 0 {
            return;
        }
        device.highest += 1;
        let stamp = Stamp { line: device.line, seq: device.highest };
        device.kept.insert(question, Made { stamp, selected, at, resumed_at: device.resumed_at });
    }

    /// Returns whether the server was right.
    fn send(&mut self, device: usize, question: usize, is_answered: bool) -> Result<(), TestCaseError> {
        let Some(made) = self.devices[device].kept.get(&question).copied() else { return Ok(()) };
        let change = AnswerChange::Choice { selected: made.selected.map(Selected::from), time_taken: None };
        let before = self.values.get(&question).copied();
        let applied = self.attempt.apply(&format!("q{question}"), &change, made.stamp, now()).unwrap();
        self.arrived.push((question, made));
        match applied {
            Applied::Set(_) => {
                prop_assert!(before.is_none_or(|before| before.stamp < made.stamp));
                self.values.insert(question, made);
            }
            Applied::Superseded => prop_assert_eq!(before.map(|before| before.stamp.line), Some(made.stamp.line)),
            Applied::SupersededBy(key) => {
                let before = before.unwrap();
                prop_assert_eq!(self.attempt.cell(key.position).unwrap().stamp(key.kind), before.stamp);
                prop_assert!(before.stamp.line > made.stamp.line, "only a newer line refuses a command");
                // What refuses it was made by a device that had come to the test after this one last had.
                prop_assert!(before.resumed_at > made.resumed_at);
            }
        }
        // A refusal by a newer line is answered when that value is stored, as `saved` is.
        if is_answered {
            self.commit();
            self.devices[device].kept.remove(&question);
        }
        Ok(())
    }

    fn commit(&mut self) {
        self.stored.clone_from(&self.values);
    }

    fn kill(&mut self) {
        self.values.clone_from(&self.stored);
        self.attempt = attempt(Mode::Standard);
        for (position, made) in &self.stored {
            let change = AnswerChange::Choice { selected: made.selected.map(Selected::from), time_taken: None };
            self.attempt.restore(CellKey { position: *position, kind: ValueKind::Choice }, &change, made.stamp);
        }
    }
}

fn any_event() -> impl Strategy<Value = Event> {
    let device = || 0..2_usize;
    let choice = proptest::option::of(proptest::sample::select(Choice::ALL.to_vec()));
    prop_oneof![
        4 => (device(), 0..QUESTIONS, choice).prop_map(|(device, question, selected)| Event::Answer(device, question, selected)),
        2 => device().prop_map(Event::Resume),
        8 => (device(), 0..QUESTIONS, any::<bool>()).prop_map(|(device, question, is_answered)| Event::Send(device, question, is_answered)),
        1 => device().prop_map(Event::Reload),
        1 => Just(Event::Commit),
        1 => Just(Event::Kill),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Each value is that of the newest line that has arrived for it and was not lost with a server, and no device that
    /// did not know of another goes over what the other has set.
    #[test]
    fn the_newest_line_wins_in_every_order_of_events(share_token in any::<bool>(), events in proptest::collection::vec(any_event(), 1..120)) {
        let mut world = World::new(share_token);
        for (index, event) in events.iter().enumerate() {
            let at = index + 1;
            match *event {
                Event::Answer(device, question, selected) => world.answer(device, question, selected, at),
                Event::Resume(device) | Event::Reload(device) => world.resume(device, at),
                Event::Send(device, question, is_answered) => world.send(device, question, is_answered)?,
                Event::Commit => world.commit(),
                Event::Kill => world.kill(),
            }
        }
        // Both come back, and send all that they keep.
        for device in [0, 1] {
            for question in 0..QUESTIONS {
                world.send(device, question, true)?;
            }
        }
        for question in 0..QUESTIONS {
            let latest = world.arrived.iter().filter(|(one, _)| *one == question).map(|(_, made)| *made);
            let latest = latest.max_by_key(|made| made.stamp);
            let cell = world.attempt.cell(question).unwrap();
            let awaited = latest.and_then(|made| made.selected).map(Selected::from);
            prop_assert_eq!(&cell.selected, &awaited);
            prop_assert_eq!(cell.stamp(ValueKind::Choice), latest.map_or(Stamp::default(), |made| made.stamp));
            // Of two changes the later of one device never loses to the earlier, whatever lines it was given.
            for device in world.arrived.iter().filter(|(one, made)| *one == question && Some(*made) != latest) {
                let is_later_of_same_line = latest.is_some_and(|latest| latest.stamp.line == device.1.stamp.line);
                prop_assert!(!is_later_of_same_line || latest.is_some_and(|latest| latest.at >= device.1.at));
            }
        }
    }
}
