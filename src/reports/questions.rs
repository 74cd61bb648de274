//! The questions of a finished test with their explanations, for the report page: banks may be given without them
//! (`PUBLIC_ANSWERS=false`), and a whole bank is more than a report needs.

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
    /// In the order of the result's answers, as they are worded now; one that has gone since is left out.
    questions: Vec<Question>,
}

/// The questions of a finished test, with answers and explanations.
///
/// As they are worded now: what the test was graded by is in the session.
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
