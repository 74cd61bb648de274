//! Brings the members of a course together with the roster of a sitting: who is new, who is known, and who has left.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;

use super::member::{CourseMember, MemberStatus};
use super::roles::LaunchRole;
use crate::sitting::candidate::{Candidate, Person};
use crate::sitting::roster::people::PeopleIndex;

/// Somebody on the roster who is known to be a person of the platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownCandidate {
    /// The candidate.
    pub candidate_id: Uuid,
    /// The platform's subject of them.
    pub subject: String,
    /// Whether they came by the link whose course is read.
    pub by_link: bool,
}

/// What a course changes of a roster.
#[derive(Debug, Default, PartialEq)]
pub struct CourseChange {
    /// Those who were not there, with the platform's subjects of them.
    pub new: Vec<(Candidate, String)>,
    /// Candidates who were there, and are known from now on to be these people, or to come by this link.
    pub joined: Vec<(Uuid, String)>,
    /// How many were there before.
    pub updated: usize,
    /// Candidates who came by the link and are no longer in the course, without those who have entered.
    pub left: Vec<Uuid>,
    /// Names of those of whom the platform tells no e-mail.
    pub without_email: Vec<String>,
    /// A sentence for each person who was not taken, which begins with their name.
    pub errors: Vec<String>,
}

impl CourseChange {
    /// Compares the whole list of a course with a roster, since platforms tell no changes. Learners count who are in
    /// the course now. They are known by the platform's subject alone; an e-mail joins somebody to a row, and becomes
    /// part of one, only where the platform is trusted for e-mails: whoever has the address of another enters in their
    /// place.
    pub fn of(
        members: &[CourseMember],
        stored: &[Candidate],
        known: &[KnownCandidate],
        trusts_emails: bool,
        mut new_id: impl FnMut() -> Uuid,
    ) -> Self {
        let mut people = Roster::of(stored, known);
        let (mut change, mut subjects) = (Self::default(), HashSet::new());
        let is_learner =
            |member: &&CourseMember| member.status == MemberStatus::Active && member.role == LaunchRole::Learner;
        for member in members.iter().filter(is_learner) {
            if subjects.insert(member.subject.as_str()) {
                change.take(member, &mut people, trusts_emails, &mut new_id);
            }
        }
        let has_left = |known: &&KnownCandidate| known.by_link && !subjects.contains(known.subject.as_str());
        let gone: HashSet<Uuid> = known.iter().filter(has_left).map(|known| known.candidate_id).collect();
        let left = stored.iter().filter(|candidate| gone.contains(&candidate.id) && !candidate.has_entered());
        change.left = left.map(|candidate| candidate.id).collect();
        change
    }

    fn take(
        &mut self,
        member: &CourseMember,
        people: &mut Roster<'_>,
        trusts_emails: bool,
        new_id: &mut impl FnMut() -> Uuid,
    ) {
        let name = member.name.as_deref().unwrap_or(&member.subject);
        if member.email.is_none() {
            self.without_email.push(name.to_owned());
        }
        let email = member.email.as_deref().filter(|_| trusts_emails).and_then(Person::email);
        if let Some(known) = people.by_subject.get(member.subject.as_str()) {
            self.updated += 1;
            if !known.by_link {
                self.joined.push((known.candidate_id, member.subject.clone()));
            }
            return;
        }
        if let Some(id) = email.as_ref().and_then(|email| people.find(email)) {
            if people.is_somebody(id) {
                return self.errors.push(format!("{name}: the address is that of somebody else of the platform"));
            }
            people.taken.insert(id);
            self.updated += 1;
            return self.joined.push((id, member.subject.clone()));
        }
        // The school's own id, or else the platform's, unless somebody on the roster has the same one.
        let ids = [member.sourced_id.as_deref(), Some(member.subject.as_str())];
        let mut ids = ids.into_iter().flatten().filter_map(Person::external_id);
        let external_id = ids.find(|id| people.index.find(&by_id(id)) == Ok(None));
        let person = Person { email, external_id };
        if person == Person::default() {
            return self.errors.push(format!("{name}: somebody else on the roster has the same id"));
        }
        let shown = member.name.clone().unwrap_or_else(|| person.shown().to_owned());
        let candidate = Candidate::new(new_id(), person, shown);
        people.index.note(&candidate.person, candidate.id);
        people.taken.insert(candidate.id);
        self.new.push((candidate, member.subject.clone()));
    }
}

fn by_id(id: &str) -> Person {
    Person { email: None, external_id: Some(id.to_owned()) }
}

/// Who is on the roster, and who of them is a person of the platform.
struct Roster<'a> {
    index: PeopleIndex,
    by_subject: HashMap<&'a str, &'a KnownCandidate>,
    /// Candidates who are people of the platform.
    taken: HashSet<Uuid>,
}

impl<'a> Roster<'a> {
    fn of(stored: &[Candidate], known: &'a [KnownCandidate]) -> Self {
        Self {
            index: PeopleIndex::of(stored.iter().map(|candidate| (&candidate.person, candidate.id))),
            by_subject: known.iter().map(|known| (known.subject.as_str(), known)).collect(),
            taken: known.iter().map(|known| known.candidate_id).collect(),
        }
    }

    fn find(&self, email: &str) -> Option<Uuid> {
        let person = Person { email: Some(email.to_owned()), external_id: None };
        self.index.find(&person).ok().flatten()
    }

    fn is_somebody(&self, id: Uuid) -> bool {
        self.taken.contains(&id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lti::custom::CustomParameters;

    fn member(subject: &str, email: Option<&str>) -> CourseMember {
        CourseMember {
            subject: subject.to_owned(),
            role: LaunchRole::Learner,
            status: MemberStatus::Active,
            name: Some(format!("Name of {subject}")),
            email: email.map(str::to_owned),
            sourced_id: None,
            custom: CustomParameters::default(),
        }
    }

    fn stored(number: u128, email: &str) -> Candidate {
        let person = Person { email: Some(email.to_owned()), external_id: None };
        Candidate::new(Uuid::from_u128(number), person, email.to_owned())
    }

    fn known(number: u128, subject: &str, by_link: bool) -> KnownCandidate {
        KnownCandidate { candidate_id: Uuid::from_u128(number), subject: subject.to_owned(), by_link }
    }

    fn changed(
        members: &[CourseMember],
        stored: &[Candidate],
        known: &[KnownCandidate],
        trusts_emails: bool,
    ) -> CourseChange {
        let mut number = 100;
        CourseChange::of(members, stored, known, trusts_emails, || {
            number += 1;
            Uuid::from_u128(number)
        })
    }

    #[test]
    fn learners_of_now_come_and_nobody_twice() {
        let teacher = CourseMember { role: LaunchRole::Staff, ..member("t", None) };
        let gone = CourseMember { status: MemberStatus::Deleted, ..member("d", None) };
        let resting = CourseMember { status: MemberStatus::Inactive, ..member("i", None) };
        let change = changed(&[member("a", None), teacher, gone, resting, member("a", None)], &[], &[], false);
        assert_eq!(change.new.len(), 1);
        let (candidate, subject) = &change.new[0];
        assert_eq!((&*candidate.name, &**subject), ("Name of a", "a"));
        assert_eq!(candidate.person, Person { email: None, external_id: Some("a".to_owned()) });
        assert_eq!(change.without_email, ["Name of a"]);
        let again = changed(&[member("a", None)], std::slice::from_ref(candidate), &[known(101, "a", true)], false);
        assert_eq!((again.new.len(), again.updated, again.left.len(), again.joined.len()), (0, 1, 0, 0));
    }

    #[test]
    fn an_address_counts_where_the_platform_is_trusted() {
        let roster = [stored(1, "ada@x.test")];
        let members = [member("a", Some("ada@x.test"))];
        let change = changed(&members, &roster, &[], true);
        assert_eq!(
            (change.joined, change.updated, change.new),
            (vec![(Uuid::from_u128(1), "a".to_owned())], 1, vec![])
        );
        let change = changed(&members, &roster, &[], false);
        assert_eq!((change.joined.len(), change.new.len()), (0, 1));
        assert_eq!(change.new[0].0.person.email, None, "it would let the owner of the address in");
        let change = changed(&members, &roster, &[known(1, "b", true)], true);
        assert_eq!(change.errors, ["Name of a: the address is that of somebody else of the platform"]);
    }

    #[test]
    fn who_has_left_is_told_unless_they_have_entered() {
        let mut entered = stored(3, "cy@x.test");
        entered.session_id = Some(Uuid::nil());
        let roster = [stored(1, "ada@x.test"), stored(2, "bo@x.test"), entered, stored(4, "di@x.test")];
        let from_course = [known(1, "a", true), known(2, "b", true), known(3, "c", true), known(4, "d", false)];
        let change = changed(&[member("a", None)], &roster, &from_course, false);
        assert_eq!((change.left, change.updated), (vec![Uuid::from_u128(2)], 1), "the last came otherwise");
    }

    #[test]
    fn an_id_of_somebody_else_is_not_taken() {
        let mut other = stored(1, "ada@x.test");
        other.person.external_id = Some("S-1".to_owned());
        let mut learner = member("a", None);
        learner.sourced_id = Some("S-1".to_owned());
        let change = changed(std::slice::from_ref(&learner), std::slice::from_ref(&other), &[], false);
        assert_eq!(change.new[0].0.person.external_id.as_deref(), Some("a"));
        other.person.external_id = Some("a".to_owned());
        learner.sourced_id = None;
        let change = changed(&[learner], &[other], &[], false);
        assert_eq!(change.errors, ["Name of a: somebody else on the roster has the same id"]);
    }
}
