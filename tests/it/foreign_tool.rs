//! A tool of others, `pylti1p3next`, on the strict platform of these tests: what that platform asks of our server,
//! others do too. Starting Python and making a key take it seconds.

use examhall::clock::Clock;
use serde_json::{Value, json};

use crate::hall::ForeignTool;
use crate::hall::course_services::{COLUMN_SCOPE, CourseServices, ISSUER, SCORE_SCOPE, TOOL};

const GRADES: &str = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint";
const MEMBERS: &str = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice";
const LEARNER: &str = "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner";
/// People of the course, and how many of them a page has: two pages, since the library reads no link without quotes,
/// which the platform has from the second page on.
const PEOPLE: usize = 60;
const PAGE: usize = 50;

struct Course {
    tool: ForeignTool,
    platform: CourseServices,
    column: String,
}

impl Course {
    async fn open() -> Self {
        let tool = ForeignTool::start().await;
        // The clock of the tool is the real one.
        let platform = CourseServices::open(&tool.url, &Clock::system()).await;
        let column = platform.add_column("link-1");
        Self { tool, platform, column }
    }

    /// What the tool gets from the services that are named here.
    async fn ask(&self, asked: Value) -> Value {
        let base = format!("http://{}", self.platform.address);
        let mut body = json!({
            "platform": {
                "issuer": ISSUER, "clientId": TOOL, "deploymentId": "1",
                "authorization": format!("{base}/auth"), "token": self.platform.token_url(),
                "jwks": format!("{base}/keys"),
            },
            "claims": {
                GRADES: {
                    "scope": [COLUMN_SCOPE, SCORE_SCOPE],
                    "lineitems": self.platform.columns_url(),
                    "lineitem": self.column,
                },
                MEMBERS: { "context_memberships_url": self.platform.members_url(), "service_versions": ["2.0"] },
            },
        });
        body.as_object_mut().unwrap().extend(asked.as_object().unwrap().clone());
        self.tool.ask("services", &body).await
    }
}

#[tokio::test]
async fn a_tool_of_others_gets_what_it_asks_the_services_for() {
    let course = Course::open().await;
    let people = (1..=PEOPLE).map(|number| json!({ "user_id": format!("ext-{number}"), "roles": [LEARNER] }));
    course.platform.set_members(people.collect(), PAGE);
    let answered = course
        .ask(json!({
            "members": true,
            "lineItems": true,
            "created": { "label": "Maths final", "scoreMaximum": 600, "resourceId": "sitting-42" },
            "score": { "user": "ext-1", "score": 420, "maximum": 600 },
        }))
        .await;
    course.platform.assert_no_faults();
    let members = answered["members"]["given"].as_array().unwrap();
    assert_eq!(members.len(), PEOPLE);
    assert_eq!(answered["lineItems"]["given"][0]["id"], course.column.as_str());
    assert_eq!(answered["created"]["given"]["resourceId"], "sitting-42");
    let scores = course.platform.scores();
    assert_eq!(scores.len(), 1, "{answered}");
    let score = &scores[0];
    assert_eq!((&score.json()["userId"], &score.json()["scoreGiven"]), (&json!("ext-1"), &json!(420)));
    // One token for the members, and one for all that concerns grades.
    assert_eq!(course.platform.tokens(), 2);
}

#[tokio::test]
async fn a_tool_of_others_is_told_why_it_is_refused() {
    let course = Course::open().await;
    let score =
        |timestamp: &str| json!({ "score": { "user": "ext-1", "score": 1, "maximum": 2, "timestamp": timestamp } });
    let answered = course.ask(score("2026-11-22T10:00:01.000Z")).await;
    assert!(answered["score"]["status"].is_null(), "{answered}");
    // The same second once more, and a time that is none.
    let answered = course.ask(score("2026-11-22T10:00:01.900Z")).await;
    assert_eq!(answered["score"]["status"], 409, "{answered}");
    let answered = course.ask(score("yesterday")).await;
    assert_eq!(answered["score"]["status"], 400, "{answered}");
    course.platform.forbid_columns();
    let answered = course.ask(json!({ "created": { "label": "Maths final", "scoreMaximum": 600 } })).await;
    assert_eq!(answered["created"]["status"], 403, "{answered}");
    course.platform.remove_columns();
    let answered = course.ask(score("2026-11-22T10:00:03.000Z")).await;
    assert_eq!(answered["score"]["status"], 404, "{answered}");
    assert_eq!(course.platform.scores().len(), 1);
}
