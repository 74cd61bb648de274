//! What all workers share, opened once in the order in which one thing needs another.

use std::io;
use std::sync::Arc;

use actix::Actor;
use actix_web::web::{Data, ServiceConfig};

use super::StartError;
use super::documents::Documents;
use super::secret::service_secret;
use crate::auth::caller::Callers;
use crate::auth::cookie::Cookies;
use crate::auth::identity_provider::IdentityProvider;
use crate::calendar::Calendar;
use crate::clock::Clock;
use crate::config::{ClientResults, Config, DataProvider, SignIn};
use crate::database::Database;
use crate::error::Error;
use crate::http::health::{Stopping, WritesLately};
use crate::http::large_body::BodyBudget;
use crate::http::limits::AddressLimit;
use crate::live::Live;
use crate::live::journal::Journal;
use crate::live::moves::MoveCodes;
use crate::live::seat::SeatServices;
use crate::live::shared::SharedLive;
use crate::operations::ServerStart;
use crate::outgoing::Outbox;
use crate::outgoing::deliverer::Deliverer;
use crate::outgoing::kind::OutgoingKind;
use crate::provider::api::ExternalProvider;
use crate::provider::{self, Opened, Provider};
use crate::questions::bank::Banks;
use crate::questions::seed;
use crate::questions::workbook::WorkbookTurnstile;
use crate::redis::Redis;
use crate::reports::Reports;
use crate::results::Results;
use crate::review::items::ItemStatisticsCache;
use crate::school::SchoolSettings;
use crate::sessions::keys_under_way::KeysUnderWay;
use crate::sessions::large_writes::LargeWrites;
use crate::sessions::recorder::SessionRecorder;
use crate::sessions::release_wait::ReleaseWaits;
use crate::sittings::Sittings;
use crate::store::embargo::Embargo;
use crate::store::openings::Openings;
use crate::store::{questions, users};
use crate::telemetry::Metrics;
use crate::templates::Templates;
use crate::webhooks::events::WebhookEvents;
use crate::webhooks::signature::SigningKey;

/// What all workers share.
#[derive(Clone)]
pub(super) struct Shared {
    pub(super) config: Data<Config>,
    pub(super) clock: Clock,
    pub(super) database: Database,
    pub(super) redis: Data<Option<Redis>>,
    pub(super) banks: Data<Banks>,
    pub(super) templates: Data<Templates>,
    pub(super) sittings: Data<Sittings>,
    pub(super) embargo: Data<Embargo>,
    pub(super) release_waits: Data<ReleaseWaits>,
    pub(super) data: Data<dyn Provider>,
    pub(super) external: Option<Arc<ExternalProvider>>,
    pub(super) callers: Data<Callers>,
    pub(super) cookies: Data<Cookies>,
    pub(super) provider: Data<Option<IdentityProvider>>,
    pub(super) items: Data<ItemStatisticsCache>,
    pub(super) reports: Data<Reports>,
    pub(super) results: Data<Results>,
    pub(super) metrics: Data<Metrics>,
    pub(super) outbox: Data<Outbox>,
    pub(super) key: SigningKey,
    pub(super) live: SharedLive,
    pub(super) stopping: Stopping,
    pub(super) limit: Data<AddressLimit>,
    pub(super) bodies: Data<BodyBudget>,
    pub(super) large_writes: Data<LargeWrites>,
    pub(super) keys_under_way: Data<KeysUnderWay>,
    pub(super) recorder: Data<SessionRecorder>,
    pub(super) codes: Arc<MoveCodes>,
    pub(super) turns: Data<WorkbookTurnstile>,
    pub(super) calendar: Data<Calendar>,
    pub(super) school: Data<SchoolSettings>,
    pub(super) start: Data<ServerStart>,
    pub(super) documents: Documents,
}

/// Opens the store and all that stands on it.
pub(super) async fn open(config: Config, clock: Clock) -> Result<Shared, StartError> {
    let secret = service_secret(&config)?;
    let journals = u32::try_from(config.server.workers).unwrap_or(1) + 1;
    let database = Database::open(&config.store.database_url, config.store.database_connections, journals).await?;
    database.migrate().await?;
    let is_local = matches!(config.data, DataProvider::Local);
    if !is_local && questions::has_own_banks(&database).await.map_err(Error::from)? {
        return Err(StartError::OwnData);
    }
    if config.store.sample_bank && is_local {
        let added = seed::seed_when_empty(&database).await?;
        if added > 0 {
            tracing::info!(added, "the empty database has been given the sample bank");
        }
    }
    if config.webhooks.secret.is_some() && !config.webhooks.names_hosts {
        tracing::warn!("WEBHOOK_SECRET is sent to whatever address a caller names: set WEBHOOK_HOSTS to limit them");
    }
    if !config.access.public_answers && config.access.client_results == ClientResults::Open {
        tracing::warn!(
            "PUBLIC_ANSWERS=false hides no keys while CLIENT_RESULTS=open: anyone learns them from the scores of tests \
             that they hand in. Set CLIENT_RESULTS to token or off"
        );
    }
    warn_of_sign_in(&config, &database).await?;
    let no_key = || StartError::Io("AUTH_SECRET".to_owned(), io::Error::other("no key can be made of it"));
    let cookies = Cookies::new(&secret, &config.server.auth_url).ok_or_else(no_key)?;
    let provider = match &config.access.sign_in {
        SignIn::Provider(provider) => Some(IdentityProvider::new(provider, &config.server.auth_url)?),
        SignIn::Local | SignIn::Off => None,
    };
    let metrics = Data::new(Metrics::default());
    let redis = config
        .store
        .redis_url
        .as_deref()
        .map(|url| Redis::new(url, &config.store.redis_prefix, &secret, metrics.redis_refused.clone()))
        .transpose()?;
    let key = SigningKey::new(config.webhooks.signing_key.clone(), &secret);
    let Opened { provider: data, external } = provider::open(&config, &database, &clock)?;
    let embargo = Arc::new(Embargo::new(database.clone(), clock.clone()));
    // Before the first request: without it nothing that might be withheld leaves the server.
    embargo.prepare().await?;
    let webhooks: Arc<dyn OutgoingKind> = Arc::new(WebhookEvents {
        database: database.for_background(),
        clock: clock.clone(),
        key: key.clone(),
        secret: config.webhooks.secret.clone(),
        sends_sessions: external.is_some(),
        has_public_answers: config.access.public_answers,
        embargo: Arc::clone(&embargo),
    });
    let deliverer = Deliverer::new(
        database.for_background(),
        clock.clone(),
        &config.webhooks,
        metrics.clone().into_inner(),
        vec![webhooks],
    );
    let outbox = Data::new(Outbox::new(
        config.webhooks.targets.clone(),
        deliverer.start(),
        external.as_ref().map(|external| Arc::clone(&external.wake)),
    ));
    let banks = Data::new(Banks::new(
        database.clone(),
        Arc::clone(&data),
        redis.clone(),
        Arc::clone(&embargo),
        config.access.public_answers,
    ));
    banks.drop_changed().await;
    let openings = Arc::new(Openings::new(database.clone()));
    let sittings = Sittings::new(database.clone(), clock.clone(), &secret, Arc::clone(&embargo), is_local);
    let sittings = Data::new(sittings);
    let live = SharedLive::start(&database, &clock, redis.clone(), &outbox, &metrics, &sittings);
    let templates = Templates::new(
        database.clone(),
        banks.clone().into_inner(),
        Arc::clone(&openings),
        sittings.clone().into_inner(),
        config.access.public_answers,
        is_local,
    );
    Ok(Shared {
        banks,
        templates: Data::new(templates),
        results: Data::new(Results::new(database.clone(), sittings.clone().into_inner(), is_local)),
        sittings,
        embargo: Data::from(embargo),
        release_waits: Data::default(),
        callers: Data::new(Callers::new(database.clone(), Arc::clone(&data), clock.clone(), cookies.clone())),
        cookies: Data::new(cookies),
        provider: Data::new(provider),
        items: Data::new(ItemStatisticsCache::new(database.clone(), is_local)),
        data: Data::from(data),
        external,
        reports: Data::new(Reports::new(&config.reports, metrics.clone().into_inner())?),
        limit: Data::new(AddressLimit::new(config.server.starts_per_address)),
        bodies: Data::new(BodyBudget::new(config.server.starts_per_address.is_some())),
        large_writes: Data::new(LargeWrites::new(metrics.clone().into_inner(), clock.clone())),
        keys_under_way: Data::default(),
        recorder: Data::new(SessionRecorder::start(database.clone(), clock.clone(), outbox.clone().into_inner())),
        codes: Arc::new(MoveCodes::new(&secret, clock.clone())),
        turns: Data::default(),
        calendar: Data::new(Calendar::new(database.clone(), clock.clone(), config.calendar.clone(), openings)),
        school: Data::new(SchoolSettings::new(database.clone())),
        start: Data::new(ServerStart(clock.now())),
        documents: Documents::of(&config)?,
        redis: Data::new(redis),
        config: Data::new(config),
        live,
        stopping: Stopping::default(),
        clock,
        database,
        metrics,
        outbox,
        key,
    })
}

impl Shared {
    /// What a worker's live exams work with: to be called on that worker, whose journal it starts.
    pub(super) fn live(&self) -> Live {
        let journal = self.live.journal.clone().unwrap_or_else(|| {
            let (outbox, metrics) = (self.outbox.clone().into_inner(), self.metrics.clone().into_inner());
            let saving = Arc::clone(&self.live.saving);
            Journal::new(self.database.clone(), outbox, self.clock.clone(), metrics, saving).start()
        });
        let services = SeatServices {
            server_id: self.live.relay.server_id(),
            directory: self.live.registry.clone(),
            feed: Arc::clone(&self.live.feed),
            journal,
            database: self.database.clone(),
            lease: Arc::clone(&self.live.lease),
            banks: self.banks.clone().into_inner(),
            bell: self.live.bell.clone(),
            outbox: self.outbox.clone().into_inner(),
            embargo: self.embargo.clone().into_inner(),
            clock: self.clock.clone(),
            metrics: self.metrics.clone().into_inner(),
        };
        Live {
            services: Arc::new(services),
            registry: Arc::clone(&self.live.registry),
            claims: self.live.claims.clone(),
            holders: self.live.holders.clone(),
            relay: Arc::clone(&self.live.relay),
            lease: Arc::clone(&self.live.lease),
            rooms: self.live.rooms.clone(),
            new_orders: Arc::clone(&self.live.new_orders),
            templates: self.templates.clone().into_inner(),
            sittings: self.sittings.clone().into_inner(),
            guesses: Arc::clone(&self.live.guesses),
            callers: self.callers.clone().into_inner(),
            limit: self.limit.clone().into_inner(),
            strangers: Arc::clone(&self.live.strangers),
            codes: Arc::clone(&self.codes),
            config: self.config.clone().into_inner(),
        }
    }

    /// The lease of live exams is written every two seconds, and answers of students whenever there are some.
    fn writes_lately(&self) -> WritesLately {
        let lease = Arc::clone(&self.live.lease);
        WritesLately::by(move || lease.can_save())
    }

    /// Hands everything that handlers ask for to one worker's app.
    pub(super) fn provide(&self, config: &mut ServiceConfig) {
        config
            .app_data(Data::new(self.live()))
            .app_data(self.config.clone())
            .app_data(Data::new(self.clock.clone()))
            .app_data(Data::new(self.database.clone()))
            .app_data(self.redis.clone())
            .app_data(self.banks.clone())
            .app_data(self.templates.clone())
            .app_data(self.sittings.clone())
            .app_data(self.embargo.clone())
            .app_data(self.release_waits.clone())
            .app_data(self.data.clone())
            .app_data(self.callers.clone())
            .app_data(self.cookies.clone())
            .app_data(self.provider.clone())
            .app_data(self.items.clone())
            .app_data(self.reports.clone())
            .app_data(self.results.clone())
            .app_data(self.metrics.clone())
            .app_data(self.outbox.clone())
            .app_data(Data::new(self.key.clone()))
            .app_data(Data::new(self.stopping.clone()))
            .app_data(Data::new(self.writes_lately()))
            .app_data(self.limit.clone())
            .app_data(self.bodies.clone())
            .app_data(self.large_writes.clone())
            .app_data(self.keys_under_way.clone())
            .app_data(self.recorder.clone())
            .app_data(self.turns.clone())
            .app_data(self.calendar.clone())
            .app_data(self.school.clone())
            .app_data(self.start.clone())
            .app_data(self.documents.api.clone())
            .app_data(self.documents.contract.clone())
            .app_data(self.documents.sockets.clone())
            .app_data(self.documents.routes.clone());
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
