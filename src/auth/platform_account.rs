//! The accounts of people who come from a learning platform. Such an account is no user: it has no e-mail address and
//! no row among the users, and its rights are those that its platform has at that moment, never those of an admin.

use domain::access::{Grades, Identity, Role};
use domain::lti::link::{DeploymentKey, PlatformPerson};
use domain::lti::platform::{Deployment, DeploymentState, Platform};
use uuid::{Builder, Uuid};

use super::token;
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

/// The name of the account of a member of staff. Who teaches in two deployments has two accounts: what they do in one
/// is nothing of the other.
#[must_use]
pub fn staff_name_of(person_id: Uuid, deployment_id: &str) -> String {
    format!("{}:{}", name_of(person_id), mark_of(deployment_id))
}

/// What stands for a deployment in the name of an account. A platform's own name of it may be long, and have any
/// characters.
fn mark_of(deployment_id: &str) -> Uuid {
    let mut bytes = [0; 16];
    bytes.iter_mut().zip(token::hash(deployment_id)).for_each(|(byte, hashed)| *byte = hashed);
    Builder::from_random_bytes(bytes).into_uuid()
}

/// The person of an account; `None` if it is the account of a user.
#[must_use]
pub fn person_of(account: &str) -> Option<Uuid> {
    let named = account.strip_prefix(PREFIX)?;
    named.split_once(':').map_or(named, |(person, _)| person).parse().ok()
}

/// A person who takes tests.
#[must_use]
pub fn learner(person: &PlatformPerson) -> Identity {
    identity(person, Role::Student, Grades::NONE)
}

/// A member of the staff of a platform's deployment, with the grades that an admin has given the platform.
#[must_use]
pub fn staff(person: &PlatformPerson, platform: &Platform, deployment_id: &str) -> Identity {
    let deployment = DeploymentKey { platform_id: platform.id, deployment_id: deployment_id.to_owned() };
    let email = staff_name_of(person.id, deployment_id);
    Identity { email, deployment: Some(deployment), ..with_grades(person, platform) }
}

fn with_grades(person: &PlatformPerson, platform: &Platform) -> Identity {
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
        return with_grades(&nobody, platform);
    };
    with_grades(person, platform)
}

fn identity(person: &PlatformPerson, role: Role, grades: Grades) -> Identity {
    Identity {
        email: name_of(person.id),
        name: person.name.clone().unwrap_or_default(),
        image: String::new(),
        role,
        reviewer_of: Grades::NONE,
        manager_of: grades,
        deployment: None,
    }
}

/// Finds the member of staff of an account, which is of this person. Only staff have such a sign-in, and it ends with
/// what their platform and its deployment may do, and when they may only choose exams.
pub async fn find(database: &Database, account: &str, person_id: Uuid) -> Result<Option<Identity>, Error> {
    let Some(person) = lti::find_person(&database.read, person_id).await? else { return Ok(None) };
    let platform = lti::load_platform(&database.read, person.platform_id).await?;
    let platform = platform.filter(|platform| platform.is_active() && !platform.staff_only_choose);
    let Some(platform) = platform else { return Ok(None) };
    let is_theirs =
        |one: &&Deployment| one.state == DeploymentState::Active && staff_name_of(person.id, &one.id) == account;
    let deployment = platform.deployments.iter().find(is_theirs);
    Ok(deployment.map(|deployment| staff(&person, &platform, &deployment.id)))
}

#[cfg(test)]
mod tests {
    use domain::access::normal_email;
    use domain::lti::link::TEST_STUDENT;

    use super::*;

    #[test]
    fn no_address_is_the_name_of_such_an_account() {
        let name = name_of(Uuid::from_u128(7));
        assert_eq!((person_of(&name), normal_email(&name)), (Some(Uuid::from_u128(7)), None));
        let staff = staff_name_of(Uuid::from_u128(7), "a@b.c: 1");
        assert_eq!((person_of(&staff), normal_email(&staff)), (Some(Uuid::from_u128(7)), None));
        assert_ne!(staff, staff_name_of(Uuid::from_u128(7), "2"));
        assert_eq!((person_of(TEST_STUDENT), normal_email(TEST_STUDENT)), (None, None));
        for text in ["lti:7@exam.test", "lti:", "ada@exam.test", ""] {
            assert_eq!(person_of(text), None, "{text}");
        }
    }
}
