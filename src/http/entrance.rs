//! The way in of every connection: whose it is, if a proxy in front says so first, and TLS, if this server has a
//! certificate of its own. What comes after is HTTP's.

mod named_client;
pub mod wire;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use actix_web::rt::net::TcpStream;
use ipnet::IpNet;
use rustls::ServerConfig;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use super::client_address::is_trusted;
use super::network;
use crate::config::Config;
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
}

impl Entrance {
    #[must_use]
    pub fn new(config: &Config, tls: Option<ServerConfig>) -> Self {
        let proxies = config.edge.proxy_protocol.then(|| config.server.trusted_proxies.clone());
        Self { proxies, tls: tls.map(|tls| TlsAcceptor::from(Arc::new(tls))) }
    }

    /// Takes a connection in. Returns it with the address of its peer: of the client that a proxy names, or of who has
    /// connected.
    ///
    /// # Errors
    /// When the header or the handshake is wrong, or takes too long. The connection is closed then.
    pub async fn take(&self, stream: TcpStream) -> io::Result<(Wire, Option<SocketAddr>)> {
        network::prepare(&stream);
        let taken = self.open(stream).await;
        if let Err(error) = &taken {
            tracing::debug!(%error, "a connection was closed before its first request");
        }
        taken
    }

    async fn open(&self, mut stream: TcpStream) -> io::Result<(Wire, Option<SocketAddr>)> {
        let peer = self.peer_of(&mut stream).await?;
        let Some(tls) = &self.tls else { return Ok((Wire::Plain(stream), peer)) };
        // In a box, since a connection without TLS would have room for it as long as it lasts.
        let encrypted = timeout(HANDSHAKE_WITHIN, Box::pin(tls.accept(stream))).await??;
        Ok((Wire::Encrypted(Box::new(encrypted)), peer))
    }

    /// The client that a proxy names, or who has connected: a proxy that names nobody speaks for itself, as when it
    /// checks whether this server is there.
    async fn peer_of(&self, stream: &mut TcpStream) -> io::Result<Option<SocketAddr>> {
        let Ok(peer) = stream.peer_addr() else { return Ok(None) };
        let address = peer.ip().to_canonical();
        let is_proxy = self.proxies.as_ref().is_some_and(|proxies| is_trusted(address, proxies));
        if !is_proxy {
            return Ok(Some(peer));
        }
        let named = timeout(HEADER_WITHIN, Box::pin(named_client::read(stream))).await??;
        let Some(client) = named else { return Ok(Some(peer)) };
        // On the machine of the proxy, which is not this one.
        if client.ip().to_canonical().is_loopback() && !address.is_loopback() {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a proxy elsewhere names a loopback address"));
        }
        Ok(Some(client))
    }
}
