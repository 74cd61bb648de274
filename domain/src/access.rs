//! Who a caller is and what they may do: the four roles, and the grades assigned to reviewers and managers.

use serde::{Deserialize, Serialize, Serializer};
use unicode_normalization::is_nfc;
use unicode_security::MixedScript;
use unicode_security::confusable_detection::skeleton;
use utoipa::ToSchema;
use uuid::Uuid;

use super::grade::Grade;
use super::lti::link::DeploymentKey;
use super::picture::{is_data, is_picture_address};
use super::text::is_invisible;
use super::text::same::seen;
use super::time::moment::Moment;

/// Bytes of a picture that is an address with the picture in it: a small portrait.
const PICTURE_BYTES_MAX: usize = 32 * 1_024;
/// Bytes of any other address of a picture, as of links.
const PICTURE_ADDRESS_BYTES_MAX: usize = 2_048;

/// What a signed-in person may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Takes tests.
    Student,
    /// Reviews the questions of their assigned grades.
    Reviewer,
    /// Approves their assigned grades, and may do all that a reviewer may.
    Manager,
    /// May do everything.
    Admin,
}

impl Role {
    /// All four, from the fewest rights to the most.
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

    /// Parses a role's name; `None` for any other text.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

/// A person as an identity provider describes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// The e-mail address, in lower case; the provider has verified it.
    pub email: String,
    /// The name as shown; may be empty.
    pub name: String,
    /// A link to a picture, or empty.
    pub image: String,
}

/// A person who has signed in, or whom an operator has added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// The e-mail address, in lower case.
    pub email: String,
    /// The name as shown.
    #[serde(default)]
    #[schema(required = true)]
    pub name: String,
    /// A link to a picture, or empty.
    #[serde(default)]
    #[schema(required = true)]
    pub image: String,
    /// What they may do.
    pub role: Role,
    /// When the user was first stored; ISO 8601.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Moment,
    /// When they last signed in; null when they never have.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = DateTime, required = true)]
    pub last_login: Option<Moment>,
}

/// The caller of a request: a user who is signed in, or whom an API token acts for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The e-mail address, in lower case.
    pub email: String,
    /// The name as shown.
    pub name: String,
    /// A link to a picture, or empty.
    pub image: String,
    /// What they may do in this request: a token may have fewer rights than its user.
    pub role: Role,
    /// The grades assigned to them as a reviewer; they count only in the roles that [`Self::reviews`] names.
    pub reviewer_of: Grades,
    /// The grades assigned to them as a manager; they count only in the roles that [`Self::signs_off`] names.
    pub manager_of: Grades,
    /// From which deployment of a learning platform they have come; `None` of the school's own people.
    pub deployment: Option<DeploymentKey>,
}

impl Identity {
    /// Whether they see what belongs to courses of this deployment of a learning platform: its links and people, and
    /// their scores. The school's own people see those of all, as far as their grades go.
    #[must_use]
    pub fn sees_courses_of(&self, platform_id: Uuid, deployment_id: &str) -> bool {
        self.deployment.as_ref().is_none_or(|own| own.is(platform_id, deployment_id))
    }

    /// The grades whose questions they may see with the keys, review and edit, and whose exams they may watch.
    #[must_use]
    pub const fn reviews(&self) -> Grades {
        match self.role {
            Role::Student => Grades::NONE,
            Role::Reviewer => self.reviewer_of,
            Role::Manager => self.reviewer_of.with(self.manager_of),
            Role::Admin => Grades::ALL,
        }
    }

    /// The grades that they may approve or send back for revision.
    #[must_use]
    pub const fn signs_off(&self) -> Grades {
        match self.role {
            Role::Student | Role::Reviewer => Grades::NONE,
            Role::Manager => self.manager_of,
            Role::Admin => Grades::ALL,
        }
    }
}

/// A set of grades; in JSON an array of numbers in ascending order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Grades(u16);

impl Grades {
    /// The empty set.
    pub const NONE: Self = Self(0);
    /// All ten grades.
    pub const ALL: Self = Self(0b11_1111_1111);

    /// Whether the set contains the grade.
    #[must_use]
    pub const fn has(self, grade: Grade) -> bool {
        self.0 >> (grade.number() - 1) & 1 == 1
    }

    /// The union of both sets.
    #[must_use]
    pub const fn with(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// The set, unless it contains no grade.
    #[must_use]
    pub fn not_empty(self) -> Option<Self> {
        (!self.is_empty()).then_some(self)
    }

    /// Whether the set contains no grade.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The grades in ascending order.
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

/// The two kinds of assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duty {
    /// To review questions.
    Reviewer,
    /// To approve grades.
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
///
/// `None` for a text that can't be an address: one without a name, an `@` and a domain, with white space or control
/// characters inside, or longer than 254 bytes, the most that SMTP allows. `None` too when a letter that is not ASCII
/// becomes ASCII in lower case, as the Kelvin sign becomes `k`: two different addresses would otherwise be the same
/// user.
#[must_use]
pub fn normal_email(text: &str) -> Option<String> {
    let email = Some(text.trim()).filter(|text| !text.chars().any(folds))?.to_lowercase();
    let (name, domain) = email.rsplit_once('@')?;
    let sound = !name.is_empty() && !domain.is_empty() && email.len() <= 254;
    (sound && !email.chars().any(|character| character.is_whitespace() || character.is_control())).then_some(email)
}

/// The address that someone has typed or pasted into a list: one that looks like a [`normal_email`], whatever the width
/// of its letters and whatever nobody sees between them.
#[must_use]
pub fn typed_email(text: &str) -> Option<String> {
    if text.chars().any(folds) { None } else { normal_email(&seen(text)) }
}

/// Whether a letter becomes an ASCII one in lower case.
fn folds(letter: char) -> bool {
    !letter.is_ascii() && letter.to_lowercase().any(|lower| lower.is_ascii())
}

/// An address that may be stored for a new person: a [`normal_email`] without characters that nobody sees, in the one
/// form (NFC) in which keyboards write it. Otherwise two different addresses would look the same.
#[must_use]
pub fn new_email(text: &str) -> Option<String> {
    normal_email(text).filter(|email| !email.chars().any(is_invisible) && is_nfc(email))
}

/// An address that may be given a role, an assignment or a token: a [`new_email`] that nobody takes for another one.
/// `None` for an address that only looks like one of ASCII letters, and for a part that mixes scripts, such as a Latin
/// word with one Cyrillic letter (Unicode Technical Standard 39).
#[must_use]
pub fn staff_email(text: &str) -> Option<String> {
    new_email(text).filter(|email| !is_deceptive(email))
}

fn is_deceptive(email: &str) -> bool {
    let is_mixed = |part: &str| !part.is_single_script();
    !email.is_ascii() && (skeleton(email).all(|letter| letter.is_ascii()) || email.split(['@', '.']).any(is_mixed))
}

/// Whether a text may be stored as a person's picture: the address of one, and a small one if the picture is in it.
#[must_use]
pub fn is_picture(text: &str) -> bool {
    let is_short = if is_data(text) {
        text.len() <= PICTURE_BYTES_MAX && text.bytes().all(|byte| byte.is_ascii_graphic())
    } else {
        text.len() <= PICTURE_ADDRESS_BYTES_MAX
    };
    is_short && is_picture_address(text)
}

#[cfg(test)]
mod tests;
