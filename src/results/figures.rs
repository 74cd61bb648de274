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
use super::gathering::{Gathered, GatheredQuestion};
use super::{Results, in_turn};
use crate::auth::caller::{Manager, NOT_ASSIGNED};
use crate::auth::refusals::ManagerRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::private;

const OPTIONS: [Choice; 4] = [Choice::A, Choice::B, Choice::C, Choice::D];

/// Figures by which a wrong key is found.
#[derive(Serialize, ToSchema)]
struct KeyFigures {
    /// As in the results.
    questions: Vec<QuestionFigures>,
    /// Whether somebody had a form: numbers and letters are those of form A, whichever form a student had.
    forms: bool,
    /// Whether somebody saw options in another order than in the bank, whose letters these are.
    shuffled: bool,
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
        let forms = tests.iter().any(|gathered| gathered.test.form().is_some());
        let shuffled = tests.iter().any(|gathered| !gathered.orders.is_empty());
        let of_question = |question: GatheredQuestion| {
            let counts = statistics.counts(&question.id).unwrap_or_default();
            QuestionFigures::of(question, counts)
        };
        Self { questions: questions.into_iter().map(of_question).collect(), forms, shuffled }
    }
}

impl QuestionFigures {
    fn of(question: GatheredQuestion, counts: ItemCounts) -> Self {
        let GatheredQuestion { id, number, form, stage, right: key, corrected, asked: text, discrimination } = question;
        let (correction, also) = corrected;
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
