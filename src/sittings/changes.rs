//! Tells those who wait on this server that a sitting has changed: candidates who wait for its beginning, and pages
//! that wait for its results.

use std::sync::Arc;

use tokio::sync::broadcast::{Receiver, Sender};
use uuid::Uuid;

use crate::store::embargo::Embargo;

/// Changes that one listener may leave unread. A listener that falls further behind reads everything that it waits for
/// anew.
const UNREAD_MAX: usize = 256;

/// The sittings that have changed, as they change.
pub struct SittingChanges {
    all: Sender<Uuid>,
    own: Sender<Uuid>,
    pub embargo: Arc<Embargo>,
}

impl SittingChanges {
    #[must_use]
    pub fn new(embargo: Arc<Embargo>) -> Self {
        Self { all: Sender::new(UNREAD_MAX), own: Sender::new(UNREAD_MAX), embargo }
    }

    /// Says that this server has changed a sitting, its roster or its paper.
    pub fn tell(&self, sitting_id: Uuid) {
        // First, so that whoever listens finds what is withheld now.
        self.embargo.changed();
        // Nobody may be waiting.
        let _ = self.own.send(sitting_id);
        self.pass_on(sitting_id);
    }

    /// Says that this server has changed what only proctors see of a sitting, such as a mark. Their rooms on other
    /// servers look each second.
    pub fn tell_proctors(&self, sitting_id: Uuid) {
        let _ = self.all.send(sitting_id);
    }

    /// Says that another server has.
    pub fn pass_on(&self, sitting_id: Uuid) {
        self.embargo.changed();
        let _ = self.all.send(sitting_id);
    }

    /// All changes from now on.
    #[must_use]
    pub fn listen(&self) -> Receiver<Uuid> {
        self.all.subscribe()
    }

    /// Those of this server, which tells the others of them.
    #[must_use]
    pub fn listen_to_own(&self) -> Receiver<Uuid> {
        self.own.subscribe()
    }
}
