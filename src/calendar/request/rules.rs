//! The rules for values that can be checked without the database.

use domain::calendar::cost::Cost;
use domain::calendar::exam::Exam;
use domain::calendar::rights::Rights;
use domain::calendar::status::Status;
use domain::calendar::zones::Zone;
use domain::calendar::{dates, truth, values};
use domain::time::moment::Moment;
use serde_json::Value;

use super::parameters::{list_of, whole_number};
use super::references;
use super::table::ValueRule;

/// Items of one list of numbers or slugs, such as `include`: each is looked up in the database.
pub const ITEMS_MAX: usize = 500;

/// Whether a value keeps a rule. If the value names a record, this says only whether such a record may exist.
pub(super) fn is_kept(rule: ValueRule, value: &Value, rights: Rights, now: Moment) -> bool {
    match rule {
        ValueRule::Anything | ValueRule::Place(_) | ValueRule::PlaceSlug(_) | ValueRule::PlaceTerm(_) => true,
        ValueRule::Positive | ValueRule::Author | ValueRule::Event => {
            whole_number(value).is_some_and(|number| number > 0)
        }
        ValueRule::Parent => whole_number(value).is_none_or(|number| number > 0),
        ValueRule::ParentOrNone => whole_number(value).is_none_or(|number| number >= 0),
        ValueRule::Positives | ValueRule::Records(_) => {
            has_items(value) && list_of(value).iter().all(|item| item.parse::<i64>().is_ok_and(|number| number > 0))
        }
        ValueRule::Terms(_) => has_items(value) && list_of(value).iter().all(|item| !item.is_empty()),
        ValueRule::Number => degrees(value).is_some(),
        ValueRule::Degrees(most) => {
            is_text(value, str::is_empty) || degrees(value).is_some_and(|degrees| degrees.abs() <= f64::from(most))
        }
        // A number passes here. The check of types refuses it.
        ValueRule::Date => value.is_number() || is_text(value, |text| dates::is_readable(text, now)),
        ValueRule::Title => is_text(value, values::is_title),
        ValueRule::Body => is_text(value, values::is_body),
        ValueRule::BodyOrEmpty => is_text(value, values::is_optional_body),
        ValueRule::Search => is_text(value, values::is_search),
        // Values that are not texts pass here. The check of types refuses them.
        ValueRule::Detail => !value.is_string() || is_text(value, values::is_detail),
        ValueRule::LinkOrEmpty => !value.is_string() || is_text(value, values::is_website),
        ValueRule::Image => {
            !value.is_string() && !value.is_object() || values::is_image(shown_link(value).unwrap_or_default())
        }
        ValueRule::ImageOrEmpty => {
            !value.is_string() || is_text(value, |text| text.is_empty() || values::is_image(text))
        }
        ValueRule::Zone => is_text(value, |text| text.is_empty() || Zone::parse(text).is_some()),
        ValueRule::Status => is_text(value, |text| Status::parse(text).is_some()),
        ValueRule::Statuses => {
            let items = list_of(value);
            rights.listed(Some(&items.iter().map(String::as_str).collect::<Vec<_>>())).is_some()
        }
        ValueRule::Ticketed => !truth::loose(value),
        ValueRule::Exam => Exam::read(value).is_some(),
        ValueRule::Cost => Cost::read(value).is_some(),
        ValueRule::Venue => references::venues(value, now).is_some(),
        ValueRule::Organizers => references::organizers(value, now).is_some(),
        ValueRule::Wishes => references::wishes(value).is_some(),
    }
}

/// The link of a picture, in the form in which it is sent or in which answers show it.
fn shown_link(value: &Value) -> Option<&str> {
    value.get("url").unwrap_or(value).as_str()
}

/// A finite number with or without a fraction, even if it was sent as a text.
#[must_use]
pub fn degrees(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|number: &f64| number.is_finite())
}

fn is_text(value: &Value, is_right: impl FnOnce(&str) -> bool) -> bool {
    value.as_str().is_some_and(is_right)
}

fn has_items(value: &Value) -> bool {
    let items = match value {
        Value::Array(items) => items.len(),
        Value::Object(items) => items.len(),
        value => list_of(value).len(),
    };
    items == list_of(value).len() && (1..=ITEMS_MAX).contains(&items)
}
