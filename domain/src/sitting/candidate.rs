//! One person in one sitting: who they are, where they sit, and how far they have come.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::terms::Layer;
use super::values::Factor;
use crate::access::typed_email;
use crate::text;
use crate::text::same::seen;
use crate::time::moment::Moment;

/// By what a candidate is known, at least one of them; each is unique in the sitting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Person {
    /// The e-mail address by which they sign in, in lower case.
    pub email: Option<String>,
    /// The id that the school's own system knows them by.
    pub external_id: Option<String>,
}

impl Person {
    /// An address in the form in which it is stored; `None` if it is not one.
    #[must_use]
    pub fn email(text: &str) -> Option<String> {
        typed_email(text)
    }

    /// An id as it is stored; `None` if it is empty, too long or has control characters.
    #[must_use]
    pub fn external_id(text: &str) -> Option<String> {
        text::name(text)
    }

    /// Whether an address or an id is the same as another one.
    #[must_use]
    pub fn is_same(one: &str, other: &str) -> bool {
        one == other || seen(one) == seen(other)
    }

    /// Whether this is somebody else than before: an address or an id is another one, or nothing is left of what they
    /// were known by. What is added, or taken away beside something that stays, makes nobody another person.
    #[must_use]
    pub fn is_other_than(&self, before: &Self) -> bool {
        let pairs = [(&self.email, &before.email), (&self.external_id, &before.external_id)];
        let kept = pairs.map(|(is, was)| is.as_deref().zip(was.as_deref()).map(|(is, was)| Self::is_same(is, was)));
        kept.contains(&Some(false)) || !kept.contains(&Some(true))
    }

    /// What they are called where they have no name.
    #[must_use]
    pub fn shown(&self) -> &str {
        self.email.as_deref().or(self.external_id.as_deref()).unwrap_or_default()
    }
}

/// One person in one sitting.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Identifier.
    pub id: Uuid,
    /// By what they are known.
    pub person: Person,
    /// The name as shown.
    pub name: String,
    /// The hall in which they sit.
    pub hall_id: Option<Uuid>,
    /// Their seat there.
    pub seat: Option<String>,
    /// Values of their own.
    pub own: Layer,
    /// The factor that was copied from their accommodation.
    pub accommodation_factor: Option<Factor>,
    /// The extra minutes that were copied from it.
    pub accommodation_extra_minutes: Option<u32>,
    /// For proctors.
    pub note: Option<String>,
    /// Whether an access code has been made for them.
    pub has_access_code: bool,
    /// How many wrong codes have begun like theirs.
    pub wrong_tries: u32,
    /// The attempt, once they have entered.
    pub session_id: Option<Uuid>,
    /// When they entered.
    pub entered_at: Option<Moment>,
    /// Who has let them in after the entry was closed.
    pub admitted_by: Option<String>,
    /// Who has marked them as present, and when.
    pub present: Option<AttendanceMark>,
    /// Who has marked them as absent, and when.
    pub absent: Option<AttendanceMark>,
}

/// Wrong codes with the beginning of a candidate's code from which on proctors are told: this many are not typing
/// errors.
pub const WRONG_CODES_TOLD: u32 = 20;

/// Who has marked a candidate, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttendanceMark {
    /// E-mail of the proctor.
    pub by: String,
    /// When.
    pub at: Moment,
}

impl Candidate {
    /// Someone on a roster who has done nothing yet.
    #[must_use]
    pub fn new(id: Uuid, person: Person, name: String) -> Self {
        Self {
            id,
            person,
            name,
            hall_id: None,
            seat: None,
            own: Layer::default(),
            accommodation_factor: None,
            accommodation_extra_minutes: None,
            note: None,
            has_access_code: false,
            wrong_tries: 0,
            session_id: None,
            entered_at: None,
            admitted_by: None,
            present: None,
            absent: None,
        }
    }

    /// The layer of their accommodation, as it was copied.
    #[must_use]
    pub fn accommodated(&self) -> Layer {
        let (factor, extra_minutes) = (self.accommodation_factor, self.accommodation_extra_minutes);
        Layer { factor, extra_minutes, ..Layer::default() }
    }

    /// Copies the values of an accommodation.
    pub const fn accommodate(&mut self, layer: Layer) {
        self.accommodation_factor = layer.factor;
        self.accommodation_extra_minutes = layer.extra_minutes;
    }

    /// Whether they have an attempt, which a roster never takes away.
    #[must_use]
    pub const fn has_entered(&self) -> bool {
        self.session_id.is_some() || self.entered_at.is_some()
    }
}

/// How far a candidate has come. Whether they are connected is a separate fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CandidateState {
    /// They have not entered.
    Expected,
    /// They have entered, and their time does not count yet.
    Waiting,
    /// The same, with the paper at hand.
    Ready,
    /// They are at work.
    Active,
    /// A proctor has stopped their time.
    Paused,
    /// They have handed in, or their time was up.
    Submitted,
    /// They have not entered, and are no longer expected.
    Absent,
}

impl CandidateState {
    /// `expected`, `waiting`, `ready`, `active`, `paused`, `submitted` or `absent`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Expected => "expected",
            Self::Waiting => "waiting",
            Self::Ready => "ready",
            Self::Active => "active",
            Self::Paused => "paused",
            Self::Submitted => "submitted",
            Self::Absent => "absent",
        }
    }
}

/// The facts from which a candidate's state follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CandidateFacts {
    /// Whether they have an attempt.
    pub has_entered: bool,
    /// Whether they have the paper, as only the server that holds their socket knows.
    pub is_ready: bool,
    /// Whether their time counts.
    pub has_begun: bool,
    /// Whether a proctor has stopped it.
    pub is_paused: bool,
    /// Whether the attempt has ended.
    pub has_submitted: bool,
    /// Whether a proctor has marked them as absent.
    pub is_marked_absent: bool,
    /// Whether the sitting has ended.
    pub is_over: bool,
}

impl CandidateFacts {
    /// How far the candidate has come.
    #[must_use]
    pub const fn state(self) -> CandidateState {
        if !self.has_entered {
            let is_absent = self.is_marked_absent || self.is_over;
            return if is_absent { CandidateState::Absent } else { CandidateState::Expected };
        }
        match self {
            Self { has_submitted: true, .. } => CandidateState::Submitted,
            Self { has_begun: false, is_ready: true, .. } => CandidateState::Ready,
            Self { has_begun: false, .. } => CandidateState::Waiting,
            Self { is_paused: true, .. } => CandidateState::Paused,
            _ => CandidateState::Active,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_known_by_something_else_is_somebody_else() {
        let person = |email: &str, id: &str| {
            let [email, external_id] = [email, id].map(|text| Some(text.to_owned()).filter(|text| !text.is_empty()));
            Person { email, external_id }
        };
        let ada = person("ada@x.test", "7");
        for (after, is_other) in [
            (person("ada@x.test", "7"), false),
            (person("ada@x.test", ""), false),
            (person("", "7"), false),
            (person("ａda@x.test", "7"), false),
            (person("bo@x.test", "7"), true),
            (person("ada@x.test", "8"), true),
            (person("bo@x.test", ""), true),
            (person("", "8"), true),
        ] {
            assert_eq!(after.is_other_than(&ada), is_other, "{after:?}");
        }
        assert!(!ada.is_other_than(&person("", "7")), "an address is added");
        assert!(person("", "8").is_other_than(&person("ada@x.test", "")), "nothing is left");
    }
}
