//! `GET /api/manager/corrections`: the corrections that the caller may see, with how far their tests have followed.

use actix_web::web::{Data, Query};
use actix_web::{HttpResponse, get};
use domain::grade::Grade;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::Corrections;
use super::view::CorrectionView;
use crate::auth::caller::Manager;
use crate::auth::refusals::ManagerRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::private;
use crate::http::parameters::parsed;
use crate::sittings::may_manage;
use crate::store::correction_list::{CORRECTIONS_LISTED_MAX, CorrectionFilter, list as load_list, load_spans};
use crate::store::corrections::StoredCorrection;
use crate::store::sittings;
use crate::store::templates::load_headers;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CorrectionsAsked {
    sitting_id: Option<String>,
    template_id: Option<String>,
    grade: Option<String>,
}

/// Corrections of keys.
#[derive(Serialize, ToSchema)]
struct CorrectionList {
    /// The newest first, with those that were reverted.
    corrections: Vec<CorrectionView>,
}

/// Lists corrections of keys, with how far their tests have followed.
///
/// Of a sitting also those of its template, and of both those of a grade that hold for their tests; of a grade also
/// those of its sittings and templates. Each is for managers of all grades concerned, and for admins. Managers of a
/// sitting or a template also see what was made for a grade and holds for their tests (`own` is false then).
#[utoipa::path(
    operation_id = "listCorrections",
    tag = "results",
    security(("api_token" = [])),
    params(
        ("sittingId" = Option<Uuid>, Query, description = "Of this sitting, and of its template"),
        ("templateId" = Option<Uuid>, Query, description = "Of this template"),
        ("grade" = Option<u8>, Query, description = "Of this grade", minimum = 1, maximum = 10),
    ),
    responses(
        (status = 200, description = "The newest 500 at most", body = CorrectionList),
        (status = 400, description = "`Invalid <parameter>`", body = ErrorBody),
        ManagerRefusals,
    )
)]
#[get("/api/manager/corrections")]
pub async fn list(
    asked: After<Manager, Query<CorrectionsAsked>>,
    service: Data<Corrections>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), Query(asked)) = asked;
    let id = |name, text: &Option<String>| parsed(name, text, |text| Uuid::try_parse(text).ok());
    let mut filter = CorrectionFilter {
        sitting_id: id("sittingId", &asked.sitting_id)?,
        template_id: id("templateId", &asked.template_id)?,
        grade: parsed("grade", &asked.grade, Grade::parse)?,
        spans: Vec::new(),
    };
    let of_tests = (filter.sitting_id, filter.template_id);
    if let Some(sitting_id) = filter.sitting_id.filter(|_| filter.template_id.is_none()) {
        filter.template_id = sittings::find(&service.database, sitting_id).await?.map(|sitting| sitting.template_id);
    }
    // Corrections by grade hold for these tests as well. Those who manage the tests see them, whoever may revert them.
    if let Some(template_id) = filter.template_id
        && let Some(header) = load_headers(&service.database, [template_id]).await?.remove(&template_id)
        && may_manage(&caller, &header.grades)
    {
        filter.spans = load_spans(&service.database, of_tests).await?;
    }
    let (mut corrections, mut before) = (Vec::new(), None);
    loop {
        let found = load_list(&service.database, &filter, before).await?;
        before = found.last().map(|listed| listed.stored.correction.number);
        let stored: Vec<&StoredCorrection> = found.iter().map(|listed| &listed.stored).collect();
        let standings = service.standings(&caller, &stored).await?;
        for (listed, standing) in found.into_iter().zip(standings) {
            let is_seen = standing.is_own || filter.spans_meet(&listed.stored.correction.scope);
            if is_seen && filter.grade.is_none_or(|grade| filter.names_more() || standing.grades.contains(&grade)) {
                corrections.push(CorrectionView::of(listed, standing.is_own));
            }
        }
        if before.is_none() || corrections.len() >= CORRECTIONS_LISTED_MAX {
            break;
        }
    }
    corrections.truncate(CORRECTIONS_LISTED_MAX);
    Ok(private(&mut HttpResponse::Ok()).json(CorrectionList { corrections }))
}
