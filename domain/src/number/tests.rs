//! Tests of reading and comparing numbers. A second implementation is compared with it in
//! `tests/it/questions/number_oracle.rs`.

use proptest::prelude::*;
use serde_json::Value;

use super::*;

fn golden(name: &str) -> Vec<Value> {
    let golden: Value = serde_json::from_str(include_str!("../../../tests/golden/numbers.json")).unwrap();
    golden[name].as_array().unwrap().clone()
}

fn key_of(fields: &Value) -> NumberKey {
    let terms = serde_json::from_value(fields.clone()).unwrap();
    NumberKey::of(fields["answer"].as_str().unwrap().to_owned(), terms)
}

#[test]
fn what_is_typed_is_read_as_the_golden_cases_say() {
    for case in golden("read") {
        let unit = case["unit"].as_str().unwrap_or_default();
        let named = case["language"].as_str().map(|name| Language::parse(name).unwrap());
        for language in Language::ALL.into_iter().filter(|language| named.is_none_or(|named| named == *language)) {
            let reading = Reading::of(case["typed"].as_str().unwrap(), unit, language);
            assert_eq!(reading.map(Reading::text).as_deref(), case["reads"].as_str(), "{case}");
            assert_eq!(reading.map(Reading::latex).as_deref(), case["latex"].as_str(), "{case}");
            assert_eq!(reading.map(|reading| reading.form().name()), case["form"].as_str(), "{case}");
        }
    }
}

#[test]
fn keys_take_what_the_golden_cases_say() {
    for case in golden("keys") {
        let key = key_of(&case["key"]);
        for (name, is_right) in [("right", true), ("wrong", false)] {
            for typed in case[name].as_array().unwrap() {
                assert_eq!(key.is_right(typed.as_str().unwrap()), is_right, "{typed} for {key:?}");
            }
        }
    }
}

#[test]
fn keys_are_written_in_one_way() {
    for (text, expected) in [
        ("0.5", "0.5"),
        (" 0,5 ", "0.5"),
        (".5", "0.5"),
        ("5.", "5"),
        ("+007", "7"),
        ("-0", "0"),
        ("-0.0", "0.0"),
        ("\u{2212}1.50", "-1.50"),
        ("\u{FF11}\u{FF12}", "12"),
        ("0,500", "0.500"),
        ("1234,567", "1234.567"),
        ("1.234", "1.234"),
    ] {
        assert_eq!(decimal(text).as_deref(), Some(expected), "{text}");
        assert_eq!(decimal(expected).as_deref(), Some(expected), "{text}");
    }
    let (long, longer) = ("9".repeat(KEY_DIGITS_MAX), "9".repeat(KEY_DIGITS_MAX + 1));
    assert!(decimal(&format!("-{long}.{long}")).is_some() && decimal(&format!("000{long}")).is_some());
    let refused = [format!("{longer}.5"), format!("0.{longer}")];
    for text in ["", "-", ".", "1/2", "1,234", "1 234", "1,234.5", "1.2.3", "5 cm", "1e3", "x"]
        .into_iter()
        .chain(refused.iter().map(String::as_str))
    {
        assert_eq!(decimal(text), None, "{text}");
    }
    assert_eq!(
        (tolerance("0,1").as_deref(), tolerance("-0.1"), tolerance("-0").as_deref()),
        (Some("0.1"), None, Some("0"))
    );
}

#[test]
fn a_unit_is_no_part_of_a_number() {
    for sound in ["", "cm", "%", "km/h", "\u{B0}C", "m\u{B2}", "\u{111}\u{1ED3}ng", "$m^2$", &"x".repeat(20)] {
        assert_eq!(unit(&format!(" {sound} ")).as_deref(), Some(sound));
    }
    for other in
        ["5", "2m", ".5", ",", "/2", "/h", "-", "\u{2212}1", "\u{FF15}", "\u{BD}", "c\nm", "c\tm", &"x".repeat(21)]
    {
        assert_eq!(unit(other), None, "{other:?}");
    }
}

#[test]
fn a_key_says_whether_it_is_as_this_server_writes_it() {
    let exact = NumberKey::exact("0.5");
    assert!(exact.is_sound());
    assert_eq!(NumberKey::of("0.5".to_owned(), exact.terms()), exact);
    for other in [
        NumberKey::exact("0,5"),
        NumberKey::exact(""),
        NumberKey { tolerance: "-1".to_owned(), ..exact.clone() },
        NumberKey { tolerance: String::new(), ..exact.clone() },
        NumberKey { unit: "5".to_owned(), ..exact.clone() },
        NumberKey { unit: " cm".to_owned(), ..exact },
    ] {
        assert!(!other.is_sound(), "{other:?}");
    }
}

#[test]
fn numbers_are_counted_by_their_values_and_other_texts_by_how_they_look() {
    let value = |typed| TypedValue::of(typed, "cm", Language::Vi);
    assert_eq!(value("0,5"), value("2/4 cm"));
    assert_eq!(value("1.000"), value("1 000"));
    assert_eq!(value("a\u{2013}b "), value("a-b"));
    assert_ne!(value("1"), value("one"));
    assert_ne!(value("1/0"), value("2/0"));
}

/// Texts like those that are typed, most of them no numbers.
fn typed() -> impl Strategy<Value = String> {
    "[-\u{2212}+]?[0-9 .,/\u{BD}%]{0,12}"
}

fn language() -> impl Strategy<Value = Language> {
    prop_oneof![Just(Language::En), Just(Language::Vi)]
}

proptest! {
    #[test]
    fn what_is_told_is_read_as_the_same_number(typed in typed(), language in language()) {
        if let Some(reading) = Reading::of(&typed, "", language) {
            let again = Reading::of(&reading.text(), "", language);
            prop_assert_eq!(again.map(Reading::value), Some(reading.value()), "{}", reading.text());
        }
    }

    #[test]
    fn a_whole_number_is_right_however_it_is_grouped(number in -9_999_999_i64..=9_999_999) {
        let key = NumberKey::exact(&number.to_string());
        let groups = number.abs().to_string().into_bytes();
        let groups: Vec<_> = groups.rchunks(3).rev().map(|group| String::from_utf8(group.to_vec()).unwrap()).collect();
        let minus = if number < 0 { "-" } else { "" };
        let signs = [(Language::En, ","), (Language::Vi, "."), (Language::En, " "), (Language::Vi, "\u{202F}")];
        for (language, sign) in signs {
            let key = NumberKey { language, ..key.clone() };
            let typed = format!("{minus}{}", groups.join(sign));
            prop_assert!(key.is_right(&typed), "{typed}");
        }
    }

    #[test]
    fn a_fraction_is_right_if_it_has_the_value(
        (numerator, by, thousandths) in (-999_i128..=999, 1_i128..=40, -999_i128..=999),
    ) {
        let sign = if thousandths < 0 { "-" } else { "" };
        let key = NumberKey::exact(&format!("{sign}0.{:03}", thousandths.abs()));
        let typed = format!("{}/{}", thousandths * by, 1_000 * by);
        prop_assert!(key.is_right(&typed), "{typed}");
        prop_assert_eq!(key.is_right(&format!("{numerator}/{by}")), numerator * 1_000 == thousandths * by);
    }

    #[test]
    fn nothing_that_is_typed_fails(text in any::<String>(), unit in ".{0,4}") {
        let key = NumberKey { unit, ..NumberKey::exact("1") };
        let _ = key.is_right(&text);
        let _ = key.read(&text).map(Reading::latex);
    }
}
