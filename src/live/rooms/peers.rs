//! The state of the other servers: which rooms they watch, and whether all that they sent has arrived.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use domain::room::RoomKey;
use uuid::Uuid;

/// How long a server may go without saying that it watches a room before it counts as watching none. A server that is
/// not known to be alive, and was silent for this long, is gone.
pub const SILENCE_MAX: Duration = Duration::from_secs(6);

/// How long a server that is alive and watched may be silent before it counts as out of reach. It sends something each
/// second.
pub const HEARD_WITHIN: Duration = Duration::from_secs(4);

/// Another server.
#[derive(Debug)]
struct Peer {
    watching: HashSet<RoomKey>,
    /// Rooms of this server in which its seats have not reported since the rooms were opened.
    untold: HashSet<RoomKey>,
    /// The wish for all its rows that it has not fulfilled yet.
    owes: Option<u64>,
    said_at: Instant,
    heard_at: Instant,
    /// The number of batches that this server has sent to the peer.
    sent: u64,
    /// The number of the last batch that the peer has sent.
    received: u64,
    has_lived: bool,
}

/// All other servers.
#[derive(Debug, Default)]
pub struct Peers {
    peers: HashMap<Uuid, Peer>,
    /// Rooms that are open here, in which every server is to report its seats.
    open: HashSet<RoomKey>,
    open_since: Option<Instant>,
    wishes: u64,
}

impl Peers {
    fn heard(&mut self, server: Uuid, now: Instant) -> &mut Peer {
        let peer = self.known_since(server, now);
        peer.heard_at = now;
        peer
    }

    fn known_since(&mut self, server: Uuid, now: Instant) -> &mut Peer {
        let unknown = || Peer {
            watching: HashSet::new(),
            // It may have seats in rooms that were opened before it was heard of.
            untold: self.open.clone(),
            owes: None,
            said_at: now,
            heard_at: now,
            sent: 0,
            received: 0,
            has_lived: false,
        };
        self.peers.entry(server).or_insert_with(unknown)
    }

    /// A room was opened here, so all servers are to report their seats in it.
    pub fn open(&mut self, key: RoomKey, now: Instant) {
        self.open.insert(key);
        self.open_since.get_or_insert(now);
        for peer in self.peers.values_mut() {
            peer.untold.insert(key);
        }
    }

    /// Keeps only the rooms that are still open; nobody has to report for the others.
    pub fn keep_open(&mut self, is_open: impl Fn(&RoomKey) -> bool) {
        self.open.retain(&is_open);
        self.peers.values_mut().for_each(|peer| peer.untold.retain(&is_open));
        if self.open.is_empty() {
            self.open_since = None;
            self.peers.values_mut().for_each(|peer| peer.owes = None);
        }
    }

    /// Notes that all rows of a server are wanted, since some are lost. Returns the wish's number if it is to be sent
    /// at once. A server that owes an earlier wish gets the new number with the next repetition instead.
    pub fn owe(&mut self, server: Uuid) -> Option<u64> {
        if self.open.is_empty() {
            return None;
        }
        self.wishes += 1;
        let wish = self.wishes;
        self.peers.get_mut(&server)?.owes.replace(wish).is_none().then_some(wish)
    }

    /// The wishes that are not fulfilled, to be sent again and again. Servers that have not reported for a room in time
    /// owe one too.
    pub fn owing(&mut self) -> Vec<(Uuid, u64)> {
        for peer in self.peers.values_mut().filter(|peer| peer.owes.is_none() && !peer.untold.is_empty()) {
            self.wishes += 1;
            peer.owes = Some(self.wishes);
        }
        self.peers.iter().filter_map(|(server, peer)| Some((*server, peer.owes?))).collect()
    }

    /// All seats of a server in these rooms have reported, to fulfil the wish with that number.
    pub fn reported(&mut self, server: Uuid, rooms: &[RoomKey], wish: Option<u64>, now: Instant) {
        let peer = self.heard(server, now);
        peer.untold.retain(|key| !rooms.contains(key));
        // A report that was on its way when rows were lost does not make up for them; its number is older.
        peer.owes.take_if(|owed| Some(*owed) == wish);
    }

    /// A message of a server has arrived.
    pub fn note_heard(&mut self, server: Uuid, now: Instant) {
        self.heard(server, now);
    }

    /// Servers that are alive and watched, and yet silent.
    pub fn unheard(&mut self, living: impl Iterator<Item = Uuid>, now: Instant) -> HashSet<Uuid> {
        let Some(open_since) = self.open_since else { return HashSet::new() };
        let is_unheard =
            |server: &Uuid| now.duration_since(self.known_since(*server, now).heard_at.max(open_since)) > HEARD_WITHIN;
        living.filter(is_unheard).collect()
    }

    /// A server watches these rooms. Returns those that are new.
    pub fn watching(&mut self, server: Uuid, rooms: Vec<RoomKey>, now: Instant) -> HashSet<RoomKey> {
        let peer = self.heard(server, now);
        peer.said_at = now;
        let rooms: HashSet<RoomKey> = rooms.into_iter().collect();
        let new = rooms.difference(&peer.watching).copied().collect();
        peer.watching = rooms;
        new
    }

    /// A batch has arrived. Returns false if one before it has not.
    pub fn received(&mut self, server: Uuid, number: u64, now: Instant) -> bool {
        let peer = self.heard(server, now);
        let is_next = number == peer.received + 1;
        // After a gap as well: what is missing is asked for once, and not with each batch that follows.
        peer.received = number;
        is_next
    }

    /// A server says how many batches it has sent. Returns false if one of them has not arrived.
    pub fn has_all(&mut self, server: Uuid, number: u64, now: Instant) -> bool {
        let peer = self.heard(server, now);
        std::mem::replace(&mut peer.received, number) == number
    }

    /// The number of the next batch for a server.
    pub fn next_number(&mut self, server: Uuid) -> u64 {
        self.peers.get_mut(&server).map_or(0, |peer| {
            peer.sent += 1;
            peer.sent
        })
    }

    /// Servers that watch anything, with the rooms that they watch, and the number of batches that they were sent.
    pub fn watchers(&self) -> impl Iterator<Item = (Uuid, &HashSet<RoomKey>, u64)> {
        self.peers
            .iter()
            .filter(|(_, peer)| !peer.watching.is_empty())
            .map(|(server, peer)| (*server, &peer.watching, peer.sent))
    }

    /// All rooms that other servers watch.
    pub fn rooms(&self) -> impl Iterator<Item = RoomKey> {
        self.peers.values().flat_map(|peer| &peer.watching).copied()
    }

    /// Servers that have been heard and not forgotten.
    pub fn known(&self) -> impl Iterator<Item = Uuid> {
        self.peers.keys().copied()
    }

    /// Forgets servers that have died, and the rooms of those that no longer say that they watch.
    pub fn forget(&mut self, living: &HashSet<Uuid>, now: Instant) {
        self.peers.retain(|server, peer| {
            let lives = living.contains(server);
            // A server that has just started may be heard before its lease is read.
            let is_gone = !lives && (peer.has_lived || now.duration_since(peer.heard_at) > SILENCE_MAX);
            peer.has_lived |= lives;
            if now.duration_since(peer.said_at) > SILENCE_MAX {
                peer.watching.clear();
            }
            !is_gone
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::grade::Grade;

    fn room(grade: i64) -> RoomKey {
        RoomKey::Grade(Grade::new(grade).unwrap())
    }

    #[test]
    fn a_gap_is_seen_wherever_it_is() {
        let (mut peers, server, now) = (Peers::default(), Uuid::from_u128(1), Instant::now());
        assert!(peers.has_all(server, 0, now) && peers.received(server, 1, now) && peers.received(server, 2, now));
        assert!(!peers.received(server, 4, now), "the third is lost");
        assert!(peers.received(server, 5, now));
        assert!(peers.has_all(server, 5, now) && !peers.has_all(server, 6, now), "the last is lost");
        assert!(!peers.received(server, 6, now) || peers.received(server, 7, now));
        assert!(!peers.received(server, 1, now), "it has begun anew");
    }

    #[test]
    fn what_is_owed_is_wished_for_until_it_comes() {
        let (mut peers, server, now) = (Peers::default(), Uuid::from_u128(1), Instant::now());
        peers.note_heard(server, now);
        assert_eq!((peers.owe(server), peers.owing()), (None, vec![]), "no room is open");
        peers.open(room(5), now);
        assert_eq!((peers.owing(), peers.owing()), (vec![(server, 1)], vec![(server, 1)]));
        assert_eq!(peers.owe(server), None, "it is told with the next repetition");
        peers.reported(server, &[room(5)], Some(1), now);
        assert_eq!(peers.owing(), [(server, 2)], "what was told before the gap does not fill it");
        peers.reported(server, &[room(5)], Some(2), now);
        assert_eq!((peers.owing(), peers.owe(server)), (vec![], Some(3)));
        peers.keep_open(|_| false);
        assert_eq!(peers.owing(), []);
        peers.open(room(5), now);
        let newcomer = Uuid::from_u128(2);
        peers.reported(server, &[room(5)], None, now);
        peers.note_heard(newcomer, now);
        assert_eq!(peers.owing(), [(newcomer, 4)], "it has not told of a room that was open before it came");
    }

    #[test]
    fn a_living_server_that_is_silent_is_unheard() {
        let (mut peers, server, now) = (Peers::default(), Uuid::from_u128(1), Instant::now());
        let unheard =
            |peers: &mut Peers, seconds| peers.unheard([server].into_iter(), now + Duration::from_secs(seconds)).len();
        assert_eq!(unheard(&mut peers, 0), 0);
        peers.open(room(5), now + Duration::from_secs(10));
        assert_eq!((unheard(&mut peers, 11), unheard(&mut peers, 15), unheard(&mut peers, 16)), (0, 0, 1));
        peers.note_heard(server, now + Duration::from_secs(16));
        assert_eq!((unheard(&mut peers, 17), unheard(&mut peers, 21)), (0, 1));
        peers.keep_open(|_| false);
        assert_eq!(unheard(&mut peers, 30), 0);
    }

    #[test]
    fn who_says_nothing_watches_nothing() {
        let (mut peers, server, now) = (Peers::default(), Uuid::from_u128(1), Instant::now());
        assert_eq!(peers.watching(server, vec![room(5)], now), HashSet::from([room(5)]));
        assert_eq!(peers.watching(server, vec![room(5), room(6)], now), HashSet::from([room(6)]));
        assert_eq!((peers.next_number(server), peers.next_number(server)), (1, 2));
        let living = HashSet::from([server]);
        peers.forget(&living, now + SILENCE_MAX);
        assert_eq!(peers.watchers().count(), 1);
        peers.forget(&living, now + SILENCE_MAX * 2);
        assert_eq!((peers.watchers().count(), peers.rooms().count()), (0, 0));
        assert_eq!(peers.known().count(), 1);
        peers.forget(&HashSet::new(), now);
        assert_eq!(peers.known().count(), 0, "its lease has run out");
    }
}
