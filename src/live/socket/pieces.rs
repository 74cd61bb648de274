//! What comes over a WebSocket, in the form that the sockets of students and of proctors go on with: pieces of messages
//! are joined here, which the WebSocket crate leaves to its user.

use actix_http::ws::Item;
use actix_web::error::PayloadError;
use actix_web::web::{Bytes, BytesMut};
use actix_web_actors::ws::{CloseReason, Message as Frame, ProtocolError};
use bytestring::ByteString;

/// Why a socket is closed: the code, and a word for it.
pub type Closing = (u16, &'static str);

/// What has come.
pub enum SocketInput {
    /// A whole message.
    Message(JoinedMessage),
    /// A question whether this side lives.
    Ping(Bytes),
    /// Nothing to do.
    Nothing,
    /// The peer closes.
    Close(Option<CloseReason>),
    /// Something wrong: this side closes.
    Wrong(Closing),
    /// The connection is broken.
    Gone,
}

/// A close for what breaks the protocol.
const PROTOCOL_ERROR: Closing = (1002, "protocol error");
/// A close for a message that is longer than it may be.
const TOO_BIG: Closing = (1009, "message too big");
/// A close for a text that is none.
const NOT_UTF8: Closing = (1007, "not UTF-8");

/// What the pieces make together.
#[derive(Debug, PartialEq, Eq)]
pub enum JoinedMessage {
    /// A text.
    Text(ByteString),
    /// Something else.
    Binary,
}

/// The pieces of one message.
pub struct Pieces {
    bytes_max: usize,
    begun: Option<PartialMessage>,
}

struct PartialMessage {
    is_text: bool,
    bytes: BytesMut,
}

impl Pieces {
    /// Of messages of `bytes_max` bytes at most.
    #[must_use]
    pub const fn new(bytes_max: usize) -> Self {
        Self { bytes_max, begun: None }
    }

    /// What a frame, or what has become of the connection, comes to.
    pub fn take(&mut self, frame: Result<Frame, ProtocolError>) -> SocketInput {
        match frame {
            Ok(Frame::Text(text)) => SocketInput::Message(JoinedMessage::Text(text)),
            Ok(Frame::Binary(_)) => SocketInput::Message(JoinedMessage::Binary),
            Ok(Frame::Continuation(item)) => match self.add(item) {
                Ok(None) => SocketInput::Nothing,
                Ok(Some(joined)) => SocketInput::Message(joined),
                Err(closing) => SocketInput::Wrong(closing),
            },
            Ok(Frame::Ping(bytes)) => SocketInput::Ping(bytes),
            Ok(Frame::Pong(_) | Frame::Nop) => SocketInput::Nothing,
            Ok(Frame::Close(reason)) => SocketInput::Close(reason),
            Err(ProtocolError::Overflow) => SocketInput::Wrong(TOO_BIG),
            Err(ProtocolError::Io(error)) => {
                closing_of(&error.to_string()).map_or(SocketInput::Gone, SocketInput::Wrong)
            }
            Err(_) => SocketInput::Wrong(PROTOCOL_ERROR),
        }
    }

    /// One piece more; the message when it was the last.
    fn add(&mut self, item: Item) -> Result<Option<JoinedMessage>, Closing> {
        let (begun, bytes, is_last) = match (item, self.begun.take()) {
            (Item::FirstText(bytes), None) => (PartialMessage { is_text: true, bytes: BytesMut::new() }, bytes, false),
            (Item::FirstBinary(bytes), None) => {
                (PartialMessage { is_text: false, bytes: BytesMut::new() }, bytes, false)
            }
            (Item::Continue(bytes), Some(begun)) => (begun, bytes, false),
            (Item::Last(bytes), Some(begun)) => (begun, bytes, true),
            _ => return Err(PROTOCOL_ERROR),
        };
        let begun = begun.with(&bytes, self.bytes_max)?;
        if is_last {
            return begun.joined().map(Some);
        }
        self.begun = Some(begun);
        Ok(None)
    }
}

impl PartialMessage {
    fn with(mut self, bytes: &Bytes, bytes_max: usize) -> Result<Self, Closing> {
        if self.bytes.len() + bytes.len() > bytes_max {
            return Err(TOO_BIG);
        }
        self.bytes.extend_from_slice(bytes);
        Ok(self)
    }

    fn joined(self) -> Result<JoinedMessage, Closing> {
        if !self.is_text {
            return Ok(JoinedMessage::Binary);
        }
        String::from_utf8(self.bytes.into()).map(|text| JoinedMessage::Text(text.into())).map_err(|_| NOT_UTF8)
    }
}

/// How a broken connection is closed, when there is still someone to tell: the WebSocket crate tells what has happened
/// in words alone.
fn closing_of(reason: &str) -> Option<Closing> {
    if reason == PayloadError::Overflow.to_string() {
        Some(TOO_BIG)
    } else if reason.contains("utf-8") {
        Some(NOT_UTF8)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: &'static [u8]) -> Bytes {
        Bytes::from_static(text)
    }

    #[test]
    fn pieces_are_joined() {
        let mut pieces = Pieces::new(8);
        assert_eq!(pieces.add(Item::FirstText(bytes(b"caf\xc3"))), Ok(None));
        assert_eq!(pieces.add(Item::Continue(bytes(b""))), Ok(None));
        assert_eq!(pieces.add(Item::Last(bytes(b"\xa9"))), Ok(Some(JoinedMessage::Text("café".into()))));
        assert_eq!(pieces.add(Item::FirstBinary(bytes(b"x"))), Ok(None));
        assert_eq!(pieces.add(Item::Last(bytes(b"y"))), Ok(Some(JoinedMessage::Binary)));
    }

    #[test]
    fn what_is_wrong_with_them_closes() {
        assert_eq!(Pieces::new(8).add(Item::Continue(bytes(b"x"))), Err(PROTOCOL_ERROR));
        let begun = || {
            let mut pieces = Pieces::new(8);
            assert_eq!(pieces.add(Item::FirstText(bytes(b"12345678"))), Ok(None));
            pieces
        };
        assert_eq!(begun().add(Item::FirstText(bytes(b"x"))), Err(PROTOCOL_ERROR));
        assert_eq!(begun().add(Item::Last(bytes(b"9"))), Err(TOO_BIG));
        let mut pieces = Pieces::new(8);
        assert_eq!(pieces.add(Item::FirstText(bytes(b"\xff"))), Ok(None));
        assert_eq!(pieces.add(Item::Last(bytes(b""))), Err(NOT_UTF8));
    }
}
