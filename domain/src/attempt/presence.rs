//! The student's presence. It is separate from the answers, since it changes nothing about the test.

use super::Troubles;
use crate::time::moment::Moment;

/// What a proctor sees of the student apart from the answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Presence {
    /// Whether the page has lost the focus.
    pub away: bool,
    /// How often the page has lost the focus.
    pub away_count: u32,
    /// When the server last heard from the student.
    pub last_seen_at: Moment,
    /// Whether the student of a sitting has the sealed paper at hand.
    pub is_ready: bool,
    /// What the page reports about the computer.
    pub troubles: Troubles,
    /// Changes that the server has said it cannot store at the moment.
    pub refused: u32,
    /// When another device took the test over last.
    pub taken_over_at: Option<Moment>,
}

impl Presence {
    /// A student who has been there since that moment.
    #[must_use]
    pub const fn since(moment: Moment) -> Self {
        Self {
            away: false,
            away_count: 0,
            last_seen_at: moment,
            is_ready: false,
            troubles: Troubles::NONE,
            refused: 0,
            taken_over_at: None,
        }
    }

    /// Records that the server has heard from the student.
    pub fn see(&mut self, now: Moment) {
        self.last_seen_at = self.last_seen_at.max(now);
    }

    /// Records that the page has lost or regained the focus. A repeated loss counts once.
    pub fn turn(&mut self, away: bool) {
        self.away_count = self.away_count.saturating_add(u32::from(away && !self.away));
        self.away = away;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_loss_of_the_focus_counts_once() {
        let mut presence = Presence::since(Moment::from_milliseconds(5));
        [true, true, false, true].into_iter().for_each(|away| presence.turn(away));
        presence.see(Moment::from_milliseconds(9));
        presence.see(Moment::from_milliseconds(3));
        let expected = Presence { away: true, away_count: 2, ..Presence::since(Moment::from_milliseconds(9)) };
        assert_eq!(presence, expected);
    }
}
