//! The requests to every route that the record knows.

use image::ImageFormat;
use serde_json::{Value, json};

use super::REQUESTS;
use super::prepared::{Prepared, addresses, paper, platform};
use crate::either_database::school::crest;

const JSON: &str = "application/json";
const FORM: &str = "multipart/form-data; boundary=edge";
/// The grade into which questions are imported.
pub const IMPORTED_INTO: u8 = 9;
/// The grade for which questions are written.
pub const WRITTEN_INTO: u8 = 10;

/// Requests to one route.
pub struct Row {
    pub method: &'static str,
    /// As the record and the document have it.
    pub pattern: &'static str,
    /// Whether nothing shows afterwards how often it was done.
    pub only_reads: bool,
    /// What stands in the path of each request.
    places: Vec<Vec<String>>,
    query: String,
    bodies: Vec<(&'static str, Vec<u8>)>,
}

impl Row {
    fn of(method: &'static str, pattern: &'static str) -> Self {
        let bodies = vec![(JSON, Vec::new()); REQUESTS];
        Self {
            method,
            pattern,
            only_reads: method == "GET",
            places: vec![Vec::new(); REQUESTS],
            query: String::new(),
            bodies,
        }
    }

    fn at(mut self, places: &[String]) -> Self {
        assert_eq!(places.len(), REQUESTS, "{} {}", self.method, self.pattern);
        for (of_request, place) in self.places.iter_mut().zip(places) {
            of_request.push(place.clone());
        }
        self
    }

    fn asking(mut self, query: &str) -> Self {
        query.clone_into(&mut self.query);
        self
    }

    /// The first changes everything, and nothing shows how often it was asked again.
    fn only_once(mut self) -> Self {
        self.only_reads = true;
        self
    }

    fn with(self, body: impl Fn(usize) -> Value) -> Self {
        self.bytes(JSON, |number| body(number).to_string().into_bytes())
    }

    fn bytes(mut self, kind: &'static str, body: impl Fn(usize) -> Vec<u8>) -> Self {
        self.bodies = (0..REQUESTS).map(|number| (kind, body(number))).collect();
        self
    }

    /// The path of a request, with its query.
    pub fn path(&self, number: usize) -> String {
        let mut path = self.pattern.to_owned();
        for place in &self.places[number] {
            let (begins, ends) = (path.find('{').unwrap(), path.find('}').unwrap());
            path.replace_range(begins..=ends, place);
        }
        assert!(!path.contains('{'), "{path}");
        path + &self.query
    }

    /// The kind of a request's body, and the body.
    pub fn body(&self, number: usize) -> (&'static str, &[u8]) {
        let (kind, body) = &self.bodies[number];
        (kind, body)
    }

    /// What stands in the path of a request; empty if nothing does.
    pub fn place(&self, number: usize) -> &str {
        self.places[number].last().map_or("", String::as_str)
    }
}

/// A row for each route.
pub fn of(prepared: &Prepared, receiver: &str) -> Vec<Row> {
    [
        of_users(prepared),
        of_the_school(prepared, receiver),
        of_templates(prepared),
        of_sittings(prepared),
        of_classes(prepared),
        of_platforms(prepared),
        of_courses(prepared),
        of_accommodations(),
        of_corrections(prepared),
        of_tables(prepared),
        of_samples(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn of_users(prepared: &Prepared) -> Vec<Row> {
    let (reviewing, managing) = (addresses("reviewing"), addresses("managing"));
    let duty = |email: &String| json!({ "email": email, "name": "Somebody", "grades": [5] });
    vec![
        Row::of("PUT", "/api/admin/users/{email}").at(&addresses("invited")).with(|_| json!({ "role": "reviewer" })),
        Row::of("PATCH", "/api/admin/users/{email}").at(&addresses("changed")).with(|_| json!({ "role": "manager" })),
        Row::of("DELETE", "/api/admin/users/{email}").at(&addresses("removed")),
        Row::of("DELETE", "/api/admin/users/{email}/sign-ins").at(&addresses("out")),
        Row::of("DELETE", "/api/admin/users/{email}/sign-ins/{id}").at(&addresses("ended")).at(prepared.of("signIn")),
        Row::of("POST", "/api/admin/review/assignments").with(|number| duty(&reviewing[number])),
        Row::of("DELETE", "/api/admin/review/assignments/{email}").at(&addresses("unreviewing")),
        Row::of("POST", "/api/admin/review/managers").with(|number| duty(&managing[number])),
        Row::of("DELETE", "/api/admin/review/managers/{email}").at(&addresses("unmanaging")),
        Row::of("POST", "/api/admin/tokens")
            .with(|number| json!({ "name": format!("made {number}"), "role": "student" })),
        Row::of("DELETE", "/api/admin/tokens/{id}").at(prepared.of("revoked")),
    ]
}

fn of_the_school(prepared: &Prepared, receiver: &str) -> Vec<Row> {
    vec![
        Row::of("POST", "/api/admin/webhooks/test").with(|_| json!({ "url": receiver })),
        Row::of("POST", "/api/admin/webhooks/{id}/replay").at(prepared.of("replayed")),
        Row::of("PATCH", "/api/admin/school").with(|number| json!({ "name": format!("School {number}") })),
        Row::of("PUT", "/api/admin/status")
            .with(|number| json!({ "en": format!("Message {number}"), "vi": "" }))
            .only_once(),
        Row::of("PUT", "/api/admin/school/crest").bytes("image/png", |_| crest(ImageFormat::Png)),
        Row::of("DELETE", "/api/admin/school/crest"),
        Row::of("POST", "/api/admin/import").bytes(FORM, imported),
        Row::of("PUT", "/api/admin/questions/{id}/secure")
            .at(prepared.of("secured"))
            .with(|_| json!({ "secure": true })),
        Row::of("POST", "/api/admin/questions/marks")
            .with(|number| json!({ "ids": [prepared.of("marked")[number]], "practice": false })),
        Row::of("POST", "/api/admin/questions").with(written),
        Row::of("DELETE", "/api/admin/questions/{id}").at(prepared.of("retired")),
        Row::of("POST", "/api/admin/questions/{id}/restore").at(prepared.of("restored")),
        Row::of("POST", "/api/manager/approvals")
            .with(|number| json!({ "grade": number + 1, "status": "approved", "comment": "Ready" })),
    ]
}

/// A new question.
fn written(number: usize) -> Value {
    json!({
        "grade": WRITTEN_INTO, "topic": "Sums", "difficulty": 2, "question": format!("What is {number} + 1?"),
        "options": ["one", "two"], "answer": "B", "explanation": "Count.", "source": "hung up"
    })
}

/// A form with a table of one new question.
fn imported(number: usize) -> Vec<u8> {
    format!(
        "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"q.csv\"\r\n\
         Content-Type: text/csv\r\n\r\n\
         id,grade,topic,difficulty,question,optionA,optionB,answer,explanation\n\
         imported-{number},{IMPORTED_INTO},Sums,2,What is {number} + 1?,1,2,B,Count.\n\r\n--edge--\r\n"
    )
    .into_bytes()
}

fn of_templates(prepared: &Prepared) -> Vec<Row> {
    let of_root = |names: [&'static str; 5], patterns: [&'static str; 5]| {
        let [changed, removed, drawn, swapped, arranged] = names;
        let [all, one, generate, swap, questions] = patterns;
        let made = |number| paper(&format!("made at {all} {number}"));
        let swapping = |number: usize| json!({ "bucket": { "kind": "standard" }, "questionId": prepared.swapped[swapped][number] });
        let arranging = |number: usize| json!({ "bucket": { "kind": "standard" }, "questionIds": [prepared.swapped[arranged][number]] });
        vec![
            Row::of("POST", all).with(made),
            Row::of("PUT", one).at(prepared.of(changed)).with(|_| json!({ "name": "Changed" })),
            Row::of("DELETE", one).at(prepared.of(removed)),
            Row::of("POST", generate).at(prepared.of(drawn)),
            Row::of("POST", swap).at(prepared.of(swapped)).with(swapping),
            Row::of("PUT", questions).at(prepared.of(arranged)).with(arranging),
        ]
    };
    let of_admins = of_root(
        ["admin changed", "admin removed", "admin drawn", "admin swapped", "admin arranged"],
        [
            "/api/admin/test-templates",
            "/api/admin/test-templates/{id}",
            "/api/admin/test-templates/{id}/generate",
            "/api/admin/test-templates/{id}/swap",
            "/api/admin/test-templates/{id}/questions",
        ],
    );
    let of_managers = of_root(
        ["manager changed", "manager removed", "manager drawn", "manager swapped", "manager arranged"],
        [
            "/api/manager/test-templates",
            "/api/manager/test-templates/{id}",
            "/api/manager/test-templates/{id}/generate",
            "/api/manager/test-templates/{id}/swap",
            "/api/manager/test-templates/{id}/questions",
        ],
    );
    of_admins.into_iter().chain(of_managers).collect()
}

fn of_sittings(prepared: &Prepared) -> Vec<Row> {
    let planned = |number| json!({ "name": format!("planned {number}"), "templateId": prepared.template, "startsAt": "2100-01-04T09:00:00Z" });
    let second = |number: usize| {
        let absent = &prepared.of("absent")[number];
        json!({ "name": format!("second {number}"), "candidates": [absent], "startsAt": "2100-01-04T09:00:00Z" })
    };
    let again = |number| json!({ "name": format!("again {number}"), "startsAt": "2100-01-04T09:00:00Z" });
    let person = |number: usize| json!({ "externalId": format!("new {number}"), "name": "Somebody" });
    vec![
        Row::of("POST", "/api/admin/sittings").with(planned),
        Row::of("PATCH", "/api/admin/sittings/{id}").at(prepared.of("patched")).with(|_| json!({ "name": "Patched" })),
        Row::of("DELETE", "/api/admin/sittings/{id}").at(prepared.of("deleted")),
        Row::of("POST", "/api/admin/sittings/{id}/begin").at(prepared.of("begun")),
        Row::of("POST", "/api/admin/sittings/{id}/release").at(prepared.of("released")).asking("?force=true"),
        Row::of("POST", "/api/admin/sittings/{id}/make-up").at(prepared.of("made up")).with(second),
        Row::of("POST", "/api/admin/sittings/{id}/again").at(prepared.of("repeated")).with(again),
        Row::of("POST", "/api/admin/sittings/{id}/classes")
            .at(prepared.of("extended"))
            .with(|_| json!({ "classes": prepared.of("joining class") })),
        Row::of("PUT", "/api/admin/sittings/{id}/candidates")
            .at(prepared.of("enrolled"))
            .with(|number| json!({ "candidates": [person(number)] })),
        Row::of("POST", "/api/admin/sittings/{id}/candidates/undo").at(prepared.of("undone")),
        Row::of("POST", "/api/admin/sittings/{id}/candidates").at(prepared.of("joined")).with(person),
        Row::of("PATCH", "/api/admin/sittings/{id}/candidates/{candidateId}")
            .at(prepared.of("with a change"))
            .at(prepared.of("changed candidate"))
            .with(|_| json!({ "seat": "4" })),
        Row::of("DELETE", "/api/admin/sittings/{id}/candidates/{candidateId}")
            .at(prepared.of("with a removal"))
            .at(prepared.of("removed candidate")),
        Row::of("POST", "/api/admin/sittings/{id}/slips.pdf").at(prepared.of("with slips")),
        Row::of("POST", "/api/admin/sittings/{id}/kit.pdf").at(prepared.of("with a kit")),
    ]
}

fn of_classes(prepared: &Prepared) -> Vec<Row> {
    let person = json!({ "externalId": "7", "name": "Somebody" });
    vec![
        Row::of("POST", "/api/admin/classes").with(|number| json!({ "name": format!("made {number}"), "grade": 5 })),
        Row::of("PATCH", "/api/admin/classes/{id}")
            .at(prepared.of("changed class"))
            .with(|number| json!({ "name": format!("patched {number}") })),
        Row::of("DELETE", "/api/admin/classes/{id}").at(prepared.of("removed class")),
        Row::of("PUT", "/api/admin/classes/{id}/people")
            .at(prepared.of("listed class"))
            .with(|_| json!({ "people": [person] })),
    ]
}

fn of_platforms(prepared: &Prepared) -> Vec<Row> {
    vec![
        Row::of("POST", "/api/admin/lti/platforms").with(|number| platform("made", number)),
        Row::of("PATCH", "/api/admin/lti/platforms/{id}")
            .at(prepared.of("changed platform"))
            .with(|number| json!({ "name": format!("patched {number}") })),
        Row::of("DELETE", "/api/admin/lti/platforms/{id}").at(prepared.of("removed platform")),
        Row::of("POST", "/api/admin/lti/platforms/{id}/grants")
            .at(prepared.of("given platform"))
            .with(|_| json!({ "deploymentId": "1", "templateId": prepared.template })),
        Row::of("DELETE", "/api/admin/lti/platforms/{id}/grants")
            .at(prepared.of("emptied platform"))
            .asking(&format!("?deploymentId=1&templateId={}", prepared.template)),
        Row::of("DELETE", "/api/admin/lti/links/{id}").at(prepared.of("removed link")),
        Row { only_reads: true, ..Row::of("POST", "/api/admin/lti/platforms/{id}/test") }.at(&vec![
            prepared.of(
                "tested platform"
            )[0]
            .clone();
            REQUESTS
        ]),
    ]
}

fn of_courses(prepared: &Prepared) -> Vec<Row> {
    vec![
        Row::of("POST", "/api/admin/lti/scores/{id}/resend").at(prepared.of("resent")),
        // Of a sitting without scores: those of the others are counted one by one.
        Row::of("POST", "/api/admin/lti/scores/resend")
            .asking("?sittingId=00000000-0000-4000-8000-000000000000")
            .only_once(),
        Row::of("POST", "/api/admin/sittings/{id}/roster/lti")
            .at(prepared.of("from a course"))
            .with(|number| json!({ "linkId": prepared.of("course link")[number] })),
        Row::of("POST", "/api/admin/sittings/{id}/candidates/{candidateId}/lti")
            .at(prepared.of("joining"))
            .at(prepared.of("joining candidate"))
            .with(|number| json!({ "personId": prepared.of("joining person")[number] })),
    ]
}

fn of_accommodations() -> Vec<Row> {
    let listed = addresses("listed");
    vec![
        Row::of("PUT", "/api/admin/accommodations")
            .with(|number| json!({ "accommodations": [{ "email": listed[number], "factor": 125 }] })),
        Row::of("PUT", "/api/admin/accommodations/{email}")
            .at(&addresses("needing"))
            .with(|_| json!({ "factor": 125 })),
        Row::of("DELETE", "/api/admin/accommodations/{email}").at(&addresses("unneeding")),
    ]
}

fn of_corrections(prepared: &Prepared) -> Vec<Row> {
    let scope = json!({ "templateId": prepared.template });
    let questions = prepared.of("corrected").to_vec();
    let corrected = move |number: usize| json!({ "questionId": questions[number], "kind": "all", "scope": scope });
    vec![
        Row::of("POST", "/api/manager/corrections").with(corrected),
        Row::of("DELETE", "/api/manager/corrections/{id}").at(prepared.of("reverted")),
    ]
}

/// The last one, since it changes what others have asked about.
fn of_samples() -> Vec<Row> {
    vec![Row::of("POST", "/api/admin/questions/sample-bank").with(|_| json!({ "language": "vi" })).only_once()]
}

/// What changes nothing: somebody takes data away, or sees a secret.
fn of_tables(prepared: &Prepared) -> Vec<Row> {
    let all_of = |number: usize| vec![prepared.of("made up")[number].clone(); REQUESTS];
    vec![
        Row::of("GET", "/api/admin/webhooks/key"),
        Row::of("GET", "/api/admin/export").asking("?grade=3"),
        Row::of("GET", "/api/admin/sittings/{id}/results.xlsx").at(&all_of(0)),
        Row::of("GET", "/api/admin/sittings/{id}/results.csv").at(&all_of(1)),
        Row::of("GET", "/api/admin/sittings/{id}/incidents.csv").at(&all_of(2)),
        Row::of("GET", "/api/admin/sittings/{id}/slips.pdf").at(&all_of(3)),
        Row::of("GET", "/api/admin/sittings/{id}/reports.zip").at(&all_of(0)),
        Row::of("GET", "/api/admin/audit/export"),
        Row::of("GET", "/api/admin/results"),
        Row::of("GET", "/api/manager/results.csv").asking("?grade=5"),
        Row::of("GET", "/api/manager/results.xlsx").asking("?grade=5"),
    ]
}
