//! The signature of a delivery according to the Standard Webhooks specification, and the key that makes it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::time::moment::Moment;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::auth::token;
use crate::config::Secret;
use crate::outgoing::client::Header;

/// The label under which the key is derived from the service's secret. It is never derived from `WEBHOOK_SECRET`, which
/// is sent to addresses that callers choose.
const LABEL: &[u8] = b"examhall webhook signing key v1";

/// Carries `WEBHOOK_SECRET`.
pub const SECRET_HEADER: &str = "X-Webhook-Secret";

/// The key with which receivers verify signatures.
#[derive(Clone, Debug)]
pub struct SigningKey(Secret);

impl SigningKey {
    /// The operator's own key, or else a key derived from the service's secret.
    #[must_use]
    pub fn new(own: Option<Secret>, service: &Secret) -> Self {
        Self(own.unwrap_or_else(|| Secret::new(token::derive(service.reveal(), LABEL).to_vec())))
    }

    /// The form in which an admin gives it to a receiver: `whsec_<base64>`.
    #[must_use]
    pub fn shown(&self) -> String {
        format!("whsec_{}", STANDARD.encode(self.0.reveal()))
    }

    /// The value of `webhook-signature`: `v1,<base64>`.
    #[must_use]
    pub fn sign(&self, id: &str, timestamp_seconds: i64, body: &str) -> String {
        let content = format!("{id}.{timestamp_seconds}.{body}");
        // HMAC accepts keys of any length, so this can't fail.
        let mac = Hmac::<Sha256>::new_from_slice(self.0.reveal())
            .map(|mac| mac.chain_update(content.as_bytes()).finalize().into_bytes());
        format!("v1,{}", mac.map(|bytes| STANDARD.encode(bytes)).unwrap_or_default())
    }
}

/// The headers of an event: its id, which no other event has, its signature, and `WEBHOOK_SECRET` if there is one.
pub fn headers(key: &SigningKey, secret: Option<&Secret>, id: &str, now: Moment, body: &str) -> Vec<Header> {
    let timestamp = now.milliseconds() / 1_000;
    let mut headers = vec![
        ("webhook-signature", key.sign(id, timestamp, body)),
        ("webhook-timestamp", timestamp.to_string()),
        ("webhook-id", id.to_owned()),
    ];
    if let Some(secret) = secret {
        headers.push((SECRET_HEADER, String::from_utf8_lossy(secret.reveal()).into_owned()));
    }
    headers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_as_the_specification_s_example() {
        let key = Secret::new(STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap());
        let signature = SigningKey::new(Some(key), &Secret::new(vec![])).sign(
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            1_614_265_330,
            r#"{"test": 2432232314}"#,
        );
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }
}
