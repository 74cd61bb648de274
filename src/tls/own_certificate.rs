//! This server's own certificate, for those without a proxy. It is read again when its files change: what is new counts
//! from the next connection on, and what can't be used changes nothing.

mod pair;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwap;
use rustls::ServerConfig;
use rustls::crypto::ring::{self, Ticketer};
use rustls::pki_types::ServerName;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use tokio::sync::Notify;
use url::Url;

use crate::clock::Clock;
use crate::config::CertificateFiles;
use crate::telemetry::Metrics;
pub use pair::{CertificateFault, CertificateState};
use pair::{Pair, host_of};

/// How often the files are looked at, beside SIGHUP.
const LOOK_EVERY: Duration = Duration::from_secs(60);
/// The time before the end of a certificate in which a warning says so.
const WARNED_SECONDS: i64 = 14 * DAY_SECONDS;
/// How often it says so again.
const WARN_EVERY_SECONDS: i64 = DAY_SECONDS;
const DAY_SECONDS: i64 = 24 * 3_600;
/// How long browsers are told to come by TLS alone: half a year, and no longer than the certificate lasts.
const BY_TLS_ALONE_SECONDS: i64 = 180 * DAY_SECONDS;

/// The certificate in use, and where a newer one will be.
pub struct OwnCertificate {
    files: CertificateFiles,
    address: PublicAddress,
    in_use: Arc<ArcSwap<Pair>>,
    seen: Mutex<Seen>,
    wake: Notify,
    metrics: Arc<Metrics>,
    clock: Clock,
}

/// Where browsers find the server.
struct PublicAddress {
    /// `None` when no certificate could name it.
    host: Option<ServerName<'static>>,
    /// Whether it is that of `https://` without a port.
    has_standard_port: bool,
}

#[derive(Default)]
struct Seen {
    /// What was said last of files that can't be used, so that each fault is said once.
    fault: Option<String>,
    /// When a warning last said that the certificate ends, in seconds since 1970.
    warned: Option<i64>,
}

/// Hands the certificate in use to a handshake, whatever name the client asks for.
#[derive(Debug)]
struct InUse(Arc<ArcSwap<Pair>>);

impl ResolvesServerCert for InUse {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0.load().certified))
    }
}

impl PublicAddress {
    fn of(auth_url: &str) -> Self {
        let url = Url::parse(auth_url).ok();
        Self {
            host: url.as_ref().and_then(host_of),
            has_standard_port: url.is_some_and(|url| url.scheme() == "https" && url.port().is_none()),
        }
    }
}

impl OwnCertificate {
    /// Reads it. One that has ended, or that is for another host than that of `AUTH_URL`, is used all the same, since
    /// an exam must not wait for it: browsers say so, and the log.
    ///
    /// # Errors
    /// When the files have no certificate with its key.
    pub fn open(
        files: CertificateFiles,
        auth_url: &str,
        metrics: Arc<Metrics>,
        clock: Clock,
    ) -> Result<Self, CertificateFault> {
        let address = PublicAddress::of(auth_url);
        let pair = Pair::read(&files, address.host.as_ref())?;
        let state = pair.state;
        metrics.edge.set_certificate_end(files.chain.display().to_string(), state.ends);
        let in_use = Arc::new(ArcSwap::from_pointee(pair));
        let own = Self { files, address, in_use, seen: Mutex::default(), wake: Notify::new(), metrics, clock };
        own.warn_of_doubts(&state);
        own.warn_of_end();
        Ok(own)
    }

    /// For how many seconds from now browsers are to come by TLS alone (`Strict-Transport-Security`): not at all once
    /// the certificate has ended, since they let nobody through then who could click on otherwise. `None` where they
    /// come by a port of its own: what they are told counts for every port of the host, which others may serve.
    #[must_use]
    pub fn by_tls_alone_seconds(&self) -> Option<i64> {
        let left = || (self.in_use.load().state.ends - self.now()).clamp(0, BY_TLS_ALONE_SECONDS);
        self.address.has_standard_port.then(left)
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
        match Pair::read(&self.files, self.address.host.as_ref()).and_then(|pair| self.take(pair)) {
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

    /// Uses what was read, unless it is what is in use, or browsers would refuse it and do not refuse that.
    fn take(&self, pair: Pair) -> Result<(), CertificateFault> {
        let file = self.files.chain.display().to_string();
        let now = self.now();
        let (state, in_use) = (pair.state, self.in_use.load_full());
        if in_use.digest == pair.digest {
            return Ok(());
        }
        if state.ends <= now && in_use.state.ends > now {
            return Err(CertificateFault::Ended(file));
        }
        if in_use.state.is_valid(now) && state.begins > now {
            return Err(CertificateFault::NotYet(file));
        }
        if in_use.state.is_valid(now) && in_use.state.names_host && !state.names_host {
            return Err(CertificateFault::OtherName(file));
        }
        self.in_use.store(Arc::new(pair));
        *self.seen() = Seen::default();
        tracing::info!(%file, days = (state.ends - now) / DAY_SECONDS, "a new certificate is in use");
        self.warn_of_doubts(&state);
        self.metrics.edge.set_certificate_end(file, state.ends);
        Ok(())
    }

    /// Says once of a certificate what browsers may not like.
    fn warn_of_doubts(&self, state: &CertificateState) {
        let file = self.files.chain.display();
        if state.begins > self.now() {
            tracing::warn!(%file, "the certificate is not valid yet, and browsers refuse it");
        }
        for doubt in state.doubts() {
            tracing::warn!(%file, "the certificate is used, but {doubt}");
        }
    }

    fn warn_of_end(&self) {
        let (file, now, ends) = (self.files.chain.display(), self.now(), self.in_use.load().state.ends);
        let mut seen = self.seen();
        let is_due = seen.warned.is_none_or(|warned| now - warned >= WARN_EVERY_SECONDS);
        if ends - now > WARNED_SECONDS || !is_due {
            return;
        }
        seen.warned = Some(now);
        let days = (ends - now) / DAY_SECONDS;
        if ends <= now {
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

/// Looks at the certificate in these files, for a server at `auth_url`, without using it.
///
/// # Errors
/// When it can't be used.
pub fn look_at(files: &CertificateFiles, auth_url: &str) -> Result<CertificateState, CertificateFault> {
    Pair::read(files, PublicAddress::of(auth_url).host.as_ref()).map(|pair| pair.state)
}

#[cfg(test)]
mod tests {
    use rcgen::{CertificateParams, KeyPair, date_time_ymd};
    use tempfile::TempDir;

    use super::*;

    /// 2 January 2030.
    const BEGINS: i64 = 1_893_542_400;
    /// 2 January 2040.
    const ENDS: i64 = 2_209_075_200;

    /// A certificate for `exam.example`, from 2030 to 2040, in a server that is found at this address.
    fn at(auth_url: &str) -> (OwnCertificate, TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let files = CertificateFiles { chain: folder.path().join("exam.crt"), key: folder.path().join("exam.key") };
        put(&files, "exam.example", [2030, 2040]);
        (OwnCertificate::open(files, auth_url, Arc::default(), Clock::movable()).unwrap(), folder)
    }

    /// Puts a certificate there that is valid from 2 January of one year to that of another.
    fn put(files: &CertificateFiles, host: &str, [begin, end]: [i32; 2]) {
        let key = KeyPair::generate().unwrap();
        let mut parameters = CertificateParams::new(vec![host.to_owned()]).unwrap();
        parameters.not_before = date_time_ymd(begin, 1, 2);
        parameters.not_after = date_time_ymd(end, 1, 2);
        std::fs::write(&files.chain, parameters.self_signed(&key).unwrap().pem()).unwrap();
        std::fs::write(&files.key, key.serialize_pem()).unwrap();
    }

    fn move_to(own: &OwnCertificate, seconds: i64) {
        let ahead = u64::try_from(seconds - own.now()).unwrap();
        own.clock.advance(Duration::from_secs(ahead));
    }

    #[test]
    fn nobody_is_held_to_tls_for_longer_than_the_certificate_lasts() {
        let (own, _folder) = at("https://exam.example");
        assert_eq!(own.by_tls_alone_seconds(), Some(BY_TLS_ALONE_SECONDS));
        move_to(&own, ENDS - BY_TLS_ALONE_SECONDS - 3_600);
        assert_eq!(own.by_tls_alone_seconds(), Some(BY_TLS_ALONE_SECONDS));
        move_to(&own, ENDS - 3_600);
        let left = own.by_tls_alone_seconds().unwrap();
        assert!((3_500..=3_600).contains(&left), "{left}");
        move_to(&own, ENDS + 3_600);
        assert_eq!(own.by_tls_alone_seconds(), Some(0));
    }

    #[test]
    fn nothing_is_said_of_ports_that_others_may_serve() {
        for (address, is_told) in [
            ("https://exam.example", true),
            ("https://exam.example:443/hall", true),
            ("https://exam.example:8443", false),
            ("https://127.0.0.1:8443", false),
        ] {
            assert_eq!(at(address).0.by_tls_alone_seconds().is_some(), is_told, "{address}");
        }
    }

    #[test]
    fn what_browsers_would_refuse_replaces_nothing_that_they_accept() {
        let (own, _folder) = at("https://exam.example");
        move_to(&own, BEGINS + 3_600);
        let refused = || own.metrics.edge.certificates_refused.get();
        let is_first = || own.in_use.load().state.ends == ENDS;
        for (count, host, years) in [
            (1, "exam.example", [2020, 2025]),
            (2, "elsewhere.example", [2020, 2050]),
            (3, "exam.example", [2035, 2050]),
        ] {
            put(&own.files, host, years);
            own.look(false);
            own.look(false);
            assert_eq!((refused(), is_first()), (count, true), "{host}");
        }
        // In 2036 it is used by itself.
        move_to(&own, BEGINS + 6 * 366 * DAY_SECONDS);
        own.look(false);
        assert_eq!((refused(), is_first()), (3, false));
        // Once that has ended as well, anything is as good.
        move_to(&own, BEGINS + 21 * 366 * DAY_SECONDS);
        put(&own.files, "exam.example", [2060, 2070]);
        own.look(false);
        assert_eq!((refused(), own.in_use.load().state.is_valid(own.now())), (3, false));
        put(&own.files, "elsewhere.example", [2020, 2080]);
        own.look(false);
        assert_eq!((refused(), own.in_use.load().state.names_host), (3, false));
    }

    #[test]
    fn it_is_valid_between_its_begin_and_its_end() {
        let (own, _folder) = at("https://exam.example");
        let state = own.in_use.load().state;
        assert_eq!((state.begins, state.ends), (BEGINS, ENDS));
        let valid = [BEGINS - 1, BEGINS, ENDS - 1, ENDS].map(|now| state.is_valid(now));
        assert_eq!(valid, [false, true, true, false]);
    }
}
