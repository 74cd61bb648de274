//! Seals the parts of a paper, so that they can be with every candidate before the exam begins: each with a key of its
//! own, which leaves the server when the part does (`docs/decisions/0044-sealed-papers.md`).
//!
//! A sealed part is a nonce of 12 bytes, the ciphertext and the tag, by AES-256-GCM. The keys are stored sealed under a
//! key that is derived from the service's secret, so that a copy of the database reads no paper before its time.

use std::collections::BTreeMap;
use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::sitting::part::PaperPart;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::error::Unspecified;
use serde::{Deserialize, Serialize, Serializer};
use uuid::Uuid;

use crate::auth::token;
use crate::config::Secret;

/// The label under which the key of the keys is derived from the service's secret.
const LABEL: &[u8] = b"examhall sealed papers v1";

/// The key of one part: in JSON base64 with padding, as candidates get it.
#[derive(Clone, PartialEq, Eq)]
pub struct PartKey([u8; 32]);

impl PartKey {
    /// A new random key.
    pub fn random() -> std::io::Result<Self> {
        token::random_bytes().map(Self)
    }

    /// Seals a part under this key. A key seals one text only, so its nonce may be random.
    pub fn seal(&self, text: &[u8]) -> std::io::Result<Vec<u8>> {
        seal(&self.0, &[], text)
    }

    /// The text of a sealed part; `None` if it was sealed under another key or has been changed.
    #[must_use]
    pub fn open(&self, sealed: &[u8]) -> Option<Vec<u8>> {
        open(&self.0, &[], sealed)
    }
}

/// Says nothing of the key.
impl fmt::Debug for PartKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("PartKey")
    }
}

impl Serialize for PartKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(self.0))
    }
}

impl<'de> Deserialize<'de> for PartKey {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = STANDARD.decode(String::deserialize(deserializer)?).map_err(serde::de::Error::custom)?;
        <[u8; 32]>::try_from(bytes).map(Self).map_err(|_| serde::de::Error::custom("a key has 32 bytes"))
    }
}

/// The keys of a paper's parts.
pub type PartKeys = BTreeMap<PaperPart, PartKey>;

/// The key under which the keys of all papers are stored.
#[derive(Clone)]
pub struct SealingKey([u8; 32]);

impl SealingKey {
    #[must_use]
    pub fn new(secret: &Secret) -> Self {
        Self(token::derive(secret.reveal(), LABEL))
    }

    /// The keys of a sitting as they are stored.
    pub fn wrap(&self, sitting_id: Uuid, keys: &PartKeys) -> std::io::Result<Vec<u8>> {
        // Bound to the sitting, so that keys which are copied into another sitting's row do not open.
        seal(&self.0, sitting_id.as_bytes(), &serde_json::to_vec(keys)?)
    }

    /// The keys that were stored for this sitting; `None` under another secret, or if they were stored for another one.
    #[must_use]
    pub fn unwrap(&self, sitting_id: Uuid, wrapped: &[u8]) -> Option<PartKeys> {
        serde_json::from_slice(&open(&self.0, sitting_id.as_bytes(), wrapped)?).ok()
    }
}

fn seal(key: &[u8; 32], bound_to: &[u8], text: &[u8]) -> std::io::Result<Vec<u8>> {
    let random = token::random_bytes()?;
    let (nonce, _) = random.split_first_chunk::<NONCE_LEN>().ok_or_else(|| failed(Unspecified))?;
    let mut sealed = text.to_vec();
    cipher(key)
        .and_then(|cipher| {
            cipher.seal_in_place_append_tag(Nonce::assume_unique_for_key(*nonce), Aad::from(bound_to), &mut sealed)
        })
        .map_err(failed)?;
    Ok([&nonce[..], &sealed].concat())
}

fn open(key: &[u8; 32], bound_to: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
    let (nonce, rest) = sealed.split_first_chunk::<NONCE_LEN>()?;
    let mut text = rest.to_vec();
    let length = cipher(key)
        .ok()?
        .open_in_place(Nonce::assume_unique_for_key(*nonce), Aad::from(bound_to), &mut text)
        .ok()?
        .len();
    text.truncate(length);
    Some(text)
}

fn cipher(key: &[u8; 32]) -> Result<LessSafeKey, Unspecified> {
    UnboundKey::new(&AES_256_GCM, key).map(LessSafeKey::new)
}

fn failed(_: Unspecified) -> std::io::Error {
    std::io::Error::other("a part of a paper could not be sealed")
}

#[cfg(test)]
mod tests {
    use domain::band::Band;
    use domain::form::FormLetter;

    use super::*;

    #[test]
    fn a_part_opens_with_its_key_alone() {
        let (key, other) = (PartKey::random().unwrap(), PartKey::random().unwrap());
        let sealed = key.seal(b"[{\"id\":\"g5-001\"}]").unwrap();
        assert_eq!(sealed.len(), 12 + 17 + 16, "nonce, text and tag");
        assert_eq!(key.open(&sealed).unwrap(), b"[{\"id\":\"g5-001\"}]");
        assert_eq!(other.open(&sealed), None);
        for position in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[position] ^= 1;
            assert_eq!(key.open(&changed), None, "{position}");
        }
        assert_eq!(key.open(b"too short"), None);
        assert_eq!(format!("{key:?}"), "PartKey");
    }

    #[test]
    fn keys_are_kept_for_one_sitting_under_one_secret() {
        let ours = SealingKey::new(&Secret::new(b"ours".to_vec()));
        let theirs = SealingKey::new(&Secret::new(b"theirs".to_vec()));
        let (here, elsewhere) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let keys: PartKeys = [PaperPart::first_of(None), PaperPart::Second(Band::From80)]
            .into_iter()
            .map(|part| (part, PartKey::random().unwrap()))
            .collect();
        let wrapped = ours.wrap(here, &keys).unwrap();
        assert_eq!(ours.unwrap(here, &wrapped), Some(keys));
        assert_eq!((ours.unwrap(elsewhere, &wrapped), theirs.unwrap(here, &wrapped)), (None, None));
    }

    #[test]
    fn keys_from_before_there_were_forms_are_those_of_the_first() {
        let ours = SealingKey::new(&Secret::new(b"ours".to_vec()));
        let (here, key) = (Uuid::from_u128(1), PartKey::random().unwrap());
        let stored = format!("{{\"1\":{}}}", serde_json::to_string(&key).unwrap());
        let wrapped = seal(&ours.0, here.as_bytes(), stored.as_bytes()).unwrap();
        let forms = ours.unwrap(here, &wrapped).unwrap();
        assert_eq!(forms, PartKeys::from([(PaperPart::first_of(None), key.clone())]));
        assert_eq!(serde_json::to_string(&forms).unwrap(), stored, "a paper with one form is stored as ever");
        let two = PartKeys::from([1, 0].map(|place| (PaperPart::first_of(FormLetter::at(place)), key.clone())));
        assert_eq!(two.keys().map(|part| part.name()).collect::<Vec<_>>(), ["1", "1-B"]);
    }
}
