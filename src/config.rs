//! Configuration: built-in defaults, then the file that `CONFIG` names, then environment variables. Later sources
//! override earlier ones.

mod access;
mod addresses;
mod calendar;
mod links;
mod log;
mod maintenance;
mod options;
mod seeding;
mod store;

use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono_tz::Tz;
use domain::webhook_target::TargetPolicy;
use ipnet::IpNet;
use thiserror::Error;
use url::{Host, Url};

pub use access::{AccessConfig, ClientResults, ProviderConfig, SignIn};
pub use addresses::external_base_url;
pub use calendar::CalendarConfig;
pub use log::{LogConfig, LogFormat};
pub use maintenance::MaintenanceConfig;
use options::Options;
pub use store::StoreConfig;

/// Every option with its default and a sentence that explains it.
pub const DEFAULTS: &str = include_str!("../config/default.toml");

/// The file of a secret that the server has made.
pub const SECRET_FILE: &str = "auth_secret";

/// A value that is missing or malformed. The message is one sentence that names the option.
#[derive(Debug, Error)]
pub enum ConfigError {
    #[error("{name}: {reason}")]
    Value {
        /// The name of the environment variable.
        name: String,
        reason: String,
    },
    /// A file can't be read, or has an unknown option.
    #[error("CONFIG: {0}")]
    File(String),
}

/// Bytes that must never be logged: `Debug` does not show them.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Vec<u8>);

impl Secret {
    #[must_use]
    pub fn new(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// The bytes themselves. The name makes every use easy to find in a review.
    #[must_use]
    pub fn reveal(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}

/// An address that may contain a password, and so must never be logged.
#[derive(Clone, PartialEq, Eq)]
pub struct Hidden(String);

impl std::ops::Deref for Hidden {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Hidden {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Hidden(…)")
    }
}

/// Where the server listens, and under which address others reach it.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    pub bind: SocketAddr,
    /// Public address, without a slash at its end.
    pub auth_url: String,
    /// Origins that may open sockets and read answers. The first is the server's own.
    pub origins: Vec<String>,
    /// Origins to which a `baseUrl` may lead besides the server's own; empty: any.
    pub base_urls: Vec<String>,
    /// Worker threads; each runs its share of seats and requests.
    pub workers: usize,
    /// Networks that may read `/metrics` besides loopback.
    pub metrics_networks: Vec<IpNet>,
    /// Proxies that are believed when they name the client of a request.
    pub trusted_proxies: Vec<IpNet>,
    /// Starts and results per second from one address, and the burst; `None` means no limit.
    pub starts_per_address: Option<(u32, u32)>,
}

/// How reports on paper look.
#[derive(Clone, Debug)]
pub struct ReportConfig {
    /// The folder of the school's own fonts.
    pub fonts: Option<PathBuf>,
    /// The zone of all times on paper.
    pub time_zone: Tz,
}

/// Where questions, users, reviews and finished tests are stored.
#[derive(Clone, Debug)]
pub enum DataProvider {
    /// In this server's own database.
    Local,
    /// In an external service (docs/decisions/0018-data-kept-elsewhere.md).
    Api(ExternalConfig),
}

#[derive(Clone, Debug)]
pub struct ExternalConfig {
    /// Base of its addresses, ending in a slash.
    pub base_url: Url,
    /// Sent as `X-API-Key`.
    pub key: Secret,
    /// Time for one call, with all its retries.
    pub timeout: Duration,
}

#[derive(Clone, Debug)]
pub struct WebhookConfig {
    /// Sent as `X-Webhook-Secret`.
    pub secret: Option<Secret>,
    /// The key of the signature; `None`: derived from the server's secret.
    pub signing_key: Option<Secret>,
    /// Addresses to which webhooks may be sent.
    pub targets: TargetPolicy,
    /// Whether `WEBHOOK_HOSTS` restricts the targets to named hosts.
    pub names_hosts: bool,
    /// Deliveries per second to one host.
    pub rate_per_host: u32,
}

#[derive(Clone, Debug)]
pub struct Config {
    pub server: ServerConfig,
    pub store: StoreConfig,
    pub access: AccessConfig,
    pub data: DataProvider,
    /// The key for an external data provider. Also set without one in use, since `examhall check --provider` needs it.
    pub external_key: Option<Secret>,
    /// The key with which other servers may use this one as their data provider; `None`: they may not.
    pub provider_key: Option<Secret>,
    pub webhooks: WebhookConfig,
    /// The private key that signs receipts; `None`: derived from the server's secret.
    pub receipt_key: Option<Secret>,
    pub calendar: CalendarConfig,
    pub reports: ReportConfig,
    pub log: LogConfig,
    pub maintenance: MaintenanceConfig,
}

impl Config {
    /// Reads the environment of this process, and the file that its `CONFIG` names.
    pub fn load() -> Result<Self, ConfigError> {
        Self::from_environment(|name| std::env::var(name).ok())
    }

    /// The same from a given environment, so that tests need not change that of their process.
    pub fn from_environment(environment: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        Options::read(&environment)?.parse()
    }
}

/// Returns whether an address is on this machine by its name alone. Names that end in `.localhost` never lead elsewhere
/// (RFC 6761).
#[must_use]
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// Where a server without `AUTH_SECRET` stores the secret that it creates: beside the database file.
#[must_use]
pub fn secret_path(database_url: &str) -> PathBuf {
    let file = database_url
        .strip_prefix("sqlite:")
        .map(|rest| rest.trim_start_matches("//").split('?').next().unwrap_or_default());
    let folder = file.and_then(|file| Path::new(file).parent()).filter(|folder| *folder != Path::new(""));
    folder.unwrap_or(Path::new("data")).join(SECRET_FILE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use std::collections::HashMap;

    fn load(environment: &[(&str, &str)]) -> Result<Config, String> {
        let environment: HashMap<_, _> = environment.iter().copied().collect();
        Config::from_environment(|name| environment.get(name).map(|text| (*text).to_owned()))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn the_defaults_are_complete() {
        let config = load(&[]).unwrap();
        assert_eq!(config.server.bind.port(), 8080);
        assert_eq!(config.server.origins, ["http://127.0.0.1:8080"]);
        assert_eq!(
            load(&[("AUTH_URL", "HTTPS://Exam.example/hall/")]).unwrap().server.auth_url,
            "https://exam.example/hall"
        );
        assert_eq!(load(&[("AUTH_URL", "https://exam.example")]).unwrap().server.auth_url, "https://exam.example");
        assert_eq!(config.webhooks.rate_per_host, 50);
        assert!(config.access.gate_starts && config.access.public_answers && config.access.secret.is_none());
    }

    #[test]
    fn links_lead_to_named_origins_if_any_are_named() {
        let anywhere = load(&[("AUTH_URL", "https://exam.example/hall")]).unwrap().server;
        assert!(anywhere.may_link_to("https://evil.example"));
        let named =
            [("AUTH_URL", "https://exam.example/hall"), ("BASE_URLS", "https://lms.example/x, http://a.example:81")];
        let named = load(&named).unwrap().server;
        for link in ["https://lms.example", "https://LMS.example:443/y", "http://a.example:81/", "https://exam.example"]
        {
            assert!(named.may_link_to(link), "{link}");
        }
        for link in
            ["https://evil.example", "http://lms.example", "http://a.example", "https://lms.example@evil.example"]
        {
            assert!(!named.may_link_to(link), "{link}");
        }
    }

    #[test]
    fn each_malformed_value_is_named() {
        for (name, text) in [
            ("BIND", "nowhere"),
            ("AUTH_URL", "exam.example"),
            ("ALLOWED_ORIGINS", "https://a.example,b"),
            ("BASE_URLS", "https://a.example,b"),
            ("DATABASE_URL", "mysql://localhost/x"),
            ("REQUIRE_SYNC_STANDBY", "yes"),
            // SQLite, the default, has no standby.
            ("REQUIRE_SYNC_STANDBY", "true"),
            ("REDIS_URL", "localhost"),
            ("AUTH_SECRET", "c2hvcnQ="),
            ("DATA_PROVIDER", "cloud"),
            ("PROVIDER_API_KEY", "short"),
            ("IDP_CLIENT_SECRET", "secret"),
            ("ADMIN_EMAIL", "nobody"),
            ("TEST_GATE", "open"),
            ("PUBLIC_ANSWERS", "maybe"),
            ("CLIENT_RESULTS", "staff"),
            ("WEBHOOK_ALLOW", "10.0.0.0/8:x"),
            ("WEBHOOK_SIGNING_KEY", "secret"),
            ("WEBHOOK_RATE_PER_HOST", "-1"),
            ("RECEIPT_KEY", "c2hvcnQ="),
            ("RECEIPT_KEY", "not base64"),
            ("METRICS_NETWORKS", "10.0.0.0/99"),
            ("TRUSTED_PROXIES", "proxy.intern"),
            ("CALENDAR_REST_ROOT", "wp-json"),
            ("CALENDAR_REST_ROOT", "/a b"),
            ("CALENDAR_REST_ROOT", "/api"),
            ("CALENDAR_VENDOR", ""),
            ("CALENDAR_REST_ROOT", "/.."),
            ("CALENDAR_REST_ROOT", "/a/./b"),
            ("CALENDAR_VENDOR", "a/b"),
            ("CALENDAR_VENDOR", "."),
            ("CALENDAR_VENDOR", ".."),
            ("LOG_FORMAT", "xml"),
            ("READ_ONLY", "yes"),
            ("STATUS_MESSAGE", "two\nlines"),
            ("STATUS_MESSAGE_VI", "x".repeat(301).as_str()),
        ] {
            let error = load(&[(name, text)]).unwrap_err();
            assert!(error.starts_with(&format!("{name}: ")), "{error}");
        }
    }

    #[test]
    fn a_secret_is_required_beyond_loopback_and_never_shown() {
        assert!(load(&[("BIND", "0.0.0.0:8080")]).unwrap_err().starts_with("AUTH_SECRET: "));
        let secret = STANDARD.encode([7; 32]);
        let config = load(&[("BIND", "0.0.0.0:8080"), ("AUTH_SECRET", &secret), ("WEBHOOK_SECRET", "12345")]).unwrap();
        let shown = format!("{config:?}");
        assert!(!shown.contains(&secret) && !shown.contains("12345") && shown.contains("Secret(…)"));
    }

    #[test]
    fn a_sign_in_is_whole_or_not_there() {
        let secret = STANDARD.encode([7; 32]);
        let provider = [("IDP_CLIENT_ID", "id"), ("IDP_CLIENT_SECRET", "12345"), ("AUTH_SECRET", &secret)];
        let config = load(&provider).unwrap();
        assert!(
            matches!(&config.access.sign_in, SignIn::Provider(provider) if provider.issuer.as_str() == "https://accounts.google.com/")
        );
        assert!(!format!("{config:?}").contains("12345"));
        for (missing, named) in [("IDP_CLIENT_SECRET", "IDP_CLIENT_SECRET: "), ("AUTH_SECRET", "AUTH_SECRET: ")] {
            let rest: Vec<_> = provider.into_iter().filter(|(name, _)| *name != missing).collect();
            assert!(load(&rest).unwrap_err().starts_with(named));
        }
        for issuer in ["accounts.google.com", "http://idp.example", "ftp://idp.example"] {
            let error = load(&[&provider[..], &[("IDP_ISSUER_URL", issuer)]].concat()).unwrap_err();
            assert!(error.starts_with("IDP_ISSUER_URL: "), "{error}");
        }
        assert!(load(&[&provider[..], &[("IDP_ISSUER_URL", "http://127.0.0.1:9000")]].concat()).is_ok());
        assert!(matches!(load(&[]).unwrap().access.sign_in, SignIn::Local));
        assert!(matches!(
            load(&[("BIND", "0.0.0.0:8080"), ("AUTH_SECRET", &secret)]).unwrap().access.sign_in,
            SignIn::Off
        ));
        assert_eq!(
            load(&[("ADMIN_EMAIL", "Head@School.example")]).unwrap().access.admin_email.as_deref(),
            Some("head@school.example")
        );
    }

    #[test]
    fn an_external_provider_is_whole_or_not_there() {
        let whole = [
            ("DATA_PROVIDER", "api"),
            ("EXTERNAL_API_BASE_URL", "https://data.example/v1"),
            ("EXTERNAL_API_KEY", "0123456789abcdef"),
            ("EXTERNAL_API_TIMEOUT_MS", "2500"),
        ];
        let config = load(&whole).unwrap();
        let DataProvider::Api(external) = &config.data else { panic!("the provider is external") };
        assert_eq!(external.base_url.as_str(), "https://data.example/v1/");
        assert_eq!(external.timeout, Duration::from_millis(2_500));
        assert!(!format!("{config:?}").contains("0123456789abcdef"));
        for (name, text) in [
            ("EXTERNAL_API_BASE_URL", ""),
            ("EXTERNAL_API_BASE_URL", "data.example"),
            ("EXTERNAL_API_BASE_URL", "https://data.example/v1?key=1"),
            ("EXTERNAL_API_KEY", ""),
            ("EXTERNAL_API_KEY", "a\nb"),
            ("EXTERNAL_API_TIMEOUT_MS", "0"),
            ("PROVIDER_API_KEY", "0123456789abcdef"),
        ] {
            let error = load(&[&whole[..], &[(name, text)]].concat()).unwrap_err();
            assert!(error.starts_with(&format!("{name}: ")), "{error}");
        }
        assert!(matches!(load(&[("EXTERNAL_API_KEY", "unused")]).unwrap().data, DataProvider::Local));
    }

    #[test]
    fn an_unknown_option_of_a_file_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("examhall.toml");
        std::fs::write(&path, "test_gate = \"none\"\ncolour = \"red\"\n").unwrap();
        let error = load(&[("CONFIG", path.to_str().unwrap())]).unwrap_err();
        assert!(error.contains("colour"), "{error}");
        std::fs::write(&path, "test_gate = \"none\"\nwebhook_rate_per_host = 7\n").unwrap();
        let config = load(&[("CONFIG", path.to_str().unwrap()), ("WEBHOOK_RATE_PER_HOST", "9")]).unwrap();
        assert!(!config.access.gate_starts);
        assert_eq!(config.webhooks.rate_per_host, 9);
    }

    #[test]
    fn the_made_secret_lies_beside_the_database() {
        assert_eq!(secret_path("sqlite:///srv/exam/hall.db?mode=rwc"), Path::new("/srv/exam/auth_secret"));
        assert_eq!(secret_path("sqlite://data/examhall.db"), Path::new("data/auth_secret"));
        assert_eq!(secret_path("postgres://localhost/exam"), Path::new("data/auth_secret"));
    }
}
