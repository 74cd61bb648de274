//! Whether a launch is what its platform has signed: `openidconnect` checks the signature, the issuer, the audience,
//! the end and the nonce, and what it leaves to the tool is checked beside it (`docs/decisions/0089-lti.md`). Of a
//! message that need not say who comes it checks the signature alone, since it takes no other without a subject.

use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::lti::claims::{LaunchFault, check_token, whole_seconds};
use domain::lti::platform::Platform;
use domain::lti::{CLAIM, DEEP_LINKING_REQUEST};
use domain::time::moment::Moment;
use openidconnect::core::{
    CoreIdToken, CoreIdTokenVerifier, CoreJsonWebKey, CoreJsonWebKeySet, CoreJwsSigningAlgorithm,
};
use openidconnect::{ClaimsVerificationError, ClientId, IssuerUrl, JsonWebKey, JsonWebKeyUse, Nonce};
use serde::Deserialize;
use serde_json::Value;
use thiserror::Error as ThisError;

/// Why a token is not believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ThisError)]
pub enum TokenFault {
    /// It is no token, or lacks what every token has.
    #[error("the platform has sent no message that can be read")]
    Unreadable,
    /// Its header names no key.
    #[error("the platform's message does not name the key with which it is signed")]
    NoKeyId,
    /// The platform's key set has no such key.
    #[error("the platform's message is signed by a key that the platform does not publish")]
    UnknownKey,
    /// It is signed by another algorithm than RS256, or not at all.
    #[error("the platform's message is not signed as it should be")]
    Algorithm,
    /// The signature is not that of the key.
    #[error("the signature of the platform's message is wrong")]
    Signature,
    /// `iss` is another one.
    #[error("the message is from another platform")]
    Issuer,
    /// `aud` does not name this server.
    #[error("the platform's message is for another tool")]
    Audience,
    /// `exp` is over.
    #[error("the platform's message has expired: follow the link again")]
    Expired,
    /// `nonce` is not that of the login.
    #[error("the platform's message does not belong to this login: follow the link again")]
    Nonce,
    /// What the verifier leaves to the tool.
    #[error(transparent)]
    Claims(#[from] LaunchFault),
}

/// A token as it came: nothing in it may be believed, but by its key's name the key is found.
pub struct ReceivedToken<'a> {
    text: &'a str,
    key_id: String,
}

#[derive(Deserialize)]
struct TokenHeader {
    alg: Option<String>,
    kid: Option<String>,
    /// What must be understood to read the token: nothing of it is, here and in the verifier.
    crit: Option<Value>,
}

impl<'a> ReceivedToken<'a> {
    /// Looks at the header of a token. One that names another algorithm than RS256 goes no further: above all neither
    /// `none`, nor `HS256` with the public key as its secret.
    pub fn of(text: &'a str) -> Result<Self, TokenFault> {
        let header = text.split('.').next().and_then(|part| URL_SAFE_NO_PAD.decode(part).ok());
        let header: TokenHeader =
            header.and_then(|header| serde_json::from_slice(&header).ok()).ok_or(TokenFault::Unreadable)?;
        if header.alg.as_deref() != Some("RS256") {
            return Err(TokenFault::Algorithm);
        }
        if header.crit.is_some() {
            return Err(TokenFault::Unreadable);
        }
        let key_id = header.kid.filter(|key_id| !key_id.is_empty()).ok_or(TokenFault::NoKeyId)?;
        Ok(Self { text, key_id })
    }

    /// The name of the key with which it says that it is signed.
    #[must_use]
    pub fn key_id(&self) -> &str {
        &self.key_id
    }

    /// The payload, if the platform has signed it with one of these keys, for this server, in answer to the login with
    /// this nonce, and just now.
    pub fn verified(
        &self,
        platform: &Platform,
        keys: Vec<CoreJsonWebKey>,
        nonce: &str,
        now: Moment,
    ) -> Result<Value, TokenFault> {
        if keys.is_empty() {
            return Err(TokenFault::UnknownKey);
        }
        let payload = payload_of(self.text).ok_or(TokenFault::Unreadable)?;
        // The verifier takes no token without a subject. Whoever hides who comes reads that, and not that it is none.
        if payload.get("sub").is_none_or(Value::is_null) {
            let message_type = payload.get(format!("{CLAIM}message_type")).and_then(Value::as_str);
            if message_type != Some(DEEP_LINKING_REQUEST) {
                return Err(LaunchFault::Anonymous.into());
            }
            self.check_without_subject(&payload, platform, &keys, nonce, now)?;
            return Ok(payload);
        }
        let token = CoreIdToken::from_str(self.text).map_err(|_| TokenFault::Unreadable)?;
        let issuer = IssuerUrl::new(platform.issuer.clone()).map_err(|_| TokenFault::Issuer)?;
        let client_id = ClientId::new(platform.client_id.clone());
        let verifier = CoreIdTokenVerifier::new_public_client(client_id, issuer, CoreJsonWebKeySet::new(keys))
            .set_allowed_algs([CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256])
            // Others may be named beside this server where `azp` says that it is meant, which is checked below.
            .set_other_audience_verifier_fn(|_| true)
            .set_time_fn(move || now.utc());
        token.claims(&verifier, &Nonce::new(nonce.to_owned())).map_err(|error| fault_of(&error))?;
        check_token(&payload, &platform.client_id, now)?;
        Ok(payload)
    }

    /// What the verifier checks of other tokens, of one that names nobody.
    fn check_without_subject(
        &self,
        payload: &Value,
        platform: &Platform,
        keys: &[CoreJsonWebKey],
        nonce: &str,
        now: Moment,
    ) -> Result<(), TokenFault> {
        let (signed, signature) = self.text.rsplit_once('.').ok_or(TokenFault::Unreadable)?;
        if signed.split('.').count() != 2 {
            return Err(TokenFault::Unreadable);
        }
        let signature = URL_SAFE_NO_PAD.decode(signature).map_err(|_| TokenFault::Unreadable)?;
        let algorithm = CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256;
        let has_signed = |key: &CoreJsonWebKey| {
            key.key_use().is_none_or(JsonWebKeyUse::allows_signature)
                && key.verify_signature(&algorithm, signed.as_bytes(), &signature).is_ok()
        };
        if !keys.iter().any(has_signed) {
            return Err(TokenFault::Signature);
        }
        if payload.get("iss").and_then(Value::as_str) != Some(platform.issuer.as_str()) {
            return Err(TokenFault::Issuer);
        }
        let is_ours = |audience: &Value| audience.as_str() == Some(platform.client_id.as_str());
        let names_us = match payload.get("aud") {
            Some(Value::Array(audiences)) => audiences.iter().any(is_ours),
            Some(audience) => is_ours(audience),
            None => false,
        };
        if !names_us {
            return Err(TokenFault::Audience);
        }
        let ends_at = payload.get("exp").and_then(whole_seconds).ok_or(TokenFault::Unreadable)?;
        if Moment::from_milliseconds(ends_at.saturating_mul(1_000)) <= now {
            return Err(TokenFault::Expired);
        }
        if payload.get("nonce").and_then(Value::as_str) != Some(nonce) {
            return Err(TokenFault::Nonce);
        }
        Ok(check_token(payload, &platform.client_id, now)?)
    }
}

/// The payload as JSON. It is the one that was verified: the same text, of which the verifier has only read a part.
fn payload_of(text: &str) -> Option<Value> {
    let payload = URL_SAFE_NO_PAD.decode(text.split('.').nth(1)?).ok()?;
    serde_json::from_slice(&payload).ok()
}

fn fault_of(error: &ClaimsVerificationError) -> TokenFault {
    match error {
        ClaimsVerificationError::Expired(_) => TokenFault::Expired,
        ClaimsVerificationError::InvalidAudience(_) => TokenFault::Audience,
        ClaimsVerificationError::InvalidIssuer(_) => TokenFault::Issuer,
        ClaimsVerificationError::InvalidNonce(_) => TokenFault::Nonce,
        ClaimsVerificationError::SignatureVerification(_) => TokenFault::Signature,
        _ => TokenFault::Unreadable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(header: &str) -> String {
        format!("{}.{}.", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode("{}"))
    }

    #[test]
    fn a_token_names_its_key_and_no_other_algorithm() {
        let fault = |header: &str| ReceivedToken::of(&token(header)).err();
        assert_eq!(fault(r#"{"alg":"RS256","kid":"one"}"#), None);
        for header in [r#"{"alg":"RS256"}"#, r#"{"alg":"RS256","kid":null}"#, r#"{"alg":"RS256","kid":""}"#] {
            assert_eq!(fault(header), Some(TokenFault::NoKeyId), "{header}");
        }
        for header in [r#"{"kid":"one"}"#, r#"{"alg":"none","kid":"one"}"#, r#"{"alg":"HS256","kid":"one"}"#] {
            assert_eq!(fault(header), Some(TokenFault::Algorithm), "{header}");
        }
        assert_eq!(fault(r#"{"alg":"RS256","kid":"one","crit":["exp"]}"#), Some(TokenFault::Unreadable));
        for text in ["", ".", "a.b.c", "bm90IGpzb24.e30."] {
            assert_eq!(ReceivedToken::of(text).err(), Some(TokenFault::Unreadable), "{text}");
        }
    }
}
