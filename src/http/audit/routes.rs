//! The routes whose use is recorded: what each does, and what it is done to.

/// A route whose use is recorded.
#[derive(Clone, Copy, Debug)]
pub struct AuditedRoute {
    pub method: &'static str,
    pub path: &'static str,
    /// What it does, such as `user.role`.
    pub action: &'static str,
    /// The part of the path that names what it is done to; empty if none does.
    pub subject: &'static str,
}

const fn route(method: &'static str, path: &'static str, action: &'static str, subject: &'static str) -> AuditedRoute {
    AuditedRoute { method, path, action, subject }
}

/// An exam was given to a deployment of a learning platform, by a choice of its staff.
pub const EXAM_PLACED: &str = "link.placed";
/// Staff of a platform have said that the link of a copied course leads to the right exam.
pub const LINK_CONFIRMED: &str = "link.confirmed";
/// Staff of a platform have led a link to another exam.
pub const LINK_LED: &str = "link.led";
/// Staff of a platform were signed in.
pub const STAFF_SIGNED_IN: &str = "platform.signed_in";
/// What people of learning platforms do, by pages that are no routes of admins and managers.
pub const LAUNCHED: [&str; 4] = [EXAM_PLACED, LINK_CONFIRMED, LINK_LED, STAFF_SIGNED_IN];

/// Every route by which admins and managers change something, see a secret, or take data away. What proctors do in an
/// exam is on the record of that exam, what reviewers do is in the log of edits, and events of the calendar name their
/// authors themselves.
pub const AUDITED: [AuditedRoute; 83] = [
    route("PUT", "/api/admin/users/{email}", "user.invited", "email"),
    route("PATCH", "/api/admin/users/{email}", "user.role", "email"),
    route("DELETE", "/api/admin/users/{email}", "user.removed", "email"),
    route("DELETE", "/api/admin/users/{email}/sign-ins", "user.signed_out", "email"),
    route("DELETE", "/api/admin/users/{email}/sign-ins/{id}", "user.signed_out", "email"),
    route("POST", "/api/admin/review/assignments", "user.reviews", ""),
    route("DELETE", "/api/admin/review/assignments/{email}", "user.reviews", "email"),
    route("POST", "/api/admin/review/managers", "user.signs_off", ""),
    route("DELETE", "/api/admin/review/managers/{email}", "user.signs_off", "email"),
    route("POST", "/api/admin/tokens", "token.created", ""),
    route("DELETE", "/api/admin/tokens/{id}", "token.revoked", "id"),
    route("GET", "/api/admin/webhooks/key", "webhook.key_read", ""),
    route("POST", "/api/admin/webhooks/test", "webhook.tested", ""),
    route("POST", "/api/admin/webhooks/{id}/replay", "webhook.replayed", "id"),
    route("POST", "/api/admin/lti/platforms", "platform.connected", ""),
    route("PATCH", "/api/admin/lti/platforms/{id}", "platform.changed", "id"),
    route("DELETE", "/api/admin/lti/platforms/{id}", "platform.removed", "id"),
    route("POST", "/api/admin/lti/platforms/{id}/test", "platform.tested", "id"),
    route("POST", "/api/admin/lti/platforms/{id}/grants", "platform.given", "id"),
    route("DELETE", "/api/admin/lti/platforms/{id}/grants", "platform.taken_back", "id"),
    route("DELETE", "/api/admin/lti/links/{id}", "link.removed", "id"),
    route("POST", "/api/admin/lti/scores/resend", "scores.resent", ""),
    route("POST", "/api/admin/lti/scores/{id}/resend", "score.resent", "id"),
    route("PATCH", "/api/admin/school", "school.changed", ""),
    route("PUT", "/api/admin/school/crest", "school.crest", ""),
    route("DELETE", "/api/admin/school/crest", "school.crest", ""),
    route("PUT", "/api/admin/status", "status.changed", ""),
    route("POST", "/api/admin/import", "questions.imported", ""),
    route("GET", "/api/admin/export", "questions.exported", ""),
    route("PUT", "/api/admin/questions/{id}/secure", "question.secured", "id"),
    route("POST", "/api/admin/questions/marks", "questions.marked", ""),
    route("POST", "/api/admin/questions", "question.written", ""),
    route("POST", "/api/admin/questions/sample-bank", "questions.translated", ""),
    route("DELETE", "/api/admin/questions/{id}", "question.retired", "id"),
    route("POST", "/api/admin/questions/{id}/restore", "question.restored", "id"),
    route("POST", "/api/manager/approvals", "grade.signed_off", ""),
    route("POST", "/api/admin/test-templates", "template.created", ""),
    route("PUT", "/api/admin/test-templates/{id}", "template.changed", "id"),
    route("DELETE", "/api/admin/test-templates/{id}", "template.removed", "id"),
    route("POST", "/api/admin/test-templates/{id}/generate", "template.drawn", "id"),
    route("POST", "/api/admin/test-templates/{id}/swap", "template.swapped", "id"),
    route("PUT", "/api/admin/test-templates/{id}/questions", "template.arranged", "id"),
    route("POST", "/api/manager/test-templates", "template.created", ""),
    route("PUT", "/api/manager/test-templates/{id}", "template.changed", "id"),
    route("DELETE", "/api/manager/test-templates/{id}", "template.removed", "id"),
    route("POST", "/api/manager/test-templates/{id}/generate", "template.drawn", "id"),
    route("POST", "/api/manager/test-templates/{id}/swap", "template.swapped", "id"),
    route("PUT", "/api/manager/test-templates/{id}/questions", "template.arranged", "id"),
    route("POST", "/api/admin/sittings", "sitting.created", ""),
    route("PATCH", "/api/admin/sittings/{id}", "sitting.changed", "id"),
    route("DELETE", "/api/admin/sittings/{id}", "sitting.removed", "id"),
    route("POST", "/api/admin/sittings/{id}/begin", "sitting.begun", "id"),
    route("POST", "/api/admin/sittings/{id}/release", "results.released", "id"),
    route("POST", "/api/admin/sittings/{id}/make-up", "sitting.made_up", "id"),
    route("POST", "/api/admin/sittings/{id}/again", "sitting.repeated", "id"),
    route("POST", "/api/admin/sittings/{id}/classes", "roster.extended", "id"),
    route("POST", "/api/admin/sittings/{id}/roster/lti", "roster.from_course", "id"),
    route("PUT", "/api/admin/sittings/{id}/candidates", "roster.replaced", "id"),
    route("POST", "/api/admin/sittings/{id}/candidates/undo", "roster.undone", "id"),
    route("POST", "/api/admin/sittings/{id}/candidates", "candidate.added", "id"),
    route("PATCH", "/api/admin/sittings/{id}/candidates/{candidateId}", "candidate.changed", "candidateId"),
    route("DELETE", "/api/admin/sittings/{id}/candidates/{candidateId}", "candidate.removed", "candidateId"),
    route("POST", "/api/admin/sittings/{id}/candidates/{candidateId}/lti", "candidate.joined", "candidateId"),
    route("GET", "/api/admin/sittings/{id}/results.xlsx", "results.exported", "id"),
    route("GET", "/api/admin/sittings/{id}/results.csv", "results.exported", "id"),
    route("GET", "/api/admin/sittings/{id}/incidents.csv", "incidents.exported", "id"),
    route("GET", "/api/admin/sittings/{id}/reports.zip", "reports.exported", "id"),
    route("GET", "/api/admin/sittings/{id}/slips.pdf", "slips.printed", "id"),
    route("POST", "/api/admin/sittings/{id}/slips.pdf", "slips.printed", "id"),
    route("POST", "/api/admin/sittings/{id}/kit.pdf", "kit.printed", "id"),
    route("POST", "/api/admin/classes", "class.created", ""),
    route("PATCH", "/api/admin/classes/{id}", "class.changed", "id"),
    route("DELETE", "/api/admin/classes/{id}", "class.removed", "id"),
    route("PUT", "/api/admin/classes/{id}/people", "class.people_replaced", "id"),
    route("PUT", "/api/admin/accommodations", "accommodations.replaced", ""),
    route("PUT", "/api/admin/accommodations/{email}", "accommodation.changed", "email"),
    route("DELETE", "/api/admin/accommodations/{email}", "accommodation.removed", "email"),
    route("GET", "/api/admin/audit/export", "audit.exported", ""),
    route("POST", "/api/manager/corrections", "key.corrected", ""),
    route("DELETE", "/api/manager/corrections/{id}", "key.correction_reverted", "id"),
    route("GET", "/api/admin/results", "results.exported", ""),
    route("GET", "/api/manager/results.csv", "results.exported", ""),
    route("GET", "/api/manager/results.xlsx", "results.exported", ""),
];

const fn read(path: &'static str, action: &'static str, subject: &'static str) -> AuditedRoute {
    route("GET", path, action, subject)
}

/// Every road on which results are read as JSON before they are released, or questions with keys that are not for
/// everyone. The subject may also be a parameter. Once an hour is enough for each person, road and subject.
pub const READ: [AuditedRoute; 21] = [
    read("/api/admin/sittings/{id}/results", "results.read", "id"),
    read("/api/manager/results", "results.read", ""),
    // What a correction would do: only its dry run gets as far as this.
    route("POST", "/api/manager/corrections", "results.read", ""),
    read("/api/manager/corrections", "keys.read", ""),
    read("/api/sessions", "results.read", ""),
    read("/api/sessions/{id}", "results.read", "id"),
    read("/api/sessions/{id}/versions", "results.read", "id"),
    read("/api/live/sessions/{id}/late", "results.read", "id"),
    read("/api/report/{id}/questions", "results.read", "id"),
    read("/api/report/{id}/pdf", "results.read", "id"),
    read("/api/admin/questions", "keys.read", ""),
    read("/api/admin/questions/secure", "keys.read", ""),
    read("/api/review/questions", "keys.read", ""),
    read("/api/review/edit", "keys.read", ""),
    read("/api/admin/review/log", "keys.read", ""),
    read("/api/questions", "keys.read", ""),
    read("/api/test-templates/{id}", "keys.read", "id"),
    read("/api/admin/test-templates/{id}", "keys.read", "id"),
    read("/api/manager/test-templates/{id}", "keys.read", "id"),
    read("/api/admin/test-templates/{id}/swap", "keys.read", "id"),
    read("/api/manager/test-templates/{id}/swap", "keys.read", "id"),
];
