//! Turns WebSocket frames into what both sockets work on. The WebSocket crate leaves it to its user to join messages
//! that come in pieces.

use actix_http::ws::Item;
use actix_web::error::PayloadError;
use actix_web::web::{Bytes, BytesMut};
use actix_web_actors::ws::{CloseCode, CloseReason, Message as Frame, ProtocolError};
use bytestring::ByteString;

/// Why a socket is closed: the code and the reason of the close frame.
pub type Closing = (u16, &'static str);

pub enum SocketInput {
    Message(JoinedMessage),
    /// To be answered with a pong.
    Ping(Bytes),
    Nothing,
    /// The peer closes the socket. To be answered with this.
    Close(Option<CloseReason>),
    /// The peer has broken the protocol, so this side closes the socket.
    Wrong(Closing),
    /// The connection is broken.
    Gone,
}

const PROTOCOL_ERROR: Closing = (1002, "protocol error");
const TOO_BIG: Closing = (1009, "message too big");
const NOT_UTF8: Closing = (1007, "not UTF-8");

/// A message whose pieces are joined.
#[derive(Debug, PartialEq, Eq)]
pub enum JoinedMessage {
    Text(ByteString),
    Binary(Bytes),
}

/// The pieces of one message so far.
pub struct Pieces {
    bytes_max: usize,
    begun: Option<PartialMessage>,
}

struct PartialMessage {
    is_text: bool,
    bytes: BytesMut,
}

impl Pieces {
    /// For messages of at most `bytes_max` bytes.
    #[must_use]
    pub const fn new(bytes_max: usize) -> Self {
        Self { bytes_max, begun: None }
    }

    /// Takes a frame, or the error that has ended the connection.
    pub fn take(&mut self, frame: Result<Frame, ProtocolError>) -> SocketInput {
        match frame {
            Ok(Frame::Text(text)) => SocketInput::Message(JoinedMessage::Text(text)),
            Ok(Frame::Binary(bytes)) => SocketInput::Message(JoinedMessage::Binary(bytes)),
            Ok(Frame::Continuation(item)) => match self.add(item) {
                Ok(None) => SocketInput::Nothing,
                Ok(Some(joined)) => SocketInput::Message(joined),
                Err(closing) => SocketInput::Wrong(closing),
            },
            Ok(Frame::Ping(bytes)) => SocketInput::Ping(bytes),
            Ok(Frame::Pong(_) | Frame::Nop) => SocketInput::Nothing,
            Ok(Frame::Close(reason)) => SocketInput::Close(reason),
            Err(ProtocolError::Overflow) => SocketInput::Wrong(TOO_BIG),
            // A close frame without a code that closes, or a control frame with more than it may have. After the first
            // comes nothing, and the peer waits for the end of the connection.
            Err(ProtocolError::BadOpCode | ProtocolError::InvalidLength(_)) => SocketInput::Close(Some(CloseReason {
                code: CloseCode::from(PROTOCOL_ERROR.0),
                description: Some(PROTOCOL_ERROR.1.to_owned()),
            })),
            Err(ProtocolError::Io(error)) => {
                closing_of(&error.to_string()).map_or(SocketInput::Gone, SocketInput::Wrong)
            }
            Err(_) => SocketInput::Wrong(PROTOCOL_ERROR),
        }
    }

    /// Adds a piece. Returns the message if the piece was its last.
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
            return Ok(JoinedMessage::Binary(self.bytes.freeze()));
        }
        String::from_utf8(self.bytes.into()).map(|text| JoinedMessage::Text(text.into())).map_err(|_| NOT_UTF8)
    }
}

/// How to close a broken connection if the peer can still be told why. The WebSocket crate reports the cause only as
/// text.
fn closing_of(reason: &str) -> Option<Closing> {
    if reason == PayloadError::Overflow.to_string() {
        Some(TOO_BIG)
    } else if reason.contains("utf-8") {
        Some(NOT_UTF8)
    } else if reason.contains("reserved bits") {
        Some(PROTOCOL_ERROR)
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
        assert_eq!(pieces.add(Item::Last(bytes(b"y"))), Ok(Some(JoinedMessage::Binary(bytes(b"xy")))));
    }

    #[test]
    fn a_close_frame_that_is_wrong_is_answered_and_ends_the_connection() {
        for error in [ProtocolError::BadOpCode, ProtocolError::InvalidLength(1)] {
            let SocketInput::Close(Some(reason)) = Pieces::new(8).take(Err(error)) else { panic!("not a close") };
            assert_eq!(reason.code, CloseCode::Protocol);
        }
        let begun = Pieces::new(8).take(Err(ProtocolError::ContinuationNotStarted));
        assert!(matches!(begun, SocketInput::Wrong(PROTOCOL_ERROR)), "the peer may still send");
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
