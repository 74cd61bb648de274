//! The header of the PROXY protocol, in which a proxy names its client before the first byte of it. Of the connection
//! exactly the header is read: what follows is a handshake or a request.

use std::io;
use std::net::SocketAddr;

use actix_web::rt::net::TcpStream;
use proxy_header::{ParseConfig, Protocol, ProxyHeader};
use tokio::io::AsyncReadExt;

/// With what a header of version 2 begins. One of version 1 is longer than this.
const SIGNATURE: &[u8] = b"\r\n\r\n\0\r\nQUIT\n";
/// Bytes of a header of version 1, by its specification.
const LINE_BYTES_MAX: usize = 107;
/// Bytes of a header of version 2 after its length: addresses, and what the proxy tells about its client.
const FIELDS_BYTES_MAX: usize = 4 * 1_024;
/// Bytes between the signature and the fields: version, family and length.
const LENGTH_BYTES: usize = 4;

/// Reads a header. `None` when it names nobody.
pub(super) async fn read(stream: &mut TcpStream) -> io::Result<Option<SocketAddr>> {
    let mut header = Vec::with_capacity(LINE_BYTES_MAX);
    read_exact(stream, &mut header, SIGNATURE.len()).await?;
    if header == SIGNATURE {
        read_exact(stream, &mut header, LENGTH_BYTES).await?;
        let [.., high, low] = header.as_slice() else { return Err(malformed()) };
        let length = usize::from(u16::from_be_bytes([*high, *low]));
        if length > FIELDS_BYTES_MAX {
            return Err(malformed());
        }
        read_exact(stream, &mut header, length).await?;
    } else if header.starts_with(b"PROXY ") {
        read_line(stream, &mut header).await?;
    } else {
        return Err(malformed());
    }
    client_of(&header)
}

/// Whom a whole header names.
fn client_of(header: &[u8]) -> io::Result<Option<SocketAddr>> {
    let (parsed, bytes) = ProxyHeader::parse(header, ParseConfig::default()).map_err(|_| malformed())?;
    if bytes != header.len() {
        return Err(malformed());
    }
    match parsed.proxied_address() {
        None => Ok(None),
        Some(address) if address.protocol == Protocol::Stream => Ok(Some(address.source)),
        Some(_) => Err(malformed()),
    }
}

async fn read_exact(stream: &mut TcpStream, header: &mut Vec<u8>, bytes: usize) -> io::Result<()> {
    let begin = header.len();
    header.resize(begin + bytes, 0);
    stream.read_exact(header.get_mut(begin..).unwrap_or_default()).await?;
    Ok(())
}

/// Reads up to the end of the line. What has arrived is looked at before it is taken, so that nothing after it is.
async fn read_line(stream: &mut TcpStream, header: &mut Vec<u8>) -> io::Result<()> {
    let mut arrived = [0; LINE_BYTES_MAX];
    while header.len() < LINE_BYTES_MAX {
        let count = stream.peek(&mut arrived).await?;
        let arrived = arrived.get(..count).unwrap_or_default();
        if arrived.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let end = arrived.iter().position(|byte| *byte == b'\n');
        read_exact(stream, header, end.map_or(count, |end| end + 1)).await?;
        if end.is_some() {
            return if header.len() > LINE_BYTES_MAX { Err(malformed()) } else { Ok(()) };
        }
    }
    Err(malformed())
}

fn malformed() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "not a header of the PROXY protocol")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::AsyncWriteExt;
    use tokio::net::TcpListener;
    use tokio::time::timeout;

    use super::*;

    const REST: &[u8] = b"GET / HTTP/1.1\r\n";

    fn second(command: u8, family: u8, fields: &[u8]) -> Vec<u8> {
        let length = u16::try_from(fields.len()).unwrap().to_be_bytes();
        [SIGNATURE, &[0x20 | command, family], &length, fields].concat()
    }

    fn ipv4() -> Vec<u8> {
        [&[203, 0, 113, 7][..], &[10, 0, 0, 1], &4_711_u16.to_be_bytes(), &443_u16.to_be_bytes()].concat()
    }

    /// Sends these parts one after another, and the rest. Returns what was read, having checked that the rest is left.
    async fn read_of(parts: &[&[u8]]) -> io::Result<Option<String>> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut sender = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        sender.set_nodelay(true).unwrap();
        let (mut stream, _) = listener.accept().await.unwrap();
        let sending = async {
            for part in parts {
                // Nothing is read before the first byte, and what is on its way may be one part or several.
                let _ = sender.write_all(part).await;
                tokio::task::yield_now().await;
            }
            let _ = sender.write_all(REST).await;
            let _ = sender.shutdown().await;
        };
        let reading = async {
            let named = read(&mut stream).await?;
            let mut rest = Vec::new();
            stream.read_to_end(&mut rest).await?;
            assert_eq!(rest, REST);
            Ok::<_, io::Error>(named.map(|client| client.to_string()))
        };
        let both = async { tokio::join!(reading, sending).0 };
        timeout(Duration::from_secs(10), both).await.unwrap()
    }

    #[tokio::test]
    async fn both_versions_name_the_client_and_nothing_more_is_read() {
        let line = b"PROXY TCP4 203.0.113.7 10.0.0.1 4711 443\r\n";
        assert_eq!(read_of(&[line]).await.unwrap().as_deref(), Some("203.0.113.7:4711"));
        for at in 1..line.len() {
            let parts = line.split_at(at);
            assert_eq!(read_of(&[parts.0, parts.1]).await.unwrap().as_deref(), Some("203.0.113.7:4711"), "{at}");
        }
        let line = b"PROXY TCP6 2001:db8::7 2001:db8::1 4711 443\r\n";
        assert_eq!(read_of(&[line]).await.unwrap().as_deref(), Some("[2001:db8::7]:4711"));
        let header = second(1, 0x11, &ipv4());
        for at in 1..header.len() {
            let parts = header.split_at(at);
            assert_eq!(read_of(&[parts.0, parts.1]).await.unwrap().as_deref(), Some("203.0.113.7:4711"), "{at}");
        }
        // With a field that says nothing here.
        let told = [ipv4(), vec![0x05, 0, 3, 1, 2, 3]].concat();
        assert_eq!(read_of(&[&second(1, 0x11, &told)]).await.unwrap().as_deref(), Some("203.0.113.7:4711"));
    }

    #[tokio::test]
    async fn a_proxy_may_speak_for_itself() {
        assert_eq!(read_of(&[b"PROXY UNKNOWN\r\n"]).await.unwrap(), None);
        assert_eq!(read_of(&[b"PROXY UNKNOWN 203.0.113.7 10.0.0.1 1 2\r\n"]).await.unwrap(), None);
        assert_eq!(read_of(&[&second(0, 0, &[])]).await.unwrap(), None);
        assert_eq!(read_of(&[&second(0, 0x11, &ipv4())]).await.unwrap(), None, "LOCAL, whatever it names");
    }

    #[tokio::test]
    async fn whatever_else_comes_is_refused() {
        let long = [b"PROXY UNKNOWN ".as_slice(), &[b'x'; LINE_BYTES_MAX], b"\r\n"].concat();
        let large = second(1, 0x11, &[ipv4(), vec![0; FIELDS_BYTES_MAX]].concat());
        for garbage in [
            b"GET / HTTP/1.1\r\nHost: exam\r\n\r\n".as_slice(),
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\0\0\0\0",
            b"PROXY TCP4 203.0.113.7 10.0.0.1 4711\r\n",
            b"PROXY TCP4 203.0.113.700 10.0.0.1 4711 443\r\n",
            b"PROXY TCP4 2001:db8::7 2001:db8::1 4711 443\r\n",
            b"PROXY TCP4 203.0.113.7 10.0.0.1 4711 443\n",
            b"PROXY UDP4 203.0.113.7 10.0.0.1 4711 443\r\n",
            b"PROXYTCP4 203.0.113.7 10.0.0.1 4711 443\r\n",
            &long,
            &large,
            &second(1, 0x11, &[203, 0, 113, 7]),
            // Of version 3, of an unknown command, and over UDP.
            &[SIGNATURE, &[0x31, 0x11, 0, 12], &ipv4()].concat(),
            &second(2, 0x11, &ipv4()),
            &second(1, 0x12, &ipv4()),
        ] {
            assert!(read_of(&[garbage]).await.is_err(), "{}", garbage.escape_ascii());
        }
        assert!(client_of(b"").is_err());
    }
}
