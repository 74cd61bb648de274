//! Refuses a WebSocket frame by its header. The WebSocket crate would first gather the whole frame, however long it is.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use actix_web::error::PayloadError;
use actix_web::web::Bytes;
use futures_util::Stream;

/// Bytes of the longest header: two, then eight of length and four of mask (RFC 6455, section 5.2).
const HEADER_BYTES_MAX: usize = 14;

/// Passes the bytes of a connection on, up to a frame that announces more than it may have. Then comes one
/// `PayloadError::Overflow`, and the rest is thrown away, so that the peer can be told why before it is disconnected.
pub struct FrameLimit<S> {
    stream: S,
    bytes_max: u64,
    header: Vec<u8>,
    payload_left: u64,
    is_over: bool,
}

impl<S> FrameLimit<S> {
    pub fn new(stream: S, bytes_max: usize) -> Self {
        Self {
            stream,
            bytes_max: bytes_max as u64,
            header: Vec::with_capacity(HEADER_BYTES_MAX),
            payload_left: 0,
            is_over: false,
        }
    }

    /// Follows the frames through a chunk. Returns false if one of them is too long.
    fn follow(&mut self, chunk: &[u8]) -> bool {
        let mut rest = chunk;
        while !rest.is_empty() {
            let skipped = usize::try_from(self.payload_left).unwrap_or(usize::MAX).min(rest.len());
            self.payload_left -= skipped as u64;
            rest = rest.get(skipped..).unwrap_or_default();
            if let Some((byte, others)) = rest.split_first() {
                self.header.push(*byte);
                rest = others;
                if let Some(length) = announced(&self.header) {
                    if length > self.bytes_max {
                        return false;
                    }
                    self.payload_left = length;
                    self.header.clear();
                }
            }
        }
        true
    }
}

/// The length of the payload, once the whole header is there.
fn announced(header: &[u8]) -> Option<u64> {
    let second = *header.get(1)?;
    let extended = match second & 0x7f {
        126 => 2,
        127 => 8,
        _ => 0,
    };
    let mask = if second & 0x80 == 0 { 0 } else { 4 };
    if header.len() < 2 + extended + mask {
        return None;
    }
    let length = header.get(2..2 + extended)?.iter().fold(0, |length, byte| length << 8 | u64::from(*byte));
    Some(if extended == 0 { u64::from(second & 0x7f) } else { length })
}

impl<S: Stream<Item = Result<Bytes, PayloadError>> + Unpin> Stream for FrameLimit<S> {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            match ready!(Pin::new(&mut self.stream).poll_next(context)) {
                Some(Ok(_)) if self.is_over => {}
                Some(Ok(chunk)) if self.follow(&chunk) => return Poll::Ready(Some(Ok(chunk))),
                Some(Ok(_)) => {
                    self.is_over = true;
                    return Poll::Ready(Some(Err(PayloadError::Overflow)));
                }
                other => return Poll::Ready(other),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit() -> FrameLimit<()> {
        FrameLimit::new((), 1_000)
    }

    fn frame(length: usize) -> Vec<u8> {
        let mut frame = if length < 126 {
            vec![0x81, 0x80 | length as u8]
        } else {
            vec![0x81, 0xfe, (length >> 8) as u8, length as u8]
        };
        frame.extend(vec![0; 4 + length]);
        frame
    }

    #[test]
    fn frames_are_followed_however_they_are_cut() {
        let bytes: Vec<u8> = [3, 0, 125, 126, 1_000, 7].into_iter().flat_map(frame).collect();
        for size in [1, 2, 3, 7, 64, 10_000] {
            let mut limit = limit();
            assert!(bytes.chunks(size).all(|chunk| limit.follow(chunk)), "{size}");
            assert_eq!((limit.payload_left, limit.header.len()), (0, 0));
        }
    }

    #[test]
    fn a_frame_that_is_too_long_is_refused_by_its_header() {
        assert!(!limit().follow(&frame(1_001)[..8]));
        assert!(!limit().follow(&[0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4]));
        let mut limit = limit();
        assert!(limit.follow(&[0x82, 0x7f, 0, 0, 0, 0, 0, 1]), "not known yet");
        assert!(!limit.follow(&[0, 0]));
    }
}
