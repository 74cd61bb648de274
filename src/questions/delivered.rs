//! Questions in the form in which each caller may have them: with their keys, or without while `PUBLIC_ANSWERS` is off.

use actix_web::http::header::AcceptEncoding;
use actix_web::web::Header;
use actix_web::{HttpRequest, HttpResponse};
use domain::grade::Grade;
use domain::question::Choice;
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::caller::Callers;
use crate::error::Error;
use crate::http::ready_response::ReadyResponse;
use crate::redis::Redis;

/// A question as a caller gets it. With `PUBLIC_ANSWERS=false` only staff get `answer` and `explanation`.
#[derive(ToSchema)]
#[schema(as = DeliveredQuestion)]
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
    /// `multiple-choice`.
    #[schema(rename = "type")]
    kind: String,
    /// The text of the question.
    question: String,
    /// The texts of the options, A to D by position.
    #[schema(min_items = 2, max_items = 4)]
    options: Vec<String>,
    /// Link to a picture; empty when there is none.
    image: String,
    /// The right option.
    #[schema(nullable = false)]
    answer: Option<Choice>,
    /// How to find the answer.
    #[schema(nullable = false)]
    explanation: Option<String>,
}

/// The same questions, with and without answers and explanations.
#[derive(Debug)]
pub struct Delivered {
    /// For staff. While `PUBLIC_ANSWERS` is on, for everyone.
    with_keys: ReadyResponse,
    /// For everyone else; `None` while `PUBLIC_ANSWERS` is on.
    without_keys: Option<ReadyResponse>,
}

impl Delivered {
    /// Prepares both forms; `without_keys` is `None` while `PUBLIC_ANSWERS` is on.
    pub async fn of(
        with_keys: &impl Serialize,
        without_keys: Option<&impl Serialize>,
        redis: Option<&Redis>,
    ) -> Result<Self, Error> {
        let with_keys = ReadyResponse::of(serde_json::to_vec(with_keys)?, redis).await?;
        let without_keys = match without_keys {
            Some(questions) => Some(ReadyResponse::of(serde_json::to_vec(questions)?, redis).await?),
            None => None,
        };
        Ok(Self { with_keys, without_keys })
    }

    #[must_use]
    pub fn size(&self) -> usize {
        self.with_keys.size() + self.without_keys.as_ref().map_or(0, ReadyResponse::size)
    }

    /// Answers with the form that this caller may have. While everyone gets the same, the caller is not identified, so
    /// the busiest minute of the year needs no database.
    pub async fn respond(
        &self,
        request: &HttpRequest,
        accepted: Option<Header<AcceptEncoding>>,
        callers: &Callers,
    ) -> Result<HttpResponse, Error> {
        match &self.without_keys {
            None => Ok(self.with_keys.respond(request, accepted, true)),
            Some(_) if callers.is_staff(request.headers()).await? => {
                Ok(self.with_keys.respond(request, accepted, false))
            }
            Some(without_keys) => Ok(without_keys.respond(request, accepted, false)),
        }
    }
}
