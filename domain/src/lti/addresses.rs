//! Addresses that platforms name: relations of a `Link` header, what may be followed, and origins.

use url::Url;

/// Relations of one `Link` header that are looked at.
const RELATIONS_MAX: usize = 20;

/// The address with this relation in a `Link` header (RFC 8288), as it stands there. The relation may be quoted or not,
/// and be one of several.
#[must_use]
pub fn related<'a>(header: &'a str, relation: &str) -> Option<&'a str> {
    let mut rest = header;
    for _ in 0..RELATIONS_MAX {
        let (address, after) = rest.split_once('<')?.1.split_once('>')?;
        // The parameters end where the next address begins.
        let parameters = after.split_once('<').map_or(after, |(parameters, _)| parameters);
        if parameters.split(';').any(|parameter| is_relation(parameter, relation)) {
            return Some(address);
        }
        rest = after;
    }
    None
}

fn is_relation(parameter: &str, relation: &str) -> bool {
    let Some((name, value)) = parameter.split_once('=') else { return false };
    let value = value.trim().trim_end_matches(',').trim().trim_matches('"');
    name.trim().eq_ignore_ascii_case("rel")
        && value.split_ascii_whitespace().any(|one| one.eq_ignore_ascii_case(relation))
}

/// An address as a page names it, which may be relative to the page; `None` unless it has the origin of the page.
#[must_use]
pub fn resolved(page: &str, address: &str) -> Option<String> {
    let page = Url::parse(page).ok()?;
    let address = page.join(address).ok()?;
    (address.origin() == page.origin()).then(|| address.into())
}

/// Whether two addresses have the same host.
#[must_use]
pub fn have_same_host(one: &str, other: &str) -> bool {
    let host = |address: &str| Url::parse(address).ok().and_then(|url| url.host_str().map(str::to_owned));
    host(one).is_some_and(|one| host(other).is_some_and(|other| one == other))
}

/// The origin of an address, such as `https://lms.school.example`; `None` of one that is not of http or https.
#[must_use]
pub fn origin(address: &str) -> Option<String> {
    let url = Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    Some(url.origin().ascii_serialization())
}

/// The origin of an address of https, if its host is a plain name or number: others may not stand in a policy, where
/// `*` and `;` mean something.
#[must_use]
pub fn framing_origin(address: &str) -> Option<String> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte);
    let origin = origin(address)?;
    let is_usable = origin.strip_prefix("https://")?.bytes().all(is_plain);
    is_usable.then_some(origin)
}

/// Whether a text is an origin as a policy for frames names it: nothing but scheme, host, and a port that is not the
/// scheme's own.
#[must_use]
pub fn is_origin(text: &str) -> bool {
    origin(text).is_some_and(|origin| origin == text)
}

/// An address with a part put behind its path, and before its query: `…/lineitem?type_id=1` becomes
/// `…/lineitem/scores?type_id=1`.
#[must_use]
pub fn with_path(address: &str, part: &str) -> Option<String> {
    let mut url = Url::parse(address).ok()?;
    let path = format!("{}/{part}", url.path().trim_end_matches('/'));
    url.set_path(&path);
    Some(url.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_put_before_the_query() {
        let scores = |address| with_path(address, "scores");
        assert_eq!(scores("https://lms.example/item?t=1").as_deref(), Some("https://lms.example/item/scores?t=1"));
        assert_eq!(scores("https://lms.example/item/").as_deref(), Some("https://lms.example/item/scores"));
        assert_eq!(scores("item"), None);
    }

    #[test]
    fn only_an_address_of_https_with_a_plain_host_may_frame() {
        for (address, expected) in [
            ("https://school.lms.example/courses/7?a=b", Some("https://school.lms.example")),
            ("https://LMS.example:8443/", Some("https://lms.example:8443")),
            ("https://[2001:db8::1]/x", Some("https://[2001:db8::1]")),
            ("http://lms.example/x", None),
            ("https://*/x", None),
            ("https://lms.example;script-src/x", None),
            ("https://lms.example,https:/x", None),
            ("javascript:alert(1)", None),
            ("lms.example", None),
        ] {
            assert_eq!(framing_origin(address).as_deref(), expected, "{address}");
        }
    }

    #[test]
    fn only_an_origin_is_one() {
        for text in ["https://lms.example", "http://localhost:8080", "https://xn--trng-0ra.example"] {
            assert!(is_origin(text), "{text}");
        }
        for text in [
            "https://lms.example/",
            "https://lms.example:443",
            "https://*.example/x",
            "https://LMS.example",
            "data:x",
            "lms.example",
            "https://lms.example; script-src *",
            "",
        ] {
            assert!(!is_origin(text), "{text}");
        }
        assert!(have_same_host("https://lms.example/a", "https://lms.example:444/b"));
        assert!(!have_same_host("https://lms.example/a", "https://sso.lms.example/a") && !have_same_host("", ""));
    }
}
