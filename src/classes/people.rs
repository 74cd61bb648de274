//! `PUT /api/admin/classes/{id}/people`: the people of a class, replaced by a list as rosters are.

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpResponse, put};
use domain::sitting::class::{CLASS_PEOPLE_MAX, ClassChange};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::Classes;
use crate::auth::caller::Manager;
use crate::auth::refusals::ManagerRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::audit::note_detail;
use crate::http::if_match::{IfMatch, version_tag};
use crate::http::parameters::flag;
use crate::http::upload::Upload;
use crate::sheets::turns::WorkbookTurnstile;
use crate::sittings::roster::RosterForm;
use crate::sittings::roster::list_file::{self, CLASS_TOO_LARGE};
use crate::sittings::roster::report::RosterReport;
use crate::store::classes;

#[derive(Deserialize)]
struct PeopleQuery {
    #[serde(rename = "dryRun")]
    dry_run: Option<String>,
    class: Option<String>,
}

/// The people of which class are replaced, how, in which version of it, and by whom.
type PeopleRequest = After<Path<String>, After<Query<PeopleQuery>, After<IfMatch, Upload>>>;

/// Somebody in a class. `email` or `externalId` is required.
#[derive(ToSchema)]
#[schema(as = ClassPersonFields, rename_all = "camelCase", examples(json!({ "email": "ada@exam.example", "name": "Ada" })))]
#[allow(dead_code, reason = "describes a body that is read row by row")]
struct ClassPersonFields {
    email: Option<String>,
    external_id: Option<String>,
    /// 1 to 200 characters; the address or the id if it is left out.
    name: Option<String>,
    /// A whole percentage.
    #[schema(minimum = 100, maximum = 400)]
    factor: Option<u32>,
    #[schema(minimum = 0, maximum = 600)]
    extra_minutes: Option<u32>,
    /// For proctors.
    #[schema(max_length = 10_000)]
    note: Option<String>,
}

/// The people of a class as JSON.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes a body that is read row by row")]
struct ClassPeopleBody {
    #[schema(max_items = 1_000)]
    people: Vec<ClassPersonFields>,
}

/// Replaces the people of a class.
///
/// It takes what a roster takes, and changes people in place as a roster does: they are found by their e-mail address,
/// else by their `externalId`, and a field without a value stays as it is. A `factor` of 100 and 0 `extraMinutes` take
/// away what they needed. Those who are no longer on the list are
/// removed, unless a row could not be read. Rooms, seats and times belong to a sitting: such columns are passed over.
#[utoipa::path(
    operation_id = "replaceClassPeople",
    tag = "sittings",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Class id"),
        ("dryRun" = Option<bool>, Query, description = "Tell what the list would do, and write nothing"),
        ("class" = Option<String>, Query, description = "With files of OneRoster: only those who are enrolled in this class"),
        ("If-Match" = Option<String>, Header, description = "The version to change, in quotes"),
    ),
    request_body(content(
        (ClassPeopleBody = "application/json"),
        (inline(RosterForm) = "multipart/form-data"),
    )),
    responses(
        (status = 200, description = "What was done", body = RosterReport, headers(("ETag" = String))),
        (status = 400, description = "`A class has at most 1,000 people`, `The list has more than 20,000 rows`, `Invalid file`, `Invalid people`, `Missing columns: email or externalId`, `Column … is not known: did you mean …?`, `Row …: a quotation mark is opened and not closed`, or another reason why nothing can be read", body = ErrorBody),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 408, description = "The body came too slowly", body = ErrorBody),
        (status = 412, description = "`Class has changed`", body = ErrorBody),
        (status = 413, description = "Over 20 MiB", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
        (status = 503, description = "Too many workbooks at once", body = ErrorBody),
    )
)]
#[put("/api/admin/classes/{id}/people")]
pub async fn replace(
    asked: After<Manager, PeopleRequest>,
    service: Data<Classes>,
    turns: Data<WorkbookTurnstile>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), After(id, After(query, After(if_match, upload)))) = asked;
    let found = service.find(&caller, &id).await?;
    let is_dry_run = flag("dryRun", query.dry_run.as_deref())?;
    let enrolled_in = query.into_inner().class.filter(|class| !class.is_empty());
    let read = list_file::people(upload, enrolled_in, &turns).await?;
    let report = RosterReport::of_list(&read);
    let transaction = service.database.begin().await?;
    let mut class = service.lock(&transaction, &caller, found.id, &if_match).await?;
    let stored = classes::load_people(&transaction, class.id).await?;
    let change = ClassChange::of(read.list, stored, Uuid::new_v4);
    let ClassChange { people, added, updated, removed, errors } = change;
    // Those whom a list with errors leaves where they are count too.
    if people.len() > CLASS_PEOPLE_MAX {
        return Err(Error::Invalid(CLASS_TOO_LARGE.to_owned()));
    }
    if is_dry_run {
        transaction.rollback().await?;
    } else {
        class.touch(service.clock.now());
        note_detail(&format!("{added} added, {updated} updated, {removed} removed"));
        classes::save(&transaction, &class).await?;
        classes::replace_people(&transaction, class.id, &people).await?;
        transaction.commit().await?;
    }
    let report = RosterReport { added, updated, removed, errors, ..report };
    Ok(HttpResponse::Ok().insert_header(version_tag(class.version())).json(report))
}
