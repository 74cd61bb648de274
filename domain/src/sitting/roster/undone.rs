//! Takes the last import of a roster back: who goes, who is as before, who comes back, and when it is too late.

use std::collections::HashSet;

use uuid::Uuid;

use super::CANDIDATES_OF_SITTING_MAX;
use super::people::PeopleIndex;
use crate::sitting::candidate::{Candidate, Person};

/// Someone whom an import has changed or removed, by what they were known before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormerPerson {
    /// The id of their row.
    pub id: Uuid,
    /// By what they were known.
    pub person: Person,
}

/// Why an import can no longer be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndoRefusal {
    /// Somebody has entered.
    Entered,
    /// Somebody who was added since has the address or the id of one who would come back.
    Taken,
    /// With those who were added since there would be too many.
    Full,
}

/// What taking an import back does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UndoneImport {
    /// Whom the import had added, and who go.
    pub removed: usize,
    /// Whom it had changed, and who are as before.
    pub restored: usize,
    /// Whom it had removed, and who come back.
    pub returned: usize,
}

impl UndoneImport {
    /// Of an import that has added these and changed or removed those, where the roster is now as given. Whoever came
    /// by another way since stays.
    ///
    /// # Errors
    /// When somebody has entered, or the roster has become another one.
    pub fn of(added: &HashSet<Uuid>, former: &[FormerPerson], present: &[Candidate]) -> Result<Self, UndoRefusal> {
        if present.iter().any(Candidate::has_entered) {
            return Err(UndoRefusal::Entered);
        }
        let known: HashSet<Uuid> = former.iter().map(|one| one.id).collect();
        let is_staying = |one: &&Candidate| !added.contains(&one.id) && !known.contains(&one.id);
        let staying: Vec<&Candidate> = present.iter().filter(is_staying).collect();
        let index = PeopleIndex::of(staying.iter().map(|one| (&one.person, one.id)));
        if former.iter().any(|one| index.find(&one.person) != Ok(None)) {
            return Err(UndoRefusal::Taken);
        }
        if staying.len() + former.len() > CANDIDATES_OF_SITTING_MAX {
            return Err(UndoRefusal::Full);
        }
        let count = |ids: &HashSet<Uuid>| present.iter().filter(|one| ids.contains(&one.id)).count();
        let restored = count(&known);
        Ok(Self { removed: count(added), restored, returned: former.len() - restored })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(name: &str) -> Person {
        Person { email: Some(format!("{name}@x.test")), external_id: None }
    }

    fn candidate(number: u128, name: &str) -> Candidate {
        Candidate::new(Uuid::from_u128(number), person(name), name.to_owned())
    }

    fn former(number: u128, name: &str) -> FormerPerson {
        FormerPerson { id: Uuid::from_u128(number), person: person(name) }
    }

    fn added(numbers: &[u128]) -> HashSet<Uuid> {
        numbers.iter().map(|number| Uuid::from_u128(*number)).collect()
    }

    #[test]
    fn who_came_goes_who_was_changed_is_as_before_and_who_went_comes_back() {
        let present = [candidate(1, "ada"), candidate(2, "bo-new"), candidate(9, "walk-in")];
        let undone = UndoneImport::of(&added(&[1, 4]), &[former(2, "bo"), former(3, "cy")], &present);
        assert_eq!(undone, Ok(UndoneImport { removed: 1, restored: 1, returned: 1 }));
    }

    #[test]
    fn it_is_too_late_once_somebody_has_entered() {
        let mut present = [candidate(1, "ada"), candidate(9, "walk-in")];
        present[1].session_id = Some(Uuid::nil());
        assert_eq!(UndoneImport::of(&added(&[1]), &[], &present), Err(UndoRefusal::Entered));
    }

    #[test]
    fn nobody_is_there_twice() {
        // Cy was removed by the import, and has been added by hand since.
        let present = [candidate(1, "ada"), candidate(9, "cy")];
        assert_eq!(UndoneImport::of(&added(&[1]), &[former(3, "cy")], &present), Err(UndoRefusal::Taken));
        // Whom the import itself has added goes, and is in nobody's way.
        assert!(UndoneImport::of(&added(&[1, 9]), &[former(3, "cy")], &present).is_ok());
    }

    #[test]
    fn a_roster_has_no_more_than_it_may_have() {
        let former: Vec<FormerPerson> =
            (0..CANDIDATES_OF_SITTING_MAX as u128).map(|number| former(number, &format!("p{number}"))).collect();
        assert!(UndoneImport::of(&HashSet::new(), &former, &[]).is_ok());
        let present = [candidate(u128::MAX, "walk-in")];
        assert_eq!(UndoneImport::of(&HashSet::new(), &former, &present), Err(UndoRefusal::Full));
    }
}
