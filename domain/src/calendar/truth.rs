//! Booleans in the forms that clients send. Some parameters refuse an unknown form, others take it for false.

use serde_json::Value;

/// A checked boolean: `true`, `false`, 1, 0, and the texts `true`, `false`, `1`, `0` in any case. `None` for anything
/// else, which the caller answers with `rest_invalid_type`.
#[must_use]
pub fn checked(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(is_true) => Some(*is_true),
        Value::Number(number) if number.as_f64() == Some(1.0) => Some(true),
        Value::Number(number) if number.as_f64() == Some(0.0) => Some(false),
        Value::String(text) => of_text(text),
        _ => None,
    }
}

/// An unchecked boolean, as in the original: `has_events`, `only_with_upcoming`, `strict_dates` and the flags of
/// venues. True are true, 1, and the texts `1 true yes on y enable enabled` in any case; everything else is false. (The
/// routes of venues accept their flags only as texts.)
#[must_use]
pub fn loose(value: &Value) -> bool {
    match value {
        Value::Bool(is_true) => *is_true,
        Value::Number(number) => number.as_f64() == Some(1.0),
        Value::String(text) => {
            ["1", "true", "yes", "on", "y", "enable", "enabled"].iter().any(|yes| text.trim().eq_ignore_ascii_case(yes))
        }
        _ => false,
    }
}

fn of_text(text: &str) -> Option<bool> {
    match text {
        "1" => Some(true),
        "0" => Some(false),
        _ if text.eq_ignore_ascii_case("true") => Some(true),
        _ if text.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn checked_booleans() {
        for value in [json!(true), json!("true"), json!("TRUE"), json!("True"), json!("1"), json!(1), json!(1.0)] {
            assert_eq!(checked(&value), Some(true), "{value}");
        }
        for value in [json!(false), json!("false"), json!("FALSE"), json!("0"), json!(0)] {
            assert_eq!(checked(&value), Some(false), "{value}");
        }
        for value in [
            json!("yes"),
            json!(""),
            json!(null),
            json!(2),
            json!(-1),
            json!("on"),
            json!([]),
            json!([true]),
            json!({}),
            json!(" 1"),
        ] {
            assert_eq!(checked(&value), None, "{value}");
        }
    }

    #[test]
    fn booleans_that_nobody_checks() {
        for text in ["1", "true", "yes", "on", "y", "enable", "enabled", "YES", "True"] {
            assert!(loose(&json!(text)), "{text}");
        }
        for value in [
            json!(""),
            json!("0"),
            json!("no"),
            json!("2"),
            json!("truth"),
            json!(null),
            json!([]),
            json!(false),
            json!(0),
        ] {
            assert!(!loose(&value), "{value}");
        }
        assert!(loose(&json!(true)) && loose(&json!(1)));
    }
}
