//! Courses of a learning platform for the requests, with a learner each, and scores that have failed.

use reqwest::Method;
use sea_orm::{ConnectionTrait, Database, Statement};
use serde_json::json;
use uuid::Uuid;

use super::prepared::{LATER, PLATFORMS, Prepared, platform, text};
use super::{Office, REQUESTS};
use crate::hall::course_services::{ISSUER, MEMBERS_SCOPE, SCORE_SCOPE, TOOL};

impl Prepared {
    pub(super) async fn courses(&mut self, office: &Office) {
        let mut body = platform("course", 0);
        (body["issuer"], body["clientId"]) = (json!(ISSUER), json!(TOOL));
        body["endpoints"]["token"] = json!(office.course.token_url());
        let made = office.did(Method::POST, PLATFORMS, body).await;
        let course: Uuid = text(&made["platform"]["id"]).parse().unwrap();
        let learner = json!({ "user_id": "user-0", "roles": ["Learner"], "name": "Somebody" });
        office.course.set_members(vec![learner], 50);
        self.plan(office, "from a course", LATER, false).await;
        let template = self.template.parse().unwrap();
        for number in 0..REQUESTS {
            let sitting = self.of("from a course")[number].parse().unwrap();
            let from = link(office, course, &format!("course {number}"), ("sitting", sitting)).await;
            self.ids.entry("course link").or_default().push(from.to_string());
        }
        self.plan(office, "joining", LATER, true).await;
        for number in 0..REQUESTS {
            let (sitting, person) = (self.of("joining")[number].parse().unwrap(), Uuid::new_v4());
            let at = link(office, course, &format!("joining {number}"), ("sitting", sitting)).await;
            let known = "INSERT INTO lti_people (id, platform_id, subject, created_at_ms) VALUES ($1, $2, $3, 0)";
            insert(office, known, vec![person.into(), course.into(), format!("joining {number}").into()]).await;
            let seen = "INSERT INTO lti_arrivals (link_id, person_id, seen_at_ms) VALUES ($1, $2, 0)";
            insert(office, seen, vec![at.into(), person.into()]).await;
            self.ids.entry("joining person").or_default().push(person.to_string());
        }
        let lasting = link(office, course, "lasting", ("template", template)).await;
        for number in 0..REQUESTS {
            // Each of somebody else: of one person the newest score alone is sent again.
            let (person, session, score) = (Uuid::new_v4(), Uuid::new_v4(), Uuid::new_v4());
            let known = "INSERT INTO lti_people (id, platform_id, subject, created_at_ms) VALUES ($1, $2, $3, 0)";
            let subject = format!("resent {number}");
            insert(office, known, vec![person.into(), course.into(), subject.into()]).await;
            let begun = "INSERT INTO lti_tests (session_id, link_id, person_id) VALUES ($1, $2, $3)";
            insert(office, begun, vec![session.into(), lasting.into(), person.into()]).await;
            let failed = "INSERT INTO deliveries (id, session_id, url, host, status, attempts, created_at_ms, event, \
                version) VALUES ($1, $2, '', '', 'failed', 9, 0, 'score.ended', 1)";
            insert(office, failed, vec![score.into(), session.into()]).await;
            self.ids.entry("resent").or_default().push(score.to_string());
        }
    }
}

/// A link as a launch binds it.
async fn link(office: &Office, platform: Uuid, name: &str, (kind, target): (&str, Uuid)) -> Uuid {
    let id = Uuid::new_v4();
    let scopes = json!([SCORE_SCOPE, MEMBERS_SCOPE]).to_string();
    let statement = "INSERT INTO lti_links (id, platform_id, deployment_id, resource_link_id, kind, target_id, \
        line_item, scopes, memberships, created_at_ms) VALUES ($1, $2, '1', $3, $4, $5, $6, $7, $8, 0)";
    let values = vec![
        id.into(),
        platform.into(),
        name.into(),
        kind.into(),
        target.into(),
        office.course.columns_url().into(),
        scopes.into(),
        office.course.members_url().into(),
    ];
    insert(office, statement, values).await;
    id
}

async fn insert(office: &Office, statement: &str, values: Vec<sea_orm::Value>) {
    let connection = Database::connect(office.hall.database_url()).await.unwrap();
    let statement = Statement::from_sql_and_values(connection.get_database_backend(), statement, values);
    connection.execute_raw(statement).await.unwrap();
    connection.close().await.unwrap();
}
