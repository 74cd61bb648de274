//! Three servers, each its own process, with one PostgreSQL database and one Redis, behind a load balancer.

use futures_util::future::join_all;
use sea_orm::{ConnectionTrait, Database, DbBackend, Statement};
use serde_json::Value;

use super::balancer::Balancer;
use super::postgres::PostgresPair;
use super::process::free_address;
use super::redis::RedisServer;
use super::services::{self, OwnServices};
use super::store::TestStore;
use super::{Caller, Link, Process, Proctor, Settings, token};

/// How many servers there are.
pub const SERVERS: usize = 3;

/// What a test is going to break.
#[derive(Clone, Copy, Default)]
pub struct Setup {
    /// A PostgreSQL of its own, which the test restarts.
    pub own_postgres: bool,
    /// A primary and a synchronous standby of its own, both of which the servers know.
    pub postgres_pair: bool,
    /// A network between servers and Redis that the test disturbs.
    pub linked_redis: bool,
}

/// The servers; everything ends when it is dropped.
pub struct Cluster {
    servers: Vec<Option<Process>>,
    addresses: Vec<String>,
    balancer: Balancer,
    /// The Redis of these servers alone.
    pub redis: RedisServer,
    redis_link: Option<Link>,
    settings: Settings,
    /// An admin's API token.
    pub admin: String,
    // The last fields, so that the database is dropped after the servers.
    own: Option<OwnServices>,
    pair: Option<PostgresPair>,
    _store: TestStore,
}

impl Cluster {
    /// Starts everything. Fails without PostgreSQL, because SQLite supports only one server.
    pub async fn open(setup: Setup) -> Self {
        services::needed();
        let (store, redis) = (TestStore::create().await, RedisServer::open().await);
        let own = if setup.own_postgres { Some(OwnServices::start().await) } else { None };
        let pair = if setup.postgres_pair { Some(PostgresPair::open().await) } else { None };
        if let Some(pair) = &pair {
            pair.make_synchronous().await;
        }
        let redis_link = if setup.linked_redis { Some(Link::to(&redis.address).await) } else { None };
        let redis_url = format!("redis://{}/0", redis_link.as_ref().map_or(&redis.address, |link| &link.address));
        let mut settings = store.settings(&[("REDIS_URL", &redis_url), ("WEBHOOK_ALLOW", "127.0.0.1")]);
        settings.extend(own.iter().map(|own| ("DATABASE_URL".to_owned(), own.database_url.clone())));
        settings.extend(pair.iter().map(|pair| ("DATABASE_URL".to_owned(), pair.url())));
        let addresses: Vec<String> = (0..SERVERS).map(|_| free_address()).collect();
        // The first one alone, because it creates the tables.
        let first = Process::serve_at(&settings, &addresses[0]).await;
        let others = join_all(addresses[1..].iter().map(|address| Process::serve_at(&settings, address))).await;
        let servers = std::iter::once(first).chain(others).map(Some).collect();
        let (balancer, admin) =
            tokio::join!(Balancer::before(&addresses), token::create(&settings, "admin@exam.test", "admin"));
        Self { servers, addresses, balancer, redis, redis_link, settings, admin, own, pair, _store: store }
    }

    /// The settings of the servers.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Where the load balancer listens.
    pub fn base(&self) -> &str {
        self.balancer.base()
    }

    /// Where a server listens.
    pub fn base_of(&self, server: usize) -> String {
        format!("http://{}", self.addresses[server])
    }

    /// A process that runs.
    pub fn server(&self, server: usize) -> &Process {
        self.servers[server].as_ref().expect("the server does not run")
    }

    /// SIGKILL.
    pub async fn kill(&mut self, server: usize) {
        self.servers[server].take().unwrap().kill().await;
    }

    /// SIGTERM; waits for the end, which must be a clean one.
    pub async fn terminate(&mut self, server: usize) {
        let process = self.servers[server].take().unwrap();
        let status = process.terminate().await;
        assert!(status.success(), "{status}");
    }

    /// Starts a server again, at its address.
    pub async fn start(&mut self, server: usize) {
        self.servers[server] = Some(Process::serve_at(&self.settings, &self.addresses[server]).await);
    }

    /// The network between the servers and Redis.
    pub fn redis_link(&self) -> &Link {
        self.redis_link.as_ref().expect("the setup has no network to Redis")
    }

    /// Restarts PostgreSQL, `fast` or `immediate`.
    pub async fn restart_postgres(&self, mode: &str) {
        self.own.as_ref().expect("the setup has no PostgreSQL of its own").restart_postgres(mode).await;
    }

    /// SIGKILL to the primary of the pair, whose standby takes its place.
    pub async fn fail_over(&mut self) {
        self.pair.as_mut().expect("the setup has no pair of PostgreSQL").fail_over().await;
    }

    /// The address of the database's one host that takes writes.
    fn database_url(&self) -> String {
        self.pair.as_ref().map_or_else(|| self.settings["DATABASE_URL"].clone(), PostgresPair::url_of_primary)
    }

    /// A proctor of a room at one server.
    pub async fn proctor(&self, server: usize, room: &Value) -> Proctor {
        Proctor::watching(&self.base_of(server), &self.admin, room).await
    }

    /// Someone without a token, through the load balancer.
    pub fn anonymous(&self) -> Caller {
        Caller::new(self.base(), None)
    }

    /// The number that a query returns.
    pub async fn number(&self, query: &str) -> i64 {
        let connection = Database::connect(self.database_url()).await.unwrap();
        let row = connection.query_one_raw(Statement::from_string(DbBackend::Postgres, query)).await.unwrap().unwrap();
        connection.close().await.unwrap();
        row.try_get_by_index(0).unwrap()
    }

    /// Changes rows without the servers' knowledge; returns how many.
    pub async fn change(&self, statement: &str) -> u64 {
        let connection = Database::connect(self.database_url()).await.unwrap();
        let changed = connection.execute_unprepared(statement).await.unwrap().rows_affected();
        connection.close().await.unwrap();
        changed
    }
}
