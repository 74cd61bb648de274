//! Classes: lists of people that a school keeps, from which rosters are filled. What somebody is in one sitting (a
//! room, a seat, times) is not theirs, and is left to its roster.

use std::collections::HashMap;

use uuid::Uuid;

use super::candidate::{Candidate, Person};
use super::roster::Roster;
use super::roster::merge::{RosterChange, RosterPlace};
use super::terms::Layer;
use super::values::Factor;
use crate::grade::Grade;
use crate::time::moment::Moment;

/// Classes that a school keeps: a hundred for each grade and each of two years.
pub const CLASSES_MAX: usize = 2_000;
/// People of one class: a year of a large school. More is a whole school, which is several lists.
pub const CLASS_PEOPLE_MAX: usize = 1_000;

/// A list of people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// Identifier.
    pub id: Uuid,
    /// The name as shown, unique in the grade.
    pub name: String,
    /// Whose managers keep it.
    pub grade: Grade,
    /// How many people are in it.
    pub people: u64,
    /// When it was made.
    pub created_at: Moment,
    /// When it, or its list, was changed last: later with each change, so that it tells versions apart.
    pub updated_at: Moment,
    /// E-mail of the person who made it.
    pub created_by: String,
}

impl Class {
    /// The number of its version.
    #[must_use]
    pub const fn version(&self) -> i64 {
        self.updated_at.milliseconds()
    }

    /// Makes another version of it, also within the same millisecond, and when the clocks of two servers differ.
    pub fn touch(&mut self, now: Moment) {
        self.updated_at = now.max(self.updated_at.plus(1));
    }
}

/// One person of a class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassPerson {
    /// Identifier.
    pub id: Uuid,
    /// By what they are known; each is unique in the class.
    pub person: Person,
    /// The name as shown.
    pub name: String,
    /// How much of the usual time they need.
    pub factor: Option<Factor>,
    /// Minutes on top of it.
    pub extra_minutes: Option<u32>,
    /// For proctors.
    pub note: Option<String>,
}

impl ClassPerson {
    /// What of a candidate belongs to the person. The usual time is no need, and to say so takes a need away.
    fn of(candidate: Candidate) -> Self {
        let Candidate { id, person, name, own, note, .. } = candidate;
        let factor = own.factor.filter(|factor| *factor != Factor::USUAL);
        let extra_minutes = own.extra_minutes.filter(|minutes| *minutes != 0);
        Self { id, person, name, factor, extra_minutes, note }
    }

    /// The person on the roster of a sitting, without a place there yet.
    #[must_use]
    pub fn into_candidate(self, id: Uuid) -> Candidate {
        let Self { person, name, factor, extra_minutes, note, .. } = self;
        let own = Layer { factor, extra_minutes, ..Layer::default() };
        Candidate { own, note, ..Candidate::new(id, person, name) }
    }
}

/// What a list makes of a class.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ClassChange {
    /// Everybody afterwards.
    pub people: Vec<ClassPerson>,
    /// How many are new.
    pub added: usize,
    /// How many were there before.
    pub updated: usize,
    /// How many are no longer there.
    pub removed: usize,
    /// A sentence for each row that was not taken.
    pub errors: Vec<String>,
}

impl ClassChange {
    /// Replaces the people of a class by the rules of rosters: they are found by their address, else by their id, and
    /// changed in place, and nobody goes if a row could not be read.
    pub fn of(list: Roster, stored: Vec<ClassPerson>, new_id: impl FnMut() -> Uuid) -> Self {
        let mut people: HashMap<Uuid, ClassPerson> = stored.iter().map(|one| (one.id, one.clone())).collect();
        let before = stored.into_iter().map(|one| (one.id, one)).map(|(id, one)| one.into_candidate(id)).collect();
        let change = RosterChange::of(list, before, true, &mut Nowhere(new_id));
        for id in &change.removed {
            people.remove(id);
        }
        people.extend(change.put.into_iter().map(ClassPerson::of).map(|one| (one.id, one)));
        let RosterChange { added, updated, removed, errors, .. } = change;
        Self { people: people.into_values().collect(), added, updated, removed: removed.len(), errors }
    }
}

/// A class has no rooms and no times.
struct Nowhere<NewId>(NewId);

impl<NewId: FnMut() -> Uuid> RosterPlace for Nowhere<NewId> {
    fn new_id(&mut self) -> Uuid {
        (self.0)()
    }

    fn hall(&mut self, _: &str) -> Option<Uuid> {
        None
    }

    fn has_same_times(&self, _: &Candidate, _: &Candidate) -> bool {
        true
    }

    /// A list with 100 in each row gives nobody a factor that would hide the register's.
    fn inherited(&self, _: &Candidate) -> (Factor, u32) {
        (Factor::USUAL, 0)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::sheet_cell::SheetCell;
    use crate::sitting::roster::{PLACE_FIELDS, RosterReader};

    fn changed(rows: &[Value], stored: Vec<ClassPerson>) -> ClassChange {
        let mut number = 100;
        let list = Roster::of_json_without(rows, &PLACE_FIELDS);
        let mut change = ClassChange::of(list, stored, || {
            number += 1;
            Uuid::from_u128(number)
        });
        change.people.sort_by(|one, other| one.name.cmp(&other.name));
        change
    }

    fn ada() -> ClassPerson {
        ClassPerson {
            id: Uuid::from_u128(1),
            person: Person { email: Some("ada@x.test".to_owned()), external_id: Some("7".to_owned()) },
            name: "Ada".to_owned(),
            factor: Factor::new(125),
            ..ClassPerson::default()
        }
    }

    #[test]
    fn a_list_replaces_the_people_and_keeps_what_it_does_not_say() {
        let rows = [
            json!({ "externalId": "7", "name": "Ada L", "note": "by the door" }),
            json!({ "email": "cy@x.test", "name": "Cy", "factor": 100, "extraMinutes": 0 }),
        ];
        let bo = ClassPerson { id: Uuid::from_u128(2), name: "Bo".to_owned(), ..ada() };
        let bo = ClassPerson { person: Person { email: None, external_id: Some("8".to_owned()) }, ..bo };
        let change = changed(&rows, vec![ada(), bo]);
        assert_eq!((change.added, change.updated, change.removed, change.errors.len()), (1, 1, 1, 0));
        let [first, second] = &change.people[..] else { panic!("{change:?}") };
        let note = Some("by the door".to_owned());
        assert_eq!(*first, ClassPerson { name: "Ada L".to_owned(), note, ..ada() });
        assert_eq!((&*second.name, second.factor, second.extra_minutes), ("Cy", None, None));
    }

    #[test]
    fn the_usual_time_takes_a_need_away() {
        let before = ClassPerson { extra_minutes: Some(10), note: Some("by the door".to_owned()), ..ada() };
        let row = json!({ "externalId": "7", "factor": 100, "extraMinutes": 0, "note": null });
        let change = changed(&[row], vec![before]);
        assert_eq!(change.people, [ClassPerson { factor: None, ..ada() }]);
    }

    #[test]
    fn a_list_that_could_not_be_read_whole_takes_nobody_away() {
        let change = changed(&[json!({ "email": "nobody" })], vec![ada()]);
        assert_eq!((change.removed, change.people), (0, vec![ada()]));
        assert_eq!(change.errors, ["Row 1: email is not an address"]);
    }

    #[test]
    fn what_belongs_to_one_sitting_is_passed_over_and_named() {
        let row = json!({ "email": "di@x.test", "room": "B12", "seat": null, "startsAt": "soon" });
        let list = Roster::of_json_without(&[row], &PLACE_FIELDS);
        assert_eq!((list.entries.len(), list.errors.len()), (1, 0));
        assert_eq!(list.ignored, ["room", "startsAt"]);
        let list = Roster::of_json_without(&[json!({ "email": "di@x.test", "seet": "4" })], &PLACE_FIELDS);
        assert_eq!((list.entries.len(), list.errors.len(), list.ignored), (1, 0, vec!["seet".to_owned()]));
        let header = ["E-mail", "Phòng thi", "Seet", "Phone"].map(SheetCell::text);
        let mut reader = RosterReader::of_class(None).without(&PLACE_FIELDS);
        reader.begin(&header).unwrap();
        reader.take(2, &["di@x.test", "B12", "4", "1"].map(SheetCell::text));
        let list = reader.finish().unwrap();
        assert_eq!((list.entries.len(), list.errors.len()), (1, 0));
        assert_eq!(list.ignored, ["Phone", "Phòng thi", "Seet"]);
        // A need behind it is not.
        let header = ["E-mail", "Seet", "Facter"].map(SheetCell::text);
        let fault = RosterReader::of_class(None).without(&PLACE_FIELDS).begin(&header).unwrap_err();
        assert_eq!((&*fault.heading, fault.meant), ("Facter", "factor"));
    }

    #[test]
    fn each_change_is_another_version() {
        let mut class = Class {
            id: Uuid::nil(),
            name: "5A".to_owned(),
            grade: Grade::FIRST,
            people: 0,
            created_at: Moment::default(),
            updated_at: Moment::from_milliseconds(1_000),
            created_by: String::new(),
        };
        for (now, version) in [(2_000, 2_000), (2_000, 2_001), (500, 2_002)] {
            class.touch(Moment::from_milliseconds(now));
            assert_eq!(class.version(), version);
        }
    }
}
