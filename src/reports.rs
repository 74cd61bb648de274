//! The report of a finished test as a PDF file, made from the stored session alone and cached for everyone who asks.

pub mod layout;
pub mod pdf;
pub mod questions;
pub mod text;

use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use actix_web::http::header::CONTENT_DISPOSITION;
use actix_web::web::{Bytes, Data, Path, block};
use actix_web::{HttpResponse, get};
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use domain::session::Session;
use moka::future::Cache;
use sha2::{Digest, Sha256};
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use crate::config::ReportConfig;
use crate::database::Database;
use crate::error::{Error, ErrorBody};
use crate::http::turnstile::Turnstile;
use crate::live::store::find_course;
use crate::provider::Provider;
use crate::sessions::read::{self, private};
use crate::store::questions::load_by_ids;
use crate::telemetry::Metrics;
use layout::content::{Course, ReportContent, Surroundings};
use pdf::{Head, Unwritable};
use text::Typesetter;
use text::coverage::printed;
use text::fonts::{Fonts, FontsError};

/// Bytes of all cached reports. A usual one is below 60 KB, so several hundred fit.
const REPORTS_BYTES_MAX: u64 = 32 * 1_024 * 1_024;
/// How long a cached report that nobody asks for is kept.
const KEPT: Duration = Duration::from_secs(10 * 60);
/// Callers whose report is being read, made or waited for. Each holds a session in memory, so further callers get 503.
const REPORTS_ASKED_MAX: usize = 64;
/// How long a report waits for its turn before its caller gets 503.
const TURN_TIMEOUT: Duration = Duration::from_secs(10);
/// Characters of the student's name in the file's title, which viewers show in a title bar.
const TITLE_NAME_CHARACTERS_MAX: usize = 200;
const BUSY: &str = "The server is busy";

/// Reports of finished tests.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config.service(download).service(questions::questions);
}

/// A session's id and a digest of its content, so that a session that has changed gets a new report.
type ReportKey = (Uuid, [u8; 32]);

/// The cache of recent reports, and the permits to make another.
pub struct Reports {
    known: Cache<ReportKey, Bytes>,
    turnstile: Turnstile,
    metrics: Arc<Metrics>,
    fonts: &'static Fonts,
    time_zone: Tz,
}

impl Reports {
    /// Reads the school's own fonts, if there are any.
    pub fn new(config: &ReportConfig, metrics: Arc<Metrics>) -> Result<Self, FontsError> {
        let fonts = match &config.fonts {
            Some(folder) => Fonts::with_folder(folder)?,
            None => Fonts::embedded().ok_or(FontsError::Embedded)?,
        };
        let weight = |_: &ReportKey, report: &Bytes| u32::try_from(report.len()).unwrap_or(u32::MAX);
        let known = Cache::builder().max_capacity(REPORTS_BYTES_MAX).weigher(weight).time_to_idle(KEPT).build();
        let processors = available_parallelism().map_or(1, NonZero::get);
        Ok(Self {
            known,
            // Half of the processors at most, so that a live exam always has the others.
            turnstile: Turnstile::new(processors.div_ceil(2), REPORTS_ASKED_MAX, TURN_TIMEOUT),
            metrics,
            fonts,
            time_zone: config.time_zone,
        })
    }

    /// The report of a session. Callers who ask for it at the same time share one computation.
    async fn of(&self, source: ReportSource) -> Result<Bytes, Error> {
        let digest = source.digest()?;
        let key = (source.session.session_id, digest);
        self.known.try_get_with(key, self.make(source, digest)).await.map_err(|error: Arc<Error>| error.shared())
    }

    async fn make(&self, source: ReportSource, digest: [u8; 32]) -> Result<Bytes, Error> {
        let turn = self.turnstile.turn().await.ok_or(Error::Unavailable(BUSY))?;
        let fonts = self.fonts;
        // The permit moves into the task: the work continues when the caller has gone, and must still count.
        let made = block(move || {
            let report = source.report(fonts, digest);
            drop(turn);
            report
        });
        let report = made.await.map_err(Error::internal)?.map_err(Error::internal)?;
        self.metrics.reports_made.inc();
        Ok(report.into())
    }
}

/// Everything that a report is made from.
struct ReportSource {
    session: Session,
    course: Option<Course>,
    surroundings: Surroundings,
}

impl ReportSource {
    /// Makes the PDF file. It fails only if a font can't be read, which the tests rule out for the embedded ones.
    fn report(&self, fonts: &'static Fonts, digest: [u8; 32]) -> Result<Vec<u8>, Unwritable> {
        let content = ReportContent::of(&self.session, self.course, &self.surroundings);
        let laid_out = layout::lay_out(&content, &mut Typesetter::new(fonts));
        let title = format!("Mathematics test report, grade {}", self.session.grade.number());
        let title = match &content.annotations.name {
            Some(name) => format!("{title}: {}", printed(name).take(TITLE_NAME_CHARACTERS_MAX).collect::<String>()),
            None => title,
        };
        let completed = self.session.completed_at.milliseconds();
        let completed = DateTime::<Utc>::from_timestamp_millis(completed).unwrap_or_default();
        let head = Head { title, created: completed.format("D:%Y%m%d%H%M%SZ").to_string(), digest };
        pdf::write(&laid_out, fonts, &head)
    }

    /// A digest of everything that the report shows. Whether the webhook was delivered is not part of it, so a delivery
    /// does not discard a cached report.
    fn digest(&self) -> Result<[u8; 32], Error> {
        let Self { session, course, surroundings } = self;
        let mut hasher = Sha256::new();
        hasher.update(session.completed_json()?);
        hasher.update(session.drawings.as_ref().map_or("", |drawings| drawings.get()));
        for question in &session.graded_by {
            hasher.update(format!("{}\0{}\0{}\0", question.id, question.topic, question.difficulty.number()));
        }
        for line in &session.result.answers {
            hasher.update(format!("{:?}", surroundings.questions.get(&*line.question_id)));
        }
        hasher.update(format!("{course:?} {}", surroundings.time_zone));
        Ok(hasher.finalize().into())
    }
}

/// The report of a finished test as a PDF file, A4.
///
/// It is made from the stored session, and shows its questions as they are in the bank today.
#[utoipa::path(
    tag = "students",
    params(("id" = String, Path, description = "Session id")),
    responses(
        (status = 200, description = "The report", content_type = "application/pdf"),
        (status = 404, description = "Unknown", body = ErrorBody),
        (status = 503, description = "Too many reports are being made", body = ErrorBody),
    )
)]
#[get("/api/report/{id}/pdf")]
pub async fn download(
    id: Path<String>,
    provider: Data<dyn Provider>,
    database: Data<Database>,
    reports: Data<Reports>,
) -> Result<HttpResponse, Error> {
    let _place = reports.turnstile.join().ok_or(Error::Unavailable(BUSY))?;
    let session = read::find(&**provider, &id).await?;
    let course =
        find_course(&database, session.session_id).await?.map(|(first_stage, band)| Course { first_stage, band });
    let name = file_name(&session);
    provider.keep_bank(session.grade).await?;
    let questions = load_by_ids(&database, session.result.answers.iter().map(|line| &*line.question_id)).await?;
    let surroundings = Surroundings { questions, time_zone: reports.time_zone };
    let report = reports.of(ReportSource { session, course, surroundings }).await?;
    let disposition = (CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\""));
    Ok(private(&mut HttpResponse::Ok()).insert_header(disposition).content_type("application/pdf").body(report))
}

fn file_name(session: &Session) -> String {
    let id: String = session.session_id.to_string().chars().take(8).collect();
    format!("math-test-report-grade{}-{id}.pdf", session.grade.number())
}
