//! TLS to the server of this machine, whatever its certificate names: it is asked by a loopback address, which no
//! authority signs for, and a certificate that has ended does not make a server dead. Nothing secret goes this way.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{WebPkiSupportedAlgorithms, ring};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, Error as TlsError, SignatureScheme};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

/// Begins TLS on a connection to the server at an address of this machine.
///
/// # Errors
/// When whoever listens there does not speak TLS.
pub async fn encrypt(address: SocketAddr, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
    let provider = ring::default_provider();
    let verifier = Arc::new(AnyCertificate(provider.signature_verification_algorithms));
    let versions = ClientConfig::builder_with_provider(Arc::new(provider)).with_safe_default_protocol_versions();
    let builder = versions.map_err(io::Error::other)?.dangerous().with_custom_certificate_verifier(verifier);
    let connector = TlsConnector::from(Arc::new(builder.with_no_client_auth()));
    connector.connect(ServerName::from(address.ip()), stream).await
}

#[derive(Debug)]
struct AnyCertificate(WebPkiSupportedAlgorithms);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, TlsError> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_schemes()
    }
}
