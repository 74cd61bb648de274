//! Who someone is to the service: the four roles, and the grades that reviewers and managers are assigned to
//! (`assessment.md` 5).

use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

use super::grade::Grade;
use super::time::moment::Moment;

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

/// A person, as an identity provider knows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// In lower case; verified by the provider.
    pub email: String,
    /// As shown; may be empty.
    pub name: String,
    /// Link or empty.
    pub image: String,
}

/// Someone who has signed in, or was made by an operator (`assessment.md` 2.7).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// In lower case.
    pub email: String,
    /// As shown.
    #[serde(default)]
    pub name: String,
    /// Link or empty.
    #[serde(default)]
    pub image: String,
    /// What they may do.
    pub role: Role,
    /// When they were first known; ISO 8601.
    #[schema(value_type = String)]
    pub created_at: Moment,
    /// When they last signed in; null when they never have.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub last_login: Option<Moment>,
}

/// Someone who is signed in, or for whom a token acts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// In lower case.
    pub email: String,
    /// As shown.
    pub name: String,
    /// Link or empty.
    pub image: String,
    /// What they may do here and now.
    pub role: Role,
    /// Grades that they are assigned to as a reviewer.
    pub reviewer_of: Grades,
    /// Grades that they are assigned to as a manager.
    pub manager_of: Grades,
}

impl Identity {
    /// Grades whose questions they may see with their keys, review and edit, and whose exams they may watch.
    #[must_use]
    pub const fn reviews(&self) -> Grades {
        match self.role {
            Role::Student => Grades::NONE,
            Role::Reviewer => self.reviewer_of,
            Role::Manager => self.reviewer_of.with(self.manager_of),
            Role::Admin => Grades::ALL,
        }
    }

    /// Grades that they may sign off.
    #[must_use]
    pub const fn signs_off(&self) -> Grades {
        match self.role {
            Role::Student | Role::Reviewer => Grades::NONE,
            Role::Manager => self.manager_of,
            Role::Admin => Grades::ALL,
        }
    }
}

/// A set of grades; in JSON an array of numbers in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Grades(u16);

impl Grades {
    /// None.
    pub const NONE: Self = Self(0);
    /// All ten.
    pub const ALL: Self = Self(0b11_1111_1111);

    /// Whether the grade is among them.
    #[must_use]
    pub const fn has(self, grade: Grade) -> bool {
        self.0 >> (grade.number() - 1) & 1 == 1
    }

    /// These and those.
    #[must_use]
    pub const fn with(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Each, in order.
    pub fn iter(self) -> impl Iterator<Item = Grade> {
        Grade::all().filter(move |grade| self.has(*grade))
    }
}

impl FromIterator<Grade> for Grades {
    fn from_iter<I: IntoIterator<Item = Grade>>(grades: I) -> Self {
        Self(grades.into_iter().fold(0, |set, grade| set | 1 << (grade.number() - 1)))
    }
}

impl Serialize for Grades {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Grades {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::<Grade>::deserialize(deserializer).map(Self::from_iter)
    }
}

/// Which of the two kinds of assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duty {
    /// Reviews questions.
    Reviewer,
    /// Signs off grades.
    Manager,
}

impl Duty {
    /// `reviewer` or `manager`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reviewer => "reviewer",
            Self::Manager => "manager",
        }
    }
}

/// An e-mail address in the one form in which it is stored and compared: trimmed and in lower case.
/// `None` when it can't be one: no `@` within, white space or control characters, over 254 bytes, or a letter that is
/// not ASCII but becomes so in lower case, by which two addresses would be one.
#[must_use]
pub fn normal_email(text: &str) -> Option<String> {
    let folds = |character: char| !character.is_ascii() && character.to_lowercase().any(|lower| lower.is_ascii());
    let email = Some(text.trim()).filter(|text| !text.chars().any(folds))?.to_lowercase();
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
        for text in ["", "ada", "@example.org", "ada@", "a b@example.org", "a\0@example.org", "\u{212A}ate@example.org"]
        {
            assert_eq!(normal_email(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_set_of_grades_is_an_array_in_order() {
        let grades: Grades = [7, 1, 10, 7].into_iter().filter_map(Grade::new).collect();
        assert_eq!(serde_json::to_string(&grades).unwrap(), "[1,7,10]");
        assert_eq!(serde_json::from_str::<Grades>("[10,1,7]").unwrap(), grades);
        assert!(serde_json::from_str::<Grades>("[0]").is_err() && serde_json::from_str::<Grades>("[11]").is_err());
        assert_eq!(Grades::ALL.iter().count(), 10);
        assert!(Grades::NONE.is_empty());
    }

    #[test]
    fn a_role_decides_which_assignments_count() {
        let grade = |number| Grade::new(number).unwrap();
        let of = |role| Identity {
            email: "a@exam.test".into(),
            name: "A".into(),
            image: String::new(),
            role,
            reviewer_of: [grade(1)].into_iter().collect(),
            manager_of: [grade(2)].into_iter().collect(),
        };
        let can = |role| {
            (
                of(role).reviews().iter().map(Grade::number).collect::<Vec<_>>(),
                of(role).signs_off().iter().map(Grade::number).collect::<Vec<_>>(),
            )
        };
        assert_eq!(can(Role::Student), (vec![], vec![]));
        assert_eq!(can(Role::Reviewer), (vec![1], vec![]));
        assert_eq!(can(Role::Manager), (vec![1, 2], vec![2]));
        assert_eq!(of(Role::Admin).reviews(), Grades::ALL);
    }

    #[test]
    fn roles_have_names() {
        for role in Role::ALL {
            assert_eq!(Role::parse(role.name()), Some(role));
        }
        assert_eq!(Role::parse("Admin"), None);
    }
}
