//! A student with a page that keeps what is not saved yet, and sends it again whenever it is connected.

use domain::attempt::Stamp;
use domain::time::moment::Moment;
use uuid::Uuid;

use super::chance::Chance;
use super::exam::Exam;
use super::frames::ClientCommand;

/// How long a page waits for `saved` before it looks for another server.
const PATIENCE_MILLISECONDS: i64 = 6_000;

/// Where a page is connected to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connection {
    pub server: usize,
    pub number: u64,
    /// Whether the server has let it in.
    pub is_attached: bool,
}

/// One student. Times are milliseconds since the beginning of the day.
#[derive(Debug)]
pub struct Student {
    pub session_id: Option<Uuid>,
    pub connection: Option<Connection>,
    pub is_done: bool,
    /// How wrong the clock of the computer is.
    pub skew: i64,
    /// Until then the network of the student is down.
    pub offline_until: i64,
    pub device: u8,
    pub line: u16,
    pub seq: u64,
    /// Made and not saved, in order.
    pub unsaved: Vec<ClientCommand>,
    /// Made on an earlier device and not saved.
    pub left_behind: Vec<ClientCommand>,
    /// When the page last heard from the server.
    pub heard_at: i64,
    /// When the last frame of this student arrives, either way: a connection keeps the order.
    pub arrives_at: i64,
    pub told_at: i64,
    number: usize,
}

impl Student {
    pub const fn new(number: usize, skew: i64) -> Self {
        Self {
            session_id: None,
            connection: None,
            is_done: false,
            skew,
            offline_until: 0,
            device: 0,
            line: 0,
            seq: 0,
            unsaved: Vec::new(),
            left_behind: Vec::new(),
            heard_at: 0,
            arrives_at: 0,
            told_at: 0,
            number,
        }
    }

    /// The hash of the token of the device.
    pub fn token_hash(&self) -> [u8; 32] {
        let mut hash = [u8::try_from(self.number).unwrap(); 32];
        hash[0] = self.device;
        hash
    }

    /// The hash of the key by which a start is repeated.
    pub fn start_key(&self) -> [u8; 32] {
        [u8::try_from(self.number).unwrap(); 32]
    }

    /// Makes another command.
    pub fn act(&mut self, exam: &Exam, chance: &mut Chance, at: Moment) -> ClientCommand {
        self.seq += 1;
        let (position, change) = exam.change(chance);
        let command = ClientCommand { stamp: Stamp { line: self.line, seq: self.seq }, position, change, at };
        self.unsaved.push(command.clone());
        command
    }

    /// Goes on with another device, which knows nothing of what the first one has not sent.
    pub fn change_device(&mut self) {
        self.device += 1;
        self.connection = None;
        (self.line, self.seq) = (0, 0);
        self.left_behind = std::mem::take(&mut self.unsaved);
    }

    /// Whether the page gives its connection up.
    pub fn is_impatient(&self, now: i64) -> bool {
        let waits = !self.unsaved.is_empty() || self.connection.is_some_and(|connection| !connection.is_attached);
        waits && now - self.heard_at > PATIENCE_MILLISECONDS
    }

    /// Forgets a command that was answered. Returns it.
    pub fn forget(&mut self, seq: u64) -> Option<ClientCommand> {
        let place = self.unsaved.iter().position(|command| command.stamp.seq == seq)?;
        Some(self.unsaved.remove(place))
    }

    /// What is saved by a `saved` of this number.
    pub fn take_saved(&mut self, seq: u64) -> Vec<ClientCommand> {
        let (saved, unsaved) =
            std::mem::take(&mut self.unsaved).into_iter().partition(|command| command.stamp.seq <= seq);
        self.unsaved = unsaved;
        saved
    }

    /// Starts anew, since there is no such test.
    pub fn begin_again(&mut self) {
        self.session_id = None;
        self.connection = None;
        (self.line, self.seq) = (0, 0);
        self.unsaved.clear();
        self.left_behind.clear();
    }
}
