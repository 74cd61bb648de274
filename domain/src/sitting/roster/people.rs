//! Finds people by what they are known by: whoever has the address is the person, else whoever has the id.

use std::collections::HashMap;

use uuid::Uuid;

use crate::sitting::candidate::Person;
use crate::text::same::seen;

/// Whose addresses and ids these are, however they are typed.
#[derive(Clone, Debug, Default)]
pub struct PeopleIndex {
    by_email: HashMap<String, Uuid>,
    by_external_id: HashMap<String, Uuid>,
}

impl PeopleIndex {
    /// Of these people, each with the id of their row.
    pub fn of<'a>(people: impl IntoIterator<Item = (&'a Person, Uuid)>) -> Self {
        let mut index = Self::default();
        for (person, id) in people {
            index.note(person, id);
        }
        index
    }

    /// Adds somebody, or what else they are known by.
    pub fn note(&mut self, person: &Person, id: Uuid) {
        self.by_email.extend(person.email.as_deref().map(|email| (seen(email), id)));
        self.by_external_id.extend(person.external_id.as_deref().map(|external| (seen(external), id)));
    }

    /// The row of a person; `None` if they have none.
    ///
    /// # Errors
    /// A sentence about somebody whose address is one person's and whose id is another one's.
    pub fn find(&self, person: &Person) -> Result<Option<Uuid>, String> {
        let by_email = person.email.as_deref().and_then(|email| self.by_email.get(&seen(email))).copied();
        let by_id = person.external_id.as_deref().and_then(|id| self.by_external_id.get(&seen(id))).copied();
        match (by_email, by_id) {
            (Some(one), Some(other)) if one != other => {
                Err("email and externalId are those of two candidates".to_owned())
            }
            (one, other) => Ok(one.or(other)),
        }
    }
}
