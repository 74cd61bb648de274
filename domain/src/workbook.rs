//! Questions as rows of a sheet: the columns of its header, and what each row gives for the fields of a question.

use std::borrow::Cow;

use super::exchange::draft::RowDraft;
use super::exchange::{GivenFields, Heading, PRACTICE, RowErrors, SECURE, is_like_practice, is_like_secure};
use super::sheet_cell::SheetCell;
use super::text::heading::{self, UnclearHeading};

/// Why a row can't be the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeaderError {
    /// Required columns are missing; these are their names.
    Missing(Vec<&'static str>),
    /// Two columns have this name.
    Repeated(&'static str),
    /// A column was probably meant to have another name.
    Unclear(UnclearHeading),
}

/// The position of each column in a sheet.
#[derive(Clone, Debug)]
pub struct SheetColumns {
    fields: [Option<usize>; Heading::COUNT],
    secure: Option<usize>,
    practice: Option<usize>,
    ignored: Vec<String>,
}

impl SheetColumns {
    /// Finds the columns in a header row. Case, accents and what stands between words do not count in their names.
    ///
    /// # Errors
    /// When a required column is missing, a column occurs twice, or one was probably meant to have another name.
    pub fn find(header: &[SheetCell<'_>]) -> Result<Self, HeaderError> {
        let texts: Vec<Cow<'_, str>> = header.iter().map(|cell| cell.shown().unwrap_or_default()).collect();
        let names: Vec<String> = texts.iter().map(|text| heading::plain(text)).collect();
        let place = |column: &str| names.iter().position(|name| *name == heading::plain(column));
        let mut columns = Self {
            fields: Heading::ALL.map(|column| place(column.name())),
            secure: place(SECURE),
            practice: place(PRACTICE),
            ignored: Vec::new(),
        };
        columns.pass_over_unknown(&texts, &names)?;
        let missing: Vec<_> =
            Heading::REQUIRED.into_iter().filter(|column| !columns.have(*column)).map(Heading::name).collect();
        if !missing.is_empty() {
            return Err(HeaderError::Missing(missing));
        }
        let is_repeated = |column: &&str| names.iter().filter(|name| **name == heading::plain(column)).count() > 1;
        let mut all = Heading::ALL.into_iter().map(Heading::name).chain([SECURE, PRACTICE]);
        all.find(is_repeated).map_or(Ok(columns), |column| Err(HeaderError::Repeated(column)))
    }

    /// Notes the columns that nobody knows. Only a row with half of the required columns is a header in which one can
    /// be mistyped.
    fn pass_over_unknown(&mut self, texts: &[Cow<'_, str>], names: &[String]) -> Result<(), HeaderError> {
        let mut unclear = None;
        for (text, name) in texts.iter().zip(names).filter(|(_, name)| !name.is_empty()) {
            let is_mark = [SECURE, PRACTICE].contains(&name.as_str());
            let is_known = is_mark || Heading::ALL.iter().any(|column| heading::plain(column.name()) == *name);
            if is_known {
                continue;
            }
            match self.meant(name) {
                Some(meant) => drop(unclear.get_or_insert(UnclearHeading { heading: heading::shown(text), meant })),
                None => self.ignored.push(heading::shown(text)),
            }
        }
        let is_meant = |column: &&Heading| unclear.as_ref().is_some_and(|unclear| unclear.meant == column.name());
        let found = Heading::REQUIRED.iter().filter(|column| self.have(**column) || is_meant(column)).count();
        match unclear {
            Some(unclear) if found * 2 >= Heading::REQUIRED.len() => Err(HeaderError::Unclear(unclear)),
            _ => Ok(()),
        }
    }

    /// The column that an unknown name was probably meant to be. What is like `secure` always is: a question for exams
    /// alone must not become public by a slip of the hand.
    fn meant(&self, name: &str) -> Option<&'static str> {
        if is_like_secure(name) {
            return Some(SECURE);
        }
        // Nor its key by another one.
        if is_like_practice(name) {
            return Some(PRACTICE);
        }
        // Without types no question is a number, and what is like a unit or a language is something else.
        let may_be = |column: &Heading| self.have(Heading::Type) || !Heading::OF_NUMBERS.contains(column);
        let is_like = |column: &Heading| {
            !self.have(*column) && may_be(column) && heading::resembles(name, &heading::plain(column.name()))
        };
        Heading::ALL.into_iter().find(is_like).map(Heading::name)
    }

    /// The headings of the columns that are passed over.
    #[must_use]
    pub fn ignored(&self) -> &[String] {
        &self.ignored
    }

    /// The fields for which the sheet has a column.
    #[must_use]
    pub fn given(&self) -> GivenFields {
        GivenFields::of(|column| self.have(column))
    }

    /// Returns whether the sheet has this column.
    #[must_use]
    pub fn have(&self, column: Heading) -> bool {
        self.place(column).is_some()
    }

    /// Returns whether the row is empty in all columns.
    #[must_use]
    pub fn are_empty(&self, row: &[SheetCell<'_>]) -> bool {
        Heading::ALL.into_iter().all(|column| self.cell(row, column).is_empty())
    }

    /// Reads a row.
    ///
    /// # Errors
    /// All faults of the row's cells.
    pub fn draft(&self, row: &[SheetCell<'_>]) -> Result<RowDraft, RowErrors> {
        let mark = |place: Option<usize>| place.and_then(|place| row.get(place)).unwrap_or(&SheetCell::Empty);
        RowDraft::read(|column| self.cell(row, column), [mark(self.secure), mark(self.practice)])
    }

    fn place(&self, column: Heading) -> Option<usize> {
        self.fields.get(column as usize).copied().flatten()
    }

    fn cell<'a>(&self, row: &'a [SheetCell<'a>], column: Heading) -> &'a SheetCell<'a> {
        self.place(column).and_then(|place| row.get(place)).unwrap_or(&SheetCell::Empty)
    }
}

#[cfg(test)]
mod tests;
