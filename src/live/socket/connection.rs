//! The common part of the sockets of students and of proctors: the handshake, fragmented messages, pings, bad messages,
//! and closing. Each socket has a `Connection` as a field.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use actix::prelude::*;
use actix_web::http::header::SEC_WEBSOCKET_KEY;
use actix_web::web::{Bytes, Payload};
use actix_web::{HttpRequest, HttpResponse};
use actix_web_actors::ws::{self, CloseCode, CloseReason, Message as Frame, ProtocolError, WebsocketContext};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytestring::ByteString;

use super::frame_limit::FrameLimit;
use super::pieces::{Closing, JoinedMessage, Pieces, SocketInput};
use crate::clock::Clock;
use crate::error::Error;

/// Negotiated when the client offers it.
const SUBPROTOCOL: &str = "examhall.live.v1";
/// Bytes of the key of a handshake.
const KEY_BYTES: usize = 16;
/// How often the server pings its peer: often enough that no proxy takes the connection for idle.
pub const PING_EVERY: Duration = Duration::from_secs(20);
/// How long a peer may be silent before it is disconnected: three pings.
const SILENCE_MAX: Duration = Duration::from_secs(60);
/// How many bad messages within [`BAD_MESSAGES_WITHIN`] close the socket. So many come from a broken client, not from a
/// mistake.
const BAD_MESSAGES_MAX: usize = 10;
const BAD_MESSAGES_WITHIN: Duration = Duration::from_secs(60);
/// How long the peer has to close its side after a close frame.
const CLOSING_MAX: Duration = Duration::from_secs(3);

/// What a socket has to act on. The connection handles everything else that a peer sends.
pub enum Received {
    Text(ByteString),
    Binary(Bytes),
    /// The peer has broken the protocol: close the socket with this.
    Wrong(Closing),
    Nothing,
}

pub struct Connection {
    clock: Clock,
    heard_at: Instant,
    bad_messages: VecDeque<Instant>,
    pieces: Pieces,
    is_closing: bool,
}

/// Answers the handshake, and starts the socket's actor. A message has at most `bytes_max` bytes.
pub fn open<S>(socket: S, request: &HttpRequest, stream: Payload, bytes_max: usize) -> Result<HttpResponse, Error>
where
    S: Actor<Context = WebsocketContext<S>> + StreamHandler<Result<Frame, ProtocolError>>,
{
    if !has_key(request) {
        return Err(no_handshake());
    }
    ws::WsResponseBuilder::new(socket, request, FrameLimit::new(stream, bytes_max))
        .protocols(&[SUBPROTOCOL])
        .frame_size(bytes_max)
        .start()
        .map_err(|_| no_handshake())
}

fn no_handshake() -> Error {
    Error::Invalid("Not a WebSocket handshake".to_owned())
}

/// Returns whether a request has one key for the handshake, of 16 bytes in base64 (RFC 6455, section 4.2.1). The
/// WebSocket crate takes any text for a key.
fn has_key(request: &HttpRequest) -> bool {
    let mut keys = request.headers().get_all(SEC_WEBSOCKET_KEY);
    let (Some(key), None) = (keys.next(), keys.next()) else { return false };
    STANDARD.decode(key.as_bytes()).is_ok_and(|bytes| bytes.len() == KEY_BYTES)
}

impl Connection {
    pub fn new(clock: Clock, bytes_max: usize) -> Self {
        Self {
            clock,
            heard_at: Instant::now(),
            bad_messages: VecDeque::new(),
            pieces: Pieces::new(bytes_max),
            is_closing: false,
        }
    }

    pub const fn is_closing(&self) -> bool {
        self.is_closing
    }

    /// Returns whether the peer has been silent for so long that it is taken to be gone.
    pub fn is_silent(&self) -> bool {
        self.heard_at.elapsed() > SILENCE_MAX
    }

    /// Counts a bad message, and returns whether there have been too many.
    pub fn has_too_many_bad_messages(&mut self) -> bool {
        self.bad_messages.retain(|at| at.elapsed() < BAD_MESSAGES_WITHIN);
        self.bad_messages.push_back(Instant::now());
        self.bad_messages.len() >= BAD_MESSAGES_MAX
    }

    /// Takes a frame. Those that belong to WebSocket itself, such as pings, are answered here.
    pub fn receive<A>(&mut self, frame: Result<Frame, ProtocolError>, context: &mut WebsocketContext<A>) -> Received
    where
        A: Actor<Context = WebsocketContext<A>>,
    {
        self.heard_at = Instant::now();
        if self.is_closing {
            if matches!(frame, Ok(Frame::Close(_)) | Err(_)) {
                context.stop();
            }
            return Received::Nothing;
        }
        match self.pieces.take(frame) {
            SocketInput::Message(JoinedMessage::Text(text)) => return Received::Text(text),
            SocketInput::Message(JoinedMessage::Binary(bytes)) => return Received::Binary(bytes),
            SocketInput::Wrong(closing) => return Received::Wrong(closing),
            SocketInput::Ping(bytes) => context.pong(&bytes),
            SocketInput::Nothing => {}
            SocketInput::Close(reason) => {
                context.close(reason);
                context.stop();
            }
            SocketInput::Gone => context.stop(),
        }
        Received::Nothing
    }

    /// Sends a close frame, and gives the peer a moment to read it. If a connection is cut while the peer is still
    /// sending, the peer may lose what was sent to it.
    pub fn close<A>(&mut self, code: u16, reason: &'static str, context: &mut WebsocketContext<A>)
    where
        A: Actor<Context = WebsocketContext<A>>,
    {
        if !self.is_closing {
            self.is_closing = true;
            context.close(Some(CloseReason { code: CloseCode::from(code), description: Some(reason.to_owned()) }));
            self.clock.after(context, CLOSING_MAX, |_: &mut A, context| context.stop());
        }
    }
}
