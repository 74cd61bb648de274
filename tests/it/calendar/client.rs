//! Someone who uses the calendar as it is documented, and knows nothing of what is behind it.

use reqwest::Method;
use serde_json::{Map, Value, json};

use crate::hall::{Answer, Caller, Hall};

/// Where the interface is.
pub const API: &str = "/wp-json/tribe/events/v1";
/// What links begin with in tests.
pub const SITE: &str = "http://exam.localhost";

/// Someone who asks the calendar.
pub struct Client(pub Caller);

impl Client {
    /// Someone whom nobody knows.
    pub fn anonymous(hall: &Hall) -> Self {
        Self(hall.anonymous())
    }

    /// Someone of a role.
    pub async fn of(hall: &Hall, role: &str) -> Self {
        Self(hall.signed_in(role).await)
    }

    /// GET.
    pub async fn get(&self, path: &str) -> Answer {
        self.0.get(&format!("{API}{path}")).await
    }

    /// A request with JSON.
    pub async fn send(&self, method: Method, path: &str, body: &Value) -> Answer {
        Answer::to(self.0.request(method, &format!("{API}{path}")).json(body)).await
    }

    /// POST of JSON.
    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::POST, path, body).await
    }

    /// POST of a form.
    pub async fn post_form(&self, path: &str, form: &str) -> Answer {
        let request = self
            .0
            .request(Method::POST, &format!("{API}{path}"))
            .header("content-type", "application/x-www-form-urlencoded");
        Answer::to(request.body(form.to_owned())).await
    }

    /// DELETE.
    pub async fn delete(&self, path: &str) -> Answer {
        Answer::to(self.0.request(Method::DELETE, &format!("{API}{path}"))).await
    }

    /// What a GET finds.
    pub async fn read(&self, path: &str) -> Value {
        found(&self.get(path).await, 200)
    }

    /// What a POST of a list makes.
    pub async fn make(&self, path: &str, body: &Value) -> Value {
        found(&self.post(path, body).await, 201)
    }

    /// What a POST of one makes of it.
    pub async fn change(&self, path: &str, body: &Value) -> Value {
        found(&self.post(path, body).await, 200)
    }

    /// An event of New Year's morning 2027 with these fields too.
    pub async fn event(&self, fields: Value) -> Value {
        self.make("/events", &event(fields)).await
    }

    /// The titles of a list, or the names of one of venues, organizers or terms.
    pub async fn names(&self, path: &str) -> Vec<String> {
        let list = self.read(path).await;
        let group = ["events", "venues", "organizers", "categories", "tags"]
            .into_iter()
            .find(|group| list.get(group).is_some())
            .unwrap();
        let name = match group {
            "events" => "title",
            "venues" => "venue",
            "organizers" => "organizer",
            _ => "name",
        };
        list[group].as_array().unwrap().iter().map(|item| item[name].as_str().unwrap().to_owned()).collect()
    }
}

/// A whole event with these fields too, or instead.
pub fn event(fields: Value) -> Value {
    let Value::Object(fields) = fields else { panic!("{fields}") };
    let mut body = json!({ "title": "Exam", "start_date": "2027-01-01 09:00:00", "end_date": "2027-01-01 10:00:00" });
    body.as_object_mut().unwrap().extend(fields);
    body
}

/// The body of an answer of that status.
#[track_caller]
pub fn found(answer: &Answer, status: u16) -> Value {
    assert_eq!(answer.status, status, "{}", answer.text());
    assert_eq!(answer.header("content-type"), "application/json; charset=UTF-8");
    answer.json()
}

/// The body of an error, which has the shape of all.
#[track_caller]
pub fn refused(answer: &Answer, status: u16, code: &str) -> Value {
    let body = found(answer, status);
    assert_eq!((body["code"].as_str(), body["data"]["status"].as_u64()), (Some(code), Some(status.into())), "{body}");
    let message = body["message"].as_str().unwrap();
    assert!(!message.is_empty() && !message.contains("::") && !message.contains("SELECT"), "{message}");
    body
}

/// Asserts that exactly these parameters were invalid, each by a rule.
#[track_caller]
pub fn invalid(answer: &Answer, names: &[&str]) {
    let body = refused(answer, 400, "rest_invalid_param");
    let reasons: Map<String, Value> =
        names.iter().map(|name| ((*name).to_owned(), json!("Invalid parameter."))).collect();
    assert_eq!((&body["data"]["params"], &body["data"]["details"]), (&Value::Object(reasons), &json!([])));
}

/// Asserts that exactly these parameters were of the wrong type.
#[track_caller]
pub fn mistyped(answer: &Answer, names: &[(&str, &str)]) {
    let body = refused(answer, 400, "rest_invalid_param");
    assert_eq!(body["data"]["params"].as_object().unwrap().len(), names.len(), "{body}");
    for (name, kind) in names {
        let message = format!("{name} is not of type {kind}.");
        assert_eq!(body["data"]["params"][name], message);
        assert_eq!(
            body["data"]["details"][name],
            json!({ "code": "rest_invalid_type", "message": message, "data": { "param": name } })
        );
    }
}

/// The keys of an object in the order in which they were sent.
pub fn keys(json: &str) -> Vec<String> {
    let mut keys = Vec::new();
    let (mut depth, mut is_text, mut is_escaped, mut text) = (0, false, false, String::new());
    for character in json.chars() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' if is_text => is_escaped = true,
            '"' => {
                is_text = !is_text;
                if is_text {
                    text.clear();
                }
            }
            _ if is_text => text.push(character),
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            ':' if depth == 1 => keys.push(text.clone()),
            _ => {}
        }
    }
    keys
}
