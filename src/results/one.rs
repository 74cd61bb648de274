//! `GET /api/manager/results`: the results as JSON.

use actix_web::web::{Data, Query, block};
use actix_web::{HttpResponse, get};
use uuid::Uuid;

use super::asked::{ResultsAsked, ResultsParameters};
use super::view::StaffResults;
use super::{Results, in_turn};
use crate::auth::caller::Staff;
use crate::auth::refusals::StaffRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::private;
use crate::store::late_rows::find_late_rows;

/// Returns the results of a sitting, a template or a grade with every answer, also before they are released.
///
/// Managers of all its grades and admins see people and questions; reviewers of all its grades see the questions, and
/// `rows` is empty. Only live tests count.
#[utoipa::path(
    operation_id = "readStaffResults",
    tag = "results",
    security(("api_token" = [])),
    params(ResultsParameters),
    responses(
        (status = 200, description = "Every question, and everyone with their answers", body = StaffResults),
        (status = 400, description = "`Invalid <parameter>`, or not exactly one of the first three", body = ErrorBody),
        StaffRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 501, description = "`Not available from the external data provider`", body = ErrorBody),
        (status = 503, description = "Too many ask for results at once", body = ErrorBody),
    )
)]
#[get("/api/manager/results")]
pub async fn results(asked: After<Staff, Query<ResultsAsked>>, service: Data<Results>) -> Result<HttpResponse, Error> {
    let After(Staff(caller), Query(asked)) = asked;
    let asked = service.asked(&caller, asked).await?;
    let work = service.get_ref().clone();
    let body = in_turn(&service.turns, async move {
        let gathered = work.gather(&asked).await?;
        let ids: Vec<Uuid> = gathered.tests.iter().map(|gathered| gathered.test.session_id).collect();
        let late = find_late_rows(&work.database.read, &ids).await?;
        let written = block(move || serde_json::to_vec(&StaffResults::of(&asked, gathered).with_late(&late)));
        Ok(written.await.map_err(Error::internal)??)
    });
    Ok(private(&mut HttpResponse::Ok()).content_type("application/json").body(body.await?))
}
