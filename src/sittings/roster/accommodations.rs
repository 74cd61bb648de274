//! `/api/admin/accommodations`: what people need in every exam, such as more time.

use std::collections::HashMap;

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpResponse, delete, get, put};
use domain::access::{normal_email, typed_email};
use domain::sitting::accommodation::{ACCOMMODATIONS_MAX, Accommodation, AccommodationEntry};
use domain::time::moment::Moment;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::applied::{ApplyTo, ConcernedCandidate};
use super::list_file::{self, ListFile};
use crate::auth::caller::Admin;
use crate::auth::refusals::AdminRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::fallback::NOT_FOUND;
use crate::http::fields::JsonFields;
use crate::http::parameters::flag;
use crate::http::upload::Upload;
use crate::sheets::table::is_zero;
use crate::sheets::turns::WorkbookTurnstile;
use crate::sittings::Sittings;
use crate::store::accommodations as stored;
use crate::store::school::find_zone;

#[derive(Deserialize)]
struct AccommodationQuery {
    #[serde(rename = "dryRun")]
    dry_run: Option<String>,
    apply: Option<String>,
}

/// Whose accommodation is changed, and how.
type AccommodationRequest = After<Path<String>, After<Query<AccommodationQuery>, JsonFields>>;

/// What a person needs in every exam.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Accommodation)]
struct AccommodationView {
    email: String,
    /// In percent.
    #[schema(required)]
    factor: Option<u32>,
    #[schema(required)]
    extra_minutes: Option<u32>,
    flags: Vec<String>,
    #[schema(required)]
    note: Option<String>,
    /// The last moment of a sitting's start for which it holds.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    valid_until: Option<Moment>,
}

impl From<Accommodation> for AccommodationView {
    fn from(one: Accommodation) -> Self {
        let Accommodation { email, factor, extra_minutes, flags, note, valid_until } = one;
        Self { email, factor: factor.map(|factor| factor.percent()), extra_minutes, flags, note, valid_until }
    }
}

/// `{ accommodations, timeZone }`, by address.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AccommodationViews {
    accommodations: Vec<AccommodationView>,
    /// The school's, in which a day ends.
    time_zone: String,
}

/// `{ accommodation }`.
#[derive(Serialize, ToSchema)]
struct OneAccommodation {
    accommodation: AccommodationView,
}

/// A changed accommodation, and the candidates with open doors whom the change concerns.
#[derive(Serialize, ToSchema)]
struct ChangedAccommodation {
    /// Null when it was removed.
    #[schema(required)]
    accommodation: Option<AccommodationView>,
    concerns: Vec<ConcernedCandidate>,
}

/// What a list has changed, or would change.
#[derive(Serialize, ToSchema)]
struct AccommodationReport {
    /// Number of people who had none.
    added: usize,
    /// Number of people who had one.
    updated: usize,
    /// A sentence for each row that was not taken, beginning with `Row <n>:`.
    errors: Vec<String>,
    /// Candidates with open doors whom the list concerns.
    concerns: Vec<ConcernedCandidate>,
    /// Headings of columns that were passed over. Left out if there are none.
    #[serde(rename = "ignoredColumns", skip_serializing_if = "Vec::is_empty")]
    ignored_columns: Vec<String>,
    /// `windows-1252` for a text that does not say its encoding and was read as that one; otherwise left out.
    #[serde(rename = "readAs", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    read_as: Option<&'static str>,
    /// How many rows the sheet hides, which are read like others. Left out if there are none.
    #[serde(rename = "hiddenRows", skip_serializing_if = "is_zero")]
    hidden_rows: u32,
}

/// The fields to change. The others stay, and null takes a value away.
#[derive(ToSchema)]
#[schema(as = AccommodationFields, rename_all = "camelCase", examples(json!({ "email": "ada@exam.example", "factor": 125, "flags": ["large print"], "validUntil": "2027-07-31" })))]
#[allow(dead_code, reason = "describes a body that is read field by field, to name the field that is wrong")]
struct AccommodationFields {
    /// Only in a list.
    email: Option<String>,
    /// A whole percentage.
    #[schema(minimum = 100, maximum = 400)]
    factor: Option<u32>,
    #[schema(minimum = 0, maximum = 600)]
    extra_minutes: Option<u32>,
    #[schema(max_items = 20)]
    flags: Option<Vec<String>>,
    #[schema(max_length = 10_000)]
    note: Option<String>,
    /// A time, or a day in the school's time zone, which is included.
    valid_until: Option<String>,
}

/// A register as JSON.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes a body that is read row by row")]
struct AccommodationBody {
    #[schema(max_items = 20_000)]
    accommodations: Vec<AccommodationFields>,
}

/// A form with a table of them.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it describes the form in the document")]
struct AccommodationForm {
    /// A table with commas, semicolons or tabs, or an xlsx or ods workbook; 20 MiB at most.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

/// What people need in every exam, by address.
#[utoipa::path(
    operation_id = "listAccommodations",
    tag = "sittings",
    security(("api_token" = [])),
    responses(
        (status = 200, description = "The register", body = AccommodationViews),
        AdminRefusals,
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[get("/api/admin/accommodations")]
pub async fn list(_admin: Admin, service: Data<Sittings>) -> Result<HttpResponse, Error> {
    service.here()?;
    let all = stored::load_all(&service.database, ACCOMMODATIONS_MAX as u64).await?;
    let accommodations = all.into_iter().map(AccommodationView::from).collect();
    let time_zone = find_zone(&service.database.read).await?.name().to_owned();
    Ok(HttpResponse::Ok().json(AccommodationViews { accommodations, time_zone }))
}

/// Adds and changes what people need. Nobody who is not on the list loses anything.
///
/// It takes JSON, a table as it is, or a form with one, as a roster does. `concerns` names the candidates of open
/// sittings whose copies differ afterwards; with `apply` they are changed too.
#[utoipa::path(
    operation_id = "replaceAccommodations",
    tag = "sittings",
    security(("api_token" = [])),
    params(
        ("dryRun" = Option<bool>, Query, description = "Tell what the list would do, and write nothing"),
        ("apply" = Option<String>, Query, description = "`all`, or the ids of candidates of open sittings who get it too, with commas between them"),
    ),
    request_body(content(
        (AccommodationBody = "application/json"),
        (inline(AccommodationForm) = "multipart/form-data"),
    )),
    responses(
        (status = 200, description = "What was done", body = AccommodationReport),
        (status = 400, description = "`Invalid file`, `Invalid accommodations`, `Missing columns: email`, `Column … is not known: did you mean …?`, `Row …: a quotation mark is opened and not closed`, or another reason why nothing can be read", body = ErrorBody),
        AdminRefusals,
        (status = 408, description = "The body came too slowly", body = ErrorBody),
        (status = 413, description = "Over 20 MiB", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
        (status = 503, description = "Too many workbooks at once", body = ErrorBody),
    )
)]
#[put("/api/admin/accommodations")]
pub async fn replace(
    asked: After<Admin, (Query<AccommodationQuery>, Upload)>,
    service: Data<Sittings>,
    turns: Data<WorkbookTurnstile>,
) -> Result<HttpResponse, Error> {
    service.here()?;
    let After(Admin(caller), (query, upload)) = asked;
    let is_dry_run = flag("dryRun", query.dry_run.as_deref())?;
    let apply = ApplyTo::parse(query.apply.as_deref())?;
    let ListFile { list: register, facts } = list_file::accommodations(upload, &turns).await?;
    let changed = service.change_accommodations(register.entries, &apply, &caller.email, is_dry_run).await?;
    let AccommodationsChange { added, updated, concerns, .. } = changed;
    let (errors, ignored_columns) = (register.errors, register.ignored);
    let report = AccommodationReport {
        added,
        updated,
        errors,
        concerns,
        ignored_columns,
        read_as: facts.read_as,
        hidden_rows: facts.hidden_rows,
    };
    Ok(HttpResponse::Ok().json(report))
}

/// What one person needs.
#[utoipa::path(
    operation_id = "readAccommodation",
    tag = "sittings",
    security(("api_token" = [])),
    params(("email" = String, Path, description = "E-mail address, URL-encoded")),
    responses(
        (status = 200, description = "The accommodation", body = OneAccommodation),
        AdminRefusals,
        (status = 404, description = "There is none", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[get("/api/admin/accommodations/{email}")]
pub async fn read(asked: After<Admin, Path<String>>, service: Data<Sittings>) -> Result<HttpResponse, Error> {
    service.here()?;
    let After(_admin, email) = asked;
    let email = normal_email(&email).ok_or(Error::NotFound(NOT_FOUND))?;
    let found = stored::find(&service.database.read, &email).await?.ok_or(Error::NotFound(NOT_FOUND))?;
    Ok(HttpResponse::Ok().json(OneAccommodation { accommodation: found.into() }))
}

/// Changes what one person needs, or notes it for the first time.
///
/// `concerns` names the candidates of open sittings whose copies differ afterwards; with `apply` they are changed too.
#[utoipa::path(
    operation_id = "changeAccommodation",
    tag = "sittings",
    security(("api_token" = [])),
    params(
        ("email" = String, Path, description = "E-mail address, URL-encoded"),
        ("apply" = Option<String>, Query, description = "`all`, or the ids of candidates of open sittings who get it too, with commas between them"),
    ),
    request_body = AccommodationFields,
    responses(
        (status = 200, description = "The accommodation, and whom the change concerns", body = ChangedAccommodation),
        (status = 400, description = "`Invalid <field>`", body = ErrorBody),
        AdminRefusals,
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[put("/api/admin/accommodations/{email}")]
pub async fn change(asked: After<Admin, AccommodationRequest>, service: Data<Sittings>) -> Result<HttpResponse, Error> {
    service.here()?;
    let After(Admin(caller), After(email, After(query, fields))) = asked;
    let email = typed_email(&email).ok_or_else(|| Error::invalid("email"))?;
    let apply = ApplyTo::parse(query.apply.as_deref())?;
    let mut entry = AccommodationEntry::of_json(&fields.into_value()).map_err(Error::invalid)?;
    if !entry.email.is_empty() && entry.email != email {
        return Err(Error::invalid("email"));
    }
    entry.email = email;
    let changed = service.change_accommodations(vec![entry], &apply, &caller.email, false).await?;
    let accommodation = changed.accommodations.into_iter().next().map(AccommodationView::from);
    Ok(HttpResponse::Ok().json(ChangedAccommodation { accommodation, concerns: changed.concerns }))
}

/// Removes what one person needed. Candidates whose doors are open keep their copies, unless `apply` says otherwise.
#[utoipa::path(
    operation_id = "removeAccommodation",
    tag = "sittings",
    security(("api_token" = [])),
    params(
        ("email" = String, Path, description = "E-mail address, URL-encoded"),
        ("apply" = Option<String>, Query, description = "`all`, or the ids of candidates of open sittings who lose it too, with commas between them"),
    ),
    responses(
        (status = 200, description = "Removed, and whom that concerns", body = ChangedAccommodation),
        (status = 400, description = "`Invalid apply`", body = ErrorBody),
        AdminRefusals,
        (status = 404, description = "There was none", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[delete("/api/admin/accommodations/{email}")]
pub async fn remove(
    asked: After<Admin, After<Path<String>, Query<AccommodationQuery>>>,
    service: Data<Sittings>,
) -> Result<HttpResponse, Error> {
    service.here()?;
    let After(Admin(caller), After(email, query)) = asked;
    let email = normal_email(&email).ok_or(Error::NotFound(NOT_FOUND))?;
    let apply = ApplyTo::parse(query.apply.as_deref())?;
    let transaction = service.database.begin().await?;
    if !stored::delete(&transaction, &email).await? {
        return Err(Error::NotFound(NOT_FOUND));
    }
    transaction.commit().await?;
    let concerns = service.apply(&[email], &HashMap::new(), &apply, &caller.email, false).await?;
    Ok(HttpResponse::Ok().json(ChangedAccommodation { accommodation: None, concerns }))
}

/// What a request has changed in the register.
struct AccommodationsChange {
    accommodations: Vec<Accommodation>,
    added: usize,
    updated: usize,
    concerns: Vec<ConcernedCandidate>,
}

impl Sittings {
    async fn change_accommodations(
        &self,
        entries: Vec<AccommodationEntry>,
        apply: &ApplyTo,
        changed_by: &str,
        is_dry_run: bool,
    ) -> Result<AccommodationsChange, Error> {
        let emails: Vec<String> = entries.iter().map(|entry| entry.email.clone()).collect();
        let transaction = self.database.begin().await?;
        let mut before = stored::lock_those(&transaction, &emails).await?;
        let zone = find_zone(&transaction).await?;
        let updated = before.len();
        let added = entries.len() - updated;
        let changed = |entry: AccommodationEntry| {
            let stored = before.remove(&entry.email);
            entry.applied_to(stored, &zone)
        };
        let accommodations: Vec<Accommodation> = entries.into_iter().map(changed).collect();
        if is_dry_run {
            transaction.rollback().await?;
        } else {
            stored::put(&transaction, &accommodations, changed_by, self.clock.now()).await?;
            transaction.commit().await?;
        }
        let after = accommodations.iter().map(|one| (one.email.clone(), one.clone())).collect();
        let concerns = self.apply(&emails, &after, apply, changed_by, is_dry_run).await?;
        Ok(AccommodationsChange { accommodations, added, updated, concerns })
    }
}
