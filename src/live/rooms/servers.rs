//! The other servers as rooms need them: messages go over the relay, and leases say who is alive. Separate, so that
//! tests can join two servers' rooms without either.

use std::collections::HashSet;
use std::sync::Arc;

use uuid::Uuid;

use super::Servers;
use super::messages::RoomMessage;
use crate::live::messages::ServerMessage;
use crate::live::relay::Relay;
use crate::live::seats::lease::Lease;

/// The servers that share the database and Redis with this one.
pub struct Others {
    pub relay: Arc<Relay>,
    pub lease: Arc<Lease>,
}

impl Servers for Others {
    fn own_id(&self) -> Uuid {
        self.relay.server_id()
    }

    /// Without Redis no other server can report, so there is none to wait for.
    fn living(&self) -> Arc<HashSet<Uuid>> {
        if self.relay.is_alone() { Arc::new(HashSet::from([self.own_id()])) } else { self.lease.living() }
    }

    fn is_partial(&self) -> bool {
        self.relay.is_partial()
    }

    fn tell_all(&self, word: RoomMessage) {
        self.relay.tell_all(&ServerMessage::Room(word));
    }

    fn tell(&self, server: Uuid, word: RoomMessage) {
        self.relay.tell(server, &ServerMessage::Room(word));
    }
}
