//! The composition root: opens everything, starts the actors, mounts the routes, and shuts down in order.

mod routes;
mod secret;

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use actix::{Actor, Addr};
use actix_web::dev::ServerHandle;
use actix_web::middleware::from_fn;
use actix_web::web::{self, Data, PathConfig, QueryConfig};
use actix_web::{App, HttpServer, rt};
use domain::grade::Grade;
use socket2::{Domain, Protocol, Socket, Type};
use thiserror::Error as ThisError;
use tokio::sync::Notify;
use utoipa_actix_web::AppExt;

use crate::auth::caller::Callers;
use crate::auth::cookie::Cookies;
use crate::auth::identity_provider::{IdentityProvider, SignInFailure};
use crate::calendar::{self, Calendar};
use crate::clock::Clock;
use crate::config::{Config, DataProvider, SignIn};
use crate::database::{Database, OpenError};
use crate::error::Error;
use crate::http::fallback::{KnownRoutes, fallback};
use crate::http::health::Stopping;
use crate::http::limits::AddressLimit;
use crate::http::openapi::{self, Document};
use crate::http::{network, request};
use crate::live::journal::Journal;
use crate::live::proctor::orders;
use crate::live::relay::Relay;
use crate::live::rooms::feed::Feed;
use crate::live::rooms::servers::Others;
use crate::live::rooms::{RoomContext, Rooms};
use crate::live::seat::SeatServices;
use crate::live::seats::audit;
use crate::live::seats::claims::SeatClaims;
use crate::live::seats::lease::Lease;
use crate::live::seats::registry::Registry;
use crate::live::seats::ticker::Ticker;
use crate::live::{Live, dispatch};
use crate::provider::api::ExternalProvider;
use crate::provider::{self, Opened, Provider};
use crate::provider_api::document::{self, ContractDocument};
use crate::provider_api::{self, ROOT};
use crate::questions::bank::Banks;
use crate::questions::seed;
use crate::questions::workbook::WorkbookTurnstile;
use crate::redis::{Redis, RedisFailure};
use crate::reports::Reports;
use crate::review::items::ItemStatisticsCache;
use crate::store::{questions, users};
use crate::telemetry::Metrics;
use crate::templates::Templates;
use crate::webhooks::Outbox;
use crate::webhooks::delivery::Deliverer;
use crate::webhooks::signature::SigningKey;
use routes::{all_but_the_calendar, routes};
use secret::service_secret;

/// A head must arrive within this time.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// An idle connection is kept so long.
const KEEP_ALIVE: Duration = Duration::from_secs(75);
/// Requests under way have so long to end at a planned stop.
const SHUTDOWN_SECONDS: u64 = 5;

/// Why the server does not start, in one sentence.
#[derive(Debug, ThisError)]
pub enum StartError {
    /// The store can't be opened.
    #[error(transparent)]
    Database(#[from] OpenError),
    /// Redis' address can't be used.
    #[error(transparent)]
    Redis(#[from] RedisFailure),
    /// The store can't be read or filled.
    #[error("the store cannot be used: {0}")]
    Store(#[from] Error),
    /// The identity provider can't be asked, ever.
    #[error("AUTH_URL: {0}")]
    SignIn(#[from] SignInFailure),
    /// The database has data of its own, and the data is to be elsewhere.
    #[error(
        "DATA_PROVIDER: the database has questions of its own, which copies of the external ones would replace: give this service another database"
    )]
    OwnData,
    /// The address can't be listened on, or a file can't be written.
    #[error("{0}: {1}")]
    Io(String, #[source] io::Error),
}

/// A running server.
pub struct Server {
    /// Where it listens.
    pub address: SocketAddr,
    handle: ServerHandle,
    live: Arc<Live>,
    leasing: Vec<rt::task::JoinHandle<()>>,
    watches: Vec<rt::task::JoinHandle<()>>,
    stopping: Stopping,
    database: Database,
}

impl Server {
    /// Makes every bank ready, so that the first students of the day don't wait for it.
    pub fn warm_up(&self) -> impl Future<Output = ()> + use<> {
        let banks = Arc::clone(&self.live.services.banks);
        async move {
            for grade in Grade::all() {
                match banks.of(grade).await {
                    Ok(_) => {}
                    // It has been told already that the service that has the banks fails.
                    Err(Error::BadGateway(_) | Error::GatewayTimeout(_)) => return,
                    Err(error) => tracing::warn!(%error, "a bank is not ready; whoever asks for it first waits for it"),
                }
            }
        }
    }

    /// A planned stop: seats commit and tell their students, requests under way end, the store is closed.
    pub async fn stop(self) {
        self.stopping.begin();
        self.live.registry.stop().await;
        // Before the lease goes it must not be renewed again; and until requests have ended other servers are heard.
        self.leasing.iter().for_each(rt::task::JoinHandle::abort);
        self.live.lease.release().await;
        self.handle.stop(true).await;
        self.watches.iter().for_each(rt::task::JoinHandle::abort);
        self.live.services.outbox.rest().await;
        // Again: a renewal that was under way when it was given up may have come after the first.
        self.live.lease.release().await;
        self.database.close().await;
    }
}

/// What all workers share.
#[derive(Clone)]
struct Shared {
    config: Data<Config>,
    clock: Clock,
    database: Database,
    redis: Data<Option<Redis>>,
    banks: Data<Banks>,
    templates: Data<Templates>,
    data: Data<dyn Provider>,
    external: Option<Arc<ExternalProvider>>,
    callers: Data<Callers>,
    cookies: Data<Cookies>,
    provider: Data<Option<IdentityProvider>>,
    items: Data<ItemStatisticsCache>,
    reports: Data<Reports>,
    metrics: Data<Metrics>,
    outbox: Data<Outbox>,
    key: SigningKey,
    registry: Arc<Registry>,
    claims: Addr<SeatClaims>,
    new_orders: Arc<Notify>,
    relay: Arc<Relay>,
    lease: Arc<Lease>,
    feed: Arc<Feed>,
    rooms: Addr<Rooms>,
    stopping: Stopping,
    limit: Data<AddressLimit>,
    turns: Data<WorkbookTurnstile>,
    calendar: Data<Calendar>,
    document: Data<Document>,
    contract: Data<ContractDocument>,
    routes: Data<KnownRoutes>,
    /// SQLite has one writer, so all workers share its journal.
    journal: Option<Addr<Journal>>,
}

/// Starts the server within the actix system that is running.
///
/// # Errors
/// One sentence for the operator.
pub async fn start(config: Config, clock: Clock) -> Result<Server, StartError> {
    // The second start in one process finds a provider, which is the same.
    drop(rustls::crypto::ring::default_provider().install_default());
    let listener = listen(config.server.bind)
        .map_err(|error| StartError::Io(format!("BIND: {} cannot be listened on", config.server.bind), error))?;
    let address = listener.local_addr().map_err(|error| StartError::Io("BIND".to_owned(), error))?;
    let shared = open(config, clock).await?;
    let live = Arc::new(shared.live());
    live.lease.renew().await?;
    Ticker::new(Arc::clone(&live)).start();
    let (banks, limit) = (Arc::clone(&live.services.banks), shared.limit.clone());
    let lease = Arc::clone(&live.lease);
    let (auditing, ordering) = (Arc::clone(&live), Arc::clone(&live));
    let leasing = vec![
        rt::spawn(async move { lease.keep().await }),
        rt::spawn(async move { audit::run(&auditing).await }),
        rt::spawn(async move { orders::run(&ordering).await }),
    ];
    let mut watches = vec![
        rt::spawn(async move { banks.watch().await }),
        rt::spawn(async move { limit.forget_quiet().await }),
        rt::spawn(dispatch::run(Arc::clone(&live))),
    ];
    if let Some(external) = shared.external.clone() {
        let sender = external.sender(shared.metrics.clone().into_inner());
        watches.push(rt::spawn(async move { sender.run().await }));
        watches.push(rt::spawn(async move { external.keep_copies().await }));
    }
    let (stopping, database) = (shared.stopping.clone(), shared.database.clone());
    let handle = serve(shared, listener).map_err(|error| StartError::Io("the server cannot run".to_owned(), error))?;
    tracing::info!(%address, "listening");
    Ok(Server { address, handle, live, leasing, watches, stopping, database })
}

/// Opens the store and all that stands on it.
async fn open(config: Config, clock: Clock) -> Result<Shared, StartError> {
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
    warn_of_sign_in(&config, &database).await?;
    let no_key = || StartError::Io("AUTH_SECRET".to_owned(), io::Error::other("no key can be made of it"));
    let cookies = Cookies::new(&secret, &config.server.auth_url).ok_or_else(no_key)?;
    let provider = match &config.access.sign_in {
        SignIn::Provider(provider) => Some(IdentityProvider::new(provider, &config.server.auth_url)?),
        SignIn::Local | SignIn::Off => None,
    };
    let redis = config.store.redis_url.as_deref().map(|url| Redis::new(url, &config.store.redis_prefix)).transpose()?;
    let key = SigningKey::new(config.webhooks.signing_key.clone(), &secret);
    let metrics = Data::new(Metrics::default());
    let Opened { provider: data, external } = provider::open(&config, &database, &clock)?;
    let deliverer = Deliverer::new(
        database.clone(),
        clock.clone(),
        &config.webhooks,
        key.clone(),
        metrics.clone().into_inner(),
        external.is_some(),
    );
    let outbox = Data::new(Outbox::new(
        config.webhooks.targets.clone(),
        deliverer.start(),
        external.as_ref().map(|external| Arc::clone(&external.wake)),
    ));
    let (_, mut document) = App::new().into_utoipa_app().openapi(openapi::base()).configure(routes).split_for_parts();
    openapi::allow_sign_in(&mut document);
    let (_, contract) =
        App::new().into_utoipa_app().openapi(document::base()).configure(provider_api::routes).split_for_parts();
    let served = config.provider_key.as_ref().map(|_| (ROOT, &contract));
    let journal = database.is_sqlite().then(|| {
        Journal::new(database.clone(), outbox.clone().into_inner(), clock.clone(), metrics.clone().into_inner()).start()
    });
    let banks = Data::new(Banks::new(database.clone(), Arc::clone(&data), redis.clone(), config.access.public_answers));
    banks.drop_changed().await;
    let relay = Arc::new(Relay::new(redis.clone()));
    let (registry, lease, feed) = (
        Arc::<Registry>::default(),
        Arc::new(Lease::new(relay.server_id(), database.clone(), clock.clone())),
        Arc::<Feed>::default(),
    );
    let servers = Box::new(Others { relay: Arc::clone(&relay), lease: Arc::clone(&lease) });
    let tools = RoomContext {
        database: database.clone(),
        clock: clock.clone(),
        feed: Arc::clone(&feed),
        registry: Arc::clone(&registry),
        servers,
    };
    let templates = Templates::new(
        database.clone(),
        redis.clone(),
        banks.clone().into_inner(),
        clock.clone(),
        config.access.public_answers,
        is_local,
    );
    Ok(Shared {
        banks,
        templates: Data::new(templates),
        callers: Data::new(Callers::new(database.clone(), Arc::clone(&data), clock.clone(), cookies.clone())),
        cookies: Data::new(cookies),
        provider: Data::new(provider),
        items: Data::new(ItemStatisticsCache::new(database.clone(), is_local)),
        data: Data::from(data),
        external,
        reports: Data::new(Reports::new(metrics.clone().into_inner())),
        limit: Data::new(AddressLimit::new(config.server.starts_per_address)),
        turns: Data::default(),
        calendar: Data::new(Calendar::new(database.clone(), clock.clone(), config.calendar.clone())),
        routes: Data::new(KnownRoutes::of(&[("", &document)].into_iter().chain(served).collect::<Vec<_>>())),
        contract: Data::new(ContractDocument(contract.to_json().map_err(Error::from)?)),
        document: Data::new(Document(document.to_json().map_err(Error::from)?)),
        redis: Data::new(redis),
        config: Data::new(config),
        registry,
        claims: SeatClaims::new(database.clone(), Arc::clone(&relay), clock.clone()).start(),
        relay,
        lease,
        new_orders: Arc::default(),
        feed,
        rooms: Rooms::new(tools).start(),
        stopping: Stopping::default(),
        clock,
        database,
        metrics,
        outbox,
        key,
        journal,
    })
}

impl Shared {
    /// What a worker's seats need: to be called on that worker.
    fn live(&self) -> Live {
        let journal = self.journal.clone().unwrap_or_else(|| {
            let (outbox, metrics) = (self.outbox.clone().into_inner(), self.metrics.clone().into_inner());
            Journal::new(self.database.clone(), outbox, self.clock.clone(), metrics).start()
        });
        let services = SeatServices {
            server_id: self.relay.server_id(),
            directory: self.registry.clone(),
            feed: Arc::clone(&self.feed),
            journal,
            database: self.database.clone(),
            banks: self.banks.clone().into_inner(),
            outbox: self.outbox.clone().into_inner(),
            clock: self.clock.clone(),
            metrics: self.metrics.clone().into_inner(),
        };
        Live {
            services: Arc::new(services),
            registry: Arc::clone(&self.registry),
            claims: self.claims.clone(),
            relay: Arc::clone(&self.relay),
            lease: Arc::clone(&self.lease),
            rooms: self.rooms.clone(),
            new_orders: Arc::clone(&self.new_orders),
            templates: self.templates.clone().into_inner(),
            callers: self.callers.clone().into_inner(),
            limit: self.limit.clone().into_inner(),
            config: self.config.clone().into_inner(),
        }
    }
}

fn serve(shared: Shared, listener: TcpListener) -> io::Result<ServerHandle> {
    let workers = shared.config.server.workers;
    let server = HttpServer::new(move || {
        App::new()
            .app_data(Data::new(shared.live()))
            .app_data(shared.config.clone())
            .app_data(Data::new(shared.clock.clone()))
            .app_data(Data::new(shared.database.clone()))
            .app_data(shared.redis.clone())
            .app_data(shared.banks.clone())
            .app_data(shared.templates.clone())
            .app_data(shared.data.clone())
            .app_data(shared.callers.clone())
            .app_data(shared.cookies.clone())
            .app_data(shared.provider.clone())
            .app_data(shared.items.clone())
            .app_data(shared.reports.clone())
            .app_data(shared.metrics.clone())
            .app_data(shared.outbox.clone())
            .app_data(Data::new(shared.key.clone()))
            .app_data(Data::new(shared.stopping.clone()))
            .app_data(shared.limit.clone())
            .app_data(shared.turns.clone())
            .app_data(shared.calendar.clone())
            .app_data(shared.document.clone())
            .app_data(shared.contract.clone())
            .app_data(shared.routes.clone())
            .app_data(QueryConfig::default().error_handler(|_, _| Error::invalid("query").into()))
            .app_data(PathConfig::default().error_handler(|_, _| Error::invalid("path").into()))
            .service(calendar::service(&shared.config.calendar))
            .service(all_but_the_calendar(&shared.config))
            .default_service(web::to(fallback))
            .wrap(from_fn(request::around))
    });
    let server = server
        .workers(workers)
        .max_connections(network::connections_per_worker(workers))
        .client_request_timeout(HEAD_TIMEOUT)
        .keep_alive(KEEP_ALIVE)
        .shutdown_timeout(SHUTDOWN_SECONDS)
        .on_connect(network::on_connect)
        .disable_signals()
        .listen(listener)?
        .run();
    let handle = server.handle();
    rt::spawn(server);
    Ok(handle)
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    // A restarted server takes its port back at once.
    socket.set_reuse_address(true)?;
    socket.bind(&address.into())?;
    socket.listen(i32::try_from(network::BACKLOG).unwrap_or(i32::MAX))?;
    let listener = TcpListener::from(socket);
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// What an operator should know of who may come in.
async fn warn_of_sign_in(config: &Config, database: &Database) -> Result<(), StartError> {
    match config.access.sign_in {
        SignIn::Local => tracing::warn!(
            "development sign-in: anyone on this machine can sign in as anyone, at {}/auth/sign-in",
            config.server.auth_url
        ),
        SignIn::Off => {
            tracing::warn!("no identity provider is configured: nobody can sign in, only API tokens are known")
        }
        SignIn::Provider(_) => {}
    }
    if matches!(config.data, DataProvider::Api(_)) {
        if config.access.admin_email.is_none() {
            tracing::warn!("ADMIN_EMAIL is not set: only the external data provider can make someone admin");
        }
        return Ok(());
    }
    if config.access.admin_email.is_none() && !users::has_had_admin(database).await.map_err(Error::from)? {
        tracing::warn!("there is no admin yet: the next one to sign in becomes admin (or set ADMIN_EMAIL)");
    }
    Ok(())
}
