//! The WebSockets of students and proctors. A student's socket has small buffers, reads frames of the protocol, and
//! turns every failure into a code to count.

use crate::frames::{self, Frame, SUBPROTOCOL};
use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::ClientRequestBuilder;
use tokio_tungstenite::tungstenite::http::Uri;
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes, protocol::WebSocketConfig};
use tokio_tungstenite::{WebSocketStream, client_async, client_async_with_config};

/// Size of a read buffer. Answers are small, and thousands of sockets each have one.
const READ_BUFFER_BYTES: usize = 4 * 1024;
/// Bytes at which the write buffer is written without a flush. Every batch is flushed, so it need not be large.
const WRITE_BUFFER_BYTES: usize = 4 * 1024;

/// A proctor's socket. It keeps the library's default buffers, since there are only tens of them.
pub type ProctorSocket = WebSocketStream<TcpStream>;

/// A student's socket.
pub struct Socket(WebSocketStream<TcpStream>);

impl Socket {
    pub async fn open(stream: TcpStream, uri: Uri) -> Result<Self, String> {
        let request = ClientRequestBuilder::new(uri).with_sub_protocol(SUBPROTOCOL);
        let config =
            WebSocketConfig::default().read_buffer_size(READ_BUFFER_BYTES).write_buffer_size(WRITE_BUFFER_BYTES);
        let opened = client_async_with_config(request, stream, Some(config)).await;
        opened.map(|(socket, _)| Self(socket)).map_err(|error| upgrade_code(&error))
    }

    /// The next frame of the protocol. Cancelling this loses nothing. Reading is also what answers pings.
    pub async fn receive(&mut self) -> Result<Frame, String> {
        frames::read(&self.receive_text().await?).ok_or_else(|| "socket: unreadable frame".to_owned())
    }

    /// The same as it came, for those who look at every byte.
    pub async fn receive_text(&mut self) -> Result<Utf8Bytes, String> {
        loop {
            return match self.0.next().await {
                Some(Ok(Message::Text(text))) => Ok(text),
                Some(Ok(Message::Close(Some(close)))) => Err(format!("socket: closed {}", u16::from(close.code))),
                Some(Ok(Message::Close(None))) | None => Err("socket: closed".to_owned()),
                Some(Ok(_)) => continue,
                Some(Err(_)) => Err("socket: broken".to_owned()),
            };
        }
    }

    /// Sends a frame and returns the first frame that answers it, skipping those that come unasked.
    pub async fn request(&mut self, text: &str) -> Result<Frame, String> {
        self.send(text).await?;
        loop {
            match self.receive().await? {
                Frame::Other | Frame::Time { .. } => {}
                frame => return Ok(frame),
            }
        }
    }

    /// Adds a frame to the write buffer.
    pub async fn feed(&mut self, text: &str) -> Result<(), String> {
        sent(self.0.feed(Message::text(text)).await)
    }

    pub async fn flush(&mut self) -> Result<(), String> {
        sent(self.0.flush().await)
    }

    /// Sends one frame immediately.
    pub async fn send(&mut self, text: &str) -> Result<(), String> {
        self.feed(text).await?;
        self.flush().await
    }
}

pub async fn open_proctor_socket(stream: TcpStream, uri: Uri, token: &str) -> Result<ProctorSocket, Error> {
    let request = ClientRequestBuilder::new(uri).with_header("authorization", format!("Bearer {token}"));
    Ok(client_async(request, stream).await?.0)
}

fn sent(written: Result<(), Error>) -> Result<(), String> {
    written.map_err(|_| "socket: broken while sending".to_owned())
}

fn upgrade_code(error: &Error) -> String {
    match error {
        Error::Http(answer) => format!("upgrade: http {}", answer.status().as_u16()),
        Error::Io(error) => format!("upgrade: {}", error.kind()),
        _ => "upgrade: protocol".to_owned(),
    }
}
