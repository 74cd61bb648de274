//! Lets admins read and change the school's settings.

use actix_web::web::Data;
use actix_web::{HttpResponse, get, patch};
use chrono_tz::Tz;
use domain::mark::MarkScale;
use domain::school::{PageLanguage, School, SchoolColour, incident_kinds, page_languages, school_name, time_zone};
use domain::sitting::values::FieldChange;
use serde::Serialize;
use utoipa::ToSchema;

use super::{SchoolSettings, SchoolView, view};
use crate::auth::caller::Admin;
use crate::auth::refusals::AdminRefusals;
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::audit::note_detail;
use crate::http::fields::{JsonFields, body};
use crate::http::if_match::{IfMatch, version_tag};
use crate::store::school::{self, StoredSchool};

const CHANGED: &str = "School has changed";

/// The settings with their revision.
#[derive(Serialize, ToSchema)]
struct SchoolSettingsView {
    #[serde(flatten)]
    school: SchoolView,
    /// Kinds of incidents of the school's own, beside those that every desk offers.
    #[serde(rename = "incidentKinds")]
    incident_kinds: Vec<String>,
    /// The scale by which results are marked unless a template or a sitting says otherwise; null for no marks.
    #[serde(rename = "markScale")]
    #[schema(required)]
    mark_scale: Option<MarkScale>,
    /// Counts the changes. It is the `ETag`, too.
    revision: i64,
}

/// The school's settings, for changing them.
#[utoipa::path(
    operation_id = "readSchoolSettings",
    tag = "administration",
    security(("api_token" = [])),
    responses(
        (status = 200, description = "The settings", body = SchoolSettingsView),
        AdminRefusals,
    )
)]
#[get("/api/admin/school")]
pub async fn read(_admin: Admin, database: Data<Database>) -> Result<HttpResponse, Error> {
    Ok(answer(&school::load(&database).await?))
}

body! {
    /// The change of the settings. A field that is left out stays as it is.
    struct SchoolChange {
        /// May be empty.
        #[schema(max_length = 120)]
        name: Option<String> = |field| field.parsed_if_given(school_name),
        /// `#rrggbb`; white text on it needs a contrast of 4.5.
        #[schema(value_type = Option<String>)]
        colour: Option<SchoolColour> = |field| field.parsed_if_given(SchoolColour::parse),
        /// The default first.
        #[schema(min_items = 1)]
        languages: Option<Vec<PageLanguage>> =
            |field| field.optional_parsed(|codes: Vec<String>| page_languages(codes.iter().map(String::as_str))),
        /// A name of the IANA database, or empty.
        #[schema(value_type = Option<String>)]
        time_zone: Option<Option<Tz>> = |field| field.parsed_if_given(time_zone),
        /// Kinds of incidents of the school's own, of 1 to 50 characters each.
        #[schema(max_items = 20)]
        incident_kinds: Option<Vec<String>> = |field| field.optional_parsed(|kinds: Vec<String>| incident_kinds(&kinds)),
        /// The scale of sittings that are made, and of tests that begin, from now on; null for no marks.
        #[schema(value_type = Option<MarkScale>)]
        mark_scale: FieldChange<MarkScale> = |field| field.change(MarkScale::read),
    }
}

/// Changes the school's settings. They take effect at once on this server, and within seconds on others.
#[utoipa::path(
    operation_id = "changeSchool",
    tag = "administration",
    security(("api_token" = [])),
    params(("If-Match" = Option<String>, Header, description = "The revision that the change is meant for")),
    request_body = SchoolChange,
    responses(
        (status = 200, description = "The settings", body = SchoolSettingsView),
        (status = 400, description = "`Invalid name`, `Invalid colour`, `Invalid languages`, `Invalid timeZone`, `Invalid incidentKinds` or `Invalid markScale`", body = ErrorBody),
        AdminRefusals,
        (status = 412, description = "`School has changed`", body = ErrorBody),
    )
)]
#[patch("/api/admin/school")]
pub async fn change(
    asked: After<Admin, After<IfMatch, JsonFields>>,
    database: Data<Database>,
    settings: Data<SchoolSettings>,
) -> Result<HttpResponse, Error> {
    let After(_admin, After(meant_for, fields)) = asked;
    let before = school::load(&database).await?;
    meant_for.check(before.revision, CHANGED)?;
    let after = changed(before.school.clone(), &fields)?;
    if after == before.school {
        return Ok(answer(&before));
    }
    note_detail(&difference(&before.school, &after));
    let stored = school::put(&database, &after, before.revision).await?;
    settings.forget();
    let revision = stored.ok_or(Error::Outdated(CHANGED))?;
    let stored = StoredSchool { school: after, crest_revision: before.crest_revision, revision };
    Ok(answer(&stored))
}

fn changed(before: School, fields: &JsonFields) -> Result<School, Error> {
    let SchoolChange { name, colour, languages, time_zone, incident_kinds, mark_scale } = SchoolChange::read(fields)?;
    Ok(School {
        name: name.unwrap_or(before.name),
        colour: colour.unwrap_or(before.colour),
        languages: languages.unwrap_or(before.languages),
        time_zone: time_zone.unwrap_or(before.time_zone),
        incident_kinds: incident_kinds.unwrap_or(before.incident_kinds),
        mark_scale: mark_scale.or_stored(before.mark_scale),
    })
}

/// What has changed, in the words of the record.
fn difference(before: &School, after: &School) -> String {
    let codes =
        |school: &School| school.languages.iter().map(|language| language.code()).collect::<Vec<_>>().join(", ");
    let zone = |school: &School| school.time_zone.map(|zone| zone.name().to_owned()).unwrap_or_default();
    let scale = |school: &School| school.mark_scale.as_ref().map(ToString::to_string).unwrap_or_default();
    let told = [
        ("name", before.name.clone(), after.name.clone()),
        ("colour", before.colour.hex(), after.colour.hex()),
        ("languages", codes(before), codes(after)),
        ("timeZone", zone(before), zone(after)),
        ("incidentKinds", before.incident_kinds.join(", "), after.incident_kinds.join(", ")),
        ("markScale", scale(before), scale(after)),
    ];
    let changed = told.into_iter().filter(|(_, before, after)| before != after);
    changed.map(|(name, before, after)| format!("{name}: {before} → {after}")).collect::<Vec<_>>().join("; ")
}

pub(super) fn answer(stored: &StoredSchool) -> HttpResponse {
    let School { incident_kinds, mark_scale, .. } = stored.school.clone();
    let view = SchoolSettingsView { school: view(stored), incident_kinds, mark_scale, revision: stored.revision };
    HttpResponse::Ok().insert_header(version_tag(stored.revision)).json(view)
}
