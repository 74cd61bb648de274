//! The questions of a finished test with their explanations, for the report page. The page can't take them from the
//! bank: with `PUBLIC_ANSWERS=false` the bank has no explanations, and it is much more than a report needs.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, get};
use domain::question::Question;
use serde::Serialize;
use utoipa::ToSchema;

use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::provider::Provider;
use crate::sessions::read::{self, private};
use crate::store::questions::load_by_ids;

/// The questions of a finished test.
#[derive(Serialize, ToSchema)]
struct ReportQuestions {
    /// In the order of the result's answers, with their current texts. A question that no longer exists is left out.
    questions: Vec<Question>,
}

/// The questions of a finished test, with answers and explanations.
///
/// They have their current texts. The keys that the test was graded by are in the session.
#[utoipa::path(
    tag = "students",
    params(("id" = String, Path, description = "Session id")),
    responses((status = 200, description = "The questions", body = ReportQuestions), (status = 404, description = "Unknown", body = ErrorBody))
)]
#[get("/api/report/{id}/questions")]
pub async fn questions(
    id: Path<String>,
    provider: Data<dyn Provider>,
    database: Data<Database>,
) -> Result<HttpResponse, Error> {
    let session = read::find(&**provider, &id).await?;
    provider.keep_bank(session.grade).await?;
    let ids = || session.result.answers.iter().map(|line| &*line.question_id);
    let mut known = load_by_ids(&database, ids()).await?;
    let questions = ids().filter_map(|id| known.remove(id)).collect();
    Ok(private(&mut HttpResponse::Ok()).json(ReportQuestions { questions }))
}
