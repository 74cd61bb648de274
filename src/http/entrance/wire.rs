//! The bytes of a connection, plain or through TLS.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::rt::net::TcpStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::server::TlsStream;

/// What HTTP and sockets read and write.
#[derive(Debug)]
pub struct Wire {
    stream: WireStream,
    /// Whether a proxy speaks for itself here, and for no client.
    is_of_proxy: bool,
}

#[derive(Debug)]
enum WireStream {
    Plain(TcpStream),
    Encrypted(Box<TlsStream<TcpStream>>),
}

/// The side of a connection that is read.
pub type WireReader = Box<dyn AsyncRead + Unpin>;
/// The side that is written. What is written must be flushed: TLS may keep it back.
pub type WireWriter = Box<dyn AsyncWrite + Unpin>;

impl Wire {
    #[must_use]
    pub const fn plain(stream: TcpStream) -> Self {
        Self { stream: WireStream::Plain(stream), is_of_proxy: false }
    }

    #[must_use]
    pub fn encrypted(stream: TlsStream<TcpStream>) -> Self {
        Self { stream: WireStream::Encrypted(Box::new(stream)), is_of_proxy: false }
    }

    /// The same, on which a proxy speaks for itself if this is so.
    #[must_use]
    pub const fn of_proxy(mut self, is_of_proxy: bool) -> Self {
        self.is_of_proxy = is_of_proxy;
        self
    }

    #[must_use]
    pub const fn is_of_proxy(&self) -> bool {
        self.is_of_proxy
    }

    /// Its two sides, which may be used at the same time.
    #[must_use]
    pub fn into_split(self) -> (WireReader, WireWriter) {
        match self.stream {
            WireStream::Plain(stream) => {
                let (reader, writer) = stream.into_split();
                (Box::new(reader), Box::new(writer))
            }
            WireStream::Encrypted(_) => {
                // As a whole, so that its end is read in the same way.
                let (reader, writer) = tokio::io::split(self);
                (Box::new(reader), Box::new(writer))
            }
        }
    }
}

impl AsyncRead for Wire {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match &mut self.get_mut().stream {
            WireStream::Plain(stream) => Pin::new(stream).poll_read(context, buffer),
            WireStream::Encrypted(stream) => match Pin::new(stream).poll_read(context, buffer) {
                // Many clients end without the `close_notify` of TLS. That is an end as without TLS: an error would
                // throw away a request that has arrived whole. HTTP and WebSocket see themselves whether one was cut.
                Poll::Ready(Err(error)) if error.kind() == io::ErrorKind::UnexpectedEof => Poll::Ready(Ok(())),
                read => read,
            },
        }
    }
}

impl AsyncWrite for Wire {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match &mut self.get_mut().stream {
            WireStream::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            WireStream::Encrypted(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match &mut self.get_mut().stream {
            WireStream::Plain(stream) => Pin::new(stream).poll_write_vectored(context, parts),
            WireStream::Encrypted(stream) => Pin::new(stream).poll_write_vectored(context, parts),
        }
    }

    fn is_write_vectored(&self) -> bool {
        match &self.stream {
            WireStream::Plain(stream) => stream.is_write_vectored(),
            WireStream::Encrypted(stream) => stream.is_write_vectored(),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.get_mut().stream {
            WireStream::Plain(stream) => Pin::new(stream).poll_flush(context),
            WireStream::Encrypted(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.get_mut().stream {
            WireStream::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            WireStream::Encrypted(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rcgen::{CertificateParams, KeyPair};
    use rustls::crypto::ring;
    use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
    use rustls::{ClientConfig, RootCertStore, ServerConfig};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;
    use tokio_rustls::client::TlsStream as ClientStream;
    use tokio_rustls::{TlsAcceptor, TlsConnector};

    use super::*;

    /// Both ends of a connection.
    async fn encrypted() -> (Wire, ClientStream<TcpStream>) {
        let key = KeyPair::generate().unwrap();
        let certificate = CertificateParams::new(vec!["localhost".to_owned()]).unwrap().self_signed(&key).unwrap();
        let certificate: CertificateDer<'static> = certificate.der().clone();
        let provider = Arc::new(ring::default_provider());
        let mut roots = RootCertStore::empty();
        roots.add(certificate.clone()).unwrap();
        let client = ClientConfig::builder_with_provider(Arc::clone(&provider));
        let client = client.with_safe_default_protocol_versions().unwrap();
        let client = client.with_root_certificates(roots).with_no_client_auth();
        let server = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        let server = server.with_no_client_auth().with_single_cert(vec![certificate], key).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let serving = async {
            let (stream, _) = listener.accept().await.unwrap();
            TlsAcceptor::from(Arc::new(server)).accept(stream).await.unwrap()
        };
        let calling = async {
            let stream = TcpStream::connect(address).await.unwrap();
            let connector = TlsConnector::from(Arc::new(client));
            connector.connect(ServerName::try_from("localhost").unwrap(), stream).await.unwrap()
        };
        let (served, called) = tokio::join!(serving, calling);
        (Wire::encrypted(served), called)
    }

    #[tokio::test]
    async fn an_end_without_a_farewell_is_an_end() {
        for is_split in [false, true] {
            let (mut wire, mut client) = encrypted().await;
            client.write_all(b"all of it").await.unwrap();
            client.flush().await.unwrap();
            // The connection's end alone, without that of TLS.
            client.get_mut().0.shutdown().await.unwrap();
            let mut read = Vec::new();
            if is_split {
                let (mut reader, _writer) = wire.into_split();
                reader.read_to_end(&mut read).await.unwrap();
            } else {
                wire.read_to_end(&mut read).await.unwrap();
                assert_eq!(wire.read(&mut [0]).await.unwrap(), 0, "and stays one");
            }
            assert_eq!(read, b"all of it");
        }
    }

    #[tokio::test]
    async fn what_is_no_tls_is_an_error() {
        let (mut wire, mut client) = encrypted().await;
        client.get_mut().0.write_all(b"GET / HTTP/1.1\r\n\r\n").await.unwrap();
        assert!(wire.read_to_end(&mut Vec::new()).await.is_err());
    }
}
