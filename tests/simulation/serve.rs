//! What servers do: the road from a student's frame to the journal and back, as in `src/live`.

use domain::attempt::{Attempt, Comer, CommandRefusal, Ending, FIRST_LINE, LateCommand, Reason};
use domain::order::standing::PauseScopes;
use domain::sight::Sight;
use domain::time::times::AttemptTimes;
use examhall::live::journal::Rejected;
use examhall::live::store::{ClaimOutcome, Commit, FIRST_FENCE, Hold, NewAttempt, StartChannel, Write};
use uuid::Uuid;

use super::frames::{ClientCommand, ToServer, ToStudent};
use super::seat::{AfterCommit, Seat, Taken};
use super::server::Committer;
use super::store::{Failing, LoadedSeat, StoreFailure};
use super::world::{Event, World};

impl World {
    /// A frame reaches a server.
    pub(super) fn arrives(&mut self, server: usize, student: usize, connection: u64, frame: ToServer) {
        if !self.servers[server].takes_students(self.now) || self.now < self.students[student].offline_until {
            return self.break_off(student, connection);
        }
        match frame {
            ToServer::Start => self.start(server, student, connection),
            ToServer::Attach { session_id, token_hash, line } => {
                let comer = Comer { token_hash, line: Some(line) };
                self.attach(server, student, connection, session_id, &comer);
            }
            ToServer::Change { session_id, command } => self.change(server, student, connection, session_id, command),
            ToServer::Submit { session_id, seq } => {
                let now = self.clock(server);
                match self.servers[server].seats.get_mut(&session_id) {
                    Some(seat) if seat.is_of(connection) => seat.submit(seq, now),
                    _ => return self.tell(server, student, connection, ToStudent::Closed),
                }
                self.works_on(server, session_id);
            }
        }
    }

    fn start(&mut self, server: usize, student: usize, connection: u64) {
        if !self.reaches_database(server) {
            return self.tell(server, student, connection, ToStudent::Closed);
        }
        let (key, token_hash) = (self.students[student].start_key(), self.students[student].token_hash());
        let begun = self.store.tables.attempts.values().find(|row| row.start_key == Some(key));
        if let Some(session_id) = begun.map(|row| row.terms.session_id) {
            let comer = Comer { token_hash, line: Some(self.students[student].line) };
            return self.attach(server, student, connection, session_id, &comer);
        }
        let (session_id, now) = (self.chance.uuid(), self.clock(server));
        let terms = self.exam.terms(session_id, student);
        let times = AttemptTimes::new(now, terms.duration_minutes);
        let attempt = Attempt::new(terms.clone(), times, self.exam.paper.clone(), now);
        let new = NewAttempt {
            terms,
            paper: self.exam.paper.clone(),
            second_papers: None,
            times,
            paused_in: PauseScopes::default(),
            pause_text: None,
            token_hash,
            start_key: Some((key, [0; 32])),
            owner: None,
            counted: None,
            server: self.servers[server].id,
            channel: StartChannel::WebSocket,
            entry: None,
        };
        let commit = Commit { hold: None, writes: vec![Write::Begin(Box::new(new))] };
        let committer = Committer::Start { student, connection, attempt: Box::new(attempt) };
        self.commits(server, commit, committer);
    }

    fn attach(&mut self, server: usize, student: usize, connection: u64, session_id: Uuid, comer: &Comer) {
        if !self.reaches_database(server) {
            return self.tell(server, student, connection, ToStudent::Closed);
        }
        let mode = self.claim_mode();
        // Who comes back to a seat that is here is let in when it is still held from here.
        let fence = self.store.tables.seats.get(&session_id).map(|row| row.fence);
        let is_here = self.servers[server].seats.get(&session_id).is_some_and(|seat| Some(seat.hold.fence) == fence);
        if !is_here {
            let (id, now) = (self.servers[server].id, self.clock(server));
            let outcome = self.store.claim(id, session_id, mode, now);
            let loaded = self.store.load(session_id, &self.exam.paper, now);
            match (outcome, loaded) {
                (_, None) => return self.tell(server, student, connection, ToStudent::Unknown),
                (ClaimOutcome::Held(hold), Some(loaded)) => self.opens(server, loaded, hold),
                (ClaimOutcome::Ended, Some(_)) => {
                    let frame = self.submitted(session_id);
                    return self.tell(server, student, connection, frame);
                }
                _ => return self.tell(server, student, connection, ToStudent::Closed),
            }
        }
        let Some(seat) = self.servers[server].seats.get_mut(&session_id) else { return };
        if seat.is_ending() {
            return self.tell(server, student, connection, ToStudent::Closed);
        }
        let line = self.store.give_line(&seat.attempt, comer);
        seat.attach(student, connection);
        let seq = seat.attempt.seq();
        self.count("attached");
        self.tell(server, student, connection, ToStudent::Attached { session_id, line, seq });
        self.works_on(server, session_id);
    }

    pub(super) fn opens(&mut self, server: usize, loaded: LoadedSeat, hold: Hold) {
        self.serial += 1;
        let seat = Seat::open(self.serial, loaded, hold);
        self.servers[server].seats.insert(hold.session_id, seat);
    }

    /// What a student is told whose test is over.
    fn submitted(&self, session_id: Uuid) -> ToStudent {
        let newest = self.store.test(session_id).and_then(|test| test.versions.last());
        let result = newest.and_then(|session| {
            let sight = Sight::of_seat(session_id, self.store.embargo(session));
            session.submitted_result().json(sight).map(|json| json.get().to_owned())
        });
        ToStudent::Submitted { receipt: None, result }
    }

    fn change(&mut self, server: usize, student: usize, connection: u64, session_id: Uuid, command: ClientCommand) {
        let (now, bug) = (self.clock(server), self.bug);
        let seat = self.servers[server].seats.get_mut(&session_id);
        let Some(seat) = seat.filter(|seat| connection == 0 || seat.is_of(connection)) else {
            let ending = self.store.tables.attempts.get(&session_id).and_then(|row| row.ending);
            return match ending.filter(|_| self.reaches_database(server)) {
                Some(Ending { reason, .. }) => {
                    self.comes_late(server, student, connection, session_id, command, Some(reason));
                }
                None => self.tell(server, student, connection, ToStudent::Closed),
            };
        };
        let seq = command.stamp.seq;
        match seat.take(&command, connection != 0, now, bug) {
            Taken::Applied { is_set: true } => self.watch.set(&seat.attempt.timer, now),
            Taken::Applied { is_set: false } => {}
            Taken::Superseded => {
                self.count("superseded");
                self.tell(server, student, connection, ToStudent::Superseded(seq));
            }
            Taken::Refused(CommandRefusal::Late | CommandRefusal::AlreadySubmitted) => {
                let reason = seat.attempt.ending().map(|ending| ending.reason);
                return self.comes_late(server, student, connection, session_id, command, reason);
            }
            Taken::Refused(refusal) => self.tell(server, student, connection, ToStudent::Refused { seq, refusal }),
        }
        self.works_on(server, session_id);
    }

    /// Keeps a command that came after the end, if it is one to be kept. `reason` is that of the end, where there is
    /// one yet.
    fn comes_late(
        &mut self,
        server: usize,
        student: usize,
        connection: u64,
        session_id: Uuid,
        command: ClientCommand,
        reason: Option<Reason>,
    ) {
        let seq = command.stamp.seq;
        if self.keeps_late(session_id, reason) && self.reaches_database(server) {
            self.count(if reason == Some(Reason::Proctor) { "kept after a proctor's end" } else { "kept late" });
            let late = LateCommand {
                question_id: self.exam.paper[command.position].id.to_string().into(),
                change: Some(command.change),
                stamp: command.stamp,
                at: Some(command.at),
                received_at: self.clock(server),
            };
            self.store.keep_late(session_id, late);
        }
        let refusal = match reason {
            None | Some(Reason::Deadline) => CommandRefusal::Late,
            Some(Reason::Student | Reason::Proctor) => CommandRefusal::AlreadySubmitted,
        };
        self.tell(server, student, connection, ToStudent::Refused { seq, refusal });
    }

    /// The rule of `src/live/seat/late.rs`: what comes after the student's own submission is kept only if a proctor had
    /// ended the test before, and nothing is of whoever was ended while they waited.
    fn keeps_late(&self, session_id: Uuid, reason: Option<Reason>) -> bool {
        let Some(row) = self.store.tables.attempts.get(&session_id) else { return false };
        let newest = self.store.test(session_id).and_then(|test| test.versions.last());
        let has_waited = row.ending.is_some() && newest.is_some_and(|session| session.ended_unbegun());
        !has_waited && (reason != Some(Reason::Student) || row.had_proctors_end)
    }

    /// Lets a seat go on.
    pub(super) fn works_on(&mut self, server: usize, session_id: Uuid) {
        let (now, bug, mut told) = (self.clock(server), self.bug, Vec::new());
        let Some(seat) = self.servers[server].seats.get_mut(&session_id) else { return };
        let (serial, road) = (seat.serial, seat.road_of());
        let commit = seat.work(now, bug, &mut told);
        if let Some((student, connection)) = road {
            told.into_iter().for_each(|frame| self.tell(server, student, connection, frame));
        }
        if let Some((commit, after)) = commit {
            self.commits(server, commit, Committer::Seat { session_id, serial, after });
        }
    }

    fn commits(&mut self, server: usize, commit: Commit, committer: Committer) {
        self.servers[server].journal.add(commit, committer);
        self.begins_batch(server);
    }

    fn begins_batch(&mut self, server: usize) {
        if self.servers[server].journal.begin() {
            let slow = if self.now < self.slow_until { self.chance.between(500, 5_000) } else { 0 };
            let wait = slow + self.chance.between(1, 60);
            self.after(wait, Event::Stores { server, generation: self.servers[server].generation });
        }
    }

    /// The batch of a server reaches the database, or does not.
    pub(super) fn stores(&mut self, server: usize) {
        let (now, generation) = (self.clock(server), self.servers[server].generation);
        let is_full = |failing: Failing| failing.transactions > 0 && failing.failure == StoreFailure::DiskFull;
        let is_reached = self.reaches_database(server);
        let is_unheard = is_reached && self.breaks() && self.chance.one_in(40);
        if is_reached && (is_unheard || self.store.failing.is_some_and(is_full)) {
            self.count(if is_unheard { "stored unheard" } else { "disk full" });
            self.servers[server].journal.store_unheard(&mut self.store, now);
            self.watch.check_tables(&self.store);
        } else if is_reached {
            self.servers[server].journal.store(&mut self.store, now);
            self.watch.check_tables(&self.store);
            let wait = self.chance.between(1, 200);
            return self.after(wait, Event::Answers { server, generation, era: self.era });
        }
        let again = self.chance.between(100, 2_000);
        self.after(again, Event::Stores { server, generation });
    }

    /// The batch of a server is settled. What was stored in an earlier era may be lost, and its answer with it.
    pub(super) fn answers(&mut self, server: usize, era: u32) {
        for (committer, answer) in self.servers[server].journal.take_answers() {
            let answer = if era == self.era { answer } else { Err(Rejected::Refused) };
            match committer {
                Committer::Seat { session_id, serial, after } => {
                    self.settled(server, (session_id, serial), after, answer);
                }
                Committer::Start { student, connection, attempt } => {
                    let session_id = attempt.terms.session_id;
                    // Another start with the same key may have been first.
                    if answer.is_err() || !self.store.tables.attempts.contains_key(&session_id) {
                        self.tell(server, student, connection, ToStudent::Closed);
                        continue;
                    }
                    let hold = Hold { session_id, fence: FIRST_FENCE, orders: 0 };
                    self.opens(server, LoadedSeat { attempt: *attempt, finish_by: None, reopening: None }, hold);
                    if let Some(seat) = self.servers[server].seats.get_mut(&session_id) {
                        seat.attach(student, connection);
                    }
                    self.count("started");
                    let frame = ToStudent::Attached { session_id, line: FIRST_LINE, seq: 0 };
                    self.tell(server, student, connection, frame);
                }
            }
        }
        self.begins_batch(server);
    }

    fn settled(
        &mut self,
        server: usize,
        (session_id, serial): (Uuid, u64),
        after: AfterCommit,
        answer: Result<(), Rejected>,
    ) {
        let seat = self.servers[server].seats.get_mut(&session_id);
        let Some(seat) = seat.filter(|seat| seat.serial == serial) else { return };
        let (road, mut told) = (seat.road_of(), Vec::new());
        let is_over = answer.is_err() || matches!(after, AfterCommit::Submitted(_));
        match (answer, after) {
            (Ok(()), AfterCommit::Nothing) => seat.committed(&mut told),
            (Ok(()), AfterCommit::Submitted(session)) => {
                seat.committed(&mut told);
                let leaf = seat.final_receipt(&session);
                if let ToStudent::Submitted { result, .. } = self.submitted(session_id) {
                    told.push(ToStudent::Submitted { receipt: leaf, result });
                }
                self.count("ended");
            }
            (Err(_), _) => {
                told.push(ToStudent::Closed);
                self.count("thrown away");
            }
        }
        if let Some((student, connection)) = road {
            told.into_iter().for_each(|frame| self.tell(server, student, connection, frame));
        }
        if is_over {
            self.servers[server].seats.remove(&session_id);
        } else {
            self.gives_receipt(server, session_id);
            self.works_on(server, session_id);
        }
    }

    /// A running receipt says what is saved, so that it promises each answer in it.
    fn gives_receipt(&mut self, server: usize, session_id: Uuid) {
        if !self.chance.one_in(4) {
            return;
        }
        let number = self.store.tables.number;
        let Some(seat) = self.servers[server].seats.get(&session_id).filter(|seat| seat.is_saved()) else { return };
        for command in seat.answers() {
            self.watch.saved(session_id, &command, number);
        }
    }
}
