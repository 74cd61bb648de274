//! No `GET` of the documents changes anything: its address may stand in a question, an event or a mail. The test reads
//! every table again after each of a hundred addresses, so it takes longer than others.

use std::collections::BTreeMap;

use reqwest::Method;
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, Statement};
use serde_json::{Value, json};

use super::{School, path};
use crate::hall::{Answer, Hall, PROVIDER_KEY, eventually};

/// Tables that are written whether anybody reads or not (which servers live, and the seals and the log of receipts,
/// which a worker makes after the end of a test), and the record, which must say who has seen a secret or taken data
/// away.
const NOT_COMPARED: [&str; 6] = ["audit_entries", "heartbeat", "receipts", "receipts_due", "servers", "sitting_logs"];
/// Tables that a server fills for itself soon after its start.
const FILLED_AT_THE_START: [&str; 2] = ["late_keys", "receipt_keys"];
/// Columns that say when a credential was used, which is worth knowing of reads too.
const OF_USE: [&str; 1] = ["last_used_at_ms"];
/// Documents, each with its routes' common part, as its servers have it.
const DOCUMENTS: [&str; 3] = ["/api/openapi.json", "/v1/openapi.json", "/wp-json/tribe/events/v1/doc"];
/// Parameters by which an answer waits for something to happen.
const WAITS: [&str; 2] = ["wait", "timeVersion"];
/// What must have been read with success, or the test has seen too little.
const MUST_BE_READ: [&str; 12] = [
    "/api/admin/audit/export",
    "/api/admin/export",
    "/api/admin/results",
    "/api/admin/sittings/{id}",
    "/api/admin/sittings/{id}/candidates",
    "/api/admin/sittings/{id}/incidents.csv",
    "/api/admin/sittings/{id}/results.xlsx",
    "/api/admin/sittings/{id}/slips.pdf",
    "/api/admin/test-templates/{id}",
    "/api/admin/webhooks/key",
    "/api/questions",
    "/api/report/{id}/pdf",
];

type Tables = BTreeMap<String, Vec<String>>;

async fn texts(connection: &DatabaseConnection, statement: &str) -> Vec<String> {
    let statement = Statement::from_string(connection.get_database_backend(), statement);
    let rows = connection.query_all_raw(statement).await.unwrap();
    rows.iter().map(|row| row.try_get_by_index::<String>(0).unwrap()).collect()
}

/// Every row of every table, as text.
async fn dump(hall: &Hall) -> Tables {
    let connection = Database::connect(hall.database_url()).await.unwrap();
    let all = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
    let mut tables = Tables::new();
    for table in texts(&connection, all).await {
        let columns = texts(&connection, &format!("SELECT name FROM pragma_table_info('{table}')")).await;
        let quoted: Vec<String> = columns
            .iter()
            .filter(|column| !OF_USE.contains(&column.as_str()))
            .map(|column| format!("quote(\"{column}\")"))
            .collect();
        if !NOT_COMPARED.contains(&table.as_str()) {
            let rows = format!("SELECT {} AS line FROM \"{table}\" ORDER BY line", quoted.join(" || ',' || "));
            tables.insert(table, texts(&connection, &rows).await);
        }
    }
    connection.close().await.unwrap();
    assert!(tables.len() > 30 && tables["questions"].len() > 1_000, "{:?}", tables.keys());
    tables
}

/// A school with all that can be read: a sitting with a finished test and somebody without a code, and an event.
struct Read {
    school: School,
    sitting: Value,
    candidate: Value,
    session: String,
    event: Value,
}

impl Read {
    /// A plausible value of a parameter.
    fn value(&self, path: &str, parameter: &Value) -> Option<String> {
        let of_sitting = || self.sitting["id"].as_str().unwrap().to_owned();
        let name = parameter["name"].as_str().unwrap();
        Some(match name {
            "id" if path.starts_with("/wp-json") => self.event["id"].to_string(),
            "id" if path.contains("/test-templates/") => self.school.template.clone(),
            "id" if path.contains("/report/") || path.contains("/sessions/") => self.session.clone(),
            "id" | "sittingId" => of_sitting(),
            "sessionId" | "session_id" | "session" => self.session.clone(),
            "templateId" | "template" => self.school.template.clone(),
            "candidateId" => self.candidate["id"].as_str().unwrap().to_owned(),
            "email" | "actor" => "ada%40exam.test".to_owned(),
            "grade" => "5".to_owned(),
            "page" | "part" | "payload" | "per_page" | "v" => "1".to_owned(),
            "room" => "B12".to_owned(),
            "from" if path.ends_with("/slips.pdf") => "1".to_owned(),
            "from" | "start_date" => "2020-01-01".to_owned(),
            "to" | "end_date" => "2030-01-01".to_owned(),
            "format" => "csv".to_owned(),
            "bucket" => "standard".to_owned(),
            "action" => "user.role".to_owned(),
            _ => match parameter["schema"]["type"].as_str() {
                Some("boolean") => "true".to_owned(),
                Some("integer" | "number") => "1".to_owned(),
                _ => parameter["schema"]["enum"][0].as_str().unwrap_or("x").to_owned(),
            },
        })
        .filter(|_| !WAITS.contains(&name))
    }

    /// The address with what is required alone, then with each further parameter.
    fn addresses(&self, path: &str, parameters: &[Value]) -> Vec<String> {
        let mut address = path.to_owned();
        let mut query = Vec::new();
        let mut others = vec!["renew=true".to_owned()];
        for parameter in parameters {
            let Some(value) = self.value(path, parameter) else { continue };
            let name = parameter["name"].as_str().unwrap();
            match parameter["in"].as_str().unwrap() {
                "path" => address = address.replace(&format!("{{{name}}}"), &value),
                "query" if parameter["required"] == true => query.push(format!("{name}={value}")),
                "query" => others.push(format!("{name}={value}")),
                _ => {}
            }
        }
        let with = |other: Option<&String>| {
            let all: Vec<&str> = query.iter().chain(other).map(String::as_str).collect();
            format!("{address}?{}", all.join("&"))
        };
        std::iter::once(with(None)).chain(others.iter().map(|other| with(Some(other)))).collect()
    }

    async fn get(&self, address: &str) -> u16 {
        let request = self.school.admin.request(Method::GET, address);
        Answer::to(request.header("x-api-key", PROVIDER_KEY)).await.status
    }
}

#[tokio::test]
async fn no_get_has_an_effect() {
    let school = School::with(&[("PROVIDER_API_KEY", PROVIDER_KEY)]).await;
    let sitting = school.sitting(5, json!({ "results": "held" })).await;
    let people =
        json!([{ "email": "ada@exam.test", "name": "Ada", "room": "B12" }, { "externalId": "9", "name": "Bo" }]);
    school.enrol(&sitting, people).await;
    let candidate = school.candidate(&sitting, "Ada").await;
    let mut student = school.enter(&sitting, &candidate).await;
    school.advance(6);
    student.begin().await;
    assert_eq!(student.submit().await["held"], true);
    let event = json!({ "title": "Open day", "start_date": "2030-01-05 10:00:00", "end_date": "2030-01-05 11:00:00" });
    let event = school.admin.post_json("/wp-json/tribe/events/v1/events", &event).await;
    assert_eq!(event.status, 201, "{}", event.text());
    let session = student.session_id.clone();
    eventually("the session is stored", async || {
        Some(school.admin.get(&format!("/api/sessions/{session}")).await).filter(|answer| answer.status == 200)
    })
    .await;
    let read = Read { event: event.json(), candidate, session, sitting, school };

    // The first who asks for the keys that sign for learning platforms has them made.
    read.get("/lti/jwks").await;
    let mut before = eventually("the server has made its keys", async || {
        let tables = dump(&read.school.hall).await;
        Some(tables).filter(|tables| FILLED_AT_THE_START.iter().all(|table| !tables[*table].is_empty()))
    })
    .await;
    let mut were_read = Vec::new();
    for document in DOCUMENTS {
        let document = read.school.admin.get(document).await.json();
        let server = document["servers"][0]["url"].as_str().unwrap();
        let root = server.strip_prefix("http://exam.localhost").unwrap_or(server).trim_end_matches('/');
        for (pattern, item) in document["paths"].as_object().unwrap().iter().filter(|(_, item)| item["get"].is_object())
        {
            let parameters = item["get"]["parameters"].as_array().cloned().unwrap_or_default();
            let path = format!("{root}{pattern}");
            for address in read.addresses(&path, &parameters) {
                let status = read.get(&address).await;
                assert_ne!(status, 500, "{address}");
                were_read.extend((status == 200).then(|| path.clone()));
            }
            let after = dump(&read.school.hall).await;
            for (table, rows) in &after {
                assert_eq!(&before[table], rows, "GET {path} has changed {table}");
            }
            before = after;
        }
    }
    for path in MUST_BE_READ {
        assert!(were_read.iter().any(|read| read == path), "{path} was not read: {were_read:?}");
    }
    assert!(
        were_read.iter().any(|path| path.starts_with("/v1/"))
            && were_read.iter().any(|path| path.starts_with("/wp-json/"))
    );
    let found = candidates_with_code(&read).await;
    assert_eq!(found, 0, "the slips have made no codes");
}

async fn candidates_with_code(read: &Read) -> usize {
    let candidates = read.school.candidates(&read.sitting).await;
    candidates.iter().filter(|candidate| candidate["hasAccessCode"] == true).count()
}

#[tokio::test]
async fn new_codes_are_asked_for_by_post_alone() {
    let school = School::open().await;
    let sitting = school.sitting(60, json!({})).await;
    school.enrol(&sitting, json!([{ "externalId": "9", "name": "Bo" }])).await;
    let slips = format!("{}/slips.pdf", path(&sitting));
    for renew in ["true", "false", ""] {
        let refused = school.admin.get(&format!("{slips}?renew={renew}")).await;
        refused.assert_error(400, "Invalid renew: POST makes new codes");
    }
}
