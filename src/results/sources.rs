//! `GET /api/manager/sources`: of what there are results that the caller may see.

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use domain::access::{Identity, Role};
use domain::grade::Grade;
use domain::sitting::SittingState;
use domain::time::moment::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::asked::{SOURCE_TEMPLATES_MAX, may_see};
use super::{Results, in_turn};
use crate::auth::caller::Staff;
use crate::auth::refusals::StaffRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::answers::private;
use crate::sittings::view::SittingView;
use crate::store::results::{count_of_grades, count_of_templates};
use crate::store::templates::{TemplateHeader, load_summaries};

/// Of what there are results.
#[derive(Serialize, ToSchema)]
struct ResultSources {
    /// Those whose doors have opened: what comes next first, then those that have ended, the last one first.
    sittings: Vec<SourceSitting>,
    /// Those of which somebody has handed in a test, the last changed first.
    templates: Vec<SourceTemplate>,
    /// Those of which somebody has handed in a test.
    grades: Vec<SourceGrade>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SourceSitting {
    id: Uuid,
    name: String,
    #[schema(value_type = String, format = DateTime)]
    starts_at: Moment,
    state: SittingState,
    /// Tests that are over.
    submitted: u64,
}

#[derive(Serialize, ToSchema)]
struct SourceTemplate {
    id: Uuid,
    name: String,
    grades: Vec<Grade>,
    /// Tests that are over.
    submitted: i64,
}

#[derive(Serialize, ToSchema)]
struct SourceGrade {
    #[schema(value_type = u8, minimum = 1, maximum = 10)]
    grade: Grade,
    /// Tests that are over.
    submitted: i64,
}

/// Lists the sittings, templates and grades of which the caller may see results.
#[utoipa::path(
    operation_id = "listResultSources",
    tag = "results",
    security(("api_token" = [])),
    responses(
        (status = 200, description = "At most 2,000 sittings and 1,000 templates", body = ResultSources),
        StaffRefusals,
        (status = 501, description = "`Not available from the external data provider`", body = ErrorBody),
        (status = 503, description = "Too many ask for results at once", body = ErrorBody),
    )
)]
#[get("/api/manager/sources")]
pub async fn sources(Staff(caller): Staff, service: Data<Results>) -> Result<HttpResponse, Error> {
    service.here()?;
    let work = service.get_ref().clone();
    let found = in_turn(&service.lists, async move { work.sources(&caller).await }).await?;
    Ok(private(&mut HttpResponse::Ok()).json(found))
}

impl Results {
    async fn sources(&self, caller: &Identity) -> Result<ResultSources, Error> {
        let is_theirs = |grades: &[Grade]| may_see(caller, grades).is_ok();
        let sittings = self.sittings.listed(|template| is_theirs(&template.grades)).await?;
        let templates = load_summaries(&self.database, SOURCE_TEMPLATES_MAX).await?;
        let templates: Vec<TemplateHeader> =
            templates.into_iter().filter(|template| is_theirs(&template.grades)).collect();
        let ids: Vec<Uuid> = templates.iter().map(|one| one.id).collect();
        // A template of several grades is a test of all of them. Admins see all, also what is left of removed ones.
        let of_grades = count_of_grades(&self.database, Some(&*ids).filter(|_| caller.role != Role::Admin)).await?;
        let of_templates = count_of_templates(&self.database, ids).await?;
        let sitting = |view: SittingView| SourceSitting {
            id: view.id,
            name: view.name,
            starts_at: view.starts_at,
            state: view.state,
            submitted: view.counts.submitted,
        };
        let template = |TemplateHeader { id, name, grades, .. }: TemplateHeader| {
            of_templates.get(&id).map(|submitted| SourceTemplate { id, name, grades, submitted: *submitted })
        };
        let grade = |grade: Grade| of_grades.get(&grade).map(|submitted| SourceGrade { grade, submitted: *submitted });
        Ok(ResultSources {
            sittings: sittings.into_iter().filter(|view| view.state != SittingState::Draft).map(sitting).collect(),
            templates: templates.into_iter().filter_map(template).collect(),
            grades: Grade::all().filter(|grade| is_theirs(&[*grade])).filter_map(grade).collect(),
        })
    }
}
