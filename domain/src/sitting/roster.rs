//! Reads a roster: a table or a JSON array of candidates, or the files of users and enrolments by which school systems
//! exchange theirs (OneRoster).

pub mod joined;
pub mod merge;
pub mod people;
pub mod undone;

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::candidate::{Candidate, Person};
use super::list::{EXTRA_HEADING, ListColumns, ListHeading, ListRow, UnknownFields};
use super::values::{Factor, FieldChange};
use crate::sheet_cell::SheetCell;
use crate::text::heading::UnclearHeading;
use crate::text::same::seen;
use crate::time::moment::Moment;

/// Candidates of one sitting.
pub const CANDIDATES_OF_SITTING_MAX: usize = 20_000;

/// The columns of a roster.
pub const ROSTER_HEADINGS: [ListHeading; 14] = [
    ("email", &["mail", "emailaddress", "thudientu"]),
    ("externalId", &["studentid", "sourcedid", "studentnumber", "mahocsinh", "mahs", "mssv", "sobaodanh", "sbd"]),
    ("name", &["student", "fullname", "candidate", "displayname", "studentname", "hoten", "hovaten"]),
    ("givenName", &["firstname", "ten"]),
    ("middleName", &["tendem", "dem"]),
    ("familyName", &["lastname", "surname", "ho", "hodem"]),
    ("room", &["hall", "phong", "phongthi"]),
    ("seat", &["place", "desk", "cho", "chongoi"]),
    ("factor", &["timefactor", "timepercent", "timeinpercent"]),
    ("extraMinutes", &[]),
    EXTRA_HEADING,
    ("startsAt", &["start", "starts"]),
    ("endsAt", &["end", "ends"]),
    ("note", &["notes", "comment", "comments", "ghichu"]),
];
/// What a roster says of somebody's place in one sitting. The other fields belong to the person.
pub const PLACE_FIELDS: [&str; 4] = ["room", "seat", "startsAt", "endsAt"];
/// Headings that only the files of school systems have.
const EXCHANGE_HEADINGS: [ListHeading; 5] =
    [("userSourcedId", &[]), ("classSourcedId", &[]), ("role", &[]), ("status", &[]), ("enabledUser", &[])];

/// A row of a roster, as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RosterEntry {
    /// Its number.
    pub row: u32,
    /// By what the candidate is known.
    pub person: Person,
    /// The name as shown.
    pub name: Option<String>,
    /// Whether the name was put together from several columns.
    pub has_joined_name: bool,
    /// The name of the hall.
    pub room: FieldChange<String>,
    /// The seat.
    pub seat: FieldChange<String>,
    /// An own factor.
    pub factor: FieldChange<Factor>,
    /// Own extra minutes.
    pub extra_minutes: FieldChange<u32>,
    /// An own start.
    pub starts_at: FieldChange<Moment>,
    /// An own hard end.
    pub ends_at: FieldChange<Moment>,
    /// For proctors.
    pub note: FieldChange<String>,
}

impl RosterEntry {
    /// Reads a row; its faults stay in it.
    pub fn read(row: &mut ListRow<'_>) -> Self {
        let person = Person { email: row.email(), external_id: row.external_id() };
        let parts = name_parts(row);
        let whole = row.name("name").or_stored(None);
        let has_joined_name = whole.is_none() && parts.len() > 1;
        let name = whole.or(Some(parts.join(" ")).filter(|joined| !joined.is_empty()));
        let (room, seat) = (row.name("room"), row.name("seat"));
        let (factor, extra_minutes) = row.more_time();
        let entry = Self {
            row: row.number,
            name,
            has_joined_name,
            room,
            seat,
            factor,
            extra_minutes,
            starts_at: row.moment("startsAt"),
            ends_at: row.moment("endsAt"),
            note: row.note("note"),
            person,
        };
        if let (FieldChange::Set(start), FieldChange::Set(end)) = (&entry.starts_at, &entry.ends_at)
            && end <= start
        {
            row.refuse("endsAt", "endsAt must be after startsAt");
        }
        entry
    }

    /// Changes a candidate, apart from their hall. Those who have entered keep who they are and their times: an exam
    /// that has begun is changed by its proctors, not by a list.
    pub fn apply(self, candidate: &mut Candidate) {
        if let Some(name) = self.name {
            candidate.name = name;
        }
        self.seat.apply(&mut candidate.seat);
        self.note.apply(&mut candidate.note);
        if candidate.has_entered() {
            return;
        }
        let Person { email, external_id } = self.person;
        candidate.person.email = email.or(candidate.person.email.take());
        candidate.person.external_id = external_id.or(candidate.person.external_id.take());
        self.factor.apply(&mut candidate.own.factor);
        self.extra_minutes.apply(&mut candidate.own.extra_minutes);
        self.starts_at.apply(&mut candidate.own.starts_at);
        self.ends_at.apply(&mut candidate.own.ends_at);
    }
}

/// The parts of a name in the order of their columns: a list knows best which name stands first in its language. Only a
/// middle name behind both others, as files of school systems have it, goes between them.
fn name_parts(row: &mut ListRow<'_>) -> Vec<String> {
    let mut names = row.in_order(["givenName", "middleName", "familyName"]);
    if names == ["givenName", "familyName", "middleName"] {
        names.swap(1, 2);
    }
    names.into_iter().filter_map(|name| row.name(name).or_stored(None)).collect()
}

/// The rows of a roster that can be used, and a sentence for each that can't.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Roster {
    /// Each person once.
    pub entries: Vec<RosterEntry>,
    /// Each begins with `Row <n>:`.
    pub errors: Vec<String>,
    /// The columns that were passed over, each once.
    pub ignored: Vec<String>,
}

/// Fields that the answers of the server have, and a roster does not read.
pub const ANSWERED_FIELDS: [&str; 5] = ["id", "state", "sessionId", "hasAccessCode", "grantedMs"];

impl Roster {
    /// Reads the elements of a JSON array.
    #[must_use]
    pub fn of_json(rows: &[Value]) -> Self {
        Self::of_json_without(rows, &[])
    }

    /// The same without these fields, which are passed over.
    #[must_use]
    pub fn of_json_without(rows: &[Value], passed_over: &[&str]) -> Self {
        let (mut roster, mut known) = (Self::default(), KnownPeople::default());
        let fields = UnknownFields::of(rows, &ROSTER_HEADINGS, &ANSWERED_FIELDS).without(passed_over);
        let headings: Vec<ListHeading> =
            ROSTER_HEADINGS.into_iter().filter(|(name, _)| !passed_over.contains(name)).collect();
        for (number, value) in (1..).zip(rows) {
            let mut row = ListRow::of_json(number, value, &headings);
            row.refuse_mistyped(value, &fields);
            roster.take(&mut row, &mut known);
        }
        let is_given = |name: &str| rows.iter().any(|row| row.get(name).is_some_and(|value| !value.is_null()));
        roster.ignored = fields.ignored;
        roster.ignored.extend(passed_over.iter().filter(|name| is_given(name)).map(|name| (*name).to_owned()));
        roster
    }

    fn take(&mut self, row: &mut ListRow<'_>, known: &mut KnownPeople) {
        let entry = RosterEntry::read(row);
        if entry.person == Person::default() && row.fault().is_none() {
            row.refuse("email", "email or externalId required");
        }
        known.note(&entry.person, row);
        match row.fault() {
            Some(fault) => self.errors.push(fault),
            None => self.entries.push(entry),
        }
    }
}

/// In which row each person stands.
#[derive(Default)]
struct KnownPeople {
    emails: HashMap<String, u32>,
    external_ids: HashMap<String, u32>,
}

impl KnownPeople {
    fn note(&mut self, person: &Person, row: &mut ListRow<'_>) {
        for (name, value, rows) in
            [("email", &person.email, &mut self.emails), ("externalId", &person.external_id, &mut self.external_ids)]
        {
            let Some(value) = value else { continue };
            if let Some(first) = rows.insert(seen(value), row.number) {
                rows.insert(seen(value), first);
                row.refuse(name, format!("{name} {value} stands in row {first} already"));
            }
        }
    }
}

/// Reads the files of a roster one after the other.
#[derive(Default)]
pub struct RosterReader {
    columns: ListColumns,
    roster: Roster,
    known: KnownPeople,
    has_people: bool,
    /// The ids in the files of enrolments, with their rows; `None` without such a file.
    enrolled: Option<HashMap<String, u32>>,
    class: Option<String>,
    passed_over: &'static [&'static str],
}

impl RosterReader {
    /// With a class, only those who are enrolled in it are taken.
    #[must_use]
    pub fn of_class(class: Option<String>) -> Self {
        Self { class, ..Self::default() }
    }

    /// The same without these fields, whose columns are passed over.
    #[must_use]
    pub fn without(self, passed_over: &'static [&'static str]) -> Self {
        Self { passed_over, ..self }
    }

    /// How many columns of a header are known; 0 unless it names people.
    #[must_use]
    pub fn known_columns(header: &[SheetCell<'_>]) -> usize {
        let columns = columns(header);
        let names_people = ["email", "externalId", "userSourcedId"].into_iter().any(|name| columns.mention(name));
        if names_people { columns.known() } else { 0 }
    }

    /// Begins a file with this header.
    ///
    /// # Errors
    /// A heading that is probably mistyped.
    pub fn begin(&mut self, header: &[SheetCell<'_>]) -> Result<(), UnclearHeading> {
        self.columns = columns(header).without(header, self.passed_over);
        self.columns.note_ignored(&mut self.roster.ignored)?;
        if self.columns.have("userSourcedId") {
            self.enrolled.get_or_insert_default();
        } else {
            self.has_people = true;
        }
        Ok(())
    }

    /// Takes a row below the header.
    pub fn take(&mut self, number: u32, cells: &[SheetCell<'_>]) {
        let mut row = ListRow::of_cells(number, &self.columns, cells);
        if !is_current_student(&row) {
            return;
        }
        match &mut self.enrolled {
            Some(enrolled) if self.columns.have("userSourcedId") => {
                if self.class.as_ref().is_none_or(|class| seen(class) == seen(&row.shown("classSourcedId"))) {
                    match row.identifier("userSourcedId") {
                        Some(id) => drop(enrolled.entry(seen(&id)).or_insert(number)),
                        None => {
                            if row.fault().is_none() {
                                row.refuse("userSourcedId", "userSourcedId required");
                            }
                            self.roster.errors.extend(row.fault());
                        }
                    }
                }
            }
            _ => self.roster.take(&mut row, &mut self.known),
        }
    }

    /// How many rows have been taken.
    #[must_use]
    pub fn len(&self) -> usize {
        let enrolled = self.enrolled.as_ref().map_or(0, HashMap::len);
        self.roster.entries.len() + self.roster.errors.len() + enrolled
    }

    /// Whether no row has been taken.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Everybody, or those who are enrolled; `None` without a list of people.
    #[must_use]
    pub fn finish(self) -> Option<Roster> {
        let Self { mut roster, enrolled, has_people, .. } = self;
        if let Some(mut enrolled) = enrolled {
            let ids: HashSet<String> = enrolled.keys().cloned().collect();
            let mut is_enrolled =
                |entry: &RosterEntry| entry.person.external_id.as_ref().is_some_and(|id| ids.contains(&seen(id)));
            roster.entries.retain(&mut is_enrolled);
            for id in roster.entries.iter().filter_map(|entry| entry.person.external_id.as_ref()) {
                enrolled.remove(&seen(id));
            }
            let mut unknown: Vec<(u32, String)> = enrolled.into_iter().map(|(id, row)| (row, id)).collect();
            unknown.sort_unstable();
            let fault = |(row, id): (u32, String)| format!("Row {row}: userSourcedId {id} is not among the users");
            roster.errors.extend(unknown.into_iter().map(fault));
        }
        has_people.then_some(roster)
    }
}

fn columns(header: &[SheetCell<'_>]) -> ListColumns {
    ListColumns::of(header, &[&ROSTER_HEADINGS[..], &EXCHANGE_HEADINGS[..]].concat())
}

/// Whether a row is about someone who takes exams. Files of school systems also have teachers and former students;
/// other lists have none of these columns.
fn is_current_student(row: &ListRow<'_>) -> bool {
    let [role, status, enabled] = ["role", "status", "enabledUser"].map(|name| row.shown(name).to_lowercase());
    matches!(&*role, "" | "student" | "learner") && status != "tobedeleted" && enabled != "false"
}

#[cfg(test)]
mod tests;
