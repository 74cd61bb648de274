//! Checked values. A rule parses the value that it checks, and handlers work with the result, so that nothing but costs
//! (which are stored as sent) is parsed twice. The parameters of a request and the data of a record within an event
//! have the same form here.

use std::collections::BTreeMap;

use domain::calendar::dates::SentDate;
use domain::calendar::exam::Exam;
use domain::calendar::rights::ListedStatuses;
use domain::calendar::status::Status;
use domain::calendar::zones::Zone;

use crate::calendar::store::records::TermWish;

/// What a rule made of a value.
#[derive(Debug)]
pub enum ParsedValue {
    /// Not of the parameter's type. Some rules leave it to the check of types to refuse such a value.
    Unread,
    Text(String),
    Number(i64),
    Truth(bool),
    /// `None` is an empty text.
    Degrees(Option<f64>),
    Date(SentDate),
    /// An empty text is the site's zone.
    Zone(Zone),
    Status(Status),
    Statuses(ListedStatuses),
    Numbers(Vec<i64>),
    /// Numbers or slugs.
    Items(Vec<String>),
    /// The link of a picture. `None` removes the picture.
    Image(Option<String>),
    /// The texts of a cost as they were sent.
    Cost(Vec<String>),
    /// `None` removes the exam.
    Exam(Option<Exam>),
    Links(Vec<Wanted>),
    Wishes(Vec<TermWish>),
}

/// A venue or an organizer of an event as it was sent.
#[derive(Debug)]
pub enum Wanted {
    /// An existing record.
    Number(i64),
    /// The fields of a new record.
    Data(ParsedValues),
}

/// Checked values by the names of their parameters.
#[derive(Debug, Default)]
pub struct ParsedValues(BTreeMap<&'static str, ParsedValue>);

impl ParsedValues {
    pub(super) fn insert(&mut self, name: &'static str, value: ParsedValue) {
        self.0.insert(name, value);
    }

    /// Returns whether a value was sent.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        if let ParsedValue::Text(text) = self.0.get(name)? { Some(text) } else { None }
    }

    #[must_use]
    pub fn number(&self, name: &str) -> Option<i64> {
        if let ParsedValue::Number(number) = self.0.get(name)? { Some(*number) } else { None }
    }

    #[must_use]
    pub fn truth(&self, name: &str) -> Option<bool> {
        if let ParsedValue::Truth(truth) = self.0.get(name)? { Some(*truth) } else { None }
    }

    /// Degrees north or east. The inner `None` is an empty text.
    #[must_use]
    pub fn degrees(&self, name: &str) -> Option<Option<f64>> {
        if let ParsedValue::Degrees(degrees) = self.0.get(name)? { Some(*degrees) } else { None }
    }

    #[must_use]
    pub fn date(&self, name: &str) -> Option<SentDate> {
        if let ParsedValue::Date(date) = self.0.get(name)? { Some(*date) } else { None }
    }

    #[must_use]
    pub fn zone(&self, name: &str) -> Option<&Zone> {
        if let ParsedValue::Zone(zone) = self.0.get(name)? { Some(zone) } else { None }
    }

    #[must_use]
    pub fn status(&self, name: &str) -> Option<Status> {
        if let ParsedValue::Status(status) = self.0.get(name)? { Some(*status) } else { None }
    }

    /// Statuses that the caller may list.
    #[must_use]
    pub fn statuses(&self, name: &str) -> Option<&ListedStatuses> {
        if let ParsedValue::Statuses(statuses) = self.0.get(name)? { Some(statuses) } else { None }
    }

    #[must_use]
    pub fn numbers(&self, name: &str) -> Option<&[i64]> {
        if let ParsedValue::Numbers(numbers) = self.0.get(name)? { Some(numbers) } else { None }
    }

    /// Numbers or slugs of terms.
    #[must_use]
    pub fn items(&self, name: &str) -> Option<&[String]> {
        if let ParsedValue::Items(items) = self.0.get(name)? { Some(items) } else { None }
    }

    /// The link of a picture. The inner `None` removes the picture.
    #[must_use]
    pub fn image(&self, name: &str) -> Option<Option<&str>> {
        if let ParsedValue::Image(link) = self.0.get(name)? { Some(link.as_deref()) } else { None }
    }

    /// The texts of a cost as they were sent.
    #[must_use]
    pub fn cost(&self, name: &str) -> Option<&[String]> {
        if let ParsedValue::Cost(texts) = self.0.get(name)? { Some(texts) } else { None }
    }

    /// The exam of an event. The inner `None` removes the exam.
    #[must_use]
    pub fn exam(&self, name: &str) -> Option<Option<Exam>> {
        if let ParsedValue::Exam(exam) = self.0.get(name)? { Some(*exam) } else { None }
    }

    /// The venues or organizers of an event.
    #[must_use]
    pub fn links(&self, name: &str) -> Option<&[Wanted]> {
        if let ParsedValue::Links(links) = self.0.get(name)? { Some(links) } else { None }
    }

    /// The categories or tags of an event.
    #[must_use]
    pub fn wishes(&self, name: &str) -> Option<&[TermWish]> {
        if let ParsedValue::Wishes(wishes) = self.0.get(name)? { Some(wishes) } else { None }
    }
}
