//! The bank in Vietnamese, checked against the English one: nothing is left untranslated, and nothing has become
//! another question on the way.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use sample_bank::{
    BankLanguage, NumberQuestion, SampleQuestion, bank, bank_in, number_bank, number_bank_in, vietnamese,
};

use super::figures::svg;
use super::reading::value_of;
use super::{SOLVERS, latex, none_of};

/// How many đồng a dollar and a cent are.
const DOLLAR: i64 = 10_000;
const CENT: i64 = 100;
/// Words that both languages have, in lower case.
const SHARED: [&str; 10] = ["sin", "cos", "tan", "log", "piano", "tennis", "bowling", "helsinki", "calgary", "minsk"];
/// How many calculations with money the explanations must have.
const SUMS_MIN: usize = 60;
/// How many amounts of money must be asked for.
const AMOUNTS_MIN: usize = 12;
/// The longest address of a figure, in bytes: letters with accents take more than others.
const ADDRESS_MAX: usize = 6_400;

/// A text in both languages.
struct Pair {
    id: String,
    kind: &'static str,
    english: String,
    vietnamese: String,
}

fn choices() -> impl Iterator<Item = (SampleQuestion, SampleQuestion)> {
    SOLVERS.into_iter().flat_map(|(grade, _)| bank(grade).into_iter().zip(bank_in(BankLanguage::Vi, grade)))
}

fn numbers() -> impl Iterator<Item = (NumberQuestion, NumberQuestion)> {
    let in_vietnamese = |grade| number_bank_in(BankLanguage::Vi, grade);
    SOLVERS.into_iter().flat_map(move |(grade, _)| number_bank(grade).into_iter().zip(in_vietnamese(grade)))
}

/// All texts of the bank but topics, units and those in pictures.
fn pairs() -> Vec<Pair> {
    let mut pairs = Vec::new();
    let mut add = |id: &str, kind, english: &String, vietnamese: &String| {
        pairs.push(Pair { id: id.to_owned(), kind, english: english.clone(), vietnamese: vietnamese.clone() });
    };
    for (english, vietnamese) in choices() {
        add(&english.id, "question", &english.question, &vietnamese.question);
        add(&english.id, "explanation", &english.explanation, &vietnamese.explanation);
        add(&english.id, "description", &english.image_description, &vietnamese.image_description);
        for (english_option, vietnamese_option) in english.options.iter().zip(&vietnamese.options) {
            add(&english.id, "option", english_option, vietnamese_option);
        }
    }
    for (english, vietnamese) in numbers() {
        add(&english.id, "question", &english.question, &vietnamese.question);
        add(&english.id, "explanation", &english.explanation, &vietnamese.explanation);
        add(&english.id, "description", &english.image_description, &vietnamese.image_description);
    }
    pairs
}

static PAIRS: LazyLock<Vec<Pair>> = LazyLock::new(pairs);

/// The texts in a picture.
fn drawn(image: &str) -> Vec<String> {
    static TEXT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"<text[^>]*>([^<]*)</text>").unwrap());
    if image.is_empty() {
        return Vec::new();
    }
    TEXT.captures_iter(&svg(image)).map(|found| found[1].to_owned()).collect()
}

#[test]
fn every_text_has_a_translation() {
    let mut missing = BTreeSet::new();
    for (grade, _) in SOLVERS {
        let choices = bank(grade).into_iter().flat_map(|one| {
            let texts = [one.topic, one.subtopic, one.question, one.explanation, one.image_description];
            texts.into_iter().chain(one.options).chain(drawn(&one.image))
        });
        let numbers = number_bank(grade).into_iter().flat_map(|one| {
            let texts = [one.topic, one.subtopic, one.question, one.explanation, one.image_description, one.unit];
            texts.into_iter().chain(drawn(&one.image))
        });
        let texts: BTreeSet<String> = choices.chain(numbers).collect();
        let untranslated = texts.into_iter().filter(|text| vietnamese(grade, text).is_none());
        missing.extend(untranslated.map(|text| format!("grade {grade}: {text}")));
    }
    none_of(&missing.into_iter().collect::<Vec<_>>());
}

#[test]
fn every_question_is_the_same_one() {
    for (english, vietnamese) in choices() {
        let head = |one: &SampleQuestion| (one.id.clone(), one.grade, one.difficulty, one.answer);
        assert_eq!(head(&english), head(&vietnamese));
        assert_ne!((&english.topic, &english.question), (&vietnamese.topic, &vietnamese.question), "{}", english.id);
        let distinct: BTreeSet<&str> = vietnamese.options.iter().map(|option| option.trim()).collect();
        assert!(distinct.len() == 4 && !distinct.contains(""), "{}: {:?}", english.id, vietnamese.options);
    }
    for (english, vietnamese) in numbers() {
        let head = |one: &NumberQuestion| (one.id.clone(), one.grade, one.difficulty, one.forms);
        assert_eq!(head(&english), head(&vietnamese));
        assert_ne!((&english.topic, &english.question), (&vietnamese.topic, &vietnamese.question), "{}", english.id);
        assert_eq!((english.language, vietnamese.language), (BankLanguage::En, BankLanguage::Vi), "{}", english.id);
    }
}

#[test]
fn english_is_what_it_was() {
    for (grade, _) in SOLVERS {
        let texts = |bank: Vec<SampleQuestion>| bank.iter().map(super::whole_text).collect::<Vec<_>>();
        assert_eq!(texts(bank(grade)), texts(bank_in(BankLanguage::En, grade)));
        let answers =
            |bank: Vec<NumberQuestion>| bank.into_iter().map(|one| (one.question, one.answer)).collect::<Vec<_>>();
        assert_eq!(answers(number_bank(grade)), answers(number_bank_in(BankLanguage::En, grade)));
    }
    assert!(bank_in(BankLanguage::Vi, 0).is_empty() && number_bank_in(BankLanguage::Vi, 11).is_empty());
    assert_eq!(vietnamese(0, "Counting"), None);
}

#[test]
fn topics_stay_apart() {
    let mut topics = BTreeSet::new();
    for (english, vietnamese) in choices() {
        topics.insert((english.grade, english.topic, vietnamese.topic));
    }
    let count =
        |topic: fn(&(u8, String, String)) -> (u8, &str)| topics.iter().map(topic).collect::<BTreeSet<_>>().len();
    assert_eq!(topics.len(), count(|(grade, english, _)| (*grade, english.as_str())));
    assert_eq!(topics.len(), count(|(grade, _, vietnamese)| (*grade, vietnamese.as_str())));
}

#[test]
fn amounts_are_in_dong() {
    let mut amounts = 0;
    for (english, vietnamese) in numbers() {
        let factor = match english.unit.as_str() {
            "dollars" => DOLLAR,
            "cents" => CENT,
            _ => {
                assert_eq!(english.answer, vietnamese.answer, "{}", english.id);
                let is_named = vietnamese.question.contains("ao nhiêu");
                assert!(english.unit.is_empty() || is_named || !vietnamese.unit.is_empty(), "{}", english.id);
                assert!(vietnamese.unit.is_empty() || !english.unit.is_empty(), "{}", english.id);
                continue;
            }
        };
        amounts += 1;
        let value = |number: &str| value_of(&number.replace('-', "−")).unwrap();
        let times = value(&factor.to_string());
        assert_eq!(value(&english.answer).over(value(&vietnamese.answer)).map(|share| share * times), Some(value("1")));
        assert!(vietnamese.unit == "đồng" || vietnamese.question.contains("ao nhiêu đồng"), "{}", english.id);
    }
    assert!(amounts >= AMOUNTS_MIN, "{amounts}");
}

/// The words of a text that might be English.
fn words(text: &str) -> BTreeSet<String> {
    let plain = latex::plain(text);
    let words = plain.split(|letter: char| !letter.is_alphabetic());
    // Points and figures are named by capital letters in both languages.
    let words =
        words.filter(|word| word.len() >= 3 && word.is_ascii() && word.bytes().any(|it| it.is_ascii_lowercase()));
    words.map(str::to_lowercase).collect()
}

#[test]
fn no_english_is_left() {
    let is_left = |pair: &&Pair| {
        let (english, vietnamese) = (words(&pair.english), words(&pair.vietnamese));
        english.intersection(&vietnamese).any(|word| !SHARED.contains(&word.as_str()))
            || pair.vietnamese.contains(r"\$5")
    };
    let left = PAIRS.iter().filter(is_left);
    let shown = left.map(|Pair { id, kind, english, vietnamese }| format!("{id} {kind}: {english} / {vietnamese}"));
    none_of(&shown.collect::<Vec<_>>());
    assert_eq!(
        words("The Mia of ABC has sin $x$ and x²"),
        BTreeSet::from(["the", "mia", "has", "sin", "and"].map(str::to_owned))
    );
}

static ENGLISH_NUMBER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?([a-z]*)").unwrap());
static VIETNAMESE_NUMBER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d+))?([a-z]*)").unwrap());

/// The numbers of a text as numbers, without signs. Ordinals are words, as in `1st`.
fn numbers_of(text: &str, number: &Regex) -> Vec<String> {
    let plain = latex::plain(text);
    let read =
        number.captures_iter(&plain).filter(|found| !matches!(&found[3], "st" | "nd" | "rd" | "th")).map(|found| {
            let part = found.get(2).map_or("", |part| part.as_str()).trim_end_matches('0');
            let point = if part.is_empty() { "" } else { "." };
            let whole = found[1].replace([',', '.'], "");
            let shortest = whole.trim_start_matches('0');
            format!("{}{point}{part}", if shortest.is_empty() { "0" } else { shortest })
        });
    read.collect()
}

/// What may stand in Vietnamese for a number: the same, or an amount of money.
fn written_as(number: &str) -> Vec<String> {
    let amount = |factor: i64| {
        let (whole, part) = number.split_once('.').unwrap_or((number, ""));
        let places = 10_i64.checked_pow(u32::try_from(part.len()).ok()?)?;
        let product = format!("{whole}{part}").parse::<i64>().ok()?.checked_mul(factor)?;
        (product % places == 0).then(|| (product / places).to_string())
    };
    [Some(number.to_owned()), amount(DOLLAR), amount(CENT)].into_iter().flatten().collect()
}

#[test]
fn every_number_is_still_there() {
    let mut failures = Vec::new();
    for Pair { id, kind, english, vietnamese } in PAIRS.iter() {
        let there = numbers_of(vietnamese, &VIETNAMESE_NUMBER);
        let is_there = |number: &String| written_as(number).iter().any(|written| there.contains(written));
        // The minutes of a full hour need not be said.
        let english_numbers = numbers_of(&english.replace(":00", ""), &ENGLISH_NUMBER);
        if let Some(gone) = english_numbers.into_iter().find(|number| !is_there(number)) {
            failures.push(format!("{gone} of {id} {kind}: {english} / {vietnamese}"));
        }
    }
    none_of(&failures);
    assert_eq!(numbers_of("1,200.50 and $1{,}200$ at 9:05, 3rd", &ENGLISH_NUMBER), ["1200.5", "1200", "9", "5"]);
    assert_eq!(numbers_of("1.200,5 và $2{,}5$ với $1.200$", &VIETNAMESE_NUMBER), ["1200.5", "2.5", "1200"]);
    assert_eq!(written_as("3.5"), ["3.5", "35000", "350"]);
}

/// The calculations of an English text, each as texts of equal value, and without prices.
fn sums(text: &str) -> Vec<Vec<String>> {
    static SUM: LazyLock<Regex> = LazyLock::new(|| {
        let side = r"\(?−?\d[\d,.]*\)?(?: [+−×÷] \(?−?\d[\d,.]*\)?)*";
        Regex::new(&format!(r"(?:^|[^\d\p{{L}}]) ?({side}(?: = {side})+)")).unwrap()
    });
    // What stands before the rest of a longer calculation.
    static OPEN: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?:[+−×÷=:/]|\p{L}\()\s*$").unwrap());
    let plain = latex::plain(text).replace('$', "");
    let found = SUM.captures_iter(&plain).filter_map(|found| found.get(1));
    let whole = found.filter(|found| !OPEN.is_match(&plain[..found.start()]));
    whole
        .map(|found| found.as_str().split(" = ").map(|side| side.trim_end_matches(['.', ',']).to_owned()).collect())
        .collect()
}

fn holds(sides: &[String]) -> bool {
    let values: Vec<_> = sides.iter().map(|side| value_of(side)).collect();
    values.iter().all(|value| value.is_some() && *value == values[0])
}

/// A Vietnamese text with its numbers and its sign of division as in English.
fn with_english_numbers(text: &str) -> String {
    static SIGN: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(\d)([.,])(\d)").unwrap());
    let plain = latex::plain(text).replace(" đồng", "").replace(" : ", " ÷ ");
    // Twice, because a digit may stand between two signs.
    let once = |text: &str| {
        let exchange = |found: &regex::Captures<'_>| {
            let instead = if &found[2] == "." { "\u{1}" } else { "\u{2}" };
            format!("{}{instead}{}", &found[1], &found[3])
        };
        SIGN.replace_all(text, exchange).into_owned()
    };
    once(&once(&plain)).replace('\u{1}', ",").replace('\u{2}', ".")
}

#[test]
fn calculations_with_money_are_right() {
    let money = Regex::new(r"\$\d|\bdollars?\b|\bcents?\b").unwrap();
    let (mut checked, mut failures) = (0, Vec::new());
    for (english, vietnamese) in choices()
        .map(|(one, other)| ((one.question, one.explanation), other.explanation))
        .chain(numbers().map(|(one, other)| ((one.question, one.explanation), other.explanation)))
    {
        let (question, explanation) = english;
        let is_of_money = [&question, &explanation].iter().any(|text| money.is_match(&latex::plain(text)));
        let told = sums(&explanation);
        // What is no calculation in English, such as a division with a remainder, need be none in Vietnamese.
        if !is_of_money || told.is_empty() || !told.iter().all(|sum| holds(sum)) {
            continue;
        }
        let found = sums(&with_english_numbers(&vietnamese));
        checked += found.len();
        if found.len() < told.len() || !found.iter().all(|sum| holds(sum)) {
            failures.push(format!("{explanation} / {vietnamese}: {found:?}"));
        }
    }
    none_of(&failures);
    assert!(checked >= SUMS_MIN, "{checked}");
    assert!(holds(&sums("So $3.50 × 4 = $14.00.")[0]) && !holds(&sums("3 + 4 = 8")[0]));
    assert!(sums("x + 4 = 8 and 2y = 5").is_empty());
    assert_eq!(with_english_numbers("1.200.000 đồng : 2 và $2{,}5$, 3"), "1,200,000 ÷ 2 và 2.5, 3");
}

#[test]
fn pictures_are_drawn_alike() {
    let images = choices().map(|(english, vietnamese)| (english.id, english.image, vietnamese.image));
    let images = images.chain(numbers().map(|(english, vietnamese)| (english.id, english.image, vietnamese.image)));
    let tag = Regex::new(r">[^<]*</text>").unwrap();
    let mut translated = 0;
    for (id, english, vietnamese) in images.filter(|(_, english, _)| !english.is_empty()) {
        assert!(vietnamese.len() <= ADDRESS_MAX, "{id}: {}", vietnamese.len());
        assert!(vietnamese.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>#\"".contains(&byte)), "{vietnamese}");
        let shapes = |image: &str| tag.replace_all(&svg(image), "></text>").into_owned();
        assert_eq!(shapes(&english), shapes(&vietnamese), "{id}");
        let texts = drawn(&vietnamese).join(" ");
        assert!(words(&texts).is_disjoint(&words(&drawn(&english).join(" "))), "{id}: {texts}");
        translated += usize::from(english != vietnamese);
    }
    assert!(translated > 0);
}
