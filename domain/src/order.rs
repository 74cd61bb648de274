//! Orders of proctors, parsed once where they arrive, so that later code need not check them again.

pub mod hall;
pub mod reopening;
pub mod standing;

use uuid::Uuid;

/// Minutes that one order gives or takes. A proctor may give more by a second order.
pub const MINUTES_MAX: u32 = 120;
/// Milliseconds that an order which takes minutes leaves to everyone.
pub const LEFT_MILLISECONDS: i64 = 60_000;
/// How long a proctor can undo an order.
pub const UNDO_MILLISECONDS: i64 = 10 * 60_000;
/// The characters of the word with which a pause is shown to students.
pub const PAUSE_TEXT_CHARACTERS_MAX: usize = 200;
/// The characters of one notice.
pub const NOTICE_CHARACTERS: std::ops::RangeInclusive<usize> = 1..=500;

/// What a proctor orders for a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Adds time, or takes some.
    Extend {
        /// Whole minutes, -120 to 120, and not 0.
        minutes: i32,
    },
    /// Stops the clock; until it continues, no command is accepted.
    Pause {
        /// What students are shown, such as "Fire alarm": 1 to 200 characters.
        text: Option<Box<str>>,
    },
    /// Continues the clock; the deadline moves by the length of the pause.
    Unpause,
    /// Submits the test now.
    Finish,
    /// Sends a message to the student.
    Notice {
        /// 1 to 500 characters.
        text: Box<str>,
    },
    /// Takes the proctor's last order for the same target back.
    Undo,
    /// Ends the tokens of all devices of one student but the one at work, and the codes for further ones.
    OnlyThisDevice,
    /// Lets a test that has ended go on.
    Reopen {
        /// Whole minutes beside what was left when it ended, 1 to 120.
        minutes: Option<u32>,
        /// Whether also a student who has been shown the key may go on.
        force: bool,
    },
}

impl Order {
    /// An extension by this many minutes; `None` unless -120 to 120, and for 0.
    #[must_use]
    pub fn extend(minutes: i64) -> Option<Self> {
        let minutes = i32::try_from(minutes).ok()?;
        ((1..=MINUTES_MAX).contains(&minutes.unsigned_abs())).then_some(Self::Extend { minutes })
    }

    /// A pause that students are shown with this word. `None` unless it has 1 to 200 characters in one line.
    #[must_use]
    pub fn pause(text: Option<&str>) -> Option<Self> {
        let Some(text) = text else { return Some(Self::Pause { text: None }) };
        let text = crate::text::name(text).filter(|text| text.chars().count() <= PAUSE_TEXT_CHARACTERS_MAX)?;
        Some(Self::Pause { text: Some(text.into()) })
    }

    /// A reopening with this many more minutes. `None` unless they are 1 to 120.
    #[must_use]
    pub fn reopen(minutes: Option<i64>, force: bool) -> Option<Self> {
        let Some(minutes) = minutes else { return Some(Self::Reopen { minutes: None, force }) };
        let minutes = u32::try_from(minutes).ok().filter(|minutes| (1..=MINUTES_MAX).contains(minutes))?;
        Some(Self::Reopen { minutes: Some(minutes), force })
    }

    /// The order that takes this one back; `None` where nothing can. Of an end it is for one student.
    #[must_use]
    pub fn reversal(&self, text: Option<&str>) -> Option<Self> {
        match self {
            Self::Extend { minutes } => Some(Self::Extend { minutes: -minutes }),
            Self::Pause { .. } => Some(Self::Unpause),
            Self::Unpause => Some(Self::Pause { text: text.map(Into::into) }),
            Self::Finish => Some(Self::Reopen { minutes: None, force: false }),
            Self::Notice { .. } | Self::Undo | Self::OnlyThisDevice | Self::Reopen { .. } => None,
        }
    }

    /// A notice with this text. `None` unless it has 1 to 500 characters, is not blank, and has no control characters
    /// except newlines.
    #[must_use]
    pub fn notice(text: &str) -> Option<Self> {
        let is_readable =
            !text.trim().is_empty() && text.chars().all(|character| character == '\n' || !character.is_control());
        (is_readable && NOTICE_CHARACTERS.contains(&text.chars().count())).then(|| Self::Notice { text: text.into() })
    }

    /// Whether it, given to everyone in a room, changes how the room stands.
    #[must_use]
    pub const fn is_standing(&self) -> bool {
        matches!(self, Self::Extend { .. } | Self::Pause { .. } | Self::Unpause | Self::Undo)
    }

    /// Whether it can be given to everyone in a room.
    #[must_use]
    pub const fn is_for_all(&self) -> bool {
        !matches!(self, Self::OnlyThisDevice | Self::Reopen { .. })
    }

    /// The `type` of the proctor's message.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Extend { .. } => "extend",
            Self::Pause { .. } => "pause",
            Self::Unpause => "unpause",
            Self::Finish => "finish",
            Self::Notice { .. } => "notice",
            Self::Undo => "undo",
            Self::OnlyThisDevice => "only_this_device",
            Self::Reopen { .. } => "reopen",
        }
    }
}

/// The sessions that an order applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderTarget {
    /// Every session of the room that is not submitted.
    All,
    /// The session with this id.
    One(Uuid),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extension_has_a_hundred_and_twenty_minutes_at_most() {
        for minutes in [-120, -1, 1, 120] {
            assert_eq!(Order::extend(minutes.into()), Some(Order::Extend { minutes }));
        }
        for minutes in [i64::MIN, i64::from(i32::MIN), -121, 0, 121, i64::MAX] {
            assert_eq!(Order::extend(minutes), None, "{minutes}");
        }
    }

    #[test]
    fn a_reopening_gives_a_hundred_and_twenty_minutes_at_most() {
        assert_eq!(Order::reopen(None, true), Some(Order::Reopen { minutes: None, force: true }));
        for minutes in [1, 120] {
            assert_eq!(
                Order::reopen(Some(minutes.into()), false),
                Some(Order::Reopen { minutes: Some(minutes), force: false })
            );
        }
        for minutes in [i64::MIN, -1, 0, 121, i64::MAX] {
            assert_eq!(Order::reopen(Some(minutes), false), None, "{minutes}");
        }
    }

    #[test]
    fn the_word_of_a_pause_is_one_line() {
        assert_eq!(Order::pause(None), Some(Order::Pause { text: None }));
        assert_eq!(Order::pause(Some("Fire alarm")), Some(Order::Pause { text: Some("Fire alarm".into()) }));
        for text in ["", " ", "a\nb", "a\0", &"é".repeat(PAUSE_TEXT_CHARACTERS_MAX + 1)] {
            assert_eq!(Order::pause(Some(text)), None, "{text:?}");
        }
    }

    #[test]
    fn a_notice_has_something_to_read_and_no_control_characters() {
        for text in ["Five minutes left", "½ 🦀\nand a second line", &"é".repeat(500)] {
            assert_eq!(Order::notice(text), Some(Order::Notice { text: text.into() }), "{text}");
        }
        for text in ["", " ", "\n", "a\0b", "a\tb", "a\rb", "\u{85}", "\u{7f}", &"é".repeat(501)] {
            assert_eq!(Order::notice(text), None, "{text:?}");
        }
    }
}
