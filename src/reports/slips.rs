//! `/api/admin/sittings/{id}/slips.pdf`: entry slips. `POST` makes access codes, which are shown once and stored as
//! hashes; `GET` has no effect, so its address may stand anywhere.

use actix_web::http::header::CONTENT_DISPOSITION;
use actix_web::web::{Data, Path, Query, block};
use actix_web::{HttpResponse, get, post};
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use domain::form::FormLetter;
use domain::sitting::candidate::Candidate;
use domain::sitting::code::AccessCode;
use domain::sitting::part::form_of;
use domain::sitting::{Sitting, SittingState};
use domain::time::moment::Moment;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::Reports;
use super::layout::slips::{Slip, SlipCode, lay_out_slips};
use super::pdf::{self, Head, Unwritable};
use super::text::Typesetter;
use crate::auth::caller::Manager;
use crate::auth::refusals::ManagerRefusals;
use crate::config::Config;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{FileBytes, private};
use crate::http::parameters::flag;
use crate::school::SchoolSettings;
use crate::sittings::change::{ChangeTerms, Changed};
use crate::sittings::{ManagedSitting, SITTING_CHANGED, Sittings, new_access_code};
use crate::store::candidates::{self, AccessCodeHashes};

/// Slips of one file. Each has a picture of some hundred rectangles; a larger sitting is printed in several files.
const SLIPS_MAX: usize = 1_000;
const TOO_MANY: &str = "Too many candidates for one file: ask for one room, or with from=1, from=1001, and so on";
const RENEWED_BY_POST: &str = "Invalid renew: POST makes new codes";
const NOBODY: &str = "There are no candidates";

#[derive(Deserialize)]
struct SlipsQuery {
    renew: Option<String>,
    room: Option<String>,
    from: Option<String>,
    #[serde(rename = "candidateId")]
    candidate_id: Option<String>,
}

impl SlipsQuery {
    /// The candidate whose slip alone is asked for.
    fn only(&self) -> Option<&str> {
        self.candidate_id.as_deref().filter(|id| !id.is_empty())
    }
}

/// Entry slips to cut out, A4, by room and name: name, room, seat, address and QR code, without access codes; the form
/// too, if the template has several.
///
/// A code is shown on the one file that `POST` makes, and stored as a hash.
#[utoipa::path(
    operation_id = "downloadSlips",
    tag = "sittings",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Sitting id"),
        ("room" = Option<String>, Query, description = "The name of a room: only those who sit there"),
        ("from" = Option<u32>, Query, description = "The first slip of the file, which then has 1,000 at most", minimum = 1),
    ),
    responses(
        (status = 200, description = "The slips", body = inline(FileBytes), content_type = "application/pdf"),
        (status = 400, description = "`Invalid room`, `Invalid from`, too many candidates for one file, or `renew`, which needs `POST`", body = ErrorBody),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`There are no candidates`", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[get("/api/admin/sittings/{id}/slips.pdf")]
pub async fn slips(
    asked: After<Manager, After<Path<String>, Query<SlipsQuery>>>,
    service: Data<Sittings>,
    reports: Data<Reports>,
    config: Data<Config>,
    school: Data<SchoolSettings>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), After(id, query)) = asked;
    let managed = service.managed(&caller, &id).await?;
    if query.renew.is_some() {
        return Err(Error::Invalid(RENEWED_BY_POST.to_owned()));
    }
    let roster = seated(&service, &managed, &query).await?;
    let codes: Vec<_> = roster.iter().map(|_| None).collect();
    let every = slips_of(&config, time_zone(&school, &reports).await, &managed.sitting, &roster, &codes);
    make(&reports, every, &managed.sitting, service.clock.now()).await.map(sent)
}

/// Makes access codes, and the slips with them.
///
/// A candidate without an access code gets one. A code is shown on this one file and stored as a hash, so a candidate
/// who has one is referred to their earlier slip, unless `renew` replaces it. That leaves the devices with which
/// somebody has entered as they are: a proctor ends them by the order `only_this_device`.
#[utoipa::path(
    operation_id = "makeSlips",
    tag = "sittings",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Sitting id"),
        ("renew" = Option<bool>, Query, description = "Make new codes for all who have not entered, or for the one candidate who is asked for; the old ones are no longer valid"),
        ("candidateId" = Option<String>, Query, description = "Only the slip of this candidate, who may have entered"),
        ("room" = Option<String>, Query, description = "The name of a room: only those who sit there"),
        ("from" = Option<u32>, Query, description = "The first slip of the file, which then has 1,000 at most", minimum = 1),
    ),
    responses(
        (status = 200, description = "The slips", body = inline(FileBytes), content_type = "application/pdf"),
        (status = 400, description = "`Invalid renew`, `Invalid room`, `Invalid from`, `Invalid candidateId`, or too many candidates for one file", body = ErrorBody),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`Sitting has changed` meanwhile, or `There are no candidates`", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
    )
)]
#[post("/api/admin/sittings/{id}/slips.pdf")]
pub async fn make_slips(
    asked: After<Manager, After<Path<String>, Query<SlipsQuery>>>,
    service: Data<Sittings>,
    reports: Data<Reports>,
    config: Data<Config>,
    school: Data<SchoolSettings>,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), After(id, query)) = asked;
    let managed = service.managed(&caller, &id).await?;
    let is_renewed = flag("renew", query.renew.as_deref())?;
    let roster = seated(&service, &managed, &query).await?;
    let sitting = managed.sitting;
    let mut codes = Vec::new();
    for Seated { candidate, .. } in &roster {
        // Whoever has entered has no use for the slip of a whole room; one who is asked for may have lost theirs.
        let is_meant = !candidate.has_entered() || query.only().is_some();
        let is_new = !candidate.has_access_code || is_renewed && is_meant;
        codes.push(is_new.then(new_access_code).transpose()?);
    }
    let every = slips_of(&config, time_zone(&school, &reports).await, &sitting, &roster, &codes);
    let made = make(&reports, every, &sitting, service.clock.now()).await?;
    store(&service, &caller.email, &sitting, &roster, &codes).await?;
    Ok(sent(made))
}

/// Stores the hashes of the codes. This happens when their file is there, and in a short transaction: if the roster has
/// changed meanwhile, somebody else may have made codes.
async fn store(
    service: &Sittings,
    by: &str,
    sitting: &Sitting,
    roster: &[Seated],
    codes: &[Option<AccessCode>],
) -> Result<(), Error> {
    let with_ids = roster.iter().zip(codes);
    let hashes: Vec<(Uuid, AccessCodeHashes)> =
        with_ids.filter_map(|(seated, code)| Some((seated.candidate.id, service.hashes(code.as_ref()?)))).collect();
    if hashes.is_empty() {
        return Ok(());
    }
    // The version is the one that the slips were made of. Codes change nothing for those at work, nor do they open
    // doors; and a slip that was lost may be asked for afterwards.
    let terms = ChangeTerms::of_any_version().even_after_the_end().leaving_doors().leaving_attempts();
    let storing = service.change(by, sitting.id, terms, async |current, _| {
        if current.version != sitting.version {
            return Err(Error::Conflict(SITTING_CHANGED));
        }
        candidates::set_access_codes(&current.hold(), &hashes).await?;
        // Who has made codes is in the log of what managers do; it is none of the record of a candidate.
        Ok(Changed::Unnoted(()))
    });
    storing.await.map(|_| ())
}

fn sent(file: Vec<u8>) -> HttpResponse {
    let disposition = (CONTENT_DISPOSITION, "attachment; filename=\"slips.pdf\"");
    private(&mut HttpResponse::Ok()).insert_header(disposition).content_type("application/pdf").body(file)
}

async fn time_zone(school: &SchoolSettings, reports: &Reports) -> Tz {
    school.of_reports().await.school.time_zone.unwrap_or(reports.time_zone)
}

/// Somebody who gets a slip.
struct Seated {
    candidate: Candidate,
    form: Option<FormLetter>,
}

/// The candidates of a room, or all of them, by room and then by name; from a number on, as many as a file may have.
async fn seated(service: &Sittings, managed: &ManagedSitting, query: &SlipsQuery) -> Result<Vec<Seated>, Error> {
    let roster = chosen(service, &managed.sitting, query).await?;
    let entered = roster.iter().filter_map(|candidate| candidate.session_id);
    let standings = candidates::load_standings_of(&service.database.read, entered).await?;
    let is_over = service.overview(managed, service.clock.now()).await?.state == SittingState::Ended;
    let seated = |candidate: Candidate| {
        let given = standings.get(&candidate.id).and_then(|standing| standing.form);
        let form = form_of(&candidate, given, managed.template.forms.into(), is_over);
        Seated { candidate, form: form.map(|(form, _)| form) }
    };
    Ok(roster.into_iter().map(seated).collect())
}

async fn chosen(service: &Sittings, sitting: &Sitting, query: &SlipsQuery) -> Result<Vec<Candidate>, Error> {
    let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    let from = given(&query.from).map(|from| from.parse().ok().filter(|from: &usize| *from > 0));
    let from = from.map(|from| from.ok_or_else(|| Error::invalid("from"))).transpose()?;
    let mut roster = candidates::by_name(candidates::load_of(&service.database.read, sitting.id).await?);
    if let Some(name) = given(&query.room) {
        let hall = sitting.hall_named(&name).ok_or_else(|| Error::invalid("room"))?;
        roster.retain(|candidate| candidate.hall_id == Some(hall.id));
    }
    if let Some(id) = query.only() {
        let id: Uuid = id.parse().map_err(|_| Error::invalid("candidateId"))?;
        roster.retain(|candidate| candidate.id == id);
    }
    let hall_of = |candidate: &Candidate| sitting.halls.iter().position(|hall| Some(hall.id) == candidate.hall_id);
    roster.sort_by_key(hall_of);
    match (roster.len(), from) {
        (0, _) => Err(Error::Conflict(NOBODY)),
        (count, Some(from)) if from <= count => Ok(roster.into_iter().skip(from - 1).take(SLIPS_MAX).collect()),
        (_, Some(_)) => Err(Error::invalid("from")),
        (1..=SLIPS_MAX, None) => Ok(roster),
        (_, None) => Err(Error::Invalid(TOO_MANY.to_owned())),
    }
}

fn slips_of(
    config: &Config,
    time_zone: Tz,
    sitting: &Sitting,
    roster: &[Seated],
    codes: &[Option<AccessCode>],
) -> Vec<Slip> {
    let address = format!("{}/s/{}", config.server.auth_url, sitting.code.as_str());
    let slip = |(Seated { candidate, form }, code): (&Seated, &Option<AccessCode>)| {
        let starts_at = sitting.terms(candidate, 0).starts_at.value;
        let zoned = starts_at.utc().with_timezone(&time_zone);
        let room = sitting.hall(candidate.hall_id).map(|hall| hall.plan.name.clone());
        let seat = candidate.seat.as_ref().map(|seat| format!("seat {seat}"));
        let form = form.map(|form| format!("Form {form}"));
        Slip {
            name: candidate.name.clone(),
            sitting: sitting.plan.name.clone(),
            starts_at: zoned.format("%-d %B %Y, %H:%M %Z").to_string(),
            place: room.into_iter().chain(seat).chain(form).collect::<Vec<_>>().join(", "),
            address: address.clone(),
            code: match code {
                Some(code) => SlipCode::New(code.to_string()),
                None if candidate.has_access_code => SlipCode::Earlier,
                None => SlipCode::None,
            },
        }
    };
    roster.iter().zip(codes).map(slip).collect()
}

async fn make(reports: &Reports, every: Vec<Slip>, sitting: &Sitting, now: Moment) -> Result<Vec<u8>, Error> {
    let title = format!("Entry slips: {}", sitting.plan.name);
    let (fonts, name) = (reports.fonts, sitting.id);
    let turn = std::sync::Arc::clone(&reports.making).acquire_owned().await.map_err(Error::internal)?;
    let made = block(move || {
        let laid_out = lay_out_slips(&every, &mut Typesetter::new(fonts));
        let created = DateTime::<Utc>::from_timestamp_millis(now.milliseconds()).unwrap_or_default();
        let created = created.format("D:%Y%m%d%H%M%SZ").to_string();
        let digest = Sha256::digest(format!("{name} {created}")).into();
        let file = pdf::write(&laid_out, fonts, &Head { title, created, digest });
        drop(turn);
        file
    });
    made.await.map_err(Error::internal)?.map_err(|error: Unwritable| Error::internal(error))
}
