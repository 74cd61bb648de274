//! The two codes of a sitting: the one by which a page finds it, and the one by which a candidate without an account is
//! known. Both are made of the letters of `domain/src/move_code.rs`, of which no two look alike.

use std::fmt;

use crate::move_code::{drawn, grouped, typed};

/// Characters of a sitting's code: fourteen million codes, of which a school uses a few hundred. It is an address and
/// no secret.
const SITTING_CHARACTERS: usize = 5;
/// Characters of an access code: two hundred million million codes, each of which counts only together with its
/// sitting.
const ACCESS_CHARACTERS: usize = 10;
/// Characters of access codes that were printed before codes had ten. They still count.
const EARLIER_ACCESS_CHARACTERS: usize = 8;

/// Finds a sitting, or a hall within it; such as `K7PQ2`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SittingCode(String);

impl SittingCode {
    /// Makes a code of random bytes; `None` if too few of them can be used.
    #[must_use]
    pub fn of_random(bytes: &[u8]) -> Option<Self> {
        drawn(bytes, SITTING_CHARACTERS).map(Self)
    }

    /// Parses what someone has typed, in any case and with letters that look like the ones meant.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        typed(text, SITTING_CHARACTERS).map(Self)
    }

    /// The five characters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Lets one candidate in; such as `9F3KT-T2M7X`.
#[derive(Clone, PartialEq, Eq)]
pub struct AccessCode(String);

impl AccessCode {
    /// Makes a code of random bytes; `None` if too few of them can be used.
    #[must_use]
    pub fn of_random(bytes: &[u8]) -> Option<Self> {
        drawn(bytes, ACCESS_CHARACTERS).map(Self)
    }

    /// Parses what someone has typed, with or without the hyphen.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        typed(text, ACCESS_CHARACTERS).or_else(|| typed(text, EARLIER_ACCESS_CHARACTERS)).map(Self)
    }

    /// The characters without the hyphen.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Those before the hyphen. They let nobody in, but tell whose code someone has nearly found.
    #[must_use]
    pub fn first_half(&self) -> &str {
        self.0.get(..self.0.len() / 2).unwrap_or_default()
    }
}

/// Says nothing of the code.
impl fmt::Debug for AccessCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("AccessCode")
    }
}

impl fmt::Display for AccessCode {
    /// With a hyphen in the middle.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&grouped(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_as_they_were_shown_or_nearly_so() {
        let code = SittingCode::parse(" k7pq2 ").unwrap();
        assert_eq!((code.as_str(), SittingCode::parse("K7PQZ")), ("K7PQ2", Some(code.clone())));
        for typed in ["", "K7PQ", "K7PQ22", "K7PQ0", "K7PQé"] {
            assert_eq!(SittingCode::parse(typed), None, "{typed:?}");
        }
        let access = AccessCode::parse("9f3kt t2m7x").unwrap();
        assert_eq!((access.as_str(), access.to_string().as_str()), ("9F3KTT2M7X", "9F3KT-T2M7X"));
        assert_eq!(access.first_half(), "9F3KT");
        let earlier = AccessCode::parse("9f3k-tt2m").unwrap();
        assert_eq!((earlier.to_string().as_str(), earlier.first_half()), ("9F3K-TT2M", "9F3K"));
        for typed in ["K7PQ2", "9F3KT-T2M7", "9F3KT-T2M7X2"] {
            assert!(AccessCode::parse(typed).is_none(), "{typed}");
        }
    }

    #[test]
    fn codes_are_made_of_random_bytes() {
        assert_eq!(SittingCode::of_random(&[5; 5]).unwrap().as_str(), "77777");
        assert!(SittingCode::of_random(&[5; 4]).is_none() && AccessCode::of_random(&[255; 64]).is_none());
        assert_eq!(AccessCode::of_random(&[0; 10]).unwrap().to_string(), "22222-22222");
    }
}
