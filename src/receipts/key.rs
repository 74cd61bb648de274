//! The key that signs receipts and logs, and what can be checked with its public half: compact JWS (RFC 7515) with
//! Ed25519 (RFC 8037). This is the one file that signs.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::receipt::ReceiptContent;
use ring::hkdf::{HKDF_SHA256, Salt};
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error as ThisError;
use utoipa::ToSchema;

use crate::config::Secret;
use crate::error::Error;
use crate::store::receipts::KnownKey;

/// Bytes of a private key, of a public one, and of the secret from which the first is made.
pub const KEY_BYTES: usize = 32;
/// The label under which the key is derived from the service's secret.
const LABEL: &[u8] = b"examhall receipt key v1";
/// What is signed to seal a version begins with this, so that no receipt and no checkpoint is one.
const SEAL_LABEL: &[u8] = b"examhall version seal v1\n";
const TYPE: &str = "receipt+jwt";
/// The name of the algorithm in RFC 8037, which the largest verifiers take, and the newer one of RFC 9864.
const ALGORITHMS: [&str; 2] = ["EdDSA", "Ed25519"];

/// Why something that is to be a receipt is none that can be believed.
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
pub enum ReceiptFault {
    #[error("it is not a receipt: a compact JWS of the type {TYPE}, signed by Ed25519, was expected")]
    NotReceipt,
    #[error("it is signed by the key {0}, which is not among those that are known")]
    UnknownKey(String),
    #[error("its signature is wrong: it was altered, or never signed by this key")]
    WrongSignature,
    #[error("its signature is right, but its content cannot be read")]
    UnknownContent,
}

/// A public key, and the thumbprint by which it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptPublicKey {
    pub kid: String,
    pub bytes: [u8; KEY_BYTES],
}

/// A public key as JSON (RFC 8037).
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct JsonWebKey {
    /// `OKP`.
    pub kty: String,
    /// `Ed25519`.
    pub crv: String,
    /// The key in base64url.
    pub x: String,
    /// The thumbprint of RFC 7638.
    #[serde(default)]
    pub kid: String,
    /// `EdDSA`.
    #[serde(default)]
    pub alg: String,
    /// `sig`.
    #[serde(default, rename = "use")]
    pub purpose: String,
}

/// A list of public keys as JSON (RFC 7517).
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct JsonWebKeys {
    /// The present key first, then those before it, newest first.
    pub keys: Vec<JsonWebKey>,
}

/// The key that signs.
pub struct ReceiptKey {
    pair: Ed25519KeyPair,
    public: ReceiptPublicKey,
    /// The header of every receipt, in base64url.
    header: String,
}

#[derive(Serialize, Deserialize)]
struct Header {
    alg: String,
    kid: String,
    typ: String,
}

impl ReceiptKey {
    /// The operator's own key, or else a key derived from the service's secret, so that all servers have the same.
    pub fn new(own: Option<&Secret>, service: &Secret) -> Result<Self, Error> {
        let failed = |_| Error::internal("the key of receipts cannot be derived");
        let mut seed = [0; KEY_BYTES];
        match own {
            Some(own) => seed = <[u8; KEY_BYTES]>::try_from(own.reveal()).map_err(Error::internal)?,
            None => {
                let secret = Salt::new(HKDF_SHA256, &[]).extract(service.reveal());
                let expanded = secret.expand(&[LABEL], HKDF_SHA256).map_err(failed)?;
                expanded.fill(&mut seed).map_err(failed)?;
            }
        }
        let pair = Ed25519KeyPair::from_seed_unchecked(&seed).map_err(|error| Error::internal(error.to_string()))?;
        let bytes = <[u8; KEY_BYTES]>::try_from(pair.public_key().as_ref()).map_err(Error::internal)?;
        let public = ReceiptPublicKey::of(bytes);
        let header = Header { alg: ALGORITHMS[0].to_owned(), kid: public.kid.clone(), typ: TYPE.to_owned() };
        let header = URL_SAFE_NO_PAD.encode(serde_json::to_string(&header)?);
        Ok(Self { pair, public, header })
    }

    #[must_use]
    pub const fn public(&self) -> &ReceiptPublicKey {
        &self.public
    }

    /// The signature of a text that is no receipt.
    #[must_use]
    pub fn sign(&self, bytes: &[u8]) -> Vec<u8> {
        self.pair.sign(bytes).as_ref().to_vec()
    }

    /// The signature by which this server alone tells whether a stored version is as it was.
    #[must_use]
    pub fn seal(&self, digest: &[u8; 32]) -> Vec<u8> {
        self.sign(&[SEAL_LABEL, digest].concat())
    }

    /// The receipt: `header.payload.signature`.
    pub fn sign_receipt(&self, content: &ReceiptContent) -> serde_json::Result<String> {
        let payload = URL_SAFE_NO_PAD.encode(serde_json::to_string(content)?);
        let signed = format!("{}.{payload}", self.header);
        let signature = URL_SAFE_NO_PAD.encode(self.pair.sign(signed.as_bytes()));
        Ok(format!("{signed}.{signature}"))
    }
}

impl ReceiptPublicKey {
    #[must_use]
    pub fn of(bytes: [u8; KEY_BYTES]) -> Self {
        // The members that RFC 7638 names, in their order and without blanks.
        let members = format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{}"}}"#, URL_SAFE_NO_PAD.encode(bytes));
        Self { kid: URL_SAFE_NO_PAD.encode(Sha256::digest(members)), bytes }
    }

    /// The key as it is stored. Its thumbprint is made anew: a row of the database proves nothing.
    #[must_use]
    pub fn of_known(known: &KnownKey) -> Option<Self> {
        Some(Self::of(<[u8; KEY_BYTES]>::try_from(known.public_key.as_slice()).ok()?))
    }

    /// Of a key in JSON; `None` if it is of another kind.
    #[must_use]
    pub fn of_json(key: &JsonWebKey) -> Option<Self> {
        let is_of_kind = key.kty == "OKP" && key.crv == "Ed25519";
        let bytes = URL_SAFE_NO_PAD.decode(&key.x).ok().filter(|_| is_of_kind)?;
        Some(Self::of(<[u8; KEY_BYTES]>::try_from(bytes.as_slice()).ok()?))
    }

    #[must_use]
    pub fn known(&self) -> KnownKey {
        KnownKey { kid: self.kid.clone(), public_key: self.bytes.to_vec() }
    }

    #[must_use]
    pub fn json(&self) -> JsonWebKey {
        JsonWebKey {
            kty: "OKP".to_owned(),
            crv: "Ed25519".to_owned(),
            x: URL_SAFE_NO_PAD.encode(self.bytes),
            kid: self.kid.clone(),
            alg: ALGORITHMS[0].to_owned(),
            purpose: "sig".to_owned(),
        }
    }

    #[must_use]
    pub fn has_signed(&self, bytes: &[u8], signature: &[u8]) -> bool {
        UnparsedPublicKey::new(&ED25519, self.bytes).verify(bytes, signature).is_ok()
    }

    /// Whether a seal of this key is that of a version with this digest.
    #[must_use]
    pub fn has_sealed(&self, digest: &[u8; 32], seal: &[u8]) -> bool {
        self.has_signed(&[SEAL_LABEL, digest].concat(), seal)
    }
}

/// What a receipt says, if one of these keys has signed it.
pub fn verify_receipt(jws: &str, keys: &[ReceiptPublicKey]) -> Result<ReceiptContent, ReceiptFault> {
    let (signed, signature) = jws.rsplit_once('.').ok_or(ReceiptFault::NotReceipt)?;
    let (header, payload) = signed.split_once('.').ok_or(ReceiptFault::NotReceipt)?;
    let decoded = |part: &str| URL_SAFE_NO_PAD.decode(part).map_err(|_| ReceiptFault::NotReceipt);
    let (payload, signature) = (decoded(payload)?, decoded(signature)?);
    let header: Header = serde_json::from_slice(&decoded(header)?).map_err(|_| ReceiptFault::NotReceipt)?;
    if header.typ != TYPE || !ALGORITHMS.contains(&header.alg.as_str()) {
        return Err(ReceiptFault::NotReceipt);
    }
    let key = keys.iter().find(|key| key.kid == header.kid);
    let key = key.ok_or_else(|| ReceiptFault::UnknownKey(header.kid.clone()))?;
    if !key.has_signed(signed.as_bytes(), &signature) {
        return Err(ReceiptFault::WrongSignature);
    }
    serde_json::from_slice(&payload).map_err(|_| ReceiptFault::UnknownContent)
}

#[cfg(test)]
mod tests {
    use domain::time::moment::Moment;
    use uuid::Uuid;

    use super::*;

    fn key(byte: u8) -> ReceiptKey {
        ReceiptKey::new(None, &Secret::new(vec![byte; 32])).unwrap()
    }

    fn content() -> ReceiptContent {
        ReceiptContent {
            iss: "https://exam.example".to_owned(),
            session_id: Uuid::nil(),
            version: Some(1),
            seq: 3,
            at: Moment::from_milliseconds(0),
            deadline: None,
            answers: Vec::new(),
            drawings: Vec::new(),
        }
    }

    /// The key and the thumbprint of RFC 8037, appendix A.
    #[test]
    fn the_thumbprint_is_that_of_rfc_8037() {
        let x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
        let bytes = URL_SAFE_NO_PAD.decode(x).unwrap();
        let public = ReceiptPublicKey::of(bytes.as_slice().try_into().unwrap());
        assert_eq!(public.kid, "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
        let seed = URL_SAFE_NO_PAD.decode("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A").unwrap();
        let own = ReceiptKey::new(Some(&Secret::new(seed)), &Secret::new(Vec::new())).unwrap();
        assert_eq!(own.public(), &public);
        assert_eq!(ReceiptPublicKey::of_json(&public.json()), Some(public));
    }

    #[test]
    fn a_receipt_is_believed_only_as_it_was_signed() {
        let (own, other) = (key(1), key(2));
        assert_ne!(own.public(), other.public());
        let jws = own.sign_receipt(&content()).unwrap();
        assert_eq!(jws, own.sign_receipt(&content()).unwrap(), "the same receipt has the same signature");
        let keys = [other.public().clone(), own.public().clone()];
        assert_eq!(verify_receipt(&jws, &keys), Ok(content()));
        let header = String::from_utf8(URL_SAFE_NO_PAD.decode(jws.split('.').next().unwrap()).unwrap()).unwrap();
        assert_eq!(header, format!(r#"{{"alg":"EdDSA","kid":"{}","typ":"receipt+jwt"}}"#, own.public().kid));
        let kid = own.public().kid.clone();
        assert_eq!(verify_receipt(&jws, &keys[..1]), Err(ReceiptFault::UnknownKey(kid)));
        for (place, _) in jws.match_indices(|letter: char| letter != '.') {
            let mut altered = jws.clone().into_bytes();
            altered[place] = if altered[place] == b'A' { b'B' } else { b'A' };
            let altered = String::from_utf8(altered).unwrap();
            assert!(altered == jws || verify_receipt(&altered, &keys).is_err(), "{place}");
        }
        for text in ["", ".", "..", "a.b.c", "e30.e30.e30"] {
            assert_eq!(verify_receipt(text, &keys), Err(ReceiptFault::NotReceipt), "{text}");
        }
    }

    #[test]
    fn a_seal_is_of_one_digest_and_one_key() {
        let (own, other) = (key(1), key(2));
        let seal = own.seal(&[7; 32]);
        assert!(own.public().has_sealed(&[7; 32], &seal));
        assert!(!own.public().has_sealed(&[8; 32], &seal) && !other.public().has_sealed(&[7; 32], &seal));
    }
}
