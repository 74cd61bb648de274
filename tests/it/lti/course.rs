//! A course of a strict platform, with a link that leads to a sitting.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{School, id, path, send};
use crate::hall::course_services::{COLUMN_SCOPE, CourseServices, ISSUER, MEMBERS_SCOPE, SCORE_SCOPE, TOOL};
use crate::hall::{Answer, Caller, Hall};

/// What a server of these tests may reach, and how often: no test waits for a limit that is counted in real time.
pub const REACHES: [(&str, &str); 2] = [("WEBHOOK_ALLOW", "127.0.0.1"), ("WEBHOOK_RATE_PER_HOST", "1000")];
pub const SCORES: &str = "/api/admin/lti/scores";
/// The platform's name of the link.
const RESOURCE_LINK: &str = "link-1";

/// The services of the platform, and the link.
pub struct Course {
    pub services: CourseServices,
    pub platform: String,
    pub link: Uuid,
}

impl Course {
    /// Connects a platform that is trusted for e-mails, with a link to this sitting that has a column.
    pub async fn open(school: &School, sitting: &Value) -> Self {
        let services = CourseServices::open(&school.hall.base(), &school.hall.clock).await;
        let column = services.add_column(RESOURCE_LINK);
        Self::with(&school.hall, &school.admin, services, ("sitting", id(sitting)), Some(column)).await
    }

    /// The same of another platform.
    pub async fn of_another_platform(school: &School, sitting: &Value) -> Self {
        let services = CourseServices::open(&school.hall.base(), &school.hall.clock).await;
        let target = ("sitting", id(sitting));
        Self::of(&school.hall, &school.admin, "https://other.exam.test", services, target, None).await
    }

    /// The same without a column, which is looked for in the list.
    pub async fn without_column(school: &School, sitting: &Value) -> Self {
        let services = CourseServices::open(&school.hall.base(), &school.hall.clock).await;
        Self::with(&school.hall, &school.admin, services, ("sitting", id(sitting)), None).await
    }

    pub async fn with(
        hall: &Hall,
        admin: &Caller,
        services: CourseServices,
        target: (&str, Uuid),
        column: Option<String>,
    ) -> Self {
        Self::of(hall, admin, ISSUER, services, target, column).await
    }

    async fn of(
        hall: &Hall,
        admin: &Caller,
        issuer: &str,
        services: CourseServices,
        (kind, target): (&str, Uuid),
        column: Option<String>,
    ) -> Self {
        let address = |path: &str| format!("http://{}/{path}", services.address);
        let endpoints =
            json!({ "authorization": address("auth"), "token": services.token_url(), "jwks": address("keys") });
        let platform = json!({
            "name": "The school's platform", "issuer": issuer, "clientId": TOOL, "endpoints": endpoints,
            "deployments": [{ "id": "1", "state": "active" }], "grades": [5], "trustsEmails": true,
        });
        let made = admin.post_json("/api/admin/lti/platforms", &platform).await;
        assert_eq!(made.status, 200, "{}", made.text());
        let platform = made.json()["platform"]["id"].as_str().unwrap().to_owned();
        let link = Uuid::new_v4();
        let scopes = json!([SCORE_SCOPE, COLUMN_SCOPE, MEMBERS_SCOPE]).to_string();
        // As a launch binds it.
        let statement = "INSERT INTO lti_links (id, platform_id, deployment_id, resource_link_id, title, kind, \
            target_id, line_item, line_items, scopes, memberships, created_at_ms) \
            VALUES ($1, $2, '1', $3, 'Finals', $4, $5, $6, $7, $8, $9, $10)";
        let values: Vec<sea_orm::Value> = vec![
            link.into(),
            platform.parse::<Uuid>().unwrap().into(),
            RESOURCE_LINK.into(),
            kind.into(),
            target.into(),
            column.into(),
            services.columns_url().into(),
            scopes.into(),
            services.members_url().into(),
            hall.clock.now().milliseconds().into(),
        ];
        super::execute(hall, statement, values).await.unwrap();
        Self { services, platform, link }
    }

    /// So many learners, of whom the platform tells e-mails.
    pub fn set_learners(&self, numbers: std::ops::Range<usize>) {
        self.services.set_members(numbers.map(learner).collect(), 50);
    }

    /// Takes the roster from the course.
    pub async fn take(&self, school: &School, sitting: &Value, fields: Value) -> Value {
        let answer = self.try_to_take(school, sitting, "", fields).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()
    }

    pub async fn try_to_take(&self, school: &School, sitting: &Value, query: &str, mut fields: Value) -> Answer {
        fields["linkId"] = json!(self.link);
        let path = format!("{}/roster/lti{query}", path(sitting));
        send(&school.admin, reqwest::Method::POST, &path, &fields).await
    }
}

pub fn learner(number: usize) -> Value {
    json!({
        "user_id": subject(number), "roles": ["http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"],
        "name": format!("Learner {number}"), "email": email(number),
    })
}

pub fn subject(number: usize) -> String {
    format!("user-{number}")
}

pub fn email(number: usize) -> String {
    format!("learner{number}@exam.test")
}

/// The scores of the ledger, the newest first.
pub async fn ledger(admin: &Caller, query: &str) -> Vec<Value> {
    let answer = admin.get(&format!("{SCORES}{query}")).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["scores"].as_array().unwrap().clone()
}
