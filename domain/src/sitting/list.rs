//! Rows of a list of people, from a table or from JSON alike: headings as people write them, and fields whose faults
//! are all named at once.

use std::borrow::Cow;

use serde_json::Value;

use super::candidate::Person;
use super::values::{Factor, FieldChange, extra_minutes};
use crate::text;
use crate::time::moment::Moment;
use crate::workbook::SheetCell;

/// A column, by the name of its field in JSON, and the other headings that it may have: in small letters, without
/// anything but letters and digits.
pub type ListHeading = (&'static str, &'static [&'static str]);

/// A column that may mean minutes or a percentage. To guess would give somebody the wrong time, so its rows are
/// refused.
pub(super) const EXTRA_HEADING: ListHeading = ("extra", &["extratime"]);

/// Which field stands in which column of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListColumns(Vec<Option<&'static str>>);

impl ListColumns {
    /// The columns of a header, of which the first of several with the same meaning counts.
    #[must_use]
    pub fn of(header: &[SheetCell<'_>], headings: &[ListHeading]) -> Self {
        let mut found: Vec<Option<&'static str>> = Vec::with_capacity(header.len());
        for cell in header {
            let heading = cell.shown().map(|text| plain(&text)).unwrap_or_default();
            let is_meant = |(name, others): &&ListHeading| plain(name) == heading || others.contains(&&*heading);
            let name = headings.iter().find(is_meant).map(|(name, _)| *name);
            found.push(name.filter(|name| !found.contains(&Some(*name))));
        }
        Self(found)
    }

    /// Whether one of them has this field.
    #[must_use]
    pub fn have(&self, name: &str) -> bool {
        self.0.contains(&Some(name))
    }

    /// How many columns are known.
    #[must_use]
    pub fn known(&self) -> usize {
        self.0.iter().flatten().count()
    }
}

fn plain(heading: &str) -> String {
    heading.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
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
}

impl<'a> ListRow<'a> {
    /// A row of a table. An empty cell says nothing about its field, so importing a list again takes nothing away.
    #[must_use]
    pub fn of_cells(number: u32, columns: &ListColumns, cells: &'a [SheetCell<'a>]) -> Self {
        let named = columns.0.iter().zip(cells).filter(|(_, cell)| !cell.is_empty());
        let fields = named.filter_map(|(name, cell)| Some(((*name)?, Some(cell.clone())))).collect();
        Self { number, fields, faults: Vec::new() }
    }

    /// An element of a JSON array. A null empties its field.
    #[must_use]
    pub fn of_json(number: u32, value: &'a Value, headings: &[ListHeading]) -> Self {
        let Some(object) = value.as_object() else {
            return Self { number, fields: Vec::new(), faults: vec![("body", "a row must be an object".to_owned())] };
        };
        let field = |(name, _): &ListHeading| object.get(*name).map(|value| (*name, cell(value)));
        Self { number, fields: headings.iter().filter_map(field).collect(), faults: Vec::new() }
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
        match given.as_ref().map(parse) {
            None => FieldChange::Clear,
            Some(Some(value)) => FieldChange::Set(value),
            Some(None) => {
                self.refuse(name, format!("{name} {fault}"));
                FieldChange::Keep
            }
        }
    }

    /// A short text.
    pub fn name(&mut self, name: &'static str) -> FieldChange<String> {
        self.field(name, "must be a text of 1 to 200 characters", |cell| text::name(&cell.shown()?))
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
        let fault = "must be a text of 1 to 200 characters";
        self.field("externalId", fault, |cell| Person::external_id(&cell.shown()?)).or_stored(None)
    }

    /// A factor.
    pub fn factor(&mut self) -> FieldChange<Factor> {
        self.field("factor", "must be a whole percentage of 100 to 400", Factor::of_cell)
    }

    /// Extra minutes.
    pub fn extra_minutes(&mut self) -> FieldChange<u32> {
        let (extra, _) = EXTRA_HEADING;
        if self.fields.iter().any(|(field, given)| *field == extra && given.is_some()) {
            self.refuse(extra, "extra may be minutes or percent: name the column extraMinutes or factor");
        }
        let parse = |cell: &SheetCell<'_>| cell.whole_number().and_then(extra_minutes);
        self.field("extraMinutes", "must be whole minutes of 0 to 600", parse)
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

fn cell(value: &Value) -> Option<SheetCell<'_>> {
    Some(match value {
        Value::Null => return None,
        Value::String(text) => SheetCell::Text(Cow::Borrowed(text)),
        Value::Number(number) => SheetCell::Number(number.as_f64().unwrap_or(f64::NAN)),
        Value::Bool(value) => SheetCell::Boolean(*value),
        Value::Array(_) | Value::Object(_) => SheetCell::Error("no text".to_owned()),
    })
}
