//! A certificate with its key, as read from its files, and what is wrong with it or may be.

use std::fs::File;
use std::io::{self, Read};
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;

use rustls::InconsistentKeys;
use rustls::client::verify_server_name;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::server::ParsedCertificate;
use rustls::sign::CertifiedKey;
use sha2::{Digest, Sha256};
use thiserror::Error as ThisError;
use url::{Host, Url};
use x509_cert::Certificate;
use x509_cert::der::Decode;

use crate::config::CertificateFiles;

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
    /// The key goes with another certificate of the file than the first.
    #[error("{0} must begin with the server's own certificate, and has it after another")]
    Order(String),
    #[error("{0} has ended, and the certificate in use has not")]
    Ended(String),
    #[error("{0} is not valid yet, and the certificate in use is: it is used once it is valid")]
    NotYet(String),
    #[error("{0} does not name the host of AUTH_URL, and the certificate in use does")]
    OtherName(String),
    #[error("TLS cannot be set up: {0}")]
    Setup(#[from] rustls::Error),
}

/// What browsers will make of a certificate that can be used.
#[derive(Clone, Copy, Debug)]
pub struct CertificateState {
    /// In seconds since 1970.
    pub begins: i64,
    /// In seconds since 1970.
    pub ends: i64,
    /// Whether it is for the host of `AUTH_URL`.
    pub names_host: bool,
    chain: Chain,
}

/// How the certificates of a file stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chain {
    /// Each is signed by the next, as far as names tell.
    Whole,
    /// There is one alone, which another has signed.
    Alone,
    Broken,
}

/// A certificate with its key.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) certified: Arc<CertifiedKey>,
    pub(super) state: CertificateState,
    /// Of both files.
    pub(super) digest: [u8; 32],
}

impl CertificateState {
    /// Whether it is between its begin and its end.
    pub(super) const fn is_valid(&self, now: i64) -> bool {
        self.begins <= now && now < self.ends
    }

    /// What browsers, or some of them, may not like, apart from its time. Each is said of the certificate.
    #[must_use]
    pub fn doubts(&self) -> Vec<&'static str> {
        let name = (!self.names_host).then_some("it does not name the host of AUTH_URL");
        let chain = match self.chain {
            Chain::Whole => None,
            Chain::Alone => Some(
                "it is alone in its file, so many telephones refuse it unless its authority is one that they know by \
                 itself (certbot's fullchain.pem has the certificates between)",
            ),
            Chain::Broken => Some("the certificates in its file do not follow each other, each signed by the next"),
        };
        name.into_iter().chain(chain).collect()
    }
}

impl Pair {
    /// Reads the files. A host that is not known is taken to be named.
    pub(super) fn read(files: &CertificateFiles, host: Option<&ServerName<'_>>) -> Result<Self, CertificateFault> {
        let (chain, key) = (read(&files.chain)?, read(&files.key)?);
        let (chain_file, key_file) = (files.chain.display().to_string(), files.key.display().to_string());
        let digest = Sha256::new().chain_update(Sha256::digest(&chain)).chain_update(Sha256::digest(&key)).finalize();
        let certificates: Vec<_> = CertificateDer::pem_slice_iter(&chain)
            .collect::<Result<_, _>>()
            .map_err(|_| CertificateFault::NoCertificate(chain_file.clone()))?;
        let state = state_of(&certificates, host, &chain_file)?;
        let key = PrivateKeyDer::from_pem_slice(&key).map_err(|_| CertificateFault::NoKey(key_file.clone()))?;
        let key = ring::default_provider().key_provider.load_private_key(key);
        let key = key.map_err(|error| CertificateFault::Mismatch(key_file.clone(), error))?;
        let certified = CertifiedKey::new(certificates, key);
        match certified.keys_match() {
            // Kinds of keys that cannot tell are taken at their word.
            Ok(()) | Err(rustls::Error::InconsistentKeys(InconsistentKeys::Unknown)) => {}
            Err(_) if is_of_later(&certified) => return Err(CertificateFault::Order(chain_file)),
            Err(error) => return Err(CertificateFault::Mismatch(key_file, error)),
        }
        Ok(Self { certified: Arc::new(certified), state, digest: digest.into() })
    }
}

/// The host of an address, as certificates name it.
pub(super) fn host_of(address: &Url) -> Option<ServerName<'static>> {
    match address.host()? {
        Host::Domain(name) => ServerName::try_from(name.to_owned()).ok(),
        Host::Ipv4(address) => Some(IpAddr::V4(address).into()),
        Host::Ipv6(address) => Some(IpAddr::V6(address).into()),
    }
}

fn state_of(
    certificates: &[CertificateDer<'_>],
    host: Option<&ServerName<'_>>,
    file: &str,
) -> Result<CertificateState, CertificateFault> {
    let Some(first) = certificates.first() else { return Err(CertificateFault::NoCertificate(file.to_owned())) };
    let malformed = || CertificateFault::Malformed(file.to_owned());
    let own = Certificate::from_der(first).map_err(|_| malformed())?;
    let validity = own.tbs_certificate().validity();
    let parsed = ParsedCertificate::try_from(first).map_err(|_| malformed())?;
    let seconds = |time: x509_cert::time::Time| i64::try_from(time.to_unix_duration().as_secs()).unwrap_or(i64::MAX);
    Ok(CertificateState {
        begins: seconds(validity.not_before),
        ends: seconds(validity.not_after),
        names_host: host.is_none_or(|host| verify_server_name(&parsed, host).is_ok()),
        chain: Chain::of(certificates),
    })
}

impl Chain {
    /// By names alone, since the authority that browsers believe is not in the file.
    fn of(certificates: &[CertificateDer<'_>]) -> Self {
        let parsed: Option<Vec<_>> = certificates.iter().map(|der| Certificate::from_der(der).ok()).collect();
        let is_signed_by = |one: &Certificate, other: &Certificate| {
            one.tbs_certificate().issuer() == other.tbs_certificate().subject()
        };
        match parsed.as_deref() {
            Some([alone]) if !is_signed_by(alone, alone) => Self::Alone,
            Some(all) if all.iter().zip(all.iter().skip(1)).all(|(one, next)| is_signed_by(one, next)) => Self::Whole,
            _ => Self::Broken,
        }
    }
}

/// Whether the key goes with a certificate after the first.
fn is_of_later(certified: &CertifiedKey) -> bool {
    let goes_with = |certificate: &CertificateDer<'static>| {
        CertifiedKey::new(vec![certificate.clone()], Arc::clone(&certified.key)).keys_match().is_ok()
    };
    certified.cert.iter().skip(1).any(goes_with)
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

#[cfg(test)]
mod tests {
    use rcgen::{Certificate as Made, CertificateParams, DnType, Issuer, KeyPair};
    use tempfile::TempDir;

    use super::*;

    /// A server's certificate that an authority between has signed, whose own an authority has signed.
    struct School {
        own: Made,
        own_key: KeyPair,
        between: Made,
        authority: Made,
    }

    fn parameters(name: &str) -> CertificateParams {
        let mut parameters = CertificateParams::new(vec!["exam.school.example".to_owned()]).unwrap();
        parameters.distinguished_name.push(DnType::CommonName, name);
        parameters
    }

    fn school() -> School {
        let [own_key, between_key, authority_key] = [(); 3].map(|()| KeyPair::generate().unwrap());
        let authority = parameters("authority").self_signed(&authority_key).unwrap();
        let signing = Issuer::new(parameters("authority"), authority_key);
        let between = parameters("between").signed_by(&between_key, &signing).unwrap();
        let signing = Issuer::new(parameters("between"), between_key);
        let own = parameters("own").signed_by(&own_key, &signing).unwrap();
        School { own, own_key, between, authority }
    }

    fn read_with(chain: &[&Made], key: &KeyPair, address: &str) -> Result<Pair, CertificateFault> {
        let folder = TempDir::new().unwrap();
        let files = CertificateFiles { chain: folder.path().join("exam.crt"), key: folder.path().join("exam.key") };
        std::fs::write(&files.chain, chain.iter().map(|made| made.pem()).collect::<Vec<_>>().concat()).unwrap();
        std::fs::write(&files.key, key.serialize_pem()).unwrap();
        Pair::read(&files, host_of(&Url::parse(address).unwrap()).as_ref())
    }

    #[test]
    fn a_chain_is_whole_or_doubted() {
        let School { own, own_key, between, authority } = school();
        let doubts = |chain: &[&Made]| {
            read_with(chain, &own_key, "https://exam.school.example").unwrap().state.doubts().join(" ")
        };
        assert_eq!(doubts(&[&own, &between]), "");
        assert_eq!(doubts(&[&own, &between, &authority]), "");
        assert!(doubts(&[&own]).starts_with("it is alone in its file"));
        assert!(doubts(&[&own, &authority]).contains("do not follow each other"));
        assert!(doubts(&[&own, &authority, &between]).contains("do not follow each other"));
        let key = KeyPair::generate().unwrap();
        let alone = parameters("own").self_signed(&key).unwrap();
        let read = read_with(&[&alone], &key, "https://exam.school.example").unwrap();
        assert!(read.state.doubts().is_empty(), "it has signed itself, so nothing is missing");
    }

    #[test]
    fn a_chain_in_the_wrong_order_is_called_one() {
        let School { own, own_key, between, .. } = school();
        let read = |chain: &[&Made], key: &KeyPair| read_with(chain, key, "https://exam.school.example").unwrap_err();
        assert!(matches!(read(&[&between, &own], &own_key), CertificateFault::Order(_)));
        let other = KeyPair::generate().unwrap();
        assert!(matches!(read(&[&between, &own], &other), CertificateFault::Mismatch(..)));
    }

    #[test]
    fn it_is_for_the_host_of_the_address_or_doubted() {
        let School { own, own_key, between, .. } = school();
        for (address, names_host) in [
            ("https://exam.school.example", true),
            ("https://exam.school.example:8443/hall", true),
            ("https://other.school.example", false),
            ("https://192.0.2.7", false),
            ("https://[2001:db8::7]", false),
        ] {
            let state = read_with(&[&own, &between], &own_key, address).unwrap().state;
            assert_eq!((state.names_host, state.doubts().is_empty()), (names_host, names_host), "{address}");
        }
    }
}
