//! Orders of proctors, parsed once where they arrive, so that later code need not check them again.

pub mod standing;

use uuid::Uuid;

/// The minutes of one extension; a proctor may extend again.
pub const MINUTES: std::ops::RangeInclusive<u32> = 1..=120;
/// The characters of one notice.
pub const NOTICE_CHARACTERS: std::ops::RangeInclusive<usize> = 1..=500;

/// What a proctor orders for a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Adds time.
    Extend {
        /// Whole minutes, 1 to 120.
        minutes: u32,
    },
    /// Stops the clock; until it continues, no command is accepted.
    Pause,
    /// Continues the clock; the deadline moves by the length of the pause.
    Unpause,
    /// Submits the test now.
    Finish,
    /// Sends a message to the student.
    Notice {
        /// 1 to 500 characters.
        text: Box<str>,
    },
}

impl Order {
    /// An extension by this many minutes; `None` unless 1 to 120.
    #[must_use]
    pub fn extend(minutes: i64) -> Option<Self> {
        u32::try_from(minutes).ok().filter(|minutes| MINUTES.contains(minutes)).map(|minutes| Self::Extend { minutes })
    }

    /// A notice with this text. `None` unless it has 1 to 500 characters, is not blank, and has no control characters
    /// except newlines.
    #[must_use]
    pub fn notice(text: &str) -> Option<Self> {
        let is_readable =
            !text.trim().is_empty() && text.chars().all(|character| character == '\n' || !character.is_control());
        (is_readable && NOTICE_CHARACTERS.contains(&text.chars().count())).then(|| Self::Notice { text: text.into() })
    }

    /// The `type` of the proctor's message.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Extend { .. } => "extend",
            Self::Pause => "pause",
            Self::Unpause => "unpause",
            Self::Finish => "finish",
            Self::Notice { .. } => "notice",
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
    fn an_extension_has_one_to_a_hundred_and_twenty_minutes() {
        assert_eq!(Order::extend(1), Some(Order::Extend { minutes: 1 }));
        assert_eq!(Order::extend(120), Some(Order::Extend { minutes: 120 }));
        for minutes in [i64::MIN, -1, 0, 121, i64::MAX] {
            assert_eq!(Order::extend(minutes), None, "{minutes}");
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
