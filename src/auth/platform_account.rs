//! The accounts of people who come from a learning platform. Such an account is no user: it has no e-mail address and
//! no row among the users, and its rights are those that its platform has at that moment, never those of an admin.

use domain::access::{Grades, Identity, Role};
use domain::lti::link::PlatformPerson;
use domain::lti::platform::Platform;
use uuid::Uuid;

use crate::database::Database;
use crate::error::Error;
use crate::store::lti;

/// How the name of such an account begins. Nobody's e-mail address does: it would need an `@`.
const PREFIX: &str = "lti:";

/// The name of a person's account.
#[must_use]
pub fn name_of(person_id: Uuid) -> String {
    format!("{PREFIX}{person_id}")
}

/// The person of an account; `None` if it is the account of a user.
#[must_use]
pub fn person_of(account: &str) -> Option<Uuid> {
    account.strip_prefix(PREFIX)?.parse().ok()
}

/// A person who takes tests.
#[must_use]
pub fn learner(person: &PlatformPerson) -> Identity {
    identity(person, Role::Student, Grades::NONE)
}

/// A member of the staff of a platform, with the grades that an admin has given it.
#[must_use]
pub fn staff(person: &PlatformPerson, platform: &Platform) -> Identity {
    identity(person, Role::Manager, platform.grades.iter().copied().collect())
}

/// Whoever chooses what is placed in a course, which the platform need not say. Nobody is signed in as that.
#[must_use]
pub fn chooser(person: Option<&PlatformPerson>, platform: &Platform) -> Identity {
    let Some(person) = person else {
        let nobody = PlatformPerson {
            id: Uuid::nil(),
            platform_id: platform.id,
            subject: String::new(),
            name: None,
            email: None,
            created_at: platform.created_at,
        };
        return staff(&nobody, platform);
    };
    staff(person, platform)
}

fn identity(person: &PlatformPerson, role: Role, grades: Grades) -> Identity {
    Identity {
        email: name_of(person.id),
        name: person.name.clone().unwrap_or_default(),
        image: String::new(),
        role,
        reviewer_of: Grades::NONE,
        manager_of: grades,
    }
}

/// Finds the member of staff of an account. Only staff have such a sign-in, and it ends with what their platform may
/// do, and when they may only choose exams.
pub async fn find(database: &Database, person_id: Uuid) -> Result<Option<Identity>, Error> {
    let Some(person) = lti::find_person(&database.read, person_id).await? else { return Ok(None) };
    let platform = lti::load_platform(&database.read, person.platform_id).await?;
    let platform = platform.filter(|platform| platform.is_active() && !platform.staff_only_choose);
    Ok(platform.map(|platform| staff(&person, &platform)))
}

#[cfg(test)]
mod tests {
    use domain::access::normal_email;

    use super::*;

    #[test]
    fn no_address_is_the_name_of_such_an_account() {
        let name = name_of(Uuid::from_u128(7));
        assert_eq!((person_of(&name), normal_email(&name)), (Some(Uuid::from_u128(7)), None));
        for text in ["lti:7@exam.test", "lti:", "ada@exam.test", ""] {
            assert_eq!(person_of(text), None, "{text}");
        }
    }
}
