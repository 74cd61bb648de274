//! The file by which late work comes without any network: what is in it, and how it is opened. The page's side is
//! `web/src/late/file.ts`; `tests/golden/late_file.json` keeps both to one form.
//!
//! The commands are encrypted by AES-256-GCM under a key of their own, which is wrapped for the server by RSA-OAEP. The
//! whole is authenticated by an HMAC, whose key only those have who know the session's token, or its hash.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use domain::attempt::LATE_COMMANDS_MAX;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::error::Unspecified;
use ring::{hkdf, hmac};
use serde::Deserialize;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::keys::LateKeys;
use crate::auth::token;
use crate::live::protocol::fault::{Code, Fault};

/// The form of the file, which is also what its keys are derived for.
pub const FORMAT: &str = "examhall.late.v1";
/// Bytes of the hash of a token by which a file names its device.
const DEVICE_BYTES: usize = 8;

/// A file as it is handed in.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SealedFile {
    format: String,
    /// The name of the key for which it is encrypted.
    key: String,
    pub session_id: Uuid,
    /// Which token authenticates it.
    device: String,
    wrapped: String,
    iv: String,
    data: String,
    mac: String,
}

/// What was in a file.
#[derive(Debug, Deserialize)]
struct FileContent {
    commands: Vec<Box<RawValue>>,
}

impl SealedFile {
    /// Reads the outer form. Fails with `file_altered`.
    pub fn read(body: &[u8]) -> Result<Self, Fault> {
        serde_json::from_slice(body).ok().filter(|file: &Self| file.format == FORMAT).ok_or_else(altered)
    }

    /// What the HMAC is over.
    fn signed(&self) -> String {
        let Self { format, key, session_id, device, wrapped, iv, data, .. } = self;
        [format, key, &session_id.to_string(), device, wrapped, iv, data].map(String::as_str).join("\n")
    }

    /// What tells it from all other files.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        Sha256::digest(self.signed()).into()
    }

    /// The commands, each as JSON text. `tokens` are the hashes of those of the session. Takes a core for some
    /// milliseconds. Fails with `file_of_other_server`, `file_of_other_session`, `file_altered` or `too_large`.
    ///
    /// From the RSA step on every failure is one error, after the same work: whoever hands in a file learns from the
    /// answer only whether all of it is whole.
    pub fn open(&self, keys: &LateKeys, tokens: &[[u8; 32]]) -> Result<Vec<Box<RawValue>>, Fault> {
        let decoded = |text: &str| STANDARD.decode(text).map_err(|_| altered());
        let (wrapped, iv) = (decoded(&self.wrapped)?, decoded(&self.iv)?);
        let (mut data, mac) = (decoded(&self.data)?, decoded(&self.mac)?);
        let iv = <[u8; NONCE_LEN]>::try_from(iv).map_err(|_| altered())?;
        let theirs = tokens.iter().find(|hash| device_name(hash) == self.device);
        let token_hash = theirs.ok_or_else(|| {
            Fault::new(Code::FileOfOtherSession, "The file is not of this test, or its device was ended")
        })?;
        let unwrapped = keys
            .unwrap(&self.key, &wrapped)
            .ok_or_else(|| Fault::new(Code::FileOfOtherServer, "The file was encrypted for another server"))?;
        let is_theirs = hmac::verify(&mac_key(token_hash, self.session_id)?, self.signed().as_bytes(), &mac).is_ok();
        // Another key in its place fails in the same way as a wrong text.
        let key = unwrapped.unwrap_or_default();
        let text = open_in_place(&key, iv, FORMAT.as_bytes(), &mut data);
        let text = text.filter(|_| is_theirs && unwrapped.is_some()).ok_or_else(altered)?;
        let content: FileContent = serde_json::from_slice(text).map_err(|_| altered())?;
        if content.commands.len() > LATE_COMMANDS_MAX {
            return Err(Fault::new(Code::TooLarge, "The file has more commands than can be kept of one test"));
        }
        Ok(content.commands)
    }
}

fn altered() -> Fault {
    Fault::new(Code::FileAltered, "The file is damaged, or was changed after it was saved")
}

/// By which name a file calls the token that authenticates it. It tells nobody the token.
fn device_name(token_hash: &[u8; 32]) -> String {
    let digest = Sha256::digest([FORMAT.as_bytes(), &token_hash[..]].concat());
    URL_SAFE_NO_PAD.encode(digest.get(..DEVICE_BYTES).unwrap_or_default())
}

/// The key of the HMAC, derived by HKDF from the hash of the token, since that is what servers keep.
fn mac_key(token_hash: &[u8; 32], session_id: Uuid) -> Result<hmac::Key, Fault> {
    let salt = hkdf::Salt::new(hkdf::HKDF_SHA256, session_id.to_string().as_bytes());
    let derived = salt.extract(token_hash);
    let mut key = [0; 32];
    let filled = derived.expand(&[FORMAT.as_bytes()], hkdf::HKDF_SHA256).and_then(|derived| derived.fill(&mut key));
    filled.map_err(|_| Fault::internal())?;
    Ok(hmac::Key::new(hmac::HMAC_SHA256, &key))
}

/// Seals bytes under a key: a random nonce, the ciphertext and its tag.
pub fn seal(key: &[u8; 32], bound_to: &[u8], text: &[u8]) -> std::io::Result<Vec<u8>> {
    let failed = |_: Unspecified| std::io::Error::other("nothing can be sealed");
    let random = token::random_bytes()?;
    let (nonce, _) = random.split_first_chunk::<NONCE_LEN>().ok_or_else(|| failed(Unspecified))?;
    let mut sealed = text.to_vec();
    let cipher = cipher(key).map_err(failed)?;
    let nonce_used = Nonce::assume_unique_for_key(*nonce);
    cipher.seal_in_place_append_tag(nonce_used, Aad::from(bound_to), &mut sealed).map_err(failed)?;
    Ok([&nonce[..], &sealed].concat())
}

/// Opens what [`seal`] has sealed; `None` for anything else.
#[must_use]
pub fn open(key: &[u8; 32], bound_to: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
    let (nonce, rest) = sealed.split_first_chunk::<NONCE_LEN>()?;
    let mut text = rest.to_vec();
    open_in_place(key, *nonce, bound_to, &mut text).map(|text| text.to_vec())
}

fn open_in_place<'a>(
    key: &[u8; 32],
    nonce: [u8; NONCE_LEN],
    bound_to: &[u8],
    sealed: &'a mut [u8],
) -> Option<&'a [u8]> {
    let cipher = cipher(key).ok()?;
    let text = cipher.open_in_place(Nonce::assume_unique_for_key(nonce), Aad::from(bound_to), sealed).ok()?;
    Some(text)
}

fn cipher(key: &[u8; 32]) -> Result<LessSafeKey, Unspecified> {
    UnboundKey::new(&AES_256_GCM, key).map(LessSafeKey::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SESSION: &str = "0b0e5f5a-6f5e-4c8e-9c59-5a3f8f5a2f10";

    #[test]
    fn what_is_sealed_opens_with_its_key_and_purpose_alone() {
        let sealed = seal(&[1; 32], b"a", b"secret").unwrap();
        assert_eq!(open(&[1; 32], b"a", &sealed).as_deref(), Some(&b"secret"[..]));
        assert!(open(&[2; 32], b"a", &sealed).is_none() && open(&[1; 32], b"b", &sealed).is_none());
        assert!(open(&[1; 32], b"a", &sealed[..11]).is_none());
    }

    #[test]
    fn a_file_that_is_none_is_refused_by_name() {
        for body in ["", "{}", "[]", r#"{"format":"examhall.late.v2"}"#] {
            assert_eq!(SealedFile::read(body.as_bytes()).unwrap_err().code, Code::FileAltered, "{body}");
        }
    }

    /// As `web/src/late/file.test.ts` derives them.
    #[test]
    fn both_sides_derive_the_same() {
        let golden = include_str!("../../../tests/golden/late_file.json");
        let golden: serde_json::Value = serde_json::from_str(golden).unwrap();
        let hash = token::hash("a token");
        assert_eq!(golden["sessionId"], SESSION);
        assert_eq!(golden["device"], device_name(&hash));
        let tag = hmac::sign(&mac_key(&hash, SESSION.parse().unwrap()).unwrap(), b"text");
        assert_eq!(golden["mac"], STANDARD.encode(tag.as_ref()));
    }
}
