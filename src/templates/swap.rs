//! Swapping one locked question for another: the list of candidates, and the swap itself.

use std::sync::Arc;

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpResponse, get, post};
use domain::access::Identity;
use domain::band::Band;
use domain::question::{KeyedQuestion, WholeQuestion};
use domain::template::{Bucket, CANDIDATES_MAX, Swap, Template};
use rand::seq::IndexedRandom;
use utoipa::ToSchema;
use uuid::Uuid;

use super::admin::ForcibleChange;
use super::requests::{self, SwapQuery, sight};
use super::view::{Candidates, SwappedTemplate};
use super::{QUESTION_NOT_FOUND, Templates};
use crate::auth::caller::Admin;
use crate::auth::refusals::AdminRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::store::questions;

/// The body of a swap.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code, reason = "describes a body that is read field by field, to name the field that is wrong")]
pub(super) struct SwapBody {
    bucket: SwapBucket,
    /// The question to replace.
    question_id: String,
    /// The replacement; any eligible question if it is left out.
    replacement_id: Option<String>,
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

/// Questions that could replace a locked one, at most 25.
#[utoipa::path(
    operation_id = "listSwapCandidates",
    tag = "templates",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Template id"),
        ("bucket" = inline(BucketKind), Query, description = "The list that the question is in"),
        ("band" = Option<Band>, Query, description = "Of `session2`"),
        ("questionId" = String, Query, description = "The question that is to go"),
    ),
    responses(
        (status = 200, description = "Of the same difficulty, in no particular order", body = Candidates),
        (status = 400, description = "`Invalid bucket`, `Invalid band` or `Invalid questionId`", body = ErrorBody),
        AdminRefusals,
        (status = 404, description = "`Not found`, or `Question not found` in the list", body = ErrorBody),
        (status = 501, description = "`Test templates need the local data provider`", body = ErrorBody),
    )
)]
#[get("/api/admin/test-templates/{id}/swap")]
pub async fn candidates(
    asked: After<Admin, After<Path<String>, Query<SwapQuery>>>,
    templates: Data<Templates>,
) -> Result<HttpResponse, Error> {
    let After(Admin(admin), After(id, Query(asked))) = asked;
    requests::candidates(&admin, &templates, &id, asked).await
}

/// Replaces a question by the named one, or by any eligible one.
#[utoipa::path(
    operation_id = "swapQuestion",
    tag = "templates",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Template id"),
        ("force" = Option<bool>, Query, description = "Change it while the doors of a sitting are open, which gets a new paper"),
    ),
    request_body = SwapBody,
    responses(
        (status = 200, description = "The template, and the question that has come", body = SwappedTemplate),
        (status = 400, description = "`Invalid <field>`, or `Replacement must match the same difficulty`", body = ErrorBody),
        AdminRefusals,
        (status = 404, description = "`Not found`, or `Question not found` in the list", body = ErrorBody),
        (status = 409, description = "`No eligible replacement available at this difficulty`, `Sitting is open`, or `Sitting has begun`, which cannot be forced", body = ErrorBody),
        (status = 501, description = "`Test templates need the local data provider`", body = ErrorBody),
        (status = 503, description = "Its grades are changed again and again at the moment", body = ErrorBody),
    )
)]
#[post("/api/admin/test-templates/{id}/swap")]
pub async fn swap(asked: ForcibleChange, templates: Data<Templates>) -> Result<HttpResponse, Error> {
    let After(Admin(admin), After(id, After(query, fields))) = asked;
    requests::swap(&admin, &templates, &id, &query, &fields).await
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
        let pool = self.pool(&template.config.grades).await?;
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
        let exchange = |template: &mut Template, pool: &[Arc<KeyedQuestion>]| {
            template.swap(&wanted, replacement_id, pool, &mut rand::rng())
        };
        let (template, came) = self.change_with_pool(caller, id, is_forced, exchange).await?;
        let replacement = questions::load_by_ids(&self.database, [&*came]).await?.remove(&*came);
        let replacement = replacement.ok_or(Error::NotFound(QUESTION_NOT_FOUND))?;
        let replacement = sight(caller, &template)?.whole(replacement);
        Ok((template, replacement))
    }

    /// Looks up the difficulty of the question to replace. Only locked questions are looked up, so that invented ids
    /// never reach the database.
    async fn swap_of<'a>(&self, template: &Template, bucket: Bucket, question_id: &'a str) -> Result<Swap<'a>, Error> {
        let is_locked = template.paper(bucket).iter().any(|id| id == question_id);
        let found = if is_locked {
            questions::load_by_ids(&self.database, [question_id]).await?.remove(question_id)
        } else {
            None
        };
        Ok(Swap { bucket, question_id, difficulty: found.map(|question| question.difficulty) })
    }
}
