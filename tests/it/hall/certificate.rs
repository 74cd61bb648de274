//! Certificates that tests make for a server without a proxy, and clients that believe them.

use std::path::Path;
use std::sync::Arc;

use chrono::{Datelike, TimeDelta, Utc};
use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

/// The name that is in each of them.
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
        let day = (Utc::now() + TimeDelta::days(days)).date_naive();
        let mut parameters = CertificateParams::new(vec![NAME.to_owned()]).unwrap();
        let (month, day_of_month) = (u8::try_from(day.month()).unwrap(), u8::try_from(day.day()).unwrap());
        parameters.not_after = date_time_ymd(day.year(), month, day_of_month);
        let key = KeyPair::generate().unwrap();
        let certificate = parameters.self_signed(&key).unwrap().pem();
        let ends = day.and_hms_opt(0, 0, 0).unwrap().and_utc().timestamp();
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
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(self.certificate.as_bytes()).unwrap()).unwrap();
        let versions = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()));
        let builder = versions.with_safe_default_protocol_versions().unwrap();
        let config = builder.with_root_certificates(roots).with_no_client_auth();
        TlsConnector::from(Arc::new(config)).connect(ServerName::try_from(NAME).unwrap(), stream).await
    }
}
