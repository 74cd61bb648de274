//! Takes the last import of a roster back: who goes, what of whom is as before, who comes back, and when it is too
//! late. What was done by hand since the import stays.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;

use super::CANDIDATES_OF_SITTING_MAX;
use super::people::PeopleIndex;
use crate::sitting::candidate::{Candidate, Person};
use crate::sitting::terms::Layer;

/// Someone who was on the roster before an import that has changed or removed them.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportedChange {
    /// As they were before it.
    pub before: Candidate,
    /// As it has left them; `None` if it has removed them.
    pub after: Option<Candidate>,
}

/// Why an import can no longer be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndoRefusal {
    /// Somebody has entered.
    Entered,
    /// Somebody else has by now the address or the id that one would have again.
    Taken,
    /// With those who were added since there would be too many.
    Full,
}

/// What taking an import back does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UndoneImport {
    /// Whom the import had added, and who go.
    pub gone: Vec<Uuid>,
    /// Whom it had changed, with what it had changed as before.
    pub restored: Vec<Candidate>,
    /// Whom it had removed, and who come back.
    pub returned: Vec<Uuid>,
    /// How many of those whom it had added or changed were changed or removed by hand since, which stays.
    pub kept: usize,
}

impl UndoneImport {
    /// Of an import that has added these and changed or removed those, where the roster is now as given. Whoever came
    /// by another way since stays, and so does what was changed by hand since; whoever was removed by hand since does
    /// not come back.
    ///
    /// # Errors
    /// When somebody has entered, or the roster has become another one.
    pub fn of(added: &[Candidate], changes: &[ImportedChange], present: &[Candidate]) -> Result<Self, UndoRefusal> {
        if present.iter().any(Candidate::has_entered) {
            return Err(UndoRefusal::Entered);
        }
        let added: HashMap<Uuid, &Candidate> = added.iter().map(|one| (one.id, one)).collect();
        let former: HashMap<Uuid, &ImportedChange> = changes.iter().map(|one| (one.before.id, one)).collect();
        let there: HashSet<Uuid> = present.iter().map(|one| one.id).collect();
        let (mut undone, mut index, mut count) = (Self::default(), PeopleIndex::default(), 0);
        for now in present {
            if let Some(imported) = added.get(&now.id) {
                if by_hand(imported) == by_hand(now) {
                    undone.gone.push(now.id);
                    continue;
                }
                undone.kept += 1;
            } else if let Some(ImportedChange { before, after: Some(after) }) = former.get(&now.id) {
                undone.kept += usize::from(by_hand(after) != by_hand(now));
                let back = taken_back(before, after, now);
                if back != *now {
                    undone.restored.push(back);
                    continue;
                }
            }
            count += 1;
            index.note(&now.person, now.id);
        }
        let is_away = |one: &&ImportedChange| !there.contains(&one.before.id);
        let away: Vec<&ImportedChange> = changes.iter().filter(is_away).collect();
        let returning = || away.iter().filter(|one| one.after.is_none()).map(|one| &one.before);
        undone.kept += away.len() - returning().count();
        undone.returned = returning().map(|one| one.id).collect();
        for one in undone.restored.iter().chain(returning()) {
            if index.find(&one.person) != Ok(None) {
                return Err(UndoRefusal::Taken);
            }
            index.note(&one.person, one.id);
        }
        if count + undone.restored.len() + undone.returned.len() > CANDIDATES_OF_SITTING_MAX {
            return Err(UndoRefusal::Full);
        }
        Ok(undone)
    }
}

/// What of a candidate staff write. Copies of accommodations are not: they are made anew from the register.
fn by_hand(one: &Candidate) -> (&Person, &str, Option<Uuid>, Option<&str>, Layer, Option<&str>) {
    (&one.person, &one.name, one.hall_id, one.seat.as_deref(), one.own, one.note.as_deref())
}

/// A candidate with what an import had changed as before it, as far as it is still as the import has left it. A seat
/// belongs to its hall, and a start to its end.
fn taken_back(before: &Candidate, after: &Candidate, now: &Candidate) -> Candidate {
    let mut back = now.clone();
    if now.person.email == after.person.email {
        back.person.email.clone_from(&before.person.email);
    }
    if now.person.external_id == after.person.external_id {
        back.person.external_id.clone_from(&before.person.external_id);
    }
    // Of two halves one may be gone by hand and the other by the import.
    if back.person == Person::default() {
        back.person.clone_from(&now.person);
    }
    if now.name == after.name {
        back.name.clone_from(&before.name);
    }
    if (now.hall_id, &now.seat) == (after.hall_id, &after.seat) {
        back.hall_id = before.hall_id;
        back.seat.clone_from(&before.seat);
    }
    if now.own.factor == after.own.factor {
        back.own.factor = before.own.factor;
    }
    if now.own.extra_minutes == after.own.extra_minutes {
        back.own.extra_minutes = before.own.extra_minutes;
    }
    if (now.own.starts_at, now.own.ends_at) == (after.own.starts_at, after.own.ends_at) {
        (back.own.starts_at, back.own.ends_at) = (before.own.starts_at, before.own.ends_at);
    }
    if now.note == after.note {
        back.note.clone_from(&before.note);
    }
    back
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

    fn changed(number: u128, before: &str, after: &str) -> ImportedChange {
        ImportedChange { before: candidate(number, before), after: Some(candidate(number, after)) }
    }

    fn removed(number: u128, name: &str) -> ImportedChange {
        ImportedChange { before: candidate(number, name), after: None }
    }

    fn ids(numbers: &[u128]) -> Vec<Uuid> {
        numbers.iter().map(|number| Uuid::from_u128(*number)).collect()
    }

    #[test]
    fn who_came_goes_who_was_changed_is_as_before_and_who_went_comes_back() {
        let added = [candidate(1, "ada"), candidate(4, "gone by hand")];
        let present = [candidate(1, "ada"), candidate(2, "bo-new"), candidate(9, "walk-in")];
        let undone = UndoneImport::of(&added, &[changed(2, "bo", "bo-new"), removed(3, "cy")], &present);
        let restored = vec![candidate(2, "bo")];
        assert_eq!(undone, Ok(UndoneImport { gone: ids(&[1]), restored, returned: ids(&[3]), kept: 0 }));
    }

    #[test]
    fn what_was_changed_by_hand_since_stays_and_the_rest_goes_back() {
        let change = changed(2, "bo", "bo-new");
        let mut now = change.after.clone().unwrap();
        (now.own.extra_minutes, now.seat, now.note) = (Some(30), Some("7".to_owned()), Some("by the door".to_owned()));
        let undone = UndoneImport::of(&[], std::slice::from_ref(&change), std::slice::from_ref(&now)).unwrap();
        let back = Candidate { own: now.own, seat: now.seat.clone(), note: now.note.clone(), ..candidate(2, "bo") };
        assert_eq!(undone, UndoneImport { restored: vec![back], kept: 1, ..UndoneImport::default() });
        // What the import had changed itself, and somebody after it.
        now.name = "Bo Diddley".to_owned();
        let undone = UndoneImport::of(&[], &[change], std::slice::from_ref(&now)).unwrap();
        assert_eq!((&*undone.restored[0].name, &undone.restored[0].person), ("Bo Diddley", &person("bo")));
        // Of whom it had added, those stay on whom somebody has worked.
        let undone = UndoneImport::of(&[candidate(2, "bo-new")], &[], &[now]);
        assert_eq!(undone, Ok(UndoneImport { kept: 1, ..UndoneImport::default() }));
    }

    #[test]
    fn who_was_removed_by_hand_since_does_not_come_back() {
        let undone = UndoneImport::of(&[], &[changed(2, "bo", "bo-new"), removed(3, "cy")], &[]);
        assert_eq!(undone, Ok(UndoneImport { returned: ids(&[3]), kept: 1, ..UndoneImport::default() }));
    }

    #[test]
    fn it_is_too_late_once_somebody_has_entered() {
        let mut present = [candidate(1, "ada"), candidate(9, "walk-in")];
        present[1].session_id = Some(Uuid::nil());
        assert_eq!(UndoneImport::of(&[candidate(1, "ada")], &[], &present), Err(UndoRefusal::Entered));
    }

    #[test]
    fn nobody_is_there_twice() {
        let ada = candidate(1, "ada");
        // Cy was removed by the import, and has been added by hand since.
        let present = [ada.clone(), candidate(9, "cy")];
        let undone = |added: &[Candidate], change| UndoneImport::of(added, &[change], &present);
        assert_eq!(undone(std::slice::from_ref(&ada), removed(3, "cy")), Err(UndoRefusal::Taken));
        // Ada would be Cy again.
        assert_eq!(undone(&[], changed(1, "cy", "ada")), Err(UndoRefusal::Taken));
        // Whom the import itself has added goes, and is in nobody's way.
        assert!(undone(&[ada, candidate(9, "cy")], removed(3, "cy")).is_ok());
    }

    #[test]
    fn a_roster_has_no_more_than_it_may_have() {
        let changes: Vec<ImportedChange> =
            (0..CANDIDATES_OF_SITTING_MAX as u128).map(|number| removed(number, &format!("p{number}"))).collect();
        assert!(UndoneImport::of(&[], &changes, &[]).is_ok());
        let present = [candidate(u128::MAX, "walk-in")];
        assert_eq!(UndoneImport::of(&[], &changes, &present), Err(UndoRefusal::Full));
    }
}
