//! Difficulties in logits by marginal maximum likelihood: the Rasch model with guessing, abilities from a normal
//! distribution, and the EM algorithm of Bock and Aitkin. A round is one pass over the answers.

use std::array;
use std::f64::consts::PI;
use std::ops::Range;
use std::sync::Arc;

use super::answers::{Answered, LiveAnswers};

/// Abilities at which the likelihood of each test is taken.
const NODES: usize = 31;
/// The farthest of them, in standard deviations of the students.
const FARTHEST_ABILITY: f64 = 5.0;
/// The standard deviation of the difficulties that are expected before anything is known: so wide that it moves none
/// that answers tell, and enough for a question that everybody solves to have one.
const SPREAD: f64 = 3.0;
/// The farthest difficulty, in logits.
const FARTHEST_DIFFICULTY: f64 = 8.0;
/// The longest step of a difficulty at once, so that none oscillates.
const LONGEST_STEP: f64 = 1.0;
/// Steps of each difficulty in one round. The rounds repeat them.
const STEPS_OF_ROUND: usize = 3;
/// No difficulty moves farther in the last round. It is a hundredth of the smallest error that is of interest.
const SETTLED_WITHIN: f64 = 0.0005;
/// Rounds after which the values are taken as they are.
const ROUNDS_MAX: usize = 300;

/// A value for each node.
type Nodes = [f64; NODES];

/// The difficulty of a question in logits, where 0 is as difficult as a middling student is able.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedQuestion {
    /// Identifier of the question.
    pub question_id: String,
    /// The difficulty.
    pub logits: f64,
    /// Its standard error among the other questions; the level of all of them together is not in it.
    pub error: f64,
    /// The answers that it is from.
    pub answers: u32,
}

/// An estimation under way.
#[derive(Debug)]
pub struct RaschFit {
    answers: Arc<LiveAnswers>,
    tests: Range<usize>,
    questions: Vec<FitQuestion>,
    rounds: usize,
    is_settled: bool,
}

/// A question, and what the present round has found.
#[derive(Clone, Debug)]
struct FitQuestion {
    guess: f64,
    difficulty: f64,
    answers: u32,
    /// How many students of each ability were right and wrong, as expected from their whole tests.
    right: Nodes,
    wrong: Nodes,
}

/// What an answer to a question adds to the likelihood of each ability, or to another sum over them.
#[derive(Clone, Copy)]
struct ByOutcome {
    right: Nodes,
    wrong: Nodes,
}

impl ByOutcome {
    const fn of(&self, is_right: bool) -> &Nodes {
        if is_right { &self.right } else { &self.wrong }
    }
}

/// What a student of some ability makes of a question.
#[derive(Clone, Copy)]
struct Chance {
    /// The chance to solve it.
    solved: f64,
    /// The chance of a right answer, guessed or not.
    right: f64,
    /// How that falls with the difficulty.
    fall: f64,
}

impl RaschFit {
    /// Begins with the answers of these tests. `guess` is the chance to guess a question of this id.
    #[must_use]
    pub fn begin(answers: Arc<LiveAnswers>, tests: Range<usize>, guess: impl Fn(&str) -> f64) -> Self {
        let question = |id: &String| FitQuestion {
            guess: guess(id),
            difficulty: 0.0,
            answers: 0,
            right: [0.0; NODES],
            wrong: [0.0; NODES],
        };
        let mut questions: Vec<FitQuestion> = answers.ids().iter().map(question).collect();
        for (place, _) in answers.marks_of(tests.clone()).flat_map(Answered::iter) {
            if let Some(question) = questions.get_mut(place) {
                question.answers += 1;
            }
        }
        Self { answers, tests, questions, rounds: 0, is_settled: false }
    }

    /// Whether another round changes nothing that matters.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        self.is_settled || self.rounds >= ROUNDS_MAX
    }

    /// One round: how able the students are by the present difficulties, and how difficult the questions are by that.
    #[must_use]
    pub fn round(mut self) -> Self {
        let likelihoods: Vec<ByOutcome> = self.questions.iter().map(FitQuestion::log_likelihood).collect();
        for question in &mut self.questions {
            (question.right, question.wrong) = ([0.0; NODES], [0.0; NODES]);
        }
        let log_weights = log_weights();
        for test in self.answers.marks_of(self.tests.clone()) {
            let abilities = posterior(&log_weights, &likelihoods, test.iter());
            for (place, is_right) in test.iter() {
                if let Some(question) = self.questions.get_mut(place) {
                    add(if is_right { &mut question.right } else { &mut question.wrong }, &abilities);
                }
            }
        }
        let asked = self.questions.iter_mut().filter(|question| question.answers > 0);
        let farthest = asked.map(FitQuestion::follow).fold(0.0, f64::max);
        self.rounds += 1;
        self.is_settled = farthest < SETTLED_WITHIN;
        self
    }

    /// The difficulties with their errors: the observed information of the marginal likelihood, by Louis' formula.
    #[must_use]
    pub fn finish(self) -> Vec<FittedQuestion> {
        let likelihoods: Vec<ByOutcome> = self.questions.iter().map(FitQuestion::log_likelihood).collect();
        let (slopes, bends): (Vec<ByOutcome>, Vec<ByOutcome>) = self.questions.iter().map(FitQuestion::slopes).unzip();
        let mut information = vec![1.0 / (SPREAD * SPREAD); self.questions.len()];
        let log_weights = log_weights();
        for test in self.answers.marks_of(self.tests.clone()) {
            let abilities = posterior(&log_weights, &likelihoods, test.iter());
            for (place, is_right) in test.iter() {
                let found = (information.get_mut(place), slopes.get(place), bends.get(place));
                if let (Some(information), Some(slope), Some(bend)) = found {
                    let mean_slope = dot(&abilities, slope.of(is_right));
                    *information += dot(&abilities, bend.of(is_right)) + mean_slope * mean_slope;
                }
            }
        }
        let ids = self.answers.ids();
        let asked =
            self.questions.into_iter().zip(information).zip(ids).filter(|((question, _), _)| question.answers > 0);
        let fitted = |((question, information), question_id): ((FitQuestion, f64), String)| FittedQuestion {
            question_id,
            logits: question.difficulty,
            // Where the likelihood is flat, what was expected before is all that is known.
            error: information.max(1.0 / (SPREAD * SPREAD)).sqrt().recip(),
            answers: question.answers,
        };
        asked.map(fitted).collect()
    }
}

impl FitQuestion {
    fn chances(&self) -> [Chance; NODES] {
        nodes().map(|ability| {
            let solved = 1.0 / (1.0 + (self.difficulty - ability).exp());
            let right = self.guess + (1.0 - self.guess) * solved;
            Chance { solved, right, fall: (1.0 - self.guess) * solved * (1.0 - solved) }
        })
    }

    fn log_likelihood(&self) -> ByOutcome {
        let chances = self.chances();
        ByOutcome { right: chances.map(|of| of.right.ln()), wrong: chances.map(|of| (1.0 - of.right).ln()) }
    }

    /// The slope of the log-likelihood of an answer by the difficulty, and its downward bend less the square of the
    /// slope.
    fn slopes(&self) -> (ByOutcome, ByOutcome) {
        let chances = self.chances();
        let slope = ByOutcome { right: chances.map(|of| -of.fall / of.right), wrong: chances.map(|of| of.solved) };
        let bend = ByOutcome {
            // The bend of a logarithm, less the square of its slope, is the second derivative over the value.
            right: chances.map(|of| -of.fall * (1.0 - 2.0 * of.solved) / of.right),
            wrong: chances.map(|of| of.solved * (1.0 - of.solved) - of.solved * of.solved),
        };
        (slope, bend)
    }

    /// Moves the difficulty to where what was found is likeliest. Returns how far.
    fn follow(&mut self) -> f64 {
        let before = self.difficulty;
        for _ in 0..STEPS_OF_ROUND {
            let mut slope = -self.difficulty / (SPREAD * SPREAD);
            // The information that is expected, and the bend that is there. By the smaller one a step could be so long
            // that the next one leads back.
            let (mut expected, mut bend) = (0.0, 0.0);
            let found = self.chances().into_iter().zip(self.right.iter().zip(&self.wrong));
            for (Chance { solved, right: chance, fall }, (right, wrong)) in found {
                slope += wrong * solved - right * fall / chance;
                expected += (right + wrong) * fall * fall / (chance * (1.0 - chance));
                bend += right * ((fall / chance).powi(2) - fall * (1.0 - 2.0 * solved) / chance);
                bend += wrong * solved * (1.0 - solved);
            }
            let information = 1.0 / (SPREAD * SPREAD) + f64::max(expected, bend);
            let step = (slope / information).clamp(-LONGEST_STEP, LONGEST_STEP);
            self.difficulty = (self.difficulty + step).clamp(-FARTHEST_DIFFICULTY, FARTHEST_DIFFICULTY);
        }
        (self.difficulty - before).abs()
    }
}

/// The abilities, evenly from the lowest to the highest.
fn nodes() -> Nodes {
    array::from_fn(|node| FARTHEST_ABILITY * (2.0 * node as f64 / (NODES - 1) as f64 - 1.0))
}

/// The logarithm of how many students have each ability.
fn log_weights() -> Nodes {
    let width = 2.0 * FARTHEST_ABILITY / (NODES - 1) as f64;
    nodes().map(|ability| (width / (2.0 * PI).sqrt()).ln() - ability * ability / 2.0)
}

/// How likely each ability is for a student with these answers.
fn posterior(log_weights: &Nodes, likelihoods: &[ByOutcome], answers: impl Iterator<Item = (usize, bool)>) -> Nodes {
    let mut logs = *log_weights;
    for (place, is_right) in answers {
        if let Some(likelihood) = likelihoods.get(place) {
            add(&mut logs, likelihood.of(is_right));
        }
    }
    let highest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let likely = logs.map(|log| (log - highest).exp());
    let sum: f64 = likely.iter().sum();
    likely.map(|likely| likely / sum)
}

fn add(sums: &mut Nodes, values: &Nodes) {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
}

fn dot(one: &Nodes, other: &Nodes) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}
