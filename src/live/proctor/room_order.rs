//! Orders for whoever is in a room: its sessions, or the sitting.

use domain::access::Identity;
use domain::order::{Order, OrderTarget};
use domain::sitting::order::SittingOrder;

use super::rights::Oversight;
use crate::live::store::CommandContent;

/// An order for a room.
#[derive(Debug)]
pub(in crate::live) enum RoomOrder {
    Sessions(Order),
    Sitting(SittingOrder),
}

impl RoomOrder {
    /// What is to be carried out, by someone with that oversight.
    pub(in crate::live) fn content(
        self,
        target: OrderTarget,
        identity: &Identity,
        oversight: Oversight,
    ) -> CommandContent {
        match self {
            Self::Sessions(order) => {
                // Whether they may act on one session is asked of that session.
                let grade = oversight.limit(identity).filter(|_| target == OrderTarget::All);
                CommandContent::Sessions { target, grade, order }
            }
            Self::Sitting(order) => {
                CommandContent::Sitting { is_chief: oversight == Oversight::Sitting { is_chief: true }, order }
            }
        }
    }
}
