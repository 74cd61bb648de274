//! The routes by which managers keep templates of their grades. They answer as those of admins do.

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpResponse, delete, get, post, put};
use domain::band::Band;

use super::Templates;
use super::admin::{NewTemplate, TemplateChange, TemplateChangeRequest};
use super::requests::{self, ForceQuery, SwapQuery};
use super::swap::{BucketKind, SwapBody};
use super::view::{Candidates, GeneratedTemplate, OneTemplate, SwappedTemplate, TemplateList};
use crate::auth::caller::Manager;
use crate::auth::refusals::ManagerRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::Done;
use crate::http::fields::JsonFields;

/// The templates that the caller manages without their questions, the most recently changed first.
#[utoipa::path(
    operation_id = "listManagedTemplates",
    tag = "templates",
    security(("api_token" = [])),
    responses(
        (status = 200, description = "Those of all whose grades the caller is a manager, among the 1,000 that were changed last; all for admins", body = TemplateList),
        ManagerRefusals,
        (status = 501, description = "`Test templates need the local data provider`", body = ErrorBody),
    )
)]
#[get("/api/manager/test-templates")]
pub async fn list(Manager(caller): Manager, templates: Data<Templates>) -> Result<HttpResponse, Error> {
    requests::list(&caller, &templates).await
}

/// Creates a template of grades that the caller manages, and draws and locks its questions.
#[utoipa::path(
    operation_id = "createManagedTemplate",
    tag = "templates",
    security(("api_token" = [])),
    request_body = NewTemplate,
    responses(
        (status = 200, description = "The template, and how many questions were missing", body = GeneratedTemplate),
        (status = 400, description = "`Invalid <field>` or `All bands must have the same total`", body = ErrorBody),
        ManagerRefusals,
        (status = 501, description = "`Test templates need the local data provider`", body = ErrorBody),
    )
)]
#[post("/api/manager/test-templates")]
pub async fn create(asked: After<Manager, JsonFields>, templates: Data<Templates>) -> Result<HttpResponse, Error> {
    let After(Manager(caller), fields) = asked;
    requests::create(&caller, &templates, &fields).await
}

/// A template with its locked questions.
#[utoipa::path(
    operation_id = "readManagedTemplate",
    tag = "templates",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Template id")),
    responses(
        (status = 200, description = "The template", body = OneTemplate),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 501, description = "`Test templates need the local data provider`", body = ErrorBody),
    )
)]
#[get("/api/manager/test-templates/{id}")]
pub async fn read(asked: After<Manager, Path<String>>, templates: Data<Templates>) -> Result<HttpResponse, Error> {
    let After(Manager(caller), id) = asked;
    requests::read(&caller, &templates, &id).await
}

/// Changes any fields of the configuration. The locked questions stay.
#[utoipa::path(
    operation_id = "updateManagedTemplate",
    tag = "templates",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Template id"),
        ("force" = Option<bool>, Query, description = "Change it while the doors of a sitting are open, which gets a new paper"),
    ),
    request_body = TemplateChange,
    responses(
        (status = 200, description = "The template", body = OneTemplate),
        (status = 400, description = "`Invalid <field>` or `All bands must have the same total`", body = ErrorBody),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`Sitting is open`, or `Sitting has begun`, which cannot be forced; for other grades `Template has sittings` or `Template has tests`", body = ErrorBody),
        (status = 501, description = "`Test templates need the local data provider`", body = ErrorBody),
    )
)]
#[put("/api/manager/test-templates/{id}")]
pub async fn update(
    asked: After<Manager, TemplateChangeRequest>,
    templates: Data<Templates>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), After(id, After(query, fields))) = asked;
    requests::update(&caller, &templates, &id, &query, &fields).await
}

/// Removes a template. Its share link stops working; tests that were started from it continue.
#[utoipa::path(
    operation_id = "deleteManagedTemplate",
    tag = "templates",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Template id")),
    responses(
        (status = 200, description = "Removed", body = Done),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`Template has sittings`", body = ErrorBody),
        (status = 501, description = "`Test templates need the local data provider`", body = ErrorBody),
    )
)]
#[delete("/api/manager/test-templates/{id}")]
pub async fn delete(asked: After<Manager, Path<String>>, templates: Data<Templates>) -> Result<HttpResponse, Error> {
    let After(Manager(caller), id) = asked;
    requests::delete(&caller, &templates, &id).await
}

/// Draws all questions of a template again. Swaps that were made by hand are lost.
#[utoipa::path(
    operation_id = "generateManagedTemplate",
    tag = "templates",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Template id"),
        ("force" = Option<bool>, Query, description = "Change it while the doors of a sitting are open, which gets a new paper"),
    ),
    responses(
        (status = 200, description = "The template, and how many questions were missing", body = GeneratedTemplate),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`Sitting is open`, or with `force` `Sitting has begun`, or `The template has a list without questions` for the new paper", body = ErrorBody),
        (status = 501, description = "`Test templates need the local data provider`", body = ErrorBody),
        (status = 503, description = "Its grades are changed again and again at the moment", body = ErrorBody),
    )
)]
#[post("/api/manager/test-templates/{id}/generate")]
pub async fn generate(
    asked: After<Manager, After<Path<String>, Query<ForceQuery>>>,
    templates: Data<Templates>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), After(id, query)) = asked;
    requests::generate(&caller, &templates, &id, &query).await
}

/// Questions that could replace a locked one, at most 25.
#[utoipa::path(
    operation_id = "listManagedSwapCandidates",
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
        ManagerRefusals,
        (status = 404, description = "`Not found`, or `Question not found` in the list", body = ErrorBody),
        (status = 501, description = "`Test templates need the local data provider`", body = ErrorBody),
    )
)]
#[get("/api/manager/test-templates/{id}/swap")]
pub async fn candidates(
    asked: After<Manager, After<Path<String>, Query<SwapQuery>>>,
    templates: Data<Templates>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), After(id, Query(asked))) = asked;
    requests::candidates(&caller, &templates, &id, asked).await
}

/// Replaces a question by the named one, or by any eligible one.
#[utoipa::path(
    operation_id = "swapManagedQuestion",
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
        ManagerRefusals,
        (status = 404, description = "`Not found`, or `Question not found` in the list", body = ErrorBody),
        (status = 409, description = "`No eligible replacement available at this difficulty`, `Sitting is open`, or `Sitting has begun`, which cannot be forced", body = ErrorBody),
        (status = 501, description = "`Test templates need the local data provider`", body = ErrorBody),
        (status = 503, description = "Its grades are changed again and again at the moment", body = ErrorBody),
    )
)]
#[post("/api/manager/test-templates/{id}/swap")]
pub async fn swap(
    asked: After<Manager, TemplateChangeRequest>,
    templates: Data<Templates>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), After(id, After(query, fields))) = asked;
    requests::swap(&caller, &templates, &id, &query, &fields).await
}
