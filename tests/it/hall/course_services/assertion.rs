//! The tool's assertion of itself, verified with the keys that it publishes, and by nothing of the tool's own code.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents};
use serde_json::Value;

use crate::hall::Caller;

/// A published key.
pub struct Key {
    kid: String,
    modulus: Vec<u8>,
    exponent: Vec<u8>,
}

/// The keys that are published at this address.
pub async fn keys(address: &str) -> Vec<Key> {
    let answer = Caller::new(address, None).get("").await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let decoded = |value: &Value| URL_SAFE_NO_PAD.decode(value.as_str().unwrap()).unwrap();
    let key = |key: &Value| {
        assert!(key["kty"] == "RSA" && key["alg"] == "RS256" && key["use"] == "sig", "{key}");
        Key { kid: key["kid"].as_str().unwrap().to_owned(), modulus: decoded(&key["n"]), exponent: decoded(&key["e"]) }
    };
    answer.json()["keys"].as_array().unwrap().iter().map(key).collect()
}

/// The claims of an assertion that one of these keys has signed.
pub fn verified(assertion: &str, keys: &[Key]) -> Result<Value, String> {
    let (signed, signature) = assertion.rsplit_once('.').ok_or("401 no client_assertion")?;
    let (header, claims) = signed.split_once('.').ok_or("401 no client_assertion")?;
    let decoded = |part: &str| URL_SAFE_NO_PAD.decode(part).map_err(|error| format!("401 {error}"));
    let json = |part: &str| -> Result<Value, String> {
        serde_json::from_slice(&decoded(part)?).map_err(|error| format!("401 {error}"))
    };
    let header = json(header)?;
    if header["alg"] != "RS256" {
        return Err(format!("401 alg: {header}"));
    }
    let key = keys.iter().find(|key| header["kid"] == key.kid.as_str()).ok_or_else(|| format!("401 kid: {header}"))?;
    let public = RsaPublicKeyComponents { n: &key.modulus, e: &key.exponent };
    public
        .verify(&RSA_PKCS1_2048_8192_SHA256, signed.as_bytes(), &decoded(signature)?)
        .map_err(|_| "401 the signature is wrong".to_owned())?;
    json(claims)
}
