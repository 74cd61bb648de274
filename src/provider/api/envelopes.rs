//! Reads lists and single objects from external services: bare, as the contract has them, or inside an object under
//! their usual name. Invalid entries are left out, so that one bad entry does not cost the others.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::failure::ProviderFailure;

/// Returns the valid entries of a list.
///
/// # Errors
/// When the value is not a list.
pub fn list<T>(
    value: Value,
    name: &'static str,
    understand: impl Fn(Value) -> Option<T>,
) -> Result<Vec<T>, ProviderFailure> {
    let entries = entries(value, name)?;
    let count = entries.len();
    let understood: Vec<T> = entries.into_iter().filter_map(understand).collect();
    tell_left_out(name, count - understood.len());
    Ok(understood)
}

/// Returns the valid entries of a list and the number of those left out, which the caller reports.
///
/// # Errors
/// When the value is not a list, or when it has entries and none is valid: such a list must not count as an empty one.
pub fn list_with_sense<T>(
    value: Value,
    name: &str,
    understand: impl Fn(Value) -> Option<T>,
) -> Result<(Vec<T>, usize), ProviderFailure> {
    let entries = entries(value, name)?;
    let count = entries.len();
    let understood: Vec<T> = entries.into_iter().filter_map(understand).collect();
    let left_out = count - understood.len();
    if understood.is_empty() && left_out > 0 { Err(ProviderFailure::Unreadable) } else { Ok((understood, left_out)) }
}

/// Returns the valid entries of a map by their keys.
///
/// # Errors
/// When the value is not a map.
pub fn map<T: DeserializeOwned>(value: Value, name: &'static str) -> Result<BTreeMap<String, T>, ProviderFailure> {
    let entries = bare_map(value, name)?;
    let count = entries.len();
    let understood: BTreeMap<String, T> =
        entries.into_iter().filter_map(|(key, entry)| Some((key, sound(entry)?))).collect();
    tell_left_out(name, count - understood.len());
    Ok(understood)
}

/// Reads a single object.
///
/// # Errors
/// When it is invalid.
pub fn one<T: DeserializeOwned>(value: Value, name: &str) -> Result<T, ProviderFailure> {
    let inner = match value {
        Value::Object(mut fields) if fields.len() == 1 && fields.contains_key(name) => {
            fields.remove(name).unwrap_or_default()
        }
        value => value,
    };
    sound(inner).ok_or(ProviderFailure::Unreadable)
}

/// Reads an entry. Returns `None` when it is invalid or cannot be stored in a database.
pub fn sound<T: DeserializeOwned>(entry: Value) -> Option<T> {
    if has_nul(&entry) { None } else { serde_json::from_value(entry).ok() }
}

fn entries(value: Value, name: &str) -> Result<Vec<Value>, ProviderFailure> {
    match value {
        Value::Array(entries) => Ok(entries),
        Value::Object(mut fields) => match fields.remove(name) {
            Some(Value::Array(entries)) => Ok(entries),
            _ => Err(ProviderFailure::Unreadable),
        },
        _ => Err(ProviderFailure::Unreadable),
    }
}

/// Unwraps a map. A bare map may contain an entry that happens to have this name. Such an entry has a status, which a
/// map of entries does not have.
fn bare_map(value: Value, name: &str) -> Result<Map<String, Value>, ProviderFailure> {
    let Value::Object(mut fields) = value else { return Err(ProviderFailure::Unreadable) };
    match fields.get(name) {
        Some(Value::Object(inner)) if !inner.get("status").is_some_and(Value::is_string) => match fields.remove(name) {
            Some(Value::Object(inner)) => Ok(inner),
            _ => Err(ProviderFailure::Unreadable),
        },
        _ => Ok(fields),
    }
}

/// Postgres cannot store NUL in a text.
fn has_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(values) => values.iter().any(has_nul),
        Value::Object(fields) => fields.iter().any(|(name, value)| name.contains('\0') || has_nul(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Logs how many entries were left out, without their content.
pub fn tell_left_out(list: &'static str, count: usize) {
    if count > 0 {
        tracing::warn!(
            list,
            count,
            "entries of the external data provider are left out, since they are not as the contract has them"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn numbers(value: Value) -> Result<Vec<u8>, ProviderFailure> {
        list(value, "numbers", sound)
    }

    #[test]
    fn a_list_is_bare_or_has_its_name() {
        for value in [
            json!([1, 2]),
            json!({ "numbers": [1, 2] }),
            json!({ "numbers": [1, 2], "next": null }),
            json!([1, "x", 300, 2]),
        ] {
            assert_eq!(numbers(value).unwrap(), [1, 2]);
        }
        for value in [json!({}), json!({ "others": [1] }), json!({ "numbers": 1 }), json!(1), json!(null), json!("[1]")]
        {
            assert_eq!(numbers(value), Err(ProviderFailure::Unreadable));
        }
    }

    #[test]
    fn a_list_without_any_sense_is_no_empty_list() {
        let read = |value| list_with_sense::<u8>(value, "numbers", sound);
        assert_eq!(read(json!([])), Ok((vec![], 0)));
        assert_eq!(read(json!({ "numbers": [] })), Ok((vec![], 0)));
        assert_eq!(read(json!(["x", 1])), Ok((vec![1], 1)));
        assert_eq!(read(json!(["x", "y"])), Err(ProviderFailure::Unreadable));
        assert_eq!(read(json!({ "numbers": ["x"] })), Err(ProviderFailure::Unreadable));
    }

    #[test]
    fn a_map_is_bare_or_has_its_name() {
        let read = |value| map::<Value>(value, "reviews").map(|map| map.into_keys().collect::<Vec<_>>());
        let review = json!({ "status": "pending" });
        assert_eq!(read(json!({ "q1": review, "q2": review })).unwrap(), ["q1", "q2"]);
        assert_eq!(read(json!({ "reviews": { "q1": review } })).unwrap(), ["q1"]);
        assert_eq!(read(json!({ "reviews": review })).unwrap(), ["reviews"]);
        assert_eq!(read(json!({ "reviews": {} })).unwrap(), [""; 0]);
        assert_eq!(read(json!({ "q1": "a\0b", "q2": review })).unwrap(), ["q2"]);
        assert_eq!(read(json!([])), Err(ProviderFailure::Unreadable));
    }

    #[test]
    fn one_is_bare_or_has_its_name() {
        assert_eq!(one::<u8>(json!(5), "number"), Ok(5));
        assert_eq!(one::<u8>(json!({ "number": 5 }), "number"), Ok(5));
        assert_eq!(one::<u8>(json!({ "other": 5 }), "number"), Err(ProviderFailure::Unreadable));
        assert_eq!(one::<String>(json!("a\0"), "text"), Err(ProviderFailure::Unreadable));
    }
}
