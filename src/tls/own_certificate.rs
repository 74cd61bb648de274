//! This server's own certificate, for those without a proxy. It is read again when its files change: what is new counts
//! from the next connection on, and what can't be used changes nothing.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwap;
use rustls::ServerConfig;
use rustls::crypto::ring::{self, Ticketer};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use sha2::{Digest, Sha256};
use thiserror::Error as ThisError;
use tokio::sync::Notify;
use x509_cert::Certificate;
use x509_cert::der::Decode;

use crate::clock::Clock;
use crate::config::CertificateFiles;
use crate::telemetry::Metrics;

/// How often the files are looked at, beside SIGHUP.
const LOOK_EVERY: Duration = Duration::from_secs(60);
/// The time before the end of a certificate in which a warning says so.
const WARNED_SECONDS: i64 = 14 * DAY_SECONDS;
/// How often it says so again.
const WARN_EVERY_SECONDS: i64 = DAY_SECONDS;
const DAY_SECONDS: i64 = 24 * 3_600;
/// Bytes of one of the files: a chain has a few thousand.
const FILE_BYTES_MAX: u64 = 256 * 1_024;

/// Why a certificate can't be used, in one sentence.
#[derive(Debug, ThisError)]
pub enum CertificateFault {
    #[error("{0} cannot be read: {1}")]
    Unreadable(String, #[source] io::Error),
    #[error("{0} is larger than {FILE_BYTES_MAX} bytes")]
    TooLarge(String),
    #[error("{0} has no certificate in PEM")]
    NoCertificate(String),
    #[error("{0} has no private key in PEM that is not encrypted")]
    NoKey(String),
    #[error("{0} has something that is no certificate")]
    Malformed(String),
    /// The key belongs to another certificate, or is of a kind that is not supported.
    #[error("{0} does not go with the certificate: {1}")]
    Mismatch(String, #[source] rustls::Error),
    #[error("{0} has ended, and the certificate in use has not")]
    Ended(String),
    #[error("TLS cannot be set up: {0}")]
    Setup(#[from] rustls::Error),
}

/// A certificate with its key, as read.
struct Pair {
    certified: CertifiedKey,
    /// In seconds since 1970.
    ends: i64,
    digest: [u8; 32],
}

/// The certificate in use, and where a newer one will be.
pub struct OwnCertificate {
    files: CertificateFiles,
    in_use: Arc<ArcSwap<CertifiedKey>>,
    seen: Mutex<Seen>,
    wake: Notify,
    metrics: Arc<Metrics>,
    clock: Clock,
}

struct Seen {
    /// When the certificate in use ends, in seconds since 1970.
    ends: i64,
    /// Of the files in use.
    digest: [u8; 32],
    /// What was said last of files that can't be used, so that each fault is said once.
    fault: Option<String>,
    /// When a warning last said that the certificate ends, in seconds since 1970.
    warned: Option<i64>,
}

/// Hands the certificate in use to a handshake, whatever name the client asks for.
#[derive(Debug)]
struct InUse(Arc<ArcSwap<CertifiedKey>>);

impl ResolvesServerCert for InUse {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.load_full())
    }
}

impl OwnCertificate {
    /// Reads it. One that has ended is used all the same, since an exam must not wait for it: browsers say so, and the
    /// log.
    ///
    /// # Errors
    /// When the files have no certificate with its key.
    pub fn open(files: CertificateFiles, metrics: Arc<Metrics>, clock: Clock) -> Result<Self, CertificateFault> {
        let Pair { certified, ends, digest } = Pair::read(&files)?;
        metrics.edge.set_certificate_end(files.chain.display().to_string(), ends);
        let own = Self {
            files,
            in_use: Arc::new(ArcSwap::from_pointee(certified)),
            seen: Mutex::new(Seen { ends, digest, fault: None, warned: None }),
            wake: Notify::new(),
            metrics,
            clock,
        };
        own.warn_of_end();
        Ok(own)
    }

    /// What handshakes are made with.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn server_config(&self) -> Result<ServerConfig, CertificateFault> {
        let provider = Arc::new(ring::default_provider());
        let versions = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
        let resolver = Arc::new(InUse(Arc::clone(&self.in_use)));
        let mut config = versions.with_no_client_auth().with_cert_resolver(resolver);
        // Sockets begin as HTTP/1.1, and the server speaks nothing else.
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        // Students who come back after a break of the network need no whole handshake; the server remembers nothing.
        config.ticketer = Ticketer::new()?;
        Ok(config)
    }

    /// Has the files looked at now.
    pub fn look_soon(&self) {
        self.wake.notify_one();
    }

    /// Looks at the files again and again; never returns.
    pub async fn watch(self: Arc<Self>) {
        loop {
            let is_asked = tokio::select! {
                () = self.clock.sleep(LOOK_EVERY) => false,
                () = self.wake.notified() => true,
            };
            let own = Arc::clone(&self);
            if let Err(error) = tokio::task::spawn_blocking(move || own.look(is_asked)).await {
                tracing::error!(%error, "the certificate's files could not be looked at");
            }
        }
    }

    fn look(&self, is_asked: bool) {
        match Pair::read(&self.files).and_then(|pair| self.take(pair)) {
            Ok(()) => self.seen().fault = None,
            Err(fault) => {
                let fault = fault.to_string();
                let is_news = self.seen().fault.replace(fault.clone()).as_ref() != Some(&fault);
                if is_news {
                    self.metrics.edge.certificates_refused.inc();
                }
                if is_news || is_asked {
                    tracing::warn!(%fault, "the new certificate is not used, and the one before stays");
                }
            }
        }
        self.warn_of_end();
    }

    /// Uses what was read, unless it is what is in use.
    fn take(&self, Pair { certified, ends, digest }: Pair) -> Result<(), CertificateFault> {
        let file = self.files.chain.display().to_string();
        let now = self.now();
        let mut seen = self.seen();
        if seen.digest == digest {
            return Ok(());
        }
        if ends <= now && seen.ends > now {
            return Err(CertificateFault::Ended(file));
        }
        self.in_use.store(Arc::new(certified));
        *seen = Seen { ends, digest, fault: None, warned: None };
        drop(seen);
        tracing::info!(%file, days = (ends - now) / DAY_SECONDS, "a new certificate is in use");
        self.metrics.edge.set_certificate_end(file, ends);
        Ok(())
    }

    fn warn_of_end(&self) {
        let (file, now) = (self.files.chain.display(), self.now());
        let mut seen = self.seen();
        let is_due = seen.warned.is_none_or(|warned| now - warned >= WARN_EVERY_SECONDS);
        if seen.ends - now > WARNED_SECONDS || !is_due {
            return;
        }
        seen.warned = Some(now);
        let days = (seen.ends - now) / DAY_SECONDS;
        if seen.ends <= now {
            tracing::warn!(%file, "the certificate has ended, and browsers refuse it");
        } else {
            tracing::warn!(%file, days, "the certificate ends soon");
        }
    }

    fn now(&self) -> i64 {
        self.clock.now().milliseconds() / 1_000
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// When a certificate ends that can be used, in seconds since 1970.
///
/// # Errors
/// When it can't be used.
pub fn end_of(files: &CertificateFiles) -> Result<i64, CertificateFault> {
    Pair::read(files).map(|pair| pair.ends)
}

impl Pair {
    fn read(files: &CertificateFiles) -> Result<Self, CertificateFault> {
        let (chain, key) = (read(&files.chain)?, read(&files.key)?);
        let (chain_file, key_file) = (files.chain.display().to_string(), files.key.display().to_string());
        let digest = Sha256::new().chain_update(Sha256::digest(&chain)).chain_update(Sha256::digest(&key)).finalize();
        let certificates: Vec<_> = CertificateDer::pem_slice_iter(&chain)
            .collect::<Result<_, _>>()
            .map_err(|_| CertificateFault::NoCertificate(chain_file.clone()))?;
        let Some(first) = certificates.first() else { return Err(CertificateFault::NoCertificate(chain_file)) };
        let ends = Certificate::from_der(first)
            .map_err(|_| CertificateFault::Malformed(chain_file))?
            .tbs_certificate()
            .validity()
            .not_after
            .to_unix_duration();
        let key = PrivateKeyDer::from_pem_slice(&key).map_err(|_| CertificateFault::NoKey(key_file.clone()))?;
        let certified = CertifiedKey::from_der(certificates, key, &ring::default_provider())
            .map_err(|error| CertificateFault::Mismatch(key_file, error))?;
        Ok(Self { certified, ends: i64::try_from(ends.as_secs()).unwrap_or(i64::MAX), digest: digest.into() })
    }
}

fn read(path: &Path) -> Result<Vec<u8>, CertificateFault> {
    let unreadable = |error| CertificateFault::Unreadable(path.display().to_string(), error);
    let mut bytes = Vec::new();
    File::open(path).map_err(unreadable)?.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        return Err(CertificateFault::TooLarge(path.display().to_string()));
    }
    Ok(bytes)
}
