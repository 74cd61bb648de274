//! The calculator that students may use in a test. The pages bring it; the server only says which one.

use serde::Serialize;
use utoipa::ToSchema;

/// Which calculator a test allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Calculator {
    /// None at all.
    #[default]
    None,
    /// The four operations, square roots, and per cents: added to a sum, they are a part of it, so that `200 + 10 %` is
    /// 220. In the pages, `web/src/calculator/entry.ts` has the rule.
    Basic,
    /// Powers, brackets and functions too.
    Scientific,
}

impl Calculator {
    const ALL: [Self; 3] = [Self::None, Self::Basic, Self::Scientific];

    /// `none`, `basic` or `scientific`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Basic => "basic",
            Self::Scientific => "scientific",
        }
    }

    /// Parses a calculator's name; `None` for any other text.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|calculator| calculator.name() == name)
    }

    /// The name, for tests that allow one.
    #[must_use]
    pub fn allowed(self) -> Option<&'static str> {
        (self != Self::None).then(|| self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_a_name_and_nothing_else_is_one() {
        for calculator in Calculator::ALL {
            assert_eq!(Calculator::parse(calculator.name()), Some(calculator));
            assert_eq!(serde_json::to_value(calculator).unwrap(), calculator.name());
        }
        for name in ["", "None", "graphing", "basic "] {
            assert_eq!(Calculator::parse(name), None, "{name}");
        }
        assert_eq!((Calculator::default().allowed(), Calculator::Basic.allowed()), (None, Some("basic")));
    }
}
