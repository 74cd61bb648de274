//! Swapping one locked question for another: the list of candidates, and the swap itself.

use std::sync::Arc;

use domain::access::Identity;
use domain::band::Band;
use domain::question::WholeQuestion;
use domain::template::draw::QuestionPool;
use domain::template::swap::{Swap, SwapRefusal};
use domain::template::{Bucket, CANDIDATES_MAX, Template};
use rand::seq::IndexedRandom;
use utoipa::ToSchema;
use uuid::Uuid;

use super::requests::{bucket_of, sight};
use super::{NO_REPLACEMENT, Templates, WRONG_REPLACEMENT};
use crate::database::Transaction;
use crate::error::Error;
use crate::http::fields::{Field, body};
use crate::questions::QUESTION_NOT_FOUND;
use crate::store::questions;

body! {
    /// The body of a swap.
    pub(super) struct SwapBody {
        #[schema(value_type = SwapBucket)]
        pub(super) bucket: Bucket = bucket_of,
        /// The question to replace.
        pub(super) question_id: String = Field::required,
        /// The replacement; any eligible question if it is left out.
        pub(super) replacement_id: Option<String> = Field::optional,
    }
}

/// The kinds of lists that a template has.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[allow(dead_code, reason = "describes a body that is read field by field, to name the field that is wrong")]
pub(super) enum BucketKind {
    Standard,
    Session1,
    Session2,
}

/// A list of a template.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes a body that is read field by field, to name the field that is wrong")]
pub(super) struct SwapBucket {
    kind: BucketKind,
    /// For `session2` only.
    band: Option<Band>,
}

impl Templates {
    pub(super) async fn candidates(
        &self,
        caller: &Identity,
        id: Uuid,
        bucket: Bucket,
        question_id: &str,
    ) -> Result<Vec<WholeQuestion>, Error> {
        let template = self.managed(caller, id).await?;
        let sight = sight(caller, &template)?;
        let wanted = self.swap_of(&template, bucket, question_id).await?;
        let pool = self.pool(&template.config).await?;
        let eligible = template.eligible(&wanted, &pool)?;
        let chosen: Vec<&str> =
            eligible.sample(&mut rand::rng(), CANDIDATES_MAX).map(|question| &*question.id).collect();
        let found = questions::load_by_ids(&self.database, chosen).await?;
        Ok(found.into_values().map(|question| sight.whole(question)).collect())
    }

    pub(super) async fn swap(
        &self,
        caller: &Identity,
        id: Uuid,
        bucket: Bucket,
        question_id: &str,
        replacement_id: Option<&str>,
        is_forced: bool,
    ) -> Result<(Template, WholeQuestion), Error> {
        let wanted = self.swap_of(&self.managed(caller, id).await?, bucket, question_id).await?;
        let exchange = |template: &mut Template, pool: &QuestionPool| {
            template.swap(&wanted, replacement_id, pool, &mut rand::rng())
        };
        // The bank at hand may have a question that has just been removed.
        let read = async |transaction: &Transaction, came: Arc<str>| {
            let found = questions::load_by_ids_in(transaction, [&*came]).await?.remove(&*came);
            found.ok_or(Error::NotFound(QUESTION_NOT_FOUND))
        };
        let (template, replacement) = self.change_with_pool(caller, id, is_forced, exchange, read).await?;
        let replacement = sight(caller, &template)?.whole(replacement);
        Ok((template, replacement))
    }

    /// Looks up the question to replace, as it is now. Only locked questions are looked up, so that invented ids
    /// never reach the database.
    async fn swap_of<'a>(&self, template: &Template, bucket: Bucket, question_id: &'a str) -> Result<Swap<'a>, Error> {
        let is_locked = template.paper(bucket).iter().any(|id| id == question_id);
        let found = if is_locked {
            questions::load_by_ids(&self.database, [question_id]).await?.remove(question_id)
        } else {
            None
        };
        Ok(Swap { bucket, question_id, replaced: found.map(|question| question.keyed()) })
    }
}

impl From<SwapRefusal> for Error {
    fn from(refusal: SwapRefusal) -> Self {
        match refusal {
            SwapRefusal::NoSuchBucket => Self::invalid("bucket"),
            SwapRefusal::QuestionNotFound => Self::NotFound(QUESTION_NOT_FOUND),
            SwapRefusal::NoneEligible => Self::Conflict(NO_REPLACEMENT),
            SwapRefusal::NotEligible => Self::Invalid(WRONG_REPLACEMENT.to_owned()),
        }
    }
}
