//! The sample bank: 120 mathematics questions with options for each grade, and 20 that are answered with a number, made
//! by a seeded generator.
//!
//! It is code rather than data so that a new topic is one function, and so that the tests can check every
//! answer from the question's text alone (`sample-bank/tests/bank`). The sequence never changes with a library:
//! ids such as `g5-014` stay the same question for as long as the code does.

mod algebra;
mod dice;
mod figures;
mod grade_01;
mod grade_02;
mod grade_03;
mod grade_04;
mod grade_05;
mod grade_06;
mod grade_07;
mod grade_08;
mod grade_09;
mod grade_10;
mod number;
mod typesetting;
mod wording;

pub use dice::Dice;
pub use figures::Figure;
pub use number::{NUMBER_COUNTS, NumberQuestion, number_bank};

/// The number of questions with options of each difficulty, 1 to 5, in the sample bank of one grade: 120 in all.
///
/// There are 30 of difficulty 5, because an adaptive test of 40 questions needs 16 of them in the best band.
pub const COUNTS: [usize; 5] = [22, 22, 23, 23, 30];

/// How many draws a template gets for its questions, with those that repeat one or are refused. A template that needs
/// more has too few variations, and the bank lacks questions, which the tests report.
const ATTEMPTS_MAX: usize = 400;

/// A question before its options are shuffled.
pub struct QuestionDraft {
    /// What the student reads.
    pub question: String,
    /// The right option.
    pub right: String,
    /// Three wrong options, each the result of a mistake that students make.
    pub wrong: [String; 3],
    /// How to find the answer, in one sentence or a few; students read it in the report.
    pub explanation: String,
    /// A picture of what the question says.
    pub figure: Option<Figure>,
}

impl QuestionDraft {
    /// The same with a figure, if there is one.
    fn with(self, figure: impl Into<Option<Figure>>) -> Self {
        Self { figure: figure.into(), ..self }
    }
}

/// A kind of question that a grade asks, at one difficulty.
pub struct QuestionTemplate {
    /// The topic shown in reports, such as `Fractions`.
    pub topic: &'static str,
    /// A part of the topic, such as `Adding unlike denominators`.
    pub subtopic: &'static str,
    /// 1 (easy) to 5 (hard).
    pub difficulty: u8,
    /// How many questions of this kind the bank holds.
    pub count: usize,
    /// Draws one question of this kind.
    pub draw: fn(&mut Dice) -> QuestionDraft,
}

/// A finished sample question: four distinct options, of which one is right.
pub struct SampleQuestion {
    /// `g<grade>-<three digits>`, such as `g5-014`.
    pub id: String,
    /// 1 to 10.
    pub grade: u8,
    /// The template's topic.
    pub topic: &'static str,
    /// The template's subtopic.
    pub subtopic: &'static str,
    /// 1 to 5.
    pub difficulty: u8,
    /// What the student reads.
    pub question: String,
    /// Options A to D.
    pub options: [String; 4],
    /// `A`, `B`, `C` or `D`.
    pub answer: char,
    /// How to find the answer.
    pub explanation: String,
    /// The address of a picture that contains it; empty when there is none.
    pub image: String,
    /// What the picture shows, in words; empty when there is none.
    pub image_description: String,
}

/// The 120 sample questions of a grade that have options, the same at every call; empty for a grade outside 1 to 10.
#[must_use]
pub fn bank(grade: u8) -> Vec<SampleQuestion> {
    let mut dice = Dice::seeded(u64::from(grade));
    let mut questions: Vec<SampleQuestion> = Vec::with_capacity(COUNTS.iter().sum());
    for template in templates(grade) {
        let mut missing = template.count;
        for _ in 0..ATTEMPTS_MAX {
            if missing == 0 {
                break;
            }
            let draft = typesetting::set((template.draw)(&mut dice));
            if !is_sound(&draft) || questions.iter().any(|known| known.question == draft.question) {
                continue;
            }
            questions.push(finish(grade, questions.len() + 1, &template, draft, &mut dice));
            missing -= 1;
        }
    }
    questions
}

fn templates(grade: u8) -> Vec<QuestionTemplate> {
    match grade {
        1 => grade_01::templates(),
        2 => grade_02::templates(),
        3 => grade_03::templates(),
        4 => grade_04::templates(),
        5 => grade_05::templates(),
        6 => grade_06::templates(),
        7 => grade_07::templates(),
        8 => grade_08::templates(),
        9 => grade_09::templates(),
        10 => grade_10::templates(),
        _ => Vec::new(),
    }
}

/// Whether the draft has four distinct options, none of them empty.
fn is_sound(draft: &QuestionDraft) -> bool {
    let [first, second, third] = &draft.wrong;
    let options = [&draft.right, first, second, third];
    options
        .iter()
        .enumerate()
        .all(|(index, option)| !option.is_empty() && !options.iter().take(index).any(|other| other == option))
}

fn finish(
    grade: u8,
    number: usize,
    template: &QuestionTemplate,
    draft: QuestionDraft,
    dice: &mut Dice,
) -> SampleQuestion {
    let place = dice.below(4);
    let mut wrong = draft.wrong.into_iter();
    let mut right = Some(draft.right);
    let options =
        std::array::from_fn(|index| if index == place { right.take() } else { wrong.next() }.unwrap_or_default());
    let Figure { image, description: image_description } =
        draft.figure.unwrap_or(Figure { image: String::new(), description: String::new() });
    SampleQuestion {
        id: format!("g{grade}-{number:03}"),
        grade,
        topic: template.topic,
        subtopic: template.subtopic,
        difficulty: template.difficulty,
        question: draft.question,
        options,
        answer: ['A', 'B', 'C', 'D'].get(place).copied().unwrap_or('A'),
        explanation: draft.explanation,
        image,
        image_description,
    }
}
