//! The keys with which this server signs what it sends to learning platforms: made when they are first needed, kept in
//! the database under a key that is derived from the service's secret, and changed without a break. `rsa` makes them
//! and no more, since its private operations take a time that tells of the key (RUSTSEC-2023-0071); `ring` signs.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::lti::rotation;
use domain::time::moment::Moment;
use moka::future::Cache;
use ring::rand::SystemRandom;
use ring::signature::{RSA_PKCS1_SHA256, RsaKeyPair};
use rsa::RsaPrivateKey;
use rsa::pkcs8::EncodePrivateKey;
use rsa::rand_core::OsRng;
use rsa::traits::PublicKeyParts;
use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use crate::auth::token;
use crate::base::Base;
use crate::clock::Clock;
use crate::config::Secret;
use crate::database::Database;
use crate::error::Error;
use crate::live::late::sealed_file::{open, seal};
use crate::store::lti::{self, SealedKey};

/// The label under which the key of the keys is derived from the service's secret.
const LABEL: &[u8] = b"examhall lti keys v1";
/// Bits of a key: what all platforms take.
const KEY_BITS: usize = 2_048;
/// The public exponent 65537 in base64url, as `rsa` makes keys.
const EXPONENT: &str = "AQAB";
/// How long the keys are believed to be those in the database. A new one is shown for a day before it counts.
const KNOWN_FOR: Duration = Duration::from_secs(60);
/// How often it is looked whether a key is to be changed.
const LOOK_EVERY: Duration = Duration::from_secs(60 * 60);

/// A process whose tests start a thousand servers makes one first key: each takes a core for a good part of a second. A
/// server that is built for use makes each key anew, since a key that has leaked must never come back.
static MADE_FOR_TESTS: OnceLock<Option<RsaPrivateKey>> = OnceLock::new();

/// A public key as platforms get it (RFC 7517).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RsaJsonWebKey {
    /// `RSA`.
    pub kty: &'static str,
    /// `RS256`.
    pub alg: &'static str,
    /// `sig`.
    #[serde(rename = "use")]
    pub purpose: &'static str,
    /// The thumbprint of RFC 7638.
    pub kid: String,
    /// The modulus in base64url.
    pub n: String,
    /// The exponent in base64url.
    pub e: &'static str,
}

/// A key that was opened.
struct OwnKey {
    public: RsaJsonWebKey,
    pair: RsaKeyPair,
    signs_from: Moment,
    ends_at: Option<Moment>,
}

impl OwnKey {
    fn is_shown(&self, now: Moment) -> bool {
        self.ends_at.is_none_or(|ends_at| ends_at > now)
    }

    /// The claims as a compact JWS (RFC 7515).
    fn sign(&self, claims: &Value) -> Result<String, Error> {
        let header = json!({ "alg": "RS256", "typ": "JWT", "kid": self.public.kid });
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", part(&header), part(claims));
        let mut signature = vec![0; self.pair.public().modulus_len()];
        let signing = self.pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), signed.as_bytes(), &mut signature);
        signing.map_err(|_| Error::internal("a message to a platform cannot be signed"))?;
        Ok(format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature)))
    }
}

/// The keys of this installation.
pub struct OwnKeys {
    database: Database,
    clock: Clock,
    sealing: [u8; 32],
    known: Cache<(), Arc<Vec<OwnKey>>>,
}

impl OwnKeys {
    #[must_use]
    pub fn open(base: &Base) -> Self {
        Self::new(&base.database, &base.clock, &base.secret)
    }

    #[must_use]
    pub fn new(database: &Database, clock: &Clock, secret: &Secret) -> Self {
        Self {
            database: database.clone(),
            clock: clock.clone(),
            sealing: token::derive(secret.reveal(), LABEL),
            known: Cache::builder().max_capacity(1).time_to_live(KNOWN_FOR).build(),
        }
    }

    /// Claims as a signed token, under the key that signs now.
    pub async fn sign(&self, claims: &Value) -> Result<String, Error> {
        let keys = self.keys().await?;
        let key = signer(&keys, self.clock.now()).ok_or_else(|| Error::internal("there is no key to sign with"))?;
        key.sign(claims)
    }

    /// The keys that platforms are shown: that which signs, that which will, and that which did.
    pub async fn published(&self) -> Result<Vec<RsaJsonWebKey>, Error> {
        let (keys, now) = (self.keys().await?, self.clock.now());
        Ok(keys.iter().filter(|key| key.is_shown(now)).map(|key| key.public.clone()).collect())
    }

    /// Changes the keys in time, and never ends. Without a platform there is no key, and nothing to change.
    pub async fn keep(&self) {
        loop {
            self.clock.sleep(LOOK_EVERY).await;
            if let Err(error) = self.rotate().await {
                tracing::warn!(%error, "the keys for learning platforms cannot be looked after");
            }
        }
    }

    /// The keys as they are stored, with a first one made if none signs. Callers who ask at the same time share it.
    async fn keys(&self) -> Result<Arc<Vec<OwnKey>>, Error> {
        let loading = async {
            let stored = lti::load_keys(&self.database.read).await?;
            let found = self.opened(&stored);
            let now = self.clock.now();
            if signer(&found, now).is_some() {
                return Ok(Arc::new(found));
            }
            // Those that cannot be opened are of another secret, and one of them may have the first moment of the day.
            let is_first = stored.is_empty();
            self.make(if is_first { rotation::first_key(now) } else { now }, is_first).await?;
            // Another server may have been first: what is stored counts.
            Ok::<_, Error>(Arc::new(self.opened(&lti::load_keys(&self.database.write).await?)))
        };
        self.known.try_get_with((), loading).await.map_err(|error: Arc<Error>| error.shared())
    }

    /// Takes a key back that others may know: it is shown no more, and another one signs at once, which is the next one
    /// if that is shown already. Returns the name of the key that signs; `None` if there is no such key.
    pub async fn take_back(&self, kid: &str) -> Result<Option<String>, Error> {
        let (writing, now) = (&self.database.write, self.clock.now());
        if !lti::delete_key(writing, kid).await? {
            return Ok(None);
        }
        let others = self.opened(&lti::load_keys(writing).await?);
        // One that has an end has signed before, and will soon sign no more.
        let signs = others.iter().any(|key| key.signs_from <= now && key.ends_at.is_none());
        let next = others.iter().filter(|key| key.signs_from > now).min_by_key(|key| key.signs_from);
        match next {
            _ if signs => {}
            Some(next) => lti::sign_from(writing, &next.public.kid, now).await?,
            None => self.make(now, false).await?,
        }
        self.known.invalidate(&()).await;
        let keys = self.keys().await?;
        Ok(signer(&keys, now).map(|key| key.public.kid.clone()))
    }

    /// Keys that this secret does not open count for nothing: with another one they would end those that sign.
    async fn rotate(&self) -> Result<(), Error> {
        let now = self.clock.now();
        let own = self.opened(&lti::load_keys(&self.database.read).await?);
        let Some(newest) = own.iter().map(|key| key.signs_from).max() else { return Ok(()) };
        if let Some(signs_from) = rotation::next_key(now, newest) {
            self.make(signs_from, false).await?;
            tracing::info!(signs_from = %signs_from.iso(), "a new key for learning platforms is published");
        }
        let signing = own.iter().map(|key| key.signs_from).filter(|signs_from| *signs_from <= now).max();
        if let Some(signing) = signing {
            for key in own.iter().filter(|key| key.ends_at.is_none() && key.signs_from < signing) {
                lti::end_key(&self.database.write, &key.public.kid, rotation::shown_until(signing)).await?;
            }
        }
        lti::delete_ended_keys(&self.database.write, now).await?;
        self.known.invalidate(&()).await;
        Ok(())
    }

    async fn make(&self, signs_from: Moment, is_first: bool) -> Result<(), Error> {
        let made = tokio::task::spawn_blocking(move || made(is_first)).await.map_err(Error::internal)?;
        let made = made.ok_or_else(|| Error::internal("no key was made"))?;
        let modulus = made.n().to_bytes_be();
        let kid = public_key(&modulus).kid;
        let private = made.to_pkcs8_der().map_err(Error::internal)?;
        let key = SealedKey {
            sealed: seal(&self.sealing, kid.as_bytes(), private.as_bytes()).map_err(Error::internal)?,
            kid,
            modulus,
            published_at: self.clock.now(),
            signs_from,
            ends_at: None,
        };
        lti::insert_key(&self.database.write, &key).await?;
        Ok(())
    }

    /// Those that this secret opens.
    fn opened(&self, stored: &[SealedKey]) -> Vec<OwnKey> {
        let key = |stored: &SealedKey| {
            let private = open(&self.sealing, stored.kid.as_bytes(), &stored.sealed)?;
            let pair = RsaKeyPair::from_pkcs8(&private).ok()?;
            let (signs_from, ends_at) = (stored.signs_from, stored.ends_at);
            Some(OwnKey { public: public_key(&stored.modulus), pair, signs_from, ends_at })
        };
        stored.iter().filter_map(key).collect()
    }
}

fn made(is_first: bool) -> Option<RsaPrivateKey> {
    let make = || {
        let made = RsaPrivateKey::new(&mut OsRng, KEY_BITS);
        made.inspect_err(|error| tracing::error!(%error, "no key for learning platforms can be made")).ok()
    };
    if is_first && cfg!(debug_assertions) { MADE_FOR_TESTS.get_or_init(make).clone() } else { make() }
}

/// The key that signs now: the newest whose time has come.
fn signer(keys: &[OwnKey], now: Moment) -> Option<&OwnKey> {
    keys.iter().filter(|key| key.signs_from <= now && key.is_shown(now)).max_by_key(|key| key.signs_from)
}

fn public_key(modulus: &[u8]) -> RsaJsonWebKey {
    let n = URL_SAFE_NO_PAD.encode(modulus);
    // The members that RFC 7638 names, in their order and without blanks.
    let members = format!(r#"{{"e":"{EXPONENT}","kty":"RSA","n":"{n}"}}"#);
    let kid = URL_SAFE_NO_PAD.encode(Sha256::digest(members));
    RsaJsonWebKey { kty: "RSA", alg: "RS256", purpose: "sig", kid, n, e: EXPONENT }
}

#[cfg(test)]
mod tests {
    use ring::signature::{RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents};

    use super::*;

    fn key(signs_from: i64, ends_at: Option<i64>) -> OwnKey {
        let made = made(true).unwrap();
        let pair = RsaKeyPair::from_pkcs8(made.to_pkcs8_der().unwrap().as_bytes()).unwrap();
        let moment = Moment::from_milliseconds;
        let public = public_key(&made.n().to_bytes_be());
        OwnKey { public, pair, signs_from: moment(signs_from), ends_at: ends_at.map(moment) }
    }

    #[test]
    fn what_is_signed_is_verified_by_the_public_key() {
        let key = key(0, None);
        let token = key.sign(&json!({ "iss": "client" })).unwrap();
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let decoded = |text: &str| URL_SAFE_NO_PAD.decode(text).unwrap();
        let (n, e) = (decoded(&key.public.n), decoded(key.public.e));
        let public = RsaPublicKeyComponents { n: &n, e: &e };
        public.verify(&RSA_PKCS1_2048_8192_SHA256, signed.as_bytes(), &decoded(signature)).unwrap();
        assert!(public.verify(&RSA_PKCS1_2048_8192_SHA256, b"other", &decoded(signature)).is_err());
        let (header, claims) = signed.split_once('.').unwrap();
        let header: Value = serde_json::from_slice(&decoded(header)).unwrap();
        assert_eq!(header, json!({ "alg": "RS256", "typ": "JWT", "kid": key.public.kid }));
        assert_eq!(decoded(claims), br#"{"iss":"client"}"#);
    }

    #[test]
    fn the_newest_key_signs_whose_time_has_come() {
        let keys = [key(300, None), key(200, None), key(100, Some(250))];
        let signs = |now| signer(&keys, Moment::from_milliseconds(now)).map(|key| key.signs_from.milliseconds());
        assert_eq!([99, 100, 200, 299, 300].map(signs), [None, Some(100), Some(200), Some(200), Some(300)]);
        assert!(!keys[2].is_shown(Moment::from_milliseconds(250)) && keys[2].is_shown(Moment::from_milliseconds(249)));
    }

    /// The key and the thumbprint of RFC 7638, section 3.1.
    #[test]
    fn the_thumbprint_is_that_of_rfc_7638() {
        let n = "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknj\
                 hMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6q\
                 MQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8aw\
                 apJzKnqDKgw";
        let public = public_key(&URL_SAFE_NO_PAD.decode(n).unwrap());
        assert_eq!((&*public.n, &*public.kid), (n, "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"));
    }
}
