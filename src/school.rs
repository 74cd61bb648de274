//! The school's settings: what every page may read, and how admins change them.

mod crest;
pub mod crest_picture;
mod settings;
mod status;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::{self, Data};
use actix_web::{HttpRequest, HttpResponse, get};
use domain::school::PageLanguage;
use moka::future::Cache;
use serde::Serialize;
use tokio::sync::Semaphore;
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::base::Base;
use crate::database::Database;
use crate::error::Error;
use crate::http::encoding;
use crate::store::school::{self, StoredSchool};
use crest_picture::CrestPicture;

/// How long the settings are kept in memory: a change on another server takes effect after this time at the latest.
const KEPT: Duration = Duration::from_secs(3);
/// Browsers keep the settings for a minute, and then ask whether they have changed.
const KEPT_BY_BROWSERS: &str = "public, max-age=60";

/// The settings and the crest.
pub fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(read)
        .service(crest::read)
        .service(settings::read)
        .service(settings::change)
        .service(status::read)
        .service(status::put)
        .service(crest::put)
        .service(crest::remove);
}

/// The school's settings, kept in memory because every page asks for them.
pub struct SchoolSettings {
    database: Database,
    /// Counts the changes on this server. It is the cache's key, so what was read before a change is not found after
    /// it.
    changes: AtomicU64,
    kept: Cache<u64, Arc<StoredSchool>>,
    /// The crest as reports print it, by its revision.
    printed: Cache<i64, Option<Arc<CrestPicture>>>,
    /// One crest is decoded at a time, since that may take much memory.
    decoding: Semaphore,
}

impl SchoolSettings {
    #[must_use]
    pub fn open(base: &Base) -> Self {
        let kept = Cache::builder().max_capacity(1).time_to_live(KEPT).build();
        Self {
            database: base.database.clone(),
            changes: AtomicU64::new(0),
            kept,
            printed: Cache::builder().max_capacity(1).build(),
            decoding: Semaphore::new(1),
        }
    }

    /// The settings, a few seconds old at most.
    pub async fn get(&self) -> Result<Arc<StoredSchool>, Error> {
        let loading = async { school::load(&self.database).await.map(Arc::new).map_err(Error::from) };
        self.kept
            .try_get_with(self.changes.load(Ordering::Acquire), loading)
            .await
            .map_err(|error: Arc<Error>| error.shared())
    }

    /// The settings for a report, which is made without them if they can't be read now.
    pub async fn of_reports(&self) -> StoredSchool {
        match self.get().await {
            Ok(stored) => StoredSchool::clone(&stored),
            Err(error) => {
                tracing::warn!(%error, "the school's settings cannot be read");
                StoredSchool::default()
            }
        }
    }

    /// The crest of this revision for a report, which is made without it if it can't be read now.
    pub async fn printed_crest(&self, revision: i64) -> Option<Arc<CrestPicture>> {
        let loading = async {
            match school::load_crest(&self.database).await.map_err(Error::from)? {
                Some(crest) => Ok(self.decode(crest.bytes).await?.map(Arc::new)),
                None => Ok(None),
            }
        };
        let crest = self.printed.try_get_with(revision, loading).await;
        crest.unwrap_or_else(|error: Arc<Error>| {
            tracing::warn!(%error, "the school's crest cannot be read");
            None
        })
    }

    /// Decodes a crest in its turn. `None` if it is no picture that a crest may be.
    async fn decode(&self, crest: Vec<u8>) -> Result<Option<CrestPicture>, Error> {
        let _turn = self.decoding.acquire().await.map_err(Error::internal)?;
        web::block(move || CrestPicture::decode(&crest)).await.map_err(Error::internal)
    }

    /// To be called after a change, which then takes effect at once on this server.
    fn forget(&self) {
        self.changes.fetch_add(1, Ordering::Release);
    }
}

/// The school as pages show it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SchoolView {
    /// Empty if none was given.
    name: String,
    /// The address of the crest; empty if there is none.
    crest: String,
    /// `#rrggbb`: white text on it has a contrast of 4.5 at least.
    colour: String,
    /// What pages offer, the default first.
    languages: Vec<PageLanguage>,
    /// A name of the IANA database; empty if none was chosen.
    time_zone: String,
}

fn view(stored: &StoredSchool) -> SchoolView {
    let school = &stored.school;
    SchoolView {
        name: school.name.clone(),
        crest: stored.crest_address(),
        colour: school.colour.hex(),
        languages: school.languages.clone(),
        time_zone: school.time_zone.map(|zone| zone.name().to_owned()).unwrap_or_default(),
    }
}

/// The school's name, crest, colour, languages and time zone.
#[utoipa::path(
    operation_id = "readSchool",
    tag = "students",
    security(()),
    responses(
        (status = 200, description = "The settings", body = SchoolView),
        (status = 304, description = "The settings are those that `If-None-Match` names"),
    )
)]
#[get("/api/school")]
pub async fn read(request: HttpRequest, settings: Data<SchoolSettings>) -> Result<HttpResponse, Error> {
    let stored = settings.get().await?;
    let tag = format!("school-{}", stored.revision);
    let (mut response, is_known) = encoding::begin(request.headers(), &tag, &[(CACHE_CONTROL, KEPT_BY_BROWSERS)]);
    Ok(if is_known { response.finish() } else { response.json(view(&stored)) })
}
