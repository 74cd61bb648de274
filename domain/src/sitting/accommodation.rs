//! Accommodations: needs that a person has in every exam, such as a quarter more time. They are kept once, and copied
//! to the candidates of each sitting when its doors open (`docs/decisions/0043-accommodations-are-copied.md`).

use std::collections::HashSet;

use serde_json::Value;

use super::list::{EXTRA_HEADING, ListColumns, ListHeading, ListRow, UnknownFields};
use super::terms::Layer;
use super::values::{Factor, FieldChange};
use crate::calendar::zones::Zone;
use crate::sheet_cell::SheetCell;
use crate::text;
use crate::text::heading::UnclearHeading;
use crate::time::moment::Moment;

/// Rows of the register that one request may bring.
pub const ACCOMMODATIONS_MAX: usize = 20_000;
/// Flags of one person.
pub const ACCOMMODATION_FLAGS_MAX: usize = 20;

/// The columns of a list of them.
pub const ACCOMMODATION_HEADINGS: [ListHeading; 7] = [
    ("email", &["mail", "emailaddress"]),
    ("factor", &["timefactor", "timepercent", "timeinpercent"]),
    ("extraMinutes", &[]),
    EXTRA_HEADING,
    ("flags", &["flag"]),
    ("note", &["notes", "comment", "comments"]),
    ("validUntil", &["until", "expires"]),
];

/// What a person needs in every exam.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accommodation {
    /// The person, by the address with which they sign in.
    pub email: String,
    /// How much of the usual time.
    pub factor: Option<Factor>,
    /// Minutes on top of it.
    pub extra_minutes: Option<u32>,
    /// What else they need, in words of the school: `large print`.
    pub flags: Vec<String>,
    /// For those who plan exams.
    pub note: Option<String>,
    /// The last moment of a sitting's start for which it holds; always if there is none.
    pub valid_until: Option<Moment>,
}

impl Accommodation {
    /// Its values, for an exam that starts then.
    #[must_use]
    pub fn layer(&self, starts_at: Moment) -> Layer {
        let is_valid = self.valid_until.is_none_or(|valid_until| valid_until >= starts_at);
        let Self { factor, extra_minutes, .. } = *self;
        if is_valid { Layer { factor, extra_minutes, ..Layer::default() } } else { Layer::default() }
    }
}

/// A row of the register, as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccommodationEntry {
    /// The person; empty if a single one is changed, whom the address names.
    pub email: String,
    factor: FieldChange<Factor>,
    extra_minutes: FieldChange<u32>,
    flags: FieldChange<Vec<String>>,
    note: FieldChange<String>,
    valid_until: FieldChange<LastMoment>,
}

/// Until when an accommodation holds, as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
enum LastMoment {
    At(Moment),
    /// Until the end of this day, such as `2027-07-31`, where the school is.
    Day(String),
}

impl LastMoment {
    fn read(text: &str) -> Option<Self> {
        let is_day = || Zone::site().day(text).is_some();
        Moment::parse(text).map(Self::At).or_else(|| is_day().then(|| Self::Day(text.to_owned())))
    }

    fn moment(self, zone: &Zone) -> Option<Moment> {
        match self {
            Self::At(moment) => Some(moment),
            Self::Day(text) => zone.day(&text).map(|(_, next)| next.plus(-1)),
        }
    }
}

impl AccommodationEntry {
    /// Reads a row; its faults stay in it.
    pub fn read(row: &mut ListRow<'_>) -> Self {
        let email = row.email().unwrap_or_default();
        let (factor, extra_minutes) = row.more_time();
        Self {
            email,
            factor,
            extra_minutes,
            flags: row.field("flags", "must be at most 20 short texts", |cell| flags(&cell.shown()?)),
            note: row.note("note"),
            valid_until: row
                .field("validUntil", "must be a day or a time with its zone", |cell| LastMoment::read(&cell.shown()?)),
        }
    }

    /// Reads a JSON object, whose flags are an array.
    ///
    /// # Errors
    /// The first field that is wrong.
    pub fn of_json(value: &Value) -> Result<Self, &'static str> {
        let flat = with_flat_flags(value);
        let mut row = ListRow::of_json(1, &flat, &ACCOMMODATION_HEADINGS);
        row.refuse_mistyped(value, &UnknownFields::of(std::slice::from_ref(value), &ACCOMMODATION_HEADINGS, &[]));
        let entry = Self::read(&mut row);
        row.wrong_field().map_or(Ok(entry), Err)
    }

    /// The accommodation after the change, in a school of this zone.
    #[must_use]
    pub fn applied_to(self, stored: Option<Accommodation>, zone: &Zone) -> Accommodation {
        let mut changed = stored.unwrap_or(Accommodation { email: self.email, ..Accommodation::default() });
        self.factor.apply(&mut changed.factor);
        self.extra_minutes.apply(&mut changed.extra_minutes);
        changed.flags = self.flags.or_stored(Some(changed.flags)).unwrap_or_default();
        self.note.apply(&mut changed.note);
        let valid_until = self.valid_until.map(|last| last.moment(zone));
        changed.valid_until = valid_until.or_stored(Some(changed.valid_until)).flatten();
        changed
    }
}

/// The rows of a register that can be used, and a sentence for each that can't.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct AccommodationList {
    /// Each person once.
    pub entries: Vec<AccommodationEntry>,
    /// Each begins with `Row <n>:`.
    pub errors: Vec<String>,
    /// The columns that were passed over, each once.
    pub ignored: Vec<String>,
    columns: ListColumns,
    known: HashSet<String>,
}

impl AccommodationList {
    /// Reads the elements of a JSON array.
    #[must_use]
    pub fn of_json(rows: &[Value]) -> Self {
        let mut list = Self::default();
        let fields = UnknownFields::of(rows, &ACCOMMODATION_HEADINGS, &[]);
        for (number, value) in (1..).zip(rows) {
            let flat = with_flat_flags(value);
            let mut row = ListRow::of_json(number, &flat, &ACCOMMODATION_HEADINGS);
            row.refuse_mistyped(value, &fields);
            list.take_row(row);
        }
        list.ignored = fields.ignored;
        list
    }

    /// How many columns of a header are known; 0 unless it names people.
    #[must_use]
    pub fn known_columns(header: &[SheetCell<'_>]) -> usize {
        let columns = ListColumns::of(header, &ACCOMMODATION_HEADINGS);
        if columns.mention("email") { columns.known() } else { 0 }
    }

    /// Begins a file with this header.
    ///
    /// # Errors
    /// A heading that is probably mistyped.
    pub fn begin(&mut self, header: &[SheetCell<'_>]) -> Result<(), UnclearHeading> {
        self.columns = ListColumns::of(header, &ACCOMMODATION_HEADINGS);
        self.columns.note_ignored(&mut self.ignored)
    }

    /// Takes a row below the header.
    pub fn take(&mut self, number: u32, cells: &[SheetCell<'_>]) {
        let columns = self.columns.clone();
        self.take_row(ListRow::of_cells(number, &columns, cells));
    }

    fn take_row(&mut self, mut row: ListRow<'_>) {
        let entry = AccommodationEntry::read(&mut row);
        if entry.email.is_empty() && row.fault().is_none() {
            row.refuse("email", "email required");
        }
        if !entry.email.is_empty() && !self.known.insert(entry.email.clone()) {
            row.refuse("email", format!("email {} stands in an earlier row", entry.email));
        }
        match row.fault() {
            Some(fault) => self.errors.push(fault),
            None => self.entries.push(entry),
        }
    }
}

/// In a table, flags stand in one cell with commas or semicolons between them.
fn with_flat_flags(value: &Value) -> Value {
    let mut flat = value.clone();
    if let Some(flags) = flat.get_mut("flags")
        && let Some(texts) = flags.as_array()
    {
        let texts: Option<Vec<&str>> =
            texts.iter().map(|text| text.as_str().filter(|text| !text.contains([',', ';']))).collect();
        *flags = texts.map_or(Value::Array(Vec::new()), |texts| Value::String(texts.join(";")));
        if flags.as_str() == Some("") {
            *flags = Value::Null;
        }
    }
    flat
}

fn flags(text: &str) -> Option<Vec<String>> {
    let parts = text.split([',', ';']).map(str::trim).filter(|flag| !flag.is_empty());
    let flags: Option<Vec<String>> = parts.map(text::name).collect();
    flags.filter(|flags| flags.len() <= ACCOMMODATION_FLAGS_MAX)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_list_is_read_row_by_row() {
        let list = AccommodationList::of_json(&[
            json!({ "email": "Ada@exam.test", "factor": 125, "flags": ["reader", "large print"], "validUntil": "2026-07-31" }),
            json!({ "email": "ada@exam.test" }),
            json!({ "factor": 125 }),
            json!({ "email": "bo@exam.test", "flags": [5], "extraMinutes": -1 }),
        ]);
        let ada = list.entries[0].clone().applied_to(None, &Zone::site());
        assert_eq!(
            (&*ada.email, &ada.flags[..]),
            ("ada@exam.test", &["reader".to_owned(), "large print".to_owned()][..])
        );
        assert_eq!(ada.valid_until.unwrap().iso(), "2026-07-31T23:59:59.999Z");
        assert_eq!(
            list.errors,
            [
                "Row 2: email ada@exam.test stands in an earlier row",
                "Row 3: email required",
                "Row 4: extraMinutes must be whole minutes of 0 to 600; flags must be at most 20 short texts",
            ]
        );
    }

    #[test]
    fn what_is_left_out_stays_and_what_is_null_goes() {
        let entry = |value: Value| AccommodationEntry::of_json(&value).unwrap();
        let first = entry(json!({ "email": "a@exam.test", "factor": 150, "flags": ["reader"], "note": "by the door" }))
            .applied_to(None, &Zone::site());
        let second = entry(json!({ "email": "a@exam.test", "factor": null, "extraMinutes": 10 }))
            .applied_to(Some(first), &Zone::site());
        assert_eq!((second.factor, second.extra_minutes, second.flags.len()), (None, Some(10), 1));
        assert_eq!(entry(json!({ "flags": [] })).applied_to(Some(second), &Zone::site()).flags, Vec::<String>::new());
    }

    #[test]
    fn a_day_is_one_of_the_school() {
        let until = |text: &str, zone: &str| {
            let entry = AccommodationEntry::of_json(&json!({ "factor": 125, "validUntil": text })).unwrap();
            entry.applied_to(None, &Zone::of_record(zone))
        };
        for (zone, last) in [
            ("Asia/Ho_Chi_Minh", "2026-05-05T16:59:59.999Z"),
            ("America/New_York", "2026-05-06T03:59:59.999Z"),
            ("Europe/Zurich", "2026-05-05T21:59:59.999Z"),
            ("UTC", "2026-05-05T23:59:59.999Z"),
        ] {
            let accommodation = until("2026-05-05", zone);
            let last = Moment::parse(last).unwrap();
            assert_eq!(accommodation.valid_until, Some(last), "{zone}");
            assert_eq!(accommodation.layer(last).factor, Factor::new(125));
            assert_eq!(accommodation.layer(last.plus(1)), Layer::default());
        }
        // The clocks of that day go back: it has 25 hours.
        let autumn = until("2026-11-01", "America/New_York").valid_until;
        assert_eq!(autumn, Moment::parse("2026-11-02T04:59:59.999Z"));
        let moment = until("2026-05-05T12:00:00+07:00", "America/New_York").valid_until;
        assert_eq!(moment, Moment::parse("2026-05-05T05:00:00Z"), "a moment is one everywhere");
        for refused in ["5 May", "2026-5-5", "2026-02-30"] {
            assert!(AccommodationEntry::of_json(&json!({ "validUntil": refused })).is_err(), "{refused}");
        }
    }

    #[test]
    fn it_holds_until_its_last_day() {
        let valid_until = Moment::parse("2026-07-31T00:00:00Z");
        let accommodation = Accommodation { factor: Factor::new(125), valid_until, ..Accommodation::default() };
        assert_eq!(accommodation.layer(valid_until.unwrap()).factor, Factor::new(125));
        assert_eq!(accommodation.layer(valid_until.unwrap().plus(1)), Layer::default());
    }
}
