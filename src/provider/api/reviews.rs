//! Reviews in an external service.

use std::collections::BTreeMap;

use async_trait::async_trait;
use domain::grade::Grade;
use domain::progress::{Decision, Tally};
use domain::question::Question;
use domain::resources::{QuestionReview, Review};
use domain::review::ReviewOutcome;
use futures_util::future::try_join;
use reqwest::Method;

use super::call::Call;
use super::{ExternalProvider, envelopes};
use crate::error::Error;
use crate::provider;

#[async_trait]
impl provider::Reviews for ExternalProvider {
    async fn reviewed_bank(&self, grade: Grade) -> Result<(Vec<Question>, Vec<Review>), Error> {
        let (bank, mut reviews) = try_join(self.bring_bank(grade), self.reviews()).await?;
        let of_grade = bank.iter().filter_map(|question| reviews.remove(&question.id)).collect();
        Ok((bank, of_grade))
    }

    async fn put_review(&self, grade: Grade, review: Review) -> Result<ReviewOutcome, Error> {
        if !self.bring_bank(grade).await?.iter().any(|question| question.id == review.question_id) {
            return Ok(ReviewOutcome::Unknown);
        }
        let question_id = review.question_id.clone();
        let call = Call::new(Method::PUT, "reviews/{questionId}", &[&question_id]);
        let call = call.carrying(&QuestionReview::from(review))?;
        self.client.order(call).await?;
        Ok(ReviewOutcome::Stored)
    }

    async fn tallies(&self) -> Result<Vec<Tally>, Error> {
        let (banks, reviews) = try_join(self.bring_banks(), self.reviews()).await?;
        let decision = |question: &Question| {
            let review = reviews.get(&question.id)?;
            Some(Decision { status: review.status, email: &review.reviewed_by, name: &review.reviewed_by_name })
        };
        Ok(banks.iter().flat_map(|(grade, bank)| Tally::of(*grade, bank.iter().map(decision))).collect())
    }
}

impl ExternalProvider {
    /// Fetches all reviews, by question id.
    async fn reviews(&self) -> Result<BTreeMap<String, Review>, Error> {
        let answer = self.client.send(Call::get("reviews", &[])).await?;
        let reviews = answer.shaped(|value| envelopes::map::<QuestionReview>(value, "reviews"))?;
        Ok(reviews.into_iter().filter_map(|(id, review)| Some((id.clone(), review.of(id)?))).collect())
    }
}
