//! Numbers as answers, compared with a second implementation on random pairs of a key and what is typed.

use domain::number::{Form, Forms, Language, NumberKey, Reading};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use crate::hall::oracle;

const SEED: u64 = 0x0000_0D1C;
const PAIRS: usize = 100_000;
const UNITS: [&str; 6] = ["", "", "%", "cm", "m\u{B2}", "\u{111}\u{1ED3}ng"];
/// What typed texts are made of, apart from digits.
const SIGNS: [&str; 24] = [
    ".", ",", "/", " ", "-", "+", "%", "\u{2212}", "\u{2013}", "\u{FF0D}", "\u{2014}", "\u{A0}", "\u{202F}",
    "\u{2009}", "\u{200B}", "\u{BD}", "\u{2153}", "\u{2044}", "\u{FF0E}", "\u{FF0C}", "\u{FF15}", "\u{663}", "e",
    "\u{B2}",
];

fn digits(random: &mut StdRng, most: usize) -> String {
    (0..random.random_range(1..=most)).map(|_| char::from(b'0' + random.random_range(0..10_u8))).collect()
}

fn key(random: &mut StdRng) -> NumberKey {
    let decimals = [0, 0, 1, 2, 3].choose(random).copied().unwrap_or_default();
    let whole = random.random_range(-2_000..=2_000_i32) / [1, 1, 50, 2_000].choose(random).copied().unwrap_or(1);
    let answer = if decimals == 0 { whole.to_string() } else { format!("{whole}.{}", digits(random, decimals)) };
    let tolerance = ["0", "0", "0.5", "0.01", "1", "0.125"].choose(random).copied().unwrap_or("0").to_owned();
    let forms = Forms::of(Form::ALL.into_iter().filter(|_| random.random_bool(0.8))).unwrap_or_default();
    let language = if random.random_bool(0.5) { Language::En } else { Language::Vi };
    let unit = UNITS.choose(random).copied().unwrap_or_default().to_owned();
    NumberKey { answer, tolerance, unit, forms, language }
}

/// The digits of a whole number in groups of three.
fn grouped(whole: &str, sign: &str) -> String {
    let groups: Vec<_> = whole.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap()).collect();
    groups.join(sign)
}

/// The key as somebody could write it.
fn written(key: &NumberKey, random: &mut StdRng) -> String {
    let (minus, number) = key.answer.strip_prefix('-').map_or(("", key.answer.as_str()), |number| ("-", number));
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    let thousand = 10_u64.pow(u32::try_from(decimals.len()).unwrap());
    let value: u64 = format!("{whole}{decimals}").parse().unwrap();
    let by = random.random_range(1..=6_u64);
    let sign = *[".", ",", "\u{FF0C}"].choose(random).unwrap();
    let group = *[".", ",", " ", "\u{202F}"].choose(random).unwrap();
    let zeros = "0".repeat(random.random_range(0..=2));
    let text = match random.random_range(0..5) {
        0 => format!("{}/{}", value * by, thousand * by),
        1 => format!("{} {}/{}", value / thousand, value % thousand * by, thousand * by),
        2 => format!("{}{sign}{decimals}{zeros}", grouped(whole, group)),
        3 if whole == "0" => format!("{sign}{decimals}{zeros}"),
        _ => format!("{zeros}{whole}{sign}{decimals}"),
    };
    let minus = if minus.is_empty() {
        *["", "", "+"].choose(random).unwrap()
    } else {
        *["-", "\u{2212} "].choose(random).unwrap()
    };
    let unit = if random.random_bool(0.3) {
        format!("{}{}", [" ", ""].choose(random).unwrap(), key.unit)
    } else {
        String::new()
    };
    format!("{minus}{text}{unit}")
}

/// What a student could type: the key in some way, one with a slip, or anything.
fn typed(key: &NumberKey, random: &mut StdRng) -> String {
    match random.random_range(0..4) {
        0 => {
            let pieces = random.random_range(0..9);
            let piece = |_| {
                if random.random_bool(0.5) { digits(random, 3) } else { (*SIGNS.choose(random).unwrap()).to_owned() }
            };
            (0..pieces).map(piece).collect()
        }
        1 => {
            let mut letters: Vec<String> = written(key, random).chars().map(String::from).collect();
            let place = random.random_range(0..=letters.len());
            letters.insert(place, (*SIGNS.choose(random).unwrap()).to_owned());
            letters.concat()
        }
        _ => written(key, random),
    }
}

#[test]
fn both_read_and_compare_alike() {
    let mut random = StdRng::seed_from_u64(SEED);
    let pairs: Vec<(NumberKey, String)> = (0..PAIRS)
        .map(|_| {
            let key = key(&mut random);
            let typed = typed(&key, &mut random);
            (key, typed)
        })
        .collect();
    let questions: Vec<Value> = pairs.iter().map(|(key, typed)| json!({ "key": key, "typed": typed })).collect();
    let expected = oracle::ask("typed_numbers.py", &questions);
    assert_eq!(expected.len(), PAIRS);
    let (mut right, mut read) = (0, 0);
    for ((key, typed), expected) in pairs.iter().zip(&expected) {
        let told = json!({ "reads": key.read(typed).map(Reading::text), "isRight": key.is_right(typed) });
        assert_eq!(told, *expected, "{typed:?} for {key:?}");
        right += usize::from(key.is_right(typed));
        read += usize::from(key.read(typed).is_some());
    }
    // All three outcomes are frequent, so that the comparison is one.
    assert!(right > PAIRS / 5 && read - right > PAIRS / 10 && PAIRS - read > PAIRS / 10, "{right} of {read}");
}
