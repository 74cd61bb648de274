//! Records and terms that the fields of an event name: their numbers, or the data of new ones.

use domain::calendar::rights::Rights;
use domain::calendar::values;
use domain::text;
use domain::time::moment::Moment;
use serde_json::{Map, Value};

use super::parsed::{ParsedValues, Wanted};
use super::sent::{list_of, whole_number};
use super::table::ValueRule;
use super::{rules, tables};
use crate::calendar::request::routes::{Group, Route, Verb};
use crate::calendar::store::records::{RecordKind, TermWish};

/// Venues or organizers that one event names. Each may be a new record, and lists show all of them with each event.
const LINKS_MAX: usize = 20;

/// Categories or tags that an event is given at once. Each may be a new term.
const WISHES_MAX: usize = 100;

/// The venues that were sent; an event uses only the first. The list is empty if the value removes the venue. `None` if
/// an item is neither a number nor the data of a venue.
#[must_use]
pub fn venues(value: &Value, now: Moment) -> Option<Vec<Wanted>> {
    read(value, RecordKind::Venue, now)
}

/// The organizers that were sent. `None` if an item is neither a number nor the data of an organizer.
#[must_use]
pub fn organizers(value: &Value, now: Moment) -> Option<Vec<Wanted>> {
    read(value, RecordKind::Organizer, now)
}

fn read(value: &Value, kind: RecordKind, now: Moment) -> Option<Vec<Wanted>> {
    let wanted: Vec<Wanted> = match value {
        // A form sends an empty item to empty a list.
        Value::Array(items) if items.len() <= LINKS_MAX => {
            items.iter().filter(|item| **item != "").map(|item| one(item, kind, now)).collect::<Option<_>>()?
        }
        Value::Object(_) => vec![one(value, kind, now)?],
        Value::Number(_) => vec![Wanted::Number(whole_number(value)?)],
        Value::String(text) if text.trim().is_empty() => Vec::new(),
        Value::String(_) => {
            let numbers = list_of(value)
                .into_iter()
                .map(|item| item.parse().ok().map(Wanted::Number))
                .collect::<Option<Vec<_>>>()?;
            Some(numbers).filter(|numbers| numbers.len() <= LINKS_MAX)?
        }
        _ => return None,
    };
    // 0 means none.
    Some(wanted.into_iter().filter(|wanted| !matches!(wanted, Wanted::Number(0))).collect())
}

fn one(item: &Value, kind: RecordKind, now: Moment) -> Option<Wanted> {
    let Value::Object(fields) = item else {
        return whole_number(item).filter(|number| *number >= 0).map(Wanted::Number);
    };
    if let Some(id) = fields.get("id").filter(|id| !id.is_null()) {
        return whole_number(id).map(Wanted::Number);
    }
    data(fields, kind, now).map(Wanted::Data)
}

/// The fields of a new record of this kind; `None` if one is missing or invalid.
fn data(fields: &Map<String, Value>, kind: RecordKind, now: Moment) -> Option<ParsedValues> {
    let table = tables::of(Route::All(Group::Records(kind)), Verb::Create);
    let mut values = ParsedValues::default();
    for parameter in table.iter() {
        match fields.get(parameter.name).filter(|value| !value.is_null()) {
            None if parameter.is_required => return None,
            None => {}
            // A flag may be sent in the form in which answers show it, although its type is a text.
            Some(value) => {
                let has_type = !parameter.is_typed || parameter.rule == ValueRule::Flag || parameter.has_type(value);
                if !has_type {
                    return None;
                }
                values.insert(parameter.name, rules::parse(parameter.rule, value, Rights::Visitor, now)?);
            }
        }
    }
    Some(values)
}

/// The terms that the event should have. `None` if an item is neither a number nor a text, or if there are too many.
/// Items are counted before any is read, because the caller may still be a visitor.
#[must_use]
pub fn wishes(value: &Value) -> Option<Vec<TermWish>> {
    let items: Vec<String> = match value {
        Value::Array(items) if items.len() > WISHES_MAX => return None,
        Value::Object(items) if items.len() > WISHES_MAX => return None,
        Value::String(text) if text.split(',').nth(WISHES_MAX).is_some() || text::has_control(text) => return None,
        Value::Array(items) => items.iter().map(item).collect::<Option<_>>()?,
        Value::Object(items) => items.values().map(item).collect::<Option<_>>()?,
        Value::String(_) => list_of(value),
        value => vec![item(value)?],
    };
    if items.iter().any(|item| text::has_control(item)) {
        return None;
    }
    let items = items.into_iter().map(|item| item.trim().to_owned()).filter(|item| !item.is_empty());
    let wish = |item: String| match values::digits(&item) {
        Some(id) => Some(TermWish::Id(id)),
        None => values::is_title(&item)
            .then(|| values::term_name(&item))
            .filter(|name| !name.is_empty())
            .map(TermWish::Named),
    };
    items.map(wish).collect()
}

fn item(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) => whole_number(value).map(|number| number.to_string()),
        _ => None,
    }
}
