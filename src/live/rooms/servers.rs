//! The other servers, as rooms need them: heard over the relay, and alive by their leases.

use std::collections::HashSet;
use std::sync::Arc;

use uuid::Uuid;

use super::Servers;
use super::messages::RoomMessage;
use crate::live::messages::ServerMessage;
use crate::live::relay::Relay;
use crate::live::seats::lease::Lease;

/// Those who share the database and Redis with this one.
pub struct Others {
    /// Carries the words.
    pub relay: Arc<Relay>,
    /// Knows who lives.
    pub lease: Arc<Lease>,
}

impl Servers for Others {
    fn own_id(&self) -> Uuid {
        self.relay.server_id()
    }

    /// Without Redis there is nobody else to wait for.
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
