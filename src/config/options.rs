//! Reads the options as texts from the sources that may set them, and parses each one.

use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use config::{Config as Source, File, FileFormat};
use domain::access::staff_email;
use domain::webhook_target::TargetPolicy;
use ipnet::IpNet;
use url::Url;

use super::addresses::{external_base_url, is_issuer, is_redis, origin};
use super::calendar::OWN_PATHS;
use super::{
    AccessConfig, CalendarConfig, ClientResults, Config, ConfigError, DEFAULTS, DataProvider, ExternalConfig, Hidden,
    LogConfig, LogFormat, ProviderConfig, ReportConfig, Secret, ServerConfig, SignIn, StoreConfig, WebhookConfig,
    maintenance, seeding,
};

/// Bytes that `AUTH_SECRET` must at least decode to: as many as the keys that are derived from it have.
const SECRET_BYTES_MIN: usize = 32;
/// Bytes that `PROVIDER_API_KEY` must have, so that it can't be guessed.
const PROVIDER_KEY_BYTES_MIN: usize = 16;
/// Prefix of a webhook's signing key (Standard Webhooks).
const SIGNING_KEY_PREFIX: &str = "whsec_";
/// Bytes of the private key of receipts.
const RECEIPT_KEY_BYTES: usize = 32;
pub(super) struct Options(Source);

impl Options {
    pub(super) fn read(environment: &impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let file_error = |error: config::ConfigError| ConfigError::File(error.to_string());
        let defaults =
            Source::builder().add_source(File::from_str(DEFAULTS, FileFormat::Toml)).build().map_err(file_error)?;
        let names = names(&defaults)?;
        let mut builder = Source::builder().add_source(defaults);
        if let Some(path) = environment("CONFIG").filter(|path| !path.is_empty()) {
            let file = Source::builder().add_source(File::new(&path, FileFormat::Toml)).build().map_err(file_error)?;
            if let Some(unknown) = self::names(&file)?.into_iter().find(|name| !names.contains(name)) {
                return Err(ConfigError::File(format!("{path} has the unknown option {unknown}")));
            }
            builder = builder.add_source(file);
        }
        for name in &names {
            builder = builder.set_override_option(name, environment(&name.to_uppercase())).map_err(file_error)?;
        }
        builder.build().map(Self).map_err(file_error)
    }

    pub(super) fn parse(&self) -> Result<Config, ConfigError> {
        let server = self.server()?;
        let access = self.access(server.bind)?;
        let data = self.data()?;
        let provider_key = self.provider_key(&data)?;
        let external_key = self.external_key()?;
        let calendar = self.calendar(&server)?;
        Ok(Config {
            server,
            store: self.store()?,
            access,
            data,
            external_key,
            provider_key,
            webhooks: self.webhooks()?,
            receipt_key: self.receipt_key()?,
            calendar,
            reports: self.reports()?,
            log: self.log()?,
            maintenance: maintenance::read(self)?,
        })
    }

    fn reports(&self) -> Result<ReportConfig, ConfigError> {
        let zone = self.text("time_zone")?.parse();
        let time_zone =
            zone.map_err(|_| value("time_zone", "must be the name of a time zone, such as Europe/Zurich"))?;
        Ok(ReportConfig { fonts: self.optional("report_fonts")?.map(PathBuf::from), time_zone })
    }

    fn calendar(&self, server: &ServerConfig) -> Result<CalendarConfig, ConfigError> {
        // Browsers and proxies remove the parts `.` and `..` from an address.
        let is_part = |part: &str| {
            !matches!(part, "" | "." | "..")
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        };
        let sent = self.text("calendar_rest_root")?;
        let rest_root = sent.trim_end_matches('/').to_owned();
        let is_path =
            rest_root.is_empty() || rest_root.strip_prefix('/').is_some_and(|parts| parts.split('/').all(is_part));
        if !is_path || sent.is_empty() {
            return Err(value(
                "calendar_rest_root",
                "must be a path such as /wp-json, of letters, digits, hyphens, underscores or dots without . and .., or / for none",
            ));
        }
        let vendor = self.text("calendar_vendor")?;
        if !is_part(&vendor) {
            return Err(value(
                "calendar_vendor",
                "must be letters, digits, hyphens, underscores or dots, and neither . nor ..",
            ));
        }
        let site = self.optional("auth_url")?.map(|_| server.auth_url.clone());
        let calendar = CalendarConfig { rest_root, vendor, site };
        let first = calendar.mount().split('/').nth(1).map(str::to_owned).unwrap_or_default();
        if OWN_PATHS.contains(&first.as_str()) {
            return Err(value("calendar_rest_root", &format!("/{first} is the path of something else")));
        }
        Ok(calendar)
    }

    fn data(&self) -> Result<DataProvider, ConfigError> {
        match self.text("data_provider")?.as_str() {
            "local" => Ok(DataProvider::Local),
            "api" => self.external().map(DataProvider::Api),
            _ => Err(value("data_provider", "must be local or api")),
        }
    }

    fn external(&self) -> Result<ExternalConfig, ConfigError> {
        let base_url = external_base_url(&self.text("external_api_base_url")?);
        let base_url = base_url.ok_or_else(|| {
            value("external_api_base_url", "must be an http or https address, such as https://data.example/v1")
        })?;
        let key =
            self.external_key()?.ok_or_else(|| value("external_api_key", "must be set with DATA_PROVIDER=api"))?;
        let timeout_milliseconds = self.number("external_api_timeout_ms")?;
        if timeout_milliseconds == 0 {
            return Err(value("external_api_timeout_ms", "must be 1 or more"));
        }
        Ok(ExternalConfig { base_url, key, timeout: Duration::from_millis(timeout_milliseconds) })
    }

    fn external_key(&self) -> Result<Option<Secret>, ConfigError> {
        self.optional("external_api_key")?.map(|text| header_secret("external_api_key", text)).transpose()
    }

    fn provider_key(&self, data: &DataProvider) -> Result<Option<Secret>, ConfigError> {
        let Some(text) = self.optional("provider_api_key")? else { return Ok(None) };
        if matches!(data, DataProvider::Api(_)) {
            return Err(value(
                "provider_api_key",
                "a service whose data is elsewhere cannot be the data provider of others: DATA_PROVIDER must be local",
            ));
        }
        if text.len() < PROVIDER_KEY_BYTES_MIN {
            return Err(value("provider_api_key", "must be 16 characters or more: openssl rand -hex 32"));
        }
        header_secret("provider_api_key", text).map(Some)
    }

    fn server(&self) -> Result<ServerConfig, ConfigError> {
        let bind = self.text("bind")?;
        let address = bind
            .to_socket_addrs()
            .ok()
            .and_then(|mut found| found.next())
            .ok_or_else(|| value("bind", "must be an address and a port, such as 127.0.0.1:8080"))?;
        let auth_url = self.optional("auth_url")?.unwrap_or_else(|| format!("http://{address}"));
        let own = origin(&auth_url).ok_or_else(|| value("auth_url", "must be an http or https address"))?;
        // Normalised, because links begin with it, and whether it is https decides about the prefix of cookies.
        let auth_url = Url::parse(&auth_url).map(String::from).unwrap_or(auth_url);
        let mut origins = vec![own];
        origins.extend(self.origins("allowed_origins")?);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let (rate, burst) = (self.number("starts_per_address")?, self.number("starts_per_address_burst")?);
        Ok(ServerConfig {
            bind: address,
            auth_url: auth_url.trim_end_matches('/').to_owned(),
            origins,
            base_urls: self.origins("base_urls")?,
            workers: Some(self.number::<usize>("workers")?).filter(|count| *count > 0).unwrap_or(cores),
            metrics_networks: self.networks("metrics_networks")?,
            trusted_proxies: self.networks("trusted_proxies")?,
            starts_per_address: (rate > 0 && burst > 0).then_some((rate, burst)),
        })
    }

    fn store(&self) -> Result<StoreConfig, ConfigError> {
        let language = seeding::language(&self.text("sample_bank")?);
        let sample_bank = language.ok_or_else(|| value("sample_bank", "must be auto, en, vi or off"))?;
        let database_url = self.text("database_url")?;
        if !["sqlite:", "postgres:", "postgresql:"].iter().any(|scheme| database_url.starts_with(scheme)) {
            return Err(value("database_url", "must begin with sqlite:// or postgres://"));
        }
        let redis_url = self.optional("redis_url")?;
        if redis_url.as_deref().is_some_and(|url| !is_redis(url)) {
            return Err(value("redis_url", "must be an address such as redis://127.0.0.1:6379/0"));
        }
        let database_connections = self.number("database_connections")?;
        if database_connections == 0 {
            return Err(value("database_connections", "must be 1 or more"));
        }
        let require_sync_standby = self.flag("require_sync_standby")?;
        if require_sync_standby && database_url.starts_with("sqlite:") {
            return Err(value("require_sync_standby", "SQLite has no standby: DATABASE_URL must lead to Postgres"));
        }
        let (database_url, redis_url) = (Hidden(database_url), redis_url.map(Hidden));
        Ok(StoreConfig {
            database_url,
            database_connections,
            require_sync_standby,
            redis_url,
            redis_prefix: self.text("redis_prefix")?,
            sample_bank,
        })
    }

    fn access(&self, bind: SocketAddr) -> Result<AccessConfig, ConfigError> {
        let secret = self.optional("auth_secret")?.map(|text| {
            let bytes = STANDARD.decode(text.trim()).ok().filter(|bytes| bytes.len() >= SECRET_BYTES_MIN);
            bytes.map(Secret::new).ok_or_else(|| {
                value("auth_secret", "must be 32 random bytes or more in base64: openssl rand -base64 32")
            })
        });
        let secret = secret.transpose()?;
        let sign_in = self.sign_in(bind)?;
        if secret.is_none() && !matches!(sign_in, SignIn::Local) {
            let reason = "must be set while the server listens on more than loopback or has an identity provider: openssl rand -base64 32";
            return Err(value("auth_secret", reason));
        }
        let admin_email = self
            .optional("admin_email")?
            .map(|text| staff_email(&text).ok_or_else(|| value("admin_email", "must be an e-mail address")));
        let gate_starts = match self.text("test_gate")?.as_str() {
            "sign-in" => true,
            "none" => false,
            _ => return Err(value("test_gate", "must be sign-in or none")),
        };
        let public_answers = self.flag("public_answers")?;
        let (admin_email, client_results) = (admin_email.transpose()?, self.client_results()?);
        Ok(AccessConfig { secret, gate_starts, public_answers, client_results, admin_email, sign_in })
    }

    fn client_results(&self) -> Result<ClientResults, ConfigError> {
        match self.text("client_results")?.as_str() {
            "open" => Ok(ClientResults::Open),
            "signed-in" => Ok(ClientResults::SignedIn),
            "token" => Ok(ClientResults::Token),
            "off" => Ok(ClientResults::Off),
            _ => Err(value("client_results", "must be open, signed-in, token or off")),
        }
    }

    fn sign_in(&self, bind: SocketAddr) -> Result<SignIn, ConfigError> {
        let issuer = Url::parse(&self.text("idp_issuer_url")?).ok().filter(is_issuer);
        let issuer =
            issuer.ok_or_else(|| value("idp_issuer_url", "must be an https address; http only on loopback"))?;
        match (self.optional("idp_client_id")?, self.optional("idp_client_secret")?) {
            (Some(client_id), Some(secret)) => Ok(SignIn::Provider(ProviderConfig {
                issuer,
                client_id,
                client_secret: Secret::new(secret.into_bytes()),
            })),
            (Some(_), None) => Err(value("idp_client_secret", "must be set with IDP_CLIENT_ID")),
            (None, Some(_)) => Err(value("idp_client_secret", "means nothing without IDP_CLIENT_ID")),
            (None, None) if bind.ip().is_loopback() => Ok(SignIn::Local),
            (None, None) => Ok(SignIn::Off),
        }
    }

    fn webhooks(&self) -> Result<WebhookConfig, ConfigError> {
        let hosts = self.text("webhook_hosts")?;
        let targets = TargetPolicy::parse(&self.text("webhook_allow")?, &hosts).map_err(|entry| {
            value("webhook_allow", &format!("{entry} is not a host, an address or a network with an optional port"))
        })?;
        let signing_key = self.optional("webhook_signing_key")?.map(|text| {
            let bytes = text
                .trim()
                .strip_prefix(SIGNING_KEY_PREFIX)
                .and_then(|key| STANDARD.decode(key).ok())
                .filter(|bytes| bytes.len() >= 24);
            bytes
                .map(Secret::new)
                .ok_or_else(|| value("webhook_signing_key", "must be whsec_ and 24 bytes or more in base64"))
        });
        let secret = self.optional("webhook_secret")?.map(|text| header_secret("webhook_secret", text)).transpose()?;
        let rate_per_host = self.number("webhook_rate_per_host")?;
        if rate_per_host == 0 {
            return Err(value("webhook_rate_per_host", "must be 1 or more"));
        }
        Ok(WebhookConfig {
            secret,
            signing_key: signing_key.transpose()?,
            targets,
            names_hosts: !hosts.trim().is_empty(),
            rate_per_host,
        })
    }

    fn receipt_key(&self) -> Result<Option<Secret>, ConfigError> {
        let Some(text) = self.optional("receipt_key")? else { return Ok(None) };
        let bytes = STANDARD.decode(text.trim()).ok().filter(|bytes| bytes.len() == RECEIPT_KEY_BYTES);
        let bytes = bytes.ok_or_else(|| value("receipt_key", "must be 32 bytes in base64: openssl rand -base64 32"))?;
        Ok(Some(Secret::new(bytes)))
    }

    fn log(&self) -> Result<LogConfig, ConfigError> {
        let filter = self.text("log")?;
        if tracing_subscriber::EnvFilter::try_new(&filter).is_err() {
            return Err(value("log", "must be a level such as info, or a filter"));
        }
        let format = match self.text("log_format")?.as_str() {
            "text" => LogFormat::Text,
            "json" => LogFormat::Json,
            _ => return Err(value("log_format", "must be text or json")),
        };
        Ok(LogConfig { filter, format })
    }

    pub(super) fn text(&self, name: &str) -> Result<String, ConfigError> {
        self.0.get_string(name).map(|text| text.trim().to_owned()).map_err(|_| value(name, "must be a text"))
    }

    fn optional(&self, name: &str) -> Result<Option<String>, ConfigError> {
        self.text(name).map(|text| Some(text).filter(|text| !text.is_empty()))
    }

    fn flag(&self, name: &str) -> Result<bool, ConfigError> {
        match self.text(name)?.as_str() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(value(name, "must be true or false")),
        }
    }

    fn list(&self, name: &str) -> Result<Vec<String>, ConfigError> {
        let text = self.text(name)?;
        Ok(text.split(',').map(str::trim).filter(|entry| !entry.is_empty()).map(str::to_owned).collect())
    }

    fn origins(&self, name: &str) -> Result<Vec<String>, ConfigError> {
        let parsed = |entry: String| {
            origin(&entry).ok_or_else(|| value(name, &format!("{entry} is not an http or https origin")))
        };
        self.list(name)?.into_iter().map(parsed).collect()
    }

    /// Networks, or single addresses.
    fn networks(&self, name: &str) -> Result<Vec<IpNet>, ConfigError> {
        let network = |entry: String| {
            let address = || entry.parse::<IpAddr>().map(|address| address.to_canonical().into());
            let parsed = entry.parse().or_else(|_| address());
            parsed.map_err(|_| value(name, &format!("{entry} is not a network such as 10.0.0.0/8")))
        };
        self.list(name)?.into_iter().map(network).collect()
    }

    fn number<T: std::str::FromStr>(&self, name: &str) -> Result<T, ConfigError> {
        self.text(name)?.parse().map_err(|_| value(name, "must be a whole number"))
    }
}

fn names(source: &Source) -> Result<Vec<String>, ConfigError> {
    let table = source.cache.clone().into_table().map_err(|error| ConfigError::File(error.to_string()))?;
    Ok(table.keys().map(|name| name.to_lowercase()).collect())
}

pub(super) fn value(name: &str, reason: &str) -> ConfigError {
    ConfigError::Value { name: name.to_uppercase(), reason: reason.to_owned() }
}

/// A secret that is sent or received as a header.
fn header_secret(name: &str, text: String) -> Result<Secret, ConfigError> {
    if reqwest::header::HeaderValue::from_str(&text).is_err() {
        return Err(value(name, "must be printable, since it is sent as a header"));
    }
    Ok(Secret::new(text.into_bytes()))
}
