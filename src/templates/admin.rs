//! The routes by which admins manage whole templates: list, create, read, change, remove, draw again.

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpResponse, delete, get, post, put};
use domain::attempt::Mode;
use domain::grade::Grade;
use domain::template::{ConfigDraft, distinct_grades, minutes};
use domain::text;
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::view::{GeneratedTemplate, OneTemplate, TargetsShape, TemplateList};
use super::{Templates, known};
use crate::auth::caller::Admin;
use crate::auth::refusals::AdminRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{Done, done};
use crate::http::fields::JsonFields;
use crate::sittings::fields::flag;

/// A change of a template in a request.
pub(super) type ForcibleChange = After<Admin, After<Path<String>, After<Query<ForceQuery>, JsonFields>>>;

/// Whether a template is changed while the doors of its sittings are open.
#[derive(Deserialize)]
pub(super) struct ForceQuery {
    force: Option<String>,
}

impl ForceQuery {
    pub(super) fn is_forced(&self) -> Result<bool, Error> {
        flag("force", self.force.as_deref())
    }
}

/// The configuration of a template.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", examples(json!({
    "name": "Spring test", "grades": [5], "mode": "standard", "durationMinutes": 30,
    "standardTargets": { "1": 4, "2": 3, "3": 3, "4": 4, "5": 6 }
})))]
#[allow(dead_code, reason = "describes a body that is read field by field, to name the field that is wrong")]
struct TemplateConfig {
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
struct TemplateChange {
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
pub async fn list(_admin: Admin, templates: Data<Templates>) -> Result<HttpResponse, Error> {
    templates.here()?;
    Ok(HttpResponse::Ok().json(TemplateList::of(templates.list().await?)))
}

/// Creates a template, and draws and locks its questions.
#[utoipa::path(
    operation_id = "createTemplate",
    tag = "templates",
    security(("api_token" = [])),
    request_body = TemplateConfig,
    responses(
        (status = 200, description = "The template, and how many questions were missing", body = GeneratedTemplate),
        (status = 400, description = "`Invalid <field>` or `All bands must have the same total`", body = ErrorBody),
        AdminRefusals,
        (status = 501, description = "`Test templates need the local data provider`", body = ErrorBody),
    )
)]
#[post("/api/admin/test-templates")]
pub async fn create(asked: After<Admin, JsonFields>, templates: Data<Templates>) -> Result<HttpResponse, Error> {
    templates.here()?;
    let After(Admin(admin), fields) = asked;
    let config = draft(&fields)?.config(None)?;
    let (template, shortfalls) = templates.create(config, &admin.email).await?;
    Ok(HttpResponse::Ok().json(GeneratedTemplate { template: templates.shown(template).await?, shortfalls }))
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
    templates.here()?;
    let After(_admin, id) = asked;
    let template = templates.load(known(&id)?).await?;
    Ok(HttpResponse::Ok().json(OneTemplate { template: templates.shown(template).await? }))
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
    templates.here()?;
    let After(_admin, After(id, After(query, fields))) = asked;
    let draft = draft(&fields)?;
    let template = templates.update(known(&id)?, draft, query.is_forced()?).await?;
    Ok(HttpResponse::Ok().json(OneTemplate { template: templates.shown(template).await? }))
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
    templates.here()?;
    let After(_admin, id) = asked;
    templates.delete(known(&id)?).await?;
    Ok(done())
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
        (status = 409, description = "`Sitting is open`, or `Sitting has begun`, which cannot be forced", body = ErrorBody),
        (status = 501, description = "`Test templates need the local data provider`", body = ErrorBody),
        (status = 503, description = "Its grades are changed again and again at the moment", body = ErrorBody),
    )
)]
#[post("/api/admin/test-templates/{id}/generate")]
pub async fn generate(
    asked: After<Admin, After<Path<String>, Query<ForceQuery>>>,
    templates: Data<Templates>,
) -> Result<HttpResponse, Error> {
    templates.here()?;
    let After(_admin, After(id, query)) = asked;
    let (template, shortfalls) = templates.generate(known(&id)?, query.is_forced()?).await?;
    Ok(HttpResponse::Ok().json(GeneratedTemplate { template: templates.shown(template).await?, shortfalls }))
}

/// The fields in the body. Targets are checked later, when the mode is known: those of the other mode are ignored.
fn draft(fields: &JsonFields) -> Result<ConfigDraft, Error> {
    let name = fields.optional::<String>("name")?.map(|name| text::name(&name).ok_or_else(|| Error::invalid("name")));
    let grades = fields
        .optional::<Vec<Grade>>("grades")?
        .map(|grades| distinct_grades(&grades).ok_or_else(|| Error::invalid("grades")));
    let mode = fields.optional::<String>("mode")?.map(|mode| Mode::parse(&mode).ok_or_else(|| Error::invalid("mode")));
    let duration = fields
        .optional::<f64>("durationMinutes")?
        .map(|number| minutes(number).ok_or_else(|| Error::invalid("durationMinutes")));
    Ok(ConfigDraft {
        name: name.transpose()?,
        grades: grades.transpose()?,
        mode: mode.transpose()?,
        duration_minutes: duration.transpose()?,
        standard_targets: fields.optional("standardTargets")?,
        session1_targets: fields.optional("session1Targets")?,
        session2_targets_by_band: fields.optional("session2TargetsByBand")?,
    })
}
