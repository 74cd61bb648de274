//! Names of fields in forms and queries, read as PHP reads them, since clients rely on it: `key[]` makes a list,
//! `key[sub]` an object, and the last of several fields with the same name counts.

use serde_json::{Map, Value};

/// Fields of one form or query; later ones are ignored. PHP reads as many by default.
const FIELDS_MAX: usize = 1_000;
/// Brackets after a name. Parameters need two, and each costs a level of recursion.
const BRACKETS_MAX: usize = 8;

/// A text, or the fields in brackets below a name, in the order in which they arrived.
enum Field {
    Text(String),
    Table(Vec<(String, Field)>),
}

#[must_use]
pub fn read(pairs: impl Iterator<Item = (String, String)>) -> Map<String, Value> {
    let mut table = Vec::new();
    for (name, text) in pairs.take(FIELDS_MAX) {
        if let Some((root, below)) = path(&name) {
            put(&mut table, root, &below, text);
        }
    }
    table.into_iter().map(|(name, field)| (name, field.value())).collect()
}

/// Splits `venue[address][]` into `venue` and the texts in its brackets. `None` for a field without a name.
fn path(name: &str) -> Option<(String, Vec<&str>)> {
    let opening = name
        .find('[')
        .filter(|at| *at > 0 && name.get(*at..).is_some_and(|rest| rest.contains(']')))
        .unwrap_or(name.len());
    let (root, mut rest) = name.split_at(opening);
    let root: String = root
        .trim_start()
        .chars()
        .map(|character| if matches!(character, ' ' | '.' | '[') { '_' } else { character })
        .collect();
    let mut below = Vec::new();
    while let Some((inside, after)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        if below.len() == BRACKETS_MAX {
            return None;
        }
        below.push(inside);
        rest = after;
    }
    (!root.is_empty()).then_some((root, below))
}

fn put(table: &mut Vec<(String, Field)>, name: String, below: &[&str], text: String) {
    let name = if name.is_empty() { next_index(table) } else { name };
    let place = table.iter().position(|(known, _)| *known == name).unwrap_or(table.len());
    let Some((first, rest)) = below.split_first() else {
        set(table, place, name, Field::Text(text));
        return;
    };
    let is_table = table.get(place).is_some_and(|(_, field)| matches!(field, Field::Table(_)));
    if !is_table {
        set(table, place, name, Field::Table(Vec::new()));
    }
    if let Some((_, Field::Table(inner))) = table.get_mut(place) {
        put(inner, (*first).to_owned(), rest, text);
    }
}

fn set(table: &mut Vec<(String, Field)>, place: usize, name: String, field: Field) {
    match table.get_mut(place) {
        Some((_, known)) => *known = field,
        None => table.push((name, field)),
    }
}

/// The index that `[]` stands for: the one after the largest.
fn next_index(table: &[(String, Field)]) -> String {
    let numbers = table.iter().filter_map(|(name, _)| name.parse::<u64>().ok());
    numbers.max().map_or(0, |largest| largest.saturating_add(1)).to_string()
}

impl Field {
    /// The JSON of a field. A table with indices from 0 on, without gaps, is a list.
    fn value(self) -> Value {
        match self {
            Self::Text(text) => Value::String(text),
            Self::Table(table) => {
                let is_list = table.iter().enumerate().all(|(index, (name, _))| *name == index.to_string());
                if is_list {
                    Value::Array(table.into_iter().map(|(_, field)| field.value()).collect())
                } else {
                    Value::Object(table.into_iter().map(|(name, field)| (name, field.value())).collect())
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read_query(query: &str) -> Value {
        Value::Object(read(url::form_urlencoded::parse(query.as_bytes()).into_owned()))
    }

    #[test]
    fn brackets_make_lists_and_objects() {
        assert_eq!(read_query("a=1&a=2"), json!({ "a": "2" }));
        assert_eq!(read_query("a[]=1&a[]=2"), json!({ "a": ["1", "2"] }));
        assert_eq!(
            read_query("venue[venue]=Hall&venue[city]=Ghent"),
            json!({ "venue": { "venue": "Hall", "city": "Ghent" } })
        );
        assert_eq!(
            read_query("o[0][organizer]=A&o[1][organizer]=B"),
            json!({ "o": [{ "organizer": "A" }, { "organizer": "B" }] })
        );
        assert_eq!(read_query("o[5]=A&o[]=B"), json!({ "o": { "5": "A", "6": "B" } }));
        assert_eq!(read_query("a=1&a[b]=2"), json!({ "a": { "b": "2" } }));
        assert_eq!(read_query("a%5B%5D=1"), json!({ "a": ["1"] }));
    }

    #[test]
    fn odd_names_are_survived() {
        assert_eq!(read_query("a.b=1&c d=2"), json!({ "a_b": "1", "c_d": "2" }));
        assert_eq!(read_query("=1&[]=2&a[=3"), json!({ "_]": "2", "a_": "3" }));
        assert_eq!(read_query(&format!("a{}=1", "[x]".repeat(BRACKETS_MAX + 1))), json!({}));
        let many = (0..FIELDS_MAX + 5).map(|number| format!("a{number}=1")).collect::<Vec<_>>().join("&");
        assert_eq!(read_query(&many).as_object().unwrap().len(), FIELDS_MAX);
    }
}
