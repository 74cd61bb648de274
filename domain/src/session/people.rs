//! Whose test a session is: the student's id of the annotations, and the text in which lists search for a person.

use serde::Deserialize;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::room::row::{shown, student};

/// The longest text that is searched for, in characters.
pub const SEARCHED_CHARACTERS_MAX: usize = 200;

/// The annotation `studentId`, a text that is not blank or a number.
#[must_use]
pub fn student_id(annotations: &str) -> Option<String> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Annotations {
        #[serde(default)]
        student_id: serde_json::Value,
    }
    shown(&serde_json::from_str::<Annotations>(annotations).ok()?.student_id)
}

/// The text in which a session is searched: the student's name, their id and the account, one below the other, so that
/// nothing is found across two of them.
#[must_use]
pub fn search_text(annotations: &str, account: Option<&str>) -> String {
    let (name, id) = (student(annotations, None), student_id(annotations));
    let texts = [&*name, id.as_deref().unwrap_or_default(), account.unwrap_or_default()];
    texts.map(searchable).join("\n")
}

/// The text in lower case, without accents and with single blanks, so that `nguyen` finds `Nguyễn`.
#[must_use]
pub fn searchable(text: &str) -> String {
    let letters = text.nfd().filter(|letter| !is_combining_mark(*letter)).flat_map(char::to_lowercase);
    let folded: String = letters.map(|letter| if letter == 'đ' { 'd' } else { letter }).collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_and_capitals_are_not_needed() {
        assert_eq!(searchable("  NGUYỄN  Đình\tÄnne "), "nguyen dinh anne");
        assert_eq!(searchable("王小明"), "王小明");
    }

    #[test]
    fn a_person_is_found_by_name_id_and_account() {
        let annotations = r#"{"name":"Ada Lovelace","studentId":17}"#;
        assert_eq!(student_id(annotations).as_deref(), Some("17"));
        assert_eq!(search_text(annotations, Some("ada@exam.test")), "ada lovelace\n17\nada@exam.test");
        assert_eq!(search_text("{}", None), "\n\n");
        assert_eq!(student_id(r#"{"studentId":" "}"#), None);
    }
}
