//! Signs what goes through Redis, so that whoever can write to Redis cannot speak for a server. Each signature is bound
//! to the channel or key for which it was made, so that nothing can be moved to another one. Nothing is encrypted.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;

use crate::config::Secret;

/// Labels under which the two keys are derived from the service's secret.
const MESSAGES_LABEL: &[u8] = b"examhall redis messages v1";
const BODIES_LABEL: &[u8] = b"examhall redis bodies v1";
/// Stands between the signature and the message. Signatures are in base64, so it is in none.
const SEPARATOR: char = '.';

type Signature = [u8; 32];

/// The keys of all servers of one service.
#[derive(Clone)]
pub struct Seal {
    messages: Signature,
    bodies: Signature,
}

impl Seal {
    #[must_use]
    pub fn new(secret: &Secret) -> Self {
        let derived = |label: &[u8]| sign(secret.reveal(), [label]);
        Self { messages: derived(MESSAGES_LABEL), bodies: derived(BODIES_LABEL) }
    }

    /// A message in the form in which it is published on this channel. It is text, so that a server of an earlier
    /// version, which does not know of signatures, survives it.
    #[must_use]
    pub fn seal(&self, channel: &str, message: &str) -> String {
        let signature = sign(&self.messages, [channel.as_bytes(), message.as_bytes()]);
        format!("{}{SEPARATOR}{message}", URL_SAFE_NO_PAD.encode(signature))
    }

    /// The message that a server of this service has published on this channel; `None` for anything else.
    #[must_use]
    pub fn open<'a>(&self, channel: &str, sealed: &'a [u8]) -> Option<&'a str> {
        let (signature, message) = std::str::from_utf8(sealed).ok()?.split_once(SEPARATOR)?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        let expected = sign(&self.messages, [channel.as_bytes(), message.as_bytes()]);
        bool::from(expected.as_slice().ct_eq(&signature)).then_some(message)
    }

    /// The signature of the parts of a body under this key.
    #[must_use]
    pub fn sign_body(&self, key: &str, [plain, gzip, brotli]: [&[u8]; 3]) -> Signature {
        sign(&self.bodies, [key.as_bytes(), plain, gzip, brotli])
    }

    /// Returns whether a server of this service has stored these parts under this key.
    #[must_use]
    pub fn is_body(&self, key: &str, parts: [&[u8]; 3], signature: &[u8]) -> bool {
        self.sign_body(key, parts).as_slice().ct_eq(signature).into()
    }
}

/// Each part is preceded by its length, so that no byte can move from one to another.
fn sign<const PARTS: usize>(key: &[u8], parts: [&[u8]; PARTS]) -> Signature {
    // HMAC takes a key of any length; the other branch cannot be reached.
    Hmac::<Sha256>::new_from_slice(key)
        .map(|mac| {
            let signed = parts
                .iter()
                .fold(mac, |mac, part| mac.chain_update((part.len() as u64).to_be_bytes()).chain_update(part));
            signed.finalize().into_bytes().into()
        })
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seal(secret: &str) -> Seal {
        Seal::new(&Secret::new(secret.as_bytes().to_vec()))
    }

    #[test]
    fn a_message_is_opened_where_it_was_sealed() {
        let (ours, theirs) = (seal("ours"), seal("theirs"));
        let sealed = ours.seal("exam:live", "{\"word\":\"a.b\"}");
        assert_eq!(ours.open("exam:live", sealed.as_bytes()), Some("{\"word\":\"a.b\"}"));
        assert_eq!(ours.open("exam:live:2", sealed.as_bytes()), None, "on another channel");
        assert_eq!(theirs.open("exam:live", sealed.as_bytes()), None, "with another secret");
        assert_eq!(ours.open("exam:live", sealed.replace("a.b", "a.c").as_bytes()), None, "changed");
        let body = ours.sign_body("exam:live", [b"{}", b"", b""]);
        let as_message = format!("{}.{{}}", URL_SAFE_NO_PAD.encode(body));
        for foreign in [&b""[..], b".", b"{}", b"\xff\xfe.{}", b"AAAA.{}", as_message.as_bytes()] {
            assert_eq!(ours.open("exam:live", foreign), None, "{foreign:?}");
        }
        assert_eq!(ours.open("c", ours.seal("c", "").as_bytes()), Some(""));
    }

    #[test]
    fn a_body_is_believed_where_it_was_stored() {
        let seal = seal("ours");
        let signature = seal.sign_body("exam:body:1", [b"plain", b"gzip", b"brotli"]);
        assert!(seal.is_body("exam:body:1", [b"plain", b"gzip", b"brotli"], &signature));
        assert!(!seal.is_body("exam:body:2", [b"plain", b"gzip", b"brotli"], &signature));
        assert!(!seal.is_body("exam:body:1", [b"plain", b"gzipb", b"rotli"], &signature));
        assert!(!seal.is_body("exam:body:1", [b"plain", b"gzip", b"other"], &signature));
        assert!(!seal.is_body("exam:body:1", [b"plain", b"gzip", b"brotli"], b""));
    }
}
