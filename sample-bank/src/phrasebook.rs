//! The Vietnamese of the sample bank: phrases of `sample-bank/vietnamese` make it from the finished English texts, so
//! that ids, keys and numbers are generated once, and a translator needs no Rust.

mod numerals;
mod pattern;
mod picture;
mod sentence;

use std::collections::HashMap;
use std::sync::OnceLock;

pub(super) use numerals::times;
use pattern::Pattern;
use sentence::{Filled, Sentence};

/// The phrases of each grade, 1 to 10.
const GRADES: [&str; 10] = [
    include_str!("../vietnamese/grade_01.txt"),
    include_str!("../vietnamese/grade_02.txt"),
    include_str!("../vietnamese/grade_03.txt"),
    include_str!("../vietnamese/grade_04.txt"),
    include_str!("../vietnamese/grade_05.txt"),
    include_str!("../vietnamese/grade_06.txt"),
    include_str!("../vietnamese/grade_07.txt"),
    include_str!("../vietnamese/grade_08.txt"),
    include_str!("../vietnamese/grade_09.txt"),
    include_str!("../vietnamese/grade_10.txt"),
];
/// The words of all grades, which are looked up after those of the grade.
const WORDS: &str = include_str!("../vietnamese/words.txt");
/// How deep the text in a hole may have holes itself.
const DEPTH_MAX: u8 = 5;
/// How many đồng a dollar is in the sample bank.
pub(super) const DOLLAR: i64 = 10_000;
/// How many đồng a cent is.
pub(super) const CENT: i64 = 100;

/// What begins the Vietnamese of the line above it.
const VIETNAMESE: &str = "= ";
/// What begins a line for translators.
const NOTE: &str = "# ";

/// The phrases of a grade, and the words of all.
pub(super) struct Phrasebook {
    /// Whole texts. The first of two that are the same counts.
    texts: HashMap<&'static str, &'static str>,
    /// Texts with holes, in the order in which they are tried.
    phrases: Vec<(Pattern, Sentence)>,
}

impl Phrasebook {
    /// The phrases of a grade from 1 to 10, which are read when they are first asked for.
    pub(super) fn of(grade: u8) -> Option<&'static Self> {
        static READ: [OnceLock<Phrasebook>; GRADES.len()] = [const { OnceLock::new() }; GRADES.len()];
        let index = usize::from(grade).checked_sub(1)?;
        let (file, read) = (GRADES.get(index).copied()?, READ.get(index)?);
        Some(read.get_or_init(|| Self::read(&[file, WORDS])))
    }

    fn read(files: &[&'static str]) -> Self {
        let (mut texts, mut phrases) = (HashMap::new(), Vec::new());
        for (english, vietnamese) in files.iter().copied().flat_map(entries) {
            texts.entry(english).or_insert(vietnamese);
            let pattern = Pattern::read(english);
            if !pattern.names().is_empty() {
                let sentence = Sentence::read(vietnamese, pattern.names());
                phrases.push((pattern, sentence));
            }
        }
        Self { texts, phrases }
    }

    /// The Vietnamese of a text; `None` when no phrase fits it.
    pub(super) fn translate(&self, text: &str) -> Option<String> {
        let translation = Translation { book: self, known: HashMap::new() }.of(text, 0)?;
        Some(numerals::with_tight_decimals(&translation))
    }

    /// The address of a picture with the texts in it translated.
    pub(super) fn picture(&self, address: &str) -> Option<String> {
        if address.is_empty() {
            return Some(String::new());
        }
        picture::with_texts(address, |text| self.translate(text))
    }
}

/// The entries of a file: a line of English, and the next one with its Vietnamese.
fn entries(file: &'static str) -> Vec<(&'static str, &'static str)> {
    let (mut found, mut english) = (Vec::new(), None);
    for line in file.lines() {
        if line.trim().is_empty() || line.starts_with(NOTE) || line == NOTE.trim_end() {
            continue;
        }
        match line.strip_prefix(VIETNAMESE) {
            Some(vietnamese) => found.extend(english.take().map(|english| (english, vietnamese))),
            None => english = Some(line),
        }
    }
    found
}

/// The translation of one text, with what is known of its parts: several phrases ask for the same ones.
struct Translation<'a> {
    book: &'a Phrasebook,
    known: HashMap<(&'a str, u8), Option<String>>,
}

impl<'a> Translation<'a> {
    fn of(&mut self, text: &'a str, depth: u8) -> Option<String> {
        if let Some(known) = self.known.get(&(text, depth)) {
            return known.clone();
        }
        let translated = self.find(text, depth);
        self.known.insert((text, depth), translated.clone());
        translated
    }

    fn find(&mut self, text: &'a str, depth: u8) -> Option<String> {
        let book = self.book;
        if let Some(vietnamese) = book.texts.get(text) {
            return Some((*vietnamese).to_owned());
        }
        if depth < DEPTH_MAX {
            for (pattern, sentence) in &book.phrases {
                let Some(parts) = pattern.parts(text) else { continue };
                let filled = parts.into_iter().map(|(part, is_number)| {
                    if is_number { Some(Filled::Number(part)) } else { self.of(part, depth + 1).map(Filled::Text) }
                });
                if let Some(filled) = filled.collect::<Option<Vec<_>>>() {
                    return sentence.with(&filled);
                }
            }
        }
        numerals::is_wordless(text).then(|| numerals::in_vietnamese(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r"
# A note
What is {n1} + {n2}?
= {n1} + {n2} bằng bao nhiêu?
{a} has {n1} {b}. {a} eats {n2}. How many {b} are left?
= {a} có {n1} {b}. {a} ăn {n2}. Còn lại bao nhiêu {b}?
It costs {n1}, so {n2} cost ${n3} \times {n2} = {n4}$ dollars.
= Giá {n1}, nên {n2} cái hết ${n3:dollars} \times {n2} = {n4:dollars}$ đồng.
{n1} cents
= {n1:cents} đồng
It is $\frac{{n1}}{{n2}}$ of {a}.
= Đó là $\frac{{n1}}{{n2}}$ của {a}.
red {a}
= {a} đỏ
The picture shows {a}.
= Hình vẽ cho thấy {a}.
apples
= quả táo
Mia
= Mai
Mia
= Mi
";

    fn translated(text: &str) -> Option<String> {
        // The static text stands for a file.
        Phrasebook::read(&[FILE]).translate(text)
    }

    #[test]
    fn phrases_are_filled() {
        for (english, vietnamese) in [
            ("What is 1,200 + 2.5?", "1.200 + 2,5 bằng bao nhiêu?"),
            ("What is −3 + $3.50?", "−3 + 35.000 đồng bằng bao nhiêu?"),
            (
                "Mia has 7 apples. Mia eats 2. How many apples are left?",
                "Mai có 7 quả táo. Mai ăn 2. Còn lại bao nhiêu quả táo?",
            ),
            (
                r"It costs \$2.50, so 4 cost $2.50 \times 4 = 10$ dollars.",
                r"Giá 25.000 đồng, nên 4 cái hết $25.000 \times 4 = 100.000$ đồng.",
            ),
            ("25 cents", "2.500 đồng"),
            (r"It is $\frac{2}{3}$ of red red apples.", r"Đó là $\frac{2}{3}$ của quả táo đỏ đỏ."),
            (r"The picture shows $1{,}200x + 2.5y$.", r"Hình vẽ cho thấy $1.200x + 2{,}5y$."),
            ("The picture shows (3, −5).", "Hình vẽ cho thấy (3; −5)."),
            ("Mia", "Mai"),
            ("12 cm", "12 cm"),
        ] {
            assert_eq!(translated(english).as_deref(), Some(vietnamese), "{english}");
        }
    }

    #[test]
    fn what_no_phrase_fits_is_not_translated() {
        for english in [
            "Mia has 7 apples. Mia eats 2. How many pears are left?",
            "Mia has 7 pears. Mia eats 2. How many pears are left?",
            "What is x + 2?",
            "red",
            "red red red red red red red apples",
            "0.001 cents",
            "I am here",
        ] {
            assert_eq!(translated(english), None, "{english}");
        }
    }

    #[test]
    fn every_grade_has_phrases() {
        for grade in 1..=10 {
            assert!(Phrasebook::of(grade).is_some_and(|book| !book.phrases.is_empty()), "{grade}");
        }
        assert!(Phrasebook::of(0).is_none() && Phrasebook::of(11).is_none());
    }
}
