//! One call of the contract: its address, its body, and whether it may be repeated.

use actix_web::web::Bytes;
use domain::grade::Grade;
use reqwest::Method;
use serde::Serialize;
use url::Url;

use super::failure::ProviderFailure;

/// The subject of a call. Each lane has its own limit of calls, so that none has to wait for another: people who sign
/// in do not wait for readers of reports, and finished tests wait for neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Banks. They are large.
    Banks,
    /// Finished tests that someone reads.
    Reports,
    /// Finished tests and edits that the server sends.
    Sending,
    /// Users, and the work of staff.
    People,
}

/// A call that has not been made yet.
pub struct Call<'a> {
    /// The HTTP method.
    pub method: Method,
    /// The address, with names in place of ids and e-mail addresses. It can therefore be logged.
    pub template: &'static str,
    arguments: Vec<&'a str>,
    grade: Option<Grade>,
    /// JSON.
    pub body: Option<Bytes>,
    /// The version of the answer that the caller has. The service answers 304 when it is still the latest.
    pub known: Option<String>,
    /// Whether making the call twice has the same effect as making it once.
    pub is_repeatable: bool,
    /// Whether only the first failure of an outage is logged as a warning, because nobody waits for the answer.
    pub is_quiet: bool,
}

impl<'a> Call<'a> {
    /// A call to an address such as `users/{email}`, with an argument for each name in it.
    pub fn new(method: Method, template: &'static str, arguments: &[&'a str]) -> Self {
        let is_repeatable = method != Method::POST;
        Self {
            method,
            template,
            arguments: arguments.to_vec(),
            grade: None,
            body: None,
            known: None,
            is_repeatable,
            is_quiet: false,
        }
    }

    /// The lane in which the call waits.
    pub fn lane(&self) -> Lane {
        match (self.template, &self.method) {
            ("questions", _) => Lane::Banks,
            ("sessions/{id}", &Method::GET) => Lane::Reports,
            ("sessions/{id}", _) | ("edit-log", &Method::POST) => Lane::Sending,
            _ => Lane::People,
        }
    }

    /// A GET.
    pub fn get(template: &'static str, arguments: &[&'a str]) -> Self {
        Self::new(Method::GET, template, arguments)
    }

    /// Adds `grade` to the query.
    pub fn of_grade(mut self, grade: Option<Grade>) -> Self {
        self.grade = grade;
        self
    }

    /// Adds a body, which is turned into JSON.
    pub fn carrying(self, body: &impl Serialize) -> Result<Self, serde_json::Error> {
        Ok(self.carrying_json(serde_json::to_vec(body)?))
    }

    /// Adds a body that is JSON already.
    pub fn carrying_json(mut self, json: impl Into<Bytes>) -> Self {
        self.body = Some(json.into());
        self
    }

    /// Asks for an answer only when it differs from this version.
    pub fn unless(mut self, known: Option<String>) -> Self {
        self.known = known;
        self
    }

    /// Marks a POST as repeatable. What it creates has an id, so making it twice creates it once.
    pub fn repeatable(mut self) -> Self {
        self.is_repeatable = true;
        self
    }

    /// Marks a call whose answer nobody waits for.
    pub fn quietly(mut self) -> Self {
        self.is_quiet = true;
        self
    }

    /// The address of the call below the service's own.
    ///
    /// # Errors
    /// When an argument cannot be part of a path.
    pub fn address(&self, base: &Url) -> Result<Url, ProviderFailure> {
        let mut arguments = self.arguments.iter();
        let mut path = String::new();
        for part in self.template.split('/') {
            if !path.is_empty() {
                path.push('/');
            }
            if part.starts_with('{') {
                path.push_str(&encoded(arguments.next().ok_or(ProviderFailure::Unaddressable)?)?);
            } else {
                path.push_str(part);
            }
        }
        let mut url = base.join(&path).map_err(|_| ProviderFailure::Unaddressable)?;
        url.set_query(self.grade.map(|grade| format!("grade={}", grade.number())).as_deref());
        Ok(url)
    }
}

/// Encodes an argument as `encodeURIComponent` would. Parts of one or two dots are refused: they mean another
/// directory, however they are encoded.
fn encoded(part: &str) -> Result<String, ProviderFailure> {
    if matches!(part, "" | "." | "..") {
        return Err(ProviderFailure::Unaddressable);
    }
    Ok(url::form_urlencoded::byte_serialize(part.as_bytes()).collect::<String>().replace('+', "%20"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(template: &'static str, arguments: &[&str]) -> Option<String> {
        let base = Url::parse("https://data.example/a/v1/").unwrap();
        Call::get(template, arguments).address(&base).ok().map(String::from)
    }

    #[test]
    fn each_argument_is_one_part_of_the_path() {
        assert_eq!(address("assignments", &[]).unwrap(), "https://data.example/a/v1/assignments");
        assert_eq!(
            address("users/{email}", &["a+b@exam.test"]).unwrap(),
            "https://data.example/a/v1/users/a%2Bb%40exam.test"
        );
        assert_eq!(
            address("reviews/{id}", &["a/b c?d#e%2F.."]).unwrap(),
            "https://data.example/a/v1/reviews/a%2Fb%20c%3Fd%23e%252F.."
        );
        assert_eq!(
            address("grade-approvals/{grade}/{email}", &["5", "ä@b"]).unwrap(),
            "https://data.example/a/v1/grade-approvals/5/%C3%A4%40b"
        );
        for part in ["", ".", ".."] {
            assert_eq!(address("reviews/{id}", &[part]), None);
        }
    }

    #[test]
    fn a_grade_is_a_query() {
        let base = Url::parse("https://data.example/v1/").unwrap();
        let call = Call::get("questions", &[]).of_grade(Grade::new(5));
        assert_eq!(call.address(&base).unwrap().as_str(), "https://data.example/v1/questions?grade=5");
    }
}
