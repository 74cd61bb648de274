//! Rows of a list of people, from a table or from JSON alike: headings as people write them, and fields whose faults
//! are all named at once.

use std::borrow::Cow;

use serde_json::Value;

use super::candidate::Person;
use super::more_time::{MoreTime, MoreTimeColumn};
use super::values::{Factor, FieldChange, extra_minutes};
use crate::sheet_cell::{NoIdentifier, SheetCell};
use crate::text;
use crate::text::heading::{self, UnclearHeading};
use crate::time::moment::Moment;

/// A column, by the name of its field in JSON, and the other headings that it may have: in small letters, without
/// accents and without anything but letters and digits.
pub type ListHeading = (&'static str, &'static [&'static str]);

/// Unknown fields of JSON rows that are collected and named.
const UNKNOWN_FIELDS_MAX: usize = 100;

/// The message for a name or an id that cannot be stored.
const NAME_FAULT: &str = "must be a text of 1 to 200 characters";
/// A column that may mean minutes or a percentage. A guess would give somebody the wrong time, so cells that do not say
/// which are refused.
pub(super) const EXTRA_HEADING: ListHeading = (
    "extra",
    &["extratime", "moretime", "additionaltime", "themgio", "giothem", "thoigianthem", "congthem", "thoigiancongthem"],
);
const FACTOR_FAULT: &str = "must be a whole percentage of 100 to 400";
const MINUTES_FAULT: &str = "must be whole minutes of 0 to 600";
const EXTRA_FAULT: &str = "may be minutes or percent: name the column extraMinutes or factor";

/// Which field stands in which column of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListColumns {
    fields: Vec<Option<&'static str>>,
    ignored: Vec<String>,
    unclear: Vec<UnclearHeading>,
}

impl ListColumns {
    /// The columns of a header, of which the first of several with the same meaning counts.
    #[must_use]
    pub fn of(header: &[SheetCell<'_>], headings: &[ListHeading]) -> Self {
        let texts: Vec<String> = header.iter().map(|cell| cell.shown().unwrap_or_default().into_owned()).collect();
        let mut fields: Vec<Option<&'static str>> = Vec::with_capacity(header.len());
        for text in &texts {
            let name = meaning(text, headings);
            fields.push(name.filter(|name| !fields.contains(&Some(*name))));
        }
        let mut columns = Self { fields, ..Self::default() };
        let is_unknown =
            |(place, text): &(usize, &String)| !text.is_empty() && columns.fields.get(*place) == Some(&None);
        let unknown: Vec<&String> = texts.iter().enumerate().filter(is_unknown).map(|(_, text)| text).collect();
        for text in unknown {
            match resembling(text, headings).filter(|meant| !columns.have(meant)) {
                Some(meant) => columns.unclear.push(UnclearHeading { heading: heading::shown(text), meant }),
                None => columns.ignored.push(heading::shown(text)),
            }
        }
        columns
    }

    /// The same without these fields, whose columns are passed over: `header` is that of the columns.
    #[must_use]
    pub fn without(mut self, header: &[SheetCell<'_>], passed_over: &[&str]) -> Self {
        for (field, cell) in self.fields.iter_mut().zip(header) {
            if field.is_some_and(|name| passed_over.contains(&name)) {
                *field = None;
                self.ignored.push(heading::shown(&cell.shown().unwrap_or_default()));
            }
        }
        let is_passed_over = |unclear: &UnclearHeading| passed_over.contains(&unclear.meant);
        let passed = self.unclear.iter().filter(|unclear| is_passed_over(unclear));
        self.ignored.extend(passed.map(|unclear| unclear.heading.clone()));
        self.unclear.retain(|unclear| !is_passed_over(unclear));
        self
    }

    /// Whether one of them has this field, or probably was meant to.
    #[must_use]
    pub fn mention(&self, name: &str) -> bool {
        self.have(name) || self.unclear.iter().any(|unclear| unclear.meant == name)
    }

    /// Whether one of them has this field.
    #[must_use]
    pub fn have(&self, name: &str) -> bool {
        self.fields.contains(&Some(name))
    }

    /// How many columns are known.
    #[must_use]
    pub fn known(&self) -> usize {
        self.fields.iter().flatten().count() + usize::from(!self.unclear.is_empty())
    }

    /// Notes the headings of columns that are passed over, each once.
    ///
    /// # Errors
    /// A heading that is probably mistyped: to pass over its column could cost somebody their time or their room.
    pub fn note_ignored(&self, noted: &mut Vec<String>) -> Result<(), UnclearHeading> {
        if let Some(unclear) = self.unclear.first() {
            return Err(unclear.clone());
        }
        for heading in &self.ignored {
            if !noted.contains(heading) {
                noted.push(heading.clone());
            }
        }
        Ok(())
    }
}

/// The field that a heading names.
fn meaning(heading: &str, headings: &[ListHeading]) -> Option<&'static str> {
    let heading = heading::plain(heading);
    let is_meant = |(name, others): &&ListHeading| heading::plain(name) == heading || others.contains(&&*heading);
    headings.iter().find(is_meant).map(|(name, _)| *name)
}

/// The field that a heading was probably meant to name.
fn resembling(heading: &str, headings: &[ListHeading]) -> Option<&'static str> {
    let heading = heading::plain(heading);
    let is_like = |(name, others): &&ListHeading| {
        heading::resembles(&heading, &heading::plain(name))
            || others.iter().any(|other| heading::resembles(&heading, other))
    };
    headings.iter().find(is_like).map(|(name, _)| *name)
}

/// The fields of JSON rows that no list has, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnknownFields {
    /// Those that are passed over, as messages repeat them.
    pub ignored: Vec<String>,
    mistyped: Vec<UnclearHeading>,
}

impl UnknownFields {
    /// Looks through all rows; `also` are the fields that our own answers have besides. Rows are made by programs and
    /// alike, so that looking stops at so many fields.
    #[must_use]
    pub fn of(rows: &[Value], headings: &[ListHeading], also: &[&str]) -> Self {
        let is_known = |name: &str| also.contains(&name) || headings.iter().any(|(known, _)| *known == name);
        let mut unknown: Vec<&String> = Vec::new();
        for name in rows.iter().filter_map(Value::as_object).flat_map(|row| row.keys()) {
            if !is_known(name) && unknown.len() < UNKNOWN_FIELDS_MAX && !unknown.contains(&name) {
                unknown.push(name);
            }
        }
        let mistyped = |name: &&String| {
            let meant = meaning(name, headings).or_else(|| resembling(name, headings))?;
            Some(UnclearHeading { heading: (*name).clone(), meant })
        };
        Self {
            ignored: unknown.iter().map(|name| heading::shown(name)).collect(),
            mistyped: unknown.iter().filter_map(mistyped).collect(),
        }
    }

    /// The same for a list that passes these fields over: whoever mistypes one of them loses nothing.
    #[must_use]
    pub fn without(mut self, passed_over: &[&str]) -> Self {
        self.mistyped.retain(|one| !passed_over.contains(&one.meant));
        self
    }
}

/// A row that is being read, with the faults found so far.
#[derive(Debug)]
pub struct ListRow<'a> {
    /// The number that a spreadsheet shows, or the place in a JSON array from 1.
    pub number: u32,
    /// `None` for a field that is to become empty.
    fields: Vec<(&'static str, Option<SheetCell<'a>>)>,
    /// Each with the field that is wrong.
    faults: Vec<(&'static str, String)>,
    /// Whether people have typed the cells, and not a program.
    is_typed: bool,
}

impl<'a> ListRow<'a> {
    /// A row of a table. An empty cell says nothing about its field, so importing a list again takes nothing away.
    #[must_use]
    pub fn of_cells(number: u32, columns: &ListColumns, cells: &'a [SheetCell<'a>]) -> Self {
        let named = columns.fields.iter().zip(cells).filter(|(_, cell)| !cell.is_empty());
        let fields = named.filter_map(|(name, cell)| Some(((*name)?, Some(cell.clone())))).collect();
        Self { number, fields, faults: Vec::new(), is_typed: true }
    }

    /// An element of a JSON array. A null empties its field.
    #[must_use]
    pub fn of_json(number: u32, value: &'a Value, headings: &[ListHeading]) -> Self {
        let Some(object) = value.as_object() else {
            let faults = vec![("body", "a row must be an object".to_owned())];
            return Self { number, fields: Vec::new(), faults, is_typed: false };
        };
        let field = |(name, _): &ListHeading| object.get(*name).map(|value| (*name, cell(value)));
        let fields = headings.iter().filter_map(field).collect();
        Self { number, fields, faults: Vec::new(), is_typed: false }
    }

    /// Refuses a JSON row with a field that is probably mistyped, if the one that was meant is not there too.
    pub fn refuse_mistyped(&mut self, value: &Value, fields: &UnknownFields) {
        let Some(object) = value.as_object() else { return };
        for UnclearHeading { heading, meant } in &fields.mistyped {
            if object.contains_key(heading) && !object.contains_key(*meant) {
                self.refuse(meant, format!("{} is not known: did you mean {meant}?", heading::shown(heading)));
            }
        }
    }

    /// Those of the fields that the row has, in the order of their columns.
    #[must_use]
    pub fn in_order<const COUNT: usize>(&self, names: [&'static str; COUNT]) -> Vec<&'static str> {
        self.fields.iter().map(|(field, _)| *field).filter(|field| names.contains(field)).collect()
    }

    /// Notes a fault of a field.
    pub fn refuse(&mut self, field: &'static str, fault: impl Into<String>) {
        self.faults.push((field, fault.into()));
    }

    /// The first field that is wrong.
    #[must_use]
    pub fn wrong_field(&self) -> Option<&'static str> {
        self.faults.first().map(|(field, _)| *field)
    }

    /// The faults as one sentence; `None` if there are none.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        let faults: Vec<&str> = self.faults.iter().map(|(_, fault)| &**fault).collect();
        (!faults.is_empty()).then(|| format!("Row {}: {}", self.number, faults.join("; ")))
    }

    /// A field, as `parse` reads it.
    pub fn field<T>(
        &mut self,
        name: &'static str,
        fault: &'static str,
        parse: impl FnOnce(&SheetCell<'_>) -> Option<T>,
    ) -> FieldChange<T> {
        let Some((_, given)) = self.fields.iter().find(|(field, _)| *field == name) else { return FieldChange::Keep };
        if let Some(SheetCell::Marked(mark)) = given {
            let fault = format!("{name} {mark}");
            self.refuse(name, fault);
            return FieldChange::Keep;
        }
        match given.as_ref().map(parse) {
            None => FieldChange::Clear,
            Some(Some(value)) => FieldChange::Set(value),
            Some(None) => {
                self.refuse(name, format!("{name} {fault}"));
                FieldChange::Keep
            }
        }
    }

    /// A short text. What a spreadsheet has made a date of, such as the seat `1/2`, is none.
    pub fn name(&mut self, name: &'static str) -> FieldChange<String> {
        if self.is_made_moment(name) {
            return FieldChange::Keep;
        }
        self.field(name, NAME_FAULT, |cell| text::name(&cell.shown()?))
    }

    /// A text of several lines. An empty one clears the field.
    pub fn note(&mut self, name: &'static str) -> FieldChange<String> {
        match self.field(name, "must be a text of at most 10,000 characters", |cell| text::note(&cell.shown()?)) {
            FieldChange::Set(note) if note.is_empty() => FieldChange::Clear,
            change => change,
        }
    }

    /// An e-mail address; `None` also when it is refused.
    pub fn email(&mut self) -> Option<String> {
        self.field("email", "is not an address", |cell| Person::email(&cell.shown()?)).or_stored(None)
    }

    /// The id in another system.
    pub fn external_id(&mut self) -> Option<String> {
        self.identifier("externalId")
    }

    /// An id in another system, with all its digits; `None` also when it is refused.
    pub fn identifier(&mut self, name: &'static str) -> Option<String> {
        let (_, given) = self.fields.iter().find(|(field, _)| *field == name)?;
        if let Some(Err(made)) = given.as_ref().map(SheetCell::identifier) {
            self.refuse_made(name, made);
            return None;
        }
        let id = |cell: &SheetCell<'_>| Person::external_id(&cell.identifier().ok().flatten()?);
        self.field(name, NAME_FAULT, id).or_stored(None)
    }

    fn refuse_made(&mut self, name: &'static str, made: NoIdentifier) {
        self.refuse(
            name,
            match made {
                NoIdentifier::Moment(kind) => {
                    format!("{name} is a {kind}: format the cell as text and type it again")
                }
                NoIdentifier::Lost => format!("{name} has lost digits: format the column as text and type it again"),
            },
        );
    }

    /// The factor and the extra minutes. In a table a cell that says which it is may stand in the column of the other,
    /// and in one that is called "extra" alone; programs say it by the name of the field.
    pub fn more_time(&mut self) -> (FieldChange<Factor>, FieldChange<u32>) {
        if !self.is_typed {
            return (self.factor(), self.extra_minutes());
        }
        let mut found = (FieldChange::Keep, FieldChange::Keep);
        let (extra, _) = EXTRA_HEADING;
        for (name, column, fault) in [
            ("factor", MoreTimeColumn::Percent, FACTOR_FAULT),
            ("extraMinutes", MoreTimeColumn::Minutes, MINUTES_FAULT),
            (extra, MoreTimeColumn::Either, EXTRA_FAULT),
        ] {
            if self.is_made_moment(name) {
                continue;
            }
            let is_second = match self.field(name, fault, |cell| MoreTime::of_cell(cell, column)) {
                FieldChange::Set(MoreTime::Factor(factor)) => set_once(&mut found.0, factor),
                FieldChange::Set(MoreTime::Minutes(minutes)) => set_once(&mut found.1, minutes),
                FieldChange::Keep | FieldChange::Clear => false,
            };
            if is_second {
                self.refuse(name, format!("{name} says again what another column says"));
            }
        }
        found
    }

    fn factor(&mut self) -> FieldChange<Factor> {
        self.field("factor", FACTOR_FAULT, Factor::of_cell)
    }

    fn extra_minutes(&mut self) -> FieldChange<u32> {
        let (extra, _) = EXTRA_HEADING;
        if self.fields.iter().any(|(field, given)| *field == extra && given.is_some()) {
            self.refuse(extra, format!("{extra} {EXTRA_FAULT}"));
        }
        let parse = |cell: &SheetCell<'_>| cell.whole_number().and_then(extra_minutes);
        self.field("extraMinutes", MINUTES_FAULT, parse)
    }

    /// Refuses a field of which a spreadsheet has made a date or a time, such as of `1/3`.
    fn is_made_moment(&mut self, name: &'static str) -> bool {
        let cell = self.fields.iter().find(|(field, _)| *field == name).and_then(|(_, cell)| cell.as_ref());
        let Some(SheetCell::Date(date)) = cell else { return false };
        let kind = if date.contains('-') { "date" } else { "time" };
        self.refuse_made(name, NoIdentifier::Moment(kind));
        true
    }

    /// A moment. One without a zone would be another moment in each country.
    pub fn moment(&mut self, name: &'static str) -> FieldChange<Moment> {
        let fault = "must be a time with its zone, such as 2026-03-02T09:00:00+07:00";
        self.field(name, fault, |cell| Moment::parse(&cell.shown()?))
    }

    /// A text as it stands; empty if there is none.
    #[must_use]
    pub fn shown(&self, name: &str) -> Cow<'_, str> {
        let cell = self.fields.iter().find(|(field, _)| *field == name).and_then(|(_, cell)| cell.as_ref());
        cell.and_then(SheetCell::shown).unwrap_or_default()
    }
}

/// Sets what no other column has set. Returns whether one has.
fn set_once<T>(field: &mut FieldChange<T>, value: T) -> bool {
    if matches!(field, FieldChange::Set(_)) {
        return true;
    }
    *field = FieldChange::Set(value);
    false
}

fn cell(value: &Value) -> Option<SheetCell<'_>> {
    Some(match value {
        Value::Null => return None,
        Value::String(text) => SheetCell::Text(Cow::Borrowed(text)),
        Value::Number(number) => SheetCell::Number(number.as_f64().unwrap_or(f64::NAN)),
        Value::Bool(value) => SheetCell::Boolean(*value),
        Value::Array(_) | Value::Object(_) => SheetCell::Error("no text".to_owned()),
    })
}
