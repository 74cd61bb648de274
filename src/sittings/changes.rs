//! Tells those who wait on this server that a sitting has changed: candidates who wait for its beginning, and pages that
//! wait for its results.

use tokio::sync::broadcast::{Receiver, Sender};
use uuid::Uuid;

/// Changes that one listener may leave unread. One that lags behind looks at everything it waits for.
const UNREAD_MAX: usize = 256;

/// The sittings that have changed, as they change.
pub struct SittingChanges(Sender<Uuid>);

impl Default for SittingChanges {
    fn default() -> Self {
        Self(Sender::new(UNREAD_MAX))
    }
}

impl SittingChanges {
    /// Says that the stored sitting, its roster or its paper is another than before.
    pub fn tell(&self, sitting_id: Uuid) {
        // Nobody may be waiting.
        let _ = self.0.send(sitting_id);
    }

    /// All changes from now on.
    #[must_use]
    pub fn listen(&self) -> Receiver<Uuid> {
        self.0.subscribe()
    }
}
