//! Sample questions whose answer is a number that the student types. They are drawn from the same templates as the
//! choices, without their options, so that both ask alike; each grade names the templates for which a number is the
//! natural answer.

use super::{ATTEMPTS_MAX, BankLanguage, COUNTS, Dice, Drawn, Figure, QuestionDraft, drawn, typesetting};
use super::{
    QuestionTemplate, grade_01, grade_02, grade_03, grade_04, grade_05, grade_06, grade_07, grade_08, grade_09,
    grade_10,
};

/// The number of these questions of each difficulty, 1 to 5, in the sample bank of one grade: 20 in all.
pub const NUMBER_COUNTS: [usize; 5] = [4; 5];

/// What is added to the grade for the seed, so that the choices stay what they are.
const SEED: u64 = 100;
/// The units that stand behind an answer, as templates write them.
const UNITS: [&str; 13] = [
    "°",
    "°C",
    SMALL_MONEY,
    "cm",
    "cm²",
    "cubic cm",
    "liters",
    "m",
    "m²",
    "meters",
    "square cm",
    "square feet",
    "square meters",
];
/// The unit of an amount of money, whose sign stands before it elsewhere.
pub(super) const MONEY: &str = "dollars";
/// … and of a small one.
pub(super) const SMALL_MONEY: &str = "cents";
/// The smallest part of a whole that a fraction may have to become a decimal: four places after the point.
const PARTS: i64 = 10_000;
/// All ways of writing a number.
const ALL_FORMS: &[&str] = &["decimal", "fraction", "mixed"];
/// The one that remains where the question itself writes a quotient: `56/7` would be no answer to `56 ÷ 7`.
const WORKED_OUT: &[&str] = &["decimal"];

/// A finished sample question that is answered with a number.
pub struct NumberQuestion {
    /// `g<grade>-<three digits>`, which go on after those of the choices.
    pub id: String,
    /// 1 to 10.
    pub grade: u8,
    /// The template's topic.
    pub topic: String,
    /// The template's subtopic.
    pub subtopic: String,
    /// 1 to 5.
    pub difficulty: u8,
    /// What the student reads.
    pub question: String,
    /// The right number as a decimal, such as `-0.75`.
    pub answer: String,
    /// What stands behind the answer, such as `cm²`; may be empty.
    pub unit: String,
    /// The ways of writing the number that count: some of `decimal`, `fraction` and `mixed`.
    pub forms: &'static [&'static str],
    /// By which language a typed number is read: that of the question.
    pub language: BankLanguage,
    /// How to find the answer.
    pub explanation: String,
    /// The address of a picture that contains it; empty when there is none.
    pub image: String,
    /// What the picture shows, in words; empty when there is none.
    pub image_description: String,
}

/// The 20 sample questions of a grade that are answered with a number, the same at every call; empty for a grade
/// outside 1 to 10.
#[must_use]
pub fn number_bank(grade: u8) -> Vec<NumberQuestion> {
    let mut dice = Dice::seeded(SEED + u64::from(grade));
    let Drawn { texts: mut known, .. } = drawn(grade);
    let mut questions: Vec<NumberQuestion> = Vec::with_capacity(NUMBER_COUNTS.iter().sum());
    for template in templates(grade) {
        let mut missing = template.count;
        for _ in 0..ATTEMPTS_MAX {
            if missing == 0 {
                break;
            }
            let draft = (template.draw)(&mut dice);
            if known.contains(&draft.question) {
                continue;
            }
            let (number, text) = (COUNTS.iter().sum::<usize>() + questions.len() + 1, draft.question.clone());
            if let Some(question) = finish(grade, number, &template, draft) {
                questions.push(question);
                known.push(text);
                missing -= 1;
            }
        }
    }
    questions
}

fn templates(grade: u8) -> Vec<QuestionTemplate> {
    match grade {
        1 => grade_01::number_templates(),
        2 => grade_02::number_templates(),
        3 => grade_03::number_templates(),
        4 => grade_04::number_templates(),
        5 => grade_05::number_templates(),
        6 => grade_06::number_templates(),
        7 => grade_07::number_templates(),
        8 => grade_08::number_templates(),
        9 => grade_09::number_templates(),
        10 => grade_10::number_templates(),
        _ => Vec::new(),
    }
}

/// The question; `None` for a draft without an answer that a decimal writes exactly.
fn finish(grade: u8, number: usize, template: &QuestionTemplate, draft: QuestionDraft) -> Option<NumberQuestion> {
    if !draft.is_sound() {
        return None;
    }
    let (answer, unit) = key(&draft.right)?;
    let is_quotient = draft.question.contains(['÷', '/']) && !draft.right.contains('/');
    let unit = if asks_for(&draft.question, unit) { "" } else { unit };
    // Options that nobody sees must not make its mathematics formal; these three always have.
    let wrong = draft.wrong.iter().take(3).cloned().collect();
    let QuestionDraft { question, explanation, figure, .. } = typesetting::set(QuestionDraft { wrong, ..draft });
    let Figure { image, description: image_description } =
        figure.unwrap_or(Figure { image: String::new(), description: String::new() });
    Some(NumberQuestion {
        id: format!("g{grade}-{number:03}"),
        grade,
        topic: template.topic.to_owned(),
        subtopic: template.subtopic.to_owned(),
        difficulty: template.difficulty,
        question,
        answer,
        unit: unit.to_owned(),
        forms: if is_quotient { WORKED_OUT } else { ALL_FORMS },
        language: BankLanguage::En,
        explanation,
        image,
        image_description,
    })
}

/// Returns whether the question names the unit of its answer itself, so that it would stand there twice.
fn asks_for(question: &str, unit: &str) -> bool {
    !unit.is_empty() && question.contains(&format!("How many {unit}"))
}

/// The number of a right option as a decimal, and the unit behind it; `None` for an option that is no such number.
fn key(right: &str) -> Option<(String, &'static str)> {
    let right = right.strip_prefix("x = ").unwrap_or(right);
    let (sign, right) = right.strip_prefix('−').map_or(("", right), |positive| ("-", positive));
    let (is_money, right) = right.strip_prefix('$').map_or((false, right), |amount| (true, amount));
    let is_of_number = |letter: char| letter.is_ascii_digit() || matches!(letter, ',' | '.' | '/' | ' ');
    let (number, unit) = right.split_at(right.find(|letter| !is_of_number(letter)).unwrap_or(right.len()));
    let unit = match unit {
        "" if is_money => MONEY,
        "" => "",
        unit => UNITS.into_iter().find(|known| *known == unit)?,
    };
    let decimal = decimal_of(&number.trim_end().replace(',', ""))?;
    let is_zero = decimal == "0";
    Some((format!("{}{decimal}", if is_zero { "" } else { sign }), unit))
}

/// `2.25` from `2 1/4`, and `3.5` from `3.50`.
fn decimal_of(number: &str) -> Option<String> {
    let (whole, part) = match number.split_once(' ') {
        Some((whole, part)) => (whole, Some(part)),
        None if number.contains('/') => ("0", Some(number)),
        None => (number, None),
    };
    let Some(part) = part else {
        let is_plain =
            whole.split('.').all(|digits| !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit()));
        let shortest = if whole.contains('.') { whole.trim_end_matches('0').trim_end_matches('.') } else { whole };
        return is_plain.then(|| shortest.to_owned());
    };
    let (above, below) = part.split_once('/')?;
    let (whole, above, below): (i64, i64, i64) = (whole.parse().ok()?, above.parse().ok()?, below.parse().ok()?);
    if below == 0 || above * PARTS % below != 0 {
        return None;
    }
    let parts = whole * PARTS + above * PARTS / below;
    decimal_of(&format!("{}.{:04}", parts / PARTS, parts % PARTS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_right_option_gives_the_key() {
        for (right, answer, unit) in [
            ("12", "12", ""),
            ("1,200", "1200", ""),
            ("−1,200", "-1200", ""),
            ("$3.50", "3.5", "dollars"),
            ("$12", "12", "dollars"),
            ("0.45", "0.45", ""),
            ("100", "100", ""),
            ("3/4", "0.75", ""),
            ("−9/8", "-1.125", ""),
            ("2 1/5", "2.2", ""),
            ("57°", "57", "°"),
            ("−5 °C", "-5", "°C"),
            ("24 square meters", "24", "square meters"),
            ("x = −7/2", "-3.5", ""),
        ] {
            assert_eq!(key(right), Some((answer.to_owned(), unit)), "{right}");
        }
    }

    #[test]
    fn what_is_no_decimal_is_no_key() {
        for right in
            ["1/3", "2 1/7", "9:05", "3 remainder 2", "(3, −5)", "6√2", "49π cm²", "x = 1, y = 2", "2x + 3", ""]
        {
            assert_eq!(key(right), None, "{right}");
        }
    }

    #[test]
    fn a_unit_that_the_question_names_is_left_out() {
        assert!(asks_for("How many liters must be added?", "liters"));
        assert!(!asks_for("How long is it?", "m") && !asks_for("How many are left?", ""));
    }
}
