//! Who somebody is in a course, by the roles that their platform tells. Roles map only downwards: nobody becomes an
//! admin here by what a platform says.

/// What the roles of courses begin with.
const MEMBERSHIP: &str = "http://purl.imsglobal.org/vocab/lis/v2/membership#";
/// The same of their parts, before the course's role and the part.
const MEMBERSHIP_PART: &str = "http://purl.imsglobal.org/vocab/lis/v2/membership/";
/// The roles of courses that are staff here. Others, such as a mentor or an officer, are nobody.
const STAFF: [&str; 4] = ["Instructor", "Administrator", "ContentDeveloper", "Manager"];
/// The role of a course that sits exams.
const LEARNER: &str = "Learner";
/// The part of an instructor's role that is staff as well.
const STAFF_PART: &str = "Instructor#TeachingAssistant";
/// Canvas' view of a student: it takes tests, and never counts.
const TEST_USER: &str = "http://purl.imsglobal.org/vocab/lti/system/person#TestUser";

/// Who somebody is in the course of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaunchRole {
    /// Somebody who sits exams.
    Learner,
    /// Somebody who teaches or runs the course.
    Staff,
    /// The platform's own view of a student: it takes tests, and never counts.
    TestUser,
    /// Nobody who has anything to do here, such as a mentor.
    Other,
}

impl LaunchRole {
    /// The role that counts among those told. A simple name, such as `Learner`, is a course's role too.
    #[must_use]
    pub fn of<'a>(roles: impl IntoIterator<Item = &'a str>) -> Self {
        let (mut is_staff, mut is_learner) = (false, false);
        for role in roles {
            if role == TEST_USER {
                return Self::TestUser;
            }
            is_staff |= is_staff_role(role);
            is_learner |= of_course(role) == Some(LEARNER) || role.starts_with(&format!("{MEMBERSHIP_PART}{LEARNER}#"));
        }
        if is_staff {
            Self::Staff
        } else if is_learner {
            Self::Learner
        } else {
            Self::Other
        }
    }
}

fn is_staff_role(role: &str) -> bool {
    of_course(role).is_some_and(|name| STAFF.contains(&name))
        || role.strip_prefix(MEMBERSHIP_PART).is_some_and(|part| part == STAFF_PART)
}

/// The name of a course's role, also of one that is told by its simple name alone.
fn of_course(role: &str) -> Option<&str> {
    match role.strip_prefix(MEMBERSHIP) {
        Some(name) => Some(name),
        None => (!role.contains([':', '/', '#'])).then_some(role),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn role(roles: &[&str]) -> LaunchRole {
        LaunchRole::of(roles.iter().copied())
    }

    #[test]
    fn roles_of_courses_are_told_apart() {
        for name in STAFF {
            assert_eq!(role(&[&format!("{MEMBERSHIP}{name}")]), LaunchRole::Staff, "{name}");
            assert_eq!(role(&[name]), LaunchRole::Staff, "{name}");
        }
        assert_eq!(role(&[&format!("{MEMBERSHIP}Learner")]), LaunchRole::Learner);
        assert_eq!(
            role(&["http://purl.imsglobal.org/vocab/lis/v2/membership/Learner#GuestLearner"]),
            LaunchRole::Learner
        );
        let assistant = "http://purl.imsglobal.org/vocab/lis/v2/membership/Instructor#TeachingAssistant";
        assert_eq!(role(&[assistant]), LaunchRole::Staff);
        let both = [&*format!("{MEMBERSHIP}Learner"), &*format!("{MEMBERSHIP}Instructor")];
        assert_eq!(role(&both), LaunchRole::Staff, "an instructor who is enrolled too sees what staff see");
    }

    #[test]
    fn a_view_of_a_student_never_counts() {
        assert_eq!(role(&[&format!("{MEMBERSHIP}Learner"), TEST_USER]), LaunchRole::TestUser);
        assert_eq!(role(&[&format!("{MEMBERSHIP}Instructor"), TEST_USER]), LaunchRole::TestUser);
    }

    #[test]
    fn what_is_no_role_of_the_course_is_nobody() {
        for other in [
            "http://purl.imsglobal.org/vocab/lis/v2/institution/person#Instructor",
            "http://purl.imsglobal.org/vocab/lis/v2/system/person#Administrator",
            "http://purl.imsglobal.org/vocab/lis/v2/membership#Mentor",
            "http://purl.imsglobal.org/vocab/lis/v2/membership/Mentor#Learner",
            "http://purl.imsglobal.org/vocab/lis/v2/membership/Instructor#Grader",
            "http://elsewhere.example/membership#Instructor",
            "",
        ] {
            assert_eq!(role(&[other]), LaunchRole::Other, "{other}");
        }
        assert_eq!(role(&[]), LaunchRole::Other);
    }
}
