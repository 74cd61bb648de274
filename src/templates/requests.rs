//! Answers requests about templates, for admins and managers alike. The grades that a caller manages are checked where
//! the template is read or locked, so that they cannot change in between.

use actix_web::HttpResponse;
use actix_web::web::{Path, Query};
use domain::access::Identity;
use domain::attempt::Mode;
use domain::band::Band;
use domain::calculator::Calculator;
use domain::grade::Grade;
use domain::question::Question;
use domain::sight::StaffSight;
use domain::template::{Bucket, ConfigDraft, Template, distinct_grades, minutes};
use domain::text;
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::view::{
    Candidates, GeneratedTemplate, OneTemplate, SwappedTemplate, TargetsShape, TemplateList, TestTemplate,
};
use super::{Templates, known, refuse_others};
use crate::auth::caller::NOT_ASSIGNED;
use crate::error::Error;
use crate::http::after::After;
use crate::http::answers::done;
use crate::http::audit::with_detail;
use crate::http::fields::JsonFields;
use crate::sittings::fields::flag;
use crate::store::embargo::Embargo;
use crate::store::questions;

/// Whether a template is changed while the doors of its sittings are open.
#[derive(Deserialize)]
pub(super) struct ForceQuery {
    force: Option<String>,
}

impl ForceQuery {
    fn is_forced(&self) -> Result<bool, Error> {
        flag("force", self.force.as_deref())
    }
}

/// A change of a template in a request.
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

/// Which question is to be swapped.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SwapQuery {
    bucket: Option<String>,
    band: Option<String>,
    question_id: Option<String>,
}

pub(super) async fn list(caller: &Identity, templates: &Templates) -> Result<HttpResponse, Error> {
    templates.here()?;
    Ok(HttpResponse::Ok().json(TemplateList::of(templates.list(caller).await?)))
}

pub(super) async fn create(
    caller: &Identity,
    templates: &Templates,
    fields: &JsonFields,
) -> Result<HttpResponse, Error> {
    templates.here()?;
    let config = draft(fields)?.config(None)?;
    refuse_others(caller, &config.grades)?;
    let (template, shortfalls) = templates.create(config, &caller.email).await?;
    Ok(HttpResponse::Ok().json(GeneratedTemplate { template: templates.shown(caller, template).await?, shortfalls }))
}

pub(super) async fn read(caller: &Identity, templates: &Templates, id: &str) -> Result<HttpResponse, Error> {
    templates.here()?;
    let template = templates.managed(caller, known(id)?).await?;
    Ok(HttpResponse::Ok().json(OneTemplate { template: templates.shown(caller, template).await? }))
}

pub(super) async fn update(
    caller: &Identity,
    templates: &Templates,
    id: &str,
    query: &ForceQuery,
    fields: &JsonFields,
) -> Result<HttpResponse, Error> {
    templates.here()?;
    let draft = draft(fields)?;
    let template = templates.update(caller, known(id)?, draft, query.is_forced()?).await?;
    let name = template.config.name.clone();
    Ok(with_detail(HttpResponse::Ok().json(OneTemplate { template: templates.shown(caller, template).await? }), name))
}

pub(super) async fn delete(caller: &Identity, templates: &Templates, id: &str) -> Result<HttpResponse, Error> {
    templates.here()?;
    templates.delete(caller, known(id)?).await?;
    Ok(done())
}

pub(super) async fn generate(
    caller: &Identity,
    templates: &Templates,
    id: &str,
    query: &ForceQuery,
) -> Result<HttpResponse, Error> {
    templates.here()?;
    let (template, shortfalls) = templates.generate(caller, known(id)?, query.is_forced()?).await?;
    Ok(HttpResponse::Ok().json(GeneratedTemplate { template: templates.shown(caller, template).await?, shortfalls }))
}

pub(super) async fn candidates(
    caller: &Identity,
    templates: &Templates,
    id: &str,
    asked: SwapQuery,
) -> Result<HttpResponse, Error> {
    templates.here()?;
    let bucket = bucket(asked.bucket.as_deref(), asked.band.as_deref())?;
    let question_id = asked.question_id.ok_or_else(|| Error::invalid("questionId"))?;
    let candidates = templates.candidates(caller, known(id)?, bucket, &question_id).await?;
    Ok(HttpResponse::Ok().json(Candidates { candidates }))
}

pub(super) async fn swap(
    caller: &Identity,
    templates: &Templates,
    id: &str,
    query: &ForceQuery,
    fields: &JsonFields,
) -> Result<HttpResponse, Error> {
    templates.here()?;
    let list = fields.required::<Map<String, Value>>("bucket")?;
    let text = |name: &str| list.get(name).and_then(Value::as_str);
    let bucket = bucket(text("kind"), text("band"))?;
    let question_id: String = fields.required("questionId")?;
    let replacement_id: Option<String> = fields.optional("replacementId")?;
    let is_forced = query.is_forced()?;
    let swapping = templates.swap(caller, known(id)?, bucket, &question_id, replacement_id.as_deref(), is_forced);
    let (template, replacement) = swapping.await?;
    Ok(HttpResponse::Ok().json(SwappedTemplate { template: templates.shown(caller, template).await?, replacement }))
}

impl Templates {
    /// The template in the form for those who manage it.
    async fn shown(&self, caller: &Identity, template: Template) -> Result<TestTemplate, Error> {
        let sight = sight(caller, &template)?;
        let questions = template.questions(&questions::load_by_ids(&self.database, template.question_ids()).await?);
        let whole = |list: Option<&Vec<Question>>| {
            list.into_iter().flatten().map(|question| sight.whole(question.clone())).collect::<Vec<_>>()
        };
        let questions = questions.map(template.config.mode, whole);
        Ok(TestTemplate::of(template, questions))
    }
}

/// The sight of a caller who manages the template.
pub(super) fn sight(caller: &Identity, template: &Template) -> Result<StaffSight, Error> {
    Embargo::staff_sight(caller, &template.config.grades).ok_or(Error::Forbidden(NOT_ASSIGNED))
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
    let calculator = fields
        .optional::<String>("calculator")?
        .map(|name| Calculator::parse(&name).ok_or_else(|| Error::invalid("calculator")));
    Ok(ConfigDraft {
        name: name.transpose()?,
        grades: grades.transpose()?,
        mode: mode.transpose()?,
        duration_minutes: duration.transpose()?,
        calculator: calculator.transpose()?,
        standard_targets: fields.optional("standardTargets")?,
        session1_targets: fields.optional("session1Targets")?,
        session2_targets_by_band: fields.optional("session2TargetsByBand")?,
    })
}

fn bucket(kind: Option<&str>, band: Option<&str>) -> Result<Bucket, Error> {
    match kind {
        Some("standard") => Ok(Bucket::Standard),
        Some("session1") => Ok(Bucket::Session1),
        Some("session2") => band.and_then(Band::parse).map(Bucket::Session2).ok_or_else(|| Error::invalid("band")),
        _ => Err(Error::invalid("bucket")),
    }
}
