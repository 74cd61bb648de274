//! Options of the edge: the server's own certificate, the header of proxies in front, and when work that can wait is
//! put off.

use std::path::PathBuf;
use std::time::Duration;

use super::options::{Options, value};
use super::{ConfigError, ServerConfig};

#[derive(Clone, Debug)]
pub struct EdgeConfig {
    /// The server's own certificate; `None`: it speaks plain HTTP, and TLS ends at a proxy.
    pub certificate: Option<CertificateFiles>,
    /// Whether each connection from a trusted proxy begins with a header of the PROXY protocol.
    pub proxy_protocol: bool,
    /// How late a save may be before work that can wait is refused; `None`: it never is.
    pub shed_after: Option<Duration>,
}

/// Where the server's certificate is, in PEM.
#[derive(Clone, Debug)]
pub struct CertificateFiles {
    /// The certificate of the server, and after it those of the authorities between.
    pub chain: PathBuf,
    pub key: PathBuf,
}

impl Options {
    pub(super) fn edge(&self, server: &ServerConfig) -> Result<EdgeConfig, ConfigError> {
        let certificate = match (self.optional("tls_certificate")?, self.optional("tls_key")?) {
            (Some(chain), Some(key)) => Some(CertificateFiles { chain: chain.into(), key: key.into() }),
            (Some(_), None) => return Err(value("tls_key", "must be set with TLS_CERTIFICATE")),
            (None, Some(_)) => return Err(value("tls_certificate", "must be set with TLS_KEY")),
            (None, None) => None,
        };
        if certificate.is_some() && !server.auth_url.starts_with("https://") {
            return Err(value("auth_url", "must begin with https:// while TLS_CERTIFICATE is set"));
        }
        let proxy_protocol = self.flag("proxy_protocol")?;
        if proxy_protocol && server.trusted_proxies.is_empty() {
            return Err(value("proxy_protocol", "means nothing without TRUSTED_PROXIES, from which alone it is taken"));
        }
        let shed_after_milliseconds = self.number("shed_after_ms")?;
        let shed_after = (shed_after_milliseconds > 0).then(|| Duration::from_millis(shed_after_milliseconds));
        Ok(EdgeConfig { certificate, proxy_protocol, shed_after })
    }
}

#[cfg(test)]
mod tests {
    use super::EdgeConfig;
    use crate::config::Config;

    fn edge(environment: &[(&str, &str)]) -> Result<(EdgeConfig, String), String> {
        let named = |name: &str| environment.iter().find(|(key, _)| *key == name).map(|(_, text)| (*text).to_owned());
        let config = Config::from_environment(named).map_err(|error| error.to_string())?;
        Ok((config.edge, config.server.auth_url))
    }

    #[test]
    fn a_certificate_is_whole_or_not_there_and_means_https() {
        assert!(edge(&[]).unwrap().0.certificate.is_none());
        let whole = [("TLS_CERTIFICATE", "/etc/exam.crt"), ("TLS_KEY", "/etc/exam.key"), ("BIND", "127.0.0.1:8443")];
        let (config, address) = edge(&whole).unwrap();
        assert_eq!(config.certificate.unwrap().key.to_str().unwrap(), "/etc/exam.key");
        assert_eq!(address, "https://127.0.0.1:8443");
        assert!(edge(&whole[..1]).unwrap_err().starts_with("TLS_KEY: "));
        assert!(edge(&whole[1..]).unwrap_err().starts_with("TLS_CERTIFICATE: "));
        let plain = [&whole[..], &[("AUTH_URL", "http://exam.example")]].concat();
        assert!(edge(&plain).unwrap_err().starts_with("AUTH_URL: "));
    }

    #[test]
    fn a_header_of_proxies_needs_proxies() {
        assert!(edge(&[("PROXY_PROTOCOL", "true")]).unwrap_err().starts_with("PROXY_PROTOCOL: "));
        let named = [("PROXY_PROTOCOL", "true"), ("TRUSTED_PROXIES", "10.0.0.1")];
        assert!(edge(&named).unwrap().0.proxy_protocol);
    }

    #[test]
    fn nothing_is_put_off_after_zero() {
        assert_eq!(edge(&[]).unwrap().0.shed_after.unwrap().as_millis(), 1_000);
        assert!(edge(&[("SHED_AFTER_MS", "0")]).unwrap().0.shed_after.is_none());
    }
}
