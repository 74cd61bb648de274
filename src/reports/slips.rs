//! `/api/admin/sittings/{id}/slips.pdf`: entry slips. `POST` makes access codes, which are shown once and stored as
//! hashes; `GET` has no effect, so its address may stand anywhere.

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpResponse, get, post};
use domain::file_name::FileName;
use domain::school::PageLanguage;
use domain::sitting::Sitting;
use domain::sitting::candidate::Candidate;
use serde::Deserialize;
use uuid::Uuid;

use super::Reports;
use super::layout::slips::{Slip, lay_out_slips};
use super::printing::{
    self, MadeCodes, NOBODY, Print, Seated, Stationery, asked_language, new_codes, sent, store_codes,
};
use crate::auth::caller::Manager;
use crate::auth::refusals::ManagerRefusals;
use crate::config::Config;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::FileBytes;
use crate::http::parameters::flag;
use crate::http::turnstile::Turn;
use crate::school::SchoolSettings;
use crate::sittings::{ManagedSitting, Sittings};
use crate::store::candidates;

/// Slips of one file. Each has a picture of some hundred rectangles; a larger sitting is printed in several files.
const SLIPS_MAX: usize = 1_000;
const TOO_MANY: &str = "Too many candidates for one file: ask for one room, or with from=1, from=1001, and so on";
const RENEWED_BY_POST: &str = "Invalid renew: POST makes new codes";

#[derive(Deserialize)]
struct SlipsQuery {
    renew: Option<String>,
    room: Option<String>,
    from: Option<String>,
    #[serde(rename = "candidateId")]
    candidate_id: Option<String>,
    language: Option<String>,
}

impl SlipsQuery {
    /// The candidate whose slip alone is asked for.
    fn only(&self) -> Option<&str> {
        self.candidate_id.as_deref().filter(|id| !id.is_empty())
    }
}

/// Entry slips to cut out, A4, by room and name: name, room, seat, address and QR code, without access codes; the form
/// too, if the template has several. They have the school's name and crest, and are in its first language unless
/// another one is asked for.
///
/// A code is shown on the one file that `POST` makes, and stored as a hash.
#[utoipa::path(
    operation_id = "downloadSlips",
    tag = "sittings",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Sitting id"),
        ("room" = Option<String>, Query, description = "The name of a room: only those who sit there"),
        ("candidateId" = Option<String>, Query, description = "Only the slip of this candidate"),
        ("from" = Option<u32>, Query, description = "The first slip of the file, which then has 1,000 at most", minimum = 1),
        ("language" = inline(Option<PageLanguage>), Query, description = "Instead of the school's first language"),
        ("renew" = Option<bool>, Query, description = "Refused in any case: `POST` makes new codes"),
    ),
    responses(
        (status = 200, description = "The slips", body = inline(FileBytes), content_type = "application/pdf"),
        (status = 400, description = "`Invalid room`, `Invalid from`, `Invalid candidateId`, `Invalid language`, too many candidates for one file, or `renew`, which needs `POST`", body = ErrorBody),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`There are no candidates`", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
        (status = 503, description = "`The server is busy`: too many files are being made, or answers are saved late, which never keeps the slip of one candidate waiting", body = ErrorBody),
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
    let language = asked_language(&query.language)?;
    let turn = turn(&reports, &query).await?;
    let roster = seated(&service, &managed, &query).await?;
    let codes: Vec<_> = roster.iter().map(|_| None).collect();
    let stationery = Stationery::of(&school, &reports, &config, language).await;
    let every = stationery.slips(&managed.sitting, &roster, &codes);
    let print = of_slips(&stationery, &managed.sitting, &service);
    let name = file_name(&service, &managed.sitting, &query, &roster).await?;
    let (file, _) = made(&reports, print, turn, stationery, every).await?;
    Ok(sent(&name, file))
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
        ("language" = inline(Option<PageLanguage>), Query, description = "Instead of the school's first language"),
    ),
    responses(
        (status = 200, description = "The slips", body = inline(FileBytes), content_type = "application/pdf"),
        (status = 400, description = "`Invalid renew`, `Invalid room`, `Invalid from`, `Invalid candidateId`, `Invalid language`, or too many candidates for one file", body = ErrorBody),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 409, description = "`Sitting has changed` meanwhile, or `There are no candidates`", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
        (status = 503, description = "`The server is busy`: too many files are being made, or answers are saved late, which never keeps the slip of one candidate waiting", body = ErrorBody),
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
    service.managed(&caller, &id).await?;
    let is_renewed = flag("renew", query.renew.as_deref())?;
    let language = asked_language(&query.language)?;
    let turn = turn(&reports, &query).await?;
    // In the turn: those ahead may have made codes.
    let managed = service.managed(&caller, &id).await?;
    let before = candidates::load_access(&service.database.read, managed.sitting.id).await?;
    let roster = seated(&service, &managed, &query).await?;
    let sitting = managed.sitting;
    // Whoever has entered has no use for the slip of a whole room; one who is asked for may have lost theirs.
    let is_meant = |candidate: &Candidate| !candidate.has_entered() || query.only().is_some();
    let codes = new_codes(&roster, |candidate| !candidate.has_access_code || is_renewed && is_meant(candidate))?;
    let stationery = Stationery::of(&school, &reports, &config, language).await;
    let every = stationery.slips(&sitting, &roster, &codes);
    let print = of_slips(&stationery, &sitting, &service);
    let name = file_name(&service, &sitting, &query, &roster).await?;
    let (file, turn) = made(&reports, print, turn, stationery, every).await?;
    let (by, sitting_id, is_for_one) = (caller.email.as_str(), sitting.id, query.only().is_some());
    let (roster, codes, parts) = (roster.as_slice(), codes.as_slice(), String::new());
    let made = MadeCodes { by, sitting_id, before, roster, codes, is_renewed, is_for_one, parts };
    store_codes(&service, made).await?;
    drop(turn);
    Ok(sent(&name, file))
}

async fn turn(reports: &Reports, query: &SlipsQuery) -> Result<Turn, Error> {
    match query.only() {
        Some(_) => reports.turns.one_slip().await,
        None => reports.turns.papers().await,
    }
}

fn of_slips(stationery: &Stationery, sitting: &Sitting, service: &Sittings) -> Print {
    let words = stationery.head.words;
    Print::of(words.slips(), words, sitting, service.clock.now())
}

/// The name of the file with the slips of these people.
async fn file_name(
    service: &Sittings,
    sitting: &Sitting,
    query: &SlipsQuery,
    roster: &[Seated],
) -> Result<FileName, Error> {
    let asked = |text: &Option<String>| text.clone().unwrap_or_default();
    match (query.only(), roster) {
        (Some(_), [one]) => service.file_name(sitting, &[&one.candidate.name, "slip"], "pdf").await,
        _ => service.file_name(sitting, &[&asked(&query.room), "slips", &asked(&query.from)], "pdf").await,
    }
}

async fn made(
    reports: &Reports,
    print: Print,
    turn: Turn,
    stationery: Stationery,
    every: Vec<Slip>,
) -> Result<(Vec<u8>, Turn), Error> {
    printing::print(reports, print, turn, move |typesetter| lay_out_slips(&every, &stationery.head, typesetter)).await
}

/// The candidates of a room, or all of them, by room and then by name; from a number on, as many as a file may have.
async fn seated(service: &Sittings, managed: &ManagedSitting, query: &SlipsQuery) -> Result<Vec<Seated>, Error> {
    let roster = chosen(service, &managed.sitting, query).await?;
    printing::seated(service, managed, roster).await
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
