//! A person's settings of the students' pages, such as a theme and the size of texts. Only the pages know what they
//! mean: the server stores them within limits.

use crate::json_limits;

/// Bytes of a view: many times what all settings of the pages take.
pub const VIEW_BYTES_MAX: usize = 4 * 1_024;

/// Returns whether the JSON text is an object that may be stored as a view.
#[must_use]
pub fn is_view(json: &str) -> bool {
    json.trim_start().starts_with('{') && json.len() <= VIEW_BYTES_MAX && json_limits::is_acceptable(json)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_is_an_object_within_limits() {
        let long = |bytes: usize| format!("{{\"a\":\"{}\"}}", "x".repeat(bytes - r#"{"a":""}"#.len()));
        assert!(is_view("{}") && is_view(r#"{"theme":"dark","size":1.25,"tools":["line"]}"#));
        assert!(is_view(&long(VIEW_BYTES_MAX)) && !is_view(&long(VIEW_BYTES_MAX + 1)));
        for json in ["", "null", "[]", "7", "\"dark\"", "{", "{} {}", r#"{"a":"\u0000"}"#] {
            assert!(!is_view(json), "{json}");
        }
    }
}
