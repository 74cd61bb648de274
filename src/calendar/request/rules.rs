//! The rules for values that can be checked without the database. Each parses the value that it checks.

use domain::calendar::cost::{Cost, number_text};
use domain::calendar::dates::SentDate;
use domain::calendar::exam::Exam;
use domain::calendar::rights::Rights;
use domain::calendar::status::Status;
use domain::calendar::zones::Zone;
use domain::calendar::{slug, truth, values};
use domain::text;
use domain::time::moment::Moment;
use serde_json::Value;

use super::parsed::ParsedValue;
use super::references;
use super::sent::{list_of, text_of, whole_number};
use super::table::ValueRule;

/// Items of one list of numbers or slugs, such as `include`: each is looked up in the database.
pub const ITEMS_MAX: usize = 500;

/// What a rule makes of a value; `None` if the value breaks the rule. If it names a record, this says only that such a
/// record may exist.
pub(super) fn parse(rule: ValueRule, value: &Value, rights: Rights, now: Moment) -> Option<ParsedValue> {
    if has_nul(value) {
        return None;
    }
    match rule {
        ValueRule::Anything => Some(text_of(value).map_or(ParsedValue::Unread, ParsedValue::Text)),
        ValueRule::Truth => Some(truth::checked(value).map_or(ParsedValue::Unread, ParsedValue::Truth)),
        ValueRule::Flag => Some(ParsedValue::Truth(truth::loose(value))),
        ValueRule::Ticketed => (!truth::loose(value)).then_some(ParsedValue::Truth(false)),
        // A number that is too large for any record becomes 0, which no record has.
        ValueRule::Place(_) | ValueRule::PlaceTerm(_) => {
            Some(ParsedValue::Number(whole_number(value).unwrap_or_default()))
        }
        ValueRule::PlaceSlug(_) => value.as_str().map(|text| ParsedValue::Text(slug::of(text))),
        ValueRule::Positive | ValueRule::Author | ValueRule::Event => {
            whole_number(value).filter(|number| *number > 0).map(ParsedValue::Number)
        }
        ValueRule::Parent => number_from(1, value),
        ValueRule::ParentOrNone => number_from(0, value),
        ValueRule::Positives | ValueRule::Records(_) => {
            let number = |item: &String| item.parse().ok().filter(|number: &i64| *number > 0);
            items(value)?.iter().map(number).collect::<Option<_>>().map(ParsedValue::Numbers)
        }
        ValueRule::Terms(_) => {
            items(value).filter(|items| items.iter().all(|item| !item.is_empty())).map(ParsedValue::Items)
        }
        ValueRule::Number => degrees(value).map(|number| ParsedValue::Degrees(Some(number))),
        ValueRule::Degrees(_) if value == "" => Some(ParsedValue::Degrees(None)),
        ValueRule::Degrees(most) => degrees(value)
            .filter(|degrees| degrees.abs() <= f64::from(most))
            .map(|degrees| ParsedValue::Degrees(Some(degrees))),
        ValueRule::Date if value.is_number() => Some(ParsedValue::Unread),
        ValueRule::Date => SentDate::parse(value.as_str()?, now).map(ParsedValue::Date),
        ValueRule::Title => text_that(value, values::is_title),
        ValueRule::Body => text_that(value, values::is_body),
        ValueRule::BodyOrEmpty => text_that(value, values::is_optional_body),
        ValueRule::Search => text_that(value, values::is_search),
        ValueRule::Detail | ValueRule::LinkOrEmpty | ValueRule::ImageOrEmpty if !value.is_string() => {
            Some(ParsedValue::Unread)
        }
        ValueRule::Detail => text_that(value, values::is_detail),
        ValueRule::LinkOrEmpty => text_that(value, values::is_website),
        ValueRule::ImageOrEmpty if value == "" => Some(ParsedValue::Image(None)),
        ValueRule::Image | ValueRule::ImageOrEmpty => image(value),
        ValueRule::Zone => {
            let name = value.as_str()?;
            if name.is_empty() { Some(Zone::site()) } else { Zone::parse(name) }.map(ParsedValue::Zone)
        }
        ValueRule::Status => Status::parse(value.as_str()?).map(ParsedValue::Status),
        ValueRule::Statuses => {
            let items = list_of(value);
            rights.listed(Some(&items.iter().map(String::as_str).collect::<Vec<_>>())).map(ParsedValue::Statuses)
        }
        ValueRule::Exam => Exam::read(value).map(ParsedValue::Exam),
        ValueRule::Cost => Cost::read(value)
            .map(|_| costs(value))
            .filter(|costs| costs.iter().all(|cost| !text::has_control_beside_lines(cost)))
            .map(ParsedValue::Cost),
        ValueRule::Venue => references::venues(value, now).map(ParsedValue::Links),
        ValueRule::Organizers => references::organizers(value, now).map(ParsedValue::Links),
        ValueRule::Wishes => references::wishes(value).map(ParsedValue::Wishes),
    }
}

/// Returns whether a text in the value has a NUL character, which Postgres does not store.
fn has_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(items) => items.iter().any(has_nul),
        Value::Object(fields) => fields.iter().any(|(name, value)| name.contains('\0') || has_nul(value)),
        _ => false,
    }
}

/// A whole number that is not less than another one. What is no whole number is left to the check of types.
fn number_from(least: i64, value: &Value) -> Option<ParsedValue> {
    match whole_number(value) {
        None => Some(ParsedValue::Unread),
        Some(number) => (number >= least).then_some(ParsedValue::Number(number)),
    }
}

/// A finite number with or without a fraction, even if it was sent as a text.
fn degrees(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|number: &f64| number.is_finite())
}

fn text_that(value: &Value, is_right: impl FnOnce(&str) -> bool) -> Option<ParsedValue> {
    value.as_str().filter(|text| is_right(text)).map(|text| ParsedValue::Text(text.to_owned()))
}

/// A picture. `false`, which an event without a picture shows, removes it. An object is the form in which answers show
/// it, and stands for its link. Other values are left to the check of types.
fn image(value: &Value) -> Option<ParsedValue> {
    let link = match value {
        Value::String(link) => Some(link.as_str()),
        Value::Object(shown) => shown.get("url").and_then(Value::as_str),
        Value::Bool(false) => return Some(ParsedValue::Image(None)),
        _ => return Some(ParsedValue::Unread),
    };
    link.filter(|link| values::is_image(link)).map(|link| ParsedValue::Image(Some(link.to_owned())))
}

/// The texts of a cost. They are read again each time the cost is shown.
fn costs(value: &Value) -> Vec<String> {
    let text = |value: &Value| match value {
        Value::Number(number) => Some(number_text(number)),
        value => text_of(value),
    };
    match value {
        Value::Array(items) => items.iter().filter_map(text).collect(),
        value => text(value).into_iter().collect(),
    }
}

/// The items of a list; `None` if there are none or too many, or if one is neither a text nor a number.
fn items(value: &Value) -> Option<Vec<String>> {
    let items = list_of(value);
    let is_whole = match value {
        Value::Array(sent) => sent.len() == items.len(),
        Value::Object(sent) => sent.len() == items.len(),
        _ => true,
    };
    (is_whole && (1..=ITEMS_MAX).contains(&items.len())).then_some(items)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(rule: ValueRule, value: &Value) -> Option<ParsedValue> {
        parse(rule, value, Rights::Visitor, Moment::from_milliseconds(1_800_000_000_000))
    }

    #[test]
    fn some_values_are_left_to_the_check_of_types() {
        for (rule, value) in [
            (ValueRule::Date, json!(1_799_571_600)),
            (ValueRule::Truth, json!("maybe")),
            (ValueRule::Parent, json!("text")),
            (ValueRule::Detail, json!(5)),
            (ValueRule::LinkOrEmpty, json!(true)),
            (ValueRule::Image, json!(28)),
            (ValueRule::ImageOrEmpty, json!({ "url": "https://a.example/b.png" })),
        ] {
            assert!(matches!(read(rule, &value), Some(ParsedValue::Unread)), "{rule:?} {value}");
        }
        for (rule, value) in [(ValueRule::Title, json!(5)), (ValueRule::Zone, json!(1)), (ValueRule::Date, json!(true))]
        {
            assert!(read(rule, &value).is_none(), "{rule:?} {value}");
        }
    }

    #[test]
    fn pictures_have_three_forms() {
        let link = "https://a.example/b.png";
        for value in [json!(link), json!({ "url": link, "id": 5 })] {
            let parsed = read(ValueRule::Image, &value);
            assert!(matches!(parsed, Some(ParsedValue::Image(Some(parsed))) if parsed == link), "{value}");
        }
        assert!(matches!(read(ValueRule::Image, &json!(false)), Some(ParsedValue::Image(None))));
        assert!(matches!(read(ValueRule::ImageOrEmpty, &json!("")), Some(ParsedValue::Image(None))));
        for value in [json!(""), json!({}), json!({ "url": 5 })] {
            assert!(read(ValueRule::Image, &value).is_none(), "{value}");
        }
    }

    #[test]
    fn lists_have_items_of_one_kind() {
        for value in [json!("1, 2"), json!([1, "2"]), json!({ "a": 1, "b": 2 })] {
            let parsed = read(ValueRule::Positives, &value);
            assert!(matches!(parsed, Some(ParsedValue::Numbers(numbers)) if numbers == [1, 2]), "{value}");
        }
        for value in [json!([]), json!([1, null]), json!([1, [2]]), json!("1,x"), json!([0]), json!(vec![1; 501])] {
            assert!(read(ValueRule::Positives, &value).is_none(), "{value}");
        }
    }
}
