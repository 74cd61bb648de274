//! Brings a roster together with the candidates who are stored: who is new, who is changed, and who goes.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;

use super::people::PeopleIndex;
use super::{CANDIDATES_OF_SITTING_MAX, Roster, RosterEntry};
use crate::sitting::candidate::{Candidate, Person};
use crate::sitting::values::{Factor, FieldChange};

/// What a roster asks of the sitting that it is for.
pub trait RosterPlace {
    /// An id for a new candidate.
    fn new_id(&mut self) -> Uuid;
    /// The hall of that name, which may be a new one; `None` if there is no room for another.
    fn hall(&mut self, name: &str) -> Option<Uuid>;
    /// Returns whether a candidate has the same times in the one place as in the other.
    fn has_same_times(&self, before: &Candidate, after: &Candidate) -> bool;
    /// The factor and the extra minutes that a candidate has without own ones.
    fn inherited(&self, candidate: &Candidate) -> (Factor, u32);
}

/// What a roster changes.
#[derive(Debug, Default)]
pub struct RosterChange {
    /// New candidates, and those who are not as they were.
    pub put: Vec<Candidate>,
    /// Those who are no longer on the roster.
    pub removed: Vec<Uuid>,
    /// How many are new.
    pub added: usize,
    /// How many were there before.
    pub updated: usize,
    /// A sentence for each row that was not taken.
    pub errors: Vec<String>,
}

impl RosterChange {
    /// Finds each entry's candidate by their address, else by their id in the school's system, and changes them in
    /// place. Candidates whom the roster does not have go only if `may_remove` and it could be read whole, since a row
    /// that could not be read may have been theirs; those who have entered stay in any case.
    pub fn of(roster: Roster, stored: Vec<Candidate>, may_remove: bool, place: &mut impl RosterPlace) -> Self {
        let mut change = Self { errors: roster.errors, ..Self::default() };
        let mut people = StoredPeople::of(stored);
        for entry in roster.entries {
            let row = entry.row;
            match people.take(&entry) {
                Err(fault) => change.errors.push(format!("Row {row}: {fault}")),
                Ok(_) if people.count + change.added >= CANDIDATES_OF_SITTING_MAX => {
                    change
                        .errors
                        .push(format!("Row {row}: a sitting has at most {CANDIDATES_OF_SITTING_MAX} candidates"));
                }
                Ok(found) => change.take(entry, found, place),
            }
        }
        if may_remove && change.errors.is_empty() {
            let left = people.left.into_values().filter(|candidate| !candidate.has_entered());
            change.removed = left.map(|candidate| candidate.id).collect();
        }
        change
    }

    fn take(&mut self, mut entry: RosterEntry, found: Option<Candidate>, place: &mut impl RosterPlace) {
        let before = found.clone();
        let mut candidate = found
            .unwrap_or_else(|| Candidate::new(place.new_id(), entry.person.clone(), entry.person.shown().to_owned()));
        match std::mem::take(&mut entry.room) {
            FieldChange::Keep => {}
            FieldChange::Clear => candidate.hall_id = None,
            FieldChange::Set(name) => match place.hall(&name) {
                Some(hall) => candidate.hall_id = Some(hall),
                None => return self.errors.push(format!("Row {}: there are too many rooms", entry.row)),
            },
        }
        // A list that is imported again may be older than the room in which someone sits now.
        let is_retimed = |before: &Candidate| before.has_entered() && !place.has_same_times(before, &candidate);
        if before.as_ref().is_some_and(is_retimed) {
            let fault = "the candidate has entered, and the room has other times: change the candidate alone";
            return self.errors.push(format!("Row {}: {fault}", entry.row));
        }
        // A list that repeats the values which the candidate has anyway gives them none of their own, or a list of
        // yesterday would hide tomorrow's accommodation.
        let (factor, extra_minutes) = place.inherited(&candidate);
        if candidate.own.factor.is_none() && entry.factor == FieldChange::Set(factor) {
            entry.factor = FieldChange::Keep;
        }
        if candidate.own.extra_minutes.is_none() && entry.extra_minutes == FieldChange::Set(extra_minutes) {
            entry.extra_minutes = FieldChange::Keep;
        }
        entry.apply(&mut candidate);
        *if before.is_none() { &mut self.added } else { &mut self.updated } += 1;
        // A list that is imported again changes few, and only those are written.
        if before.is_none_or(|before| before != candidate) {
            self.put.push(candidate);
        }
    }
}

/// The stored candidates, of whom each is taken once.
struct StoredPeople {
    left: HashMap<Uuid, Candidate>,
    index: PeopleIndex,
    taken: HashSet<Uuid>,
    count: usize,
}

impl StoredPeople {
    fn of(stored: Vec<Candidate>) -> Self {
        Self {
            index: PeopleIndex::of(stored.iter().map(|candidate| (&candidate.person, candidate.id))),
            taken: HashSet::new(),
            count: stored.len(),
            left: stored.into_iter().map(|candidate| (candidate.id, candidate)).collect(),
        }
    }

    /// The candidate whom an entry means; `None` for a new one. The database has each address and each id once, so an
    /// entry must not give one candidate what another one has.
    fn take(&mut self, entry: &RosterEntry) -> Result<Option<Candidate>, String> {
        let person = &entry.person;
        let Some(id) = self.index.find(person)? else { return Ok(None) };
        if !self.taken.insert(id) {
            return Err("an earlier row is about the same candidate".to_owned());
        }
        let found = self.left.remove(&id);
        let is_another = |new: &Option<String>, old: &Option<String>| {
            new.as_ref().zip(old.as_ref()).is_some_and(|(new, old)| !Person::is_same(new, old))
        };
        if let Some(candidate) = found.as_ref().filter(|candidate| candidate.has_entered())
            && (is_another(&person.email, &candidate.person.email)
                || is_another(&person.external_id, &candidate.person.external_id))
        {
            return Err("the candidate has entered, and stays who they are".to_owned());
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Halls `B0`, `B1` … have their numbers as ids.
    struct Place(u128);

    impl RosterPlace for Place {
        fn new_id(&mut self) -> Uuid {
            self.0 += 1;
            Uuid::from_u128(self.0)
        }

        fn hall(&mut self, name: &str) -> Option<Uuid> {
            name.strip_prefix('B')?.parse().ok().map(Uuid::from_u128)
        }

        /// In `B9`, times are different.
        fn has_same_times(&self, before: &Candidate, after: &Candidate) -> bool {
            let is_other = |one: &Candidate| one.hall_id == Some(Uuid::from_u128(9));
            is_other(before) == is_other(after)
        }

        fn inherited(&self, _: &Candidate) -> (Factor, u32) {
            (Factor::new(125).unwrap(), 0)
        }
    }

    fn stored(number: u128, email: &str, external_id: &str) -> Candidate {
        let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let person = Person { email: some(email), external_id: some(external_id) };
        Candidate::new(Uuid::from_u128(number), person, format!("Name {number}"))
    }

    fn merged(rows: &[serde_json::Value], stored: Vec<Candidate>) -> RosterChange {
        RosterChange::of(Roster::of_json(rows), stored, true, &mut Place(100))
    }

    #[test]
    fn a_second_import_changes_in_place_and_takes_away_those_who_are_gone() {
        let mut entered = stored(3, "cy@x.test", "");
        entered.session_id = Some(Uuid::nil());
        let before = vec![stored(1, "ada@x.test", "7"), stored(2, "bo@x.test", ""), entered];
        let change = merged(
            &[
                json!({ "externalId": "7", "email": "ada@new.test", "room": "B5", "factor": 125, "extraMinutes": 5 }),
                json!({ "email": "di@x.test", "name": "Di" }),
            ],
            before,
        );
        assert_eq!((change.added, change.updated, &change.errors), (1, 1, &Vec::new()));
        assert_eq!(change.removed, [Uuid::from_u128(2)]);
        let ada = &change.put[0];
        assert_eq!((ada.id, ada.person.email.as_deref()), (Uuid::from_u128(1), Some("ada@new.test")));
        assert_eq!((ada.hall_id, ada.own.factor, ada.own.extra_minutes), (Some(Uuid::from_u128(5)), None, Some(5)));
        assert_eq!(change.put[1].name, "Di");
    }

    #[test]
    fn who_is_known_is_found_however_they_are_typed() {
        let mut entered = stored(3, "a\u{200B}da@x.test", "HS-01");
        entered.session_id = Some(Uuid::nil());
        let rows = [json!({ "email": "ａda@x.test", "externalId": "HS–01", "seat": "4" })];
        let change = merged(&rows, vec![entered]);
        assert_eq!((change.added, change.updated, &change.errors), (0, 1, &Vec::new()));
        assert_eq!(change.put[0].seat.as_deref(), Some("4"));
    }

    #[test]
    fn who_has_entered_moves_as_far_as_their_times_stay() {
        let mut entered = stored(3, "cy@x.test", "");
        entered.session_id = Some(Uuid::nil());
        let moved = |room: &str| merged(&[json!({ "email": "cy@x.test", "room": room })], vec![entered.clone()]);
        let change = moved("B5");
        assert_eq!((change.errors.len(), change.put[0].hall_id), (0, Some(Uuid::from_u128(5))));
        let change = moved("B9");
        let sentence = "Row 1: the candidate has entered, and the room has other times: change the candidate alone";
        assert_eq!((change.errors, change.put, change.updated), (vec![sentence.to_owned()], vec![], 0));
    }

    #[test]
    fn who_stays_as_they_were_is_not_written() {
        let row = json!({ "email": "ada@x.test", "name": "Name 1", "factor": 125 });
        let change = merged(&[row], vec![stored(1, "ada@x.test", "7")]);
        assert_eq!((change.put.len(), change.updated, change.removed.len()), (0, 1, 0));
    }

    #[test]
    fn a_list_that_could_not_be_read_whole_takes_nobody_away() {
        let change = merged(&[json!({ "email": "nobody" })], vec![stored(1, "ada@x.test", "")]);
        assert_eq!((change.removed.len(), change.errors.len()), (0, 1));
    }

    #[test]
    fn nobody_becomes_another_one() {
        let mut entered = stored(3, "cy@x.test", "9");
        entered.session_id = Some(Uuid::nil());
        let before = vec![stored(1, "ada@x.test", "7"), stored(2, "bo@x.test", "8"), entered];
        let change = merged(
            &[
                json!({ "email": "ada@x.test", "externalId": "8" }),
                json!({ "email": "other@x.test", "externalId": "9" }),
                json!({ "email": "new@x.test", "room": "C" }),
            ],
            before,
        );
        assert_eq!(
            change.errors,
            [
                "Row 1: email and externalId are those of two candidates",
                "Row 2: the candidate has entered, and stays who they are",
                "Row 3: there are too many rooms",
            ]
        );
        assert!(change.put.is_empty() && change.removed.is_empty());
    }
}
