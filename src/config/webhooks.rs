//! Options of webhooks.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::webhook_target::TargetPolicy;

use super::options::{Options, header_secret, value};
use super::{ConfigError, Secret, WebhookConfig};

/// Prefix of a webhook's signing key (Standard Webhooks).
const SIGNING_KEY_PREFIX: &str = "whsec_";

impl Options {
    pub(super) fn webhooks(&self) -> Result<WebhookConfig, ConfigError> {
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
}
