//! The parts of a sitting's paper, which are sealed one by one.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::band::Band;

/// A part of a paper. In JSON and in addresses `1`, or the label of a band, such as `80-90`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PaperPart {
    /// What everybody begins with: the whole standard test, or stage 1 of an adaptive one.
    First,
    /// Stage 2 of those who have reached this band.
    Second(Band),
}

/// The name of the first part.
const FIRST: &str = "1";

impl PaperPart {
    /// The name in JSON and in addresses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::First => FIRST,
            Self::Second(band) => band.label(),
        }
    }

    /// Parses a part's name; `None` for any other text.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        if name == FIRST { Some(Self::First) } else { Band::parse(name).map(Self::Second) }
    }
}

impl fmt::Display for PaperPart {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl Serialize for PaperPart {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for PaperPart {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::parse(&name).ok_or_else(|| serde::de::Error::custom("no part of a paper"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_a_name_of_its_own() {
        let parts = [PaperPart::First].into_iter().chain(Band::ALL.map(PaperPart::Second));
        for part in parts {
            assert_eq!(PaperPart::parse(part.name()), Some(part));
        }
        assert_eq!(PaperPart::parse("2"), None);
    }
}
