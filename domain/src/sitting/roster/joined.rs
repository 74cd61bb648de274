//! Adds the people of classes to a roster: whoever is there stays as they are, nobody goes, and everybody comes once.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;

use super::people::PeopleIndex;
use crate::sitting::candidate::Candidate;
use crate::sitting::class::ClassPerson;

/// What classes add to a roster.
#[derive(Debug, Default)]
pub struct JoinedPeople {
    /// Those who were not there, in the order in which they came.
    pub new: Vec<Candidate>,
    /// How many were there.
    pub known: usize,
    /// A sentence for each person who was not taken, which begins with their name.
    pub errors: Vec<String>,
}

impl JoinedPeople {
    /// Adds people to those who are stored, by the rule of rosters. Of somebody in two classes the first one counts,
    /// and what it leaves out comes from the second; of what they need, the more.
    pub fn of(
        people: impl IntoIterator<Item = ClassPerson>,
        stored: &[Candidate],
        mut new_id: impl FnMut() -> Uuid,
    ) -> Self {
        let mut index = PeopleIndex::of(stored.iter().map(|candidate| (&candidate.person, candidate.id)));
        let (mut joined, mut known) = (Self::default(), HashSet::new());
        let mut places: HashMap<Uuid, usize> = HashMap::new();
        for person in people {
            let found = match index.find(&person.person) {
                Ok(found) => found,
                Err(fault) => {
                    joined.errors.push(format!("{}: {fault}", person.name));
                    continue;
                }
            };
            let Some(id) = found else {
                let candidate = person.into_candidate(new_id());
                index.note(&candidate.person, candidate.id);
                places.insert(candidate.id, joined.new.len());
                joined.new.push(candidate);
                continue;
            };
            // Also by what their row does not take over they are known from here on.
            index.note(&person.person, id);
            let Some(place) = places.get(&id) else {
                known.insert(id);
                continue;
            };
            if let Some(candidate) = joined.new.get_mut(*place) {
                complete(candidate, person);
            }
        }
        joined.known = known.len();
        joined
    }
}

/// Adds what a candidate lacks, and gives them the larger of two needs: nobody knows which of two classes was right.
fn complete(candidate: &mut Candidate, person: ClassPerson) {
    let other = person.into_candidate(candidate.id);
    let Candidate { person, own, note, .. } = candidate;
    person.email = person.email.take().or(other.person.email);
    person.external_id = person.external_id.take().or(other.person.external_id);
    own.factor = own.factor.max(other.own.factor);
    own.extra_minutes = own.extra_minutes.max(other.own.extra_minutes);
    *note = note.take().or(other.note);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sitting::candidate::Person;
    use crate::sitting::values::Factor;

    fn known_by(email: &str, external_id: &str) -> Person {
        let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        Person { email: some(email), external_id: some(external_id) }
    }

    fn pupil(email: &str, external_id: &str, name: &str) -> ClassPerson {
        ClassPerson { person: known_by(email, external_id), name: name.to_owned(), ..ClassPerson::default() }
    }

    fn joined(people: Vec<ClassPerson>, stored: &[Candidate]) -> JoinedPeople {
        let mut number = 100;
        JoinedPeople::of(people, stored, || {
            number += 1;
            Uuid::from_u128(number)
        })
    }

    #[test]
    fn who_is_there_stays_and_everybody_comes_once() {
        let ada = Candidate::new(Uuid::from_u128(1), known_by("ada@x.test", ""), "Ada".to_owned());
        let mut bo = pupil("bo@x.test", "", "Bo");
        bo.factor = Factor::new(125);
        let mut again = pupil("bo@x.test", "HS-2", "Bo B");
        (again.factor, again.extra_minutes) = (Factor::new(150), Some(5));
        let people = vec![
            pupil("a\u{200B}da@x.test", "HS-1", "Ada L"),
            pupil("", "HS-1", "Ada by her id"),
            bo,
            again,
            pupil("", "HS–2", "Bo by his id"),
            pupil("bo@x.test", "HS-9", "Bo with another id"),
            pupil("", "HS-9", "Bo by that one"),
            pupil("", "HS-3", "Cy"),
        ];
        let JoinedPeople { new, known, errors } = joined(people, &[ada]);
        assert_eq!((known, errors.len()), (1, 0));
        let [bo, cy] = &new[..] else { panic!("{new:?}") };
        assert_eq!((&bo.person, &*bo.name), (&known_by("bo@x.test", "HS-2"), "Bo"));
        assert_eq!((bo.own.factor, bo.own.extra_minutes), (Factor::new(150), Some(5)));
        assert_eq!((cy.name.as_str(), cy.hall_id, cy.has_entered()), ("Cy", None, false));
    }

    #[test]
    fn the_order_of_two_classes_decides_nothing_about_time() {
        let needs = [(Factor::new(150), None), (Factor::new(125), Some(10)), (None, Some(5))];
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
            let person =
                |(factor, extra_minutes)| ClassPerson { factor, extra_minutes, ..pupil("bo@x.test", "", "Bo") };
            let JoinedPeople { new, .. } = joined(order.map(|index: usize| person(needs[index])).to_vec(), &[]);
            let [bo] = &new[..] else { panic!("{new:?}") };
            assert_eq!((bo.own.factor, bo.own.extra_minutes), (Factor::new(150), Some(10)), "{order:?}");
        }
    }

    #[test]
    fn who_is_two_people_is_told_by_name() {
        let stored = [
            Candidate::new(Uuid::from_u128(1), known_by("ada@x.test", ""), "Ada".to_owned()),
            Candidate::new(Uuid::from_u128(2), known_by("", "HS-2"), "Bo".to_owned()),
        ];
        let JoinedPeople { new, known, errors } = joined(vec![pupil("ada@x.test", "HS-2", "Ada B")], &stored);
        assert_eq!((new.len(), known), (0, 0));
        assert_eq!(errors, ["Ada B: email and externalId are those of two candidates"]);
    }
}
