//! The address of the client behind a request, for limits, logs, `/metrics` and the development sign-in alike.
//!
//! Behind a proxy every connection comes from the proxy, which names the client in `Forwarded` or `X-Forwarded-For`.
//! Anyone can send these headers, so they count only from the networks of `TRUSTED_PROXIES`, and only as far back as
//! each hop is one of those. A loopback address means the machine of whoever names it, so it counts only as long as all
//! who name it are on this machine.

use std::net::IpAddr;

use actix_web::HttpRequest;
use actix_web::http::header::{FORWARDED, HeaderMap, HeaderName, X_FORWARDED_FOR};
use actix_web::web::Data;
use ipnet::IpNet;

use crate::config::Config;

/// Headers that a proxy adds to a request, or begins them with.
const PROXY_HEADERS: [&str; 3] = ["forwarded", "via", "x-real-ip"];
const PROXY_HEADERS_BEGIN: &str = "x-forwarded-";

/// Marks a connection on which a proxy has said, by the PROXY protocol, that it speaks for itself. It passes bytes on
/// and writes nothing into requests: a header in them is a stranger's.
#[derive(Clone, Copy, Debug)]
pub struct ProxyItself;

/// The address of the client: of the connection, or the one that a trusted proxy names. `None` if a trusted proxy
/// names it in a way that can't be read, or calls it loopback on another machine, or if both headers are there and
/// disagree: a proxy that writes one of them usually passes on the other as a stranger sent it.
#[must_use]
pub fn client_address(request: &HttpRequest) -> Option<IpAddr> {
    client(request.peer_addr()?.ip().to_canonical(), request.headers(), believed(request))
}

/// The address against which a request counts: the client's, or that of the connection if the client's is unknown.
/// Whoever hides behind headers that can't be read shares one account with all others who do.
#[must_use]
pub fn counted_address(request: &HttpRequest) -> Option<IpAddr> {
    client_address(request).or_else(|| request.peer_addr().map(|peer| peer.ip().to_canonical()))
}

/// Returns whether a proxy that has passed the request on hides who calls: it is not trusted, or names nobody. A proxy
/// on the same machine is loopback to the server, so what it passes on must not count as a request of its own.
#[must_use]
pub fn is_hidden(request: &HttpRequest, config: &Config) -> bool {
    let headers = request.headers();
    let mut names = headers.keys().map(HeaderName::as_str);
    let is_passed_on = names.any(|name| PROXY_HEADERS.contains(&name) || name.starts_with(PROXY_HEADERS_BEGIN));
    let is_forwarded = headers.contains_key(FORWARDED) || headers.contains_key(X_FORWARDED_FOR);
    let peer = request.peer_addr().map(|peer| peer.ip().to_canonical());
    let is_believed = |peer| is_trusted(peer, &config.server.trusted_proxies);
    let is_named = is_forwarded && request.conn_data::<ProxyItself>().is_none() && peer.is_some_and(is_believed);
    is_passed_on && !is_named
}

/// The proxies whose headers count for a request.
fn believed(request: &HttpRequest) -> &[IpNet] {
    let config = request.app_data::<Data<Config>>().filter(|_| request.conn_data::<ProxyItself>().is_none());
    config.map(|config| config.server.trusted_proxies.as_slice()).unwrap_or_default()
}

fn client(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> Option<IpAddr> {
    if !is_trusted(peer, trusted) {
        return Some(peer);
    }
    let forwarded = headers.contains_key(FORWARDED).then(|| {
        let lines = headers.get_all(FORWARDED).rev().map(|line| line.to_str().ok().map(forwarded_hops));
        outermost(peer, lines, trusted)
    });
    let plain = headers.contains_key(X_FORWARDED_FOR).then(|| {
        let lines = headers.get_all(X_FORWARDED_FOR).rev().map(|line| line.to_str().ok().map(plain_hops));
        outermost(peer, lines, trusted)
    });
    match (forwarded, plain) {
        (None, None) => Some(peer),
        (Some(found), None) | (None, Some(found)) => found,
        (Some(forwarded), Some(plain)) => forwarded.filter(|_| forwarded == plain),
    }
}

/// The last hop that is no trusted proxy, or the first of all if each is one. Lines come last first, their hops in
/// order; a hop or a line is `None` if it can't be read. A hop that another machine calls loopback is nobody known
/// here.
fn outermost(
    peer: IpAddr,
    lines: impl Iterator<Item = Option<Vec<Option<IpAddr>>>>,
    trusted: &[IpNet],
) -> Option<IpAddr> {
    let (mut found, mut named_by) = (None, peer);
    for line in lines {
        for hop in line?.into_iter().rev() {
            let hop = hop?;
            if hop.is_loopback() && !named_by.is_loopback() {
                return None;
            }
            found = Some(hop);
            if !is_trusted(hop, trusted) {
                return found;
            }
            named_by = hop;
        }
    }
    found
}

/// Returns whether an address is that of a proxy of `TRUSTED_PROXIES`.
#[must_use]
pub fn is_trusted(address: IpAddr, trusted: &[IpNet]) -> bool {
    trusted.iter().any(|network| network.contains(&address))
}

fn plain_hops(line: &str) -> Vec<Option<IpAddr>> {
    line.split(',').map(str::trim).filter(|hop| !hop.is_empty()).map(node).collect()
}

/// The `for` of each element (RFC 7239); a line with a quote that does not end has one hop that can't be read.
fn forwarded_hops(line: &str) -> Vec<Option<IpAddr>> {
    let Some(elements) = split(line, ',') else { return vec![None] };
    elements
        .into_iter()
        .filter(|element| !element.trim().is_empty())
        .map(|element| {
            let mut named = split(element, ';')?.into_iter().filter_map(|pair| {
                let (name, value) = pair.trim().split_once('=')?;
                name.trim().eq_ignore_ascii_case("for").then(|| value.trim())
            });
            let hop = named.next()?;
            // Two of them contradict each other, or hide one from other readers.
            named.next().is_none().then(|| unquoted(hop)).flatten().and_then(|hop| node(&hop))
        })
        .collect()
}

/// Splits outside quoted strings; `None` if a quote does not end.
fn split(text: &str, separator: char) -> Option<Vec<&str>> {
    let (mut parts, mut begin, mut is_quoted, mut is_escaped) = (Vec::new(), 0, false, false);
    for (place, character) in text.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            _ if character == separator && !is_quoted => {
                parts.push(text.get(begin..place)?);
                begin = place + character.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(text.get(begin..)?);
    (!is_quoted).then_some(parts)
}

/// The content of a quoted string, or a text without quotes as it is.
fn unquoted(text: &str) -> Option<String> {
    let Some(inner) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return (!text.contains('"')).then(|| text.to_owned());
    };
    let mut is_escaped = false;
    let keep = |character: &char| {
        is_escaped = *character == '\\' && !is_escaped;
        !is_escaped
    };
    Some(inner.chars().filter(keep).collect())
}

/// An address with or without a port; IPv6 with or without brackets. `unknown` and names of the proxy's own making
/// are none.
fn node(text: &str) -> Option<IpAddr> {
    let address = if let Some(rest) = text.strip_prefix('[') {
        let (address, port) = rest.split_once(']')?;
        let is_port = port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
        address.parse().ok().filter(|address: &IpAddr| address.is_ipv6() && is_port)
    } else {
        let with_port = || text.rsplit_once(':').filter(|(_, port)| is_port(port)).map(|(address, _)| address);
        text.parse().ok().or_else(|| with_port()?.parse().ok().filter(IpAddr::is_ipv4))
    };
    address.map(|address| address.to_canonical())
}

/// Ports may be hidden behind a name that begins with an underscore.
fn is_port(text: &str) -> bool {
    let is_hidden = text.strip_prefix('_').is_some_and(|name| !name.is_empty());
    is_hidden || text.parse::<u16>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderValue;

    fn seen(peer: &str, lines: &[(&HeaderName, &str)]) -> Option<String> {
        let trusted: Vec<IpNet> = ["127.0.0.1/32", "10.0.0.0/8", "fd00::/8"].map(|text| text.parse().unwrap()).into();
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append((*name).clone(), HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        client(peer.parse().unwrap(), &headers, &trusted).map(|address| address.to_string())
    }

    fn plain(value: &str) -> Option<String> {
        seen("127.0.0.1", &[(&X_FORWARDED_FOR, value)])
    }

    fn forwarded(value: &str) -> Option<String> {
        seen("127.0.0.1", &[(&FORWARDED, value)])
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        assert_eq!(seen("192.0.2.9", &[(&X_FORWARDED_FOR, "203.0.113.1")]).unwrap(), "192.0.2.9");
        assert_eq!(seen("192.0.2.9", &[(&FORWARDED, "for=\"broken")]).unwrap(), "192.0.2.9");
        assert_eq!(seen("127.0.0.1", &[]).unwrap(), "127.0.0.1");
        assert_eq!(plain("203.0.113.1").unwrap(), "203.0.113.1");
    }

    #[test]
    fn the_last_hop_that_is_not_trusted_counts() {
        assert_eq!(plain("127.0.0.1, 198.51.100.7, 203.0.113.1, 10.1.2.3").unwrap(), "203.0.113.1");
        assert_eq!(plain("junk, 203.0.113.1").unwrap(), "203.0.113.1");
        assert_eq!(plain("10.9.9.9, 10.1.2.3").unwrap(), "10.9.9.9");
        assert_eq!(plain("203.0.113.1, junk"), None);
        assert_eq!(plain("junk, 10.1.2.3"), None);
        assert_eq!(plain(", 203.0.113.1,").unwrap(), "203.0.113.1");
        let lines =
            [(&X_FORWARDED_FOR, "127.0.0.1"), (&X_FORWARDED_FOR, "203.0.113.1"), (&X_FORWARDED_FOR, "10.0.0.1")];
        assert_eq!(seen("127.0.0.1", &lines).unwrap(), "203.0.113.1");
    }

    #[test]
    fn loopback_is_this_machine_alone() {
        for (header, hops) in [
            (&X_FORWARDED_FOR, "127.0.0.1"),
            (&X_FORWARDED_FOR, "::1"),
            (&X_FORWARDED_FOR, "::ffff:127.0.0.1"),
            (&X_FORWARDED_FOR, "127.9.9.9, 10.0.0.2"),
            (&FORWARDED, "for=127.0.0.1"),
            (&FORWARDED, "for=\"[::1]:80\", for=10.0.0.2"),
        ] {
            assert_eq!(seen("10.0.0.1", &[(header, hops)]), None, "{hops}");
        }
        assert_eq!(plain("127.0.0.1, 10.0.0.1"), None, "the proxy on this machine passes on what another one says");
        assert_eq!(plain("10.0.0.1, 127.0.0.1").unwrap(), "10.0.0.1");
        assert_eq!(plain("127.0.0.1").unwrap(), "127.0.0.1");
        assert_eq!(seen("10.0.0.1", &[]).unwrap(), "10.0.0.1");
    }

    #[test]
    fn addresses_are_read_however_they_are_written() {
        for (text, address) in [
            ("203.0.113.1:4711", "203.0.113.1"),
            ("2001:db8::1", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("[2001:db8::1]:443", "2001:db8::1"),
            ("::ffff:203.0.113.1", "203.0.113.1"),
        ] {
            assert_eq!(plain(text).as_deref(), Some(address), "{text}");
            assert_eq!(forwarded(&format!("for=\"{text}\"")).as_deref(), Some(address), "{text}");
        }
        for text in
            ["unknown", "_hidden", "localhost", "[203.0.113.1]", "[2001:db8::1]x", "203.0.113.1:x", "1.2.3", "\u{e9}"]
        {
            assert_eq!(plain(text), None, "{text}");
            assert_eq!(forwarded(&format!("for=\"{text}\"")), None, "{text}");
        }
    }

    #[test]
    fn forwarded_is_read_as_its_standard_has_it() {
        assert_eq!(forwarded("For=203.0.113.1;proto=https;by=10.0.0.1").unwrap(), "203.0.113.1");
        assert_eq!(forwarded("proto=http; FOR = \"203.0.113.1:_x\"").unwrap(), "203.0.113.1");
        assert_eq!(forwarded("for=192.0.2.1, for=203.0.113.1;host=\"a,b;for=1.1.1.1\"").unwrap(), "203.0.113.1");
        assert_eq!(forwarded("for=\"[::1]:123\"").unwrap(), "::1");
        assert_eq!(forwarded("for=\"203\\.0.113.1\"").unwrap(), "203.0.113.1");
        for text in ["for=\"203.0.113.1", "proto=https", "for=203.0.113.1;for=127.0.0.1", "for=", "203.0.113.1"] {
            assert_eq!(forwarded(text), None, "{text}");
        }
    }

    #[test]
    fn headers_that_disagree_name_nobody() {
        let both = |forwarded, plain| seen("127.0.0.1", &[(&FORWARDED, forwarded), (&X_FORWARDED_FOR, plain)]);
        assert_eq!(both("for=203.0.113.1", "203.0.113.1").unwrap(), "203.0.113.1");
        assert_eq!(both("for=127.0.0.1", "203.0.113.1"), None);
        assert_eq!(both("junk", "203.0.113.1"), None);
    }
}
