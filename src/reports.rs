//! The report of a finished test as a PDF file, made from the stored session and the questions as they were asked, and
//! cached for everyone who asks.

pub mod asked;
mod asked_report;
pub mod bundle;
pub mod kit;
pub mod layout;
mod lettered;
pub mod marks;
pub mod pdf;
mod printing;
pub mod questions;
pub mod slips;
pub mod text;
mod turns;

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::thread::available_parallelism;
use std::time::Duration;

use actix_web::web::{Bytes, Data, Path, Query, block};
use actix_web::{HttpRequest, HttpResponse, get};
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use domain::file_name::FileName;
use domain::school::PageLanguage;
use domain::session::Session;
use domain::sight::{Reader, Sight};
use moka::future::Cache;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use crate::base::Base;
use crate::database::{Database, in_time};
use crate::error::{Error, ErrorBody};
use crate::http::answers::{FileBytes, private};
use crate::http::attachment::attachment;
use crate::http::limits::CountedCaller;
use crate::http::turnstile::TurnError;
use crate::http::turnstile::by_address::AddressTurnstile;
use crate::live::store::find_course;
use crate::provider::Provider;
use crate::school::SchoolSettings;
use crate::sessions::exam_name;
use crate::sessions::read::{self, SightServices};
use crate::store::embargo::Embargo;
use crate::store::marks::{NewestMarked, completed, find_newest};
use crate::strain::BUSY;
use crate::telemetry::Metrics;
use asked::AskedPaper;
use asked_report::{AskedReport, ReportQuery};
use layout::content::{Course, ReportContent, Surroundings};
use layout::letterhead::Letterhead;
use layout::report_link::reference;
use pdf::{Head, Unwritable};
use text::Typesetter;
use text::coverage::printed;
use text::fonts::{Fonts, FontsError};
use turns::ReportTurns;

/// Bytes of all cached reports. A usual one is below 60 KB, so several hundred fit.
const REPORTS_BYTES_MAX: u64 = 32 * 1_024 * 1_024;
/// How long a cached report that nobody asks for is kept.
const KEPT: Duration = Duration::from_secs(10 * 60);
/// How long a report is served without another look at its session. Another version of a session is another report, but
/// a session also says whether questions in the bank have changed.
const CACHED_FOR: Duration = Duration::from_secs(60);
/// How long one report may take, with the reads of the database or of an external service.
const MADE_WITHIN: Duration = Duration::from_secs(30);
/// Characters of the student's name in the file's title, which viewers show in a title bar.
const TITLE_NAME_CHARACTERS_MAX: usize = 200;
/// Sessions of which this server remembers the newest version, for when the database is away.
const NEWEST_KNOWN_MAX: u64 = 10_000;
/// How long the database may take to say which version is the newest.
const VERSION_WITHIN: Duration = Duration::from_secs(1);

/// Reports of finished tests.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(download)
        .service(questions::questions)
        .service(bundle::bundle)
        .service(slips::slips)
        .service(slips::make_slips)
        .service(kit::make_kit);
}

/// A session's id and a digest of its content, so that a session that has changed gets a new report.
type ReportKey = (Uuid, [u8; 32]);

/// What decides on a report beside the questions of the bank.
#[derive(Clone, PartialEq, Eq, Hash)]
struct RecentKey {
    id: Uuid,
    reader: Reader,
    withheld: u64,
    school: i64,
    asked: Option<u32>,
    newest: Option<NewestMarked>,
    /// As it was asked for: the school's own is known by its revision.
    language: Option<PageLanguage>,
}

/// A report as it is sent.
#[derive(Clone)]
struct Download {
    file: Bytes,
    name: FileName,
    /// Whether its reader sees a result that is held.
    is_early: bool,
}

/// The cache of recent reports, and the turns to make another.
pub struct Reports {
    /// By session, and by what decides which of its parts the reader may see, for a short time: the reader, and the
    /// questions that are withheld; by the revision of the school that it names, and by the version.
    recent: Cache<RecentKey, Download>,
    /// By what the reports show.
    known: Cache<ReportKey, Bytes>,
    /// The newest version of each session with the scale of its sitting, and the school's revision, as the database
    /// last said: while it is away, a recent report is found by them.
    newest: Cache<Uuid, NewestMarked>,
    school_revision: AtomicI64,
    turns: ReportTurns,
    making: Arc<Semaphore>,
    metrics: Arc<Metrics>,
    fonts: &'static Fonts,
    time_zone: Tz,
}

impl Reports {
    /// Reads the school's own fonts, if there are any.
    pub fn open(base: &Base) -> Result<Self, FontsError> {
        let config = &base.config.reports;
        let fonts = match &config.fonts {
            Some(folder) => Fonts::with_folder(folder)?,
            None => Fonts::embedded().ok_or(FontsError::Embedded)?,
        };
        let weight = |_: &ReportKey, report: &Bytes| u32::try_from(report.len()).unwrap_or(u32::MAX);
        let known = Cache::builder().max_capacity(REPORTS_BYTES_MAX).weigher(weight).time_to_idle(KEPT).build();
        let processors = available_parallelism().map_or(1, NonZero::get);
        Ok(Self {
            recent: Cache::builder()
                .max_capacity(REPORTS_BYTES_MAX)
                .weigher(|_, report: &Download| u32::try_from(report.file.len()).unwrap_or(u32::MAX))
                .time_to_live(CACHED_FOR)
                .build(),
            known,
            newest: Cache::builder().max_capacity(NEWEST_KNOWN_MAX).time_to_live(CACHED_FOR).build(),
            school_revision: AtomicI64::new(0),
            turns: ReportTurns::open(&base.strain, processors),
            // Half of the processors at most, so that a live exam always has the others.
            making: Arc::new(Semaphore::new(processors.div_ceil(2))),
            metrics: Arc::clone(&base.metrics),
            fonts,
            time_zone: config.time_zone,
        })
    }

    /// The number of a session's newest version with the scale of its sitting, or the last that is known of while the
    /// database is away. `None` for a session that another service has alone.
    async fn newest(&self, database: &Database, id: Uuid) -> Option<NewestMarked> {
        let asking = find_newest(database, id);
        let Some(found) = in_time("a version", VERSION_WITHIN, asking).await else { return self.newest.get(&id).await };
        if let Some(newest) = &found {
            self.newest.insert(id, newest.clone()).await;
        }
        found
    }

    /// The revision of the school, or the last that is known of while the database is away.
    async fn revision_of(&self, school: &SchoolSettings) -> i64 {
        match school.get().await {
            Ok(stored) => {
                self.school_revision.store(stored.revision, Ordering::Relaxed);
                stored.revision
            }
            Err(_) => self.school_revision.load(Ordering::Relaxed),
        }
    }

    /// The report of a session. Callers who ask for it at the same time share one computation.
    async fn of(&self, source: ReportSource) -> Result<Bytes, Error> {
        let digest = source.digest()?;
        let key = (source.session.session_id, digest);
        self.known.try_get_with(key, self.make(source, digest)).await.map_err(|error: Arc<Error>| error.shared())
    }

    /// The report of a session for a reader, when the turn of the caller's line has come. A session is read in its
    /// turn, so that those who wait hold nothing.
    async fn in_turn(
        self: &Arc<Self>,
        turns: &AddressTurnstile,
        caller: Option<CountedCaller>,
        asked: AskedReport,
        reader: Reader,
        sources: ReportSources,
    ) -> Result<Download, Error> {
        let reports = Arc::clone(self);
        let ReportSources { provider, database, embargo, school } = sources;
        let work = async move {
            let AskedReport { session_id: id, version, language } = asked;
            let session = read::load(&*provider, id).await?;
            let session = read::at_version(session, version, reader, &database).await?;
            let sight = read::sight(&session, reader, &embargo).await?;
            let session = completed(&database, session).await?;
            let course = find_course(&database, id).await?.map(|(first_stage, band)| Course { first_stage, band });
            let asked = AskedPaper::load(&session, reader, &*provider, &database, &embargo).await?;
            let exam = exam_name::find(&database, &session).await?;
            let stored = school.of_reports().await;
            let time_zone = stored.school.time_zone.unwrap_or(reports.time_zone);
            let head = printing::letterhead(&school, &stored, language).await;
            let surroundings = Surroundings { asked, time_zone, head, exam };
            let (name, is_early) = (file_name(&session), read::is_early(&session, reader, &embargo).await);
            let file = reports.of(ReportSource { session, course, sight, surroundings }).await?;
            Ok(Download { file, name, is_early })
        };
        turns.run_for(caller, MADE_WITHIN, work).await.map_err(|error| match error {
            TurnError::Busy => Error::Unavailable(BUSY),
            TurnError::Broken(error) => Error::internal(error),
        })?
    }

    async fn make(&self, source: ReportSource, digest: [u8; 32]) -> Result<Bytes, Error> {
        let turn = Arc::clone(&self.making).acquire_owned().await.map_err(Error::internal)?;
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

/// Where what a report shows is read.
#[derive(Clone)]
struct ReportSources {
    provider: Arc<dyn Provider>,
    database: Data<Database>,
    embargo: Data<Embargo>,
    school: Data<SchoolSettings>,
}

/// Everything that a report is made from.
struct ReportSource {
    session: Session,
    course: Option<Course>,
    sight: Sight,
    surroundings: Surroundings,
}

impl ReportSource {
    /// Makes the PDF file. It fails only if a font can't be read, which the tests rule out for the embedded ones.
    fn report(&self, fonts: &'static Fonts, digest: [u8; 32]) -> Result<Vec<u8>, Unwritable> {
        let content = ReportContent::of(&self.session, self.course, self.sight, &self.surroundings);
        let content = content.ok_or(Unwritable::Held)?;
        let laid_out = layout::lay_out(&content, &mut Typesetter::new(fonts));
        let title = match &self.surroundings.exam {
            Some(name) => name.clone(),
            None => content.head.words.report_of_grade(self.session.grade),
        };
        let title = match &content.annotations.name {
            Some(name) => format!("{title}: {}", printed(name).take(TITLE_NAME_CHARACTERS_MAX).collect::<String>()),
            None => title,
        };
        let completed = self.session.completed_at.milliseconds();
        let completed = DateTime::<Utc>::from_timestamp_millis(completed).unwrap_or_default();
        let created = completed.format("D:%Y%m%d%H%M%SZ").to_string();
        let head = Head { title, created, digest, language: content.head.words.language(), is_one_sided: false };
        pdf::write(&laid_out, fonts, &head)
    }

    /// A digest of everything that the report shows. Whether the webhook was delivered is not part of it, so a delivery
    /// does not discard a cached report.
    fn digest(&self) -> Result<[u8; 32], Error> {
        let Self { session, course, sight, surroundings } = self;
        let mut hasher = Sha256::new();
        // The account is on no report, so staff and others share one.
        hasher.update(session.completed_json(sight.without_account())?);
        hasher.update(session.drawings.as_ref().map_or("", |drawings| drawings.get()));
        for (id, key) in session.asked_keys() {
            let (topic, difficulty, options) = (key.topic(), key.difficulty().number(), key.options());
            hasher.update(format!("{id}\0{topic}\0{difficulty}\0{options:?}\0"));
        }
        // Letters of the master copy are for staff, who share the report with others where there are none.
        let orders = session.option_orders();
        let has_master = !orders.is_empty() && sight.shows_master_letters();
        hasher.update(lettered::lettered(session.form, &orders, has_master).unwrap_or_default());
        for id in session.question_ids() {
            hasher.update(format!("{:?}", surroundings.asked.questions.get(id)));
        }
        hasher.update(format!("{:?}", surroundings.asked.withheld));
        // The same mark may stand on another scale.
        hasher.update(format!("{:?}", session.told_scale(*sight)));
        let Letterhead { school, crest, accent, words } = &surroundings.head;
        hasher.update(format!("{course:?} {}\0{school}\0{accent:?}{words:?}", surroundings.time_zone));
        hasher.update(format!("{:?}\0", surroundings.exam));
        hasher.update(crest.as_ref().map_or(&[][..], |crest| &crest.rgb));
        Ok(hasher.finalize().into())
    }
}

/// The report of a finished test as a PDF file, A4.
///
/// It is made from the stored session, and shows its questions as they were asked, with the name of the exam, in the
/// school's first language unless another one is asked for, and by the school's clocks and in its colour. Options have
/// the letters that the student saw; where these differ from those of the bank, staff find both. With
/// `PUBLIC_ANSWERS=false` the right options of a session of origin `client` are shown to staff alone. So are those
/// of a test whose template does not show answers, or not yet.
#[utoipa::path(
    operation_id = "downloadReport",
    tag = "students",
    security((), ("api_token" = [])),
    params(
        ("id" = String, Path, description = "Session id"),
        ("version" = Option<u32>, Query, description = "Another version than the newest, for staff of the grade", minimum = 1),
        ("language" = inline(Option<PageLanguage>), Query, description = "Instead of the school's first language"),
    ),
    responses(
        (status = 200, description = "The report", body = inline(FileBytes), content_type = "application/pdf"),
        (status = 400, description = "`Invalid version`, or `Invalid language`", body = ErrorBody),
        (status = 403, description = "`Results are not released`, or `Versions are for staff of the grade`", body = ErrorBody),
        (status = 404, description = "`Session not found`, or `Version not found`", body = ErrorBody),
        (status = 409, description = "`The test goes on`, since it was reopened; staff of the grade see what was handed in before", body = ErrorBody),
        (status = 503, description = "`The server is busy`: too many reports are being made, or answers are saved late", body = ErrorBody),
    )
)]
#[get("/api/report/{id}/pdf")]
pub async fn download(
    request: HttpRequest,
    (id, query): (Path<String>, Query<ReportQuery>),
    provider: Data<dyn Provider>,
    database: Data<Database>,
    reports: Data<Reports>,
    (callers, config, embargo): SightServices,
    school: Data<SchoolSettings>,
) -> Result<HttpResponse, Error> {
    let asked = query.asked(read::parse_id(&id)?)?;
    let AskedReport { session_id: id, version, language } = asked;
    let reader = read::reader(&request, &callers, &config).await;
    // What is cached needs no place, and callers of one report share one.
    let mark = embargo.withheld_at_hand().mark;
    let revision = reports.revision_of(&school).await;
    // While the database is away, what was made a short time ago is better than nothing.
    let newest = reports.newest(&database, id).await;
    // A report that was made before a test went on is not given out meanwhile.
    let goes_on = embargo.goes_on(id).await.unwrap_or(false);
    let sources = ReportSources { provider: provider.into_inner(), database, embargo, school };
    let in_turn = reports.in_turn(&reports.turns.asked, CountedCaller::of(&request), asked, reader, sources);
    let key = RecentKey { id, reader, withheld: mark, school: revision, asked: version, newest, language };
    let Download { file, name, is_early } = if goes_on {
        Box::pin(in_turn).await?
    } else {
        let known = reports.recent.try_get_with(key, Box::pin(in_turn)).await;
        known.map_err(|error: Arc<Error>| error.shared())?
    };
    if is_early {
        read::note_early(&request, &callers).await;
    }
    Ok(private(&mut attachment(&name)).content_type("application/pdf").body(file))
}

/// The name that the contract has for a single report.
fn file_name(session: &Session) -> FileName {
    let grade = format!("grade{}", session.grade.number());
    FileName::of(&["math-test-report", &grade, &reference(session)], "pdf")
}
