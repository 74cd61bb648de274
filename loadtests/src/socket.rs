//! One student's WebSocket with its small buffers: frames of the protocol in, text out, and every failure a code to count.

use crate::frames::{self, Frame, SUBPROTOCOL};
use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::ClientRequestBuilder;
use tokio_tungstenite::tungstenite::http::Uri;
use tokio_tungstenite::tungstenite::{Error, Message, protocol::WebSocketConfig};
use tokio_tungstenite::{WebSocketStream, client_async, client_async_with_config};

/// Read buffer: answers are small, and there are thousands of sockets.
const READ_BUFFER_BYTES: usize = 4 * 1024;
/// What is gathered before it is written unasked; a batch is flushed anyway.
const WRITE_BUFFER_BYTES: usize = 4 * 1024;

/// The socket of a proctor.
pub type ProctorSocket = WebSocketStream<TcpStream>;

/// An open student socket.
pub struct Socket(WebSocketStream<TcpStream>);

impl Socket {
    /// Upgrades a connection.
    pub async fn open(stream: TcpStream, uri: Uri) -> Result<Self, String> {
        let request = ClientRequestBuilder::new(uri).with_sub_protocol(SUBPROTOCOL);
        let config =
            WebSocketConfig::default().read_buffer_size(READ_BUFFER_BYTES).write_buffer_size(WRITE_BUFFER_BYTES);
        let opened = client_async_with_config(request, stream, Some(config)).await;
        opened.map(|(socket, _)| Self(socket)).map_err(|error| upgrade_code(&error))
    }

    /// The next frame of the protocol; safe to give up halfway. Pings are answered by being read.
    pub async fn receive(&mut self) -> Result<Frame, String> {
        loop {
            return match self.0.next().await {
                Some(Ok(Message::Text(text))) => {
                    frames::read(&text).ok_or_else(|| "socket: unreadable frame".to_owned())
                }
                Some(Ok(Message::Close(Some(close)))) => Err(format!("socket: closed {}", u16::from(close.code))),
                Some(Ok(Message::Close(None))) | None => Err("socket: closed".to_owned()),
                Some(Ok(_)) => continue,
                Some(Err(_)) => Err("socket: broken".to_owned()),
            };
        }
    }

    /// Sends a frame and gives the first frame that answers it.
    pub async fn request(&mut self, text: &str) -> Result<Frame, String> {
        self.send(text).await?;
        loop {
            match self.receive().await? {
                Frame::Other => {}
                frame => return Ok(frame),
            }
        }
    }

    /// Puts a frame into the write buffer.
    pub async fn feed(&mut self, text: &str) -> Result<(), String> {
        sent(self.0.feed(Message::text(text)).await)
    }

    /// Writes what was fed.
    pub async fn flush(&mut self) -> Result<(), String> {
        sent(self.0.flush().await)
    }

    /// Sends one frame at once.
    pub async fn send(&mut self, text: &str) -> Result<(), String> {
        self.feed(text).await?;
        self.flush().await
    }
}

/// Opens a proctor's socket.
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
