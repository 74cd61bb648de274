//! Brings the members of a course together with the roster of a sitting: who is new, who is known, and who has left.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;

use super::member::{CourseMember, MemberStatus};
use crate::sitting::candidate::{Candidate, Person};
use crate::sitting::roster::people::PeopleIndex;

/// Characters of a platform's id in the ids of its people.
const PLATFORM_CHARACTERS: usize = 8;

/// Somebody on the roster who is known to be a person of a platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownCandidate {
    /// The candidate.
    pub candidate_id: Uuid,
    /// The platform's subject of them; `None` of a person of another platform.
    pub subject: Option<String>,
    /// By which link they came.
    pub came_by: CameBy,
}

/// By which link to a sitting somebody came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CameBy {
    /// By none so far.
    NoLink,
    /// By the link whose course is read.
    ThisLink,
    /// By another one. They stay with that: their score has its column there.
    OtherLink,
}

/// The platform of a course, and how far its word goes.
#[derive(Clone, Copy, Debug)]
pub struct CoursePlatform {
    /// Our own id of it.
    pub id: Uuid,
    /// Whether an admin has said that it may be believed about e-mails, and so about the school's ids too.
    pub is_trusted: bool,
}

/// What a course changes of a roster.
#[derive(Debug, Default, PartialEq)]
pub struct CourseChange {
    /// Those who were not there, with the platform's subjects of them.
    pub new: Vec<(Candidate, String)>,
    /// Candidates who were there, and are known from now on to be these people, or to come by this link, since they
    /// came by none before.
    pub joined: Vec<(Uuid, String)>,
    /// How many were there before.
    pub updated: usize,
    /// Candidates who came by the link and are no longer in the course in any role, without those who have entered.
    pub left: Vec<Uuid>,
    /// Names of those of whom the platform tells no e-mail.
    pub without_email: Vec<String>,
    /// A sentence for each person who was not taken, which begins with their name.
    pub errors: Vec<String>,
    /// The platform's subjects of those who were not taken: staff may join them to rows of the roster.
    pub unjoined: Vec<String>,
}

impl CourseChange {
    /// Compares the whole list of a course with a roster, since platforms tell no changes. Learners count who are in
    /// the course now. They are known by the platform's subject alone; an e-mail joins somebody to a row, and becomes
    /// part of one, only where the platform is trusted: whoever has the address of another enters in their place. So
    /// does the school's id. The platform's own id is never taken for it, since a number of the platform may be
    /// another child's number at the school.
    pub fn of(
        members: &[CourseMember],
        stored: &[Candidate],
        known: &[KnownCandidate],
        platform: CoursePlatform,
        mut new_id: impl FnMut() -> Uuid,
    ) -> Self {
        let mut people = Roster::of(stored, known);
        let (mut change, mut subjects) = (Self::default(), HashSet::new());
        for member in members.iter().filter(|member| member.is_learning()) {
            if subjects.insert(member.subject.as_str()) {
                change.take(member, &mut people, platform, &mut new_id);
            }
        }
        // Whoever has another role now is still there.
        let here = members.iter().filter(|member| member.status == MemberStatus::Active);
        let here: HashSet<&str> = here.map(|member| member.subject.as_str()).collect();
        let is_away = |subject: &str| !here.contains(subject);
        let has_left =
            |known: &&KnownCandidate| known.came_by == CameBy::ThisLink && known.subject.as_deref().is_none_or(is_away);
        let gone: HashSet<Uuid> = known.iter().filter(has_left).map(|known| known.candidate_id).collect();
        let left = stored.iter().filter(|candidate| gone.contains(&candidate.id) && !candidate.has_entered());
        change.left = left.map(|candidate| candidate.id).collect();
        change
    }

    /// Leaves those who were not there to staff, who may join them to rows of the roster.
    pub fn leave_new(&mut self) {
        self.unjoined.extend(self.new.drain(..).map(|(_, subject)| subject));
    }

    fn take(
        &mut self,
        member: &CourseMember,
        people: &mut Roster<'_>,
        platform: CoursePlatform,
        new_id: &mut impl FnMut() -> Uuid,
    ) {
        let name = member.name.as_deref().unwrap_or(&member.subject);
        if member.email.is_none() {
            self.without_email.push(name.to_owned());
        }
        let email = member.email.as_deref().filter(|_| platform.is_trusted).and_then(Person::email);
        if let Some(known) = people.by_subject.get(member.subject.as_str()) {
            self.updated += 1;
            if known.came_by == CameBy::NoLink {
                self.joined.push((known.candidate_id, member.subject.clone()));
            }
            return;
        }
        if let Some(id) = email.as_ref().and_then(|email| people.find(email)) {
            if people.is_somebody(id) {
                self.unjoined.push(member.subject.clone());
                let fault = "the address is that of somebody else of a learning platform";
                return self.errors.push(format!("{name}: {fault}"));
            }
            people.taken.insert(id);
            self.updated += 1;
            return self.joined.push((id, member.subject.clone()));
        }
        // Nobody else makes such an id. They came from the course before, and an import was taken back since.
        let own_id = own_id(platform.id, &member.subject);
        let own_row = people.by_external_id.get(own_id.as_str()).copied();
        if let Some(id) = own_row.filter(|id| !people.is_somebody(*id)) {
            people.taken.insert(id);
            self.updated += 1;
            return self.joined.push((id, member.subject.clone()));
        }
        let id = new_id();
        let sourced_id = member.sourced_id.as_deref().filter(|_| platform.is_trusted).and_then(Person::external_id);
        // A subject may be longer than an id.
        let own_id = Person::external_id(&own_id).unwrap_or_else(|| format!("lti:{id}"));
        let ids = [sourced_id, Some(own_id)];
        let external_id = ids.into_iter().flatten().find(|id| people.index.find(&by_id(id)) == Ok(None));
        let person = Person { email, external_id };
        if person == Person::default() {
            self.unjoined.push(member.subject.clone());
            return self.errors.push(format!("{name}: a row of the roster has their id already"));
        }
        let shown = member.name.clone().unwrap_or_else(|| person.shown().to_owned());
        let candidate = Candidate::new(id, person, shown);
        people.index.note(&candidate.person, candidate.id);
        people.taken.insert(candidate.id);
        self.new.push((candidate, member.subject.clone()));
    }
}

/// The id of somebody for whom nobody has told the school's: it says by itself whose it is.
fn own_id(platform_id: Uuid, subject: &str) -> String {
    let platform = platform_id.simple().to_string();
    format!("lti:{}:{subject}", platform.get(..PLATFORM_CHARACTERS).unwrap_or(&platform))
}

fn by_id(id: &str) -> Person {
    Person { email: None, external_id: Some(id.to_owned()) }
}

/// Who is on the roster, and who of them is a person of a platform.
struct Roster<'a> {
    index: PeopleIndex,
    /// By their ids as they are written: a platform may tell those apart that people take for the same.
    by_external_id: HashMap<&'a str, Uuid>,
    by_subject: HashMap<&'a str, &'a KnownCandidate>,
    /// Candidates who are people of any platform.
    taken: HashSet<Uuid>,
}

impl<'a> Roster<'a> {
    fn of(stored: &'a [Candidate], known: &'a [KnownCandidate]) -> Self {
        let with_id = |one: &'a Candidate| Some((one.person.external_id.as_deref()?, one.id));
        Self {
            by_external_id: stored.iter().filter_map(with_id).collect(),
            index: PeopleIndex::of(stored.iter().map(|candidate| (&candidate.person, candidate.id))),
            by_subject: known.iter().filter_map(|known| Some((known.subject.as_deref()?, known))).collect(),
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
    use crate::lti::roles::LaunchRole;

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

    fn known(number: u128, subject: &str, came_by: CameBy) -> KnownCandidate {
        KnownCandidate { candidate_id: Uuid::from_u128(number), subject: Some(subject.to_owned()), came_by }
    }

    fn changed(
        members: &[CourseMember],
        stored: &[Candidate],
        known: &[KnownCandidate],
        is_trusted: bool,
    ) -> CourseChange {
        let mut number = 100;
        let platform = CoursePlatform { id: Uuid::from_u128(0x0123_4567_89ab_cdef << 64), is_trusted };
        CourseChange::of(members, stored, known, platform, || {
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
        assert_eq!(candidate.person, Person { email: None, external_id: Some("lti:01234567:a".to_owned()) });
        assert_eq!(change.without_email, ["Name of a"]);
        let came = [known(101, "a", CameBy::ThisLink)];
        let again = changed(&[member("a", None)], std::slice::from_ref(candidate), &came, false);
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
        // Somebody else of this platform, or anybody of another one, has the row.
        let elsewhere = KnownCandidate { subject: None, ..known(1, "", CameBy::OtherLink) };
        for somebody in [known(1, "b", CameBy::ThisLink), elsewhere] {
            let change = changed(&members, &roster, &[somebody], true);
            assert_eq!(change.errors, ["Name of a: the address is that of somebody else of a learning platform"]);
            assert_eq!((change.joined.len(), change.new.len(), change.unjoined), (0, 0, vec!["a".to_owned()]));
        }
    }

    #[test]
    fn whoever_came_by_another_link_stays_with_it() {
        let roster = [stored(1, "ada@x.test"), stored(2, "bo@x.test")];
        let came = [known(1, "a", CameBy::OtherLink), known(2, "b", CameBy::NoLink)];
        let change = changed(&[member("a", None), member("b", None)], &roster, &came, false);
        assert_eq!((change.joined, change.updated), (vec![(Uuid::from_u128(2), "b".to_owned())], 2));
    }

    #[test]
    fn who_has_left_is_told_unless_they_have_entered() {
        let mut entered = stored(3, "cy@x.test");
        entered.session_id = Some(Uuid::nil());
        let roster = [stored(1, "ada@x.test"), stored(2, "bo@x.test"), entered, stored(4, "di@x.test")];
        let by = CameBy::ThisLink;
        let from_course = [known(1, "a", by), known(2, "b", by), known(3, "c", by), known(4, "d", CameBy::OtherLink)];
        let change = changed(&[member("a", None)], &roster, &from_course, false);
        assert_eq!((change.left, change.updated), (vec![Uuid::from_u128(2)], 1), "the last came otherwise");
        let helper = CourseMember { role: LaunchRole::Other, ..member("b", None) };
        let change = changed(&[member("a", None), helper], &roster, &from_course, false);
        assert_eq!((change.left, change.updated), (vec![], 1), "another role is no absence");
    }

    #[test]
    fn a_number_of_the_platform_is_no_number_of_the_school() {
        let mut other = stored(1, "ada@x.test");
        other.person.external_id = Some("17".to_owned());
        let mut learner = member("17", None);
        learner.sourced_id = Some("17".to_owned());
        let of = |learner: &CourseMember, is_trusted| {
            changed(std::slice::from_ref(learner), std::slice::from_ref(&other), &[], is_trusted)
        };
        let id = |change: &CourseChange| change.new[0].0.person.external_id.clone();
        for is_trusted in [true, false] {
            let change = of(&learner, is_trusted);
            assert_eq!(id(&change).as_deref(), Some("lti:01234567:17"), "the school's 17 is another child");
        }
        learner.sourced_id = Some("S-1".to_owned());
        assert_eq!(id(&of(&learner, true)).as_deref(), Some("S-1"));
        assert_eq!(id(&of(&learner, false)).as_deref(), Some("lti:01234567:17"), "anybody may have typed it there");
        let long = member(&"x".repeat(255), None);
        assert_eq!(id(&of(&long, false)).unwrap(), format!("lti:{}", Uuid::from_u128(101)));
        other.person.external_id = Some("lti:01234567:17".to_owned());
        let somebody = [known(1, "b", CameBy::ThisLink)];
        let change = changed(&[learner], &[other], &somebody, false);
        assert_eq!(change.errors, ["Name of 17: a row of the roster has their id already"]);
        assert_eq!((change.new.len(), change.unjoined), (0, vec!["17".to_owned()]));
    }

    #[test]
    fn a_row_that_came_back_is_theirs_by_our_own_id() {
        let mut row = stored(1, "ada@x.test");
        row.person = Person { email: None, external_id: Some("lti:01234567:a".to_owned()) };
        let change = changed(&[member("a", None)], std::slice::from_ref(&row), &[], false);
        assert_eq!((change.joined, change.updated), (vec![(Uuid::from_u128(1), "a".to_owned())], 1));
        assert_eq!((change.new, change.errors.len()), (vec![], 0));
        // Another subject of the platform, though people would take it for the same.
        let change = changed(&[member("\u{ff41}", None)], &[row], &[], false);
        assert_eq!((change.joined.len(), change.errors.len()), (0, 1));
    }

    #[test]
    fn those_who_are_new_may_be_left_to_staff() {
        let roster = [stored(1, "ada@x.test")];
        let mut change = changed(&[member("a", Some("ada@x.test")), member("b", None)], &roster, &[], true);
        change.leave_new();
        assert_eq!((change.new.len(), change.joined.len(), change.unjoined), (0, 1, vec!["b".to_owned()]));
    }
}
