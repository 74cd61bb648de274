//! Troubles of a student's computer that the page reports and a proctor can do something about.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

/// One thing that is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Trouble {
    /// The browser cannot store answers, so they would not outlive the page.
    Storage,
    /// The computer's clock is wrong by minutes.
    Clock,
    /// The sealed paper cannot be fetched, or is not the right one.
    Paper,
    /// The server has refused to save, and still does as far as the page knows.
    Saving,
}

impl Trouble {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 4] = [Self::Storage, Self::Clock, Self::Paper, Self::Saving];

    /// `storage`, `clock`, `paper` or `saving`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Storage => "storage",
            Self::Clock => "clock",
            Self::Paper => "paper",
            Self::Saving => "saving",
        }
    }
}

/// Everything that is wrong at the moment; in JSON an array. Names that are not known are left out when it is read,
/// since a newer page may know more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Troubles(u8);

impl Troubles {
    /// Nothing is wrong.
    pub const NONE: Self = Self(0);

    /// Those of these names.
    pub fn of_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let bit = |name| Trouble::ALL.into_iter().find(|trouble| trouble.name() == name).map_or(0, Self::bit);
        Self(names.into_iter().fold(0, |all, name| all | bit(name)))
    }

    /// In their order.
    pub fn iter(self) -> impl Iterator<Item = Trouble> {
        Trouble::ALL.into_iter().filter(move |trouble| self.0 & Self::bit(*trouble) != 0)
    }

    /// The names with blanks between them, for the record.
    #[must_use]
    pub fn text(self) -> String {
        self.iter().map(Trouble::name).collect::<Vec<_>>().join(" ")
    }

    const fn bit(trouble: Trouble) -> u8 {
        1 << trouble as u8
    }
}

impl Serialize for Troubles {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Troubles {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let names = Vec::<String>::deserialize(deserializer)?;
        Ok(Self::of_names(names.iter().map(String::as_str)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_left_out() {
        let read: Troubles = serde_json::from_str(r#"["clock","heat","storage","clock"]"#).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), r#"["storage","clock"]"#);
        assert_eq!((read.text().as_str(), Troubles::of_names(read.text().split(' '))), ("storage clock", read));
        assert_eq!(Troubles::of_names("".split(' ')), Troubles::NONE);
        assert!(serde_json::from_str::<Troubles>(r#"["clock",1]"#).is_err());
    }
}
