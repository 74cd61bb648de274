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
use crate::store::correction_list::{CorrectionFilter, ListedCorrection, list as load_list};
use crate::store::sittings;

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
/// Of a sitting also those of its template. Each is for managers of all grades concerned, and for admins.
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
    };
    if let Some(sitting_id) = filter.sitting_id.filter(|_| filter.template_id.is_none()) {
        filter.template_id = sittings::find(&service.database, sitting_id).await?.map(|sitting| sitting.template_id);
    }
    let found = load_list(&service.database, &filter).await?;
    let scopes: Vec<_> = found.iter().map(|listed| &listed.stored.correction.scope).collect();
    let are_own = service.are_own(&caller, &scopes).await?;
    let own = found.into_iter().zip(are_own).filter(|(_, is_own)| *is_own);
    let corrections = own.map(|(listed, _): (ListedCorrection, bool)| CorrectionView::of(listed)).collect();
    Ok(private(&mut HttpResponse::Ok()).json(CorrectionList { corrections }))
}
