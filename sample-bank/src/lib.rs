//! The sample bank: 120 mathematics questions with options for each grade, and 20 that are answered with a number, made
//! by a seeded generator.
//!
//! It is code rather than data so that a new topic is one function, and so that the tests can check every
//! answer from the question's text alone, or from its figure's description (`sample-bank/tests/bank`). The sequence
//! never changes with a library: ids such as `g5-014` stay the same question for as long as the code does. It draws in
//! English, and a phrasebook makes that Vietnamese (`docs/decisions/0088-a-bank-in-two-languages.md`).

mod algebra;
mod choice;
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
mod language;
mod likeness;
mod number;
mod phrasebook;
mod signs;
mod slips;
mod typesetting;
mod values;
mod wording;

use choice::Chooser;
pub use dice::Dice;
pub use figures::Figure;
pub use language::{BankLanguage, bank_in, number_bank_in, vietnamese};
pub use number::{NUMBER_COUNTS, NumberQuestion, number_bank};

/// The number of questions with options of each difficulty, 1 to 5, in the sample bank of one grade: 120 in all.
///
/// There are 30 of difficulty 5, because an adaptive test of 40 questions needs 16 of them in the best band.
pub const COUNTS: [usize; 5] = [22, 22, 23, 23, 30];

/// How many draws a template gets for its questions, with those that repeat one or are refused. A template that needs
/// more has too few variations, and the bank lacks questions, which the tests report.
const ATTEMPTS_MAX: usize = 400;

/// What is added to the grade for the seed of the letters.
const LETTERS_SEED: u64 = 200;
/// What is added for the seed of a question that stands in for one that would repeat another.
const OTHERS_SEED: u64 = 2_000;

/// A question before its options are chosen and shuffled.
pub struct QuestionDraft {
    /// What the student reads.
    pub question: String,
    /// The right option.
    pub right: String,
    /// Wrong options, each the result of a mistake that students make; three at least, the likeliest first.
    pub wrong: Vec<String>,
    /// Further wrong options, for questions whose right option would be known from its place among the others.
    pub spare: Vec<String>,
    /// Whether no other wrong option is possible, as in a question that names all four.
    pub is_closed: bool,
    /// How to find the answer, in one sentence or a few; students read it in the report.
    pub explanation: String,
    /// A picture of what the question says.
    pub figure: Option<Figure>,
    /// What the student reads instead where the figure alone tells the rest.
    pub seen: Option<String>,
}

impl QuestionDraft {
    /// The same with a figure, if there is one.
    fn with(self, figure: impl Into<Option<Figure>>) -> Self {
        Self { figure: figure.into(), ..self }
    }

    /// The same with a text that can only be answered from the figure.
    fn seen(self, text: String) -> Self {
        Self { seen: Some(text), ..self }
    }

    /// The same with further wrong options; empty ones are left out.
    fn or(mut self, spare: impl IntoIterator<Item = String>) -> Self {
        self.spare.extend(spare);
        self
    }

    /// The same without any wrong options but its own.
    fn closed(self) -> Self {
        Self { is_closed: true, ..self }
    }

    /// Whether it has a right option and enough wrong ones.
    fn is_sound(&self) -> bool {
        !self.right.is_empty() && self.wrong.len() >= 3
    }
}

/// A kind of question that a grade asks, at one difficulty.
#[derive(Clone, Copy)]
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
    pub topic: String,
    /// The template's subtopic.
    pub subtopic: String,
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
    let Drawn { drafts, .. } = drawn(grade);
    let (mut chooser, mut dice) = (Chooser::default(), Dice::seeded(LETTERS_SEED + u64::from(grade)));
    let mut places: Vec<usize> = (0..drafts.len()).map(|index| index % 4).collect();
    dice.shuffle(&mut places);
    let numbered = drafts.into_iter().zip(places).enumerate();
    let questions = numbered.map(|(index, ((template, draft), place))| {
        let mut wrong = chooser.choose(&template, &draft);
        dice.shuffle(&mut wrong);
        finish(grade, index + 1, &template, QuestionDraft { wrong, ..draft }, place)
    });
    questions.collect()
}

/// The drafts of a grade's questions.
struct Drawn {
    drafts: Vec<(QuestionTemplate, QuestionDraft)>,
    /// The texts of all that were drawn, also of those that another draft stands in for. What is drawn later must
    /// differ from them and from nothing else, so that the sequence stays what it is.
    texts: Vec<String>,
}

/// Draws the questions of a grade that have options. A draft that repeats another one in other words keeps its place in
/// the sequence, so that no later question changes, and another draft stands in for it.
fn drawn(grade: u8) -> Drawn {
    let mut dice = Dice::seeded(u64::from(grade));
    let mut drawn = Drawn { drafts: Vec::with_capacity(COUNTS.iter().sum()), texts: Vec::new() };
    for template in templates(grade) {
        let mut missing = template.count;
        for _ in 0..ATTEMPTS_MAX {
            if missing == 0 {
                break;
            }
            let draft = (template.draw)(&mut dice);
            if !draft.is_sound() || drawn.texts.contains(&draft.question) {
                continue;
            }
            // A letter was drawn here once: the questions that follow would all be others without it.
            dice.below(4);
            drawn.texts.push(draft.question.clone());
            if drawn.has_alike(&template, &draft) {
                drawn.stand_in(grade, template);
            } else {
                drawn.drafts.push((template, draft));
            }
            missing -= 1;
        }
    }
    drawn
}

impl Drawn {
    /// Whether a draft of this kind asks the same in other words.
    fn has_alike(&self, template: &QuestionTemplate, draft: &QuestionDraft) -> bool {
        let of_kind = self.drafts.iter().filter(|(known, _)| known.subtopic == template.subtopic);
        of_kind.map(|(_, known)| known).any(|known| likeness::are_alike(known, draft))
    }

    /// Draws a question of this kind that is like no other one, from a sequence of its own.
    fn stand_in(&mut self, grade: u8, template: QuestionTemplate) {
        let place = OTHERS_SEED * u64::from(grade) + self.drafts.len() as u64;
        let mut dice = Dice::seeded(OTHERS_SEED + place);
        let other = (0..ATTEMPTS_MAX).map(|_| (template.draw)(&mut dice)).find(|draft| {
            draft.is_sound() && !self.texts.contains(&draft.question) && !self.has_alike(&template, draft)
        });
        self.drafts.extend(other.map(|other| (template, other)));
    }
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

/// The difficulties of questions that are easier or harder than others of their kind, by the number in the id.
fn labeled_by_hand(grade: u8) -> &'static [(usize, u8)] {
    match grade {
        1 => &grade_01::BY_HAND,
        4 => &grade_04::BY_HAND,
        _ => &[],
    }
}

/// The question with its right option at a place from 0 to 3.
fn finish(
    grade: u8,
    number: usize,
    template: &QuestionTemplate,
    mut draft: QuestionDraft,
    place: usize,
) -> SampleQuestion {
    if let Some(seen) = draft.seen.take().filter(|_| draft.figure.is_some()) {
        draft.question = seen;
    }
    let draft = typesetting::set(draft);
    let mut wrong = draft.wrong.into_iter();
    let mut right = Some(draft.right);
    let options =
        std::array::from_fn(|index| if index == place { right.take() } else { wrong.next() }.unwrap_or_default());
    let Figure { image, description: image_description } =
        draft.figure.unwrap_or(Figure { image: String::new(), description: String::new() });
    let by_hand = labeled_by_hand(grade).iter().find(|(known, _)| *known == number);
    SampleQuestion {
        id: format!("g{grade}-{number:03}"),
        grade,
        topic: template.topic.to_owned(),
        subtopic: template.subtopic.to_owned(),
        difficulty: by_hand.map_or(template.difficulty, |(_, difficulty)| *difficulty),
        question: draft.question,
        options,
        answer: ['A', 'B', 'C', 'D'].get(place).copied().unwrap_or('A'),
        explanation: draft.explanation,
        image,
        image_description,
    }
}
