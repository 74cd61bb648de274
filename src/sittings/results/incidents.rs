//! The incident report of a sitting: what its proctors have put on record, as JSON and as a table.

use std::collections::{BTreeSet, HashMap};

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpResponse, get};
use domain::access::Identity;
use domain::sitting::Sitting;
use domain::sitting::candidate::Candidate;
use domain::time::moment::Moment;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::auth::caller::{Manager, SignedIn};
use crate::auth::refusals::ManagerRefusals;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::private;
use crate::http::attachment::attachment;
use crate::http::fallback::NOT_FOUND;
use crate::sheets::write::{CSV, TableCell, table_head, table_lines};
use crate::sittings::supervision::{HallChoice, INCIDENTS_OF_SITTING_MAX};
use crate::sittings::{Sittings, known};
use crate::store::{candidates, incidents, school, sittings};
use crate::strain::{Deferrable, Strain};

const HEADINGS: [&str; 9] = ["at", "room", "candidate", "email", "externalId", "seat", "kind", "text", "by"];

/// `{ incidents, kinds }`, in the order in which they were put on record.
#[derive(Serialize, ToSchema)]
struct SittingIncidents {
    incidents: Vec<IncidentView>,
    /// The school's own kinds, beside those that every desk offers. An incident may have any other one.
    kinds: Vec<String>,
}

/// Something that a proctor has put on record.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SittingIncident)]
struct IncidentView {
    id: Uuid,
    #[schema(value_type = String, format = DateTime)]
    at: Moment,
    /// In the proctor's words, such as `device`.
    kind: String,
    text: String,
    /// E-mail of the proctor.
    by: String,
    /// The name of the room; null for an incident of the whole sitting.
    #[schema(required)]
    room: Option<String>,
    /// Null for an incident of a whole room.
    #[schema(required)]
    candidate_id: Option<Uuid>,
    /// The name of the candidate.
    #[schema(required)]
    candidate: Option<String>,
    #[serde(skip)]
    person: Option<Candidate>,
}

#[derive(Deserialize)]
struct WatchedIncidentsQuery {
    /// The name of a hall.
    room: Option<String>,
}

/// The incidents of a sitting, or of one of its rooms, for those who watch it: whoever has put them on record, all
/// proctors of a room see them, and those of the sitting as a whole.
#[utoipa::path(
    operation_id = "listWatchedIncidents",
    tag = "sittings",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Sitting id"),
        ("room" = Option<String>, Query, description = "The name of a room, which its proctors must give"),
    ),
    responses(
        (status = 200, description = "The incidents", body = SittingIncidents),
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 403, description = "`Not a proctor of this room`", body = ErrorBody),
        (status = 404, description = "Unknown sitting, or room", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[get("/api/sittings/{id}/incidents")]
pub async fn watched(
    asked: After<SignedIn, After<Path<String>, Query<WatchedIncidentsQuery>>>,
    service: Data<Sittings>,
) -> Result<HttpResponse, Error> {
    let After(SignedIn(caller), After(id, query)) = asked;
    let (id, room) = (known(&id)?, query.into_inner().room);
    let choice = room.as_deref().map_or(HallChoice::All, HallChoice::Name);
    let watched = service.watched(&caller, id, choice).await?;
    let sitting = sittings::find(&service.database, id).await?.ok_or(Error::NotFound(NOT_FOUND))?;
    let incidents = service.on_record(&sitting, watched.hall_id).await?;
    service.with_kinds(incidents).await
}

/// The incidents of a sitting, in the order in which they were put on record.
#[utoipa::path(
    operation_id = "listSittingIncidents",
    tag = "sittings",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Sitting id")),
    responses(
        (status = 200, description = "The incident report", body = SittingIncidents),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[get("/api/admin/sittings/{id}/incidents")]
pub async fn list(asked: After<Manager, Path<String>>, service: Data<Sittings>) -> Result<HttpResponse, Error> {
    let After(Manager(caller), id) = asked;
    let (_, incidents) = service.incidents(&caller, &id).await?;
    service.with_kinds(incidents).await
}

/// The same as CSV.
#[utoipa::path(
    operation_id = "downloadSittingIncidents",
    tag = "sittings",
    security(("api_token" = [])),
    params(("id" = String, Path, description = "Sitting id")),
    responses(
        (status = 200, description = "The table", body = String, content_type = "text/csv"),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
        (status = 503, description = "`The server is busy`: answers are saved late", body = ErrorBody),
    )
)]
#[get("/api/admin/sittings/{id}/incidents.csv")]
pub async fn table(
    asked: After<Manager, Path<String>>,
    service: Data<Sittings>,
    strain: Data<Strain>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), id) = asked;
    strain.admit(Deferrable::Bulk)?;
    let (sitting, incidents) = service.incidents(&caller, &id).await?;
    let name = service.file_name(&sitting, &["incidents"], "csv").await?;
    let rows: Vec<_> = incidents.iter().map(cells).collect();
    let file = [table_head(&HEADINGS)?, table_lines(&rows)?].concat();
    Ok(private(&mut attachment(&name)).content_type(CSV).body(file))
}

impl Sittings {
    async fn incidents(&self, caller: &Identity, id: &str) -> Result<(Sitting, Vec<IncidentView>), Error> {
        let sitting = self.managed(caller, id).await?.sitting;
        let incidents = self.on_record(&sitting, None).await?;
        Ok((sitting, incidents))
    }

    async fn with_kinds(&self, incidents: Vec<IncidentView>) -> Result<HttpResponse, Error> {
        let kinds = school::load(&self.database).await?.school.incident_kinds;
        Ok(private(&mut HttpResponse::Ok()).json(SittingIncidents { incidents, kinds }))
    }

    /// Each open desk asks for this again and again, so no more of the roster is read than incidents name.
    async fn on_record(&self, sitting: &Sitting, hall_id: Option<Uuid>) -> Result<Vec<IncidentView>, Error> {
        let read = &self.database.read;
        let found = incidents::load_of(read, sitting.id, hall_id, INCIDENTS_OF_SITTING_MAX).await?;
        let named: BTreeSet<Uuid> = found.iter().filter_map(|one| one.candidate_id).collect();
        let people = candidates::load_those(read, sitting.id, named.into_iter().collect()).await?;
        let people: HashMap<Uuid, Candidate> = people.into_iter().map(|one| (one.id, one)).collect();
        let view = |one: incidents::ReportedIncident| {
            let person = one.candidate_id.and_then(|id| people.get(&id)).cloned();
            IncidentView {
                id: one.id,
                at: one.at,
                kind: one.kind,
                text: one.text,
                by: one.by,
                room: sitting.hall(one.hall_id).map(|hall| hall.plan.name.clone()),
                candidate_id: one.candidate_id,
                candidate: person.as_ref().map(|person| person.name.clone()),
                person,
            }
        };
        Ok(found.into_iter().map(view).collect())
    }
}

fn cells(one: &IncidentView) -> [TableCell; HEADINGS.len()] {
    let text = |text: Option<String>| text.map_or(TableCell::Empty, TableCell::Text);
    let of = |field: fn(&Candidate) -> Option<String>| text(one.person.as_ref().and_then(field));
    [
        TableCell::Time(one.at.milliseconds()),
        text(one.room.clone()),
        text(one.candidate.clone()),
        of(|person| person.person.email.clone()),
        of(|person| person.person.external_id.clone()),
        of(|person| person.seat.clone()),
        TableCell::Text(one.kind.clone()),
        TableCell::Text(one.text.clone()),
        TableCell::Text(one.by.clone()),
    ]
}
