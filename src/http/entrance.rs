//! The way in of every connection: whose it is, if a proxy in front says so first, and TLS, if this server has a
//! certificate of its own. What comes after is HTTP's.

mod named_client;
mod refusals;
pub mod wire;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use actix_http::Extensions;
use actix_web::rt::net::TcpStream;
use ipnet::IpNet;
use rustls::ServerConfig;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use super::client_address::{ProxyItself, is_trusted};
use super::network;
use crate::config::Config;
use crate::telemetry::Metrics;
use refusals::{RefusalCause, Refusals, RefusedConnection};
use wire::Wire;

/// The time for the header of a proxy, which sends it at once.
const HEADER_WITHIN: Duration = Duration::from_secs(5);
/// The time for a handshake, as long as for the head of a request.
const HANDSHAKE_WITHIN: Duration = Duration::from_secs(10);

/// What each connection goes through.
pub struct Entrance {
    /// With `PROXY_PROTOCOL`: the proxies whose connections begin with a header.
    proxies: Option<Vec<IpNet>>,
    tls: Option<TlsAcceptor>,
    refusals: Refusals,
}

/// Who is at the other end of a connection.
struct Peer {
    /// The client that a proxy names, or who has connected.
    address: Option<SocketAddr>,
    /// Whether a proxy has said that it speaks for itself.
    is_proxy: bool,
}

impl Entrance {
    #[must_use]
    pub fn new(config: &Config, tls: Option<ServerConfig>, metrics: Arc<Metrics>) -> Self {
        let proxies = config.edge.proxy_protocol.then(|| config.server.trusted_proxies.clone());
        let tls = tls.map(|tls| TlsAcceptor::from(Arc::new(tls)));
        Self { proxies, tls, refusals: Refusals::new(metrics) }
    }

    /// Takes a connection in. Returns it with the address of its peer: of the client that a proxy names, or of who has
    /// connected.
    ///
    /// # Errors
    /// When the header or the handshake is wrong, or takes too long. The connection is closed then.
    pub async fn take(&self, mut stream: TcpStream) -> io::Result<(Wire, Option<SocketAddr>)> {
        network::prepare(&stream);
        let connected = stream.peer_addr().ok();
        let taken = match self.peer_of(&mut stream, connected).await {
            Ok(Peer { address, is_proxy }) => self.encrypt(stream).await.map(|wire| (wire.of_proxy(is_proxy), address)),
            Err(refused) => Err(refused),
        };
        taken.map_err(|refused| {
            self.refusals.note(connected.map(|peer| peer.ip().to_canonical()), &refused);
            refused.error
        })
    }

    async fn encrypt(&self, stream: TcpStream) -> Result<Wire, RefusedConnection> {
        let Some(tls) = &self.tls else { return Ok(Wire::plain(stream)) };
        // In a box, since a connection without TLS would have room for it as long as it lasts.
        match timeout(HANDSHAKE_WITHIN, Box::pin(tls.accept(stream))).await {
            Ok(Ok(encrypted)) => Ok(Wire::encrypted(encrypted)),
            Ok(Err(error)) => Err(RefusedConnection::new(RefusalCause::Handshake, error)),
            Err(_) => Err(RefusedConnection::late(RefusalCause::HandshakeTimeout)),
        }
    }

    /// The client that a proxy names, or who has connected: a proxy that names nobody speaks for itself, as when it
    /// checks whether this server is there.
    async fn peer_of(&self, stream: &mut TcpStream, connected: Option<SocketAddr>) -> Result<Peer, RefusedConnection> {
        let itself = |is_proxy| Ok(Peer { address: connected, is_proxy });
        let Some(address) = connected.map(|peer| peer.ip().to_canonical()) else { return itself(false) };
        let is_proxy = self.proxies.as_ref().is_some_and(|proxies| is_trusted(address, proxies));
        if !is_proxy {
            return itself(false);
        }
        let named = match timeout(HEADER_WITHIN, Box::pin(named_client::read(stream))).await {
            Ok(read) => read.map_err(|error| RefusedConnection::new(RefusalCause::Header, error))?,
            Err(_) => return Err(RefusedConnection::late(RefusalCause::HeaderTimeout)),
        };
        let Some(client) = named else { return itself(true) };
        // On the machine of the proxy, which is not this one.
        if client.ip().to_canonical().is_loopback() && !address.is_loopback() {
            let error = io::Error::new(io::ErrorKind::InvalidData, "a proxy elsewhere names a loopback address");
            return Err(RefusedConnection::new(RefusalCause::Loopback, error));
        }
        Ok(Peer { address: Some(client), is_proxy: false })
    }
}

/// Notes with a connection what its requests must know of it.
pub fn mark(wire: &Wire, connection: &mut Extensions) {
    if wire.is_of_proxy() {
        connection.insert(ProxyItself);
    }
}
