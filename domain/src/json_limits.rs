//! Limits for free-form JSON from callers: its depth, its keys and its characters, checked before it is stored.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::text;

/// How deep arrays and objects may be nested: readers, this one included, recurse into each level.
pub const DEPTH_MAX: usize = 32;
/// How many keys one object may have.
pub const KEYS_MAX: usize = 1_000;

/// Returns whether the text is JSON, keeps the limits and has no NUL character. Postgres cannot store NUL in a text.
#[must_use]
pub fn is_acceptable(json: &str) -> bool {
    walks(json, |text| text.contains('\0'))
}

/// Returns whether the text is acceptable, and no name or text in it has control characters.
#[must_use]
pub fn is_printable(json: &str) -> bool {
    walks(json, text::has_control)
}

fn walks(json: &str, is_refused: fn(&str) -> bool) -> bool {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    LimitWalk { depth: 0, is_refused }.deserialize(&mut deserializer).is_ok() && deserializer.end().is_ok()
}

/// A visitor that walks a value without building it, so that the check needs no memory for it.
#[derive(Clone, Copy)]
struct LimitWalk {
    depth: usize,
    /// Whether a key or a text may not be there.
    is_refused: fn(&str) -> bool,
}

impl LimitWalk {
    fn deeper<E: Error>(self) -> Result<Self, E> {
        if self.depth == DEPTH_MAX { Err(E::custom("too deep")) } else { Ok(Self { depth: self.depth + 1, ..self }) }
    }
}

impl<'de> DeserializeSeed<'de> for LimitWalk {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for LimitWalk {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON within the limits")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        if (self.is_refused)(text) { Err(E::custom("a character that is refused")) } else { Ok(()) }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let deeper = self.deeper()?;
        while items.next_element_seed(deeper)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let deeper = self.deeper()?;
        let mut keys = 0;
        while entries.next_key_seed(deeper)?.is_some() {
            entries.next_value_seed(deeper)?;
            keys += 1;
            if keys > KEYS_MAX {
                return Err(A::Error::custom("too many keys"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_keys_and_nul_are_limited() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(is_acceptable(&nested(32)));
        assert!(!is_acceptable(&nested(33)));
        let keys = |count: usize| {
            format!("{{{}}}", (0..count).map(|key| format!("\"{key}\":1")).collect::<Vec<_>>().join(","))
        };
        assert!(is_acceptable(&keys(1000)));
        assert!(!is_acceptable(&keys(1001)));
        assert!(!is_acceptable(r#"{"name":"A\u0000"}"#));
        assert!(!is_acceptable(r#"{"\u0000":1}"#));
        assert!(!is_acceptable("{} {}"));
        assert!(is_acceptable(r#"{"a":[1,-2,3.5,true,null,"x"]}"#));
    }

    #[test]
    fn what_is_printable_has_no_control_characters() {
        assert!(is_printable(r#"{"name":"Zoë 王","deep":[{"a":"b c"}]}"#));
        for json in [
            r#"{"name":"A\u0007da"}"#,
            r#"{"a\nb":1}"#,
            r#"{"deep":[{"a":"\u007f"}]}"#,
            r#"{"a":"\u0085"}"#,
            r#"{"a":"tab\t"}"#,
        ] {
            assert!(!is_printable(json), "{json}");
        }
        assert!(is_acceptable(r#"{"explanation":"two\nlines"}"#));
    }
}
