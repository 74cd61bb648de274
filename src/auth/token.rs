//! Secrets that are shown once and stored only as their hash, so that a copy of the database lets nobody in.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use rand::TryRng;
use rand::rngs::SysRng;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use uuid::{Builder, Uuid};

/// The beginning of every API token, by which scanners of repositories and logs can recognise one.
const API_TOKEN_PREFIX: &str = "eh_";

/// 32 random bytes from the operating system.
pub fn random_bytes() -> std::io::Result<[u8; 32]> {
    let mut bytes = [0; 32];
    SysRng.try_fill_bytes(&mut bytes).map_err(std::io::Error::other)?;
    Ok(bytes)
}

pub fn new_api_token() -> std::io::Result<String> {
    Ok(format!("{API_TOKEN_PREFIX}{}", encode(&random_bytes()?)))
}

/// Bytes in URL-safe base64, as tokens are written.
#[must_use]
pub fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The hash of a token, which is all that is stored. Tokens are random, so a fast hash without salt is enough.
#[must_use]
pub fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

/// The id by which people name a sign-in. It is made of the hash that is stored, so it needs no column, and tells
/// nothing of it.
#[must_use]
pub fn sign_in_id(secret_hash: &[u8]) -> Uuid {
    let digest = Sha256::new().chain_update(b"sign-in id").chain_update(secret_hash).finalize();
    let mut bytes = [0; 16];
    bytes.iter_mut().zip(digest).for_each(|(byte, drawn)| *byte = drawn);
    Builder::from_random_bytes(bytes).into_uuid()
}

/// Returns whether the token has this hash, compared in constant time.
#[must_use]
pub fn matches(token: &str, kept: &[u8]) -> bool {
    hash(token).as_slice().ct_eq(kept).into()
}

/// Returns whether a hash is the one that is kept, compared in constant time.
#[must_use]
pub fn is_same(hash: &[u8; 32], kept: &[u8; 32]) -> bool {
    hash.ct_eq(kept).into()
}

/// A key for one purpose (`label`), derived from the server's secret. It says nothing about the keys of other purposes.
#[must_use]
pub fn derive(key: &[u8], label: &[u8]) -> [u8; 32] {
    // HMAC takes a key of any length; the other branch cannot be reached.
    Hmac::<Sha256>::new_from_slice(key)
        .map(|mac| mac.chain_update(label).finalize().into_bytes().into())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_known_by_its_hash_alone() {
        let token = new_api_token().unwrap();
        assert!(token.starts_with("eh_") && token.len() == 46);
        assert!(matches(&token, &hash(&token)));
        assert!(!matches("eh_other", &hash(&token)));
        assert!(!matches(&token, b""));
        assert_ne!(derive(b"a", b"label"), derive(b"b", b"label"));
        assert_eq!(sign_in_id(b"a"), sign_in_id(b"a"));
        assert_ne!(sign_in_id(b"a"), sign_in_id(b"b"));
    }
}
