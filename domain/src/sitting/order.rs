//! Orders of proctors that concern a sitting rather than a session: its beginning, attendance, late entry, and entries
//! in the record.

use uuid::Uuid;

use super::candidate::{AttendanceMark, Candidate};
use crate::room::row::Attendance;
use crate::text;
use crate::time::moment::Moment;

/// Characters of an incident's kind.
pub const INCIDENT_KIND_CHARACTERS_MAX: usize = 50;
/// Characters of an incident's text: they fit into one message even if each of them is escaped.
pub const INCIDENT_TEXT_CHARACTERS_MAX: usize = 1_000;

/// The kind of an incident without surrounding white space; `None` for one that is empty or too long, or has characters
/// that names may not have.
#[must_use]
pub fn incident_kind(text: &str) -> Option<String> {
    text::name(text).filter(|kind| kind.chars().count() <= INCIDENT_KIND_CHARACTERS_MAX)
}

/// The candidates whom an order concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CandidateTarget {
    /// Everyone in the room whom it can mean.
    All,
    /// The candidate with this id.
    One(Uuid),
}

/// What a proctor orders in a sitting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SittingOrder {
    /// Time begins to count.
    Begin,
    /// Notes who is there and who is not.
    Attend(Attendance, CandidateTarget),
    /// Lets someone in although the entry is over.
    Admit(CandidateTarget),
    /// Puts something on record.
    Incident(IncidentNote),
}

/// Something that has happened, in a proctor's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncidentNote {
    /// To whom; `None` if it concerns the whole room.
    pub candidate_id: Option<Uuid>,
    /// Such as `device`: 1 to 50 characters.
    pub kind: Box<str>,
    /// 1 to 1,000 characters.
    pub text: Box<str>,
}

/// Why a proctor may not begin a sitting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BeginRefusal {
    /// It begins as a whole.
    NotPerRoom,
    /// They do not manage it.
    NotTheChief,
}

impl BeginRefusal {
    /// In one sentence.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::NotPerRoom => "This sitting does not begin room by room",
            Self::NotTheChief => "Only who manages the sitting begins it for all rooms",
        }
    }
}

impl IncidentNote {
    /// `None` unless kind and text have a length that is allowed, and no control characters other than line ends.
    #[must_use]
    pub fn new(candidate_id: Option<Uuid>, kind: &str, text: &str) -> Option<Self> {
        let kind = incident_kind(kind)?;
        let text = text::note(text).filter(|text| {
            !text.is_empty() && text.chars().count() <= INCIDENT_TEXT_CHARACTERS_MAX && !text.contains('\t')
        })?;
        Some(Self { candidate_id, kind: kind.into(), text: text.into() })
    }
}

impl SittingOrder {
    /// The `type` of the proctor's message.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Begin => "begin",
            Self::Attend(Attendance::Present, _) => "present",
            Self::Attend(Attendance::Absent, _) => "absent",
            Self::Admit(_) => "admit",
            Self::Incident(_) => "incident",
        }
    }
}

impl Candidate {
    /// Whether a proctor has marked them as present or as absent.
    #[must_use]
    pub const fn attendance(&self) -> Option<Attendance> {
        match (&self.present, &self.absent) {
            (Some(_), _) => Some(Attendance::Present),
            (None, Some(_)) => Some(Attendance::Absent),
            (None, None) => None,
        }
    }

    /// Marks them as a proctor says. An order for everyone means those who are not marked, and those who have entered
    /// are not absent. Returns what was and what is, or `None` if that changes nothing.
    pub fn attend(&mut self, attendance: Attendance, is_for_all: bool, by: &str, at: Moment) -> Option<String> {
        let before = self.attendance();
        let is_meant = !is_for_all || before.is_none() && (attendance == Attendance::Present || !self.has_entered());
        if before == Some(attendance) || !is_meant {
            return None;
        }
        let mark = Some(AttendanceMark { by: by.to_owned(), at });
        (self.present, self.absent) = match attendance {
            Attendance::Present => (mark, None),
            Attendance::Absent => (None, mark),
        };
        Some(format!("{} to {}", before.map_or("not marked", Attendance::name), attendance.name()))
    }

    /// Lets them in although the entry is over. Returns what was and what is, or `None` if that changes nothing,
    /// because they have been let in or have entered.
    pub fn admit(&mut self, by: &str) -> Option<String> {
        if self.admitted_by.is_some() || self.has_entered() {
            return None;
        }
        self.admitted_by = Some(by.to_owned());
        Some("not admitted to admitted".to_owned())
    }
}

impl Attendance {
    /// `present` or `absent`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Present => "present",
            Self::Absent => "absent",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::candidate::Person;
    use super::*;

    fn candidate() -> Candidate {
        Candidate::new(Uuid::nil(), Person::default(), "Ada".to_owned())
    }

    #[test]
    fn an_incident_has_a_kind_and_something_to_read() {
        assert!(IncidentNote::new(None, "device", "A telephone rang.\nTwice.").is_some());
        assert!(IncidentNote::new(None, "device", &"é".repeat(INCIDENT_TEXT_CHARACTERS_MAX)).is_some());
        for (kind, text) in [
            ("", "x"),
            ("device", " "),
            ("device", "a\0b"),
            ("device", "a\tb"),
            ("de\nvice", "x"),
            (&*"k".repeat(51), "x"),
            ("device", &*"é".repeat(1_001)),
        ] {
            assert_eq!(IncidentNote::new(None, kind, text), None, "{kind} {text}");
        }
    }

    #[test]
    fn a_mark_says_what_was_and_what_is() {
        let (mut ada, now) = (candidate(), Moment::from_milliseconds(5));
        assert_eq!(ada.attend(Attendance::Absent, true, "p", now).as_deref(), Some("not marked to absent"));
        assert_eq!(ada.attend(Attendance::Absent, false, "q", now), None, "the first mark holds");
        assert_eq!(ada.attend(Attendance::Present, true, "q", now), None, "she has been marked");
        assert_eq!(ada.attend(Attendance::Present, false, "q", now).as_deref(), Some("absent to present"));
        assert_eq!((ada.present.map(|mark| mark.by), ada.absent), (Some("q".to_owned()), None));
        let mut entered = Candidate { session_id: Some(Uuid::nil()), ..candidate() };
        assert_eq!(entered.attend(Attendance::Absent, true, "p", now), None);
        assert!(entered.attend(Attendance::Absent, false, "p", now).is_some(), "someone else may sit there");
    }

    #[test]
    fn who_is_in_need_not_be_admitted() {
        let mut ada = candidate();
        assert!(ada.admit("p").is_some() && ada.admit("q").is_none());
        assert_eq!(ada.admitted_by.as_deref(), Some("p"));
        assert_eq!(Candidate { entered_at: Some(Moment::default()), ..candidate() }.admit("p"), None);
    }
}
