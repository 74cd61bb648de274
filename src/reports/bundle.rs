//! `GET /api/admin/sittings/{id}/reports.zip`: the reports of a class in one file. They are made one after another, in
//! the turns of single reports, while the file is sent, so memory holds one of them however many there are. A file does
//! not begin while answers of students are saved late; one that has begun is finished.

mod patience;
mod rights;
mod zip_stream;

use std::sync::Arc;
use std::time::{Duration, Instant};
use std::vec;

use actix_web::web::{Bytes, Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, get};
use domain::access::Identity;
use domain::file_name::FileName;
use domain::grade::Grade;
use domain::school::PageLanguage;
use domain::sitting::candidate::Candidate;
use futures_util::stream;
use serde::Deserialize;
use uuid::Uuid;

use super::printing::asked_language;
use super::{AskedReport, ReportSources, Reports};
use crate::auth::caller::{Manager, NOT_ASSIGNED};
use crate::auth::refusals::ManagerRefusals;
use crate::clock::Clock;
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::after::After;
use crate::http::answers::{FileBytes, private};
use crate::http::attachment::attachment;
use crate::http::audit::with_detail;
use crate::http::limits::CountedCaller;
use crate::provider::Provider;
use crate::school::SchoolSettings;
use crate::sessions::read::SightServices;
use crate::sittings::Sittings;
use crate::store::candidates;
use crate::store::embargo::{Embargo, TEST_GOES_ON};
use crate::strain::{Deferrable, Strain};
use patience::patiently;
use rights::{BundleRights, is_lost};
use zip_stream::ZipStream;

/// Reports of one file: a large sitting is read room by room.
const REPORTS_BUNDLED_MAX: usize = 1_000;
const TOO_MANY: &str = "Too many reports for one file: ask for one room";
/// How long nothing of the file may come, in which reports are waited for. The page gives up after two minutes.
const SILENT_MAX: Duration = Duration::from_secs(90);
/// The file that names those whose reports could not be made.
const LEFT_OUT: &str = "not-included.txt";

#[derive(Deserialize)]
struct BundleQuery {
    room: Option<String>,
    language: Option<String>,
}

/// The reports of a sitting as PDF files in one archive, by name, also before the results are released.
///
/// Whoever has no finished test is left out. Reports that cannot be made, and those of tests that were reopened and go
/// on, are named in `not-included.txt`. The file breaks off when the caller loses the right to it.
#[utoipa::path(
    operation_id = "downloadSittingReports",
    tag = "sittings",
    security(("api_token" = [])),
    params(
        ("id" = String, Path, description = "Sitting id"),
        ("room" = Option<String>, Query, description = "The name of a room: only those who sit there"),
        ("language" = inline(Option<PageLanguage>), Query, description = "Instead of the school's first language"),
    ),
    responses(
        (status = 200, description = "The archive, sent while it is made; empty before anybody has handed in", body = inline(FileBytes), content_type = "application/zip"),
        (status = 400, description = "`Invalid room`, `Invalid language`, or too many reports for one file", body = ErrorBody),
        ManagerRefusals,
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 501, description = "`Sittings need the local data provider`", body = ErrorBody),
        (status = 503, description = "`The server is busy`: answers are saved late", body = ErrorBody),
    )
)]
#[get("/api/admin/sittings/{id}/reports.zip")]
pub async fn bundle(
    request: HttpRequest,
    asked: After<Manager, After<Path<String>, Query<BundleQuery>>>,
    service: Data<Sittings>,
    reports: Data<Reports>,
    provider: Data<dyn Provider>,
    (database, school, clock, strain): (Data<Database>, Data<SchoolSettings>, Data<Clock>, Data<Strain>),
    (callers, config, embargo): SightServices,
) -> Result<HttpResponse, Error> {
    let After(Manager(caller), After(id, Query(BundleQuery { room, language }))) = asked;
    let room = room.unwrap_or_default();
    let credential = callers.credential(request.headers()).ok_or(Error::Unauthorized)?;
    let Reported { file, hall, grades, entries } = service.reported(&caller, &id, &room).await?;
    let (language, reports_count) = (asked_language(&language)?, entries.len());
    strain.admit(Deferrable::Bulk)?;
    let bundle = Bundle {
        reports: reports.into_inner(),
        sources: ReportSources { provider: provider.into_inner(), database, embargo, school },
        // In a line of their own: a school that prints at the same time shares the address.
        line: CountedCaller::Account(caller.email),
        rights: BundleRights { callers, config, credential, grades },
        language,
        clock,
        silent: Duration::ZERO,
        entries: entries.into_iter(),
        archive: Some(ZipStream::default()),
        left_out: Vec::new(),
    };
    let body = stream::unfold(bundle, |bundle| Box::pin(bundle.next()));
    let count = format!("{reports_count} {}", if reports_count == 1 { "report" } else { "reports" });
    let detail = if hall.is_empty() { count } else { format!("{count}, room {hall}") };
    let response = private(&mut attachment(&file)).content_type("application/zip").streaming(body);
    Ok(with_detail(response, detail))
}

/// A report of the file.
struct BundledReport {
    session_id: Uuid,
    student: String,
    file: FileName,
}

/// What is asked for.
struct Reported {
    file: FileName,
    /// The name of the room; empty for all.
    hall: String,
    /// Of the sitting.
    grades: Vec<Grade>,
    entries: Vec<BundledReport>,
}

impl Sittings {
    /// The name of the file, and what is in it: a report for each finished test, by the name of the candidate.
    async fn reported(&self, caller: &Identity, id: &str, room: &str) -> Result<Reported, Error> {
        let managed = self.managed(caller, id).await?;
        let sitting = &managed.sitting;
        let sight = Embargo::staff_sight(caller, &managed.template.grades).ok_or(Error::Forbidden(NOT_ASSIGNED))?;
        let mut roster = candidates::by_name(candidates::load_of(&self.database.read, sitting.id).await?);
        let mut hall_name = String::new();
        if !room.is_empty() {
            let hall = sitting.hall_named(room).ok_or_else(|| Error::invalid("room"))?;
            roster.retain(|candidate| candidate.hall_id == Some(hall.id));
            hall_name.clone_from(&hall.plan.name);
        }
        let ids: Vec<Uuid> = roster.iter().filter_map(|candidate| candidate.session_id).collect();
        let finished = candidates::load_results(&self.database.read, sight, &ids).await?;
        let with_report = |candidate: Candidate| {
            let session_id = candidate.session_id.filter(|id| finished.contains_key(id))?;
            Some((session_id, candidate.name))
        };
        let found: Vec<(Uuid, String)> = roster.into_iter().filter_map(with_report).collect();
        if found.len() > REPORTS_BUNDLED_MAX {
            return Err(Error::Invalid(TOO_MANY.to_owned()));
        }
        // A number in front keeps the order, since programs sort names each in their own way.
        let digits = found.len().to_string().len();
        let entry = |(index, (session_id, student)): (usize, (Uuid, String))| {
            let file = FileName::of(&[&format!("{:0digits$}", index + 1), &student], "pdf");
            BundledReport { session_id, student, file }
        };
        let entries = found.into_iter().enumerate().map(entry).collect();
        let file = self.file_name(sitting, &[room, "reports"], "zip").await?;
        Ok(Reported { file, hall: hall_name, grades: managed.template.grades, entries })
    }
}

/// The reports that are still to come, and the archive so far.
struct Bundle {
    reports: Arc<Reports>,
    sources: ReportSources,
    line: CountedCaller,
    rights: BundleRights,
    /// `None` for the school's.
    language: Option<PageLanguage>,
    clock: Data<Clock>,
    /// The time since something of the file was last sent, in which reports were waited for.
    silent: Duration,
    entries: vec::IntoIter<BundledReport>,
    /// Missing once its end is written.
    archive: Option<ZipStream>,
    /// Whose reports could not be made, and why.
    left_out: Vec<String>,
}

impl Bundle {
    /// The next piece of the file. An error breaks it off, since its status has been sent.
    async fn next(mut self) -> Option<(Result<Bytes, Error>, Self)> {
        let piece = match self.entries.next() {
            Some(entry) => self.add(entry).await,
            None => {
                let archive = self.archive.take()?;
                self.end(archive).ok_or_else(too_large)
            }
        };
        if piece.is_err() {
            // Nothing comes after it.
            self.entries = Vec::new().into_iter();
            self.archive = None;
        }
        Some((piece.map(Bytes::from), self))
    }

    async fn add(&mut self, entry: BundledReport) -> Result<Vec<u8>, Error> {
        let BundledReport { session_id, student, file } = entry;
        let began = Instant::now();
        // Once one has waited in vain for so long, the others are left out: the server is busy.
        let left = SILENT_MAX.saturating_sub(self.silent);
        let made = patiently(&self.clock, left, async || self.report(session_id).await).await;
        match made {
            Ok(report) => {
                self.silent = Duration::ZERO;
                let archive = self.archive.as_mut();
                archive.and_then(|archive| archive.file(file.as_str(), &report)).ok_or_else(too_large)
            }
            Err(error) if is_lost(&error) => {
                tracing::warn!("the right to the reports of a class is lost while they are sent");
                Err(error)
            }
            Err(error) => {
                self.silent += began.elapsed();
                if error.is_own_failure() {
                    tracing::error!(error = ?error, session = %session_id, "a report cannot be made");
                }
                self.left_out.push(format!("{student}: {error}\r\n"));
                Ok(Vec::new())
            }
        }
    }

    /// One report, unless its test goes on: what was handed in before is not the result, and a report does not say so.
    async fn report(&self, session_id: Uuid) -> Result<Bytes, Error> {
        let reader = self.rights.reader().await?;
        if self.sources.embargo.goes_on(session_id).await? {
            return Err(Error::Conflict(TEST_GOES_ON));
        }
        let line = Some(self.line.clone());
        let asked = AskedReport { session_id, version: None, language: self.language };
        let turns = &self.reports.turns.begun;
        let making = self.reports.in_turn(turns, line, asked, reader, self.sources.clone());
        Ok(making.await?.file)
    }

    fn end(&self, mut archive: ZipStream) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        if !self.left_out.is_empty() {
            bytes = archive.file(LEFT_OUT, self.left_out.concat().as_bytes())?;
        }
        bytes.extend(archive.end()?);
        Some(bytes)
    }
}

fn too_large() -> Error {
    Error::internal("the file is too large")
}
