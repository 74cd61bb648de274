//! Numbers with at most two decimals, as whole hundredths: those of a scale, which are compared and added exactly.

use serde::{Serialize, Serializer};
use serde_json::{Number, Value};

/// The decimals that there may be.
const DECIMALS: usize = 2;
/// The most digits before them: none of the numbers of a scale has more.
const WHOLE_DIGITS: usize = 6;

/// A number with at most two decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hundredths(i64);

impl Hundredths {
    /// A whole number.
    #[must_use]
    pub fn whole(number: u32) -> Self {
        Self(i64::from(number) * 100)
    }

    /// So many hundredths. What no scale reaches is cut off.
    #[must_use]
    pub(super) fn of_count(count: i128) -> Self {
        Self(i64::try_from(count).unwrap_or(if count < 0 { i64::MIN } else { i64::MAX }))
    }

    /// As hundredths.
    #[must_use]
    pub fn count(self) -> i128 {
        i128::from(self.0)
    }

    /// Reads a JSON number, by its digits; `None` if it has more than two decimals or is far too large.
    #[must_use]
    pub fn read(value: &Value) -> Option<Self> {
        Self::parse(&value.as_number().map(Number::to_string)?)
    }

    /// Reads digits with a point before their decimals, if there are any; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (is_negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
        let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
        let decimals = decimals.trim_end_matches('0');
        let is_number = |text: &str| text.bytes().all(|digit| digit.is_ascii_digit());
        let is_sound = !whole.is_empty() && whole.len() <= WHOLE_DIGITS && decimals.len() <= DECIMALS;
        if !is_sound || !is_number(whole) || !is_number(decimals) {
            return None;
        }
        let count: i64 = format!("{whole}{decimals:0<2}").parse().ok()?;
        Some(Self(if is_negative { -count } else { count }))
    }

    /// The fewest decimals that say it: 0 to 2.
    #[must_use]
    pub const fn decimals(self) -> usize {
        match (self.0 % 10, self.0 % 100) {
            (0, 0) => 0,
            (0, _) => 1,
            _ => 2,
        }
    }

    /// The number with so many decimals behind a point, which are as many as it needs at least.
    #[must_use]
    pub fn text(self, decimals: usize) -> String {
        let (count, sign) = (self.0.unsigned_abs(), if self.0 < 0 { "-" } else { "" });
        match decimals.max(self.decimals()) {
            0 => format!("{sign}{}", count / 100),
            1 => format!("{sign}{}.{}", count / 100, count % 100 / 10),
            _ => format!("{sign}{}.{:02}", count / 100, count % 100),
        }
    }
}

impl Serialize for Hundredths {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 % 100 == 0 {
            return serializer.serialize_i64(self.0 / 100);
        }
        // The shortest decimals of the nearest binary number are the same two.
        serializer.serialize_f64(self.0 as f64 / 100.0)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_read_by_their_digits_and_written_as_they_were() {
        for (read, text) in [
            (json!(10), "10"),
            (json!(10.0), "10"),
            (json!(0.5), "0.5"),
            (json!(-0.25), "-0.25"),
            (json!(0.29), "0.29"),
            (json!(-1000), "-1000"),
            (json!(999.99), "999.99"),
        ] {
            let number = Hundredths::read(&read).unwrap();
            assert_eq!(number.text(0), text);
            assert_eq!(serde_json::to_string(&number).unwrap(), text);
        }
        assert_eq!(Hundredths::read(&json!(-0.0)), Hundredths::read(&json!(0)));
        for wrong in [json!(0.001), json!(1e-7), json!(1e21), json!(10_000_000), json!("5"), json!(null), json!([5])] {
            assert_eq!(Hundredths::read(&wrong), None, "{wrong}");
        }
        for wrong in ["", "-", ".5", "+5", "5,5", "1e2", "٣", "5.٣"] {
            assert_eq!(Hundredths::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_number_has_the_decimals_of_its_step() {
        let text = |number: &str, step: &str| {
            Hundredths::parse(number).unwrap().text(Hundredths::parse(step).unwrap().decimals())
        };
        assert_eq!((text("8", "0.5"), text("8", "1")), ("8.0".to_owned(), "8".to_owned()));
        assert_eq!((text("7.5", "0.25"), text("-0.5", "0.1")), ("7.50".to_owned(), "-0.5".to_owned()));
    }
}
