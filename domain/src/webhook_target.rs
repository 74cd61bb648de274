//! Which addresses a webhook may reach. Anyone may name one, so it must be public (`docs/security.md#webhooks`).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::IpNet;
use thiserror::Error;
use url::{Host, Url};

use super::session::WEBHOOK_URL_BYTES_MAX;

/// Why a target is refused. Only admins see it, so that a caller cannot use refusals to explore the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TargetRefusal {
    /// It is not a valid link, or too long.
    #[error("the webhook address is not a valid http or https link")]
    Malformed,
    /// It has a user name or password.
    #[error("the webhook address must not carry a user name or password")]
    UserInfo,
    /// Its port is neither 80, nor 443, nor 1024 or above.
    #[error("the webhook address has a port that is not allowed")]
    Port,
    /// `WEBHOOK_HOSTS` is set and does not list the host.
    #[error("the webhook's host is not one of WEBHOOK_HOSTS")]
    Host,
    /// The address is loopback, private, or otherwise not public.
    #[error("the webhook's address is not a public one")]
    Address,
}

/// A webhook target that has passed the checks of its text. The addresses of its host are checked when the name is
/// resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookTarget {
    /// The link to post to.
    pub url: Url,
    /// The host in its canonical form, such as `lms.example` or `[2001:db8::1]`.
    pub host: String,
    /// The port, also when the link leaves it out.
    pub port: u16,
    /// Whether `WEBHOOK_ALLOW` lists the host by name; its addresses are not checked then.
    pub is_trusted: bool,
}

impl WebhookTarget {
    /// `host:port`, by which attempts are limited.
    #[must_use]
    pub fn place(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }
}

/// The exceptions of `WEBHOOK_ALLOW` and the hosts of `WEBHOOK_HOSTS`.
#[derive(Clone, Debug, Default)]
pub struct TargetPolicy {
    allowed: Vec<Allowed>,
    hosts: Vec<String>,
}

/// One entry of `WEBHOOK_ALLOW`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Allowed {
    place: Place,
    port: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Host(String),
    Network(IpNet),
}

impl TargetPolicy {
    /// Parses the two comma-separated lists.
    ///
    /// # Errors
    /// The first entry that is neither a host, an address nor a network, with an optional port.
    pub fn parse(allow: &str, hosts: &str) -> Result<Self, String> {
        let entries = |list: &str| {
            list.split(',').map(str::trim).filter(|entry| !entry.is_empty()).map(str::to_lowercase).collect::<Vec<_>>()
        };
        let allowed =
            entries(allow).into_iter().map(|entry| Allowed::parse(&entry).ok_or(entry)).collect::<Result<_, _>>()?;
        Ok(Self { allowed, hosts: entries(hosts) })
    }

    /// Checks all that the link itself shows, including literal addresses in any notation.
    pub fn check(&self, link: &str) -> Result<WebhookTarget, TargetRefusal> {
        let written = link.len() <= WEBHOOK_URL_BYTES_MAX && !link.chars().any(char::is_control);
        let url = Url::parse(link)
            .ok()
            .filter(|url| written && matches!(url.scheme(), "http" | "https"))
            .ok_or(TargetRefusal::Malformed)?;
        // A password in a link would be stored, logged and shown to admins.
        if !url.username().is_empty() || url.password().is_some() {
            return Err(TargetRefusal::UserInfo);
        }
        let port = url.port_or_known_default().ok_or(TargetRefusal::Malformed)?;
        // Other low ports belong to services such as mail, which must not be spoken to by way of this server.
        if !matches!(port, 80 | 443 | 1024..) {
            return Err(TargetRefusal::Port);
        }
        let literal = match url.host().ok_or(TargetRefusal::Malformed)? {
            Host::Ipv4(address) => Some(IpAddr::V4(address)),
            Host::Ipv6(address) => Some(IpAddr::V6(address)),
            Host::Domain(_) => None,
        };
        // A dot at the end names the same host: it must not hide it from the lists, or give it limits of its own.
        let host = url.host_str().unwrap_or_default().trim_end_matches('.').to_owned();
        let is_trusted = self.allowed.iter().any(|allowed| allowed.is_host(&host, port));
        if !is_trusted {
            let listed = literal.is_some_and(|address| self.allows_address(address, port));
            if !listed && !self.lists_host(&host) {
                return Err(TargetRefusal::Host);
            }
            if literal.is_some_and(|address| !self.may_connect(address, port)) {
                return Err(TargetRefusal::Address);
            }
        }
        Ok(WebhookTarget { url, host, port, is_trusted })
    }

    /// Returns whether `WEBHOOK_ALLOW` lists the place of this link, by its name or as an address. Only there may what
    /// usually needs https be asked for without it.
    #[must_use]
    pub fn lists_place(&self, link: &str) -> bool {
        let Ok(target) = self.check(link) else { return false };
        let listed = |address| self.allows_address(address, target.port);
        target.is_trusted
            || match target.url.host() {
                Some(Host::Ipv4(address)) => listed(IpAddr::V4(address)),
                Some(Host::Ipv6(address)) => listed(IpAddr::V6(address)),
                Some(Host::Domain(_)) | None => false,
            }
    }

    /// Returns whether a connection to this address is allowed. Checked for every address that a name resolves to,
    /// since a public name may point to a private address.
    #[must_use]
    pub fn may_connect(&self, address: IpAddr, port: u16) -> bool {
        is_public(address) || self.allows_address(address, port)
    }

    fn allows_address(&self, address: IpAddr, port: u16) -> bool {
        // An IPv4 address may come written as an IPv6 one, and the lists name it as itself.
        let plain = address.to_canonical();
        self.allowed.iter().any(|allowed| allowed.holds(plain, port))
    }

    /// Returns whether `WEBHOOK_HOSTS` is set and lists the host.
    #[must_use]
    pub fn names_host(&self, host: &str) -> bool {
        !self.hosts.is_empty() && self.lists_host(host)
    }

    /// Returns whether `WEBHOOK_HOSTS` is unset or lists the host.
    fn lists_host(&self, host: &str) -> bool {
        let matches = |pattern: &String| match pattern.strip_prefix("*.") {
            Some(parent) => host.strip_suffix(parent).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.')),
            None => host == pattern,
        };
        self.hosts.is_empty() || self.hosts.iter().any(matches)
    }
}

impl Allowed {
    fn parse(entry: &str) -> Option<Self> {
        if let Some(network) = network(entry) {
            return Some(Self { place: Place::Network(network), port: None });
        }
        let (place, port) = match entry.rsplit_once(':') {
            Some((place, port)) => (place, Some(port.parse().ok()?)),
            None => (entry, None),
        };
        let bare = place.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).unwrap_or(place);
        match network(bare) {
            Some(network) => Some(Self { place: Place::Network(network), port }),
            None => Host::parse(place).ok().map(|host| Self { place: Place::Host(host.to_string()), port }),
        }
    }

    fn is_host(&self, host: &str, port: u16) -> bool {
        matches!(&self.place, Place::Host(name) if name == host) && self.port.is_none_or(|only| only == port)
    }

    fn holds(&self, address: IpAddr, port: u16) -> bool {
        matches!(&self.place, Place::Network(network) if network.contains(&address))
            && self.port.is_none_or(|only| only == port)
    }
}

fn network(text: &str) -> Option<IpNet> {
    text.parse().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from))
}

/// Returns whether an address belongs to the public Internet, and does not contain another address.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    // The ranges of the IANA registry of special-purpose addresses, and everything from 224.0.0.0 on.
    let [first, second, third, _] = address.octets();
    let is_special = matches!(
        (first, second, third),
        (0 | 10 | 127 | 224.., _, _)
            | (100, 64..=127, _)
            | (169, 254, _)
            | (192, 168, _)
            | (198, 18 | 19, _)
            | (172, 16..=31, _)
            | (192, 0, 0 | 2)
            | (192, 88, 99)
            | (198, 51, 100)
            | (203, 0, 113)
    );
    !is_special
}

/// Returns whether the address is global unicast (2000::/3), without the ranges for documentation and benchmarking, and
/// without Teredo and 6to4, which contain other addresses. NAT64, mapped and compatible addresses are outside 2000::/3.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    let is_special =
        matches!((first, second), (0x2001, 0..=0x01ff) | (0x2001, 0x0db8) | (0x2002, _) | (0x3fff, 0..=0x0fff));
    (0x2000..=0x3fff).contains(&first) && !is_special
}

/// The place of a link, as that of a target, by its text alone: whether it may be reached is another question. `None`
/// of a text that is no link.
#[must_use]
pub fn place_of(link: &str) -> Option<String> {
    let url = Url::parse(link).ok()?;
    Some(format!("{}:{}", url.host_str()?.trim_end_matches('.'), url.port_or_known_default()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_has_the_place_of_its_target() {
        let policy = TargetPolicy::default();
        for link in ["https://lms.example./a?b", "http://lms.example:8080/", "https://[2a00::1]/x"] {
            assert_eq!(place_of(link), policy.check(link).ok().map(|target| target.place()), "{link}");
        }
        assert_eq!(place_of("columns/1"), None);
    }

    fn policy(allow: &str, hosts: &str) -> TargetPolicy {
        TargetPolicy::parse(allow, hosts).unwrap()
    }

    #[test]
    fn only_what_is_listed_is_a_listed_place() {
        let listed = policy("lms.example:8080,127.0.0.0/8,::1", "");
        for link in ["http://lms.example:8080/x", "http://127.0.0.1:9000/", "http://[::1]/"] {
            assert!(listed.lists_place(link), "{link}");
        }
        for link in ["http://lms.example/x", "http://other.example:8080/", "http://93.184.216.34/", "http://10.0.0.1/"]
        {
            assert!(!listed.lists_place(link), "{link}");
        }
    }

    #[test]
    fn addresses_that_are_not_public_are_refused_in_every_notation() {
        let open = policy("", "");
        for link in [
            "http://127.0.0.1/",
            "http://127.1/",
            "http://2130706433/",
            "http://0x7f000001/",
            "http://0177.0.0.1/",
            "http://0/",
            "http://0.0.0.0/",
            "http://10.1.2.3/",
            "http://172.16.0.1/",
            "http://192.168.1.1/",
            "http://169.254.169.254/latest",
            "http://100.64.0.1/",
            "http://224.0.0.1/",
            "http://255.255.255.255/",
            "http://198.18.0.1/",
            "http://192.0.2.1/",
            "http://[::1]/",
            "http://[::]/",
            "http://[fe80::1]/",
            "http://[fc00::1]/",
            "http://[ff02::1]/",
            "http://[::ffff:127.0.0.1]/",
            "http://[::127.0.0.1]/",
            "http://[64:ff9b::7f00:1]/",
            "http://[2002:7f00:1::]/",
            "http://[2001:0:1::1]/",
            "http://[2001:db8::1]/",
            "http://①②⑦.0.0.1/",
        ] {
            assert_eq!(open.check(link), Err(TargetRefusal::Address), "{link}");
        }
        for link in ["https://93.184.215.14/hook", "http://[2606:2800:21f::1]:8080/", "https://lms.example/hook"] {
            assert!(open.check(link).is_ok(), "{link}");
        }
    }

    #[test]
    fn schemes_users_and_ports_are_limited() {
        let open = policy("", "");
        for (link, refusal) in [
            ("ftp://lms.example/", TargetRefusal::Malformed),
            ("file:///etc/passwd", TargetRefusal::Malformed),
            ("not a link", TargetRefusal::Malformed),
            ("", TargetRefusal::Malformed),
            ("http://lms.example/\n", TargetRefusal::Malformed),
            ("https://user@lms.example/", TargetRefusal::UserInfo),
            ("https://:secret@lms.example/", TargetRefusal::UserInfo),
            ("http://lms.example:22/", TargetRefusal::Port),
            ("http://lms.example:1023/", TargetRefusal::Port),
        ] {
            assert_eq!(open.check(link), Err(refusal), "{link}");
        }
        assert!(open.check("http://lms.example:1024/").is_ok());
    }

    #[test]
    fn what_the_operator_allows_is_reached() {
        let inner = policy("127.0.0.1:9000,10.0.0.0/8,lms.intern,[::1]:9001", "");
        for link in ["http://127.0.0.1:9000/", "http://10.200.0.9:4000/", "http://lms.intern/", "http://[::1]:9001/"] {
            assert!(inner.check(link).is_ok(), "{link}");
        }
        for link in ["http://127.0.0.1:9002/", "http://127.0.0.2:9000/", "http://[::1]:9002/"] {
            assert_eq!(inner.check(link), Err(TargetRefusal::Address), "{link}");
        }
        assert!(inner.check("http://lms.intern/").unwrap().is_trusted);
        assert!(TargetPolicy::parse("10.0.0.0/8:x", "").is_err());
    }

    #[test]
    fn a_list_of_hosts_leaves_out_all_others() {
        let closed = policy("127.0.0.1:9000", "lms.example,*.school.example");
        for link in ["https://lms.example/", "https://a.school.example/", "http://127.0.0.1:9000/"] {
            assert!(closed.check(link).is_ok(), "{link}");
        }
        for link in ["https://school.example/", "https://evilschool.example/", "https://other.example/"] {
            assert_eq!(closed.check(link), Err(TargetRefusal::Host), "{link}");
        }
    }
}
