//! Who may call which route: every route of the OpenAPI document is called with every kind of identity.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};

use crate::hall::{Answer, Hall};

/// The grade that people are assigned to.
const ASSIGNED: u8 = 5;
/// A grade that nobody is assigned to.
const OTHER: u8 = 6;

/// Whom a route is for. Everyone else is refused before anything else is checked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum For {
    /// Anyone at all.
    Anyone,
    /// Whoever is signed in.
    SignedIn,
    /// Whoever is signed in, if they watch the sitting; here it is one that nobody knows.
    Watchers,
    /// Reviewers, managers and admins; of the grade that the request names, when it names one.
    Staff(Option<u8>),
    /// Managers and admins; of the grade that the request names, when it names one.
    Managers(Option<u8>),
    /// Admins; others get 401 or 403.
    Admins,
    /// Admins; everyone else gets 401.
    AdminsAlone,
}

/// One request to a route that changes nothing, and the status of those who may make it.
struct Route {
    method: Method,
    /// As the document has it.
    pattern: &'static str,
    path: String,
    body: Option<Value>,
    whom: For,
    status: u16,
}

/// Someone who calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Who {
    Nobody,
    ForgedCookie,
    ForgedToken,
    Student,
    Reviewer,
    ReviewerElsewhere,
    Manager,
    ManagerElsewhere,
    Admin,
    AdminToken,
    StudentTokenOfAdmin,
}

const EVERYONE: [Who; 11] = [
    Who::Nobody,
    Who::ForgedCookie,
    Who::ForgedToken,
    Who::Student,
    Who::Reviewer,
    Who::ReviewerElsewhere,
    Who::Manager,
    Who::ManagerElsewhere,
    Who::Admin,
    Who::AdminToken,
    Who::StudentTokenOfAdmin,
];

fn routes() -> Vec<Route> {
    let unknown = "00000000-0000-4000-8000-000000000000";
    let route = |method: Method, pattern: &'static str, end: &str, whom, status| {
        let path = pattern
            .replace("{id}", unknown)
            .replace("{sessionId}", unknown)
            .replace("{session_id}", unknown)
            .replace("{candidateId}", unknown)
            .replace("{digest}", &"0".repeat(64))
            .replace("{email}", "nobody%40exam.test");
        let body = (method != Method::GET && method != Method::DELETE).then(|| json!({}));
        Route { method, pattern, path: format!("{path}{end}"), body, whom, status }
    };
    let get = |pattern, end, whom, status| route(Method::GET, pattern, end, whom, status);
    let post = |pattern, whom, status| route(Method::POST, pattern, "", whom, status);
    let with = |route: Route, body: Value| Route { body: Some(body), ..route };
    let (any, admins, any_manager) = (For::Anyone, For::Admins, For::Managers(None));
    let (staff, managers) = (For::Staff(Some(ASSIGNED)), For::Managers(Some(ASSIGNED)));
    let submit = |grade: u8| json!({ "questionId": "none", "grade": grade, "status": "flagged", "note": "" });
    let edit =
        |grade: u8| json!({ "questionId": "none", "grade": grade, "comment": "", "updates": { "explanation": "x" } });
    vec![
        get("/healthz", "", any, 200),
        get("/readyz", "", any, 200),
        get("/metrics", "", any, 200),
        get("/api/openapi.json", "", any, 200),
        get("/api/asyncapi.json", "", any, 200),
        get("/auth/sign-in", "", any, 200),
        get("/auth/callback", "", any, 404),
        post("/auth/local", any, 400),
        get("/api/me", "", For::SignedIn, 200),
        get("/api/me/view", "", For::SignedIn, 200),
        get("/api/me/sign-ins", "", For::SignedIn, 200),
        route(Method::DELETE, "/api/me/sign-ins/{id}", "", For::SignedIn, 404),
        get("/api/status", "", any, 200),
        with(route(Method::PUT, "/api/me/view", "", For::SignedIn, 400), json!({ "view": 1 })),
        get("/api/questions", "?grade=5", any, 200),
        // Only callers who may use the route learn that a request is malformed.
        get("/api/questions", "?grade=5&grade=6", any, 400),
        get("/api/review/questions", "?grade=5&grade=6", For::Staff(None), 400),
        get("/api/review/edit", "?grade=5&grade=6", For::Staff(None), 400),
        get("/api/admin/items", "?grade=5&grade=6", For::Staff(None), 400),
        get("/api/admin/questions", "?grade=5&grade=6", admins, 400),
        get("/api/admin/export", "?grade=5&grade=6", admins, 400),
        route(Method::POST, "/api/admin/import", "?dryRun=true&dryRun=false", admins, 400),
        get("/api/admin/review/log", "?grade=5&grade=6", admins, 400),
        get("/api/admin/webhooks", "?page=1&page=2", admins, 400),
        get("/api/admin/test-templates/{id}/swap", "?bucket=standard&bucket=session1", admins, 400),
        post("/api/sessions", any, 400),
        get("/api/sessions", "", For::AdminsAlone, 200),
        get("/api/admin/results", "", admins, 200),
        get("/api/admin/results", "?format=pdf", admins, 400),
        get("/api/sessions/{id}", "", any, 404),
        get("/api/sessions/{id}/versions", "", For::Staff(None), 404),
        // The token of a session opens these, too.
        get("/api/sessions/{id}/receipt", "", any, 0),
        get("/api/sessions/{id}/receipt.tlog-proof", "", any, 0),
        get("/api/sittings/{id}/checkpoint", "", any, 0),
        get("/.well-known/jwks.json", "", any, 200),
        get("/api/report/{id}/pdf", "", any, 404),
        get("/api/report/{id}/questions", "", any, 404),
        get("/api/test-templates/{id}", "", any, 404),
        // Without the headers of a WebSocket.
        get("/api/live", "", any, 400),
        post("/api/live", any, 400),
        // A session's own token, not a sign-in, opens these.
        get("/api/live/{sessionId}", "", any, 0),
        get("/api/live/{sessionId}/receipt", "", any, 0),
        post("/api/live/{sessionId}/commands", any, 0),
        get("/api/live/proctor", "", For::Staff(None), 400),
        get("/api/live/sessions", "?grade=5", staff, 200),
        get("/api/live/sessions", "?grade=6", For::Staff(Some(OTHER)), 200),
        get("/api/live/sessions", "?grade=5&grade=6", For::Staff(None), 400),
        get("/api/live/sessions", "?sittingId=00000000-0000-4000-8000-000000000000", For::Staff(None), 404),
        get("/api/live/sessions/{id}/events", "", For::Staff(None), 404),
        get("/api/live/sessions/{id}/late", "", For::Staff(None), 404),
        post("/api/live/sessions/{id}/late", For::Staff(None), 404),
        post("/api/live/late-files", For::Staff(None), 400),
        post("/api/live/sessions/{id}/orders", For::Staff(None), 404),
        post("/api/live/sessions/{id}/code", For::Staff(None), 404),
        route(Method::POST, "/api/live/rooms/orders", "?grade=5", staff, 400),
        route(Method::POST, "/api/live/rooms/orders", "?grade=6", For::Staff(Some(OTHER)), 400),
        get("/api/live/candidates/{candidateId}/events", "", For::Staff(None), 404),
        get("/api/live/mine", "", For::SignedIn, 200),
        // A code takes the place of a sign-in.
        post("/api/live/move", any, 400),
        post("/api/live/{sessionId}/token", any, 0),
        get("/api/review/questions", "?grade=5", staff, 200),
        get("/api/review/questions", "?grade=6", For::Staff(Some(OTHER)), 200),
        get("/api/review/questions", "?grade=11", For::Staff(None), 400),
        with(post("/api/review/questions", staff, 400), json!({ "grade": ASSIGNED })),
        with(post("/api/review/questions", For::Staff(Some(OTHER)), 400), json!({ "grade": OTHER })),
        post("/api/review/pictures", For::Staff(None), 400),
        get("/media/{digest}", "", any, 404),
        with(post("/api/review/submit", staff, 404), submit(ASSIGNED)),
        with(post("/api/review/submit", For::Staff(Some(OTHER)), 404), submit(OTHER)),
        get("/api/review/edit", "?grade=5", staff, 200),
        get("/api/review/edit", "?grade=6", For::Staff(Some(OTHER)), 200),
        with(post("/api/review/edit", staff, 404), edit(ASSIGNED)),
        with(post("/api/review/edit", For::Staff(Some(OTHER)), 404), edit(OTHER)),
        get("/api/manager/stats", "", For::Managers(None), 200),
        get("/api/manager/approvals", "", For::Managers(None), 200),
        with(
            post("/api/manager/approvals", For::Managers(None), 400),
            json!({ "grade": ASSIGNED, "status": "perhaps" }),
        ),
        with(post("/api/manager/approvals", managers, 200), json!({ "grade": ASSIGNED, "status": "approved" })),
        with(
            post("/api/manager/approvals", For::Managers(Some(OTHER)), 200),
            json!({ "grade": OTHER, "status": "approved" }),
        ),
        get("/api/manager/sources", "", For::Staff(None), 200),
        get("/api/manager/results", "?grade=5", staff, 200),
        get("/api/manager/results", "?grade=6", For::Staff(Some(OTHER)), 200),
        get("/api/manager/results", "?grade=5&grade=6", For::Staff(None), 400),
        get("/api/manager/results", "?sittingId=00000000-0000-4000-8000-000000000000", For::Staff(None), 404),
        get("/api/manager/results/figures", "?grade=5", managers, 200),
        get("/api/manager/results/figures", "?grade=6", For::Managers(Some(OTHER)), 200),
        get("/api/manager/results.csv", "?grade=5", managers, 200),
        get("/api/manager/results.csv", "?grade=6", For::Managers(Some(OTHER)), 200),
        get("/api/manager/results.xlsx", "?grade=5", managers, 200),
        get("/api/manager/results.xlsx", "?grade=6", For::Managers(Some(OTHER)), 200),
        get("/api/admin/items", "?grade=5", staff, 200),
        get("/api/admin/items", "?grade=6", For::Staff(Some(OTHER)), 200),
        get("/api/admin/questions", "?grade=5", admins, 200),
        get("/api/admin/export", "?grade=0", admins, 400),
        post("/api/admin/import", admins, 400),
        get("/api/admin/users", "", admins, 200),
        route(Method::PUT, "/api/admin/users/{email}", "", admins, 400),
        route(Method::PATCH, "/api/admin/users/{email}", "", admins, 400),
        route(Method::DELETE, "/api/admin/users/{email}", "", admins, 404),
        route(Method::DELETE, "/api/admin/users/{email}/sign-ins", "", admins, 200),
        get("/api/admin/users/{email}/sign-ins", "", admins, 200),
        route(Method::DELETE, "/api/admin/users/{email}/sign-ins/{id}", "", admins, 404),
        get("/api/admin/status", "", admins, 200),
        route(Method::PUT, "/api/admin/status", "", admins, 400),
        get("/api/admin/tokens", "", admins, 200),
        post("/api/admin/tokens", admins, 400),
        route(Method::DELETE, "/api/admin/tokens/{id}", "", admins, 404),
        get("/api/admin/review/stats", "", admins, 200),
        get("/api/admin/review/assignments", "", admins, 200),
        post("/api/admin/review/assignments", admins, 400),
        route(Method::DELETE, "/api/admin/review/assignments/{email}", "", admins, 200),
        get("/api/admin/review/managers", "", admins, 200),
        post("/api/admin/review/managers", admins, 400),
        route(Method::DELETE, "/api/admin/review/managers/{email}", "", admins, 200),
        get("/api/admin/review/log", "?grade=5", admins, 200),
        get("/api/admin/test-templates", "", admins, 200),
        post("/api/admin/test-templates", admins, 400),
        get("/api/admin/test-templates/{id}", "", admins, 404),
        route(Method::PUT, "/api/admin/test-templates/{id}", "", admins, 404),
        route(Method::DELETE, "/api/admin/test-templates/{id}", "", admins, 404),
        post("/api/admin/test-templates/{id}/generate", admins, 404),
        get("/api/admin/test-templates/{id}/swap", "?bucket=standard&questionId=q", admins, 404),
        with(
            post("/api/admin/test-templates/{id}/swap", admins, 404),
            json!({ "bucket": { "kind": "standard" }, "questionId": "q" }),
        ),
        with(
            route(Method::PUT, "/api/admin/test-templates/{id}/questions", "", admins, 404),
            json!({ "bucket": { "kind": "standard" }, "questionIds": ["q"] }),
        ),
        get("/api/manager/test-templates", "", any_manager, 200),
        post("/api/manager/test-templates", any_manager, 400),
        get("/api/manager/test-templates/{id}", "", any_manager, 404),
        route(Method::PUT, "/api/manager/test-templates/{id}", "", any_manager, 404),
        route(Method::DELETE, "/api/manager/test-templates/{id}", "", any_manager, 404),
        post("/api/manager/test-templates/{id}/generate", any_manager, 404),
        get("/api/manager/test-templates/{id}/swap", "?bucket=standard&questionId=q", any_manager, 404),
        get("/api/manager/test-templates/{id}/swap", "?bucket=standard&bucket=session1", any_manager, 400),
        with(
            post("/api/manager/test-templates/{id}/swap", any_manager, 404),
            json!({ "bucket": { "kind": "standard" }, "questionId": "q" }),
        ),
        with(
            route(Method::PUT, "/api/manager/test-templates/{id}/questions", "", any_manager, 404),
            json!({ "bucket": { "kind": "standard" }, "questionIds": ["q"] }),
        ),
        get("/api/admin/questions/secure", "?grade=5", staff, 200),
        route(Method::PUT, "/api/admin/questions/{id}/secure", "", any_manager, 400),
        post("/api/admin/questions/marks", any_manager, 400),
        get("/api/admin/questions", "?grade=5&retired=true", admins, 200),
        get("/api/admin/questions", "?grade=5&retired=perhaps", admins, 400),
        post("/api/admin/questions", admins, 400),
        get("/api/admin/questions/sample-bank", "", admins, 200),
        post("/api/admin/questions/sample-bank", admins, 400),
        route(Method::DELETE, "/api/admin/questions/{id}", "", admins, 404),
        post("/api/admin/questions/{id}/restore", admins, 404),
        get("/api/manager/corrections", "", any_manager, 200),
        get("/api/manager/corrections", "?grade=11", any_manager, 400),
        post("/api/manager/corrections", any_manager, 400),
        with(post("/api/manager/corrections", managers, 404), corrected(ASSIGNED)),
        with(post("/api/manager/corrections", For::Managers(Some(OTHER)), 404), corrected(OTHER)),
        route(Method::DELETE, "/api/manager/corrections/{id}", "", any_manager, 404),
        get("/api/admin/sittings", "", any_manager, 200),
        post("/api/admin/sittings", any_manager, 400),
        get("/api/admin/sittings/{id}", "", any_manager, 404),
        route(Method::PATCH, "/api/admin/sittings/{id}", "", any_manager, 404),
        route(Method::DELETE, "/api/admin/sittings/{id}", "", any_manager, 404),
        get("/api/admin/sittings/{id}/candidates", "", any_manager, 404),
        route(Method::PUT, "/api/admin/sittings/{id}/candidates", "", any_manager, 404),
        route(Method::PUT, "/api/admin/sittings/{id}/candidates", "?dryRun=true&dryRun=false", any_manager, 400),
        post("/api/admin/sittings/{id}/candidates", any_manager, 404),
        post("/api/admin/sittings/{id}/candidates/undo", any_manager, 404),
        route(Method::PATCH, "/api/admin/sittings/{id}/candidates/{candidateId}", "", any_manager, 404),
        route(Method::DELETE, "/api/admin/sittings/{id}/candidates/{candidateId}", "", any_manager, 404),
        get("/api/admin/sittings/{id}/candidates/{candidateId}/explain", "", any_manager, 404),
        get("/api/admin/sittings/{id}/slips.pdf", "", any_manager, 404),
        post("/api/admin/sittings/{id}/slips.pdf", any_manager, 404),
        post("/api/admin/sittings/{id}/kit.pdf", any_manager, 404),
        post("/api/admin/sittings/{id}/begin", any_manager, 404),
        post("/api/admin/sittings/{id}/release", any_manager, 404),
        get("/api/admin/sittings/{id}/incidents", "", any_manager, 404),
        get("/api/admin/sittings/{id}/incidents.csv", "", any_manager, 404),
        get("/api/admin/sittings/{id}/reports.zip", "", any_manager, 404),
        post("/api/admin/sittings/{id}/make-up", any_manager, 404),
        post("/api/admin/sittings/{id}/again", any_manager, 404),
        post("/api/admin/sittings/{id}/classes", any_manager, 404),
        route(Method::POST, "/api/admin/sittings/{id}/classes", "?dryRun=true&dryRun=false", any_manager, 400),
        post("/api/admin/sittings/{id}/roster/lti", any_manager, 404),
        route(Method::POST, "/api/admin/sittings/{id}/roster/lti", "?dryRun=true&dryRun=false", any_manager, 400),
        get("/lti/jwks", "", any, 200),
        get("/api/admin/lti/platforms", "", admins, 200),
        post("/api/admin/lti/platforms", admins, 400),
        get("/api/admin/lti/platforms/{id}", "", admins, 404),
        route(Method::PATCH, "/api/admin/lti/platforms/{id}", "", admins, 404),
        route(Method::DELETE, "/api/admin/lti/platforms/{id}", "", admins, 404),
        post("/api/admin/lti/platforms/{id}/test", admins, 404),
        get("/api/admin/lti/platforms/{id}/grants", "", admins, 404),
        post("/api/admin/lti/platforms/{id}/grants", admins, 404),
        route(Method::DELETE, "/api/admin/lti/platforms/{id}/grants", "", admins, 404),
        route(Method::DELETE, "/api/admin/lti/platforms/{id}/grants", "?sittingId=1&sittingId=2", admins, 400),
        get("/api/admin/sittings/{id}/lti/people", "", any_manager, 404),
        post("/api/admin/sittings/{id}/candidates/{candidateId}/lti", any_manager, 404),
        get("/api/admin/lti/links", "", any_manager, 200),
        get("/api/admin/lti/links", "?sittingId=7", any_manager, 400),
        route(Method::DELETE, "/api/admin/lti/links/{id}", "", any_manager, 404),
        get("/api/admin/lti/scores", "", any_manager, 200),
        get("/api/admin/lti/scores", "?page=1&page=2", any_manager, 400),
        post("/api/admin/lti/scores/resend", any_manager, 200),
        post("/api/admin/lti/scores/{id}/resend", any_manager, 404),
        get("/api/admin/classes", "", any_manager, 200),
        post("/api/admin/classes", any_manager, 400),
        get("/api/admin/classes/{id}", "", any_manager, 404),
        route(Method::PATCH, "/api/admin/classes/{id}", "", any_manager, 404),
        route(Method::DELETE, "/api/admin/classes/{id}", "", any_manager, 404),
        route(Method::PUT, "/api/admin/classes/{id}/people", "", any_manager, 404),
        route(Method::PUT, "/api/admin/classes/{id}/people", "?dryRun=true&dryRun=false", any_manager, 400),
        get("/api/admin/sittings/{id}/results", "", any_manager, 404),
        get("/api/admin/sittings/{id}/results.xlsx", "", any_manager, 404),
        get("/api/admin/sittings/{id}/results.csv", "", any_manager, 404),
        get("/api/admin/accommodations", "", admins, 200),
        route(Method::PUT, "/api/admin/accommodations", "?dryRun=true", admins, 400),
        get("/api/admin/accommodations/{email}", "", admins, 404),
        with(route(Method::PUT, "/api/admin/accommodations/{email}", "", admins, 400), json!({ "factor": 5 })),
        route(Method::DELETE, "/api/admin/accommodations/{email}", "", admins, 404),
        get("/api/sittings", "", For::SignedIn, 200),
        get("/api/sittings/proctored", "", For::SignedIn, 200),
        get("/api/admin/proctors", "", any_manager, 200),
        get("/api/sittings/{id}/calendar.ics", "", For::SignedIn, 404),
        post("/api/sittings/{id}/candidates/{candidateId}/access-code", For::Watchers, 404),
        get("/api/sittings/{id}/incidents", "", For::Watchers, 404),
        get("/api/sittings/{id}/incidents", "?room=B12&room=B13", For::Watchers, 400),
        get("/api/sittings/{id}/paper/{part}", "", For::Anyone, 404),
        get("/api/admin/webhooks", "", admins, 200),
        get("/api/admin/webhooks/key", "", admins, 200),
        post("/api/admin/webhooks/test", admins, 400),
        post("/api/admin/webhooks/{id}/replay", admins, 404),
        get("/api/school", "", any, 200),
        get("/api/school/crest", "", any, 404),
        get("/api/admin/school", "", admins, 200),
        with(route(Method::PATCH, "/api/admin/school", "", admins, 400), json!({ "colour": "red" })),
        route(Method::PUT, "/api/admin/school/crest", "", admins, 400),
        route(Method::DELETE, "/api/admin/school/crest", "", admins, 200),
        get("/api/admin/audit", "?page=0", admins, 400),
        get("/api/admin/audit/export", "?format=pdf", admins, 400),
        get("/api/admin/health", "", admins, 200),
        // The last ones, since sign-ins end with them.
        route(Method::DELETE, "/api/me/sign-ins", "", For::SignedIn, 200),
        post("/auth/sign-out", any, 204),
    ]
}

/// The correction of a question that nobody was asked.
fn corrected(grade: u8) -> Value {
    let scope = json!({ "grade": grade, "from": "2026-01-05", "to": "2026-01-05" });
    json!({ "questionId": "q", "kind": "all", "scope": scope })
}

/// The status that a caller gets on a route.
fn expected(route: &Route, who: Who) -> u16 {
    use Who::{
        Admin, AdminToken, ForgedCookie, ForgedToken, Manager, ManagerElsewhere, Nobody, Reviewer, ReviewerElsewhere,
    };
    let is_admin = matches!(who, Admin | AdminToken);
    let is_unknown = matches!(who, Nobody | ForgedCookie | ForgedToken);
    let is_manager = matches!(who, Manager | ManagerElsewhere);
    let is_staff = is_manager || matches!(who, Reviewer | ReviewerElsewhere);
    let is_assigned = matches!(who, Reviewer | Manager);
    let of_grade = |grade: Option<u8>| grade.is_none_or(|grade| grade == ASSIGNED && is_assigned);
    match route.whom {
        For::Anyone => route.status,
        _ if is_admin => route.status,
        For::AdminsAlone => 401,
        _ if is_unknown => 401,
        For::SignedIn | For::Watchers => route.status,
        For::Staff(grade) if is_staff && of_grade(grade) => route.status,
        For::Managers(grade) if is_manager && of_grade(grade) => route.status,
        _ => 403,
    }
}

/// The headers by which each is known.
struct People {
    cookies: Vec<(Who, String)>,
    tokens: Vec<(Who, String)>,
}

impl People {
    async fn gather(hall: &Hall) -> Self {
        let admin = hall.cookie("admin@exam.test").await;
        let mut cookies = vec![(Who::Admin, admin.clone()), (Who::Student, hall.cookie("student@exam.test").await)];
        for (who, role, grade) in [
            (Who::Reviewer, "reviewer", ASSIGNED),
            (Who::ReviewerElsewhere, "reviewer", 7),
            (Who::Manager, "manager", ASSIGNED),
            (Who::ManagerElsewhere, "manager", 7),
        ] {
            let email = format!("{who:?}@exam.test").to_lowercase();
            cookies.push((who, hall.cookie(&email).await));
            let changed =
                send(hall, &admin, Method::PATCH, &format!("/api/admin/users/{email}"), json!({ "role": role })).await;
            assert_eq!(changed.status, 200, "{}", changed.text());
            let kind = if role == "reviewer" { "assignments" } else { "managers" };
            let assignment = json!({ "email": email, "name": "Somebody", "grades": [grade] });
            let assigned = send(hall, &admin, Method::POST, &format!("/api/admin/review/{kind}"), assignment).await;
            assert_eq!(assigned.status, 200, "{}", assigned.text());
        }
        // The last letters are the seal's.
        let mut forged = admin.clone();
        forged.replace_range(admin.len() - 6..admin.len() - 2, if admin.ends_with("AAAA") { "BBBB" } else { "AAAA" });
        cookies.push((Who::ForgedCookie, forged));
        let mut tokens = vec![(Who::ForgedToken, format!("eh_{}", "A".repeat(43)))];
        for (who, role) in [(Who::AdminToken, "admin"), (Who::StudentTokenOfAdmin, "student")] {
            let made =
                send(hall, &admin, Method::POST, "/api/admin/tokens", json!({ "name": "rights", "role": role })).await;
            tokens.push((who, made.json()["token"].as_str().unwrap().to_owned()));
        }
        Self { cookies, tokens }
    }

    async fn ask(&self, hall: &Hall, who: Who, route: &Route) -> Answer {
        let mut request = hall.anonymous().request(route.method.clone(), &route.path);
        if let Some((_, cookie)) = self.cookies.iter().find(|(known, _)| *known == who) {
            request = request.header("cookie", cookie).header("origin", "http://exam.localhost");
        }
        if let Some((_, token)) = self.tokens.iter().find(|(known, _)| *known == who) {
            request = request.bearer_auth(token);
        }
        match &route.body {
            Some(body) => Answer::to(request.json(body)).await,
            None => Answer::to(request).await,
        }
    }
}

async fn send(hall: &Hall, cookie: &str, method: Method, path: &str, body: Value) -> Answer {
    Answer::to(
        hall.anonymous()
            .request(method, path)
            .header("cookie", cookie)
            .header("origin", "http://exam.localhost")
            .json(&body),
    )
    .await
}

#[tokio::test]
async fn each_route_is_for_those_it_is_for() {
    let hall = Hall::open().await;
    let people = People::gather(&hall).await;
    let mut wrong = Vec::new();
    for route in routes() {
        for who in EVERYONE {
            // Whether a session's own token is right is another matter than who calls.
            if route.status == 0 {
                continue;
            }
            let answer = people.ask(&hall, who, &route).await;
            let expected = expected(&route, who);
            if answer.status != expected {
                wrong.push(format!(
                    "{} {} as {who:?}: {} instead of {expected}: {}",
                    route.method,
                    route.path,
                    answer.status,
                    answer.text()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn a_query_that_cannot_be_read_is_told_only_to_those_who_may_ask() {
    let hall = Hall::open().await;
    let people = People::gather(&hall).await;
    let admin = &people.cookies[0].1;
    for route in routes().iter().filter(|route| {
        !matches!(route.whom, For::Anyone | For::Watchers) && route.status == 400 && route.path.contains('&')
    }) {
        // The server forgets whom it knows, so that it has to ask the store who calls: the query could be read earlier.
        let assignment = json!({ "email": "somebody@exam.test", "name": "Somebody", "grades": [ASSIGNED] });
        assert_eq!(send(&hall, admin, Method::POST, "/api/admin/review/assignments", assignment).await.status, 200);
        let answer = people.ask(&hall, Who::Student, route).await;
        assert_eq!(answer.status, 403, "{} {}: {}", route.method, route.path, answer.text());
    }
}

#[tokio::test]
async fn the_table_has_every_route() {
    let hall = Hall::open().await;
    let document = hall.anonymous().get("/api/openapi.json").await.json();
    let mut documented = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in ["get", "post", "put", "patch", "delete"].into_iter().filter(|method| item.get(method).is_some())
        {
            documented.insert(format!("{} {path}", method.to_uppercase()));
        }
    }
    let tested: BTreeSet<String> = routes().iter().map(|route| format!("{} {}", route.method, route.pattern)).collect();
    let untested: Vec<_> = documented.difference(&tested).collect();
    let gone: Vec<_> = tested.difference(&documented).collect();
    assert!(untested.is_empty() && gone.is_empty(), "not in the table: {untested:?}; not in the document: {gone:?}");
}

#[tokio::test]
async fn what_needs_no_one_says_so_in_the_document() {
    let hall = Hall::open().await;
    let document = hall.anonymous().get("/api/openapi.json").await.json();
    for route in routes().iter().filter(|route| route.status != 0) {
        let operation = &document["paths"][route.pattern][route.method.as_str().to_lowercase()];
        let needed = operation["security"].as_array().map(Vec::as_slice).unwrap_or_default();
        let says_who = !needed.is_empty()
            && needed.iter().all(|needed| needed.as_object().is_some_and(|needed| !needed.is_empty()));
        assert_eq!(says_who, route.whom != For::Anyone, "{} {}", route.method, route.pattern);
        if route.whom != For::Anyone {
            let responses = &operation["responses"];
            assert!(responses.get("401").is_some(), "{} {} has no 401", route.method, route.pattern);
            let may_be_forbidden = !matches!(route.whom, For::AdminsAlone | For::SignedIn);
            // What every route refuses is in one place, which the others refer to.
            let says_whom = responses.get("403").is_some_and(|response| response.get("$ref").is_none());
            assert_eq!(says_whom, may_be_forbidden, "{} {}: 403", route.method, route.pattern);
        }
    }
}
