//! Picks what the report shows of the caller's annotations: the student's name, and the other plain values that have
//! room on paper.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use uuid::Uuid;

/// Annotations that are shown. They take six rows of two columns; the report says how many are left out.
pub const SHOWN_MAX: usize = 12;
/// Characters of a key or a value that are read, many more than fit into its lines on paper.
const CHARACTERS_MAX: usize = 1_000;
/// Keys under which systems send the student's name, in lower case and without punctuation. The first one that is found
/// counts.
const NAME_KEYS: [&str; 9] =
    ["name", "studentname", "fullname", "student", "displayname", "pupilname", "pupil", "candidatename", "learnername"];
/// Keys under which this server and others send ids of their own, which tell a reader nothing.
const INTERNAL_KEYS: [&str; 6] = ["sittingid", "candidateid", "sessionid", "templateid", "event", "eventid"];
/// Pairs of keys under which systems send a name in two parts.
const NAME_PARTS: [(&str, &str); 4] =
    [("firstname", "lastname"), ("givenname", "familyname"), ("firstname", "surname"), ("givenname", "surname")];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    pub name: Option<String>,
    /// The other annotations, in the order in which they were sent.
    pub pairs: Vec<(String, String)>,
    /// How many further annotations are not shown.
    pub left_out: usize,
}

impl Annotations {
    /// Reads a JSON object. Values that are not plain text, and ids of programs, are skipped.
    #[must_use]
    pub fn read(json: &str) -> Self {
        let Pairs(mut pairs) = serde_json::from_str(json).unwrap_or_default();
        pairs.retain(|(key, value)| !is_internal(key, value));
        let name = take_name(&mut pairs);
        let left_out = pairs.len().saturating_sub(SHOWN_MAX);
        pairs.truncate(SHOWN_MAX);
        Self { name, pairs, left_out }
    }

    /// The same without values that stand on the report already, such as the school's name.
    #[must_use]
    pub fn without(mut self, said: &[&str]) -> Self {
        self.pairs.retain(|(_, value)| !said.contains(&value.trim()));
        self
    }
}

/// Returns whether a value is an id of a program, which a reader can do nothing with.
fn is_internal(key: &str, value: &str) -> bool {
    INTERNAL_KEYS.contains(&plain(key).as_str()) || Uuid::parse_str(value.trim()).is_ok()
}

fn take_name(pairs: &mut Vec<(String, String)>) -> Option<String> {
    let place = |pairs: &[(String, String)], wanted: &str| pairs.iter().position(|(key, _)| plain(key) == wanted);
    if let Some(index) = NAME_KEYS.into_iter().find_map(|key| place(pairs, key)) {
        return Some(pairs.remove(index).1);
    }
    for (first, last) in NAME_PARTS {
        if let (Some(_), Some(_)) = (place(pairs, first), place(pairs, last)) {
            let parts =
                [first, last].map(|key| place(pairs, key).map(|index| pairs.remove(index).1).unwrap_or_default());
            return Some(parts.join(" "));
        }
    }
    None
}

/// A key in small letters, without punctuation.
pub(super) fn plain(key: &str) -> String {
    key.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The entries with plain values, in their order. When a key occurs twice, both entries are kept.
#[derive(Default)]
struct Pairs(Vec<(String, String)>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(PairsVisitor)
    }
}

struct PairsVisitor;

impl<'de> Visitor<'de> for PairsVisitor {
    type Value = Pairs;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
        let mut pairs = Vec::new();
        while let Some((key, Plain(value))) = map.next_entry::<String, Plain>()? {
            let value = value.filter(|value| !value.trim().is_empty());
            pairs.extend(value.map(|value| (cut(&key), cut(&value))));
        }
        Ok(Pairs(pairs))
    }
}

fn cut(text: &str) -> String {
    text.chars().take(CHARACTERS_MAX).collect()
}

/// A string, a number or a boolean as text; `None` for any other value.
struct Plain(Option<String>);

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PlainVisitor)
    }
}

struct PlainVisitor;

impl<'de> Visitor<'de> for PlainVisitor {
    type Value = Plain;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("anything")
    }

    fn visit_str<E>(self, text: &str) -> Result<Plain, E> {
        Ok(Plain(Some(text.to_owned())))
    }

    fn visit_bool<E>(self, is_so: bool) -> Result<Plain, E> {
        Ok(Plain(Some(if is_so { "yes" } else { "no" }.to_owned())))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Plain, E> {
        Ok(Plain(Some(number.to_string())))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Plain, E> {
        Ok(Plain(Some(number.to_string())))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Plain, E> {
        Ok(Plain(Some(number.to_string())))
    }

    fn visit_unit<E>(self) -> Result<Plain, E> {
        Ok(Plain(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Plain, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Plain(None))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Plain, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Plain(None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(key: &str, value: &str) -> (String, String) {
        (key.to_owned(), value.to_owned())
    }

    #[test]
    fn plain_texts_are_shown_in_their_order() {
        let read = Annotations::read(
            r#"{"studentId":"s-17","class":{"room":5},"studentName":"Zoë","seat":12,"ratio":0.5,"retake":true,"none":null,"tags":["a"],"empty":" "}"#,
        );
        assert_eq!(read.name.as_deref(), Some("Zoë"));
        assert_eq!(
            read.pairs,
            [pair("studentId", "s-17"), pair("seat", "12"), pair("ratio", "0.5"), pair("retake", "yes")]
        );
        assert_eq!(read.left_out, 0);
        assert_eq!(Annotations::read("{}"), Annotations::default());
    }

    #[test]
    fn a_name_is_found_under_what_systems_call_it() {
        assert_eq!(Annotations::read(r#"{"student_name":"Ada"}"#).name.as_deref(), Some("Ada"));
        assert_eq!(
            Annotations::read(r#"{"lastName":"Lovelace","first-name":"Ada"}"#).name.as_deref(),
            Some("Ada Lovelace")
        );
        assert_eq!(Annotations::read(r#"{"name":{"first":"Ada"},"pupil":"Ada L."}"#).name.as_deref(), Some("Ada L."));
        assert_eq!(Annotations::read(r#"{"studentId":"s-17"}"#).name, None);
    }

    #[test]
    fn ids_of_programs_and_what_is_said_elsewhere_are_left_out() {
        let read = Annotations::read(
            r#"{"name":"Ada","studentId":"s-17","event":7,"sittingId":"x","candidate_id":3,"key":"7b1f2c90-53d1-4c70-9d6c-0f1a2b3c4d5e","school":"Lê Lợi"}"#,
        );
        assert_eq!(read.pairs, [pair("studentId", "s-17"), pair("school", "Lê Lợi")]);
        assert_eq!(read.without(&["Lê Lợi"]).pairs, [pair("studentId", "s-17")]);
    }

    #[test]
    fn of_too_many_it_is_counted_what_is_left_out() {
        let many: Vec<String> = (0..50).map(|number| format!(r#""key{number}":"{}""#, "x".repeat(2_000))).collect();
        let read = Annotations::read(&format!("{{{}}}", many.join(",")));
        assert_eq!((read.pairs.len(), read.left_out), (SHOWN_MAX, 38));
        assert!(read.pairs.iter().all(|(_, value)| value.len() == CHARACTERS_MAX));
    }
}
