//! What students do, and what their pages make of what they are told.

use domain::attempt::CommandRefusal;
use examhall::live::store::ClaimMode;

use super::frames::{ClientCommand, ToServer, ToStudent};
use super::student::Connection;
use super::world::{Event, World};

impl World {
    /// A student does something, or the page connects.
    pub(super) fn acts(&mut self, student: usize) {
        let wait = self.chance.between(1_000, 5_000);
        if self.students[student].is_done || (!self.breaks() && self.students[student].session_id.is_none()) {
            return;
        }
        self.after(wait, Event::Acts(student));
        if self.now < self.students[student].offline_until {
            // What is done without a network is kept by the page, which has no connection any more.
            self.students[student].connection = None;
            if self.students[student].line > 0 {
                self.makes_command(student);
            }
            return;
        }
        if self.students[student].is_impatient(self.now) {
            self.students[student].connection = None;
        }
        match self.students[student].connection {
            None => self.connects(student),
            Some(connection) if connection.is_attached => self.works(student, connection),
            Some(_) => {}
        }
    }

    fn connects(&mut self, student: usize) {
        self.serial += 1;
        let server = self.chance.below(self.servers.len());
        let connection = Connection { server, number: self.serial, is_attached: false };
        let one = &mut self.students[student];
        one.connection = Some(connection);
        one.heard_at = self.now;
        // Another connection has an order of its own.
        (one.arrives_at, one.told_at) = (0, 0);
        let (token_hash, line) = (one.token_hash(), one.line);
        let frame = match one.session_id {
            None => ToServer::Start,
            Some(session_id) => ToServer::Attach { session_id, token_hash, line },
        };
        self.send(student, connection, frame);
    }

    fn makes_command(&mut self, student: usize) -> ClientCommand {
        let at = self.student_clock(student);
        let Self { students, exam, chance, .. } = self;
        students[student].act(exam, chance, at)
    }

    fn works(&mut self, student: usize, connection: Connection) {
        let Some(session_id) = self.students[student].session_id else { return };
        if self.chance.one_in(60) {
            self.students[student].seq += 1;
            let seq = self.students[student].seq;
            self.count("submissions");
            return self.send(student, connection, ToServer::Submit { session_id, seq });
        }
        if self.chance.one_in(5) {
            // The earlier device has found a network for a moment.
            for command in std::mem::take(&mut self.students[student].left_behind) {
                self.send(student, Connection { number: 0, ..connection }, ToServer::Change { session_id, command });
            }
        }
        let command = self.makes_command(student);
        if self.students[student].unsaved.len() == 1 {
            self.students[student].heard_at = self.now;
        }
        self.send(student, connection, ToServer::Change { session_id, command });
    }

    /// A frame reaches a student.
    pub(super) fn hears(&mut self, student: usize, connection: u64, (era, number): (u32, u64), frame: ToStudent) {
        let Some(current) = self.students[student].connection.filter(|current| current.number == connection) else {
            return;
        };
        self.students[student].heard_at = self.now;
        match frame {
            ToStudent::Attached { session_id, line, seq } => {
                let one = &mut self.students[student];
                one.session_id = Some(session_id);
                one.line = line;
                one.seq = one.seq.max(seq);
                let attached = Connection { is_attached: true, ..current };
                one.connection = Some(attached);
                let unsaved = one.unsaved.clone();
                for command in unsaved {
                    self.send(student, attached, ToServer::Change { session_id, command });
                }
            }
            ToStudent::Unknown => self.students[student].begin_again(),
            ToStudent::Closed => self.students[student].connection = None,
            ToStudent::Saved(seq) => {
                let saved = self.students[student].take_saved(seq);
                let session_id = self.students[student].session_id.filter(|_| era == self.era);
                for command in saved {
                    self.count("saved");
                    if let Some(session_id) = session_id {
                        self.watch.saved(session_id, &command, number);
                    }
                }
            }
            ToStudent::Refused { seq, refusal } => {
                // After a proctor's end the page keeps what is late: whose test is reopened goes on with it.
                if refusal != CommandRefusal::AlreadySubmitted {
                    self.students[student].forget(seq);
                }
                self.count(match refusal {
                    CommandRefusal::Late => "late",
                    CommandRefusal::Paused => "refused in a pause",
                    _ => "refused",
                });
            }
            ToStudent::Superseded(seq) => {
                self.students[student].forget(seq);
            }
            ToStudent::Submitted { receipt, result } => {
                let is_told = result.is_some() && era == self.era;
                self.watch.told("the seat", is_told, &self.store);
                self.students[student].is_done = true;
                // What came too late is sent all the same: somebody may let it count.
                let unsaved = self.students[student].unsaved.clone();
                if let Some(session_id) = self.students[student].session_id {
                    for command in unsaved {
                        self.send(student, current, ToServer::Change { session_id, command });
                    }
                }
                if let Some(leaf) = receipt.filter(|_| era == self.era) {
                    self.watch.gave_receipt(leaf, number);
                }
            }
        }
    }

    /// Claims a seat for a server because somebody comes to it.
    pub(super) fn claim_mode(&mut self) -> ClaimMode {
        if self.chance.one_in(8) { ClaimMode::Forced } else { ClaimMode::Socket }
    }
}
