//! Who someone is to the service: the four roles (`assessment.md` 5).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a signed-in person may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Sits tests.
    Student,
    /// Reviews questions of the grades assigned.
    Reviewer,
    /// Signs off grades assigned.
    Manager,
    /// Everything.
    Admin,
}

impl Role {
    /// All four, the least first.
    pub const ALL: [Self; 4] = [Self::Student, Self::Reviewer, Self::Manager, Self::Admin];

    /// `student`, `reviewer`, `manager` or `admin`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Student => "student",
            Self::Reviewer => "reviewer",
            Self::Manager => "manager",
            Self::Admin => "admin",
        }
    }

    /// The role of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

/// An e-mail address in the one form in which it is stored and compared: trimmed and in lower case.
/// `None` when it can't be one: no `@` within, white space or control characters, over 254 bytes.
#[must_use]
pub fn normal_email(text: &str) -> Option<String> {
    let email = text.trim().to_lowercase();
    let (name, domain) = email.rsplit_once('@')?;
    let sound = !name.is_empty() && !domain.is_empty() && email.len() <= 254;
    (sound && !email.chars().any(|character| character.is_whitespace() || character.is_control())).then_some(email)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_one_form() {
        assert_eq!(normal_email(" Ada@Example.ORG "), Some("ada@example.org".to_owned()));
        for text in ["", "ada", "@example.org", "ada@", "a b@example.org", "a\0@example.org"] {
            assert_eq!(normal_email(text), None, "{text:?}");
        }
    }

    #[test]
    fn roles_have_names() {
        for role in Role::ALL {
            assert_eq!(Role::parse(role.name()), Some(role));
        }
        assert_eq!(Role::parse("Admin"), None);
    }
}
