//! The sample bank in the languages that schools teach in. Ids, difficulties, keys and the order of the options are the
//! same in all of them.

use super::number::{MONEY, SMALL_MONEY};
use super::phrasebook::{CENT, DOLLAR, Phrasebook, times};
use super::{NumberQuestion, SampleQuestion, bank, number_bank};

/// The unit of amounts of money in Vietnamese.
const VIETNAMESE_MONEY: &str = "đồng";
/// What a Vietnamese question asks for an amount with, before its unit.
const HOW_MANY: &str = "ao nhiêu";

/// A language of the sample bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BankLanguage {
    /// English, in which the questions are drawn.
    En,
    /// Vietnamese, with prices in đồng.
    Vi,
}

impl BankLanguage {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::En, Self::Vi];
}

/// The 120 sample questions of a grade that have options, in a language: those of [`bank`], in their order.
#[must_use]
pub fn bank_in(language: BankLanguage, grade: u8) -> Vec<SampleQuestion> {
    translated(language, grade, bank(grade), choice)
}

/// The 20 sample questions of a grade that are answered with a number, in a language: those of [`number_bank`], in
/// their order.
#[must_use]
pub fn number_bank_in(language: BankLanguage, grade: u8) -> Vec<NumberQuestion> {
    translated(language, grade, number_bank(grade), number)
}

/// The Vietnamese of a text of a grade's bank; `None` when no phrase fits it.
#[must_use]
pub fn vietnamese(grade: u8, text: &str) -> Option<String> {
    Phrasebook::of(grade)?.translate(text)
}

/// The questions in a language. One of which some text has no translation stays English as a whole.
fn translated<T>(
    language: BankLanguage,
    grade: u8,
    english: Vec<T>,
    translate: impl Fn(&Phrasebook, &T) -> Option<T>,
) -> Vec<T> {
    match (language, Phrasebook::of(grade)) {
        (BankLanguage::Vi, Some(book)) => {
            let questions = english.into_iter();
            questions.map(|question| translate(book, &question).unwrap_or(question)).collect()
        }
        _ => english,
    }
}

fn choice(book: &Phrasebook, english: &SampleQuestion) -> Option<SampleQuestion> {
    let [a, b, c, d] = &english.options;
    Some(SampleQuestion {
        id: english.id.clone(),
        grade: english.grade,
        topic: book.translate(&english.topic)?,
        subtopic: book.translate(&english.subtopic)?,
        difficulty: english.difficulty,
        question: book.translate(&english.question)?,
        options: [book.translate(a)?, book.translate(b)?, book.translate(c)?, book.translate(d)?],
        answer: english.answer,
        explanation: book.translate(&english.explanation)?,
        image: book.picture(&english.image)?,
        image_description: book.translate(&english.image_description)?,
    })
}

fn number(book: &Phrasebook, english: &NumberQuestion) -> Option<NumberQuestion> {
    let question = book.translate(&english.question)?;
    let (answer, unit) = key(book, english)?;
    let asks_for_unit = asks_for(&question, &unit);
    Some(NumberQuestion {
        id: english.id.clone(),
        grade: english.grade,
        topic: book.translate(&english.topic)?,
        subtopic: book.translate(&english.subtopic)?,
        difficulty: english.difficulty,
        question,
        answer,
        // As in English, a unit that the question names itself does not stand behind the box too.
        unit: if asks_for_unit { String::new() } else { unit },
        forms: english.forms,
        language: BankLanguage::Vi,
        explanation: book.translate(&english.explanation)?,
        image: book.picture(&english.image)?,
        image_description: book.translate(&english.image_description)?,
    })
}

/// Whether a question names the unit of its answer itself.
fn asks_for(question: &str, unit: &str) -> bool {
    let asked = format!("{HOW_MANY} {unit}");
    let mut rests = question.match_indices(&asked).filter_map(|(start, asked)| question.get(start + asked.len()..));
    !unit.is_empty() && rests.any(|rest| !rest.starts_with(char::is_alphanumeric))
}

/// The right number and its unit.
fn key(book: &Phrasebook, english: &NumberQuestion) -> Option<(String, String)> {
    let factor = match english.unit.as_str() {
        MONEY => DOLLAR,
        SMALL_MONEY => CENT,
        "" => return Some((english.answer.clone(), String::new())),
        unit => return Some((english.answer.clone(), book.translate(unit)?)),
    };
    Some((times(&english.answer, factor)?.to_string(), VIETNAMESE_MONEY.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_that_the_question_names_is_left_out() {
        assert!(asks_for("Mẹ còn bao nhiêu đồng?", "đồng") && asks_for("Bao nhiêu m vải?", "m"));
        assert!(!asks_for("Có bao nhiêu mảnh vải?", "m") && !asks_for("Còn bao nhiêu ?", ""));
    }
}
