//! Trusts the certificates of other servers that the system's authorities have signed. The authorities are read
//! once for the process, because reading them takes milliseconds, and each webhook receiver has a client of its own.

pub mod own_certificate;
pub mod own_server;

use std::sync::{Arc, OnceLock};

use reqwest::{Client, ClientBuilder};
use rustls::ClientConfig;
use rustls::crypto::ring;
use rustls_platform_verifier::BuilderVerifierExt;

/// The settings with the system's authorities. They are kept only after a successful read, so that a failure is tried
/// again.
static CONFIG: OnceLock<ClientConfig> = OnceLock::new();

/// Begins a client that trusts those authorities. The first call reads them.
///
/// # Errors
/// When the system's certificates cannot be used.
pub fn client() -> Result<ClientBuilder, rustls::Error> {
    let config = match CONFIG.get() {
        Some(config) => config.clone(),
        None => {
            let read = read_authorities()?;
            CONFIG.get_or_init(|| read).clone()
        }
    };
    Ok(Client::builder().tls_backend_preconfigured(config))
}

fn read_authorities() -> Result<ClientConfig, rustls::Error> {
    let provider = Arc::new(ring::default_provider());
    let versions = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let mut config = versions.with_platform_verifier()?.with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}
