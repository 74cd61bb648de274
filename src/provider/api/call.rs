//! One call of the contract: where it goes, what it carries, and whether it may be made twice.

use actix_web::web::Bytes;
use domain::grade::Grade;
use reqwest::Method;
use serde::Serialize;
use url::Url;

use super::failure::ProviderFailure;

/// What a call is about. Each kind has its own turns, so that none waits for another: who signs in does not wait for
/// those who read reports, and a finished test for neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Banks, which are large.
    Banks,
    /// Finished tests that anyone reads.
    Reports,
    /// Finished tests and edits that are sent.
    Sending,
    /// Users, and what staff do.
    People,
}

/// A call that has not been made yet.
pub struct Call<'a> {
    /// GET, PUT …
    pub method: Method,
    /// The address with names for what a caller puts in, so that it can be logged.
    pub template: &'static str,
    arguments: Vec<&'a str>,
    grade: Option<Grade>,
    /// JSON.
    pub body: Option<Bytes>,
    /// The version of the answer that is here.
    pub known: Option<String>,
    /// Whether making it twice is the same as making it once.
    pub is_repeatable: bool,
    /// Whether a failure is told by the first one of an outage alone, since nobody waits for the answer.
    pub is_quiet: bool,
}

impl<'a> Call<'a> {
    /// A call to a template such as `users/{email}`, with an argument for each of its names.
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

    /// What it is about.
    pub fn lane(&self) -> Lane {
        match (self.template, &self.method) {
            ("questions", _) => Lane::Banks,
            ("sessions/{id}", &Method::GET) => Lane::Reports,
            ("sessions/{id}", _) | ("edit-log", &Method::POST) => Lane::Sending,
            _ => Lane::People,
        }
    }

    /// GET.
    pub fn get(template: &'static str, arguments: &[&'a str]) -> Self {
        Self::new(Method::GET, template, arguments)
    }

    /// With `grade` in the query.
    pub fn of_grade(mut self, grade: Option<Grade>) -> Self {
        self.grade = grade;
        self
    }

    /// With this as its body.
    ///
    /// # Errors
    /// None in practice.
    pub fn carrying(self, body: &impl Serialize) -> Result<Self, serde_json::Error> {
        Ok(self.carrying_json(serde_json::to_vec(body)?))
    }

    /// The same with what is JSON already.
    pub fn carrying_json(mut self, json: impl Into<Bytes>) -> Self {
        self.body = Some(json.into());
        self
    }

    /// Asks only for what is not this version.
    pub fn unless(mut self, known: Option<String>) -> Self {
        self.known = known;
        self
    }

    /// A POST that names what it makes, so that making it twice makes it once.
    pub fn repeatable(mut self) -> Self {
        self.is_repeatable = true;
        self
    }

    /// Nobody waits for the answer.
    pub fn quietly(mut self) -> Self {
        self.is_quiet = true;
        self
    }

    /// Where it goes, below the address of the service.
    ///
    /// # Errors
    /// When an argument can't be a part of a path.
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

/// As a script of a page encodes a part of a path. Parts of one or two dots mean another place however they are encoded.
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
