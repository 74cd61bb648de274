//! What a proctor may order: parsed once at the edge, so that nothing behind it has to check again.

pub mod standing;

use uuid::Uuid;

/// Minutes of one extension (`live.md` 2).
pub const MINUTES: std::ops::RangeInclusive<u32> = 1..=120;
/// Characters of a notice.
pub const NOTICE_CHARACTERS: std::ops::RangeInclusive<usize> = 1..=500;

/// What is to be done with a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// More time.
    Extend {
        /// 1 to 120.
        minutes: u32,
    },
    /// The clock stands, and nothing is taken.
    Pause,
    /// The clock goes on; the pause is given back.
    Unpause,
    /// The test is submitted now.
    Finish,
    /// A message to the student.
    Notice {
        /// 1 to 500 characters.
        text: Box<str>,
    },
}

impl Order {
    /// So many minutes more; `None` unless 1 to 120.
    #[must_use]
    pub fn extend(minutes: i64) -> Option<Self> {
        u32::try_from(minutes).ok().filter(|minutes| MINUTES.contains(minutes)).map(|minutes| Self::Extend { minutes })
    }

    /// This message; `None` unless it has 1 to 500 characters, none of them a control character but the newline, and
    /// something to read.
    #[must_use]
    pub fn notice(text: &str) -> Option<Self> {
        let is_readable =
            !text.trim().is_empty() && text.chars().all(|character| character == '\n' || !character.is_control());
        (is_readable && NOTICE_CHARACTERS.contains(&text.chars().count())).then(|| Self::Notice { text: text.into() })
    }

    /// As in the `type` of a proctor's frame.
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

/// Which sessions an order is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderTarget {
    /// Every session of the room that lasts.
    All,
    /// This one.
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
