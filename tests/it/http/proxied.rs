//! The PROXY protocol: whose request it is when a proxy says so before the connection's first byte.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::hall::{Hall, PATIENCE, eventually};

/// Who may read the metrics besides this machine.
const NETWORK: (&str, &str) = ("METRICS_NETWORKS", "192.0.2.0/24");
const IN_NETWORK: [u8; 4] = [192, 0, 2, 7];
const ELSEWHERE: [u8; 4] = [203, 0, 113, 9];

/// Sends a header and asks for the metrics, with a further line of the request. Returns the status; `None` when the
/// connection is closed without an answer.
async fn status_of(hall: &Hall, header: &[u8], line: &str) -> Option<u16> {
    metrics_for(hall, header, line).await.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()
}

/// The same, and returns the whole answer.
async fn metrics_for(hall: &Hall, header: &[u8], line: &str) -> String {
    let mut stream = TcpStream::connect(hall.base().trim_start_matches("http://")).await.unwrap();
    let request = format!("GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{line}\r\n");
    let _ = stream.write_all(&[header, request.as_bytes()].concat()).await;
    let mut answered = Vec::new();
    let _ = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answered)).await.expect("it is closed");
    String::from_utf8_lossy(&answered).into_owned()
}

fn first(client: [u8; 4]) -> Vec<u8> {
    let [a, b, c, d] = client;
    format!("PROXY TCP4 {a}.{b}.{c}.{d} 127.0.0.1 4711 80\r\n").into_bytes()
}

fn second(client: [u8; 4]) -> Vec<u8> {
    [b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c".as_slice(), &client, &[127, 0, 0, 1], &[0x12, 0x67, 0, 80]].concat()
}

async fn open(proxies: &str) -> Hall {
    Hall::with(&[("PROXY_PROTOCOL", "true"), ("TRUSTED_PROXIES", proxies), NETWORK]).await
}

#[tokio::test]
async fn the_client_is_whom_the_proxy_names() {
    let hall = open("127.0.0.1").await;
    for header in [first, second] {
        assert_eq!(status_of(&hall, &header(IN_NETWORK), "").await, Some(200));
        assert_eq!(status_of(&hall, &header(ELSEWHERE), "").await, Some(403));
        // What a client writes into its own request names nobody.
        assert_eq!(status_of(&hall, &header(ELSEWHERE), "X-Forwarded-For: 192.0.2.7\r\n").await, Some(403));
        assert_eq!(status_of(&hall, &header(ELSEWHERE), "Forwarded: for=192.0.2.7\r\n").await, Some(403));
    }
    // The proxy itself, which is on this machine.
    assert_eq!(status_of(&hall, b"PROXY UNKNOWN\r\n", "").await, Some(200));
    assert_eq!(status_of(&hall, b"\r\n\r\n\0\r\nQUIT\n\x20\0\0\0", "").await, Some(200));
}

#[tokio::test]
async fn without_its_header_a_proxy_gets_no_answer() {
    let hall = open("127.0.0.0/8").await;
    let wrong: [&[u8]; 5] =
        [b"", b"PROXY TCP4 nobody 127.0.0.1 1 2\r\n", b"\r\n\r\n\0\r\nQUIT\n\x31\x11\0\0", b"junk\r\n", &[0; 600]];
    for header in wrong {
        assert_eq!(status_of(&hall, header, "").await, None, "{}", header.escape_ascii());
    }
    assert_eq!(status_of(&hall, &first(IN_NETWORK), "").await, Some(200));
    // Nor does a check that only connects, which is no wrong set-up.
    drop(TcpStream::connect(hall.base().trim_start_matches("http://")).await.unwrap());
    for (cause, count) in [("header", wrong.len()), ("closed", 1), ("loopback", 0), ("handshake", 0)] {
        let line = format!("examhall_connections_refused_total{{cause=\"{cause}\"}} {count}\n");
        eventually(&line, async || metrics_for(&hall, &first(IN_NETWORK), "").await.contains(&line).then_some(()))
            .await;
    }
}

#[tokio::test]
async fn what_a_proxy_passes_on_for_nobody_names_nobody() {
    let hall = open("127.0.0.1").await;
    for header in [b"PROXY UNKNOWN\r\n".as_slice(), b"\r\n\r\n\0\r\nQUIT\n\x20\0\0\0"] {
        for line in ["X-Forwarded-For: 192.0.2.7\r\n", "Forwarded: for=192.0.2.7\r\n", "X-Forwarded-For: 127.0.0.1\r\n"]
        {
            assert_eq!(status_of(&hall, header, line).await, Some(403), "{line}");
        }
        assert_eq!(status_of(&hall, header, "").await, Some(200));
    }
    // A proxy that is named by the one before it is believed in what it writes.
    let named = first([127, 0, 0, 1]);
    assert_eq!(status_of(&hall, &named, "X-Forwarded-For: 192.0.2.7\r\n").await, Some(200));
    assert_eq!(status_of(&hall, &named, "X-Forwarded-For: 203.0.113.9\r\n").await, Some(403));
}

#[tokio::test]
async fn nobody_else_is_believed() {
    let hall = open("10.0.0.0/8").await;
    assert_eq!(status_of(&hall, b"", "").await, Some(200), "whoever is no proxy stands for itself");
    for header in [first(IN_NETWORK), second(IN_NETWORK), first(ELSEWHERE)] {
        let answered = status_of(&hall, &header, "").await;
        assert!(matches!(answered, None | Some(400)), "{answered:?}");
    }
}
