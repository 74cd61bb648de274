//! A student's WebSocket, used as a careful client would: every frame is checked, and no wait is unlimited.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::handshake::client::Response;
use tokio_tungstenite::tungstenite::http::{HeaderName, HeaderValue};
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

/// How long a client waits for a server that may be down.
const REACH_LIMIT: Duration = Duration::from_secs(3);

/// A connection to `GET /api/live`, or to another socket of the server.
pub struct LiveSocket {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// How many frames have come compressed.
    pub compressed: usize,
}

/// What the server did next.
#[derive(Debug)]
pub enum Heard {
    /// It sent a frame.
    Frame(Value),
    /// It closed, with this code.
    Closed(Option<u16>),
}

impl LiveSocket {
    /// Connects to the server at `base` with some headers; the response when it refuses.
    pub async fn connect(base: &str, headers: &[(&str, &str)]) -> Result<Self, Box<Response>> {
        Self::shake_hands(base, headers).await.map(|(socket, _)| socket)
    }

    /// The same, with the server's part of the handshake.
    pub async fn shake_hands(base: &str, headers: &[(&str, &str)]) -> Result<(Self, Response), Box<Response>> {
        match Self::shake_hands_at(base, "/api/live", headers).await {
            Ok(shaken) => Ok(shaken),
            Err(Error::Http(response)) => Err(Box::new(response.map(|body| body.map(|bytes| bytes.to_vec())))),
            Err(error) => panic!("no connection: {error}"),
        }
    }

    /// Connects to a path; `None` when the server is away, hangs or refuses.
    pub async fn reach(base: &str, path: &str, headers: &[(&str, &str)]) -> Option<Self> {
        let shaken = tokio::time::timeout(REACH_LIMIT, Self::shake_hands_at(base, path, headers)).await;
        shaken.ok()?.ok().map(|(socket, _)| socket)
    }

    async fn shake_hands_at(base: &str, path: &str, headers: &[(&str, &str)]) -> Result<(Self, Response), Error> {
        let mut request = format!("{}{path}", base.replacen("http", "ws", 1)).into_client_request().unwrap();
        for (name, value) in headers {
            let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
            request.headers_mut().append(name, HeaderValue::from_str(value).unwrap());
        }
        let (stream, response) = connect_async_with_config(request, None, true).await?;
        Ok((Self { stream, compressed: 0 }, response))
    }

    pub async fn send(&mut self, frame: &Value) {
        self.send_text(&frame.to_string()).await;
    }

    /// Sends any text.
    pub async fn send_text(&mut self, text: &str) {
        self.send_message(Message::text(text)).await;
    }

    /// Sends any message. Reading reports when the server has closed already.
    pub async fn send_message(&mut self, message: Message) {
        let _ = self.stream.send(message).await;
    }

    /// Sends one raw frame.
    pub async fn send_raw(&mut self, frame: Frame) {
        self.send_message(Message::Frame(frame)).await;
    }

    /// What comes next, for as long as a test waits.
    pub async fn hear(&mut self) -> Heard {
        self.hear_within(super::PATIENCE).await.unwrap_or_else(|| panic!("the server says nothing"))
    }

    /// What comes within a time.
    pub async fn hear_within(&mut self, time: Duration) -> Option<Heard> {
        tokio::time::timeout(time, self.read()).await.ok()
    }

    async fn read(&mut self) -> Heard {
        loop {
            match self.stream.next().await {
                Some(Ok(Message::Text(text))) => return Heard::Frame(frame_of(&text)),
                Some(Ok(Message::Binary(bytes))) => {
                    self.compressed += 1;
                    return Heard::Frame(frame_of(&inflated(&bytes)));
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Close(close))) => return Heard::Closed(close.map(|close| close.code.into())),
                Some(Ok(other)) => panic!("not a text frame: {other:?}"),
                Some(Err(_)) | None => return Heard::Closed(None),
            }
        }
    }

    /// The next control frame must be the answer to a ping.
    pub async fn expect_pong(&mut self, payload: &[u8]) {
        let pong = async {
            loop {
                if let Message::Pong(found) = self.stream.next().await.expect("closed").unwrap() {
                    return found;
                }
            }
        };
        assert_eq!(&tokio::time::timeout(super::PATIENCE, pong).await.expect("no pong")[..], payload);
    }

    /// The next frame, which must be of this type; skips unrequested `time` frames and the notice of a slow store.
    pub async fn expect(&mut self, kind: &str) -> Value {
        loop {
            match self.hear().await {
                Heard::Frame(frame) if frame["type"] == kind => return frame,
                Heard::Frame(frame) if is_unasked_time(&frame) || is_stall(&frame) => {}
                other => panic!("{kind} expected: {other:?}"),
            }
        }
    }

    /// The next frame of this type, whatever comes before it.
    pub async fn until(&mut self, kind: &str) -> Value {
        loop {
            match self.hear().await {
                Heard::Frame(frame) if frame["type"] == kind => return frame,
                Heard::Frame(_) => {}
                Heard::Closed(code) => panic!("{kind} expected: closed with {code:?}"),
            }
        }
    }

    /// The next frame, which must be this error with a sentence.
    pub async fn expect_error(&mut self, code: &str) -> Value {
        let frame = self.expect("error").await;
        assert_eq!(frame["code"], code, "{frame}");
        assert!(frame["error"].as_str().is_some_and(|sentence| sentence.len() > 3), "{frame}");
        super::caller::assert_tells_nothing(frame["error"].as_str().unwrap());
        frame
    }

    /// Waits until everything up to `seq` that this socket carried is saved.
    pub async fn expect_saved(&mut self, seq: u64) {
        while self.expect("saved").await["seq"].as_u64().unwrap() < seq {}
    }

    /// The server must close with this code, with nothing before it.
    pub async fn expect_close(&mut self, code: u16) {
        loop {
            match self.hear().await {
                Heard::Frame(frame) if is_unasked_time(&frame) => {}
                Heard::Frame(frame) => panic!("close {code} expected: {frame}"),
                Heard::Closed(found) => return assert_eq!(found, Some(code)),
            }
        }
    }

    /// Asserts that nothing but unrequested `time` frames and the notice of a slow store comes for this long.
    pub async fn expect_silence(&mut self, time: Duration) {
        let deadline = tokio::time::Instant::now() + time;
        while let Ok(heard) = tokio::time::timeout_at(deadline, self.read()).await {
            let Heard::Frame(frame) = &heard else { panic!("silence expected: {heard:?}") };
            assert!(is_unasked_time(frame) || is_stall(frame), "silence expected: {frame}");
        }
    }

    /// Asks for the time; any other frame before the answer is an error.
    pub async fn sync(&mut self) -> Value {
        self.send(&json!({ "type": "sync", "t": 1 })).await;
        self.expect_time(&json!(1)).await
    }

    /// The answer to a `sync` with this `t`.
    pub async fn expect_time(&mut self, t: &Value) -> Value {
        loop {
            let frame = self.expect("time").await;
            if !is_unasked_time(&frame) {
                assert_eq!(&frame["t"], t);
                return frame;
            }
        }
    }
}

fn is_unasked_time(frame: &Value) -> bool {
    frame["type"] == "time" && frame.get("t").is_none_or(Value::is_null)
}

/// The notice of a slow store. A test that moves the clock while something is being stored makes the store look slow.
fn is_stall(frame: &Value) -> bool {
    frame["code"] == "storage_unavailable"
}

/// The text of a compressed frame, which a proctor has asked for.
fn inflated(bytes: &[u8]) -> String {
    std::io::read_to_string(flate2::read::DeflateDecoder::new(bytes)).expect("a binary message is raw deflate")
}

fn frame_of(text: &str) -> Value {
    let frame: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("not JSON ({error}): {text}"));
    assert!(frame["type"].is_string(), "a frame without a type: {frame}");
    frame
}
