//! The JSON forms of templates: for admins with everything that was asked for, for students with what they need.

use std::collections::BTreeMap;

use domain::attempt::Mode;
use domain::band::Band;
use domain::calculator::Calculator;
use domain::grade::Grade;
use domain::mark::chosen::ChosenScale;
use domain::question::{Question, WholeQuestion};
use domain::question_types::QuestionTypes;
use domain::selection::Targets;
use domain::template::access::{ShowAnswers, TemplateAccess, TemplateRules};
use domain::template::choice::{ListOrder, TopicTargets};
use domain::template::draw::Shortfalls;
use domain::template::{Lists, Template};
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::form_views::{FormView, FormViews};
use super::ready::Ready;
use super::runner_access::{OwnAccess, QuestionCounts, RunnerAccess};
use super::scale_choice::ScaleChoice;
use crate::questions::delivered::DeliveredShape;
use crate::store::templates::TemplateHeader;

/// How many questions of each difficulty are wanted. A difficulty that is missing means 0.
#[derive(ToSchema)]
#[schema(as = DifficultyTargets, examples(json!({ "1": 4, "2": 3, "3": 3, "4": 4, "5": 6 })))]
#[allow(dead_code, reason = "describes what the domain reads and writes itself")]
pub struct TargetsShape {
    #[schema(rename = "1", nullable = false)]
    one: Option<u16>,
    #[schema(rename = "2", nullable = false)]
    two: Option<u16>,
    #[schema(rename = "3", nullable = false)]
    three: Option<u16>,
    #[schema(rename = "4", nullable = false)]
    four: Option<u16>,
    #[schema(rename = "5", nullable = false)]
    five: Option<u16>,
}

/// A template in the form for admins. Only the fields of its mode are present.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestTemplate {
    id: Uuid,
    name: String,
    grades: Vec<Grade>,
    /// `standard` or `adaptive`.
    #[schema(value_type = Mode)]
    mode: &'static str,
    /// Whole minutes; for both stages together.
    duration_minutes: u32,
    /// Which calculator students may use.
    calculator: Calculator,
    /// Who may sit it, when and how often; absent for everyone who has the link.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    access: Option<TemplateAccess>,
    /// When students are told the keys of their tests; absent for `always`.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    show_answers: Option<ShowAnswers>,
    /// Whether anyone may read its questions with their keys; absent if it does not say.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    practice: Option<bool>,
    /// How many of its questions are marked as practice, so that anyone may read them with their keys whatever the
    /// template says; absent for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, nullable = false)]
    practice_questions: Option<usize>,
    /// How many tests of it have been begun by its link, in no sitting; absent for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, nullable = false)]
    begun_by_link: Option<u64>,
    /// Questions wanted of each difficulty, `1` to `5`; absent if only topics matter.
    #[schema(value_type = Option<TargetsShape>, nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    standard_targets: Option<Targets>,
    /// Questions wanted of each topic; absent if topics do not matter.
    #[schema(value_type = Option<BTreeMap<String, u16>>, nullable = false)]
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    topic_targets: TopicTargets,
    /// True if only questions are drawn that are approved in review; absent otherwise.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    approved_only: Option<bool>,
    /// The sources from which questions are drawn; absent for all.
    #[schema(value_type = Option<Vec<String>>, nullable = false)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sources: Vec<String>,
    /// The types of questions that are drawn; absent for `multiple-choice`.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    types: Option<QuestionTypes>,
    /// The order of each list when it is drawn; absent for `mixed`.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<ListOrder>,
    /// The questions that each draw keeps; absent if there are none.
    #[schema(value_type = Option<Vec<String>>, nullable = false)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pinned: Vec<String>,
    /// In how many forms a standard template is sat; absent for one.
    #[schema(minimum = 2, maximum = 8, nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    forms: Option<u8>,
    /// True if the other forms have questions of their own, each like one of the list; absent otherwise.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    parallel_forms: Option<bool>,
    /// True if each student sees options in an order of their own; absent otherwise.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    shuffle_options: Option<bool>,
    /// True if students go through their questions in order; absent otherwise.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    in_order: Option<bool>,
    /// The scale by which results are marked: absent for the school's when a test begins or a sitting is made, null for
    /// none, or one of its own.
    #[schema(value_type = Option<ScaleChoice>)]
    #[serde(skip_serializing_if = "ChosenScale::is_of_school")]
    mark_scale: ChosenScale,
    /// Each form with its questions, A first; absent for one.
    #[schema(value_type = Option<Vec<FormView>>, nullable = false)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    form_lists: Vec<FormView>,
    /// The questions of other forms that the list does not have; absent if there are none.
    #[schema(value_type = Option<Vec<Question>>, nullable = false)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    form_questions: Vec<WholeQuestion>,
    #[schema(value_type = Option<Vec<Question>>, nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    standard_questions: Option<Vec<WholeQuestion>>,
    #[schema(value_type = Option<TargetsShape>, nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    session1_targets: Option<Targets>,
    #[schema(value_type = Option<BTreeMap<String, TargetsShape>>, nullable = false)]
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    session2_targets_by_band: BTreeMap<Band, Targets>,
    #[schema(value_type = Option<Vec<Question>>, nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    session1_questions: Option<Vec<WholeQuestion>>,
    #[schema(value_type = Option<BTreeMap<String, Vec<Question>>>, nullable = false)]
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    session2_questions_by_band: BTreeMap<Band, Vec<WholeQuestion>>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
    created_by: String,
}

impl TestTemplate {
    pub(super) fn of(
        template: Template,
        questions: Lists<Vec<WholeQuestion>>,
        forms: FormViews,
        practice_questions: usize,
        begun_by_link: u64,
    ) -> Self {
        let config = template.config;
        let is_standard = config.mode == Mode::Standard;
        let has_forms = config.form_count() > 1;
        let targets = config.targets.map(config.mode, |targets| targets.copied().unwrap_or_default());
        let choice = config.choice;
        let TemplateRules { access, show_answers, practice } = config.rules;
        Self {
            id: template.id,
            name: config.name,
            grades: config.grades,
            mode: config.mode.name(),
            duration_minutes: config.duration_minutes,
            calculator: config.calculator,
            access: Some(access).filter(|access| *access != TemplateAccess::default()),
            show_answers: shown_answers(show_answers),
            practice,
            practice_questions: Some(practice_questions).filter(|questions| *questions > 0),
            begun_by_link: Some(begun_by_link).filter(|tests| *tests > 0),
            standard_targets: config.targets.standard.filter(|_| is_standard),
            topic_targets: if is_standard { choice.topic_targets } else { TopicTargets::new() },
            approved_only: choice.approved_only.then_some(true),
            sources: choice.sources,
            types: Some(choice.types).filter(|types| *types != QuestionTypes::default()),
            order: Some(choice.order).filter(|order| *order != ListOrder::Mixed),
            pinned: choice.pinned,
            forms: has_forms.then_some(choice.forms),
            parallel_forms: (is_standard && choice.parallel_forms).then_some(true),
            shuffle_options: choice.shuffle_options.then_some(true),
            in_order: choice.in_order.then_some(true),
            mark_scale: config.mark_scale,
            form_lists: forms.lists,
            form_questions: forms.questions,
            standard_questions: questions.standard,
            session1_targets: targets.session1,
            session2_targets_by_band: targets.session2,
            session1_questions: questions.session1,
            session2_questions_by_band: questions.session2,
            created_at: template.created_at,
            updated_at: template.updated_at,
            created_by: template.created_by,
        }
    }
}

/// `{ template }`.
#[derive(Serialize, ToSchema)]
pub struct OneTemplate {
    pub(super) template: TestTemplate,
}

/// A template whose questions have just been drawn.
#[derive(Serialize, ToSchema)]
pub struct GeneratedTemplate {
    pub(super) template: TestTemplate,
    /// How many questions were missing: `{"standard":{"5":2}}`, `{"session1":{"3":1},"session2":{"90-100":{"5":4}}}`,
    /// `{"topics":{"Fractions":2}}`; empty when all were found.
    #[schema(value_type = Object)]
    pub(super) shortfalls: Shortfalls,
}

/// A template in which one question has been swapped.
#[derive(Serialize, ToSchema)]
pub struct SwappedTemplate {
    pub(super) template: TestTemplate,
    /// The question that has taken the place.
    #[schema(value_type = Question)]
    pub(super) replacement: WholeQuestion,
}

/// Questions that could replace a locked one.
#[derive(Serialize, ToSchema)]
pub struct Candidates {
    #[schema(value_type = Vec<Question>)]
    pub(super) candidates: Vec<WholeQuestion>,
}

/// All templates, the most recently changed first.
#[derive(Serialize, ToSchema)]
pub struct TemplateList {
    templates: Vec<TemplateSummary>,
}

/// A template without its questions.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TemplateSummary {
    id: Uuid,
    name: String,
    /// `standard` or `adaptive`.
    #[schema(value_type = Mode)]
    mode: &'static str,
    grades: Vec<Grade>,
    duration_minutes: u32,
    /// Which calculator students may use.
    calculator: Calculator,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
    created_by: String,
}

impl TemplateList {
    pub(super) fn of(summaries: Vec<TemplateHeader>) -> Self {
        let line = |summary: TemplateHeader| TemplateSummary {
            id: summary.id,
            name: summary.name,
            mode: summary.mode.name(),
            grades: summary.grades,
            duration_minutes: summary.duration_minutes,
            calculator: summary.calculator,
            created_at: summary.created_at,
            updated_at: summary.updated_at,
            created_by: summary.created_by,
        };
        Self { templates: summaries.into_iter().map(line).collect() }
    }
}

/// A template in the form for the runner: without targets, author and times.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RunnerTemplate)]
pub struct RunnerTemplate<'a, Q> {
    id: Uuid,
    name: &'a str,
    #[schema(value_type = Vec<Grade>)]
    grades: &'a [Grade],
    /// `standard` or `adaptive`.
    #[schema(value_type = Mode)]
    mode: &'static str,
    /// Whole minutes; for both stages together.
    duration_minutes: u32,
    /// Which calculator students may use.
    calculator: Calculator,
    /// True if students go through their questions in order, from one that they have seen to the next; absent
    /// otherwise. It is for the client to see to it.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    in_order: Option<bool>,
    /// Who may sit it, when and how often; absent for everyone who has the link.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    access: Option<RunnerAccess>,
    /// When students are told the keys of their tests; absent for `always`.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    show_answers: Option<ShowAnswers>,
    /// True where the lists are left out, since the template is for certain people, or may not be begun now; absent
    /// otherwise. Whoever has begun reads it with the token of the attempt.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    questions_withheld: Option<bool>,
    /// With `questionsWithheld`: how many questions each list has.
    #[schema(nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    question_counts: Option<QuestionCounts>,
    #[schema(value_type = Option<Vec<DeliveredShape>>, nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    standard_questions: Option<&'a Vec<Q>>,
    #[schema(value_type = Option<Vec<DeliveredShape>>, nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    session1_questions: Option<&'a Vec<Q>>,
    #[schema(value_type = Option<BTreeMap<String, Vec<DeliveredShape>>>, nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    session2_questions_by_band: Option<&'a BTreeMap<Band, Vec<Q>>>,
    /// The questions that only other forms of the test have, which no list here has; absent if there are none.
    #[schema(value_type = Option<Vec<DeliveredShape>>, nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    form_questions: Option<&'a Vec<Q>>,
}

impl<'a, Q> RunnerTemplate<'a, Q> {
    pub(super) fn of(template: &'a Template, questions: &'a Lists<Vec<Q>>, of_forms: &'a Vec<Q>) -> Self {
        let config = &template.config;
        Self {
            id: template.id,
            name: &config.name,
            grades: &config.grades,
            mode: config.mode.name(),
            duration_minutes: config.duration_minutes,
            calculator: config.calculator,
            in_order: config.choice.in_order.then_some(true),
            access: RunnerAccess::of(&config.rules.access, None),
            show_answers: shown_answers(config.rules.show_answers),
            questions_withheld: None,
            question_counts: None,
            standard_questions: questions.standard.as_ref(),
            session1_questions: questions.session1.as_ref(),
            session2_questions_by_band: Some(&questions.session2).filter(|by_band| !by_band.is_empty()),
            form_questions: Some(of_forms).filter(|of_forms| !of_forms.is_empty()),
        }
    }
}

impl<'a> RunnerTemplate<'a, ()> {
    /// The template for those who may not see its questions now: `own` is what the caller's account may do.
    pub(super) fn withheld(ready: &'a Ready, own: OwnAccess) -> Self {
        Self {
            id: ready.id,
            name: &ready.name,
            grades: &ready.grades,
            mode: ready.mode.name(),
            duration_minutes: ready.duration_minutes,
            calculator: ready.calculator,
            in_order: ready.in_order.then_some(true),
            access: RunnerAccess::of(&ready.rules.access, Some(own)),
            show_answers: shown_answers(ready.rules.show_answers),
            questions_withheld: Some(true),
            question_counts: Some(QuestionCounts::of(&ready.counts)),
            standard_questions: None,
            session1_questions: None,
            session2_questions_by_band: None,
            form_questions: None,
        }
    }
}

fn shown_answers(show_answers: ShowAnswers) -> Option<ShowAnswers> {
    Some(show_answers).filter(|answers| *answers != ShowAnswers::Always)
}
