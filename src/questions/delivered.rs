//! Questions in the form in which each caller may have them: with their keys, or without while `PUBLIC_ANSWERS` is off.

use actix_web::http::header::AcceptEncoding;
use actix_web::web::Header;
use actix_web::{HttpRequest, HttpResponse};
use domain::access::Identity;
use domain::grade::Grade;
use domain::number::{Form, Language};
use domain::question::{DeliveredQuestion, Question, WholeQuestion};
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::caller::Callers;
use crate::error::Error;
use crate::http::audit;
use crate::http::ready_response::ReadyResponse;
use crate::redis::Redis;

/// A question as a caller gets it. With `PUBLIC_ANSWERS=false` only staff of the grade get `answer`,
/// `tolerance`, `forms` and `explanation`, unless it is marked as one for practice; without it, they alone get these of
/// a question that is marked as none, and of those of a template that is no practice.
#[derive(ToSchema)]
#[schema(as = DeliveredQuestion, rename_all = "camelCase")]
#[allow(dead_code, reason = "describes both forms in one: with its key a question is a `Question`")]
pub struct DeliveredShape {
    id: String,
    grade: Grade,
    topic: String,
    subtopic: String,
    /// 1 to 5.
    #[schema(minimum = 1, maximum = 5)]
    difficulty: u8,
    /// Where the question comes from.
    source: String,
    /// `multiple-choice` or `number`.
    #[schema(rename = "type")]
    kind: String,
    /// The text of the question.
    question: String,
    /// The texts of the options, A to D by position; none if the answer is a number.
    #[schema(max_items = 4)]
    options: Vec<String>,
    /// What stands behind the box for a number; may be empty. Absent of multiple choice, like the next.
    #[schema(nullable = false)]
    unit: Option<String>,
    /// How digit groups and decimal signs of a number are read.
    #[schema(nullable = false)]
    language: Option<Language>,
    /// Link to a picture; empty when there is none.
    image: String,
    /// What the picture shows, in words; empty when nobody has described it.
    image_description: String,
    /// The right option, `A` to `D`, or the right number with a decimal point.
    #[schema(nullable = false)]
    answer: Option<String>,
    /// How far a number may be from the right one; there with the answer of a number, like the next.
    #[schema(nullable = false)]
    tolerance: Option<String>,
    /// The ways of writing a number that count.
    #[schema(nullable = false)]
    forms: Option<Vec<Form>>,
    /// How to find the answer.
    #[schema(nullable = false)]
    explanation: Option<String>,
}

/// A question as everyone gets it: with its key, or without.
#[derive(Serialize)]
#[serde(untagged)]
pub enum PublicQuestion<'a> {
    WithKey(WholeQuestion<&'a Question>),
    Keyless(DeliveredQuestion<'a>),
}

/// The same questions in the form for each caller.
#[derive(Debug)]
pub struct Delivered {
    /// For staff of all their grades, with all questions; `None` while everyone may see all.
    whole: Option<ReadyResponse>,
    /// For the same staff. While no key is kept, for everyone, unless there is a whole form.
    with_keys: ReadyResponse,
    /// For everyone else; `None` while no key is kept.
    without_keys: Option<ReadyResponse>,
    grades: Vec<Grade>,
}

impl Delivered {
    /// Prepares all forms; `whole` is `None` while there is nothing that only staff of `grades` may see, and
    /// `without_keys` is `None` while no key is kept from the others. `shared` is where servers find the form for
    /// everyone, if everyone may have it: the other forms stay in this server.
    pub async fn of(
        whole: Option<&impl Serialize>,
        with_keys: &impl Serialize,
        without_keys: Option<&impl Serialize>,
        grades: &[Grade],
        shared: Option<(&Redis, &str)>,
    ) -> Result<Self, Error> {
        let whole = match whole {
            Some(questions) => Some(ReadyResponse::of(serde_json::to_vec(questions)?, None).await?),
            None => None,
        };
        let for_everyone = shared.filter(|_| without_keys.is_none());
        let with_keys = ReadyResponse::of(serde_json::to_vec(with_keys)?, for_everyone).await?;
        let without_keys = match without_keys {
            Some(questions) => Some(ReadyResponse::of(serde_json::to_vec(questions)?, shared).await?),
            None => None,
        };
        Ok(Self { whole, with_keys, without_keys, grades: grades.to_vec() })
    }

    #[must_use]
    pub fn size(&self) -> usize {
        let others = self.whole.iter().chain(&self.without_keys).map(ReadyResponse::size);
        self.with_keys.size() + others.sum::<usize>()
    }

    /// Answers with the form that this caller may have. While everyone gets the same, the caller is not identified, so
    /// the busiest minute of the year needs no database.
    pub async fn respond(
        &self,
        request: &HttpRequest,
        accepted: Option<Header<AcceptEncoding>>,
        callers: &Callers,
    ) -> Result<HttpResponse, Error> {
        if self.whole.is_none() && self.without_keys.is_none() {
            return Ok(self.with_keys.respond(request, accepted, true));
        }
        let caller = callers.identify(request.headers()).await?;
        if let Some(caller) = caller.as_ref().filter(|caller| may_see_all(caller, &self.grades)) {
            // Others get less.
            audit::note_caller(request, caller);
            return Ok(self.whole.as_ref().unwrap_or(&self.with_keys).respond(request, accepted, false));
        }
        Ok(self.without_keys.as_ref().unwrap_or(&self.with_keys).respond(request, accepted, false))
    }
}

/// Returns whether nothing of these grades is withheld from a caller.
#[must_use]
pub fn may_see_all(caller: &Identity, grades: &[Grade]) -> bool {
    grades.iter().all(|grade| caller.reviews().has(*grade))
}
