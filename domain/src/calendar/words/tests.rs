//! Tests of what a search asks for.

use super::*;

fn events(text: &str) -> (Vec<String>, Vec<String>) {
    let search = for_events(text);
    (search.required, search.excluded)
}

fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn words_of_a_search_for_events() {
    for (text, required, excluded) in [
        ("final exam", &["final", "exam"][..], &[][..]),
        ("  Final   EXAM ", &["final", "exam"], &[]),
        ("exam -maths", &["exam"], &["maths"]),
        ("-maths", &[], &["maths"]),
        ("x exam y", &["exam"], &[]),
        ("grade 5", &["grade", "5"], &[]),
        ("\"final exam\" room", &["final exam", "room"], &[]),
        ("-\"final exam\" room", &["room"], &["final exam"]),
        ("\"final exam", &["final exam"], &[]),
        ("the exam of the year", &["exam", "year"], &[]),
        ("x", &["x"], &[]),
        ("  ", &[], &[]),
        ("the", &["the"], &[]),
        ("-", &["-"], &[]),
        ("Prüfung ÜBER", &["prüfung", "über"], &[]),
        ("it’s", &["it's"], &[]),
        ("学 数", &["学", "数"], &[]),
        ("50% a_b", &["50%", "a_b"], &[]),
        ("pre-exam", &["pre-exam"], &[]),
    ] {
        assert_eq!(events(text), (strings(required), strings(excluded)), "{text:?}");
    }
    let many = "aa bb cc dd ee ff gg hh ii jj";
    assert_eq!(events(many), (strings(&[many]), Vec::new()));
}

#[test]
fn words_of_a_search_for_places() {
    assert_eq!(for_places("Main St. 5"), ["5", "main", "st"]);
    assert_eq!(for_places("post-office, +49 (30)"), ["30", "49", "post-office"]);
    assert_eq!(for_places("a@b.example"), ["a", "b", "example"]);
    assert_eq!(for_places("!!!"), [""; 0]);
    assert_eq!(for_terms(" Éxam "), "éxam");
}

#[test]
fn fields_are_searched_as_readers_see_them() {
    let title = rendering::title("Tom & Jerry's \"exam\" -- now");
    let body = rendering::body("One <b>two</b>\n\nÜBER 1 < 2");
    let field = haystack(&[&title, &body, ""]);
    assert_eq!(field, "tom & jerry's \"exam\" -- now\u{1F}one two über 1 < 2\u{1F}");
    for text in ["jerry's", "Tom &", "\"EXAM\"", "über", "--", "1 < 2"] {
        let search = for_events(text);
        assert!(search.required.iter().all(|word| field.contains(word.as_str())), "{text}: {search:?}");
    }
    assert!(!field.contains("jerry exam"));
    assert_eq!(haystack(&["a\u{1F}b"]), "a b");
}
