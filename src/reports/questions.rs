//! The questions of a finished test with their explanations, for the report page. The page can't take them from the
//! bank: with `PUBLIC_ANSWERS=false` the bank has no explanations, and it is much more than a report needs.

use std::collections::BTreeMap;

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse, get};
use domain::form::FormLetter;
use domain::option_order::OptionOrder;
use domain::question::{DeliveredQuestion, Question, WholeQuestion};
use domain::session::{AskedQuestion, TextState};
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;

use super::asked::AskedPaper;
use crate::auth::caller::Callers;
use crate::config::Config;
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::answers::private;
use crate::provider::Provider;
use crate::questions::delivered::DeliveredShape;
use crate::sessions::read;
use crate::store::embargo::Embargo;

/// The questions of a finished test.
#[derive(Serialize, ToSchema)]
struct ReportQuestions {
    /// In the order of the result's answers, as they were asked. A question of which no text is known is left out.
    #[schema(value_type = Vec<DeliveredShape>)]
    questions: Vec<WholeQuestion>,
    #[serde(flatten)]
    notes: PaperNotes,
}

/// The same for those who may not see the keys.
#[derive(Serialize)]
struct KeylessReportQuestions<'a> {
    questions: Vec<DeliveredQuestion<'a>>,
    #[serde(flatten)]
    notes: PaperNotes,
}

/// How the questions of a finished test compare with those of today.
#[derive(Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PaperNotes {
    /// Ids of questions that the bank has otherwise now.
    changed: Vec<String>,
    /// Ids of questions that the bank has no longer.
    removed: Vec<String>,
    /// Ids of questions that were changed after a test of an earlier release, which did not keep what was asked: their
    /// texts are those of the bank.
    replaced: Vec<String>,
    /// Null if nothing is withheld.
    #[schema(required)]
    withheld: Option<WithheldQuestions>,
    /// Where the template of the test keeps its keys from the reader; absent where it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    kept_answers: Option<KeptAnswers>,
    /// The form that was sat, `A` to `H`; absent for a test without forms.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false)]
    form: Option<FormLetter>,
    /// Of the questions whose options the student saw in another order than they stand here, by id: the letters in that
    /// order, so that with `CADB` option C was the first, called A. Absent if there are none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(value_type = Option<BTreeMap<String, String>>, nullable = false, example = json!({ "g5-001": "CADB" }))]
    option_order: BTreeMap<String, OptionOrder>,
}

/// The questions that are left out because others are still to write them. Until they are shown, no answer is called
/// right or wrong.
#[derive(Serialize, ToSchema)]
struct WithheldQuestions {
    /// How many.
    count: usize,
    /// When they are shown at the earliest. Null if that is when the results of the others are released.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    until: Option<Moment>,
}

/// The keys of a test that students are not told yet, or never. No answer is called right or wrong.
#[derive(Serialize, ToSchema)]
struct KeptAnswers {
    /// When they are told, which is when the template closes, or later, as soon as none of its tests goes on: then this
    /// moment has passed. Null for never.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    until: Option<Moment>,
}

impl PaperNotes {
    fn note(&mut self, id: &str, state: TextState) {
        match state {
            TextState::Asked | TextState::OfBank => {}
            TextState::Changed => self.changed.push(id.to_owned()),
            TextState::Removed => self.removed.push(id.to_owned()),
            TextState::Replaced => self.replaced.push(id.to_owned()),
        }
    }
}

/// The questions of a finished test, with answers and explanations.
///
/// They have the texts of the paper that was sat, whatever the bank has become since. The keys that the test was graded
/// by are in the session. Options and keys are those of the bank, whatever order the student saw: that is in
/// `optionOrder`. With `PUBLIC_ANSWERS=false` those of a session of origin `client` have `answer` and
/// `explanation` for staff of its grade alone. Questions that an exam withholds are left out for all but staff of the
/// grade. Where the template of a live test does not show answers, or not yet, they alone get `answer` and
/// `explanation` too.
#[utoipa::path(
    operation_id = "listReportQuestions",
    tag = "students",
    security((), ("api_token" = [])),
    params(("id" = String, Path, description = "Session id")),
    responses(
        (status = 200, description = "The questions", body = ReportQuestions),
        (status = 403, description = "`Results are not released`", body = ErrorBody),
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`The test goes on`, since it was reopened", body = ErrorBody),
    )
)]
#[get("/api/report/{id}/questions")]
pub async fn questions(
    request: HttpRequest,
    id: Path<String>,
    provider: Data<dyn Provider>,
    database: Data<Database>,
    callers: Data<Callers>,
    config: Data<Config>,
    embargo: Data<Embargo>,
) -> Result<HttpResponse, Error> {
    let session = read::find(&**provider, &id).await?;
    let reader = read::reader(&request, &callers, &config).await;
    let sight = read::sight(&session, reader, &embargo).await?;
    if read::is_early(&session, reader, &embargo).await {
        read::note_early(&request, &callers).await;
    }
    let mut asked = AskedPaper::load(&session, reader, &**provider, &database, &embargo).await?;
    let withheld = asked.withheld.map(|part| WithheldQuestions { count: part.questions, until: part.until });
    let kept = embargo.answers_from(&session, reader).await?;
    let kept_answers = kept.map(|until| KeptAnswers { until });
    let mut notes = PaperNotes { withheld, kept_answers, form: session.form, ..PaperNotes::default() };
    let orders = session.option_orders();
    let mut questions: Vec<Question> = Vec::new();
    for id in session.question_ids() {
        if let Some(AskedQuestion { question, state }) = asked.questions.remove(id) {
            notes.note(&question.id, state);
            notes.option_order.extend(orders.get(id).map(|order| (id.to_owned(), *order)));
            questions.push(question);
        }
    }
    if !sight.shows_keys() {
        let questions = questions.iter().map(Question::delivered).collect();
        return Ok(private(&mut HttpResponse::Ok()).json(KeylessReportQuestions { questions, notes }));
    }
    let questions = questions.into_iter().filter_map(|question| sight.whole(question)).collect();
    Ok(private(&mut HttpResponse::Ok()).json(ReportQuestions { questions, notes }))
}
