//! The sealed parts of a paper and what is in them: each candidate fetches and checks every part, but equal bytes are
//! kept and decrypted once, so that the generator leaves the processor to the server at the beginning.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The ids of a part's questions, in their order.
pub type PaperIds = Arc<Vec<String>>;

#[derive(Default)]
pub struct PaperShelf {
    /// By their SHA-256, hexadecimal.
    sealed: Mutex<HashMap<String, Arc<Vec<u8>>>>,
    /// By the SHA-256 of the sealed part and its key.
    opened: Mutex<HashMap<(String, String), PaperIds>>,
}

#[derive(Deserialize)]
struct Question {
    id: String,
}

impl PaperShelf {
    /// Takes a part that a candidate has fetched. False if it is not the one of that hash.
    pub fn take(&self, sha256: &str, sealed: &[u8]) -> bool {
        if hexadecimal(&Sha256::digest(sealed)) != sha256 {
            return false;
        }
        locked(&self.sealed).entry(sha256.to_owned()).or_insert_with(|| Arc::new(sealed.to_vec()));
        true
    }

    /// The questions of a part; `None` if the key does not open it.
    pub fn open(&self, sha256: &str, key: &str) -> Option<PaperIds> {
        let name = (sha256.to_owned(), key.to_owned());
        // The lock is held while the first candidate decrypts; the others then find the result.
        let mut opened = locked(&self.opened);
        if let Some(found) = opened.get(&name) {
            return Some(Arc::clone(found));
        }
        let sealed = Arc::clone(locked(&self.sealed).get(sha256)?);
        let text = decrypt(&STANDARD.decode(key).ok()?, &sealed)?;
        let questions: Vec<Question> = serde_json::from_slice(&text).ok()?;
        let ids = Arc::new(questions.into_iter().map(|question| question.id).collect());
        opened.insert(name, Arc::clone(&ids));
        Some(ids)
    }

    /// Every key that has opened a part, as it stood in a frame.
    pub fn keys(&self) -> Vec<String> {
        locked(&self.opened).keys().map(|(_, key)| key.clone()).collect()
    }
}

/// A sealed part is a nonce of 12 bytes, the ciphertext and the tag.
fn decrypt(key: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
    let (nonce, rest) = sealed.split_first_chunk::<NONCE_LEN>()?;
    let cipher = LessSafeKey::new(UnboundKey::new(&AES_256_GCM, key).ok()?);
    let mut text = rest.to_vec();
    let length = cipher.open_in_place(Nonce::assume_unique_for_key(*nonce), Aad::empty(), &mut text).ok()?.len();
    text.truncate(length);
    Some(text)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

// A poisoned lock is harmless: every change is a single insertion.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed(key: &[u8; 32], text: &str) -> Vec<u8> {
        let cipher = LessSafeKey::new(UnboundKey::new(&AES_256_GCM, key).unwrap());
        let mut sealed = text.as_bytes().to_vec();
        let nonce = Nonce::assume_unique_for_key([7; NONCE_LEN]);
        cipher.seal_in_place_append_tag(nonce, Aad::empty(), &mut sealed).unwrap();
        [vec![7; NONCE_LEN], sealed].concat()
    }

    #[test]
    fn a_part_is_opened_by_its_key_alone() {
        let (shelf, key) = (PaperShelf::default(), [3; 32]);
        let part = sealed(&key, r#"[{"id":"g5-003","question":"1 + 1"},{"id":"g5-041"}]"#);
        let sha256 = hexadecimal(&Sha256::digest(&part));
        assert!(shelf.take(&sha256, &part));
        assert!(!shelf.take(&sha256, b"other bytes"));
        assert_eq!(shelf.open(&sha256, &STANDARD.encode([4; 32])), None);
        assert_eq!(shelf.open("00", &STANDARD.encode(key)), None);
        let ids = shelf.open(&sha256, &STANDARD.encode(key)).unwrap();
        assert_eq!(*ids, ["g5-003", "g5-041"]);
        assert_eq!(shelf.keys(), [STANDARD.encode(key)]);
    }
}
