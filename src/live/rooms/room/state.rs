//! The state of a room that watchers get beside its rows: its standing, its sitting, and when nothing could be saved.

use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;

use crate::sittings::standing::{StandingView, WatchedSittingView};
use crate::store::outages::Outage;

/// The state of a room.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoomState {
    /// Of what is watched.
    pub(super) standing: StandingView,
    /// In the rooms of sittings.
    #[serde(flatten)]
    pub(super) sitting: Option<WatchedSittingView>,
    /// Those that ended in the last half hour, the last first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) outages: Vec<OutageView>,
}

impl RoomState {
    /// Changes it. Returns whether it is another one afterwards.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Self)) -> bool {
        let before = self.clone();
        change(self);
        *self != before
    }
}

/// A time in which no server could save.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Outage)]
pub struct OutageView {
    #[schema(value_type = String, format = DateTime)]
    from: Moment,
    #[schema(value_type = String, format = DateTime)]
    to: Moment,
    milliseconds: i64,
}

impl From<Outage> for OutageView {
    fn from(outage: Outage) -> Self {
        Self { from: outage.from, to: outage.until, milliseconds: outage.milliseconds() }
    }
}
