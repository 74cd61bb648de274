//! Lists of people as callers send them: JSON, a table, or several files of a school's system in one form.

use actix_web::web::block;
use domain::sheet_cell::SheetCell;
use domain::sitting::accommodation::{ACCOMMODATIONS_MAX, AccommodationList};
use domain::sitting::class::CLASS_PEOPLE_MAX;
use domain::sitting::roster::{CANDIDATES_OF_SITTING_MAX, PLACE_FIELDS, Roster, RosterReader};
use domain::text::heading::UnclearHeading;

use crate::error::Error;
use crate::http::upload::{Upload, Uploaded};
use crate::sheets::book::FILE_BYTES_MAX;
use crate::sheets::table::{TableFacts, TableReader, read_table};
use crate::sheets::turns::{WorkbookTurnstile, turn};
use crate::sittings::fields::rows;

/// Files of one form: those of users and of enrolments, each for several schools.
const LIST_FILES_MAX: usize = 8;
const TOO_MANY_ROWS: &str = "The list has more than 20,000 rows";
/// The answer to a list with which a class would have more people than it may have.
pub const CLASS_TOO_LARGE: &str = "A class has at most 1,000 people";

impl TableReader for RosterReader {
    fn known_columns(header: &[SheetCell<'_>]) -> usize {
        Self::known_columns(header)
    }

    fn missing() -> &'static str {
        "email or externalId"
    }

    fn begin(&mut self, header: &[SheetCell<'_>]) -> Result<(), UnclearHeading> {
        Self::begin(self, header)
    }

    fn take(&mut self, number: u32, cells: &[SheetCell<'_>]) {
        Self::take(self, number, cells);
    }
}

impl TableReader for AccommodationList {
    fn known_columns(header: &[SheetCell<'_>]) -> usize {
        Self::known_columns(header)
    }

    fn missing() -> &'static str {
        "email"
    }

    fn begin(&mut self, header: &[SheetCell<'_>]) -> Result<(), UnclearHeading> {
        Self::begin(self, header)
    }

    fn take(&mut self, number: u32, cells: &[SheetCell<'_>]) {
        Self::take(self, number, cells);
    }
}

/// A list, and what is told of its file.
pub struct ListFile<List> {
    pub list: List,
    pub facts: TableFacts,
}

/// Reads a roster; of files about several classes, only those of `class` if it is given.
pub async fn roster(
    upload: Upload,
    class: Option<String>,
    turns: &WorkbookTurnstile,
) -> Result<ListFile<Roster>, Error> {
    let read = match read(upload, turns, RosterReader::of_class(class), "candidates").await? {
        Read::Json(rows) => ListFile { list: Roster::of_json(&rows), facts: TableFacts::default() },
        Read::Files(reader, facts) => finished(reader, facts)?,
    };
    within(read)
}

/// Reads the people of a class in the same way; what a roster says of their places in a sitting is passed over.
pub async fn people(
    upload: Upload,
    class: Option<String>,
    turns: &WorkbookTurnstile,
) -> Result<ListFile<Roster>, Error> {
    let reader = RosterReader::of_class(class).without(&PLACE_FIELDS);
    let read = match read(upload, turns, reader, "people").await? {
        Read::Json(rows) => {
            ListFile { list: Roster::of_json_without(&rows, &PLACE_FIELDS), facts: TableFacts::default() }
        }
        Read::Files(reader, facts) => finished(reader, facts)?,
    };
    // Rows that can't be read may be about other classes of the same file.
    if read.list.entries.len() > CLASS_PEOPLE_MAX {
        return Err(Error::Invalid(CLASS_TOO_LARGE.to_owned()));
    }
    within(read)
}

fn finished(reader: RosterReader, facts: TableFacts) -> Result<ListFile<Roster>, Error> {
    let missing = || Error::Invalid("Missing columns: email or externalId".to_owned());
    Ok(ListFile { list: reader.finish().ok_or_else(missing)?, facts })
}

fn within(read: ListFile<Roster>) -> Result<ListFile<Roster>, Error> {
    let is_too_long = read.list.entries.len() + read.list.errors.len() > CANDIDATES_OF_SITTING_MAX;
    if is_too_long { Err(Error::Invalid(TOO_MANY_ROWS.to_owned())) } else { Ok(read) }
}

/// Reads a register of accommodations.
pub async fn accommodations(upload: Upload, turns: &WorkbookTurnstile) -> Result<ListFile<AccommodationList>, Error> {
    let (list, facts) = match read(upload, turns, AccommodationList::default(), "accommodations").await? {
        Read::Json(rows) => (AccommodationList::of_json(&rows), TableFacts::default()),
        Read::Files(list, facts) => (list, facts),
    };
    let is_too_long = list.entries.len() + list.errors.len() > ACCOMMODATIONS_MAX;
    if is_too_long { Err(Error::Invalid(TOO_MANY_ROWS.to_owned())) } else { Ok(ListFile { list, facts }) }
}

enum Read<Reader> {
    Json(Vec<serde_json::Value>),
    Files(Reader, TableFacts),
}

async fn read<Reader: TableReader + Send + 'static>(
    upload: Upload,
    turns: &WorkbookTurnstile,
    mut reader: Reader,
    name: &'static str,
) -> Result<Read<Reader>, Error> {
    // A place is taken before the file is received, so that waiting files can't fill the memory. JSON needs no turn.
    let place = turns.join_with_list()?;
    let files = match upload.files_or_body(LIST_FILES_MAX, FILE_BYTES_MAX).await? {
        Uploaded::Files(files) => files,
        Uploaded::Body(body, is_json) if is_json || begins_as_json(&body) => return Ok(Read::Json(rows(&body, name)?)),
        Uploaded::Body(body, _) => vec![body],
    };
    let turn = turn(place).await?;
    let reading = block(move || {
        let read = files.into_iter().try_fold(TableFacts::default(), |facts, file| {
            read_table(file, &mut reader).map(|of_file| facts.with(of_file))
        });
        drop(turn);
        read.map(|facts| (reader, facts))
    });
    let (reader, facts) = reading.await.map_err(Error::internal)??;
    Ok(Read::Files(reader, facts))
}

fn begins_as_json(body: &[u8]) -> bool {
    matches!(body.trim_ascii_start().first(), Some(b'{' | b'['))
}
