//! The composition root: opens everything, starts the actors, mounts the routes, and shuts down in order.

mod documents;
mod parameters;
mod refusals;
mod routes;
pub mod secret;
mod shared;

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use actix::Actor;
use actix_http::HttpService;
use actix_http::error::DispatchError;
use actix_service::{IntoServiceFactory, Service, ServiceFactoryExt, apply_fn_factory, fn_service};
use actix_web::dev::{Server as HttpListener, ServerHandle};
use actix_web::middleware::from_fn;
use actix_web::rt::net::TcpStream;
use actix_web::web::{self, Data, PathConfig, QueryConfig};
use actix_web::{App, rt};
use domain::grade::Grade;
use socket2::{Domain, Protocol, Socket, Type};
use thiserror::Error as ThisError;

use crate::auth::AuthUnusable;
use crate::calendar::{self};
use crate::clock::Clock;
use crate::config::Config;
use crate::database::{Database, OpenError, watch_protection};
use crate::error::Error;
use crate::http::entrance::{self, Entrance};
use crate::http::fallback::fallback;
use crate::http::health::Stopping;
use crate::http::upgrade::WorkerApp;
use crate::http::{network, request, unbroken};
use crate::live::proctor::orders;
use crate::live::seats::audit;
use crate::live::seats::ticker::Ticker;
use crate::live::{Live, dispatch, moves};
use crate::redis::RedisFailure;
use crate::reports::text::fonts::FontsError;
use crate::tls::own_certificate::{self, CertificateFault, OwnCertificate};
use routes::all_but_the_calendar;
use shared::{Shared, open};

/// The time within which the head of a request must arrive.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// How long an idle connection is kept open.
const KEEP_ALIVE: Duration = Duration::from_secs(75);
/// How long a peer may take to close its side of a connection.
const DISCONNECT_TIMEOUT: Duration = Duration::from_secs(1);
/// Seconds that requests in progress have to end at a planned stop.
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
    /// The server only reads, and its schema is behind.
    #[error(
        "READ_ONLY: the schema is {0} steps behind, and a server that only reads cannot bring it up to date: run `examhall migrate`, or start the release that made the database"
    )]
    Behind(usize),
    /// The school's own fonts can't be used.
    #[error("REPORT_FONTS: {0}")]
    Fonts(#[from] FontsError),
    /// The server's own certificate can't be used.
    #[error("TLS_CERTIFICATE: {0}")]
    Certificate(#[from] CertificateFault),
    /// The store can't be read or filled.
    #[error("the store cannot be used: {0}")]
    Store(#[from] Error),
    /// Nobody could sign in, ever.
    #[error(transparent)]
    SignIn(#[from] AuthUnusable),
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
    leasing: rt::task::JoinHandle<()>,
    watches: Vec<rt::task::JoinHandle<()>>,
    stopping: Stopping,
    database: Database,
    certificate: Option<Arc<OwnCertificate>>,
}

impl Server {
    /// The events that it delivers: each is a way on which something leaves it unasked.
    #[must_use]
    pub fn outgoing_events(&self) -> &[&'static str] {
        self.live.services.outbox.events()
    }

    /// Has the server's own certificate read again, if it has one. Returns whether it has.
    #[must_use]
    pub fn reload_certificate(&self) -> bool {
        let Some(certificate) = &self.certificate else { return false };
        certificate.look_soon();
        true
    }

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
        self.live.shared.registry.stop().await;
        // Before the lease goes it must not be renewed again; and until requests have ended other servers are heard.
        self.leasing.abort();
        self.release_lease().await;
        self.handle.stop(true).await;
        self.watches.iter().for_each(rt::task::JoinHandle::abort);
        self.live.services.outbox.rest().await;
        // Again: a renewal that was under way when it was given up may have come after the first.
        self.release_lease().await;
        self.database.close().await;
    }

    /// A server that only reads has none.
    async fn release_lease(&self) {
        if !self.database.is_read_only() {
            self.live.shared.lease.release().await;
        }
    }
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
    if let Some(files) = &config.edge.certificate {
        // Before the database is touched: what is used is read once there are metrics.
        own_certificate::look_at(files, &config.server.auth_url)?;
    }
    let shared = open(config, clock).await?;
    let live = Arc::new(shared.live.of_worker());
    let writes = !shared.base.database.is_read_only();
    // Without a heartbeat whoever lost time in an outage has not got it back: then the lease begins with the next one.
    if writes && live.shared.lease.beat().await {
        live.shared.lease.renew().await?;
    }
    if writes {
        Ticker::new(Arc::clone(&live)).start();
        live.services.late_keys.prepare_at_hand().await?;
    }
    let (banks, limit, bodies) =
        (Arc::clone(&live.services.banks), shared.http.limit.clone(), shared.http.bodies.clone());
    let (codes, embargo) = (Arc::clone(&live.shared.codes), shared.base.embargo.clone());
    let clock = || shared.base.clock.clone();
    let (leased, lease) = (Arc::clone(&live), Arc::clone(&live.shared.lease));
    // One task: a server that no longer looks for orders must not keep its lease.
    let leasing = rt::spawn(async move {
        if writes {
            tokio::join!(lease.keep(), audit::run(&leased), orders::run(&leased));
        }
    });
    let mut watches = vec![
        watch(clock(), async move |clock| banks.watch(clock).await),
        watch(clock(), async move |clock| limit.forget_quiet(clock).await),
        watch(clock(), async move |clock| bodies.forget_quiet(clock).await),
        watch(clock(), async move |clock| codes.forget_quiet(clock).await),
        rt::spawn(async move { embargo.watch().await }),
    ];
    if writes {
        watches.extend(writing_watches(&shared, &live));
    } else {
        tracing::warn!("READ_ONLY: nothing is saved, no test begins or goes on here, and nothing is sent to others");
    }
    let certificate = open_certificate(&shared)?;
    watches.extend(certificate.clone().map(|certificate| rt::spawn(async move { certificate.watch().await })));
    let tls = certificate.as_ref().map(|certificate| certificate.server_config()).transpose()?;
    let entrance = Arc::new(Entrance::new(&shared.base.config, tls, Arc::clone(&shared.base.metrics)));
    let (stopping, database) = (shared.http.stopping.clone(), shared.base.database.clone());
    let handle = serve(shared, listener, entrance, certificate.clone())
        .map_err(|error| StartError::Io("the server cannot run".to_owned(), error))?;
    tracing::info!(%address, "listening");
    Ok(Server { address, handle, live, leasing, watches, stopping, database, certificate })
}

fn open_certificate(shared: &Shared) -> Result<Option<Arc<OwnCertificate>>, CertificateFault> {
    let (metrics, clock) = (Arc::clone(&shared.base.metrics), shared.base.clock.clone());
    let config = &shared.base.config;
    let open = |files| OwnCertificate::open(files, &config.server.auth_url, metrics, clock).map(Arc::new);
    config.edge.certificate.clone().map(open).transpose()
}

/// The tasks that write now and then by themselves. A server that only reads has none of them.
fn writing_watches(shared: &Shared, live: &Arc<Live>) -> Vec<rt::task::JoinHandle<()>> {
    let (callers, guessed) = (Arc::clone(&live.shared.neighbours.callers), Arc::clone(live));
    let (sittings, counting) = (shared.sittings.clone(), shared.sittings.clone());
    let (corrections, measurements) = (shared.corrections.clone(), shared.measurements.clone());
    let (pictures, receipts) = (shared.pictures.clone(), shared.receipts.clone());
    let (platform_keys, course_rosters) = (shared.platform_keys.clone(), shared.course_rosters.clone());
    let late_keys = Arc::clone(&live.services.late_keys);
    let mut watches = vec![
        rt::spawn(async move { callers.sweep().await }),
        rt::spawn(async move { moves::count_wrong_codes(&guessed).await }),
        rt::spawn(async move { sittings.release_by_rule().await }),
        rt::spawn(async move { counting.count_wrong_codes().await }),
        rt::spawn(async move { corrections.follow().await }),
        rt::spawn(async move { platform_keys.keep().await }),
        rt::spawn(async move { course_rosters.take_by_itself().await }),
        rt::spawn(async move { pictures.sweep().await }),
        rt::spawn(async move { receipts.run().await }),
        rt::spawn(async move { measurements.run().await }),
        rt::spawn(dispatch::run(Arc::clone(live))),
        rt::spawn(async move { late_keys.prepare().await }),
    ];
    if shared.base.config.store.require_sync_standby {
        let (database, metrics) = (shared.base.database.clone(), Arc::clone(&shared.base.metrics));
        let clock = shared.base.clock.clone();
        watches.push(watch(clock, async move |clock| watch_protection(&database, &metrics, clock).await));
    }
    if let Some(external) = shared.external.clone() {
        let sender = external.sender(Arc::clone(&shared.base.metrics));
        watches.push(rt::spawn(async move { sender.run().await }));
        watches.push(rt::spawn(async move { external.keep_copies().await }));
    }
    watches
}

fn serve(
    shared: Shared,
    listener: TcpListener,
    entrance: Arc<Entrance>,
    certificate: Option<Arc<OwnCertificate>>,
) -> io::Result<ServerHandle> {
    let workers = shared.base.config.server.workers;
    let address = listener.local_addr()?;
    let builder = HttpListener::build();
    let stopping = builder.graceful_shutdown_signal();
    let server = builder
        .workers(workers)
        .max_concurrent_connections(network::connections_per_worker(workers))
        .shutdown_timeout(SHUTDOWN_SECONDS)
        .disable_signals()
        .listen("http", listener, move || {
            let app = App::new()
                .configure(|config| {
                    shared.provide(config);
                    if let Some(certificate) = &certificate {
                        config.app_data(Data::from(Arc::clone(certificate)));
                    }
                })
                .app_data(QueryConfig::default().error_handler(|_, request| refusals::invalid(request, "query")))
                .app_data(PathConfig::default().error_handler(|_, request| refusals::invalid(request, "path")))
                .service(calendar::service(&shared.base.config.calendar))
                .service(all_but_the_calendar(&shared.base.config))
                .default_service(web::to(fallback))
                .wrap(from_fn(request::around));
            let app = WorkerApp::new(app.into_factory());
            let stopping = stopping.clone();
            let http = HttpService::build()
                .graceful_shutdown_signal(move || {
                    let stopping = stopping.clone();
                    async move { stopping.notified().await }
                })
                .client_request_timeout(HEAD_TIMEOUT)
                .client_disconnect_timeout(DISCONNECT_TIMEOUT)
                .keep_alive(KEEP_ALIVE)
                .local_addr(address)
                .upgrade(app.upgrades())
                .on_connect_ext(entrance::mark)
                .h1(app.requests());
            let entrance = Arc::clone(&entrance);
            let taken = fn_service(move |stream: TcpStream| {
                let entrance = Arc::clone(&entrance);
                async move { entrance.take(stream).await.map_err(DispatchError::Io) }
            });
            apply_fn_factory(taken.and_then(http), |stream: TcpStream, served| {
                unbroken::connection(served.call(stream))
            })
        })?
        .run();
    let handle = server.handle();
    rt::spawn(server);
    Ok(handle)
}

/// Starts a task that goes on until the server ends, with a clock of its own.
fn watch(clock: Clock, task: impl AsyncFnOnce(&Clock) + 'static) -> rt::task::JoinHandle<()> {
    rt::spawn(async move { task(&clock).await })
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
