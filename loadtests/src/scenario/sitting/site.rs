//! The servers of a run: those at the addresses that were given, or three of its own behind HAProxy.

use super::SittingOptions;
use crate::balancer::LoadBalancer;
use crate::failure::Failure;
use crate::fleet::{Fleet, RoundRobin, SERVERS, ServerProgram};
use crate::metrics::ServerReading;
use crate::output;
use crate::server::Server;
use crate::written_pages::WrittenPages;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// The server that is killed, and the one that is frozen.
const KILLED: usize = 0;
const FROZEN: usize = 1;
/// Longest wait for the figures of one server.
const READING_LIMIT: Duration = Duration::from_secs(2);

pub struct Site {
    students: Arc<RoundRobin>,
    pub token: String,
    pub database: Option<WrittenPages>,
    fleet: Option<Fleet>,
    _balancer: Option<LoadBalancer>,
}

impl Site {
    pub async fn open(url: &str, options: &SittingOptions) -> Result<Self, Failure> {
        let (fleet, balancer) = if options.outage { own_servers(options).await? } else { (None, None) };
        let addresses = match &balancer {
            Some(balancer) => vec![balancer.url.clone()],
            None if options.targets.is_empty() => vec![url.to_owned()],
            None => options.targets.clone(),
        };
        let mut members = Vec::new();
        for address in addresses {
            members.push(Server::at(&address).await?);
        }
        let token = match (&fleet, &options.token) {
            (Some(fleet), _) => fleet.admin_token().await?,
            (None, Some(token)) => token.clone(),
            (None, None) => return Err("--token is needed: examhall token create … --role admin".into()),
        };
        let database = match &options.database_url {
            Some(url) => WrittenPages::of(url).await?,
            None => None,
        };
        Ok(Self { students: Arc::new(RoundRobin::of(members)), token, database, fleet, _balancer: balancer })
    }

    /// Where candidates connect.
    pub fn students(&self) -> Arc<RoundRobin> {
        Arc::clone(&self.students)
    }

    /// The figures of all servers that work throughout, added up.
    pub async fn reading(&self) -> ServerReading {
        let members = match &self.fleet {
            Some(fleet) => fleet.servers.members(),
            None => self.students.members(),
        };
        let is_up = |number: &usize| self.fleet.is_none() || *number != KILLED && *number != FROZEN;
        let mut sum = ServerReading::default();
        for (_, server) in members.iter().enumerate().filter(|(number, _)| is_up(number)) {
            sum = sum.plus(timeout(READING_LIMIT, ServerReading::take(server)).await.unwrap_or_default());
        }
        sum
    }

    /// Kills one server and freezes another one.
    pub async fn break_servers(&mut self) -> Result<(), Failure> {
        let Some(fleet) = &mut self.fleet else { return Ok(()) };
        fleet.freeze(FROZEN).await?;
        fleet.kill(KILLED).await?;
        output::progress(&format!("Server {KILLED} is killed, server {FROZEN} is frozen, of {SERVERS}"));
        Ok(())
    }

    /// The frozen server goes on, with what it believes.
    pub async fn thaw(&self) -> Result<(), Failure> {
        match &self.fleet {
            Some(fleet) => fleet.thaw(FROZEN).await,
            None => Ok(()),
        }
    }
}

async fn own_servers(options: &SittingOptions) -> Result<(Option<Fleet>, Option<LoadBalancer>), Failure> {
    let (Some(database_url), Some(redis_url)) = (&options.database_url, &options.redis_url) else {
        return Err("--outage needs --database-url and --redis-url".into());
    };
    let fleet = Fleet::start(ServerProgram::of(&options.server, database_url, redis_url)?, SERVERS).await?;
    let sockets = (options.candidates + options.neighbours) as usize;
    let balancer = LoadBalancer::before(&fleet.addresses(), &options.haproxy, sockets).await?;
    Ok((Some(fleet), Some(balancer)))
}
