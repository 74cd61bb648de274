//! `GET /api/manager/results/figures`: what the answers of everyone say about each key, without people and without
//! keys. A release looks at it first, and whoever releases results has not read them.

use actix_web::web::{Data, Query, block};
use actix_web::{HttpResponse, get};
use domain::form::FormLetter;
use domain::item_statistics::ItemCounts;
use domain::question::{Choice, Key, MULTIPLE_CHOICE, NUMBER};
use serde::Serialize;
use utoipa::ToSchema;

use super::asked::{ResultsAsked, ResultsParameters};
use super::gathering::{Gathered, GatheredQuestion, GatheredTest};
use super::{Results, in_turn};
use crate::auth::caller::{Manager, NOT_ASSIGNED};
use crate::auth::refusals::ManagerRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::private;

const OPTIONS: [Choice; 4] = [Choice::A, Choice::B, Choice::C, Choice::D];
/// Differences of this size come from the way in which computers write fractions.
const NO_SPREAD: f64 = 1e-9;

/// Figures by which a wrong key is found.
#[derive(Serialize, ToSchema)]
struct KeyFigures {
    /// As in the results.
    questions: Vec<QuestionFigures>,
}

/// What was answered to one question, of all together.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct QuestionFigures {
    id: String,
    /// Its place on the paper, as in the results.
    number: usize,
    /// The form whose number that is, if form A does not have the question; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false, example = "B")]
    form: Option<FormLetter>,
    /// 1 or 2; null of a grade.
    #[schema(required)]
    stage: Option<u8>,
    /// `multiple-choice` or `number`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// Whether its key was corrected after the test.
    corrected: bool,
    /// Tests that had it.
    asked: u64,
    right: u64,
    /// What was chosen or typed and was not right; of numbers those that most have given.
    mistakes: Vec<KeyMistake>,
    /// From -1 to 1, how well the question tells strong students from weak ones; null where all did equally well.
    #[schema(required)]
    discrimination: Option<f64>,
}

/// A wrong answer, and how many gave it.
#[derive(Serialize, ToSchema)]
struct KeyMistake {
    /// The letter, or the number.
    choice: String,
    count: u64,
}

/// Returns what the answers say about each key, for those who manage all grades concerned, without anybody's result.
#[utoipa::path(
    operation_id = "readKeyFigures",
    tag = "results",
    security(("api_token" = [])),
    params(ResultsParameters),
    responses(
        (status = 200, description = "Figures of every question that was asked", body = KeyFigures),
        (status = 400, description = "`Invalid <parameter>`, or not exactly one of the first three", body = ErrorBody),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 501, description = "`Not available from the external data provider`", body = ErrorBody),
        (status = 503, description = "Too many ask for results at once", body = ErrorBody),
    )
)]
#[get("/api/manager/results/figures")]
pub async fn figures(
    asked: After<Manager, Query<ResultsAsked>>,
    service: Data<Results>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), Query(asked)) = asked;
    let asked = service.asked(&caller, asked).await?;
    if !asked.sight.shows_people() {
        return Err(Error::Forbidden(NOT_ASSIGNED));
    }
    let work = service.get_ref().clone();
    let found = in_turn(&service.turns, async move {
        let gathered = work.gather(&asked).await?;
        block(move || KeyFigures::of(gathered)).await.map_err(Error::internal)
    });
    Ok(private(&mut HttpResponse::Ok()).json(found.await?))
}

impl KeyFigures {
    fn of(gathered: Gathered) -> Self {
        let Gathered { questions, tests, statistics, .. } = gathered;
        let of_question = |(question, discrimination): (GatheredQuestion, Option<f64>)| {
            let counts = statistics.counts(&question.id).unwrap_or_default();
            QuestionFigures::of(question, counts, discrimination)
        };
        let discriminations = discriminations(&tests, questions.len());
        Self { questions: questions.into_iter().zip(discriminations).map(of_question).collect() }
    }
}

impl QuestionFigures {
    fn of(question: GatheredQuestion, counts: ItemCounts, discrimination: Option<f64>) -> Self {
        let GatheredQuestion { id, number, form, stage, right: key, corrected: (correction, also), asked: text } =
            question;
        let ItemCounts { asked, right, chosen, wrong, graded_by, .. } = counts;
        let known = key.as_ref().or(text.as_ref().map(|asked| &asked.question.answer));
        let is_number = known.and_then(Key::number).is_some();
        let also = also.texts();
        // A correction says what is right, also where some keep the result that an earlier key has given them.
        let is_right = |letter: &str| {
            let was_right = correction.is_none() && graded_by.contains_key(letter);
            was_right
                || key.as_ref().is_some_and(|key| key.letter_or_number() == letter)
                || also.iter().any(|also| also == letter)
        };
        let mistakes = if is_number {
            wrong
                .unwrap_or_default()
                .into_iter()
                .map(|wrong| KeyMistake { choice: wrong.text, count: wrong.count })
                .collect()
        } else {
            let letters = OPTIONS.into_iter().map(Choice::letter).zip(chosen);
            let mistakes = letters.filter(|(letter, count)| *count > 0 && !is_right(letter));
            mistakes.map(|(letter, count)| KeyMistake { choice: letter.to_owned(), count }).collect()
        };
        let kind = if is_number { NUMBER } else { MULTIPLE_CHOICE };
        Self { id, number, form, stage, kind, corrected: correction.is_some(), asked, right, mistakes, discrimination }
    }
}

/// The sums from which a correlation is reckoned: of whether a question was right, and of the share of all others.
#[derive(Clone, Default)]
struct Sums {
    count: f64,
    right: f64,
    rest: f64,
    rest_squared: f64,
    both: f64,
}

/// Of each question, the correlation between being right in it and the share of the other questions that were right.
fn discriminations(tests: &[GatheredTest], questions: usize) -> Vec<Option<f64>> {
    let mut sums = vec![Sums::default(); questions];
    for test in tests {
        let answers = test.answers.iter().map(|(place, _, is_right)| (*place, *is_right));
        add(&mut sums, &answers.collect::<Vec<_>>());
    }
    sums.iter().map(Sums::correlation).collect()
}

/// Adds one test: the places of its questions, and whether each was right.
fn add(sums: &mut [Sums], answers: &[(u32, bool)]) {
    let of_all: f64 = answers.iter().map(|_| 1.0).sum();
    let right_of_all: f64 = answers.iter().map(|(_, is_right)| f64::from(u8::from(*is_right))).sum();
    if answers.len() < 2 {
        return;
    }
    for (place, is_right) in answers {
        let Some(of) = usize::try_from(*place).ok().and_then(|place| sums.get_mut(place)) else { continue };
        let right = f64::from(u8::from(*is_right));
        let rest = (right_of_all - right) / (of_all - 1.0);
        of.count += 1.0;
        of.right += right;
        of.rest += rest;
        of.rest_squared += rest * rest;
        of.both += right * rest;
    }
}

impl Sums {
    /// `None` where all were right, or none, or all did equally well elsewhere.
    fn correlation(&self) -> Option<f64> {
        if self.count < 1.0 {
            return None;
        }
        let (right, rest) = (self.right / self.count, self.rest / self.count);
        let of_right = right * (1.0 - right);
        let of_rest = self.rest_squared / self.count - rest * rest;
        let has_spread = of_right >= NO_SPREAD && of_rest >= NO_SPREAD;
        has_spread.then(|| (self.both / self.count - right * rest) / (of_right * of_rest).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests as words: `x` was right, `o` was wrong, and a blank was not asked.
    fn found(tests: &[&str], questions: usize) -> Vec<Option<f64>> {
        let mut sums = vec![Sums::default(); questions];
        for test in tests {
            let asked = (0_u32..).zip(test.chars()).filter(|(_, answer)| *answer != ' ');
            add(&mut sums, &asked.map(|(place, answer)| (place, answer == 'x')).collect::<Vec<_>>());
        }
        sums.iter().map(Sums::correlation).collect()
    }

    #[test]
    fn the_discrimination_is_the_correlation_with_the_rest_of_the_test() {
        let of = found(&["xoxx", "xoxx", "oxoo", "oxoo"], 4);
        assert!(of[0].is_some_and(|of| (of - 1.0).abs() < 1e-6), "{of:?}");
        assert!(of[1].is_some_and(|of| (of + 1.0).abs() < 1e-6), "{of:?}");
    }

    #[test]
    fn there_is_none_where_all_are_alike_or_nobody_was_asked() {
        let of = found(&["xxo", "xox"], 4);
        assert!(of[0].is_none() && of[3].is_none(), "{of:?}");
        let papers_differ = found(&["x xx", "x xx", "o  o", " xo "], 4);
        assert!(papers_differ[0].is_some_and(|of| (of - 1.0).abs() < 1e-6), "{papers_differ:?}");
    }
}
