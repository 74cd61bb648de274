//! How a report on paper is found again: the code and the link that lead to its page, and the short reference at its
//! foot.

use domain::session::Session;
use url::Url;

/// Characters of a session's id by which people find a report.
const REFERENCE_CHARACTERS: usize = 8;

/// The way to the report's page. Its address ends in an id, so paper has it as a code to scan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportLink {
    pub url: String,
    /// Of the address, with its port if that is unusual: who stands behind the link.
    pub host: String,
}

impl ReportLink {
    /// `None` unless it is an http or https URL.
    #[must_use]
    pub fn parse(address: &str) -> Option<Self> {
        let url = Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
        let host = url.host_str()?;
        let host = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        Some(Self { url: url.into(), host })
    }
}

/// The beginning of a session's id: few enough characters to be typed, and enough to tell the reports of a school
/// apart.
#[must_use]
pub fn reference(session: &Session) -> String {
    session.session_id.to_string().chars().take(REFERENCE_CHARACTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_says_who_stands_behind_it() {
        let host = |address: &str| ReportLink::parse(address).map(|link| link.host);
        assert_eq!(host("https://exam.example/report/0").as_deref(), Some("exam.example"));
        assert_eq!(host("http://exam.localhost:8080/report/0").as_deref(), Some("exam.localhost:8080"));
        assert_eq!((host("ftp://exam.example/"), host("no address")), (None, None));
    }
}
