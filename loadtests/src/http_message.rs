//! One HTTP message in a buffer, and a connection that sends requests one after another: as cheap as can be, because
//! the generator shares the machine with what it measures.

use crate::failure::Failure;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const HEAD_END: &[u8] = b"\r\n\r\n";

/// The first message of a buffer.
#[derive(Debug, PartialEq, Eq)]
pub struct HttpMessage {
    /// The first line and the fields.
    head: String,
    /// Where the body begins.
    body: usize,
    /// Where the message ends.
    pub end: usize,
}

impl HttpMessage {
    /// `None` while a part of it is missing. A message without a length has no body.
    pub fn first(buffer: &[u8]) -> Result<Option<Self>, Failure> {
        let Some(head) = buffer.windows(HEAD_END.len()).position(|part| part == HEAD_END) else { return Ok(None) };
        let text = std::str::from_utf8(buffer.get(..head).unwrap_or_default())?.to_owned();
        let body = head + HEAD_END.len();
        let mut message = Self { head: text, body, end: body };
        if let Some(length) = message.field("content-length") {
            message.end += length.parse::<usize>()?;
        }
        Ok((buffer.len() >= message.end).then_some(message))
    }

    /// The status of an answer.
    pub fn status(&self) -> Result<u16, Failure> {
        Ok(self.head.split(' ').nth(1).unwrap_or_default().parse()?)
    }

    /// The value of a field.
    pub fn field(&self, name: &str) -> Option<&str> {
        let mut fields = self.head.lines().filter_map(|line| line.split_once(':'));
        fields.find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }

    pub fn body<'a>(&self, buffer: &'a [u8]) -> &'a [u8] {
        buffer.get(self.body..self.end).unwrap_or_default()
    }
}

/// A connection that is kept open.
pub struct HttpConnection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl HttpConnection {
    pub async fn open(address: SocketAddr) -> Result<Self, Failure> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::new() })
    }

    /// Sends a request and waits for its answer, whose body is in the returned bytes.
    pub async fn ask(&mut self, request: &[u8]) -> Result<(HttpMessage, &[u8]), Failure> {
        self.stream.write_all(request).await?;
        self.buffer.clear();
        loop {
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Err("the server has closed the connection".into());
            }
            if let Some(message) = HttpMessage::first(&self.buffer)? {
                return Ok((message, &self.buffer));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_ends_where_its_body_does() {
        let request = b"POST / HTTP/1.1\r\nContent-Length: 4\r\nETag: \"A\"\r\n\r\nbodyPOST".as_slice();
        let message = HttpMessage::first(request).unwrap().unwrap();
        assert_eq!((message.end, message.body(request)), (request.len() - 4, b"body".as_slice()));
        assert_eq!((message.field("etag"), message.field("date")), (Some("\"A\""), None));
        assert_eq!(HttpMessage::first(request.get(..request.len() - 5).unwrap()).unwrap(), None);
        assert_eq!(HttpMessage::first(b"POST / HTTP/1.1\r\n").unwrap(), None);
        let answer = HttpMessage::first(b"HTTP/1.1 304 Not Modified\r\n\r\n").unwrap().unwrap();
        assert_eq!((answer.status().unwrap(), answer.end), (304, 29));
    }
}
