//! TLS that ends at the server itself, for those without a proxy.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use reqwest::Method;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::hall::{Answer, Caller, Hall, OwnSigned, PATIENCE, eventually};

/// More than the time after which the files are looked at.
const LOOK: Duration = Duration::from_secs(61);
const DAY: u64 = 24 * 3_600;

struct EncryptedHall {
    hall: Hall,
    folder: TempDir,
}

impl EncryptedHall {
    async fn open(own: &OwnSigned, changes: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let settings = own.put_into(folder.path());
        let settings: Vec<(&str, &str)> = settings.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let hall = Hall::with(&[&settings[..], changes].concat()).await;
        Self { hall, folder }
    }

    fn address(&self) -> String {
        self.hall.base().trim_start_matches("http://").to_owned()
    }

    /// Someone who believes this certificate alone, and has no connection yet.
    fn caller(&self, believed: &OwnSigned) -> Caller {
        let port = self.address().rsplit_once(':').unwrap().1.to_owned();
        Caller::believing(&format!("https://localhost:{port}"), &believed.certificate)
    }

    /// The status of an answer; `None` when no connection is made.
    async fn status(&self, believed: &OwnSigned) -> Option<u16> {
        Answer::status_if_connected(self.caller(believed).request(Method::GET, "/healthz")).await
    }

    async fn metric(&self, believed: &OwnSigned, name: &str) -> Option<f64> {
        let text = self.caller(believed).get("/metrics").await.text();
        let line = text.lines().find(|line| line.starts_with(name))?;
        line.rsplit_once(' ').unwrap().1.parse().ok()
    }

    /// Lets the files be looked at until this is so. The clock is moved each time: whoever is looking when it moves
    /// begins to wait after it.
    async fn until(&self, what: &str, is_so: impl AsyncFn() -> bool) {
        eventually(what, async || {
            self.hall.clock.advance(LOOK);
            is_so().await.then_some(())
        })
        .await;
    }

    /// Asserts that files are refused which were put there since so many were.
    async fn assert_refuses(&self, believed: &OwnSigned, before: f64) -> f64 {
        self.until("it is refused", async || self.refused(believed).await > before).await;
        assert_eq!(self.status(believed).await, Some(200));
        self.refused(believed).await
    }

    async fn refused(&self, believed: &OwnSigned) -> f64 {
        self.metric(believed, "examhall_tls_certificates_refused_total ").await.unwrap()
    }

    fn put(&self, file: &str, text: &str) {
        std::fs::write(self.folder.path().join(file), text).unwrap();
    }
}

async fn hear(socket: &mut WebSocketStream<TlsStream<TcpStream>>, kind: &str) -> Value {
    loop {
        let heard = tokio::time::timeout(PATIENCE, socket.next()).await.unwrap().unwrap().unwrap();
        let frame: Value = serde_json::from_str(heard.to_text().unwrap()).unwrap();
        if frame["type"] == kind {
            return frame;
        }
    }
}

#[tokio::test]
async fn pages_cookies_and_sockets_go_through_tls() {
    let own = OwnSigned::for_days(365);
    let hall = EncryptedHall::open(&own, &[]).await;
    let caller = hall.caller(&own);
    let page = caller.get("/").await;
    assert_eq!((page.status, page.header("strict-transport-security")), (200, "max-age=15552000"));
    let form = caller.request(Method::POST, "/auth/local").header("content-type", "application/x-www-form-urlencoded");
    let signed_in = Answer::to(form.body("email=ada@exam.test&name=Ada&return_to=/")).await;
    assert_eq!(signed_in.status, 303, "{}", signed_in.text());
    let cookie = signed_in.header("set-cookie");
    assert!(cookie.starts_with("__Host-") && cookie.contains("; Secure"), "{cookie}");
    // Longer than one record of TLS, and than what the kernel takes at once.
    let bank = caller.get("/api/questions?grade=5").await;
    assert_eq!(bank.json().as_array().unwrap().len(), 120);

    let stream = own.encrypt(TcpStream::connect(hall.address()).await.unwrap()).await.unwrap();
    let (mut socket, _) = client_async("ws://localhost/api/live", stream).await.unwrap();
    socket.send(Message::text(json!({ "type": "start", "grade": 5 }).to_string())).await.unwrap();
    let started = hear(&mut socket, "started").await;
    let answer = json!({ "type": "answer", "seq": 1, "questionId": started["questionIds"][0], "selected": "A" });
    socket.send(Message::text(answer.to_string())).await.unwrap();
    assert_eq!(hear(&mut socket, "saved").await["seq"], 1);
}

#[tokio::test]
async fn plain_http_gets_no_answer_there_and_no_promise_elsewhere() {
    let own = OwnSigned::for_days(90);
    let encrypted = EncryptedHall::open(&own, &[]).await;
    let mut stream = TcpStream::connect(encrypted.address()).await.unwrap();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
    let mut answered = Vec::new();
    let _ = stream.read_to_end(&mut answered).await;
    assert!(!answered.starts_with(b"HTTP/"), "{}", answered.escape_ascii());
    assert_eq!(encrypted.status(&own).await, Some(200));
    let plain = Hall::open().await;
    assert_eq!(plain.anonymous().get("/").await.header("strict-transport-security"), "");
}

#[tokio::test]
async fn browsers_are_held_to_tls_while_the_certificate_lasts_and_where_the_port_is_its_own() {
    let own = OwnSigned::for_days(30);
    let hall = EncryptedHall::open(&own, &[]).await;
    let told =
        async |hall: &EncryptedHall| hall.caller(&own).get("/").await.header("strict-transport-security").to_owned();
    let seconds: u64 = told(&hall).await.strip_prefix("max-age=").unwrap().parse().unwrap();
    assert!((28 * DAY..=30 * DAY).contains(&seconds), "{seconds}");
    // Browsers that were told nothing let people click on, so that an exam need not wait for a certificate.
    hall.hall.clock.advance(Duration::from_secs(31 * DAY));
    assert_eq!(told(&hall).await, "max-age=0");
    let beside = EncryptedHall::open(&own, &[("AUTH_URL", "https://localhost:8443")]).await;
    assert_eq!(told(&beside).await, "");
}

#[tokio::test]
async fn a_request_that_has_arrived_is_answered_though_its_sender_has_hung_up() {
    let own = OwnSigned::for_days(90);
    let hall = EncryptedHall::open(&own, &[]).await;
    for _ in 0..8 {
        let stream = TcpStream::connect(hall.address()).await.unwrap();
        stream.set_nodelay(true).unwrap();
        let answered = own.answer_to_last_words(stream, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
        let answered = tokio::time::timeout(PATIENCE, answered).await.unwrap();
        assert!(answered.starts_with(b"HTTP/1.1 200"), "{}", answered.escape_ascii());
    }
}

#[tokio::test]
async fn a_new_certificate_that_browsers_would_refuse_is_not_used_before_its_time() {
    let first = OwnSigned::for_days(90);
    let hall = EncryptedHall::open(&first, &[]).await;
    OwnSigned::between(-1, 180, "elsewhere.example").put_into(hall.folder.path());
    let refused = hall.assert_refuses(&first, 0.0).await;
    let later = OwnSigned::between(3, 180, "localhost");
    later.put_into(hall.folder.path());
    hall.assert_refuses(&first, refused).await;
    assert_eq!(hall.status(&first).await, Some(200));
    hall.hall.clock.advance(Duration::from_secs(4 * DAY));
    // A client has the real time, in which it is not valid yet.
    hall.until("it is used by itself", async || hall.status(&first).await.is_none()).await;
}

#[tokio::test]
async fn connections_that_come_to_no_request_are_counted_by_cause() {
    let own = OwnSigned::for_days(90);
    let hall = EncryptedHall::open(&own, &[]).await;
    let refused = async |cause: &str| {
        hall.metric(&own, &format!("examhall_connections_refused_total{{cause=\"{cause}\"}}")).await
    };
    assert_eq!((refused("handshake").await, refused("closed").await), (Some(0.0), Some(0.0)));
    let mut stream = TcpStream::connect(hall.address()).await.unwrap();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
    let _ = stream.read_to_end(&mut Vec::new()).await;
    drop(TcpStream::connect(hall.address()).await.unwrap());
    eventually("both are counted", async || {
        let counted = (refused("handshake").await, refused("closed").await);
        (counted == (Some(1.0), Some(1.0))).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_new_certificate_is_used_without_a_restart_and_a_broken_one_is_not() {
    let (first, second) = (OwnSigned::for_days(90), OwnSigned::for_days(180));
    let hall = EncryptedHall::open(&first, &[]).await;
    assert_eq!((hall.status(&first).await, hall.status(&second).await), (Some(200), None));
    let ends = "examhall_tls_certificate_expiry_timestamp_seconds{";
    assert_eq!(hall.metric(&first, ends).await, Some(first.ends as f64));

    // The certificate is there before its key.
    hall.put("exam.crt", &second.certificate);
    hall.assert_refuses(&first, 0.0).await;
    assert_eq!(hall.metric(&first, ends).await, Some(first.ends as f64));
    hall.put("exam.key", &second.key);
    hall.until("the new one is used", async || hall.status(&second).await == Some(200)).await;
    assert_eq!(hall.status(&first).await, None);
    assert_eq!(hall.metric(&second, ends).await, Some(second.ends as f64));

    let mut refused = hall.refused(&second).await;
    for broken in ["junk", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", ""] {
        hall.put("exam.crt", broken);
        refused = hall.assert_refuses(&second, refused).await;
    }
    std::fs::remove_file(hall.folder.path().join("exam.key")).unwrap();
    refused = hall.assert_refuses(&second, refused).await;
    // One that has ended does not replace one that has not.
    OwnSigned::for_days(-1).put_into(hall.folder.path());
    hall.assert_refuses(&second, refused).await;
}

#[tokio::test]
async fn a_proxy_names_its_client_before_the_handshake() {
    let own = OwnSigned::for_days(90);
    let changes = [("PROXY_PROTOCOL", "true"), ("TRUSTED_PROXIES", "127.0.0.1"), ("METRICS_NETWORKS", "192.0.2.0/24")];
    let hall = EncryptedHall::open(&own, &changes).await;
    for (client, status) in [("192.0.2.7", "200"), ("203.0.113.9", "403")] {
        let mut stream = TcpStream::connect(hall.address()).await.unwrap();
        stream.write_all(format!("PROXY TCP4 {client} 10.0.0.1 4711 443\r\n").as_bytes()).await.unwrap();
        let mut stream = own.encrypt(stream).await.unwrap();
        let request = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        stream.write_all(request).await.unwrap();
        stream.flush().await.unwrap();
        let mut answered = Vec::new();
        let _ = stream.read_to_end(&mut answered).await;
        let answered = String::from_utf8_lossy(&answered).into_owned();
        assert!(answered.starts_with(&format!("HTTP/1.1 {status}")), "{client}: {answered}");
    }
}
