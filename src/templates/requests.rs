//! Answers requests about templates, for admins and managers alike. The grades that a caller manages are checked where
//! the template is read or locked, so that they cannot change in between.

use actix_web::HttpResponse;
use actix_web::web::{Path, Query};
use domain::access::Identity;
use domain::attempt::Mode;
use domain::band::Band;
use domain::calculator::Calculator;
use domain::grade::Grade;
use domain::mark::chosen::ChosenScale;
use domain::question::Question;
use domain::question_types::QuestionTypes;
use domain::sight::StaffSight;
use domain::sitting::values::FieldChange;
use domain::template::access::{RulesDraft, ShowAnswers, TemplateAccess};
use domain::template::choice::{ChoiceDraft, ListOrder, TopicTargets, forms, pinned, sources, topic_targets};
use domain::template::draft::{ConfigDraft, distinct_grades, minutes};
use domain::template::{Bucket, Template};
use domain::text;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::by_hand::ListByHand;
use super::form_views::FormViews;
use super::scale_choice::ScaleChoice;
use super::swap::SwapBody;
use super::view::{
    Candidates, GeneratedTemplate, OneTemplate, SwappedTemplate, TargetsShape, TemplateList, TestTemplate,
};
use super::{Templates, known, refuse_others};
use crate::auth::caller::NOT_ASSIGNED;
use crate::error::Error;
use crate::http::after::After;
use crate::http::answers::done;
use crate::http::audit::with_detail;
use crate::http::fields::{Field, JsonFields, body};
use crate::http::parameters::flag;
use crate::store::embargo::Embargo;
use crate::store::{classes, counted_attempts, questions};

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

/// Writes the struct of a template's fields: which of them are required differs, and how they are read does not.
/// Targets are checked later, when the mode is known: those of the other mode are ignored.
macro_rules! template_fields {
    (
        $(#[$about:meta])*
        $body:ident { $name:ty, $grades:ty, $mode:ty, $minutes:ty, $(#[$about_calculator:meta])* }
    ) => {
        body! {
            $(#[$about])*
            pub(super) struct $body {
                /// 1 to 200 characters.
                #[schema(value_type = $name, min_length = 1, max_length = 200)]
                name: Option<String> = |field| field.optional_text(text::name),
                /// The questions are drawn from all of them.
                #[schema(value_type = $grades, min_items = 1, max_items = 10)]
                grades: Option<Vec<Grade>> =
                    |field| field.optional_parsed(|grades: Vec<Grade>| distinct_grades(&grades)),
                #[schema(value_type = $mode)]
                mode: Option<Mode> = |field| field.optional_text(Mode::parse),
                /// Whole minutes; for both stages together.
                #[schema(value_type = $minutes, minimum = 1, maximum = 600)]
                duration_minutes: Option<u32> = |field| field.optional_parsed(minutes),
                $(#[$about_calculator])*
                calculator: Option<Calculator> = |field| field.optional_text(Calculator::parse),
                /// For a standard template: questions wanted of each difficulty, `1` to `5`; 1 to 200 in total. Without
                /// `topicTargets` it is required; beside these, null takes it away.
                #[schema(value_type = Option<TargetsShape>)]
                standard_targets: FieldChange<Value> = |field| field.change(|value| Some(value.clone())),
                /// For an adaptive template: the same for its first list.
                #[schema(value_type = Option<TargetsShape>)]
                session1_targets: Option<Value> = Field::optional,
                /// For an adaptive template: the same for each of the five bands, all with the same total.
                #[schema(value_type = Option<BTreeMap<String, TargetsShape>>)]
                session2_targets_by_band: Option<Value> = Field::optional,
                /// Who may sit it, when and how often, as a whole; null for everyone who has the link. A test that has
                /// begun keeps what it began with.
                #[schema(value_type = Option<TemplateAccess>)]
                access: FieldChange<TemplateAccess> = |field| field.change(TemplateAccess::parse),
                /// When students are told the keys of their tests: `after-closing` needs `closesAt`; `always` without
                /// it.
                #[schema(value_type = Option<ShowAnswers>)]
                show_answers: FieldChange<ShowAnswers> =
                    |field| field.change(|answers| answers.as_str().and_then(ShowAnswers::parse)),
                /// Whether anyone may read its questions with their keys. With `false` its questions, but for those
                /// that are marked as practice, show no keys to others than staff while the template stands.
                #[schema(value_type = Option<bool>)]
                practice: FieldChange<bool> = |field| field.change(Value::as_bool),
                /// For a standard template: questions wanted of each topic, 1 to 200 of each and in total; at most 60
                /// topics. With `standardTargets` both hold together, and have the same total. Null or an empty object:
                /// topics do not matter.
                #[schema(value_type = Option<BTreeMap<String, u16>>)]
                topic_targets: FieldChange<TopicTargets> = |field| field.change(topic_targets),
                /// Draws only questions that are approved in review.
                #[schema(value_type = Option<bool>)]
                approved_only: FieldChange<bool> = |field| field.change(Value::as_bool),
                /// Draws only questions of these sources; null or an empty list: of all.
                #[schema(value_type = Option<Vec<String>>, max_items = 40)]
                sources: FieldChange<Vec<String>> = |field| field.change(sources),
                /// The types of questions that are drawn; `multiple-choice` without it.
                #[schema(value_type = Option<QuestionTypes>)]
                types: FieldChange<QuestionTypes> =
                    |field| field.change(|types| types.as_str().and_then(QuestionTypes::parse)),
                /// The order of each list when it is drawn; `mixed` without it.
                #[schema(value_type = Option<ListOrder>)]
                order: FieldChange<ListOrder> =
                    |field| field.change(|order| order.as_str().and_then(ListOrder::parse)),
                /// Questions that each draw keeps. Those of a new template are of its grades; later they are in one of
                /// its lists.
                #[schema(value_type = Option<Vec<String>>, max_items = 200)]
                pinned: FieldChange<Vec<String>> = |field| field.change(pinned),
                /// For a standard template: in how many forms it is sat, which have its questions in other orders; one
                /// without it.
                #[schema(value_type = Option<u8>, minimum = 1, maximum = 8)]
                forms: FieldChange<u8> = |field| field.change(forms),
                /// Whether the other forms have questions of their own where the bank has some: each of the topic, the
                /// difficulty and the type of one of the list, and chosen like these.
                #[schema(value_type = Option<bool>)]
                parallel_forms: FieldChange<bool> = |field| field.change(Value::as_bool),
                /// Whether each student sees the options in an order of their own, but for questions that keep theirs.
                #[schema(value_type = Option<bool>)]
                shuffle_options: FieldChange<bool> = |field| field.change(Value::as_bool),
                /// Whether students go through their questions in order: the pages open those that a student has seen,
                /// and the next one. Other clients are told and not held to it.
                #[schema(value_type = Option<bool>)]
                in_order: FieldChange<bool> = |field| field.change(Value::as_bool),
                /// The scale by which results are marked: `school`, also without it, for the school's when a test
                /// begins or a sitting is made; null for none; or a scale of its own.
                #[schema(value_type = Option<ScaleChoice>)]
                mark_scale: FieldChange<ChosenScale> = |field| field.change(ChosenScale::read),
            }
        }

        impl From<$body> for ConfigDraft {
            fn from(body: $body) -> Self {
                Self {
                    name: body.name,
                    grades: body.grades,
                    mode: body.mode,
                    duration_minutes: body.duration_minutes,
                    calculator: body.calculator,
                    standard_targets: body.standard_targets,
                    session1_targets: body.session1_targets,
                    session2_targets_by_band: body.session2_targets_by_band,
                    rules: RulesDraft {
                        access: body.access,
                        show_answers: body.show_answers,
                        practice: body.practice,
                    },
                    choice: ChoiceDraft {
                        topic_targets: body.topic_targets,
                        approved_only: body.approved_only,
                        sources: body.sources,
                        types: body.types,
                        order: body.order,
                        pinned: body.pinned,
                        forms: body.forms,
                        parallel_forms: body.parallel_forms,
                        shuffle_options: body.shuffle_options,
                        in_order: body.in_order,
                    },
                    mark_scale: body.mark_scale,
                }
            }
        }
    };
}

template_fields! {
    /// The configuration of a template.
    #[schema(as = TemplateConfig, examples(json!({
        "name": "Spring test", "grades": [5], "mode": "standard", "durationMinutes": 30,
        "standardTargets": { "1": 4, "2": 3, "3": 3, "4": 4, "5": 6 }
    })))]
    NewTemplate {
        String, Vec<Grade>, Mode, u32,
        /// Which calculator students may use; none without it.
    }
}

template_fields! {
    /// The fields of a template to change. The others stay.
    #[schema(examples(json!({ "name": "Spring test, second sitting" })))]
    TemplateChange {
        Option<String>, Option<Vec<Grade>>, Option<Mode>, Option<u32>,
        /// Which calculator students may use.
    }
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
    let draft = ConfigDraft::from(NewTemplate::read(fields)?);
    let changed = draft.rules.access.clone();
    let config = draft.config(None)?;
    refuse_others(caller, &config.grades)?;
    templates.refuse_unknown_classes(&changed).await?;
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
    let draft = ConfigDraft::from(TemplateChange::read(fields)?);
    let is_forced = query.is_forced()?;
    templates.managed(caller, known(id)?).await?;
    templates.refuse_unknown_classes(&draft.rules.access).await?;
    let (template, told) = templates.update(caller, known(id)?, &draft, is_forced).await?;
    Ok(with_detail(HttpResponse::Ok().json(OneTemplate { template: templates.shown(caller, template).await? }), told))
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
    let SwapBody { bucket, question_id, replacement_id } = SwapBody::read(fields)?;
    let is_forced = query.is_forced()?;
    let swapping = templates.swap(caller, known(id)?, bucket, &question_id, replacement_id.as_deref(), is_forced);
    let (template, replacement) = swapping.await?;
    Ok(HttpResponse::Ok().json(SwappedTemplate { template: templates.shown(caller, template).await?, replacement }))
}

pub(super) async fn put_questions(
    caller: &Identity,
    templates: &Templates,
    id: &str,
    query: &ForceQuery,
    fields: &JsonFields,
) -> Result<HttpResponse, Error> {
    templates.here()?;
    let list = ListByHand::read(fields)?;
    let template = templates.put_by_hand(caller, known(id)?, list, query.is_forced()?).await?;
    Ok(HttpResponse::Ok().json(OneTemplate { template: templates.shown(caller, template).await? }))
}

impl Templates {
    /// Refuses (400) a template for classes that are not there.
    async fn refuse_unknown_classes(&self, access: &FieldChange<TemplateAccess>) -> Result<(), Error> {
        let FieldChange::Set(access) = access else { return Ok(()) };
        if classes::are_there(&self.database.read, &access.class_ids).await? {
            Ok(())
        } else {
            Err(Error::invalid("access"))
        }
    }

    /// The template in the form for those who manage it.
    async fn shown(&self, caller: &Identity, template: Template) -> Result<TestTemplate, Error> {
        let sight = sight(caller, &template)?;
        let by_id = questions::load_by_ids(&self.database, template.question_ids()).await?;
        let (questions, forms) = (template.questions(&by_id), FormViews::of(&template, &by_id, sight));
        let whole = |list: Option<&Vec<Question>>| {
            list.into_iter().flatten().map(|question| sight.whole(question.clone())).collect::<Vec<_>>()
        };
        let questions = questions.map(template.config.mode, whole);
        let withheld = self.sittings.changes.embargo.withheld().await?;
        let practice = template.question_ids().into_iter().filter(|id| withheld.keys.is_practice(id)).count();
        let begun_by_link = counted_attempts::count_by_link(&self.database, template.id).await?;
        Ok(TestTemplate::of(template, questions, forms, practice, begun_by_link))
    }
}

/// The sight of a caller who manages the template.
pub(super) fn sight(caller: &Identity, template: &Template) -> Result<StaffSight, Error> {
    Embargo::staff_sight(caller, &template.config.grades).ok_or(Error::Forbidden(NOT_ASSIGNED))
}

/// The list in a body that changes one.
pub(super) fn bucket_of(field: Field<'_>) -> Result<Bucket, Error> {
    let list = field.required::<Map<String, Value>>()?;
    let text = |name: &str| list.get(name).and_then(Value::as_str);
    bucket(text("kind"), text("band"))
}

fn bucket(kind: Option<&str>, band: Option<&str>) -> Result<Bucket, Error> {
    match kind {
        Some("standard") => Ok(Bucket::Standard),
        Some("session1") => Ok(Bucket::Session1),
        Some("session2") => band.and_then(Band::parse).map(Bucket::Session2).ok_or_else(|| Error::invalid("band")),
        _ => Err(Error::invalid("bucket")),
    }
}
