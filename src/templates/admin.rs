//! The routes by which admins manage whole templates: list, create, read, change, remove, draw again.

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpResponse, delete, get, post, put};
use domain::attempt::Mode;
use domain::calculator::Calculator;
use domain::grade::Grade;
use serde_json::Value;
use utoipa::ToSchema;

use super::Templates;
use super::requests::{self, ForceQuery};
use super::view::{GeneratedTemplate, OneTemplate, TargetsShape, TemplateList};
use crate::auth::caller::Admin;
use crate::auth::refusals::AdminRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::Done;
use crate::http::fields::JsonFields;

/// A change of a template in a request.
pub(super) type ForcibleChange = After<Admin, TemplateChangeRequest>;
/// The same, whoever makes it.
pub(super) type TemplateChangeRequest = After<Path<String>, After<Query<ForceQuery>, JsonFields>>;

/// The configuration of a template.
#[derive(ToSchema)]
#[schema(as = TemplateConfig, rename_all = "camelCase", examples(json!({
    "name": "Spring test", "grades": [5], "mode": "standard", "durationMinutes": 30,
    "standardTargets": { "1": 4, "2": 3, "3": 3, "4": 4, "5": 6 }
})))]
#[allow(dead_code, reason = "describes a body that is read field by field, to name the field that is wrong")]
pub(super) struct NewTemplate {
    /// 1 to 200 characters.
    #[schema(min_length = 1, max_length = 200)]
    name: String,
    /// The questions are drawn from all of them.
    #[schema(min_items = 1, max_items = 10)]
    grades: Vec<Grade>,
    mode: Mode,
    /// Whole minutes; for both stages together.
    #[schema(minimum = 1, maximum = 600)]
    duration_minutes: u32,
    /// Which calculator students may use; none without it.
    calculator: Option<Calculator>,
    /// For a standard template: questions wanted of each difficulty, `1` to `5`; 1 to 200 in total.
    #[schema(value_type = Option<TargetsShape>)]
    standard_targets: Option<Value>,
    /// For an adaptive template: the same for its first list.
    #[schema(value_type = Option<TargetsShape>)]
    session1_targets: Option<Value>,
    /// For an adaptive template: the same for each of the five bands, all with the same total.
    #[schema(value_type = Option<BTreeMap<String, TargetsShape>>)]
    session2_targets_by_band: Option<Value>,
}

/// The fields of a template to change. The others stay.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!({ "name": "Spring test, second sitting" })))]
#[allow(dead_code, reason = "describes a body that is read field by field, to name the field that is wrong")]
pub(super) struct TemplateChange {
    /// 1 to 200 characters.
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    /// The questions are drawn from all of them.
    #[schema(min_items = 1, max_items = 10)]
    grades: Option<Vec<Grade>>,
    mode: Option<Mode>,
    /// Whole minutes; for both stages together.
    #[schema(minimum = 1, maximum = 600)]
    duration_minutes: Option<u32>,
    /// Which calculator students may use.
    calculator: Option<Calculator>,
    /// For a standard template: questions wanted of each difficulty, `1` to `5`; 1 to 200 in total.
    #[schema(value_type = Option<TargetsShape>)]
    standard_targets: Option<Value>,
    /// For an adaptive template: the same for its first list.
    #[schema(value_type = Option<TargetsShape>)]
    session1_targets: Option<Value>,
    /// For an adaptive template: the same for each of the five bands, all with the same total.
    #[schema(value_type = Option<BTreeMap<String, TargetsShape>>)]
    session2_targets_by_band: Option<Value>,
}

/// All templates without their questions, the most recently changed first.
#[utoipa::path(
    operation_id = "listTemplates",
    tag = "templates",
    security(("api_token" = [])),
    responses(
        (status = 200, description = "The 1,000 that were changed last", body = TemplateList),
        AdminRefusals,
        (status = 501, description = "`Test templates need the local data provider`", body = ErrorBody),
    )
)]
#[get("/api/admin/test-templates")]
pub async fn list(Admin(admin): Admin, templates: Data<Templates>) -> Result<HttpResponse, Error> {
    requests::list(&admin, &templates).await
}

/// Creates a template, and draws and locks its questions.
#[utoipa::path(
    operation_id = "createTemplate",
    tag = "templates",
    security(("api_token" = [])),
    request_body = NewTemplate,
    responses(
        (status = 200, description = "The template, and how many questions were missing", body = GeneratedTemplate),
        (status = 400, description = "`Invalid <field>` or `All bands must have the same total`", body = ErrorBody),
        AdminRefusals,
        (status = 501, description = "`Test templates need the local data provider`", body = ErrorBody),
    )
)]
#[post("/api/admin/test-templates")]
pub async fn create(asked: After<Admin, JsonFields>, templates: Data<Templates>) -> Result<HttpResponse, Error> {
    let After(Admin(admin), fields) = asked;
    requests::create(&admin, &templates, &fields).await
}

/// A template with its locked questions.
#[utoipa::path(
    operation_id = "readTemplate",
    tag = "templates",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Template id")),
    responses(
        (status = 200, description = "The template", body = OneTemplate),
        AdminRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 501, description = "`Test templates need the local data provider`", body = ErrorBody),
    )
)]
#[get("/api/admin/test-templates/{id}")]
pub async fn read(asked: After<Admin, Path<String>>, templates: Data<Templates>) -> Result<HttpResponse, Error> {
    let After(Admin(admin), id) = asked;
    requests::read(&admin, &templates, &id).await
}

/// Changes any fields of the configuration. The locked questions stay.
#[utoipa::path(
    operation_id = "updateTemplate",
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
        AdminRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`Sitting is open`, or `Sitting has begun`, which cannot be forced", body = ErrorBody),
        (status = 501, description = "`Test templates need the local data provider`", body = ErrorBody),
    )
)]
#[put("/api/admin/test-templates/{id}")]
pub async fn update(asked: ForcibleChange, templates: Data<Templates>) -> Result<HttpResponse, Error> {
    let After(Admin(admin), After(id, After(query, fields))) = asked;
    requests::update(&admin, &templates, &id, &query, &fields).await
}

/// Removes a template. Its share link stops working; tests that were started from it continue.
#[utoipa::path(
    operation_id = "deleteTemplate",
    tag = "templates",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Template id")),
    responses(
        (status = 200, description = "Removed", body = Done),
        AdminRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`Template has sittings`", body = ErrorBody),
        (status = 501, description = "`Test templates need the local data provider`", body = ErrorBody),
    )
)]
#[delete("/api/admin/test-templates/{id}")]
pub async fn delete(asked: After<Admin, Path<String>>, templates: Data<Templates>) -> Result<HttpResponse, Error> {
    let After(Admin(admin), id) = asked;
    requests::delete(&admin, &templates, &id).await
}

/// Draws all questions of a template again. Swaps that were made by hand are lost.
#[utoipa::path(
    operation_id = "generateTemplate",
    tag = "templates",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Template id"),
        ("force" = Option<bool>, Query, description = "Change it while the doors of a sitting are open, which gets a new paper"),
    ),
    responses(
        (status = 200, description = "The template, and how many questions were missing", body = GeneratedTemplate),
        AdminRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`Sitting is open`, or with `force` `Sitting has begun`, or `The template has a list without questions` for the new paper", body = ErrorBody),
        (status = 501, description = "`Test templates need the local data provider`", body = ErrorBody),
        (status = 503, description = "Its grades are changed again and again at the moment", body = ErrorBody),
    )
)]
#[post("/api/admin/test-templates/{id}/generate")]
pub async fn generate(
    asked: After<Admin, After<Path<String>, Query<ForceQuery>>>,
    templates: Data<Templates>,
) -> Result<HttpResponse, Error> {
    let After(Admin(admin), After(id, query)) = asked;
    requests::generate(&admin, &templates, &id, &query).await
}
