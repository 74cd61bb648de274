//! A school grade from 1 to 10, checked once where it enters the program.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A number from 1 to 10.
// No other value can be constructed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[schema(value_type = u8, minimum = 1, maximum = 10, examples(5))]
#[serde(try_from = "i64", into = "i64")]
pub struct Grade(u8);

impl Grade {
    /// How many grades there are.
    pub const COUNT: usize = 10;
    /// The lowest.
    pub const FIRST: Self = Self(1);

    /// The grade with that number; `None` outside 1 to 10.
    #[must_use]
    pub fn new(number: i64) -> Option<Self> {
        u8::try_from(number).ok().filter(|number| (1..=10).contains(number)).map(Self)
    }

    /// Parses a query or path value; `None` unless it is a whole number from 1 to 10 in digits, as this server writes
    /// it: with another spelling, such as `05`, one grade would have several addresses.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = !text.is_empty() && !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| text.parse().ok()).flatten().and_then(Self::new)
    }

    /// All ten grades in ascending order.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=10).map(Self)
    }

    /// The grade as a number from 1 to 10.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }
}

impl TryFrom<i64> for Grade {
    type Error = &'static str;

    fn try_from(number: i64) -> Result<Self, Self::Error> {
        Self::new(number).ok_or("a grade is 1 to 10")
    }
}

impl From<Grade> for i64 {
    fn from(grade: Grade) -> Self {
        Self::from(grade.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_to_ten_exist() {
        assert_eq!(Grade::all().count(), Grade::COUNT);
        for text in ["0", "05", "010", "11", "", "+5", " 5", "5.0", "five", "99999999999999999999"] {
            assert_eq!(Grade::parse(text), None, "{text:?}");
        }
        assert_eq!(Grade::parse("10").map(Grade::number), Some(10));
    }
}
