//! Certificates that tests make for a server without a proxy, and clients that believe them.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;

use chrono::{Datelike, NaiveDate, TimeDelta, Utc};
use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

/// The name that is in each of them, unless a test says otherwise.
const NAME: &str = "localhost";

/// A certificate that has signed itself, in PEM.
pub struct OwnSigned {
    pub certificate: String,
    pub key: String,
    /// When it ends, in seconds since 1970.
    pub ends: i64,
}

impl OwnSigned {
    /// One that ends at the beginning of the day in so many days.
    pub fn for_days(days: i64) -> Self {
        Self::between(-20 * 365, days, NAME)
    }

    /// One that is valid from the beginning of one day to that of another, each in so many days, for a host.
    pub fn between(begin_days: i64, end_days: i64, host: &str) -> Self {
        let [begin, end] = [begin_days, end_days].map(|days| (Utc::now() + TimeDelta::days(days)).date_naive());
        let mut parameters = CertificateParams::new(vec![host.to_owned()]).unwrap();
        let part = |part: u32| u8::try_from(part).unwrap();
        let midnight = |day: NaiveDate| date_time_ymd(day.year(), part(day.month()), part(day.day()));
        (parameters.not_before, parameters.not_after) = (midnight(begin), midnight(end));
        let key = KeyPair::generate().unwrap();
        let certificate = parameters.self_signed(&key).unwrap().pem();
        let ends = end.and_hms_opt(0, 0, 0).unwrap().and_utc().timestamp();
        Self { certificate, key: key.serialize_pem(), ends }
    }

    /// Writes it to a folder; returns the settings that name it.
    pub fn put_into(&self, folder: &Path) -> [(&'static str, String); 3] {
        let (certificate, key) = (folder.join("exam.crt"), folder.join("exam.key"));
        std::fs::write(&certificate, &self.certificate).unwrap();
        std::fs::write(&key, &self.key).unwrap();
        [
            ("TLS_CERTIFICATE", certificate.display().to_string()),
            ("TLS_KEY", key.display().to_string()),
            ("AUTH_URL", format!("https://{NAME}")),
        ]
    }

    /// Begins TLS on a connection, as someone who believes this certificate alone.
    pub async fn encrypt(&self, stream: TcpStream) -> std::io::Result<TlsStream<TcpStream>> {
        TlsConnector::from(self.client_config()).connect(ServerName::try_from(NAME).unwrap(), stream).await
    }

    /// Makes a handshake, sends this as the last of it, and ends its side of the connection at once, without the
    /// farewell of TLS: all that it sends after its first words is there when the server reads it. Returns the answer.
    pub async fn answer_to_last_words(&self, mut stream: TcpStream, words: &[u8]) -> Vec<u8> {
        let mut client = ClientConnection::new(self.client_config(), ServerName::try_from(NAME).unwrap()).unwrap();
        // Sent behind the last part of the handshake, as soon as there is one.
        client.writer().write_all(words).unwrap();
        let (mut arrived, mut answered, mut is_ended) = ([0; 16 * 1_024], Vec::new(), false);
        loop {
            let mut sent = Vec::new();
            while client.wants_write() {
                client.write_tls(&mut sent).unwrap();
            }
            stream.write_all(&sent).await.unwrap();
            if !client.is_handshaking() && !is_ended {
                stream.shutdown().await.unwrap();
                is_ended = true;
            }
            let count = stream.read(&mut arrived).await.unwrap_or_default();
            let mut rest = &arrived[..count];
            while !rest.is_empty() {
                client.read_tls(&mut rest).unwrap();
                client.process_new_packets().unwrap();
                // Until nothing more of it is there yet.
                let _ = client.reader().read_to_end(&mut answered);
            }
            if count == 0 {
                return answered;
            }
        }
    }

    fn client_config(&self) -> Arc<ClientConfig> {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(self.certificate.as_bytes()).unwrap()).unwrap();
        let versions = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()));
        let builder = versions.with_safe_default_protocol_versions().unwrap();
        Arc::new(builder.with_root_certificates(roots).with_no_client_auth())
    }
}
