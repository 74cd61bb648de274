//! The roads: every operation of the API's documents, with what it tells to whom, or why it tells nothing.

use reqwest::Method;
use serde_json::{Value, json};

use super::exam::{Exam, all_of};
use super::rule::{Kind, State, Whom};

/// One way out of the server.
pub struct Road {
    /// The operation, as a document has it; or words, for frames and webhooks.
    pub name: &'static str,
    /// All operations and frames of the documents, and events of webhooks, that are walked with it.
    pub covers: Vec<&'static str>,
    pub way: Way,
    pub tells: Vec<Tell>,
    /// Why it tells nothing; empty if it does.
    pub reason: &'static str,
}

/// How it is walked.
#[derive(Clone, Copy)]
pub enum Way {
    /// A `GET` with each of these queries.
    Get(&'static [&'static str]),
    /// Another method with each of these bodies.
    Send(fn(&Exam) -> Vec<Value>),
    Special(Special),
}

/// What needs more than a request.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Special {
    Resume,
    Begun,
    Submitted,
    Receipt,
    Watch,
    Start,
    HandIn,
    Swap,
    Decide,
    Webhooks,
}

/// What a road has for somebody, in these states. The rule may keep it from them all the same.
#[derive(Clone, Copy)]
pub struct Tell {
    pub kinds: &'static [Kind],
    pub whom: Whom,
    pub first: State,
    pub last: State,
}

impl Tell {
    /// From this state on.
    const fn from(self, first: State) -> Self {
        Self { first, ..self }
    }

    const fn only(self, state: State) -> Self {
        Self { first: state, last: state, ..self }
    }
}

impl Road {
    /// Whether others would find something of each walk, such as a test that has begun.
    pub fn leaves_something(&self) -> bool {
        let is_sent = ["POST ", "PUT "].iter().any(|method| self.name.starts_with(method));
        let is_start = matches!(self.way, Way::Special(Special::Start));
        is_start || is_sent && !self.name.starts_with("POST /api/live/{sessionId}")
    }
}

const fn to(whom: Whom, kinds: &'static [Kind]) -> Tell {
    Tell { kinds, whom, first: State::Planned, last: State::Released }
}

/// For staff of the grade, and from the release of the paper for everyone.
fn open(kinds: &'static [Kind]) -> Vec<Tell> {
    vec![to(Whom::Staff, kinds), to(Whom::Anyone, kinds).from(State::Released)]
}

fn get(name: &'static str, queries: &'static [&'static str], tells: impl Into<Vec<Tell>>) -> Road {
    Road { name, covers: vec![name], way: Way::Get(queries), tells: tells.into(), reason: "" }
}

/// A road that has nothing of the exam.
fn nothing(name: &'static str, queries: &'static [&'static str], reason: &'static str) -> Road {
    Road { reason, ..get(name, queries, []) }
}

fn send(name: &'static str, bodies: fn(&Exam) -> Vec<Value>, tells: impl Into<Vec<Tell>>) -> Road {
    Road { way: Way::Send(bodies), ..get(name, &[], tells) }
}

fn special(name: &'static str, covers: &[&'static str], special: Special, tells: impl Into<Vec<Tell>>) -> Road {
    Road { covers: covers.to_vec(), way: Way::Special(special), ..get(name, &[], tells) }
}

const TEMPLATE: &[Kind] = &[Kind::Template];
const IDS: &[Kind] = &[Kind::Ids];
const ORDERS: &[Kind] = &[Kind::Orders];
const IDS_AND_ORDERS: &[Kind] = &[Kind::Ids, Kind::Orders];
const TEXTS: &[Kind] = &[Kind::Ids, Kind::Texts];
const IDS_AND_KEYS: &[Kind] = &[Kind::Ids, Kind::Keys];
const QUESTIONS: &[Kind] = &[Kind::Ids, Kind::Texts, Kind::Keys];
const PAPER: &[Kind] = &[Kind::Template, Kind::Ids, Kind::Texts, Kind::Keys];
const RESULT: &[Kind] = &[Kind::Result];
const GRADED: &[Kind] = &[Kind::Ids, Kind::Result];
const PLAIN: &[&str] = &[""];
const OF_GRADE: &[&str] = &["?grade=5"];
const OF_EXAM: &[&str] = &["?sittingId={sitting}", "?templateId={template}", "?grade=5"];
const CORRECTIONS: &[&str] = &["", "?sittingId={sitting}", "?templateId={template}", "?grade=5"];
const SWAPS: &[&str] = &["?bucket=standard&questionId={question}", "@spare?bucket=standard&questionId={spareQuestion}"];

/// All roads.
pub fn all() -> Vec<Road> {
    [of_candidates(), of_staff(), of_admins(), of_frames(), deeds(), elsewhere(), without_anything()]
        .into_iter()
        .flatten()
        .collect()
}

fn of_candidates() -> Vec<Road> {
    use State::{Ended, FirstReleased, Released, Running};
    use Whom::{Anyone, Candidate, Managers, Proctors, Staff};
    let of_template = ["", "?sessionId={session}", "@other", "@other?sessionId={session}"].as_slice();
    let of_rooms =
        ["?grade=5", "?templateId={template}", "?sittingId={sitting}", "?sittingId={sitting}&room=B12"].as_slice();
    let sessions = ["", "?payload=1", "?wait=release", "?version=1", "?version=2", "?version=1&payload=1"].as_slice();
    let session = vec![
        to(Staff, IDS_AND_KEYS).from(Ended),
        to(Staff, ORDERS).from(Ended),
        to(Anyone, IDS_AND_ORDERS).from(FirstReleased),
        to(Anyone, &[Kind::Keys]).from(Released),
        to(Anyone, RESULT).from(Ended),
    ];
    let printed =
        vec![to(Staff, QUESTIONS).from(Ended), to(Anyone, QUESTIONS).from(Released), to(Anyone, RESULT).from(Ended)];
    vec![
        get("GET /api/questions", OF_GRADE, open(QUESTIONS)),
        get("GET /api/test-templates/{id}", of_template, open(PAPER)),
        get("GET /api/sessions/{id}", sessions, session),
        get(
            "GET /api/report/{id}/questions",
            PLAIN,
            [
                to(Staff, QUESTIONS).from(Ended),
                to(Staff, ORDERS).from(Ended),
                to(Anyone, QUESTIONS).from(Released),
                to(Anyone, ORDERS).from(Released),
            ],
        ),
        get("GET /api/report/{id}/pdf", &["", "?version=1"], printed),
        get(
            "GET /api/live/{sessionId}",
            &["", "?wait=begin"],
            [to(Candidate, IDS).from(Running), to(Candidate, TEXTS).only(Running), to(Candidate, ORDERS).only(Running)],
        ),
        get(
            "GET /api/sessions/{id}/receipt",
            &["", "?version=1", "?version=2"],
            [to(Candidate, IDS).from(Ended), to(Staff, IDS).from(Ended)],
        ),
        special(
            "GET /api/live/{sessionId}/receipt",
            &["GET /api/live/{sessionId}/receipt", "student: Receipt"],
            Special::Receipt,
            [to(Candidate, IDS).only(Running)],
        ),
        get("GET /api/sittings/{id}/paper/{part}", &["", "?open"], [to(Candidate, TEXTS).only(Running)]),
        get(
            "GET /api/live/sessions",
            of_rooms,
            [
                to(Proctors, IDS).only(Running),
                to(Staff, IDS).only(Running),
                to(Proctors, RESULT).from(FirstReleased),
                to(Managers, RESULT).from(FirstReleased),
            ],
        ),
    ]
}

fn of_staff() -> Vec<Road> {
    use State::{Ended, Released};
    use Whom::{Managers, Proctors, Staff};
    let results = vec![
        to(Staff, TEMPLATE),
        to(Staff, QUESTIONS).from(Ended),
        to(Managers, ORDERS).from(Ended),
        to(Managers, RESULT).from(Ended),
    ];
    let table = [to(Managers, GRADED).from(Ended)];
    vec![
        get("GET /api/review/questions", OF_GRADE, [to(Staff, QUESTIONS)]),
        get("GET /api/review/edit", OF_GRADE, [to(Staff, IDS_AND_KEYS)]),
        get("GET /api/admin/items", &["?grade=5", "?grade=5&origin=all"], [to(Staff, IDS).from(Ended)]),
        get("GET /api/manager/sources", PLAIN, [to(Staff, TEMPLATE).from(Ended)]),
        get("GET /api/manager/results", OF_EXAM, results),
        get("GET /api/manager/results/figures", OF_EXAM, [to(Managers, IDS).from(Ended)]),
        get("GET /api/manager/results.csv", OF_EXAM, table),
        get("GET /api/manager/results.xlsx", OF_EXAM, table),
        get("GET /api/manager/test-templates", PLAIN, [to(Managers, TEMPLATE)]),
        get("GET /api/manager/test-templates/{id}", PLAIN, [to(Managers, PAPER), to(Managers, ORDERS)]),
        get("GET /api/manager/test-templates/{id}/swap", SWAPS, [to(Managers, QUESTIONS)]),
        get("GET /api/admin/sittings", PLAIN, [to(Managers, TEMPLATE)]),
        get("GET /api/admin/sittings/{id}", PLAIN, [to(Managers, TEMPLATE)]),
        get("GET /api/admin/sittings/{id}/results", PLAIN, [to(Managers, RESULT).from(Ended)]),
        get("GET /api/admin/sittings/{id}/results.csv", PLAIN, [to(Managers, RESULT).from(Ended)]),
        get("GET /api/admin/sittings/{id}/results.xlsx", PLAIN, [to(Managers, RESULT).from(Ended)]),
        get("GET /api/sessions/{id}/versions", PLAIN, [to(Staff, RESULT).from(Ended)]),
        get("GET /api/manager/corrections", CORRECTIONS, [to(Managers, IDS_AND_KEYS).from(Ended)]),
        get(
            "GET /api/live/sessions/{id}/late",
            PLAIN,
            [
                to(Proctors, IDS).from(Ended),
                // A score tells which of the late answers are right.
                to(Managers, RESULT).from(Ended),
                to(Proctors, RESULT).from(Released),
            ],
        ),
    ]
}

fn of_admins() -> Vec<Road> {
    use State::Ended;
    use Whom::Admins;
    let lists = [to(Admins, TEMPLATE).from(Ended), to(Admins, RESULT).from(Ended)];
    vec![
        get("GET /api/sessions", &["", "?grade=5", "?template={template}", "?origin=all"], lists),
        get("GET /api/admin/results", &["", "?format=xlsx", "?template={template}"], lists),
        get("GET /api/admin/questions", OF_GRADE, [to(Admins, QUESTIONS)]),
        get("GET /api/admin/export", OF_GRADE, [to(Admins, QUESTIONS)]),
        get("GET /api/admin/review/log", OF_GRADE, [to(Admins, IDS_AND_KEYS)]),
        get("GET /api/admin/test-templates", PLAIN, [to(Admins, TEMPLATE)]),
        get("GET /api/admin/test-templates/{id}", PLAIN, [to(Admins, PAPER), to(Admins, ORDERS)]),
        get("GET /api/admin/test-templates/{id}/swap", SWAPS, [to(Admins, QUESTIONS)]),
        get("GET /api/admin/audit", &["?action=template.drawn"], [to(Admins, TEMPLATE)]),
        // It says whose key was corrected.
        get("GET /api/admin/audit/export", &["", "?format=csv"], [to(Admins, TEMPLATE), to(Admins, IDS).from(Ended)]),
    ]
}

fn of_frames() -> Vec<Road> {
    use State::{Ended, FirstReleased, Running};
    use Whom::{Candidate, Managers, Proctors, Receiver, Staff};
    let watched =
        ["GET /api/live/proctor", "proctor: Roster", "proctor: Changes", "proctor: RoomProgress", "proctor: History"];
    let events =
        ["webhook: test.completed", "webhook: result.released", "webhook: result.changed", "webhook: sitting.ended"];
    let rows = vec![
        to(Staff, TEMPLATE),
        to(Proctors, IDS).only(Running),
        to(Staff, IDS).only(Running),
        to(Proctors, RESULT).from(FirstReleased),
        to(Managers, RESULT).from(FirstReleased),
    ];
    vec![
        special("the frame `started`", &["GET /api/live", "student: Started"], Special::Start, open(IDS_AND_ORDERS)),
        special(
            "the frame `begin`, and the paper that its keys open",
            &["student: Begin"],
            Special::Begun,
            [to(Candidate, TEXTS).only(Running), to(Candidate, ORDERS).only(Running)],
        ),
        special(
            "the frames `waiting` and `resumed`",
            &["student: Resumed", "student: Waiting"],
            Special::Resume,
            [to(Candidate, IDS).from(Running), to(Candidate, TEXTS).only(Running), to(Candidate, ORDERS).only(Running)],
        ),
        // The ids are those of the receipt; `held` stands in the place of the result.
        special("the frame `submitted`", &["student: Submitted"], Special::Submitted, [to(Candidate, IDS).from(Ended)]),
        special("the frames `roster`, `changes`, `progress` and `history`", &watched, Special::Watch, rows),
        special("the webhooks", &events, Special::Webhooks, [to(Receiver, GRADED).from(FirstReleased)]),
    ]
}

/// What changes something: it is walked in an exam of its own.
fn deeds() -> Vec<Road> {
    use State::{Ended, Released};
    use Whom::{Admins, Anyone, Candidate, Managers, Proctors};
    let swap = |name| {
        special(name, &[name], Special::Swap, [to(if name.contains("/admin/") { Admins } else { Managers }, QUESTIONS)])
    };
    let hand_in = vec![to(Whom::Staff, QUESTIONS), to(Anyone, QUESTIONS).from(Released)];
    vec![
        send("POST /api/live", practice, open(IDS_AND_ORDERS)),
        send(
            "POST /api/live/{sessionId}/commands",
            repeated,
            [to(Candidate, IDS).from(Ended), to(Candidate, &[Kind::Keys, Kind::Result]).from(Released)],
        ),
        special("POST /api/sessions, and the report of such a test", &["POST /api/sessions"], Special::HandIn, hand_in),
        send("POST /api/admin/test-templates", drawn, [to(Admins, QUESTIONS)]),
        send("PUT /api/admin/test-templates/{id}", renamed, [to(Admins, QUESTIONS)]),
        send("POST /api/admin/test-templates/{id}/generate", empty, [to(Admins, QUESTIONS)]),
        swap("POST /api/admin/test-templates/{id}/swap"),
        send("PUT /api/admin/test-templates/{id}/questions", arranged, [to(Admins, QUESTIONS)]),
        send("POST /api/manager/test-templates", drawn, [to(Managers, QUESTIONS)]),
        send("PUT /api/manager/test-templates/{id}", renamed, [to(Managers, QUESTIONS)]),
        send("POST /api/manager/test-templates/{id}/generate", empty, [to(Managers, QUESTIONS)]),
        swap("POST /api/manager/test-templates/{id}/swap"),
        send("PUT /api/manager/test-templates/{id}/questions", arranged, [to(Managers, QUESTIONS)]),
        send("POST /api/manager/corrections", corrected, [to(Managers, IDS)]),
        special(
            "POST /api/live/sessions/{id}/late",
            &["POST /api/live/sessions/{id}/late"],
            Special::Decide,
            [to(Managers, RESULT).from(Ended), to(Proctors, RESULT).from(Released)],
        ),
        send("PATCH /api/admin/sittings/{id}", empty, [to(Managers, TEMPLATE)]),
        send("POST /api/admin/sittings/{id}/release", empty, [to(Managers, TEMPLATE)]),
    ]
}

/// What another server gets that has its data here.
fn elsewhere() -> Vec<Road> {
    use State::Released;
    use Whom::Server;
    vec![
        get("GET /v1/questions", OF_GRADE, [to(Server, QUESTIONS).from(Released)]),
        get(
            "GET /v1/sessions/{id}",
            PLAIN,
            [to(Server, &[Kind::Ids, Kind::Orders, Kind::Keys, Kind::Result]).from(Released)],
        ),
        get("GET /v1/reviews", &["", "?grade=5"], [to(Server, IDS)]),
        get("GET /v1/edit-log", &["", "?grade=5"], [to(Server, IDS_AND_KEYS)]),
    ]
}

const NUMBERS: &str = "numbers of questions, reviews, tests or requests";
const PEOPLE: &str = "people, their rights and their needs";
const SETTINGS: &str = "settings and the state of the service";
const DOCUMENT: &str = "a document, whose examples are invented";
const CALENDAR: &str = "the calendar: an event names a sitting, and no template";
const PLANS: &str = "times, places and how far somebody has come";
const RECORDS: &str = "what happened and when, without answers";
const SIGNED: &str = "hashes of receipts and their signatures, of which no answer can be told";
const PAGE: &str = "a page, the same for everyone";

fn without_anything() -> Vec<Road> {
    let list = |paths: &[&'static str], reason| -> Vec<Road> {
        paths.iter().map(|path| nothing(path, PLAIN, reason)).collect()
    };
    [
        list(
            &[
                "GET /api/sittings",
                "GET /api/sittings/proctored",
                "GET /api/sittings/{id}/calendar.ics",
                "GET /api/live/mine",
                "GET /api/admin/sittings/{id}/candidates",
                "GET /api/admin/sittings/{id}/candidates/{candidateId}/explain",
                "GET /api/admin/sittings/{id}/slips.pdf",
                "GET /api/admin/sittings/{id}/lti/people",
                "GET /api/admin/lti/links",
            ],
            PLANS,
        ),
        list(
            &[
                "GET /api/live/sessions/{id}/events",
                "GET /api/live/candidates/{candidateId}/events",
                "GET /api/admin/sittings/{id}/incidents",
                "GET /api/admin/sittings/{id}/incidents.csv",
                "GET /api/sittings/{id}/incidents",
                "GET /api/admin/webhooks",
                "GET /api/admin/lti/scores",
            ],
            RECORDS,
        ),
        list(
            &[
                "GET /api/sessions/{id}/receipt.tlog-proof",
                "GET /api/sittings/{id}/checkpoint",
                "GET /.well-known/jwks.json",
                "GET /lti/jwks",
            ],
            SIGNED,
        ),
        list(
            &[
                "GET /api/manager/approvals",
                "GET /api/manager/stats",
                "GET /api/admin/review/stats",
                "GET /api/admin/questions/sample-bank",
                "GET /metrics",
                "GET /v1/grade-approvals",
            ],
            NUMBERS,
        ),
        list(
            &[
                "GET /api/me",
                "GET /api/me/sign-ins",
                "GET /api/me/view",
                "GET /api/admin/users",
                "GET /api/admin/users/{email}/sign-ins",
                "GET /api/admin/proctors",
                "GET /api/admin/review/assignments",
                "GET /api/admin/review/managers",
                "GET /api/admin/accommodations",
                "GET /api/admin/accommodations/{email}",
                "GET /api/admin/classes",
                "GET /api/admin/classes/{id}",
                "GET /v1/assignments",
                "GET /v1/assignments/{email}",
                "GET /v1/manager-assignments",
                "GET /v1/users/{email}",
            ],
            PEOPLE,
        ),
        vec![nothing(
            "GET /api/admin/questions/secure",
            OF_GRADE,
            "names of `secure` questions, for staff of the grade; the paper of the walk has none",
        )],
        vec![nothing(
            "GET /media/{digest}",
            PLAIN,
            "a picture, by a name that only its question tells; withheld ones are in `tests/it/sittings/pictures.rs`",
        )],
        list(
            &[
                "GET /api/admin/health",
                "GET /api/admin/lti/platforms",
                "GET /api/admin/lti/platforms/{id}",
                "GET /api/admin/lti/platforms/{id}/grants",
                "GET /api/admin/school",
                "GET /api/admin/status",
                "GET /api/admin/tokens",
                "GET /api/admin/webhooks/key",
                "GET /api/school",
                "GET /api/school/crest",
                "GET /api/status",
                "GET /auth/sign-in",
                "GET /auth/callback",
                "GET /healthz",
                "GET /readyz",
            ],
            SETTINGS,
        ),
        list(
            &[
                "GET /api/openapi.json",
                "GET /api/asyncapi.json",
                "GET /v1/openapi.json",
                "GET /wp-json/tribe/events/v1/doc",
            ],
            DOCUMENT,
        ),
        vec![
            nothing("GET /wp-json/tribe/events/v1/events", &["", "?ical=1"], CALENDAR),
            nothing("GET /wp-json/tribe/events/v1/events/{id}", &["", "?ical=1"], CALENDAR),
        ],
        list(
            &[
                "GET /wp-json/tribe/events/v1/events/by-slug/{slug}",
                "GET /wp-json/tribe/events/v1/venues",
                "GET /wp-json/tribe/events/v1/venues/{id}",
                "GET /wp-json/tribe/events/v1/venues/by-slug/{slug}",
                "GET /wp-json/tribe/events/v1/organizers",
                "GET /wp-json/tribe/events/v1/organizers/{id}",
                "GET /wp-json/tribe/events/v1/organizers/by-slug/{slug}",
                "GET /wp-json/tribe/events/v1/categories",
                "GET /wp-json/tribe/events/v1/categories/{id}",
                "GET /wp-json/tribe/events/v1/tags",
                "GET /wp-json/tribe/events/v1/tags/{id}",
                "GET /event/{slug}",
                "GET /event/{slug}/",
            ],
            CALENDAR,
        ),
        list(
            &[
                "GET /",
                "GET /test/{grade}",
                "GET /t/{template}",
                "GET /s/{sitting}",
                "GET /sittings",
                "GET /auth/sign-ins",
                "GET /report/{session}",
                "GET /continue",
                "GET /staff",
                "GET /sittings/{id}/screen",
                "GET /verify",
            ],
            PAGE,
        ),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// What is not walked, and why it can carry neither a result nor a paper: no `GET` of a document is among these.
pub const UNWALKED: [(&str, &[&str]); 15] = [
    (
        "files of the build",
        &[
            "GET /assets/{name}",
            "GET /icon.svg",
            "GET /service-worker.js",
            "GET /staff/{rest:.*}",
            "GET /verify-worker.js",
        ],
    ),
    (
        "answers that it is done, or with what the caller has sent",
        &[
            "DELETE /api/admin/accommodations/{email}",
            "DELETE /api/admin/classes/{id}",
            "DELETE /api/admin/lti/links/{id}",
            "DELETE /api/admin/lti/platforms/{id}",
            "DELETE /api/admin/lti/platforms/{id}/grants",
            "DELETE /api/admin/review/assignments/{email}",
            "DELETE /api/admin/review/managers/{email}",
            "DELETE /api/admin/questions/{id}",
            "DELETE /api/admin/school/crest",
            "DELETE /api/admin/sittings/{id}",
            "DELETE /api/admin/sittings/{id}/candidates/{candidateId}",
            "DELETE /api/admin/test-templates/{id}",
            "DELETE /api/admin/tokens/{id}",
            "DELETE /api/admin/users/{email}",
            "DELETE /api/admin/users/{email}/sign-ins",
            "DELETE /api/admin/users/{email}/sign-ins/{id}",
            "DELETE /api/manager/corrections/{id}",
            "DELETE /api/manager/test-templates/{id}",
            "DELETE /api/me/sign-ins",
            "DELETE /api/me/sign-ins/{id}",
            "DELETE /v1/assignments/{email}",
            "DELETE /v1/manager-assignments/{email}",
            "PATCH /api/admin/classes/{id}",
            "PATCH /api/admin/lti/platforms/{id}",
            "PATCH /api/admin/school",
            "PATCH /api/admin/sittings/{id}/candidates/{candidateId}",
            "PATCH /api/admin/users/{email}",
            "POST /api/admin/classes",
            "POST /api/admin/import",
            "POST /api/admin/lti/platforms",
            "POST /api/admin/lti/platforms/{id}/grants",
            "POST /api/admin/lti/platforms/{id}/test",
            "POST /api/admin/lti/scores/resend",
            "POST /api/admin/lti/scores/{id}/resend",
            "POST /api/admin/questions",
            "POST /api/admin/questions/marks",
            "POST /api/admin/questions/sample-bank",
            "POST /api/admin/questions/{id}/restore",
            "POST /api/admin/review/assignments",
            "POST /api/admin/review/managers",
            "POST /api/admin/sittings/{id}/candidates",
            "POST /api/admin/sittings/{id}/candidates/undo",
            "POST /api/admin/sittings/{id}/candidates/{candidateId}/lti",
            "POST /api/admin/sittings/{id}/classes",
            "POST /api/admin/sittings/{id}/roster/lti",
            "POST /api/admin/tokens",
            "POST /api/admin/webhooks/test",
            "POST /api/admin/webhooks/{id}/replay",
            "POST /api/manager/approvals",
            "POST /api/review/edit",
            "POST /api/review/pictures",
            "POST /api/review/questions",
            "POST /api/review/submit",
            "POST /v1/edit-log",
            "POST /v1/questions/import",
            "PUT /api/admin/accommodations",
            "PUT /api/admin/accommodations/{email}",
            "PUT /api/admin/classes/{id}/people",
            "PUT /api/admin/questions/{id}/secure",
            "PUT /api/admin/school/crest",
            "PUT /api/admin/sittings/{id}/candidates",
            "PUT /api/admin/status",
            "PUT /api/admin/users/{email}",
            "PUT /api/me/view",
            "PUT /v1/assignments/{email}",
            "PUT /v1/grade-approvals/{grade}/{managerEmail}",
            "PUT /v1/manager-assignments/{email}",
            "PUT /v1/questions/override",
            "PUT /v1/reviews/{questionId}",
            "PUT /v1/sessions/{id}",
        ],
    ),
    (
        "a sitting, as its `GET` shows it to the same people",
        &[
            "POST /api/admin/sittings",
            "POST /api/admin/sittings/{id}/again",
            "POST /api/admin/sittings/{id}/begin",
            "POST /api/admin/sittings/{id}/make-up",
        ],
    ),
    ("a person, as the `GET` shows them to the same server", &["POST /v1/users", "PATCH /v1/users/{email}"]),
    (
        "a record of the calendar, as its `GET` shows it to the same people",
        &[
            "POST /wp-json/tribe/events/v1/events",
            "POST /wp-json/tribe/events/v1/events/{id}",
            "DELETE /wp-json/tribe/events/v1/events/{id}",
            "POST /wp-json/tribe/events/v1/events/by-slug/{slug}",
            "DELETE /wp-json/tribe/events/v1/events/by-slug/{slug}",
            "POST /wp-json/tribe/events/v1/venues",
            "POST /wp-json/tribe/events/v1/venues/{id}",
            "DELETE /wp-json/tribe/events/v1/venues/{id}",
            "POST /wp-json/tribe/events/v1/venues/by-slug/{slug}",
            "DELETE /wp-json/tribe/events/v1/venues/by-slug/{slug}",
            "POST /wp-json/tribe/events/v1/organizers",
            "POST /wp-json/tribe/events/v1/organizers/{id}",
            "DELETE /wp-json/tribe/events/v1/organizers/{id}",
            "POST /wp-json/tribe/events/v1/organizers/by-slug/{slug}",
            "DELETE /wp-json/tribe/events/v1/organizers/by-slug/{slug}",
            "POST /wp-json/tribe/events/v1/categories",
            "POST /wp-json/tribe/events/v1/categories/{id}",
            "DELETE /wp-json/tribe/events/v1/categories/{id}",
            "POST /wp-json/tribe/events/v1/tags",
            "POST /wp-json/tribe/events/v1/tags/{id}",
            "DELETE /wp-json/tribe/events/v1/tags/{id}",
        ],
    ),
    ("slips with codes, as those of the `GET`", &["POST /api/admin/sittings/{id}/slips.pdf"]),
    (
        "papers for an exam day, made of the plan and the roster like the slips",
        &["POST /api/admin/sittings/{id}/kit.pdf"],
    ),
    (
        "reports, as those of `GET /api/report/{id}/pdf`, for those who manage the sitting",
        &["GET /api/admin/sittings/{id}/reports.zip"],
    ),
    (
        "a token or a code; what that opens is walked with a token",
        &[
            "POST /api/live/move",
            "POST /api/live/sessions/{id}/code",
            "POST /api/live/{sessionId}/token",
            "POST /api/sittings/{id}/candidates/{candidateId}/access-code",
            "proctor: MoveCode",
        ],
    ),
    (
        "how many tests an order has reached, or why none",
        &[
            "POST /api/live/rooms/orders",
            "POST /api/live/sessions/{id}/orders",
            "POST /api/live/late-files",
            "proctor: OrderDone",
            "proctor: OrderError",
        ],
    ),
    ("signs in or out", &["POST /auth/local", "POST /auth/sign-out"]),
    (
        "the time, or a word about the connection",
        &[
            "proctor: Restarting",
            "student: Alert",
            "student: Extended",
            "student: LiveError",
            "student: Notice",
            "student: Paused",
            "student: Restarting",
            "student: Saved",
            "student: Superseded",
            "student: Time",
            "student: Unpaused",
        ],
    ),
    ("a second stage with its key, as `begin`: to the candidate at work who has asked for it", &["student: Stage"]),
    ("a session or an edit, to the server that keeps all of them", &["transfer: session", "transfer: edit"]),
    (
        "a score, to the learning platform of which the student is; what it is told of held results is in `tests/it/lti/scores.rs`",
        &["webhook: score.ended", "webhook: score.released", "webhook: score.changed"],
    ),
];

const PAGES: &str = include_str!("../../../../src/app/routes.rs");

/// The addresses of pages, which no document has.
pub fn pages() -> Vec<String> {
    let routes = PAGES.split(".route(\"").skip(1).filter_map(|rest| rest.split('"').next());
    routes.filter(|path| !path.starts_with("/api/docs")).map(|path| format!("GET {path}")).collect()
}

/// Practice with the questions of the exam, by a template and by their names.
fn practice(exam: &Exam) -> Vec<Value> {
    let ids: Vec<&Value> = exam.paper.iter().map(|question| &question["id"]).collect();
    vec![
        json!({ "annotations": {}, "templateId": exam.school.template }),
        json!({ "annotations": {}, "templateId": exam.other_template }),
        json!({ "annotations": {}, "grade": 5, "mode": "standard", "durationMinutes": 30, "questionIds": ids }),
    ]
}

/// The last command once more. After the end it is a hand-in.
fn repeated(exam: &Exam) -> Vec<Value> {
    let command = match &exam.submitted {
        None => json!({ "type": "visit", "questionId": exam.paper[1]["id"], "seq": exam.last_seq.max(100) }),
        Some(_) => json!({ "type": "submit", "seq": exam.last_seq + 1 }),
    };
    vec![json!({ "commands": [command] })]
}

fn drawn(exam: &Exam) -> Vec<Value> {
    vec![all_of(&exam.paper[0]["difficulty"], exam.of_difficulty)]
}

fn renamed(_: &Exam) -> Vec<Value> {
    vec![json!({ "name": "Scratch" })]
}

/// The questions of the paper, which the template then has until it is drawn anew.
fn arranged(exam: &Exam) -> Vec<Value> {
    let ids: Vec<&Value> = exam.paper.iter().map(|question| &question["id"]).collect();
    vec![json!({ "bucket": { "kind": "standard" }, "questionIds": ids })]
}

/// Everyone is credited for a question, so that nobody loses.
fn corrected(exam: &Exam) -> Vec<Value> {
    let scope = json!({ "sittingId": exam.sitting_id() });
    vec![json!({ "questionId": exam.paper[0]["id"], "kind": "all", "scope": scope })]
}

fn empty(_: &Exam) -> Vec<Value> {
    vec![json!({})]
}

/// The address of an operation with the exam's values. `@` and a name at the start of a query stand for another
/// template.
pub fn address(exam: &Exam, name: &str, query: &str) -> (Method, String) {
    let (method, pattern) = name.split_once(' ').unwrap();
    let (at, query) =
        query.strip_prefix('@').map_or(("", query), |rest| rest.split_at(rest.find('?').unwrap_or(rest.len())));
    let template = match at {
        "other" => &exam.other_template,
        "spare" => &exam.spare,
        // What changes a template is tried on one that no sitting has.
        _ if method != "GET" => &exam.scratch,
        _ => &exam.school.template,
    };
    let list = match pattern.strip_prefix("/wp-json/tribe/events/v1/") {
        Some(rest) => rest.split('/').next().unwrap_or_default(),
        None if pattern.starts_with("/event/") => "events",
        None => "",
    };
    let record = exam.records.get(list);
    let id = match record {
        Some(record) => record["id"].to_string(),
        None if pattern.contains("test-templates") => template.clone(),
        None if pattern.starts_with("/api/admin/classes") => exam.class.clone(),
        None if pattern.starts_with("/api/admin/lti/platforms") => exam.platform.clone(),
        None if pattern.contains("/sessions/") || pattern.contains("/report/") => exam.session().to_owned(),
        None => exam.sitting_id().to_owned(),
    };
    let email = match pattern {
        _ if pattern.contains("accommodations") => "cy",
        _ if pattern.contains("assignments") => "reviewer-of-5",
        _ => "ada-kovalevskaya",
    };
    let slug = record.and_then(|record| record["slug"].as_str()).unwrap_or_default();
    let path = format!("{pattern}{query}")
        .replace("{id}", &id)
        .replace("{sessionId}", exam.session())
        .replace("{session}", exam.session())
        .replace("{sitting}", exam.sitting_id())
        .replace("{template}", &exam.school.template)
        .replace("{question}", exam.paper[0]["id"].as_str().unwrap())
        .replace("{spareQuestion}", &exam.spare_question)
        .replace("{candidateId}", &exam.candidate)
        .replace("{part}", "1-B")
        .replace("{grade}", "5")
        .replace("{slug}", slug)
        .replace("{digest}", &exam.picture)
        .replace("{email}", &format!("{email}%40exam.test"));
    (method.parse().unwrap(), path)
}
