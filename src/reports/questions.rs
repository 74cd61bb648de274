//! The questions of a finished test with their explanations, for the report page. The page can't take them from the
//! bank: with `PUBLIC_ANSWERS=false` the bank has no explanations, and it is much more than a report needs.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse, get};
use domain::question::{DeliveredQuestion, Question};
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::caller::Callers;
use crate::config::Config;
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::answers::private;
use crate::provider::Provider;
use crate::questions::delivered::DeliveredShape;
use crate::sessions::read::{self, SessionReader};
use crate::store::embargo::Embargo;
use crate::store::questions::load_by_ids;

/// The questions of a finished test.
#[derive(Serialize, ToSchema)]
struct ReportQuestions {
    /// In the order of the result's answers, with their current texts. A question that no longer exists is left out.
    #[schema(value_type = Vec<DeliveredShape>)]
    questions: Vec<Question>,
}

/// The same for those who may not see the keys.
#[derive(Serialize)]
struct KeylessReportQuestions<'a> {
    questions: Vec<DeliveredQuestion<'a>>,
}

/// The questions of a finished test, with answers and explanations.
///
/// They have their current texts. The keys that the test was graded by are in the session. With `PUBLIC_ANSWERS=false`
/// those of a session of origin `client` have `answer` and `explanation` for staff alone. Questions that an exam
/// withholds are left out for all but staff of the grade.
#[utoipa::path(
    operation_id = "listReportQuestions",
    tag = "students",
    security((), ("api_token" = [])),
    params(("id" = String, Path, description = "Session id")),
    responses(
        (status = 200, description = "The questions", body = ReportQuestions),
        (status = 403, description = "`Results are not released`", body = ErrorBody),
        (status = 404, description = "Unknown", body = ErrorBody),
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
    let reader = SessionReader::of(&request, &callers, &config).await;
    let sight = reader.sight(&session, &embargo).await?;
    provider.keep_bank(session.grade).await?;
    let ids = || session.result.answers.iter().map(|line| &*line.question_id);
    let mut known = load_by_ids(&database, ids()).await?;
    reader.withhold(&session, &mut known, &database, &embargo).await?;
    let questions: Vec<Question> = ids().filter_map(|id| known.remove(id)).collect();
    if !sight.keys {
        let questions = questions.iter().map(Question::delivered).collect();
        return Ok(private(&mut HttpResponse::Ok()).json(KeylessReportQuestions { questions }));
    }
    Ok(private(&mut HttpResponse::Ok()).json(ReportQuestions { questions }))
}
