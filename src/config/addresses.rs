//! Checks of the addresses in options.

use url::Url;

use super::is_loopback;

/// The base of an external service's addresses, ending in a slash; `None` if the text can't be one.
#[must_use]
pub fn external_base_url(text: &str) -> Option<Url> {
    Url::parse(text).ok().filter(is_external).map(with_slash)
}

/// Returns whether addresses can be relative to this one.
fn is_external(url: &Url) -> bool {
    let is_plain =
        url.query().is_none() && url.fragment().is_none() && url.username().is_empty() && url.password().is_none();
    matches!(url.scheme(), "http" | "https") && url.has_host() && is_plain
}

fn with_slash(mut url: Url) -> Url {
    if !url.path().ends_with('/') {
        let path = format!("{}/", url.path());
        url.set_path(&path);
    }
    url
}

/// Scheme, host and port of an http or https address.
pub(super) fn origin(text: &str) -> Option<String> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())?;
    Some(url.origin().ascii_serialization())
}

/// A provider that is not on this machine must be reached over TLS, since its answers decide who a person is.
pub(super) fn is_issuer(url: &Url) -> bool {
    url.scheme() == "https" && url.has_host() || url.scheme() == "http" && is_loopback(url)
}

pub(super) fn is_redis(address: &str) -> bool {
    Url::parse(address).is_ok_and(|url| matches!(url.scheme(), "redis" | "rediss") && url.has_host())
}
