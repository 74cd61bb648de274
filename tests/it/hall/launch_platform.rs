//! The launching half of a learning platform, as strict as the texts that describe it: a key set that can change,
//! signed messages with every fault that a test asks for, and what a browser carries between the two.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, OnceLock};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use reqwest::Method;
use rsa::pkcs1v15::Pkcs1v15Sign;
use rsa::rand_core::OsRng;
use rsa::traits::PublicKeyParts;
use rsa::{RsaPrivateKey, pkcs8::EncodePublicKey};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use url::{Url, form_urlencoded};

use super::receiver::read_call;
use super::{Answer, Caller, Hall};

/// By which the platform knows the tool.
pub const CLIENT_ID: &str = "exam-hall-1";
/// What most claims begin with.
pub const LTI: &str = "https://purl.imsglobal.org/spec/lti/claim/";
/// What the claims of deep linking begin with.
pub const DL: &str = "https://purl.imsglobal.org/spec/lti-dl/claim/";
/// What the roles of courses begin with.
pub const MEMBERSHIP: &str = "http://purl.imsglobal.org/vocab/lis/v2/membership#";
/// Where the tests' server is known to be.
pub const LAUNCH: &str = "http://exam.localhost/lti/launch";
/// Bits of the keys: too few for use, and made in a moment.
const KEY_BITS: usize = 1_024;

/// Keys that all tests of a process share: making one takes a while.
static KEYS: [OnceLock<RsaPrivateKey>; 2] = [const { OnceLock::new() }; 2];

fn key(number: usize) -> &'static RsaPrivateKey {
    KEYS[number].get_or_init(|| RsaPrivateKey::new(&mut OsRng, KEY_BITS).unwrap())
}

/// A platform on a free port; it ends when it is dropped.
pub struct LaunchPlatform {
    pub issuer: String,
    /// Our own id of it.
    pub id: String,
    /// Which key signs.
    pub signs_with: usize,
    state: Arc<Mutex<PublishedKeys>>,
    task: JoinHandle<()>,
}

struct PublishedKeys {
    published: Vec<usize>,
    fetched: usize,
    is_away: bool,
}

/// A login as it stands when the platform has the browser.
#[derive(Clone, Debug)]
pub struct BegunLogin {
    pub state: String,
    pub nonce: String,
    /// Name and value.
    pub cookie: String,
    /// Where the browser was sent.
    pub url: Url,
}

/// What a token is to have wrong, beside its claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signing {
    Well,
    /// The header names no key.
    WithoutKeyId,
    /// The header names this key, which signs with the usual one all the same.
    AsKey(&'static str),
    /// `alg: none`, without a signature.
    WithNone,
    /// `HS256`, with the platform's public key as the secret.
    WithPublicKey,
    /// A signature of another message.
    Badly,
}

impl LaunchPlatform {
    /// A platform that an admin has connected, with the deployment `1`; `changes` of what the admin has entered.
    pub async fn open(hall: &Hall, changes: Value) -> Self {
        let mut platform = Self::alone().await;
        let base = &platform.issuer;
        let mut body = json!({
            "name": "Moodle of the tests", "issuer": base, "clientId": CLIENT_ID,
            "endpoints": {
                "authorization": format!("{base}/auth?instance=7"), "token": format!("{base}/token"),
                "jwks": format!("{base}/keys"),
            },
            "deployments": [{ "id": "1", "state": "active" }], "grades": [5],
        });
        body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        let admin = hall.signed_in("admin").await;
        let answer = admin.post_json("/api/admin/lti/platforms", &body).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        platform.id = answer.json()["platform"]["id"].as_str().unwrap().to_owned();
        platform
    }

    /// One that nobody has connected.
    pub async fn alone() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address: SocketAddr = listener.local_addr().unwrap();
        let state = Arc::new(Mutex::new(PublishedKeys { published: vec![0], fetched: 0, is_away: false }));
        let shared = Arc::clone(&state);
        let task = tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let Some(_) = read_call(&mut stream).await else { continue };
                let (status, body) = {
                    let mut state = shared.lock().unwrap();
                    state.fetched += 1;
                    (if state.is_away { 503 } else { 200 }, key_set(&state.published).to_string())
                };
                let head = format!(
                    "HTTP/1.1 {status} Told\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                    body.len(),
                );
                let _ = stream.write_all(head.as_bytes()).await;
            }
        });
        Self { issuer: format!("http://{address}"), id: String::new(), signs_with: 0, state, task }
    }

    /// From now on publishes these keys and no others.
    pub fn publish(&self, keys: &[usize]) {
        self.state.lock().unwrap().published = keys.to_vec();
    }

    /// From now on its keys cannot be fetched.
    pub fn hide(&self) {
        self.state.lock().unwrap().is_away = true;
    }

    /// How often its keys were fetched.
    pub fn fetched(&self) -> usize {
        self.state.lock().unwrap().fetched
    }

    /// The query with which it begins a login.
    pub fn login_query(&self, more: &[(&str, &str)]) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("iss", &self.issuer).append_pair("client_id", CLIENT_ID);
        query.append_pair("login_hint", "hint-1").append_pair("target_link_uri", LAUNCH);
        query.append_pair("lti_message_hint", "message-1");
        query.extend_pairs(more);
        query.finish()
    }

    /// Begins a login in a browser that has nothing yet, and is led to the platform.
    pub async fn login(&self, browser: &Caller) -> BegunLogin {
        let answer = browser.get(&format!("/lti/login?{}", self.login_query(&[]))).await;
        assert_eq!(answer.status, 302, "{}", answer.text());
        BegunLogin::of(&answer)
    }

    /// The claims of a learner who follows a link.
    pub fn claims(&self, nonce: &str, now: i64) -> Value {
        json!({
            "iss": self.issuer, "aud": CLIENT_ID, "azp": CLIENT_ID, "sub": "learner-1", "exp": now + 300, "iat": now,
            "nonce": nonce, "name": "Ada Lovelace", "email": "ada@exam.test", "given_name": null,
            format!("{LTI}version"): "1.3.0",
            format!("{LTI}message_type"): "LtiResourceLinkRequest",
            format!("{LTI}deployment_id"): "1",
            format!("{LTI}target_link_uri"): LAUNCH,
            format!("{LTI}roles"): [format!("{MEMBERSHIP}Learner")],
            format!("{LTI}resource_link"): { "id": "link-1", "title": "Finals", "description": null },
            format!("{LTI}context"): { "id": "course-1", "label": "M", "title": "Maths" },
            format!("{LTI}launch_presentation"): { "document_target": "window", "locale": "en" },
            format!("{LTI}custom"): {},
            format!("{LTI}tool_platform"): { "guid": "tests", "product_family_code": "moodle" },
        })
    }

    /// A token of these claims.
    pub fn token(&self, claims: &Value, signing: Signing) -> String {
        let kid = format!("key-{}", self.signs_with);
        let header = match signing {
            Signing::WithoutKeyId => json!({ "alg": "RS256", "typ": "JWT" }),
            Signing::AsKey(name) => json!({ "alg": "RS256", "typ": "JWT", "kid": name }),
            Signing::WithNone => json!({ "alg": "none", "typ": "JWT", "kid": kid }),
            Signing::WithPublicKey => json!({ "alg": "HS256", "typ": "JWT", "kid": kid }),
            Signing::Well | Signing::Badly => json!({ "alg": "RS256", "typ": "JWT", "kid": kid }),
        };
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", part(&header), part(claims));
        let key = key(self.signs_with);
        let signature = match signing {
            Signing::WithNone => Vec::new(),
            Signing::WithPublicKey => {
                let secret = key.to_public_key().to_public_key_der().unwrap();
                let mac = Hmac::<sha2::Sha256>::new_from_slice(secret.as_bytes()).unwrap();
                mac.chain_update(signed.as_bytes()).finalize().into_bytes().to_vec()
            }
            Signing::Badly => sign(key, b"another message"),
            _ => sign(key, signed.as_bytes()),
        };
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
    }
}

fn sign(key: &RsaPrivateKey, message: &[u8]) -> Vec<u8> {
    use rsa::sha2::Digest;
    key.sign(Pkcs1v15Sign::new::<rsa::sha2::Sha256>(), &rsa::sha2::Sha256::digest(message)).unwrap()
}

fn key_set(published: &[usize]) -> Value {
    let number = |bytes: Vec<u8>| URL_SAFE_NO_PAD.encode(bytes);
    let public = |number_of: &usize| {
        let key = key(*number_of);
        json!({
            "kty": "RSA", "alg": "RS256", "use": "sig", "kid": format!("key-{number_of}"),
            "n": number(key.n().to_bytes_be()), "e": number(key.e().to_bytes_be()),
        })
    };
    json!({ "keys": published.iter().map(public).collect::<Vec<_>>() })
}

impl Drop for LaunchPlatform {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl BegunLogin {
    /// What the answer to a login says.
    pub fn of(answer: &Answer) -> Self {
        let url = Url::parse(answer.header("location")).unwrap();
        let of = |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
        let cookie = answer.header("set-cookie").split(';').next().unwrap().to_owned();
        Self { state: of("state").unwrap(), nonce: of("nonce").unwrap(), cookie, url }
    }

    /// Posts a launch as the browser of the login does.
    pub async fn launch(&self, browser: &Caller, id_token: &str) -> Answer {
        self.launch_with(browser, &[("id_token", id_token)], &[("cookie", self.cookie.as_str())]).await
    }

    /// The same with these fields and headers.
    pub async fn launch_with(&self, browser: &Caller, fields: &[(&str, &str)], headers: &[(&str, &str)]) -> Answer {
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.append_pair("state", &self.state).extend_pairs(fields);
        post_form(browser, "/lti/launch", form.finish(), headers).await
    }
}

/// Posts a form that is encoded already.
pub async fn post_form(browser: &Caller, path: &str, form: String, headers: &[(&str, &str)]) -> Answer {
    let mut request = browser.request(Method::POST, path);
    request = request.header("content-type", "application/x-www-form-urlencoded");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    Answer::to(request.body(form)).await
}
