//! The features that all workers share. They are opened once, each after those that it needs.

use std::sync::Arc;

use actix_web::web::{Data, ServiceConfig};
use tokio::sync::Notify;

use super::StartError;
use super::documents::Documents;
use super::secret::service_secret;
use crate::auth::Auth;
use crate::base::Base;
use crate::calendar::Calendar;
use crate::classes::Classes;
use crate::clock::Clock;
use crate::config::{ClientResults, Config, DataProvider, SignIn};
use crate::corrections::Corrections;
use crate::database::Database;
use crate::error::Error;
use crate::http::HttpState;
use crate::live::shared::{LiveNeighbours, SharedLive};
use crate::lti::Launches;
use crate::lti::admin::LearningPlatforms;
use crate::lti::keys::OwnKeys;
use crate::lti::roster::CourseRosters;
use crate::lti::scores::ScoreDeliveries;
use crate::lti::services::PlatformServices;
use crate::operations::ServerStart;
use crate::outgoing::Outbox;
use crate::outgoing::kind::OutgoingKind;
use crate::pictures::Pictures;
use crate::provider::api::ExternalProvider;
use crate::provider::{self, Opened, Provider};
use crate::questions::bank::Banks;
use crate::questions::seed;
use crate::receipts::{self, Receipts};
use crate::redis::Redis;
use crate::reports::Reports;
use crate::results::Results;
use crate::review::items::ItemStatisticsCache;
use crate::review::measurement::Measurements;
use crate::school::SchoolSettings;
use crate::sessions::SessionServices;
use crate::sheets::turns::WorkbookTurnstile;
use crate::sittings::Sittings;
use crate::store::embargo::Embargo;
use crate::store::openings::Openings;
use crate::store::{questions, users};
use crate::telemetry::Metrics;
use crate::templates::Templates;
use crate::webhooks::Webhooks;

/// What all workers share, feature by feature. A feature that handlers know as one thing is that thing, and one of
/// several things hands them out itself.
#[derive(Clone)]
pub(super) struct Shared {
    pub(super) base: Base,
    pub(super) http: HttpState,
    pub(super) external: Option<Arc<ExternalProvider>>,
    pub(super) sittings: Data<Sittings>,
    classes: Data<Classes>,
    pub(super) live: SharedLive,
    pub(super) receipts: Data<Receipts>,
    data: Data<dyn Provider>,
    auth: Auth,
    webhooks: Webhooks,
    pub(super) platform_keys: Data<OwnKeys>,
    platforms: Data<LearningPlatforms>,
    pub(super) course_rosters: Data<CourseRosters>,
    launches: Data<Launches>,
    outbox: Data<Outbox>,
    banks: Data<Banks>,
    pub(super) pictures: Data<Pictures>,
    workbooks: Data<WorkbookTurnstile>,
    templates: Data<Templates>,
    sessions: SessionServices,
    results: Data<Results>,
    pub(super) corrections: Data<Corrections>,
    reports: Data<Reports>,
    items: Data<ItemStatisticsCache>,
    pub(super) measurements: Measurements,
    calendar: Data<Calendar>,
    school: Data<SchoolSettings>,
    start: Data<ServerStart>,
    documents: Documents,
}

/// Opens the store and all that stands on it.
pub(super) async fn open(config: Config, clock: Clock) -> Result<Shared, StartError> {
    let base = open_base(config, clock).await?;
    let Opened { provider: data, external } = provider::open(&base.config, &base.database, &base.clock)?;
    let http = HttpState::open(&base);
    let auth = Auth::open(&base, &data)?;
    let webhooks = Webhooks::open(&base, external.is_some());
    let sender = external.as_ref().map(|external| Arc::clone(&external.wake));
    let due_receipts = Arc::<Notify>::default();
    let platform_keys = Arc::new(OwnKeys::open(&base));
    let services = Arc::new(PlatformServices::open(&base, Arc::clone(&platform_keys)));
    let scores: Arc<dyn OutgoingKind> = Arc::new(ScoreDeliveries::open(&base, Arc::clone(&services)));
    let kinds = vec![Arc::clone(&webhooks.events), Arc::clone(&webhooks.sitting_events), scores];
    let outbox = Arc::new(Outbox::open(&base, kinds, sender, Arc::clone(&due_receipts)));
    let banks = Arc::new(Banks::open(&base, &data).await);
    let openings = Arc::new(Openings::new(base.database.clone()));
    let sittings = Arc::new(Sittings::open(&base));
    let school = Arc::new(SchoolSettings::open(&base));
    let templates = Arc::new(Templates::open(&base, &banks, &openings, &sittings, &school));
    let signer = Arc::new(receipts::signer(&base.config, &base.secret)?);
    let receipts = Receipts::open(&base, Arc::clone(&signer), &sittings, &outbox, due_receipts).await?;
    let neighbours = LiveNeighbours {
        banks: Arc::clone(&banks),
        outbox: Arc::clone(&outbox),
        templates: Arc::clone(&templates),
        sittings: Arc::clone(&sittings),
        callers: Arc::clone(&auth.callers),
        limit: Arc::clone(&http.limit),
        signer,
    };
    Ok(Shared {
        live: SharedLive::open(&base, neighbours),
        receipts: Data::new(receipts),
        sessions: SessionServices::open(&base, &outbox),
        platforms: Data::new(LearningPlatforms::open(&base, &services, &sittings)),
        course_rosters: Data::new(CourseRosters::open(&base, &sittings, services)),
        launches: Data::new(Launches::open(&base, Arc::clone(&platform_keys), &sittings, &templates)),
        platform_keys: Data::from(platform_keys),
        results: Data::new(Results::open(&base, &sittings)),
        classes: Data::new(Classes::open(&base, &sittings)),
        corrections: Data::new(Corrections::open(&base, &sittings, &outbox)),
        reports: Data::new(Reports::open(&base)?),
        items: Data::new(ItemStatisticsCache::open(&base)),
        measurements: Measurements::open(&base),
        calendar: Data::new(Calendar::open(&base, &openings)),
        school: Data::from(school),
        start: Data::new(ServerStart(base.clock.now())),
        documents: Documents::of(&base.config)?,
        data: Data::from(data),
        banks: Data::from(banks),
        pictures: Data::new(Pictures::open(&base)),
        workbooks: Data::default(),
        outbox: Data::from(outbox),
        sittings: Data::from(sittings),
        templates: Data::from(templates),
        base,
        http,
        external,
        auth,
        webhooks,
    })
}

/// Opens the database, and makes sure that it can be used.
async fn open_base(config: Config, clock: Clock) -> Result<Base, StartError> {
    let secret = service_secret(&config)?;
    let database = open_database(&config).await?;
    prepare_banks(&config, &database).await?;
    warn_of_secrets(&config);
    warn_of_sign_in(&config, &database).await?;
    let metrics = Arc::<Metrics>::default();
    let redis = config
        .store
        .redis_url
        .as_deref()
        .map(|url| Redis::new(url, &config.store.redis_prefix, &secret, metrics.redis_refused.clone()))
        .transpose()?;
    let embargo = Arc::new(Embargo::new(database.clone(), clock.clone()));
    // Before the first request: without it nothing that might be withheld leaves the server.
    embargo.prepare().await?;
    Ok(Base { config: Arc::new(config), secret, database, clock, redis, metrics, embargo })
}

/// Opens the database with its schema up to date. A server that only reads brings nothing up to date.
async fn open_database(config: &Config) -> Result<Database, StartError> {
    let (url, connections) = (&*config.store.database_url, config.store.database_connections);
    if config.maintenance.read_only {
        let database = Database::open_read_only(url, connections).await?;
        let pending = database.pending_migrations().await.map_err(Error::from)?;
        return if pending == 0 { Ok(database) } else { Err(StartError::Behind(pending)) };
    }
    let journals = u32::try_from(config.server.workers).unwrap_or(1) + 1;
    let database = Database::open(url, connections, journals).await?;
    if config.store.require_sync_standby {
        database.require_standby().await?;
    }
    database.migrate().await?;
    Ok(database)
}

impl Shared {
    /// Hands everything that handlers ask for to one worker's app.
    pub(super) fn provide(&self, config: &mut ServiceConfig) {
        self.base.provide(config);
        self.http.provide(config);
        self.auth.provide(config);
        self.webhooks.provide(config);
        self.sessions.provide(config);
        self.live.provide(config);
        self.documents.provide(config);
        config
            .app_data(self.data.clone())
            .app_data(self.banks.clone())
            .app_data(self.pictures.clone())
            .app_data(self.workbooks.clone())
            .app_data(self.platform_keys.clone())
            .app_data(self.platforms.clone())
            .app_data(self.course_rosters.clone())
            .app_data(self.launches.clone())
            .app_data(self.outbox.clone())
            .app_data(self.sittings.clone())
            .app_data(self.classes.clone())
            .app_data(self.templates.clone())
            .app_data(self.results.clone())
            .app_data(self.corrections.clone())
            .app_data(self.reports.clone())
            .app_data(self.items.clone())
            .app_data(self.calendar.clone())
            .app_data(self.school.clone())
            .app_data(self.start.clone())
            .app_data(self.receipts.clone());
    }
}

/// Fills an empty database with the sample bank, and refuses one whose own banks would be replaced by external ones.
async fn prepare_banks(config: &Config, database: &Database) -> Result<(), StartError> {
    let is_local = matches!(config.data, DataProvider::Local);
    if !is_local && questions::has_own_banks(database).await.map_err(Error::from)? {
        return Err(StartError::OwnData);
    }
    if let Some(language) = config.store.sample_bank.filter(|_| is_local && !database.is_read_only()) {
        let added = seed::seed_when_empty(database, language, true).await?;
        if added > 0 {
            tracing::info!(added, language = language.code(), "the empty database has been given the sample bank");
        }
    }
    Ok(())
}

/// What an operator should know of secrets that may be told.
fn warn_of_secrets(config: &Config) {
    if config.webhooks.secret.is_some() && !config.webhooks.names_hosts {
        tracing::warn!("WEBHOOK_SECRET is sent to whatever address a caller names: set WEBHOOK_HOSTS to limit them");
    }
    if !config.access.public_answers && config.access.client_results == ClientResults::Open {
        tracing::warn!(
            "PUBLIC_ANSWERS=false hides no keys while CLIENT_RESULTS=open: anyone learns them from the scores of tests \
             that they hand in. Set CLIENT_RESULTS to token or off"
        );
    }
}

/// What an operator should know of who may come in.
async fn warn_of_sign_in(config: &Config, database: &Database) -> Result<(), StartError> {
    match config.access.sign_in {
        SignIn::Local => tracing::warn!(
            "development sign-in: anyone on this machine can sign in as anyone, at {}/auth/sign-in",
            config.server.auth_url
        ),
        SignIn::Off => {
            tracing::warn!("no identity provider is configured: nobody can sign in, only API tokens are known");
        }
        SignIn::Provider(_) => {}
    }
    if config.access.admin_email.is_none() && !users::has_had_admin(database).await.map_err(Error::from)? {
        tracing::warn!("there is no admin yet: the next one to sign in becomes admin (or set ADMIN_EMAIL)");
    }
    Ok(())
}
